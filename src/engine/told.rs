//! What a schedule does otherwise than was asked for, in words.

use super::Cut;
use crate::plan::Plan;
use crate::schedule::{Schedule, SplitAndMerge, Tile, levels_within};
use crate::transforms::Axes;

/// Why a schedule on a GPU is not cut as was asked for; empty where it is.
pub(super) fn on_gpu(cut: Cut, axes: Axes, plan: &Plan, schedule: &Schedule) -> String {
    let has = |is: fn(&Tile) -> bool| schedule.launches.iter().any(|launch| is(&launch.tile));
    match cut {
        Cut::Overlapped(_) if !has(|tile| matches!(tile, Tile::Overlapped { .. })) => {
            "no kernel has overlapped tiles of this size at so many levels, so that other launches are taken".into()
        }
        Cut::SplitAndMerge(_) if !has(|tile| matches!(tile, Tile::Section { .. })) => {
            "no kernel has sections of this size in this precision, so that a stage is a launch".into()
        }
        _ => of_sections(cut, axes, plan, schedule),
    }
}

/// How many levels sections take where these are fewer than were asked for; of pictures they take one at a time anyway.
pub(super) fn of_sections(cut: Cut, axes: Axes, plan: &Plan, schedule: &Schedule) -> String {
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
