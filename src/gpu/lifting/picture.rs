//! The fast kernel of wavelet transforms of pictures by lifting: which launches it serves, and what a workgroup takes.
//!
//! A launch is a group of levels along both axes in overlapped tiles. High bands go straight to their place in the Mallat layout; what is low-pass along both axes after the last level of a launch stands beside the lanes of the plan, where the next launch reads it.

mod analysis;
mod level;
mod synthesis;
mod text;

pub(in crate::gpu) use level::{LevelShape, source as level_source};
pub(in crate::gpu) use text::source;

use super::starts;
use super::steps::{self, ITEM, SIDE, Step};
use crate::gpu::{Kernel, Limits};
use crate::plan::{Direction, Fold, LiftingStep, Plan, Precision, Pyramid, Ring, halved};
use crate::schedule::{Group, Launch, Left, Level, Schedule, Tile, pyramid_levels};
use level::Lanes;

/// Rows and columns of a tile of two levels, which was measured to be the fastest.
const TILE: [usize; 2] = [32, 32];
/// Levels of a launch at most: a further one doubles what is computed twice.
pub(super) const MOST_LEVELS: usize = 2;
/// Samples of a picture whose levels wait for their launches and not for their bytes, so that on the way back two in one launch are faster.
const FEW: usize = 1 << 18;
/// The side of a picture that a single workgroup takes whole, with all levels, and the workgroup memory that it needs.
const WHOLE: usize = 64;
const WHOLE_BYTES: usize = 23 << 10;
/// Samples of a line of which no sample that counts is farther away than one reflection or one turn.
const NEAR_MIRRORED: usize = 5;
const NEAR_WRAPPED: usize = 28;

/// What the kernels of pictures have in common.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Shared {
    steps_x: Vec<Step>,
    steps_y: Vec<Step>,
    direction: Direction,
    /// What stands past the ends: the mirrored picture, or the picture again.
    mirrors: bool,
    /// See [`Pyramid::turn`].
    turn: usize,
    /// Whether nothing that is read is farther past an end than the picture is long, at any level.
    near: bool,
    /// Whether the samples of the finest level, or on the way back what is low-pass along both axes, are read from the buffer that is written.
    fine_after: bool,
    low_after: bool,
}

impl Shared {
    /// Whether the kernel reads nothing but what it writes to.
    fn in_place(&self) -> bool {
        self.direction == Direction::Forward && self.fine_after
    }

    /// Whether the kernel reads the input of the plan and, between launches, what it writes to.
    fn reads_input(&self) -> bool {
        self.direction == Direction::Inverse
    }
}

