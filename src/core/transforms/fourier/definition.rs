//! The definitions as textbook loops. The tests compare plans with them, and they share no code with the plans.

use super::super::{Parameters, Shape};
use crate::plan::Direction;
use num_complex::Complex64;
use std::f64::consts::TAU;

/// The matrix of the DFT of one line of `shape.columns` samples.
pub(super) fn dft(shape: Shape, parameters: Parameters) -> Vec<Vec<Complex64>> {
    let n = shape.columns;
    let (sign, scale) = sign_and_scale(n, parameters.direction);
    (0..n).map(|k| (0..n).map(|t| Complex64::from_polar(scale, sign * TAU * (k * t % n) as f64 / n as f64)).collect()).collect()
}

/// The matrix of the 2-D DFT, rows and columns numbered row-major.
pub(super) fn dft2(shape: Shape, parameters: Parameters) -> Vec<Vec<Complex64>> {
    let Shape { rows, columns } = shape;
    let (sign, scale) = sign_and_scale(shape.len(), parameters.direction);
    let entry = |k: usize, t: usize| {
        let turns =
            (k / columns) as f64 * (t / columns) as f64 / rows as f64 + (k % columns) as f64 * (t % columns) as f64 / columns as f64;
        Complex64::from_polar(scale, sign * TAU * turns.fract())
    };
    (0..shape.len()).map(|k| (0..shape.len()).map(|t| entry(k, t)).collect()).collect()
}

/// The matrix W of the DFT of one line of real samples, X = W·x for k = 0 … N/2, or of its inverse: x is the real part of W·X.
pub(super) fn rdft(shape: Shape, parameters: Parameters) -> Vec<Vec<Complex64>> {
    rdft2(Shape::line(shape.columns), parameters)
}

/// The same for a real image. The inverse counts a value twice if the half spectrum leaves out its opposite.
///
/// It takes only half spectra of real samples, in which values that are their own opposites are real.
pub(super) fn rdft2(shape: Shape, parameters: Parameters) -> Vec<Vec<Complex64>> {
    let samples = parameters.samples_of(shape.columns);
    let half = samples / 2 + 1;
    let (rows, whole) = (shape.rows, Shape { columns: samples, ..shape });
    let matrix = dft2(whole, parameters);
    let first_half = |index: &usize| index % samples < half;
    match parameters.direction {
        Direction::Forward => (0..rows * samples).filter(first_half).map(|index| matrix[index].clone()).collect(),
        Direction::Inverse => {
            let twice = |column: usize| if column == 0 || 2 * column == samples { 1.0 } else { 2.0 };
            let row =
                |row: Vec<Complex64>| (0..rows * samples).filter(first_half).map(|index| row[index] * twice(index % samples)).collect();
            matrix.into_iter().map(row).collect()
        }
    }
}

fn sign_and_scale(n: usize, direction: Direction) -> (f64, f64) {
    match direction {
        Direction::Forward => (-1.0, 1.0),
        Direction::Inverse => (1.0, 1.0 / n as f64),
    }
}
