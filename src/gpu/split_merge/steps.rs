//! The steps of a split or a merge as part of a kernel's constants, along one axis.

use crate::gpu::limits::Limits;
use crate::plan::{Extension, LiftingStep, Plan, Precision, Ring, Stage};
use crate::schedule::SectionBoundary;
use std::ops::Range;

/// A step: its level, counted from the first of the run; the parity of the samples that it updates; the bits of its coefficients; and the samples around a border that the split leaves.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(in crate::gpu) struct StepShape {
    pub(super) level: u32,
    pub(in crate::gpu) parity: usize,
    pub(super) taps: Vec<(i64, u64)>,
    pub(in crate::gpu) before: i64,
    pub(in crate::gpu) after: i64,
}

/// The stages as lifting steps of real numbers, or as eliminations, along one axis; `None` for others, and for boundary extensions that the kernels lack.
pub(in crate::gpu) fn regular_steps(plan: &Plan, stages: Range<usize>, limits: Limits) -> Option<Vec<LiftingStep>> {
    let steps: Vec<LiftingStep> = plan.stages[stages].iter().map(Stage::lifting_step).collect::<Option<_>>()?;
    let first = steps.first()?;
    let alike = |step: &LiftingStep| (step.is_linear, step.is_across(), step.extension);
    let regular = steps.iter().all(|step| alike(step) == alike(first));
    let is_known = match plan.ring {
        Ring::Real => {
            first.is_linear
                && limits.precision == Precision::Single
                && matches!(first.extension, Extension::Symmetric | Extension::Periodic)
        }
        Ring::Equation => !first.is_linear && first.extension == Extension::Zero,
        _ => false,
    };
    (regular && is_known).then_some(steps)
}

/// Steps, with the samples around a border that the split leaves, as parts of a shape.
pub(in crate::gpu) fn step_shapes(steps: &[LiftingStep], borders: &[SectionBoundary]) -> Vec<StepShape> {
    let finest = steps.iter().map(|step| step.spacing).min().unwrap_or(1);
    let step_shape = |(step, border): (&LiftingStep, &SectionBoundary)| StepShape {
        level: (step.spacing / finest).ilog2(),
        parity: step.parity,
        taps: step.taps().map(|(offset, coef)| (offset, coef.to_bits())).collect(),
        before: border.before,
        after: border.after,
    };
    steps.iter().zip(borders).map(step_shape).collect()
}

impl StepShape {
    /// The new value of a sample, as text; `value` names that of a neighbour.
    pub(in crate::gpu) fn sum(&self, value: impl Fn(i64) -> String) -> String {
        let term = |&(offset, coef): &(i64, u64)| format!("{:?} * {}", f64::from_bits(coef), value(offset));
        self.taps.iter().map(term).collect::<Vec<_>>().join(" + ")
    }
}
