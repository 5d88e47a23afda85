//! The sums of a periodogram at all frequencies of a grid, by non-uniform Fourier transforms.
//!
//! Each sample is spread over the nearest points of an even grid, one FFT gives the sums at all frequencies, and each is divided by the
//! transform of the kernel: Dutt and Rokhlin, SIAM Journal on Scientific Computing 14 (1993), 1368–1393, with the kernel of
//! Barnett, Magland and af Klinteberg, SIAM Journal on Scientific Computing 41 (2019), C479–C504, which keeps twelve digits and more.

use super::FrequencyGrid;
use crate::threads;
use num_complex::Complex64;
use std::f64::consts::{PI, TAU};
use std::sync::atomic::{AtomicBool, Ordering};

/// Points of the grid that a sample is spread over, and the shape of the kernel for a grid twice as fine as the frequencies.
const WIDTH: usize = 15;
const SHARPNESS: f64 = 2.30 * WIDTH as f64;
/// Nodes of the integral that gives the transform of the kernel.
const NODES: usize = 64;
/// Samples between two looks at whether the work is cancelled.
const BETWEEN_LOOKS: usize = 1 << 16;

/// Means over all samples at one frequency: of cosines and sines, of these times the values, and of those of the double frequency.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Sums {
    pub cosine: f64,
    pub sine: f64,
    pub value_cosine: f64,
    pub value_sine: f64,
    pub double_cosine: f64,
    pub double_sine: f64,
}

impl Sums {
    /// The means of sums over `n` samples.
    pub(super) fn over(self, n: usize) -> Self {
        let share = 1.0 / n as f64;
        Self {
            cosine: self.cosine * share,
            sine: self.sine * share,
            value_cosine: self.value_cosine * share,
            value_sine: self.value_sine * share,
            double_cosine: self.double_cosine * share,
            double_sine: self.double_sine * share,
        }
    }
}

/// The sums at all frequencies of a grid.
pub(super) struct GridSums {
    ones: Vec<Complex64>,
    values: Vec<Complex64>,
    doubles: Vec<Complex64>,
    n: usize,
}

impl GridSums {
    /// The means at a frequency of the grid.
    pub(super) fn at(&self, index: usize) -> Sums {
        let [one, value, double] = [&self.ones, &self.values, &self.doubles].map(|sums| sums[index]);
        let sums = Sums {
            cosine: one.re,
            sine: one.im,
            value_cosine: value.re,
            value_sine: value.im,
            double_cosine: double.re,
            double_sine: double.im,
        };
        sums.over(self.n)
    }
}

/// The sums of all samples at all frequencies; `None` where the work is cancelled.
pub(super) fn sums(positions: &[f64], values: &[f64], grid: FrequencyGrid, cancel: &AtomicBool) -> Option<GridSums> {
    let transform = NonUniform::of(grid.n);
    let of = |which: usize| match which {
        0 => transform.run(positions, |_| 1.0, grid.step, cancel),
        1 => transform.run(positions, |index| values[index], grid.step, cancel),
        _ => transform.run(positions, |_| 1.0, 2.0 * grid.step, cancel),
    };
    let found: Option<Vec<_>> = threads::map(3, &of).into_iter().collect();
    let [ones, values, doubles] = <[_; 3]>::try_from(found?).ok()?;
    Some(GridSums { ones, values, doubles, n: positions.len() })
}

/// A non-uniform Fourier transform to a number of frequencies.
struct NonUniform {
    /// Number of frequencies.
    n: usize,
    /// Length of the even grid.
    size: usize,
    /// The factors of the sums, by the distance of their frequency from the middle one.
    factors: Vec<f64>,
}

impl NonUniform {
    fn of(n: usize) -> Self {
        // A grid that is at least twice as fine as the frequencies, of a length that suits the FFT.
        let size = fast_length((2 * n).max(4 * WIDTH));
        let factors = threads::tabulate(n / 2 + 1, |distance| kernel_transform(distance as f64 / size as f64).recip());
        Self { n, size, factors }
    }

