//! How a plan is cut into launches: the schedule that is asked for, the schedule that runs, and a note if the two differ.

use crate::gpu::{self, Limits};
use crate::plan::{Plan, Precision};
use crate::schedule::{BlockScheme, Schedule, SplitAndMerge, Tile, levels_within};
use crate::transforms::{Algorithm, Axes, ScheduleKind};

/// How a plan is cut into launches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
pub enum Cut {
    /// The fewest launches that tiles in workgroup memory allow.
    #[default]
    Tiles,
    /// Tiles of at most this number of lanes.
    TilesOf(usize),
    /// One launch a stage, as the papers do it.
    Stages,
    /// One launch a stage, with these shapes of thread blocks on images.
    StagesIn(BlockScheme),
    /// Sections: tiles finish the split sections alone, merge sections finish the boundaries between them.
    SplitAndMerge(SplitAndMerge),
    /// Overlapped tiles, with at most this number of levels in a launch; 0 takes the number with the best estimate.
    Overlapped(usize),
}

impl Cut {
    /// The schedule of an algorithm, if nothing else was asked for.
    pub(super) fn of(self, algorithm: &Algorithm) -> Self {
        match (self, algorithm.schedules().usual) {
            (Self::Tiles, ScheduleKind::Stages) => Self::Stages,
            (Self::Tiles, ScheduleKind::Sections) => Self::SplitAndMerge(SplitAndMerge::default()),
            (Self::Tiles, ScheduleKind::Overlapped) => Self::Overlapped(0),
            (cut, _) => cut,
        }
    }
}

/// The schedule that was asked for. `tiles` makes the best tiles of the backend, with at most the given number of lanes.
pub fn schedule(plan: &Plan, cut: Cut, tiles: impl FnOnce(Option<usize>) -> Schedule) -> Schedule {
    match cut {
        Cut::Stages => Schedule::by_stage(plan),
        Cut::StagesIn(scheme) => Schedule::by_stage_in(plan, scheme),
        Cut::TilesOf(lanes) => tiles(Some(lanes)),
        Cut::SplitAndMerge(how) => Schedule::split_and_merge(plan, how),
        Cut::Tiles | Cut::Overlapped(_) => tiles(None),
    }
}

/// The schedule that was asked for, on a GPU with these limits.
pub fn schedule_on_gpu(plan: &Plan, cut: Cut, limits: Limits) -> Schedule {
    let tiles = |lanes: Option<usize>| gpu::estimate(plan, limits, lanes.unwrap_or(usize::MAX)).schedule;
    match cut {
        Cut::Overlapped(levels) => gpu::overlapped(plan, Some(levels).filter(|&levels| levels > 0), limits).unwrap_or_else(|| tiles(None)),
        // The SplitMerge kernel has single precision only.
        Cut::SplitAndMerge(_) if limits.precision == Precision::Double => Schedule::by_stage(plan),
        _ => schedule(plan, cut, tiles),
    }
}

/// A note on how a GPU schedule differs from the one that was asked for; empty if it does not.
pub(super) fn note_on_gpu(cut: Cut, axes: Axes, plan: &Plan, schedule: &Schedule) -> String {
    let has = |is: fn(&Tile) -> bool| schedule.launches.iter().any(|launch| is(&launch.tile));
    match cut {
        Cut::Overlapped(_) if !has(|tile| matches!(tile, Tile::Overlapped { .. })) => {
            "no kernel has overlapped tiles of this size with this number of levels, so other launches run".into()
        }
        Cut::SplitAndMerge(_) if !has(|tile| matches!(tile, Tile::Section { .. })) => {
            "no kernel has sections of this size in this precision, so every stage is a launch".into()
        }
        _ => note_on_sections(cut, axes, plan, schedule),
    }
}

/// A note on how many levels sections take, if these are fewer than were asked for. On images they always take one at a time.
pub fn note_on_sections(cut: Cut, axes: Axes, plan: &Plan, schedule: &Schedule) -> String {
    let Cut::SplitAndMerge(how) = cut else { return String::new() };
    if axes == Axes::Both {
        return String::new();
    }
    let (groups, n_levels) = (schedule.levels_of_sections(plan), levels_within(plan, 0..plan.stages.len()));
    let (mut left, mut is_short) = (n_levels, false);
    for &(taken, is_merged) in &groups {
        is_short |= is_merged && taken < how.levels.min(left);
        left = left.saturating_sub(taken);
    }
    let most = groups.iter().map(|(taken, _)| taken).max();
    match most {
        Some(_) if is_short => {
            let taken = groups.iter().map(|(taken, _)| taken.to_string()).collect::<Vec<_>>().join(", ");
            let samples = how.samples();
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
