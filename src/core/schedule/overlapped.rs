//! Schedules with overlapped tiles: neighbours repeat the computations of their halos, and a group of levels is one launch.

use super::levels::levels;
use super::{Launch, LevelGroup, RemainingLevels, Schedule, Tile, TileGrid, filters};
use crate::plan::{LiftingStep, Plan, Stage};
use std::ops::Range;

/// The stages of a pyramid level, along rows and along columns.
#[derive(Debug, Clone, PartialEq)]
pub struct PyramidLevel {
    /// All its stages.
    pub stages: Range<usize>,
    /// Steps along rows.
    pub along_rows: Vec<LiftingStep>,
    /// Steps along columns.
    pub along_columns: Vec<LiftingStep>,
}

/// The levels of a pyramid of lifting steps, the finest first. The plan also has one permutation to or from the pyramid layout. `None` for other plans.
pub fn pyramid_levels(plan: &Plan) -> Option<Vec<PyramidLevel>> {
    let is_moved = |stage: &Stage| stage.write.pyramid.is_some() && stage.lifting_step().is_none();
    let n_moves = plan.stages.iter().filter(|stage| is_moved(stage)).count();
    let forward = plan.stages.last().is_some_and(is_moved);
    if n_moves != 1 || !(forward || is_moved(&plan.stages[0])) {
        return None;
    }
    let mut found: Vec<PyramidLevel> = Vec::new();
    for stages in levels(plan).into_iter().filter(|stages| !is_moved(&plan.stages[stages.start])) {
        let steps: Vec<LiftingStep> = plan.stages[stages.clone()].iter().map(Stage::lifting_step).collect::<Option<_>>()?;
        let across = steps[0].is_across();
        let [along_rows, along_columns] = if across { [Vec::new(), steps] } else { [steps, Vec::new()] };
        match found.last_mut() {
            // Both axes of a level are neighbours.
            Some(level) if level.includes(across, &along_rows, &along_columns) => {
                level.stages.end = stages.end;
                level.along_rows.extend(along_rows);
                level.along_columns.extend(along_columns);
            }
            _ => found.push(PyramidLevel { stages, along_rows, along_columns }),
        }
    }
    if !forward {
        found.reverse();
    }
    Some(found)
}

impl PyramidLevel {
    /// Whether steps along the other axis belong to the same level.
    fn includes(&self, across: bool, along_rows: &[LiftingStep], along_columns: &[LiftingStep]) -> bool {
        let (other, new) = if across { (&self.along_rows, along_columns) } else { (&self.along_columns, along_rows) };
        let is_free = if across { self.along_columns.is_empty() } else { self.along_rows.is_empty() };
        let neighbours = other.first().zip(new.first());
        // The line stride of one axis is the sample spacing of the other.
        is_free && neighbours.is_some_and(|(a, b)| a.line_stride() == Some(b.spacing) && b.line_stride() == Some(a.spacing))
    }

    /// Rows and columns of the data that the level halves.
    pub fn samples(&self) -> [usize; 2] {
        match (self.along_rows.first(), self.along_columns.first()) {
            (Some(row), Some(column)) => [column.samples, row.samples],
            (Some(row), None) => [1, row.samples],
            (None, Some(column)) => [column.samples, column.n_lines()],
            (None, None) => [1, 1],
        }
    }
}

impl Schedule {
    /// One launch of overlapped tiles for every group of levels that `choose` returns; `None` if the plan is neither a lifting pyramid nor a filter bank.
    pub fn overlapped(plan: &Plan, mut choose: impl FnMut(RemainingLevels) -> LevelGroup) -> Option<Self> {
        let Some(levels) = pyramid_levels(plan) else { return filters::overlapped(plan, choose) };
        let forward = plan.stages[0].lifting_step().is_some();
        let (mut launches, mut next) = (Vec::new(), 0);
        while next < levels.len() {
            let group = choose(RemainingLevels { samples: levels[next].samples(), levels: levels.len() - next });
            let end = levels.len().min(next + group.levels.max(1));
            let taken = &levels[next..end];
            let [first, last] = if forward { [&taken[0], &taken[taken.len() - 1]] } else { [&taken[taken.len() - 1], &taken[0]] };
            let mut stages = first.stages.start..last.stages.end;
            // The coarsest group also takes the permutation.
            if end == levels.len() {
                stages = if forward { stages.start..plan.stages.len() } else { 0..stages.end };
            }
            launches.push(Launch { stages, tile: overlapped_tile(plan, taken, group) });
            next = end;
        }
        if !forward {
            launches.reverse();
        }
        Some(Self { launches })
    }
}

fn overlapped_tile(plan: &Plan, levels: &[PyramidLevel], group: LevelGroup) -> Tile {
    let finest = &levels[0];
    // The halos of all steps add up, in lanes or rows.
    let farthest = |step: &LiftingStep| step.taps().map(|(offset, _)| offset.unsigned_abs()).max().unwrap_or(0) as usize;
    let reach = |steps: &[LiftingStep]| steps.iter().map(farthest).sum::<usize>();
    let halo = |of: fn(&PyramidLevel) -> &Vec<LiftingStep>, unit: usize| -> usize {
        levels.iter().map(|level| of(level).first().map_or(0, |step| reach(of(level)) * step.spacing / unit)).sum()
    };
    let [rows, columns] = group.tile;
    let column = finest.along_columns.first();
    let lane = finest.along_rows.first().map_or_else(|| column.and_then(LiftingStep::line_stride).unwrap_or(1), |step| step.spacing);
    let row = column.map(|step| step.spacing).or_else(|| finest.along_rows.first()?.line_stride()).unwrap_or(plan.lanes);
    let [n_rows, n_columns] = finest.samples();
    let n_rows = if column.is_some() { n_rows } else { finest.along_rows.first().map_or(n_rows, LiftingStep::n_lines) };
    Tile::Overlapped {
        grid: TileGrid { rows, ..TileGrid::line(row, columns * lane) }.within([n_rows, n_columns * lane]),
        halo: [halo(|level| &level.along_columns, row), halo(|level| &level.along_rows, 1)],
    }
}
