//! Schedules of filter banks: in sections, and in overlapped tiles.

use super::filter_runs::{FilterLevel2d, FilterRun, runs, squares};
use super::split_settings::push_sections;
use super::{Launch, LevelGroup, RemainingLevels, Schedule, SplitAndMerge, Tile};
use crate::plan::Plan;

/// Divides every run of levels into a split and a merge; levels whose merges would meet are launches of their own.
pub(super) fn split_and_merge(plan: &Plan, how: SplitAndMerge) -> Option<Schedule> {
    let grid = |run: &FilterRun| run.grid(if run.finest().is_across() { how.sides() } else { [1, how.samples()] }, how.width / 2);
    let fits = |run: &FilterRun, levels: usize| {
        let taken = FilterRun { levels: run.levels[..levels].to_vec(), ..*run };
        taken.has_independent_merges(grid(&taken))
    };
    let most = |run: &FilterRun| (1..=how.levels.clamp(1, run.levels.len())).rev().find(|&levels| fits(run, levels)).unwrap_or(1);
    let mut launches = Vec::new();
    for (run, ()) in runs(plan, |run| (most(run), ()))? {
        let (stages, grid) = (run.stages(), grid(&run));
        if !run.has_independent_merges(grid) {
            launches.extend(stages.map(|stage| Launch { stages: stage..stage + 1, tile: Tile::Each }));
            continue;
        }
        let merge = (run.tile(grid) < run.finest().samples).then(|| stages.clone());
        push_sections(&mut launches, stages, merge, grid, how);
    }
    Some(Schedule { launches })
}

/// One launch of overlapped tiles for every group of levels that `choose` returns; an image level along both axes is one launch.
pub(super) fn overlapped(plan: &Plan, mut choose: impl FnMut(RemainingLevels) -> LevelGroup) -> Option<Schedule> {
    if let Some(squares) = squares(plan) {
        let n_levels = squares.len();
        let launch = |(level, square): (usize, FilterLevel2d)| {
            let LevelGroup { tile, .. } = choose(RemainingLevels { samples: square.samples(), levels: n_levels - level });
            Launch { stages: square.stages(), tile: Tile::Overlapped { grid: square.grid(tile), halo: [square.halo(); 2] } }
        };
        let mut launches: Vec<Launch> = squares.into_iter().enumerate().map(launch).collect();
        launches.sort_by_key(|launch| launch.stages.start);
        return Some(Schedule { launches });
    }
    let runs = runs(plan, |run| {
        let step = run.finest();
        let samples = if step.is_across() { [step.samples, step.n_lines] } else { [1, step.samples] };
        let group = choose(RemainingLevels { samples, levels: run.levels.len() });
        (group.levels, group.tile)
    })?;
    let launch = |(run, [rows, columns]): (FilterRun, [usize; 2])| {
        let (step, halo) = (run.finest(), run.halo());
        let (rows, halo) = if step.is_across() { (rows, [halo, 0]) } else { (1, [0, halo * step.spacing]) };
        Launch { stages: run.stages(), tile: Tile::Overlapped { grid: run.grid([rows, columns], 0), halo } }
    };
    Some(Schedule { launches: runs.into_iter().map(launch).collect() })
}
