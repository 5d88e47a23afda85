//! Transforms of real samples: how samples stand in complex lanes, and which end of a job holds samples.

use super::contents::contents_of;
use super::{Contents, EngineError, Job, Values};
use crate::signal::{ChannelChoice, NoSuchChannel, Signal};
use crate::threads;
use crate::transforms::{Axes, BatchAxis, Parameters, Transform};
use num_complex::{Complex, Complex64};

/// Deviations below this part of the root mean square of all values count as rounding, when the last values tell an even number of samples from an odd one.
const ROUNDING: f64 = 1e-5;

/// The parameters of a job, completed from its samples: an inverse from half a spectrum needs the number of real samples.
///
/// # Errors
/// When the signal has no such channel.
pub(super) fn settled(job: &Job, transform: &Transform) -> Result<Parameters, EngineError> {
    let columns = match job.parameters.columns {
        None if gives_reals(job) => Some(samples_of_half(&job.signal, job.channel, transform, job.parameters)?),
        said => said,
    };
    Ok(Parameters { columns, ..job.parameters })
}

/// The number of real samples in a row of the signal whose half spectrum is given. N and N + 1 samples give the same number of values if N is even; the values decide.
///
/// For an even number the last value is real, and in an image the last column is the spectrum of a real column. Otherwise the number is odd.
///
/// # Errors
/// When the signal has no such channel.
fn samples_of_half(signal: &Signal, view: ChannelChoice, transform: &Transform, parameters: Parameters) -> Result<usize, NoSuchChannel> {
    let axes = transform.axes(parameters);
    let (rows, columns) = (signal.rows, signal.columns);
    let half = if axes == Axes::Columns { rows } else { columns };
    let even = parameters.samples_of(half);
    if half < 2 || !signal.is_complex_in(view) {
        return Ok(even);
    }
    let values = signal.samples_complex64(view)?;
    let mean_square = threads::sum(values.len(), &|block| values[block].iter().map(Complex64::norm_sqr).sum()) / values.len() as f64;
    let last: Vec<Complex64> = match axes {
        Axes::Columns => values[(rows - 1) * columns..].to_vec(),
        Axes::Rows | Axes::Both => values.iter().skip(columns - 1).step_by(columns).copied().collect(),
    };
    let opposite = |k: usize| if axes == Axes::Both { last[(rows - k) % rows] } else { last[k] };
    let beside = last.iter().enumerate().map(|(k, value)| (0.5 * (value - opposite(k).conj())).norm_sqr()).sum::<f64>() / last.len() as f64;
    Ok(if beside > ROUNDING * ROUNDING * mean_square { even + 1 } else { even })
}

/// Whether the lanes of a job are made of real samples.
pub(super) fn takes_reals(job: &Job) -> bool {
    contents_of(job) == Contents::HalfSpectrum
}

/// Whether the lanes of a job become real samples.
pub(super) fn gives_reals(job: &Job) -> bool {
    contents_of(job) == Contents::Samples
}

/// An error where complex samples are given to a transform of real ones.
pub(super) fn check(job: &Job, transform: &Transform) -> Result<(), EngineError> {
    if !(takes_reals(job) && job.is_complex()) {
        return Ok(());
    }
    let instead = match transform.axes {
        Axes::Rows | Axes::Columns => "dft",
        Axes::Both => "dft2",
    };
    Err(EngineError::Complex { transform: transform.name, signal: job.signal.name.clone(), instead })
}

/// Real samples in the complex lanes of a plan: two neighbouring samples in a lane, or one.
pub(super) fn lanes<T: Copy + Default + Send + Sync>(samples: &[T], inputs: usize) -> Vec<Complex<T>> {
    match samples.len() == inputs {
        true => threads::convert(samples, |sample| Complex::new(sample, T::default())),
        false => threads::convert(samples.as_chunks().0, |[re, im]| Complex::new(re, im)),
    }
}

/// The output lanes of a job as its result: unpacked if they hold real samples, unchanged otherwise.
pub(super) fn result(values: Values, job: &Job) -> Values {
    if !gives_reals(job) {
        return values;
    }
    let pairs = match job.parameters.lines {
        BatchAxis::Rows => job.parameters.samples_of(job.signal.columns).is_multiple_of(2),
        // Neighbours in memory belong to other columns.
        BatchAxis::Columns => false,
    };
    match values {
        Values::Single(lanes) => Values::Single(samples(&lanes, pairs)),
        Values::Double(lanes) => Values::Double(samples(&lanes, pairs)),
        other => other,
    }
}

/// The samples in the lanes, each as a complex value without an imaginary part.
fn samples<T: Copy + Default + Send + Sync>(lanes: &[Complex<T>], pairs: bool) -> Vec<Complex<T>> {
    let real = |value: T| Complex::new(value, T::default());
    match pairs {
        true => threads::convert(lanes, |lane| [real(lane.re), real(lane.im)]).into_flattened(),
        false => threads::convert(lanes, |lane| real(lane.re)),
    }
}
