//! The fast kernel of Kronecker steps: which runs of stages it supports, and what a workgroup takes.
//!
//! A step applies a 2×2 matrix to one binary bit of the index. A run of steps on k neighbouring bits, `stride` lanes and up, is a set of separate transforms of 2^k points, the *lines*.
//! The low bits of a long row are runs of consecutive lanes; the high ones are lines of which a workgroup takes neighbours, so that what it touches at once is long.
//! A run is recognised from the numbers of its stages alone: Walsh, Reed-Muller, arithmetic and all other powers of a matrix, their inverses, and what is on them.

mod data;
mod phases;
mod shape;

use super::costs::{self, SEGMENT_LANE, WHOLE_ROWS, segment_cost};
use super::family::{Family, KernelDispatch, LaunchQuery, MOST_LANES};
use super::kernel::Kernel;
use super::limits::Limits;
use super::tables::Tables;
use crate::plan::Plan;
use crate::schedule::Tile;
use std::ops::Range;

/// Whole rows that take twice as many threads as others, so that fewer workgroups fit on a processor.
const WIDE_ROWS: f64 = 1.46;
/// Workgroups that keep a device busy: two of these fit on a processor where one of others does.
const BUSY_GROUPS: usize = 2 * costs::BUSY_GROUPS;
/// How the cost of a tile grows with fewer of them. It cuts 2^20 lanes into 8 and 12 bits, in 256 workgroups, which take 7.8 µs on an NVIDIA H200;
/// 7 and 13 bits, in 256 and 128 workgroups, take 8.4 µs.
const IDLE_EXPONENT: f64 = 0.5;

/// Whether the kernel is of this family; it then takes the stages between the 32 values of a word after the others.
pub(super) fn takes_steps_within_words(kernel: &mut Kernel) -> bool {
    let is_kronecker = kernel.family == "kronecker";
    if is_kronecker {
        kernel.data["within"] = true.into();
    }
    is_kronecker
}

/// Runs of Kronecker stages, in tiles.
pub(super) struct Kronecker;

impl Family for Kronecker {
    fn most_lanes(&self) -> usize {
        MOST_LANES
    }

    fn dispatch(&self, query: LaunchQuery<'_>, _: &mut Tables) -> Option<KernelDispatch> {
        let (shape, uniforms) = shape::kernel_of(query.plan, query.launch, query.in_place, query.limits)?;
        let kernel = Kernel::new("kronecker", "kronecker.wgsl", shape.ring, data::KroneckerData::new(&shape));
        Some(KernelDispatch::of(Kernel { in_place: shape.in_place, ..kernel }, uniforms))
    }

    /// Tiles with as many lines as a workgroup holds.
    fn candidate(&self, plan: &Plan, stages: Range<usize>, limits: Limits, most_lanes: usize) -> Option<(Tile, f64)> {
        let run = shape::recognise(plan, stages.clone(), limits).filter(|_| most_lanes == usize::MAX)?;
        let shape = run.shape(true, limits)?;
        let ([points, stride], lines) = (run.points_and_stride(), shape.lanes() / run.points_and_stride()[0]);
        let segment = lines.min(stride) * plan.ring.bytes_per_lane() / SEGMENT_LANE;
        let cost = match run.is_consecutive() {
            true if run.is_wide() => WIDE_ROWS,
            true => WHOLE_ROWS,
            false => segment_cost(segment, plan.lanes),
        };
        // Plans of one launch are compared by their bytes alone, as in other families.
        let idle = if stages.len() == plan.stages.len() { 1.0 } else { run.idle().powf(IDLE_EXPONENT) };
        Some((Tile::Strided { points, stride, lines, mirrored: false }, cost * idle * run.lanes as f64 / plan.lanes as f64))
    }
}
