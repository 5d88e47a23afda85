//! The transposition of an image in squares that go through workgroup memory.

use super::family::{Family, KernelDispatch, LaunchQuery, MOST_LANES};
use super::kernel::Kernel;
use super::tables::Tables;
use crate::plan::shapes::TranspositionStage;
use crate::schedule::{KernelVariant, Tile};
use serde::Serialize;

/// Side of a square, unless one was chosen.
const SQUARE: usize = 32;

/// The variables of `transpose.wgsl`.
#[derive(Serialize)]
struct TransposeData {
    side: usize,
    /// Lanes from one row of a square to the next in workgroup memory.
    pitch: usize,
}

/// One stage that transposes an image.
pub(super) struct Transpose;

impl Family for Transpose {
    fn most_lanes(&self) -> usize {
        MOST_LANES
    }

    fn dispatch(&self, query: LaunchQuery<'_>, _: &mut Tables) -> Option<KernelDispatch> {
        let LaunchQuery { plan, launch, limits, .. } = query;
        let [stage] = &plan.stages[launch.stages.clone()] else { return None };
        let side = match launch.tile {
            Tile::Each => SQUARE,
            Tile::Variant(KernelVariant { square, .. }) => square?,
            _ => return None,
        };
        let TranspositionStage { rows, columns } = TranspositionStage::of(stage)?;
        let holds = |pitch: &usize| side * pitch * limits.precision.bytes_per_lane(plan.ring) <= limits.workgroup_bytes;
        // One lane more than a row has, so that a column falls into different banks, if there is room for it.
        let pitch = [side + 1, side].into_iter().find(holds)?;
        let fits = rows * columns <= plan.lanes && !plan.carries(launch.stages.start);
        let across = columns.div_ceil(side);
        let kernel = Kernel {
            precision: limits.precision,
            entry_point: "transposed",
            ..Kernel::new("transpose", "transpose.wgsl", plan.ring, TransposeData { side, pitch })
        };
        let dispatch = KernelDispatch::of(kernel, [rows, columns, across].map(|number| number as u32));
        fits.then(|| KernelDispatch { n_groups: rows.div_ceil(side) * across, ..dispatch })
    }
}
