//! The comparisons that the engine makes while it is idle: the error of a job, the times of other algorithms and devices, and the time of a plain copy.

use super::current::{Current, IdleTask, Timed};
use crate::cpu;
use crate::engine::compute::{self, Ready};
use crate::engine::{Backend, Comparison, DeviceChoice, Devices, EngineError, Job, Outcome, StoredResult};
use crate::gpu::copy_times;
use crate::statistics::{median, quartiles};
use crate::transforms::transform;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Number of timed copies.
const N_COPIES: usize = 5;
/// A copy that took longer than what it is compared with is timed again, up to this number of times in all.
const MOST_ATTEMPTS: usize = 4;
/// The largest number of runs for a comparison, and the time for all of them.
const MOST_RUNS: usize = 9;
const BUDGET: Duration = Duration::from_millis(150);

impl Current {
    /// Does one idle task.
    pub(super) fn find_out(&mut self, task: IdleTask, devices: &mut Devices, cancel: &AtomicBool) -> Result<(), EngineError> {
        let (Some(stored), Ok(outcome)) = (&self.stored, &mut self.outcome) else { return Ok(()) };
        let job = &self.job;
        match task {
            IdleTask::Error => {
                let error = compute::relative_error(job, stored, outcome, cancel)?;
                Arc::make_mut(outcome).error = Some(error);
            }
            IdleTask::Again => return self.run_again(devices, cancel),
            IdleTask::Floor => {
                let (once, launches) = copies(job, outcome, devices, cancel)?;
                let outcome = Arc::make_mut(outcome);
                (outcome.copy_micros, outcome.launch_copies) = (once, launches);
            }
            IdleTask::Time(timed) => {
                let comparison = time(timed, job, outcome, devices, cancel)?;
                let outcome = Arc::make_mut(outcome);
                match timed {
                    Timed::AsSet => outcome.as_set = Some(comparison),
                    Timed::Plan(_) | Timed::Library => outcome.comparisons.push(comparison),
                }
            }
        }
        Ok(())
    }

    /// Repeats the job a few times, from the samples to the visible result.
    fn run_again(&mut self, devices: &mut Devices, cancel: &AtomicBool) -> Result<(), EngineError> {
        let ready = Ready::new(&self.job, devices)?;
        let stays = matches!(&self.stored, Some(StoredResult::Gpu(_)));
        let go_on = AtomicBool::new(false);
        let again = repeated(|| {
            if cancel.load(Ordering::Relaxed) {
                return Err(EngineError::Cancelled);
            }
            // A cancelled run would leave half a result in the buffers that hold the visible one.
            let cancel = if stays { &go_on } else { cancel };
            let mut times = ready.run(devices, Instant::now(), cancel)?.outcome.times;
            if stays {
                let start = Instant::now();
                (self.report, self.limits) = (None, None);
                self.report = Some(Arc::new(self.render()?));
                times.add_download(start);
            }
            Ok(times)
        })?;
        if let Ok(outcome) = &mut self.outcome {
            Arc::make_mut(outcome).again = again;
        }
        Ok(())
    }
}

/// Median times in µs of plain copies on the device of the job, if they can be timed: of input and output, and of the bytes of each launch.
fn copies(job: &Job, outcome: &Outcome, devices: &mut Devices, cancel: &AtomicBool) -> Result<(Option<f64>, Vec<f64>), EngineError> {
    let (backend, _) = devices.backend(&job.device)?;
    let mut known: HashMap<u64, Copies> = HashMap::new();
    // A launch is hardly faster than a copy of its bytes: if a copy took longer than `most`, something else may have run meanwhile.
    let mut time = |bytes: u64, most: f64| -> Result<(), EngineError> {
        let copy = || {
            if cancel.load(Ordering::Relaxed) {
                return Err(EngineError::Cancelled);
            }
            let copies = match &backend {
                Backend::Gpu(device) if outcome.times.upload_micros > 0.0 => {
                    copy_times(device, bytes / 2, N_COPIES)?.into_iter().flatten().collect()
                }
                backend => cpu::copy::time(backend.cpu_backend(), bytes / 2, 0, N_COPIES),
            };
            Ok(median(copies))
        };
        known.entry(bytes).or_default().time(most, copy)
    };
    let medians = outcome.launch_medians();
    let all: f64 = medians.iter().sum();
    time(outcome.bytes_once(), if all > 0.0 { all } else { f64::INFINITY })?;
    let n_launches = outcome.schedule.as_ref().map_or(0, |schedule| schedule.launches.len());
    let of_launch = |launch: usize| Some((outcome.launch_bytes(launch)?, medians.get(launch).copied().unwrap_or(f64::INFINITY)));
    let launches: Vec<(u64, f64)> = (0..n_launches).filter_map(of_launch).collect();
    launches.iter().try_for_each(|&(bytes, most)| time(bytes, most))?;
    let shortest = |bytes: &u64| known.get(bytes).and_then(|copies| copies.shortest);
    let of_launches: Option<Vec<f64>> = launches.iter().map(|(bytes, _)| shortest(bytes)).collect();
    Ok((shortest(&outcome.bytes_once()), of_launches.unwrap_or_default()))
}

