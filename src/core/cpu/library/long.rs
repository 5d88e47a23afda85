//! Long lines in two passes of short ones, so that all threads share a line and each pass stays in the caches.
//!
//! A line of n = r·c samples is a table of r rows: transforms along its columns, factors, transforms along its rows, read column by column.
//! D. H. Bailey, FFTs in external or hierarchical memory, Journal of Supercomputing 4 (1990), 23–35, section 3.

use super::super::{Cancelled, Float, pairs};
use super::{by_strips, fft_direction, gather};
use crate::plan::Direction;
use crate::threads;
use crate::transforms::Shape;
use num_complex::{Complex, Complex64};
use rayon::prelude::*;
use std::borrow::Cow;
use std::f64::consts::TAU;
use std::sync::atomic::AtomicBool;

/// From this many values on, a line no longer fits the caches of a core.
const LONG: usize = 1 << 18;
/// Fewer rows or columns are not worth two passes.
const FEWEST: usize = 1 << 6;
/// Pairs of values of half a spectrum that a task joins.
const PAIRS: usize = 1 << 13;

/// Whether a line of `n` values is short enough for one pass, or has a table for two.
pub(super) fn is_fast(n: usize) -> bool {
    is_short(n) || table(n).is_some()
}

/// Whether one core holds a line in its caches.
pub(super) fn is_short(n: usize) -> bool {
    n < LONG
}

/// The rows and columns of a line that is taken in two passes, as nearly a square as its length allows.
pub(super) fn table(n: usize) -> Option<Shape> {
    let largest = if n < LONG { 0 } else { n.isqrt() };
    let rows = (FEWEST..=largest).rev().find(|rows| n.is_multiple_of(*rows))?;
    Some(Shape { rows, columns: n / rows })
}

/// The transform of a line, without the factor of the inverse. A line that is given away is freed as soon as it was read.
///
/// # Errors
/// If `cancel` is set.
pub(super) fn transform<T: Float>(
    line: Cow<'_, [Complex<T>]>,
    table: Shape,
    direction: Direction,
    cancel: &AtomicBool,
) -> Result<Vec<Complex<T>>, Cancelled> {
    let between = along_columns(&line, table, direction, cancel)?;
    drop(line);
    along_rows(&between, table, direction, cancel)
}

/// The first pass: transforms along the columns of the table.
fn along_columns<T: Float>(
    line: &[Complex<T>],
    table: Shape,
    direction: Direction,
    cancel: &AtomicBool,
) -> Result<Vec<Complex<T>>, Cancelled> {
    let Shape { rows, columns } = table;
    let mut between = threads::zeros(line.len());
    by_strips(&T::fft(rows, fft_direction(direction)), &mut between, columns, cancel, &|first, strip, held| {
        gather(line.chunks_exact(columns).map(|row| &row[first..][..strip[0].len()]), held);
    })?;
    Ok(between)
}

/// The second pass: factors, and transforms along the rows, which become columns.
fn along_rows<T: Float>(
    between: &[Complex<T>],
    table: Shape,
    direction: Direction,
    cancel: &AtomicBool,
) -> Result<Vec<Complex<T>>, Cancelled> {
    let Shape { rows, columns } = table;
    let roots = Roots::new(between.len(), direction);
    let mut result = threads::zeros(between.len());
    by_strips(&T::fft(columns, fft_direction(direction)), &mut result, rows, cancel, &|first, _, held| {
        for (index, held) in held.chunks_exact_mut(columns).enumerate() {
            let row = first + index;
            let factors = roots.multiples(row);
            let values = &between[row * columns..][..columns];
            held.iter_mut().zip(values).zip(factors).for_each(|((held, value), factor)| *held = *value * rounded(factor));
        }
    })?;
    Ok(result)
}

/// The first n/2 + 1 values of the spectrum of n real samples, which are pairs of a table of n/2 complex ones.
///
/// # Errors
/// If `cancel` is set.
pub(super) fn half_spectrum<T: Float>(samples: Cow<'_, [T]>, table: Shape, cancel: &AtomicBool) -> Result<Vec<Complex<T>>, Cancelled> {
    let between = along_columns(bytemuck::cast_slice(&samples), table, Direction::Forward, cancel)?;
    drop(samples);
    let mut values = along_rows(&between, table, Direction::Forward, cancel)?;
    drop(between);
    let first = values[0];
    values[0] = Complex::new(first.re + first.im, T::ZERO);
    tell_apart(&mut values);
    values.push(Complex::new(first.re - first.im, T::ZERO));
    Ok(values)
}

/// n times the n real samples of the half of their spectrum.
///
/// # Errors
/// If `cancel` is set.
pub(super) fn real_samples<T: Float>(values: &[Complex<T>], table: Shape, cancel: &AtomicBool) -> Result<Vec<T>, Cancelled> {
    let m = table.len();
    let (first, last) = (values[0].re, values[m].re);
    let mut pairs = threads::convert(&values[..m], |value| value.conj());
    // The way back is the conjugate of the way there.
    tell_apart(&mut pairs);
    threads::for_each_chunk(&mut pairs, PAIRS, &|_, pairs| pairs.iter_mut().for_each(|pair| *pair = pair.conj() + pair.conj()));
    pairs[0] = Complex::new(first + last, first - last);
    Ok(bytemuck::cast_vec(transform(Cow::Owned(pairs), table, Direction::Inverse, cancel)?))
}

