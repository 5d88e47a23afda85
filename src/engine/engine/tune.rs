//! Measures the algorithms for a job on its device, one after the other, so that the automatic choice does not rely on estimates.

use super::choice::{precision, resolve};
use super::{Backend, Cut, Devices, EngineError, Job, MeasuredEntry, MeasuredOn, MeasuredTime, Speed, StoredResult, compute};
use crate::gpu::{self, GpuError};
use crate::plan::Precision;
use crate::statistics::median;
use crate::transforms::{Shape, Transform};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Candidates whose estimate is this many times the best are not measured.
const HOPELESS: f64 = 8.0;
/// Candidates whose estimate is at most this many times the best are also measured with other tiles: the error of estimates is smaller.
const CLOSE: f64 = 1.5;
/// Lanes of these other tiles: smaller tiles need more launches, but more of them run side by side.
const OTHER_TILES: [usize; 3] = [1024, 2048, 4096];
/// Runs on a GPU.
const RUNS: usize = 15;
/// Runs elsewhere: repeated for this time, at least once.
const BUDGET: Duration = Duration::from_millis(200);

/// An algorithm and a schedule to be measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Contender {
    /// Name of the algorithm.
    pub algorithm: &'static str,
    /// How its plan is cut.
    pub cut: Cut,
}

/// A measurement under way: one contender a [`step`](Self::step), so that it can be shown, interrupted and given up.
pub struct Tuning {
    job: Job,
    entry: MeasuredEntry,
    contenders: Vec<Contender>,
    n_done: usize,
}

impl Tuning {
    /// The contenders for `job`, whatever algorithm and schedule it asks for.
    ///
    /// # Errors
    /// When no algorithm fits the job, its device is missing, or lacks the precision that is asked for.
    pub fn new(job: &Job, devices: &mut Devices) -> Result<Self, EngineError> {
        let job = Job { algorithm: None, cut: Cut::Tiles, device: devices.settled(&job.device)?, ..job.clone() };
        let (backend, _) = devices.backend(&job.device)?;
        let precision = precision(&job, &backend);
        if let (Backend::Gpu(device), Precision::Double) = (&backend, precision)
            && !device.info().f64
        {
            return Err(GpuError::NoDouble { adapter: device.info().name.clone() }.into());
        }
        let at = MeasuredOn::at(&backend, precision);
        // Old measurements must not decide what is measured.
        let resolved = devices.without_measured(|devices| resolve(&job, devices))?;
        let mut contenders = Vec::new();
        let mut times = Vec::new();
        for candidate in &resolved.candidates {
            let algorithm = candidate.algorithm;
            let ratio = if let Speed::Estimated(ratio) = candidate.speed { ratio } else { 1.0 };
            if ratio > HOPELESS {
                times.push(MeasuredTime { algorithm: algorithm.into(), cut: Cut::Tiles, micros: None });
                continue;
            }
            contenders.push(Contender { algorithm, cut: Cut::Tiles });
            if ratio <= CLOSE {
                contenders.extend(other_cuts(resolved.transform, algorithm, resolved.shape, &job, &backend)?);
            }
        }
        let entry = MeasuredEntry { at, transform: resolved.transform.name.into(), shape: resolved.shape, times };
        Ok(Self { job, entry, contenders, n_done: 0 })
    }

    /// How many contenders there are.
    pub fn n_contenders(&self) -> usize {
        self.contenders.len()
    }

    /// How many of them have been measured.
    pub fn n_done(&self) -> usize {
        self.n_done
    }

    /// The contender that is measured next.
    pub fn next(&self) -> Option<&Contender> {
        self.contenders.get(self.n_done)
    }

    /// The contender and its number: "stockham, 2 of 7".
    pub fn label(&self) -> String {
        let name = self.next().map_or("", |contender| contender.algorithm);
        format!("Measuring {name}, {} of {}", (self.n_done + 1).min(self.contenders.len()), self.contenders.len())
    }

    /// Measures the next contender.
    ///
    /// # Errors
    /// When `cancel` is raised or the device reports an error; the contender is still the next then.
    pub fn step(&mut self, devices: &mut Devices, cancel: &AtomicBool) -> Result<(), EngineError> {
        let Some(Contender { algorithm, cut }) = self.next().cloned() else { return Ok(()) };
        let micros = micros_of(&Job { algorithm: Some(algorithm), cut, ..self.job.clone() }, devices, cancel)?;
        self.entry.times.push(MeasuredTime { algorithm: algorithm.into(), cut, micros: Some(micros) });
        self.n_done += 1;
        Ok(())
    }

    /// All times, fastest first, once everything is measured.
    pub fn finish(&self) -> Option<MeasuredEntry> {
        let mut entry = self.entry.clone();
        entry.times.sort_by(|a, b| a.micros.unwrap_or(f64::INFINITY).total_cmp(&b.micros.unwrap_or(f64::INFINITY)));
        (self.n_done == self.contenders.len()).then_some(entry)
    }
}

/// The cuts of an algorithm on a GPU that differ from the one that is estimated to be the fastest, and from each other.
fn other_cuts(
    transform: &Transform,
    algorithm: &'static str,
    shape: Shape,
    job: &Job,
    backend: &Backend,
) -> Result<Vec<Contender>, EngineError> {
    let (Backend::Gpu(device), Some(build)) = (backend, transform.algorithm(algorithm)?.plan_fn()) else { return Ok(Vec::new()) };
    let plan = build(shape, job.parameters)?;
    let schedule = |most_lanes| gpu::estimate(&plan, device.limits().in_precision(precision(job, backend)), most_lanes).schedule;
    let mut seen = vec![schedule(usize::MAX)];
    let mut contenders = Vec::new();
    for lanes in OTHER_TILES {
        let other = schedule(lanes);
        if !seen.contains(&other) {
            seen.push(other);
            contenders.push(Contender { algorithm, cut: Cut::TilesOf(lanes) });
        }
    }
    Ok(contenders)
}

/// The median time of a job in µs: its launches if the result stays on the GPU, else everything after the upload.
fn micros_of(job: &Job, devices: &mut Devices, cancel: &AtomicBool) -> Result<f64, EngineError> {
    let of = |times: Vec<f64>| median(times).unwrap_or(f64::INFINITY);
    let mut times = Vec::new();
    let begin = Instant::now();
    // The first run opens, compiles and touches the memory, and does not count.
    compute(job, devices, cancel)?;
    while times.is_empty() || (times.len() < RUNS && begin.elapsed() < BUDGET) {
        let computed = compute(job, devices, cancel)?;
        if let (Some(prepared), StoredResult::Gpu(_)) = (&computed.prepared, &computed.stored) {
            let times = prepared.bench(RUNS, cancel)?;
            return Ok(of(times.iter().map(|run| run.gpu_micros.unwrap_or(run.wall_micros)).collect()));
        }
        let parts = &computed.outcome.times;
        times.push(parts.total_micros - parts.upload_micros);
    }
    Ok(of(times))
}
