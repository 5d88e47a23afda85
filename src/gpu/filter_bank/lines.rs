//! Which launches the kernel of filter banks on lines supports, and what a workgroup takes.

use super::locations::{self, Locations};
use crate::gpu::error::LowerError;
use crate::gpu::limits::Limits;
use crate::plan::{Direction, Plan, Precision, Ring};
use crate::schedule::{
    FilterLevel, FilterRun, Launch, LevelGroup, RemainingLevels, Schedule, SectionKind, SectionMemory, ThreadsPerSample, Tile,
};
use std::ops::Range;

/// The most levels of a launch of overlapped tiles: a further one doubles the halo.
pub(super) const MOST_LEVELS: usize = 4;
/// Samples of an overlapped tile, four for each thread.
const TILE: usize = 1024;
/// Samples of a line that a single workgroup takes whole, with all levels.
const WHOLE: usize = 4096;
/// Threads of a workgroup of overlapped tiles.
const THREADS: usize = 256;

/// The constants of one kernel.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(in crate::gpu) struct FilterBankShape {
    pub(super) part: FilterPart,
    pub(super) direction: Direction,
    pub(super) memory: SectionMemory,
    pub(super) threads: ThreadsPerSample,
    /// The first sample that butterfly p reads, counted from sample 2p, and the bits of the coefficients of both results.
    pub(super) first: i64,
    pub(super) coefs: [Vec<u64>; 2],
    pub(super) levels: Vec<FilterLevelShape>,
    /// Whether a level halves both halves of the level before.
    pub(super) is_tree: bool,
    /// Samples of a tile.
    pub(super) tile: usize,
    /// Whether a tile is a whole line, which is periodic.
    pub(super) whole: bool,
    /// Samples that are kept around a border.
    pub(super) kept: usize,
    /// Units of a workgroup.
    pub(super) units: usize,
    /// Whether these are adjacent columns of an image.
    pub(super) across: bool,
    /// Threads of a workgroup.
    pub(super) block: usize,
    /// Whether samples, or in the inverse low-pass and high-pass values, are read from the buffer that is written.
    pub(super) joined_in_output: bool,
    pub(super) low_in_output: bool,
    pub(super) high_in_output: bool,
}

/// The task of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum FilterPart {
    /// Tiles finish what they can alone; `merged` says that a merge does the rest.
    Split { merged: bool },
    /// The values around borders of tiles.
    Merge,
    /// Tiles with a halo compute everything.
    Overlapped,
}

/// A level: the values that it reads, and its butterflies, counted from the origin of the unit.
///
/// It reads samples of blocks, or in the inverse the halves of blocks; each of these is a part.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct FilterLevelShape {
    /// Where the unit holds the first part; the number of parts; the first value of each part, and the number of its values.
    pub(super) offset: usize,
    pub(super) parts: usize,
    pub(super) from: i64,
    pub(super) width: usize,
    /// The parts that a tile reads from global memory.
    pub(super) loaded: Range<usize>,
    /// The first butterfly, and the one behind the last, counted from the end of the tile; and the most butterflies.
    pub(super) first: i64,
    pub(super) behind: i64,
    pub(super) butterflies: usize,
    /// The values around a border that are kept of every part for its merge: the first one, their number, and their offset among all that are kept.
    pub(super) kept_from: i64,
    pub(super) kept_width: usize,
    pub(super) kept_offset: usize,
    /// Whether the halves of every second block are exchanged.
    pub(super) exchanges: bool,
}

/// The kernel of a launch of lines, its uniforms, and whether lanes that it does not write must be copied before; `None` where the launch is unsupported.
pub(in crate::gpu) fn kernel_of(
    plan: &Plan,
    schedule: &Schedule,
    launch: &Launch,
    limits: Limits,
) -> Option<(FilterBankShape, [u32; 20], bool)> {
    let (shape, run, locations) =
        shape(plan, schedule, launch, limits).filter(|(shape, ..)| shape.workgroup_bytes() <= limits.workgroup_bytes)?;
    let step = run.finest();
    let units = step.samples.div_ceil(shape.tile);
    let groups_of_units =
        if shape.across { step.n_lines.div_ceil(shape.units) * units } else { (step.n_lines * units).div_ceil(shape.units) };
    let mut numbers = [0; 20];
    let head = [groups_of_units, units, step.n_lines, step.samples, locations.low_lines, locations.kept];
    let ends = [locations.joined, locations.low, locations.high].map(|place| [place.first, place.line, place.step]);
    // Each location begins at a multiple of 16 bytes.
    for (at, number) in (0..).zip(head).chain((8..).zip(ends[0])).chain((12..).zip(ends[1])).chain((16..).zip(ends[2])) {
        numbers[at] = number as u32;
    }
    let carries = locations.carries && shape.part != FilterPart::Merge;
    Some((shape, numbers, carries))
}

