//! The fast kernel of wavelet transforms of pictures by lifting: which launches it serves, and what a workgroup takes.
//!
//! A launch is a group of levels along both axes in overlapped tiles. High bands go straight to their place in the Mallat layout; what is low-pass along both axes after the last level of a launch stands beside the lanes of the plan, where the next launch reads it.

mod analysis;
mod synthesis;
mod text;

pub(in crate::gpu) use text::source;

use super::starts;
use super::steps::{self, ITEM, SIDE, Step};
use crate::gpu::{Kernel, Limits};
use crate::plan::{Direction, Fold, LiftingStep, Plan, Precision, Pyramid, Ring, halved};
use crate::schedule::{Group, Launch, Left, Level, Schedule, Tile, pyramid_levels};

/// Rows and columns of a tile of one level and of two: rows of four neighbouring bands fill whole pieces of 32 bytes, and several tiles fit a processor. They were measured to be the fastest.
const TILES: [[usize; 2]; 2] = [[32, 64], [32, 32]];
/// Levels of a launch at most: a further one doubles what is computed twice.
pub(super) const MOST_LEVELS: usize = TILES.len();
/// Samples of a picture whose levels wait for their launches and not for their bytes, so that two in one launch are faster.
const FEW: usize = 1 << 18;
/// The side of a picture that a single workgroup takes whole, with all levels, and the workgroup memory that it needs.
const WHOLE: usize = 64;
const WHOLE_BYTES: usize = 23 << 10;
/// Samples of a line of which no sample that counts is farther away than one reflection or one turn.
const NEAR_MIRRORED: usize = 5;
const NEAR_WRAPPED: usize = 28;

/// The constants of one kernel.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PictureShape {
    steps_x: Vec<Step>,
    steps_y: Vec<Step>,
    levels: usize,
    direction: Direction,
    /// What stands past the ends: the mirrored picture, or the picture again.
    mirrors: bool,
    /// See [`Pyramid::turn`].
    turn: usize,
    /// Rows and columns of a tile at the finest level.
    rows: usize,
    columns: usize,
    /// Whether a tile is the whole picture.
    whole: bool,
    /// Whether nothing that is read is farther past an end than the picture is long, at any level.
    near: bool,
    /// Whether the samples of the finest level, or on the way back what is low-pass along both axes, are read from the buffer that is written.
    fine_after: bool,
    low_after: bool,
    /// Whether their rows begin at multiples of 16 bytes.
    fine_aligned: bool,
    low_aligned: bool,
    /// The same of the other bands of every level: of those that are low-pass along x, and of those that are high-pass.
    high_aligned: Vec<[bool; 2]>,
}

/// A plan that consists of the levels of a lifting scheme along both axes and of the permutation.
struct Picture {
    steps_x: Vec<Step>,
    steps_y: Vec<Step>,
    levels: Vec<Level>,
    pyramid: Pyramid,
    mirrors: bool,
}

fn recognise(plan: &Plan, limits: Limits) -> Option<Picture> {
    let real = plan.ring == Ring::Real && limits.precision == Precision::Single;
    let pyramid = plan.stages.iter().find_map(|stage| stage.write.pyramid).filter(|pyramid| pyramid.rows > 1)?;
    if !real || plan.lanes != pyramid.lanes() || (plan.inputs, plan.outputs) != (plan.lanes, plan.lanes) {
        return None;
    }
    let levels = pyramid_levels(plan)?;
    let mirrors = levels.first()?.along_rows.first()?.fold == Fold::Mirror;
    let fold = if mirrors { Fold::Mirror } else { Fold::Wrap };
    let (steps_x, steps_y) = (of(&levels[0].along_rows)?, of(&levels[0].along_columns)?);
    let regular = levels.iter().zip(0..).all(|(level, l)| {
        let [rows, columns] = [pyramid.rows, pyramid.columns].map(|n| halved(n, l));
        let fits = |step: &LiftingStep, spacing: usize, samples: usize, lines: usize| {
            step.mirrors_evenly() && (step.spacing, step.samples, step.n_lines(), step.fold) == (spacing << l, samples, lines, fold)
        };
        let both = !level.along_rows.is_empty() && !level.along_columns.is_empty();
        let same = of(&level.along_rows).as_ref() == Some(&steps_x) && of(&level.along_columns).as_ref() == Some(&steps_y);
        both && same
            && level.along_rows.iter().all(|step| fits(step, 1, columns, rows))
            && level.along_columns.iter().all(|step| fits(step, pyramid.columns, rows, columns))
    });
    let whole = levels.len() == pyramid.levels as usize;
    (regular && whole && steps::fit(&steps_x) && steps::fit(&steps_y)).then_some(Picture { steps_x, steps_y, levels, pyramid, mirrors })
}

