//! The pixels of a picture: the power of the frames of each column, pooled while they run.

use super::super::error::check_bytes;
use super::super::real::{in_precision, larger};
use super::super::rows::{Fold, fold};
use super::super::{Calibration, Frames, Quantity, Real, SpectraError, SpectraJob};
use super::{Blocks, FrequencyAxis, Method, Pool, TimeAxis, is_finite, reassigned, scalogram, windows};
use crate::threads;
use num_complex::Complex;
use std::ops::Range;

/// Squared quantities of the pixels of a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Pooled {
    /// Those of each column, from the lowest row up; not a number where samples are none.
    pub columns: Vec<Vec<f32>>,
    /// The calibration that turned squared magnitudes into them.
    pub calibration: Calibration,
}

/// The power of some frames: of each value in natural order the largest one or their sum.
#[derive(Debug, Clone)]
pub(super) struct Power {
    pub(super) values: Vec<f32>,
    pub(super) count: usize,
}

impl Pooled {
    /// The largest value; 0 where all are silent or no numbers.
    pub fn largest(&self) -> f32 {
        self.columns.iter().flatten().copied().filter(|value| value.is_finite()).fold(0.0, f32::max)
    }
}

impl Power {
    /// That of no frames.
    pub(super) fn none(bins: usize) -> Self {
        Self { values: vec![0.0; bins], count: 0 }
    }

    /// Takes in a frame, whose spectra are those under each window.
    pub(super) fn add<T: Real>(&mut self, pool: Pool, spectra: &[Vec<Complex<T>>]) {
        self.count += 1;
        let power = &mut self.values;
        if !spectra.iter().all(|spectrum| is_finite(spectrum)) {
            // A frame of samples that are not numbers is not silence.
            power.fill(f32::NAN);
        } else if let [spectrum] = spectra {
            match pool {
                Pool::Max => T::pool_largest(power, spectrum),
                Pool::Mean => T::pool_sum(power, spectrum),
            }
        } else {
            for (bin, power) in power.iter_mut().enumerate() {
                let own = spectra.iter().map(|spectrum| T::power(spectrum[bin])).sum();
                *power = joined(pool, *power, own);
            }
        }
    }

    /// Takes in the power of other frames.
    pub(super) fn join(&mut self, pool: Pool, other: &Self) {
        self.count += other.count;
        self.values.iter_mut().zip(&other.values).for_each(|(power, own)| *power = joined(pool, *power, *own));
    }
}

/// How the power of values becomes that of rows.
pub(super) struct Rows {
    pool: Pool,
    /// The values of each row, from the lowest frequency.
    places: Vec<Range<usize>>,
    /// The natural index of each value, and what its squared magnitude is multiplied by.
    order: Vec<usize>,
    factors: Vec<f32>,
}

impl Rows {
    pub(super) fn new(
        frames: &Frames,
        pool: Pool,
        n_windows: usize,
        calibration: &Calibration,
        quantity: Quantity,
        axis: &FrequencyAxis,
    ) -> Self {
        let (rate, is_complex) = (calibration.rate, calibration.is_complex);
        let bins = frames.bins(is_complex);
        let order: Vec<usize> = (0..bins).map(|bin| frames.natural(bin, is_complex)).collect();
        let factors = order.iter().map(|bin| (calibration.factor(quantity, *bin) / n_windows as f64) as f32).collect();
        Self { pool, places: axis.bins(bins, |bin| frames.frequency(bin, is_complex, rate)), order, factors }
    }

    /// Those of the wavelets of a scalogram.
    fn of_wavelets(job: &SpectraJob<'_>, pool: Pool, factor: f64, axis: &FrequencyAxis) -> Self {
        let voices = scalogram::voices(&job.frames);
        let n = voices.len();
        Self { pool, places: axis.bins(n, |voice| voices[voice] * job.rate), order: (0..n).collect(), factors: vec![factor as f32; n] }
    }

    pub(super) fn of(&self, Power { values, count }: &Power) -> Vec<f32> {
        let scale = if self.pool == Pool::Mean { 1.0 / (*count).max(1) as f32 } else { 1.0 };
        let at = |place: usize| values[self.order[place]] * self.factors[place] * scale;
        let row = |places: &Range<usize>| match self.pool {
            Pool::Max => places.clone().map(at).fold(0.0, larger),
            Pool::Mean => places.clone().map(at).sum::<f32>() / places.len() as f32,
        };
        self.places.iter().map(row).collect()
    }
}

