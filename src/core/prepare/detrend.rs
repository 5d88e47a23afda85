//! Detrending: it removes the mean or plane of samples before a transform, and the smooth part that makes them jump from one edge to the other.

use super::Sample;
use crate::cpu::{Cancelled, library};
use crate::plan::Direction;
use crate::threads;
use crate::transforms::{Axes, Shape};
use num_complex::{Complex, Complex64};
use std::f64::consts::TAU;
use std::sync::atomic::AtomicBool;

crate::choice! {
    /// The part that is removed from samples.
    pub enum Detrend {
        /// The samples keep their mean.
        #[default]
        None = "Nothing", "none";
        /// Removes the mean, which is all that frequency 0 shows.
        Mean = "Mean", "mean";
        /// Removes the plane that fits best, or the straight line through a signal.
        Plane = "Plane", "plane" | "line";
    }
}

/// A plane over rows of samples: value in the middle, slope across, slope down.
pub(super) type Trend = [Complex64; 3];

/// Removes the mean or the best plane of the finite samples that `is_inside` holds for; returns the number of the others.
/// Where a sample is not a number, its mean or plane stands in for it.
pub(crate) fn remove<T: Sample>(
    values: &mut [T],
    shape: Shape,
    detrend: Detrend,
    is_inside: impl Fn(usize, usize) -> bool + Sync,
) -> usize {
    let (trend, skipped) = trend(values, shape, detrend, is_inside);
    threads::for_each_chunk(values, shape.columns, &|row, values| {
        for (column, value) in values.iter_mut().enumerate() {
            let rest = value.complex() - at(&trend, shape, row, column);
            *value = T::of(if rest.is_finite() { rest } else { Complex64::ZERO });
        }
    });
    skipped
}

/// The coordinates of a sample, from the middle.
fn offset(index: usize, n: usize) -> f64 {
    index as f64 - (n as f64 - 1.0) / 2.0
}

/// The value of a trend at a row and column.
#[inline]
fn at([level, across, down]: &Trend, shape: Shape, row: usize, column: usize) -> Complex64 {
    level + across * offset(column, shape.columns) + down * offset(row, shape.rows)
}

/// The mean or the best plane (least squares) of the finite samples that `is_inside` holds for, and the number of the others among them.
pub(super) fn trend<T: Sample>(
    values: &[T],
    shape: Shape,
    detrend: Detrend,
    is_inside: impl Fn(usize, usize) -> bool + Sync,
) -> (Trend, usize) {
    // Sums of 1, x, y, xx, xy, yy, v, xv, yv, and the number of values that are not finite.
    let zero = || ([0.0; 6], [Complex64::ZERO; 3], 0_usize);
    let row = |y: usize| {
        values[y * shape.columns..][..shape.columns].iter().enumerate().filter(|(x, _)| is_inside(y, *x)).fold(
            zero(),
            |(mut plain, mut with, skipped), (x, value)| {
                let value = value.complex();
                if !value.is_finite() {
                    return (plain, with, skipped + 1);
                }
                let (x, y) = (offset(x, shape.columns), offset(y, shape.rows));
                for (sum, term) in plain.iter_mut().zip([1.0, x, y, x * x, x * y, y * y]) {
                    *sum += term;
                }
                for (sum, term) in with.iter_mut().zip([1.0, x, y]) {
                    *sum += value * term;
                }
                (plain, with, skipped)
            },
        )
    };
    let sums = threads::map(shape.rows, &row).into_iter();
    let ([n, x, y, xx, xy, yy], [v, xv, yv], skipped) =
        sums.fold(zero(), |a, b| (std::array::from_fn(|k| a.0[k] + b.0[k]), std::array::from_fn(|k| a.1[k] + b.1[k]), a.2 + b.2));
    let mean = if n > 0.0 { v / n } else { Complex64::ZERO };
    let trend = match detrend {
        Detrend::None | Detrend::Mean => [mean, Complex64::ZERO, Complex64::ZERO],
        Detrend::Plane => solved([[n, x, y], [x, xx, xy], [y, xy, yy]], [v, xv, yv]),
    };
    (trend, skipped)
}

/// The solution of the normal equations; an axis of one sample has no slope.
fn solved(mut matrix: [[f64; 3]; 3], mut right: Trend) -> Trend {
    for k in 0..3 {
        let pivot = matrix[k];
        if pivot[k].abs() <= 1e-12 * matrix[0][0].abs() {
            (matrix[k], right[k]) = (std::array::from_fn(|column| if column == k { 1.0 } else { 0.0 }), Complex64::ZERO);
            continue;
        }
        for row in 0..3 {
            if row != k {
                let factor = matrix[row][k] / pivot[k];
                for column in 0..3 {
                    matrix[row][column] -= factor * pivot[column];
                }
                let part = right[k] * factor;
                right[row] -= part;
            }
        }
    }
    std::array::from_fn(|k| right[k] / matrix[k][k])
}

/// Takes the smooth part from an image, so that it continues over its edges (L. Moisan, Periodic plus smooth image decomposition, 2011).
///
/// # Errors
/// If `cancel` is set.
pub(super) fn make_periodic<T: Sample>(values: &mut [T], shape: Shape, cancel: &AtomicBool) -> Result<(), Cancelled> {
    let smooth = smooth(values, shape, cancel)?;
    let columns = shape.columns;
    threads::for_each_chunk(values, columns, &|row, values| {
        for (value, smooth) in values.iter_mut().zip(&smooth[row * columns..]) {
            *value = T::of(value.complex() - T::complex_of(*smooth));
        }
    });
    Ok(())
}

