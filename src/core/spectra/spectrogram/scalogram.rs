//! Scalograms: the power of samples under wavelets, each as long as a few of its periods: sharp in time at high frequencies, in frequency at low ones.
//!
//! C. Torrence and G. Compo, A practical guide to wavelet analysis, 1998: the Morlet wavelet with ω0 = 6, whose convolutions are products of spectra.
//! Its spectrum is 2·exp(−½(ω0·(ν/f − 1))²) above 0, so that a tone of amplitude A has the magnitude A (J. Lilly and S. Olhede, On the analytic wavelet
//! transform, 2010). Beyond both ends samples count as silence.
//! Each octave has blocks of its own, which overlap by the reach of its wavelets; a product goes back at the few points that its band needs.

use super::super::error::check_bytes;
use super::super::rows::{Batch, MOST_POINTS};
use super::super::{Calibration, Frames, Rate, Real, SpectraError, SpectraJob};
use super::pooled::joined;
use super::{Pool, TimeAxis};
use crate::numerals::number;
use crate::threads;
use num_complex::Complex;
use realfft::RealToComplex;
use rustfft::{Fft, FftDirection};
use std::f64::consts::{PI, TAU};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Wavelets of an octave.
const VOICES: usize = 24;
/// The angle by which a wavelet turns in the time in which it falls to exp(−½).
const OMEGA: f64 = 6.0;
/// Standard deviations of its spectrum and of its shape in time beyond which a wavelet is zero.
const CUT: f64 = 6.0;
/// The least reach of a block in samples: the spectra of the highest wavelets end at half the rate, so that they fade slowly.
const LEAST_REACH: usize = 1024;
/// Points of the shortest block.
const SHORTEST: usize = 1 << 13;
/// Blocks that are transformed together by whoever a job names.
const TOGETHER: usize = 256;

/// The frequencies of the wavelets in cycles per sample: from that with one period in a frame to half the rate.
pub(super) fn voices(frames: &Frames) -> Vec<f64> {
    let lowest = 1.0 / frames.length as f64;
    let n = (VOICES as f64 * (0.5 / lowest).log2() + 1e-9) as usize + 1;
    (0..n).map(|voice| (lowest * (voice as f64 / VOICES as f64).exp2()).min(0.5)).collect()
}

/// The factors from squared magnitudes to quantities. There is no density: the noise bandwidth grows with the frequency.
pub(super) fn calibration(job: &SpectraJob<'_>) -> Calibration {
    let length = job.frames.length;
    Calibration { sum: 2.0, squares: 0.0, rate: job.rate, length, points: length, is_complex: false }
}

/// The equivalent duration and the equivalent noise bandwidth of the wavelet of a frequency: √π·ω0/(2πf) and √π·f/ω0.
pub fn wavelet_resolution(frequency: f64) -> [f64; 2] {
    [PI.sqrt() * OMEGA / (TAU * frequency), PI.sqrt() * frequency / OMEGA]
}

/// The settings that the numbers of a scalogram depend on, each with its name.
pub fn wavelet_facts(frames: &Frames, rate: Rate) -> Vec<(&'static str, String)> {
    let lowest = number(rate.per_unit / frames.length as f64, 5);
    vec![
        ("wavelet", format!("Morlet, ω0 = {OMEGA}")),
        ("voices", format!("{VOICES} an octave from {lowest} {}", rate.frequency())),
        ("noise bandwidth", format!("{} of the frequency", number(wavelet_resolution(1.0)[1], 4))),
    ]
}

/// The samples whose power each column shows.
pub(super) struct Columns {
    ranges: Vec<Range<usize>>,
    /// Every one of so many samples suffices, a power of two, and which one.
    step: usize,
    first: usize,
}

impl Columns {
    /// Those of a picture of `n` samples.
    pub(super) fn of_picture(times: &TimeAxis, n: usize) -> Self {
        let edge = |column: usize| (times.ends[0] + column as f64 * times.width()).ceil().clamp(0.0, n as f64) as usize;
        let range = |column: usize| {
            let (from, to) = (edge(column), edge(column + 1));
            if from < to {
                return from..to;
            }
            let nearest = ((times.ends[0] + (column as f64 + 0.5) * times.width()).max(0.0) as usize).min(n - 1);
            nearest..nearest + 1
        };
        Self { ranges: (0..times.columns).map(range).collect(), step: 1 << (times.width() as usize).max(1).ilog2(), first: 0 }
    }

