//! The impulse response between two recordings, such as a sweep and what a room makes of it, and how fast it decays.

use super::correlation::PairSpectra;
use super::{RowTransform, SpectraError};
use crate::cpu::library;
use crate::prepare::Detrend;
use crate::signal::Track;
use crate::transforms::{Axes, Shape};
use std::ops::Range;
use std::sync::atomic::AtomicBool;

/// Added to the power of the input, relative to its largest value: frequencies that the input hardly has do not blow up noise.
/// Within 30 dB of the strongest frequency, the response is right to 0.01 dB.
const REGULARISATION: f64 = 1e-6;
/// The last part of a response, which holds its noise.
const TAIL: usize = 10;
/// A decay ends at least so far above the noise, in decibels.
const ABOVE_NOISE: f64 = 10.0;

/// Reverberation times in units of time (ISO 3382-1): how long a level takes to fall by 60 dB, from different parts of its fall.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct DecayTimes {
    /// The early decay time, from 0 to −10 dB; `None` where noise hides it.
    pub early: Option<f64>,
    /// T20, from −5 to −25 dB.
    pub t20: Option<f64>,
    /// T30, from −5 to −35 dB.
    pub t30: Option<f64>,
}

/// The impulse response from the first track to the second, from lag 0 on, as long as the selection of the second: y ≈ h ∗ x.
///
/// The spectrum of y is divided by that of x, conj(X)·Y/(|X|² + ε), which takes a sweep of any law, noise or an impulse
/// (A. Farina, Simultaneous measurement of impulse response and distortion with a swept-sine technique, 2000; O. Kirkeby and P. Nelson, 1999).
/// The response has no frequencies outside the band of x.
///
/// # Errors
/// As [`correlate`](super::correlate).
pub fn impulse_response(
    tracks: [(&Track<'_>, Range<usize>); 2],
    rows: Option<&RowTransform<'_>>,
    cancel: &AtomicBool,
) -> Result<Vec<f64>, SpectraError> {
    let pair = PairSpectra::new(tracks, "an impulse response", Detrend::None, rows, cancel)?;
    let [mut x, y] = pair.spectra;
    let most = x.iter().map(|value| value.norm_sqr()).fold(0.0, f64::max);
    if !(most.is_finite() && most > 0.0) {
        return Err(SpectraError::Silent);
    }
    x.iter_mut().zip(&y).for_each(|(x, y)| *x = x.conj() * y / (x.norm_sqr() + REGULARISATION * most));
    let mut response = library::real_samples(x, Shape::line(pair.points), Axes::Rows, cancel)?;
    response.truncate(pair.lengths[1]);
    Ok(response)
}

/// The reverberation times of an impulse response of `rate` samples in a unit, by backward integration (M. R. Schroeder, 1965) from its largest value on.
/// The power of its last tenth is taken for noise and subtracted.
pub fn decay_times(response: &[f64], rate: f64) -> DecayTimes {
    let square = |value: &f64| value * value;
    let n_tail = (response.len() / TAIL).max(1);
    let noise = response[response.len() - n_tail.min(response.len())..].iter().map(square).sum::<f64>() / n_tail as f64;
    let Some((peak, most)) = response.iter().map(square).enumerate().max_by(|a, b| a.1.total_cmp(&b.1)) else {
        return DecayTimes::default();
    };
    let mut left = 0.0;
    let mut levels: Vec<f64> = response[peak..]
        .iter()
        .rev()
        .map(|value| {
            left += value * value - noise;
            left
        })
        .collect();
    levels.reverse();
    let whole = levels[0];
    levels.iter_mut().for_each(|level| *level = 10.0 * (*level / whole).log10());
    let time = |from: f64, to: f64| {
        let is_clear = noise == 0.0 || 10.0 * (most / noise).log10() >= ABOVE_NOISE - to;
        let first = levels.iter().position(|level| *level <= from)?;
        let last = levels.iter().position(|level| *level <= to).filter(|last| is_clear && *last > first + 1)?;
        Some(-60.0 / (slope(&levels[first..=last]) * rate))
    };
    DecayTimes { early: time(0.0, -10.0), t20: time(-5.0, -25.0), t30: time(-5.0, -35.0) }
}

/// The slope of the straight line through values at 0, 1, 2, ….
fn slope(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let middle = (n - 1.0) / 2.0;
    let moment: f64 = values.iter().enumerate().map(|(at, value)| (at as f64 - middle) * value).sum();
    12.0 * moment / (n * (n * n - 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::generate::{Chirp, Distribution, Generator, NoiseColour, NoiseSignal, SweepLaw};
    use crate::signal::{ChannelChoice, Samples, Signal};
    use crate::spectra::correlate;

    /// A signal as heard in a room with these taps, with some samples of its own decay behind.
    fn room(source: &[f64], taps: &[(usize, f64)], behind: usize) -> Vec<f64> {
        let mut heard = vec![0.0; source.len() + behind];
        for (delay, height) in taps {
            source.iter().enumerate().for_each(|(n, value)| heard[n + delay] += height * value);
        }
        heard
    }

    fn response(source: Vec<f64>, heard: Vec<f64>) -> Vec<f64> {
        let [x, y] = [source, heard].map(|values| Signal::row("", Samples::F64(values)));
        let [a, b] = [&x, &y].map(|signal| signal.track(ChannelChoice::Luma).unwrap());
        impulse_response([(&a, 0..a.len()), (&b, 0..b.len())], None, &AtomicBool::new(false)).unwrap()
    }

    fn noise(length: usize, seed: u64) -> Vec<f64> {
        let noise = NoiseSignal { length, amplitude: 0.5, distribution: Distribution::Normal, seed, colour: NoiseColour::White };
        Generator::Noise(noise).signal().unwrap().samples_f64(ChannelChoice::Luma).unwrap()
    }

    const TAPS: [(usize, f64); 4] = [(120, 1.0), (431, -0.5), (1000, 0.25), (1900, 0.125)];

    #[test]
    fn the_taps_of_a_room_come_back() {
        let source = noise(20_000, 3);
        let found = response(source.clone(), room(&source, &TAPS, 2000));
        assert_eq!(found.len(), 22_000);
        for (n, value) in found.iter().enumerate() {
            let expected = TAPS.iter().find(|(delay, _)| *delay == n).map_or(0.0, |(_, height)| *height);
            assert!((value - expected).abs() < 0.01, "{n}: {value} for {expected}");
        }
    }

    #[test]
    fn a_sweep_finds_the_taps_within_its_band() {
        let rate = 8000.0;
        let length = 16_000;
        let cycles = |frequency: f64| frequency * length as f64 / rate;
        let sweep = Chirp { length, amplitude: 0.5, start: cycles(20.0), end: cycles(4000.0), law: SweepLaw::Exponential };
        let source = Generator::Chirp(sweep).signal().unwrap().samples_f64(ChannelChoice::Luma).unwrap();
        let found = response(source.clone(), room(&source, &TAPS, 2000));
        let largest = found.iter().enumerate().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs())).unwrap();
        assert_eq!(largest.0, 120);
        for (delay, height) in TAPS {
            assert!((found[delay] - height).abs() < 0.03, "{delay}: {} for {height}", found[delay]);
        }
    }

    #[test]
    fn decays_have_their_times_until_noise_hides_them() {
        let rate = 8000.0;
        // A fall of 60 dB in 0.5 s.
        let decay = |n: usize| 10_f64.powf(-3.0 * n as f64 / (0.5 * rate));
        let body = noise(8000, 5);
        let clean: Vec<f64> = body.iter().enumerate().map(|(n, value)| value * decay(n)).collect();
        let found = decay_times(&clean, rate);
        for time in [found.early, found.t20, found.t30] {
            assert!(time.is_some_and(|time| (time - 0.5).abs() < 0.05), "{found:?}");
        }
        let noisy: Vec<f64> = clean.iter().zip(noise(8000, 6)).map(|(value, noise)| value + 0.02 * noise).collect();
        let found = decay_times(&noisy, rate);
        assert!(found.t30.is_none() && found.t20.is_some_and(|time| (time - 0.5).abs() < 0.08), "{found:?}");
        assert_eq!(decay_times(&[], rate), DecayTimes::default());
    }

    #[test]
    fn phat_finds_a_delay_that_coloured_noise_hides() {
        // Red noise, whose correlation has no sharp top.
        let mut state = 0.0;
        let red: Vec<f64> = noise(8192, 9)
            .into_iter()
            .map(|value| {
                state = 0.99 * state + value;
                state
            })
            .collect();
        let heard = room(&red, &[(37, 1.0), (60, 0.9)], 100);
        let [x, y] = [red, heard].map(|values| Signal::row("", Samples::F64(values)));
        let [a, b] = [&x, &y].map(|signal| signal.track(ChannelChoice::Luma).unwrap());
        let lag = |phat| correlate([(&a, 0..a.len()), (&b, 0..b.len())], phat, None, &AtomicBool::new(false)).unwrap();
        assert!((lag(true).lag - 37.0).abs() < 0.1, "{:?}", lag(true));
        assert!((lag(false).lag - 37.0).abs() > 0.2, "{:?}", lag(false));
    }
}
