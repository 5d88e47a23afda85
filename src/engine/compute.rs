//! One job from samples to result: chooses algorithm and device, runs, and times every part apart.

use super::{Cut, DeviceChoice, EngineError, Job, LaneValues, Outcome, Times};
use crate::cpu::{self, LoopOrder, Way, library, library::HalfSpectrum};
use crate::plan::{Direction, Plan};
use crate::schedule::Schedule;
use crate::signal::{Samples, Signal};
use crate::transforms::{Algorithm, Axes, Build, Shape, Transform, transform};
use num_complex::{Complex32, Complex64};
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Above so many lanes an automatic choice takes the library on a CPU, even where a drawable plan would be nicer: it is several times faster.
const LARGEST_PREFERRED_PLAN: usize = 1 << 20;

/// Plans of at most so many lanes are drawn whole, with a value on every node.
pub const DRAWN_LANES: usize = 64;

/// Lanes of a CPU tile: 4096 complex values fit the first or second level cache.
const CPU_TILE: usize = 4096;

/// Where the result lies.
pub enum Held {
    /// In memory, in natural order.
    Single(Vec<Complex32>),
    /// In memory, in natural order, in double precision.
    Double(Vec<Complex64>),
    /// In memory, the half that determines the spectrum of a real picture.
    Half(HalfSpectrum),
}

impl Held {
    /// The value at index (`row`, `column`).
    pub fn at(&self, shape: Shape, row: usize, column: usize) -> Complex32 {
        let index = row * shape.columns + column;
        match self {
            Self::Single(values) => values[index],
            Self::Double(values) => Complex32::new(values[index].re as f32, values[index].im as f32),
            Self::Half(half) => half.at(row, column),
        }
    }
}

/// A result and how it came about.
pub struct Computed {
    /// The result.
    pub held: Held,
    /// How it came about.
    pub outcome: Outcome,
}

/// What a job comes to once the automatic choices are made.
pub struct Resolved {
    /// The transform.
    pub transform: &'static Transform,
    /// The algorithm.
    pub algorithm: &'static Algorithm,
    /// How the CPU runs it.
    pub way: Way,
    /// Why, where the choice was automatic.
    pub reason: String,
    /// Shape of samples and result.
    pub shape: Shape,
}

/// Makes the automatic choices of a job.
///
/// # Errors
/// When a name is not in the table, or there is nothing to transform.
pub fn resolve(job: &Job) -> Result<Resolved, EngineError> {
    let transform = transform(job.transform)?;
    let shape = Shape { rows: job.signal.rows, columns: job.signal.columns };
    if shape.is_empty() {
        return Err(EngineError::Empty { transform: transform.name });
    }
    let way = if job.device == DeviceChoice::Cpu { Way::Sequential(LoopOrder::Local) } else { Way::Parallel };
    let (algorithm, reason) = match job.algorithm {
        Some(name) => (transform.algorithm(name)?, String::new()),
        None => fastest(transform, shape, job),
    };
    Ok(Resolved { transform, algorithm, way, reason, shape })
}

/// The fastest algorithm on the CPU, or one that can be drawn where that is preferred and cheap enough.
fn fastest(transform: &'static Transform, shape: Shape, job: &Job) -> (&'static Algorithm, String) {
    let plan = transform.first_plan();
    let library = transform.algorithms.iter().find(|algorithm| matches!(algorithm.build, Build::Library));
    let drawable = plan.plan_fn().is_some_and(|build| build(shape, job.parameters).is_ok());
    match library {
        Some(library) if !drawable => (library, format!("no plan takes {} × {} yet", shape.rows, shape.columns)),
        Some(library) if !job.prefer_plan => (library, "the fastest on a CPU".into()),
        Some(library) if shape.len() > LARGEST_PREFERRED_PLAN => (library, "the fastest on a CPU at this size".into()),
        _ => (plan, "the fastest that has a flow graph".into()),
    }
}

