//! A benchmark case that runs a job repeatedly: with the choices of the job, and with inputs in turn, so that no run finds its data in the caches.

use super::compute::{self, Ready, Work};
use super::elimination;
use super::lane_memory::LaneMemory;
use super::lanes::Lanes;
use super::library::{self, Threads};
use super::preparing::prepared;
use super::runner::{CaseRunner, MOST_INPUTS};
use super::{Backend, Computed, Deviation, Devices, EngineError, Job, Outcome, Times, Values};
use crate::cpu::{self, CpuBackend};
use crate::gpu::{AdapterInfo, Clock, Rotation, Sample, Uploads, bench_copy};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// A job that runs repeatedly.
pub struct JobRunner {
    ready: Ready,
    last: Computed,
    engine: Machinery,
}

/// The inputs in turn, and what runs the launches without transfers.
enum Machinery {
    Gpu(Rotation),
    Cpu {
        cpu_backend: CpuBackend,
        threads: Threads,
        lanes: Lanes,
        /// Memory with the samples; each is filled again after its run.
        sets: Vec<LaneMemory>,
        next: usize,
        /// The result of the last run.
        result: Option<Arc<Values>>,
    },
    /// Elimination of copies of the same equations, in turn.
    Rows {
        copies: Vec<Vec<[f64; 4]>>,
        next: usize,
        result: Option<Values>,
    },
    /// Bit-packed values on the CPU: every run begins with the samples, and only its launches are timed.
    Packed,
}

impl JobRunner {
    /// Runs a job once, and makes copies of its input that fill `rotated` bytes of memory, at least one.
    ///
    /// # Errors
    /// As [`compute()`](super::compute()).
    pub fn new(job: &Job, rotated: u64, devices: &mut Devices, cancel: &AtomicBool) -> Result<Self, EngineError> {
        Self::uploading(job, Uploads::Once, rotated, devices, cancel)
    }

    /// The same with the samples uploaded to these buffers of a GPU.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn uploading(job: &Job, uploads: Uploads, rotated: u64, devices: &mut Devices, cancel: &AtomicBool) -> Result<Self, EngineError> {
        let (job, _) = prepared(job, cancel)?;
        let job = Job { device: devices.settled(&job.device)?, ..job.into_owned() };
        devices.count_run();
        let start = Instant::now();
        let mut ready = Ready { uploads, ..Ready::new(&job, devices)? };
        if let (Uploads::Both, Backend::Cpu(_)) = (uploads, &ready.backend) {
            ready.blank.add_note("a CPU uploads nothing, so that uploads to both buffers change nothing");
        }
        let mut last = ready.run(devices, start, cancel).inspect_err(|error| {
            if error.is_lost_device() {
                devices.close(error, false);
            }
        })?;
        devices.note_run(&ready.job, &ready.backend, &mut last.outcome.times);
        let (plan, schedule) = (last.outcome.plan.clone(), last.outcome.schedule.clone());
        let engine = match (&last.prepared, plan.zip(schedule), &ready.work) {
            // Bit-packed plans have one input.
            (Some(prepared), ..) if last.outcome.packed => Machinery::Gpu(Rotation::of(prepared.clone())?),
            (Some(prepared), Some((plan, schedule)), _) => Machinery::Gpu(Rotation::new(prepared.clone(), &plan, &schedule, rotated)?),
            _ if last.outcome.packed => Machinery::Packed,
            (None, None, Work::System(elimination)) => {
                let rows = &elimination.system.rows;
                let n = (rotated / size_of_val(&rows[..]).max(1) as u64).clamp(1, MOST_INPUTS) as usize;
                Machinery::Rows { copies: vec![rows.clone(); n], next: 0, result: None }
            }
            _ => {
                let backend = &ready.backend;
                let lanes = match &ready.work {
                    Work::Library(transform) => library::input(&ready.job, transform, last.outcome.precision)?,
                    Work::Plan(fitted) => Lanes::of(&fitted.plan, &ready.job, last.outcome.precision)?,
                    Work::System(elimination) => Lanes::of_rows(&elimination.system.rows, last.outcome.precision),
                };
                let n = (rotated / lanes.bytes().max(1)).clamp(1, MOST_INPUTS) as usize;
                let (cpu_backend, threads) = (backend.cpu_backend(), Threads::of(backend.cpu_backend()));
                let mut sets: Vec<LaneMemory> = (0..n).map(|_| LaneMemory::default()).collect();
                for memory in &mut sets {
                    // The first run touches the memory.
                    on_cpu(&ready, &last.outcome, &lanes, (cpu_backend, &threads), memory, cancel)?;
                }
                Machinery::Cpu { cpu_backend, threads, lanes, sets, next: 0, result: None }
            }
        };
        Ok(Self { ready, last, engine })
    }
}

impl CaseRunner for JobRunner {
    fn outcome(&self) -> &Outcome {
        &self.last.outcome
    }

    fn round_trip(&mut self, devices: &mut Devices, cancel: &AtomicBool) -> Result<Times, EngineError> {
        self.last = self.ready.run(devices, Instant::now(), cancel)?;
        self.last.round_trip(cancel)
    }

