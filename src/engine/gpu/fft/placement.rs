//! Where the lines of a launch stand in memory.
//!
//! Kernels have the placement as constants. With uniforms a thread would wait for them, and divide by variables, before it loads its points;
//! only two workgroups of long rows fit on a processor, too few to hide that.

use serde::Serialize;

/// One side of a launch: where its lines are read, or where they are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(in crate::gpu) struct Side {
    /// Lanes from one row to the next.
    pub(in crate::gpu) row: u32,
    /// Point 0 of line (q, a) stands in lane q + a · `by_a` of its row.
    pub(in crate::gpu) by_a: u32,
    /// Lanes from one point of a line to the next.
    pub(in crate::gpu) step: u32,
    /// Where lanes are multiplied by factors: lanes of a row of the memory.
    pub(in crate::gpu) len: u32,
    /// Where the factors begin in the table of coefficients.
    pub(in crate::gpu) factors: u32,
}

/// `Placement` of `shaders/fft.wgsl`, field by field.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(in crate::gpu) struct Placement {
    /// Lines of the whole array.
    pub(in crate::gpu) n_lines: u32,
    /// Lines of a row.
    pub(in crate::gpu) lines_per_row: u32,
    /// Line i of a row is the pair (q, a) = (i % `across`, i / `across`).
    pub(in crate::gpu) across: u32,
    /// Values of the position of a line, which is a factor of its twiddles' exponents: a, or q where points are twiddled.
    pub(in crate::gpu) n_positions: u32,
    /// Row k1 + `low`·k2 is read where row k1·`high` + k2 would stand in order: the launch before may leave rows permuted.
    pub(in crate::gpu) low: u32,
    /// See `low`; 1 where rows stand in order.
    pub(in crate::gpu) high: u32,
    /// Where lines are read.
    pub(in crate::gpu) source: Side,
    /// Where they are written.
    pub(in crate::gpu) sink: Side,
    /// Where the first powers of a root begin in the table of roots.
    pub(in crate::gpu) fine: u32,
    /// Where every 4096th power begins.
    pub(in crate::gpu) coarse: u32,
    /// The power of the table's root that is this root.
    pub(in crate::gpu) stride: u32,
    /// Lanes of a strip, where the array stands in strips.
    pub(in crate::gpu) strip: u32,
}
