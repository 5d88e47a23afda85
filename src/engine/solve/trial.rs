//! A system that is ready to be solved again and again, for whoever takes the times: without what tells how far a solution can be trusted.

use super::super::{Contents, Devices, EngineError, Outcome, Place, Times, Values};
use super::{Chosen, Run, SolveError, SolveJob, choose, run, solve};
use crate::cpu::{self, Way, tridiagonal::Factored};
use crate::gpu::{AdapterInfo, Clock, Rotation, Sample, bench_copy};
use crate::transforms::tridiagonal::TRIDIAGONAL;
use crate::transforms::{Axes, Shape};
use num_complex::Complex64;
use std::sync::atomic::AtomicBool;

/// A system that is ready to be solved again and again.
pub struct SolveTrial {
    job: SolveJob,
    chosen: Chosen,
    factored: Factored,
    outcome: Outcome,
    /// The newest solution.
    x: Vec<f64>,
    rotation: Option<Rotation>,
}

impl SolveTrial {
    /// Solves a system once, by the way that is taken from then on.
    ///
    /// # Errors
    /// As [`solve`].
    pub fn new(job: SolveJob, devices: &mut Devices, cancel: &AtomicBool) -> Result<Self, EngineError> {
        let solution = solve(&job, devices, cancel)?;
        let algorithm = TRIDIAGONAL.algorithm(solution.algorithm)?;
        let chosen = match solution.plan {
            None => Chosen { algorithm, place: Place::Cpu(Way::Parallel), precision: solution.precision, why: String::new() },
            Some(_) => choose(&job, Some(algorithm), devices.place(&job.device)?.0, solution.condition)?,
        };
        let factored = Factored::new(&job.system.rows).map_err(|singular| SolveError::singular(&job, singular))?;
        let rotation = match (&chosen.place, &solution.plan) {
            (Place::Gpu(device), Some((plan, schedule))) => {
                Some(Rotation::of(devices.prepare(device, plan, schedule, chosen.precision)?.0)?)
            }
            _ => None,
        };
        let (plan, schedule) = solution.plan.unzip();
        let outcome = Outcome {
            plan,
            schedule,
            algorithm: solution.algorithm,
            reason: solution.reason,
            candidates: Vec::new(),
            device: solution.device,
            software_gpu: solution.software_gpu,
            precision: solution.precision,
            packed: false,
            shape: Shape::line(job.system.rows.len()),
            axes: Axes::Rows,
            contents: Contents::Values,
            times: solution.times,
            again: Vec::new(),
            error: None,
            copy_micros: None,
            comparisons: Vec::new(),
            complete: true,
            values: None,
        };
        Ok(Self { job, chosen, factored, outcome, x: solution.x, rotation })
    }

    /// What the newest run came to; that of the first holds what is paid once.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// Solves the system from its equations to the whole solution in memory; every part apart.
    ///
    /// # Errors
    /// When the device reports an error, or `cancel` is raised.
    pub fn trip(&mut self, devices: &mut Devices, cancel: &AtomicBool) -> Result<Times, EngineError> {
        let Run { x, times, .. } = run(&self.job, &self.chosen, devices, &self.factored, cancel)?;
        self.x = x;
        self.outcome.times = times.clone();
        Ok(times)
    }

    /// The times of `n` runs without transfers.
    ///
    /// # Errors
    /// When the device reports an error, or `cancel` is raised.
    pub fn kernels(&mut self, n: usize, clock: Clock, devices: &mut Devices, cancel: &AtomicBool) -> Result<Vec<Sample>, EngineError> {
        match &mut self.rotation {
            Some(rotation) => Ok(rotation.kernels(n, clock, cancel)?),
            None => (0..n).map(|_| Ok(Sample { micros: self.trip(devices, cancel)?.kernel_micros(), device_clock: false })).collect(),
        }
    }

    /// Calls `check` with every solution that the runs so far have left.
    ///
    /// # Errors
    /// When `check` has one, the device reports one, or `cancel` is raised.
    pub fn each_result(&self, cancel: &AtomicBool, check: &mut dyn FnMut(&Values) -> Result<(), EngineError>) -> Result<(), EngineError> {
        check(&Values::Double(self.x.iter().map(|&x| Complex64::from(x)).collect()))?;
        match &self.rotation {
            Some(rotation) => {
                let prepared = rotation.result();
                check(&Values::Double(prepared.download_double(0..prepared.outputs(), cancel)?))
            }
            None => Ok(()),
        }
    }

    /// How far a solution is from satisfying the equations, relative to their terms.
    pub fn error_of(&self, values: &Values) -> f64 {
        let n = self.job.system.rows.len();
        let x: Vec<f64> = (0..n).map(|i| values.exact(Shape::line(n), 0, i).re).collect();
        self.job.system.residual(&x).relative
    }

    /// The adapter, where a GPU solves it.
    pub fn adapter(&self) -> Option<AdapterInfo> {
        match &self.chosen.place {
            Place::Gpu(device) => Some(device.info().clone()),
            Place::Cpu(_) => None,
        }
    }

    /// Bytes of the equations that the runs without transfers read.
    pub fn rotated_bytes(&self) -> u64 {
        self.rotation.as_ref().map_or(0, Rotation::bytes)
    }

    /// Microseconds of plain copies of `bytes` bytes where the system is solved; empty where nothing can time one.
    ///
    /// # Errors
    /// When the device reports an error.
    pub fn copies(&self, bytes: u64, rotated: u64, n: usize) -> Result<Vec<f64>, EngineError> {
        match &self.chosen.place {
            Place::Gpu(device) => Ok(bench_copy(device, bytes, rotated, n)?.into_iter().flatten().collect()),
            Place::Cpu(way) => Ok(cpu::copy::time(*way, bytes, rotated, n)),
        }
    }
}
