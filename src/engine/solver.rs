//! The thread behind the pane of systems: it solves the newest one, and finds the rows after a stage of the reduction.

use super::worker::{Ask, Cancellable, Reply, Worker};
use super::{Cut, DeviceChoice, Devices, EngineError, Solution, SolveJob, solve};
use crate::cpu::{self, Way};
use crate::plan::{Plan, Precision, Row};
use crate::schedule::Schedule;
use crate::signal::{Signal, System, SystemError};
use crate::transforms::tridiagonal::TRIDIAGONAL;
use crate::transforms::{Parameters, Shape};
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The rows after a stage are found for systems of at most so many equations.
pub const MOST_STEPPED: usize = 1 << 20;

/// What is asked for.
#[derive(Debug, Clone)]
pub struct SolveRequest {
    /// What holds the equations: a signal with four columns.
    pub signal: Arc<Signal>,
    /// Name of the algorithm; `None` takes the fastest that solves it well.
    pub algorithm: Option<&'static str>,
    /// How a plan is cut into launches.
    pub cut: Cut,
    /// Where it runs.
    pub device: DeviceChoice,
    /// How numbers are held; `None` as [`SolveJob::precision`] says.
    pub precision: Option<Precision>,
    /// After how many stages of the reduction the rows are wanted.
    pub n_stages: usize,
}

impl SolveRequest {
    /// Whether the same solution is asked for.
    pub fn is_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.signal, &other.signal)
            && (self.algorithm, self.cut, &self.device, self.precision) == (other.algorithm, other.cut, &other.device, other.precision)
    }
}

impl Ask for SolveRequest {}

impl PartialEq for SolveRequest {
    /// Signals are compared by identity, which is cheap.
    fn eq(&self, other: &Self) -> bool {
        self.is_of(other) && self.n_stages == other.n_stages
    }
}

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

/// What came of a request.
#[derive(Debug, Clone)]
pub struct Solved {
    /// The system; an error where the signal holds none.
    pub system: Result<Arc<System>, SystemError>,
    /// Its solution, or one line on why there is none.
    pub solution: Result<Arc<Solution>, EngineError>,
    /// The rows after a stage; `None` for systems that are too large.
    pub reduction: Option<Arc<Reduction>>,
}

/// The thread that solves.
pub type Solver = Worker<SolveRequest, Reply<SolveRequest, Solved>>;

/// Starts the thread; `notify` is called from it whenever there is something new to see.
pub fn solver(notify: impl Fn() + Send + Sync + 'static) -> Solver {
    let (mut devices, mut last) = (Devices::default(), None::<(SolveRequest, Solved)>);
    let work = move |request: &SolveRequest, stale: &AtomicBool, tell: &dyn Fn(&str, f32)| {
        let known = last.take().filter(|(other, _)| other.is_of(request)).map(|(_, solved)| solved);
        let solved = solved(request, known, &mut devices, stale, tell);
        last = Some((request.clone(), solved.clone()));
        solved
    };
    Worker::answering("solver", work, notify)
}

impl Cancellable for Solved {
    fn is_cancelled(&self) -> bool {
        self.solution == Err(EngineError::Cancelled)
    }
}

/// What a request comes to; what is known of the same system is kept.
fn solved(request: &SolveRequest, known: Option<Solved>, devices: &mut Devices, stale: &AtomicBool, tell: &dyn Fn(&str, f32)) -> Solved {
    let known = known.filter(|known| !known.is_cancelled());
    let (system, solution) = match known {
        Some(Solved { system, solution, .. }) => (system, solution),
        None => {
            tell(&format!("the solution of {} equations", request.signal.rows), 0.1);
            let system = System::of(&request.signal).map(Arc::new);
            let solution = match &system {
                Ok(system) => {
                    let job = SolveJob {
                        system: system.clone(),
                        algorithm: request.algorithm,
                        cut: request.cut,
                        device: request.device.clone(),
                        precision: request.precision,
                        prefer_plan: true,
                    };
                    solve(&job, devices, stale).map(Arc::new)
                }
                Err(error) => Err(EngineError::System(error.clone())),
            };
            (system, solution)
        }
    };
    let reduction = system.as_ref().ok().filter(|system| system.rows.len() <= MOST_STEPPED).and_then(|system| {
        tell("the reduction", 0.6);
        reduction(system, request, stale).ok().map(Arc::new)
    });
    Solved { system, solution, reduction }
}

/// The rows after some stages of the algorithm, or of cyclic reduction where that has no stages.
fn reduction(system: &System, request: &SolveRequest, stale: &AtomicBool) -> Result<Reduction, EngineError> {
    let asked = request.algorithm.and_then(|name| TRIDIAGONAL.algorithm(name).ok());
    let algorithm = asked.filter(|algorithm| algorithm.plan_fn().is_some()).unwrap_or(TRIDIAGONAL.first_plan());
    let build = algorithm.plan_fn().expect("the first plan is one");
    let plan = build(Shape::line(system.rows.len()), Parameters::default())?;
    let n_stages = request.n_stages.min(plan.stages.len());
    let prefix = Plan { stages: plan.stages[..n_stages].to_vec(), ..plan.clone() };
    let input: Vec<Row<f64>> = system.rows.par_iter().map(|row| Row::from(*row)).collect();
    let (rows, _) = cpu::run(&prefix, &Schedule::by_stage(&prefix), &input, Way::Parallel, stale)?;
    let rows = rows.into_par_iter().map(<[f64; 4]>::from).collect();
    Ok(Reduction { plan: Arc::new(plan), algorithm: algorithm.name, n_stages, rows })
}
