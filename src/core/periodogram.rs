//! The Lomb-Scargle periodogram: how well a sine of each frequency fits samples at uneven positions. Pure functions from numbers to numbers.
//!
//! At every frequency a constant, a cosine and a sine are fitted by least squares: the generalised periodogram with a floating mean of
//! Zechmeister and Kürster, *The generalised Lomb-Scargle periodogram*, Astronomy & Astrophysics 496 (2009), 577–584, with equal weights.
//! The power is the share of the variance that the fit explains, from 0 to 1: the normalisation "standard" of astropy.
//! Long signals take their sums from non-uniform Fourier transforms, as Press and Rybicki (Astrophysical Journal 338 (1989), 277–280) do by extirpolation.

mod false_alarm;
mod non_uniform;

pub use false_alarm::false_alarm_level;

use crate::remedy::{Remedies, Remedy};
use crate::signal::{Stamped, memory_limit};
use crate::threads;
use non_uniform::Sums;
use std::f64::consts::TAU;
use std::sync::atomic::{AtomicBool, Ordering};

/// A constant, a cosine and a sine fit three samples whatever these are.
const LEAST_SAMPLES: usize = 4;
/// A sum of squares below this share of its largest value is a rounding error: its sine or cosine vanishes at all positions.
const LEAST_SHARE: f64 = 1e-9;
/// The bytes that a frequency takes while the sums are made.
const BYTES_PER_FREQUENCY: u64 = 160;
/// The largest peaks that are listed.
const MOST_PEAKS: usize = 24;

/// Evenly spaced frequencies in cycles per unit of the positions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrequencyGrid {
    /// The first frequency, and the step from one to the next.
    pub step: f64,
    /// The number of frequencies: step, 2 · step, …
    pub n: usize,
}

/// The power over frequency.
#[derive(Debug, Clone, PartialEq)]
pub struct Periodogram {
    /// The frequencies.
    pub grid: FrequencyGrid,
    /// The power at each of them, from 0 to 1.
    pub power: Vec<f64>,
    /// The largest local maxima, largest first, refined between the frequencies of the grid.
    pub peaks: Vec<PeriodogramPeak>,
    /// Number of samples.
    pub n_samples: usize,
    /// The distance of the first and the last sample.
    pub span: f64,
    /// The power that noise alone passes in one of a hundred periodograms.
    pub one_percent: f64,
}

/// A local maximum of the power.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PeriodogramPeak {
    /// Cycles per unit of the positions.
    pub frequency: f64,
    /// The power, from 0 to 1.
    pub power: f64,
    /// The peak amplitude of the sine that fits best.
    pub amplitude: f64,
}

/// Why there is no periodogram.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PeriodogramError {
    /// This number of samples.
    #[error("a Lomb-Scargle periodogram needs at least {LEAST_SAMPLES} samples that are numbers, and here are {0}")]
    TooFew(usize),
    /// All samples are at one position.
    #[error("all samples stand at the same position, so that they have no frequencies")]
    NoSpan,
    /// All samples have the same value.
    #[error("all samples have the same value, so that no sine fits better than another")]
    Constant,
    /// The highest frequency is not a positive number of steps.
    #[error("the highest frequency lies below the lowest, {0} cycles in the whole signal")]
    NoFrequencies(String),
    /// This number of frequencies.
    #[error("{0} frequencies do not fit into memory")]
    TooLarge(String),
    /// The work was cancelled.
    #[error("the periodogram was cancelled")]
    Cancelled,
}

impl Remedies for PeriodogramError {
    fn remedies(&self) -> Vec<Remedy> {
        match self {
            Self::NoFrequencies(_) => vec![Remedy::Advice("take a higher one")],
            Self::TooLarge(_) => vec![Remedy::Advice("take a lower highest frequency")],
            Self::TooFew(_) | Self::NoSpan | Self::Constant | Self::Cancelled => Vec::new(),
        }
    }
}

/// The settings of a periodogram.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PeriodogramRange {
    /// Frequencies across the width of a peak, which is 1 / span.
    pub per_peak: f64,
    /// The highest frequency; `None` takes half the mean number of samples in a unit.
    pub highest: Option<f64>,
}

