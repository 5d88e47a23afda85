//! The sines in a recording: local maxima of one transform of all samples under a Hann window, with frequency, amplitude and phase between the values.
//!
//! The transform of the window is known exactly, so two neighbouring values of a steady sine determine its frequency, and one its amplitude and phase.
//! The share of the other sines and of their mirror images at negative frequencies in these values is taken away in turn (J. Högbom, Aperture synthesis with
//! a non-regular distribution of interferometer baselines, 1974), so that also close and low tones are exact.

mod hann;
#[cfg(test)]
mod tests;

use super::error::check_bytes;
use super::real::in_precision;
use super::whole::{Whole, fast_points};
use super::{Calibration, Frames, Real, SpectraError, SpectraJob, whole};
use crate::prepare::Detrend;
use crate::statistics::median;
use crate::threads;
use hann::hann;
pub(super) use hann::offset;
use num_complex::Complex64;
use std::f64::consts::{FRAC_1_SQRT_2, LN_2, PI};

/// A sine of a recording.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TonePeak {
    /// Cycles in a unit of time; negative only of complex samples.
    pub frequency: f64,
    /// The peak amplitude; of complex samples the magnitude.
    pub amplitude: f64,
    /// The phase of a cosine at the first sample, in radians.
    pub phase: f64,
    /// The width of the peak in frequency, between the points 3 dB below it.
    pub width: f64,
}

/// The fewest samples that have peaks.
const LEAST: usize = 16;
/// Values of a block, whose median is the floor there.
const BLOCK: usize = 64;
/// First and last distance of the neighbours whose median is the floor beside a value.
const NEAR: [usize; 2] = [3, 16];
/// Power of a peak over the floor beside it, at least: 12 dB.
const ABOVE: f64 = 15.85;
/// White noise lists a false peak in one of this number of recordings.
const PER_FALSE_PEAK: f64 = 100.0;
/// Powers below these shares of the largest are rounding of the samples, in single and in double precision.
const ROUNDING: [f64; 2] = [1e-16, 1e-24];
/// A value this near to a stronger sine belongs to it: the window does not tell them apart.
const RESOLVED: f64 = 2.0;
/// Times that the sines are taken away from each other.
const PASSES: usize = 12;
/// Values on each side of a sine whose skirt may hide others, how many of the strongest are searched there, and how often.
const SKIRT: isize = 96;
const MOST_SEARCHED: usize = 64;
const SEARCHES: usize = 3;
/// A hidden sine leaves less than this share of the power of its three largest values.
const LEFT: f64 = 0.25;
/// Values on each side that interpolate the spectrum between two of them.
const REACH: isize = 16;

/// A sine in steps of the spectrum, and its complex amplitude: that of one of the two mirror images of a real one.
#[derive(Clone, Copy)]
struct Found {
    bin: isize,
    at: f64,
    amplitude: Complex64,
}

/// The strongest sines of the first track of a job, at most `count`, strongest first. Its frames have no meaning here, besides what is removed before.
/// Double precision finds sines of −110 dB beside others; single precision is twice as fast, and right for samples that it holds.
///
/// # Errors
/// When the selection has too few samples, lies outside or holds samples that are not numbers, or the work is cancelled.
pub fn tone_peaks(job: &SpectraJob<'_>, count: usize) -> Result<Vec<TonePeak>, SpectraError> {
    in_precision!(job, tone_peaks_in(job, count))
}

fn tone_peaks_in<T: Real>(job: &SpectraJob<'_>, count: usize) -> Result<Vec<TonePeak>, SpectraError> {
    let n = job.samples.len();
    if n < LEAST {
        job.check()?;
        return Err(SpectraError::TooFew { measure: "a list of peaks", least: LEAST, samples: n });
    }
    // A transform of a little more points takes less time than one of a length with large prime factors.
    among::<T>(job, count, fast_points(n, !job.is_complex()))
}

/// The strongest sines in a transform of so many points.
fn among<T: Real>(job: &SpectraJob<'_>, count: usize, points: usize) -> Result<Vec<TonePeak>, SpectraError> {
    let n = job.samples.len();
    let spectrum = whole::<T>(&SpectraJob { frames: Frames { detrend: job.frames.detrend, points, ..Frames::whole(n) }, ..job.clone() })?;
    let rounding = ROUNDING[usize::from(job.tracks[0].is_double())];
    let Whole { values, calibration, skipped } = spectrum;
    check_bytes(size_of::<Complex64>() as u128 * values.len() as u128)?;
    let wide = threads::convert(&values, T::wide);
    drop(values);
    let spectrum = Whole { values: wide, calibration, skipped };
    let lines = Lines::new(spectrum, job.frames.detrend, rounding);
    let mut found: Vec<Found> = Vec::new();
    for bin in lines.candidates() {
        if found.len() >= count {
            break;
        }
        let value = lines.value(bin);
        let is_own = found.iter().all(|other| lines.distance(bin as f64 - other.at).abs() >= RESOLVED);
        if is_own && (value - lines.model(&found, bin)).norm_sqr() > 0.25 * value.norm_sqr() {
            let new = lines.refined(&found, Found { bin, at: bin as f64, amplitude: Complex64::ZERO });
            found.push(new);
        }
    }
    lines.settle(&mut found);
    for _ in 0..SEARCHES {
        let hidden = lines.hidden(&found);
        if hidden.is_empty() {
            break;
        }
        found.extend(hidden);
        lines.settle(&mut found);
    }
    let mut peaks: Vec<TonePeak> = found.iter().map(|found| lines.peak(*found, job.rate)).collect();
    peaks.sort_by(|a, b| b.amplitude.total_cmp(&a.amplitude));
    peaks.truncate(count);
    Ok(peaks)
}

