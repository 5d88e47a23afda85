//! How many bytes a launch moves through global memory.

use super::section_boundary::{finest, section_boundaries};
use super::{FilterRun, Launch, SectionBoundary, SectionKind, Tile, TileGrid};
use crate::plan::{Extension, LiftingStep, Plan, Stage};
use std::ops::Range;

impl Launch {
    /// Bytes that the launch moves through global memory in single precision.
    pub fn bytes_moved(&self, plan: &Plan) -> u64 {
        match self.tile {
            Tile::Each | Tile::Patch { .. } | Tile::Strided { .. } | Tile::Spread { .. } => {
                plan.stages[self.stages.start].bytes_moved(plan.ring)
            }
            // Every row is read; one row a block, or every unknown, is written.
            Tile::Partition { .. } => (plan.lanes * plan.ring.bytes_per_lane()) as u64,
            Tile::Block { .. } | Tile::Bits { .. } | Tile::Cone { .. } => 2 * (plan.lanes * plan.ring.bytes_per_lane()) as u64,
            // Every sample of the finest level.
            Tile::Section { section: SectionKind::Split, .. } | Tile::Overlapped { .. } => {
                let steps = plan.stages[self.stages.clone()].iter().filter_map(Stage::lifting_step);
                let lifted = steps.map(|step| step.samples * step.n_lines()).max();
                let filtered = || plan.stages[self.stages.clone()].iter().filter_map(Stage::filter_step);
                let filtered = || filtered().map(|step| step.samples * step.n_lines).max();
                let samples = 2 * lifted.or_else(filtered).unwrap_or(plan.lanes);
                (samples * plan.ring.bytes_per_lane()) as u64
            }
            Tile::Section { section: SectionKind::Merge, grid, .. } => {
                2 * (boundary_lanes(plan, self.stages.clone(), grid) * plan.ring.bytes_per_lane()) as u64
            }
        }
    }
}

/// Lanes that the merge touches at all section boundaries together; all lanes for stages of unknown shape.
fn boundary_lanes(plan: &Plan, stages: Range<usize>, grid: TileGrid) -> usize {
    if let Some(run) = FilterRun::of(plan, stages.clone()) {
        return run.boundary_lanes(grid);
    }
    let steps: Option<Vec<LiftingStep>> = plan.stages[stages].iter().map(Stage::lifting_step).collect();
    let Some((steps, first)) = steps.and_then(|steps| Some((steps.clone(), *finest(&steps)?))) else { return plan.lanes };
    let margin = grid.margin_of(&first);
    let span = |(boundary, step): (SectionBoundary, &LiftingStep)| {
        (boundary.after - boundary.before + 1) as usize * (step.spacing / first.spacing)
    };
    let widest = section_boundaries(&steps, margin).into_iter().zip(&steps).map(span).max().unwrap_or(0);
    let ends = usize::from(matches!(first.extension, Extension::Symmetric | Extension::None | Extension::Zero));
    let n_boundaries = first.samples.div_ceil(grid.samples(&first)) - ends;
    n_boundaries * widest.min(first.samples) * first.n_lines()
}
