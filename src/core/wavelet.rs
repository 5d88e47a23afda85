//! Work on wavelet coefficients: bands and their names, best bases of packets.
//!
//! These are pure functions of numbers; the engine computes the transforms.

mod bands;
mod basis;
mod leaves;

pub use bands::{Band, bands};
pub use basis::{BlockStatistics, Cost, Node, Tree};
pub use leaves::NoBasis;
