//! Windows against leakage: samples are multiplied before a transform, so that they fade to zero at both ends.
//!
//! The windows are periodic with period N, which suits a DFT of N samples (F. J. Harris, On the use of windows for harmonic analysis with the discrete Fourier transform, 1978).

use crate::cpu::with_vectors;
use std::f64::consts::{PI, TAU};

crate::choice! {
    /// The shape of a window.
    pub enum Window {
        /// No window: all factors are 1.
        #[default]
        None = "None", "none";
        /// 0.5 − 0.5·cos(2πn/N).
        Hann = "Hann", "hann";
        /// 0.54 − 0.46·cos(2πn/N).
        Hamming = "Hamming", "hamming";
        /// 0.42 − 0.5·cos(2πn/N) + 0.08·cos(4πn/N).
        Blackman = "Blackman", "blackman";
        /// Four cosines; side lobes below −92 dB.
        BlackmanHarris = "Blackman-Harris", "blackman-harris";
        /// Five cosines; the height of a peak between two bins is right.
        FlatTop = "Flat top", "flat-top";
        /// 1 in the middle, and half a cosine over the share α of the length.
        Tukey = "Tukey", "tukey";
        /// exp(−½(t/σ)²), with t from −1 to 1.
        Gauss = "Gauss", "gauss";
        /// I₀(β·√(1 − t²))/I₀(β), with t from −1 to 1.
        Kaiser = "Kaiser", "kaiser";
    }
}

/// A window over a signal or an image.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Windowing {
    /// The shape.
    pub shape: Window,
    /// α, σ or β; `None` takes the usual one.
    pub parameter: Option<f64>,
    /// Whether an image gets the window of the distance from its middle, and not the product of two windows along its axes.
    pub radial: bool,
}

/// The effect of a window on a spectrum.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WindowFigures {
    /// The mean factor: the height of a peak relative to that without a window.
    pub coherent_gain: f64,
    /// Equivalent noise bandwidth in bins: the mean square of the factors over the square of their mean.
    pub noise_bandwidth: f64,
}

/// The factors of a window over an axis of some samples, many at a time.
#[derive(Debug, Clone)]
pub struct WindowFactors {
    window: Windowing,
    n: usize,
    sums: Sums,
}

/// The sums whose values are the factors of a window, many of which are computed side by side.
#[derive(Debug, Clone)]
enum Sums {
    /// None: every factor is computed by itself.
    None,
    /// The series of a Kaiser window.
    Powers(Vec<f64>),
    /// Those of cosines, and the cosines and sines of the first samples.
    Cosines(&'static [f64], [Vec<f64>; 2]),
}

/// Samples whose cosines are tabulated: those of later ones are products, which take less time.
const TABLE: usize = 512;

/// The factors of a window over an image of some rows and columns.
pub(super) enum Weights {
    /// Products of factors down and across.
    Separable(Vec<f64>, Vec<f64>),
    /// All factors.
    Radial(Windowing, [f64; 2]),
}

impl Window {
    /// The name of the parameter, its usual value, and its range; `None` for a shape without one.
    pub fn parameter(self) -> Option<(&'static str, f64, [f64; 2])> {
        match self {
            Self::Tukey => Some(("α", 0.5, [0.0, 1.0])),
            Self::Gauss => Some(("σ", 0.4, [0.05, 4.0])),
            Self::Kaiser => Some(("β", 8.6, [0.0, 40.0])),
            _ => None,
        }
    }

    /// The factors a of Σ a\[k\]·cos(πkt), with t from −1 to 1; none for a shape that is not such a sum.
    fn cosines(self) -> &'static [f64] {
        match self {
            Self::Hann => &[0.5, 0.5],
            Self::Hamming => &[0.54, 0.46],
            Self::Blackman => &[0.42, 0.5, 0.08],
            Self::BlackmanHarris => &[0.35875, 0.48829, 0.14128, 0.01168],
            Self::FlatTop => &[0.215_578_95, 0.416_631_58, 0.277_263_158, 0.083_578_947, 0.006_947_368],
            _ => &[],
        }
    }
}

