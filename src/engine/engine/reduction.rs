//! Answers the pane of systems: the solution of a system, and its rows after some stages of the reduction.

use super::worker::{Ask, Cancellable};
use super::{EngineError, Job, SharedResult, Solution, Study, StudyMailbox};
use crate::cpu::{self, CpuBackend};
use crate::plan::{Plan, ReducedEquation};
use crate::schedule::Schedule;
use crate::signal::{System, SystemError};
use crate::threads;
use crate::transforms::tridiagonal::TRIDIAGONAL;
use crate::transforms::{Parameters, Shape};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The rows after a stage are found for systems of at most this number of equations.
pub const MOST_STEPPED: usize = 1 << 20;

/// A system to solve, and a stage of its reduction.
#[derive(Debug, Clone, PartialEq)]
pub struct SystemRequest {
    /// The job that solves the system.
    pub job: Job,
    /// After how many stages of the reduction the rows are wanted.
    pub n_stages: usize,
}

impl Ask for SystemRequest {}

/// The rows of a system after some stages of its reduction, in double precision.
#[derive(Debug, Clone, PartialEq)]
pub struct Reduction {
    /// The whole reduction.
    pub plan: Arc<Plan>,
    /// The name of its algorithm.
    pub algorithm: &'static str,
    /// How many stages have run.
    pub n_stages: usize,
    /// Every row then.
    pub rows: Vec<[f64; 4]>,
}

/// The answer to a request.
#[derive(Debug, Clone)]
pub struct SystemReport {
    /// The system; an error where the signal holds none.
    pub system: Result<Arc<System>, SystemError>,
    /// Its solution, or one line on why there is none.
    pub solution: Result<Arc<Solution>, EngineError>,
    /// The residual of every equation with this solution, in double precision; empty without one.
    pub residuals: Arc<Vec<f64>>,
    /// The rows after a stage; `None` for systems that are too large.
    pub reduction: Option<Arc<Reduction>>,
}

impl Cancellable for SystemReport {
    fn failed(fault: String) -> Self {
        let solution = Err(EngineError::Fault { fault: fault.clone() });
        Self { system: Err(SystemError::Fault { fault }), solution, residuals: Arc::default(), reduction: None }
    }

    fn is_cancelled(&self) -> bool {
        self.solution.is_cancelled()
    }

    fn may_pass(&self) -> bool {
        self.solution.may_pass()
    }
}

/// Shows one solution after the other, and keeps the newest one while only the stage changes.
#[derive(Default)]
pub struct SystemStudy {
    last: Option<(Job, SystemReport)>,
}

impl Study for SystemStudy {
    type Request = SystemRequest;
    type Report = SystemReport;

    const NAME: &'static str = "system";

    fn needs(&self, request: &SystemRequest) -> Result<Vec<Job>, EngineError> {
        Ok(vec![request.job.clone()])
    }

    fn answer(
        &mut self,
        request: &SystemRequest,
        results: Result<Vec<SharedResult>, EngineError>,
        StudyMailbox { cancel, progress, .. }: StudyMailbox<'_>,
    ) -> SystemReport {
        let job = &request.job;
        let known = self.last.take().filter(|(last, report)| last == job && !report.is_cancelled());
        let (system, solution, residuals) = match known {
            Some((_, SystemReport { system, solution, residuals, .. })) => (system, solution, residuals),
            None => {
                let solution = results.and_then(|results| Solution::of(job, &results[0])).map(Arc::new);
                let system = System::of(&job.signal).map(Arc::new);
                let residuals = match (&system, solution.as_deref()) {
                    (Ok(system), Ok(Solution { x, .. })) => threads::tabulate(x.len(), |i| system.residual_of(i, x)),
                    _ => Vec::new(),
                };
                (system, solution, Arc::new(residuals))
            }
        };
        let reduction = system.as_ref().ok().filter(|system| system.rows.len() <= MOST_STEPPED).and_then(|system| {
            progress("the reduction", 0.6);
            reduction(system, request, cancel).ok().map(Arc::new)
        });
        let report = SystemReport { system, solution, residuals, reduction };
        self.last = Some((job.clone(), report.clone()));
        report
    }
}

/// The rows after some stages of the algorithm, or of cyclic reduction where that has no stages.
fn reduction(system: &System, request: &SystemRequest, cancel: &AtomicBool) -> Result<Reduction, EngineError> {
    let asked = request.job.algorithm.and_then(|name| TRIDIAGONAL.algorithm(name).ok());
    let algorithm = asked.filter(|algorithm| algorithm.plan_fn().is_some()).unwrap_or(TRIDIAGONAL.first_plan());
    let build = algorithm.plan_fn().expect("the first plan is one");
    let plan = build(Shape::line(system.rows.len()), Parameters::default())?;
    let n_stages = request.n_stages.min(plan.stages.len());
    let (first, n) = (plan.first_equation(n_stages), plan.inputs);
    let prefix = Plan { stages: plan.stages[..n_stages].to_vec(), ..plan.clone() }.with_ends(n, first + n);
    let input: Vec<ReducedEquation<f64>> = system.rows.iter().map(|row| ReducedEquation::from(*row)).collect();
    let (rows, _) = cpu::run(&prefix, &Schedule::by_stage(&prefix), &input, CpuBackend::Parallel, cancel)?;
    let rows = rows[first..].iter().map(|&row| row.into()).collect();
    Ok(Reduction { plan: Arc::new(plan), algorithm: algorithm.name, n_stages, rows })
}
