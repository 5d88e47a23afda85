//! Which launches the kernel of lifting on lines supports, and what a workgroup takes.

use super::item::{ITEM, ItemStep, fits_item};
use super::levels::starts;
use crate::gpu::limits::Limits;
use crate::plan::{Direction, Extension, LiftingStep, Plan, Precision, PyramidLayout, Ring, halved};
use crate::schedule::{Launch, LevelGroup, PyramidLevel, RemainingLevels, Schedule, Tile, pyramid_levels};

/// The most levels of a launch: a further one doubles the halo.
pub(super) const MOST_LEVELS: usize = 4;
/// Samples of a line that a single workgroup takes whole, with all levels.
const WHOLE: usize = 4096;

/// The constants of one kernel.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(in crate::gpu) struct LiftingShape {
    pub(super) steps: Vec<ItemStep>,
    pub(super) levels: usize,
    pub(super) direction: Direction,
    /// Whether the boundary extension is symmetric; periodic otherwise.
    pub(super) mirrors: bool,
    /// See [`PyramidLayout::rotation`].
    pub(super) rotation: usize,
    /// Samples of a tile at the finest level.
    pub(super) tile: usize,
    /// Whether a tile is a whole line.
    pub(super) whole: bool,
    /// Whether the samples of the finest level, or in the inverse the low coefficients, are read from the buffer that is written.
    pub(super) fine_in_output: bool,
    pub(super) low_in_output: bool,
    /// Whether they begin at multiples of 16 bytes.
    pub(super) fine_aligned: bool,
    pub(super) low_aligned: bool,
    /// The same for the high coefficients of every level.
    pub(super) high_aligned: Vec<bool>,
}

/// A plan that consists of the levels of a lifting scheme and of the permutation.
pub(super) struct LiftingLines {
    pub(super) steps: Vec<ItemStep>,
    pub(super) levels: Vec<PyramidLevel>,
    pub(super) pyramid: PyramidLayout,
    pub(super) mirrors: bool,
    /// Number of lines.
    pub(super) rows: usize,
}

fn recognise(plan: &Plan, limits: Limits) -> Option<LiftingLines> {
    let real = plan.ring == Ring::Real && limits.precision == Precision::Single;
    if !real || (plan.inputs, plan.outputs) != (plan.lanes, plan.lanes) {
        return None;
    }
    let pyramid = plan.stages.iter().find_map(|stage| stage.write.pyramid).filter(|pyramid| pyramid.rows == 1)?;
    let (levels, n) = (pyramid_levels(plan)?, pyramid.columns);
    let rows = plan.lanes / n;
    let first = levels.first()?.along_rows.first()?;
    let steps = steps_of(&levels[0])?;
    let mirrors = first.extension == Extension::Symmetric;
    let regular = levels.iter().zip(0..).all(|(level, l)| {
        let step_fits = |step: &LiftingStep| {
            let lines = if rows > 1 { step.line_stride() == Some(n) && step.n_lines() == rows } else { step.n_lines() == 1 };
            let extension = if mirrors { Extension::Symmetric } else { Extension::Periodic };
            lines && step.mirrors_evenly() && step.spacing == 1 << l && step.samples == halved(n, l) && step.extension == extension
        };
        level.along_columns.is_empty() && steps_of(level).as_ref() == Some(&steps) && level.along_rows.iter().all(step_fits)
    });
    let whole = levels.len() == pyramid.levels as usize && rows * n == plan.lanes;
    (regular && whole && fits_item(&steps)).then_some(LiftingLines { steps, levels, pyramid, mirrors, rows })
}

fn steps_of(level: &PyramidLevel) -> Option<Vec<ItemStep>> {
    level.along_rows.iter().map(ItemStep::of).collect()
}

