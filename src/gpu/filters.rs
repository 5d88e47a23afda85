//! The kernel of filter banks in sections and in overlapped tiles: which launches it serves, and what a workgroup takes.
//!
//! F. Argüello et al. 2012, section 3: such a bank is not in place, so that a split keeps what its merge needs at the borders.
//! The closed form of the sections, [`FilterRun::borders`], is compared with what is derived from the plan in `tests/core/filters.rs`.

mod picture;
mod places;
mod text;

pub(super) use picture::{FilterPictureShape, source as picture_source};
pub(super) use text::source;

use super::lower::LowerError;
use super::{Kernel, Limits};
use crate::plan::{Direction, Plan, Precision, Ring};
use crate::schedule::{FilterLevel, FilterRun, Group, Launch, Left, Memory, Schedule, Section, Threads, Tile};
use places::Places;
use std::ops::Range;

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
    direction: Direction,
    memory: Memory,
    threads: Threads,
    /// The first sample that butterfly p reads, counted from sample 2p, and the bits of the coefficients of both results.
    first: i64,
    coefs: [Vec<u64>; 2],
    levels: Vec<ShapeLevel>,
    /// Whether a level halves both halves of the finer one.
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
    /// Whether samples, or on the way back low-pass and high-pass values, are read from the buffer that is written.
    joined_after: bool,
    low_after: bool,
    high_after: bool,
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

/// A level: the values that it reads, and the butterflies that make others of them, counted from the origin of the unit.
///
/// What it reads are samples of blocks, or on the way back the halves of blocks: the parts of what it reads.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct ShapeLevel {
    /// Where the unit holds the first part, how many there are, the value that comes first in each, and how many there are of it.
    offset: usize,
    parts: usize,
    from: i64,
    width: usize,
    /// Of which parts a tile reads from global memory.
    loaded: Range<usize>,
    /// The first butterfly, and the one behind the last, counted from the end of the tile; so many at most.
    first: i64,
    behind: i64,
    butterflies: usize,
    /// The values around a border that are kept of every part for its merge: the first one, how many, and the number of the first among all that are kept.
    kept_from: i64,
    kept_width: usize,
    kept_offset: usize,
    /// Whether the halves of every second block change places.
    exchanges: bool,
}

/// The kernel that serves a launch, its numbers, and whether lanes that it does not write must be copied before; `None` where it does not serve it.
pub(super) fn serving(plan: &Plan, schedule: &Schedule, launch: &Launch, limits: Limits) -> Option<(Kernel, [u32; 20], bool)> {
    if let Some((kernel, first)) = picture::serving(plan, schedule, launch, limits) {
        let mut numbers = [0; 20];
        numbers[..first.len()].copy_from_slice(&first);
        return Some((kernel, numbers, false));
    }
    let (shape, run, places) =
        shape(plan, schedule, launch, limits).filter(|(shape, ..)| shape.workgroup_bytes() <= limits.workgroup_bytes)?;
    let step = run.finest();
    let units = step.samples.div_ceil(shape.tile);
    let groups_of_units =
        if shape.across { step.n_lines.div_ceil(shape.units) * units } else { (step.n_lines * units).div_ceil(shape.units) };
    let mut numbers = [0; 20];
    let head = [groups_of_units, units, step.n_lines, step.samples, places.low_lines, places.kept];
    let ends = [places.joined, places.low, places.high].map(|place| [place.first, place.line, place.step]);
    // The numbers of a place begin at multiples of 16 bytes.
    for (at, number) in (0..).zip(head).chain((8..).zip(ends[0])).chain((12..).zip(ends[1])).chain((16..).zip(ends[2])) {
        numbers[at] = number as u32;
    }
    let carries = places.carries && shape.part != Part::Merge;
    Some((Kernel::Filters(shape), numbers, carries))
}

/// Lanes that the launches of a filter bank need beside those of the plan.
pub(super) fn lanes_beside(plan: &Plan, schedule: &Schedule, limits: Limits) -> usize {
    places::lanes_beside(plan, schedule) + picture::lanes_beside(plan, schedule, limits)
}

/// Why the kernel does not serve a launch of a filter bank; `None` where it does, or where the launch is none of a filter bank.
pub(super) fn misfit(plan: &Plan, schedule: &Schedule, index: usize, limits: Limits) -> Option<LowerError> {
    let (shape, ..) = shape(plan, schedule, &schedule.launches[index], limits)?;
    let fits = limits.workgroup_bytes / limits.precision.bytes_per_lane(plan.ring);
    (shape.held() > fits).then_some(LowerError::Tile { launch: index, lanes: shape.held(), fits })
}

/// The most levels that a launch with more than one tile can be asked for.
pub(super) fn most_levels(is_picture: bool) -> usize {
    if is_picture { 1 } else { MOST_LEVELS + 1 }
}

