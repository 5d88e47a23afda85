//! The peaks of the spectrum of an image: values that stand clear of their surroundings in every direction.
//!
//! A peak stands above the mean level of its frequency and above the median along eight rays. So neither the rise towards low frequencies nor the cross of an image with unequal edges counts.

use super::{Frequency, Refinement, Spectrum};
use crate::threads;
use num_complex::Complex64;
use rayon::prelude::*;

/// Power of a peak over its background, at least: 12 dB.
const ABOVE_BACKGROUND: f64 = 15.85;
/// White noise lists a false peak in one of this number of images.
const IMAGES_PER_FALSE_PEAK: f64 = 1000.0;
/// Magnitudes below this share of the largest are rounding of single precision.
const ROUNDING: f64 = 1e-6;
/// The mean of the logarithm of the power of noise lies this factor below its mean: e^γ, with Euler's constant.
const LOG_MEAN_BELOW: f64 = 1.781;
/// Smaller offsets than this number of standard deviations may be noise.
const MOST_BY_NOISE: f64 = 3.0;
/// First and last distance of the values of a ray.
const RAY: [usize; 2] = [3, 16];
/// The directions of the rays, rows and columns.
const DIRECTIONS: [[isize; 2]; 8] = [[0, 1], [1, 1], [1, 0], [1, -1], [0, -1], [-1, -1], [-1, 0], [-1, 1]];

/// A peak of a spectrum.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Peak {
    /// Its refined frequency.
    pub frequency: Frequency,
    /// Row and column of its largest value.
    pub index: [usize; 2],
    /// That value.
    pub value: Complex64,
    /// The magnitude of the background.
    pub background: f64,
    /// Standard deviation of its frequency along each axis, in cycles per pixel, as noise of the level of the background causes it.
    pub deviation: [f64; 2],
}

/// The strongest peaks, at most `count`, one of each conjugate pair of a real image: the one with v > 0, or v = 0 and u > 0.
pub fn peaks(spectrum: &Spectrum<'_>, count: usize, refinement: Refinement) -> Vec<Peak> {
    let Spectrum { rows, columns, is_real, .. } = *spectrum;
    let mut power = vec![0.0; rows * columns];
    threads::for_each_chunk(&mut power, columns.max(1), &|row, powers| {
        powers.iter_mut().enumerate().for_each(|(column, power)| *power = (spectrum.at)(row, column).norm_sqr() as f32);
    });
    let at = |row: isize, column: isize| {
        f64::from(power[row.rem_euclid(rows as isize) as usize * columns + column.rem_euclid(columns as isize) as usize])
    };
    let largest = power.iter().copied().filter(|power| power.is_finite()).fold(0.0, f32::max);
    let least = (f64::from(largest) * ROUNDING * ROUNDING).max(f64::MIN_POSITIVE);
    // The power of noise has an exponential distribution.
    let noise = (IMAGES_PER_FALSE_PEAK * power.len() as f64).ln();
    let above = ABOVE_BACKGROUND.max(noise);
    let levels = radial_levels(spectrum, &power, least);
    let ring = |row: usize, column: usize| levels[ring_of(spectrum, row, column)];
    let mut found: Vec<([usize; 2], f64)> = (0..power.len())
        .into_par_iter()
        .map(|index| [index / columns, index % columns])
        .filter(|&[row, column]| (row, column) != (0, 0) && (!is_real || spectrum.is_upper(row, column)))
        .filter(|&[row, column]| {
            let own = at(row as isize, column as isize);
            own > least && own > above * ring(row, column) && is_local_maximum(at, [row, column], [rows, columns])
        })
        .map(|index| (index, ring(index[0], index[1]).max(along_rays(at, index, [rows, columns]))))
        .filter(|&([row, column], background)| at(row as isize, column as isize) > above * background)
        .collect();
    let strength = |&([row, column], _): &([usize; 2], f64)| at(row as isize, column as isize);
    found.sort_by(|a, b| strength(b).total_cmp(&strength(a)).then(a.0.cmp(&b.0)));
    found.truncate(count);
    found.into_iter().map(|(index, background)| peak(spectrum, index, refinement, background.sqrt())).collect()
}

/// A marker that a person pins on a spectrum.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Marker {
    /// Its frequency.
    pub at: Frequency,
    /// It belongs to the strongest value at most this many cycles per pixel beside it, along each axis.
    #[serde(default)]
    pub reach: f64,
}

