//! What is measured where tridiagonal systems are solved: random equations with a dominant diagonal, whose solution every algorithm finds well.

use super::{Line, Subject};
use crate::cpu::{self, Way};
use crate::engine::{Contents, Devices, EngineError, Outcome, Place, Solution, SolveJob, Times, Values, solve, time_solution};
use crate::gpu::{AdapterInfo, Clock, Sample, bench_copy};
use crate::signal::generate::Example;
use crate::transforms::{Axes, Shape, transform};
use num_complex::Complex64;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Operations of Gaussian elimination for each equation.
pub(super) const OPERATIONS: f64 = 8.0;
/// Solutions that are timed at once: the engine wakes the device for each such row.
const AT_ONCE: usize = 4;

/// A system that is solved again and again; its error is the relative residual.
pub(super) struct Equations {
    job: SolveJob,
    solution: Solution,
    outcome: Outcome,
    place: Place,
    /// Runs that were timed, with the time of their launches in a row, and not yet told.
    timed: VecDeque<(Times, f64)>,
    kernels: VecDeque<f64>,
}

impl Equations {
    /// Solves the system of a line once.
    pub(super) fn new(line: &Line, shape: Shape, devices: &mut Devices, cancel: &AtomicBool) -> Result<Self, EngineError> {
        let table = transform(&line.transform)?;
        let algorithm = line.algorithm.as_deref().map(|name| table.algorithm(name)).transpose()?;
        let job = SolveJob {
            system: Arc::new(Example::Dominant.system(shape.len())),
            algorithm: algorithm.map(|algorithm| algorithm.name),
            cut: line.cut,
            device: line.device.clone(),
            precision: line.precision,
        };
        let solution = solve(&job, devices, cancel)?;
        let on_gpu = solution.plan.is_some() && !solution.device.starts_with("CPU");
        let place = match devices.place(&line.device)?.0 {
            Place::Gpu(device) if on_gpu => Place::Gpu(device),
            Place::Cpu(way) => Place::Cpu(way),
            Place::Gpu(_) => Place::Cpu(Way::Parallel),
        };
        let (plan, schedule) = solution.plan.clone().unzip();
        let outcome = Outcome {
            plan,
            schedule,
            algorithm: solution.algorithm,
            reason: solution.reason.clone(),
            candidates: Vec::new(),
            device: solution.device.clone(),
            software_gpu: solution.software_gpu,
            precision: solution.precision,
            packed: false,
            shape,
            axes: Axes::Rows,
            contents: Contents::Values,
            times: solution.times.clone(),
            error: Some(solution.residual.relative),
            copy_micros: None,
            comparisons: Vec::new(),
            complete: true,
            values: None,
        };
        Ok(Self { job, solution, outcome, place, timed: VecDeque::new(), kernels: VecDeque::new() })
    }

    fn time(&mut self, n: usize, devices: &mut Devices, cancel: &AtomicBool) -> Result<(), EngineError> {
        self.timed.extend(time_solution(&self.job, &self.solution, n, devices, cancel)?);
        Ok(())
    }
}

impl Subject for Equations {
    fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    fn trip(&mut self, devices: &mut Devices, cancel: &AtomicBool) -> Result<Times, EngineError> {
        if self.timed.is_empty() {
            self.time(AT_ONCE, devices, cancel)?;
        }
        let (mut times, kernel) = self.timed.pop_front().expect("some were just timed");
        self.kernels.push_back(kernel);
        times.total_micros += times.download_micros;
        Ok(times)
    }

    fn kernels(&mut self, n: usize, _clock: Clock, devices: &mut Devices, cancel: &AtomicBool) -> Result<Vec<Sample>, EngineError> {
        while self.kernels.len() < n {
            self.trip(devices, cancel)?;
        }
        let device_clock = self.outcome.times.device_clock && self.adapter().is_some();
        Ok(self.kernels.drain(..n).map(|micros| Sample { micros, device_clock }).collect())
    }

    fn each_result(&self, _cancel: &AtomicBool, check: &mut dyn FnMut(&Values) -> Result<(), EngineError>) -> Result<(), EngineError> {
        check(&Values::Double(self.solution.x.iter().map(|&x| Complex64::from(x)).collect()))
    }

    fn error_of(&self, _values: &Values, _cancel: &AtomicBool) -> Result<f64, EngineError> {
        Ok(self.solution.residual.relative)
    }

    fn copies(&self, bytes: u64, rotated: u64, n: usize) -> Result<Vec<f64>, EngineError> {
        match &self.place {
            Place::Gpu(device) => Ok(bench_copy(device, bytes, rotated, n)?.into_iter().flatten().collect()),
            Place::Cpu(way) => Ok(cpu::copy::time(*way, bytes, rotated, n)),
        }
    }

    fn rotated_bytes(&self) -> u64 {
        0
    }

    fn adapter(&self) -> Option<AdapterInfo> {
        match &self.place {
            Place::Gpu(device) => Some(device.info().clone()),
            Place::Cpu(_) => None,
        }
    }
}

/// Whether a line names equations.
pub(super) fn takes(line: &Line) -> bool {
    transform(&line.transform).is_ok_and(|transform| transform.takes_equations())
}