/// The transform of all samples, as a periodic spectrum.
struct Lines {
    spectrum: Whole<f64>,
    /// The steps of the spectrum.
    n: isize,
    /// How wide a step is: 1 where no zeros were appended to the samples.
    step: f64,
    is_real: bool,
    /// The lowest value that can be a peak: that at frequency 0 is none, nor what is left beside it where the mean was removed.
    first: isize,
    /// Powers below this share of the largest are rounding.
    rounding: f64,
}

impl Lines {
    fn new(spectrum: Whole<f64>, detrend: Detrend, rounding: f64) -> Self {
        let Calibration { length, points, is_complex, .. } = spectrum.calibration;
        Self {
            spectrum,
            n: points as isize,
            step: length as f64 / points as f64,
            is_real: !is_complex,
            rounding,
            first: if detrend == Detrend::None { 1 } else { 2 },
        }
    }

    /// The value at an index of the periodic spectrum.
    fn value(&self, bin: isize) -> Complex64 {
        let index = bin.rem_euclid(self.n) as usize;
        let values = &self.spectrum.values;
        if index < values.len() { values[index] } else { values[self.n as usize - index].conj() }
    }

    /// A distance along the periodic spectrum.
    fn distance(&self, steps: f64) -> f64 {
        let n = self.n as f64;
        steps - n * (steps / n).round()
    }

    /// The local maxima above the floor, strongest first.
    fn candidates(&self) -> Vec<isize> {
        let values = &self.spectrum.values;
        let n = values.len();
        let power: Vec<f64> = threads::convert(values, |z| z.norm_sqr());
        let largest = power.iter().skip(1).copied().fold(0.0, f64::max);
        // The largest of n values of noise, whose power is distributed exponentially, over the median.
        let noise = (n as f64 * PER_FALSE_PEAK).ln() / LN_2;
        let at = |bin: isize| {
            let index = bin.rem_euclid(self.n) as usize;
            power[if index < n { index } else { self.n as usize - index }]
        };
        let is_peak = |bin: usize, floor: f64| {
            let (own, bin) = (power[bin], bin as isize);
            if own <= self.rounding * largest || own <= noise * floor || own < at(bin - 1) || own <= at(bin + 1) {
                return false;
            }
            let [near, far] = NEAR.map(|distance| distance as isize);
            let beside = (near..=far).flat_map(|distance| [at(bin - distance), at(bin + distance)]).collect();
            own > ABOVE * median(beside).unwrap_or(0.0)
        };
        let of_block = |block: usize| {
            let (own, around) = (block * BLOCK..n.min((block + 1) * BLOCK), &power[block * BLOCK..n.min((block + 2) * BLOCK)]);
            // Where most values are above this, so is their median: noise needs none, which would take most of the time.
            let low = power[own.clone()].iter().copied().fold(0.0, f64::max) / noise;
            if 2 * around.iter().filter(|power| **power >= low).count() > around.len() + 1 {
                return Vec::new();
            }
            let floor = median(around.to_vec()).unwrap_or(0.0);
            own.filter(|bin| is_peak(*bin, floor)).collect()
        };
        let blocks = threads::map(n.div_ceil(BLOCK), &of_block);
        let mut found: Vec<isize> = blocks
            .into_iter()
            .flatten()
            .map(|bin| bin as isize)
            .filter(|bin| self.distance(*bin as f64).abs() >= self.first as f64)
            .collect();
        found.sort_by(|a, b| at(*b).total_cmp(&at(*a)));
        found
    }

    /// The share of sines in a value.
    fn model(&self, sines: &[Found], bin: isize) -> Complex64 {
        sines.iter().map(|sine| self.line(*sine, bin) + self.mirror(*sine, bin)).sum()
    }

    fn line(&self, Found { at, amplitude, .. }: Found, bin: isize) -> Complex64 {
        amplitude * self.window(self.distance(bin as f64 - at))
    }

    /// The transform of the window, some steps beside its maximum.
    fn window(&self, steps: f64) -> Complex64 {
        hann(self.step * steps, self.length())
    }

    /// The number of samples.
    fn length(&self) -> f64 {
        self.spectrum.calibration.length as f64
    }

    /// The share of the mirror image of a real sine.
    fn mirror(&self, Found { at, amplitude, .. }: Found, bin: isize) -> Complex64 {
        if self.is_real { amplitude.conj() * self.window(self.distance(bin as f64 + at)) } else { Complex64::ZERO }
    }

