//! The kernel of filter banks in sections and in overlapped tiles: which launches it supports, and what a workgroup takes.
//!
//! F. Argüello et al. 2012, section 3: such a bank is not in place, so that a split keeps what its merge needs at the borders.
//! The closed form of the sections, [`FilterRun::borders`], is compared with what is derived from the plan in `tests/core/filters.rs`.

mod image;
mod lines;
mod locations;
mod text;

pub(super) use image::{FilterBankImageShape, kernel_of as kernel_of_image, source as image_source};
pub(super) use lines::{FilterBankShape, kernel_of, unsupported};
pub(super) use text::source;

use super::limits::Limits;
use crate::plan::Plan;
use crate::schedule::Schedule;

/// Lanes that the launches of a filter bank need beside those of the plan.
pub(super) fn scratch_lanes(plan: &Plan, schedule: &Schedule, limits: Limits) -> usize {
    locations::scratch_lanes(plan, schedule) + image::scratch_lanes(plan, schedule, limits)
}

/// The most levels that can be asked of a launch with more than one tile.
pub(super) fn most_levels(is_image: bool) -> usize {
    if is_image { 1 } else { lines::MOST_LEVELS + 1 }
}

/// The schedule of overlapped tiles: at most `levels` levels in a launch that has more than one tile of a line, and one level in a launch of an image.
/// `None` where no kernel supports the plan.
pub(super) fn schedule(plan: &Plan, levels: Option<usize>, limits: Limits) -> Option<Schedule> {
    image::schedule(plan, limits).or_else(|| lines::schedule(plan, levels, limits))
}
