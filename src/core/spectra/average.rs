//! Averaged spectra: the power of frames as their mean (P. D. Welch, The use of fast Fourier transform for the estimation of power spectra, 1967), median, maximum or minimum.

use super::real::in_precision;
use super::rows::{Fold, fold, grouped, weights};
use super::{Calibration, Frames, Quantity, Real, SpectraError, SpectraJob, whole};
use crate::statistics::median;
use num_complex::{Complex, Complex64};

crate::choice! {
    /// How the spectra of frames become one.
    pub enum Average {
        /// The mean of their power, as Welch does.
        #[default]
        Mean = "Mean", "mean";
        /// The median of their power, which outliers do not move; for noise it is 0.70 of the mean over many frames.
        Median = "Median", "median";
        /// The largest power.
        Max = "Maximum", "max";
        /// The smallest power.
        Min = "Minimum", "min";
    }
}

/// A spectrum of one or more frames.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Averaged {
    /// The frames.
    pub frames: Frames,
    /// How they became one.
    pub average: Average,
    /// The squared magnitudes, in natural order; half of them for real samples.
    pub power: Vec<f64>,
    /// The transform itself, of one frame alone.
    #[serde(skip)]
    pub values: Option<Vec<Complex64>>,
    /// Number of frames that count.
    pub count: usize,
    /// Frames that do not count, as they hold samples that are not numbers.
    pub skipped: usize,
    /// Samples that are not numbers, in whose place the trend stands.
    pub replaced: usize,
    /// The factors from squared magnitudes to quantities.
    pub calibration: Calibration,
}

/// The most groups of frames: the rounding of sums depends on them, and never on the number of threads.
const MOST_GROUPS: usize = 64;
/// The bytes of all groups of sums, about.
const GROUP_BYTES: usize = 1 << 28;

/// The averaged spectrum of the first track of a job.
///
/// # Errors
/// As [`whole`].
pub fn averaged(job: &SpectraJob<'_>, average: Average) -> Result<Averaged, SpectraError> {
    in_precision!(job, averaged_in(job, average))
}

fn averaged_in<T: Real>(job: &SpectraJob<'_>, average: Average) -> Result<Averaged, SpectraError> {
    job.check()?;
    let (frames, n) = (job.frames, job.count());
    let job = &SpectraJob { tracks: job.tracks[..1].to_vec(), ..job.clone() };
    let calibration = Calibration::of(&frames, job.rate, job.is_complex());
    let none = Averaged { frames, average, power: Vec::new(), values: None, count: 1, skipped: 0, replaced: 0, calibration };
    if n == 1 {
        let found = whole::<T>(job)?;
        let values: Vec<Complex64> = crate::threads::convert(&found.values, T::wide);
        return Ok(Averaged {
            power: crate::threads::convert(&values, |z| z.norm_sqr()),
            values: Some(values),
            replaced: found.skipped,
            ..none
        });
    }
    let (power, count) = if average == Average::Median { medians::<T>(job)? } else { folded::<T>(job, average)? };
    if count == 0 {
        return Err(SpectraError::NotFinite(job.count_not_finite()));
    }
    Ok(Averaged { power, count, skipped: n - count, ..none })
}

/// Whether all samples of a frame are numbers: one that is none spreads over all values.
pub(super) fn is_finite<T: Real>(spectrum: &[Complex<T>]) -> bool {
    let Complex64 { re, im } = T::wide(spectrum[spectrum.len() / 2]);
    re.is_finite() && im.is_finite() && T::wide(spectrum[0]).re.is_finite()
}

/// The mean, the largest or the smallest power, and the number of frames that count.
fn folded<T: Real>(job: &SpectraJob<'_>, average: Average) -> Result<(Vec<f64>, usize), SpectraError> {
    let bins = job.bins();
    let first = if average == Average::Min { f64::INFINITY } else { 0.0 };
    let join: fn(f64, f64) -> f64 = match average {
        Average::Max => f64::max,
        Average::Min => f64::min,
        Average::Mean | Average::Median => |a, b| a + b,
    };
    let windows = [weights::<T>(&job.frames)];
    let groups = grouped(job.count(), MOST_GROUPS.min(GROUP_BYTES / (8 * bins)).max(1));
    let parts = fold(
        job,
        &windows,
        &groups,
        &Fold {
            start: &|_| (vec![first; bins], 0_usize),
            add: &|(power, count): &mut (Vec<f64>, usize), _, spectra: &[Vec<Complex<T>>]| {
                if is_finite(&spectra[0]) {
                    *count += 1;
                    power.iter_mut().zip(&spectra[0]).for_each(|(power, z)| *power = join(*power, T::wide(*z).norm_sqr()));
                }
            },
            finish: &|_, state| state,
        },
    )?;
    let (mut power, count) = parts
        .into_iter()
        .reduce(|(mut all, n), (part, m)| {
            all.iter_mut().zip(part).for_each(|(a, b)| *a = join(*a, b));
            (all, n + m)
        })
        .unwrap_or_default();
    if average == Average::Mean {
        power.iter_mut().for_each(|power| *power /= count as f64);
    }
    Ok((power, count))
}

/// The median of the power of each value; as many values at a time as fit beside each other for all frames.
fn medians<T: Real>(job: &SpectraJob<'_>) -> Result<(Vec<f64>, usize), SpectraError> {
    let (bins, n) = (job.bins(), job.count());
    let at_a_time = (GROUP_BYTES / (8 * n)).clamp(1, bins);
    let windows = [weights::<T>(&job.frames)];
    let groups: Vec<_> = (0..n).map(|frame| frame..frame + 1).collect();
    let (mut power, mut count) = (Vec::with_capacity(bins), 0);
    for first in (0..bins).step_by(at_a_time) {
        let some = first..bins.min(first + at_a_time);
        let rows = fold(
            job,
            &windows,
            &groups,
            &Fold {
                start: &|_| Vec::new(),
                add: &|row: &mut Vec<f64>, _, spectra: &[Vec<Complex<T>>]| {
                    if is_finite(&spectra[0]) {
                        row.extend(spectra[0][some.clone()].iter().map(|z| T::wide(*z).norm_sqr()));
                    }
                },
                finish: &|_, row| row,
            },
        )?;
        let rows: Vec<Vec<f64>> = rows.into_iter().filter(|row| !row.is_empty()).collect();
        count = rows.len();
        let of_bin = |bin: usize| median(rows.iter().map(|row| row[bin]).collect()).unwrap_or(f64::NAN);
        power.extend(crate::threads::map(some.len(), &of_bin));
    }
    Ok((power, count))
}

impl Averaged {
    /// The frequencies, from the lowest, each with the natural index of its value.
    pub fn frequencies(&self) -> impl Iterator<Item = (f64, usize)> {
        let (frames, is_complex, rate) = (self.frames, self.calibration.is_complex, self.calibration.rate);
        (0..self.power.len()).map(move |bin| (frames.frequency(bin, is_complex, rate), frames.natural(bin, is_complex)))
    }

    /// A quantity, from the lowest frequency. The phase is that of the only frame; an average has none.
    pub fn values(&self, quantity: Quantity) -> Vec<f64> {
        let value = |(_, bin): (f64, usize)| match (quantity, &self.values) {
            (Quantity::Phase, Some(values)) => values[bin].arg(),
            _ => self.calibration.value(quantity, self.power[bin], bin),
        };
        self.frequencies().map(value).collect()
    }
}
