//! The kernel of filter banks in sections and in overlapped tiles: which launches it serves, and what a workgroup takes.
//!
//! F. Argüello et al. 2012, section 3: such a bank is not in place, so that a split keeps what its merge needs at the borders.
//! The closed form of the sections, [`FilterRun::borders`], is compared with what is derived from the plan in `tests/filters.rs`.

mod places;
mod text;

pub(super) use places::lanes_beside;
pub(super) use text::source;

use super::lower::LowerError;
use super::{Kernel, Limits};
use crate::plan::{Plan, Precision, Ring};
use crate::schedule::{FilterLevel, FilterRun, Group, Launch, Left, Memory, Schedule, Section, Threads, Tile};
use places::Places;

/// Levels of a launch of overlapped tiles at most: a further one doubles what is computed twice.
const MOST_LEVELS: usize = 4;
/// Samples of an overlapped tile, four for each thread.
const TILE: usize = 1024;
/// Samples of a line that a single workgroup takes whole, with all levels.
const WHOLE: usize = 4096;
/// Threads of a workgroup of overlapped tiles.
const THREADS: usize = 256;

/// The constants of one kernel.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FilterShape {
    part: Part,
    memory: Memory,
    threads: Threads,
    /// The first sample that value p is made of, counted from sample 2p, and the bits of the coefficients of both filters.
    first: i64,
    coefs: [Vec<u64>; 2],
    levels: Vec<ShapeLevel>,
    /// Whether a level halves both halves of the one before.
    is_tree: bool,
    /// Samples of a tile.
    tile: usize,
    /// Whether a tile is a whole line, which is a circle.
    whole: bool,
    /// Samples that are kept around a border.
    kept: usize,
    /// Units of a workgroup.
    units: usize,
    /// Whether these are neighbouring columns of a picture.
    across: bool,
    /// Threads of a workgroup.
    block: usize,
    /// Whether samples are read from the buffer that is written.
    in_place: bool,
}

/// What a launch makes of its run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    /// What tiles finish alone; something may be left to a merge.
    Split { merged: bool },
    /// What is left around borders.
    Merge,
    /// Everything.
    Overlapped,
}

/// A level: the samples that it reads, in every block, and the values that it makes of them, counted from the origin of the unit.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct ShapeLevel {
    /// Where the unit holds the samples of the first block, the sample that comes first, and how many there are of a block.
    offset: usize,
    from: i64,
    width: usize,
    /// The first value, and the one behind the last, counted from the end of the tile; so many at most.
    first: i64,
    behind: i64,
    values: usize,
    /// The samples around a border that are kept for its merge: the first one, how many, and the number of the first among all that are kept.
    kept_from: i64,
    kept_width: usize,
    kept_offset: usize,
    /// Whether the halves of every second block change places.
    exchanges: bool,
}

/// The kernel that serves a launch, its numbers, and whether lanes that it does not write must be copied before; `None` where it does not serve it.
pub(super) fn serving(plan: &Plan, schedule: &Schedule, launch: &Launch, limits: Limits) -> Option<(Kernel, [u32; 20], bool)> {
    let (shape, run, places) =
        shape(plan, schedule, launch, limits).filter(|(shape, ..)| shape.workgroup_bytes() <= limits.workgroup_bytes)?;
    let step = run.finest();
    let units = step.samples.div_ceil(shape.tile);
    let groups_of_units =
        if shape.across { step.n_lines.div_ceil(shape.units) * units } else { (step.n_lines * units).div_ceil(shape.units) };
    let mut numbers = [0; 20];
    let head = [groups_of_units, units, step.n_lines, step.samples, places.low_lines, places.kept];
    let ends = [places.source, places.low, places.high].map(|place| [place.first, place.line, place.step]);
    // The numbers of a place begin at multiples of 16 bytes.
    for (at, number) in (0..).zip(head).chain((8..).zip(ends[0])).chain((12..).zip(ends[1])).chain((16..).zip(ends[2])) {
        numbers[at] = number as u32;
    }
    let carries = places.carries && shape.part != Part::Merge;
    Some((Kernel::Filters(shape), numbers, carries))
}

/// Why the kernel does not serve a launch of a filter bank; `None` where it does, or where the launch is none of a filter bank.
pub(super) fn misfit(plan: &Plan, schedule: &Schedule, index: usize, limits: Limits) -> Option<LowerError> {
    let (shape, ..) = shape(plan, schedule, &schedule.launches[index], limits)?;
    let fits = limits.workgroup_bytes / limits.precision.bytes_per_lane(plan.ring);
    (shape.held() > fits).then_some(LowerError::Tile { launch: index, lanes: shape.held(), fits })
}

/// The schedule of overlapped tiles, with at most so many levels in a launch that has more than one tile of a line; `None` where the kernel does not serve the plan.
pub(super) fn schedule(plan: &Plan, levels: Option<usize>, limits: Limits) -> Option<Schedule> {
    let most = levels.unwrap_or(MOST_LEVELS).clamp(1, MOST_LEVELS + 1);
    // Both parts of the memory hold a line.
    let whole = WHOLE.min(limits.workgroup_bytes / (2 * limits.precision.bytes_per_lane(Ring::Real)));
    let is_line = plan.stages.iter().all(|stage| !stage.is_across() && stage.read.step == 1);
    let schedule = Schedule::overlapped(plan, |Left { samples: [_, n], levels }| {
        let taken = if n <= whole { levels } else { most.min(levels) };
        Group { levels: taken, tile: [1, if n <= whole { n } else { TILE }] }
    });
    let is_served = |schedule: &Schedule| schedule.launches.iter().all(|launch| serving(plan, schedule, launch, limits).is_some());
    schedule.filter(|schedule| is_line && is_served(schedule))
}

