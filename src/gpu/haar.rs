//! The fast kernels of Haar pyramids: which runs of stages they support.
//!
//! A level of the algorithm with constant geometry reads neighbours among the first lanes of a row, and writes their sums to the first half of these and their differences to the second.
//! A block of 2^k neighbours depends on nothing else during k levels, so one workgroup takes all of them.
//! The inverse goes back: a block of 2^k neighbours needs k levels of differences of its own and, of every level above, a single one, so that one launch takes all levels.

mod shape;
mod text;

pub(super) use shape::{HaarShape, kernel_of, recognise};
pub(super) use text::source;
