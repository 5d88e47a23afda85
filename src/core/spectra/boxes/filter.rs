//! A filter in time and frequency: what boxes of a recording hold passes or is cut.
//!
//! The spectrum of each frame under a window is multiplied by the share of the boxes in it, and the frames are added again under the same window
//! (D. Griffin and J. Lim, Signal estimation from modified short-time Fourier transform, 1984).
//! Only the difference to the samples is transformed, so that samples that no box reaches keep their bits.

use super::TimeFrequencyBox;
use super::shares::{NARROWEST, Shares};
use crate::filter::Effect;
use crate::signal::Samples;
use crate::spectra::error::check_bytes;
use crate::spectra::real::in_precision;
use crate::spectra::rows::weights;
use crate::spectra::{Frames, Real, SpectraError, SpectraJob};
use num_complex::Complex;
use rayon::prelude::*;
use realfft::{ComplexToReal, RealToComplex};
use rustfft::{Fft, FftDirection};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Samples of a recording after a filter of boxes.
#[derive(Debug, Clone, PartialEq)]
pub struct Boxed {
    /// The samples of the selection.
    pub samples: Samples,
    /// The energy that is left, as a share of that before; 1 of silence.
    pub kept: f64,
    /// Samples that are infinite or not a number, for which 0 stands.
    pub replaced: usize,
}

/// The transforms of a frame, there and back: of real or of complex samples.
#[derive(Clone)]
enum Transforms<T> {
    Real(Arc<dyn RealToComplex<T>>, Arc<dyn ComplexToReal<T>>),
    Complex(Arc<dyn Fft<T>>, Arc<dyn Fft<T>>),
}

/// The data that all frames share.
struct Boxes<'a, T> {
    job: &'a SpectraJob<'a>,
    /// The recording that the samples of the job are a part of.
    whole: Range<usize>,
    boxes: &'a [TimeFrequencyBox],
    shares: Vec<Shares>,
    /// Whether boxes pass, so that everything else is cut.
    only: bool,
    /// The window before the transform, and after it, where frames add up to the samples.
    windows: [Vec<T>; 2],
    transforms: Transforms<T>,
}

/// The buffers that a thread keeps.
struct Worker<T> {
    parts: [Vec<T>; 2],
    row: Vec<T>,
    pairs: Vec<Complex<T>>,
    scratch: Vec<Complex<T>>,
}

/// Hops of a block, whose frames one thread transforms.
const BLOCK: usize = 64;

/// Filters the samples of the first track of a job, which are a part of a recording within `whole`: the result is that part of the filter of all of it. Boxes that pass keep their content; without such boxes everything stays. Boxes that cut then remove theirs.
/// The frames of the job overlap by at least half their length and are not padded; its rows have no meaning here.
///
/// # Errors
/// When the selection or the frames do not fit, a box is narrower than the frames can tell, the memory does not suffice, or the work is cancelled.
pub fn boxed(job: &SpectraJob<'_>, whole: Range<usize>, boxes: &[TimeFrequencyBox]) -> Result<Boxed, SpectraError> {
    in_precision!(job, boxed_in(job, whole, boxes))
}

fn boxed_in<T: Real>(job: &SpectraJob<'_>, whole: Range<usize>, boxes: &[TimeFrequencyBox]) -> Result<Boxed, SpectraError> {
    job.check()?;
    let (n, n_parts) = (job.samples.len(), if job.is_complex() { 2 } else { 1 });
    check_bytes(n as u128 * (n_parts * size_of::<T>()) as u128)?;
    if let Some(narrow) = boxes.iter().find(|own| own.width() * (job.frames.length as f64) < NARROWEST) {
        let [is, least] = [narrow.width(), NARROWEST / job.frames.length as f64].map(|cycles| cycles * job.rate);
        return Err(SpectraError::Narrow { what: narrow.kind(), is, least, unit: "" });
    }
    let shared = Boxes::<T>::new(job, whole, boxes);
    // Each block of samples adds up all frames that reach into it.
    let block = job.frames.hop * BLOCK;
    let mut values = vec![T::ZERO; n * n_parts];
    let sums: Vec<[f64; 3]> = values
        .par_chunks_mut(block * n_parts)
        .enumerate()
        .map_init(|| Worker::new(&shared), |worker, (index, to)| shared.fill(worker, index * block, to))
        .collect();
    job.check_end()?;
    let [before, after, replaced] = sums.into_iter().fold([0.0; 3], |a, b| [a[0] + b[0], a[1] + b[1], a[2] + b[2]]);
    let samples = T::of_parts(values, n_parts == 2);
    Ok(Boxed { samples, kept: if before > 0.0 { after / before } else { 1.0 }, replaced: replaced as usize })
}

