//! Solves the tridiagonal system in the signal of a job: chooses algorithm and device, runs, and checks the solution by its residual.
//!
//! Plans and the Thomas algorithm exchange no equations, so that a zero pivot stops them. If the choice was automatic, Gaussian elimination with exchanges takes over.

use super::accuracy::{GOOD_RESIDUAL, PIVOTED, SolutionWarning, epsilon};
use super::choice::{cut_on_cpu, has_ordered_loops};
use super::cut::{note_on_schedule, schedule, schedule_on_cpu};
use super::drawn::{is_drawn, runs_by_stage};
use super::lanes::{Lanes, drawn_values};
use super::report::micros;
use super::speeds::JobSize;
use super::{
    Accuracy, Backend, Computed, Contents, DeviceChoice, Devices, EngineError, Job, LaneValues, Outcome, SharedResult, SolveError,
    StoredResult, Times, Values, uploading,
};
use crate::cpu::CpuBackend;
use crate::cpu::tridiagonal::{FactoredMatrix, thomas};
use crate::gpu::{self, Device, KernelChoice, Prepared, Uploads};
use crate::plan::{Plan, Precision, ReducedEquation};
use crate::schedule::{Cut, Schedule};
use crate::signal::System;
use crate::threads;
use crate::transforms::tridiagonal::TRIDIAGONAL;
use crate::transforms::{Algorithm, Axes, Parameters, Shape};
use num_complex::{Complex32, Complex64};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// On a CPU a plan that can be drawn is preferred for systems of at most this number of equations; elimination takes far less time for longer ones.
const LARGEST_PREFERRED_PLAN: usize = 1 << 14;
/// Single precision is not chosen automatically where it would keep fewer digits than these.
const DIGITS_IN_SINGLE: f64 = 4.0;
/// A warning is given where fewer digits than these are known to be right.
const FEW_DIGITS: f64 = 3.0;

/// The result of a job that solves a system.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// One finite value for every equation.
    pub x: Vec<f64>,
    /// How well they satisfy the equations.
    pub accuracy: Accuracy,
    /// How the job ran.
    pub outcome: Outcome,
}

impl Solution {
    /// The unknowns in the result of a job.
    pub(super) fn of(job: &Job, result: &SharedResult) -> Result<Self, EngineError> {
        let outcome = Outcome::clone(&result.outcome);
        let accuracy = outcome.accuracy.ok_or(EngineError::NoSystem { transform: job.transform })?;
        Ok(Self { x: unknowns(&result.values), accuracy, outcome })
    }
}

impl Solution {
    /// Decimal digits of x that are right at least, as far as the condition number and the residual tell.
    pub fn digits(&self) -> f64 {
        let Accuracy { residual, condition, .. } = self.accuracy;
        -(condition * residual.relative.max(epsilon(self.outcome.precision))).log10()
    }

    /// Warnings for the reader of the solution.
    pub fn warnings(&self) -> Vec<SolutionWarning> {
        let (Accuracy { residual, condition, corners }, precision, digits) = (self.accuracy, self.outcome.precision, self.digits());
        let is_large = residual.relative > GOOD_RESIDUAL * epsilon(precision);
        // The digits that even the smallest residual leaves.
        let at_best = -(condition * epsilon(precision)).log10();
        let is_badly_conditioned = at_best < FEW_DIGITS || digits < FEW_DIGITS && !is_large;
        let badly_conditioned = SolutionWarning::BadlyConditioned { condition, digits, precision };
        let large = SolutionWarning::LargeResidual { digits, precision, algorithm: self.outcome.algorithm };
        let dropped = (corners != [0.0; 2]).then_some(SolutionWarning::Corners { corners });
        [dropped, is_badly_conditioned.then_some(badly_conditioned), is_large.then_some(large)].into_iter().flatten().collect()
    }
}

/// A system with its factors, and the algorithm that solves it.
pub(super) struct Elimination {
    pub(super) system: System,
    factored: FactoredMatrix,
    /// The condition number, as estimated.
    condition: f64,
    algorithm: &'static Algorithm,
    cut: Cut,
}

