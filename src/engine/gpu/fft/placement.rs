//! Where the lines of a launch are in memory.
//!
//! Kernels have the placement as constants. With uniforms a thread would wait for them, and divide by variables, before it loads its points;
//! only two workgroups of long rows fit on a processor, too few to hide that.

use crate::gpu::tables::Roots;
use serde::Serialize;

/// One side of a launch: where its lines are read, or where they are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Side {
    /// Lanes from one row to the next.
    pub(crate) row: u32,
    /// Point 0 of line (q, a) is in lane q + a · `by_a` of its row.
    pub(crate) by_a: u32,
    /// Lanes from one point of a line to the next.
    pub(crate) step: u32,
    /// Where lanes are multiplied by factors: lanes of a row of the memory.
    pub(crate) len: u32,
    /// Where the factors begin in the table of coefficients.
    pub(crate) factors: u32,
}

/// Where the powers of a root are in the table of roots.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(crate) struct RootTable {
    /// Where the first powers begin.
    fine: u32,
    /// Where every 4096th power begins.
    coarse: u32,
    /// The power of the table's root that is this root.
    stride: u32,
    /// Whether powers need both parts of the table.
    long: bool,
}

impl From<Roots> for RootTable {
    fn from(roots: Roots) -> Self {
        Self { fine: roots.fine, coarse: roots.coarse, stride: roots.stride, long: roots.is_long() }
    }
}

/// `Placement` of `shaders/fft.wgsl`, field by field, and its roots.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Placement {
    /// Lines of the whole array.
    pub(crate) n_lines: u32,
    /// Lines of a row.
    pub(crate) lines_per_row: u32,
    /// Line i of a row is the pair (q, a) = (i % `across`, i / `across`).
    pub(crate) across: u32,
    /// Values of the position of a line, which is a factor of its twiddles' exponents: a, or q where points are twiddled.
    pub(crate) n_positions: u32,
    /// Row k1 + `low`·k2 is read where row k1·`high` + k2 would be in order: the launch before may leave rows permuted.
    pub(crate) low: u32,
    /// See `low`; 1 where rows are in order.
    pub(crate) high: u32,
    /// Where lines are read.
    pub(crate) source: Side,
    /// Where they are written.
    pub(crate) sink: Side,
    /// The root of the twiddles.
    pub(crate) roots: RootTable,
    /// The root between the spectra of even and odd samples, where rows hold half a spectrum.
    pub(crate) half_roots: RootTable,
    /// Lanes of a strip, where the array is in strips.
    pub(crate) strip: u32,
}