impl From<Window> for Windowing {
    fn from(shape: Window) -> Self {
        Self { shape, ..Self::default() }
    }
}

impl Windowing {
    /// The parameter that counts.
    fn value(self) -> f64 {
        let (_, usual, [low, high]) = self.shape.parameter().unwrap_or(("", 0.0, [0.0; 2]));
        self.parameter.filter(|value| value.is_finite()).map_or(usual, |value| value.clamp(low, high))
    }

    /// The factor at the distance `t` from the middle; the ends are at 1.
    fn factor(self, t: f64) -> f64 {
        match self.shape {
            Window::None => 1.0,
            Window::Hann | Window::Hamming | Window::Blackman | Window::BlackmanHarris | Window::FlatTop => {
                sum_of_cosines(self.shape.cosines(), [(PI * t).cos()])[0]
            }
            Window::Tukey => match self.value() {
                taper if t.abs() <= 1.0 - taper => 1.0,
                taper => 0.5 + 0.5 * (PI * (t.abs() - 1.0 + taper) / taper).cos(),
            },
            Window::Gauss => (-0.5 * (t / self.value()).powi(2)).exp(),
            Window::Kaiser => self.kaiser_series().iter().rev().fold(0.0, |sum, factor| sum * square(t) + factor),
        }
    }

    /// The factors f of Σ f·(1 − t²)^k, which is the Kaiser window: the power series of the Bessel function of order 0. None is negative, so no sum cancels.
    fn kaiser_series(self) -> Vec<f64> {
        let quarter = (self.value() / 2.0).powi(2);
        let mut terms = vec![1.0];
        let mut sum = 1.0;
        for k in 1.. {
            let term = terms[terms.len() - 1] * quarter / f64::from(k).powi(2);
            sum += term;
            terms.push(term);
            if term < 1e-17 * sum {
                break;
            }
        }
        terms.iter_mut().for_each(|term| *term /= sum);
        terms
    }

    /// The factors of an axis of `n` samples, many of which are asked for.
    pub fn factors(self, n: usize) -> WindowFactors {
        let sums = match self.shape.cosines() {
            [] if self.shape == Window::Kaiser => Sums::Powers(self.kaiser_series()),
            [] => Sums::None,
            cosines => Sums::Cosines(cosines, [0, 1].map(|part| (0..n.min(TABLE)).map(|index| turn(index, n)[part]).collect())),
        };
        WindowFactors { window: self, n, sums }
    }

    /// The factors of an axis of `n` samples.
    pub fn weights(self, n: usize) -> Vec<f64> {
        let factors = self.factors(n);
        crate::threads::fill_blocks(n, &|first, to| factors.fill(first, to))
    }

    /// The factor of a sample of an axis of `n` samples.
    pub fn weight(self, index: usize, n: usize) -> f64 {
        match self.shape.cosines() {
            [] => self.factor(distance(index, n)),
            cosines => sum_of_cosines(cosines, [-product(turn(index - index % TABLE, n), turn(index % TABLE, n))])[0],
        }
    }

    /// The factors over `rows` × `columns` samples; `both` says that both axes fade, otherwise every row does.
    pub(super) fn over(self, rows: usize, columns: usize, both: bool) -> Weights {
        match (both, self.radial) {
            (true, true) => Weights::Radial(self, [rows, columns].map(|n| n as f64)),
            (true, false) => Weights::Separable(self.weights(rows), self.weights(columns)),
            (false, _) => Weights::Separable(vec![1.0; rows], self.weights(columns)),
        }
    }
}

impl Weights {
    /// The factor at a row and column.
    #[inline]
    pub(super) fn at(&self, row: usize, column: usize) -> f64 {
        match self {
            Self::Separable(down, across) => down[row] * across[column],
            Self::Radial(window, sides) => {
                let [y, x] = [(row, sides[0]), (column, sides[1])].map(|(index, n)| 2.0 * index as f64 / n - 1.0);
                window.factor(x.hypot(y).min(1.0))
            }
        }
    }
}

