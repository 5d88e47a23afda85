//! The one background of a spectrum, and the values that stand clear of it. Peaks, markers and periodic noise are all found by it.
//!
//! A value stands clear if it is above the mean level of its frequency and above the median along eight rays. So neither the rise towards low
//! frequencies nor the cross of an image with unequal edges counts. Where edges hide a pattern it stands clear under a Hann window, which is
//! a sum of three neighbours along each axis (R. Blackman and J. Tukey, The measurement of power spectra, 1958).

use super::{Refinement, Spectrum};
use crate::threads;
use num_complex::{Complex32, Complex64};
use rayon::prelude::*;

/// Power of a peak over its background, at least: 12 dB.
const ABOVE_BACKGROUND: f64 = 15.85;
/// White noise lists a false peak in one of this number of images.
const IMAGES_PER_FALSE_PEAK: f64 = 1000.0;
/// Magnitudes below this share of the largest are rounding of single precision.
const ROUNDING: f64 = 1e-6;
/// The mean of the logarithm of the power of noise lies this factor below its mean: e^γ, with Euler's constant.
const LOG_MEAN_BELOW: f64 = 1.781;
/// First and last distance of the values of a ray.
const RAY: [usize; 2] = [3, 16];
/// Frequencies below this share of the frequency of a peak do not count as its background: the rise towards low frequencies would hide the pitch of coarse patterns.
const LOWEST_OF_RAY: f64 = 0.6;
/// Neighbours that make a ring of a line: one value has no mean level.
const RING_OF_LINE: f64 = 32.0;
/// The power of white noise grows by this under a Hann window along each axis, where the height of a wave stays.
const HANN_NOISE: f64 = 1.5;
/// A value under a Hann window this number of steps beside one without is the same peak.
const SAME: usize = 2;
/// The smallest part of a found frequency that is looked at, and the share of the usual height that it needs: a pattern may have stronger harmonics.
const FUNDAMENTAL: (usize, f64) = (6, 0.5);
/// The directions of the rays, rows and columns.
const DIRECTIONS: [[isize; 2]; 8] = [[0, 1], [1, 1], [1, 0], [1, -1], [0, -1], [-1, -1], [-1, 0], [-1, 1]];

/// A value of a spectrum that stands clear of its background.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clear {
    /// Its row and column.
    pub index: [usize; 2],
    /// Its magnitude.
    pub magnitude: f64,
    /// The magnitude of the background.
    pub background: f64,
    /// Whether it stands clear under a Hann window alone. Its magnitude and background are those under the window then, as far as they are of noise, without one.
    pub is_hidden: bool,
}

impl Clear {
    /// Its row and column between the values, as it is seen: under the window where it is hidden.
    pub fn position(&self, spectrum: &Spectrum<'_>, refinement: Refinement) -> [f64; 2] {
        let under_hann = |row: usize, column: usize| spectrum.under_hann(row as isize, column as isize);
        let seen = if self.is_hidden { Spectrum { at: &under_hann, ..*spectrum } } else { *spectrum };
        refinement.position(&seen, self.index)
    }

    /// The value this number of rows and columns beside it, as it is seen.
    pub fn beside(&self, spectrum: &Spectrum<'_>, [down, right]: [isize; 2]) -> Complex64 {
        let [row, column] = [self.index[0] as isize + down, self.index[1] as isize + right];
        if self.is_hidden { spectrum.under_hann(row, column) } else { spectrum.wrapped(row, column) }
    }
}

/// The values that stand clear of their background, the strongest first; one of each conjugate pair of a real image.
pub fn clear_values(spectrum: &Spectrum<'_>) -> Vec<Clear> {
    let Spectrum { rows, columns, .. } = *spectrum;
    let plain = clear_in(spectrum, &|row, column| spectrum.wrapped(row, column), false);
    // The values that the window adds to a value lie in memory, as every one is used nine times.
    let mut values = vec![Complex32::default(); rows * columns];
    threads::for_each_chunk(&mut values, columns.max(1), &|row, values| {
        values.iter_mut().enumerate().for_each(|(column, value)| {
            let Complex64 { re, im } = (spectrum.at)(row, column);
            *value = Complex32::new(re as f32, im as f32);
        });
    });
    let stored = |row: usize, column: usize| {
        let Complex32 { re, im } = values[row * columns + column];
        Complex64::new(re.into(), im.into())
    };
    let stored = Spectrum { at: &stored, ..*spectrum };
    let mut found = plain;
    let is_new = |found: &[Clear], hidden: &Clear| {
        let distance = |a: usize, b: usize, n: usize| a.abs_diff(b).min(n - a.abs_diff(b));
        let is_near =
            |[row, column]: [usize; 2]| distance(row, hidden.index[0], rows) <= SAME && distance(column, hidden.index[1], columns) <= SAME;
        !found.iter().any(|other| is_near(other.index))
    };
    for hidden in clear_in(spectrum, &|row, column| stored.under_hann(row, column), true) {
        if is_new(&found, &hidden) {
            found.push(hidden);
        }
    }
    found.sort_by(|a, b| b.magnitude.total_cmp(&a.magnitude).then(a.index.cmp(&b.index)));
    found
}

