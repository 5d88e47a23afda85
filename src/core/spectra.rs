//! Spectra of recordings: frames, averages, calibrated quantities, peaks, tones, two channels, delays. Functions from samples to numbers with their units.
//!
//! Frame m begins at sample m·hop; nothing is padded at the ends. Samples are read a block at a time from a [`Track`](crate::signal::Track), and the
//! transforms are those of the library, or of whoever runs the rows of a batch: an algorithm on a device, for example.
//! All settings are data; nothing here knows a file, a window or a device.

mod average;
mod band;
mod correlation;
mod cross;
mod error;
mod frames;
mod peaks;
mod quantity;
mod rows;
mod selection;
mod spectrogram;
mod tone;
mod whole;

pub use average::{Average, Averaged, averaged};
pub use band::{Band, band};
pub use correlation::{Correlation, correlate};
pub use cross::{CrossSpectrum, Delay, Estimator, cross};
pub use error::SpectraError;
pub use frames::{FrameError, Frames, Overlap, Rate};
pub use peaks::{TonePeak, tone_peaks};
pub use quantity::{Calibration, Quantity, Reference};
pub use rows::{Batch, Job, RowTransform};
pub use selection::{Place, Selection};
pub use spectrogram::{FrequencyAxis, FrequencyScale, Method, Pool, Pooled, Spectrogram, pooled, spectrogram};
pub use tone::{Tone, ToneRequest, tone};
pub use whole::{Whole, whole};

use crate::cpu::Float;
use crate::prepare::{Detrend, remove_trend};
use crate::signal::{Samples, Track};
use crate::transforms::Shape;
use num_complex::{Complex, Complex32, Complex64};

/// The precision in which frames are transformed.
pub trait Real: Float + Default {
    /// Writes the real parts (`part` 0) or the imaginary parts (1) of samples.
    fn read(track: &Track<'_>, first: usize, part: usize, to: &mut [Self]);

    /// A complex number in double precision.
    fn wide(value: Complex<Self>) -> Complex64;

    /// The squared magnitude of a value, in single precision: what pictures show.
    fn power(value: Complex<Self>) -> f32;

    /// Values as samples: their real parts, or all of them.
    fn samples(values: &[Complex<Self>], is_complex: bool) -> Samples;

    /// Removes the mean or the straight line; returns how many values were no numbers, for which it stands in.
    fn detrend(values: &mut [Self], detrend: Detrend) -> usize;

    /// As [`Self::detrend`], of complex values.
    fn detrend_complex(values: &mut [Complex<Self>], detrend: Detrend) -> usize;
}

impl Real for f32 {
    fn read(track: &Track<'_>, first: usize, part: usize, to: &mut [Self]) {
        track.read_f32(first, part, to);
    }

    fn wide(value: Complex32) -> Complex64 {
        Complex64::new(value.re.into(), value.im.into())
    }

    fn power(value: Complex32) -> f32 {
        value.norm_sqr()
    }

    fn samples(values: &[Complex32], is_complex: bool) -> Samples {
        if is_complex { Samples::Complex32(values.to_vec()) } else { Samples::F32(values.iter().map(|z| z.re).collect()) }
    }

    fn detrend(values: &mut [Self], detrend: Detrend) -> usize {
        removed(values, detrend)
    }

    fn detrend_complex(values: &mut [Complex32], detrend: Detrend) -> usize {
        removed(values, detrend)
    }
}

impl Real for f64 {
    fn read(track: &Track<'_>, first: usize, part: usize, to: &mut [Self]) {
        track.read_f64(first, part, to);
    }

    fn wide(value: Complex64) -> Complex64 {
        value
    }

    fn power(value: Complex64) -> f32 {
        value.norm_sqr() as f32
    }

    fn samples(values: &[Complex64], is_complex: bool) -> Samples {
        if is_complex { Samples::Complex64(values.to_vec()) } else { Samples::F64(values.iter().map(|z| z.re).collect()) }
    }

    fn detrend(values: &mut [Self], detrend: Detrend) -> usize {
        removed(values, detrend)
    }

    fn detrend_complex(values: &mut [Complex64], detrend: Detrend) -> usize {
        removed(values, detrend)
    }
}

fn removed<T: crate::prepare::Sample>(values: &mut [T], detrend: Detrend) -> usize {
    let shape = Shape::line(values.len());
    if detrend == Detrend::None { 0 } else { remove_trend(values, shape, detrend, |_, _| true) }
}
