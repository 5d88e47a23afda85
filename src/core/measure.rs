//! Measures spectra of images: peaks, lattices, profiles, and the shift of two images. Pure functions from values to numbers with their uncertainty.
//!
//! Frequencies are in cycles per pixel with v pointing up, while rows count down: a wave along row r of R rows has v = −r/R.
//! Nothing here computes a transform or knows a file or a window.

mod agreement;
mod background;
mod kernel;
mod lattice;
mod peaks;
mod profile;
mod refine;
mod shift;
mod table;

pub use agreement::{Agreed, Agreement, Fields, agreed, blind_axes};
pub use background::{Clear, clear_values};
pub use kernel::{BlurKernel, wiener};
pub use lattice::{Lattice, lattice};
pub use peaks::{HiddenPeaks, Marker, Peak, peaks};
pub use profile::{LineFit, LineProfile, Profile, ProfileLine, angular, line_fit, radial};
pub use refine::{Refinement, tone_offset};
pub use shift::{ResidualShift, Shift, cross_phases, height_near, largest, overlap, residual, shifted_hann};
pub use table::{markers_csv, peaks_csv};

use num_complex::Complex64;

/// A frequency in cycles per pixel, v upwards.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Frequency {
    /// Along x, to the right.
    pub u: f64,
    /// Along y, upwards.
    pub v: f64,
}

impl Frequency {
    /// Cycles per pixel across the wave fronts.
    pub fn radius(self) -> f64 {
        self.u.hypot(self.v)
    }

    /// The period in pixels; infinite for frequency 0.
    pub fn period(self) -> f64 {
        1.0 / self.radius()
    }

    /// The direction in degrees, anticlockwise from x, in (−90, 90]: a frequency and its conjugate mate have the same one.
    pub fn angle(self) -> f64 {
        let Self { u, v } = self.upper();
        let degrees = v.atan2(u).to_degrees();
        if degrees > 90.0 { degrees - 180.0 } else { degrees }
    }

    /// The one of a conjugate pair with v > 0, or v = 0 and u > 0.
    #[must_use]
    pub fn upper(self) -> Self {
        if self.v < 0.0 || (self.v == 0.0 && self.u < 0.0) { self.mate() } else { self }
    }

    /// The frequency of the conjugate value.
    #[must_use]
    pub fn mate(self) -> Self {
        // Zero has no sign.
        Self { u: 0.0 - self.u, v: 0.0 - self.v }
    }

    /// This frequency times a number.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self { u: self.u * factor, v: self.v * factor }
    }
}

/// The spectrum of an image, index (0, 0) first, in natural order.
#[derive(Clone, Copy)]
pub struct Spectrum<'a> {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// The value at a row and a column.
    pub at: &'a (dyn Fn(usize, usize) -> Complex64 + Sync),
    /// Whether the image is real, so that conjugate mates have the same magnitude.
    pub is_real: bool,
}

impl Spectrum<'_> {
    /// The value at a row and a column of the periodic spectrum.
    fn wrapped(&self, row: isize, column: isize) -> Complex64 {
        (self.at)(row.rem_euclid(self.rows as isize) as usize, column.rem_euclid(self.columns as isize) as usize)
    }

    /// The coarser one of the two frequency steps, in cycles per pixel.
    fn step(&self) -> f64 {
        1.0 / self.rows.min(self.columns) as f64
    }

    /// The frequency at a row and a column, whole or between values, within −½ to ½; +½ stands for both ends.
    pub fn frequency(&self, [row, column]: [f64; 2]) -> Frequency {
        let folded = |f: f64| f - (f - 0.5).ceil();
        Frequency { u: folded(column / self.columns as f64), v: folded(-row / self.rows as f64) }
    }

    /// The row and the column next to a frequency.
    pub fn nearest(&self, Frequency { u, v }: Frequency) -> [usize; 2] {
        let index = |f: f64, n: usize| (f * n as f64).round().rem_euclid(n as f64) as usize % n;
        [index(-v, self.rows), index(u, self.columns)]
    }

    /// Whether a value is the one of its conjugate pair that is listed. The mean, at index (0, 0), is not a peak and belongs to no pair.
    fn is_upper(&self, row: usize, column: usize) -> bool {
        let is_lowest_or_highest = row == 0 || 2 * row == self.rows;
        if is_lowest_or_highest { 2 * column <= self.columns && (row, column) != (0, 0) } else { 2 * row > self.rows }
    }
}

/// Spectra of test images by the reference library.
#[cfg(test)]
mod testing {
    use num_complex::Complex64;

    /// The two-dimensional DFT of an image, row after row.
    pub(super) fn dft2(rows: usize, columns: usize, image: impl Fn(f64, f64) -> f64) -> Vec<Complex64> {
        let mut values: Vec<Complex64> = (0..rows * columns).map(|i| image((i % columns) as f64, (i / columns) as f64).into()).collect();
        transform(&mut values, columns);
        values
    }

    pub(super) fn transform(values: &mut [Complex64], columns: usize) {
        let mut planner = rustfft::FftPlanner::new();
        planner.plan_fft_forward(columns).process(values);
        let rows = values.len() / columns;
        let along = planner.plan_fft_forward(rows);
        for column in 0..columns {
            let mut line: Vec<Complex64> = (0..rows).map(|row| values[row * columns + column]).collect();
            along.process(&mut line);
            line.into_iter().enumerate().for_each(|(row, value)| values[row * columns + column] = value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_each_pair_is_listed_and_angles_point_up() {
        for (rows, columns) in [(4, 4), (5, 4), (4, 5), (5, 5), (1, 6), (2, 2)] {
            let spectrum = Spectrum { rows, columns, at: &|_, _| Complex64::default(), is_real: true };
            for row in 0..rows {
                for column in 0..columns {
                    let mate = [(rows - row) % rows, (columns - column) % columns];
                    let n = usize::from(spectrum.is_upper(row, column)) + usize::from(spectrum.is_upper(mate[0], mate[1]));
                    let own = if (row, column) == (0, 0) {
                        0
                    } else if mate == [row, column] {
                        2
                    } else {
                        1
                    };
                    assert_eq!(n, own, "{rows} × {columns}: {row}, {column}");
                    let frequency = spectrum.frequency([row as f64, column as f64]);
                    assert_eq!(spectrum.nearest(frequency), [row, column]);
                    assert!(!spectrum.is_upper(row, column) || frequency.upper() == frequency, "{frequency:?}");
                }
            }
        }
        let angle = |u: f64, v: f64| Frequency { u, v }.angle().round();
        assert_eq!([angle(1.0, 0.0), angle(0.0, 1.0), angle(0.0, -1.0), angle(-1.0, 1.0), angle(1.0, 1.0)], [0.0, 90.0, 90.0, -45.0, 45.0]);
    }
}
