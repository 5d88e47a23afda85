//! Two channels: the transfer function between them, their coherence, and the delay of one to the other.

use super::average::is_finite;
use super::real::in_precision;
use super::rows::{Fold, fold, grouped, weights};
use super::{Calibration, Frames, Real, SpectraError, SpectraJob};
use crate::cpu::library;
use crate::numerals::counted;
use crate::statistics::largest;
use crate::transforms::{Axes, Shape};
use num_complex::{Complex, Complex64};
use std::f64::consts::{PI, TAU};
use std::sync::atomic::AtomicBool;

crate::choice! {
    /// How a transfer function is estimated from averaged spectra.
    pub enum Estimator {
        /// Pxy/Pxx: right where the noise is on the output.
        #[default]
        H1 = "H1", "h1";
        /// Pyy/Pyx: right where the noise is on the input.
        H2 = "H2", "h2";
    }
}

crate::choice! {
    /// Whether the frames of y are moved before averages are taken.
    pub enum Alignment {
        /// By the whole samples of a long delay, so that both frames hold the same sound.
        #[default]
        Delay = "Align", "delay";
        /// As they are: a long delay then lowers gain and coherence.
        None = "As they are", "none";
    }
}

/// The averaged spectra of two channels x and y, in natural order; half of them for real samples.
#[derive(Debug, Clone, PartialEq)]
pub struct CrossSpectrum {
    /// The frames.
    pub frames: Frames,
    /// The mean of |X|².
    pub pxx: Vec<f64>,
    /// The mean of |Y|².
    pub pyy: Vec<f64>,
    /// The mean of conj(X)·Y.
    pub pxy: Vec<Complex64>,
    /// Number of frames that count.
    pub count: usize,
    /// Frames that do not count, as they hold samples that are not numbers.
    pub skipped: usize,
    /// The factors from squared magnitudes to quantities.
    pub calibration: Calibration,
    /// Samples by which each frame of y begins after that of x. The spectra are those of the frames; transfer functions and delays count from x.
    pub shift: isize,
}

/// By how much y comes after x.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Delay {
    /// In samples.
    pub samples: f64,
    /// Its standard deviation; `None` of a single average, whose coherence says nothing.
    pub deviation: Option<f64>,
}

/// A delay of this share of a frame biases the gain under a Hann window by 0.014 dB; frames of shorter ones stay where they are.
const SHORT: usize = 64;
/// Deviations of the mean coherence of noise by which that of moved frames must be higher; frames that overlap have larger ones.
const DEVIATIONS: f64 = 8.0;
/// The longest frames that are searched for a delay.
const MOST_SEARCHED: usize = 1 << 17;

/// The most groups of frames.
const MOST_GROUPS: usize = 64;

/// The cross spectrum of the first two tracks of a job.
///
/// # Errors
/// When the selection or the frames do not fit, all frames hold samples that are not numbers, or the work is cancelled.
pub fn cross(job: &SpectraJob<'_>) -> Result<CrossSpectrum, SpectraError> {
    in_precision!(job, cross_in(job))
}

fn cross_in<T: Real>(job: &SpectraJob<'_>) -> Result<CrossSpectrum, SpectraError> {
    job.check()?;
    let (bins, n) = (job.bins(), job.count());
    let windows = [weights::<T>(&job.frames)];
    let start = || (vec![0.0; bins], vec![0.0; bins], vec![Complex64::ZERO; bins], 0_usize);
    let groups = grouped(n, MOST_GROUPS.min((1 << 23) / bins).max(1));
    let parts = fold(
        job,
        &windows,
        &groups,
        &Fold {
            start: &|_| start(),
            add: &|(pxx, pyy, pxy, count), _, spectra: &[Vec<Complex<T>>]| {
                if !is_finite(&spectra[0]) || !is_finite(&spectra[1]) {
                    return;
                }
                *count += 1;
                for (bin, (x, y)) in spectra[0].iter().zip(&spectra[1]).enumerate() {
                    let (x, y) = (T::wide(*x), T::wide(*y));
                    pxx[bin] += x.norm_sqr();
                    pyy[bin] += y.norm_sqr();
                    pxy[bin] += x.conj() * y;
                }
            },
            finish: &|_, state| state,
        },
    )?;
    let (mut pxx, mut pyy, mut pxy, count) = parts.into_iter().fold(start(), |mut all, part| {
        for bin in 0..bins {
            all.0[bin] += part.0[bin];
            all.1[bin] += part.1[bin];
            all.2[bin] += part.2[bin];
        }
        all.3 += part.3;
        all
    });
    if count == 0 {
        return Err(SpectraError::NotFinite(job.count_not_finite()));
    }
    let scale = 1.0 / count as f64;
    pxx.iter_mut().chain(&mut pyy).for_each(|power| *power *= scale);
    pxy.iter_mut().for_each(|power| *power *= scale);
    let calibration = Calibration::of(&job.frames, job.rate, job.is_complex());
    Ok(CrossSpectrum { frames: job.frames, pxx, pyy, pxy, count, skipped: n - count, calibration, shift: 0 })
}