impl Default for PeriodogramRange {
    fn default() -> Self {
        Self { per_peak: 5.0, highest: None }
    }
}

impl FrequencyGrid {
    /// The frequencies of samples: in steps of a part of the width of a peak.
    fn of(positions: &[f64], range: PeriodogramRange) -> Result<Self, PeriodogramError> {
        let span = span(positions);
        if span <= 0.0 {
            return Err(PeriodogramError::NoSpan);
        }
        let step = 1.0 / (range.per_peak * span);
        let highest = range.highest.unwrap_or((positions.len() - 1) as f64 / (2.0 * span));
        // The highest frequency itself belongs to the grid, whatever its quotient rounds to.
        let n = (highest / step + 1e-9).floor();
        let most = (memory_limit() / BYTES_PER_FREQUENCY) as f64;
        match n {
            _ if n.is_nan() || n < 1.0 => Err(PeriodogramError::NoFrequencies(crate::numerals::number(1.0 / range.per_peak, 3))),
            _ if n > most => Err(PeriodogramError::TooLarge(crate::numerals::number(n, 3))),
            n => Ok(Self { step, n: n as usize }),
        }
    }

    /// The frequency of an index, from 0.
    pub fn frequency(self, index: usize) -> f64 {
        (index + 1) as f64 * self.step
    }
}

fn span(positions: &[f64]) -> f64 {
    let (low, high) = positions.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &at| (at.min(low), at.max(high)));
    if low <= high { high - low } else { 0.0 }
}

/// The samples about their mean, with positions from the middle, so that phases stay small.
struct Centred {
    positions: Vec<f64>,
    /// The values in parts of `scale`, less their mean.
    values: Vec<f64>,
    /// The largest magnitude of a sample.
    scale: f64,
    /// The mean square of the values.
    variance: f64,
}

impl Centred {
    fn of(samples: &Stamped) -> Result<Self, PeriodogramError> {
        let n = samples.values.len();
        if n < LEAST_SAMPLES {
            return Err(PeriodogramError::TooFew(n));
        }
        let middle = samples.positions.iter().copied().fold(f64::INFINITY, f64::min) + span(&samples.positions) / 2.0;
        // Squares of extreme values leave the range of double precision; the power does not change with their scale.
        let scale = samples.values.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
        let scaled = |value: f64| if scale > 0.0 { value / scale } else { value };
        let mean = threads::sum(n, &|block| samples.values[block].iter().map(|&value| scaled(value)).sum()) / n as f64;
        let values = threads::convert(&samples.values, |value| scaled(value) - mean);
        let variance = threads::sum(n, &|block| values[block].iter().map(|value| value * value).sum()) / n as f64;
        // A constant leaves the rounding errors of its mean.
        if variance <= f64::EPSILON * f64::EPSILON * n as f64 {
            return Err(PeriodogramError::Constant);
        }
        Ok(Self { positions: threads::convert(&samples.positions, |at| at - middle), values, scale, variance })
    }

    /// The sums at one frequency, sample by sample.
    fn sums(&self, frequency: f64) -> Sums {
        let mut sums = Sums::default();
        for (&position, &value) in self.positions.iter().zip(&self.values) {
            let (sine, cosine) = angle(frequency * position).sin_cos();
            sums.cosine += cosine;
            sums.sine += sine;
            sums.value_cosine += value * cosine;
            sums.value_sine += value * sine;
            sums.double_cosine += cosine * cosine - sine * sine;
            sums.double_sine += 2.0 * cosine * sine;
        }
        sums.over(self.values.len())
    }

    fn power(&self, frequency: f64) -> f64 {
        self.sums(frequency).power(self.variance).0
    }
}

/// The angle of a number of cycles, without the whole ones, which would take its digits.
fn angle(cycles: f64) -> f64 {
    TAU * (cycles - cycles.round())
}

