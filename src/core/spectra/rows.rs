//! Frames as rows: read, prepared, transformed on all cores, and folded into results.

use super::{Frames, Real, SpectraError};
use crate::cpu::Cancelled;
use crate::plan::Precision;
use crate::prepare::Detrend;
use crate::signal::{Samples, Track};
use num_complex::{Complex, Complex64};
use rayon::prelude::*;
use realfft::RealToComplex;
use rustfft::{Fft, FftDirection};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Rows that are transformed together by whoever a [`SpectraJob`] names.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    /// Number of rows.
    pub rows: usize,
    /// Points of a row.
    pub points: usize,
    /// The rows one after the other, in the precision of the job: real, or complex.
    pub samples: Samples,
}

/// Transforms the rows of a batch: the first `points`/2 + 1 values of each real row, or all values of each complex one, one row after the other.
///
/// # Errors
/// When it gives up; the caller knows why.
pub type RowTransform<'a> = dyn Fn(Batch) -> Result<Vec<Complex64>, Cancelled> + Sync + 'a;

/// The samples to measure, and how.
#[derive(Clone)]
pub struct SpectraJob<'a> {
    /// The samples: one track, or several that are read side by side.
    pub tracks: Vec<Track<'a>>,
    /// The samples that are taken.
    pub samples: Range<usize>,
    /// How they are divided.
    pub frames: Frames,
    /// Samples in a unit.
    pub rate: f64,
    /// The precision in which they are read and transformed.
    pub precision: Precision,
    /// Transforms rows; `None` takes the library, on all cores.
    pub rows: Option<&'a RowTransform<'a>>,
    /// Set by whoever gives up.
    pub cancel: &'a AtomicBool,
}

/// Takes the spectra of a frame into a state.
pub(super) type Add<'a, T, S> = dyn Fn(&mut S, usize, &[Vec<Complex<T>>]) + Sync + 'a;

/// How the spectra of groups of frames become results, each group on one thread.
pub(super) struct Fold<'a, T, S, R> {
    /// The state before the first frame of a group.
    pub(super) start: &'a (dyn Fn(usize) -> S + Sync),
    /// Takes the spectra of a frame into the state: those of each track under each window, the windows of a track side by side.
    pub(super) add: &'a Add<'a, T, S>,
    /// The result of a group.
    pub(super) finish: &'a (dyn Fn(usize, S) -> R + Sync),
}

