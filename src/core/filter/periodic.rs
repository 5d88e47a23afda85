//! Finds the spots that periodic noise, such as a moiré or hum, leaves in a spectrum.
//!
//! A spot is a local maximum that stands out from what surrounds it: from the median of its square, and from those of its row and its column,
//! so that the cross that the edges of an image cause is none.

use super::MaskShape;
use crate::transforms::Shape;
use rayon::prelude::*;

/// The least ratio of a spot to its surroundings.
const PROMINENT: f64 = 8.0;
/// What is less prominent against all values of its frequency is not looked at closely.
const NOTICED: f64 = 5.0;
/// A spot has at least this part of the magnitude of the strongest: weaker ones are hardly seen.
const WEAKEST: f64 = 0.03;
/// Values below this part of the largest magnitude may be rounding errors of single precision.
const ROUNDING: f64 = 1e-6;
/// The most spots that are proposed.
const MOST_SPOTS: usize = 16;
/// The most local maxima that are looked at closely.
const MOST_CANDIDATES: usize = 2048;
/// Half the side of the square that surrounds a spot, and of its inner part, which belongs to the spot, in values.
const AROUND: [i64; 2] = [10, 2];
/// Lower frequencies belong to the image, in values from the middle and in cycles.
const LEAST: (f64, f64) = (4.0, 0.02);
/// The largest radius of a spot in values.
const MOST_RADIUS: i64 = 10;

/// A spot that periodic noise leaves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PeriodicSpot {
    /// Frequencies (u, v) in cycles, v upwards.
    pub at: [f64; 2],
    /// The radius that holds the spot, in cycles.
    pub radius: f64,
    /// The magnitude as a multiple of that of the surroundings.
    pub prominence: f64,
}

impl PeriodicSpot {
    /// The shape that cuts it.
    pub fn notch(&self) -> MaskShape {
        MaskShape::notch(self.at, self.radius)
    }
}

/// Magnitudes over a spectrum that repeats.
struct Magnitudes<F> {
    at: F,
    shape: Shape,
}

impl<F: Fn(usize, usize) -> f64 + Sync> Magnitudes<F> {
    fn at(&self, row: i64, column: i64) -> f64 {
        (self.at)(row.rem_euclid(self.shape.rows as i64) as usize, column.rem_euclid(self.shape.columns as i64) as usize)
    }

    /// The frequency of an index, v upwards.
    fn frequency(&self, row: i64, column: i64) -> [f64; 2] {
        let signed = |index: i64, n: usize| if 2 * index >= n as i64 && n > 1 { index - n as i64 } else { index } as f64 / n as f64;
        [signed(column, self.shape.columns), -signed(row, self.shape.rows)]
    }

    /// Whether no neighbour is higher, and the value is the first of equal ones.
    fn is_maximum(&self, row: i64, column: i64) -> bool {
        let value = self.at(row, column);
        let down = if self.shape.rows > 1 { -1..=1 } else { 0..=0 };
        down.flat_map(|i| (-1..=1).map(move |j| (i, j))).filter(|at| *at != (0, 0)).all(|(i, j)| {
            let other = self.at(row + i, column + j);
            if (i, j) < (0, 0) { other < value } else { other <= value }
        })
    }

    /// The highest median of the square, the row and the column around a value.
    fn surroundings(&self, row: i64, column: i64) -> f64 {
        let [half, inner] = AROUND;
        let is_line = self.shape.rows == 1;
        let median = |offsets: &mut dyn Iterator<Item = (i64, i64)>| {
            let mut values: Vec<f64> =
                offsets.filter(|(i, j)| i.abs().max(j.abs()) > inner).map(|(i, j)| self.at(row + i, column + j)).collect();
            let middle = values.len() / 2;
            if values.is_empty() { 0.0 } else { *values.select_nth_unstable_by(middle, f64::total_cmp).1 }
        };
        let along = median(&mut (-half..=half).map(|j| (0, j)));
        if is_line {
            return along;
        }
        let down = median(&mut (-half..=half).map(|i| (i, 0)));
        let square = median(&mut (-half..=half).flat_map(|i| (-half..=half).map(move |j| (i, j))));
        along.max(down).max(square)
    }

    /// The radius in values at which the spot has sunk to its surroundings.
    fn radius(&self, row: i64, column: i64, surroundings: f64) -> i64 {
        let ring = |r: i64| {
            let square = (-r..=r).flat_map(|i| (-r..=r).map(move |j| (i, j))).filter(|(i, j)| i.abs().max(j.abs()) == r);
            let square = square.filter(|(i, _)| self.shape.rows > 1 || *i == 0);
            square.map(|(i, j)| self.at(row + i, column + j)).fold(0.0, f64::max)
        };
        (1..MOST_RADIUS).find(|&r| ring(r) <= 0.5 * PROMINENT * surroundings).unwrap_or(MOST_RADIUS)
    }

