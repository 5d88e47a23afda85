//! Miniatures of plans that are too large to be drawn.

use crate::engine::{Cut, Job, Outcome};
use crate::graph::{is_named_as, shrunk, shrunk_into, shrunk_schedule};
use crate::plan::Plan;
use crate::schedule::{BlockKernels, LevelGroup, Schedule, SplitAndMerge, ThreadsPerSample, Tile};
use crate::transforms::{Axes, Numbers, Parameters, Scheme, Shape, transform};

/// Lanes of a miniature: enough to show the structure, few enough to read every edge; more where only these have room for the stages of the run.
const LANES: [usize; 3] = [16, 32, 64];

/// A small plan with its schedule.
pub(crate) struct Miniature {
    pub(crate) plan: Plan,
    pub(crate) schedule: Schedule,
    /// Whether it has the stages and the launches of the run, and only fewer lanes.
    pub(crate) is_shrunk: bool,
}

/// The stages and launches of the run on few lanes, or, where they do not cover all lanes evenly, a small plan by the same constructor.
pub(crate) fn miniature(job: &Job, outcome: &Outcome, plan: &Plan, schedule: &Schedule) -> Option<Miniature> {
    let of_run = |small: Plan| Miniature { schedule: shrunk_schedule(schedule, plan, &small), plan: small, is_shrunk: true };
    if let Some(small) = shrunk(plan) {
        return Some(of_run(small));
    }
    let built = |lanes: usize| built(job, outcome, (plan, schedule), lanes);
    for small in LANES.into_iter().filter_map(built) {
        if is_named_as(&small.plan.stages, &plan.stages) {
            return Some(small);
        }
        if let Some(small) = shrunk_into(&small.plan, plan) {
            return Some(of_run(small));
        }
    }
    let is_power = job.shape().rows.is_power_of_two() && job.shape().columns.is_power_of_two();
    // Mixed radices have more than one stage then.
    built(LANES[usize::from(!is_power)])
}

/// A small plan by the same constructor, cut into launches like the plan that ran.
fn built(job: &Job, outcome: &Outcome, (plan, schedule): (&Plan, &Schedule), lanes: usize) -> Option<Miniature> {
    let transform = transform(job.transform).ok()?;
    let algorithm = transform.algorithm(outcome.algorithm).ok()?;
    let build = algorithm.plan_fn()?;
    // The shape of the samples decides between algorithms, also where the outcome holds half a spectrum.
    let whole = if transform.gives == Numbers::HalfSpectrum { job.shape() } else { outcome.shape };
    let shape = match outcome.axes {
        Axes::Columns => {
            let column = transform.miniature(whole.transposed(), lanes / 2);
            Shape { rows: column.columns, columns: whole.columns.min(2) }
        }
        Axes::Rows | Axes::Both => transform.miniature(whole, lanes),
    };
    let is_in_blocks = schedule.launches.iter().any(|launch| matches!(launch.tile, Tile::BlockBy { .. }));
    let cut = if is_in_blocks { job.cut.of(algorithm, outcome.parameters) } else { job.cut };
    let tile_lanes = if let Cut::Blocks(kernels) = cut { Some(kernels.lanes()) } else { outcome.parameters.tile_lanes };
    let tile_lanes = tile_lanes.map(|lanes| (lanes * shape.columns / whole.columns).next_power_of_two().max(2));
    let length = if outcome.axes == Axes::Columns { shape.rows } else { shape.columns };
    // Half a spectrum has the same number of values for an even and an odd number of samples, so the parity is kept.
    let columns = outcome.parameters.columns.map(|samples| 2 * (length - 1) + samples % 2);
    // A shorter transform modulo the same prime has another root.
    let modulus = plan.ring.modulus().map(|modulus| modulus as usize);
    let (scheme, root) = (Scheme::None, None);
    let parameters = Parameters { tile_lanes, columns, stands_for: Some(whole), scheme, modulus, root, ..outcome.parameters };
    let small = build(shape, transform.within_levels(shape, parameters)).ok()?;
    let small_schedule = match cut {
        Cut::Blocks(kernels) => Schedule::in_blocks(&small, BlockKernels { lanes: tile_lanes, ..kernels }),
        _ => miniature_schedule(job.cut, (plan, schedule), &small, shape),
    };
    Some(Miniature { plan: small, schedule: small_schedule, is_shrunk: false })
}

/// The schedule of a miniature, with tiles in proportion to those of the run.
fn miniature_schedule(cut: Cut, (plan, schedule): (&Plan, &Schedule), small: &Plan, shape: Shape) -> Schedule {
    if schedule.launches.iter().any(|launch| launch.section().is_some()) {
        // Two tiles, so that the miniature shows a boundary between them.
        let sections = if let Cut::SplitAndMerge(sections) = cut { sections } else { SplitAndMerge::default() };
        let block = (shape.columns / 4).next_power_of_two().max(2);
        let width = sections.width * block / sections.block;
        return Schedule::split_and_merge(small, SplitAndMerge { block, threads: ThreadsPerSample::Half, width, ..sections });
    }
    if let Cut::Overlapped(levels) = cut {
        let group = LevelGroup { levels: levels.max(1), tile: [(shape.columns / 4).next_power_of_two().max(2); 2] };
        return Schedule::overlapped(small, |_| group).unwrap_or_else(|| Schedule::by_stage(small));
    }
    let block_lanes = |tile: &Tile| match *tile {
        Tile::Block { lanes } | Tile::BlockBy { lanes, .. } => Some(lanes),
        Tile::Bits { bits } => Some(1 << bits.count_ones()),
        _ => None,
    };
    let largest = schedule.launches.iter().filter_map(|launch| block_lanes(&launch.tile)).max();
    match (cut, largest) {
        (Cut::Tiles | Cut::TilesOf(_), Some(largest)) => {
            let lanes = (largest * small.lanes / plan.lanes).next_power_of_two().max(small.lanes / shape.rows);
            Schedule::tiled(small, lanes)
        }
        _ => Schedule::by_stage(small),
    }
}
