//! The kernel of the split along both axes of an image: which launches it supports, and what a workgroup takes.
//!
//! The merges, one for each axis, run in the kernel of `split_merge`.

use super::family::{Family, KernelDispatch, LaunchQuery};
use super::kernel::Kernel;
use super::split_merge::steps::{SectionStep, regular_steps, section_steps};
use super::tables::Tables;
use crate::plan::{Extension, LiftingStep, Ring};
use crate::schedule::{SectionKind, ThreadsPerSample, Tile, merges_are_independent, parts_along_axes, section_boundaries};
use serde::Serialize;

/// The data of one kernel.
#[derive(Serialize)]
struct Lifting2dShape {
    steps: Vec<AxisStep>,
    /// Rows and columns of a tile.
    rows: usize,
    columns: usize,
    thread_per_sample: bool,
    /// Whether the boundary extension is periodic; symmetric otherwise.
    wraps: bool,
    /// Threads of a workgroup.
    threads: usize,
}

/// A step, and whether it goes along columns.
#[derive(Serialize)]
struct AxisStep {
    across: bool,
    #[serde(flatten)]
    step: SectionStep,
}

/// The split of a level of a lifting scheme along both axes.
pub(super) struct Lifting2d;

impl Family for Lifting2d {
    fn dispatch(&self, query: LaunchQuery<'_>, _: &mut Tables) -> Option<KernelDispatch> {
        let LaunchQuery { plan, launch, in_place, limits, .. } = query;
        let Tile::Section { section: SectionKind::Split, grid, threads, .. } = launch.tile else { return None };
        let mut steps = Vec::new();
        let mut lines: [Option<LiftingStep>; 2] = [None; 2];
        for axis in parts_along_axes(plan, launch.stages.clone()) {
            let along = regular_steps(plan, axis.clone(), limits)?;
            let across = along[0].is_across();
            let borders = section_boundaries(&along, grid.margin_of(&along[0]));
            if !merges_are_independent(plan, axis, grid) || lines[usize::from(across)].replace(along[0]).is_some() {
                return None;
            }
            steps.extend(section_steps(&along, &borders).into_iter().map(|step| AxisStep { across, step }));
        }
        let [row, column] = [lines[0]?, lines[1]?];
        // The first launch writes another buffer than it reads, so it must cover all lanes.
        let covers = in_place || row.samples * column.samples == plan.lanes;
        let [rows, columns] = [grid.samples(&column), grid.samples(&row)];
        let thread_per_sample = threads == ThreadsPerSample::One;
        let threads = (rows * columns / if thread_per_sample { 1 } else { 2 }).clamp(1, limits.max_invocations);
        let wraps = row.extension == Extension::Periodic;
        let shape = Lifting2dShape { steps, rows, columns, thread_per_sample, threads, wraps };
        let across = row.samples.div_ceil(columns);
        let n_groups = across * column.samples.div_ceil(rows);
        let uniforms = [n_groups, across, column.samples, row.samples, column.spacing, row.spacing].map(|number| number as u32);
        let fits = covers && column.extension == row.extension && 4 * rows * columns <= limits.workgroup_bytes;
        let kernel = || Kernel { in_place, ..Kernel::new("lifting 2-D", "lifting2d.wgsl", Ring::Real, shape) };
        fits.then(|| KernelDispatch::of(kernel(), uniforms))
    }
}
