//! Solves a tridiagonal system: chooses algorithm and device, runs, and says how far the solution can be trusted.
//!
//! Plans and the Thomas algorithm exchange no equations, so that a zero pivot stops them: what they come to is checked by its residual, and where the choice was left open Gaussian elimination with exchanges takes over.

mod job;
mod solution;
mod trial;

pub(super) use job::{compute, expected};
pub use solution::{Solution, SolveError};
pub use trial::SolveTrial;

use super::compute::{micros, schedule};
use super::lanes::{Lanes, Memory, drawn_values};
use super::{Cut, DRAWN_LANES, DeviceChoice, Devices, EngineError, LaneValues, Place, Times, Values};
use crate::cpu::Way;
use crate::cpu::tridiagonal::{Factored, thomas};
use crate::gpu::{self, Device, KernelChoice};
use crate::plan::{Plan, Precision, Row};
use crate::schedule::Schedule;
use crate::signal::System;
use crate::transforms::tridiagonal::TRIDIAGONAL;
use crate::transforms::{Algorithm, Parameters, Shape, Unsupported};
use rayon::prelude::*;
use solution::{GOOD_RESIDUAL, epsilon};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Lanes of a CPU tile, as the engine takes them for plans.
const CPU_TILE: usize = 4096;
/// A plan that can be drawn is preferred on a CPU for systems of at most so many equations: row after row takes far less time for longer ones.
const LARGEST_PREFERRED_PLAN: usize = 1 << 14;
/// Single precision is left unasked where it would keep fewer digits than these.
const DIGITS_IN_SINGLE: f64 = 4.0;

/// A system that is to be solved.
#[derive(Debug, Clone)]
pub struct SolveJob {
    /// The system.
    pub system: Arc<System>,
    /// Name of the algorithm; `None` takes the fastest that solves it well.
    pub algorithm: Option<&'static str>,
    /// How a plan is cut into launches.
    pub cut: Cut,
    /// Where it runs.
    pub device: DeviceChoice,
    /// How numbers are held; `None` takes double precision on a CPU, and single precision on a GPU where that keeps enough digits.
    pub precision: Option<Precision>,
    /// Whether an automatic choice of the algorithm prefers one whose flow graph can be drawn.
    pub prefer_plan: bool,
}

impl PartialEq for SolveJob {
    /// Systems are compared by identity, which is cheap.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.system, &other.system)
            && (self.algorithm, self.cut, &self.device, self.precision, self.prefer_plan)
                == (other.algorithm, other.cut, &other.device, other.precision, other.prefer_plan)
    }
}

/// Solves a system.
///
/// # Errors
/// When the system is singular, a name is not in the table, the device is not there, the algorithm that was asked for meets a zero pivot, or `cancel` is raised.
pub fn solve(job: &SolveJob, devices: &mut Devices, cancel: &AtomicBool) -> Result<Solution, EngineError> {
    let (rows, system) = (&job.system.rows, &job.system.name);
    let asked = job.algorithm.map(|name| TRIDIAGONAL.algorithm(name)).transpose()?;
    let (place, why_here) = devices.place(&job.device)?;
    let mut factored = Factored::new(rows).map_err(|singular| SolveError::singular(job, singular))?;
    check(cancel)?;
    let mut condition = factored.condition();
    let looks_singular = |condition: f64| condition * f64::EPSILON > 1.0 || condition.is_nan();
    if looks_singular(condition)
        && let Ok(balanced) = Factored::in_balanced_units(rows)
    {
        (condition, factored) = (balanced.condition(), balanced);
    }
    if looks_singular(condition) {
        return Err(SolveError::NearlySingular { system: system.clone(), condition }.into());
    }
    check(cancel)?;
    let chosen = choose(job, asked, place, condition)?;
    let mut run = run(job, &chosen, devices, &factored, cancel)?;
    let mut reasons = vec![chosen.why, why_here.to_owned()];
    let mut algorithm = chosen.algorithm;
    let mut residual = job.system.residual(&run.x);
    let limit = GOOD_RESIDUAL * epsilon(run.precision);
    if residual.relative.is_nan() || residual.relative > limit {
        let is_finite = run.x.iter().all(|value| value.is_finite());
        if asked.is_none() && algorithm.name != PIVOTED {
            reasons.push(format!("{} met a small pivot, so that equations had to be exchanged", algorithm.name));
            algorithm = TRIDIAGONAL.algorithm(PIVOTED)?;
            run = run_reference(rows, algorithm, &factored);
            residual = job.system.residual(&run.x);
        } else if !is_finite {
            return Err(SolveError::not_finite(algorithm.name, run.precision).into());
        }
        if algorithm.name == PIVOTED && residual.relative > limit {
            reasons.push("refined once, as numbers of very different size meet".to_owned());
            run.x = factored.refined(rows, run.x);
            residual = job.system.residual(&run.x);
        }
    }
    if run.x.iter().any(|value| !value.is_finite()) {
        return Err(SolveError::not_finite(algorithm.name, run.precision).into());
    }
    reasons.retain(|reason| !reason.is_empty());
    Ok(Solution {
        x: run.x,
        algorithm: algorithm.name,
        device: run.device,
        software_gpu: run.software_gpu,
        precision: run.precision,
        reason: reasons.join("; "),
        plan: run.plan,
        times: run.times,
        residual,
        condition,
        values: run.values,
    })
}

