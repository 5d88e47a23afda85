//! What comes of a system: a solution and how far it can be trusted, or why there is none.

use super::super::{Contents, LaneValues, Outcome, Times};
use super::{PIVOTED, SolveJob};
use crate::cpu::tridiagonal::Singular;
use crate::plan::{Plan, Precision};
use crate::remedy::{Remedies, Remedy};
use crate::schedule::Schedule;
use crate::signal::system::Residual;
use crate::transforms::{Axes, Parameters, Shape};
use std::sync::Arc;

/// A solution is as good as its precision allows where the relative residual is below so many units of it.
pub(super) const GOOD_RESIDUAL: f64 = 1000.0;
/// A warning is given where fewer digits than these are known to be right.
const FEW_DIGITS: f64 = 3.0;

/// A solution and how it came about.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// One finite value for every equation.
    pub x: Vec<f64>,
    /// Name of the algorithm that ran.
    pub algorithm: &'static str,
    /// The device that ran it, as people know it.
    pub device: String,
    /// Whether the device is a GPU emulated by software.
    pub software_gpu: bool,
    /// How numbers were held.
    pub precision: Precision,
    /// Why this algorithm and this device, where the choice was left open; a sentence, or nothing.
    pub reason: String,
    /// The plan that ran and how it was cut; `None` for algorithms that are no plans.
    pub plan: Option<(Arc<Plan>, Arc<Schedule>)>,
    /// Where the time went.
    pub times: Times,
    /// How well the solution satisfies the equations, found in double precision.
    pub residual: Residual,
    /// The condition number of the equations, each divided by its largest coefficient, as estimated.
    pub condition: f64,
    /// The rows of all lanes after every stage of a plan small enough to be drawn whole.
    pub values: Option<Arc<LaneValues>>,
}

impl Solution {
    /// What a job came to: the solution as a result of one line.
    pub(in crate::engine) fn outcome(&self) -> Outcome {
        let (plan, schedule) = self.plan.clone().unzip();
        Outcome {
            plan,
            schedule,
            algorithm: self.algorithm,
            parameters: Parameters::default(),
            reason: self.reason.clone(),
            candidates: Vec::new(),
            device: self.device.clone(),
            software_gpu: self.software_gpu,
            precision: self.precision,
            packed: false,
            shape: Shape::line(self.x.len()),
            axes: Axes::Rows,
            contents: Contents::Unknowns,
            times: self.times.clone(),
            again: Vec::new(),
            error: None,
            copy_micros: None,
            as_set: None,
            comparisons: Vec::new(),
            complete: false,
            values: self.values.clone(),
        }
    }

    /// Decimal digits of x that are right at least, as far as the condition number and the residual tell.
    pub fn digits(&self) -> f64 {
        -(self.condition * self.residual.relative.max(epsilon(self.precision))).log10()
    }

    /// What a reader of the solution should know, a sentence each.
    pub fn warnings(&self) -> Vec<String> {
        let digits = self.digits();
        let known = if digits < 1.0 { "no digit".to_owned() } else { format!("about {digits:.0} digits") };
        let is_large = self.residual.relative > GOOD_RESIDUAL * epsilon(self.precision);
        // What even the smallest residual leaves.
        let at_best = -(self.condition * epsilon(self.precision)).log10();
        let remedy = if self.precision == Precision::Single { "; double precision keeps more" } else { "" };
        let badly = format!(
            "the system is badly conditioned (about {:.0e}): {known} of x can be trusted in {} precision, however small the residual{remedy}",
            self.condition,
            self.precision.name(),
        );
        let why = match self.algorithm {
            PIVOTED => "the numbers of neighbouring equations differ too much in size: scale the unknowns".to_owned(),
            other => format!("{other} exchanges no equations, as the algorithm {PIVOTED} does"),
        };
        let precision = self.precision.name();
        let large = format!("the residual is larger than {precision} precision explains, so that {known} of x can be trusted; {why}");
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

impl SolveError {
    pub(super) fn singular(job: &SolveJob, why: Singular) -> Self {
        Self::Singular { system: job.system.name.clone(), why }
    }

    pub(super) fn not_finite(algorithm: &'static str, precision: Precision) -> Self {
        Self::NotFinite { algorithm, precision: precision.name() }
    }
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