/// As [`cross`], of frames that are moved by a long delay of y to x, which otherwise lowers gain and coherence: of a frame of L samples
/// that comes d samples late, only L − d samples are in both (J. Bendat and A. Piersol, Random Data, 4th ed. 2010, section 9.3.2).
/// The delay is searched in longer frames; the moved frames are taken where their coherence is higher.
///
/// # Errors
/// As [`cross`].
pub fn aligned_cross(job: &SpectraJob<'_>, alignment: Alignment) -> Result<CrossSpectrum, SpectraError> {
    let plain = cross(job)?;
    let (n, length) = (job.samples.len(), job.frames.length);
    if alignment == Alignment::None || job.is_complex() {
        return Ok(plain);
    }
    let searched = (1 << (n / 2).max(1).ilog2()).min(MOST_SEARCHED);
    let longer = Frames { length: searched, hop: searched / 2, points: searched, ..job.frames };
    let found = if searched > length { cross(&SpectraJob { frames: longer, rows: None, ..job.clone() }) } else { Ok(plain.clone()) };
    let delay = match found {
        Ok(found) => found.delay(),
        Err(SpectraError::NotFinite(_)) => None,
        Err(error) => return Err(error),
    };
    let shift = delay.map_or(0, |delay| delay.samples.round() as isize);
    let later = shift.unsigned_abs();
    if later < (length / SHORT).max(1) || n.saturating_sub(later) < length {
        return Ok(plain);
    }
    let mut tracks = job.tracks.clone();
    let moved = usize::from(shift > 0);
    tracks[moved] = tracks[moved].after(later);
    let samples = job.samples.start..job.samples.end - later;
    match cross(&SpectraJob { tracks, samples, ..job.clone() }) {
        Ok(aligned) if aligned.mean_coherence() > plain.mean_coherence() + aligned.chance() => Ok(CrossSpectrum { shift, ..aligned }),
        Err(SpectraError::Cancelled) => Err(SpectraError::Cancelled),
        _ => Ok(plain),
    }
}

impl CrossSpectrum {
    /// The mean coherence of all values that have one, without the share that few averages have by chance; 0 for a single one.
    fn mean_coherence(&self) -> f64 {
        let known = (0..self.pxy.len()).map(|bin| self.coherence(bin)).filter(|coherence| coherence.is_finite());
        let (n, sum) = known.fold((0, 0.0), |(n, sum), coherence| (n + 1, sum + coherence));
        let averages = self.count as f64;
        if self.count > 1 { (averages * sum / f64::from(n.max(1)) - 1.0) / (averages - 1.0) } else { 0.0 }
    }

    /// By how much the mean coherence of noise may differ from 0.
    fn chance(&self) -> f64 {
        DEVIATIONS / (self.count as f64 * (self.pxy.len() as f64).sqrt())
    }

    /// Where the frames of y begin beside those of x.
    pub fn shift_text(&self) -> String {
        let way = if self.shift > 0 { "after" } else { "before" };
        format!("frames of y begin {} {way} those of x", counted(self.shift.unsigned_abs(), "sample"))
    }

    /// The frequencies, from the lowest, each with the natural index of its value.
    pub fn frequencies(&self) -> impl Iterator<Item = (f64, usize)> {
        let (frames, is_complex, rate) = (self.frames, self.calibration.is_complex, self.calibration.rate);
        (0..self.pxx.len()).map(move |bin| (frames.frequency(bin, is_complex, rate), frames.natural(bin, is_complex)))
    }

    /// The transfer function at a natural index; not a number where the input has nothing.
    pub fn transfer(&self, bin: usize, estimator: Estimator) -> Complex64 {
        let h = match estimator {
            Estimator::H1 => self.pxy[bin] / self.pxx[bin],
            Estimator::H2 => self.pyy[bin] / self.pxy[bin].conj(),
        };
        let points = self.frames.points;
        let turns = (self.shift.rem_euclid(points as isize) as u128 * bin as u128 % points as u128) as f64 / points as f64;
        h * Complex64::cis(-TAU * turns)
    }

    /// The coherence at a natural index, from 0 to 1: the share of the output that the input explains. It is 1 for a single average.
    pub fn coherence(&self, bin: usize) -> f64 {
        self.pxy[bin].norm_sqr() / (self.pxx[bin] * self.pyy[bin])
    }