/// The smooth part: its periodic Laplacian is what the edges of the image jump by.
fn smooth<T: Sample>(values: &[T], Shape { rows, columns }: Shape, cancel: &AtomicBool) -> Result<Vec<Complex<T::Real>>, Cancelled> {
    let value = |row: usize, column: usize| values[row * columns + column].complex();
    // The steps from the first row to the last, and from the first column to the last; 0 where a value is missing.
    let jump = |last: Complex64, first: Complex64| Some(last - first).filter(|jump| jump.is_finite()).unwrap_or(Complex64::ZERO);
    let down = (0..columns).map(|x| jump(value(rows - 1, x), value(0, x))).collect();
    let across = (0..rows).map(|y| jump(value(y, columns - 1), value(y, 0))).collect();
    let spectrum = |line: Vec<Complex64>| {
        let shape = Shape::line(line.len());
        library::transform(line, shape, Axes::Rows, Direction::Forward, cancel)
    };
    let (down, across) = (spectrum(down)?, spectrum(across)?);
    let root = |k: usize, n: usize| Complex64::cis(TAU * k as f64 / n as f64);
    let across_roots: Vec<Complex64> = (0..columns).map(|k| root(k, columns)).collect();
    let spectrum = threads::fill_chunks(rows * columns, columns, &|| (), &|(), q, row: &mut [Complex<T::Real>]| {
        let down_root = root(q, rows);
        for (r, found) in row.iter_mut().enumerate() {
            let jumps = down[r] * (1.0 - down_root) + across[q] * (1.0 - across_roots[r]);
            let laplacian = 2.0 * (down_root.re + across_roots[r].re) - 4.0;
            *found = if q == 0 && r == 0 { Complex::default() } else { T::rounded(jumps / laplacian) };
        }
    });
    library::transform(spectrum, Shape { rows, columns }, Axes::Both, Direction::Inverse, cancel)
}

/// The same for every row by itself, where the smooth part is a straight line.
pub(super) fn make_rows_periodic<T: Sample>(values: &mut [T], columns: usize) {
    threads::for_each_chunk(values, columns.max(1), &|_, row| {
        let n = row.len();
        let slope = (row[n - 1].complex() - row[0].complex()) / n as f64;
        let slope = if slope.is_finite() { slope } else { Complex64::ZERO };
        for (index, value) in row.iter_mut().enumerate() {
            *value = T::of(value.complex() - slope * offset(index, n));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: Shape = Shape { rows: 7, columns: 12 };

    fn sample(row: usize, column: usize) -> f64 {
        3.0 + 0.5 * column as f64 - 1.25 * row as f64
    }

    fn image(of: impl Fn(usize, usize) -> f64) -> Vec<f64> {
        (0..SHAPE.len()).map(|i| of(i / SHAPE.columns, i % SHAPE.columns)).collect()
    }

    #[test]
    fn a_plane_is_found_although_values_are_missing() {
        let mut values = image(sample);
        (values[0], values[17], values[SHAPE.len() - 1]) = (f64::NAN, f64::INFINITY, f64::NAN);
        for is_inside in [(|_, _| true) as fn(usize, usize) -> bool, |row, column| row + column > 4] {
            let (trend, skipped) = trend(&values, SHAPE, Detrend::Plane, is_inside);
            assert_eq!(skipped, if is_inside(0, 0) { 3 } else { 2 });
            for (row, column) in [(0, 0), (6, 11), (3, 5)] {
                let found = at(&trend, SHAPE, row, column);
                assert!((found - sample(row, column)).norm() < 1e-11, "{found} at {row}, {column}");
            }
        }
        let (line, _) = trend(&values[1..4], Shape::line(3), Detrend::Plane, |_, _| true);
        assert!((line[1].re - 0.5).abs() < 1e-12 && line[2] == Complex64::ZERO);
    }

    /// The smooth part by its definition: no mean, and a periodic Laplacian that is 0 but for the jumps at the edges.
    #[test]
    fn the_smooth_part_solves_its_equation() {
        let values = image(|row, column| ((row * 5 + column * column * 3) % 11) as f64);
        let smooth = smooth(&values, SHAPE, &AtomicBool::new(false)).expect("nobody cancels");
        let (rows, columns) = (SHAPE.rows, SHAPE.columns);
        let at = |row: usize, column: usize| smooth[(row % rows) * columns + column % columns].re;
        let value = |row: usize, column: usize| values[row * columns + column];
        assert!(smooth.iter().map(|s| s.re).sum::<f64>().abs() < 1e-9);
        for row in 0..rows {
            for column in 0..columns {
                let neighbours = at(row + rows - 1, column) + at(row + 1, column) + at(row, column + columns - 1) + at(row, column + 1);
                let mut jumps = 0.0;
                if row == 0 || row == rows - 1 {
                    jumps += value(rows - 1 - row, column) - value(row, column);
                }
                if column == 0 || column == columns - 1 {
                    jumps += value(row, columns - 1 - column) - value(row, column);
                }
                assert!((neighbours - 4.0 * at(row, column) - jumps).abs() < 1e-9, "at {row}, {column}");
            }
        }
    }

    #[test]
    fn a_row_without_its_smooth_part_closes() {
        let mut row = [1.0_f64, 4.0, 2.0, 9.0, 7.0];
        make_rows_periodic(&mut row, 5);
        // The smooth part of a ramp is the ramp itself but for its mean.
        let mut ramp = [1.0_f64, 3.0, 5.0, 7.0];
        make_rows_periodic(&mut ramp, 4);
        assert!((row.iter().sum::<f64>() - 23.0).abs() < 1e-12);
        assert!((row[4] - row[0] - 6.0 / 5.0).abs() < 1e-12, "the jump is one step of the slope");
        assert!((ramp[3] - ramp[0] - 6.0 / 4.0).abs() < 1e-12);
    }
}
