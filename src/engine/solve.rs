//! Solves a tridiagonal system: chooses algorithm and device, runs, and says how far the solution can be trusted.
//!
//! Plans and the Thomas algorithm exchange no equations, so that a zero pivot stops them: what they come to is checked by its residual, and where the choice was left open Gaussian elimination with exchanges takes over.

mod trial;

pub use trial::SolveTrial;

use super::compute::{micros, schedule};
use super::{Cut, DeviceChoice, Devices, EngineError, Place, Times};
use crate::cpu::tridiagonal::{Factored, Singular, thomas};
use crate::cpu::{self, Way};
use crate::gpu::{self, Device};
use crate::plan::{Plan, Precision, Row};
use crate::schedule::Schedule;
use crate::signal::System;
use crate::signal::system::Residual;
use crate::transforms::tridiagonal::TRIDIAGONAL;
use crate::transforms::{Algorithm, Parameters, PlanFn, Shape};
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Lanes of a CPU tile, as the engine takes them for plans.
const CPU_TILE: usize = 4096;
/// A solution is as good as its precision allows where the relative residual is below so many units of it.
const GOOD_RESIDUAL: f64 = 1000.0;
/// A warning is given where fewer digits than these are known to be right.
const FEW_DIGITS: f64 = 3.0;
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
}

impl PartialEq for SolveJob {
    /// Systems are compared by identity, which is cheap.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.system, &other.system)
            && (self.algorithm, self.cut, &self.device, self.precision) == (other.algorithm, other.cut, &other.device, other.precision)
    }
}

/// A solution and how it came about.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// One finite value for every equation.
    pub x: Vec<f64>,
    /// Name of the algorithm that ran.
    pub algorithm: &'static str,
    /// The device that ran it, as people know it.
    pub device: String,
    /// Whether the device is a GPU emulated by software.
    pub software_gpu: bool,
    /// How numbers were held.
    pub precision: Precision,
    /// Why this algorithm and this device, where the choice was left open; a sentence, or nothing.
    pub reason: String,
    /// The plan that ran and how it was cut; `None` for algorithms that are no plans.
    pub plan: Option<(Arc<Plan>, Arc<Schedule>)>,
    /// Where the time went.
    pub times: Times,
    /// How well the solution satisfies the equations, found in double precision.
    pub residual: Residual,
    /// The condition number of the equations, each divided by its largest coefficient, as estimated.
    pub condition: f64,
}

impl Solution {
    /// Decimal digits of x that are right at least, as far as the condition number and the residual tell.
    pub fn digits(&self) -> f64 {
        -(self.condition * self.residual.relative.max(epsilon(self.precision))).log10()
    }

    /// What a reader of the solution should know, a sentence each.
    pub fn warnings(&self) -> Vec<String> {
        let digits = self.digits();
        let known = if digits < 1.0 { "no digit".to_owned() } else { format!("about {digits:.0} digits") };
        let remedy = if self.precision == Precision::Single { "; double precision keeps more" } else { "" };
        let badly = format!(
            "the system is badly conditioned (about {:.0e}): {known} of x can be trusted in {} precision, however small the residual{remedy}",
            self.condition,
            self.precision.name(),
        );
        let large = format!(
            "the residual is larger than {} precision explains, as {} exchanges no equations; -a pivoted does",
            self.precision.name(),
            self.algorithm
        );
        let is_large = self.residual.relative > GOOD_RESIDUAL * epsilon(self.precision);
        [(digits < FEW_DIGITS).then_some(badly), is_large.then_some(large)].into_iter().flatten().collect()
    }
}

/// Why a system has no solution to be trusted.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SolveError {
    /// No solution, or more than one.
    #[error("{system} is singular: equation {equation} depends on the others, so that there is no solution or more than one")]
    Singular {
        /// Name of the system.
        system: String,
        /// The equation, counted from 1.
        equation: usize,
    },
    /// As far as double precision can tell, the same.
    #[error("{system} is singular as far as double precision can tell: its condition number is about {condition:.0e}")]
    NearlySingular {
        /// Name of the system.
        system: String,
        /// The condition number, as estimated.
        condition: f64,
    },
    /// An algorithm that came to no number.
    #[error("{algorithm} came to no finite solution in {precision} precision: a pivot is zero, or numbers grow too large; {remedy}")]
    NotFinite {
        /// The algorithm.
        algorithm: &'static str,
        /// The precision, by name.
        precision: &'static str,
        /// What to do.
        remedy: &'static str,
    },
}

