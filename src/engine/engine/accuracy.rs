//! How far the solution of a system can be trusted, or why there is none.

use crate::cpu::tridiagonal::SingularMatrix;
use crate::numerals::number;
use crate::plan::Precision;
use crate::remedy::{Remedies, Remedy};
use crate::signal::system::Residual;

/// The algorithm that exchanges equations.
pub(super) const PIVOTED: &str = "pivoted";
/// A solution is as good as its precision allows while the relative residual stays below this number of rounding units.
pub(super) const GOOD_RESIDUAL: f64 = 1000.0;

/// How well a system was solved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Accuracy {
    /// How well the solution satisfies the equations, found in double precision.
    pub residual: Residual,
    /// The condition number of the equations, each divided by its largest coefficient, as estimated.
    pub condition: f64,
    /// The coefficients of the first equation for the unknown before the first, and of the last one for the unknown after the last: no tridiagonal system has them.
    pub corners: [f64; 2],
}

/// Why a system has no solution to be trusted.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SolveError {
    /// No solution, or more than one.
    #[error("{system} is singular: {why}, so that there is no solution or more than one")]
    Singular {
        /// Name of the system.
        system: String,
        /// The reason.
        why: SingularMatrix,
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

/// A reason to trust only a few digits of a solution.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum SolutionWarning {
    /// Small errors of the equations become large errors of the solution.
    #[error(
        "the system is badly conditioned (about {condition:.0e}): {} of x can be trusted in {} precision, however small the residual",
        trusted(*digits),
        precision.name()
    )]
    BadlyConditioned {
        /// The estimated condition number.
        condition: f64,
        /// Decimal digits that are right.
        digits: f64,
        /// The precision of the computation.
        precision: Precision,
    },
    /// The system looks like a cyclic one.
    #[error("the first a, {}, and the last c, {}, are dropped, as they belong to no unknown", number(corners[0], 6), number(corners[1], 6))]
    Corners {
        /// Both numbers.
        corners: [f64; 2],
    },
    /// The solution does not satisfy the equations as well as the precision allows.
    #[error("the residual is larger than {} precision explains, so that {} of x can be trusted", precision.name(), trusted(*digits))]
    LargeResidual {
        /// Decimal digits that are right.
        digits: f64,
        /// The precision of the computation.
        precision: Precision,
        /// The name of the algorithm that ran.
        algorithm: &'static str,
    },
}

impl Remedies for SolutionWarning {
    fn remedies(&self) -> Vec<Remedy> {
        match self {
            Self::Corners { .. } => vec![Remedy::Cyclic],
            Self::BadlyConditioned { precision: Precision::Single, .. } => vec![Remedy::DoublePrecision],
            Self::BadlyConditioned { .. } => Vec::new(),
            // Neighbouring equations whose numbers differ in size need exchanges, or the same size.
            Self::LargeResidual { algorithm: PIVOTED, .. } => vec![Remedy::Advice("scale the unknowns")],
            Self::LargeResidual { .. } => vec![Remedy::Algorithm(PIVOTED)],
        }
    }
}

fn trusted(digits: f64) -> String {
    if digits < 1.0 { "no digit".to_owned() } else { format!("about {digits:.0} digits") }
}

/// Half the distance from 1 to the next number.
pub(super) fn epsilon(precision: Precision) -> f64 {
    match precision {
        Precision::Single => f64::from(f32::EPSILON) / 2.0,
        Precision::Double => f64::EPSILON / 2.0,
    }
}
