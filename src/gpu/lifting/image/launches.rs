//! Which launches the kernels of lifting on images support.

use super::constants::ImageConstants;
use super::level::{LiftingLevelShape, RowThreads};
use super::shape::LiftingImageShape;
use crate::gpu::lifting::item::{ITEM, ItemStep, fits_item};
use crate::gpu::lifting::levels::starts;
use crate::gpu::limits::Limits;
use crate::plan::{Direction, Extension, LiftingStep, Plan, Precision, PyramidLayout, Ring, halved};
use crate::schedule::{Launch, LevelGroup, PyramidLevel, RemainingLevels, Schedule, Tile, pyramid_levels};

/// Rows and columns of a tile of two levels, which was measured to be the fastest.
const TILE: [usize; 2] = [32, 32];
/// The most levels of a launch: a further one doubles the halo.
pub(in crate::gpu) const MOST_LEVELS: usize = 2;
/// Samples of an image whose levels take as long as their launches and not as their bytes; there two levels in one launch make the inverse faster.
const FEW: usize = 1 << 18;
/// The side of an image that a single workgroup takes whole, with all levels, and the workgroup memory that it needs.
const WHOLE: usize = 64;
const WHOLE_BYTES: usize = 23 << 10;
/// The least samples of a line at which every sample that is read is at most one reflection, or one period, past an end.
const NEAR_MIRRORED: usize = 5;
const NEAR_WRAPPED: usize = 28;

/// A plan that consists of the levels of a lifting scheme along both axes and of the permutation.
struct ImageLifting {
    steps_x: Vec<ItemStep>,
    steps_y: Vec<ItemStep>,
    levels: Vec<PyramidLevel>,
    pyramid: PyramidLayout,
    mirrors: bool,
}

fn recognise(plan: &Plan, limits: Limits) -> Option<ImageLifting> {
    let real = plan.ring == Ring::Real && limits.precision == Precision::Single;
    let pyramid = plan.stages.iter().find_map(|stage| stage.write.pyramid).filter(|pyramid| pyramid.rows > 1)?;
    if !real || plan.lanes != pyramid.lanes() || (plan.inputs, plan.outputs) != (plan.lanes, plan.lanes) {
        return None;
    }
    let levels = pyramid_levels(plan)?;
    let mirrors = levels.first()?.along_rows.first()?.extension == Extension::Symmetric;
    let extension = if mirrors { Extension::Symmetric } else { Extension::Periodic };
    let (steps_x, steps_y) = (of(&levels[0].along_rows)?, of(&levels[0].along_columns)?);
    let regular = levels.iter().zip(0..).all(|(level, l)| {
        let [rows, columns] = [pyramid.rows, pyramid.columns].map(|n| halved(n, l));
        let fits = |step: &LiftingStep, spacing: usize, samples: usize, lines: usize| {
            step.mirrors_evenly()
                && (step.spacing, step.samples, step.n_lines(), step.extension) == (spacing << l, samples, lines, extension)
        };
        let both = !level.along_rows.is_empty() && !level.along_columns.is_empty();
        let same = of(&level.along_rows).as_ref() == Some(&steps_x) && of(&level.along_columns).as_ref() == Some(&steps_y);
        both && same
            && level.along_rows.iter().all(|step| fits(step, 1, columns, rows))
            && level.along_columns.iter().all(|step| fits(step, pyramid.columns, rows, columns))
    });
    let whole = levels.len() == pyramid.levels as usize;
    (regular && whole && fits_item(&steps_x) && fits_item(&steps_y)).then_some(ImageLifting { steps_x, steps_y, levels, pyramid, mirrors })
}

fn of(steps: &[LiftingStep]) -> Option<Vec<ItemStep>> {
    steps.iter().map(ItemStep::of).collect()
}

