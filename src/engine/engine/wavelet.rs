//! Wavelets in the engine: coefficients, thresholding and packets, and what the window shows of them.

mod coefficients;
mod study;

pub use coefficients::{Analysis, Filtered, analyse, check_finite, filter, fitting, packets, peak, reconstruct, thresholded};
pub use study::{Levels, Packets, Pixels, Pyramid, Remainder, Shown, WaveletReport, WaveletRequest, WaveletStudy, WaveletView, curve};
