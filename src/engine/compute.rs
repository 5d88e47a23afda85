//! One job from samples to result: chooses algorithm and device, runs, and times every part apart.

use super::{Cut, Devices, EngineError, Held, Job, LaneValues, Outcome, Place, Resolved, Times, Values, resolve};
use crate::cpu::{self, Way, library};
use crate::gpu::{self, Device};
use crate::plan::{Direction, Plan};
use crate::schedule::Schedule;
use crate::transforms::{Axes, Shape, Transform};
use num_complex::{Complex32, Complex64};
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Plans of at most so many lanes are drawn whole, with a value on every node.
pub const DRAWN_LANES: usize = 64;

/// Lanes of a CPU tile: 4096 complex values fit the first or second level cache.
const CPU_TILE: usize = 4096;

/// A result and how it came about.
pub struct Computed {
    /// The result.
    pub held: Held,
    /// How it came about.
    pub outcome: Outcome,
}

/// Runs a job.
///
/// # Errors
/// When a name is not in the table, the algorithm does not take the shape, the channel or the device does not exist, or `cancel` is raised.
pub fn compute(job: &Job, devices: &mut Devices, cancel: &AtomicBool) -> Result<Computed, EngineError> {
    let Resolved { transform, algorithm, place, reason, shape } = resolve(job, devices)?;
    let mut outcome = Outcome {
        plan: None,
        schedule: None,
        algorithm: algorithm.name,
        reason,
        device: place.name(),
        software_gpu: matches!(&place, Place::Gpu(device) if device.info().software),
        shape,
        axes: transform.axes,
        times: Times::default(),
        error: None,
        comparisons: Vec::new(),
        complete: false,
        values: None,
    };
    let held = match (algorithm.plan_fn(), place) {
        (None, Place::Gpu(_)) => return Err(EngineError::CpuOnly { algorithm: algorithm.name }),
        (None, Place::Cpu(way)) => run_library(job, transform, shape, way, cancel, &mut outcome.times)?,
        (Some(build), place) => {
            let start = Instant::now();
            let plan = Arc::new(build(shape, job.parameters)?);
            match place {
                Place::Cpu(way) => {
                    let schedule = Arc::new(schedule(&plan, job.cut, || Schedule::tiled(&plan, CPU_TILE)));
                    outcome.times.prepare_micros = micros(start);
                    outcome.plan = Some(plan.clone());
                    outcome.schedule = Some(schedule.clone());
                    run_plan(job, &plan, &schedule, way, cancel, &mut outcome)?
                }
                Place::Gpu(device) => run_on_gpu(job, plan, &device, devices, cancel, &mut outcome)?,
            }
        }
    };
    Ok(Computed { held, outcome })
}

/// Uploads, runs and leaves the result where it is, unless its order is not the natural one.
fn run_on_gpu(
    job: &Job,
    plan: Arc<Plan>,
    device: &Device,
    devices: &mut Devices,
    cancel: &AtomicBool,
    outcome: &mut Outcome,
) -> Result<Held, EngineError> {
    let start = Instant::now();
    let schedule = Arc::new(schedule(&plan, job.cut, || gpu::fastest(&plan, device.limits())));
    let prepared = devices.prepare(device, &plan, &schedule)?;
    outcome.times.prepare_micros = micros(start);
    outcome.plan = Some(plan.clone());
    outcome.schedule = Some(schedule);
    let upload = if job.signal.is_complex() {
        prepared.upload(&complex32(job)?, cancel)?
    } else {
        prepared.upload_real(&job.signal.plane(job.channel)?, cancel)?
    };
    let times = prepared.run(cancel)?;
    let device_clock = times.launch_micros.iter().all(Option::is_some);
    let launches = times.launch_micros.iter().map(|launch| launch.unwrap_or(times.wall_micros / times.launch_micros.len() as f64));
    outcome.times.launch_micros = launches.collect();
    outcome.times.device_clock = device_clock;
    outcome.times.upload_micros = upload.as_secs_f64() * 1e6;
    outcome.times.total_micros = outcome.times.upload_micros + times.wall_micros;
    if plan.lanes <= DRAWN_LANES {
        let input = complex32(job)?;
        let run = |prefix: &Plan| {
            let prepared = device.prepare(prefix, &Schedule::by_stage(prefix))?;
            prepared.upload(&input, cancel)?;
            prepared.run(cancel)?;
            Ok(prepared.download(cancel)?)
        };
        outcome.values = Some(drawn_values(&plan, &input, run)?);
    }
    if plan.output.is_natural() {
        return Ok(Held::Gpu(prepared));
    }
    let start = Instant::now();
    let lanes = prepared.download(cancel)?;
    outcome.times.download_micros = micros(start);
    Ok(Held::memory(Values::Single(plan.output.natural(&lanes))))
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
    let values = if job.signal.is_double() {
        let (lanes, launches) = cpu::run(plan, schedule, &complex64(job)?, way, cancel)?;
        outcome.times.launch_micros = launches;
        Values::Double(plan.output.natural(&lanes))
    } else {
        let (lanes, launches) = cpu::run(plan, schedule, &complex32(job)?, way, cancel)?;
        outcome.times.launch_micros = launches;
        Values::Single(plan.output.natural(&lanes))
    };
    outcome.times.total_micros = micros(start);
    if plan.lanes <= DRAWN_LANES {
        let input = complex32(job)?;
        let run = |prefix: &Plan| Ok(cpu::run(prefix, &Schedule::by_stage(prefix), &input, way, cancel)?.0);
        outcome.values = Some(drawn_values(plan, &input, run)?);
    }
    Ok(Held::memory(values))
}