/// The schedule of overlapped tiles; `levels`, where it is given, bounds the levels of a launch that has more than one tile. `None` where the kernel does not support the plan.
pub(in crate::gpu) fn schedule(plan: &Plan, levels: Option<usize>, limits: Limits) -> Option<Schedule> {
    let is_inverse = recognise(plan, limits)?.pyramid.direction == Direction::Inverse;
    Schedule::overlapped(plan, |RemainingLevels { samples: [rows, columns], levels: left }| {
        if rows.max(columns) <= whole(limits) {
            return LevelGroup { levels: left, tile: [rows, columns] };
        }
        let most = levels.unwrap_or(if is_inverse && rows * columns <= FEW { MOST_LEVELS } else { 1 }).clamp(1, MOST_LEVELS);
        let taken = most.min(left);
        LevelGroup { levels: taken, tile: if taken == 1 { RowThreads::on(limits).tile() } else { TILE } }
    })
}

/// The side of an image that a single workgroup takes whole, with all levels.
fn whole(limits: Limits) -> usize {
    if limits.workgroup_bytes < WHOLE_BYTES { WHOLE / 2 } else { WHOLE }
}

/// Scratch lanes that the launches need for the values that are low-pass along both axes between two launches.
pub(in crate::gpu) fn scratch_lanes(plan: &Plan, schedule: &Schedule, limits: Limits) -> usize {
    recognise(plan, limits).map_or(0, |image| {
        let starts = starts(&image.levels, schedule);
        image.beside(&starts, starts.len().saturating_sub(1)) - plan.lanes
    })
}

impl ImageLifting {
    /// Lanes from one row to the next of the low-pass values before a level.
    fn row(&self, level: usize) -> usize {
        halved(self.pyramid.columns, level as u32).next_multiple_of(4)
    }

    /// The first scratch lane of the low-pass values before the launch that begins at level `starts[index]`; launches before it in the list are finer.
    fn beside(&self, starts: &[usize], index: usize) -> usize {
        let size = |&level: &usize| halved(self.pyramid.rows, level as u32) * self.row(level);
        self.pyramid.lanes().next_multiple_of(4) + starts[..index].iter().skip(1).map(size).sum::<usize>()
    }
}

/// The part of an image that a launch takes, for both kernels.
struct ImageLaunch {
    shared: ImageConstants,
    levels: usize,
    /// Rows and columns of the image before the finest level, and of a tile of it.
    samples: [usize; 2],
    tile: [usize; 2],
    /// The first lane of the samples, and lanes from one row to the next; the same for the values that are low-pass along both axes.
    fine: [usize; 2],
    low: [usize; 2],
    /// Lanes of a row of the other bands.
    width: usize,
}

/// The kernel of several levels, or of an image that one workgroup holds, and its uniforms; `None` where the launch is unsupported.
pub(in crate::gpu) fn image_kernel_of(
    plan: &Plan,
    schedule: &Schedule,
    launch: &Launch,
    limits: Limits,
) -> Option<(LiftingImageShape, [u32; 9])> {
    let taken = recognise(plan, limits)?.launch(schedule, launch)?;
    let (is_whole, side) = (taken.is_whole(limits), whole(limits));
    (taken.levels > 1 || is_whole).then(|| taken.in_memory(is_whole.then_some(side), limits))?
}

/// The kernel of a single level in registers and its uniforms; `None` where the launch is unsupported.
pub(in crate::gpu) fn level_kernel_of(
    plan: &Plan,
    schedule: &Schedule,
    launch: &Launch,
    limits: Limits,
) -> Option<(LiftingLevelShape, [u32; 9])> {
    let taken = recognise(plan, limits)?.launch(schedule, launch)?;
    (taken.levels == 1 && !taken.is_whole(limits)).then(|| taken.level(limits))?
}