fn of(steps: &[LiftingStep]) -> Option<Vec<Step>> {
    steps.iter().map(Step::of).collect()
}

/// The schedule of overlapped tiles, with so many levels in a launch that has more than one tile where it is said; `None` where the kernel does not serve the plan.
pub(in crate::gpu) fn schedule(plan: &Plan, levels: Option<usize>, limits: Limits) -> Option<Schedule> {
    recognise(plan, limits)?;
    Schedule::overlapped(plan, |Left { samples: [rows, columns], levels: left }| {
        if rows.max(columns) <= whole(limits) {
            return Group { levels: left, tile: [rows, columns] };
        }
        let most = levels.unwrap_or(if rows * columns <= FEW { MOST_LEVELS } else { 1 }).clamp(1, MOST_LEVELS);
        let taken = most.min(left);
        Group { levels: taken, tile: TILES[taken - 1] }
    })
}

/// The side of a picture that a single workgroup takes whole, with all levels.
fn whole(limits: Limits) -> usize {
    if limits.workgroup_bytes < WHOLE_BYTES { WHOLE / 2 } else { WHOLE }
}

/// Lanes that the launches need beside those of the plan: what is low-pass along both axes between two of them.
pub(super) fn lanes_beside(plan: &Plan, schedule: &Schedule, limits: Limits) -> usize {
    recognise(plan, limits).map_or(0, |picture| {
        let starts = starts(&picture.levels, schedule);
        picture.beside(&starts, starts.len().saturating_sub(1)) - plan.lanes
    })
}

impl Picture {
    /// Lanes from one row to the next of what is left before a level.
    fn row(&self, level: usize) -> usize {
        halved(self.pyramid.columns, level as u32).next_multiple_of(4)
    }

    /// Where what is left before the launch that begins at level `starts[index]` stands beside the plan; launches before it in the list are finer.
    fn beside(&self, starts: &[usize], index: usize) -> usize {
        let size = |&level: &usize| halved(self.pyramid.rows, level as u32) * self.row(level);
        self.pyramid.lanes().next_multiple_of(4) + starts[..index].iter().skip(1).map(size).sum::<usize>()
    }
}

/// The kernel that serves a launch, and its numbers; `None` where it does not serve it.
pub(super) fn serving(plan: &Plan, schedule: &Schedule, launch: &Launch, limits: Limits) -> Option<(Kernel, [u32; 9])> {
    let Tile::Overlapped { grid, .. } = launch.tile else { return None };
    let picture = recognise(plan, limits)?;
    let starts = starts(&picture.levels, schedule);
    let inside = |level: &Level| launch.stages.contains(&level.stages.start);
    let begin = picture.levels.iter().position(inside)?;
    let levels = picture.levels.iter().filter(|level| inside(level)).count();
    let index = starts.iter().position(|&start| start == begin)?;
    let Pyramid { direction, turn, columns: width, .. } = picture.pyramid;
    let [rows, columns] = picture.levels[begin].samples();
    let (is_finest, is_coarsest) = (begin == 0, begin + levels == picture.levels.len());
    let (fine, fine_row) = if is_finest { (0, width) } else { (picture.beside(&starts, index), picture.row(begin)) };
    let (low, low_row) = if is_coarsest { (0, width) } else { (picture.beside(&starts, index + 1), picture.row(begin + levels)) };
    let tile = [grid.rows, grid.columns >> begin];
    let side = whole(limits);
    let whole = rows.max(columns) <= side && tile[0] >= rows && tile[1] >= columns;
    let band_aligned = |level: usize| turn == 0 && width.is_multiple_of(4) && halved(columns, level as u32 + 1).is_multiple_of(4);
    let [coarsest_rows, coarsest_columns] = picture.levels[begin + levels - 1].samples();
    let shape = PictureShape {
        steps_x: picture.steps_x,
        steps_y: picture.steps_y,
        levels,
        direction,
        mirrors: picture.mirrors,
        turn,
        rows: if whole { side } else { tile[0] },
        columns: if whole { side } else { tile[1] },
        whole,
        near: coarsest_rows.min(coarsest_columns) >= if picture.mirrors { NEAR_MIRRORED } else { NEAR_WRAPPED },
        fine_after: !is_finest,
        low_after: !is_coarsest,
        fine_aligned: fine_row.is_multiple_of(4),
        low_aligned: low_row.is_multiple_of(4),
        high_aligned: (0..levels).map(|level| [turn == 0 && width.is_multiple_of(4), band_aligned(level)]).collect(),
    };
    let across = columns.div_ceil(shape.columns);
    let n_groups = across * rows.div_ceil(shape.rows);
    let numbers = [n_groups, across, rows, columns, fine, fine_row, low, low_row, width].map(|number| number as u32);
    let unit = (ITEM as usize) << (levels.max(1) - 1);
    let suits = whole || shape.rows.is_multiple_of(unit) && shape.columns.is_multiple_of(unit);
    let fits = shape.workgroup_bytes() <= limits.workgroup_bytes && shape.threads() <= limits.max_invocations;
    (suits && fits && levels > 0).then_some((Kernel::LiftingPicture(shape), numbers))
}

