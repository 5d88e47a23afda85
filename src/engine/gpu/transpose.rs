//! The transposition of an image in squares that go through workgroup memory.

use super::family::{Family, KernelDispatch, LaunchQuery};
use super::kernel::Kernel;
use super::tables::Tables;
use crate::plan::shapes::TranspositionStage;
use crate::schedule::Tile;
use serde::Serialize;

/// Side of a square.
const SQUARE: usize = 32;
/// Lanes from one row of a square to the next in workgroup memory: one more than a row has, so that a column falls into different banks.
const PITCH: usize = SQUARE + 1;

/// What `transpose.wgsl` is filled with.
#[derive(Serialize)]
struct TransposeData {
    pitch: usize,
}

/// One stage that transposes an image.
pub(super) struct Transpose;

impl Family for Transpose {
    fn dispatch(&self, query: LaunchQuery<'_>, _: &mut Tables) -> Option<KernelDispatch> {
        let LaunchQuery { plan, launch, limits, .. } = query;
        let [stage] = &plan.stages[launch.stages.clone()] else { return None };
        let TranspositionStage { rows, columns } = TranspositionStage::of(stage).filter(|_| launch.tile == Tile::Each)?;
        let bytes = SQUARE * PITCH * limits.precision.bytes_per_lane(plan.ring);
        let fits = rows * columns <= plan.lanes && bytes <= limits.workgroup_bytes && !plan.carries(launch.stages.start);
        let across = columns.div_ceil(SQUARE);
        let kernel = Kernel {
            precision: limits.precision,
            entry_point: "transposed",
            ..Kernel::new("transpose", "transpose.wgsl", plan.ring, TransposeData { pitch: PITCH })
        };
        let dispatch = KernelDispatch::of(kernel, [rows, columns, across].map(|number| number as u32));
        fits.then(|| KernelDispatch { n_groups: rows.div_ceil(SQUARE) * across, ..dispatch })
    }
}