impl WindowFactors {
    /// Writes the factors of the samples from index `first` on.
    pub fn fill(&self, first: usize, to: &mut [f64]) {
        with_vectors(
            #[inline(always)]
            || match &self.sums {
                Sums::None => to.iter_mut().zip(first..).for_each(|(to, index)| *to = self.window.factor(distance(index, self.n))),
                Sums::Powers(series) => by_lanes(first, to, |first| {
                    let squares: [f64; LANES] = std::array::from_fn(|lane| square(distance(first + lane, self.n)));
                    series.iter().rev().fold([0.0; LANES], |sums, factor| std::array::from_fn(|lane| sums[lane] * squares[lane] + factor))
                }),
                Sums::Cosines(cosines, table) => self.fill_cosines(first, to, (cosines, table)),
            },
        );
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fill_cosines(&self, first: usize, to: &mut [f64], (cosines, table): (&[f64], &[Vec<f64>; 2])) {
        let mut at = 0;
        while at < to.len() {
            let in_table = (first + at) % TABLE;
            let run = (TABLE - in_table).min(to.len() - at);
            let start = turn(first + at - in_table, self.n);
            by_lanes(in_table, &mut to[at..at + run], |index| {
                let mut turns = [[0.0; LANES]; 2];
                for (turns, part) in turns.iter_mut().zip(table) {
                    let part = &part[index..part.len().min(index + LANES)];
                    turns[..part.len()].copy_from_slice(part);
                }
                sum_of_cosines(cosines, std::array::from_fn(|lane| -product(start, [turns[0][lane], turns[1][lane]])))
            });
            at += run;
        }
    }
}

/// Sums that grow side by side: a single one waits for its own last product.
const LANES: usize = 16;

/// Writes factors that are computed together, `LANES` from each index on.
#[cfg_attr(not(debug_assertions), inline(always))]
fn by_lanes(first: usize, to: &mut [f64], factors: impl Fn(usize) -> [f64; LANES]) {
    to.chunks_mut(LANES).zip((first..).step_by(LANES)).for_each(|(to, index)| to.copy_from_slice(&factors(index)[..to.len()]));
}

/// The cosine and the sine of the angle of a sample, of which `n` are a whole turn.
fn turn(index: usize, n: usize) -> [f64; 2] {
    let (sine, cosine) = (TAU * index as f64 / n as f64).sin_cos();
    [cosine, sine]
}

/// The cosine of a sum of two angles by their cosines and sines.
#[cfg_attr(not(debug_assertions), inline(always))]
fn product(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] - a[1] * b[1]
}

/// Σ factors\[k\]·cos(kx) for each cos(x) (C. W. Clenshaw, A note on the summation of Chebyshev series, Mathematics of Computation 9, 1955).
#[cfg_attr(not(debug_assertions), inline(always))]
fn sum_of_cosines<const N: usize>(factors: &[f64], cosines: [f64; N]) -> [f64; N] {
    let mut sums = [[0.0; N]; 2];
    for factor in factors[1..].iter().rev() {
        sums = [std::array::from_fn(|lane| factor + 2.0 * cosines[lane] * sums[0][lane] - sums[1][lane]), sums[0]];
    }
    std::array::from_fn(|lane| factors[0] + cosines[lane] * sums[0][lane] - sums[1][lane])
}

/// The distance of a sample from the middle of an axis, whose ends are at 1.
fn distance(index: usize, n: usize) -> f64 {
    2.0 * index as f64 / n as f64 - 1.0
}

/// The square of the height of a circle at a distance from its middle.
fn square(t: f64) -> f64 {
    (1.0 - t * t).max(0.0)
}

