//! How far the solution of a system can be trusted, or why there is none.

use super::PIVOTED;
use crate::cpu::tridiagonal::Singular;
use crate::engine::Outcome;
use crate::plan::Precision;
use crate::remedy::{Remedies, Remedy};
use crate::signal::system::Residual;

/// A solution is as good as its precision allows while the relative residual stays below this number of rounding units.
pub(super) const GOOD_RESIDUAL: f64 = 1000.0;
/// A warning is given where fewer digits than these are known to be right.
const FEW_DIGITS: f64 = 3.0;

/// How well a system was solved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Accuracy {
    /// How well the solution satisfies the equations, found in double precision.
    pub residual: Residual,
    /// The condition number of the equations, each divided by its largest coefficient, as estimated.
    pub condition: f64,
}

/// The result of a job that solves a system.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// One finite value for every equation.
    pub x: Vec<f64>,
    /// How well they satisfy the equations.
    pub accuracy: Accuracy,
    /// How the job ran.
    pub outcome: Outcome,
}

impl Solution {
    /// Decimal digits of x that are right at least, as far as the condition number and the residual tell.
    pub fn digits(&self) -> f64 {
        let Accuracy { residual, condition } = self.accuracy;
        -(condition * residual.relative.max(epsilon(self.outcome.precision))).log10()
    }

    /// Warnings for the reader of the solution, a sentence each.
    pub fn warnings(&self) -> Vec<String> {
        let (Accuracy { residual, condition }, precision) = (self.accuracy, self.outcome.precision);
        let digits = self.digits();
        let known = if digits < 1.0 { "no digit".to_owned() } else { format!("about {digits:.0} digits") };
        let is_large = residual.relative > GOOD_RESIDUAL * epsilon(precision);
        // The digits that even the smallest residual leaves.
        let at_best = -(condition * epsilon(precision)).log10();
        let remedy = if precision == Precision::Single { "; double precision keeps more" } else { "" };
        let badly = format!(
            "the system is badly conditioned (about {condition:.0e}): {known} of x can be trusted in {} precision, however small the residual{remedy}",
            precision.name(),
        );
        let why = match self.outcome.algorithm {
            PIVOTED => "the numbers of neighbouring equations differ too much in size: scale the unknowns".to_owned(),
            other => format!("{other} exchanges no equations, as the algorithm {PIVOTED} does"),
        };
        let large =
            format!("the residual is larger than {} precision explains, so that {known} of x can be trusted; {why}", precision.name());
        let is_badly = at_best < FEW_DIGITS || digits < FEW_DIGITS && !is_large;
        [is_badly.then_some(badly), is_large.then_some(large)].into_iter().flatten().collect()
    }
}

/// Why a system has no solution to be trusted.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SolveError {
    /// No solution, or more than one.
    #[error("{system} is singular: {why}, so that there is no solution or more than one")]
    Singular {
        /// Name of the system.
        system: String,
        /// What makes it so.
        why: Singular,
    },
    /// As far as double precision can tell, the same.
    #[error("{system} is singular as far as double precision can tell: its condition number is about {condition:.0e}")]
    NearlySingular {
        /// Name of the system.
        system: String,
        /// The condition number, as estimated.
        condition: f64,
    },
    /// An algorithm that came to no number.
    #[error("{algorithm} came to no finite solution in {precision} precision: a pivot is zero, or numbers grow too large")]
    NotFinite {
        /// The algorithm.
        algorithm: &'static str,
        /// The precision, by name.
        precision: &'static str,
    },
}

impl Remedies for SolveError {
    fn remedies(&self) -> Vec<Remedy> {
        match self {
            Self::Singular { .. } | Self::NearlySingular { .. } => Vec::new(),
            Self::NotFinite { algorithm, .. } if *algorithm == PIVOTED => vec![Remedy::Advice("scale the equations")],
            Self::NotFinite { .. } => vec![Remedy::Algorithm(PIVOTED)],
        }
    }
}

/// Half the distance from 1 to the next number.
pub(super) fn epsilon(precision: Precision) -> f64 {
    match precision {
        Precision::Single => f64::from(f32::EPSILON) / 2.0,
        Precision::Double => f64::EPSILON / 2.0,
    }
}
