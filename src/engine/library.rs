//! The reference library as a way to do a job, and as the judge of the others.

use super::compute::micros;
use super::lanes::Lanes;
use super::{EngineError, Held, Job, Outcome, Times, Values};
use crate::cpu::{Way, library};
use crate::plan::{Direction, Precision};
use crate::transforms::{Axes, Shape, Transform};
use num_complex::{Complex32, Complex64};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Does a job by the library, and takes the time.
pub(super) fn run(
    job: &Job,
    transform: &Transform,
    shape: Shape,
    way: Way,
    cancel: &AtomicBool,
    times: &mut Times,
) -> Result<Held, EngineError> {
    let threads = Threads::of(way);
    let start = Instant::now();
    let lanes = input(job, transform)?;
    let values = threads.run(|| result(&lanes, job, transform, shape, cancel))?;
    times.total_micros = micros(start);
    times.launch_micros = vec![times.total_micros];
    Ok(Held::memory(values))
}

/// The samples of a job as the library takes them.
pub(super) fn input(job: &Job, transform: &Transform) -> Result<Lanes, EngineError> {
    let real_picture = !job.signal.is_complex() && job.parameters.direction == Direction::Forward && transform.axes == Axes::Both;
    Ok(match (job.is_double(), real_picture) {
        (true, _) => Lanes::Complex64(job.signal.complex64_plane(job.channel)?),
        (false, true) => Lanes::Single(job.signal.plane(job.channel)?),
        (false, false) => Lanes::Complex32(job.signal.complex_plane(job.channel)?),
    })
}

/// The result of the library for samples as it takes them.
pub(super) fn result(lanes: &Lanes, job: &Job, transform: &Transform, shape: Shape, cancel: &AtomicBool) -> Result<Values, EngineError> {
    let (axes, direction) = (transform.axes(job.parameters), job.parameters.direction);
    Ok(match lanes {
        Lanes::Complex64(samples) => Values::Double(library::transform(samples.clone(), shape, axes, direction, cancel)?),
        Lanes::Complex32(samples) => Values::Single(library::transform(samples.clone(), shape, axes, direction, cancel)?),
        Lanes::Single(samples) => Values::Half(library::real_picture(samples, shape, cancel)?),
        _ => unreachable!("the library takes no other lanes"),
    })
}

/// The threads of a way: all there are, or one that is started beforehand, so that its start is not timed.
pub(super) struct Threads(Option<rayon::ThreadPool>);

impl Threads {
    pub(super) fn of(way: Way) -> Self {
        Self(match way {
            Way::Parallel => None,
            Way::Sequential(_) => {
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

/// Microseconds of one run of the library, in the precision of the outcome.
///
/// # Errors
/// When `cancel` is raised.
pub(super) fn time_library(job: &Job, outcome: &Outcome, cancel: &AtomicBool) -> Result<f64, EngineError> {
    let (shape, axes, direction) = (outcome.shape, outcome.axes, job.parameters.direction);
    macro_rules! time {
        ($samples:expr) => {{
            let samples = $samples;
            let start = Instant::now();
            drop(library::transform(samples, shape, axes, direction, cancel)?);
            Ok(micros(start))
        }};
    }
    match outcome.precision {
        Precision::Single => time!(complex32(job)?),
        Precision::Double => time!(complex64(job)?),
    }
}

/// The samples of a job as single-precision complex numbers.
///
/// # Errors
/// When the channel does not exist.
fn complex32(job: &Job) -> Result<Vec<Complex32>, EngineError> {
    Ok(job.signal.complex_plane(job.channel)?)
}

/// The samples of a job as double-precision complex numbers.
///
/// # Errors
/// When the channel does not exist.
pub(super) fn complex64(job: &Job) -> Result<Vec<Complex64>, EngineError> {
    Ok(job.signal.complex64_plane(job.channel)?)
}