    fn kernels(&mut self, n: usize, clock: Clock, devices: &mut Devices, cancel: &AtomicBool) -> Result<Vec<Sample>, EngineError> {
        match &mut self.engine {
            Machinery::Gpu(rotation) => Ok(rotation.kernels(n, clock, cancel)?),
            Machinery::Packed => (0..n)
                .map(|_| {
                    self.last = self.ready.run(devices, Instant::now(), cancel)?;
                    Ok(Sample { micros: self.last.outcome.times.kernel_micros(), device_clock: false })
                })
                .collect(),
            // The first run warms up.
            Machinery::Rows { copies, next, result } => (0..=n)
                .map(|_| {
                    elimination::check(cancel)?;
                    drop(result.take());
                    let rows = &copies[*next % copies.len()];
                    *next += 1;
                    let Work::System(elimination) = &self.ready.work else { unreachable!("rows belong to a system") };
                    let start = Instant::now();
                    let x = elimination.eliminate(self.last.outcome.algorithm, rows);
                    let micros = super::report::micros(start);
                    *result = Some(elimination::in_double(&x));
                    Ok(Sample { micros, device_clock: false })
                })
                .skip(1)
                .collect(),
            Machinery::Cpu { cpu_backend, threads, lanes, sets, next, result } => (0..=n)
                .map(|_| {
                    drop(result.take());
                    let turn = *next % sets.len();
                    *next += 1;
                    let (micros, values) =
                        on_cpu(&self.ready, &self.last.outcome, lanes, (*cpu_backend, threads), &mut sets[turn], cancel)?;
                    *result = Some(Arc::new(values));
                    Ok(Sample { micros, device_clock: false })
                })
                .skip(1)
                .collect(),
        }
    }

    fn each_result(&self, cancel: &AtomicBool, check: &mut dyn FnMut(&Values) -> Result<(), EngineError>) -> Result<(), EngineError> {
        check(&*self.last.stored.values(cancel)?)?;
        match (&self.engine, &self.ready.work, &self.last.outcome.plan) {
            (Machinery::Gpu(rotation), ..) if self.last.outcome.packed => check(&Values::Bits(rotation.result().download_words(cancel)?)),
            (Machinery::Gpu(rotation), Work::Plan(fitted), Some(plan)) => {
                check(&compute::brought_back(&self.ready.job, fitted, rotation.result().clone(), plan, cancel)?)
            }
            (Machinery::Gpu(rotation), Work::System(_), _) => {
                let prepared = rotation.result();
                check(&Values::Double(prepared.download_double(0..prepared.outputs(), cancel)?))
            }
            (Machinery::Cpu { result: Some(values), .. }, ..) => check(values),
            (Machinery::Rows { result: Some(values), .. }, ..) => check(values),
            _ => Ok(()),
        }
    }

    fn deviation_of(&self, values: &Values, cancel: &AtomicBool) -> Result<Deviation, EngineError> {
        if let Work::System(elimination) = &self.ready.work {
            // A solution is judged by how well it satisfies the equations, relative to their terms.
            let error = elimination.system.residual(&elimination::unknowns(values)).relative;
            return Ok(Deviation { error, rounding: 0.0 });
        }
        compute::deviation_of(&self.ready.job, values, &self.last.outcome, cancel)
    }

    fn adapter(&self) -> Option<AdapterInfo> {
        match &self.ready.backend {
            Backend::Gpu(device) => Some(device.info().clone()),
            Backend::Cpu(_) => None,
        }
    }

    fn rotated_bytes(&self) -> u64 {
        match &self.engine {
            Machinery::Gpu(rotation) => rotation.bytes(),
            Machinery::Cpu { lanes, sets, .. } => sets.len() as u64 * lanes.bytes(),
            Machinery::Rows { copies, .. } => copies.iter().map(|rows| size_of_val(&rows[..]) as u64).sum(),
            Machinery::Packed => 0,
        }
    }

    fn copies(&self, bytes: u64, rotated: u64, n: usize) -> Result<Vec<f64>, EngineError> {
        match &self.ready.backend {
            Backend::Gpu(device) => Ok(bench_copy(device, bytes, rotated, n)?.into_iter().flatten().collect()),
            Backend::Cpu(cpu_backend) => Ok(cpu::copy::time(*cpu_backend, bytes, rotated, n)),
        }
    }
}

/// The time of one run on a CPU in µs, and its result. For a plan this is the time of its launches; the samples are already in `memory`.
fn on_cpu(
    ready: &Ready,
    outcome: &Outcome,
    lanes: &Lanes,
    (cpu_backend, threads): (CpuBackend, &Threads),
    memory: &mut LaneMemory,
    cancel: &AtomicBool,
) -> Result<(f64, Values), EngineError> {
    match (&ready.work, &outcome.plan, &outcome.schedule) {
        (Work::Library(transform), ..) => threads.run(|| {
            let start = Instant::now();
            let values = library::result(lanes, &ready.job, transform, cancel)?;
            Ok((super::report::micros(start), values))
        }),
        (Work::Plan(_) | Work::System(_), Some(plan), Some(schedule)) => {
            if memory.is_empty() {
                lanes.bring(memory, plan);
            }
            let micros = lanes.run(memory, plan, schedule, cpu_backend, cancel)?.iter().sum();
            let values = lanes.results(memory, plan);
            let values = match &ready.work {
                Work::Plan(fitted) => compute::in_order(values, &ready.job, fitted, outcome.precision),
                _ => values,
            };
            lanes.bring(memory, plan);
            Ok((micros, values))
        }
        _ => Err(EngineError::CpuOnly { algorithm: outcome.algorithm }),
    }
}
