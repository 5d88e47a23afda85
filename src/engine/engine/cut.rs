//! The schedule that runs for the one that is asked for, and a note if the two differ.

use super::drawn::is_drawn;
use crate::cpu;
use crate::gpu::{self, Limits};
use crate::plan::{Plan, Precision, Ring};
use crate::schedule::{
    BlockKernels, BlockScheme, Cut, KernelVariant, LevelGroup, Schedule, SectionKind, SectionMemory, SplitAndMerge, Tile, TwiddleSource,
    levels_within, section_runs,
};
use crate::transforms::Axes;

/// The schedule that was asked for. `tiles` makes the best tiles of the backend, with at most the given number of lanes.
pub fn schedule(plan: &Plan, cut: Cut, tiles: impl FnOnce(Option<usize>) -> Schedule) -> Schedule {
    match cut {
        Cut::Stages => Schedule::by_stage(plan),
        Cut::StagesOf(threads) => Schedule::by_stage_of(plan, threads),
        Cut::StagesIn(scheme) => Schedule::by_stage_in(plan, scheme),
        Cut::StagesBy(variant) => Schedule::by_stage_with(plan, variant),
        Cut::TilesOf(lanes) => tiles(Some(lanes)),
        Cut::Blocks(kernels) => Schedule::in_blocks(plan, kernels),
        Cut::SplitAndMerge(how) => Schedule::split_and_merge(plan, how),
        Cut::Tiles | Cut::Overlapped(_) => tiles(None),
    }
}

/// The schedule as a drawing shows it, whatever the device: tiles of at most 1024 lanes, which every adapter has, and small overlapped tiles.
///
/// `None` if the plan has no overlapped tiles, and they were asked for.
pub fn drawn_schedule(plan: &Plan, cut: Cut) -> Option<Schedule> {
    /// Lanes of complex values in two buffers within 16 KiB of workgroup memory.
    const TILE_LANES: usize = 1024;
    /// Samples of an overlapped tile; few, so that a drawing shows several tiles.
    const TILE_SAMPLES: usize = 16;
    match cut {
        Cut::Overlapped(levels) => {
            let group = LevelGroup { levels: levels.max(1), tile: [TILE_SAMPLES; 2] };
            Schedule::overlapped(plan, |_| group)
        }
        cut => Some(schedule(plan, cut, |lanes| Schedule::tiled(plan, lanes.unwrap_or(TILE_LANES)))),
    }
}

/// The schedule that was asked for, on a CPU.
pub fn schedule_on_cpu(plan: &Plan, cut: Cut) -> Schedule {
    /// The lanes of a tile of a system that is reduced.
    const EQUATIONS: usize = 4096;
    // A drawing shows the tiles that a GPU would take; the CPU runs their launches one after the other.
    if matches!(cut, Cut::Overlapped(_))
        && is_drawn(plan)
        && let Some(drawn) = drawn_schedule(plan, cut)
    {
        return drawn;
    }
    schedule(plan, cut, |lanes| match lanes {
        Some(lanes) => Schedule::tiled(plan, lanes),
        None if plan.ring == Ring::Equation => Schedule::tiled(plan, EQUATIONS),
        None => cpu::fast_schedule(plan),
    })
}

/// The schedule that was asked for, on a GPU with these limits.
pub fn schedule_on_gpu(plan: &Plan, cut: Cut, limits: Limits) -> Schedule {
    let tiles = |lanes: Option<usize>| gpu::estimate(plan, limits, lanes.unwrap_or(usize::MAX)).schedule;
    match cut {
        Cut::Stages | Cut::StagesOf(_) | Cut::StagesBy(_) => gpu::by_stage(schedule(plan, cut, tiles), plan, limits),
        Cut::Blocks(kernels) => Schedule::in_blocks(plan, kernels.within(limits.max_invocations)),
        Cut::Overlapped(levels) => gpu::overlapped(plan, Some(levels).filter(|&levels| levels > 0), limits).unwrap_or_else(|| tiles(None)),
        // The SplitMerge kernel has single precision only.
        Cut::SplitAndMerge(_) if limits.precision == Precision::Double => Schedule::by_stage(plan),
        _ => schedule(plan, cut, tiles),
    }
}

/// A note on how a GPU schedule differs from the one that was asked for; empty if it does not.
pub(super) fn note_on_gpu(cut: Cut, axes: Axes, plan: &Plan, schedule: &Schedule, precision: Precision) -> String {
    let has = |is: fn(&Tile) -> bool| schedule.launches.iter().any(|launch| is(&launch.tile));
    match cut {
        Cut::Overlapped(_) if !has(|tile| matches!(tile, Tile::Overlapped { .. })) => {
            "no kernel has overlapped tiles of this size with this number of levels, so other launches run".into()
        }
        Cut::SplitAndMerge(_) if precision == Precision::Double && !has(|tile| matches!(tile, Tile::Section { .. })) => {
            "no kernel has sections in double precision, so every stage is a launch".into()
        }
        Cut::StagesBy(KernelVariant { twiddles, .. }) => note_on_twiddles(twiddles, plan, precision),
        Cut::Blocks(kernels) => {
            let notes = [note_on_threads(kernels, schedule), note_on_twiddles(kernels.twiddles, plan, precision)];
            notes.into_iter().filter(|note| !note.is_empty()).collect::<Vec<_>>().join("; ")
        }
        _ => note_on_schedule(cut, axes, plan, schedule),
    }
}

