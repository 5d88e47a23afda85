//! Levels of lifting steps or of filter banks, and how many of them a launch takes.

use super::{filter_runs, scan_runs};
use crate::plan::{LiftingStep, Plan, Stage};
use std::ops::Range;

/// The levels of one launch of overlapped tiles, and its tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LevelGroup {
    /// Levels of the launch.
    pub levels: usize,
    /// Rows and columns of a tile, in samples of its finest level.
    pub tile: [usize; 2],
}

/// The data and levels that remain before a group of levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RemainingLevels {
    /// Rows and columns of an image; one row for a signal.
    pub samples: [usize; 2],
    /// Levels that remain.
    pub levels: usize,
}

/// The levels of a plan: each groups the lifting steps on the same samples; every other stage is alone.
pub fn levels(plan: &Plan) -> Vec<Range<usize>> {
    let steps: Vec<Option<LiftingStep>> = plan.stages.iter().map(Stage::lifting_step).collect();
    let mut levels: Vec<Range<usize>> = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        let joins = |level: &Range<usize>| {
            let before = steps[level.start];
            before.zip(*step).is_some_and(|(a, b)| (a.spacing, a.samples, a.lines) == (b.spacing, b.samples, b.lines))
        };
        match levels.last_mut() {
            Some(level) if joins(level) => level.end = index + 1,
            _ => levels.push(index..index + 1),
        }
    }
    levels
}

/// Number of lifting or filter-bank levels, or of scan steps, among some stages.
pub fn levels_within(plan: &Plan, stages: Range<usize>) -> usize {
    let is_within = |level: &Range<usize>| stages.start <= level.start && level.end <= stages.end;
    let lifted = levels(plan).into_iter().filter(|level| is_within(level) && plan.stages[level.start].lifting_step().is_some()).count();
    let counts = [lifted, filter_runs::levels_within(plan, stages.clone()), scan_runs::levels_within(plan, stages)];
    counts.into_iter().find(|&n| n > 0).unwrap_or(0)
}