impl Sums {
    /// The power at the frequency of these means, and the squared amplitude of the sine.
    fn power(self, variance: f64) -> (f64, f64) {
        let Self { cosine: c, sine: s, value_cosine: yc, value_sine: ys, double_cosine, double_sine } = self;
        let (cc, ss, cs) = (0.5 * (1.0 + double_cosine) - c * c, 0.5 * (1.0 - double_cosine) - s * s, 0.5 * double_sine - c * s);
        // Along the axes of the ellipse of cosine and sine the two fits do not depend on each other.
        let (middle, half) = (0.5 * (cc + ss), (0.5 * (cc - ss)).hypot(cs));
        let (sine, cosine) = (0.5 * cs.atan2(0.5 * (cc - ss))).sin_cos();
        let along = [(middle + half, yc * cosine + ys * sine), (middle - half, ys * cosine - yc * sine)];
        let fits = along.into_iter().filter(|(square, _)| *square > LEAST_SHARE);
        fits.fold((0.0, 0.0), |(power, amplitude), (square, part)| {
            let factor = part / square;
            ((power + part * factor / variance).clamp(0.0, 1.0), amplitude + factor * factor)
        })
    }
}

/// The periodogram of samples at any positions.
///
/// # Errors
/// When there are too few samples, all are at one position or have one value, the grid of frequencies is empty or too large, or `cancel` is set.
pub fn periodogram(samples: &Stamped, range: PeriodogramRange, cancel: &AtomicBool) -> Result<Periodogram, PeriodogramError> {
    let centred = Centred::of(samples)?;
    let grid = FrequencyGrid::of(&centred.positions, range)?;
    let sums = non_uniform::sums(&centred.positions, &centred.values, grid, cancel).ok_or(PeriodogramError::Cancelled)?;
    let power = threads::tabulate(grid.n, |index| sums.at(index).power(centred.variance).0);
    if cancel.load(Ordering::Relaxed) {
        return Err(PeriodogramError::Cancelled);
    }
    let peaks = peaks(&centred, grid, &power);
    let one_percent = false_alarm_level(&centred.positions, grid.frequency(grid.n - 1), 0.01);
    Ok(Periodogram { grid, power, peaks, n_samples: samples.values.len(), span: span(&samples.positions), one_percent })
}

/// The largest local maxima, and what the sums of all samples say between the frequencies of the grid.
fn peaks(centred: &Centred, grid: FrequencyGrid, power: &[f64]) -> Vec<PeriodogramPeak> {
    let at = |index: Option<usize>| index.and_then(|index| power.get(index)).copied().unwrap_or(f64::NEG_INFINITY);
    let is_peak = |&index: &usize| power[index] > at(index.checked_sub(1)) && power[index] >= at(Some(index + 1));
    let mut found = threads::map_blocks(power.len(), &|block| block.filter(is_peak).collect::<Vec<_>>()).concat();
    found.sort_by(|&a, &b| power[b].total_cmp(&power[a]).then(a.cmp(&b)));
    found.truncate(MOST_PEAKS);
    let refined = |index: usize| {
        let frequency = top_of(|frequency| centred.power(frequency), grid.frequency(found[index]), grid);
        let (power, amplitude) = centred.sums(frequency).power(centred.variance);
        PeriodogramPeak { frequency, power, amplitude: amplitude.sqrt() * centred.scale }
    };
    let mut refined = threads::map(found.len(), &refined);
    refined.sort_by(|a, b| b.power.total_cmp(&a.power));
    refined
}

/// The frequency of the largest power near one of the grid: the vertex of a parabola through three powers, whose distance shrinks in each round.
fn top_of(power: impl Fn(f64) -> f64, middle: f64, grid: FrequencyGrid) -> f64 {
    const ROUNDS: i32 = 4;
    let mut best = (middle, power(middle));
    for round in 0..ROUNDS {
        let step = grid.step / 8_f64.powi(round);
        let [left, right] = [best.0 - step, best.0 + step].map(|at| (at, if at > 0.0 { power(at) } else { 0.0 }));
        let bend = left.1 - 2.0 * best.1 + right.1;
        let offset = if bend < 0.0 { (0.5 * (left.1 - right.1) / bend).clamp(-1.0, 1.0) * step } else { 0.0 };
        let vertex = (best.0 + offset, power(best.0 + offset));
        best = [best, left, right, vertex].into_iter().fold(best, |a, b| if b.1 > a.1 { b } else { a });
    }
    best.0
}

#[cfg(test)]
mod tests;