    /// The middles of frames.
    pub(super) fn of_frames(frames: &Frames, n: usize) -> Self {
        let (first, step) = (frames.length / 2, 1 << frames.hop.trailing_zeros());
        Self { ranges: (0..n).map(|m| first + m * frames.hop).map(|at| at..at + 1).collect(), step, first: first % step }
    }
}

/// The wavelets of an octave, and how samples are divided for them.
struct Octave<T> {
    /// The first of its wavelets.
    voice: usize,
    /// The first value of the spectrum of each wavelet that is not zero, its values, and how far it reaches in time.
    wavelets: Vec<(usize, Vec<T>, usize)>,
    /// Samples of a block, those at each end that are there for others, and the distance of its results.
    points: usize,
    reach: usize,
    step: usize,
    there: Arc<dyn RealToComplex<T>>,
    back: Arc<dyn Fft<T>>,
}

/// The powers of a block: its first column, and for each column the number of values and what they are under each wavelet.
type Part = (usize, Vec<(usize, Vec<f32>)>);

/// A block of samples: those that are not numbers are zero, and known.
struct Block<T> {
    values: Vec<T>,
    gaps: Vec<usize>,
}

/// The squared magnitude under each wavelet in each column, pooled; not a number where a wavelet reaches samples that are none.
/// Where frames leave gaps, blocks between them do not count, and a column without any has the values of the one before.
///
/// # Errors
/// When the samples are complex, the memory does not suffice, or the work is cancelled.
pub(super) fn power<T: Real>(job: &SpectraJob<'_>, pool: Pool, columns: &Columns) -> Result<Vec<Vec<f32>>, SpectraError> {
    if job.is_complex() {
        return Err(SpectraError::Complex("a scalogram"));
    }
    let voices = voices(&job.frames);
    // The blocks of the lowest octave are the longest; each thread has one, with its spectrum and what goes back.
    let bytes = points_of(reach_of(voices[0])) as u128 * 6 * size_of::<T>() as u128 * rayon::current_num_threads() as u128;
    check_bytes(columns.ranges.len() as u128 * voices.len() as u128 * 8 + bytes)?;
    let mut powers = vec![vec![0.0_f32; voices.len()]; columns.ranges.len()];
    for (index, own) in voices.chunks(VOICES).enumerate() {
        let octave = Octave::<T>::new(index * VOICES, own, columns.step);
        let mut counts = vec![0_usize; powers.len()];
        for (first, part) in octave.parts(job, pool, columns)? {
            for (column, (count, values)) in part.into_iter().enumerate().map(|(at, part)| (first + at, part)) {
                counts[column] += count;
                let to = &mut powers[column][octave.voice..octave.voice + own.len()];
                to.iter_mut().zip(values).for_each(|(power, value)| *power = joined(pool, *power, value));
            }
        }
        for (column, count) in counts.into_iter().enumerate() {
            let voices = octave.voice..octave.voice + own.len();
            if count == 0 && column > 0 {
                let before = powers[column - 1][voices.clone()].to_vec();
                powers[column][voices].copy_from_slice(&before);
            } else if pool == Pool::Mean {
                powers[column][voices].iter_mut().for_each(|power| *power /= count.max(1) as f32);
            }
        }
    }
    job.check_end()?;
    Ok(powers)
}

/// How far the wavelet of a frequency reaches in time, in samples.
fn reach_of(cycles: f64) -> usize {
    (CUT * OMEGA / (TAU * cycles)).ceil() as usize
}

/// The points of a block whose wavelets reach so far.
fn points_of(reach: usize) -> usize {
    (4 * reach).next_power_of_two().max(SHORTEST)
}

