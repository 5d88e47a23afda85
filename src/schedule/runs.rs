//! The sections of a schedule as people look at them: run after run of lifting steps, what a border leaves to the merge in every step, and which launches they are.

use super::{Border, Schedule, Section, Tile, axes, borders};
use crate::plan::{LiftingStep, Plan, Stage};
use std::ops::Range;

/// A run of lifting steps along one axis that a split and a merge share.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Its stages.
    pub stages: Range<usize>,
    /// The launch of the split; of squares that of both axes.
    pub split: usize,
    /// The launch of the merge, where a tile is shorter than a line.
    pub merge: Option<usize>,
    /// Samples of a tile, at the level of the first step.
    pub tile: usize,
    /// The steps, and what a border leaves to the merge.
    pub steps: Vec<(LiftingStep, Border)>,
}

/// The runs of a schedule, in the order in which they are split.
pub fn runs(plan: &Plan, schedule: &Schedule) -> Vec<Run> {
    let mut runs = Vec::new();
    for (split, launch) in schedule.launches.iter().enumerate() {
        let Tile::Section { section: Section::Split, grid, .. } = launch.tile else { continue };
        for stages in axes(plan, launch.stages.clone()) {
            let steps: Vec<LiftingStep> = plan.stages[stages.clone()].iter().filter_map(Stage::lifting_step).collect();
            let Some(first) = steps.first().filter(|_| steps.len() == stages.len()) else { continue };
            let is_merge = |launch: &super::Launch| launch.section() == Some(Section::Merge);
            let mut merges = schedule.launches.iter().enumerate().skip(split + 1).take_while(|(_, launch)| is_merge(launch));
            let merge = merges.find(|(_, launch)| launch.stages == stages).map(|(index, _)| index);
            let (tile, borders) = (grid.samples(first).min(first.samples), borders(&steps, grid.margin_of(first)));
            runs.push(Run { stages, split, merge, tile, steps: steps.iter().copied().zip(borders).collect() });
        }
    }
    runs
}

impl Run {
    /// Samples of the first level that the merge spans before and after a border in a step.
    pub fn span(&self, step: usize) -> [i64; 2] {
        let (LiftingStep { spacing, .. }, Border { before, after }) = &self.steps[step];
        let scale = (spacing / self.steps[0].0.spacing) as i64;
        [(before + 1) * scale, (after - 1) * scale]
    }

    /// How many samples a border leaves to the merge in a step.
    pub fn merged(&self, step: usize) -> usize {
        let (LiftingStep { parity, .. }, Border { before, after }) = &self.steps[step];
        (before + 1..*after).filter(|sample| sample.rem_euclid(2) == *parity as i64).count()
    }
}
