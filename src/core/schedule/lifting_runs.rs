//! Runs of lifting steps in sections: whether their merges are apart, and the launches of a run.

use super::section_boundary::{finest, section_boundaries};
use super::split_settings::push_sections;
use super::{Launch, SectionBoundary, SplitAndMerge, TileGrid, parts_along_axes};
use crate::plan::{Extension, LiftingStep, Plan, Stage};
use std::ops::Range;

/// Whether the split keeps a sample between any two section boundaries, so that merges are independent.
pub fn merges_are_independent(plan: &Plan, stages: Range<usize>, grid: TileGrid) -> bool {
    let steps: Option<Vec<LiftingStep>> = plan.stages[stages].iter().map(Stage::lifting_step).collect();
    let Some(steps) = steps else { return false };
    let Some(first) = finest(&steps) else { return false };
    let size = grid.samples(first);
    let margin = grid.margin_of(first);
    // The last tile has two boundaries only on a periodic line.
    let last = (first.samples - 1) % size + 1;
    let shortest = if first.extension == Extension::Periodic { last } else { size };
    let room = |step: &LiftingStep| (shortest / (step.spacing / first.spacing)) as i64;
    let regular = steps.iter().all(|step| step.extension == first.extension && step.extension != Extension::PeriodicHalves);
    // A tile that copies the lane before it leaves nothing.
    let leaves_room =
        |(boundary, step): (SectionBoundary, &LiftingStep)| step.mirrors_evenly() && boundary.after - boundary.before <= room(step);
    let apart = || grid.copies || section_boundaries(&steps, margin).into_iter().zip(&steps).all(leaves_room);
    regular && (size >= first.samples || apart())
}

/// Adds the split of a run, and a merge for every axis longer than a tile.
pub(super) fn push_lifting_sections(plan: &Plan, launches: &mut Vec<Launch>, stages: Range<usize>, grid: TileGrid, how: SplitAndMerge) {
    let is_left = |stages: &Range<usize>| plan.stages[stages.start].lifting_step().is_some_and(|step| grid.samples(&step) < step.samples);
    let merges = parts_along_axes(plan, stages.clone()).into_iter().filter(is_left);
    push_sections(launches, stages, merges, grid, how);
}