/// The squared quantity of the first track of a job in each pixel of a picture. Every frame counts whose middle lies in the times of the picture.
///
/// # Errors
/// When the selection or the frames do not fit, or the work is cancelled.
pub fn pooled(
    job: &SpectraJob<'_>,
    how: (Method, Pool),
    quantity: Quantity,
    picture: (&TimeAxis, &FrequencyAxis),
) -> Result<Pooled, SpectraError> {
    in_precision!(job, pooled_in(job, how, quantity, picture))
}

fn pooled_in<T: Real>(
    job: &SpectraJob<'_>,
    (method, pool): (Method, Pool),
    quantity: Quantity,
    (times, axis): (&TimeAxis, &FrequencyAxis),
) -> Result<Pooled, SpectraError> {
    job.check()?;
    if method == Method::Scalogram {
        let calibration = scalogram::calibration(job);
        let power = scalogram::power::<T>(job, pool, &scalogram::Columns::of_picture(times, job.samples.len()))?;
        let rows = Rows::of_wavelets(job, pool, calibration.factor(quantity, 1), axis);
        let columns = power.into_iter().map(|values| rows.of(&Power { values, count: 1 })).collect();
        return Ok(Pooled { columns, calibration });
    }
    let (windows, calibration) = windows::<T>(job, method);
    if method == Method::Reassigned {
        let step = calibration.step();
        let grid = reassigned::Grid {
            columns: times.columns,
            rows: axis.rows,
            frames: times.width() / job.frames.hop as f64,
            column: &|time| times.column(time).floor(),
            row: &|steps| axis.row(steps * step),
        };
        let factor = calibration.factor(quantity, 1) as f32;
        let mut power = reassigned::power::<T>(job, times.frames(&job.frames, job.count()), &grid)?;
        power.iter_mut().flatten().for_each(|value| *value *= factor);
        return Ok(Pooled { columns: power, calibration });
    }
    let rows = Rows::new(&job.frames, pool, windows.len(), &calibration, quantity, axis);
    let columns = powers::<T, _>(job, &windows, pool, &times.groups(&job.frames, job.count()), &|power| rows.of(&power))?;
    Ok(Pooled { columns, calibration })
}

/// As [`pooled`], with the same values: the power of whole blocks is known, and only the frames at the ends of columns are transformed.
///
/// # Errors
/// As [`pooled`], and when the memory does not suffice.
pub fn pooled_from(
    blocks: &Blocks,
    job: &SpectraJob<'_>,
    quantity: Quantity,
    picture: (&TimeAxis, &FrequencyAxis),
) -> Result<Pooled, SpectraError> {
    in_precision!(job, pooled_from_in(blocks, job, quantity, picture))
}

fn pooled_from_in<T: Real>(
    blocks: &Blocks,
    job: &SpectraJob<'_>,
    quantity: Quantity,
    (times, axis): (&TimeAxis, &FrequencyAxis),
) -> Result<Pooled, SpectraError> {
    job.check()?;
    let (method, pool) = blocks.how;
    let (windows, calibration) = windows::<T>(job, method);
    let rows = Rows::new(&job.frames, pool, windows.len(), &calibration, quantity, axis);
    let groups = times.groups(&job.frames, job.count());
    let parts: Vec<_> = groups.into_iter().map(|group| blocks.within(group)).collect();
    let ends: Vec<Range<usize>> = parts.iter().flat_map(|(ends, _)| ends.clone()).collect();
    let n_taken = ends.iter().filter(|range| !range.is_empty()).count();
    check_bytes(n_taken as u128 * job.bins() as u128 * 4)?;
    let ends = powers::<T, _>(job, &windows, pool, &ends, &|power| (power.count > 0).then_some(power))?;
    let columns = threads::map(parts.len(), &|column| {
        let mut power = Power::none(job.bins());
        let known = &blocks.powers[parts[column].1.clone()];
        ends[2 * column..2 * column + 2].iter().flatten().chain(known).for_each(|own| power.join(pool, own));
        rows.of(&power)
    });
    Ok(Pooled { columns, calibration })
}

/// Applies a function to the power of groups of frames.
pub(super) fn powers<T: Real, R: Send>(
    job: &SpectraJob<'_>,
    windows: &[Vec<T>],
    pool: Pool,
    groups: &[Range<usize>],
    finish: &(dyn Fn(Power) -> R + Sync),
) -> Result<Vec<R>, SpectraError> {
    let bins = job.bins();
    fold(
        job,
        windows,
        groups,
        &Fold {
            start: &|_| Power::none(bins),
            add: &|power: &mut Power, _, spectra: &[Vec<Complex<T>>]| power.add(pool, spectra),
            finish: &|_, power| finish(power),
        },
    )
}

pub(super) fn joined(pool: Pool, a: f32, b: f32) -> f32 {
    match pool {
        Pool::Max => larger(a, b),
        Pool::Mean => a + b,
    }
}