/// A note on twiddles that have another source than was asked for; empty if none has.
fn note_on_twiddles(asked: TwiddleSource, plan: &Plan, precision: Precision) -> String {
    let has_order = |is: fn(usize) -> bool| plan.stages.iter().any(|stage| stage.root_order().is_some_and(is));
    match asked {
        TwiddleSource::Computed if precision == Precision::Double && has_order(|_| true) => {
            "GPUs compute no sine in double precision, so twiddles come from a table".into()
        }
        TwiddleSource::QuarterTable if has_order(|order| !order.is_multiple_of(4)) => {
            "4 does not divide the order of some twiddles, which come from a table of roots".into()
        }
        _ => String::new(),
    }
}

/// A note on butterflies that share a thread because a workgroup of the device has too few threads; empty if none do.
fn note_on_threads(asked: BlockKernels, schedule: &Schedule) -> String {
    let taken = schedule.launches.iter().find_map(|launch| match launch.tile {
        Tile::Variant(variant) | Tile::BlockBy { variant, .. } => variant.butterflies,
        _ => None,
    });
    match taken.filter(|&taken| taken > 1 && asked.butterflies.is_none()) {
        Some(taken) => {
            let threads = asked.lanes() / 2;
            format!("workgroups of this device have fewer than {threads} threads, so a thread takes {taken} butterflies")
        }
        None => String::new(),
    }
}

/// A note on how a CPU schedule differs from the one that was asked for; empty if it does not.
pub(super) fn note_on_cpu(cut: Cut, axes: Axes, plan: &Plan, schedule: &Schedule) -> String {
    let has_overlap = || schedule.launches.iter().any(|launch| matches!(launch.tile, Tile::Overlapped { .. }));
    match cut {
        Cut::Overlapped(levels) if levels > 0 && !has_overlap() => {
            format!("a CPU runs no overlapped tiles, so that L = {levels} changes nothing")
        }
        Cut::Overlapped(_) => String::new(),
        Cut::StagesBy(variant) if variant != KernelVariant::default() => {
            format!("a CPU has its own twiddles and indices, so that {} changes nothing", variant.name())
        }
        Cut::Blocks(kernels) if (BlockKernels { lanes: None, ..kernels }) != BlockKernels::default() => {
            format!("a CPU has its own loops, so that of {} only the launches count", kernels.name())
        }
        Cut::StagesOf(threads) => format!("a CPU has no thread for each sample, so that T = {} changes nothing", threads.name()),
        Cut::StagesIn(scheme) => format!("a CPU has no blocks of threads, so that {} changes nothing", scheme.name()),
        Cut::SplitAndMerge(SplitAndMerge { merge: SectionMemory::Global, .. }) => {
            let note = note_on_schedule(cut, axes, plan, schedule);
            let own = "a CPU merges in its own memory";
            if note.is_empty() { own.into() } else { format!("{note}; {own}") }
        }
        _ => note_on_schedule(cut, axes, plan, schedule),
    }
}

/// A note on every setting of a schedule that differs from what was asked for; empty if none does.
pub fn note_on_schedule(cut: Cut, axes: Axes, plan: &Plan, schedule: &Schedule) -> String {
    let notes = match cut {
        Cut::SplitAndMerge(how) => vec![note_on_levels(how, axes, plan, schedule), note_on_tiles(how, axes, plan, schedule)],
        Cut::Overlapped(levels) => vec![note_on_overlapped(levels, axes, plan, schedule)],
        Cut::TilesOf(lanes) => {
            let is_divided = plan.stages.len() > 1 && schedule.launches.iter().all(|launch| launch.stages.len() == 1);
            let note = || format!("no tile of at most {lanes} lanes holds two stages, so every stage is a launch");
            vec![if is_divided { note() } else { String::new() }]
        }
        Cut::Tiles | Cut::Stages | Cut::StagesOf(_) | Cut::StagesIn(_) | Cut::StagesBy(_) | Cut::Blocks(_) => Vec::new(),
    };
    notes.into_iter().filter(|note| !note.is_empty()).collect::<Vec<_>>().join("; ")
}