    /// |(u, v)| of an index.
    fn height(&self, row: usize, column: usize) -> f64 {
        let [u, v] = self.frequency(row as i64, column as i64);
        u.hypot(v)
    }

    /// The ring of a frequency: as wide as the distance of two values, or a few neighbours of a signal.
    fn ring(&self, height: f64) -> usize {
        let long = self.shape.rows.max(self.shape.columns) as f64;
        (height * long / if self.shape.rows > 1 { 1.0 } else { 32.0 }) as usize
    }

    /// The mean of the logarithms over every ring as a magnitude: what frequencies of this height usually have.
    fn rings(&self) -> Vec<f64> {
        let Shape { rows, columns } = self.shape;
        let n_rings = self.ring(std::f64::consts::FRAC_1_SQRT_2) + 2;
        let sums = (0..rows).into_par_iter().fold(
            || vec![(0.0, 0_usize); n_rings],
            |mut rings, row| {
                for column in 0..=columns / 2 {
                    let (sum, n) = &mut rings[self.ring(self.height(row, column))];
                    let value = self.at(row as i64, column as i64);
                    if value > 0.0 && value.is_finite() {
                        (*sum, *n) = (*sum + value.ln(), *n + 1);
                    }
                }
                rings
            },
        );
        let add = |mut a: Vec<(f64, usize)>, b: Vec<(f64, usize)>| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a = (a.0 + b.0, a.1 + b.1));
            a
        };
        sums.reduce(|| vec![(0.0, 0); n_rings], add).into_iter().map(|(sum, n)| (sum / n.max(1) as f64).exp()).collect()
    }

    /// The local maxima from the frequency `least` on that stand out from their ring, the most prominent first; one of each pair.
    fn candidates(&self, least: f64) -> Vec<[i64; 2]> {
        let (Shape { rows, columns }, rings) = (self.shape, &self.rings());
        let is_first_of_pair = |row: usize, column: usize| {
            let is_own_column = column == 0 || 2 * column == columns;
            !is_own_column || 2 * row <= rows
        };
        let of_row = |row: usize| {
            (0..=columns / 2).filter_map(move |column| {
                let (height, at) = (self.height(row, column), [row as i64, column as i64]);
                let excess = self.at(at[0], at[1]) / rings[self.ring(height)];
                let is_noticed = height >= least && excess >= NOTICED && is_first_of_pair(row, column);
                (is_noticed && self.is_maximum(at[0], at[1])).then_some((excess, at))
            })
        };
        let mut found: Vec<(f64, [i64; 2])> = (0..rows).into_par_iter().flat_map_iter(of_row).collect();
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        found.into_iter().take(MOST_CANDIDATES).map(|(_, at)| at).collect()
    }
}

/// The spots of periodic noise in a spectrum of real samples, the most prominent first; one of each pair.
///
/// `magnitude` gives |X| at index (row, column); only the first half of the columns is looked at, and its neighbours.
pub fn periodic_noise(magnitude: impl Fn(usize, usize) -> f64 + Sync, shape: Shape) -> Vec<PeriodicSpot> {
    let spectrum = Magnitudes { at: magnitude, shape };
    let Shape { rows, columns } = shape;
    let short = if rows > 1 { rows.min(columns) } else { columns } as f64;
    if columns < 2 * AROUND[0] as usize {
        return Vec::new();
    }
    let of_row = |row: usize| (0..=columns / 2).map(|column| spectrum.at(row as i64, column as i64)).fold(0.0, f64::max);
    let least = ROUNDING * (0..rows).into_par_iter().map(of_row).reduce(|| 0.0, f64::max);
    let mut spots: Vec<(PeriodicSpot, f64)> = spectrum
        .candidates(LEAST.1.max(LEAST.0 / short))
        .into_par_iter()
        .filter_map(|[row, column]| {
            let (surroundings, magnitude) = (spectrum.surroundings(row, column), spectrum.at(row, column));
            let prominence = magnitude / surroundings;
            let radius = (spectrum.radius(row, column, surroundings) as f64 + 0.5) / short;
            let spot = PeriodicSpot { at: spectrum.frequency(row, column), radius, prominence };
            (prominence >= PROMINENT && magnitude >= least && spot.at[0].hypot(spot.at[1]) > radius).then_some((spot, magnitude))
        })
        .collect();
    spots.sort_by(|a, b| b.0.prominence.total_cmp(&a.0.prominence));
    let strongest = spots.iter().map(|(_, magnitude)| *magnitude).fold(0.0, f64::max);
    // What lies in a spot already proposed belongs to it.
    let mut kept: Vec<PeriodicSpot> = Vec::new();
    for (spot, _) in spots.into_iter().filter(|(_, magnitude)| *magnitude >= WEAKEST * strongest) {
        let is_apart = |other: &PeriodicSpot| (spot.at[0] - other.at[0]).hypot(spot.at[1] - other.at[1]) > other.radius;
        if kept.len() < MOST_SPOTS && kept.iter().all(is_apart) {
            kept.push(spot);
        }
    }
    kept
}
