//! A system that is ready to be solved again and again, for whoever takes the times: without what tells how far a solution can be trusted.

use super::super::subject::{MOST_SETS, Subject};
use super::super::{Deviation, Devices, EngineError, Outcome, Place, Times, Values};
use super::{Chosen, Run, SolveError, SolveJob, check, choose, micros, row_after_row, run, solve, unknowns};
use crate::cpu::{self, Way, tridiagonal::Factored};
use crate::gpu::{AdapterInfo, Clock, Rotation, Sample, bench_copy};
use crate::transforms::Shape;
use crate::transforms::tridiagonal::TRIDIAGONAL;
use num_complex::Complex64;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// A system that is ready to be solved again and again.
pub struct SolveTrial {
    job: SolveJob,
    chosen: Chosen,
    factored: Factored,
    outcome: Outcome,
    /// The newest solution.
    x: Vec<f64>,
    engine: Machinery,
}

/// What solves alone, from several copies of the same equations.
enum Machinery {
    Gpu(Rotation),
    /// A plan on the CPU.
    Plan(Turns<super::Lanes>),
    /// Row after row.
    Rows(Turns<Vec<[f64; 4]>>),
}

/// Inputs that are used in turn, and the solution of the last run.
struct Turns<T> {
    inputs: Vec<T>,
    next: usize,
    x: Option<Vec<f64>>,
}

impl<T: Clone> Turns<T> {
    /// As many inputs as fill `rotated` bytes of memory, at least one.
    fn new(input: T, bytes: u64, rotated: u64) -> Self {
        let n = (rotated / bytes.max(1)).clamp(1, MOST_SETS) as usize;
        Self { inputs: vec![input; n], next: 0, x: None }
    }

    /// The times of `n` runs, after one that warms up.
    fn kernels(&mut self, n: usize, mut solve: impl FnMut(&T) -> Result<(f64, Vec<f64>), EngineError>) -> Result<Vec<Sample>, EngineError> {
        let run = |_| {
            drop(self.x.take());
            let (micros, x) = solve(&self.inputs[self.next % self.inputs.len()])?;
            self.next += 1;
            self.x = Some(x);
            Ok(Sample { micros, device_clock: false })
        };
        (0..=n).map(run).skip(1).collect()
    }
}

impl SolveTrial {
    /// Solves a system once, by the way that is taken from then on, and takes as many copies of its equations as fill `rotated` bytes of memory, at least one.
    ///
    /// # Errors
    /// As [`solve`].
    pub fn new(job: SolveJob, rotated: u64, devices: &mut Devices, cancel: &AtomicBool) -> Result<Self, EngineError> {
        let solution = solve(&job, devices, cancel)?;
        let algorithm = TRIDIAGONAL.algorithm(solution.algorithm)?;
        let chosen = match solution.plan {
            None => Chosen { algorithm, place: Place::Cpu(Way::Parallel), precision: solution.precision, why: String::new() },
            Some(_) => choose(&job, Some(algorithm), devices.place(&job.device)?.0, solution.condition)?,
        };
        let factored = Factored::new(&job.system.rows).map_err(|singular| SolveError::singular(&job, singular))?;
        let rows = &job.system.rows;
        let engine = match (&chosen.place, &solution.plan) {
            (Place::Gpu(device), Some((plan, schedule))) => {
                let (prepared, _) = devices.prepare(device, plan, schedule, chosen.precision)?;
                Machinery::Gpu(Rotation::new(prepared, plan, schedule, rotated)?)
            }
            (_, Some(_)) => {
                let lanes = super::Lanes::of_rows(rows, chosen.precision);
                let bytes = lanes.bytes();
                Machinery::Plan(Turns::new(lanes, bytes, rotated))
            }
            (_, None) => Machinery::Rows(Turns::new(rows.clone(), size_of_val(&rows[..]) as u64, rotated)),
        };
        let outcome = Outcome { complete: true, ..solution.outcome() };
        Ok(Self { job, chosen, factored, outcome, x: solution.x, engine })
    }
}

impl Subject for SolveTrial {
    fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    fn trip(&mut self, devices: &mut Devices, cancel: &AtomicBool) -> Result<Times, EngineError> {
        let Run { x, times, .. } = run(&self.job, &self.chosen, devices, &self.factored, cancel)?;
        self.x = x;
        self.outcome.times = times.clone();
        Ok(times)
    }

    fn kernels(&mut self, n: usize, clock: Clock, devices: &mut Devices, cancel: &AtomicBool) -> Result<Vec<Sample>, EngineError> {
        let Self { chosen, factored, outcome, engine, .. } = self;
        match engine {
            Machinery::Gpu(rotation) => Ok(rotation.kernels(n, clock, cancel)?),
            Machinery::Plan(turns) => turns.kernels(n, |lanes| {
                let (Some(plan), Some(schedule)) = (&outcome.plan, &outcome.schedule) else { unreachable!("a plan has run") };
                lanes.bring(devices.memory(), plan);
                let micros = lanes.run(devices.memory(), plan, schedule, chosen.place.way(), cancel)?.iter().sum();
                Ok((micros, unknowns(&lanes.results(devices.memory(), plan))))
            }),
            Machinery::Rows(turns) => turns.kernels(n, |rows| {
                check(cancel)?;
                let start = Instant::now();
                let x = row_after_row(rows, chosen.algorithm, factored);
                Ok((micros(start), x))
            }),
        }
    }

    fn each_result(&self, cancel: &AtomicBool, check: &mut dyn FnMut(&Values) -> Result<(), EngineError>) -> Result<(), EngineError> {
        let double = |x: &[f64]| Values::Double(x.iter().map(|&x| Complex64::from(x)).collect());
        check(&double(&self.x))?;
        match &self.engine {
            Machinery::Gpu(rotation) => {
                let prepared = rotation.result();
                check(&Values::Double(prepared.download_double(0..prepared.outputs(), cancel)?))
            }
            Machinery::Plan(Turns { x: Some(x), .. }) | Machinery::Rows(Turns { x: Some(x), .. }) => check(&double(x)),
            Machinery::Plan(_) | Machinery::Rows(_) => Ok(()),
        }
    }

    /// How far a solution is from satisfying the equations, relative to their terms.
    fn deviation_of(&self, values: &Values, _: &AtomicBool) -> Result<Deviation, EngineError> {
        let n = self.job.system.rows.len();
        let x: Vec<f64> = (0..n).map(|i| values.exact(Shape::line(n), 0, i).re).collect();
        Ok(Deviation { error: self.job.system.residual(&x).relative, rounding: 0.0 })
    }

    fn copies(&self, bytes: u64, rotated: u64, n: usize) -> Result<Vec<f64>, EngineError> {
        match &self.chosen.place {
            Place::Gpu(device) => Ok(bench_copy(device, bytes, rotated, n)?.into_iter().flatten().collect()),
            Place::Cpu(way) => Ok(cpu::copy::time(*way, bytes, rotated, n)),
        }
    }

    fn rotated_bytes(&self) -> u64 {
        match &self.engine {
            Machinery::Gpu(rotation) => rotation.bytes(),
            Machinery::Plan(turns) => turns.inputs.iter().map(super::Lanes::bytes).sum(),
            Machinery::Rows(turns) => turns.inputs.iter().map(|rows| size_of_val(&rows[..]) as u64).sum(),
        }
    }

    fn adapter(&self) -> Option<AdapterInfo> {
        match &self.chosen.place {
            Place::Gpu(device) => Some(device.info().clone()),
            Place::Cpu(_) => None,
        }
    }
}
