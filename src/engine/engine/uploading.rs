//! Brings the samples of a job to a GPU, from where they are stored, and runs; the memory of the result is reserved meanwhile where it comes back.

use super::lanes::Fitted;
use super::report::micros;
use super::{EngineError, Job, halves};
use crate::cpu::Float;
use crate::gpu::{GpuError, Prepared, RunTimes, Source, Value};
use crate::plan::Precision;
use crate::signal::{Samples, StoredIntegers};
use num_complex::{Complex, Complex32, Complex64};
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

/// Uploads the samples in the type of the lanes, and gives the time that it took. They are not copied first: samples of another type than that of an upload
/// are converted a block at a time, and those of a large recording are read so.
pub(super) fn upload(job: &Job, fitted: &Fitted, prepared: &Prepared, cancel: &AtomicBool) -> Result<Duration, EngineError> {
    let (start, signal, precision) = (Instant::now(), &job.signal, prepared.precision());
    let parts = signal.parts(job.channel)?;
    let stored = if let [stored] = parts[..] { Some(stored) } else { None };
    // Two neighbouring samples in memory make a lane.
    let in_pairs = halves::takes_reals(job) && signal.len() != fitted.plan.inputs;
    if let Some(integers) = as_stored(fitted, stored, prepared) {
        prepared.upload_integers(&integers, cancel)?;
        return Ok(start.elapsed());
    }
    match (fitted.integers(), stored, precision) {
        (Some(integers), ..) => prepared.upload(integers, cancel)?,
        (None, Some(Samples::F32(values)), Precision::Single) if in_pairs => {
            prepared.upload::<Complex32>(bytemuck::cast_slice::<f32, _>(values), cancel)?
        }
        (None, Some(Samples::F64(values)), Precision::Double) if in_pairs => {
            prepared.upload::<Complex64>(bytemuck::cast_slice::<f64, _>(values), cancel)?
        }
        (None, Some(Samples::F32(values)), _) if !in_pairs => prepared.upload(values, cancel)?,
        (None, Some(Samples::F64(values)), _) if !in_pairs => prepared.upload(values, cancel)?,
        (None, Some(Samples::Complex32(values)), _) => prepared.upload(values, cancel)?,
        (None, Some(Samples::Complex64(values)), _) => prepared.upload(values, cancel)?,
        _ => {
            let track = signal.track(job.channel)?;
            let form = (track.len(), in_pairs, job.is_complex());
            match precision {
                Precision::Single => upload_read::<f32>(prepared, form, &|first, part, to| track.read_f32(first, part, to), cancel)?,
                Precision::Double => upload_read::<f64>(prepared, form, &|first, part, to| track.read_f64(first, part, to), cancel)?,
            }
        }
    };
    Ok(start.elapsed())
}

/// The integers of samples, where they go up as the file stores them. A software adapter has no link that they would spare.
fn as_stored<'a>(fitted: &Fitted, stored: Option<&'a Samples>, prepared: &Prepared) -> Option<StoredIntegers<'a>> {
    /// With fewer numbers the kernel takes longer than the bytes that it spares.
    const LEAST: usize = 1 << 18;
    let has_link = !prepared.device().info().software;
    let integers = stored.filter(|_| has_link && fitted.integers().is_none())?.stored_integers()?;
    (integers.n >= LEAST && prepared.takes_integers(&integers)).then_some(integers)
}

/// Uploads samples that `read` writes: from an index on, their real parts (0) or imaginary parts (1).
fn upload_read<T>(
    prepared: &Prepared,
    (n, in_pairs, is_complex): (usize, bool, bool),
    read: &(dyn Fn(usize, usize, &mut [T]) + Sync),
    cancel: &AtomicBool,
) -> Result<Duration, GpuError>
where
    T: Float + Value,
    Complex<T>: Value,
{
    if in_pairs {
        return prepared
            .upload(Source::read(n / 2, &|first, to: &mut [Complex<T>]| read(2 * first, 0, bytemuck::cast_slice_mut(to))), cancel);
    }
    if !is_complex {
        return prepared.upload(Source::read(n, &|first, to| read(first, 0, to)), cancel);
    }
    let pairs = |first: usize, to: &mut [Complex<T>]| {
        let mut parts = vec![T::ZERO; to.len()];
        read(first, 0, &mut parts);
        to.iter_mut().zip(&parts).for_each(|(z, re)| z.re = *re);
        read(first, 1, &mut parts);
        to.iter_mut().zip(&parts).for_each(|(z, im)| z.im = *im);
    };
    prepared.upload(Source::read(n, &pairs), cancel)
}
