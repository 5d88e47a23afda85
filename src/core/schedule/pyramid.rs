//! Split and merge of a complete pyramid such as cyclic reduction: down to one row, and back.
//!
//! F. Argüello, D. B. Heras, M. Bóo, J. Lamas-Rodríguez, The split-and-merge method in general purpose computation on GPUs (2012), sections 2 and 3 and Figure 6.

use super::lifting_runs::{merges_are_independent, push_lifting_sections};
use super::{Launch, Schedule, SectionKind, SectionMemory, SplitAndMerge, Tile, TileGrid};
use crate::plan::{LiftingStep, Plan, Stage};
use std::ops::Range;

/// The steps of a plan that reduces all samples to one and substitutes back through the same levels; `None` for other plans.
fn steps(plan: &Plan) -> Option<Vec<LiftingStep>> {
    let steps: Vec<LiftingStep> = plan.stages.iter().map(Stage::lifting_step).collect::<Option<_>>()?;
    let (n, n_levels) = (steps.len(), steps.len() / 2);
    let level = |step: &LiftingStep| (step.spacing, step.first, step.samples, step.is_linear);
    let goes_up_and_down =
        (0..n_levels).all(|up| (steps[up].parity, steps[n - 1 - up].parity) == (1, 0) && level(&steps[up]) == level(&steps[n - 1 - up]));
    let is_complete = (n == 1 || n == 2 * n_levels) && steps.get(n_levels).is_some_and(|top| !top.is_linear && top.samples <= 3);
    (goes_up_and_down && is_complete).then_some(steps)
}

/// Divides the reduction into splits and merges until one tile holds and solves all remaining rows.
/// Tiles finish the substitution alone, with a copy of one row that was solved before.
pub(super) fn split_and_merge(plan: &Plan, how: SplitAndMerge) -> Option<Schedule> {
    let steps = steps(plan)?;
    let (n, n_levels) = (steps.len(), steps.len() / 2);
    let (mut launches, mut runs): (Vec<Launch>, Vec<Range<usize>>) = (Vec::new(), Vec::new());
    let mut level = 0;
    while level < n_levels && steps[level].samples > how.samples() {
        let grid = |levels: usize| how.grid(&steps[level], plan.lanes, levels);
        // Fewer levels where the merges would meet.
        let most = how.levels.clamp(1, n_levels - level);
        let levels = (1..=most).rev().find(|&levels| merges_are_independent(plan, level..level + levels, grid(levels)));
        match levels {
            Some(levels) => push_lifting_sections(plan, &mut launches, level..level + levels, grid(levels), how),
            None => launches.push(Launch { stages: level..level + 1, tile: Tile::Each }),
        }
        runs.push(level..level + levels.unwrap_or(1));
        level += levels.unwrap_or(1);
    }
    let alone = |stages: Range<usize>, finest: &LiftingStep, levels: usize, copies: bool| {
        let grid = TileGrid { margin: [0, 0], copies, ..how.grid(finest, plan.lanes, levels) };
        Launch { stages, tile: Tile::Section { section: SectionKind::Split, grid, memory: SectionMemory::Workgroup, threads: how.threads } }
    };
    if level < n - level {
        launches.push(alone(level..n - level, &steps[level], n_levels - level, false));
    }
    launches.extend(runs.iter().rev().map(|run| alone(n - run.end..n - run.start, &steps[run.start], run.len(), true)));
    Some(Schedule { launches })
}
