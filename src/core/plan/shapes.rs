//! The stage shapes that fast kernels support, each with a constructor (`stage`) and a recogniser (`of`).
//!
//! The recogniser reads a few parameters from the strides of a stage, and compares the stage with the one that the constructor builds from them.
//! Constructor and recogniser therefore never diverge.

mod doubling;
mod elimination;
mod haar;
mod half_spectrum;
mod kronecker;
mod lanes;
mod stockham;

pub use doubling::{DoublingStage, recursive_doubling};
pub use elimination::{EliminationStage, cyclic_reduction, parallel_cyclic_reduction};
pub use haar::{HaarStage, LevelOrderStage, sum_and_difference};
pub use half_spectrum::HalfSpectrumStage;
pub use kronecker::KroneckerStage;
pub use lanes::{ProductStage, ScalingStage, TranspositionStage, WeightedStage, every_lane};
pub use stockham::{StockhamInTimeStage, StockhamStage, dft_direction, dft_operation, position_twiddle};

use super::{Loop, Stage};

/// The loop over `n` copies, `read` lanes apart on the read side and `write` on the write side.
pub fn copies(n: usize, read: usize, write: usize) -> Loop {
    if n == 1 { Loop::ONCE } else { Loop { n, read, write } }
}

impl Stage {
    /// Whether the stages are equal except for their labels.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.outer == other.outer
            && self.group == other.group
            && self.positions == other.positions
            && self.read == other.read
            && self.write == other.write
            && self.twiddle == other.twiddle
            && self.operation == other.operation
    }
}