fn shape(plan: &Plan, schedule: &Schedule, launch: &Launch, limits: Limits) -> Option<(FilterShape, FilterRun, Places)> {
    if !matches!(launch.tile, Tile::Section { .. } | Tile::Overlapped { .. }) {
        return None;
    }
    let real = plan.ring == Ring::Real && limits.precision == Precision::Single;
    let run = FilterRun::of(plan, launch.stages.clone()).filter(|_| real && (plan.inputs, plan.outputs) == (plan.lanes, plan.lanes))?;
    let index = schedule.launches.iter().position(|other| other == launch)?;
    let places = places::places(plan, schedule, index)?;
    let (part, grid, memory, threads) = match launch.tile {
        Tile::Section { section: Section::Merge, grid, memory, threads } => (Part::Merge, grid, memory, threads),
        Tile::Section { section: Section::Split, grid, threads, .. } => {
            let merged = run.tile(grid) < run.finest().samples;
            (Part::Split { merged }, grid, Memory::Workgroup, threads)
        }
        Tile::Overlapped { grid, .. } => (Part::Overlapped, grid, Memory::Workgroup, Threads::Half),
        _ => return None,
    };
    let step = run.finest();
    let (n, across) = (step.samples, step.is_across());
    let (tile, margin) = (run.tile(grid).min(n), run.margin(grid));
    if part != Part::Overlapped && !run.is_apart(grid) {
        return None;
    }
    let columns = if across { grid.columns / step.line_stride } else { 1 };
    let units = match part {
        Part::Merge if !across => (tile / run.kept(margin)).max(1),
        _ => columns,
    };
    let block = match (part, threads) {
        (Part::Overlapped, _) => THREADS,
        (_, Threads::One) => tile * columns,
        (_, Threads::Half) => tile * columns / 2,
    };
    let shape = FilterShape {
        part,
        memory,
        threads,
        first: step.first,
        coefs: step.coefs.clone().map(|coefs| coefs.into_iter().map(f64::to_bits).collect()),
        levels: shape_levels(&run, part, tile, margin),
        is_tree: splits_both(&run),
        tile,
        whole: tile == n,
        kept: run.kept(margin),
        units,
        across,
        block: block.clamp(1, limits.max_invocations),
        in_place: places.in_place || part == Part::Merge,
    };
    Some((shape, run, places))
}

/// Whether the kernel treats both halves alike; of a single level they differ in nothing but where they stay.
fn splits_both(run: &FilterRun) -> bool {
    run.is_tree && (run.levels.len() > 1 || run.levels[0].exchanges)
}

fn shape_levels(run: &FilterRun, part: Part, tile: usize, margin: usize) -> Vec<ShapeLevel> {
    let (borders, windows, halos) = (run.borders(margin), run.windows(margin), run.halos());
    let is_whole = tile == run.finest().samples;
    // Levels take turns in two parts of the memory of a tile.
    let extent = |level: usize| match part {
        Part::Overlapped if !is_whole => (-(halos[level][0] as i64), (tile >> level) + halos[level][0] + halos[level][1]),
        Part::Merge => (windows[level].start, (windows[level].end - windows[level].start) as usize),
        _ => (0, tile >> level),
    };
    let second = (0..run.levels.len()).step_by(2).map(|level| run.blocks(level) * extent(level).1).max().unwrap_or(0);
    let mut kept_offset = 0;
    let mut levels = Vec::with_capacity(run.levels.len());
    for (level, FilterLevel { exchanges, .. }) in run.levels.iter().enumerate() {
        let (border, whole_values) = (borders[level + 1], tile >> (level + 1));
        let (first, behind, values) = match part {
            Part::Merge => (border.before + 1, border.after, (border.after - border.before - 1) as usize),
            Part::Split { merged: true } => {
                (border.after, border.before + 1, (whole_values as i64 - border.after + border.before + 1).max(0) as usize)
            }
            Part::Overlapped if !is_whole => {
                let [before, behind] = halos[level + 1];
                (-(before as i64), behind as i64, whole_values + before + behind)
            }
            _ => (0, 0, whole_values),
        };
        let ((from, width), window) = (extent(level), &windows[level]);
        let offset = if part == Part::Merge { kept_offset } else { level % 2 * second };
        let (kept_from, kept_width) = (window.start, (window.end - window.start) as usize);
        let exchanges = *exchanges;
        levels.push(ShapeLevel { offset, from, width, first, behind, values, kept_from, kept_width, kept_offset, exchanges });
        kept_offset += run.blocks(level) * kept_width;
    }
    levels
}

impl FilterShape {
    /// Whether results go where the samples came from.
    pub fn in_place(&self) -> bool {
        self.in_place
    }

    /// How many blocks level `level` of the run makes of a line, and halves.
    fn blocks(&self, level: usize) -> usize {
        if self.is_tree { 1 << level } else { 1 }
    }

    /// Samples in the memory of a unit.
    fn pitch(&self) -> usize {
        let ends = self.levels.iter().enumerate().map(|(index, level)| level.offset + self.blocks(index) * level.width);
        ends.max().unwrap_or(1).max(1)
    }

    /// Lanes in workgroup memory.
    fn held(&self) -> usize {
        if self.memory == Memory::Global { 1 } else { self.pitch() * self.units }
    }

    fn workgroup_bytes(&self) -> usize {
        Precision::Single.bytes_per_lane(Ring::Real) * self.held()
    }
}