    /// The group delay −dφ/dω at a natural index in samples, by the phases of both neighbours after a delay is taken away; not a number at the ends.
    pub fn group_delay(&self, bin: usize, estimator: Estimator, delay: f64) -> f64 {
        let (n, points) = (self.pxy.len(), self.frames.points as f64);
        let [before, after] = match (self.calibration.is_complex, bin) {
            (true, bin) => [(bin + n - 1) % n, (bin + 1) % n],
            (false, bin) if bin > 0 && bin + 1 < n => [bin - 1, bin + 1],
            _ => return f64::NAN,
        };
        let step = 2.0 * TAU / points;
        let turn = self.transfer(after, estimator) * self.transfer(before, estimator).conj() * Complex64::cis(step * delay);
        delay - turn.arg() / step
    }

    /// The delay of y to x by the slope of the phase, each value by its coherence; `None` where no value is coherent, or the samples are complex.
    ///
    /// The largest value of the inverse transform of the weighted phases is the whole number of samples (C. Knapp and G. Carter, The generalized
    /// correlation method for estimation of time delay, 1976); a line through what is left of the phases is the rest.
    pub fn delay(&self) -> Option<Delay> {
        if self.calibration.is_complex {
            return None;
        }
        let points = self.frames.points;
        // Values at frequency 0 and at half the rate are real and know no delay.
        let weight = |bin: usize| match self.coherence(bin) {
            coherence if !coherence.is_finite() || !self.calibration.is_doubled(bin) => 0.0,
            _ if self.count == 1 => self.pxy[bin].norm(),
            coherence => coherence / (1.0 - coherence).max(1e-12),
        };
        let weights: Vec<f64> = (0..self.pxy.len()).map(weight).collect();
        let total: f64 = weights.iter().sum();
        if !(total.is_finite() && total > 0.0) {
            return None;
        }
        let phases = |bin: usize| self.pxy[bin] / self.pxy[bin].norm().max(f64::MIN_POSITIVE) * weights[bin];
        let values = (0..self.pxy.len()).map(phases).collect();
        let correlation = library::real_samples(values, Shape::line(points), Axes::Rows, &AtomicBool::new(false)).ok()?;
        let largest = largest(&correlation)?;
        let mut delay = if largest > points / 2 { largest as f64 - points as f64 } else { largest as f64 };
        let inverted = if correlation[largest] < 0.0 { PI } else { 0.0 };
        let omega = |bin: usize| TAU * bin as f64 / points as f64;
        let square: f64 = (0..weights.len()).map(|bin| weights[bin] * omega(bin).powi(2)).sum();
        for _ in 0..3 {
            let rest = |bin: usize| {
                let phase = self.pxy[bin].arg() + omega(bin) * delay - inverted;
                weights[bin] * omega(bin) * (phase - TAU * (phase / TAU).round())
            };
            delay -= (0..weights.len()).map(rest).sum::<f64>() / square;
        }
        // A phase has the variance (1 − γ²)/(2·n·γ²); neighbours under a window or padded with zeros are not independent.
        let shared = self.calibration.squares * points as f64 / self.calibration.sum.powi(2);
        let deviation = (self.count > 1).then(|| (shared / (2.0 * self.count as f64 * square)).sqrt());
        Some(Delay { samples: delay + self.shift as f64, deviation })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{random_bits, unit};
    use crate::signal::{ChannelChoice, Samples, Signal, SignalKind};
    use crate::spectra::Overlap;

    #[test]
    fn a_delay_that_is_long_beside_the_frames_biases_neither_gain_nor_coherence_nor_phase() {
        let (n, length) = (100_000, 1024);
        let noise: Vec<f64> = (0..n).map(|index| 2.0 * unit(random_bits(7 << 32 | index as u64)) - 1.0).collect();
        // A filter of known gain, 0.6 + 0.4·cos ω, that is late by 0.3 of a frame, by several frames, or early.
        for late in [307, -307, 5000, 3] {
            let at = |index: i64| usize::try_from(index).ok().and_then(|index| noise.get(index)).copied().unwrap_or(0.0);
            let filtered = |index: i64| 0.2 * at(index - late - 1) + 0.6 * at(index - late) + 0.2 * at(index - late + 1);
            let y = Signal::row("y", Samples::F64((0..n as i64).map(filtered).collect()));
            let x = Signal::row("x", Samples::F64(noise.clone()));
            let tracks = [&x, &y].map(|signal| signal.track(ChannelChoice::Luma).unwrap()).into();
            let frames = Frames::new(length, Overlap::Share(0.5));
            let cancel = AtomicBool::new(false);
            let job = SpectraJob::new(tracks, 0..n, frames, 1.0, &cancel);
            let found = aligned_cross(&job, Alignment::Delay).unwrap();
            assert_eq!(found.shift, if late == 3 { 0 } else { late as isize });
            let delay = found.delay().unwrap().samples;
            assert!((delay - late as f64).abs() < 0.01, "{late}: {delay}");
            for bin in 1..length / 2 {
                let omega = TAU * bin as f64 / length as f64;
                let expected = (0.6 + 0.4 * omega.cos()) * Complex64::cis(-omega * late as f64);
                for estimator in [Estimator::H1, Estimator::H2] {
                    let ratio = found.transfer(bin, estimator) / expected;
                    assert!(20.0 * ratio.norm().log10().abs() < 0.05 && ratio.arg().abs() < 0.01, "{late} at {bin}: {ratio}");
                }
                assert!(found.coherence(bin) > 0.999);
            }
            let plain = aligned_cross(&job, Alignment::None).unwrap();
            assert!(late == 3 || plain.coherence(200) < 0.8, "a long delay lowers the coherence of frames that stay");
        }
    }

    #[test]
    fn frames_of_channels_that_share_nothing_stay_where_they_are() {
        for (seed, n) in [(1, 3000), (2, 3000), (3, 5000), (4, 20_000), (5, 20_000), (6, 60_000)] {
            let noise = |seed: u64| (0..n).map(|index| 2.0 * unit(random_bits(seed << 32 | index as u64)) - 1.0).collect();
            let [x, y] = [seed, 100 + seed].map(|seed| Signal::row("noise", Samples::F64(noise(seed))));
            let tracks = [&x, &y].map(|signal| signal.track(ChannelChoice::Luma).unwrap()).into();
            let frames = Frames::new(1024, Overlap::Share(0.5));
            let cancel = AtomicBool::new(false);
            let job = SpectraJob::new(tracks, 0..n, frames, 1.0, &cancel);
            assert_eq!(aligned_cross(&job, Alignment::Delay).unwrap().shift, 0, "{seed}");
        }
    }

    #[test]
    fn cross_spectra_coherence_and_transfer_are_those_of_the_definition() {
        let (n, length, hop) = (150, 16, 5);
        let noise = |seed: u64, index: usize| 2.0 * unit(random_bits(seed << 32 | index as u64)) - 1.0;
        let x: Vec<f64> = (0..n).map(|index| noise(1, index)).collect();
        let y: Vec<f64> = (0..n).map(|index| 0.7 * x[index.max(2) - 2] - 0.4 * x[index] + 0.3 * noise(2, index)).collect();
        let channels = [("x", &x), ("y", &y)].map(|(name, values)| crate::signal::Channel::new(name, Samples::F64(values.clone())));
        let signal = Signal::from_channels("two", SignalKind::Rows, (1, n), channels.into());
        let tracks = [0, 1].map(|channel| signal.track(ChannelChoice::Channel(channel)).unwrap()).into();
        let frames = Frames { hop, ..Frames::new(length, Overlap::Samples(0)) };
        let cancel = AtomicBool::new(false);
        let job = SpectraJob::new(tracks, 0..n, frames, 1.0, &cancel);
        let found = cross(&job).unwrap();
        // The value of a frame at a bin, by the sum of the definition under a Hann window.
        let value = |values: &[f64], frame: usize, bin: usize| -> Complex64 {
            let mut sum = Complex64::ZERO;
            for index in 0..length {
                let weight = 0.5 - 0.5 * (TAU * index as f64 / length as f64).cos();
                sum += Complex64::cis(-TAU * (index * bin) as f64 / length as f64) * weight * values[frame * hop + index];
            }
            sum
        };
        let count = (n - length) / hop + 1;
        assert_eq!(found.count, count);
        for bin in 0..=length / 2 {
            let (mut pxx, mut pyy, mut pxy) = (0.0, 0.0, Complex64::ZERO);
            for frame in 0..count {
                let (x, y) = (value(&x, frame, bin), value(&y, frame, bin));
                pxx += x.norm_sqr() / count as f64;
                pyy += y.norm_sqr() / count as f64;
                pxy += x.conj() * y / count as f64;
            }
            let coherence = pxy.norm_sqr() / (pxx * pyy);
            let pairs = [
                (found.pxx[bin].into(), pxx.into()),
                (found.pyy[bin].into(), pyy.into()),
                (found.pxy[bin], pxy),
                (found.coherence(bin).into(), coherence.into()),
                (found.transfer(bin, Estimator::H1), pxy / pxx),
                (found.transfer(bin, Estimator::H2), pyy / pxy.conj()),
            ];
            for (quantity, (found, expected)) in pairs.into_iter().enumerate() {
                let (found, expected): (Complex64, Complex64) = (found, expected);
                assert!((found - expected).norm() < 1e-9 * expected.norm(), "{quantity} at {bin}: {found} for {expected}");
            }
            assert!(coherence < 0.9999);
        }
    }
}
