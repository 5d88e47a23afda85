//! Ping and pong arrays of lanes, kept between runs.
//!
//! Touching new memory costs more than most stages do.

use super::Lane;
use super::lane::SharedLanes;
use super::lifting::{Step, sorts};
use super::loops::StageLoops;
use super::pass::{Pass, passes};
use super::sections::SectionButterflies;
use super::steps::{self, KroneckerStep};
use crate::plan::{Plan, Ring, Stage};
use std::ops::Range;
use std::sync::Arc;

/// Launches whose passes are kept.
const MOST_LAUNCHES: usize = 64;
/// Bytes of a cache line. Lanes begin at one, since a vector across two lines costs two accesses.
const CACHE_LINE: usize = 64;

/// Lanes that begin at a cache line.
#[derive(Debug, Clone)]
pub(super) struct Aligned<L> {
    held: Vec<L>,
    first: usize,
    n: usize,
}

impl<L> Default for Aligned<L> {
    fn default() -> Self {
        Self { held: Vec::new(), first: 0, n: 0 }
    }
}

impl<L: Lane> Aligned<L> {
    /// Makes space for `n` lanes with any contents; new memory holds `value`.
    pub(super) fn fit(&mut self, n: usize, value: L) {
        let margin = CACHE_LINE / size_of::<L>();
        if self.held.len() < n + margin {
            // Freed first to limit peak memory.
            *self = Self::default();
            self.held = vec![value; n + margin];
            self.first = self.held.as_ptr().align_offset(CACHE_LINE).min(margin);
        }
        self.n = n;
    }

    fn lanes(&self) -> &[L] {
        &self.held[self.first..self.first + self.n]
    }

    pub(super) fn lanes_mut(&mut self) -> &mut [L] {
        &mut self.held[self.first..self.first + self.n]
    }
}

/// Two arrays of lanes; the second is allocated by the first stage that works out of place.
pub struct LaneArrays<L: Lane> {
    front: Aligned<L>,
    back: Aligned<L>,
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
    Pass(Box<Pass<L>>),
    /// A single Kronecker step, in place on the first lanes.
    Kronecker(usize, Vec<KroneckerStep<L::Weight>>),
    /// In place along a line.
    Sweep(Vec<Step<L::Weight>>),
    /// A single stage, which moves the coefficients of a line.
    Sort,
    /// A single stage, one innermost loop after the other.
    Loops,
}

impl<L: Lane> LaunchPart<L> {
    fn of(ring: Ring, stages: &[Stage], range: Range<usize>, is_pass: bool) -> Self {
        let first = &stages[range.start];
        let single = (range.len() == 1).then(|| steps::steps::<L>(ring, &stages[range.clone()])).flatten();
        let work = match (single, Step::of::<L>(first)) {
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

/// The lanes that a stage does not write and that later stages need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    /// None.
    None,
    /// Those behind the first lanes, which the stage fills.
    Behind(usize),
    /// Any.
    Any,
}

impl Kept {
    /// The lanes that stage `index` of a plan keeps.
    pub(super) fn by(plan: &Plan, index: usize) -> Self {
        let stage = &plan.stages[index];
        let n = stage.n_butterflies() * stage.matrix().rows;
        match plan.carries(index) {
            false => Self::None,
            true if n == stage.write_reach() && !stage.write.scatters() => Self::Behind(n),
            true => Self::Any,
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
        Self { front: Aligned::default(), back: Aligned::default(), sections: Vec::new(), passes: Vec::new() }
    }
}

impl<L: Lane> LaneArrays<L> {
    /// The lanes after the last run, with the outputs first.
    pub fn lanes(&self) -> &[L] {
        self.front.lanes()
    }

    pub(super) fn lanes_mut(&mut self) -> &mut [L] {
        self.front.lanes_mut()
    }

    /// Allocated bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.front.held[..]) + size_of_val(&self.back.held[..])
    }

    /// Loads the input of a plan into its first lanes.
    ///
    /// # Panics
    /// If the length of `input` is not that of the plan.
    pub fn load(&mut self, plan: &Plan, input: &[L]) {
        assert_eq!(input.len(), plan.inputs, "the plan takes another number of values");
        self.front.fit(plan.lanes, L::UNWRITTEN);
        self.front.lanes_mut()[..input.len()].copy_from_slice(input);
    }

    /// The passes of the stages of a launch. Those of the last launches are kept, since their tables take longer than a run.
    pub(super) fn passes(&mut self, ring: Ring, stages: &[Stage]) -> Arc<Vec<LaunchPart<L>>> {
        if let Some((_, known)) = self.passes.iter().find(|((of, known), _)| *of == ring && known == stages) {
            return known.clone();
        }
        let mut parts: Vec<LaunchPart<L>> = Vec::new();
        for (range, is_pass) in passes(stages, Pass::<L>::supports) {
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

    /// Runs `work` from one array to the other; with [`Kept`] lanes, unwritten lanes keep their values.
    pub(super) fn apart(&mut self, kept: Kept, work: impl FnOnce(&[L], &mut [L])) {
        self.between(kept, |before, after| work(before, after.lanes_mut()));
    }

    /// As [`Self::apart`], with output lanes that several threads write.
    pub(super) fn shared(&mut self, kept: Kept, work: impl FnOnce(&[L], &SharedLanes<L>)) {
        self.between(kept, |before, after| {
            let shared = SharedLanes::of(std::mem::take(&mut after.held), after.first);
            work(before, &shared);
            after.held = shared.into_lanes();
        });
    }

    fn between(&mut self, kept: Kept, work: impl FnOnce(&[L], &mut Aligned<L>)) {
        let Self { front, back, .. } = self;
        back.fit(front.n, L::UNWRITTEN);
        if kept == Kept::Any {
            back.lanes_mut().copy_from_slice(front.lanes());
        }
        work(front.lanes(), back);
        match kept {
            // The fewer lanes return to the others.
            Kept::Behind(n) if 2 * n <= front.n => front.lanes_mut()[..n].copy_from_slice(&back.lanes()[..n]),
            Kept::Behind(n) => {
                back.lanes_mut()[n..].copy_from_slice(&front.lanes()[n..]);
                std::mem::swap(front, back);
            }
            Kept::None | Kept::Any => std::mem::swap(front, back),
        }
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
            let part = LaunchPart::<L>::of(plan.ring, &plan.stages, *index..index + 1, Pass::<L>::supports(stage));
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