/// Why the kernel does not support a launch of a filter bank; `None` where it does, or where the launch has no filter bank.
pub(in crate::gpu) fn unsupported(plan: &Plan, schedule: &Schedule, index: usize, limits: Limits) -> Option<LowerError> {
    let (shape, ..) = shape(plan, schedule, &schedule.launches[index], limits)?;
    let fits = limits.workgroup_bytes / limits.precision.bytes_per_lane(plan.ring);
    (shape.held() > fits).then_some(LowerError::Tile { launch: index, lanes: shape.held(), fits })
}

/// The schedule of overlapped tiles, with at most `levels` levels in a launch that has more than one tile of a line; `None` where the kernel does not support the plan.
pub(in crate::gpu) fn schedule(plan: &Plan, levels: Option<usize>, limits: Limits) -> Option<Schedule> {
    let most = levels.unwrap_or(MOST_LEVELS).clamp(1, MOST_LEVELS + 1);
    // Both parts of the memory hold a line.
    let whole = WHOLE.min(limits.workgroup_bytes / (2 * limits.precision.bytes_per_lane(Ring::Real)));
    let is_line = plan.stages.iter().all(|stage| !stage.is_across() && stage.read.step == 1);
    let schedule = Schedule::overlapped(plan, |RemainingLevels { samples: [_, n], levels }| {
        let taken = if n <= whole { levels } else { most.min(levels) };
        LevelGroup { levels: taken, tile: [1, if n <= whole { n } else { TILE }] }
    });
    let is_served = |schedule: &Schedule| schedule.launches.iter().all(|launch| kernel_of(plan, schedule, launch, limits).is_some());
    schedule.filter(|schedule| is_line && is_served(schedule))
}

fn shape(plan: &Plan, schedule: &Schedule, launch: &Launch, limits: Limits) -> Option<(FilterBankShape, FilterRun, Locations)> {
    if !matches!(launch.tile, Tile::Section { .. } | Tile::Overlapped { .. }) {
        return None;
    }
    let real = plan.ring == Ring::Real && limits.precision == Precision::Single;
    let run = FilterRun::of(plan, launch.stages.clone()).filter(|_| real && (plan.inputs, plan.outputs) == (plan.lanes, plan.lanes))?;
    let index = schedule.launches.iter().position(|other| other == launch)?;
    let locations = locations::locations(plan, schedule, index)?;
    let (part, grid, memory, threads) = match launch.tile {
        Tile::Section { section: SectionKind::Merge, grid, memory, threads } => (FilterPart::Merge, grid, memory, threads),
        Tile::Section { section: SectionKind::Split, grid, threads, .. } => {
            let merged = run.tile(grid) < run.finest().samples;
            (FilterPart::Split { merged }, grid, SectionMemory::Workgroup, threads)
        }
        Tile::Overlapped { grid, .. } => (FilterPart::Overlapped, grid, SectionMemory::Workgroup, ThreadsPerSample::Half),
        _ => return None,
    };
    let step = run.finest();
    let (n, across) = (step.samples, step.is_across());
    let (tile, margin) = (run.tile(grid).min(n), run.margin(grid));
    if part != FilterPart::Overlapped && !run.has_independent_merges(grid) {
        return None;
    }
    let columns = if across { grid.columns / step.line_stride } else { 1 };
    let units = match part {
        FilterPart::Merge if !across => (tile / run.kept(margin)).max(1),
        _ => columns,
    };
    let block = match (part, threads) {
        (FilterPart::Overlapped, _) => THREADS,
        (_, ThreadsPerSample::One) => tile * columns,
        (_, ThreadsPerSample::Half) => tile * columns / 2,
    };
    let shape = FilterBankShape {
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
        joined_in_output: locations.joined_in_output,
        low_in_output: locations.low_in_output,
        high_in_output: locations.high_in_output,
    };
    Some((shape, run, locations))
}

