//! How far from double precision a right result is at most.

use super::Line;
use crate::engine::{Deviation, Outcome};
use crate::plan::{Coef, Operation, Plan, Precision, Ring, Stage, Twiddle};
use crate::transforms::{Axes, Shape, Transform, transform};
use std::f64::consts::SQRT_2;

/// What a Fourier transform of 2^10 random samples may be off by in single precision; it grows with the logarithm of the length.
const FOURIER: f64 = 3e-7;
/// Half the distance from 1 to the next number of single precision: what a rounding is off by at most.
const SINGLE: f64 = f32::EPSILON as f64 / 2.0;
/// How much finer double precision is.
const FINER: f64 = f64::EPSILON / f32::EPSILON as f64;
/// How often a product of complex numbers is rounded.
const PRODUCT: usize = 2;
/// Operations that an equation goes through in each direction of an elimination row after row.
const ROW_OPERATIONS: f64 = 8.0;

/// So few numbers may by chance all be rounded badly.
const FEW: usize = 256;

/// The largest relative error in the 2-norm of a right result of random samples; nothing is asked of it that the exact result, rounded, would not keep.
///
/// Fourier transforms have a bound of their own; all others that of the roundings of their sums, one after the other: each is off by at most half a unit of the last place,
/// and as no part of random samples is larger than the others on average, relative errors add up and do not grow.
pub(super) fn bound(line: &Line, shape: Shape, outcome: &Outcome, deviation: Deviation) -> f64 {
    if outcome.plan.as_ref().is_some_and(|plan| plan.ring.is_exact()) {
        return 0.0;
    }
    let known = transform(&line.transform).ok();
    let in_single = match (known, &outcome.plan) {
        (Some(transform), _) if transform.has_frequencies() && transform.convolution().is_none() => {
            let points = points(shape, outcome);
            (if is_detour(transform, line, shape, outcome) { detour(points) } else { fourier(points) }) * spread(outcome.shape)
        }
        // Two spectra, their product, and the way back.
        (_, Some(plan)) if plan.ring == Ring::Complex => (3.0 * fourier(shape.columns) + SINGLE * PRODUCT as f64) * spread(shape),
        (_, Some(plan)) => SINGLE * roundings(plan) as f64,
        (_, None) => SINGLE * 2.0 * ROW_OPERATIONS,
    };
    match outcome.precision {
        Precision::Single => in_single.max(deviation.rounding),
        // What it is compared with is as exact as it is itself, and both are off.
        Precision::Double => 2.0 * (FINER * in_single).max(deviation.rounding),
    }
}

/// The bound of the project for so many points.
fn fourier(points: usize) -> f64 {
    FOURIER / 10.0 * (points as f64).log2()
}

/// That of a convolution: there and back with up to four times as many points, whose roundings add up as squares.
fn detour(points: usize) -> f64 {
    SQRT_2 * fourier(4 * points)
}

/// Points that every result is a sum of; of half a spectrum those of the samples, which stand on the longer side.
fn points(shape: Shape, outcome: &Outcome) -> usize {
    let (rows, columns) = (shape.rows.max(outcome.shape.rows), shape.columns.max(outcome.shape.columns));
    match outcome.axes {
        Axes::Rows => columns,
        Axes::Columns => rows,
        Axes::Both => rows * columns,
    }
}

/// Whether a result has gone through a convolution that the bound of the project does not foresee: where radices take the length, or in a library, with which results in double precision are compared.
fn is_detour(transform: &Transform, line: &Line, shape: Shape, outcome: &Outcome) -> bool {
    match &outcome.plan {
        Some(plan) if outcome.precision == Precision::Single => convolves(plan) && !has_to(transform, line, shape),
        Some(plan) => convolves(plan),
        None => has_to(transform, line, shape),
    }
}

/// Whether rows are transformed by a convolution with a chirp.
fn convolves(plan: &Plan) -> bool {
    plan.stages.iter().any(|stage| matches!(stage.twiddle, Some(Twiddle::Table(_))))
}

/// Whether no radix takes a length, so that the first algorithm convolves as well.
fn has_to(transform: &Transform, line: &Line, shape: Shape) -> bool {
    let first = transform.first_plan_for(shape, line.parameters).plan_fn();
    first.and_then(|build| build(shape, line.parameters).ok()).is_some_and(|plan| convolves(&plan))
}

/// How much farther off than the mean a few results may be by chance: four times the deviation of the mean of as many squares.
fn spread(shape: Shape) -> f64 {
    let n_numbers = 2 * shape.len().max(1);
    if n_numbers > FEW { 1.0 } else { (1.0 + 4.0 * (2.0 / n_numbers as f64).sqrt()).sqrt() }
}

/// How often a value is rounded from the samples to the result, at most.
fn roundings(plan: &Plan) -> usize {
    plan.stages.iter().map(roundings_of).sum()
}

/// The same within one stage: once for every further tap, and once for every coefficient other than 1 and −1.
fn roundings_of(stage: &Stage) -> usize {
    match &stage.operation {
        Operation::Product { .. } => PRODUCT,
        // Of two neighbours the multiple, a product and a difference each; then the quotient.
        Operation::Eliminate => 7,
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
