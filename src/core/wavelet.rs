//! Work on wavelet coefficients: bands and their names, thresholding and its loss, best bases of packets.
//!
//! These are pure functions of numbers; the engine computes the transforms.

mod bands;
mod basis;
mod leaves;
mod threshold;

pub use bands::{Band, bands};
pub use basis::{Cost, Node, Statistics, Tree};
pub use leaves::NoBasis;
pub use threshold::{Keep, Kept, Shrink, Thresholding, peak_signal_to_noise, threshold};
