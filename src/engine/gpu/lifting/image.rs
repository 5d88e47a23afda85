//! The kernel that holds tiles of several levels of an image, or a whole image, in workgroup memory, `lifting_image.wgsl`: which launches it supports, and what a workgroup takes.

use super::launches::{LiftingData, LiftingLaunch, LiftingPlan};
use super::level;
use super::steps::{ITEM, RegisterStep, SIDE, register_steps};
use crate::gpu::family::KernelDispatch;
use crate::gpu::limits::Limits;
use crate::plan::{Direction, Plan, halved};
use crate::schedule::{LevelGroup, RemainingLevels, Schedule};
use serde::Serialize;

/// Rows and columns of a tile of two levels, which was measured to be the fastest.
const TILE: [usize; 2] = [32, 32];
/// The most levels of a launch: a further one doubles the halo.
pub(super) const MOST_LEVELS: usize = 2;
/// Samples of an image whose levels take as long as their launches and not as their bytes; there two levels in one launch make the inverse faster.
const FEW: usize = 1 << 18;
/// The side of an image that a single workgroup takes whole, with all levels, and the workgroup memory that it needs.
const WHOLE: usize = 64;
const WHOLE_BYTES: usize = 23 << 10;
/// The least samples of a line at which every sample that is read is at most one reflection, or one period, past an end.
const NEAR_MIRRORED: usize = 5;
const NEAR_WRAPPED: usize = 28;
/// Threads of a workgroup.
const THREADS: usize = 256;
/// Rows of low coefficients, or of high ones, of an item.
const HALF: usize = ITEM / 2;

/// The data of one kernel.
#[derive(Serialize)]
struct LiftingImageShape {
    #[serde(flatten)]
    data: ImageData,
    steps_x: Vec<RegisterStep>,
    steps_y: Vec<RegisterStep>,
    levels: Vec<ImageLevel>,
    /// Rows and columns of a tile at the finest level, and how far from it the kernel reads.
    rows: usize,
    columns: usize,
    reach: usize,
    /// Whether a tile is the whole image.
    whole: bool,
    /// Whether samples past the ends of the image are looked up inside it, where levels wait in workgroup memory.
    /// With a periodic extension tiles have computed these samples.
    folds_kept: bool,
    threads: usize,
    /// Vectors between the passes of a level, and between levels.
    held: usize,
    kept: usize,
    /// Whether the rows of the samples, and of the values that are low-pass along both axes, begin at multiples of 16 bytes.
    fine_aligned: bool,
    low_aligned: bool,
}

/// The common part of both kernels of images.
#[derive(Serialize)]
pub(super) struct ImageData {
    #[serde(flatten)]
    lifting: LiftingData,
    /// Whether nothing that is read is farther past an end than the image is long, at any level.
    near: bool,
}

impl ImageData {
    pub(super) fn of(taken: &LiftingLaunch) -> Self {
        let least = if taken.data.wraps { NEAR_WRAPPED } else { NEAR_MIRRORED };
        let coarsest = taken.samples.map(|n| halved(n, taken.levels as u32 - 1));
        Self { near: coarsest.into_iter().all(|n| n >= least), lifting: taken.data.clone() }
    }
}

/// A level of a tile.
#[derive(Serialize)]
struct ImageLevel {
    number: usize,
    /// Items of a tile, down and across, and of the halo on every side of it.
    items: [usize; 2],
    around: usize,
    /// Samples of the halo on every side of the tile that are read forward.
    halo: usize,
    /// Vectors of a row between the two passes.
    pitch: usize,
    /// Rows of low coefficients between the two passes forward.
    low_rows: usize,
    /// Rows, and vectors of a row, of the values that wait for the level in workgroup memory.
    kept_rows: usize,
    kept_pitch: usize,
    /// Whether the rows of the bands begin at multiples of 16 bytes: of the band that is low-pass along x, and of those that are high-pass.
    high_aligned: [bool; 2],
}

