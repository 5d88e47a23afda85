//! Kernels made for stages: from a stage, or the stages of a launch, follows a text with their strides, sums and twiddles.
//!
//! Any stage of any plan compiles: taps and results are unrolled, factors ±1 are signs, and a boundary is extended only where a tap can leave the line.
//! [`SingleStage`] is a launch without tiles, [`block()`] one of tiles of consecutive lanes (`nested`: whose butterflies nest), and [`bits()`] one of tiles in registers.
//! The text is in `shaders/stage.wgsl`, `block.wgsl`, `nested.wgsl` and `bits.wgsl`; this module computes its indices and sums.

mod banks;
mod bit_layout;
mod bit_registers;
mod bit_steps;
mod bit_weights;
mod bits;
mod block;
mod butterfly;
mod direct;
mod form;
mod helpers;
mod lookups;
mod nested;
mod reach;
mod sides;
mod single;
mod steps;
mod sums;
mod weights;

pub(super) use banks::{RESIDUES, places};
pub(super) use bit_registers::most_bit_lanes;
pub(super) use bits::bits;
pub(super) use block::{block, spaced};
pub(super) use reach::check;
pub(super) use single::{SingleStage, fits_a_workgroup, kernels};

use super::kernel::Kernel;
use super::limits::Limits;
use crate::plan::Plan;
use serde::Serialize;

/// The kernel of a file that these data fill.
fn kernel_of(file: &'static str, plan: &Plan, limits: Limits, data: impl Serialize) -> Kernel {
    Kernel { precision: limits.precision, entry_point: "stage", ..Kernel::new("stage", file, plan.ring, data) }
}
