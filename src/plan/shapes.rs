//! The stages that fast code knows, each stated once: an algorithm builds a stage from its parameters, and a fast kernel reads the parameters back.
//!
//! Every shape has a constructor (`stage`) and a recogniser (`of`).
//! The recogniser takes the few parameters from the strides of a stage, and compares the stage with what the constructor gives for these parameters.
//! So a stride that changes in the constructor changes in the recogniser too, and no kernel is lost in silence.

mod elimination;
mod haar;
mod half_spectrum;
mod kronecker;
mod lanes;
mod stockham;

pub use elimination::{EliminationStage, cyclic_reduction, parallel_cyclic_reduction};
pub use haar::{HaarStage, sum_and_difference};
pub use half_spectrum::HalfSpectrumStage;
pub use kronecker::KroneckerStage;
pub use lanes::{ProductStage, ScalingStage, TranspositionStage, WeightedStage, every_lane};
pub use stockham::{StockhamStage, dft_operation, position_twiddle};

use super::{Loop, Stage};

/// `n` copies, `read` lanes apart on the read side and `write` on the write side; one copy needs no loop.
pub fn copies(n: usize, read: usize, write: usize) -> Loop {
    if n == 1 { Loop::ONCE } else { Loop { n, read, write } }
}

impl Stage {
    /// Whether the stages are equal but for what they are called.
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