/// Whether the kernel treats both halves alike. In a single level they differ only in where they stay.
fn splits_both(run: &FilterRun) -> bool {
    run.is_tree && (run.levels.len() > 1 || run.levels[0].exchanges)
}

fn shape_levels(run: &FilterRun, part: FilterPart, tile: usize, margin: usize) -> Vec<FilterLevelShape> {
    let (borders, windows, halos) = (run.boundaries(margin), run.windows(margin), run.halos());
    let (n_levels, is_whole, is_back) = (run.levels.len(), tile == run.finest().samples, run.direction() == Direction::Inverse);
    let of_samples = if is_back { 2 } else { 1 };
    let is_tree = splits_both(run);
    let overlaps = part == FilterPart::Overlapped && !is_whole;
    // A level reads values that are as coarse as the samples after this number of halvings.
    let halved = |level: usize| level + usize::from(is_back);
    let window = |level: usize| {
        let Range { start, end } = windows[level];
        (start / of_samples, ((end - start) / of_samples) as usize)
    };
    let extent = |level: usize| match part {
        FilterPart::Overlapped if overlaps => {
            // A coarser level makes pairs of values.
            let round = if is_back && level + 1 < n_levels { 2 } else { 1 };
            let [before, behind] = halos[halved(level)].map(|values| values.next_multiple_of(round));
            (-(before as i64), (tile >> halved(level)) + before + behind)
        }
        FilterPart::Merge => window(level),
        _ => (0, tile >> halved(level)),
    };
    let blocks = |level: usize| if is_tree { 1 << level } else { 1 };
    let parts = |level: usize| of_samples as usize * blocks(level);
    let size = |level: usize| parts(level) * extent(level).1;
    // Levels use two parts of a tile's memory alternately; in the inverse, high-pass values wait there for their level.
    let second = (0..n_levels).step_by(2).map(size).max().unwrap_or(0);
    let waits = is_back && !is_tree;
    let mut kept_offset = 0;
    let mut levels = Vec::with_capacity(n_levels);
    for (level, FilterLevel { exchanges, .. }) in run.levels.iter().enumerate() {
        let (border, whole) = (borders[level], tile >> (level + 1));
        let (first, behind, butterflies) = match part {
            FilterPart::Merge => (border.before + 1, border.after, (border.after - border.before - 1) as usize),
            FilterPart::Split { merged: true } => {
                (border.after, border.before + 1, (whole as i64 - border.after + border.before + 1).max(0) as usize)
            }
            FilterPart::Overlapped if overlaps => {
                let [before, behind] = if is_back { halos[level].map(|samples| samples.div_ceil(2)) } else { halos[level + 1] };
                (-(before as i64), behind as i64, whole + before + behind)
            }
            _ => (0, 0, whole),
        };
        let (((from, width), (kept_from, kept_width)), parts) = ((extent(level), window(level)), parts(level));
        let offset = match part {
            FilterPart::Merge => kept_offset,
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
        #[rustfmt::skip]
        levels.push(FilterLevelShape {
            offset, parts, from, width, loaded, first, behind, butterflies, kept_from, kept_width, kept_offset, exchanges: *exchanges,
        });
        kept_offset += parts * kept_width;
    }
    levels
}

impl FilterBankShape {
    /// Whether the kernel reads only the buffer that it writes.
    pub(in crate::gpu) fn in_place(&self) -> bool {
        self.part == FilterPart::Merge || self.direction == Direction::Forward && self.joined_in_output
    }

    /// Whether the kernel reads the input of the plan, beside the results of earlier launches in the buffer that it writes.
    pub(in crate::gpu) fn reads_input(&self) -> bool {
        self.part != FilterPart::Merge && self.direction == Direction::Inverse && self.low_in_output
    }

    /// The number of blocks of a line that level `level` of the run halves, or makes.
    pub(super) fn blocks(&self, level: usize) -> usize {
        if self.is_tree { 1 << level } else { 1 }
    }

    /// Values in the memory of a unit.
    pub(super) fn pitch(&self) -> usize {
        self.levels.iter().map(|level| level.offset + level.parts * level.width).max().unwrap_or(1).max(1)
    }

    /// Lanes in workgroup memory.
    pub(super) fn held(&self) -> usize {
        if self.memory == SectionMemory::Global { 1 } else { self.pitch() * self.units }
    }

    pub(super) fn workgroup_bytes(&self) -> usize {
        Precision::Single.bytes_per_lane(Ring::Real) * self.held()
    }
}
