//! The links of the chain that change values: trend, ellipse, smooth part and window.

use super::detrend::{self, Detrend};
use super::{Outline, PrepareError, PreparedFacts, Region, Sample, Window, WindowFigures};
use crate::threads;
use crate::transforms::{Axes, Shape};
use num_complex::Complex64;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The values of a region after all links but the padding; notes in `facts` what they did.
pub(super) fn run<T: Sample>(
    values: Vec<T>,
    region: Region,
    axes: Axes,
    facts: &mut PreparedFacts,
    cancel: &AtomicBool,
) -> Result<Vec<T>, PrepareError> {
    let shape = region.shape();
    if axes == Axes::Columns {
        let values =
            chain(transposed(&values, shape), shape.transposed(), axes, facts, |row, column| region.has_inside(column, row), cancel)?;
        return Ok(transposed(&values, shape.transposed()));
    }
    chain(values, shape, axes, facts, |row, column| region.has_inside(row, column), cancel)
}

/// The links on values whose rows, or whose whole, are transformed.
fn chain<T: Sample>(
    mut values: Vec<T>,
    shape: Shape,
    axes: Axes,
    facts: &mut PreparedFacts,
    is_inside: impl Fn(usize, usize) -> bool + Sync,
    cancel: &AtomicBool,
) -> Result<Vec<T>, PrepareError> {
    let (preparation, columns) = (facts.preparation, shape.columns);
    let is_whole = axes == Axes::Both;
    if preparation.detrend != Detrend::None {
        // Every part has a trend of its own: the whole, or each row.
        let part = if is_whole { shape } else { Shape::line(columns) };
        let n_skipped = AtomicUsize::new(0);
        threads::for_each_chunk(&mut values, part.len(), &|first, values| {
            let first = first * part.rows;
            let skipped = detrend::remove(values, part, preparation.detrend, |row, column| is_inside(first + row, column));
            n_skipped.fetch_add(skipped, Ordering::Relaxed);
        });
        facts.n_skipped = n_skipped.into_inner();
    }
    if preparation.region.is_some_and(|region| region.outline == Outline::Ellipse) {
        let ([mean, ..], skipped) = detrend::trend(&values, shape, Detrend::Mean, &is_inside);
        facts.n_skipped = facts.n_skipped.max(skipped);
        each(&mut values, columns, |row, column, value| if is_inside(row, column) { value } else { T::of(mean) });
    }
    match (preparation.periodic, is_whole) {
        (true, true) => detrend::make_periodic(&mut values, shape, cancel).map_err(|_| PrepareError::Cancelled)?,
        (true, false) => detrend::make_rows_periodic(&mut values, columns),
        (false, _) => {}
    }
    if preparation.window.shape != Window::None {
        let weights = preparation.window.over(shape.rows, columns, is_whole);
        each(&mut values, columns, |row, column, value| T::of(value.complex() * weights.at(row, column)));
        let sums = threads::map(shape.rows, &|row| {
            (0..columns)
                .map(|column| weights.at(row, column))
                .fold([0.0; 2], |[sum, squares], weight| [sum + weight, squares + weight * weight])
        });
        let sums = sums.into_iter().fold([0.0; 2], |a, b| [a[0] + b[0], a[1] + b[1]]);
        let [gain, square] = sums.map(|sum| sum / shape.len() as f64);
        facts.window = Some(WindowFigures { coherent_gain: gain, noise_bandwidth: square / (gain * gain) });
    }
    Ok(values)
}

/// The mean of the finite values.
pub(super) fn mean<T: Sample>(values: &[T], shape: Shape) -> Complex64 {
    detrend::trend(values, shape, Detrend::Mean, |_, _| true).0[0]
}

/// Replaces every value by `f` of its row, its column and itself.
fn each<T: Sample>(values: &mut [T], columns: usize, f: impl Fn(usize, usize, T) -> T + Sync) {
    threads::for_each_chunk(values, columns, &|row, values| {
        for (column, value) in values.iter_mut().enumerate() {
            *value = f(row, column, *value);
        }
    });
}

/// The values with rows and columns exchanged.
fn transposed<T: Sample>(values: &[T], shape: Shape) -> Vec<T> {
    let mut transposed = values.to_vec();
    threads::for_each_chunk(&mut transposed, shape.rows, &|column, transposed| {
        transposed.iter_mut().enumerate().for_each(|(row, value)| *value = values[row * shape.columns + column]);
    });
    transposed
}
