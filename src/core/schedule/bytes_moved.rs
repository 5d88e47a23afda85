//! How many bytes a launch moves through global memory.

use super::section_boundary::{finest, section_boundaries};
use super::{FilterRun, Launch, ScanRun, SectionBoundary, SectionKind, Tile, TileGrid};
use crate::plan::{Extension, LiftingStep, Plan, Stage};
use std::ops::Range;

impl Launch {
    /// Bytes that the launch moves through global memory, where a lane takes `lane_bytes`.
    pub fn bytes_moved(&self, plan: &Plan, lane_bytes: usize) -> u64 {
        match self.tile {
            Tile::Each | Tile::Samples(_) | Tile::Variant(_) | Tile::Patch { .. } | Tile::Strided { .. } | Tile::Spread { .. } => {
                plan.stages[self.stages.start].bytes_moved(lane_bytes)
            }
            Tile::Spaced { spacing, .. } => 2 * (plan.lanes / spacing) as u64 * Stage::bytes_of_a_lane(spacing, lane_bytes) as u64,
            // Every row is read; one row a block, or every unknown, is written.
            Tile::Partition { .. } => (plan.lanes * lane_bytes) as u64,
            Tile::Block { .. } | Tile::BlockBy { .. } | Tile::Bits { .. } | Tile::Cone { .. } => 2 * (plan.lanes * lane_bytes) as u64,
            // Every sample of the finest level.
            Tile::Section { section: SectionKind::Split, .. } | Tile::Overlapped { .. } => {
                let steps = plan.stages[self.stages.clone()].iter().filter_map(Stage::lifting_step);
                let lifted = steps.map(|step| step.samples * step.n_lines()).max();
                let filtered = || plan.stages[self.stages.clone()].iter().filter_map(Stage::filter_step);
                let filtered = || filtered().map(|step| step.samples * step.n_lines).max();
                let scanned = || plan.stages[self.stages.start].scan_step().map(|step| step.n);
                let samples = 2 * lifted.or_else(filtered).or_else(scanned).unwrap_or(plan.lanes);
                (samples * lane_bytes) as u64
            }
            Tile::Section { section: SectionKind::Merge, grid, .. } => {
                2 * (boundary_lanes(plan, self.stages.clone(), grid) * lane_bytes) as u64
            }
        }
    }
}

/// Lanes that the merge touches at all section boundaries together; all lanes for stages of unknown shape.
fn boundary_lanes(plan: &Plan, stages: Range<usize>, grid: TileGrid) -> usize {
    if let Some(run) = FilterRun::of(plan, stages.clone()) {
        return run.boundary_lanes(grid);
    }
    if let Some(run) = ScanRun::of(plan, stages.clone()) {
        return run.n_boundaries(grid) * run.widest(run.margin(grid));
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

#[cfg(test)]
mod tests {
    use crate::schedule::Schedule;
    use crate::transforms::{Parameters, Shape, transform};

    #[test]
    fn lanes_far_apart_cost_a_line_of_the_caches_each() {
        let direct = transform("cdf97").and_then(|transform| transform.algorithm("direct")).expect("it is in the table");
        let n = 1 << 10;
        let parameters = Parameters { levels: Some(5), ..Parameters::default() };
        let plan = direct.plan_fn().expect("it is a plan")(Shape::line(n), parameters).expect("a power of two");
        let bytes: Vec<u64> = Schedule::by_stage(&plan).launches.iter().map(|launch| launch.bytes_moved(&plan, 4) / n as u64).collect();
        // A step reads every sample of its level and writes half of them: of level 4 one in 8 and one in 16 of the lanes, of level 5 half as many.
        assert_eq!([0, 4, 8, 12, 16].map(|step| bytes[step]), [4 + 4, 4 + 4, 4 + 4, 4 + 4, 4 + 2]);
    }
}
