//! The schedule whose launches are estimated to take the least time together on a device.
//!
//! The unit is the time of a plain copy of all lanes. The costs of a launch beyond the bytes that it moves were measured (`papillon bench`); only the order of the candidates matters.

use super::fft::{self, FftShape, LARGE, StockhamRun};
use super::limits::Limits;
use super::lower::tile_lanes;
use super::{filter_bank, haar, kronecker, lifting, tridiagonal};
use crate::plan::{Plan, Precision, Ring, Stage};
use crate::schedule::{Launch, Schedule, Tile, common_block};
use std::ops::Range;

/// Lanes that a launch could have copied while it starts and ends.
const LAUNCH_LANES: f64 = 1e6;
/// The most stages of a launch, far more than any tile holds.
const MAX_STAGES: usize = 64;
/// Lines of which one point each fills 256 bytes, which pays for arrays that no cache holds.
const MOST_LINES: usize = 32;
/// The most threads of a workgroup, and of one that holds a few long columns: with more than 512, too few workgroups fit on a processor.
const MOST_THREADS: [usize; 2] = [512, 1024];
/// The cost of workgroups of 1024 threads, in copies: no other workgroup computes beside them while they wait for memory.
const ALONE: f64 = 0.3;
/// The cost of reading a few whole columns from strips by a workgroup of 1024 threads, and of writing the strips, in copies.
const STRIPS: f64 = 2.0;
/// Workgroups that keep a device busy.
const BUSY_GROUPS: usize = 128;
/// Whole rows in one workgroup.
const WHOLE_ROWS: f64 = 1.15;
/// Whole rows that take twice as many threads as others, so that fewer workgroups fit on a processor.
const WIDE_ROWS: f64 = 1.46;
/// Rows that are read twice and a quarter of them written, beside a copy.
const ROWS_TWICE: f64 = 1.3;
/// Bytes of a lane of the segments that [`segment_cost`] counts.
const SEGMENT_LANE: usize = 8;

/// A schedule and its estimated time.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// The schedule.
    pub schedule: Schedule,
    /// Its time, in lanes that a plain copy moves meanwhile: plans of different lanes and stages can be compared by it.
    pub copied_lanes: f64,
}

/// The schedule that the device is estimated to run fastest.
pub fn fastest(plan: &Plan, limits: Limits) -> Schedule {
    estimate(plan, limits, usize::MAX).schedule
}

/// The schedule that the device is estimated to run fastest with tiles of at most `most_lanes` lanes, and what it takes.
pub fn estimate(plan: &Plan, limits: Limits, most_lanes: usize) -> Estimate {
    if let Some(schedule) = tridiagonal::schedule(plan, limits).filter(|_| most_lanes == usize::MAX) {
        let copied_lanes = ROWS_TWICE * plan.lanes as f64 + LAUNCH_LANES * schedule.launches.len() as f64;
        return Estimate { schedule, copied_lanes };
    }
    if let Some(schedule) = overlapped(plan, None, limits).filter(|_| most_lanes == usize::MAX) {
        let copied_lanes = estimate_of(plan, &schedule, limits);
        return Estimate { schedule, copied_lanes };
    }
    let n = plan.stages.len();
    // best[i]: the cost of stages i.. and the first of their launches.
    let mut best: Vec<(f64, Option<Launch>)> = vec![(0.0, None); n + 1];
    for first in (0..n).rev() {
        best[first].0 = f64::INFINITY;
        for end in first + 1..=n.min(first + MAX_STAGES) {
            let Some((tile, cost)) = candidate(plan, first..end, limits, most_lanes) else { continue };
            let total = cost + LAUNCH_LANES / plan.lanes as f64 + best[end].0;
            // Among equal costs the longest launch wins: plans put the ends of their passes where launches should end.
            if total <= best[first].0 {
                best[first] = (total, Some(Launch { stages: first..end, tile }));
            }
        }
    }
    let mut launches = Vec::new();
    while let Some(launch) = best[launches.last().map_or(0, |launch: &Launch| launch.stages.end)].1.clone() {
        launches.push(launch);
    }
    Estimate { schedule: Schedule { launches }, copied_lanes: best[0].0 * plan.lanes as f64 }
}

