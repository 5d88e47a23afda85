//! The definitions row by row. The tests compare plans with them, and they share no code with the plans.

use super::super::{Parameters, Shape};
use crate::plan::Direction;
use num_complex::Complex64;

/// The matrix of the Haar transform of one line.
pub(super) fn haar(shape: Shape, parameters: Parameters) -> Vec<Vec<Complex64>> {
    directed(&rows(shape.columns), parameters)
}

/// The matrix of the 2-D Haar transform, rows and columns numbered row-major.
pub(super) fn haar2(shape: Shape, parameters: Parameters) -> Vec<Vec<Complex64>> {
    let (down, across) = (rows(shape.rows), rows(shape.columns));
    let product = down.iter().flat_map(|y| across.iter().map(move |x| y.iter().flat_map(|a| x.iter().map(move |b| a * b)).collect()));
    directed(&product.collect::<Vec<_>>(), parameters)
}

/// The matrix of the printed algorithm: the rows of each scale and all columns are in bit-reversed order.
pub(super) fn haar_printed(shape: Shape, parameters: Parameters) -> Vec<Vec<Complex64>> {
    let n = shape.columns;
    let backwards = |value: usize, n_bits: u32| (0..n_bits).fold(0, |sum, digit| 2 * sum + (value >> digit & 1));
    let haar = rows(n);
    let row = |r: usize| {
        if r == 0 {
            return 0;
        }
        let scale = 1 << r.ilog2();
        scale + backwards(r - scale, r.ilog2())
    };
    let permuted: Vec<Vec<f64>> = (0..n).map(|r| (0..n).map(|i| haar[row(r)][backwards(i, n.ilog2())]).collect()).collect();
    directed(&permuted, parameters)
}

/// Row 0 is all ones; row 2^s + m is 1 on the first half of block m of N/2^s samples, and −1 on the second.
fn rows(n: usize) -> Vec<Vec<f64>> {
    let entry = |row: usize, sample: usize| {
        if row == 0 {
            return 1.0;
        }
        let scale = 1 << row.ilog2();
        let block = n / scale;
        match sample / block == row - scale {
            false => 0.0,
            true if sample % block < block / 2 => 1.0,
            true => -1.0,
        }
    };
    (0..n).map(|row| (0..n).map(|sample| entry(row, sample)).collect()).collect()
}

/// The rows, divided by their norms if `normalized`. The inverse is the transpose, each row divided by its squared norm, which is 1 for orthonormal rows.
fn directed(rows: &[Vec<f64>], parameters: Parameters) -> Vec<Vec<Complex64>> {
    let squares: Vec<f64> = rows.iter().map(|row| row.iter().map(|value| value * value).sum()).collect();
    let divisor = |row: usize| match (parameters.normalized, parameters.direction) {
        (true, _) => squares[row].sqrt(),
        (false, Direction::Forward) => 1.0,
        (false, Direction::Inverse) => squares[row],
    };
    let n = rows.len();
    let entry = |k: usize, i: usize| match parameters.direction {
        Direction::Forward => rows[k][i] / divisor(k),
        Direction::Inverse => rows[i][k] / divisor(i),
    };
    (0..n).map(|k| (0..n).map(|i| entry(k, i).into()).collect()).collect()
}