impl Marker {
    /// The value that it belongs to, with its refined frequency and its background.
    pub fn peak(&self, spectrum: &Spectrum<'_>, refinement: Refinement) -> Peak {
        let index = strongest_within(spectrum, spectrum.nearest(self.at), self.reach);
        let at = |row: isize, column: isize| spectrum.wrapped(row, column).norm_sqr();
        peak(spectrum, index, refinement, along_rays(at, index, [spectrum.rows, spectrum.columns]).sqrt())
    }

    /// The marker a number of values beside this one, to the right and up, in a spectrum of this number of rows and columns.
    #[must_use]
    pub fn moved(self, [right, up]: [i32; 2], [rows, columns]: [usize; 2]) -> Self {
        let beside = |f: f64, steps: i32, n: usize| {
            let f = ((f * n as f64).round() + f64::from(steps)) / n as f64;
            f - (f - 0.5).ceil()
        };
        Self { at: Frequency { u: beside(self.at.u, right, columns), v: beside(self.at.v, up, rows) }, reach: 0.0 }
    }
}

/// The strongest value at most `reach` cycles per pixel beside an index along each axis; the mean is none.
fn strongest_within(spectrum: &Spectrum<'_>, [row, column]: [usize; 2], reach: f64) -> [usize; 2] {
    /// More values are hardly meant by one click.
    const MOST: f64 = 32.0;
    let [down, right] = [spectrum.rows, spectrum.columns].map(|n| (reach * n as f64).clamp(0.0, MOST) as isize).map(|most| -most..=most);
    let all = down.flat_map(|down| right.clone().map(move |right| [row as isize + down, column as isize + right]));
    let inside =
        all.map(|[row, column]| [row.rem_euclid(spectrum.rows as isize) as usize, column.rem_euclid(spectrum.columns as isize) as usize]);
    let power = |[row, column]: [usize; 2]| (spectrum.at)(row, column).norm_sqr();
    inside.filter(|index| *index != [0, 0]).max_by(|a, b| power(*a).total_cmp(&power(*b))).unwrap_or([row, column])
}

fn peak(spectrum: &Spectrum<'_>, index: [usize; 2], refinement: Refinement, background: f64) -> Peak {
    let value = (spectrum.at)(index[0], index[1]);
    // The bound of Cramér and Rao for a wave in white noise, in steps: √(3/2)/π over the ratio of the magnitudes.
    let steps = 1.5_f64.sqrt() / std::f64::consts::PI * background / value.norm();
    let mut position = refinement.position(spectrum, index);
    if (index[0] == 0 || 2 * index[0] == spectrum.rows) && (position[0] - index[0] as f64).abs() < MOST_BY_NOISE * steps {
        // Noise would turn a wave along x to its mate.
        position[0] = index[0] as f64;
    }
    let mut frequency = spectrum.frequency(position);
    if spectrum.is_real && spectrum.is_upper(index[0], index[1]) {
        frequency = frequency.upper();
    }
    Peak { frequency, index, value, background, deviation: [spectrum.columns, spectrum.rows].map(|n| steps / n as f64) }
}

/// Of equal neighbours the first one is the maximum, and of two that are conjugate mates both are.
fn is_local_maximum(at: impl Fn(isize, isize) -> f64, [row, column]: [usize; 2], [rows, columns]: [usize; 2]) -> bool {
    let [row, column] = [row as isize, column as isize];
    let own = at(row, column);
    let is_mate = |down: isize, right: isize| {
        (2 * row + down).rem_euclid(rows as isize) == 0 && (2 * column + right).rem_euclid(columns as isize) == 0
    };
    DIRECTIONS.iter().all(|&[down, right]| {
        let beside = at(row + down, column + right);
        own > beside || (own == beside && ([down, right] > [0, 0] || is_mate(down, right)))
    })
}

/// The number of the ring of equal frequency that a value lies in, one frequency step wide.
pub(super) fn ring_of(spectrum: &Spectrum<'_>, row: usize, column: usize) -> usize {
    (spectrum.frequency([row as f64, column as f64]).radius() / spectrum.step()).round() as usize
}

