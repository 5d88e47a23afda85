//! A tridiagonal system as a job like any other: its equations are the rows of the signal, and its result is the line of the unknowns.

use super::super::compute::Computed;
use super::super::{Devices, EngineError, Held, Job, Values};
use super::{Solution, SolveError, SolveJob, solve};
use crate::cpu::tridiagonal::Factored;
use crate::plan::Precision;
use crate::signal::System;
use num_complex::{Complex32, Complex64};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Solves the system that the signal of a job holds.
///
/// # Errors
/// When the signal holds none, and as [`solve`].
pub(in crate::engine) fn compute(job: &Job, devices: &mut Devices, cancel: &AtomicBool) -> Result<Computed, EngineError> {
    let solution = solve(&SolveJob::of(job)?, devices, cancel)?;
    let outcome = solution.outcome();
    let held = Held::memory(match solution.precision {
        Precision::Single => Values::Single(solution.x.iter().map(|&x| Complex32::from(x as f32)).collect()),
        Precision::Double => Values::Double(double(&solution)),
    });
    Ok(Computed { held, prepared: None, outcome })
}

fn double(solution: &Solution) -> Vec<Complex64> {
    solution.x.iter().map(|&x| x.into()).collect()
}

/// The solution in double precision by Gaussian elimination with exchanges, against which errors are found.
///
/// # Errors
/// When the signal holds no system, or a singular one.
pub(in crate::engine) fn expected(job: &Job) -> Result<Values, EngineError> {
    let job = SolveJob::of(job)?;
    let rows = &job.system.rows;
    let factored = Factored::new(rows).map_err(|singular| SolveError::singular(&job, singular))?;
    Ok(Values::Double(factored.solve(rows).into_iter().map(Complex64::from).collect()))
}

impl SolveJob {
    /// The system in the signal of a job, and how it is to be solved.
    fn of(job: &Job) -> Result<Self, EngineError> {
        Ok(Self {
            system: Arc::new(System::of(&job.signal)?),
            algorithm: job.algorithm,
            cut: job.cut,
            device: job.device.clone(),
            precision: job.precision,
            prefer_plan: job.prefer_plan,
        })
    }
}
