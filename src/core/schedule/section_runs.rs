//! The sections of a schedule for display: the levels of each run, the samples merged at a boundary, and the launches.

use super::section_boundary::{SectionBoundary, finest, section_boundaries};
use super::{FilterRun, Launch, ScanLevel, ScanRun, Schedule, SectionKind, Tile, TileGrid, parts_along_axes};
use crate::plan::{LiftingStep, Plan, Stage};
use std::ops::Range;

/// A run of lifting steps, filter-bank levels or scan steps along one axis, with its split and merge.
#[derive(Debug, Clone, PartialEq)]
pub struct SectionRun {
    /// Its stages.
    pub stages: Range<usize>,
    /// The launch of the split; both axes of an image may share it.
    pub split: usize,
    /// The launch of the merge, if a tile is shorter than a line.
    pub merge: Option<usize>,
    /// Samples of a line and of a tile, at the finest level.
    pub samples: usize,
    /// See `samples`.
    pub tile: usize,
    /// Samples around a boundary that the split leaves to the merge: W of the paper.
    pub width: usize,
    /// The steps.
    pub steps: Vec<SectionRunStep>,
}

/// A step of a run, and the butterflies that a boundary leaves to the merge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SectionRunStep {
    /// Its stage.
    pub stage: usize,
    /// The first butterfly behind a boundary, and the distance to the next, in samples of the finest level.
    pub first: i64,
    /// See `first`.
    pub spacing: i64,
    /// The butterflies left to the merge, counted from the first one behind the boundary.
    pub merged: Range<i64>,
    /// Packet blocks, each of which leaves this many butterflies.
    pub blocks: usize,
}

/// The runs of a schedule in the order of their splits.
pub fn section_runs(plan: &Plan, schedule: &Schedule) -> Vec<SectionRun> {
    let mut runs = Vec::new();
    for (split, launch) in schedule.launches.iter().enumerate() {
        let Tile::Section { section: SectionKind::Split, grid, .. } = launch.tile else { continue };
        for stages in parts_along_axes(plan, launch.stages.clone()) {
            let run = lifted(plan, &stages, grid).or_else(|| filtered(plan, &stages, grid)).or_else(|| scanned(plan, &stages, grid));
            let Some((samples, tile, margin, steps)) = run else { continue };
            let is_merge = |launch: &Launch| launch.section() == Some(SectionKind::Merge);
            let mut merges = schedule.launches.iter().enumerate().skip(split + 1).take_while(|(_, launch)| is_merge(launch));
            let merge = merges.find(|(_, launch)| launch.stages == stages).map(|(index, _)| index);
            runs.push(SectionRun { stages, split, merge, samples, tile: tile.min(samples), width: 2 * margin, steps });
        }
    }
    runs
}

/// Samples of a line, of a tile and of the margin of a tile, and the steps, of a run of lifting steps.
fn lifted(plan: &Plan, stages: &Range<usize>, grid: TileGrid) -> Option<(usize, usize, usize, Vec<SectionRunStep>)> {
    let steps: Vec<LiftingStep> = plan.stages[stages.clone()].iter().map(Stage::lifting_step).collect::<Option<_>>()?;
    let finest = finest(&steps)?;
    let step = |((stage, step), SectionBoundary { before, after }): ((usize, &LiftingStep), SectionBoundary)| {
        let (scale, parity) = ((step.spacing / finest.spacing) as i64, step.parity as i64);
        let of = |sample: i64| (sample - parity + 1).div_euclid(2);
        SectionRunStep { stage, first: parity * scale, spacing: 2 * scale, merged: of(before + 1)..of(after), blocks: 1 }
    };
    let margin = grid.margin_of(finest);
    let boundaries = section_boundaries(&steps, margin);
    Some((finest.samples, grid.samples(finest), margin, stages.clone().zip(&steps).zip(boundaries).map(step).collect()))
}

/// The same for filter-bank levels.
fn filtered(plan: &Plan, stages: &Range<usize>, grid: TileGrid) -> Option<(usize, usize, usize, Vec<SectionRunStep>)> {
    let run = FilterRun::of(plan, stages.clone())?;
    let margin = run.margin(grid);
    let boundaries = run.boundaries(margin);
    let step = |(level, boundary): (usize, &SectionBoundary)| SectionRunStep {
        stage: run.levels[level].stage(),
        first: 0,
        spacing: 2 << level,
        merged: boundary.before + 1..boundary.after,
        blocks: run.blocks(level),
    };
    let mut steps: Vec<SectionRunStep> = boundaries.iter().enumerate().map(step).collect();
    steps.sort_by_key(|step| step.stage);
    Some((run.finest().samples, run.tile(grid), margin, steps))
}

/// The same for scan steps, of one of their lines.
fn scanned(plan: &Plan, stages: &Range<usize>, grid: TileGrid) -> Option<(usize, usize, usize, Vec<SectionRunStep>)> {
    let run = ScanRun::of(plan, stages.clone())?;
    let margin = run.margin(grid);
    let step = |(stage, level): (usize, ScanLevel)| {
        let SectionBoundary { before, after } = level.boundary;
        SectionRunStep { stage, first: 0, spacing: 1, merged: before + 1..after, blocks: 1 }
    };
    Some((run.samples(), run.tile(grid), margin, stages.clone().zip(run.levels(margin)).map(step).collect()))
}

impl SectionRun {
    /// The first and last sample of the finest level that the merge updates in a step, relative to the boundary.
    pub fn span(&self, step: usize) -> [i64; 2] {
        let SectionRunStep { first, spacing, merged, .. } = &self.steps[step];
        [merged.start, merged.end - 1].map(|butterfly| first + butterfly * spacing)
    }

    /// Butterflies that a boundary leaves to the merge in a step.
    pub fn merged(&self, step: usize) -> usize {
        let SectionRunStep { merged, blocks, .. } = &self.steps[step];
        blocks * (merged.end - merged.start).max(0) as usize
    }
}
