//! Runs a job by the reference library, also to judge other algorithms.

use super::lanes::Lanes;
use super::report::micros;
use super::{EngineError, Job, StoredResult, Times, Values};
use crate::cpu::{CpuBackend, Float, library};
use crate::plan::{Direction, Precision};
use crate::threads;
use crate::transforms::{Axes, Numbers, Shape, Transform};
use num_complex::Complex;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Runs a job by the library, and times it.
pub(super) fn run(
    job: &Job,
    transform: &Transform,
    cpu_backend: CpuBackend,
    cancel: &AtomicBool,
    times: &mut Times,
) -> Result<StoredResult, EngineError> {
    let threads = Threads::of(cpu_backend);
    let start = Instant::now();
    let lanes = input(job, transform, precision(job))?;
    let values = threads.run(|| result(&lanes, job, transform, cancel))?;
    times.total_micros = micros(start);
    times.launch_micros = vec![times.total_micros];
    Ok(StoredResult::memory(values))
}

/// The precision of a job by the library: as asked for, else that of its samples.
pub(super) fn precision(job: &Job) -> Precision {
    job.precision.unwrap_or(if job.is_double() { Precision::Double } else { Precision::Single })
}

/// The samples of a job as the library takes them, in a precision.
pub(super) fn input(job: &Job, transform: &Transform, precision: Precision) -> Result<Lanes, EngineError> {
    let (signal, channel) = (&job.signal, job.channel);
    let is_forward = job.parameters.direction == Direction::Forward;
    // Half of the spectrum of an image, or of one line, determines the rest.
    let has_half = match transform.axes(job.parameters) {
        Axes::Both => true,
        Axes::Rows => transform.gives == Numbers::HalfSpectrum || signal.rows == 1,
        Axes::Columns => transform.gives == Numbers::HalfSpectrum,
    };
    let is_real = !job.is_complex() && is_forward && has_half;
    Ok(match (precision, is_real) {
        (Precision::Single, true) => Lanes::Single(signal.samples_f32(channel)?),
        (Precision::Single, false) => Lanes::Complex32(signal.samples_complex32(channel)?),
        (Precision::Double, true) => Lanes::Double(signal.samples_f64(channel)?),
        (Precision::Double, false) => Lanes::Complex64(signal.samples_complex64(channel)?),
    })
}

/// The result of the library for samples as it takes them.
pub(super) fn result(lanes: &Lanes, job: &Job, transform: &Transform, cancel: &AtomicBool) -> Result<Values, EngineError> {
    let (parameters, given) = (job.parameters, Shape { rows: job.signal.rows, columns: job.signal.columns });
    let (axes, direction) = (transform.axes(parameters), parameters.direction);
    let wanted = transform.result_shape(given, parameters);
    Ok(match (lanes, transform.gives == Numbers::HalfSpectrum) {
        (Lanes::Single(samples), true) => Values::Single(library::half_spectrum(samples, given, axes, cancel)?),
        (Lanes::Double(samples), true) => Values::Double(library::half_spectrum(samples, given, axes, cancel)?),
        (Lanes::Complex32(values), true) => Values::Single(complex(library::real_samples(values.clone(), wanted, axes, cancel)?)),
        (Lanes::Complex64(values), true) => Values::Double(complex(library::real_samples(values.clone(), wanted, axes, cancel)?)),
        (Lanes::Single(samples), false) => Values::Half(library::real_image(samples, given, cancel)?),
        (Lanes::Double(samples), false) => Values::Double(library::real_image(samples, given, cancel)?.whole()),
        (Lanes::Complex32(samples), false) => Values::Single(library::transform(samples.clone(), given, axes, direction, cancel)?),
        (Lanes::Complex64(samples), false) => Values::Double(library::transform(samples.clone(), given, axes, direction, cancel)?),
        _ => unreachable!("the library takes no other lanes"),
    })
}

/// Real samples as complex numbers, as results are held.
fn complex<T: Float>(samples: Vec<T>) -> Vec<Complex<T>> {
    threads::convert(&samples, |sample| Complex::new(sample, T::ZERO))
}

/// The threads of a run: all, or one that is started beforehand, so that its start is not timed.
pub(super) struct Threads(Option<rayon::ThreadPool>);

impl Threads {
    pub(super) fn of(cpu_backend: CpuBackend) -> Self {
        Self(match cpu_backend {
            CpuBackend::Parallel => None,
            CpuBackend::OneThread | CpuBackend::ByStage(_) => {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
                Some(pool.expect("a pool of one thread needs no resources that could be missing"))
            }
        })
    }

    pub(super) fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.0 {
            None => work(),
            Some(pool) => pool.install(work),
        }
    }
}
