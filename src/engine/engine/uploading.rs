//! Brings the samples of a job to a GPU, from where they are stored, and runs; the memory of the result is reserved meanwhile where it comes back.

use super::lanes::Fitted;
use super::report::micros;
use super::{EngineError, Job, halves};
use crate::gpu::{Prepared, RunTimes};
use crate::plan::Precision;
use crate::signal::Samples;
use num_complex::{Complex32, Complex64};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The time of an upload, and those of the run.
type Ran = (Duration, RunTimes);

/// Uploads and runs. A result that `comes_back` does so in the type that [`StoredResult::values`](super::StoredResult::values) takes.
pub(super) fn upload_and_run(
    job: &Job,
    fitted: &Fitted,
    prepared: &Prepared,
    comes_back: bool,
    cancel: &AtomicBool,
) -> Result<Ran, EngineError> {
    let work = || Ok((upload(job, fitted, prepared, cancel)?, prepared.run(cancel)?));
    match (prepared.result_ring().is_exact(), prepared.precision()) {
        _ if !comes_back => work(),
        (true, _) => reserving::<i64>(prepared, work),
        (false, Precision::Single) => reserving::<Complex32>(prepared, work),
        (false, Precision::Double) => reserving::<Complex64>(prepared, work),
    }
}

/// Uploads and runs as `work` does, and reserves memory for the whole result meanwhile, in the type in which it will be downloaded.
pub(super) fn reserving<T: Send + 'static>(
    prepared: &Prepared,
    work: impl FnOnce() -> Result<Ran, EngineError>,
) -> Result<Ran, EngineError> {
    let ((uploaded, mut ran), end) = prepared.reserving::<T, _, _>(|| work().map(|ran| (ran, Instant::now())))?;
    // A page that was asked for comes a moment later.
    ran.wall_micros += micros(end);
    Ok((uploaded, ran))
}

/// Uploads the samples in the type of the lanes, and gives the time that it took. Samples that are stored in the type of an upload are not copied first.
pub(super) fn upload(job: &Job, fitted: &Fitted, prepared: &Prepared, cancel: &AtomicBool) -> Result<Duration, EngineError> {
    let (start, signal, precision) = (Instant::now(), &job.signal, prepared.precision());
    let parts = signal.parts(job.channel)?;
    let stored = if let [stored] = parts[..] { Some(stored) } else { None };
    // Two neighbouring samples in memory make a lane.
    let in_pairs = halves::takes_reals(job) && signal.len() != fitted.plan.inputs;
    match (fitted.integers(), stored) {
        (Some(integers), _) => prepared.upload(integers, cancel)?,
        (None, Some(Samples::F32(values))) if in_pairs && precision == Precision::Single => {
            prepared.upload::<Complex32>(bytemuck::cast_slice(values), cancel)?
        }
        (None, Some(Samples::F64(values))) if in_pairs && precision == Precision::Double => {
            prepared.upload::<Complex64>(bytemuck::cast_slice(values), cancel)?
        }
        (None, _) if in_pairs => match precision {
            Precision::Single => prepared.upload::<Complex32>(bytemuck::cast_slice(&signal.samples_f32(job.channel)?), cancel)?,
            Precision::Double => prepared.upload::<Complex64>(bytemuck::cast_slice(&signal.samples_f64(job.channel)?), cancel)?,
        },
        (None, Some(Samples::F32(values))) => prepared.upload(values, cancel)?,
        (None, Some(Samples::F64(values))) => prepared.upload(values, cancel)?,
        (None, Some(Samples::Complex32(values))) => prepared.upload(values, cancel)?,
        (None, Some(Samples::Complex64(values))) => prepared.upload(values, cancel)?,
        (None, _) => match (job.is_complex(), precision) {
            (true, Precision::Single) => prepared.upload(&signal.samples_complex32(job.channel)?, cancel)?,
            (true, Precision::Double) => prepared.upload(&signal.samples_complex64(job.channel)?, cancel)?,
            (false, Precision::Single) => prepared.upload(&signal.samples_f32(job.channel)?, cancel)?,
            (false, Precision::Double) => prepared.upload(&signal.samples_f64(job.channel)?, cancel)?,
        },
    };
    Ok(start.elapsed())
}
