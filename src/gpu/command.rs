//! A lowered plan as plain data: commands, and the tables that they read.

use super::kernel::Kernel;
use crate::plan::{Precision, Ring};
use std::ops::Range;

/// One of the three buffers of a prepared plan. The input is only ever read, so that a run can be repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// What was uploaded.
    Input,
    /// The first of two buffers that launches write alternately.
    Ping,
    /// The second of these.
    Pong,
}

/// One launch, ready to be encoded.
#[derive(Debug, Clone, PartialEq)]
pub struct Command {
    /// The stages that it runs.
    pub stages: Range<usize>,
    /// The kernel, with its constants.
    pub kernel: Kernel,
    /// What the kernel finds in its uniform buffer.
    pub uniforms: [u32; 24],
    /// Workgroups in two dimensions; there may be a few more than are needed.
    pub groups: [u32; 2],
    /// Whether all lanes are copied first, because some keep their value.
    pub carries: bool,
    /// Where it reads.
    pub source: Slot,
    /// Where it writes.
    pub sink: Slot,
    /// Bytes that it moves through global memory.
    pub bytes: u64,
}

/// A plan, lowered: commands and the tables that they read.
#[derive(Debug, Clone, PartialEq)]
pub struct Lowered {
    /// What a lane holds.
    pub ring: Ring,
    /// How lanes and tables hold real and complex numbers; single where lanes are exact.
    pub precision: Precision,
    /// Number of lanes, with those beside the plan's that launches need between them.
    pub lanes: usize,
    /// One command a launch, in the order in which they run.
    pub commands: Vec<Command>,
    /// Coefficients, real and imaginary part, before they are rounded to the precision.
    pub coefs: Vec<[f64; 2]>,
    /// Roots of unity, real and imaginary part, before they are rounded to the precision.
    pub roots: Vec<[f64; 2]>,
    /// Where the result stands at the end.
    pub result: Slot,
    /// What a lane of the result holds; solved equations may leave the unknowns alone.
    pub result_ring: Ring,
}

/// `n_groups` workgroups in two dimensions, as a dimension takes at most `max_groups`; kernels number them x + y·(number along x).
pub(super) fn folded_groups(n_groups: usize, max_groups: usize) -> [u32; 2] {
    let y = n_groups.div_ceil(max_groups).max(1);
    [n_groups.div_ceil(y).max(1) as u32, y as u32]
}