/// The schedule of overlapped tiles, with at most `levels` levels in a launch that has more than one tile; `None` where the kernel does not support the plan.
pub(super) fn schedule(plan: &Plan, levels: Option<usize>, limits: Limits) -> Option<Schedule> {
    let lines = recognise(plan, limits)?;
    let most = levels.unwrap_or(MOST_LEVELS).clamp(1, MOST_LEVELS + 1);
    Schedule::overlapped(plan, |RemainingLevels { samples: [_, n], levels }| {
        let taken = if n <= WHOLE { levels } else { most.min(levels) };
        let tile = if n <= WHOLE { n } else { tile_samples(taken, lines.pyramid.direction) };
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
    (LiftingShape::THREADS - overlap) / unit * unit * ITEM as usize
}

/// Scratch lanes that the launches of the plan need for the low-pass values of all lines between two launches.
pub(super) fn scratch_lanes(plan: &Plan, schedule: &Schedule, limits: Limits) -> usize {
    let Some(lines) = recognise(plan, limits) else { return 0 };
    let starts = starts(&lines.levels, schedule);
    lines.beside(&starts, starts.len().saturating_sub(1)) - lines.lanes()
}

impl LiftingLines {
    pub(super) fn lanes(&self) -> usize {
        self.rows * self.pyramid.columns
    }

    /// Lanes from one line to the next of the low-pass values before a level.
    pub(super) fn pitch(&self, level: usize) -> usize {
        halved(self.pyramid.columns, level as u32).next_multiple_of(4)
    }

    /// The first scratch lane of the low-pass values before the launch that begins at level `starts[index]`; launches before it in the list are finer.
    pub(super) fn beside(&self, starts: &[usize], index: usize) -> usize {
        self.lanes().next_multiple_of(4) + starts[..index].iter().skip(1).map(|&level| self.rows * self.pitch(level)).sum::<usize>()
    }
}

/// The kernel of a launch of lines and its uniforms; `None` where the launch is unsupported.
pub(in crate::gpu) fn kernel_of(plan: &Plan, schedule: &Schedule, launch: &Launch, limits: Limits) -> Option<(LiftingShape, [u32; 9])> {
    let Tile::Overlapped { grid, .. } = launch.tile else { return None };
    let lines = recognise(plan, limits)?;
    let starts = starts(&lines.levels, schedule);
    let inside = |level: &PyramidLevel| launch.stages.contains(&level.stages.start);
    let begin = lines.levels.iter().position(inside)?;
    let levels = lines.levels.iter().filter(|level| inside(level)).count();
    let index = starts.iter().position(|&start| start == begin)?;
    let (n_line, direction) = (lines.pyramid.columns, lines.pyramid.direction);
    let n = halved(n_line, begin as u32);
    let (is_finest, is_coarsest) = (begin == 0, begin + levels == lines.levels.len());
    let (fine, fine_pitch) = if is_finest { (0, n_line) } else { (lines.beside(&starts, index), lines.pitch(begin)) };
    let (low, low_pitch) = if is_coarsest { (0, n_line) } else { (lines.beside(&starts, index + 1), lines.pitch(begin + levels)) };
    let aligned = |base: usize, pitch: usize| base.is_multiple_of(4) && (lines.rows == 1 || pitch.is_multiple_of(4));
    let tile = grid.columns >> begin;
    let whole = tile >= n && n <= WHOLE;
    let shape = LiftingShape {
        steps: lines.steps.clone(),
        levels,
        direction,
        mirrors: lines.mirrors,
        rotation: lines.pyramid.rotation,
        tile: if whole { WHOLE } else { tile },
        whole,
        fine_in_output: !is_finest,
        low_in_output: !is_coarsest,
        fine_aligned: aligned(fine, fine_pitch),
        low_aligned: aligned(low, low_pitch),
        high_aligned: (0..levels).map(|level| lines.pyramid.rotation == 0 && aligned(halved(n, level as u32 + 1), n_line)).collect(),
    };
    let unit = (ITEM as usize) << (levels - 1);
    let suits = whole || tile.is_multiple_of(unit) && shape.areas()[0] * 16 <= limits.workgroup_bytes;
    let fits = shape.workgroup_bytes() <= limits.workgroup_bytes && LiftingShape::THREADS <= limits.max_invocations;
    let tiles = if whole { 1 } else { n.div_ceil(tile) };
    let numbers = [tiles * lines.rows, tiles, n, fine, fine_pitch, low, low_pitch, n_line, 0];
    (suits && fits && levels > 0).then(|| (shape, numbers.map(|number| number as u32)))
}

impl LiftingShape {
    /// Threads of a workgroup.
    pub(super) const THREADS: usize = 256;

    /// Whether the kernel reads only the buffer that it writes.
    pub(in crate::gpu) fn in_place(&self) -> bool {
        self.direction == Direction::Forward && self.fine_in_output
    }

    /// Whether the kernel reads the input of the plan, and between launches the buffer that it writes.
    pub(in crate::gpu) fn reads_input(&self) -> bool {
        self.direction == Direction::Inverse
    }

    /// Items of the halo on either side of the tile.
    pub(super) fn halo(&self, level: usize) -> usize {
        match self.direction {
            _ if self.whole => 0,
            Direction::Forward => (1 << (self.levels - 1 - level)) - 1,
            Direction::Inverse => usize::from(level > 0),
        }
    }

    /// The most items of a level.
    pub(super) fn items(&self, level: usize) -> usize {
        self.tile.div_ceil((ITEM as usize) << level) + 2 * self.halo(level)
    }

    /// Vectors of samples of a level that are exchanged.
    pub(super) fn vectors(&self, level: usize) -> usize {
        let more = if self.whole { 3 } else { 0 };
        more + match self.direction {
            Direction::Forward => self.items(level - 1),
            Direction::Inverse => 2 * self.items(level),
        }
    }

    /// Vectors of these before the first sample of the tile.
    pub(super) fn vectors_before(&self, level: usize) -> usize {
        match self.direction {
            _ if self.whole => 1,
            Direction::Forward => 2 * self.halo(level) + 1,
            Direction::Inverse => 2 * self.halo(level),
        }
    }

    /// Vectors of the two areas of workgroup memory.
    pub(super) fn areas(&self) -> [usize; 2] {
        let first = if self.direction == Direction::Forward { 0 } else { 1 };
        let size = |parity: usize| {
            (1..self.levels).filter(|level| (level - 1 + first) % 2 == parity).map(|level| self.vectors(level)).max().unwrap_or(1)
        };
        [size(0), size(1)]
    }

    pub(super) fn workgroup_bytes(&self) -> usize {
        16 * self.areas().iter().sum::<usize>()
    }
}
