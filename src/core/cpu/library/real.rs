//! Transforms of real samples by realfft: to half the spectrum, and back.

use super::super::{Cancelled, Float};
use super::{along_columns, long, transform};
use crate::plan::Direction;
use crate::threads;
use crate::transforms::{Axes, Shape};
use num_complex::Complex;
use rayon::prelude::*;
use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};

/// The half of the spectrum of a real image that determines the rest.
#[derive(Debug, Clone, PartialEq)]
pub struct HalfSpectrum<T = f32> {
    /// Shape of the image.
    pub shape: Shape,
    /// `rows` × (`columns`/2 + 1) values, row-major.
    pub values: Vec<Complex<T>>,
}

impl<T: Float> HalfSpectrum<T> {
    /// Values of a stored row.
    pub fn stored_columns(&self) -> usize {
        self.shape.columns / 2 + 1
    }

    /// Shape of the stored values.
    pub fn stored_shape(&self) -> Shape {
        Shape { rows: self.shape.rows, columns: self.stored_columns() }
    }

    /// The value at index (`row`, `column`) of the whole spectrum: X\[−k, −l\] is the conjugate of X\[k, l\].
    pub fn at(&self, row: usize, column: usize) -> Complex<T> {
        let stored = self.stored_columns();
        if column < stored {
            self.values[row * stored + column]
        } else {
            let opposite = self.values[(self.shape.rows - row) % self.shape.rows * stored + self.shape.columns - column];
            // A difference, since the negative of 0 has a sign.
            Complex::new(opposite.re, T::ZERO - opposite.im)
        }
    }

    /// The whole spectrum, row-major.
    pub fn whole(&self) -> Vec<Complex<T>> {
        let columns = self.shape.columns;
        threads::fill_blocks(self.shape.len(), &|first, block: &mut [Complex<T>]| {
            let (mut row, mut column) = (first / columns, first % columns);
            for value in block {
                *value = self.at(row, column);
                column += 1;
                if column == columns {
                    (row, column) = (row + 1, 0);
                }
            }
        })
    }
}

/// The forward transform of a real image, with half the work and memory of a complex one.
///
/// # Errors
/// If `cancel` is set.
pub fn real_image<T: Float>(samples: &[T], shape: Shape, cancel: &AtomicBool) -> Result<HalfSpectrum<T>, Cancelled> {
    Ok(HalfSpectrum { shape, values: half_spectrum(samples, shape, Axes::Both, cancel)? })
}

/// The half spectrum of row-major real samples: the first `columns`/2 + 1 values of every row, or along columns only, the first `rows`/2 + 1 rows.
/// Samples that are given away are freed as soon as they were read.
///
/// # Errors
/// If `cancel` is set.
pub fn half_spectrum<'a, T: Float>(
    samples: impl Into<Cow<'a, [T]>>,
    shape: Shape,
    axes: Axes,
    cancel: &AtomicBool,
) -> Result<Vec<Complex<T>>, Cancelled> {
    let samples = samples.into();
    if axes == Axes::Columns {
        let complex = samples.iter().map(|&sample| Complex::new(sample, T::ZERO)).collect();
        let mut values = transform(complex, shape, axes, Direction::Forward, cancel)?;
        values.truncate((shape.rows / 2 + 1) * shape.columns);
        return Ok(values);
    }
    if let Some(table) = pairs_of_long_line(shape) {
        return long::half_spectrum(samples, table, cancel);
    }
    let stored = shape.columns / 2 + 1;
    let plan = T::fft_of_reals(shape.columns);
    let start = || (plan.make_input_vec(), plan.make_scratch_vec());
    let mut values = threads::fill_chunks(shape.rows * stored, stored, &start, &|(line, scratch), row, output| {
        if !cancel.load(Ordering::Relaxed) {
            line.copy_from_slice(&samples[row * shape.columns..][..shape.columns]);
            plan.process_with_scratch(line, output, scratch).expect("the slices have the lengths of the plan");
        }
    });
    if axes == Axes::Both && shape.rows > 1 {
        along_columns(&mut values, stored, shape.rows, Direction::Forward, cancel)?;
    }
    if cancel.load(Ordering::Relaxed) { Err(Cancelled) } else { Ok(values) }
}

