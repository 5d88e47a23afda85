//! The reference library: rustfft, and realfft where the samples are real.
//!
//! It checks large results, is a backend of its own in timings, and takes any length.

mod long;
mod real;

pub use real::{HalfSpectrum, half_spectrum, is_fast_line, line_bytes, real_image, real_samples};

use super::{Cancelled, Float};
use crate::plan::Direction;
use crate::threads;
use crate::transforms::{Axes, Shape};
use num_complex::Complex;
use rayon::prelude::*;
use rustfft::{Fft, FftDirection};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The transform of row-major complex samples along one or both axes; the inverse divides by the number of points.
///
/// # Errors
/// If `cancel` is set.
pub fn transform<T: Float>(
    mut samples: Vec<Complex<T>>,
    shape: Shape,
    axes: Axes,
    direction: Direction,
    cancel: &AtomicBool,
) -> Result<Vec<Complex<T>>, Cancelled> {
    if let (1, true, Some(table)) = (shape.rows, axes.along_rows(), long::table(shape.columns)) {
        samples = long::transform(samples.into(), table, direction, cancel)?;
    } else if axes.along_rows() {
        along_rows(&mut samples, shape.columns, direction, cancel)?;
    }
    if axes.along_columns() && shape.rows > 1 {
        along_columns(&mut samples, shape.columns, shape.rows, direction, cancel)?;
    }
    if direction == Direction::Inverse {
        let n = match axes {
            Axes::Rows => shape.columns,
            Axes::Columns => shape.rows,
            Axes::Both => shape.len(),
        };
        let scale = T::rounded(1.0 / n as f64);
        threads::for_each_chunk(&mut samples, 1 << 14, &|_, samples| samples.iter_mut().for_each(|value| *value = *value * scale));
    }
    Ok(samples)
}

fn along_rows<T: Float>(samples: &mut [Complex<T>], columns: usize, direction: Direction, cancel: &AtomicBool) -> Result<(), Cancelled> {
    let plan = T::fft(columns, fft_direction(direction));
    // Each task takes several rows, so that short rows are worth the scheduling.
    let rows = (1_usize << 14).div_ceil(columns);
    samples.par_chunks_mut(rows * columns).for_each_init(
        || vec![Complex::new(T::zero(), T::zero()); plan.get_inplace_scratch_len()],
        |scratch, rows| {
            if !cancel.load(Ordering::Relaxed) {
                plan.process_with_scratch(rows, scratch);
            }
        },
    );
    if cancel.load(Ordering::Relaxed) { Err(Cancelled) } else { Ok(()) }
}

/// Columns that are transformed together: 16 complex values in single precision fill two cache lines.
const STRIP: usize = 16;

/// Transforms every column in place.
fn along_columns<T: Float>(
    samples: &mut [Complex<T>],
    columns: usize,
    rows: usize,
    direction: Direction,
    cancel: &AtomicBool,
) -> Result<(), Cancelled> {
    let plan = T::fft(rows, fft_direction(direction));
    by_strips(&plan, samples, columns, cancel, &|_, strip, held| gather(strip.iter().map(|row| &**row), held))
}

/// Fills the lines of a strip: its first column, the strip, and the lines, one behind the other.
type Fetch<'a, T> = dyn Fn(usize, &[&mut [Complex<T>]], &mut [Complex<T>]) + Sync + 'a;

/// Transforms strips of neighbouring columns, which are lines meanwhile.
fn by_strips<T: Float>(
    plan: &Arc<dyn Fft<T>>,
    samples: &mut [Complex<T>],
    columns: usize,
    cancel: &AtomicBool,
    fetch: &Fetch<'_, T>,
) -> Result<(), Cancelled> {
    let rows = plan.len();
    let strips = split_columns(samples, columns, STRIP);
    strips.into_par_iter().enumerate().for_each_init(
        || {
            let zero = Complex::new(T::zero(), T::zero());
            (vec![zero; rows * STRIP], vec![zero; plan.get_inplace_scratch_len()])
        },
        |(held, scratch), (index, mut strip)| {
            if cancel.load(Ordering::Relaxed) {
                return;
            }
            let held = &mut held[..rows * strip[0].len()];
            fetch(index * STRIP, &strip, held);
            plan.process_with_scratch(held, scratch);
            for (row, values) in strip.iter_mut().enumerate() {
                for (column, value) in values.iter_mut().enumerate() {
                    *value = held[column * rows + row];
                }
            }
        },
    );
    if cancel.load(Ordering::Relaxed) { Err(Cancelled) } else { Ok(()) }
}

/// The columns of a strip, one after the other.
fn gather<'a, T: Float>(strip: impl ExactSizeIterator<Item = &'a [Complex<T>]>, held: &mut [Complex<T>]) {
    let rows = strip.len();
    for (row, values) in strip.enumerate() {
        for (column, value) in values.iter().enumerate() {
            held[column * rows + row] = *value;
        }
    }
}

/// The part of each row in every strip of `width` columns.
fn split_columns<V>(samples: &mut [V], columns: usize, width: usize) -> Vec<Vec<&mut [V]>> {
    let rows = samples.len() / columns;
    let mut strips: Vec<Vec<&mut [V]>> = (0..columns.div_ceil(width)).map(|_| Vec::with_capacity(rows)).collect();
    for row in samples.chunks_mut(columns) {
        for (strip, part) in strips.iter_mut().zip(row.chunks_mut(width)) {
            strip.push(part);
        }
    }
    strips
}

fn fft_direction(direction: Direction) -> FftDirection {
    match direction {
        Direction::Forward => FftDirection::Forward,
        Direction::Inverse => FftDirection::Inverse,
    }
}
