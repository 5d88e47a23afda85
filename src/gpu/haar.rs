//! The fast kernels of Haar pyramids: which runs of stages they serve.
//!
//! A level of the algorithm with constant geometry reads neighbours among the first lanes of a row, and writes their sums to the first half of these and their differences to the second.
//! What a block of 2^k neighbours becomes in k levels depends on nothing else, so that one workgroup can take them all.
//! The inverse goes back: a block of 2^k neighbours needs k levels of differences of its own and, of every level above, a single one, so that one launch takes all levels.

mod shape;
mod text;

pub(super) use shape::{HaarShape, kernel_of, recognise};
pub(super) use text::source;
