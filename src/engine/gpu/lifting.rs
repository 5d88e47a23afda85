//! The fast kernels of wavelet transforms by lifting: which launches they support, and what a workgroup takes.
//!
//! A launch is a group of levels in overlapped tiles, of lines or of an image. High coefficients go straight to where the permutation at the end of the plan would put them.
//! The low-pass values after the last level of a launch go to scratch lanes behind those of the plan, where the next launch reads them. So no workgroup overwrites what another one still reads.

mod image;
mod launches;
mod level;
mod lines;
mod steps;

use self::launches::LiftingPlan;
use super::family::{Family, KernelDispatch, LaunchQuery};
use super::limits::Limits;
use super::tables::Tables;
use crate::plan::{Plan, Stage};
use crate::schedule::Schedule;

/// Levels of a lifting scheme, in overlapped tiles.
pub(super) struct Lifting;

impl Family for Lifting {
    fn dispatch(&self, query: LaunchQuery<'_>, _: &mut Tables) -> Option<KernelDispatch> {
        let launch = LiftingPlan::of(query.plan, query.limits)?.launch(query.schedule, query.launch)?;
        if !launch.plan.is_image() {
            return lines::dispatch(&launch, query.limits);
        }
        let in_registers = launch.levels == 1 && !image::is_whole(&launch, query.limits);
        if in_registers { level::dispatch(&launch, query.limits) } else { image::dispatch(&launch, query.limits) }
    }

    fn overlapped(&self, plan: &Plan, levels: Option<usize>, limits: Limits) -> Option<Schedule> {
        let lifting = LiftingPlan::of(plan, limits)?;
        if lifting.is_image() { image::schedule(plan, &lifting, levels, limits) } else { lines::schedule(plan, &lifting, levels) }
    }

    fn most_overlapped_levels(&self, plan: &Plan) -> Option<usize> {
        let is_image = plan.stages.iter().any(Stage::is_across);
        let is_lifted = plan.stages.iter().any(|stage| stage.lifting_step().is_some());
        is_lifted.then_some(if is_image { image::MOST_LEVELS } else { lines::MOST_LEVELS + 1 })
    }

    /// The low-pass values between two launches.
    fn scratch_lanes(&self, plan: &Plan, schedule: &Schedule, limits: Limits) -> usize {
        launches::scratch_lanes(plan, schedule, limits)
    }
}