/// The estimated time of a schedule, in lanes that a plain copy moves meanwhile, from the bytes that its launches move.
pub fn estimate_of(plan: &Plan, schedule: &Schedule, limits: Limits) -> f64 {
    let lane = 2 * limits.precision.bytes_per_lane(plan.ring);
    let cost = |launch: &Launch| {
        let moved = launch.bytes_moved(plan) as f64 / lane as f64;
        let shape = match launch.tile {
            Tile::Each | Tile::Patch { .. } => 1.0 + generic_cost(&plan.stages[launch.stages.start]),
            _ => WHOLE_ROWS,
        };
        shape * moved + LAUNCH_LANES
    };
    schedule.launches.iter().map(cost).sum()
}

/// The schedule of overlapped tiles for lifting schemes and filter banks, with at most `levels` levels in a launch that has more than one tile of a line; `None` where no kernel supports the plan.
pub fn overlapped(plan: &Plan, levels: Option<usize>, limits: Limits) -> Option<Schedule> {
    lifting::schedule(plan, levels, limits).or_else(|| filter_bank::schedule(plan, levels, limits))
}

/// The most levels that a launch of overlapped tiles takes of lines or images that are larger than one tile.
pub fn most_overlapped_levels(plan: &Plan) -> usize {
    let is_picture = plan.stages.iter().any(Stage::is_across);
    let is_lifted = plan.stages.iter().any(|stage| stage.lifting_step().is_some());
    if is_lifted { lifting::most_levels(is_picture) } else { filter_bank::most_levels(is_picture) }
}

/// How one launch could run these stages, and its cost in copies of all lanes; `None` where no kernel takes them together.
fn candidate(plan: &Plan, stages: Range<usize>, limits: Limits, most_lanes: usize) -> Option<(Tile, f64)> {
    let run = (plan.ring == Ring::Complex && !stages.clone().any(|stage| plan.carries(stage)))
        .then(|| fft::recognise(&plan.stages[stages.clone()], plan.lanes))
        .flatten()
        .map(|run| run.on(limits));
    if let Some(fast) = run.and_then(|run| lines(plan, stages.start, &run, limits, most_lanes)) {
        return Some(fast);
    }
    if let Some(fast) = steps(plan, stages.clone(), limits).filter(|_| most_lanes == usize::MAX) {
        return Some(fast);
    }
    match common_block(plan, stages.clone(), tile_lanes(plan.ring, limits).min(most_lanes)) {
        Some(lanes) => Some((Tile::Block { lanes }, 1.0 + plan.stages[stages].iter().map(generic_cost).sum::<f64>())),
        None => (stages.len() == 1).then(|| (Tile::Each, 1.0 + generic_cost(&plan.stages[stages.start]))),
    }
}

/// The cost of a stage in the generic kernel beyond moving the lanes.
fn generic_cost(stage: &Stage) -> f64 {
    0.3 + 0.1 * stage.matrix().taps as f64
}