    /// A sine by its values without those of the others and of its own mirror image.
    fn refined(&self, others: &[Found], own: Found) -> Found {
        let bin = own.bin;
        let [before, at, after] = [bin - 1, bin, bin + 1].map(|bin| self.value(bin) - self.model(others, bin) - self.mirror(own, bin));
        let (side, beside) = if before.norm_sqr() > after.norm_sqr() { (-1.0, before) } else { (1.0, after) };
        let place = bin as f64 + side * offset(beside.norm() / at.norm(), self.step, self.length());
        Found { bin, at: place, amplitude: at / self.window(bin as f64 - place) }
    }

    /// Takes the sines away from each other until each is what the others leave.
    fn settle(&self, found: &mut Vec<Found>) {
        for _ in 0..PASSES {
            for index in 0..found.len() {
                let own = found.swap_remove(index);
                let own = self.refined(found, own);
                found.push(own);
                let last = found.len() - 1;
                found.swap(index, last);
            }
        }
    }

    /// Sines that the skirts of stronger ones hide: maxima of what is left beside these, in the shape of the window, above its floor.
    fn hidden(&self, found: &[Found]) -> Vec<Found> {
        let largest = found.iter().map(|sine| self.value(sine.bin).norm_sqr()).fold(0.0, f64::max);
        let noise = (2.0 * SKIRT as f64 * PER_FALSE_PEAK).ln() / LN_2;
        let beside = |strong: &Found| {
            let first = strong.bin - SKIRT;
            let left: Vec<Complex64> = (first..=strong.bin + SKIRT).map(|bin| self.value(bin) - self.model(found, bin)).collect();
            let power: Vec<f64> = left.iter().map(|z| z.norm_sqr()).collect();
            let least = (noise * median(power.clone()).unwrap_or(0.0)).max(self.rounding * largest);
            let is_peak = |at: usize| {
                let bin = first + at as isize;
                let is_free = !self.is_real || (0..=self.n / 2).contains(&bin);
                let is_own = found.iter().all(|other| self.distance(bin as f64 - other.at).abs() >= RESOLVED);
                let is_largest = power[at] > least && power[at] >= power[at - 1] && power[at] > power[at + 1];
                let near =
                    || (NEAR[0]..=NEAR[1]).flat_map(|k| [at.checked_sub(k), Some(at + k)]).flatten().filter_map(|k| power.get(k).copied());
                is_free
                    && is_own
                    && is_largest
                    && self.distance(bin as f64).abs() >= RESOLVED
                    && power[at] > ABOVE * median(near().collect()).unwrap_or(0.0)
            };
            let own = |at: usize| {
                let new = self.refined(found, Found { bin: first + at as isize, at: 0.0, amplitude: Complex64::ZERO });
                let rest: f64 = (at - 1..=at + 1).map(|k| (left[k] - self.line(new, first + k as isize)).norm_sqr()).sum();
                (rest < LEFT * (at - 1..=at + 1).map(|k| power[k]).sum::<f64>()).then_some(new)
            };
            (1..power.len() - 1).filter(|at| is_peak(*at)).filter_map(own).collect::<Vec<_>>()
        };
        let mut hidden: Vec<Found> = found.iter().take(MOST_SEARCHED).flat_map(beside).collect();
        hidden.sort_by_key(|sine| sine.bin);
        hidden.dedup_by_key(|sine| sine.bin);
        hidden
    }

    /// The magnitude between the values. Under the window the samples fade at both ends, so few neighbours suffice.
    fn magnitude(&self, at: f64) -> f64 {
        let nearest = at.round() as isize;
        let terms = (nearest - REACH..=nearest + REACH).map(|bin| {
            let x = at - bin as f64;
            // The middle of the samples is where time 0 lies, so that the values change slowly.
            let turn = Complex64::cis(PI * (self.step * bin as f64).rem_euclid(2.0));
            self.value(bin) * turn * (sinc(x) * sinc(x / (REACH + 1) as f64))
        });
        terms.sum::<Complex64>().norm()
    }

    /// Steps from a peak to where its magnitude is 3 dB lower, on one side.
    fn half_width(&self, at: f64, side: f64) -> f64 {
        const STEP: f64 = 1.0 / 16.0;
        const MOST: usize = 64 * 16;
        let level = FRAC_1_SQRT_2 * self.magnitude(at);
        let mut before = self.magnitude(at);
        for step in 1..MOST {
            let here = self.magnitude(at + side * STEP * step as f64);
            if here <= level {
                return STEP * (step as f64 - (level - here) / (before - here).max(f64::MIN_POSITIVE));
            }
            before = here;
        }
        STEP * MOST as f64
    }

    fn peak(&self, found: Found, rate: f64) -> TonePeak {
        let step = rate / self.n as f64;
        let steps = self.half_width(found.at, -1.0) + self.half_width(found.at, 1.0);
        let sides = if self.is_real { 2.0 } else { 1.0 };
        let at = if self.is_real { found.at } else { self.distance(found.at) };
        TonePeak { frequency: at * step, amplitude: sides * found.amplitude.norm(), phase: found.amplitude.arg(), width: steps * step }
    }
}

fn sinc(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { (PI * x).sin() / (PI * x) }
}