/// Turns the transform of pairs of samples into that of the samples, but for the value of index 0.
fn tell_apart<T: Float>(values: &mut [Complex<T>]) {
    let roots = Roots::new(2 * values.len(), Direction::Forward);
    let [front, middle, back] = pairs::opposites(&mut values[1..]);
    middle.iter_mut().for_each(|middle| *middle = middle.conj());
    front.par_chunks_mut(PAIRS).zip(back.par_rchunks_mut(PAIRS)).enumerate().for_each(|(chunk, (front, back))| {
        let first = chunk * PAIRS + 1;
        let halves: Vec<Complex<T>> = (first..first + front.len()).map(|at| rounded(roots.at(at) * 0.5)).collect();
        pairs::join(front, back, &halves);
    });
}

/// The n-th roots of one, as products of two tables of √n in double precision.
struct Roots {
    fine: Vec<Complex64>,
    coarse: Vec<Complex64>,
}

impl Roots {
    fn new(n: usize, direction: Direction) -> Self {
        let sign = if direction == Direction::Forward { -1.0 } else { 1.0 };
        let (step, root) = (n.isqrt() + 1, |at: usize| Complex64::cis(sign * TAU * at as f64 / n as f64));
        Self { fine: (0..step).map(root).collect(), coarse: (0..=n / step).map(|at| root(at * step)).collect() }
    }

    fn at(&self, exponent: usize) -> Complex64 {
        self.coarse[exponent / self.fine.len()] * self.fine[exponent % self.fine.len()]
    }

    /// The powers 0, 1, 2 … of a root, the exponents of which stay below n.
    fn multiples(&self, exponent: usize) -> impl Iterator<Item = Complex64> {
        let (mut coarse, mut fine, step) = (0, 0, self.fine.len());
        std::iter::repeat_with(move || {
            let root = self.coarse[coarse] * self.fine[fine];
            fine += exponent;
            while fine >= step {
                (fine, coarse) = (fine - step, coarse + 1);
            }
            root
        })
    }
}

fn rounded<T: Float>(value: Complex64) -> Complex<T> {
    Complex::new(T::rounded(value.re), T::rounded(value.im))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{random_bits, unit};

    static GO: AtomicBool = AtomicBool::new(false);

    fn noise(n: usize) -> Vec<f64> {
        (0..n).map(|at| unit(random_bits(at as u64)) - 0.5).collect()
    }

    /// The definition, at a few frequencies.
    fn defined(samples: &[Complex64], sign: f64, k: usize) -> Complex64 {
        let n = samples.len();
        samples.iter().enumerate().map(|(j, value)| value * Complex64::cis(sign * TAU * (j * k % n) as f64 / n as f64)).sum()
    }

    /// Tables with lines that fill no strip, with odd sides, and of one row.
    const TABLES: [Shape; 5] = [
        Shape { rows: 6, columns: 10 },
        Shape { rows: 17, columns: 19 },
        Shape { rows: 1, columns: 5 },
        Shape { rows: 16, columns: 48 },
        Shape { rows: 2, columns: 1 },
    ];

    #[test]
    fn two_passes_are_the_transform() {
        for table in TABLES {
            let samples: Vec<Complex64> = noise(2 * table.len()).chunks(2).map(|pair| Complex64::new(pair[0], pair[1])).collect();
            for (direction, sign) in [(Direction::Forward, -1.0), (Direction::Inverse, 1.0)] {
                let values = transform((&samples).into(), table, direction, &GO).unwrap();
                for (k, value) in values.iter().enumerate() {
                    let error = (value - defined(&samples, sign, k)).norm();
                    assert!(error < 1e-12 * samples.len() as f64, "{table:?} {direction:?} at {k}: {error}");
                }
            }
        }
    }

    #[test]
    fn pairs_of_real_samples_give_half_the_spectrum_and_come_back() {
        for table in TABLES {
            let samples = noise(2 * table.len());
            let values = half_spectrum((&samples).into(), table, &GO).unwrap();
            assert_eq!(values.len(), table.len() + 1);
            let complex: Vec<Complex64> = samples.iter().map(|sample| Complex64::from(*sample)).collect();
            for (k, value) in values.iter().enumerate() {
                assert!((value - defined(&complex, -1.0, k)).norm() < 1e-12 * samples.len() as f64, "{table:?} at {k}");
            }
            let back = real_samples(&values, table, &GO).unwrap();
            let n = samples.len() as f64;
            assert!(back.iter().zip(&samples).all(|(back, sample)| (back / n - sample).abs() < 1e-13), "{table:?}");
        }
    }

    #[test]
    fn long_lines_with_factors_are_tables() {
        assert_eq!(table(1 << 20), Some(Shape { rows: 1 << 10, columns: 1 << 10 }));
        assert_eq!(table(14_400_000), Some(Shape { rows: 3750, columns: 3840 }));
        assert_eq!((table((1 << 18) - 1), table(1_000_003)), (None, None), "a short line, and a prime length");
    }
}
