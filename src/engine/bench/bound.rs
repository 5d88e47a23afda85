//! The largest error that a correct result may have against double precision.

use super::SweepLine;
use crate::engine::{Deviation, Outcome};
use crate::plan::{Coef, Doubling, Operation, Plan, Precision, Ring, Stage, Twiddle};
use crate::schedule::{KernelVariant, Tile, TwiddleSource};
use crate::transforms::{Axes, Family, Shape, Transform, transform};
use std::f64::consts::SQRT_2;

/// Error bound of a Fourier transform of 2^10 random samples in single precision; it grows with the logarithm of the length.
const FOURIER: f64 = 3e-7;
/// Unit roundoff of single precision: half the distance from 1 to the next number.
const SINGLE: f64 = f32::EPSILON as f64 / 2.0;
/// Roundoff of double precision relative to single precision.
const FINER: f64 = f64::EPSILON / f32::EPSILON as f64;
/// Roundings in one complex multiplication.
const PRODUCT: usize = 2;
/// Operations on one equation in each direction of a sequential elimination.
const ROW_OPERATIONS: f64 = 8.0;

/// The absolute error that WGSL allows a sine or cosine between −π and π.
const COMPUTED_ROOT: f64 = 1.0 / 2048.0;

/// Results with at most this many numbers may by chance all be rounded badly.
const FEW: usize = 256;

/// The largest relative error, in the 2-norm, of a correct result of random samples. It is never below the rounding of the exact result.
///
/// Fourier transforms have their own bound. For all others the roundings of their sums add up: each is at most half a unit in the last place,
/// and relative errors do not grow, because no part of random samples is larger than the others on average.
pub(super) fn bound(line: &SweepLine, shape: Shape, outcome: &Outcome, deviation: Deviation) -> f64 {
    if outcome.plan.as_ref().is_some_and(|plan| plan.ring.is_exact()) {
        return 0.0;
    }
    let known = transform(&line.transform).ok();
    let in_single = match (known, &outcome.plan) {
        (_, Some(plan)) if plan.is_direct() => SINGLE * roundings(plan) as f64 * spread(outcome.shape),
        (Some(transform), _) if transform.family == Family::Fourier => {
            let points = points(shape, outcome);
            (if is_detour(transform, line, shape, outcome) { detour(points) } else { fourier(points) }) * spread(outcome.shape)
        }
        // Two forward transforms, a product and an inverse transform.
        (_, Some(plan)) if plan.ring == Ring::Complex => (3.0 * fourier(shape.columns) + SINGLE * PRODUCT as f64) * spread(shape),
        (_, Some(plan)) => SINGLE * roundings(plan) as f64,
        (_, None) => SINGLE * 2.0 * ROW_OPERATIONS,
    };
    match outcome.precision {
        Precision::Single => in_single.max(deviation.rounding) + of_computed_roots(outcome),
        // The reference is in double precision too, so both errors count.
        Precision::Double => 2.0 * (FINER * in_single).max(deviation.rounding),
    }
}

/// The error that the roots of unity of kernels may add: that of one a stage.
fn of_computed_roots(outcome: &Outcome) -> f64 {
    let (Some(plan), Some(schedule)) = (&outcome.plan, &outcome.schedule) else { return 0.0 };
    let computes = |tile: &Tile| {
        let (Tile::Variant(variant) | Tile::BlockBy { variant, .. }) = tile else { return false };
        matches!(variant, KernelVariant { twiddles: TwiddleSource::Computed, .. })
    };
    let stages = schedule.launches.iter().filter(|launch| computes(&launch.tile)).flat_map(|launch| &plan.stages[launch.stages.clone()]);
    COMPUTED_ROOT * stages.filter(|stage| stage.twiddle.is_some()).count() as f64
}

/// Error bound of a Fourier transform of `points` points in single precision.
fn fourier(points: usize) -> f64 {
    FOURIER / 10.0 * (points as f64).log2()
}

/// Error bound of a chirp convolution: a forward and an inverse transform of up to four times the length, whose errors add as squares.
fn detour(points: usize) -> f64 {
    SQRT_2 * fourier(4 * points)
}

/// The number of points that each result sums. For half a spectrum the longer side counts: that of the samples.
fn points(shape: Shape, outcome: &Outcome) -> usize {
    let (rows, columns) = (shape.rows.max(outcome.shape.rows), shape.columns.max(outcome.shape.columns));
    match outcome.axes {
        Axes::Rows => columns,
        Axes::Columns => rows,
        Axes::Both => rows * columns,
    }
}

/// Whether the larger bound of a convolution applies: the plan convolves although radices divide the length, or the reference library convolves.
fn is_detour(transform: &Transform, line: &SweepLine, shape: Shape, outcome: &Outcome) -> bool {
    match &outcome.plan {
        Some(plan) if outcome.precision == Precision::Single => convolves(plan) && !has_to(transform, line, shape),
        Some(plan) => convolves(plan),
        None => has_to(transform, line, shape),
    }
}

/// Whether the plan transforms rows by a chirp convolution (Bluestein).
fn convolves(plan: &Plan) -> bool {
    plan.stages.iter().any(|stage| matches!(stage.twiddle, Some(Twiddle::Table(_))))
}

/// Whether no radix divides the length, so that the first algorithm convolves as well.
fn has_to(transform: &Transform, line: &SweepLine, shape: Shape) -> bool {
    transform.plan(shape, line.parameters).is_ok_and(|plan| convolves(&plan))
}

/// Factor on the bound for short results, whose mean squared error varies by chance: four standard deviations of that mean.
fn spread(shape: Shape) -> f64 {
    let n_numbers = 2 * shape.len().max(1);
    if n_numbers > FEW { 1.0 } else { (1.0 + 4.0 * (2.0 / n_numbers as f64).sqrt()).sqrt() }
}

/// The largest number of roundings between a sample and a result.
fn roundings(plan: &Plan) -> usize {
    plan.stages.iter().map(roundings_of).sum()
}

/// The roundings of one stage: one for every tap after the first, and one for every coefficient other than 1 and −1.
fn roundings_of(stage: &Stage) -> usize {
    match &stage.operation {
        Operation::Product { .. } => PRODUCT,
        // The roundings of many sums add up as squares.
        Operation::Direct(sum) => PRODUCT + 2 * (sum.n_terms() as f64).sqrt().ceil() as usize,
        // For each of two neighbours a quotient, a product and a difference; then the final quotient.
        Operation::Eliminate => 7,
        // Three differences and a product; a quotient, a sum and the final quotient; products and sums.
        Operation::Doubling(Doubling::PivotMap) => 4,
        Operation::Doubling(Doubling::Divide) => 3,
        Operation::Doubling(_) => 2,
        operation => {
            let matrix = operation.matrix();
            let of = |row: &[Coef]| {
                let live = row.iter().filter(|coef| **coef != Coef::Real(0.0));
                live.clone().count().saturating_sub(1) + live.filter(|coef| !coef.is_sign()).count()
            };
            matrix.coefs.chunks(matrix.taps.max(1)).map(of).max().unwrap_or(0) + usize::from(stage.twiddle.is_some())
        }
    }
}