/// The choices of a job that solves a system: the work, where it runs, and its outcome as far as it is known.
///
/// # Errors
/// When the signal holds no system or a singular one, a name is not in the table, or the device is not there.
pub(super) fn prepare(job: &Job, devices: &mut Devices) -> Result<(Elimination, Backend, Outcome), EngineError> {
    let system = System::of(&job.signal)?;
    let asked = job.algorithm.map(|name| TRIDIAGONAL.algorithm(name)).transpose()?;
    let n = system.rows.len();
    let size = JobSize::of(job, &TRIDIAGONAL, Shape { rows: 4, columns: n }, false);
    let (backend, why_here) = devices.backend_for(&job.device, size)?;
    let (factored, condition) = factored(&system)?;
    let Choice { algorithm, cut, backend, precision, why } = choose(job, n, asked, backend, condition)?;
    let mut blank = Outcome { precision, ..Outcome::new(algorithm.name, Shape::line(n), Axes::Rows, Contents::Unknowns) };
    blank.add_note(&why);
    blank.add_note(&why_here);
    (blank.device, blank.software_gpu) = (backend.name(), backend.is_software_gpu());
    Ok((Elimination { system, factored, condition, algorithm, cut }, backend, blank))
}

/// The factors of a system and its condition number, as estimated; in balanced units where the first estimate looks singular.
fn factored(system: &System) -> Result<(FactoredMatrix, f64), SolveError> {
    let rows = &system.rows;
    let looks_singular = |condition: f64| condition * f64::EPSILON > 1.0 || condition.is_nan();
    let mut factored = FactoredMatrix::new(rows).map_err(|why| SolveError::Singular { system: system.name.clone(), why })?;
    let mut condition = factored.condition();
    if looks_singular(condition)
        && let Ok(balanced) = FactoredMatrix::in_balanced_units(rows)
    {
        (condition, factored) = (balanced.condition(), balanced);
    }
    if looks_singular(condition) {
        return Err(SolveError::NearlySingular { system: system.name.clone(), condition });
    }
    Ok((factored, condition))
}

/// The choices for a system.
struct Choice {
    algorithm: &'static Algorithm,
    cut: Cut,
    backend: Backend,
    precision: Precision,
    why: String,
}

/// Chooses algorithm, backend and precision as asked for. Automatic: reduction on a GPU if its precision keeps enough digits, else elimination on the CPU.
fn choose(job: &Job, n: usize, asked: Option<&'static Algorithm>, backend: Backend, condition: f64) -> Result<Choice, EngineError> {
    let on_cpu = job.precision.unwrap_or(Precision::Double);
    let has_plan = asked.is_none_or(|algorithm| algorithm.plan_fn().is_some());
    let draws = has_ordered_loops(&backend) || job.prefer_plan && n <= LARGEST_PREFERRED_PLAN;
    let first = |backend: &Backend| match backend {
        Backend::Cpu(_) if !draws => TRIDIAGONAL.library().unwrap_or(TRIDIAGONAL.first_plan()),
        _ => TRIDIAGONAL.first_plan(),
    };
    let (backend, mut why) = match backend {
        Backend::Gpu(_) if !has_plan && job.device == DeviceChoice::Auto => (Backend::Cpu(CpuBackend::Parallel), String::new()),
        Backend::Gpu(_) if !has_plan => return Err(EngineError::CpuOnly { algorithm: asked.map_or("", |algorithm| algorithm.name) }),
        Backend::Gpu(_)
            if job.device == DeviceChoice::Auto
                && job.precision.is_none()
                && condition * epsilon(Precision::Single) > 10_f64.powf(-DIGITS_IN_SINGLE) =>
        {
            (
                Backend::Cpu(CpuBackend::Parallel),
                format!("single precision would keep too few digits at a condition number of {condition:.0e}"),
            )
        }
        backend => (backend, String::new()),
    };
    let algorithm = asked.unwrap_or_else(|| first(&backend));
    let cut = match &backend {
        Backend::Cpu(cpu_backend) => cut_on_cpu(job.cut, *cpu_backend, algorithm, job.parameters)?,
        Backend::Gpu(_) => job.cut,
    };
    if asked.is_none() && why.is_empty() {
        why = match (&backend, algorithm.plan_fn()) {
            (Backend::Gpu(_), _) => "the fastest on a GPU",
            (Backend::Cpu(_), Some(_)) => "the fastest that has a flow graph",
            (Backend::Cpu(_), None) => "the fastest on a CPU",
        }
        .into();
    }
    if algorithm.plan_fn().is_none() && job.precision == Some(Precision::Single) {
        let double = format!("{} has double precision only", algorithm.name);
        why = if why.is_empty() { double } else { format!("{why}; {double}") };
    }
    let precision = match (&backend, algorithm.plan_fn()) {
        // Elimination has double precision only.
        (Backend::Cpu(_), None) => Precision::Double,
        (Backend::Cpu(_), Some(_)) => on_cpu,
        (Backend::Gpu(_), _) => job.precision.unwrap_or_default(),
    };
    Ok(Choice { algorithm, cut, backend, precision, why })
}