    /// Σ weight · exp(2πi · (k + 1) · step · position) over all positions, for k from 0 to n − 1; `None` where it is cancelled.
    fn run(&self, positions: &[f64], weight: impl Fn(usize) -> f64, step: f64, cancel: &AtomicBool) -> Option<Vec<Complex64>> {
        // Frequencies are counted from the middle one, whose phase every sample gets.
        let middle = self.n / 2;
        let mut spread = vec![Complex64::default(); self.size];
        for (index, &position) in positions.iter().enumerate() {
            if index % BETWEEN_LOOKS == 0 && cancel.load(Ordering::Relaxed) {
                return None;
            }
            let cycles = step * position;
            let phase = (middle + 1) as f64 * cycles;
            let value = Complex64::from_polar(weight(index), TAU * (phase - phase.round()));
            spread_sample(&mut spread, cycles - cycles.floor(), value);
        }
        if cancel.load(Ordering::Relaxed) {
            return None;
        }
        rustfft::FftPlanner::new().plan_fft_inverse(self.size).process(&mut spread);
        Some(threads::tabulate(self.n, |k| {
            let index = if k < middle { k + self.size - middle } else { k - middle };
            spread[index] * self.factors[k.abs_diff(middle)]
        }))
    }
}

/// Adds a sample at a place from 0 to 1 to the nearest points of a periodic grid.
fn spread_sample(grid: &mut [Complex64], place: f64, value: Complex64) {
    let size = grid.len();
    let at = place * size as f64;
    let half = 0.5 * WIDTH as f64;
    let first = (at - half).ceil();
    for tap in 0..WIDTH {
        let point = first + tap as f64;
        let distance = (point - at) / half;
        let index = (point as isize).rem_euclid(size as isize) as usize;
        grid[index] += value * kernel(distance);
    }
}

/// The kernel between −1 and 1: the exponential of a half circle.
fn kernel(distance: f64) -> f64 {
    (SHARPNESS * ((1.0 - distance * distance).max(0.0).sqrt() - 1.0)).exp()
}

/// The transform of the kernel at a frequency in cycles per point of the grid.
fn kernel_transform(frequency: f64) -> f64 {
    // With distance = sin θ the integral is smooth and periodic in θ, so that even nodes converge fast.
    let half = 0.5 * WIDTH as f64;
    let node = |k: usize| {
        let theta = PI * (k as f64 + 0.5) / NODES as f64 - 0.5 * PI;
        let (sine, cosine) = theta.sin_cos();
        (SHARPNESS * (cosine - 1.0)).exp() * cosine * (TAU * frequency * half * sine).cos()
    };
    half * (0..NODES).map(node).sum::<f64>() * PI / NODES as f64
}

/// The smallest number from `least` on without prime factors above 5.
fn fast_length(least: usize) -> usize {
    let has_small_factors = |n: &usize| {
        let mut rest = *n;
        for factor in [2, 3, 5] {
            while rest.is_multiple_of(factor) {
                rest /= factor;
            }
        }
        rest == 1
    };
    (least..).find(has_small_factors).unwrap_or(least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{random_bits, unit};

    #[test]
    fn sums_keep_twelve_digits() {
        for (n_samples, n, span) in [(1, 1, 1.0), (5, 7, 3.0), (200, 501, 40.0), (1000, 64, 1e6)] {
            let random = |seed: u64| (0..n_samples as u64).map(move |i| unit(random_bits(seed + i)) - 0.5).collect::<Vec<f64>>();
            let positions: Vec<f64> = random(1).iter().map(|at| at * span).collect();
            let weights = random(100_000);
            let step = 1.0 / (5.0 * span);
            let fast =
                NonUniform::of(n).run(&positions, |index| weights[index], step, &AtomicBool::new(false)).expect("it is not cancelled");
            let size: f64 = weights.iter().map(|weight| weight.abs()).sum();
            for (k, fast) in fast.iter().enumerate() {
                let mut sum = Complex64::default();
                for (position, weight) in positions.iter().zip(&weights) {
                    sum += Complex64::from_polar(*weight, TAU * (k as f64 + 1.0) * step * position);
                }
                assert!((fast - sum).norm() < 1e-12 * size, "{n_samples} samples, frequency {k}: {fast} and {sum}");
            }
        }
    }

    #[test]
    fn work_that_is_cancelled_ends() {
        assert!(sums(&[0.0, 1.0], &[1.0, 2.0], FrequencyGrid { step: 0.1, n: 8 }, &AtomicBool::new(true)).is_none());
    }
}
