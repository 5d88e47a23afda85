//! Running spectra of a stream: every frame counts in means, in holds and in a row of the waterfall, whatever the parts in which the samples come.

use super::super::real::in_precision;
use super::super::rows::{Fold, fold, weights};
use super::super::{Calibration, Frames, Quantity, Real, SpectraError, SpectraJob};
use super::pooled::{Power, Rows};
use super::{FrequencyAxis, Pool, Pooled, TimeAxis, is_finite};
use crate::signal::Track;
use crate::threads;
use num_complex::Complex;
use std::ops::Range;
use std::sync::Arc;

crate::choice! {
    /// How a running spectrum sums up the frames of a stream.
    pub enum Trace {
        /// The mean power of all frames.
        Mean = "Mean", "mean";
        /// The exponential mean of the power: newer frames weigh more.
        #[default]
        Recent = "Recent mean", "recent";
        /// The largest power, which sinks as it is chosen.
        Max = "Maximum hold", "max";
        /// The smallest power, which rises as it is chosen.
        Min = "Minimum hold", "min";
    }
}

/// How fast a running spectrum forgets, from one frame to the next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Forgetting {
    /// The share of the exponential mean that stays, from 0 to 1.
    pub stays: f32,
    /// The factor of a held maximum, from 0 to 1; that of a held minimum is its reciprocal. 1 holds for ever.
    pub holds: f32,
}

/// The power of the frames of a stream so far, in natural order.
#[derive(Debug, Clone, PartialEq)]
pub struct Running {
    /// Number of frames that count.
    pub count: usize,
    /// Frames that do not count, as they hold samples that are not numbers.
    pub skipped: usize,
    sum: Vec<f64>,
    recent: Vec<f32>,
    /// The weights of the exponential mean, whose sum approaches 1.
    weight: f32,
    max: Vec<f32>,
    min: Vec<f32>,
}

/// A row of the waterfall of a stream: the largest power of some frames, and the extremes of their samples.
#[derive(Debug, Clone)]
pub struct StreamRow {
    /// The samples that it stands for, counted from the beginning of the stream.
    pub samples: Range<u64>,
    /// The smallest and the largest value, of complex samples that of the real parts.
    pub wave: [f32; 2],
    /// The largest magnitude of a sample.
    pub peak: f32,
    power: Power,
}

/// Frames of a part of a row: the most that one thread takes at a time.
const PIECE: usize = 16;

impl Running {
    /// That of no frames.
    pub fn none(bins: usize) -> Self {
        Self {
            count: 0,
            skipped: 0,
            sum: vec![0.0; bins],
            recent: vec![0.0; bins],
            weight: 0.0,
            max: vec![0.0; bins],
            min: vec![f32::INFINITY; bins],
        }
    }

    /// The power of a trace, in natural order; not a number where no frame has come.
    pub fn power(&self, trace: Trace) -> Vec<f64> {
        let single = |values: &[f32], scale: f32| values.iter().map(|value| f64::from(value / scale)).collect();
        match trace {
            _ if self.count == 0 => vec![f64::NAN; self.sum.len()],
            Trace::Mean => self.sum.iter().map(|sum| sum / self.count as f64).collect(),
            Trace::Recent => single(&self.recent, self.weight),
            Trace::Max => single(&self.max, 1.0),
            Trace::Min => single(&self.min, 1.0),
        }
    }

    /// Takes in the next frame.
    fn add<T: Real>(&mut self, spectrum: &[Complex<T>], Forgetting { stays, holds }: Forgetting) {
        if !is_finite(spectrum) {
            self.skipped += 1;
            return;
        }
        self.count += 1;
        self.weight = self.weight * stays + (1.0 - stays);
        let rises = holds.recip();
        let values = self.sum.iter_mut().zip(&mut self.recent).zip(&mut self.max).zip(&mut self.min).zip(spectrum);
        for ((((sum, recent), max), min), z) in values {
            let power = T::power(*z);
            *sum += f64::from(power);
            *recent = *recent * stays + power * (1.0 - stays);
            *max = (*max * holds).max(power);
            *min = (*min * rises).min(power);
        }
    }

