//! How a plan is cut into launches: as it is asked for, the schedule that follows, and a note where the two differ.

use crate::gpu::{self, Limits};
use crate::plan::{Plan, Precision};
use crate::schedule::{Schedule, Scheme, SplitAndMerge, Tile, levels_within};
use crate::transforms::{Algorithm, Axes, Method};

/// How a plan is cut into launches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
pub enum Cut {
    /// As few launches as tiles in workgroup memory allow.
    #[default]
    Tiles,
    /// Tiles of at most so many lanes.
    TilesOf(usize),
    /// One launch a stage, as the papers do it.
    Stages,
    /// The same, along pictures in blocks of threads of these shapes.
    StagesIn(Scheme),
    /// Sections: what tiles finish alone, and what is left at their borders.
    SplitAndMerge(SplitAndMerge),
    /// Overlapped tiles, with at most so many levels in a launch; 0 takes what is estimated to be the fastest.
    Overlapped(usize),
}

impl Cut {
    /// How the plan of an algorithm is cut, where nothing else was asked for.
    pub(super) fn of(self, algorithm: &Algorithm) -> Self {
        match (self, algorithm.method()) {
            (Self::Tiles, Some(Method::Direct)) => Self::Stages,
            (Self::Tiles, Some(Method::SplitAndMerge)) => Self::SplitAndMerge(SplitAndMerge::default()),
            (Self::Tiles, Some(Method::Overlapped)) => Self::Overlapped(0),
            (cut, _) => cut,
        }
    }
}

/// The schedule that the user asked for; `tiles` cuts as is best for the place, into tiles of at most so many lanes where a number is given.
pub fn schedule(plan: &Plan, cut: Cut, tiles: impl FnOnce(Option<usize>) -> Schedule) -> Schedule {
    match cut {
        Cut::Stages => Schedule::by_stage(plan),
        Cut::StagesIn(scheme) => Schedule::by_stage_in(plan, scheme),
        Cut::TilesOf(lanes) => tiles(Some(lanes)),
        Cut::SplitAndMerge(how) => Schedule::split_and_merge(plan, how),
        Cut::Tiles | Cut::Overlapped(_) => tiles(None),
    }
}

/// The schedule that the user asked for, on a GPU of these limits.
pub fn schedule_on_gpu(plan: &Plan, cut: Cut, limits: Limits) -> Schedule {
    let tiles = |lanes: Option<usize>| gpu::estimate(plan, limits, lanes.unwrap_or(usize::MAX)).schedule;
    match cut {
        Cut::Overlapped(levels) => gpu::overlapped(plan, Some(levels).filter(|&levels| levels > 0), limits).unwrap_or_else(|| tiles(None)),
        // The kernel of sections knows single precision only.
        Cut::SplitAndMerge(_) if limits.precision == Precision::Double => Schedule::by_stage(plan),
        _ => schedule(plan, cut, tiles),
    }
}

/// Why a schedule on a GPU is not cut as was asked for; empty where it is.
pub(super) fn note_on_gpu(cut: Cut, axes: Axes, plan: &Plan, schedule: &Schedule) -> String {
    let has = |is: fn(&Tile) -> bool| schedule.launches.iter().any(|launch| is(&launch.tile));
    match cut {
        Cut::Overlapped(_) if !has(|tile| matches!(tile, Tile::Overlapped { .. })) => {
            "no kernel has overlapped tiles of this size at so many levels, so that other launches are taken".into()
        }
        Cut::SplitAndMerge(_) if !has(|tile| matches!(tile, Tile::Section { .. })) => {
            "no kernel has sections of this size in this precision, so that a stage is a launch".into()
        }
        _ => note_on_sections(cut, axes, plan, schedule),
    }
}

/// How many levels sections take where these are fewer than were asked for; of pictures they take one at a time anyway.
pub(super) fn note_on_sections(cut: Cut, axes: Axes, plan: &Plan, schedule: &Schedule) -> String {
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
        // Nobody asked for what is usual.
        Some(most) if how.levels > n_levels.max(SplitAndMerge::default().levels) => {
            format!("there are {n_levels} levels, of which {most} are split at a time, and not {}", how.levels)
        }
        _ => String::new(),
    }
}
