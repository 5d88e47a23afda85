//! The spectra of one channel: samples as they are read, and the mean in the place of those that are no numbers.

use super::{Plane, Spectrum};
use crate::cpu::{Cancelled, Float, library};
use crate::engine::EngineError;
use crate::plan::Direction;
use crate::signal::{Channel, ChannelChoice, Samples, Signal};
use crate::threads;
use crate::transforms::{Axes, Shape};
use num_complex::Complex;
use std::sync::atomic::AtomicBool;

/// A channel of a signal in double precision.
pub(super) fn in_double(signal: &Signal, channel: ChannelChoice) -> Result<Signal, EngineError> {
    let samples = match signal.is_complex() {
        true => Samples::Complex64(signal.samples_complex64(channel)?),
        false => Samples::F64(signal.samples_f64(channel)?),
    };
    let channel = vec![Channel::new("value", samples)];
    Ok(Signal::from_channels(signal.name.clone(), signal.kind, (signal.rows, signal.columns), channel))
}

impl Plane {
    /// Transforms a channel of this shape.
    pub(super) fn new(
        signal: &Signal,
        channel: ChannelChoice,
        (shape, axes): (Shape, Axes),
        double: bool,
        cancel: &AtomicBool,
    ) -> Result<Self, EngineError> {
        Ok(match (double, signal.is_complex()) {
            (false, false) => Self::Single(half(signal.samples_f32(channel)?, shape, axes, cancel)?),
            (true, false) => Self::Double(half(signal.samples_f64(channel)?, shape, axes, cancel)?),
            (false, true) => Self::Single(whole(signal.samples_complex32(channel)?, shape, axes, cancel)?),
            (true, true) => Self::Double(whole(signal.samples_complex64(channel)?, shape, axes, cancel)?),
        })
    }
}

/// Half the spectrum of real samples.
fn half<T: Float + Into<f64>>(mut samples: Vec<T>, shape: Shape, axes: Axes, cancel: &AtomicBool) -> Result<Spectrum<T>, Cancelled> {
    let gaps = fill_gaps(&mut samples, |&sample| Complex::new(sample, T::ZERO), |mean| mean.re);
    Ok(Spectrum { values: library::half_spectrum(&samples, shape, axes, cancel)?, is_half: true, gaps })
}

/// The whole spectrum of complex samples.
fn whole<T: Float + Into<f64>>(
    mut samples: Vec<Complex<T>>,
    shape: Shape,
    axes: Axes,
    cancel: &AtomicBool,
) -> Result<Spectrum<T>, Cancelled> {
    let gaps = fill_gaps(&mut samples, |&sample| sample, |mean| mean);
    Ok(Spectrum { values: library::transform(samples, shape, axes, Direction::Forward, cancel)?, is_half: false, gaps })
}

/// Puts the mean in the place of samples that are infinite or no numbers, and gives their indices.
fn fill_gaps<T: Float + Into<f64>, S: Send + Sync>(
    samples: &mut [S],
    complex: impl Fn(&S) -> Complex<T> + Sync,
    back: impl Fn(Complex<T>) -> S,
) -> Vec<usize> {
    let wide = |sample: &S| {
        let value = complex(sample);
        Complex::new(value.re.into(), value.im.into())
    };
    let gaps: Vec<usize> =
        threads::map_blocks(samples.len(), &|block| block.filter(|&index| !wide(&samples[index]).is_finite()).collect::<Vec<_>>()).concat();
    if !gaps.is_empty() {
        let sum: Complex<f64> = samples.iter().map(wide).filter(|value| value.is_finite()).sum();
        let mean = sum / (samples.len() - gaps.len()).max(1) as f64;
        gaps.iter().for_each(|&index| samples[index] = back(Complex::new(T::rounded(mean.re), T::rounded(mean.im))));
    }
    gaps
}
