//! The kernel that takes one level of an image without barriers, `lifting_level.wgsl`: which launches it supports, and what a workgroup takes.

use super::image::ImageData;
use super::launches::LiftingLaunch;
use super::steps::{RegisterStep, RowStep, SIDE, register_steps, row_steps};
use crate::gpu::family::KernelDispatch;
use crate::gpu::limits::Limits;
use serde::Serialize;

/// Rows of a thread: few, so that many threads load at the same time.
const ITEM: usize = 4;
/// Columns of a thread.
const COLUMNS: usize = 4;
/// The fewest threads of a workgroup.
const THREADS: usize = 128;
/// Threads of a row where subgroups have no one size, or are too small to spare two threads for the halo.
const LANES: usize = 32;
const LEAST_LANES: usize = 8;

/// The data of one kernel.
#[derive(Serialize)]
struct LiftingLevelShape {
    #[serde(flatten)]
    data: ImageData,
    steps_x: Vec<RowStep>,
    steps_y: Vec<RegisterStep>,
    item: usize,
    side: usize,
    #[serde(flatten)]
    threads: RowThreads,
    /// Rows and columns of a tile.
    rows: usize,
    columns: usize,
    /// Whether the rows of the samples begin at multiples of four lanes, and those of the values that are low-pass along both axes at multiples of two.
    fine_aligned: bool,
    low_aligned: bool,
    /// The same for the other bands: the band that is low-pass along x, and those that are high-pass.
    high_aligned: [bool; 2],
    /// Whether rows are whole vectors of four samples, and everything is aligned.
    regular: bool,
}

/// The threads of a row, and of a workgroup.
#[derive(Clone, Copy, Serialize)]
struct RowThreads {
    /// Whether those of a row are a subgroup, and exchange by shuffles what neighbours need; otherwise through workgroup memory.
    subgroups: bool,
    lanes: usize,
    threads: usize,
}

impl RowThreads {
    fn on(limits: Limits) -> Self {
        let subgroups = limits.subgroup >= LEAST_LANES;
        let lanes = if subgroups { limits.subgroup } else { LANES };
        Self { subgroups, lanes, threads: lanes.max(THREADS) }
    }

    fn tile(self) -> [usize; 2] {
        [self.threads / self.lanes * ITEM, COLUMNS * (self.lanes - 2)]
    }
}

/// Rows and columns of a tile.
pub(super) fn tile(limits: Limits) -> [usize; 2] {
    RowThreads::on(limits).tile()
}

/// The kernel of a single level; `None` where the launch is unsupported.
pub(super) fn dispatch(taken: &LiftingLaunch, limits: Limits) -> Option<KernelDispatch> {
    let threads = RowThreads::on(limits);
    let [rows, columns] = threads.tile();
    let fits = threads.threads <= limits.max_invocations && (threads.subgroups || 16 * threads.threads <= limits.workgroup_bytes);
    let [fine_aligned, low_aligned] = [taken.aligned(taken.fine[1], 4), taken.aligned(taken.low[1], 2)];
    let high_aligned = taken.high_aligned(0, 2);
    let shape = LiftingLevelShape {
        steps_x: row_steps(taken.steps()[0])?,
        steps_y: register_steps(taken.steps()[1], ITEM)?,
        item: ITEM,
        side: SIDE,
        threads,
        rows,
        columns,
        fine_aligned,
        low_aligned,
        high_aligned,
        regular: taken.samples[1].is_multiple_of(4) && fine_aligned && low_aligned && high_aligned == [true; 2],
        data: ImageData::of(taken),
    };
    (fits && taken.tile == [rows, columns]).then(|| taken.dispatch_image("lifting_level.wgsl", shape, [rows, columns]))
}
