//! Runs of scan steps in a launch, and the equations that they leave at section boundaries.
//!
//! F. Argüello, D. B. Heras, M. Bóo, J. Lamas-Rodríguez, The split-and-merge method in general purpose computation on GPUs (2012), section 2, which names recursive doubling.
//! A scan neither decimates nor works in place. Steps a distance of s apart fall into s lines that know nothing of each other, so a later run has tiles of
//! every s-th equation. A split keeps what its merge needs of each level and what it overwrites.

use super::split_settings::push_sections;
use super::{Launch, Schedule, SectionBoundary, SplitAndMerge, Tile, TileGrid};
use crate::plan::{Plan, ScanStep};
use std::ops::Range;

/// Scan steps of one kind whose distances double.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScanRun {
    /// Its stages.
    pub stages: Range<usize>,
    /// The first step. Its distance is the number of lines.
    pub first: ScanStep,
}

/// The work of a level of a run at a section boundary, in equations of a line, counted from the first one behind the boundary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScanLevel {
    /// Distance of the neighbours.
    pub distance: i64,
    /// The equations that the split leaves to the merge.
    pub boundary: SectionBoundary,
    /// Those before and behind them that the merge reads as they were before the level: the split overwrites them, and so keeps them.
    pub kept: [Range<i64>; 2],
}

impl ScanRun {
    /// The run that consists of some stages, if they form one.
    pub fn of(plan: &Plan, stages: Range<usize>) -> Option<Self> {
        let first = plan.stages[stages.start].scan_step()?;
        let goes_on = |(level, stage): (usize, usize)| {
            plan.stages[stage].scan_step() == Some(ScanStep { distance: first.distance << level, ..first })
        };
        stages.clone().enumerate().all(goes_on).then_some(Self { stages, first })
    }

    /// The longest run from a stage on; `None` if the stage is not a scan step.
    fn from(plan: &Plan, stage: usize) -> Option<Self> {
        (stage + 1..=plan.stages.len()).map_while(|end| Self::of(plan, stage..end)).last()
    }

    /// Equations of the longest line.
    pub fn samples(&self) -> usize {
        self.first.n.div_ceil(self.first.distance)
    }

    /// The work of each level at a boundary, where the split omits `margin` equations on each side.
    pub fn levels(&self, margin: usize) -> Vec<ScanLevel> {
        let reads = self.first.sides();
        let mut known = SectionBoundary { before: -1 - margin as i64, after: margin as i64 };
        let level = |level: usize| {
            let distance = 1 << level;
            let [before, behind] = reads.map(|reads| if reads { distance } else { 0 });
            known = SectionBoundary { before: known.before - behind, after: known.after + before };
            let SectionBoundary { before: last, after: next } = known;
            ScanLevel { distance, boundary: known, kept: [last + 1 - before..last + 1, next..next + behind] }
        };
        (0..self.stages.len()).map(level).collect()
    }

    /// Tiles of `samples` equations of a line: neighbouring lanes of a single line, else rows of one column.
    fn grid(&self, samples: usize, margin: usize) -> TileGrid {
        let ScanStep { n, distance: lines, .. } = self.first;
        if lines == 1 {
            return TileGrid { margin: [0, margin], ..TileGrid::line(n, samples).within([1, n]) };
        }
        TileGrid { rows: samples, margin: [margin, 0], ..TileGrid::line(lines, 1).within([self.samples(), lines]) }
    }

    /// Equations of a tile of a line.
    pub fn tile(&self, grid: TileGrid) -> usize {
        if self.first.distance == 1 { grid.columns } else { grid.rows }
    }

    /// Equations on each side of a boundary that the split leaves to the merge.
    pub fn margin(&self, grid: TileGrid) -> usize {
        grid.margin[usize::from(self.first.distance == 1)]
    }

    /// Whether each merge reads only values of the split and its own, so that merges are independent.
    pub fn has_independent_merges(&self, grid: TileGrid) -> bool {
        let (tile, margin) = (self.tile(grid) as i64, self.margin(grid));
        let mut known = SectionBoundary { before: -1 - margin as i64, after: margin as i64 };
        let has_room = |ScanLevel { boundary, kept: [before, behind], .. }: ScanLevel| {
            let had = std::mem::replace(&mut known, boundary);
            // The values before the level that this boundary needs are those of the tile, and not left to the next boundary.
            tile + before.start >= had.after && behind.end <= tile + had.before + 1 && tile + boundary.before + 1 >= boundary.after
        };
        self.tile(grid) >= self.samples() || self.levels(margin).into_iter().all(has_room)
    }

    /// Lanes that a boundary keeps of all levels.
    pub fn kept(&self, margin: usize) -> usize {
        self.levels(margin).iter().flat_map(|level| &level.kept).map(|kept| (kept.end - kept.start) as usize).sum()
    }

    /// Equations around a boundary that the last level leaves to the merge; those of the other levels are among them.
    pub fn widest(&self, margin: usize) -> usize {
        self.levels(margin).last().map_or(0, |level| (level.boundary.after - level.boundary.before - 1) as usize)
    }

    /// Boundaries of all lines.
    pub fn n_boundaries(&self, grid: TileGrid) -> usize {
        (self.samples().div_ceil(self.tile(grid)) - 1) * self.first.distance
    }
}

/// Divides every run of scan steps into splits and merges, until a tile holds a whole line and takes all levels that are left; `None` for a plan without scan steps.
/// Every other stage is a launch of its own.
pub(super) fn split_and_merge(plan: &Plan, how: SplitAndMerge) -> Option<Schedule> {
    plan.stages.iter().find_map(|stage| stage.scan_step())?;
    let (mut launches, mut next) = (Vec::new(), 0);
    while next < plan.stages.len() {
        let run = ScanRun::from(plan, next).and_then(|run| taken(run, how));
        match run {
            Some((run, grid)) => {
                next = run.stages.end;
                let merge = (run.tile(grid) < run.samples()).then(|| run.stages.clone());
                push_sections(&mut launches, run.stages, merge, grid, how);
            }
            None => {
                launches.push(Launch { stages: next..next + 1, tile: Tile::Each });
                next += 1;
            }
        }
    }
    Some(Schedule { launches })
}

/// The levels of a run that its first split takes, and its tiles; `None` where merges of one level would meet.
fn taken(run: ScanRun, how: SplitAndMerge) -> Option<(ScanRun, TileGrid)> {
    let grid = run.grid(how.samples(), how.width / 2);
    if run.samples() <= how.samples() {
        return Some((run, grid));
    }
    let levels = |n: usize| ScanRun { stages: run.stages.start..run.stages.start + n, ..run };
    let runs = (1..=how.levels.clamp(1, run.stages.len())).rev().map(levels);
    runs.into_iter().find(|run| run.has_independent_merges(grid)).map(|run| (run, grid))
}

/// Number of scan steps among some stages.
pub(super) fn levels_within(plan: &Plan, stages: Range<usize>) -> usize {
    plan.stages[stages].iter().filter(|stage| stage.scan_step().is_some()).count()
}
