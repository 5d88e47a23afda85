//! Schedules with split sections and merge sections.

use super::levels::{levels, levels_within};
use super::lifting_runs::{merges_are_independent, push_lifting_sections};
use super::section_boundary::finest;
use super::{BlockScheme, Launch, Schedule, SectionKind, SplitAndMerge, Tile, TileGrid, filters, parts_along_axes, pyramid, scan_runs};
use crate::plan::{LiftingStep, Plan};
use std::ops::Range;

impl Schedule {
    /// Number of levels of every split, and whether a merge follows.
    pub fn levels_of_sections(&self, plan: &Plan) -> Vec<(usize, bool)> {
        let is = |launch: &Launch, of: SectionKind| matches!(launch.tile, Tile::Section { section, .. } if section == of);
        let splits = self.launches.iter().enumerate().filter(|(_, launch)| is(launch, SectionKind::Split));
        let is_merged = |index: usize| self.launches.get(index + 1).is_some_and(|next| is(next, SectionKind::Merge));
        splits.map(|(index, launch)| (levels_within(plan, launch.stages.clone()), is_merged(index))).collect()
    }

    /// Levels along both axes of an image that the schedule splits at once, and all such levels of the plan.
    pub fn squares(&self, plan: &Plan) -> [usize; 2] {
        let is_square =
            |launch: &&Launch| launch.section() == Some(SectionKind::Split) && parts_along_axes(plan, launch.stages.clone()).len() > 1;
        let levels = levels(plan);
        let pairs = (0..levels.len()).filter(|&first| both_axes(plan, &levels[first..]).is_some());
        [self.launches.iter().filter(is_square).count(), pairs.count()]
    }

    /// Divides every run of levels into a split and a merge, until one tile holds all remaining samples.
    /// Every other stage is a launch of its own.
    pub fn split_and_merge(plan: &Plan, how: SplitAndMerge) -> Self {
        let whole = pyramid::split_and_merge(plan, how).or_else(|| filters::split_and_merge(plan, how));
        if let Some(schedule) = whole.or_else(|| scan_runs::split_and_merge(plan, how)) {
            return schedule;
        }
        let levels = levels(plan);
        let step = |level: &Range<usize>| plan.stages[level.start].lifting_step();
        let (mut launches, mut next) = (Vec::new(), 0);
        while next < levels.len() {
            let first = &levels[next];
            if step(first).is_none() {
                launches.extend(first.clone().map(|stage| Launch { stages: stage..stage + 1, tile: Tile::Each }));
                next += 1;
                continue;
            }
            // The spacing doubles with every level forward and halves on the way back, on the same lines.
            let follows = |n: usize| {
                let along = |level: usize| levels.get(level).and_then(step);
                let (Some(before), Some(after)) = (along(next + n - 1), along(next + n)) else { return false };
                let (near, far) = (before.spacing.min(after.spacing), before.spacing.max(after.spacing));
                far == 2 * near && after.is_across() == before.is_across() && after.n_lines() == before.n_lines()
            };
            if let Some(stages) = both_axes(plan, &levels[next..]).filter(|_| how.scheme == BlockScheme::Square)
                && let Some(grid) = how.square(plan, &stages)
            {
                push_lifting_sections(plan, &mut launches, stages, grid, how);
                next += 2;
                continue;
            }
            let most = (1..how.levels.max(1)).take_while(|&n| follows(n)).count() + 1;
            let stages = |n: usize| first.start..levels[next + n - 1].end;
            let grid = |n: usize| {
                let steps: Vec<LiftingStep> = levels[next..next + n].iter().filter_map(step).collect();
                finest(&steps).map(|step| how.grid(step, plan.lanes, n))
            };
            // Fewer levels where the merges would meet.
            let fits = |n: usize| grid(n).filter(|&grid| merges_are_independent(plan, stages(n), grid)).map(|grid| (n, grid));
            match (1..=most).rev().find_map(fits) {
                Some((n, grid)) => {
                    push_lifting_sections(plan, &mut launches, stages(n), grid, how);
                    next += n;
                }
                None => {
                    launches.extend(stages(1).map(|stage| Launch { stages: stage..stage + 1, tile: Tile::Each }));
                    next += 1;
                }
            }
        }
        Self { launches }
    }
}

/// The stages of the first two levels if they are the two axes of one image level.
fn both_axes(plan: &Plan, levels: &[Range<usize>]) -> Option<Range<usize>> {
    let [first, second, ..] = levels else { return None };
    let [a, b] = [first, second].map(|level| plan.stages[level.start].lifting_step());
    let (a, b) = a.zip(b)?;
    let is_both = a.is_across() != b.is_across() && a.line_stride() == Some(b.spacing) && b.line_stride() == Some(a.spacing);
    is_both.then_some(first.start..second.end)
}

impl SplitAndMerge {
    /// The tiles of one level along both axes; `None` if merges along an axis would meet.
    fn square(&self, plan: &Plan, stages: &Range<usize>) -> Option<TileGrid> {
        let steps = stages.clone().filter_map(|stage| plan.stages[stage].lifting_step());
        let (across, along): (Vec<_>, Vec<_>) = steps.partition(LiftingStep::is_across);
        let (side, margin) = (self.side(), self.width / 2);
        let (row, lane) = (across.first()?.spacing, along.first()?.spacing);
        let [rows_left, columns_left] = [across.first()?.samples, along.first()?.samples];
        let line = TileGrid::line(row, side * lane).within([rows_left, columns_left * lane]);
        let grid = TileGrid { rows: side, margin: [margin, margin * lane], ..line };
        parts_along_axes(plan, stages.clone()).into_iter().all(|axis| merges_are_independent(plan, axis, grid)).then_some(grid)
    }
}
