//! Which launches the split-and-merge kernel supports, and what a workgroup takes.

use super::steps::{StepShape, regular_steps, step_shapes};
use crate::gpu::error::LowerError;
use crate::gpu::limits::Limits;
use crate::plan::{Extension, LiftingStep, Plan, Precision, Ring};
use crate::schedule::{
    Launch, SectionBoundary, SectionKind, SectionMemory, ThreadsPerSample, Tile, merges_are_independent, section_boundaries,
};

/// The constants of one kernel.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(in crate::gpu) struct SplitMergeShape {
    /// What a lane holds: real numbers that steps add up, or rows that lose their neighbours.
    pub(in crate::gpu) ring: Ring,
    /// How numbers are held.
    pub(in crate::gpu) precision: Precision,
    pub(super) section: SectionKind,
    pub(super) memory: SectionMemory,
    pub(super) threads: ThreadsPerSample,
    pub(super) steps: Vec<StepShape>,
    /// Samples of a tile, and of a unit: a tile, or the samples around a border.
    pub(super) tile: usize,
    pub(super) samples: usize,
    /// Units of a workgroup.
    pub(super) units: usize,
    /// Whether these are adjacent columns of an image.
    pub(super) across: bool,
    /// Whether lines are periodic.
    pub(super) wraps: bool,
    /// Whether the odd samples are those of the next level, and not the even ones.
    pub(super) odd: bool,
    /// Whether a tile has a copy of the sample before it.
    pub(super) copies: bool,
    /// Threads of a workgroup.
    pub(super) block: usize,
    /// Whether results go where the lanes came from.
    pub(in crate::gpu) in_place: bool,
}

/// The border of a tile that leaves nothing to a merge.
const NO_BORDER: SectionBoundary = SectionBoundary { before: -1, after: 0 };

/// The kernel of a launch along one axis and its uniforms; `None` where the launch is unsupported.
pub(in crate::gpu) fn kernel_of(plan: &Plan, launch: &Launch, in_place: bool, limits: Limits) -> Option<(SplitMergeShape, [u32; 9])> {
    let (shape, numbers) = shape(plan, launch, in_place, limits)?;
    let fits = shape.workgroup_bytes() <= limits.workgroup_bytes;
    fits.then_some((shape, numbers))
}

/// Why no kernel supports a launch, with its number: the tiles of its section are too large, or its stages leave their tiles.
pub(in crate::gpu) fn unsupported(plan: &Plan, (index, launch): (usize, &Launch), in_place: bool, limits: Limits) -> LowerError {
    let fits = limits.workgroup_bytes / limits.precision.bytes_per_lane(plan.ring);
    match shape(plan, launch, in_place, limits).map(|(shape, _)| shape.held()) {
        Some(lanes) if lanes > fits => LowerError::Tile { launch: index, lanes, fits },
        _ => LowerError::Schedule { launch: index },
    }
}

fn shape(plan: &Plan, launch: &Launch, in_place: bool, limits: Limits) -> Option<(SplitMergeShape, [u32; 9])> {
    let Tile::Section { section, grid, memory, threads } = launch.tile else { return None };
    let steps = regular_steps(plan, launch.stages.clone(), limits)?;
    // The finest level, whose samples a tile holds: in a substitution the level of the last step.
    let first = *steps.iter().min_by_key(|step| step.spacing)?;
    let (across, n, wraps) = (first.is_across(), first.samples, first.extension == Extension::Periodic);
    // The first launch writes another buffer than it reads, so it must cover all lanes.
    let covers = in_place || section == SectionKind::Split && n * first.n_lines() == plan.lanes;
    if !covers || !merges_are_independent(plan, launch.stages.clone(), grid) {
        return None;
    }
    let tile = grid.samples(&first);
    let tiles = n.div_ceil(tile);
    // A tile that is the whole line, or has a copy of the sample before it, leaves nothing to a merge.
    let borders = if tiles == 1 || grid.copies { vec![NO_BORDER; steps.len()] } else { section_boundaries(&steps, grid.margin_of(&first)) };
    let samples = if section == SectionKind::Split { tile } else { window(&steps, &borders) };
    let columns = if across { grid.columns / first.line_stride()? } else { 1 };
    let units = match section {
        SectionKind::Merge if !across => (tile * grid.rows / samples).max(1),
        _ => columns,
    };
    let lines = if across { columns } else { grid.rows };
    let block = tile * lines / if threads == ThreadsPerSample::One { 1 } else { 2 };
    let shape = SplitMergeShape {
        ring: plan.ring,
        precision: limits.precision,
        section,
        memory,
        threads,
        steps: step_shapes(&steps, &borders),
        tile,
        samples,
        units,
        across,
        wraps,
        odd: plan.ring == Ring::Equation,
        copies: grid.copies,
        block: block.clamp(1, limits.max_invocations),
        in_place,
    };
    let units_of_line = match section {
        SectionKind::Split => tiles,
        SectionKind::Merge => tiles - usize::from(!wraps),
    };
    let n_groups = if across { first.n_lines().div_ceil(units) * units_of_line } else { (first.n_lines() * units_of_line).div_ceil(units) };
    let [inner, outer] = first.lines;
    let numbers = [n_groups, units_of_line, n, first.spacing, inner.n, inner.read, outer.read, first.n_lines(), first.first];
    Some((shape, numbers.map(|number| number as u32)))
}

/// Sample `sample` of a level of a unit as a sample of the first level.
pub(super) fn of_first_level(odd: bool, level: u32, sample: i64) -> i64 {
    if odd { ((sample + 1) << level) - 1 } else { sample << level }
}

/// The samples of a unit around a border, half of them on either side: a power of two that holds all that its merge reads.
fn window(steps: &[LiftingStep], borders: &[SectionBoundary]) -> usize {
    let finest = steps.iter().map(|step| step.spacing).min().unwrap_or(1);
    let side = |(step, border): (&LiftingStep, &SectionBoundary)| {
        let reach = step.taps().map(|(offset, _)| offset.unsigned_abs() as i64).max().unwrap_or(0);
        let samples = (reach - border.before - 1).max(border.after + reach) as usize;
        samples * (step.spacing / finest)
    };
    2 * steps.iter().zip(borders).map(side).max().unwrap_or(1).next_power_of_two()
}

impl SplitMergeShape {
    /// Samples of a unit, with the copy before them.
    pub(super) fn pitch(&self) -> usize {
        self.samples + usize::from(self.copies)
    }

    /// Lanes in workgroup memory.
    pub(super) fn held(&self) -> usize {
        if self.memory == SectionMemory::Global { 1 } else { self.pitch() * self.units }
    }

    pub(super) fn workgroup_bytes(&self) -> usize {
        self.precision.bytes_per_lane(self.ring) * self.held()
    }
}