/// The value of every lane after every stage, for a plan small enough to be drawn whole: every prefix of the plan is run as a plan of its own.
fn drawn_values(
    plan: &Plan,
    input: &[Complex32],
    run: impl Fn(&Plan) -> Result<Vec<Complex32>, EngineError>,
) -> Result<Arc<LaneValues>, EngineError> {
    let wide: Vec<Complex64> = input.iter().map(|value| Complex64::new(value.re.into(), value.im.into())).collect();
    let prefix = |n: usize| Plan { stages: plan.stages[..n].to_vec(), ..plan.clone() }.with_ends(plan.inputs, plan.lanes);
    let mut device: Vec<Vec<Complex32>> = (0..=plan.stages.len()).map(|n| run(&prefix(n))).collect::<Result<_, _>>()?;
    for (values, live) in device.iter_mut().zip(plan.live()) {
        for (value, _) in values.iter_mut().zip(live).filter(|(_, live)| !live) {
            *value = Complex32::new(f32::NAN, f32::NAN);
        }
    }
    let reference = (0..=plan.stages.len()).map(|n| plan.run_stages(&wide, n)).collect();
    Ok(Arc::new(LaneValues { device, reference }))
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
        if job.signal.is_double() {
            let samples = complex64(job)?;
            return Ok(Held::memory(Values::Double(library::transform(samples, shape, transform.axes, direction, cancel)?)));
        }
        if !job.signal.is_complex() && direction == Direction::Forward && transform.axes == Axes::Both {
            let samples = job.signal.plane(job.channel)?;
            return Ok(Held::memory(Values::Half(library::real_picture(&samples, shape, cancel)?)));
        }
        Ok(Held::memory(Values::Single(library::transform(complex32(job)?, shape, transform.axes, direction, cancel)?)))
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

/// The schedule that the user asked for, or the `fastest` one of the place.
pub fn schedule(plan: &Plan, cut: Cut, fastest: impl FnOnce() -> Schedule) -> Schedule {
    match cut {
        Cut::Stages => Schedule::by_stage(plan),
        Cut::Tiles => fastest(),
        Cut::TilesOf(lanes) => Schedule::tiled(plan, lanes),
    }
}

/// The samples of a job as single-precision complex numbers.
///
/// # Errors
/// When the channel does not exist.
pub(super) fn complex32(job: &Job) -> Result<Vec<Complex32>, EngineError> {
    Ok(job.signal.complex_plane(job.channel)?)
}

/// The samples of a job as double-precision complex numbers.
///
/// # Errors
/// When the channel does not exist.
pub(super) fn complex64(job: &Job) -> Result<Vec<Complex64>, EngineError> {
    Ok(job.signal.complex64_plane(job.channel)?)
}

/// Microseconds of one run on the CPU, in single precision: of the outcome's plan in the given way, or of the library.
///
/// # Errors
/// When `cancel` is raised.
pub(super) fn time_once(way: Option<Way>, job: &Job, outcome: &Outcome, cancel: &AtomicBool) -> Result<f64, EngineError> {
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
    let values = held.values(cancel)?;
    let (error, norm) = expected
        .par_iter()
        .enumerate()
        .map(|(index, value)| {
            let found = values.exact(shape, index / shape.columns, index % shape.columns);
            ((found - value).norm_sqr(), value.norm_sqr())
        })
        .reduce(|| (0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
    Ok(if norm > 0.0 { (error / norm).sqrt() } else { error.sqrt() })
}

/// Microseconds since `start`.
pub(super) fn micros(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e6
}
