//! The fast kernel of wavelet transforms by lifting in one dimension: which launches it supports, and what a workgroup takes.
//!
//! A launch is a group of levels in overlapped tiles. High coefficients go straight to where the permutation at the end of the plan would put them.
//! The low-pass values after the last level of a launch go to scratch lanes behind those of the plan, where the next launch reads them. So no workgroup overwrites what another one still reads.

mod image;
mod item;
mod levels;
mod lines;
mod text;

pub(super) use image::{LiftingImageShape, LiftingLevelShape, image_kernel_of, image_source, level_kernel_of, level_source};
pub(super) use lines::{LiftingShape, kernel_of};
pub(super) use text::source;

use super::limits::Limits;
use crate::plan::Plan;
use crate::schedule::{Schedule, Tile};

/// The most levels that can be asked of a launch with more than one tile.
pub(super) fn most_levels(is_image: bool) -> usize {
    if is_image { image::MOST_LEVELS } else { lines::MOST_LEVELS + 1 }
}

/// The schedule of overlapped tiles, with at most `levels` levels in a launch that has more than one tile; `None` where no kernel supports the plan.
pub(super) fn schedule(plan: &Plan, levels: Option<usize>, limits: Limits) -> Option<Schedule> {
    lines::schedule(plan, levels, limits).or_else(|| image::schedule(plan, levels, limits))
}

/// Lanes that the launches of the plan need beside its own: what is low-pass between two launches.
pub(super) fn scratch_lanes(plan: &Plan, schedule: &Schedule, limits: Limits) -> usize {
    let overlaps = schedule.launches.iter().any(|launch| matches!(launch.tile, Tile::Overlapped { .. }));
    if overlaps { lines::scratch_lanes(plan, schedule, limits) + image::scratch_lanes(plan, schedule, limits) } else { 0 }
}