/// Copies of one number of bytes.
#[derive(Default)]
struct Copies {
    /// The shortest time in µs; `None` where none can be taken.
    shortest: Option<f64>,
    /// How often it was taken.
    attempts: usize,
}

impl Copies {
    /// Takes the time until it is at most `most`, [`MOST_ATTEMPTS`] times in all.
    fn time<E>(&mut self, most: f64, mut taken: impl FnMut() -> Result<Option<f64>, E>) -> Result<(), E> {
        while self.attempts < MOST_ATTEMPTS && self.shortest.is_none_or(|shortest| shortest > most) {
            let Some(micros) = taken()? else {
                self.attempts = MOST_ATTEMPTS;
                break;
            };
            self.attempts += 1;
            self.shortest = Some(self.shortest.map_or(micros, |shortest| shortest.min(micros)));
        }
        Ok(())
    }
}

/// A few runs within a short budget, at least one.
fn repeated<T>(mut run: impl FnMut() -> Result<T, EngineError>) -> Result<Vec<T>, EngineError> {
    let (mut runs, begin) = (vec![run()?], Instant::now());
    while runs.len() < MOST_RUNS && begin.elapsed() < BUDGET {
        runs.push(run()?);
    }
    Ok(runs)
}

/// Times another algorithm or device on the same samples, in the same precision: from the samples to the whole result in memory.
fn time(timed: Timed, job: &Job, outcome: &Outcome, devices: &mut Devices, cancel: &AtomicBool) -> Result<Comparison, EngineError> {
    let ran = outcome.ran(job);
    let by = |algorithm, device, ran| Job { algorithm: Some(algorithm), device, precision: Some(outcome.precision), ..ran };
    let (name, job) = match timed {
        Timed::AsSet => (format!("As set, {}", outcome.device), ran),
        Timed::Plan(cpu_backend) => (cpu_backend.name().into(), by(outcome.algorithm, DeviceChoice::of(cpu_backend), ran)),
        Timed::Library => {
            let library = transform(job.transform)?.library().ok_or(EngineError::CpuOnly { algorithm: outcome.algorithm })?;
            (format!("{}, all cores", library.name), by(library.name, DeviceChoice::CpuParallel, ran))
        }
    };
    let samples = round_trips(&job, devices, cancel)?;
    let n_runs = samples.len();
    let [low, micros, high] = quartiles(samples).expect("at least one run was timed");
    Ok(Comparison { name, micros, quartiles_micros: [low, high], n_runs })
}

/// Times of some runs of a job in µs, each from its samples to its whole result in memory.
fn round_trips(job: &Job, devices: &mut Devices, cancel: &AtomicBool) -> Result<Vec<f64>, EngineError> {
    let ready = Ready::new(job, devices)?;
    let on_gpu = matches!(ready.backend, Backend::Gpu(_));
    let go_on = AtomicBool::new(false);
    // A cancelled run would leave half a result in the buffers that hold the visible one.
    let cancel = if on_gpu { &go_on } else { cancel };
    let mut trip = || {
        if cancel.load(Ordering::Relaxed) {
            return Err(EngineError::Cancelled);
        }
        Ok(ready.run(devices, Instant::now(), cancel)?.round_trip(cancel)?.total_micros)
    };
    // The first run touches the memory.
    let first = trip()?;
    if first > BUDGET.as_secs_f64() * 1e6 { Ok(vec![first]) } else { repeated(trip) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disturbed_copy_is_timed_again() {
        let taken = |copies: &mut Copies, most: f64, times: &[f64]| {
            let mut times = times.iter().copied();
            copies.time(most, || Ok::<_, EngineError>(times.next())).unwrap();
            (copies.shortest, times.len())
        };
        assert_eq!(taken(&mut Copies::default(), 10.0, &[8.0, 1.0]), (Some(8.0), 1), "the first one will do");
        assert_eq!(taken(&mut Copies::default(), 10.0, &[]), (None, 0), "nothing can be timed");
        let mut copies = Copies::default();
        assert_eq!(taken(&mut copies, 10.0, &[90.0, 12.0, 9.0, 1.0]), (Some(9.0), 1));
        assert_eq!(taken(&mut copies, 5.0, &[7.0, 6.0, 1.0]), (Some(7.0), 2), "one attempt was left");
        assert_eq!(taken(&mut copies, 5.0, &[1.0]), (Some(7.0), 1), "launches that are faster than copies cost no further copies");
    }
}