/// The algorithm that exchanges equations.
const PIVOTED: &str = "pivoted";

/// What was decided.
struct Chosen {
    algorithm: &'static Algorithm,
    place: Place,
    precision: Precision,
    why: String,
}

/// What was asked for, and where it was left open: reduction on a GPU if its precision keeps enough digits, else row after row on the CPU.
fn choose(job: &SolveJob, asked: Option<&'static Algorithm>, place: Place, condition: f64) -> Result<Chosen, EngineError> {
    let on_cpu = job.precision.unwrap_or(Precision::Double);
    let has_plan = asked.is_none_or(|algorithm| algorithm.plan_fn().is_some());
    let draws = job.prefer_plan && job.system.rows.len() <= LARGEST_PREFERRED_PLAN;
    let first = |place: &Place| match place {
        Place::Cpu(_) if !draws => TRIDIAGONAL.library().unwrap_or(TRIDIAGONAL.first_plan()),
        _ => TRIDIAGONAL.first_plan(),
    };
    let (place, mut why) = match place {
        Place::Gpu(_) if !has_plan && job.device == DeviceChoice::Auto => (Place::Cpu(Way::Parallel), String::new()),
        Place::Gpu(_) if !has_plan => return Err(EngineError::CpuOnly { algorithm: asked.map_or("", |algorithm| algorithm.name) }),
        Place::Gpu(_)
            if job.device == DeviceChoice::Auto
                && job.precision.is_none()
                && condition * epsilon(Precision::Single) > 10_f64.powf(-DIGITS_IN_SINGLE) =>
        {
            (Place::Cpu(Way::Parallel), format!("single precision would keep too few digits at a condition number of {condition:.0e}"))
        }
        place => (place, String::new()),
    };
    let algorithm = asked.unwrap_or_else(|| first(&place));
    if asked.is_none() && why.is_empty() {
        why = match (&place, algorithm.plan_fn()) {
            (Place::Gpu(_), _) => "the fastest on a GPU",
            (Place::Cpu(_), Some(_)) => "the fastest that has a flow graph",
            (Place::Cpu(_), None) => "the fastest on a CPU",
        }
        .into();
    }
    if algorithm.plan_fn().is_none() && job.precision == Some(Precision::Single) {
        let double = format!("{} has double precision only", algorithm.name);
        why = if why.is_empty() { double } else { format!("{why}; {double}") };
    }
    let precision = match (&place, algorithm.plan_fn()) {
        // Row after row there is double precision only.
        (Place::Cpu(_), None) => Precision::Double,
        (Place::Cpu(_), Some(_)) => on_cpu,
        (Place::Gpu(_), _) => job.precision.unwrap_or_default(),
    };
    Ok(Chosen { algorithm, place, precision, why })
}

/// What a run came to.
struct Run {
    x: Vec<f64>,
    device: String,
    software_gpu: bool,
    precision: Precision,
    plan: Option<(Arc<Plan>, Arc<Schedule>)>,
    times: Times,
    values: Option<Arc<LaneValues>>,
}

fn run(job: &SolveJob, chosen: &Chosen, devices: &mut Devices, factored: &Factored, cancel: &AtomicBool) -> Result<Run, EngineError> {
    let rows = &job.system.rows;
    match (chosen.algorithm.plan_fn(), &chosen.place) {
        (None, _) => Ok(run_reference(rows, chosen.algorithm, factored)),
        (Some(build), Place::Cpu(way)) => run_on_cpu(job, build, *way, chosen.precision, devices.memory(), cancel),
        (Some(build), Place::Gpu(device)) => run_on_gpu(job, build, device, devices, chosen.precision, cancel),
    }
}

/// Row after row on one thread.
fn run_reference(rows: &[[f64; 4]], algorithm: &Algorithm, factored: &Factored) -> Run {
    let start = Instant::now();
    let x = row_after_row(rows, algorithm, factored);
    let total_micros = micros(start);
    let times = Times { launch_micros: vec![total_micros], total_micros, ..Times::default() };
    Run { x, device: "CPU, 1 thread".into(), software_gpu: false, precision: Precision::Double, plan: None, times, values: None }
}

