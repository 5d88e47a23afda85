//! Which launches the split-and-merge kernel supports, and what a workgroup takes.

use super::steps::{SectionStep, UpdatedSamples, regular_steps, section_steps};
use crate::gpu::error::LowerError;
use crate::gpu::family::KernelDispatch;
use crate::gpu::kernel::Kernel;
use crate::gpu::limits::Limits;
use crate::plan::{Extension, LiftingStep, Plan, Ring};
use crate::schedule::{
    Launch, SectionBoundary, SectionKind, SectionMemory, ThreadsPerSample, Tile, merges_are_independent, section_boundaries,
};
use serde::Serialize;

/// The data of one kernel.
#[derive(Serialize)]
struct SplitMergeShape {
    /// Whether this is a merge, and whether its samples stay in global memory.
    merges: bool,
    in_global: bool,
    thread_per_sample: bool,
    steps: Vec<SectionStep>,
    /// The samples that a merge updates, as far as the widest step of each level and parity goes.
    updated: Vec<UpdatedSamples>,
    /// Samples of a tile, and of a unit: a tile, or the samples around a border.
    tile: usize,
    samples: usize,
    /// Samples of a unit, with the copy before them.
    pitch: usize,
    /// Units of a workgroup.
    units: usize,
    /// Whether these are adjacent columns of an image.
    across: bool,
    /// Whether lines are periodic.
    wraps: bool,
    /// Whether the odd samples are those of the next level, and not the even ones.
    odd: bool,
    /// Whether a tile has a copy of the sample before it.
    copies: bool,
    /// Threads of a workgroup.
    threads: usize,
    /// Lanes in workgroup memory.
    held: usize,
}

/// The border of a tile that leaves nothing to a merge.
const NO_BORDER: SectionBoundary = SectionBoundary { before: -1, after: 0 };

/// The kernel of a launch along one axis; `None` where the launch is unsupported.
pub(super) fn dispatch(plan: &Plan, launch: &Launch, in_place: bool, limits: Limits) -> Option<KernelDispatch> {
    let (shape, uniforms) = shape(plan, launch, in_place, limits)?;
    let fits = limits.precision.bytes_per_lane(plan.ring) * shape.held <= limits.workgroup_bytes;
    // A lane holds a real number, to which steps add others, or a row that loses its neighbours.
    let kernel =
        |shape| Kernel { precision: limits.precision, in_place, ..Kernel::new("split-merge", "split_merge.wgsl", plan.ring, shape) };
    fits.then(|| KernelDispatch::of(kernel(shape), uniforms))
}

/// Why no kernel supports a launch, with its number: the tiles of its section are too large, or its stages leave their tiles.
pub(super) fn unsupported(plan: &Plan, index: usize, launch: &Launch, in_place: bool, limits: Limits) -> LowerError {
    let fits = limits.workgroup_bytes / limits.precision.bytes_per_lane(plan.ring);
    match shape(plan, launch, in_place, limits).map(|(shape, _)| shape.held) {
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
    let (steps, pitch, in_global) = (section_steps(&steps, &borders), samples + usize::from(grid.copies), memory == SectionMemory::Global);
    let shape = SplitMergeShape {
        merges: section == SectionKind::Merge,
        in_global,
        thread_per_sample: threads == ThreadsPerSample::One,
        updated: updated(&steps),
        steps,
        tile,
        samples,
        pitch,
        units,
        across,
        wraps,
        odd: plan.ring == Ring::Equation,
        copies: grid.copies,
        threads: block.clamp(1, limits.max_invocations),
        held: if in_global { 1 } else { pitch * units },
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

/// The samples that steps update: the steps of a level update every other sample, those of one parity, as far as the widest of them goes.
fn updated(steps: &[SectionStep]) -> Vec<UpdatedSamples> {
    let mut all: Vec<UpdatedSamples> = Vec::new();
    for step in steps.iter().map(|step| step.updated) {
        match all.iter_mut().find(|other| (other.level, other.parity) == (step.level, step.parity)) {
            Some(widest) => (widest.before, widest.after) = (widest.before.min(step.before), widest.after.max(step.after)),
            None => all.push(step),
        }
    }
    all
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