/// Runs a job.
///
/// # Errors
/// When a name is not in the table, the algorithm does not take the shape, the channel does not exist, or `cancel` is raised.
pub fn compute(job: &Job, cancel: &AtomicBool) -> Result<Computed, EngineError> {
    let Resolved { transform, algorithm, way, reason, shape } = resolve(job)?;
    let mut outcome = Outcome {
        plan: None,
        schedule: None,
        algorithm: algorithm.name,
        reason,
        device: cpu_name(way),
        software_gpu: false,
        shape,
        axes: transform.axes,
        times: Times::default(),
        error: None,
        comparisons: Vec::new(),
        values: None,
    };
    let held = match algorithm.plan_fn() {
        None => run_library(job, transform, shape, way, cancel, &mut outcome.times)?,
        Some(build) => {
            let start = Instant::now();
            let plan = Arc::new(build(shape, job.parameters)?);
            let schedule = Arc::new(schedule(&plan, job.cut, CPU_TILE));
            outcome.times.prepare_micros = micros(start);
            outcome.plan = Some(plan.clone());
            outcome.schedule = Some(schedule.clone());
            run_plan(job, &plan, &schedule, way, cancel, &mut outcome)?
        }
    };
    Ok(Computed { held, outcome })
}

fn run_plan(
    job: &Job,
    plan: &Plan,
    schedule: &Schedule,
    way: Way,
    cancel: &AtomicBool,
    outcome: &mut Outcome,
) -> Result<Held, EngineError> {
    let start = Instant::now();
    let held = if is_double(&job.signal) {
        let (lanes, launches) = cpu::run(plan, schedule, &complex64(job)?, way, cancel)?;
        outcome.times.launch_micros = launches;
        Held::Double(plan.output.natural(&lanes))
    } else {
        let input = complex32(job)?;
        let (lanes, launches) = cpu::run(plan, schedule, &input, way, cancel)?;
        outcome.times.launch_micros = launches;
        outcome.values = drawn_values(plan, &input, |prefix| Ok(cpu::run(prefix, &Schedule::by_stage(prefix), &input, way, cancel)?.0))?;
        Held::Single(plan.output.natural(&lanes))
    };
    outcome.times.total_micros = micros(start);
    Ok(held)
}

/// The value of every lane after every stage, for a plan small enough to be drawn whole: every prefix of the plan is run as a plan of its own.
fn drawn_values(
    plan: &Plan,
    input: &[Complex32],
    run: impl Fn(&Plan) -> Result<Vec<Complex32>, EngineError>,
) -> Result<Option<Arc<LaneValues>>, EngineError> {
    if plan.lanes > DRAWN_LANES {
        return Ok(None);
    }
    let wide: Vec<Complex64> = input.iter().map(|value| Complex64::new(value.re.into(), value.im.into())).collect();
    let prefix = |n: usize| Plan { stages: plan.stages[..n].to_vec(), ..plan.clone() };
    let device = (0..=plan.stages.len()).map(|n| run(&prefix(n))).collect::<Result<_, _>>()?;
    let reference = (0..=plan.stages.len()).map(|n| plan.run_stages(&wide, n)).collect();
    Ok(Some(Arc::new(LaneValues { device, reference })))
}

fn run_library(
    job: &Job,
    transform: &Transform,
    shape: Shape,
    way: Way,
    cancel: &AtomicBool,
    times: &mut Times,
) -> Result<Held, EngineError> {
    let direction = job.parameters.direction;
    let start = Instant::now();
    let held = with_threads(way, || -> Result<Held, EngineError> {
        if is_double(&job.signal) {
            let samples = complex64(job)?;
            return Ok(Held::Double(library::transform(samples, shape, transform.axes, direction, cancel)?));
        }
        if !job.signal.is_complex() && direction == Direction::Forward && transform.axes == Axes::Both {
            let samples = job.signal.plane(job.channel).map_err(|error| EngineError::Device(error.to_string()))?;
            return Ok(Held::Half(library::real_picture(&samples, shape, cancel)?));
        }
        Ok(Held::Single(library::transform(complex32(job)?, shape, transform.axes, direction, cancel)?))
    })?;
    times.total_micros = micros(start);
    times.launch_micros = vec![times.total_micros];
    Ok(held)
}

