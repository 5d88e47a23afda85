//! The fast kernel of wavelet transforms of pictures by lifting: one level along both axes in a launch.
//!
//! High bands go straight to their place in the Mallat layout; what is low-pass along both axes stands beside the lanes of the plan, where the next launch reads it.

mod text;

pub(in crate::gpu) use text::source;

use super::steps::{self, Step};
use crate::gpu::{Kernel, Limits};
use crate::plan::{Direction, Fold, LiftingStep, Plan, Precision, Pyramid, Ring, halved};
use crate::schedule::{Group, Launch, Level, Schedule, Tile, pyramid_levels};

/// Columns of a tile: a row of it fills 128 bytes.
const COLUMNS: usize = 32;
/// Rows of a tile, forward and back: as many as give every thread one item at a time, which was measured to be the fastest.
const ROWS: [usize; 2] = [56, 40];

/// The constants of one kernel.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PictureShape {
    steps_x: Vec<Step>,
    steps_y: Vec<Step>,
    direction: Direction,
    /// What stands past the ends: the mirrored picture, or the picture again.
    mirrors: bool,
    /// See [`Pyramid::turn`].
    turn: usize,
    /// Rows and columns of a tile.
    rows: usize,
    columns: usize,
    /// Whether the samples, or on the way back what is low-pass along both axes, are read from the buffer that is written.
    fine_after: bool,
    low_after: bool,
    /// Whether rows of samples begin at multiples of 16 bytes.
    fine_aligned: bool,
}

/// A plan that consists of the levels of a lifting scheme along both axes and of the permutation.
struct Picture {
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
    let regular = levels.iter().zip(0..).all(|(level, l)| {
        let [rows, columns] = [pyramid.rows, pyramid.columns].map(|n| halved(n, l));
        let fits = |step: &LiftingStep, spacing: usize, samples: usize, lines: usize| {
            (step.spacing, step.samples, step.n_lines(), step.fold) == (spacing << l, samples, lines, fold)
        };
        let both = !level.along_rows.is_empty() && !level.along_columns.is_empty();
        both && level.along_rows.iter().all(|step| fits(step, 1, columns, rows))
            && level.along_columns.iter().all(|step| fits(step, pyramid.columns, rows, columns))
            && [&level.along_rows, &level.along_columns].into_iter().all(|steps| of(steps).is_some_and(|steps| steps::fit(&steps)))
    });
    let whole = levels.len() == pyramid.levels as usize;
    (regular && whole).then_some(Picture { levels, pyramid, mirrors })
}

fn of(steps: &[LiftingStep]) -> Option<Vec<Step>> {
    steps.iter().map(Step::of).collect()
}

/// The schedule of overlapped tiles, a launch a level; `None` where the kernel does not serve the plan.
pub(in crate::gpu) fn schedule(plan: &Plan, limits: Limits) -> Option<Schedule> {
    let picture = recognise(plan, limits)?;
    let rows = ROWS[usize::from(picture.pyramid.direction == Direction::Inverse)];
    Schedule::overlapped(plan, |_| Group { levels: 1, tile: [rows, COLUMNS] })
}

/// Lanes that the launches need beside those of the plan: what is low-pass along both axes between two of them.
pub(super) fn lanes_beside(plan: &Plan, limits: Limits) -> usize {
    recognise(plan, limits).map_or(0, |picture| picture.beside(picture.levels.len()) - plan.lanes)
}

impl Picture {
    /// Lanes from one row to the next of what is left before a level.
    fn row(&self, level: usize) -> usize {
        halved(self.pyramid.columns, level as u32).next_multiple_of(4)
    }

    /// Where what is left before a level stands beside the plan.
    fn beside(&self, level: usize) -> usize {
        let size = |level: usize| halved(self.pyramid.rows, level as u32) * self.row(level);
        self.pyramid.lanes().next_multiple_of(4) + (1..level).map(size).sum::<usize>()
    }
}

/// The kernel that serves a launch, and its numbers; `None` where it does not serve it.
pub(super) fn serving(plan: &Plan, launch: &Launch, limits: Limits) -> Option<(Kernel, [u32; 9])> {
    let Tile::Overlapped { grid, .. } = launch.tile else { return None };
    let picture = recognise(plan, limits)?;
    let inside = |level: &Level| launch.stages.contains(&level.stages.start);
    let index = picture.levels.iter().position(inside).filter(|_| picture.levels.iter().filter(|level| inside(level)).count() == 1)?;
    let level = &picture.levels[index];
    let Pyramid { direction, turn, columns: width, .. } = picture.pyramid;
    let [rows, columns] = level.samples();
    let (is_finest, is_coarsest) = (index == 0, index + 1 == picture.levels.len());
    let (fine, fine_row) = if is_finest { (0, width) } else { (picture.beside(index), picture.row(index)) };
    let (low, low_row) = if is_coarsest { (0, width) } else { (picture.beside(index + 1), picture.row(index + 1)) };
    let shape = PictureShape {
        steps_x: of(&level.along_rows)?,
        steps_y: of(&level.along_columns)?,
        direction,
        mirrors: picture.mirrors,
        turn,
        rows: grid.rows,
        columns: grid.columns >> index,
        fine_after: !is_finest,
        low_after: !is_coarsest,
        fine_aligned: fine_row.is_multiple_of(4),
    };
    let across = columns.div_ceil(shape.columns);
    let n_groups = across * rows.div_ceil(shape.rows);
    let numbers = [n_groups, across, rows, columns, fine, fine_row, low, low_row, width].map(|number| number as u32);
    let suits = shape.rows.is_multiple_of(8) && shape.columns.is_multiple_of(8);
    let fits = 16 * shape.held() <= limits.workgroup_bytes && PictureShape::THREADS <= limits.max_invocations;
    (suits && fits).then(|| (Kernel::LiftingPicture(shape), numbers))
}

impl PictureShape {
    /// Threads of a workgroup.
    const THREADS: usize = 256;

    /// Vectors in workgroup memory.
    fn held(&self) -> usize {
        match self.direction {
            Direction::Forward => (self.rows + 8) * self.columns / 4,
            Direction::Inverse => self.rows * (self.columns + 16) / 4,
        }
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
