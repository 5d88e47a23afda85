//! What the worker finds out about a job when nothing else is to do: its error, other ways to compute the same, and the floor that memory sets.

use super::super::compute::{self, Ready};
use super::super::lanes::Lanes;
use super::super::{Comparison, Devices, EngineError, Held, Job, Outcome, Place, convolve, library};
use super::Current;
use crate::cpu::{self, LoopOrder, Way};
use crate::gpu::copy_times;
use crate::transforms::transform;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Up to so many samples the other ways and the error are found out unasked.
const LARGEST_COMPARISON: usize = 1 << 22;
/// Copies that the floor is the median of.
const N_COPIES: usize = 5;
/// Runs of a way at most, and how long they may take together.
const MOST_RUNS: usize = 9;
const BUDGET: Duration = Duration::from_millis(150);

/// What is left to find out about a job when nothing else is to do.
#[derive(Debug, Clone, Copy)]
pub(super) enum Idle {
    Error,
    Again,
    Floor,
    Time(Other),
}

/// Another way to compute the same transform.
#[derive(Debug, Clone, Copy)]
pub(super) enum Other {
    Plan(Way),
    Library,
}

/// Everything that can be found out about a job, last things first.
pub(super) fn left_to_find_out(job: &Job, outcome: &Outcome) -> Vec<Idle> {
    if outcome.shape.len() > LARGEST_COMPARISON {
        return Vec::new();
    }
    let planned = outcome.plan.is_some();
    let ways = [Way::Sequential(LoopOrder::Strided), Way::Sequential(LoopOrder::Local), Way::Parallel];
    let mut idle: Vec<Idle> = ways.into_iter().filter(|_| planned).map(|way| Idle::Time(Other::Plan(way))).collect();
    let library = transform(job.transform).is_ok_and(|transform| transform.library().is_some() && !transform.takes_equations());
    idle.extend(library.then_some(Idle::Time(Other::Library)));
    idle.extend([Idle::Floor, Idle::Again, Idle::Error]);
    idle
}

impl Current {
    /// Finds out one thing more.
    pub(super) fn find_out(&mut self, task: Idle, devices: &mut Devices, stale: &AtomicBool) -> Result<(), EngineError> {
        let (Some(held), Ok(outcome)) = (&self.held, &mut self.outcome) else { return Ok(()) };
        let job = &self.request.job;
        match task {
            Idle::Error => {
                let error = compute::relative_error(job, held, outcome, stale)?;
                Arc::make_mut(outcome).error = Some(error);
            }
            Idle::Again => return self.run_again(devices, stale),
            Idle::Floor => Arc::make_mut(outcome).copy_micros = copy_micros(job, outcome, devices)?,
            Idle::Time(other) => {
                let comparison = time(other, job, outcome, devices, stale)?;
                Arc::make_mut(outcome).comparisons.push(comparison);
            }
        }
        Ok(())
    }

    /// Does the same work some more times, from the samples to what is shown.
    fn run_again(&mut self, devices: &mut Devices, stale: &AtomicBool) -> Result<(), EngineError> {
        let ready = Ready::new(&self.request.job, devices)?;
        let stays = matches!(&self.held, Some(Held::Gpu(_)));
        let go_on = AtomicBool::new(false);
        let again = repeated(|| {
            if stale.load(Ordering::Relaxed) {
                return Err(EngineError::Cancelled);
            }
            // A run that is given up would leave its buffers half made, and they hold the result that is shown.
            let cancel = if stays { &go_on } else { stale };
            let mut times = ready.run(devices, Instant::now(), cancel)?.outcome.times;
            if stays {
                let start = Instant::now();
                (self.report, self.extremes) = (None, None);
                self.report = Some(Arc::new(self.render()?));
                times.brought_back(start);
            }
            Ok(times)
        })?;
        if let Ok(outcome) = &mut self.outcome {
            Arc::make_mut(outcome).again = again;
        }
        Ok(())
    }
}

/// A plain copy where the job ran, median, where it can be timed.
fn copy_micros(job: &Job, outcome: &Outcome, devices: &mut Devices) -> Result<Option<f64>, EngineError> {
    let bytes = outcome.bytes_once() / 2;
    let (place, _) = devices.place(&job.device)?;
    let copies = match place {
        Place::Gpu(device) if outcome.times.upload_micros > 0.0 => copy_times(&device, bytes, N_COPIES)?.into_iter().flatten().collect(),
        place => cpu::copy::time(place.way(), bytes, 0, N_COPIES),
    };
    Ok(middle(copies).map(|[_, median, _]| median))
}

/// A few runs within a short budget, at least one.
fn repeated<T>(mut run: impl FnMut() -> Result<T, EngineError>) -> Result<Vec<T>, EngineError> {
    let (mut runs, begin) = (vec![run()?], Instant::now());
    while runs.len() < MOST_RUNS && begin.elapsed() < BUDGET {
        runs.push(run()?);
    }
    Ok(runs)
}

/// Times one other way on the same samples.
fn time(other: Other, job: &Job, outcome: &Outcome, devices: &mut Devices, stale: &AtomicBool) -> Result<Comparison, EngineError> {
    let job = &outcome.ran(job);
    let (name, samples) = match other {
        Other::Plan(way) => (way.name().into(), time_plan(way, job, outcome, devices, stale)?),
        Other::Library => {
            let transform = transform(job.transform)?;
            let name = transform.library().map_or("the library", |library| library.name);
            (format!("{name}, CPU parallel"), repeated(|| library::time_library(job, transform, outcome.precision, stale))?)
        }
    };
    let n_runs = samples.len();
    let [low, micros, high] = middle(samples).expect("at least one run was timed");
    Ok(Comparison { name, micros, quartiles_micros: [low, high], n_runs })
}

/// Microseconds of some runs of the outcome's plan on the CPU, in its precision or in integers, from the samples on, as the total of the work at hand begins with them.
fn time_plan(way: Way, job: &Job, outcome: &Outcome, devices: &mut Devices, stale: &AtomicBool) -> Result<Vec<f64>, EngineError> {
    let (Some(plan), Some(schedule)) = (&outcome.plan, &outcome.schedule) else {
        return Err(EngineError::CpuOnly { algorithm: outcome.algorithm });
    };
    let (lanes, memory) = (Lanes::of(plan, &*convolve::joined(job)?, outcome.precision)?, devices.memory());
    let mut run = || {
        let start = Instant::now();
        lanes.bring(memory, plan);
        lanes.run(memory, plan, schedule, way, stale)?;
        Ok(compute::micros(start))
    };
    // The first run touches the memory.
    let first = run()?;
    if first > BUDGET.as_secs_f64() * 1e6 { Ok(vec![first]) } else { repeated(run) }
}

/// The lower quartile, the median and the upper quartile, each one of the values.
fn middle(mut values: Vec<f64>) -> Option<[f64; 3]> {
    values.sort_by(f64::total_cmp);
    let n = values.len();
    (n > 0).then(|| [n / 4, n / 2, (3 * n / 4).min(n - 1)].map(|index| values[index]))
}