/// Double precision where single does not hold every sample.
pub fn precision_of(tracks: &[Track<'_>]) -> Precision {
    if tracks.iter().any(Track::is_double) { Precision::Double } else { Precision::Single }
}

impl<'a> SpectraJob<'a> {
    /// A job of the library, in single precision where that holds every sample.
    pub fn new(tracks: Vec<Track<'a>>, samples: Range<usize>, frames: Frames, rate: f64, cancel: &'a AtomicBool) -> Self {
        let precision = precision_of(&tracks);
        Self { tracks, samples, frames, rate, precision, rows: None, cancel }
    }

    /// Whether any samples are complex, so that all are taken as such.
    pub fn is_complex(&self) -> bool {
        self.tracks.iter().any(Track::is_complex)
    }

    /// Number of frames.
    pub fn count(&self) -> usize {
        self.frames.count(self.samples.len())
    }

    /// Values of a spectrum.
    pub fn bins(&self) -> usize {
        self.frames.bins(self.is_complex())
    }

    /// Refuses a selection outside, and frames that it does not have.
    ///
    /// # Errors
    /// When the selection is empty or lies outside, or has no such frames.
    pub fn check(&self) -> Result<(), SpectraError> {
        let samples = self.tracks.iter().map(Track::len).min().unwrap_or(0);
        let Range { start: from, end: to } = self.samples;
        if from >= to || to > samples {
            return Err(SpectraError::Selection { from, to, samples });
        }
        if to - from < 2 {
            return Err(SpectraError::TooFew { measure: "a spectrum", least: 2, samples: to - from });
        }
        Ok(self.frames.check(self.samples.len())?)
    }

    /// Refuses a result that was given up, or whose samples were not those of the recording that was opened.
    ///
    /// # Errors
    /// When the work is cancelled, or the file of a large recording has changed.
    pub(super) fn check_end(&self) -> Result<(), SpectraError> {
        if self.cancel.load(Ordering::Relaxed) {
            return Err(SpectraError::Cancelled);
        }
        self.tracks.iter().find_map(Track::fault).map_or(Ok(()), |fault| Err(SpectraError::Changed(fault)))
    }

    /// The selected samples that are infinite or not a number.
    pub fn count_not_finite(&self) -> usize {
        const BLOCK: usize = 1 << 14;
        let n = self.samples.len();
        let of_block = |block: usize| {
            let mut values = vec![0.0; BLOCK.min(n - block * BLOCK)];
            let mut count = 0;
            for track in self.tracks.iter().filter(|track| track.has_exponents()) {
                for part in 0..if track.is_complex() { 2 } else { 1 } {
                    track.read_f64(self.samples.start + block * BLOCK, part, &mut values);
                    count += values.iter().filter(|value| !value.is_finite()).count();
                }
            }
            count
        };
        crate::threads::map(n.div_ceil(BLOCK), &of_block).into_iter().sum()
    }
}

/// The transform of a row, which all threads share: of real or of complex samples.
#[derive(Clone)]
struct RowPlan<T> {
    real: Option<Arc<dyn RealToComplex<T>>>,
    complex: Option<Arc<dyn Fft<T>>>,
}

/// Samples of a track: some more than a frame, so that a file is not asked for every one.
struct Held<T> {
    /// Their real and imaginary parts; no imaginary ones of real samples.
    parts: [Vec<T>; 2],
    samples: Range<usize>,
    /// Where the frame begins among them.
    at: usize,
}

/// Samples that are read ahead of a frame that overlaps the next one.
const AHEAD: usize = 1 << 14;

/// The points of a batch of rows that are transformed together.
pub(super) const MOST_POINTS: usize = 1 << 22;

/// The buffers that a thread keeps to read and transform frames.
struct Worker<T> {
    plan: RowPlan<T>,
    /// The samples that were read of each track.
    held: Vec<Held<T>>,
    /// One past the last sample that the group of frames needs.
    until: usize,
    /// The frame after its preparation, and under a window.
    plain: Vec<Complex<T>>,
    row: Vec<T>,
    pairs: Vec<Complex<T>>,
    scratch: Vec<Complex<T>>,
    spectra: Vec<Vec<Complex<T>>>,
}

impl<T: Real> RowPlan<T> {
    fn new(job: &SpectraJob<'_>) -> Self {
        let (points, is_complex) = (job.frames.points, job.is_complex());
        Self { real: (!is_complex).then(|| T::fft_of_frames(points)), complex: is_complex.then(|| T::fft(points, FftDirection::Forward)) }
    }
}

impl<T: Real> Worker<T> {
    fn new(job: &SpectraJob<'_>, n_windows: usize, plan: RowPlan<T>) -> Self {
        let (Frames { length, points, .. }, is_complex) = (job.frames, job.is_complex());
        let zero = Complex::new(T::ZERO, T::ZERO);
        let n_scratch = plan
            .real
            .as_ref()
            .map_or(0, |plan| plan.get_scratch_len())
            .max(plan.complex.as_ref().map_or(0, |plan| plan.get_inplace_scratch_len()));
        Self {
            held: job.tracks.iter().map(|_| Held { parts: [Vec::new(), Vec::new()], samples: 0..0, at: 0 }).collect(),
            until: 0,
            plain: vec![zero; if is_complex { length } else { 0 }],
            row: vec![T::ZERO; if is_complex { length } else { points }],
            pairs: vec![zero; if is_complex { points } else { 0 }],
            scratch: vec![zero; n_scratch],
            spectra: vec![vec![zero; job.bins()]; job.tracks.len() * n_windows],
            plan,
        }
    }

    /// Says which frames are read next, one after the other.
    fn begin(&mut self, job: &SpectraJob<'_>, last: usize) {
        self.until = job.samples.start + last * job.frames.hop + job.frames.length;
    }

    /// Reads a frame of a track; samples that are there already are kept.
    fn read(&mut self, job: &SpectraJob<'_>, track: usize, frame: usize) {
        let Frames { length, hop, .. } = job.frames;
        let start = job.samples.start + frame * hop;
        let Held { parts, samples, at } = &mut self.held[track];
        if start < samples.start || start + length > samples.end {
            let ahead = if hop < length { AHEAD } else { 0 };
            let end = (start + length + ahead).min(self.until.max(start + length));
            let kept = if samples.contains(&start) { start..samples.end } else { start..start };
            for (part, values) in parts.iter_mut().enumerate().take(if job.is_complex() { 2 } else { 1 }) {
                if !kept.is_empty() {
                    values.copy_within(kept.start - samples.start..kept.end - samples.start, 0);
                }
                values.resize(end - start, T::ZERO);
                T::read(&job.tracks[track], kept.end, part, &mut values[kept.len()..]);
            }
            *samples = start..end;
        }
        *at = start - samples.start;
    }

    /// Puts a frame under a window into the row; what follows the samples stays zero.
    fn weigh(&mut self, job: &SpectraJob<'_>, track: usize, window: &[T]) {
        let (detrend, length) = (job.frames.detrend, job.frames.length);
        let Held { parts, at, .. } = &self.held[track];
        let real = &parts[0][*at..*at + length];
        if self.plan.complex.is_some() {
            for ((to, re), im) in self.plain.iter_mut().zip(real).zip(&parts[1][*at..*at + length]) {
                *to = Complex::new(*re, *im);
            }
            T::detrend_complex(&mut self.plain, detrend);
            self.pairs[length..].fill(Complex::new(T::ZERO, T::ZERO));
            for ((to, z), weight) in self.pairs.iter_mut().zip(&self.plain).zip(window) {
                *to = *z * *weight;
            }
            return;
        }
        let row = &mut self.row[..length];
        if detrend == Detrend::None {
            T::weigh(row, real, window);
        } else {
            row.copy_from_slice(real);
            T::detrend(row, detrend);
            row.iter_mut().zip(window).for_each(|(value, weight)| *value = *value * *weight);
        }
        // The transform leaves other values there.
        self.row[length..].fill(T::ZERO);
    }

    /// The spectra of a frame, of each track under each window.
    fn spectra(&mut self, job: &SpectraJob<'_>, windows: &[Vec<T>], frame: usize) {
        for track in 0..job.tracks.len() {
            self.read(job, track, frame);
            for (index, window) in windows.iter().enumerate() {
                self.weigh(job, track, window);
                let to = &mut self.spectra[track * windows.len() + index];
                if let Some(plan) = &self.plan.complex {
                    plan.process_with_scratch(&mut self.pairs, &mut self.scratch);
                    to.copy_from_slice(&self.pairs);
                } else if let Some(plan) = &self.plan.real {
                    plan.process_with_scratch(&mut self.row, to, &mut self.scratch).expect("the slices have the lengths of the plan");
                }
            }
        }
    }
}

/// The results of groups of frames, in order, whose spectra under `windows` the library computes on all cores, or whoever the job names.
///
/// # Errors
/// When `cancel` is set, or whoever transforms rows gives up.
pub(super) fn fold<T: Real, S: Send, R: Send>(
    job: &SpectraJob<'_>,
    windows: &[Vec<T>],
    groups: &[Range<usize>],
    fold: &Fold<'_, T, S, R>,
) -> Result<Vec<R>, SpectraError> {
    if let Some(rows) = job.rows {
        return by_rows(job, windows, groups, fold, rows);
    }
    let cancel = job.cancel;
    let plan = RowPlan::<T>::new(job);
    let results = groups.par_iter().enumerate().map_init(
        || Worker::new(job, windows.len(), plan.clone()),
        |worker, (index, group)| {
            let mut state = (fold.start)(index);
            worker.begin(job, group.end.max(1) - 1);
            for frame in group.clone() {
                if cancel.load(Ordering::Relaxed) {
                    break;
                }
                worker.spectra(job, windows, frame);
                (fold.add)(&mut state, frame, &worker.spectra);
            }
            (fold.finish)(index, state)
        },
    );
    let results = results.collect();
    job.check_end().map(|()| results)
}

/// As [`fold`], by batches of rows that another one transforms.
fn by_rows<T: Real, S, R>(
    job: &SpectraJob<'_>,
    windows: &[Vec<T>],
    groups: &[Range<usize>],
    fold: &Fold<'_, T, S, R>,
    rows: &RowTransform<'_>,
) -> Result<Vec<R>, SpectraError> {
    let (points, bins, is_complex) = (job.frames.points, job.bins(), job.is_complex());
    let each = job.tracks.len() * windows.len();
    let most = (MOST_POINTS / (points * each)).max(1);
    let all: Vec<(usize, usize)> =
        groups.iter().enumerate().flat_map(|(group, frames)| frames.clone().map(move |frame| (group, frame))).collect();
    let mut states: Vec<Option<S>> = groups.iter().map(|_| None).collect();
    let mut results = Vec::with_capacity(groups.len());
    let mut worker = Worker::<T>::new(job, windows.len(), RowPlan::new(job));
    for some in all.chunks(most) {
        if job.cancel.load(Ordering::Relaxed) {
            return Err(SpectraError::Cancelled);
        }
        let mut values: Vec<Complex<T>> = Vec::with_capacity(some.len() * each * points);
        worker.begin(job, some[some.len() - 1].1);
        for (_, frame) in some {
            for track in 0..job.tracks.len() {
                worker.read(job, track, *frame);
                for window in windows {
                    worker.weigh(job, track, window);
                    if is_complex {
                        values.extend_from_slice(&worker.pairs);
                    } else {
                        values.extend(worker.row.iter().map(|value| Complex::new(*value, T::ZERO)));
                    }
                }
            }
        }
        let spectra = rows(Batch { rows: some.len() * each, points, samples: T::samples(&values, is_complex) })?;
        for ((group, frame), spectra) in some.iter().zip(spectra.chunks(bins * each)) {
            for (to, from) in worker.spectra.iter_mut().zip(spectra.chunks(bins)) {
                to.iter_mut().zip(from).for_each(|(to, z)| *to = Complex::new(T::rounded(z.re), T::rounded(z.im)));
            }
            let state = states[*group].get_or_insert_with(|| (fold.start)(*group));
            (fold.add)(state, *frame, &worker.spectra);
        }
    }
    for (index, state) in states.into_iter().enumerate() {
        results.push((fold.finish)(index, state.unwrap_or_else(|| (fold.start)(index))));
    }
    job.check_end().map(|()| results)
}

/// The factors of the window of some frames.
pub(super) fn weights<T: Real>(frames: &Frames) -> Vec<T> {
    crate::threads::convert(&frames.window.weights(frames.length), T::rounded)
}

/// The frames below `n` in groups of about equal numbers, at most `most`.
pub(super) fn grouped(n: usize, most: usize) -> Vec<Range<usize>> {
    let each = n.div_ceil(most.max(1)).max(1);
    (0..n.div_ceil(each)).map(|group| group * each..n.min((group + 1) * each)).collect()
}
