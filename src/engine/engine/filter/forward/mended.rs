//! Samples that no transform takes as they are: the mean stands in for those that are infinite or no numbers.

use super::{Filtered, axes};
use crate::engine::EngineError;
use crate::prepare::{PreparedFacts, prepare};
use crate::signal::{Channel, ChannelChoice, NoSuchChannel, Samples, Signal};
use crate::threads;
use num_complex::{Complex, Complex64};
use std::sync::atomic::AtomicBool;

/// A channel whose samples are finite, after its preparation.
pub(super) struct Mended {
    pub(super) signal: Signal,
    /// Indices of samples that are infinite or no numbers.
    pub(super) gaps: Vec<usize>,
    pub(super) facts: Option<PreparedFacts>,
}

/// Whether a sample of the channels is infinite or no number.
pub(super) fn has_gaps(signal: &Signal, channels: &[ChannelChoice]) -> Result<bool, NoSuchChannel> {
    for &channel in channels {
        if signal.parts(channel)?.into_iter().any(|samples| samples.count_not_finite() > 0) {
            return Ok(true);
        }
    }
    Ok(false)
}

impl Mended {
    /// Prepares a channel, and puts the mean of the finite samples in the place of the others.
    pub(super) fn of(asked: &Filtered, channel: ChannelChoice, cancel: &AtomicBool) -> Result<Self, EngineError> {
        let signal = &asked.signal;
        let of_channel = |signal: &Signal, channel: ChannelChoice| -> Result<Signal, NoSuchChannel> {
            let samples = match (asked.double, signal.is_complex_in(channel)) {
                (false, false) => Samples::F32(signal.samples_f32(channel)?),
                (true, false) => Samples::F64(signal.samples_f64(channel)?),
                (false, true) => Samples::Complex32(signal.samples_complex32(channel)?),
                (true, true) => Samples::Complex64(signal.samples_complex64(channel)?),
            };
            let channel = vec![Channel::new("value", samples)];
            Ok(Signal::from_channels(signal.name.clone(), signal.kind, (signal.rows, signal.columns), channel))
        };
        let mut own = of_channel(signal, channel)?;
        let mut facts = None;
        if !asked.preparation.is_none() {
            let prepared = prepare(&own, ChannelChoice::default(), axes(signal), &asked.preparation, cancel)?;
            (own, facts) = (of_channel(&prepared.signal, prepared.channel)?, Some(prepared.facts));
        }
        let gaps = match &mut own.channels[0].samples {
            Samples::F32(samples) => fill_gaps(samples, |&x| Complex64::from(f64::from(x)), |mean| mean.re as f32),
            Samples::F64(samples) => fill_gaps(samples, |&x| x.into(), |mean| mean.re),
            Samples::Complex32(samples) => {
                let single = |mean: Complex64| Complex::new(mean.re as f32, mean.im as f32);
                fill_gaps(samples, |&x| Complex::new(x.re.into(), x.im.into()), single)
            }
            Samples::Complex64(samples) => fill_gaps(samples, |&x| x, |mean| mean),
            _ => Vec::new(),
        };
        Ok(Self { signal: own, gaps, facts })
    }
}

/// Puts the mean in the place of samples that are infinite or no numbers, and gives their indices.
fn fill_gaps<S: Send + Sync>(samples: &mut [S], wide: impl Fn(&S) -> Complex64 + Sync, back: impl Fn(Complex64) -> S) -> Vec<usize> {
    let gaps: Vec<usize> =
        threads::map_blocks(samples.len(), &|block| block.filter(|&index| !wide(&samples[index]).is_finite()).collect::<Vec<_>>()).concat();
    if !gaps.is_empty() {
        let sum: Complex64 = samples.iter().map(&wide).filter(|value| value.is_finite()).sum();
        let mean = sum / (samples.len() - gaps.len()).max(1) as f64;
        gaps.iter().for_each(|&index| samples[index] = back(mean));
    }
    gaps
}
