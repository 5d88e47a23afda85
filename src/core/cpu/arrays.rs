//! The lanes of a plan and its passes, kept between runs.

use super::Lane;
use super::lane::Arrays;
use super::lifting::{WeightedLiftingStep, sorts};
use super::loops::StageLoops;
use super::pass::{Pass, passes};
use super::sections::SectionButterflies;
use super::steps::{self, WeightedKroneckerStep};
use crate::plan::{Plan, Ring, Stage};
use std::ops::Range;
use std::sync::Arc;

/// Launches whose passes are kept.
const MOST_LAUNCHES: usize = 64;

/// The lanes of a plan as they are stored, and what is kept from run to run.
pub struct LaneArrays<L: Lane> {
    pub(super) stored: Arrays<L::Stored>,
    /// The sections of the last schedule.
    pub(super) sections: Vec<Arc<SectionButterflies>>,
    /// The passes of the last launches, with their tables of twiddles.
    passes: Vec<LaunchPasses<L>>,
}

/// The ring and the stages of a launch, and the passes in which they run.
type LaunchPasses<L> = ((Ring, Vec<Stage>), Arc<Vec<LaunchPart<L>>>);

/// How stages run together.
pub(super) enum Work<L: Lane> {
    /// In tiles.
    Pass(Box<Pass<L::Stored>>),
    /// A single Kronecker step, in place on the first lanes.
    Kronecker(usize, Vec<WeightedKroneckerStep<L::Weight>>),
    /// In place along a line.
    Sweep(Vec<WeightedLiftingStep<L::Weight>>),
    /// A single stage, which moves the coefficients of a line.
    Sort,
    /// A single stage, one innermost loop after the other.
    Loops,
}

impl<L: Lane> LaunchPart<L> {
    fn of(ring: Ring, stages: &[Stage], range: Range<usize>, is_pass: bool) -> Self {
        let first = &stages[range.start];
        let single = (range.len() == 1).then(|| steps::steps::<L>(ring, &stages[range.clone()])).flatten();
        let work = match (single, WeightedLiftingStep::of::<L>(first)) {
            (Some((lanes, step)), _) => Work::Kronecker(lanes, step),
            _ if is_pass && !(range.len() == 1 && StageLoops::<L>::of(ring, first).runs_along_lines()) => {
                Work::Pass(Box::new(Pass::of(ring, &stages[range.clone()])))
            }
            (None, Some(step)) => Work::Sweep(vec![step]),
            (None, None) if sorts(first) => Work::Sort,
            (None, None) => Work::Loops,
        };
        Self { stages: range, work }
    }

    /// Joins the sweep of the next part.
    fn joined(&mut self, next: Self) -> Option<Self> {
        match (&mut self.work, next) {
            (Work::Sweep(steps), Self { stages, work: Work::Sweep(more) }) => {
                steps.extend(more);
                self.stages.end = stages.end;
                None
            }
            (_, next) => Some(next),
        }
    }
}

/// Stages of a launch that run together.
pub(super) struct LaunchPart<L: Lane> {
    /// Which stages of the launch.
    pub(super) stages: Range<usize>,
    /// How they run.
    pub(super) work: Work<L>,
}

impl<L: Lane> Default for LaneArrays<L> {
    fn default() -> Self {
        Self { stored: Arrays::default(), sections: Vec::new(), passes: Vec::new() }
    }
}

impl<L: Lane> LaneArrays<L> {
    /// The lanes after the last run, with the outputs first.
    pub fn lanes(&self) -> &[L::Stored] {
        self.stored.lanes()
    }

    /// Allocated bytes.
    pub fn bytes(&self) -> usize {
        self.stored.bytes()
    }

    /// Loads the input of a plan into its first lanes.
    ///
    /// # Panics
    /// If the length of `input` is not that of the plan.
    pub fn load(&mut self, plan: &Plan, input: &[L]) {
        assert_eq!(input.len(), plan.inputs, "the plan takes another number of values");
        self.stored.hold(plan.lanes, input.iter().map(|lane| lane.stored()));
    }

    /// The passes of the stages of a launch. Those of the last launches are kept, since their tables take longer than a run.
    pub(super) fn passes(&mut self, ring: Ring, stages: &[Stage]) -> Arc<Vec<LaunchPart<L>>> {
        if let Some((_, known)) = self.passes.iter().find(|((of, known), _)| *of == ring && known == stages) {
            return known.clone();
        }
        let mut parts: Vec<LaunchPart<L>> = Vec::new();
        for (range, is_pass) in passes(stages, Pass::<L::Stored>::supports) {
            let part = LaunchPart::of(ring, stages, range, is_pass);
            let next = match parts.last_mut() {
                Some(last) => last.joined(part),
                None => Some(part),
            };
            parts.extend(next);
        }
        let parts = Arc::new(parts);
        if self.passes.len() == MOST_LAUNCHES {
            self.passes.clear();
        }
        self.passes.push(((ring, stages.to_vec()), Arc::clone(&parts)));
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transforms::{Parameters, Shape, transform};
    use num_complex::Complex32;

    /// The stages that no vector code runs.
    fn slow<L: Lane>(plan: &Plan) -> Vec<&str> {
        let is_slow = |index: &usize| {
            let stage = &plan.stages[*index];
            let part = LaunchPart::<L>::of(plan.ring, &plan.stages, *index..index + 1, Pass::<L::Stored>::supports(stage));
            matches!(part.work, Work::Loops) && !StageLoops::<L>::of(plan.ring, stage).runs_along_lines()
        };
        (0..plan.stages.len()).filter(is_slow).map(|index| plan.stages[index].label.as_str()).collect()
    }

    #[test]
    fn every_stage_of_a_common_algorithm_has_vector_code() {
        for (name, algorithms) in [
            ("dft", &["stockham", "stockham-8", "stockham-4", "stockham-2", "constant-geometry", "global-local"][..]),
            ("dft", &["stockham-dit-8", "stockham-dit-4", "stockham-dit-2"]),
            ("dft", &["cooley-tukey", "cooley-tukey-dif", "cooley-tukey-dit"]),
            ("walsh", &["cooley-tukey", "constant-geometry"]),
            ("haar", &["constant-geometry"]),
            ("cdf97", &["direct"]),
            ("d4", &["lifting", "filter-bank"]),
        ] {
            for algorithm in algorithms {
                let build = transform(name).expect("a transform").algorithm(algorithm).expect("an algorithm").plan_fn();
                let plan = build.expect("no library")(Shape::line(1 << 12), Parameters::default()).expect("a power of two");
                let slow = if plan.ring == Ring::Complex { slow::<Complex32>(&plan) } else { slow::<f32>(&plan) };
                assert!(slow.is_empty(), "{name} by {algorithm}: {slow:?}");
            }
        }
    }
}