/// Whether a value that does not stand clear would do so under a Hann window; and the magnitude of its background without one.
pub(super) fn is_hidden(spectrum: &Spectrum<'_>, index: [usize; 2]) -> (bool, f64) {
    let size = [spectrum.rows, spectrum.columns];
    let ratio = |at: &dyn Fn(isize, isize) -> f64| {
        let background = along_rays(at, index, size);
        (at(index[0] as isize, index[1] as isize) / background, background)
    };
    let (plain, background) = ratio(&|row, column| spectrum.wrapped(row, column).norm_sqr());
    let (under_hann, _) = ratio(&|row, column| spectrum.under_hann(row, column).norm_sqr());
    let above = above(size);
    (plain <= above && under_hann > above, background.sqrt())
}

impl Spectrum<'_> {
    /// The value under a Hann window at a row and a column of the periodic spectrum. A wave keeps its height.
    pub(super) fn under_hann(&self, row: isize, column: isize) -> Complex64 {
        let along = |row: isize| {
            let at = |right: isize| self.wrapped(row, column + right);
            if self.columns < 4 { at(0) } else { at(0) - 0.5 * (at(-1) + at(1)) }
        };
        if self.rows < 4 { along(row) } else { along(row) - 0.5 * (along(row - 1) + along(row + 1)) }
    }
}

/// Power over the background that a peak has at least. The power of noise has an exponential distribution.
fn above([rows, columns]: [usize; 2]) -> f64 {
    ABOVE_BACKGROUND.max((IMAGES_PER_FALSE_PEAK * (rows * columns) as f64).ln())
}

/// The values that stand clear where `value` gives them, which are those under a Hann window if `is_hidden`.
fn clear_in(spectrum: &Spectrum<'_>, value: &(dyn Fn(isize, isize) -> Complex64 + Sync), is_hidden: bool) -> Vec<Clear> {
    let Spectrum { rows, columns, is_real, .. } = *spectrum;
    let mut power = vec![0.0; rows * columns];
    threads::for_each_chunk(&mut power, columns.max(1), &|row, powers| {
        powers.iter_mut().enumerate().for_each(|(column, power)| *power = value(row as isize, column as isize).norm_sqr() as f32);
    });
    let at = |row: isize, column: isize| {
        f64::from(power[row.rem_euclid(rows as isize) as usize * columns + column.rem_euclid(columns as isize) as usize])
    };
    let largest = power.iter().copied().filter(|power| power.is_finite()).fold(0.0, f32::max);
    let least = (f64::from(largest) * ROUNDING * ROUNDING).max(f64::MIN_POSITIVE);
    let above = above([rows, columns]);
    let levels = radial_levels(spectrum, &power, least);
    let ring = |[row, column]: [usize; 2]| levels[ring_of(spectrum, ring_width(spectrum), row, column)];
    let background = |index: [usize; 2], above: f64| {
        let own = at(index[0] as isize, index[1] as isize);
        if own <= least || own <= above * ring(index) || !is_local_maximum(at, index, [rows, columns]) {
            return None;
        }
        let background = ring(index).max(along_rays(at, index, [rows, columns]));
        (own > above * background).then_some((index, background))
    };
    let is_listed = |&[row, column]: &[usize; 2]| (row, column) != (0, 0) && (!is_real || spectrum.is_upper(row, column));
    let all = (0..power.len()).into_par_iter().map(|index| [index / columns, index % columns]);
    let mut found: Vec<([usize; 2], f64)> = all.filter(is_listed).filter_map(|index| background(index, above)).collect();
    for index in fundamentals(&found, [rows, columns]).into_iter().filter(is_listed) {
        if let Some(fundamental) = background(index, FUNDAMENTAL.1 * above)
            && !found.contains(&fundamental)
        {
            found.push(fundamental);
        }
    }
    let axes = [rows, columns].into_iter().filter(|n| *n >= 4).count() as i32;
    let noise = if is_hidden { HANN_NOISE.powi(axes) } else { 1.0 };
    let clear = |(index, background): ([usize; 2], f64)| {
        let magnitude = at(index[0] as isize, index[1] as isize).sqrt();
        Clear { index, magnitude, background: (background / noise).sqrt(), is_hidden }
    };
    found.into_iter().map(clear).collect()
}

