//! The kernel of split and merge sections: which launches it supports, and what a workgroup takes.
//!
//! F. Argüello et al. 2012, section 3: the number of levels, the memory of the merge, threads a sample and the width are parameters.
//! The closed form of the sections, [`section_boundaries`](crate::schedule::section_boundaries), is compared with what is derived from the plan in `tests/core/sections.rs`.

mod shape;
pub(super) mod steps;

use super::error::LowerError;
use super::family::{Family, KernelDispatch, LaunchQuery};
use super::tables::Tables;
use crate::schedule::{Tile, parts_along_axes};

/// Splits and merges of runs of lifting steps along one axis.
pub(super) struct SplitMerge;

impl Family for SplitMerge {
    fn dispatch(&self, query: LaunchQuery<'_>, _: &mut Tables) -> Option<KernelDispatch> {
        let LaunchQuery { plan, launch, in_place, limits, .. } = query;
        if !matches!(launch.tile, Tile::Section { .. }) || parts_along_axes(plan, launch.stages.clone()).len() > 1 {
            return None;
        }
        shape::dispatch(plan, launch, in_place, limits)
    }

    /// The tiles of the section are too large, or its stages leave their tiles.
    fn unsupported(&self, query: LaunchQuery<'_>) -> Option<LowerError> {
        Some(shape::unsupported(query.plan, query.index, query.launch, query.in_place, query.limits))
    }
}