/// The schedule of overlapped tiles; `levels`, where it is given, bounds the levels of a launch that has more than one tile.
pub(super) fn schedule(plan: &Plan, lifting: &LiftingPlan, levels: Option<usize>, limits: Limits) -> Option<Schedule> {
    let is_inverse = lifting.layout.direction == Direction::Inverse;
    Schedule::overlapped(plan, |RemainingLevels { samples: [rows, columns], levels: left }| {
        if rows.max(columns) <= whole(limits) {
            return LevelGroup { levels: left, tile: [rows, columns] };
        }
        let most = levels.unwrap_or(if is_inverse && rows * columns <= FEW { MOST_LEVELS } else { 1 }).clamp(1, MOST_LEVELS);
        let taken = most.min(left);
        LevelGroup { levels: taken, tile: if taken == 1 { level::tile(limits) } else { TILE } }
    })
}

/// The side of an image that a single workgroup takes whole, with all levels.
fn whole(limits: Limits) -> usize {
    if limits.workgroup_bytes < WHOLE_BYTES { WHOLE / 2 } else { WHOLE }
}

/// Whether a single workgroup takes the whole image.
pub(super) fn is_whole(taken: &LiftingLaunch, limits: Limits) -> bool {
    let side = whole(limits);
    taken.levels > 0 && taken.samples.into_iter().zip(taken.tile).all(|(samples, tile)| samples <= tile.min(side))
}

/// The kernel of several levels, or of an image that one workgroup holds; `None` where the launch is unsupported.
pub(super) fn dispatch(taken: &LiftingLaunch, limits: Limits) -> Option<KernelDispatch> {
    let whole = is_whole(taken, limits).then(|| whole(limits));
    let (inverse, [rows, columns]) = (taken.data.inverse, whole.map_or(taken.tile, |side| [side; 2]));
    let around = |number: usize| match inverse {
        _ if whole.is_some() => 0,
        false => (1 << (taken.levels - 1 - number)) - 1,
        true => usize::from(number > 0),
    };
    let items = |number: usize| [rows, columns].map(|n| n.div_ceil(ITEM << number));
    let pitch = |number: usize| 2 * (items(number)[1] + 2 * around(number)) + if inverse { 0 } else { 2 };
    let low_rows = |number: usize| HALF * (items(number)[0] + 2 * around(number));
    let level = |number: usize| {
        let finer = number.saturating_sub(1);
        let [kept_rows, kept_pitch] =
            if inverse { [2 * low_rows(number), pitch(number)] } else { [low_rows(finer), items(finer)[1] + 2 * around(finer)] };
        ImageLevel {
            number,
            items: items(number),
            around: around(number),
            halo: ITEM * around(number) + SIDE,
            pitch: pitch(number),
            low_rows: low_rows(number),
            kept_rows,
            kept_pitch,
            high_aligned: taken.high_aligned(number, 4),
        }
    };
    let levels: Vec<ImageLevel> = (0..taken.levels).map(level).collect();
    let held_rows = |level: &ImageLevel| if inverse { 2 * level.low_rows + ITEM } else { level.low_rows + HALF * level.items[0] };
    let held = levels.iter().map(|level| held_rows(level) * level.pitch).max().unwrap_or(1);
    let kept = levels.iter().skip(1).map(|level| level.kept_rows * level.kept_pitch).max().unwrap_or(1);
    let back = |level: &ImageLevel| (ITEM * (level.around + 1)) << level.number;
    let unit = ITEM << (taken.levels - 1);
    let suits = whole.is_some() || rows.is_multiple_of(unit) && columns.is_multiple_of(unit);
    let fits = THREADS <= limits.max_invocations && 16 * (held + kept) <= limits.workgroup_bytes;
    let shape = LiftingImageShape {
        data: ImageData::of(taken),
        steps_x: register_steps(taken.steps()[0], ITEM)?,
        steps_y: register_steps(taken.steps()[1], ITEM)?,
        rows,
        columns,
        reach: if inverse { levels.iter().map(back).max().unwrap_or(0) } else { levels[0].halo },
        whole: whole.is_some(),
        folds_kept: !taken.data.wraps || whole.is_some(),
        threads: THREADS,
        held,
        kept,
        fine_aligned: taken.aligned(taken.fine[1], 4),
        low_aligned: taken.aligned(taken.low[1], 4),
        levels,
    };
    (suits && fits).then(|| taken.dispatch_image("lifting_image.wgsl", shape, [rows, columns]))
}