/// A note on L, if sections take fewer levels than were asked for. On images they always take one at a time.
fn note_on_levels(how: SplitAndMerge, axes: Axes, plan: &Plan, schedule: &Schedule) -> String {
    if axes == Axes::Both {
        return note_on_image(how, plan, schedule);
    }
    let groups = schedule.levels_of_sections(plan);
    // A system that is reduced comes back through the same levels.
    let comes_back = plan.ring == Ring::Equation && plan.stages[0].scan_step().is_none() && !plan.has_maps();
    let n_levels = if comes_back { plan.stages.len() / 2 } else { levels_within(plan, 0..plan.stages.len()) };
    if n_levels == 0 {
        return "sections take the levels of one line or system, so that every stage is a launch".into();
    }
    let (mut left, mut is_short) = (n_levels, false);
    for &(taken, is_merged) in &groups {
        is_short |= is_merged && taken < how.levels.min(left);
        left = left.saturating_sub(taken);
    }
    let (most, samples) = (groups.iter().map(|(taken, _)| taken).max(), how.samples());
    let in_sections: usize = groups.iter().map(|(taken, _)| taken).sum();
    match most {
        None => format!("merges of one level would meet in tiles of {samples} samples, so that every stage is a launch"),
        Some(_) if in_sections < n_levels && plan.ring != Ring::Equation => format!(
            "the stages of {} of {n_levels} levels are launches of their own, as merges of one level would meet in tiles of {samples} samples",
            n_levels - in_sections
        ),
        Some(_) if is_short => {
            let taken = groups.iter().map(|(taken, _)| taken.to_string()).collect::<Vec<_>>().join(", ");
            format!(
                "of {n_levels} levels, {taken} at a time are split and merged, and not {}, as merges of more would meet in tiles of {samples} samples",
                how.levels
            )
        }
        // The default was not asked for.
        Some(most) if how.levels > n_levels.max(SplitAndMerge::default().levels) => {
            format!("there are {n_levels} levels, of which {most} are split at a time, and not {}", how.levels)
        }
        _ => String::new(),
    }
}

/// A note on the parts of an image whose merges would meet, so that they are not split, or not in squares.
fn note_on_image(how: SplitAndMerge, plan: &Plan, schedule: &Schedule) -> String {
    let is_square = how.scheme == BlockScheme::Square;
    let [rows, columns] = if is_square { [how.side(); 2] } else { how.sides() };
    let n_levels = levels_within(plan, 0..plan.stages.len());
    let n_split: usize = schedule.levels_of_sections(plan).iter().map(|(taken, _)| taken).sum();
    let [n_squares, n_pairs] = schedule.squares(plan);
    let mut notes = Vec::new();
    if n_split == 0 {
        notes.push(format!("merges would meet in tiles of {rows} × {columns} samples, so that every stage is a launch"));
    } else if n_split < n_levels {
        let left = n_levels - n_split;
        notes.push(format!("the stages of {left} of {n_levels} levels along an axis are launches of their own, as merges would meet"));
    }
    if is_square && n_squares < n_pairs && n_split > 0 {
        let left = n_pairs - n_squares;
        notes.push(format!(
            "{left} of {n_pairs} levels take rows and columns one after the other, as merges would meet in squares of {rows} × {columns} samples"
        ));
    }
    if is_square && rows * columns != how.samples() && n_squares > 0 {
        notes.push(format!("squares have {rows} × {columns} samples, as {} are no square of a power of two", how.samples()));
    }
    notes.join("; ")
}

/// A note on W and on the samples of a tile, where sections that meet a boundary have others than were asked for.
fn note_on_tiles(how: SplitAndMerge, axes: Axes, plan: &Plan, schedule: &Schedule) -> String {
    let runs = section_runs(plan, schedule);
    let merged = || runs.iter().filter(|run| run.merge.is_some());
    let mut notes = Vec::new();
    let is_merged = schedule.launches.iter().any(|launch| launch.section() == Some(SectionKind::Merge));
    if how.width > 0 && schedule.launches.len() == 1 && !is_merged {
        notes.push(format!("W is 0, and not {}, as one tile holds all values and nothing is merged", how.width));
    }
    // The tiles of an image are squares.
    if let Some(run) = merged().find(|run| axes != Axes::Both && run.tile != how.samples()) {
        notes.push(format!(
            "tiles have {} samples, and not {}, as a boundary stands at a sample of the coarsest level",
            run.tile,
            how.samples()
        ));
    }
    if let Some(run) = merged().find(|run| run.width != how.width) {
        notes.push(format!("W is {}, and not {}, as both sides of a boundary leave the same whole number of values", run.width, how.width));
    }
    notes.join("; ")
}

/// A note on L, if there are fewer levels than were asked for in a launch of overlapped tiles, or a launch takes fewer.
fn note_on_overlapped(asked: usize, axes: Axes, plan: &Plan, schedule: &Schedule) -> String {
    // A level of an image has a part along each axis.
    let levels = |stages| if axes == Axes::Both { levels_within(plan, stages) / 2 } else { levels_within(plan, stages) };
    let n_levels = levels(0..plan.stages.len());
    let most = schedule.launches.iter().map(|launch| levels(launch.stages.clone())).max().unwrap_or(0);
    match asked {
        _ if n_levels == 0 => String::new(),
        _ if asked > n_levels => format!("there are {n_levels} levels, of which {most} are in a launch, and not {asked}"),
        _ if asked > most => format!("of {n_levels} levels, {most} at a time are in a launch, and not {asked}"),
        _ => String::new(),
    }
}
