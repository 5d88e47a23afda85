//! The kernel of lifting on lines, `lifting.wgsl`: which launches it supports, and what a workgroup takes.

use super::launches::{LiftingData, LiftingLaunch, LiftingPlan};
use super::steps::{ITEM, RegisterStep, SIDE, register_steps};
use crate::gpu::family::KernelDispatch;
use crate::gpu::limits::Limits;
use crate::plan::{Direction, Plan};
use crate::schedule::{LevelGroup, RemainingLevels, Schedule};
use serde::Serialize;

/// The most levels of a launch: a further one doubles the halo.
pub(super) const MOST_LEVELS: usize = 4;
/// Samples of a line that a single workgroup takes whole, with all levels.
const WHOLE: usize = 4096;
/// Threads of a workgroup.
const THREADS: usize = 256;

/// The data of one kernel.
#[derive(Serialize)]
struct LiftingShape {
    #[serde(flatten)]
    data: LiftingData,
    steps: Vec<RegisterStep>,
    levels: Vec<LineLevel>,
    /// Samples of a tile at the finest level, and how far from the tile its levels read.
    tile: usize,
    reach: usize,
    /// Whether a tile is a whole line.
    whole: bool,
    threads: usize,
    /// Vectors of the two areas of workgroup memory.
    areas: [usize; 2],
    /// Whether the samples of the finest level, and the low coefficients of the coarsest, begin at multiples of 16 bytes.
    fine_aligned: bool,
    low_aligned: bool,
}

/// A level of a tile.
#[derive(Serialize)]
struct LineLevel {
    number: usize,
    /// Items of the halo on either side of the tile, and the most items in all.
    halo: usize,
    items: usize,
    /// Vectors that the level exchanges with the finer one, and how many of them are before the first sample of the tile.
    vectors: usize,
    before: usize,
    /// Whether the high coefficients begin at multiples of 16 bytes.
    high_aligned: bool,
}

/// The schedule of overlapped tiles, with at most `levels` levels in a launch that has more than one tile.
pub(super) fn schedule(plan: &Plan, lines: &LiftingPlan, levels: Option<usize>) -> Option<Schedule> {
    let most = levels.unwrap_or(MOST_LEVELS).clamp(1, MOST_LEVELS + 1);
    Schedule::overlapped(plan, |RemainingLevels { samples: [_, n], levels }| {
        let taken = if n <= WHOLE { levels } else { most.min(levels) };
        let tile = if n <= WHOLE { n } else { tile_samples(taken, lines.layout.direction) };
        LevelGroup { levels: taken, tile: [1, tile] }
    })
}

/// Samples of a tile, so that every thread has one item at the finest level, which was measured to be the fastest.
fn tile_samples(levels: usize, direction: Direction) -> usize {
    let overlap = match direction {
        Direction::Forward => 2 * ((1 << (levels - 1)) - 1),
        // The level before the finest has one item more on either side, with twice the samples.
        Direction::Inverse => 4,
    };
    let unit = 1 << (levels - 1);
    (THREADS - overlap) / unit * unit * ITEM
}

/// The kernel of a launch of lines; `None` where the launch is unsupported.
pub(super) fn dispatch(taken: &LiftingLaunch, limits: Limits) -> Option<KernelDispatch> {
    let ([rows, n], levels, tile) = (taken.samples, taken.levels, taken.tile[1]);
    let whole = tile >= n && n <= WHOLE;
    let size = if whole { WHOLE } else { tile };
    let inverse = taken.data.inverse;
    let halo = |number: usize| match inverse {
        _ if whole => 0,
        false => (1 << (levels - 1 - number)) - 1,
        true => usize::from(number > 0),
    };
    let items = |number: usize| size.div_ceil(ITEM << number) + 2 * halo(number);
    let level = |number: usize| {
        let exchanged = if inverse { 2 * items(number) } else { items(number.saturating_sub(1)) };
        LineLevel {
            number,
            halo: halo(number),
            items: items(number),
            // A whole line has a vector of its boundary extension before it, and two behind it.
            vectors: exchanged + if whole { 3 } else { 0 },
            before: if whole { 1 } else { 2 * halo(number) + usize::from(!inverse) },
            high_aligned: taken.high_aligned(number, 4)[1],
        }
    };
    let levels: Vec<LineLevel> = (0..levels).map(level).collect();
    // Levels use both areas alternately: forward the finer one of two levels chooses, in the inverse the coarser one.
    let first = usize::from(inverse);
    let area = |parity: usize| {
        let of_area = levels.iter().skip(1).filter(|level| (level.number - 1 + first) % 2 == parity);
        of_area.map(|level| level.vectors).max().unwrap_or(1)
    };
    let areas = [area(0), area(1)];
    let unit = ITEM << levels.len().saturating_sub(1);
    let suits = !levels.is_empty() && (whole || tile.is_multiple_of(unit) && areas[0] * 16 <= limits.workgroup_bytes);
    let fits = 16 * (areas[0] + areas[1]) <= limits.workgroup_bytes && THREADS <= limits.max_invocations;
    let tiles = if whole { 1 } else { n.div_ceil(tile) };
    let ([fine, fine_pitch], [low, low_pitch]) = (taken.fine, taken.low);
    let uniforms = [tiles * rows, tiles, n, fine, fine_pitch, low, low_pitch, taken.plan.layout.columns, 0];
    let shape = LiftingShape {
        steps: register_steps(taken.steps()[0], ITEM)?,
        tile: size,
        reach: SIDE * ((1 << levels.len()) - 1),
        whole,
        threads: THREADS,
        areas,
        fine_aligned: taken.aligned(fine_pitch, 4),
        low_aligned: taken.aligned(low_pitch, 4),
        levels,
        data: taken.data.clone(),
    };
    (suits && fits).then(|| taken.dispatch("lifting", "lifting.wgsl", shape, uniforms))
}