impl<'a, T: Real> Boxes<'a, T> {
    fn new(job: &'a SpectraJob<'a>, whole: Range<usize>, boxes: &'a [TimeFrequencyBox]) -> Self {
        let (Frames { length, hop, .. }, is_complex) = (job.frames, job.is_complex());
        let window = weights::<f64>(&job.frames);
        // The squares of the windows of all frames over a sample, and the factor of the transforms.
        let sums: Vec<f64> = (0..hop).map(|first| window.iter().skip(first).step_by(hop).map(|w| w * w).sum::<f64>()).collect();
        let after = window.iter().enumerate().map(|(index, w)| T::rounded(w / (sums[index % hop] * length as f64))).collect();
        let before = window.iter().map(|w| T::rounded(*w)).collect();
        let cycles = |bin: usize| if is_complex && 2 * bin >= length { bin as f64 - length as f64 } else { bin as f64 } / length as f64;
        let cycles: Vec<f64> = (0..if is_complex { length } else { length / 2 + 1 }).map(cycles).collect();
        let shares = boxes.iter().map(|own| Shares::new(own, &cycles, &job.frames, is_complex)).collect();
        let transforms = if is_complex {
            Transforms::Complex(T::fft(length, FftDirection::Forward), T::fft(length, FftDirection::Inverse))
        } else {
            Transforms::Real(T::fft_of_frames(length), T::fft_to_reals(length))
        };
        let only = boxes.iter().any(|own| own.effect == Effect::Pass);
        Self { job, whole, boxes, shares, only, windows: [before, after], transforms }
    }

    /// Writes a block of samples from `first` of the selection on; returns the energy before and after, and how many were replaced.
    fn fill(&self, worker: &mut Worker<T>, first: usize, to: &mut [T]) -> [f64; 3] {
        let (job, n_parts) = (self.job, self.n_parts());
        let Frames { length, hop, .. } = job.frames;
        let (n, first) = (to.len() / n_parts, job.samples.start + first);
        let (mut before, mut replaced) = (0.0, 0.0);
        for part in 0..n_parts {
            let mut values = vec![T::ZERO; n];
            T::read(&job.tracks[0], first, part, &mut values);
            for (to, value) in to.iter_mut().skip(part).step_by(n_parts).zip(values) {
                let wide = double(value);
                (before, replaced) = if wide.is_finite() { (before + wide * wide, replaced) } else { (before, replaced + 1.0) };
                *to = if self.only || !wide.is_finite() { T::ZERO } else { value };
            }
        }
        // Frame m begins length − hop samples before sample m·hop of the recording, so that all samples lie in equally many frames.
        for frame in first / hop..(first + n + length - hop).div_ceil(hop) {
            if job.cancel.load(Ordering::Relaxed) {
                break;
            }
            let start = (frame * hop) as isize - (length - hop) as isize;
            if let Some(factors) = self.factors(start)
                && worker.change(self, start, &factors)
            {
                self.add(worker, start - first as isize, to);
            }
        }
        let after = to.iter().map(|value| double(*value).powi(2)).sum();
        [before, after, replaced]
    }

    fn n_parts(&self) -> usize {
        if matches!(self.transforms, Transforms::Complex(..)) { 2 } else { 1 }
    }