/// The real samples of a half spectrum; divides by the number of points.
/// Ignores the imaginary parts of values that are their own conjugates.
///
/// # Errors
/// If `cancel` is set.
pub fn real_samples<T: Float>(mut values: Vec<Complex<T>>, shape: Shape, axes: Axes, cancel: &AtomicBool) -> Result<Vec<T>, Cancelled> {
    if axes == Axes::Columns {
        let columns = shape.columns;
        let opposite = |lane: usize| values[(shape.rows - lane / columns) * columns + lane % columns].conj();
        let rest: Vec<_> = (values.len()..shape.len()).map(opposite).collect();
        values.extend(rest);
        let samples = transform(values, shape, axes, Direction::Inverse, cancel)?;
        return Ok(samples.iter().map(|sample| sample.re).collect());
    }
    let stored = shape.columns / 2 + 1;
    if axes == Axes::Both && shape.rows > 1 {
        along_columns(&mut values, stored, shape.rows, Direction::Inverse, cancel)?;
    }
    let n = if axes == Axes::Both { shape.len() } else { shape.columns };
    let scale = T::rounded(1.0 / n as f64);
    if let Some(table) = pairs_of_long_line(shape) {
        let mut samples = long::real_samples(&values, table, cancel)?;
        threads::for_each_chunk(&mut samples, 1 << 14, &|_, samples| samples.iter_mut().for_each(|sample| *sample = *sample * scale));
        return Ok(samples);
    }
    let plan = T::fft_to_reals(shape.columns);
    let mut samples: Vec<T> = threads::zeros(shape.len());
    samples.par_chunks_mut(shape.columns).zip(values.par_chunks_mut(stored)).for_each_init(
        || plan.make_scratch_vec(),
        |scratch, (output, row)| {
            if cancel.load(Ordering::Relaxed) {
                return;
            }
            row[0].im = T::ZERO;
            if shape.columns.is_multiple_of(2) {
                row[stored - 1].im = T::ZERO;
            }
            plan.process_with_scratch(row, output, scratch).expect("the slices have the lengths of the plan");
            output.iter_mut().for_each(|sample| *sample = *sample * scale);
        },
    );
    if cancel.load(Ordering::Relaxed) { Err(Cancelled) } else { Ok(samples) }
}

/// Bytes that the transform of one line holds at a time, at most, with the line that is given away.
pub fn line_bytes<T: Float>(n: usize, is_real: bool) -> u128 {
    let (line, complex) = (n as u128 * size_of::<T>() as u128 * if is_real { 1 } else { 2 }, 2 * size_of::<T>() as u128);
    if is_fast_line(n, is_real) {
        return if n.is_multiple_of(2) || !is_real { 2 * line } else { 4 * line };
    }
    // A cyclic convolution takes the place of the transform, of twice its length or more, besides its table and what lies between.
    3 * line + 3 * (2 * n).next_power_of_two() as u128 * complex
}

/// Whether a line is short, or its length has factors, so that all threads share it.
pub fn is_fast_line(n: usize, is_real: bool) -> bool {
    match is_real {
        true => long::is_fast(n.div_ceil(2)) && (n.is_multiple_of(2) || long::is_short(n)),
        false => long::is_fast(n),
    }
}

/// The table of the pairs of samples of one long line.
fn pairs_of_long_line(shape: Shape) -> Option<Shape> {
    let is_even_line = shape.rows == 1 && shape.columns.is_multiple_of(2);
    is_even_line.then(|| long::table(shape.columns / 2)).flatten()
}