/// The constants of the kernel that holds tiles of several levels, or a whole picture, in workgroup memory.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PictureShape {
    shared: Shared,
    levels: usize,
    /// Rows and columns of a tile at the finest level.
    rows: usize,
    columns: usize,
    /// Whether a tile is the whole picture.
    whole: bool,
    /// Whether the rows of the samples, and those of what is low-pass along both axes, begin at multiples of 16 bytes.
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
    let is_inverse = recognise(plan, limits)?.pyramid.direction == Direction::Inverse;
    Schedule::overlapped(plan, |Left { samples: [rows, columns], levels: left }| {
        if rows.max(columns) <= whole(limits) {
            return Group { levels: left, tile: [rows, columns] };
        }
        let most = levels.unwrap_or(if is_inverse && rows * columns <= FEW { MOST_LEVELS } else { 1 }).clamp(1, MOST_LEVELS);
        let taken = most.min(left);
        Group { levels: taken, tile: if taken == 1 { Lanes::on(limits).tile() } else { TILE } }
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

/// What a launch takes of a picture, whichever kernel serves it.
struct Part {
    shared: Shared,
    levels: usize,
    /// Rows and columns of what the finest level halves, and of a tile of it.
    samples: [usize; 2],
    tile: [usize; 2],
    /// Where the samples stand, and lanes from one row to the next; the same of what is low-pass along both axes.
    fine: [usize; 2],
    low: [usize; 2],
    /// Lanes of a row of the other bands.
    width: usize,
}

/// The kernel that serves a launch, and its numbers; `None` where it does not serve it.
pub(super) fn serving(plan: &Plan, schedule: &Schedule, launch: &Launch, limits: Limits) -> Option<(Kernel, [u32; 9])> {
    let part = recognise(plan, limits)?.part(schedule, launch)?;
    let side = whole(limits);
    let is_whole = part.samples.into_iter().zip(part.tile).all(|(samples, tile)| samples <= tile.min(side));
    match part.levels {
        0 => None,
        1 if !is_whole => part.level(limits),
        _ => part.in_memory(is_whole.then_some(side), limits),
    }
}

impl Picture {
    fn part(self, schedule: &Schedule, launch: &Launch) -> Option<Part> {
        let Tile::Overlapped { grid, .. } = launch.tile else { return None };
        let starts = starts(&self.levels, schedule);
        let inside = |level: &Level| launch.stages.contains(&level.stages.start);
        let begin = self.levels.iter().position(inside)?;
        let levels = self.levels.iter().filter(|level| inside(level)).count();
        let index = starts.iter().position(|&start| start == begin)?;
        let Pyramid { direction, turn, columns: width, .. } = self.pyramid;
        let (is_finest, is_coarsest) = (begin == 0, begin + levels == self.levels.len());
        let fine = if is_finest { [0, width] } else { [self.beside(&starts, index), self.row(begin)] };
        let low = if is_coarsest { [0, width] } else { [self.beside(&starts, index + 1), self.row(begin + levels)] };
        let [rows, columns] = self.levels[begin + levels - 1].samples();
        let near = rows.min(columns) >= if self.mirrors { NEAR_MIRRORED } else { NEAR_WRAPPED };
        let samples = self.levels[begin].samples();
        let Self { steps_x, steps_y, mirrors, .. } = self;
        let shared = Shared { steps_x, steps_y, direction, mirrors, turn, near, fine_after: !is_finest, low_after: !is_coarsest };
        Some(Part { shared, levels, samples, tile: [grid.rows, grid.columns >> begin], fine, low, width })
    }
}

impl Part {
    /// The kernel of a single level.
    fn level(self, limits: Limits) -> Option<(Kernel, [u32; 9])> {
        let lanes = Lanes::on(limits);
        let [fine_aligned, low_aligned] = [self.fine[1].is_multiple_of(4), self.low[1].is_multiple_of(2)];
        let high_aligned = self.aligned(0, 2);
        let regular = self.samples[1].is_multiple_of(4) && fine_aligned && low_aligned && high_aligned == [true; 2];
        let numbers = self.numbers(lanes.tile());
        let suits = self.tile == lanes.tile();
        let shape = LevelShape { shared: self.shared, fine_aligned, low_aligned, high_aligned, regular, lanes };
        let fits = shape.threads() <= limits.max_invocations && shape.workgroup_bytes() <= limits.workgroup_bytes;
        (suits && fits).then_some((Kernel::LiftingLevel(shape), numbers))
    }

    /// The kernel of tiles in workgroup memory, perhaps of one that has `whole` rows and columns and is the whole picture.
    fn in_memory(self, whole: Option<usize>, limits: Limits) -> Option<(Kernel, [u32; 9])> {
        let [rows, columns] = whole.map_or(self.tile, |side| [side; 2]);
        let numbers = self.numbers([rows, columns]);
        let shape = PictureShape {
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
        let fits = PictureShape::THREADS <= limits.max_invocations && shape.workgroup_bytes() <= limits.workgroup_bytes;
        (suits && fits).then_some((Kernel::LiftingPicture(shape), numbers))
    }

    /// Whether the rows of a level's bands begin at multiples of so many lanes: of those that are low-pass along x, and of those that are high-pass.
    fn aligned(&self, level: u32, unit: usize) -> [bool; 2] {
        let rows = self.width.is_multiple_of(unit) && self.shared.turn == 0;
        [rows, rows && halved(self.samples[1], level + 1).is_multiple_of(unit)]
    }

    /// What the kernels find in their uniform buffer.
    fn numbers(&self, tile: [usize; 2]) -> [u32; 9] {
        let ([rows, columns], [fine, fine_row], [low, low_row]) = (self.samples, self.fine, self.low);
        let across = columns.div_ceil(tile[1]);
        [across * rows.div_ceil(tile[0]), across, rows, columns, fine, fine_row, low, low_row, self.width].map(|number| number as u32)
    }
}

impl PictureShape {
    /// Threads of a workgroup.
    const THREADS: usize = 256;

    /// Items of a tile at a level, down and across.
    fn items(&self, level: usize) -> [usize; 2] {
        [self.rows, self.columns].map(|n| n.div_ceil((ITEM as usize) << level))
    }

    /// Items on every side of the tile that are computed for the sake of its own.
    fn around(&self, level: usize) -> usize {
        match self.shared.direction {
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
        match self.shared.direction {
            Direction::Forward => self.halo(0),
            Direction::Inverse => (0..self.levels).map(|level| (ITEM as usize * (self.around(level) + 1)) << level).max().unwrap_or(0),
        }
    }

    /// Whether what is past the ends of the picture has to be found inside it where levels wait in workgroup memory.
    /// Where the picture goes on without an end, tiles have computed what is there.
    fn folds_kept(&self) -> bool {
        self.shared.mirrors || self.whole
    }

    /// Vectors of a row between the two passes of a level.
    fn pitch(&self, level: usize) -> usize {
        let own = 2 * (self.items(level)[1] + 2 * self.around(level));
        own + if self.shared.direction == Direction::Forward { 2 } else { 0 }
    }

    /// Rows of low coefficients between the two passes of a level forward.
    fn low_rows(&self, level: usize) -> usize {
        ITEM as usize / 2 * (self.items(level)[0] + 2 * self.around(level))
    }

    /// Rows of what waits for a level in workgroup memory, and samples of them before the first one of the tile.
    fn kept_rows(&self, level: usize) -> usize {
        match self.shared.direction {
            Direction::Forward => self.low_rows(level - 1),
            Direction::Inverse => ITEM as usize * (self.items(level)[0] + 2 * self.around(level)),
        }
    }

    /// Vectors of a row of what waits for a level in workgroup memory.
    fn kept_pitch(&self, level: usize) -> usize {
        match self.shared.direction {
            Direction::Forward => self.items(level - 1)[1] + 2 * self.around(level - 1),
            Direction::Inverse => self.pitch(level),
        }
    }

    /// Vectors between the passes of a level, and between levels.
    fn vectors(&self) -> [usize; 2] {
        let held = |level: usize| {
            let rows = match self.shared.direction {
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
        self.shared.in_place()
    }

    /// Whether the kernel reads the input of the plan and, between launches, what it writes to.
    pub fn reads_input(&self) -> bool {
        self.shared.reads_input()
    }
}
