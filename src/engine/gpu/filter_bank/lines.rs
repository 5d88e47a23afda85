//! Which launches the kernel of filter banks on lines supports, and what a workgroup takes.

use super::locations::{self, Locations};
use super::{Sums, sums};
use crate::gpu::error::LowerError;
use crate::gpu::family::{KernelDispatch, LaunchQuery};
use crate::gpu::kernel::Kernel;
use crate::gpu::limits::Limits;
use crate::plan::{Direction, Extension, Plan, Precision, Ring};
use crate::schedule::{
    FilterLevel, FilterRun, Launch, LevelGroup, RemainingLevels, Schedule, SectionKind, SectionMemory, ThreadsPerSample, Tile, TileGrid,
};
use serde::Serialize;
use std::ops::Range;

/// The most levels of a launch of overlapped tiles: a further one doubles the halo.
pub(super) const MOST_LEVELS: usize = 4;
/// Samples of an overlapped tile, four for each thread.
const TILE: usize = 1024;
/// Samples of a line that a single workgroup takes whole, with all levels.
const WHOLE: usize = 4096;
/// Threads of a workgroup of overlapped tiles.
const THREADS: usize = 256;

/// The data of one kernel.
#[derive(Serialize)]
struct FilterBankShape {
    inverse: bool,
    /// The task of the launch; a split, if a merge follows it, keeps values for the merge.
    merges: bool,
    overlapped: bool,
    keeps: bool,
    /// Whether a merge leaves its samples in global memory.
    in_global: bool,
    thread_per_sample: bool,
    /// The first sample that butterfly p reads, counted from sample 2p; the number of its taps; and the taps of both results.
    first: i64,
    n_taps: usize,
    sums: Sums,
    levels: Vec<FilterLevelShape>,
    loads: Vec<FilterLoad>,
    /// Whether a level halves both halves of the level before.
    tree: bool,
    /// Samples of a tile.
    tile: usize,
    /// Whether a tile is a whole line; and whether lines are periodic, else they are symmetric at both ends.
    whole: bool,
    wraps: bool,
    /// Samples that are kept around a border.
    kept: usize,
    /// Values in the memory of a unit, units of a workgroup, and lanes in workgroup memory.
    pitch: usize,
    units: usize,
    held: usize,
    /// Whether units are adjacent columns of an image.
    across: bool,
    /// Threads of a workgroup.
    threads: usize,
    /// Whether samples, or in the inverse low-pass and high-pass values, are read from the buffer that is written.
    joined_in_output: bool,
    low_in_output: bool,
    high_in_output: bool,
}

/// The task of a launch.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FilterPart {
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
#[derive(Serialize)]
struct FilterLevelShape {
    number: usize,
    /// How often what the level reads was halved since the finest level of the run.
    halved: usize,
    /// Where the unit holds the first part; the first value of each part, the number of its values, and the one behind the last, counted from the end of the tile.
    offset: usize,
    from: i64,
    width: usize,
    read_behind: i64,
    /// Blocks of a line that the level halves, or makes.
    blocks: usize,
    /// The first butterfly of a block, and the one behind the last, counted from the end of the tile; and the most butterflies.
    first: i64,
    behind: i64,
    butterflies: usize,
    /// In a split of lines that are symmetric: the first butterfly of a tile behind a border that needs nothing before it, and the first one that needs
    /// something behind the tile, counted from its end.
    alone_from: i64,
    alone_behind: i64,
    /// Elements of a unit: butterflies, or values where each has a thread. Short tiles may finish no value of a level alone.
    elements: usize,
    /// The values around a border that are kept of every part for its merge: the first one, their number, and their offset among all that are kept.
    kept_from: i64,
    kept_width: usize,
    kept_offset: usize,
    /// Whether the halves of every second block are exchanged.
    exchanges: bool,
}