impl<T: Real> Octave<T> {
    fn new(voice: usize, voices: &[f64], most: usize) -> Self {
        // A quarter of the shortest period.
        let wanted = (0.25 / voices[voices.len() - 1]).max(1.0) as usize;
        let step = most.min(1 << wanted.ilog2());
        let reach = reach_of(voices[0]).max(LEAST_REACH).next_multiple_of(step);
        let points = points_of(reach);
        let wavelet = |cycles: &f64| {
            let steps = |deviations: f64| (1.0 + deviations / OMEGA) * cycles * points as f64;
            let (from, to) = (steps(-CUT).ceil().max(1.0) as usize, (steps(CUT) as usize).min(points / 2));
            let factor = |bin: usize| {
                let side = if 2 * bin == points { 1.0 } else { 2.0 };
                let distance = OMEGA * (bin as f64 / (points as f64 * cycles) - 1.0);
                T::rounded(side * (-0.5 * distance * distance).exp() / points as f64)
            };
            (from, (from..=to).map(factor).collect(), reach_of(*cycles))
        };
        let wavelets = voices.iter().map(wavelet).collect();
        let (there, back) = (T::fft_of_reals(points), T::fft(points / step, FftDirection::Inverse));
        Self { voice, wavelets, points, reach, step, there, back }
    }

    /// The powers of all blocks that columns show and frames reach.
    fn parts(&self, job: &SpectraJob<'_>, pool: Pool, columns: &Columns) -> Result<Vec<Part>, SpectraError> {
        let (Some(first), Some(last)) = (columns.ranges.first(), columns.ranges.last()) else { return Ok(Vec::new()) };
        let phase = columns.first % self.step;
        let from = phase + first.start.saturating_sub(phase) / self.step * self.step;
        let each = self.points - 2 * self.reach;
        let blocks: Vec<usize> = (from..last.end).step_by(each).filter(|start| is_counted(&job.frames, *start..start + each)).collect();
        let part = |start: usize, block: &Block<T>, spectrum: &[Complex<T>]| self.part(pool, columns, (start, block), spectrum);
        let Some(rows) = job.rows else {
            let of_block = |index: usize| {
                if job.cancel.load(Ordering::Relaxed) {
                    return (0, Vec::new());
                }
                let mut block = self.read(job, blocks[index]);
                let mut spectrum = self.there.make_output_vec();
                self.there.process(&mut block.values, &mut spectrum).expect("the slices have the lengths of the plan");
                part(blocks[index], &block, &spectrum)
            };
            return Ok(threads::map(blocks.len(), &of_block));
        };
        let mut parts = Vec::with_capacity(blocks.len());
        for some in blocks.chunks((MOST_POINTS / self.points).clamp(1, TOGETHER)) {
            let read = threads::map(some.len(), &|index| self.read(job, some[index]));
            let samples = T::of_parts(read.iter().flat_map(|block| block.values.iter().copied()).collect(), false);
            let spectra = rows(Batch { rows: some.len(), points: self.points, samples })?;
            let bins = self.points / 2 + 1;
            parts.extend(threads::map(some.len(), &|index| {
                let own = &spectra[index * bins..(index + 1) * bins];
                let spectrum: Vec<_> = own.iter().map(|z| Complex::new(T::rounded(z.re), T::rounded(z.im))).collect();
                part(some[index], &read[index], &spectrum)
            }));
        }
        Ok(parts)
    }

    /// The samples of the block whose results begin at a sample.
    fn read(&self, job: &SpectraJob<'_>, start: usize) -> Block<T> {
        let mut values = vec![T::ZERO; self.points];
        // Index `reach` of the block is the sample `start`.
        let from = self.reach.saturating_sub(start);
        let first = start + from - self.reach;
        let n = job.samples.len().saturating_sub(first).min(self.points - from);
        if n > 0 {
            T::read(&job.tracks[0], job.samples.start + first, 0, &mut values[from..from + n]);
        }
        let is_gap = |value: &T| !T::wide(Complex::new(*value, T::ZERO)).re.is_finite();
        let gaps: Vec<usize> = (from..from + n).filter(|index| is_gap(&values[*index])).collect();
        gaps.iter().for_each(|index| values[*index] = T::ZERO);
        Block { values, gaps }
    }

