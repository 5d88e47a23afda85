//! The fast Fourier kernel: which runs of stages it supports, and how a workgroup shares them.
//!
//! A run of consecutive Stockham stages whose radices multiply to R is, in every algorithm, a set of separate transforms of R points, the *lines*.
//! Before the run the points of a line are N/R lanes apart in a row of N; after it, its results are `span` lanes apart, `span` being the product of the radices before the run.
//! A whole row is the case R = N; a long row is two or three runs; the columns of an image are lines of a "row" that is the whole image, with the image's width as the first span.
//! A shape is recognised from the numbers of the stages alone, so that the kernel supports every algorithm that comes to the same stages.

mod candidates;
mod data;
mod lane_factors;
mod launches;
mod placement;
mod recognise;
mod run;
pub(super) mod shape;
#[cfg(test)]
mod tests;

#[cfg(test)]
use recognise::recognise;
#[cfg(test)]
use run::StockhamRun;

use super::family::{Family, KernelDispatch, LaunchQuery, MOST_LANES};
use super::kernel::Kernel;
use super::limits::Limits;
use super::tables::Tables;
use crate::plan::{Plan, Ring};
use crate::schedule::Tile;
use std::ops::Range;

/// Runs of Stockham stages, a few lines in a workgroup.
pub(super) struct Fft;

impl Family for Fft {
    fn most_lanes(&self) -> usize {
        MOST_LANES
    }

    fn dispatch(&self, query: LaunchQuery<'_>, tables: &mut Tables) -> Option<KernelDispatch> {
        let (shape, n_groups) = launches::kernel_of(query, tables)?;
        let kernel = Kernel::new("fft", "fft.wgsl", Ring::Complex, data::FftData::new(&shape));
        let kernel = Kernel { precision: shape.precision, in_place: shape.in_place, ..kernel };
        Some(KernelDispatch { n_groups, bytes: shape.half_spectrum_bytes(), ..KernelDispatch::of(kernel, [0]) })
    }

    fn candidate(&self, plan: &Plan, stages: Range<usize>, limits: Limits, most_lanes: usize) -> Option<(Tile, f64)> {
        candidates::candidate(plan, stages, limits, most_lanes)
    }
}