    /// The factors of the spectrum of a frame beyond those of the samples; `None` where all are zero.
    fn factors(&self, start: isize) -> Option<Vec<f64>> {
        let Frames { length, hop, .. } = self.job.frames;
        let middle = start as f64 + length as f64 / 2.0;
        let stretch = [middle - hop as f64 / 2.0, middle + hop as f64 / 2.0];
        let mut here = Vec::with_capacity(self.boxes.len());
        for (own, shares) in self.boxes.iter().zip(&self.shares) {
            let time = own.share_of_time(stretch, &self.whole);
            here.extend((time > 0.0).then(|| shares.at(own, time, middle)).map(|shares| (own.effect, shares)));
        }
        if !here.iter().any(|(effect, _)| *effect == Effect::Pass || !self.only) {
            return None;
        }
        let factor = |bin: usize| {
            let of = |wanted: Effect| here.iter().filter(move |own| own.0 == wanted).map(|(_, (time, shares))| time * shares[bin]);
            let cut: f64 = of(Effect::Cut).map(|share| 1.0 - share).product();
            if self.only { of(Effect::Pass).fold(0.0, f64::max) * cut } else { cut - 1.0 }
        };
        Some((0..self.n_values()).map(factor).collect())
    }

    /// Number of values of a spectrum.
    fn n_values(&self) -> usize {
        let length = self.job.frames.length;
        if self.n_parts() == 2 { length } else { length / 2 + 1 }
    }

    /// Adds the change of a frame that begins at an index of a block, as far as it lies there.
    fn add(&self, worker: &Worker<T>, start: isize, to: &mut [T]) {
        let (n_parts, length) = (self.n_parts(), self.job.frames.length);
        let n = (to.len() / n_parts) as isize;
        let inside = (-start).max(0) as usize..((n - start).max(0) as usize).min(length);
        for index in inside {
            let (weight, at) = (self.windows[1][index], (start + index as isize) as usize * n_parts);
            if n_parts == 1 {
                to[at] = to[at] + worker.row[index] * weight;
            } else {
                let z = worker.pairs[index] * weight;
                (to[at], to[at + 1]) = (to[at] + z.re, to[at + 1] + z.im);
            }
        }
    }
}

impl<T: Real> Worker<T> {
    fn new(shared: &Boxes<'_, T>) -> Self {
        let (length, zero) = (shared.job.frames.length, Complex::new(T::ZERO, T::ZERO));
        let (is_complex, n_scratch) = match &shared.transforms {
            Transforms::Real(there, back) => (false, there.get_scratch_len().max(back.get_scratch_len())),
            Transforms::Complex(there, back) => (true, there.get_inplace_scratch_len().max(back.get_inplace_scratch_len())),
        };
        Self {
            parts: [vec![T::ZERO; length], vec![T::ZERO; if is_complex { length } else { 0 }]],
            row: vec![T::ZERO; if is_complex { 0 } else { length }],
            pairs: vec![zero; if is_complex { length } else { length / 2 + 1 }],
            scratch: vec![zero; n_scratch],
        }
    }

    /// The change of a frame that begins at a sample, before its second window; false where all its samples are zero.
    fn change(&mut self, shared: &Boxes<'_, T>, start: isize, factors: &[f64]) -> bool {
        let (job, length) = (shared.job, shared.job.frames.length);
        let at = |sample: usize| (sample as isize - start).clamp(0, length as isize) as usize;
        let inside = at(shared.whole.start)..at(shared.whole.end);
        if inside.is_empty() {
            return false;
        }
        for (part, values) in self.parts.iter_mut().enumerate().take(shared.n_parts()) {
            values.fill(T::ZERO);
            T::read(&job.tracks[0], (start + inside.start as isize) as usize, part, &mut values[inside.clone()]);
            for (value, weight) in values.iter_mut().zip(&shared.windows[0]) {
                *value = if double(*value).is_finite() { *value * *weight } else { T::ZERO };
            }
        }
        match &shared.transforms {
            Transforms::Real(there, back) => {
                self.row.copy_from_slice(&self.parts[0]);
                there
                    .process_with_scratch(&mut self.row, &mut self.pairs, &mut self.scratch)
                    .expect("the slices have the lengths of the plan");
                scale(&mut self.pairs, factors);
                self.pairs[0].im = T::ZERO;
                if length.is_multiple_of(2) {
                    self.pairs[length / 2].im = T::ZERO;
                }
                back.process_with_scratch(&mut self.pairs, &mut self.row, &mut self.scratch)
                    .expect("the slices have the lengths of the plan");
            }
            Transforms::Complex(there, back) => {
                let [real, imaginary] = &self.parts;
                self.pairs.iter_mut().zip(real.iter().zip(imaginary)).for_each(|(z, (re, im))| *z = Complex::new(*re, *im));
                there.process_with_scratch(&mut self.pairs, &mut self.scratch);
                scale(&mut self.pairs, factors);
                back.process_with_scratch(&mut self.pairs, &mut self.scratch);
            }
        }
        true
    }
}