    /// The powers of a block whose results begin at a sample, in the columns that it reaches.
    fn part(&self, pool: Pool, columns: &Columns, (start, block): (usize, &Block<T>), spectrum: &[Complex<T>]) -> Part {
        let end = start + self.points - 2 * self.reach;
        let first = columns.ranges.partition_point(|range| range.end <= start);
        // The places of the results of each column.
        let place = |sample: usize| sample.clamp(start, end).saturating_sub(start).div_ceil(self.step) + self.reach / self.step;
        let seen = columns.ranges[first..].iter().take_while(|range| range.start < end);
        let places: Vec<Range<usize>> = seen.map(|range| place(range.start)..place(range.end)).collect();
        let mut found: Vec<(usize, Vec<f32>)> = places.iter().map(|own| (own.len(), Vec::with_capacity(self.wavelets.len()))).collect();
        let zero = Complex::new(T::ZERO, T::ZERO);
        let (mut values, mut scratch) = (vec![zero; self.points / self.step], vec![zero; self.back.get_inplace_scratch_len()]);
        for (from, factors, reach) in &self.wavelets {
            values.fill(zero);
            for (index, (z, factor)) in spectrum[*from..].iter().zip(factors).enumerate() {
                values[from + index] = *z * *factor;
            }
            self.back.process_with_scratch(&mut values, &mut scratch);
            let is_gap = |place: usize| {
                let at = place * self.step;
                let next = block.gaps.partition_point(|gap| gap + reach < at);
                block.gaps.get(next).is_some_and(|gap| *gap <= at + reach)
            };
            for ((_, powers), own) in found.iter_mut().zip(&places) {
                let power = |place: usize| if is_gap(place) { f32::NAN } else { T::power(values[place]) };
                powers.push(own.clone().map(power).fold(0.0, |a, b| joined(pool, a, b)));
            }
        }
        (first, found)
    }
}

/// Whether a frame has samples between these.
fn is_counted(frames: &Frames, samples: Range<usize>) -> bool {
    // The first frame that ends behind the first of them.
    let frame = if samples.start < frames.length { 0 } else { (samples.start - frames.length) / frames.hop + 1 };
    frames.hop <= frames.length || frame * frames.hop < samples.end
}

#[cfg(test)]
mod tests {
    use super::super::{FrequencyAxis, FrequencyScale, Method, pooled, spectrogram};
    use super::*;
    use crate::signal::{ChannelChoice, Samples, Signal};
    use crate::spectra::{Overlap, Quantity};
    use num_complex::Complex64;
    use std::sync::atomic::AtomicBool;