    /// Takes in the frames after these.
    fn join(&mut self, next: &Self, Forgetting { stays, holds }: Forgetting) {
        let n = i32::try_from(next.count).unwrap_or(i32::MAX);
        let (stays, holds) = (stays.powi(n), holds.powi(n));
        self.count += next.count;
        self.skipped += next.skipped;
        self.weight = self.weight * stays + next.weight;
        self.sum.iter_mut().zip(&next.sum).for_each(|(sum, own)| *sum += own);
        self.recent.iter_mut().zip(&next.recent).for_each(|(recent, own)| *recent = *recent * stays + own);
        self.max.iter_mut().zip(&next.max).for_each(|(max, own)| *max = (*max * holds).max(*own));
        self.min.iter_mut().zip(&next.min).for_each(|(min, own)| *min = (*min / holds).min(*own));
    }
}

impl StreamRow {
    /// The row of this one and the next one.
    #[must_use]
    pub fn joined(&self, next: &Self) -> Self {
        let mut power = self.power.clone();
        power.join(Pool::Max, &next.power);
        let wave = [self.wave[0].min(next.wave[0]), self.wave[1].max(next.wave[1])];
        Self { samples: self.samples.start..next.samples.end, wave, peak: self.peak.max(next.peak), power }
    }

    /// The largest power between two frequencies, as a squared quantity; 0 where the row has none there.
    pub fn largest(&self, frames: &Frames, (calibration, quantity): (&Calibration, Quantity), [low, high]: [f64; 2]) -> f64 {
        let bins = (0..self.power.values.len()).filter(|bin| {
            let frequency = frames.frequency(*bin, calibration.is_complex, calibration.rate);
            (low..=high).contains(&frequency)
        });
        let power = bins.map(|bin| frames.natural(bin, calibration.is_complex)).map(|bin| (bin, f64::from(self.power.values[bin])));
        power.map(|(bin, power)| power * calibration.factor(quantity, bin)).fold(0.0, f64::max)
    }
}

/// Counts all frames of a job in a running spectrum, and returns their rows of `per_row` frames; the samples of the job begin at `first` in the stream.
///
/// # Errors
/// When the selection or the frames do not fit, or the work is cancelled.
pub fn counted_rows(
    job: &SpectraJob<'_>,
    first: u64,
    per_row: usize,
    forgetting: Forgetting,
    running: &mut Running,
) -> Result<Vec<StreamRow>, SpectraError> {
    in_precision!(job, counted_rows_in(job, first, per_row, forgetting, running))
}

fn counted_rows_in<T: Real>(
    job: &SpectraJob<'_>,
    first: u64,
    per_row: usize,
    forgetting: Forgetting,
    running: &mut Running,
) -> Result<Vec<StreamRow>, SpectraError> {
    job.check()?;
    let (n, bins, hop) = (job.count(), job.bins(), job.frames.hop);
    let per_row = per_row.max(1);
    let rows: Vec<Range<usize>> = (0..n).step_by(per_row).map(|row| row..n.min(row + per_row)).collect();
    let pieces: Vec<Range<usize>> = rows.iter().flat_map(|row| row.clone().step_by(PIECE).map(|at| at..row.end.min(at + PIECE))).collect();
    let found = fold(
        job,
        &[weights::<T>(&job.frames)],
        &pieces,
        &Fold {
            start: &|_| (Running::none(bins), Power::none(bins)),
            add: &|(running, power): &mut (Running, Power), _, spectra: &[Vec<Complex<T>>]| {
                running.add(&spectra[0], forgetting);
                power.add(Pool::Max, spectra);
            },
            finish: &|_, piece| piece,
        },
    )?;
    let waves = threads::map(rows.len(), &|row| {
        let last = if row + 1 == rows.len() { job.samples.len() } else { rows[row].end * hop };
        extremes(&job.tracks[0], job.samples.start + rows[row].start * hop..job.samples.start + last)
    });
    let mut pieces = pieces.into_iter().zip(found).peekable();
    Ok(rows
        .into_iter()
        .zip(waves)
        .map(|(row, (wave, peak))| {
            let mut power = Power::none(bins);
            while let Some((_, (piece, own))) = pieces.next_if(|(piece, _)| piece.start < row.end) {
                running.join(&piece, forgetting);
                power.join(Pool::Max, &own);
            }
            StreamRow { samples: first + (row.start * hop) as u64..first + (row.end * hop) as u64, wave, peak, power }
        })
        .collect())
}

