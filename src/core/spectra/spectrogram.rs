//! Spectrograms: the spectra of frames over time, as values, or pooled for a picture while the frames run.
//!
//! A column of a picture takes every frame whose middle lies in it, and a row every value whose frequency does; if there is none, the nearest.
//! The values of a picture are pooled as power and never stored for all frames.

mod axis;
mod blocks;
mod note;
mod pooled;
mod reassigned;
mod running;
mod scalogram;
mod times;

pub use axis::{FrequencyAxis, FrequencyScale};
pub use blocks::Blocks;
pub use note::note;
pub(super) use note::note_ticks;
pub use pooled::{Pooled, pooled, pooled_from};
pub use running::{Forgetting, Running, StreamRow, Trace, counted_rows, pooled_rows};
pub use scalogram::{wavelet_facts, wavelet_resolution};
pub use times::TimeAxis;

use super::average::is_finite;
use super::error::check_bytes;
use super::rows::{Fold, fold, weights};
use super::{Calibration, Quantity, Real, SpectraError, SpectraJob};
use num_complex::Complex;
use std::f64::consts::PI;
use std::ops::Range;

crate::choice! {
    /// How a column or a row of a picture sums up the powers that fall into it.
    pub enum Pool {
        /// The largest one, so that nothing is missed.
        #[default]
        Max = "Largest", "max";
        /// Their mean.
        Mean = "Mean", "mean";
    }
}

crate::choice! {
    /// How the power of a frame is distributed over time and frequency.
    pub enum Method {
        /// The power of its transform under the window.
        #[default]
        Plain = "Plain", "plain";
        /// The same power, moved to the centre of what it comes from (F. Auger and P. Flandrin, 1995): sharp lines and clicks.
        Reassigned = "Reassigned", "reassigned";
        /// The mean power under five orthogonal sine tapers (K. Riedel and A. Sidorenko, 1995): less noise, wider lines.
        Multitaper = "Multitaper", "multitaper";
        /// The power under Morlet wavelets of 24 frequencies an octave, each as long as a few of its periods (C. Torrence and G. Compo, 1998).
        Scalogram = "Scalogram", "scalogram";
    }
}

/// Tapers of [`Method::Multitaper`].
const TAPERS: usize = 5;

/// The values of a spectrogram.
#[derive(Debug, Clone, PartialEq)]
pub struct Spectrogram<T> {
    /// The values of each frame, from the lowest frequency; not numbers where samples are none.
    pub columns: Vec<Vec<T>>,
    /// The frequency of each value.
    pub frequencies: Vec<f64>,
    /// Turned squared magnitudes into them.
    pub calibration: Calibration,
}

impl Method {
    /// The name of its picture.
    pub fn picture(self) -> &'static str {
        if self == Self::Scalogram { "Scalogram" } else { "Spectrogram" }
    }

    /// Whether the power of a value comes from other frames, too, so that it is not pooled frame by frame.
    pub fn is_spread(self) -> bool {
        matches!(self, Self::Reassigned | Self::Scalogram)
    }
}

/// A quantity of the first track of a job, over all frames.
///
/// # Errors
/// When the selection or the frames do not fit, the memory does not suffice, or the work is cancelled.
pub fn spectrogram<T: Real>(job: &SpectraJob<'_>, method: Method, quantity: Quantity) -> Result<Spectrogram<T>, SpectraError> {
    job.check()?;
    let (n, bins, is_complex, frames) = (job.count(), job.bins(), job.is_complex(), job.frames);
    if method == Method::Scalogram {
        let power = scalogram::power::<T>(job, Pool::Max, &scalogram::Columns::of_frames(&frames, n))?;
        let calibration = scalogram::calibration(job);
        let value = |power: f32| T::rounded(calibration.value(quantity, power.into(), 1));
        let columns = power.into_iter().map(|column| column.into_iter().map(value).collect()).collect();
        let frequencies = scalogram::voices(&frames).into_iter().map(|cycles| cycles * job.rate).collect();
        return Ok(Spectrogram { columns, frequencies, calibration });
    }
    let frequencies = (0..bins).map(|bin| frames.frequency(bin, is_complex, job.rate)).collect();
    check_bytes(n as u128 * bins as u128 * 2 * size_of::<T>() as u128)?;
    let (windows, calibration) = windows::<T>(job, method);
    if method == Method::Reassigned {
        let grid = reassigned::Grid {
            columns: n,
            rows: bins,
            frames: 1.0,
            column: &|time| ((time - frames.length as f64 / 2.0) / frames.hop as f64).round(),
            row: &|steps| steps.round() + if is_complex { (frames.points / 2) as f64 } else { 0.0 },
        };
        let power = reassigned::power::<T>(job, 0..n, &grid)?;
        let value = |(bin, power): (usize, f32)| T::rounded(calibration.value(quantity, power.into(), frames.natural(bin, is_complex)));
        let columns = power.into_iter().map(|column| column.into_iter().enumerate().map(value).collect()).collect();
        return Ok(Spectrogram { columns, frequencies, calibration });
    }
    let order: Vec<usize> = (0..bins).map(|bin| frames.natural(bin, is_complex)).collect();
    let factors: Vec<f64> = order.iter().map(|bin| calibration.factor(quantity, *bin) / windows.len() as f64).collect();
    let is_power = quantity.is_power();
    let groups: Vec<Range<usize>> = (0..n).map(|frame| frame..frame + 1).collect();
    let value = |spectra: &[Vec<Complex<T>>], place: usize| {
        let bin = order[place];
        if quantity == Quantity::Phase {
            return T::rounded(T::wide(spectra[0][bin]).arg());
        }
        let power: f64 = spectra.iter().map(|spectrum| T::wide(spectrum[bin]).norm_sqr()).sum::<f64>() * factors[place];
        T::rounded(if is_power { power } else { power.sqrt() })
    };
    let columns = fold(
        job,
        &windows,
        &groups,
        &Fold {
            start: &|_| Vec::new(),
            add: &|column: &mut Vec<T>, _, spectra: &[Vec<Complex<T>>]| {
                let is_there = spectra.iter().all(|spectrum| is_finite(spectrum));
                *column = (0..bins).map(|place| if is_there { value(spectra, place) } else { T::NOT_A_NUMBER }).collect();
            },
            finish: &|_, column| column,
        },
    )?;
    Ok(Spectrogram { columns, frequencies, calibration })
}

/// The windows of a method, and the calibration of the mean of the power under them.
fn windows<T: Real>(job: &SpectraJob<'_>, method: Method) -> (Vec<Vec<T>>, Calibration) {
    let calibration = Calibration::of(&job.frames, job.rate, job.is_complex());
    if method != Method::Multitaper {
        return (vec![weights::<T>(&job.frames)], calibration);
    }
    let n = job.frames.length;
    let taper = |k: usize| -> Vec<f64> {
        let scale = (2.0 / (n + 1) as f64).sqrt();
        (0..n).map(|index| scale * (PI * (k * (index + 1)) as f64 / (n + 1) as f64).sin()).collect()
    };
    let tapers: Vec<Vec<f64>> = (1..=TAPERS).map(taper).collect();
    let mean = |of: &dyn Fn(&Vec<f64>) -> f64| tapers.iter().map(of).sum::<f64>() / TAPERS as f64;
    let sum = mean(&|taper| taper.iter().sum::<f64>().powi(2)).sqrt();
    let squares = mean(&|taper| taper.iter().map(|weight| weight * weight).sum());
    let windows = tapers.iter().map(|taper| taper.iter().map(|weight| T::rounded(*weight)).collect()).collect();
    (windows, Calibration { sum, squares, ..calibration })
}