impl Elimination {
    /// Solves once and checks the solution; elimination with exchanges takes over after a small pivot, where the algorithm was left open.
    ///
    /// # Errors
    /// When the algorithm that was asked for finds no finite solution, or `cancel` is raised.
    pub(super) fn run(
        &self,
        job: &Job,
        backend: &Backend,
        mut outcome: Outcome,
        devices: &mut Devices,
        cancel: &AtomicBool,
    ) -> Result<Computed, EngineError> {
        check(cancel)?;
        let system = &self.system;
        let (mut x, mut prepared) = match (self.algorithm.plan_fn(), backend) {
            (None, _) => (self.eliminated(self.algorithm.name, &mut outcome), None),
            (Some(build), backend) => {
                let start = Instant::now();
                let plan = Arc::new(build(outcome.shape, Parameters::default())?);
                let (x, prepared) = match backend {
                    Backend::Cpu(cpu_backend) => (self.run_on_cpu(&plan, *cpu_backend, devices, start, cancel, &mut outcome)?, None),
                    Backend::Gpu(device) => self.run_on_gpu(&plan, device, job, devices, start, cancel, &mut outcome)?,
                };
                outcome.plan = Some(plan);
                (x, prepared)
            }
        };
        let mut residual = system.residual(&x);
        let limit = GOOD_RESIDUAL * epsilon(outcome.precision);
        let not_finite = |outcome: &Outcome| SolveError::NotFinite { algorithm: outcome.algorithm, precision: outcome.precision.name() };
        let is_finite = |x: &[f64]| x.iter().all(|value| value.is_finite());
        if residual.relative.is_nan() || residual.relative > limit {
            if job.algorithm.is_none() && outcome.algorithm != PIVOTED {
                let is_kept = |value: &f64| *value == 0.0 || (f64::from(f32::MIN_POSITIVE)..=f32::MAX.into()).contains(&value.abs());
                let is_beyond = outcome.precision == Precision::Single && !system.rows.iter().flatten().all(is_kept);
                outcome.add_note(&match is_beyond {
                    true => "the equations are beyond single precision, so that the CPU solves them in double".to_owned(),
                    false => format!("{} met a small pivot, so that equations had to be exchanged", outcome.algorithm),
                });
                (x, prepared) = (self.eliminated(PIVOTED, &mut outcome), None);
                residual = system.residual(&x);
            } else if !is_finite(&x) {
                return Err(not_finite(&outcome).into());
            }
            if outcome.algorithm == PIVOTED && residual.relative > limit {
                outcome.add_note("refined once, as numbers of very different size meet");
                x = self.factored.refined(&system.rows, x);
                residual = system.residual(&x);
            }
        }
        if !is_finite(&x) {
            return Err(not_finite(&outcome).into());
        }
        outcome.accuracy = Some(Accuracy { residual, condition: self.condition, corners: self.system.corners });
        let values = match outcome.precision {
            Precision::Single => Values::Single(x.iter().map(|&x| Complex32::from(x as f32)).collect()),
            Precision::Double => in_double(&x),
        };
        Ok(Computed { stored: StoredResult::memory(values), prepared, outcome })
    }

    /// The unknowns by elimination, row after row on one thread; the outcome says so.
    fn eliminated(&self, algorithm: &'static str, outcome: &mut Outcome) -> Vec<f64> {
        let start = Instant::now();
        let x = self.eliminate(algorithm, &self.system.rows);
        let total_micros = micros(start);
        (outcome.plan, outcome.schedule, outcome.values) = (None, None, None);
        (outcome.algorithm, outcome.precision) = (algorithm, Precision::Double);
        (outcome.device, outcome.software_gpu) = ("CPU, 1 thread".into(), false);
        outcome.times = Times { launch_micros: vec![total_micros], total_micros, ..Times::default() };
        x
    }

    /// The unknowns of these rows, which are copies of those of the system.
    pub(super) fn eliminate(&self, algorithm: &str, rows: &[[f64; 4]]) -> Vec<f64> {
        if algorithm == PIVOTED { self.factored.solve(rows) } else { thomas(rows) }
    }

    fn run_on_cpu(
        &self,
        plan: &Plan,
        cpu_backend: CpuBackend,
        devices: &mut Devices,
        start: Instant,
        cancel: &AtomicBool,
        outcome: &mut Outcome,
    ) -> Result<Vec<f64>, EngineError> {
        let schedule = schedule_on_cpu(plan, self.cut);
        outcome.add_note(&note_on_schedule(self.cut, Axes::Rows, plan, &schedule));
        let prepare_micros = micros(start);
        let start = Instant::now();
        let (input, memory) = (Lanes::of_rows(&self.system.rows, outcome.precision), devices.memory());
        input.bring(memory, plan);
        let launch_micros = input.run(memory, plan, &schedule, cpu_backend, cancel)?;
        let x = unknowns(&input.results(memory, plan));
        memory.trim(plan);
        outcome.times = Times { prepare_micros, launch_micros, total_micros: micros(start), ..Times::default() };
        outcome.schedule = Some(Arc::new(schedule));
        let run_prefix = |prefix: &Plan| {
            input.bring(memory, prefix);
            input.run(memory, prefix, &Schedule::by_stage(prefix), cpu_backend, cancel)?;
            Ok(input.row_results(memory, prefix))
        };
        outcome.values = drawn_rows(plan, &input, run_prefix)?;
        Ok(x)
    }

