//! The definitions entry by entry. The tests compare plans with them, and they share no code with the plans.

use super::super::{Parameters, RowOrder, Shape};
use crate::plan::Direction;
use num_complex::Complex64;

/// The matrix of the Walsh transform of one line.
pub(super) fn walsh(shape: Shape, parameters: Parameters) -> Vec<Vec<Complex64>> {
    let n = shape.columns;
    matrix(n, |k, i| match parameters.direction {
        Direction::Forward => walsh_entry(n, parameters.order, k, i),
        Direction::Inverse => walsh_entry(n, parameters.order, i, k) / n as f64,
    })
}

/// The matrix of the 2-D Walsh transform, rows and columns numbered row-major.
pub(super) fn walsh2(shape: Shape, parameters: Parameters) -> Vec<Vec<Complex64>> {
    let Shape { rows, columns } = shape;
    let entry = |k: usize, i: usize| {
        walsh_entry(rows, parameters.order, k / columns, i / columns) * walsh_entry(columns, parameters.order, k % columns, i % columns)
    };
    matrix(shape.len(), |k, i| match parameters.direction {
        Direction::Forward => entry(k, i),
        Direction::Inverse => entry(i, k) / shape.len() as f64,
    })
}

/// The matrix of the Reed-Muller transform, its own inverse modulo 2: 1 where the bits of the column are among those of the row.
pub(super) fn reed_muller(shape: Shape, parameters: Parameters) -> Vec<Vec<Complex64>> {
    in_order(shape.columns, parameters, |k, i| f64::from(u8::from(k & i == i)))
}

/// The matrix of the arithmetic transform.
pub(super) fn arithmetic(shape: Shape, parameters: Parameters) -> Vec<Vec<Complex64>> {
    in_order(shape.columns, parameters, |k, i| match (k & i == i, parameters.direction) {
        (false, _) => 0.0,
        (true, Direction::Forward) => sign(k ^ i),
        (true, Direction::Inverse) => 1.0,
    })
}

/// The Kronecker power of the matrix in the parameters, or of its inverse.
pub(super) fn kronecker(shape: Shape, parameters: Parameters) -> Vec<Vec<Complex64>> {
    let n = shape.columns;
    let [a, b, c, d] = parameters.matrix.0;
    let base = match parameters.direction {
        Direction::Forward => [a, b, c, d],
        Direction::Inverse => [d, -b, -c, a].map(|entry| entry / (a * d - b * c)),
    };
    in_order(n, parameters, |k, i| (0..n.ilog2()).map(|digit| base[2 * (k >> digit & 1) + (i >> digit & 1)]).product())
}

/// A matrix whose coefficients, rows of the transform and columns of its inverse, have their bits reversed in dyadic order.
fn in_order(n: usize, parameters: Parameters, entry: impl Fn(usize, usize) -> f64) -> Vec<Vec<Complex64>> {
    matrix(n, |k, i| match (parameters.order, parameters.direction) {
        (RowOrder::Dyadic, Direction::Forward) => entry(backwards(n, k), i),
        (RowOrder::Dyadic, Direction::Inverse) => entry(k, backwards(n, i)),
        _ => entry(k, i),
    })
}

fn backwards(n: usize, row: usize) -> usize {
    (0..n.ilog2()).fold(0, |sum, digit| 2 * sum + (row >> digit & 1))
}

/// Row k of the Walsh matrix in some order, column i.
fn walsh_entry(n: usize, order: RowOrder, k: usize, i: usize) -> f64 {
    let natural = match order {
        RowOrder::Natural => k,
        RowOrder::Sequency => backwards(n, k ^ (k >> 1)),
        RowOrder::Dyadic => backwards(n, k),
    };
    sign(natural & i)
}

fn sign(digits: usize) -> f64 {
    if digits.count_ones().is_multiple_of(2) { 1.0 } else { -1.0 }
}

fn matrix(n: usize, entry: impl Fn(usize, usize) -> f64) -> Vec<Vec<Complex64>> {
    (0..n).map(|k| (0..n).map(|i| entry(k, i).into()).collect()).collect()
}
