//! The kernel of filter banks in sections and in overlapped tiles: which launches it supports, and what a workgroup takes.
//!
//! F. Argüello et al. 2012, section 3: such a bank is not in place, so that a split keeps what its merge needs at the borders.
//! The closed form of the sections, [`FilterRun::boundaries`](crate::schedule::FilterRun::boundaries), is compared with what is derived from the plan in `tests/core/filters.rs`.

mod image;
mod lines;
mod locations;

use super::error::LowerError;
use super::family::{Family, KernelDispatch, LaunchQuery};
use super::limits::Limits;
use super::tables::Tables;
use crate::plan::{FilterStep, Plan, Stage};
use crate::schedule::Schedule;

/// Runs of levels of a filter bank, in sections or in overlapped tiles.
pub(super) struct FilterBank;

/// The taps of both results of a butterfly that are not zero, with their coefficients.
type Sums = [Vec<(usize, f64)>; 2];

fn sums(step: &FilterStep) -> Sums {
    step.coefs.each_ref().map(|coefs| coefs.iter().copied().enumerate().filter(|(_, coef)| *coef != 0.0).collect())
}

impl Family for FilterBank {
    fn dispatch(&self, query: LaunchQuery<'_>, _: &mut Tables) -> Option<KernelDispatch> {
        image::dispatch(query).or_else(|| lines::dispatch(query))
    }

    /// At most `levels` levels in a launch that has more than one tile of a line, and one level in a launch of an image.
    fn overlapped(&self, plan: &Plan, levels: Option<usize>, limits: Limits) -> Option<Schedule> {
        image::schedule(plan, limits).or_else(|| lines::schedule(plan, levels, limits))
    }

    fn most_overlapped_levels(&self, plan: &Plan) -> Option<usize> {
        let is_lifted = plan.stages.iter().any(|stage| stage.lifting_step().is_some());
        let is_image = plan.stages.iter().any(Stage::is_across);
        (!is_lifted).then_some(if is_image { 1 } else { lines::MOST_LEVELS + 1 })
    }

    fn scratch_lanes(&self, plan: &Plan, schedule: &Schedule, limits: Limits) -> usize {
        locations::scratch_lanes(plan, schedule) + image::scratch_lanes(plan, schedule, limits)
    }

    fn unsupported(&self, query: LaunchQuery<'_>) -> Option<LowerError> {
        lines::unsupported(query)
    }
}