fn double<T: Real>(value: T) -> f64 {
    T::wide(Complex::new(value, T::ZERO)).re
}

fn scale<T: Real>(values: &mut [Complex<T>], factors: &[f64]) {
    values.iter_mut().zip(factors).for_each(|(z, factor)| *z = *z * T::rounded(*factor));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::{Channel, ChannelChoice, Samples, Signal, SignalKind};
    use crate::spectra::{Overlap, Rate, RecordingExtent};
    use std::f64::consts::TAU;
    use std::sync::atomic::AtomicBool;

    fn filtered(samples: Samples, part: Range<usize>, length: usize, boxes: &[TimeFrequencyBox]) -> Result<Boxed, SpectraError> {
        let n = samples.len();
        let signal = Signal::from_channels("s", SignalKind::Rows, (1, n), vec![Channel::new("s", samples)]);
        let cancel = AtomicBool::new(false);
        let frames = Frames::new(length, Overlap::Share(0.75));
        let tracks = vec![signal.track(ChannelChoice::Luma).unwrap()];
        boxed(&SpectraJob::new(tracks, part, frames, 1.0, &cancel), 0..n, boxes)
    }

    fn noise(n: usize) -> Vec<f64> {
        (0..n as u64).map(|counter| crate::random::unit(crate::random::random_bits(counter)) - 0.5).collect()
    }

    /// The samples, of complex ones both parts in turn.
    fn values(found: &Boxed) -> Vec<f64> {
        match &found.samples {
            Samples::Complex64(values) => values.iter().flat_map(|z| [z.re, z.im]).collect(),
            other => other.to_f64(),
        }
    }

    fn part(samples: Range<usize>, cycles: [f64; 2], effect: Effect) -> TimeFrequencyBox {
        TimeFrequencyBox { samples, cycles, effect, stroke: None }
    }

    #[test]
    fn samples_that_no_box_reaches_keep_their_bits() {
        let values = noise(3001);
        for length in [50, 64, 101] {
            let cut = part(1000..1400, [0.1, 0.2], Effect::Cut);
            let found = filtered(Samples::F64(values.clone()), 0..3001, length, std::slice::from_ref(&cut)).unwrap();
            let reach = 1000 - length..1400 + length;
            let after = self::values(&found);
            let changed = |n: &usize| after[*n] != values[*n];
            assert!((0..3001).filter(|n| !reach.contains(n)).all(|n| !changed(&n)), "{length}");
            assert!((1000..1400).filter(changed).count() > 390 && found.kept < 1.0, "{length}");
            let pass = TimeFrequencyBox { effect: Effect::Pass, ..cut };
            let found = filtered(Samples::F64(values.clone()), 0..3001, length, &[pass]).unwrap();
            assert!((0..3001).filter(|n| !reach.contains(n)).all(|n| self::values(&found)[n] == 0.0), "{length}");
        }
    }

    #[test]
    fn what_passes_and_what_is_cut_are_the_samples_together() {
        let values = noise(2000);
        let complex: Vec<_> = values.chunks(2).map(|two| Complex::new(two[0], two[1])).collect();
        for (samples, n, low) in [(Samples::F64(values.clone()), 2000, 0.05), (Samples::Complex64(complex), 1000, -0.3)] {
            let of = |effect| filtered(samples.clone(), 0..n, 60, &[part(100..700, [low, 0.22], effect)]).unwrap();
            let (pass, cut) = (of(Effect::Pass), of(Effect::Cut));
            assert!(self::values(&pass).iter().zip(&self::values(&cut)).zip(&values).all(|((a, b), x)| (a + b - x).abs() < 1e-14));
            let whole = [part(0..n, [if low < 0.0 { -0.5 } else { 0.0 }, 0.5], Effect::Pass)];
            let found = filtered(samples.clone(), 0..n, 60, &whole).unwrap();
            assert!(self::values(&found).iter().zip(&values).all(|(a, x)| (a - x).abs() < 1e-14) && (found.kept - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn a_tone_is_cut_within_its_box_alone() {
        let tones = |n: usize, cut: bool| (TAU * 0.1 * n as f64).cos() * if cut { 0.0 } else { 1.0 } + (TAU * 0.3 * n as f64).cos();
        let samples = Samples::F32((0..8000).map(|n| tones(n, false) as f32).collect());
        let found = filtered(samples, 1000..8000, 256, &[part(3000..5000, [0.08, 0.12], Effect::Cut)]).unwrap();
        let after = values(&found);
        let error = |range: Range<usize>, cut| range.map(|n| (after[n - 1000] - tones(n, cut)).abs()).fold(0.0, f64::max);
        assert!(error(1000..2744, false) < 1e-6);
        assert!(error(3256..4744, true) < 1e-3, "{}", error(3256..4744, true));
        // The edge lies in the middle of the frames that soften it.
        let level = |n: usize| after[n - 1010..n - 990].iter().map(|x| x.powi(2)).sum::<f64>() / 20.0;
        assert!((level(3000) - (0.5 + 0.125)).abs() < 0.05, "{}", level(3000));
    }

    #[test]
    fn the_filter_of_a_part_is_that_part_of_the_filter_of_all() {
        let extent = RecordingExtent { samples: 3000, is_complex: false, rate: Rate::UNKNOWN };
        let stroke = TimeFrequencyBox::of_stroke(&[[900.0, 0.1], [2500.0, 0.3]], [200.0, 0.1], &extent, Effect::Cut).unwrap();
        let of = |samples, boxes: &[_]| values(&filtered(Samples::F64(noise(3000)), samples, 64, boxes).unwrap());
        for boxes in [vec![part(700..1100, [0.1, 0.2], Effect::Pass)], vec![part(0..3000, [0.3, 0.5], Effect::Cut), stroke]] {
            let whole = of(0..3000, &boxes);
            for samples in [777..2001, 0..64, 2900..3000] {
                assert_eq!(of(samples.clone(), &boxes), whole[samples.clone()], "{samples:?}");
            }
        }
    }

    #[test]
    fn a_chirp_is_cut_along_a_stroke_and_a_tone_beside_it_stays() {
        let n = 16_000;
        // The chirp goes from 0.05 to 0.25, and crosses the tone in the middle of the samples.
        let phase = |n: f64| 0.05 * n + 0.5 * 0.2 / 16_000.0 * n * n;
        let (chirp, tone) = (|n: usize| (TAU * phase(n as f64)).cos(), |n: usize| (TAU * 0.15 * n as f64).cos());
        let samples = Samples::F64((0..n).map(|n| chirp(n) + tone(n)).collect());
        let extent = RecordingExtent { samples: n, is_complex: false, rate: Rate::UNKNOWN };
        let path = [[0.0, 0.05], [n as f64, 0.25]];
        let of = |effect| {
            let stroke = TimeFrequencyBox::of_stroke(&path, [1000.0, 0.03], &extent, effect).unwrap();
            values(&filtered(samples.clone(), 0..n, 256, &[stroke]).unwrap())
        };
        let (cut, pass) = (of(Effect::Cut), of(Effect::Pass));
        let error =
            |range: Range<usize>, found: &[f64], of: &dyn Fn(usize) -> f64| range.map(|n| (found[n] - of(n)).abs()).fold(0.0, f64::max);
        for range in [1000..5500, 10_500..15_000] {
            assert!(error(range.clone(), &cut, &tone) < 0.02, "{}", error(range.clone(), &cut, &tone));
            assert!(error(range.clone(), &pass, &chirp) < 0.02, "{}", error(range, &pass, &chirp));
        }
        assert!((0..n).all(|index| (cut[index] + pass[index] - chirp(index) - tone(index)).abs() < 1e-13));
    }

    #[test]
    fn samples_that_are_no_numbers_and_narrow_boxes() {
        let mut values = noise(500);
        (values[100], values[300]) = (f64::NAN, f64::INFINITY);
        let of = |high| filtered(Samples::F64(values.clone()), 0..500, 50, &[part(50..450, [0.1, high], Effect::Cut)]);
        let found = of(0.3).unwrap();
        assert!(found.replaced == 2 && self::values(&found).iter().all(|value| value.is_finite()));
        assert!(of(0.13).unwrap_err().to_string().contains("narrower"));
    }
}