    fn with_job<R>(values: Vec<f64>, frames: Frames, work: impl FnOnce(&SpectraJob<'_>) -> R) -> R {
        let (n, signal, cancel) = (values.len(), Signal::row("s", Samples::F64(values)), AtomicBool::new(false));
        let tracks = vec![signal.track(ChannelChoice::Luma).unwrap()];
        work(&SpectraJob::new(tracks, 0..n, frames, 1.0, &cancel))
    }

    fn noise(n: usize) -> Vec<f64> {
        (0..n as u64).map(|counter| crate::random::unit(crate::random::random_bits(counter)) - 0.5).collect()
    }

    /// The wavelet of a frequency at a time, by the integral over its spectrum.
    fn wavelet(cycles: f64, time: f64) -> Complex64 {
        const POINTS: usize = 1 << 13;
        let term = |k: usize| {
            let frequency = k as f64 / POINTS as f64;
            let height = if 2 * k == POINTS { 1.0 } else { 2.0 } * (-0.5 * (6.0 * (frequency / cycles - 1.0)).powi(2)).exp();
            Complex64::from_polar(height / POINTS as f64, TAU * frequency * time)
        };
        (1..=POINTS / 2).map(term).sum()
    }

    #[test]
    fn values_are_the_convolutions_of_the_definition() {
        let (values, frames) = (noise(400), Frames::new(32, Overlap::Samples(19)));
        let found = with_job(values.clone(), frames, |job| spectrogram::<f64>(job, Method::Scalogram, Quantity::Amplitude)).unwrap();
        assert_eq!((found.columns.len(), found.frequencies.len()), (frames.count(400), 97));
        for (voice, room) in [(0, 1e-6), (24, 1e-6), (50, 1e-6), (79, 1e-6), (96, 5e-3)] {
            let cycles = found.frequencies[voice];
            assert!((cycles - (voice as f64 / 24.0).exp2() / 32.0).abs() < 1e-12);
            let shape: Vec<Complex64> = (0..800).map(|index| wavelet(cycles, f64::from(index) - 400.0)).collect();
            for (frame, column) in found.columns.iter().enumerate().step_by(7) {
                let at = frames.middle(frame) as usize;
                let expected = values.iter().enumerate().map(|(n, value)| shape[at + 400 - n] * *value).sum::<Complex64>().norm();
                assert!((column[voice] - expected).abs() < room, "{voice} {frame}: {} for {expected}", column[voice]);
            }
        }
    }

    #[test]
    fn a_tone_reads_its_amplitude_and_a_click_is_seen_at_every_zoom() {
        let frames = Frames::new(256, Overlap::Share(0.75));
        let axis = FrequencyAxis { scale: FrequencyScale::Log, ends: [1.0 / 256.0, 0.5], rows: 80 };
        let of = |values: Vec<f64>, columns: usize, pool: Pool| {
            let times = TimeAxis::whole(values.len(), columns);
            with_job(values, frames, |job| pooled(job, (Method::Scalogram, pool), Quantity::Amplitude, (&times, &axis))).unwrap().columns
        };
        let cycles = voices(&frames)[100];
        let tone = |n: usize| (0..n).map(|index| 0.25 * (TAU * cycles * index as f64).cos()).collect();
        for pool in [Pool::Max, Pool::Mean] {
            let column = &of(tone(40_000), 20, pool)[10];
            assert!((column[axis.row(cycles) as usize].sqrt() - 0.25).abs() < 3e-3, "{pool}: {column:?}");
        }
        let click = |n: usize| (0..n).map(|index| f64::from(u8::from(index == n * 5 / 16))).collect();
        // The peak of a wavelet is the area under its spectrum: 2·√(2π)·f/ω0 for one sample.
        for columns in [7, 100, 3000] {
            let found = of(click(40_000), columns, Pool::Max);
            let row = axis.row(0.1) as usize;
            let cycles = voices(&frames).into_iter().filter(|cycles| axis.row(*cycles) as usize == row).fold(0.0, f64::max);
            let most = found.iter().map(|column| column[row].sqrt()).fold(0.0, f32::max);
            let expected = (2.0 * TAU).sqrt() * std::f64::consts::SQRT_2 * cycles / OMEGA;
            assert!((f64::from(most) / expected - 1.0).abs() < 0.02, "{columns}: {most} for {expected}");
            let loudest = (0..columns).max_by(|a, b| found[*a][row].total_cmp(&found[*b][row])).unwrap();
            assert_eq!(loudest, columns * 5 / 16, "{columns}");
        }
    }

    #[test]
    fn a_part_of_a_picture_has_the_values_of_the_whole() {
        let of = |times: TimeAxis| {
            let columns = Columns::of_picture(&times, 50_000);
            with_job(noise(50_000), Frames::new(256, Overlap::Share(0.75)), |job| power::<f64>(job, Pool::Mean, &columns)).unwrap()
        };
        let (whole, part) = (of(TimeAxis::whole(50_000, 50)), of(TimeAxis { ends: [10_000.0, 30_000.0], columns: 20 }));
        // Wavelets whose spectra end at half the rate ring beyond every block: 0.03 dB.
        let rings = |voice: usize| 2.0 * (voice as f64 / VOICES as f64).exp2() / 256.0 > 0.65;
        for (whole, part) in whole[10..30].iter().zip(&part) {
            for (voice, (a, b)) in whole.iter().zip(part).enumerate() {
                assert!((a - b).abs() <= if rings(voice) { 7e-3 } else { 2e-4 } * a, "{voice}: {a} {b}");
            }
        }
    }

    #[test]
    fn samples_that_are_no_numbers_spoil_what_reaches_them_and_gaps_of_frames_are_left_out() {
        let mut values = noise(100_000);
        values[50_000] = f64::NAN;
        let frames = Frames::new(64, Overlap::Share(0.5));
        let times = TimeAxis::whole(100_000, 1000);
        let of =
            |frames| with_job(values.clone(), frames, |job| power::<f64>(job, Pool::Max, &Columns::of_picture(&times, 100_000))).unwrap();
        let (whole, coarse) = (of(frames), of(Frames { hop: 1 << 15, ..frames }));
        let spoilt = |voice: usize| (0..1000).filter(|column| whole[*column][voice].is_nan()).collect::<Vec<_>>();
        assert_eq!((spoilt(120), spoilt(0)), (vec![499, 500], (496..=503).collect()));
        assert!(coarse.iter().flatten().all(|power| *power > 0.0 || power.is_nan()));
        assert!((0..1000).filter(|column| coarse[*column] != whole[*column]).count() > 300);
        assert!(coarse.iter().zip(&whole).any(|(a, b)| a == b));
    }
}