impl ImageLifting {
    fn launch(self, schedule: &Schedule, launch: &Launch) -> Option<ImageLaunch> {
        let Tile::Overlapped { grid, .. } = launch.tile else { return None };
        let starts = starts(&self.levels, schedule);
        let inside = |level: &PyramidLevel| launch.stages.contains(&level.stages.start);
        let begin = self.levels.iter().position(inside)?;
        let levels = self.levels.iter().filter(|level| inside(level)).count();
        let index = starts.iter().position(|&start| start == begin)?;
        let PyramidLayout { direction, rotation, columns: width, .. } = self.pyramid;
        let (is_finest, is_coarsest) = (begin == 0, begin + levels == self.levels.len());
        let fine = if is_finest { [0, width] } else { [self.beside(&starts, index), self.row(begin)] };
        let low = if is_coarsest { [0, width] } else { [self.beside(&starts, index + 1), self.row(begin + levels)] };
        let [rows, columns] = self.levels[begin + levels - 1].samples();
        let near = rows.min(columns) >= if self.mirrors { NEAR_MIRRORED } else { NEAR_WRAPPED };
        let samples = self.levels[begin].samples();
        let Self { steps_x, steps_y, mirrors, .. } = self;
        let shared = ImageConstants {
            steps_x,
            steps_y,
            direction,
            mirrors,
            rotation,
            near,
            fine_in_output: !is_finest,
            low_in_output: !is_coarsest,
        };
        Some(ImageLaunch { shared, levels, samples, tile: [grid.rows, grid.columns >> begin], fine, low, width })
    }
}

impl ImageLaunch {
    /// Whether a single workgroup takes the whole image.
    fn is_whole(&self, limits: Limits) -> bool {
        let side = whole(limits);
        self.levels > 0 && self.samples.into_iter().zip(self.tile).all(|(samples, tile)| samples <= tile.min(side))
    }

    /// The kernel of a single level.
    fn level(self, limits: Limits) -> Option<(LiftingLevelShape, [u32; 9])> {
        let lanes = RowThreads::on(limits);
        let [fine_aligned, low_aligned] = [self.fine[1].is_multiple_of(4), self.low[1].is_multiple_of(2)];
        let high_aligned = self.aligned(0, 2);
        let regular = self.samples[1].is_multiple_of(4) && fine_aligned && low_aligned && high_aligned == [true; 2];
        let numbers = self.numbers(lanes.tile());
        let suits = self.tile == lanes.tile();
        let shape = LiftingLevelShape { shared: self.shared, fine_aligned, low_aligned, high_aligned, regular, lanes };
        let fits = shape.threads() <= limits.max_invocations && shape.workgroup_bytes() <= limits.workgroup_bytes;
        (suits && fits).then_some((shape, numbers))
    }

    /// The kernel of tiles in workgroup memory; `whole` is the side of a tile that holds the whole image.
    fn in_memory(self, whole: Option<usize>, limits: Limits) -> Option<(LiftingImageShape, [u32; 9])> {
        let [rows, columns] = whole.map_or(self.tile, |side| [side; 2]);
        let numbers = self.numbers([rows, columns]);
        let shape = LiftingImageShape {
            levels: self.levels,
            rows,
            columns,
            whole: whole.is_some(),
            fine_aligned: self.fine[1].is_multiple_of(4),
            low_aligned: self.low[1].is_multiple_of(4),
            high_aligned: (0..self.levels).map(|level| self.aligned(level as u32, 4)).collect(),
            shared: self.shared,
        };
        let unit = (ITEM as usize) << (shape.levels - 1);
        let suits = whole.is_some() || rows.is_multiple_of(unit) && columns.is_multiple_of(unit);
        let fits = LiftingImageShape::THREADS <= limits.max_invocations && shape.workgroup_bytes() <= limits.workgroup_bytes;
        (suits && fits).then_some((shape, numbers))
    }

    /// Whether the rows of a level's bands begin at multiples of `unit` lanes: of the band that is low-pass along x, and of those that are high-pass.
    fn aligned(&self, level: u32, unit: usize) -> [bool; 2] {
        let rows = self.width.is_multiple_of(unit) && self.shared.rotation == 0;
        [rows, rows && halved(self.samples[1], level + 1).is_multiple_of(unit)]
    }

    /// The uniforms of the kernels.
    fn numbers(&self, tile: [usize; 2]) -> [u32; 9] {
        let ([rows, columns], [fine, fine_row], [low, low_row]) = (self.samples, self.fine, self.low);
        let across = columns.div_ceil(tile[1]);
        [across * rows.div_ceil(tile[0]), across, rows, columns, fine, fine_row, low, low_row, self.width].map(|number| number as u32)
    }
}
