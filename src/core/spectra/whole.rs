//! The transform of a whole selection, as one frame: what peaks and tones are measured in.

use super::error::check_bytes;
use super::{Batch, Calibration, Frames, Real, SpectraError, SpectraJob};
use crate::cpu::library;
use crate::plan::Direction;
use crate::prepare::{Detrend, fast_size};
use crate::threads;
use crate::transforms::{Axes, Shape};
use num_complex::Complex;
use rayon::prelude::*;

/// The spectrum of a whole selection.
#[derive(Debug, Clone, PartialEq)]
pub struct Whole<T> {
    /// The values: half of them for real samples, in natural order.
    pub values: Vec<Complex<T>>,
    /// Turns them into quantities.
    pub calibration: Calibration,
    /// Samples that are not numbers, in whose place the trend stands.
    pub skipped: usize,
}

/// Samples whose window is computed at a time.
const BLOCK: usize = 1 << 14;

/// The spectrum of the first track of a job in one frame, whatever its hop.
///
/// # Errors
/// When the selection or the frame does not fit, samples are not numbers, the memory does not suffice, or the work is cancelled.
pub fn whole<T: Real>(job: &SpectraJob<'_>) -> Result<Whole<T>, SpectraError> {
    job.check()?;
    let frames = job.frames;
    let (track, is_complex) = (&job.tracks[0], job.is_complex());
    let (length, points) = (frames.length, frames.points);
    check_bytes(match job.rows {
        None => library::line_bytes::<T>(points, !is_complex),
        Some(_) => points as u128 * 8 * size_of::<T>() as u128,
    })?;
    let read = |part: usize| threads::fill_blocks(length, &|first, to| T::read(track, job.samples.start + first, part, to));
    let (values, sums, skipped) = if is_complex {
        let parts = [read(0), read(1)];
        let mut pairs: Vec<Complex<T>> = threads::tabulate(length, |index| Complex::new(parts[0][index], parts[1][index]));
        drop(parts);
        let skipped = T::detrend_complex(&mut pairs, frames.detrend);
        let sums = weigh(&frames, &mut pairs, |value, weight| value * T::rounded(weight));
        pairs.resize(points, Complex::new(T::ZERO, T::ZERO));
        (transformed(job, pairs, is_complex)?, sums, skipped)
    } else {
        let mut row = read(0);
        let skipped = T::detrend(&mut row, frames.detrend);
        let sums = weigh(&frames, &mut row, |value, weight| value * T::rounded(weight));
        row.resize(points, T::ZERO);
        let values = match job.rows {
            None => library::half_spectrum(row, Shape::line(points), Axes::Rows, job.cancel)?,
            Some(_) => transformed(job, row.into_iter().map(|value| Complex::new(value, T::ZERO)).collect(), false)?,
        };
        (values, sums, skipped)
    };
    job.check_end()?;
    if frames.detrend == Detrend::None && !T::wide(values[0]).re.is_finite() {
        let n = job.count_not_finite();
        if n > 0 {
            return Err(SpectraError::NotFinite(n));
        }
    }
    Ok(Whole { values, calibration: Calibration::of_sums(&frames, sums, job.rate, is_complex), skipped })
}

/// The points of a transform of `n` samples that is fast: `n`, or a little more where that has large prime factors.
pub(super) fn fast_points(n: usize, is_real: bool) -> usize {
    match is_real {
        _ if library::is_fast_line(n, is_real) => n,
        true => 2 * fast_size(n.div_ceil(2)),
        false => fast_size(n),
    }
}

/// Multiplies samples by the window of a frame; returns the sums of the window by blocks.
fn weigh<V: Copy + Send>(frames: &Frames, values: &mut [V], times: impl Fn(V, f64) -> V + Sync) -> Vec<[f64; 2]> {
    let factors = frames.window.factors(frames.length);
    let of_block = |(block, values): (usize, &mut [V])| {
        let mut weights = vec![0.0; values.len()];
        factors.fill(block * BLOCK, &mut weights);
        values.iter_mut().zip(&weights).for_each(|(value, weight)| *value = times(*value, *weight));
        Calibration::sums(&weights)
    };
    values.par_chunks_mut(BLOCK).enumerate().map(of_block).collect()
}

/// The spectrum of one row, by whoever the job names.
fn transformed<T: Real>(job: &SpectraJob<'_>, row: Vec<Complex<T>>, is_complex: bool) -> Result<Vec<Complex<T>>, SpectraError> {
    let points = row.len();
    let Some(rows) = job.rows else {
        return Ok(library::transform(row, Shape::line(points), Axes::Rows, Direction::Forward, job.cancel)?);
    };
    let values = rows(Batch { rows: 1, points, samples: T::samples(&row, is_complex) })?;
    Ok(values.into_iter().map(|z| Complex::new(T::rounded(z.re), T::rounded(z.im))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::{ChannelChoice, Reading, load_as};
    use crate::spectra::{Average, averaged};
    use std::sync::atomic::AtomicBool;

    #[test]
    fn a_recording_that_became_shorter_has_no_spectrum() {
        let folder = tempfile::TempDir::new().expect("there is room for a folder");
        let path = folder.path().join("long.s16");
        let file = std::fs::File::create(&path).expect("the folder is there");
        // A file of zeros that takes no room, large enough to stay where it is.
        file.set_len(40 << 20).expect("it grows");
        let signal = load_as(&path, &Reading::default()).expect("it is one of samples");
        let cancel = AtomicBool::new(false);
        let track = || vec![signal.track(ChannelChoice::Luma).expect("it has a channel")];
        let job = |from: usize, length: usize| SpectraJob::new(track(), from..from + 100_000, Frames::whole(length), 1.0, &cancel);
        assert!(whole::<f32>(&job(20_000_000, 100_000)).is_ok());
        file.set_len(39 << 20).expect("it shrinks");
        let shorter = "the recording became shorter while it was read";
        for from in [0, 20_800_000] {
            let found = [
                whole::<f32>(&job(from, 100_000)).err(),
                averaged(&job(from, 4096), Average::Mean).err(),
                averaged(&job(from, 4096), Average::Median).err(),
            ];
            assert_eq!(found, [(); 3].map(|()| Some(SpectraError::Changed(shorter.to_owned()))), "{from}");
        }
    }
}