impl std::fmt::Display for Windowing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.shape.title())?;
        match self.shape.parameter() {
            Some((name, ..)) => write!(f, " ({name} = {})", crate::numerals::number(self.value(), 4)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    fn mean(values: &[f64]) -> f64 {
        values.iter().sum::<f64>() / values.len() as f64
    }

    #[test]
    fn cosine_windows_are_periodic() {
        let close = |found: Vec<f64>, expected: &[f64]| found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15);
        assert!(close(Windowing::from(Window::Hann).weights(4), &[0.0, 0.5, 1.0, 0.5]));
        assert_eq!(Windowing::from(Window::None).weights(3), [1.0; 3]);
        let n = 24;
        for (shape, factors) in [(Window::Hamming, vec![0.54, -0.46]), (Window::BlackmanHarris, vec![0.35875, -0.48829, 0.14128, -0.01168])]
        {
            let expected: Vec<f64> = (0..n)
                .map(|i| factors.iter().enumerate().map(|(k, a)| a * (TAU * k as f64 * f64::from(i) / f64::from(n)).cos()).sum())
                .collect();
            assert!(close(Windowing::from(shape).weights(n as usize), &expected), "{shape}");
        }
    }

    /// Harris, table 1; the flat top of SciPy; Kaiser with β = 3π, which Harris calls α = 3.
    #[test]
    fn gains_and_bandwidths_are_those_of_the_literature() {
        for (shape, parameter, gain, bandwidth) in [
            (Window::Hann, None, 0.50, 1.50),
            (Window::Hamming, None, 0.54, 1.36),
            (Window::Blackman, None, 0.42, 1.73),
            (Window::BlackmanHarris, None, 0.36, 2.00),
            (Window::FlatTop, None, 0.22, 3.77),
            (Window::Tukey, Some(0.5), 0.75, 1.22),
            (Window::Gauss, Some(0.4), 0.49, 1.45),
            (Window::Kaiser, Some(3.0 * PI), 0.40, 1.80),
        ] {
            let weights = Windowing { shape, parameter, radial: false }.weights(4096);
            let found = mean(&weights);
            let noise = mean(&weights.iter().map(|w| w * w).collect::<Vec<_>>()) / found.powi(2);
            assert!((found - gain).abs() < 0.006 && (noise - bandwidth).abs() < 0.011, "{shape}: {found}, {noise}");
        }
    }

    #[test]
    fn factors_are_the_same_alone_and_together() {
        for (shape, parameter) in [(Window::Hann, None), (Window::Kaiser, Some(38.0)), (Window::Kaiser, Some(0.0)), (Window::Tukey, None)] {
            let window = Windowing { shape, parameter, radial: false };
            let mut some = [0.0; 37];
            window.factors(101).fill(50, &mut some);
            assert!((50..).zip(some).all(|(index, found)| found == window.weight(index, 101)), "{shape}");
            assert_eq!(window.weights(101)[50..87], some);
        }
        // Later turns are products of those of the table.
        for shape in [Window::Hann, Window::BlackmanHarris, Window::FlatTop] {
            let window = Windowing::from(shape);
            let (weights, n) = (window.weights(5000), 5000);
            assert!((0..n).all(|index| weights[index] == window.weight(index, n)), "{shape}");
            let most = (0..n).map(|index| (weights[index] - window.factor(distance(index, n))).abs()).fold(0.0, f64::max);
            assert!(most < 4e-15, "{shape}: {most:e}");
        }
        // I₀(38·√(1 − t²))/I₀(38) at t = −1/2 and 0, by SciPy.
        let kaiser = Windowing { shape: Window::Kaiser, parameter: Some(38.0), radial: false };
        assert!((kaiser.weight(1, 4) / 6.613_844_694_342_006e-3 - 1.0).abs() < 1e-12 && (kaiser.weight(2, 4) - 1.0).abs() < 1e-15);
    }

    #[test]
    fn a_radial_window_depends_on_the_distance_alone() {
        let window = Windowing { radial: true, ..Window::Hann.into() };
        let weights = window.over(8, 16, true);
        assert!((weights.at(4, 8) - 1.0).abs() < 1e-15 && weights.at(0, 0) < 1e-15);
        assert!((weights.at(2, 8) - weights.at(4, 4)).abs() < 1e-15, "half way down is half way across");
        assert!((window.over(8, 16, false).at(3, 4) - 0.5).abs() < 1e-15, "rows alone have no radius");
    }
}
