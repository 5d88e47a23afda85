//! The schedule whose launches are estimated to take the least time together on a device.
//!
//! The unit is the time of a plain copy of all lanes. The costs of a launch beyond the bytes that it moves were measured (`papillon bench`); only the order of the candidates matters.

use super::costs::{BUSY_GROUPS, SECTOR_BYTES, SEGMENT_LANE, WHOLE_ROWS, segment_cost};
use super::families::FAMILIES;
use super::family::Family;
use super::kronecker::Kronecker;
use super::limits::Limits;
use super::lower::tile_lanes;
use super::stage::most_bit_lanes;
use crate::plan::shapes::TranspositionStage;
use crate::plan::{Plan, Stage};
use crate::schedule::{BitRun, Launch, Schedule, Tile, bit_tile, common_block, spaced_tile};
use std::ops::Range;

/// Lanes that a launch could have copied while it starts and ends.
const LAUNCH_LANES: f64 = 1e6;
/// The most stages of a launch, far more than any tile holds.
const MAX_STAGES: usize = 64;
/// A launch of one stage without tiles, and one that writes to permuted lanes.
const SINGLE: f64 = 1.1;
const SCATTERED: f64 = 3.0;
/// A term of a direct sum, which comes from a cache.
const DIRECT_TERM: f64 = 0.1;
/// Each stage in a tile of bits.
const BIT_STAGE: f64 = 0.01;
/// How the cost of a tile of bits grows with fewer workgroups than keep a device busy. It ranks stockham before stockham-2 for 2^14 to 2^18
/// complex values, as measured on an NVIDIA H200: 2^16 take 7.6 µs by stockham-2, in two launches of 16 workgroups, and 6.2 µs by stockham, in two of 64.
const IDLE_EXPONENT: f64 = 0.75;
/// How the cost of a large tile of residues grows: a processor has room for few large tiles, so that few threads load while others multiply. As measured
/// on an NVIDIA H200: 2^22 values take 42 µs by stockham in tiles of 2^12, and 46 by stockham-2 in tiles of 2^13, which would be faster without products.
const LARGE_TILE_OF_RESIDUES: f64 = 1.15;
/// The most lanes of a tile of residues that is not large.
const TILE_OF_RESIDUES: usize = 1 << 12;

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
    let whole = || FAMILIES.iter().find_map(|family| family.schedule(plan, limits));
    if let Some((schedule, cost)) = (most_lanes == usize::MAX).then(whole).flatten() {
        let copied_lanes = cost * plan.lanes as f64 + LAUNCH_LANES * schedule.launches.len() as f64;
        return Estimate { schedule, copied_lanes };
    }
    if let Some(schedule) = overlapped(plan, None, limits).filter(|_| most_lanes == usize::MAX) {
        let copied_lanes = estimate_of(plan, &schedule, limits);
        return Estimate { schedule, copied_lanes };
    }
    cheapest(plan, |stages| candidate(plan, stages, limits, most_lanes))
}

/// The schedule that a device is estimated to run fastest where stages within words follow the last launch: only kernels of Kronecker steps take these.
pub(super) fn fastest_of_words(plan: &Plan, limits: Limits) -> Schedule {
    cheapest(plan, |stages| Kronecker.candidate(plan, stages, limits, usize::MAX)).schedule
}