/// Runs `work` with all threads, or with one where the way is sequential.
fn with_threads<R: Send>(way: Way, work: impl FnOnce() -> R + Send) -> R {
    match way {
        Way::Parallel => work(),
        Way::Sequential(_) => {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
            pool.expect("a pool of one thread needs no resources that could be missing").install(work)
        }
    }
}

/// The schedule of a plan for tiles of at most `largest` lanes.
pub fn schedule(plan: &Plan, cut: Cut, largest: usize) -> Schedule {
    match cut {
        Cut::Stages => Schedule::by_stage(plan),
        Cut::Tiles => Schedule::tiled(plan, largest),
        Cut::TilesOf(lanes) => Schedule::tiled(plan, lanes.min(largest)),
    }
}

/// Whether samples have more digits than single precision keeps: then the CPU computes in double precision.
pub fn is_double(signal: &Signal) -> bool {
    matches!(signal.channels[0].samples, Samples::F64(_) | Samples::Complex64(_) | Samples::I32(_) | Samples::I64(_))
}

/// The samples of a job as single-precision complex numbers.
///
/// # Errors
/// When the channel does not exist.
pub fn complex32(job: &Job) -> Result<Vec<Complex32>, EngineError> {
    job.signal.complex_plane(job.channel).map_err(|error| EngineError::Device(error.to_string()))
}

/// The samples of a job as double-precision complex numbers.
///
/// # Errors
/// When the channel does not exist.
pub fn complex64(job: &Job) -> Result<Vec<Complex64>, EngineError> {
    job.signal.complex64_plane(job.channel).map_err(|error| EngineError::Device(error.to_string()))
}

/// Microseconds of one run on the CPU, in single precision: of the outcome's plan in the given way, or of the library.
///
/// # Errors
/// When `cancel` is raised.
pub fn time_once(way: Option<Way>, job: &Job, outcome: &Outcome, cancel: &AtomicBool) -> Result<f64, EngineError> {
    let samples = complex32(job)?;
    let start = Instant::now();
    match (way, &outcome.plan, &outcome.schedule) {
        (Some(way), Some(plan), Some(schedule)) => drop(cpu::run(plan, schedule, &samples, way, cancel)?),
        _ => drop(library::transform(samples, outcome.shape, outcome.axes, job.parameters.direction, cancel)?),
    }
    Ok(micros(start))
}

/// The relative error of a result in the 2-norm, against the library in double precision.
///
/// # Errors
/// When `cancel` is raised.
pub fn relative_error(job: &Job, held: &Held, outcome: &Outcome, cancel: &AtomicBool) -> Result<f64, EngineError> {
    let shape = outcome.shape;
    let expected = library::transform(complex64(job)?, shape, outcome.axes, job.parameters.direction, cancel)?;
    let (error, norm) = expected
        .par_iter()
        .enumerate()
        .map(|(index, value)| {
            let found = match held {
                Held::Double(values) => values[index],
                _ => {
                    let single = held.at(shape, index / shape.columns, index % shape.columns);
                    Complex64::new(single.re.into(), single.im.into())
                }
            };
            ((found - value).norm_sqr(), value.norm_sqr())
        })
        .reduce(|| (0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
    Ok(if norm > 0.0 { (error / norm).sqrt() } else { error.sqrt() })
}

fn cpu_name(way: Way) -> String {
    match way {
        Way::Parallel => format!("CPU, {} threads", rayon::current_num_threads()),
        Way::Sequential(_) => "CPU, 1 thread".into(),
    }
}

/// Microseconds since `start`.
pub fn micros(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e6
}
