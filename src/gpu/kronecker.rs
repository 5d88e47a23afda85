//! The fast kernel of Kronecker steps: which runs of stages it supports, and what a workgroup takes.
//!
//! A step applies a 2×2 matrix to one binary bit of the index. A run of steps on k neighbouring bits, `stride` lanes and up, is a set of separate transforms of 2^k points, the *lines*.
//! The low bits of a long row are runs of consecutive lanes; the high ones are lines of which a workgroup takes neighbours, so that what it touches at once is long.
//! A run is recognised from the numbers of its stages alone: Walsh, Reed-Muller, arithmetic and all other powers of a matrix, their inverses, and what stands on them.

mod shape;
mod text;

pub(super) use shape::{KroneckerShape, kernel_of, recognise};
pub(super) use text::source;