/// The extremes of the real parts of samples, and the largest magnitude.
fn extremes(track: &Track<'_>, samples: Range<usize>) -> ([f32; 2], f32) {
    const BLOCK: usize = 1 << 12;
    let mut parts = [vec![0.0; BLOCK], vec![0.0; if track.is_complex() { BLOCK } else { 0 }]];
    let (mut wave, mut square) = ([f32::INFINITY, f32::NEG_INFINITY], 0.0_f32);
    for start in samples.clone().step_by(BLOCK) {
        let n = BLOCK.min(samples.end - start);
        parts.iter_mut().enumerate().filter(|(_, part)| !part.is_empty()).for_each(|(k, part)| track.read_f32(start, k, &mut part[..n]));
        for (index, value) in parts[0][..n].iter().enumerate().filter(|(_, value)| value.is_finite()) {
            wave = [wave[0].min(*value), wave[1].max(*value)];
            let imaginary = parts[1].get(index).copied().unwrap_or(0.0);
            square = square.max(value * value + imaginary * imaginary);
        }
    }
    (wave, square.sqrt())
}

/// The squared quantity in each pixel of a picture of rows in ascending order, by the largest power; not a number where the stream has no row.
/// The times count samples from the beginning of the stream.
pub fn pooled_rows(
    rows: &[Arc<StreamRow>],
    (frames, calibration): (&Frames, &Calibration),
    quantity: Quantity,
    (times, axis): (&TimeAxis, &FrequencyAxis),
) -> Pooled {
    let bins = frames.bins(calibration.is_complex);
    let of_rows = Rows::new(frames, Pool::Max, 1, calibration, quantity, axis);
    let columns = threads::map(times.columns, &|column| {
        let [from, to] = [column, column + 1].map(|edge| times.ends[0] + edge as f64 * times.width());
        let first = rows.partition_point(|row| row.samples.end as f64 <= from);
        let last = rows.partition_point(|row| (row.samples.start as f64) < to);
        if first >= last {
            return vec![f32::NAN; axis.rows];
        }
        let mut power = Power::none(bins);
        rows[first..last].iter().for_each(|row| power.join(Pool::Max, &row.power));
        of_rows.of(&power)
    });
    Pooled { columns, calibration: *calibration }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::{ChannelChoice, Samples, Signal};
    use crate::spectra::{Average, FrequencyScale, Overlap, averaged};
    use std::sync::atomic::AtomicBool;

    const FORGETTING: Forgetting = Forgetting { stays: 0.9, holds: 0.97 };

    fn noise(n: usize) -> Signal {
        let value = |index: usize| crate::random::unit(crate::random::random_bits(index as u64)) - 0.5;
        Signal::row("noise", Samples::F64((0..n).map(value).collect()))
    }

    fn counted(signal: &Signal, samples: Range<usize>, per_row: usize, running: &mut Running) -> Vec<StreamRow> {
        let cancel = AtomicBool::new(false);
        let (track, first) = (signal.track(ChannelChoice::Luma).unwrap(), samples.start as u64);
        let job = SpectraJob::new(vec![track], samples, Frames::new(64, Overlap::Samples(32)), 1000.0, &cancel);
        counted_rows(&job, first, per_row, FORGETTING, running).unwrap()
    }

    #[test]
    fn every_frame_counts_as_its_definition_says_whatever_the_parts() {
        let (signal, cancel) = (noise(64 + 32 * 99), AtomicBool::new(false));
        let mut whole = Running::none(33);
        let rows = counted(&signal, 0..signal.columns, 7, &mut whole);
        assert_eq!((whole.count, rows.len(), rows[1].samples.clone()), (100, 15, 7 * 32..14 * 32));
        let mut parts = Running::none(33);
        for from in (0..100).step_by(10) {
            counted(&signal, 32 * from..32 * from + 64 + 9 * 32, 3, &mut parts);
        }
        let track = || signal.track(ChannelChoice::Luma).unwrap();
        let frames = Frames::new(64, Overlap::Samples(32));
        let job = |samples| SpectraJob::new(vec![track()], samples, frames, 1000.0, &cancel);
        let each: Vec<Vec<f64>> = (0..100).map(|frame| averaged(&job(32 * frame..32 * frame + 64), Average::Mean).unwrap().power).collect();
        for bin in 0..33 {
            let mean = each.iter().map(|power| power[bin]).sum::<f64>() / 100.0;
            let [mut recent, mut max, mut min] = [0.0, 0.0, f64::INFINITY];
            for power in &each {
                recent = 0.9 * recent + 0.1 * power[bin];
                (max, min) = (power[bin].max(max * 0.97), power[bin].min(min / 0.97));
            }
            let expected = [mean, recent / (1.0 - 0.9_f64.powi(100)), max, min];
            for (trace, expected) in [Trace::Mean, Trace::Recent, Trace::Max, Trace::Min].into_iter().zip(expected) {
                for found in [&whole, &parts].map(|running| running.power(trace)[bin]) {
                    assert!((found / expected - 1.0).abs() < 1e-4, "{trace} {bin}: {found} for {expected}");
                }
            }
        }
    }

    #[test]
    fn one_sample_is_seen_in_its_column_and_a_gap_is_no_silence() {
        let mut values = vec![0.0; 32_064];
        values[20_000] = 1.0;
        let signal = Signal::row("click", Samples::F64(values));
        let mut rows: Vec<_> = counted(&signal, 0..32_064, 10, &mut Running::none(33)).into_iter().map(Arc::new).collect();
        let click = rows.iter().position(|row| row.peak > 0.0).unwrap();
        assert_eq!((rows[click].wave, rows.len()), ([0.0, 1.0], 101));
        assert!(rows[click].samples.contains(&20_000), "{:?}", rows[click].samples);
        rows.drain(10..20);
        let (frames, axis) =
            (Frames::new(64, Overlap::Samples(32)), FrequencyAxis { scale: FrequencyScale::Linear, ends: [0.0, 500.0], rows: 4 });
        let calibration = Calibration::of(&frames, 1000.0, false);
        let times = TimeAxis { ends: [0.0, 32_000.0], columns: 10 };
        let found = pooled_rows(&rows, (&frames, &calibration), Quantity::Power, (&times, &axis)).columns;
        let is_lit = |column: usize| found[column].iter().all(|power| *power > 0.0);
        assert_eq!((0..10).filter(|column| is_lit(*column)).collect::<Vec<_>>(), [6], "{found:?}");
        assert!(found[1].iter().all(|power| power.is_nan()) && found[2].iter().all(|power| *power == 0.0), "{found:?}");
        let band = rows.iter().map(|row| row.largest(&frames, (&calibration, Quantity::Power), [100.0, 200.0])).fold(0.0, f64::max);
        assert!(band > 0.0);
    }

    #[test]
    fn frames_of_what_is_no_number_are_skipped_and_said() {
        let mut values = vec![0.5; 64 + 32 * 9];
        values[100] = f64::NAN;
        let mut running = Running::none(33);
        counted(&Signal::row("gap", Samples::F64(values)), 0..64 + 32 * 9, 4, &mut running);
        assert_eq!((running.count, running.skipped), (8, 2));
        assert!(running.power(Trace::Max).iter().all(|power| power.is_finite()));
    }
}