/// The power of the background at every radius, from the mean of its logarithm, which a few peaks hardly lift.
fn radial_levels(spectrum: &Spectrum<'_>, power: &[f32], least: f64) -> Vec<f64> {
    let n_rings = (std::f64::consts::FRAC_1_SQRT_2 / spectrum.step()).round() as usize + 2;
    let none = || vec![(0.0, 0_u32); n_rings];
    let add = |mut sums: Vec<(f64, u32)>, (row, line): (usize, &[f32])| {
        for (column, &power) in line.iter().enumerate().filter(|(_, power)| power.is_finite()) {
            let (sum, n) = &mut sums[ring_of(spectrum, row, column)];
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
    let median = |[down, right]: [isize; 2]| {
        let last = last.min(most(down, rows)).min(most(right, columns)) as isize;
        let step = |k: isize| at(row as isize + k * down, column as isize + k * right);
        let mut values: Vec<f64> = (first as isize..=last).map(step).filter(|power| power.is_finite()).collect();
        let middle = values.len() / 2;
        if values.len() < 3 { 0.0 } else { *values.select_nth_unstable_by(middle, f64::total_cmp).1 / std::f64::consts::LN_2 }
    };
    DIRECTIONS.into_iter().map(median).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::super::testing::dft2;
    use super::*;
    use crate::random::{random_bits, unit};
    use std::f64::consts::TAU;

    fn found(rows: usize, columns: usize, count: usize, image: impl Fn(f64, f64) -> f64) -> Vec<Peak> {
        let values = dft2(rows, columns, image);
        let at = |row: usize, column: usize| values[row * columns + column];
        peaks(&Spectrum { rows, columns, at: &at, is_real: true }, count, Refinement::Tone)
    }

    fn noise(x: f64, y: f64) -> f64 {
        2.0 * unit(random_bits((4096.0 * y + x) as u64)) - 1.0
    }

    #[test]
    fn waves_are_listed_strongest_first_between_the_values() {
        let waves = [(0.1234, 0.0567, 60.0), (-0.2, 0.31, 20.0), (0.3, 0.0, 10.0), (0.0, 0.5, 3.0)];
        for (rows, columns) in [(200, 320), (256, 256), (131, 90)] {
            let found = found(rows, columns, 10, |x, y| {
                let wave = |(u, v, level): (f64, f64, f64)| level * (TAU * (u * x - v * y) + 0.7).cos();
                100.0 + waves.map(wave).iter().sum::<f64>() + noise(x, y)
            });
            assert_eq!(found.len(), waves.len(), "{rows} × {columns}: {found:?}");
            for (peak, (u, v, _)) in found.iter().zip(waves) {
                let Frequency { u: across, v: up } = peak.frequency;
                let steps = [(across - u).abs() * columns as f64, (up - v).abs() * rows as f64];
                assert!(steps.iter().all(|off| *off < 0.06), "{rows} × {columns}: {peak:?} is {steps:?} steps off ({u}, {v})");
                assert!(peak.deviation[0] * (columns as f64) < 0.06 && peak.deviation[0] > 0.0);
            }
        }
    }

    #[test]
    fn noise_slopes_and_unequal_edges_have_no_peaks() {
        assert_eq!(found(256, 256, 10, noise), []);
        assert_eq!(found(128, 200, 10, |x, y| 3.0 * x + y), []);
        assert_eq!(found(100, 100, 10, |_, _| 7.0), []);
        let disc = |x: f64, y: f64| f64::from((x - 90.0).hypot(y - 120.0) < 40.0);
        assert_eq!(found(256, 256, 10, |x, y| 100.0 * disc(x, y) + x + 5.0 * noise(x, y)), []);
    }

    #[test]
    fn a_small_image_has_its_peak() {
        let found = found(16, 16, 5, |x, y| (TAU * (3.0 * x + 2.0 * y) / 16.0).cos());
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].frequency, Frequency { u: -3.0 / 16.0, v: 2.0 / 16.0 });
        assert_eq!(found[0].index, [14, 13]);
        assert!((found[0].value.norm() - 128.0).abs() < 1e-9);
    }

    #[test]
    fn a_click_beside_a_peak_takes_the_peak() {
        let values = dft2(64, 64, |x, _| (TAU * 10.0 * x / 64.0).cos());
        let at = |row: usize, column: usize| values[row * 64 + column];
        let spectrum = Spectrum { rows: 64, columns: 64, at: &at, is_real: true };
        let marker = |u: f64, v: f64, reach: f64| Marker { at: Frequency { u: u / 64.0, v: v / 64.0 }, reach: reach / 64.0 };
        assert_eq!(marker(12.0, 1.0, 2.0).peak(&spectrum, Refinement::None).index, [0, 10]);
        assert_eq!(marker(5.0, -5.0, 0.0).peak(&spectrum, Refinement::None).index, [5, 5]);
        let Frequency { u, v } = marker(-10.0, 0.0, 0.0).peak(&spectrum, Refinement::Parabola).frequency;
        assert!((u + 10.0 / 64.0).abs() < 1e-5 && v == 0.0, "{u}, {v}");
        assert_eq!(marker(31.0, -5.0, 2.0).moved([2, -1], [64, 64]), marker(-31.0, -6.0, 0.0));
    }
}