/// The tile and the cost of a run that begins with stage `first`: whole rows, or the neighbouring lines that a workgroup holds.
fn lines(plan: &Plan, first: usize, run: &StockhamRun, limits: Limits, most_lanes: usize) -> Option<(Tile, f64)> {
    let points = run.points();
    if points > fft::MAX_POINTS.min(most_lanes) {
        return None;
    }
    let fits = |shape: &FftShape| shape.threads() <= limits.max_invocations && shape.workgroup_bytes() <= limits.workgroup_bytes;
    if run.row == points {
        let shape = run.rows_shape();
        // Rows of another length in memory are no blocks.
        let plain = run.before.is_none() && run.after.is_none() && run.half.is_none();
        let tile = if plain {
            Tile::Block { lanes: points }
        } else {
            Tile::Strided { points: run.lanes_of_line(), stride: 1, lines: shape.lines }
        };
        return fits(&shape).then_some((tile, WHOLE_ROWS));
    }
    let stride = run.lines_per_row();
    let most_lines = |threads: usize| (limits.max_invocations.min(threads) / run.rows_shape().threads_per_line()).min(most_lanes / points);
    let columns = |threads: usize| {
        let lines = neighbours(plan, run, most_lines(threads), fits);
        let shape = run.columns_shape(lines, false);
        let segments = segment_cost(lines.min(stride), plan.lanes);
        let in_strips = || run_before(plan, first).is_some_and(|before| before.leaves_strips(run, lines));
        let cost = match shape.threads() > MOST_THREADS[0] {
            true if in_strips() => STRIPS,
            true => segments + ALONE,
            false => segments,
        };
        // Where there are fewer workgroups than processors, the others have nothing to do.
        let n_groups = (run.rows * stride).div_ceil(lines);
        let idle = (BUSY_GROUPS as f64 / n_groups as f64).max(1.0);
        fits(&shape).then_some((Tile::Strided { points, stride, lines }, cost * idle))
    };
    // In double precision, a thread of a workgroup of 1024 runs out of registers for its points.
    let tries = if run.ends_columns() && run.precision == Precision::Single { &MOST_THREADS[..] } else { &MOST_THREADS[..1] };
    tries.iter().filter_map(|&threads| columns(threads)).min_by(|a, b| a.1.total_cmp(&b.1))
}

/// The number of neighbouring lines that pays, at most `most`.
fn neighbours(plan: &Plan, run: &StockhamRun, most: usize, fits: impl Fn(&FftShape) -> bool) -> usize {
    let n_lines = run.rows * run.lines_per_row();
    let mut lines = most.clamp(1, if plan.lanes > LARGE { MOST_LINES } else { MOST_LINES / 2 });
    // Four lanes fill the smallest piece of memory that is ever moved.
    lines = if lines > 4 { lines - lines % 4 } else { lines };
    while lines > 4 && (n_lines.div_ceil(lines) < BUSY_GROUPS || !fits(&run.columns_shape(lines, false))) {
        lines /= 2;
    }
    lines
}

/// The longest run of Stockham stages of whole rows that ends before stage `end`, as one launch takes it.
fn run_before(plan: &Plan, end: usize) -> Option<StockhamRun> {
    let runs = (0..end).map(|first| fft::recognise(&plan.stages[first..end], plan.lanes));
    runs.flatten().find(|run| run.points() <= fft::MAX_POINTS)
}

/// The tile and the cost of levels of a Haar pyramid in blocks, or of Kronecker stages in tiles with as many lines as a workgroup holds.
fn steps(plan: &Plan, stages: Range<usize>, limits: Limits) -> Option<(Tile, f64)> {
    if let Some(run) = haar::recognise(plan, stages.clone(), stages.start > 0, limits) {
        return Some((run.tile(), WHOLE_ROWS * run.active as f64 / run.row as f64));
    }
    let run = kronecker::recognise(plan, stages, limits)?;
    let shape = run.shape(true, limits)?;
    let ([points, stride], lines) = (run.points_and_stride(), shape.lanes() / run.points_and_stride()[0]);
    let segment = lines.min(stride) * plan.ring.bytes_per_lane() / SEGMENT_LANE;
    let cost = match run.is_consecutive() {
        true if run.is_wide() => WIDE_ROWS,
        true => WHOLE_ROWS,
        false => segment_cost(segment, plan.lanes),
    };
    Some((Tile::Strided { points, stride, lines }, cost * run.lanes as f64 / plan.lanes as f64))
}

/// The cost of touching `segment` neighbouring lanes at a time, in copies; caches make up for some of it.
fn segment_cost(segment: usize, lanes: usize) -> f64 {
    match segment {
        32.. => 1.08,
        16.. => 1.12,
        8.. => 1.35,
        4.. if lanes <= LARGE => 1.7,
        4.. => 2.6,
        _ => 4.5,
    }
}