impl SolveError {
    fn singular(job: &SolveJob, Singular(i): Singular) -> Self {
        Self::Singular { system: job.system.name.clone(), equation: i + 1 }
    }

    fn not_finite(algorithm: &'static str, precision: Precision) -> Self {
        let remedy = if algorithm == PIVOTED { "scale the equations" } else { "take -a pivoted, which exchanges equations" };
        Self::NotFinite { algorithm, precision: precision.name(), remedy }
    }
}

/// Half the distance from 1 to the next number.
fn epsilon(precision: Precision) -> f64 {
    match precision {
        Precision::Single => f64::from(f32::EPSILON) / 2.0,
        Precision::Double => f64::EPSILON / 2.0,
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
    let factored = Factored::new(rows).map_err(|singular| SolveError::singular(job, singular))?;
    check(cancel)?;
    let condition = factored.condition();
    if condition * f64::EPSILON > 1.0 || condition.is_nan() {
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
    let first = |place: &Place| match place {
        Place::Gpu(_) => TRIDIAGONAL.first_plan(),
        Place::Cpu(_) => TRIDIAGONAL.library().unwrap_or(TRIDIAGONAL.first_plan()),
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
        why = if algorithm.plan_fn().is_some() { "the fastest on a GPU" } else { "the fastest on a CPU" }.into();
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
}

fn run(job: &SolveJob, chosen: &Chosen, devices: &mut Devices, factored: &Factored, cancel: &AtomicBool) -> Result<Run, EngineError> {
    let rows = &job.system.rows;
    match (chosen.algorithm.plan_fn(), &chosen.place) {
        (None, _) => Ok(run_reference(rows, chosen.algorithm, factored)),
        (Some(build), Place::Cpu(way)) => match chosen.precision {
            Precision::Single => run_on_cpu(job, build, *way, cancel, |value| value as f32),
            Precision::Double => run_on_cpu(job, build, *way, cancel, |value| value),
        },
        (Some(build), Place::Gpu(device)) => run_on_gpu(job, build, device, devices, chosen.precision, cancel),
    }
}

/// Row after row on one thread.
fn run_reference(rows: &[[f64; 4]], algorithm: &Algorithm, factored: &Factored) -> Run {
    let start = Instant::now();
    let x = if algorithm.name == PIVOTED { factored.solve(rows) } else { thomas(rows) };
    let total_micros = micros(start);
    let times = Times { launch_micros: vec![total_micros], total_micros, ..Times::default() };
    Run { x, device: "CPU, 1 thread".into(), software_gpu: false, precision: Precision::Double, plan: None, times }
}

/// The plan for all equations of a job.
fn plan(job: &SolveJob, build: PlanFn) -> Result<Arc<Plan>, EngineError> {
    Ok(Arc::new(build(Shape::line(job.system.rows.len()), Parameters::default())?))
}

fn run_on_cpu<T>(
    job: &SolveJob,
    build: PlanFn,
    way: Way,
    cancel: &AtomicBool,
    rounded: impl Fn(f64) -> T + Sync,
) -> Result<Run, EngineError>
where
    T: cpu::Float + Into<f64>,
    Row<T>: cpu::Lane,
{
    let start = Instant::now();
    let plan = plan(job, build)?;
    let schedule = Arc::new(schedule(&plan, job.cut, |lanes| Schedule::tiled(&plan, lanes.unwrap_or(CPU_TILE))));
    let prepare_micros = micros(start);
    let start = Instant::now();
    let input: Vec<Row<T>> = job.system.rows.par_iter().map(|row| Row::from(row.map(&rounded))).collect();
    let (lanes, launch_micros) = cpu::run(&plan, &schedule, &input, way, cancel)?;
    let x = lanes.into_par_iter().map(|row| row.d.into()).collect();
    let times = Times { prepare_micros, launch_micros, total_micros: micros(start), ..Times::default() };
    let precision = if size_of::<T>() == 4 { Precision::Single } else { Precision::Double };
    Ok(Run { x, device: Place::Cpu(way).name(), software_gpu: false, precision, plan: Some((plan, schedule)), times })
}

fn run_on_gpu(
    job: &SolveJob,
    build: PlanFn,
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
    let info = device.info();
    Ok(Run { x, device: info.name.clone(), software_gpu: info.software, precision, plan: Some((plan, schedule)), times })
}

fn check(cancel: &AtomicBool) -> Result<(), EngineError> {
    if cancel.load(Ordering::Relaxed) { Err(EngineError::Cancelled) } else { Ok(()) }
}
