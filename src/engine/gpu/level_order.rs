//! The permutation of a Haar transform in place, in tiles that go through workgroup memory.

use super::family::{Family, KernelDispatch, LaunchQuery};
use super::kernel::Kernel;
use super::stage::{RESIDUES, places};
use super::tables::Tables;
use crate::plan::Direction;
use crate::plan::shapes::LevelOrderStage;
use crate::schedule::Tile;
use serde::Serialize;

/// Bits that number the lanes of a tile, at most and at least, and those that number its threads.
const MOST_BITS: u32 = 11;
const LEAST_BITS: u32 = 9;
const THREAD_BITS: u32 = 8;

/// The variables of `level_order.wgsl`.
#[derive(Serialize)]
struct LevelOrderData {
    bits: u32,
    threads: u32,
    places: usize,
    residues: u32,
    /// Levels with at least one difference for each thread.
    fine_levels: u32,
    forward: bool,
}

/// One stage that sorts the lanes of long rows by levels, or takes them back.
pub(super) struct LevelOrder;

impl Family for LevelOrder {
    fn dispatch(&self, query: LaunchQuery<'_>, _: &mut Tables) -> Option<KernelDispatch> {
        let LaunchQuery { plan, launch, limits, .. } = query;
        let [stage] = &plan.stages[launch.stages.clone()] else { return None };
        let LevelOrderStage { rows, n_bits, direction } = LevelOrderStage::of(stage).filter(|_| launch.tile == Tile::Each)?;
        let bytes = |bits: u32| places(1 << bits, RESIDUES) * limits.precision.bytes_per_lane(plan.ring);
        let bits = (LEAST_BITS..=n_bits.min(MOST_BITS)).rev().find(|&bits| bytes(bits) <= limits.workgroup_bytes)?;
        let fits = rows << n_bits == plan.lanes && limits.max_invocations >= 1 << THREAD_BITS && !plan.carries(launch.stages.start);
        let data = LevelOrderData {
            bits,
            threads: 1 << THREAD_BITS,
            places: places(1 << bits, RESIDUES),
            residues: RESIDUES,
            fine_levels: bits - THREAD_BITS,
            forward: direction == Direction::Forward,
        };
        let kernel = Kernel { precision: limits.precision, ..Kernel::new("level order", "level_order.wgsl", plan.ring, data) };
        fits.then(|| KernelDispatch::of(kernel, [(plan.lanes >> bits) as u32, n_bits]))
    }
}