fn row_after_row(rows: &[[f64; 4]], algorithm: &Algorithm, factored: &Factored) -> Vec<f64> {
    if algorithm.name == PIVOTED { factored.solve(rows) } else { thomas(rows) }
}

/// What builds the plan of an algorithm.
trait Builder: Fn(Shape, Parameters) -> Result<Plan, Unsupported> {}

impl<F: Fn(Shape, Parameters) -> Result<Plan, Unsupported>> Builder for F {}

/// The plan for all equations of a job.
fn plan(job: &SolveJob, build: impl Builder) -> Result<Arc<Plan>, EngineError> {
    Ok(Arc::new(build(Shape::line(job.system.rows.len()), Parameters::default())?))
}

fn run_on_cpu(
    job: &SolveJob,
    build: impl Builder,
    way: Way,
    precision: Precision,
    memory: &mut Memory,
    cancel: &AtomicBool,
) -> Result<Run, EngineError> {
    let start = Instant::now();
    let plan = plan(job, build)?;
    let schedule = Arc::new(schedule(&plan, job.cut, |lanes| Schedule::tiled(&plan, lanes.unwrap_or(CPU_TILE))));
    let prepare_micros = micros(start);
    let start = Instant::now();
    let input = Lanes::of_rows(&job.system.rows, precision);
    input.bring(memory, &plan);
    let launch_micros = input.run(memory, &plan, &schedule, way, cancel)?;
    let x = unknowns(&input.results(memory, &plan));
    memory.trim();
    let times = Times { prepare_micros, launch_micros, total_micros: micros(start), ..Times::default() };
    let prefix = |prefix: &Plan| {
        input.bring(memory, prefix);
        input.run(memory, prefix, &Schedule::by_stage(prefix), way, cancel)?;
        Ok(input.row_results(memory, prefix))
    };
    let values = values(&plan, &input, prefix)?;
    Ok(Run { x, device: Place::Cpu(way).name(), software_gpu: false, precision, plan: Some((plan, schedule)), times, values })
}

/// The rows of all lanes after every stage, where the plan is small enough to be drawn whole.
fn values(
    plan: &Plan,
    input: &Lanes,
    run: impl FnMut(&Plan) -> Result<Vec<Row<f64>>, EngineError>,
) -> Result<Option<Arc<LaneValues>>, EngineError> {
    if plan.lanes > DRAWN_LANES {
        return Ok(None);
    }
    let rows = input.rows();
    drawn_values(plan, run, |n_stages| plan.run_row_stages(&rows, n_stages)).map(Some)
}

/// The unknowns of a solved system.
fn unknowns(values: &Values) -> Vec<f64> {
    match values {
        Values::Single(x) => x.par_iter().map(|value| value.re.into()).collect(),
        Values::Double(x) => x.par_iter().map(|value| value.re).collect(),
        _ => unreachable!("rows are made of real numbers"),
    }
}

fn run_on_gpu(
    job: &SolveJob,
    build: impl Builder,
    device: &Device,
    devices: &mut Devices,
    precision: Precision,
    cancel: &AtomicBool,
) -> Result<Run, EngineError> {
    let start = Instant::now();
    let plan = plan(job, build)?;
    let limits = device.limits().in_precision(precision);
    let schedule = Arc::new(schedule(&plan, job.cut, |lanes| gpu::estimate(&plan, limits, lanes.unwrap_or(usize::MAX)).schedule));
    let (prepared, was_ready) = devices.prepare(device, &plan, &schedule, precision)?;
    let mut times = Times { prepare_micros: micros(start), warms_up: !was_ready, ..Times::default() };
    let uploaded = prepared.upload_rows(&job.system.rows, cancel)?;
    times.ran(&prepared.run(cancel)?, uploaded);
    let start = Instant::now();
    let x = prepared.download_double(0..prepared.outputs(), cancel)?.into_par_iter().map(|value| value.re).collect();
    times.brought_back(start);
    let prefix = |prefix: &Plan| {
        let prepared = device.prepare_in(prefix, &Schedule::by_stage(prefix), KernelChoice::Generic, precision)?;
        prepared.upload_rows(&job.system.rows, cancel)?;
        prepared.run(cancel)?;
        Ok(prepared.download_rows(cancel)?.into_iter().map(Row::from).collect())
    };
    let values = values(&plan, &Lanes::of_rows(&job.system.rows, precision), prefix)?;
    let info = device.info();
    Ok(Run { x, device: info.name.clone(), software_gpu: info.software, precision, plan: Some((plan, schedule)), times, values })
}

fn check(cancel: &AtomicBool) -> Result<(), EngineError> {
    if cancel.load(Ordering::Relaxed) { Err(EngineError::Cancelled) } else { Ok(()) }
}
