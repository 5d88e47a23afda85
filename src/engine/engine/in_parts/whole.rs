//! The numbers between the passes of a run in parts, and the samples of a part of them.

use super::number::{BLOCK, Number};
use crate::plan::{Coef, Direction};
use crate::signal::{Samples, Track};
use crate::threads;
use crate::transforms::Shape;
use num_complex::{Complex, Complex64};
use std::ops::Range;

/// Neighbouring samples that a thread copies at a time, each to another row.
const ACROSS: usize = 32;

/// Numbers between two passes.
pub(super) struct Whole<'a, T> {
    pub(super) held: Held<'a, T>,
    pub(super) shape: Shape,
    pub(super) is_complex: bool,
}

/// Where they are.
pub(super) enum Held<'a, T> {
    /// Samples of the job, row after row.
    Samples(Track<'a>),
    /// Samples of the job, column after column.
    Columns(Track<'a>),
    /// The result of the pass before.
    Values(Vec<Complex<T>>),
}

impl<T: Number> Whole<'_, T> {
    /// The numbers in some rows and columns, in `memory` where it has the right length.
    pub(super) fn samples(&self, (rows, columns): (Range<usize>, Range<usize>), memory: Option<Samples>) -> (Shape, Samples) {
        let shape = Shape { rows: rows.len(), columns: columns.len() };
        let first = |row: usize| (rows.start + row) * self.shape.columns + columns.start;
        let down = |row: usize, column: usize| (columns.start + column) * self.shape.rows + rows.start + row;
        let samples = if self.is_complex {
            let memory = memory.and_then(T::complex_of).unwrap_or_default();
            T::complex(match &self.held {
                Held::Samples(track) => of_rows(shape, memory, |row, to| read_complex(track, first(row), to)),
                Held::Columns(track) => of_columns(shape, memory, |at, to| read_complex(track, down(at.0, at.1), to)),
                Held::Values(values) => of_rows(shape, memory, |row, to| to.copy_from_slice(&values[first(row)..][..to.len()])),
            })
        } else {
            let memory = memory.and_then(T::real_of).unwrap_or_default();
            let real_parts = |from: &[Complex<T>], to: &mut [T]| to.iter_mut().zip(from).for_each(|(to, value)| *to = value.re);
            T::real(match &self.held {
                Held::Samples(track) => of_rows(shape, memory, |row, to| T::read(track, first(row), 0, to)),
                Held::Columns(track) => of_columns(shape, memory, |at, to| T::read(track, down(at.0, at.1), 0, to)),
                Held::Values(values) => of_rows(shape, memory, |row, to| real_parts(&values[first(row)..], to)),
            })
        };
        (shape, samples)
    }
}

/// Multiplies the value at row r and column c by ω^(r·c), where ω is the root of unity of order `shape.len()`: the step between the transforms of the rows and
/// those of the columns, which together make the transform of one line. Each power is the product of two roots from tables in double precision.
///
/// J. W. Cooley, J. W. Tukey, An Algorithm for the Machine Calculation of Complex Fourier Series (1965).
pub(super) fn twiddle<T: Number>(values: &mut [Complex<T>], shape: Shape, direction: Direction) {
    let n = shape.len();
    let bits = n.ilog2().div_ceil(2);
    let roots = |most: usize, step: usize| -> Vec<Complex64> {
        (0..n).step_by(step).take(most).map(|power| Coef::root(power as u64, n as u64, direction).value()).collect()
    };
    let (low, high) = (roots(1 << bits, 1), roots(n, 1 << bits));
    threads::for_each_chunk(values, shape.columns, &|row, values| {
        let mut power = 0;
        for value in values {
            let root = high[power >> bits] * low[power & (low.len() - 1)];
            *value = *value * Complex::new(T::rounded(root.re), T::rounded(root.im));
            power += row;
            power -= if power < n { 0 } else { n };
        }
    });
}

/// The values of a shape, in `memory` where it has the right length; `fill` writes a row.
fn of_rows<V: bytemuck::Zeroable + Send>(shape: Shape, memory: Vec<V>, fill: impl Fn(usize, &mut [V]) + Sync) -> Vec<V> {
    let mut values = if memory.len() == shape.len() { memory } else { threads::zeros(shape.len()) };
    let rows = BLOCK.div_ceil(shape.columns.max(1));
    threads::for_each_chunk(&mut values, (rows * shape.columns).max(1), &|block, to| {
        to.chunks_mut(shape.columns).enumerate().for_each(|(row, to)| fill(block * rows + row, to));
    });
    values
}

/// The same, column by column: `fill` gets a row and a column, and writes the values of that column from that row on.
fn of_columns<V: bytemuck::Zeroable + Copy + Send>(shape: Shape, memory: Vec<V>, fill: impl Fn((usize, usize), &mut [V]) + Sync) -> Vec<V> {
    let mut values = if memory.len() == shape.len() { memory } else { threads::zeros(shape.len()) };
    threads::for_each_chunk(&mut values, (ACROSS * shape.columns).max(1), &|block, to| {
        let mut down = [V::zeroed(); ACROSS];
        let down = &mut down[..to.len() / shape.columns];
        for column in 0..shape.columns {
            fill((block * ACROSS, column), down);
            to[column..].iter_mut().step_by(shape.columns).zip(&*down).for_each(|(to, value)| *to = *value);
        }
    });
    values
}

/// Reads complex samples from an index on.
fn read_complex<T: Number>(track: &Track<'_>, first: usize, to: &mut [Complex<T>]) {
    let mut parts = [T::ZERO; 512];
    for (index, to) in to.chunks_mut(parts.len()).enumerate() {
        let (first, parts) = (first + index * 512, &mut parts[..to.len()]);
        T::read(track, first, 0, parts);
        to.iter_mut().zip(&*parts).for_each(|(z, re)| z.re = *re);
        T::read(track, first, 1, parts);
        to.iter_mut().zip(&*parts).for_each(|(z, im)| z.im = *im);
    }
}
