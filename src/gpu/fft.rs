//! The fast Fourier kernel: which runs of stages it supports, and how a workgroup shares them.
//!
//! A run of consecutive Stockham stages whose radices multiply to R is, in every algorithm, a set of separate transforms of R points, the *lines*.
//! Before the run the points of a line stand N/R lanes apart in a row of N; after it, its results stand `span` lanes apart, `span` being the product of the radices before the run.
//! A whole row is the case R = N; a long row is two or three runs; the columns of an image are lines of a "row" that is the whole image, with the image's width as the first span.
//! A shape is recognised from the numbers of the stages alone, so that the kernel supports every algorithm that comes to the same stages.

mod butterflies;
mod half_spectrum;
mod lane_factors;
mod launches;
mod placement;
mod recognise;
mod run;
pub(super) mod shape;
#[cfg(test)]
mod tests;
mod text;

pub(super) use launches::FftLaunches;
pub(super) use recognise::recognise;
pub(super) use run::{LARGE, MAX_POINTS, StockhamRun};
pub(super) use shape::FftShape;
pub(super) use text::source;