/// Values that a tile reads from global memory: for which level, of how many parts, and where they stand.
#[derive(Serialize)]
struct FilterLoad {
    level: usize,
    parts: usize,
    source: LoadSource,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum LoadSource {
    Samples,
    /// All halves of all blocks.
    Blocks,
    Low,
    High,
}

/// The kernel of a launch of lines; `None` where the launch is unsupported.
pub(super) fn dispatch(query: LaunchQuery<'_>) -> Option<KernelDispatch> {
    let (shape, run, locations) = shape(query)?;
    let step = run.finest();
    let units = step.samples.div_ceil(shape.tile);
    let groups_of_units =
        if shape.across { step.n_lines.div_ceil(shape.units) * units } else { (step.n_lines * units).div_ceil(shape.units) };
    let mut uniforms = [0; 20];
    let head = [groups_of_units, units, step.n_lines, step.samples, locations.low_lines, locations.kept];
    let ends = [locations.joined, locations.low, locations.high].map(|place| [place.first, place.line, place.step]);
    // Each location begins at a multiple of 16 bytes.
    for (at, number) in (0..).zip(head).chain((8..).zip(ends[0])).chain((12..).zip(ends[1])).chain((16..).zip(ends[2])) {
        uniforms[at] = number as u32;
    }
    let kernel = Kernel {
        in_place: shape.merges || !shape.inverse && shape.joined_in_output,
        // Beside the results of earlier launches in the buffer that it writes.
        reads_input: !shape.merges && shape.inverse && shape.low_in_output,
        ..Kernel::new("filter bank", "filter_bank.wgsl", Ring::Real, &shape)
    };
    let carries = locations.carries && !shape.merges;
    let fits = 4 * shape.held <= query.limits.workgroup_bytes;
    fits.then(|| KernelDispatch { carries, ..KernelDispatch::of(kernel, uniforms) })
}

/// Why the kernel does not support a launch of a filter bank; `None` where it does, or where the launch has no filter bank.
pub(super) fn unsupported(query: LaunchQuery<'_>) -> Option<LowerError> {
    let (shape, ..) = shape(query)?;
    let (index, limits) = (query.index, query.limits);
    let fits = limits.workgroup_bytes / limits.precision.bytes_per_lane(Ring::Real);
    (shape.held > fits).then_some(LowerError::Tile { launch: index, lanes: shape.held, fits })
}

/// The schedule of overlapped tiles, with at most `levels` levels in a launch that has more than one tile of a line; `None` where the kernel does not support the plan.
pub(super) fn schedule(plan: &Plan, levels: Option<usize>, limits: Limits) -> Option<Schedule> {
    let most = levels.unwrap_or(MOST_LEVELS).clamp(1, MOST_LEVELS + 1);
    // Both parts of the memory hold a line.
    let whole = WHOLE.min(limits.workgroup_bytes / (2 * limits.precision.bytes_per_lane(Ring::Real)));
    let is_line = plan.stages.iter().all(|stage| !stage.is_across() && stage.read.step == 1);
    let schedule = Schedule::overlapped(plan, |RemainingLevels { samples: [_, n], levels }| {
        let taken = if n <= whole { levels } else { most.min(levels) };
        LevelGroup { levels: taken, tile: [1, if n <= whole { n } else { TILE }] }
    });
    let is_served = |schedule: &Schedule| {
        let mut launches = schedule.launches.iter().enumerate();
        launches.all(|(index, launch)| dispatch(LaunchQuery { plan, schedule, index, launch, in_place: index > 0, limits }).is_some())
    };
    schedule.filter(|schedule| is_line && is_served(schedule))
}

/// Which part of the filter bank a launch is, its tiles, where the values of a merge are, and its threads.
fn part_of(launch: &Launch, run: &FilterRun) -> Option<(FilterPart, TileGrid, SectionMemory, ThreadsPerSample)> {
    Some(match launch.tile {
        Tile::Section { section: SectionKind::Merge, grid, memory, threads } => (FilterPart::Merge, grid, memory, threads),
        Tile::Section { section: SectionKind::Split, grid, threads, .. } => {
            let merged = run.tile(grid) < run.finest().samples;
            (FilterPart::Split { merged }, grid, SectionMemory::Workgroup, threads)
        }
        Tile::Overlapped { grid, .. } => (FilterPart::Overlapped, grid, SectionMemory::Workgroup, ThreadsPerSample::Half),
        _ => return None,
    })
}

fn shape(LaunchQuery { plan, schedule, index, launch, limits, .. }: LaunchQuery<'_>) -> Option<(FilterBankShape, FilterRun, Locations)> {
    if !matches!(launch.tile, Tile::Section { .. } | Tile::Overlapped { .. }) {
        return None;
    }
    let real = plan.ring == Ring::Real && limits.precision == Precision::Single;
    let run = FilterRun::of(plan, launch.stages.clone()).filter(|_| real && (plan.inputs, plan.outputs) == (plan.lanes, plan.lanes))?;
    let locations = locations::locations(plan, schedule, index)?;
    let (part, grid, memory, threads) = part_of(launch, &run)?;
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
    let (inverse, tree, in_global) = (step.direction == Direction::Inverse, splits_both(&run), memory == SectionMemory::Global);
    let wraps = step.extension == Extension::Periodic;
    if tree && !wraps {
        return None;
    }
    let thread_per_sample = threads == ThreadsPerSample::One;
    let (levels, pitch) = shape_levels(&run, part, [tile, margin], thread_per_sample);
    let shape = FilterBankShape {
        inverse,
        merges: part == FilterPart::Merge,
        overlapped: part == FilterPart::Overlapped,
        keeps: part == FilterPart::Split { merged: true },
        in_global,
        thread_per_sample,
        first: step.first,
        n_taps: step.coefs[0].len(),
        sums: sums(step),
        loads: if part == FilterPart::Merge { Vec::new() } else { loads(&levels, step.direction, tree) },
        levels,
        tree,
        tile,
        whole: tile == n,
        wraps,
        kept: run.kept(margin),
        pitch,
        units,
        held: if in_global { 1 } else { pitch * units },
        across,
        threads: block.clamp(1, limits.max_invocations),
        joined_in_output: locations.joined_in_output,
        low_in_output: locations.low_in_output,
        high_in_output: locations.high_in_output,
    };
    Some((shape, run, locations))
}

/// The values that a tile reads: the samples of the finest level, or in the inverse the values of the coarsest one, and the high-pass values of all where they lie apart.
fn loads(levels: &[FilterLevelShape], direction: Direction, tree: bool) -> Vec<FilterLoad> {
    let coarsest = levels.len() - 1;
    match (direction, tree) {
        (Direction::Forward, _) => vec![FilterLoad { level: 0, parts: 1, source: LoadSource::Samples }],
        (Direction::Inverse, true) => vec![FilterLoad { level: coarsest, parts: 2 * levels[coarsest].blocks, source: LoadSource::Blocks }],
        (Direction::Inverse, false) => {
            let low = FilterLoad { level: coarsest, parts: 1, source: LoadSource::Low };
            let mut loads: Vec<_> = (0..=coarsest).map(|level| FilterLoad { level, parts: 1, source: LoadSource::High }).collect();
            loads.insert(coarsest, low);
            loads
        }
    }
}

/// Whether the kernel treats both halves alike. In a single level they differ only in where they stay.
fn splits_both(run: &FilterRun) -> bool {
    run.is_tree && (run.levels.len() > 1 || run.levels[0].exchanges)
}

/// The levels of a run, and the values in the memory of a unit.
fn shape_levels(run: &FilterRun, part: FilterPart, [tile, margin]: [usize; 2], thread_per_sample: bool) -> (Vec<FilterLevelShape>, usize) {
    let (borders, windows, halos) = (run.boundaries(margin), run.windows(margin), run.halos());
    let (n_levels, is_whole, is_back) = (run.levels.len(), tile == run.finest().samples, run.direction() == Direction::Inverse);
    let of_samples = if is_back { 2 } else { 1 };
    let is_tree = splits_both(run);
    let overlaps = part == FilterPart::Overlapped && !is_whole;
    let wraps = run.finest().extension == Extension::Periodic;
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
    let (mut kept_offset, mut pitch) = (0, 1);
    let mut levels = Vec::with_capacity(n_levels);
    for (level, FilterLevel { exchanges, .. }) in run.levels.iter().enumerate() {
        let (border, whole) = (borders[level], tile >> (level + 1));
        let (first, behind, butterflies) = match part {
            FilterPart::Merge => (border.before + 1, border.after, (border.after - border.before - 1) as usize),
            FilterPart::Split { merged: true } if wraps => {
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
        let elements = if thread_per_sample { 2 } else { 1 } * blocks(level) * butterflies;
        let read_behind = from + width as i64 - (tile >> halved(level)) as i64;
        #[rustfmt::skip]
        levels.push(FilterLevelShape {
            number: level, halved: halved(level), offset, from, width, read_behind, blocks: blocks(level), first, behind, butterflies,
            alone_from: border.after, alone_behind: border.before + 1, elements, kept_from, kept_width, kept_offset,
            exchanges: *exchanges,
        });
        kept_offset += parts * kept_width;
        pitch = pitch.max(offset + parts * width);
    }
    (levels, pitch)
}
