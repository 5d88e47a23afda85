//! Wavelets in the engine: pyramids and packets, and what the window shows of them.

mod packets;
mod study;

pub use packets::{packets, reconstruct};
pub use study::{Levels, Packets, Pyramid, Remainder, WaveletReport, WaveletRequest, WaveletStudy, WaveletView};