    #[expect(clippy::too_many_arguments, reason = "everything that a run needs")]
    fn run_on_gpu(
        &self,
        plan: &Arc<Plan>,
        device: &Device,
        job: &Job,
        devices: &mut Devices,
        start: Instant,
        cancel: &AtomicBool,
        outcome: &mut Outcome,
    ) -> Result<(Vec<f64>, Option<Arc<Prepared>>), EngineError> {
        let (rows, precision) = (&self.system.rows, outcome.precision);
        let limits = device.limits().in_precision(precision);
        let tiles = |lanes: Option<usize>| gpu::estimate(plan, limits, lanes.unwrap_or(usize::MAX)).schedule;
        let schedule = Arc::new(schedule(plan, job.cut, tiles));
        outcome.add_note(&note_on_schedule(job.cut, Axes::Rows, plan, &schedule));
        let (prepared, was_ready) = devices.prepare(device, plan, &schedule, (precision, Uploads::Once))?;
        let mut times = Times { prepare_micros: micros(start), warms_up: !was_ready, ..Times::default() };
        outcome.commands = Some(Arc::new(prepared.commands().to_vec()));
        let work = || Ok((prepared.upload_rows(rows, cancel)?, prepared.run(cancel)?));
        let (uploaded, ran) = uploading::reserving::<Complex64>(&prepared, work)?;
        times.set_run(&prepared, &ran, uploaded);
        let start = Instant::now();
        let x = threads::convert(&prepared.download_double(0..prepared.outputs(), cancel)?, |value| value.re);
        times.add_download(start);
        (outcome.times, outcome.schedule) = (times, Some(schedule));
        let run_prefix = |prefix: &Plan| {
            let prepared = device.prepare_in(prefix, &Schedule::by_stage(prefix), KernelChoice::Generic, precision)?;
            prepared.upload_rows(rows, cancel)?;
            prepared.run(cancel)?;
            Ok(prepared.download_rows(cancel)?.into_iter().map(ReducedEquation::from).collect())
        };
        outcome.values = drawn_rows(plan, &Lanes::of_rows(rows, precision), run_prefix)?;
        Ok((x, Some(prepared)))
    }
}

/// The rows of all lanes after every stage, where the plan is small enough to be drawn whole.
fn drawn_rows(
    plan: &Plan,
    input: &Lanes,
    run: impl FnMut(&Plan) -> Result<Vec<ReducedEquation<f64>>, EngineError>,
) -> Result<Option<Arc<LaneValues>>, EngineError> {
    if !is_drawn(plan) {
        return Ok(None);
    }
    let rows = input.rows();
    let reference = (0..=plan.stages.len()).map(|n_stages| plan.run_equation_stages(&rows, n_stages)).collect();
    drawn_values(plan, runs_by_stage(plan).then_some(run), reference).map(Some)
}

/// The unknowns in the result of a solved system.
pub(super) fn unknowns(values: &Values) -> Vec<f64> {
    match values {
        Values::Single(x) => threads::convert(x, |value| value.re.into()),
        Values::Double(x) => threads::convert(x, |value| value.re),
        _ => unreachable!("rows are made of real numbers"),
    }
}

/// Unknowns as a result.
pub(super) fn in_double(x: &[f64]) -> Values {
    Values::Double(x.iter().map(|&x| Complex64::from(x)).collect())
}

/// The solution in double precision by Gaussian elimination with exchanges; errors are relative to it.
///
/// # Errors
/// When the signal holds no system, or a singular one.
pub(super) fn expected(job: &Job) -> Result<Values, EngineError> {
    let system = System::of(&job.signal)?;
    let factored = FactoredMatrix::new(&system.rows).map_err(|why| SolveError::Singular { system: system.name.clone(), why })?;
    Ok(in_double(&factored.solve(&system.rows)))
}

/// Fails when `cancel` is raised.
pub(super) fn check(cancel: &AtomicBool) -> Result<(), EngineError> {
    if cancel.load(Ordering::Relaxed) { Err(EngineError::Cancelled) } else { Ok(()) }
}