/// The schedule of overlapped tiles, with at most so many levels in a launch that has more than one tile of a line, and of pictures a launch a level; `None` where no kernel serves the plan.
pub(super) fn schedule(plan: &Plan, levels: Option<usize>, limits: Limits) -> Option<Schedule> {
    if let Some(schedule) = picture::schedule(plan, limits) {
        return Some(schedule);
    }
    let most = levels.unwrap_or(MOST_LEVELS).clamp(1, most_levels(false));
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
        direction: step.direction,
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
        joined_after: places.joined_after,
        low_after: places.low_after,
        high_after: places.high_after,
    };
    Some((shape, run, places))
}

/// Whether the kernel treats both halves alike; of a single level they differ in nothing but where they stay.
fn splits_both(run: &FilterRun) -> bool {
    run.is_tree && (run.levels.len() > 1 || run.levels[0].exchanges)
}

fn shape_levels(run: &FilterRun, part: Part, tile: usize, margin: usize) -> Vec<ShapeLevel> {
    let (borders, windows, halos) = (run.borders(margin), run.windows(margin), run.halos());
    let (n_levels, is_whole, is_back) = (run.levels.len(), tile == run.finest().samples, run.direction() == Direction::Inverse);
    let of_samples = if is_back { 2 } else { 1 };
    let is_tree = splits_both(run);
    let overlaps = part == Part::Overlapped && !is_whole;
    // The values that a level reads are as coarse as what is left of the samples after so many levels.
    let halved = |level: usize| level + usize::from(is_back);
    let window = |level: usize| {
        let Range { start, end } = windows[level];
        (start / of_samples, ((end - start) / of_samples) as usize)
    };
    let extent = |level: usize| match part {
        Part::Overlapped if overlaps => {
            // What a coarser level has made comes in pairs.
            let round = if is_back && level + 1 < n_levels { 2 } else { 1 };
            let [before, behind] = halos[halved(level)].map(|values| values.next_multiple_of(round));
            (-(before as i64), (tile >> halved(level)) + before + behind)
        }
        Part::Merge => window(level),
        _ => (0, tile >> halved(level)),
    };
    let blocks = |level: usize| if is_tree { 1 << level } else { 1 };
    let parts = |level: usize| of_samples as usize * blocks(level);
    let size = |level: usize| parts(level) * extent(level).1;
    // Levels take turns in two parts of the memory of a tile; on the way back high-pass values wait in it for their level.
    let second = (0..n_levels).step_by(2).map(size).max().unwrap_or(0);
    let waits = is_back && !is_tree;
    let mut kept_offset = 0;
    let mut levels = Vec::with_capacity(n_levels);
    for (level, FilterLevel { exchanges, .. }) in run.levels.iter().enumerate() {
        let (border, whole) = (borders[level], tile >> (level + 1));
        let (first, behind, butterflies) = match part {
            Part::Merge => (border.before + 1, border.after, (border.after - border.before - 1) as usize),
            Part::Split { merged: true } => {
                (border.after, border.before + 1, (whole as i64 - border.after + border.before + 1).max(0) as usize)
            }
            Part::Overlapped if overlaps => {
                let [before, behind] = if is_back { halos[level].map(|samples| samples.div_ceil(2)) } else { halos[level + 1] };
                (-(before as i64), behind as i64, whole + before + behind)
            }
            _ => (0, 0, whole),
        };
        let (((from, width), (kept_from, kept_width)), parts) = ((extent(level), window(level)), parts(level));
        let offset = match part {
            Part::Merge => kept_offset,
            _ if waits => (0..level).map(size).sum(),
            _ => level % 2 * second,
        };
        let is_coarsest = level + 1 == n_levels;
        let loaded = match is_back {
            false if level == 0 => 0..1,
            true if is_coarsest => 0..parts,
            true if waits => 1..2,
            _ => 0..0,
        };
        let exchanges = *exchanges;
        let level =
            ShapeLevel { offset, parts, from, width, loaded, first, behind, butterflies, kept_from, kept_width, kept_offset, exchanges };
        kept_offset += parts * kept_width;
        levels.push(level);
    }
    levels
}

impl FilterShape {
    /// Whether results go where all that is read comes from.
    pub fn in_place(&self) -> bool {
        self.part == Part::Merge || self.direction == Direction::Forward && self.joined_after
    }

    /// Whether the kernel reads the input of the plan, beside what launches before it have left in the buffer that it writes.
    pub fn reads_input(&self) -> bool {
        self.part != Part::Merge && self.direction == Direction::Inverse && self.low_after
    }

    /// How many blocks of a line level `level` of the run halves, or makes.
    fn blocks(&self, level: usize) -> usize {
        if self.is_tree { 1 << level } else { 1 }
    }

    /// Values in the memory of a unit.
    fn pitch(&self) -> usize {
        self.levels.iter().map(|level| level.offset + level.parts * level.width).max().unwrap_or(1).max(1)
    }

    /// Lanes in workgroup memory.
    fn held(&self) -> usize {
        if self.memory == Memory::Global { 1 } else { self.pitch() * self.units }
    }

    fn workgroup_bytes(&self) -> usize {
        Precision::Single.bytes_per_lane(Ring::Real) * self.held()
    }
}
