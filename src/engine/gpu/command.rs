//! A lowered plan as plain data: commands, and the tables that they read.

use super::kernel::Kernel;
use crate::plan::{Precision, Ring};
use std::ops::Range;

/// One of the three buffers of a prepared plan. The input is only ever read, so that a run can be repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BufferSlot {
    /// The uploaded values.
    Input,
    /// The first of two buffers that launches write alternately.
    Ping,
    /// The second of these.
    Pong,
}

/// Lanes that are copied from one buffer to the same place of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaneCopy {
    /// The buffer that holds them.
    pub from: BufferSlot,
    /// The buffer that lacks them.
    pub to: BufferSlot,
    /// The lanes.
    pub lanes: Range<usize>,
}

impl LaneCopy {
    /// The first word of 4 bytes that is copied, and the number of words.
    pub(super) fn words(&self, lane_bytes: usize) -> [u32; 2] {
        [self.lanes.start, self.lanes.len()].map(|lanes| (lanes * lane_bytes / 4) as u32)
    }
}

/// One launch, ready to be encoded.
#[derive(Debug, Clone, PartialEq)]
pub struct LaunchCommand {
    /// The stages that it runs.
    pub stages: Range<usize>,
    /// The kernel, with its constants.
    pub kernel: Kernel,
    /// The content of its uniform buffer.
    pub uniforms: [u32; 24],
    /// Workgroups in two dimensions; there may be a few more than are needed.
    pub groups: [u32; 2],
    /// Copies before it runs: it needs lanes that are in another buffer.
    pub copies: Vec<LaneCopy>,
    /// Copies after it, so that the result is in one buffer.
    pub copies_after: Vec<LaneCopy>,
    /// Where it reads.
    pub source: BufferSlot,
    /// Where it writes.
    pub sink: BufferSlot,
    /// Bytes that its kernel and its copies move through global memory.
    pub bytes: u64,
}

impl LaunchCommand {
    /// Lanes that are copied from buffer to buffer beside what the kernel does.
    pub fn copied_lanes(&self) -> usize {
        self.copies.iter().chain(&self.copies_after).map(|copy| copy.lanes.len()).sum()
    }
}

/// A plan, lowered: commands and the tables that they read.
#[derive(Debug, Clone, PartialEq)]
pub struct Lowered {
    /// The type of a lane.
    pub ring: Ring,
    /// How lanes and tables hold real and complex numbers; single where lanes are exact.
    pub precision: Precision,
    /// Number of lanes, with those beside the plan's that launches need between them.
    pub lanes: usize,
    /// One command a launch, in the order in which they run.
    pub commands: Vec<LaunchCommand>,
    /// Coefficients, real and imaginary part, before they are rounded to the precision.
    pub coefs: Vec<[f64; 2]>,
    /// Roots of unity, real and imaginary part, before they are rounded to the precision.
    pub roots: Vec<[f64; 2]>,
    /// Where the result is at the end.
    pub result: BufferSlot,
    /// The type of a lane of the result; solved equations may leave the unknowns alone.
    pub result_ring: Ring,
}

/// `n_groups` workgroups in two dimensions, as a dimension takes at most `max_groups`; kernels number them x + y·(number along x).
pub(super) fn folded_groups(n_groups: usize, max_groups: usize) -> [u32; 2] {
    let y = n_groups.div_ceil(max_groups).max(1);
    [n_groups.div_ceil(y).max(1) as u32, y as u32]
}