impl PictureShape {
    /// Threads of a workgroup: of tiles of one level half as many as have an item in the second pass, so that more of them fit a processor.
    fn threads(&self) -> usize {
        if self.levels == 1 && !self.whole { 128 } else { 256 }
    }

    /// Items of a tile at a level, down and across.
    fn items(&self, level: usize) -> [usize; 2] {
        [self.rows, self.columns].map(|n| n.div_ceil((ITEM as usize) << level))
    }

    /// Items on every side of the tile that are computed for the sake of its own.
    fn around(&self, level: usize) -> usize {
        match self.direction {
            _ if self.whole => 0,
            Direction::Forward => (1 << (self.levels - 1 - level)) - 1,
            Direction::Inverse => usize::from(level > 0),
        }
    }

    /// Samples on every side of the tile that are read forward.
    fn halo(&self, level: usize) -> usize {
        ITEM as usize * self.around(level) + SIDE as usize
    }

    /// How far from the tile samples of the finest level are whose neighbourhood is read.
    fn reach(&self) -> usize {
        match self.direction {
            Direction::Forward => self.halo(0),
            Direction::Inverse => (0..self.levels).map(|level| (ITEM as usize * (self.around(level) + 1)) << level).max().unwrap_or(0),
        }
    }

    /// Whether what is past the ends of the picture has to be found inside it where levels wait in workgroup memory.
    /// Where the picture goes on without an end, tiles have computed what is there.
    fn folds_kept(&self) -> bool {
        self.mirrors || self.whole
    }

    /// Vectors of a row between the two passes of a level.
    fn pitch(&self, level: usize) -> usize {
        let own = 2 * (self.items(level)[1] + 2 * self.around(level));
        own + if self.direction == Direction::Forward { 2 } else { 0 }
    }

    /// Rows of low coefficients between the two passes of a level forward.
    fn low_rows(&self, level: usize) -> usize {
        ITEM as usize / 2 * (self.items(level)[0] + 2 * self.around(level))
    }

    /// Rows of what waits for a level in workgroup memory, and samples of them before the first one of the tile.
    fn kept_rows(&self, level: usize) -> usize {
        match self.direction {
            Direction::Forward => self.low_rows(level - 1),
            Direction::Inverse => ITEM as usize * (self.items(level)[0] + 2 * self.around(level)),
        }
    }

    /// Vectors of a row of what waits for a level in workgroup memory.
    fn kept_pitch(&self, level: usize) -> usize {
        match self.direction {
            Direction::Forward => self.items(level - 1)[1] + 2 * self.around(level - 1),
            Direction::Inverse => self.pitch(level),
        }
    }

    /// Vectors between the passes of a level, and between levels.
    fn vectors(&self) -> [usize; 2] {
        let held = |level: usize| {
            let rows = match self.direction {
                Direction::Forward => self.low_rows(level) + ITEM as usize / 2 * self.items(level)[0],
                Direction::Inverse => ITEM as usize * (self.items(level)[0] + 2 * self.around(level) + 1),
            };
            rows * self.pitch(level)
        };
        let kept = (1..self.levels).map(|level| self.kept_rows(level) * self.kept_pitch(level)).max();
        [(0..self.levels).map(held).max().unwrap_or(1), kept.unwrap_or(1)]
    }

    fn workgroup_bytes(&self) -> usize {
        16 * self.vectors().iter().sum::<usize>()
    }

    /// Whether the kernel reads nothing but what it writes to.
    pub fn in_place(&self) -> bool {
        self.direction == Direction::Forward && self.fine_after
    }

    /// Whether the kernel reads the input of the plan and, between launches, what it writes to.
    pub fn reads_input(&self) -> bool {
        self.direction == Direction::Inverse
    }
}
