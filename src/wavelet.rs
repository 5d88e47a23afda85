//! What is done with the coefficients of a wavelet transform: bands and their names, thresholding, best bases, and what is lost.
//!
//! Pure functions of numbers; who transforms them is the engine's business.

mod bands;
mod basis;
mod leaves;
mod threshold;

pub use bands::{Band, bands};
pub use basis::{Cost, Node, Statistics, Tree};
pub use leaves::NoBasis;
pub use threshold::{Keep, Kept, Shrink, Thresholding, peak_signal_to_noise, threshold};