/// The cheapest launches among those that `candidate` has for a run of stages, with their costs in copies of all lanes.
fn cheapest(plan: &Plan, candidate: impl Fn(Range<usize>) -> Option<(Tile, f64)>) -> Estimate {
    let n = plan.stages.len();
    // best[i]: the cost of stages i.. and the first of their launches.
    let mut best: Vec<(f64, Option<Launch>)> = vec![(0.0, None); n + 1];
    for first in (0..n).rev() {
        best[first].0 = f64::INFINITY;
        for end in first + 1..=n.min(first + MAX_STAGES) {
            let Some((tile, cost)) = candidate(first..end) else { continue };
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

/// A schedule of one launch a stage, in which a stage that scatters its results, such as a bit reversal, runs in tiles of bits, from which neighbours are
/// written together.
pub fn by_stage(mut schedule: Schedule, plan: &Plan, limits: Limits) -> Schedule {
    // A variant of twiddles belongs to the kernel of a single stage.
    let is_varied = |launch: &Launch| matches!(launch.tile, Tile::Variant(_)) && plan.stages[launch.stages.start].twiddle.is_some();
    let scatters = |launch: &&mut Launch| plan.stages[launch.stages.start].write.scatters() && !is_varied(launch);
    for launch in schedule.launches.iter_mut().filter(scatters) {
        launch.tile = bit_tile(plan, launch.stages.clone(), most_bit_lanes(plan.ring, limits), SECTOR_BYTES).unwrap_or(Tile::Each);
    }
    schedule
}

/// The estimated time of a schedule, in lanes that a plain copy moves meanwhile, from the bytes that its launches move.
pub fn estimate_of(plan: &Plan, schedule: &Schedule, limits: Limits) -> f64 {
    let lane_bytes = limits.precision.bytes_per_lane(plan.ring);
    let cost = |launch: &Launch| {
        let moved = launch.bytes_moved(plan, lane_bytes) as f64 / (2 * lane_bytes) as f64;
        let shape = match launch.tile {
            Tile::Each | Tile::Samples(_) | Tile::Variant(_) | Tile::Patch { .. } => single_cost(&plan.stages[launch.stages.start]),
            _ => WHOLE_ROWS,
        };
        shape * moved + LAUNCH_LANES
    };
    schedule.launches.iter().map(cost).sum::<f64>()
}

/// The schedule of overlapped tiles for lifting schemes and filter banks, with at most `levels` levels in a launch that has more than one tile of a line; `None` where no kernel supports the plan.
pub fn overlapped(plan: &Plan, levels: Option<usize>, limits: Limits) -> Option<Schedule> {
    FAMILIES.iter().find_map(|family| family.overlapped(plan, levels, limits))
}

/// The most levels that a launch of overlapped tiles takes of lines or images that are larger than one tile; 0 for plans without such levels.
pub fn most_overlapped_levels(plan: &Plan) -> usize {
    FAMILIES.iter().find_map(|family| family.most_overlapped_levels(plan)).unwrap_or(0)
}

/// How one launch could run these stages, and its cost in copies of all lanes; `None` where no kernel takes them together.
fn candidate(plan: &Plan, stages: Range<usize>, limits: Limits, most_lanes: usize) -> Option<(Tile, f64)> {
    // With tiles of a size that was asked for, the local part of an algorithm is one launch, and each stage before it another one without tiles.
    if most_lanes < usize::MAX && plan.n_apart > 0 {
        let local = plan.n_apart..plan.stages.len();
        if stages.start < plan.n_apart {
            return (stages.len() == 1).then(|| (Tile::Each, single_cost(&plan.stages[stages.start])));
        }
        if let Some(lanes) = common_block(plan, local.clone(), tile_lanes(plan.ring, limits).min(most_lanes)) {
            return (stages == local).then_some((Tile::Block { lanes }, 1.0));
        }
    }
    let fast = FAMILIES.iter().find_map(|family| family.candidate(plan, stages.clone(), limits, most_lanes));
    if fast.is_some() {
        return fast;
    }
    // A single stage needs a tile only where it scatters its results, and stages of a fast kernel need none.
    let is_fast = |index: usize| {
        let stage = &plan.stages[index];
        let family = || FAMILIES.iter().any(|family| family.candidate(plan, index..index + 1, limits, most_lanes).is_some());
        TranspositionStage::of(stage).is_some() || stage.matrix().taps > 2 && family()
    };
    let needs_tile = (stages.len() > 1 || plan.stages[stages.start].write.scatters()) && !stages.clone().any(is_fast);
    if let Some(found) = needs_tile.then(|| bit_candidate(plan, stages.clone(), limits, most_lanes)).flatten() {
        return Some(found);
    }
    let fits = tile_lanes(plan.ring, limits).min(most_lanes);
    let taken = || plan.stages[stages.clone()].iter().map(|stage| block_cost(stage, plan.lanes)).sum::<f64>();
    if let Some(tile @ Tile::Spaced { spacing, .. }) = spaced_tile(plan, stages.clone(), fits) {
        let moved = Stage::bytes_of_a_lane(spacing, plan.ring.bytes_per_lane()) as f64 / plan.ring.bytes_per_lane() as f64;
        return Some((tile, moved / spacing as f64 + taken()));
    }
    match common_block(plan, stages.clone(), fits) {
        Some(lanes) => Some((Tile::Block { lanes }, 1.0 + taken())),
        None => (stages.len() == 1).then(|| (Tile::Each, single_cost(&plan.stages[stages.start]))),
    }
}

/// The tile of bits in which one launch could run these stages, and its cost in copies of all lanes; `None` without one.
fn bit_candidate(plan: &Plan, stages: Range<usize>, limits: Limits, most_lanes: usize) -> Option<(Tile, f64)> {
    let tile = bit_tile(plan, stages.clone(), most_bit_lanes(plan.ring, limits).min(most_lanes), SECTOR_BYTES)?;
    let Tile::Bits { bits } = tile else { return None };
    let segment_bytes = BitRun::of(plan, stages.clone())?.segment(bits) * limits.precision.bytes_per_lane(plan.ring);
    let segments = segment_cost(segment_bytes / SEGMENT_LANE, plan.lanes);
    // Processors without a workgroup have nothing to do.
    let idle = (BUSY_GROUPS as f64 / (plan.lanes >> bits.count_ones()) as f64).max(1.0).powf(IDLE_EXPONENT);
    let is_large = plan.ring.modulus().is_some() && 1 << bits.count_ones() > TILE_OF_RESIDUES;
    let products = if is_large { LARGE_TILE_OF_RESIDUES } else { 1.0 };
    Some((tile, segments * idle * products + BIT_STAGE * stages.len() as f64))
}

/// The cost of a stage in workgroup memory beyond moving the lanes, of which it may take a part.
fn block_cost(stage: &Stage, lanes: usize) -> f64 {
    let matrix = stage.matrix();
    (0.2 + 0.05 * matrix.taps as f64) * (stage.n_butterflies() * matrix.rows) as f64 / lanes as f64
}

/// The cost of a launch of one stage without tiles, in copies.
fn single_cost(stage: &Stage) -> f64 {
    if let Some(sum) = stage.direct_sum() {
        return DIRECT_TERM * sum.n_terms() as f64 + SINGLE;
    }
    if stage.write.scatters() { SCATTERED } else { SINGLE }
}