/// The places where found values have their fundamental, if they are harmonics: a half to a sixth of each frequency, and the values beside.
fn fundamentals(found: &[([usize; 2], f64)], [rows, columns]: [usize; 2]) -> Vec<[usize; 2]> {
    let signed = |index: usize, n: usize| if 2 * index > n { index as f64 - n as f64 } else { index as f64 };
    let wrapped = |at: f64, n: usize| (at.round() as isize).rem_euclid(n as isize) as usize;
    let mut places: Vec<[usize; 2]> = Vec::new();
    for &([row, column], _) in found {
        for part in 2..=FUNDAMENTAL.0 {
            let [down, right] = [(row, rows), (column, columns)].map(|(index, n)| signed(index, n) / part as f64);
            let beside = (-1..=1).flat_map(|i| (-1..=1).map(move |j| [f64::from(i), f64::from(j)]));
            places.extend(beside.map(|[i, j]| [wrapped(down + i, rows), wrapped(right + j, columns)]));
        }
    }
    places.sort_unstable();
    places.dedup();
    places
}

/// Where neighbours are equal, the first one is the maximum; where two conjugate mates are equal, both are.
fn is_local_maximum(at: impl Fn(isize, isize) -> f64, [row, column]: [usize; 2], [rows, columns]: [usize; 2]) -> bool {
    let [row, column] = [row as isize, column as isize];
    let own = at(row, column);
    let is_mate = |down: isize, right: isize| {
        (2 * row + down).rem_euclid(rows as isize) == 0 && (2 * column + right).rem_euclid(columns as isize) == 0
    };
    DIRECTIONS.iter().filter(|[down, _]| rows > 1 || *down == 0).all(|&[down, right]| {
        let beside = at(row + down, column + right);
        own > beside || (own == beside && ([down, right] > [0, 0] || is_mate(down, right)))
    })
}

/// The number of the ring of equal frequency, of a width, that a value lies in.
pub(super) fn ring_of(spectrum: &Spectrum<'_>, width: f64, row: usize, column: usize) -> usize {
    (spectrum.frequency([row as f64, column as f64]).radius() / width).round() as usize
}

/// The width of a ring: one frequency step, or a few neighbours of a line.
fn ring_width(spectrum: &Spectrum<'_>) -> f64 {
    if spectrum.rows == 1 { RING_OF_LINE / spectrum.columns as f64 } else { spectrum.step() }
}

/// The power of the background at every radius, from the mean of its logarithm, which a few peaks hardly lift.
fn radial_levels(spectrum: &Spectrum<'_>, power: &[f32], least: f64) -> Vec<f64> {
    let width = ring_width(spectrum);
    let n_rings = (std::f64::consts::FRAC_1_SQRT_2 / width).round() as usize + 2;
    let none = || vec![(0.0, 0_u32); n_rings];
    let add = |mut sums: Vec<(f64, u32)>, (row, line): (usize, &[f32])| {
        for (column, &power) in line.iter().enumerate().filter(|(_, power)| power.is_finite()) {
            let (sum, n) = &mut sums[ring_of(spectrum, width, row, column)];
            (*sum, *n) = (*sum + f64::from(power).max(least).ln(), *n + 1);
        }
        sums
    };
    let join = |a: Vec<(f64, u32)>, b: Vec<(f64, u32)>| a.into_iter().zip(b).map(|(a, b)| (a.0 + b.0, a.1 + b.1)).collect();
    let sums = power.par_chunks(spectrum.columns).enumerate().fold(none, add).reduce(none, join);
    sums.into_iter().map(|(sum, n)| if n == 0 { 0.0 } else { (sum / f64::from(n)).exp() * LOG_MEAN_BELOW }).collect()
}

/// The largest of the medians along the rays, as power of noise; 0 in a spectrum too small for rays.
fn along_rays(at: impl Fn(isize, isize) -> f64, [row, column]: [usize; 2], [rows, columns]: [usize; 2]) -> f64 {
    let [first, last] = RAY;
    let most = |along: isize, n: usize| if along == 0 { usize::MAX } else { n / 2 - usize::from(n > 1) };
    let radius = |row: isize, column: isize| {
        let part = |index: isize, n: usize| {
            let index = index.rem_euclid(n as isize);
            index.min(n as isize - index) as f64 / n as f64
        };
        part(row, rows).hypot(part(column, columns))
    };
    let [row, column] = [row as isize, column as isize];
    let lowest = LOWEST_OF_RAY * radius(row, column);
    let median = |[down, right]: [isize; 2]| {
        let last = last.min(most(down, rows)).min(most(right, columns)) as isize;
        let places = (first as isize..=last).map(|k| [row + k * down, column + k * right]);
        let is_counted = |&[row, column]: &[isize; 2]| radius(row, column) >= lowest;
        let values = places.filter(is_counted).map(|[row, column]| at(row, column)).filter(|power| power.is_finite());
        let mut values: Vec<f64> = values.collect();
        let middle = values.len() / 2;
        if values.len() < 3 { 0.0 } else { *values.select_nth_unstable_by(middle, f64::total_cmp).1 / std::f64::consts::LN_2 }
    };
    DIRECTIONS.into_iter().map(median).fold(0.0, f64::max)
}
