//! The fast kernels of Haar pyramids: which runs of stages they support.
//!
//! A level of the algorithm with constant geometry reads neighbours among the first lanes of a row, and writes their sums to the first half of these and their differences to the second.
//! A block of 2^k neighbours depends on nothing else during k levels, so one workgroup takes all of them.
//! The inverse goes back: a block of 2^k neighbours needs k levels of differences of its own and, of every level above, a single one, so that one launch takes all levels.

mod shape;

use super::costs::WHOLE_ROWS;
use super::family::{Family, KernelDispatch, LaunchQuery, MOST_LANES};
use super::kernel::Kernel;
use super::limits::Limits;
use super::tables::Tables;
use crate::plan::{Direction, Plan};
use crate::schedule::Tile;
use std::ops::Range;

/// Levels of a Haar pyramid, in blocks.
pub(super) struct Haar;

impl Family for Haar {
    fn most_lanes(&self) -> usize {
        MOST_LANES
    }

    fn dispatch(&self, query: LaunchQuery<'_>, _: &mut Tables) -> Option<KernelDispatch> {
        let (shape, uniforms) = shape::kernel_of(query.plan, query.launch, query.in_place, query.limits)?;
        let file = if shape.direction == Direction::Forward { "haar.wgsl" } else { "haar_inverse.wgsl" };
        let kernel = Kernel::new("haar", file, shape.ring, shape::HaarData::new(&shape));
        Some(KernelDispatch::of(Kernel { in_place: shape.in_place, entry_point: "haar", ..kernel }, uniforms))
    }

    fn candidate(&self, plan: &Plan, stages: Range<usize>, limits: Limits, most_lanes: usize) -> Option<(Tile, f64)> {
        let in_place = stages.start > 0;
        let run = shape::recognise(plan, stages, in_place, limits).filter(|_| most_lanes == usize::MAX)?;
        Some((run.tile(), WHOLE_ROWS * run.active as f64 / run.row as f64))
    }
}
