//! The steps of a split or a merge along one axis, as data of a kernel.

use crate::gpu::limits::Limits;
use crate::plan::{Extension, LiftingStep, Plan, Precision, Ring, Stage};
use crate::schedule::SectionBoundary;
use serde::Serialize;
use std::ops::Range;

/// A step, and the neighbours that it adds up, with their factors.
#[derive(Serialize)]
pub(crate) struct SectionStep {
    #[serde(flatten)]
    pub(super) updated: UpdatedSamples,
    taps: Vec<SectionTap>,
}

/// The samples that a step updates: their level, counted from the first of the run, and their parity; and those around a border that the split leaves.
#[derive(Clone, Copy, Serialize)]
pub(super) struct UpdatedSamples {
    pub(super) level: u32,
    pub(super) parity: usize,
    pub(super) before: i64,
    pub(super) after: i64,
}

#[derive(Serialize)]
struct SectionTap {
    offset: i64,
    coef: f64,
}

/// The stages as lifting steps of real numbers, or as eliminations, along one axis; `None` for others, and for boundary extensions that the kernels lack.
pub(crate) fn regular_steps(plan: &Plan, stages: Range<usize>, limits: Limits) -> Option<Vec<LiftingStep>> {
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

/// Steps, with the samples around a border that the split leaves, as data of a kernel.
pub(crate) fn section_steps(steps: &[LiftingStep], borders: &[SectionBoundary]) -> Vec<SectionStep> {
    let finest = steps.iter().map(|step| step.spacing).min().unwrap_or(1);
    let section_step = |(step, &SectionBoundary { before, after }): (&LiftingStep, &SectionBoundary)| SectionStep {
        updated: UpdatedSamples { level: (step.spacing / finest).ilog2(), parity: step.parity, before, after },
        taps: step.taps().map(|(offset, coef)| SectionTap { offset, coef }).collect(),
    };
    steps.iter().zip(borders).map(section_step).collect()
}
