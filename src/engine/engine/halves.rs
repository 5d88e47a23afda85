//! Transforms of real samples: how samples are in complex lanes, and which end of a job holds samples.

use super::contents::contents_of;
use super::{Contents, EngineError, Job, Values};
use crate::cpu::Float;
use crate::signal::{Channel, ChannelChoice, NoSuchChannel, Samples, Signal};
use crate::threads;
use crate::transforms::{Axes, BatchAxis, Parameters, Shape, Transform};
use num_complex::{Complex, Complex64};
use std::sync::Arc;

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

/// A job without what no spectrum of real samples has: imaginary parts at frequency 0 and at half the rate, and in an image what is not Hermitian in the
/// columns of these. Algorithms would each make something else of it. Also a note, empty where it is rounding.
///
/// # Errors
/// When the signal has no such channel.
pub(super) fn hermitian(job: Job, transform: &Transform) -> Result<(Job, String), EngineError> {
    let (signal, axes) = (&job.signal, transform.axes(job.parameters));
    if !gives_reals(&job) || !signal.is_complex() || signal.is_empty() {
        return Ok((job, String::new()));
    }
    let n_values = if axes == Axes::Columns { signal.rows } else { signal.columns };
    let n = job.parameters.samples_of(n_values);
    // The lines of frequency 0, and of half the rate, if there is such a value.
    let ends: Vec<usize> = if n.is_multiple_of(2) && n_values > 1 { vec![0, n_values - 1] } else { vec![0] };
    let shape = Shape { rows: signal.rows, columns: signal.columns };
    let (samples, [dropped, all]) = if signal.is_double() {
        let (values, sums) = hermitian_ends(signal.samples_complex64(job.channel)?, shape, axes, &ends);
        (Samples::Complex64(values), sums)
    } else {
        let (values, sums) = hermitian_ends(signal.samples_complex32(job.channel)?, shape, axes, &ends);
        (Samples::Complex32(values), sums)
    };
    if dropped == 0.0 {
        return Ok((job, String::new()));
    }
    let share = (dropped / all).sqrt();
    let what = if axes == Axes::Both { "the part of the outer columns that is not Hermitian" } else { "imaginary parts at the ends" };
    let note = format!("{what} dropped, as no real samples have them: {share:.1e} of the norm");
    let signal = Signal::from_channels(signal.name.clone(), signal.kind, (shape.rows, shape.columns), vec![Channel::new("X", samples)]);
    let job = Job { signal: Arc::new(signal), channel: ChannelChoice::default(), ..job };
    Ok((job, if share > ROUNDING { note } else { String::new() }))
}

/// Values whose lines at these `ends` are those of real samples, and the sums of the squares of what is dropped and of all.
fn hermitian_ends<T: Float + Into<f64>>(
    mut values: Vec<Complex<T>>,
    Shape { rows, columns }: Shape,
    axes: Axes,
    ends: &[usize],
) -> (Vec<Complex<T>>, [f64; 2]) {
    let square = |value: Complex<T>| Complex64::new(value.re.into(), value.im.into()).norm_sqr();
    let all = threads::sum(values.len(), &|block| values[block].iter().map(|value| square(*value)).sum());
    let half = T::rounded(0.5);
    let mut dropped = 0.0;
    for &end in ends {
        let at = |line: usize| if axes == Axes::Columns { end * columns + line } else { line * columns + end };
        for line in 0..if axes == Axes::Columns { columns } else { rows } {
            let opposite = if axes == Axes::Both { (rows - line) % rows } else { line };
            let (value, mate) = (values[at(line)], values[at(opposite)].conj());
            let beside = (value - mate).scale(half);
            if line <= opposite && square(beside) > 0.0 {
                let pairs = if line == opposite { 1.0 } else { 2.0 };
                dropped += pairs * square(beside);
                values[at(line)] = value - beside;
                values[at(opposite)] = (value - beside).conj();
            }
        }
    }
    (values, [dropped, all])
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

#[cfg(test)]
mod tests {
    use super::super::{Devices, compute::compute, compute::relative_error};
    use super::*;
    use crate::plan::Direction;
    use crate::random::{random_bits, unit};
    use crate::signal::SignalKind;
    use crate::transforms::transform;
    use std::sync::atomic::AtomicBool;

    /// Every algorithm gives the samples of the part of half a spectrum that samples can have.
    #[test]
    fn what_no_samples_have_is_dropped_by_every_algorithm() {
        for (name, rows, samples) in [("rdft", 1, 8), ("rdft", 3, 9), ("rdft2", 4, 8), ("rdft2", 5, 6), ("rdft2", 6, 7)] {
            let (transform, columns) = (transform(name).unwrap(), samples / 2 + 1);
            let values: Vec<Complex64> = (0..rows * columns)
                .map(|index| Complex64::new(unit(random_bits(index as u64)), unit(random_bits(index as u64 + 999)) - 0.3))
                .collect();
            let kind = if rows > 1 { SignalKind::Image } else { SignalKind::Rows };
            let signal =
                Arc::new(Signal::from_channels("half", kind, (rows, columns), vec![Channel::new("X", Samples::Complex64(values))]));
            let parameters = Parameters { direction: Direction::Inverse, columns: Some(samples), ..Parameters::default() };
            let cancel = AtomicBool::new(false);
            let mut found: Vec<(&str, Vec<f64>)> = Vec::new();
            for algorithm in transform.algorithms {
                let job = Job { parameters, algorithm: Some(algorithm.name), ..Job::new(signal.clone(), name) };
                let Ok(computed) = compute(&job, &mut Devices::apart(), &cancel) else { continue };
                assert!(computed.outcome.reason.contains("dropped, as no real samples have"), "{}", computed.outcome.reason);
                let error = relative_error(&job, &computed.stored, &computed.outcome, &cancel).unwrap();
                assert!(error < 1e-6, "{name} of {rows} × {samples} by {}: {error}", algorithm.name);
                found.push((algorithm.name, {
                    let values = computed.stored.values(&cancel).unwrap();
                    let shape = computed.outcome.shape;
                    (0..shape.len()).map(|index| values.exact(shape, index / shape.columns, index % shape.columns).re).collect()
                }));
            }
            assert!(found.len() > 1);
            let (_, first) = &found[0];
            for (algorithm, values) in &found {
                assert!(values.iter().zip(first).all(|(a, b)| (a - b).abs() < 1e-6), "{name} by {algorithm}: {values:?}, {first:?}");
            }
        }
    }
}
