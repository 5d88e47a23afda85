//! The fast kernel of wavelet transforms by lifting in one dimension: which launches it supports, and what a workgroup takes.
//!
//! A launch is a group of levels in overlapped tiles. High coefficients go straight to where the permutation at the end of the plan would put them.
//! The low-pass values after the last level of a launch go to scratch lanes behind those of the plan, where the next launch reads them. So no workgroup overwrites what another one still reads.

mod image;
mod item;
mod levels;
mod lines;
mod text;

use super::family::{Family, KernelDispatch, LaunchQuery};
use super::kernel::Kernel;
use super::limits::Limits;
use super::tables::Tables;
use crate::plan::{Plan, Ring, Stage};
use crate::schedule::{Schedule, Tile};

/// Levels of a lifting scheme, in overlapped tiles.
pub(super) struct Lifting;

impl Family for Lifting {
    fn dispatch(&self, query: LaunchQuery<'_>, _: &mut Tables) -> Option<KernelDispatch> {
        let LaunchQuery { plan, schedule, launch, limits, .. } = query;
        let kernel = |family, before: &[&str], text: &str, [in_place, reads_input]: [bool; 2]| {
            let before: Vec<&str> = ["LANE", "boundary.wgsl"].iter().chain(before).copied().collect();
            Kernel { in_place, reads_input, ..Kernel::printed(family, "lifting", Ring::Real, &before, text) }
        };
        if let Some((shape, uniforms)) = lines::kernel_of(plan, schedule, launch, limits) {
            let buffers = [shape.in_place(), shape.reads_input()];
            return Some(KernelDispatch::of(kernel("lifting", &["vectors.wgsl"], &text::source(&shape), buffers), uniforms));
        }
        if let Some((shape, uniforms)) = image::level_kernel_of(plan, schedule, launch, limits) {
            let buffers = [shape.in_place(), shape.reads_input()];
            return Some(KernelDispatch::of(kernel("lifting image", &["bands.wgsl"], &image::level_source(&shape), buffers), uniforms));
        }
        let (shape, uniforms) = image::image_kernel_of(plan, schedule, launch, limits)?;
        let buffers = [shape.in_place(), shape.reads_input()];
        let text = image::image_source(&shape);
        Some(KernelDispatch::of(kernel("lifting image", &["vectors.wgsl", "bands.wgsl"], &text, buffers), uniforms))
    }

    fn overlapped(&self, plan: &Plan, levels: Option<usize>, limits: Limits) -> Option<Schedule> {
        lines::schedule(plan, levels, limits).or_else(|| image::schedule(plan, levels, limits))
    }

    fn most_overlapped_levels(&self, plan: &Plan) -> Option<usize> {
        let is_image = plan.stages.iter().any(Stage::is_across);
        let is_lifted = plan.stages.iter().any(|stage| stage.lifting_step().is_some());
        is_lifted.then_some(if is_image { image::MOST_LEVELS } else { lines::MOST_LEVELS + 1 })
    }

    /// The low-pass values between two launches.
    fn scratch_lanes(&self, plan: &Plan, schedule: &Schedule, limits: Limits) -> usize {
        let overlaps = schedule.launches.iter().any(|launch| matches!(launch.tile, Tile::Overlapped { .. }));
        if overlaps { lines::scratch_lanes(plan, schedule, limits) + image::scratch_lanes(plan, schedule, limits) } else { 0 }
    }
}
