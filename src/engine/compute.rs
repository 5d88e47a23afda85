//! One job from samples to result: chooses algorithm and device, runs, and times every part apart.

use super::lanes::{self, Exactness, Fitted, Lanes, drawn_values, whole};
use super::{Cut, DeviceChoice, Devices, EngineError, Held, Job, Outcome, Place, Resolved, Times, Values, resolve};
use super::{halves, packed};
use crate::cpu::{self, Way, library};
use crate::gpu::{self, Device, Kernels, Limits, Prepared};
use crate::plan::{Direction, Plan, Precision, Ring, Width};
use crate::schedule::Schedule;
use crate::transforms::{Axes, Shape, Transform};
use num_complex::{Complex32, Complex64};
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Plans of at most so many lanes are drawn whole, with a value on every node.
pub const DRAWN_LANES: usize = 64;

/// Lanes of a CPU tile: 4096 complex values fit the first or second level cache.
const CPU_TILE: usize = 4096;

/// A result and how it came about.
pub struct Computed {
    /// The result.
    pub held: Held,
    /// The plan on the GPU that ran, which can run again to be timed; `None` on the CPU.
    pub prepared: Option<Arc<Prepared>>,
    /// How it came about.
    pub outcome: Outcome,
}

/// Runs a job.
///
/// # Errors
/// When a name is not in the table, the algorithm does not take the shape or the samples, the channel or the device does not exist, or `cancel` is raised.
pub fn compute(job: &Job, devices: &mut Devices, cancel: &AtomicBool) -> Result<Computed, EngineError> {
    let Resolved { transform, algorithm, cut, place, reason, shape, candidates } = resolve(job, devices)?;
    let job = &Job { cut, ..job.clone() };
    let start = Instant::now();
    let mut outcome = Outcome {
        plan: None,
        schedule: None,
        algorithm: algorithm.name,
        reason,
        candidates,
        device: place.name(),
        software_gpu: false,
        precision: Precision::Single,
        packed: false,
        shape: transform.result_shape(shape, job.parameters),
        axes: transform.axes,
        contents: halves::contents(transform, job.parameters.direction),
        times: Times::default(),
        error: None,
        comparisons: Vec::new(),
        complete: false,
        values: None,
    };
    match (algorithm.plan_fn(), place) {
        (Some(build), place) => {
            let fitted = lanes::fitted(build(shape, job.parameters)?, job)?;
            execute(job, &fitted, place, outcome, devices, start, cancel)
        }
        (None, Place::Gpu(_)) => Err(EngineError::CpuOnly { algorithm: algorithm.name }),
        (None, Place::Cpu(way)) => {
            outcome.precision = if job.is_double() { Precision::Double } else { Precision::Single };
            let held = run_library(job, transform, shape, way, cancel, &mut outcome.times)?;
            Ok(Computed { held, prepared: None, outcome })
        }
    }
}

/// Runs a plan that was fitted to the samples of a job.
pub(super) fn execute(
    job: &Job,
    fitted: &Fitted,
    mut place: Place,
    mut outcome: Outcome,
    devices: &mut Devices,
    start: Instant,
    cancel: &AtomicBool,
) -> Result<Computed, EngineError> {
    let moved = keep_exact(fitted, job, &mut place);
    outcome.reason =
        [outcome.reason.as_str(), moved, fitted.note.as_str()].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ");
    outcome.device = place.name();
    outcome.precision = fitted.precision(job, &place);
    outcome.software_gpu = matches!(&place, Place::Gpu(device) if device.info().software);
    if let Some(bits) = fitted.bits() {
        return packed::execute(fitted, bits, &place, outcome, start, cancel);
    }
    let (held, prepared) = match place {
        Place::Cpu(way) => (run_on_cpu(job, fitted, way, start, cancel, &mut outcome)?, None),
        Place::Gpu(device) => {
            let (held, prepared) = run_on_gpu(job, fitted, &device, devices, start, cancel, &mut outcome)?;
            (held, Some(prepared))
        }
    };
    Ok(Computed { held, prepared, outcome })
}

/// Moves work from a GPU that would not keep integers exact, or has not the precision that was asked for, to the CPU, and says why.
/// Where a device was asked for by name, only integers that it does not have are moved; numbers that it rounds are left to it.
fn keep_exact(fitted: &Fitted, job: &Job, place: &mut Place) -> &'static str {
    let Place::Gpu(device) = place else { return "" };
    let why = match fitted.plan.ring {
        Ring::Integer(Width::Bits64) if !device.info().int64 => "the GPU has no 64-bit integers",
        Ring::Integer(_) if !gpu::lower::keeps_coefficients(&fitted.plan) => "the GPU would round the coefficients",
        Ring::Real if fitted.exactness == Exactness::InDouble && job.precision.is_none() && job.device == DeviceChoice::Auto => {
            "exact in double precision, which a GPU does not take unasked"
        }
        Ring::Real | Ring::Complex
            if job.precision == Some(Precision::Double) && !device.info().f64 && job.device == DeviceChoice::Auto =>
        {
            "the GPU has no double precision"
        }
        _ => return "",
    };
    *place = Place::Cpu(Way::Parallel);
    why
}

/// Uploads, runs and leaves the result where it is, unless its order is not the natural one.
fn run_on_gpu(
    job: &Job,
    fitted: &Fitted,
    device: &Device,
    devices: &mut Devices,
    start: Instant,
    cancel: &AtomicBool,
    outcome: &mut Outcome,
) -> Result<(Held, Arc<Prepared>), EngineError> {
    let plan = Arc::new(fitted.plan.clone());
    let precision = outcome.precision;
    let limits = device.limits().in_precision(precision);
    let schedule = Arc::new(schedule_on_gpu(&plan, job.cut, limits));
    let prepared = devices.prepare(device, &plan, &schedule, precision)?;
    outcome.times.prepare_micros = micros(start);
    outcome.plan = Some(plan.clone());
    outcome.schedule = Some(schedule);
    let uploaded = upload(job, fitted, &prepared, cancel)?;
    outcome.times.ran(&prepared.run(cancel)?, uploaded);
    if plan.lanes <= DRAWN_LANES {
        let input = Lanes::of(&plan, job, precision)?.wide();
        let run = |prefix: &Plan| {
            let prepared = device.prepare_in(prefix, &Schedule::by_stage(prefix), Kernels::Fast, precision)?;
            upload(job, fitted, &prepared, cancel)?;
            prepared.run(cancel)?;
            let values = Held::Gpu(Arc::new(prepared)).values(cancel)?;
            Ok((0..prefix.lanes).map(|lane| values.exact(Shape::line(prefix.lanes), 0, lane)).collect())
        };
        outcome.values = Some(drawn_values(&plan, &input, run)?);
    }
    let is_exact = fitted.is_exact_in(precision);
    if plan.output.is_natural() && !is_exact && !halves::gives_reals(job) {
        return Ok((Held::Gpu(prepared.clone()), prepared));
    }
    let start = Instant::now();
    let lanes = Held::Gpu(prepared.clone()).values(cancel)?;
    outcome.times.download_micros = micros(start);
    let values = halves::result(Arc::unwrap_or_clone(lanes).natural(&plan.output), job);
    Ok((Held::memory(if is_exact { whole(values) } else { values }), prepared))
}

/// Brings the samples to the device, in the type of its lanes.
fn upload(job: &Job, fitted: &Fitted, prepared: &Prepared, cancel: &AtomicBool) -> Result<Duration, EngineError> {
    Ok(match fitted.integers() {
        Some(integers) => prepared.upload_integers(integers, cancel)?,
        None if halves::takes_reals(job) && job.signal.plane(job.channel)?.len() != fitted.plan.inputs => match prepared.precision() {
            // Two samples make a lane as they lie in memory.
            Precision::Single => prepared.upload(bytemuck::cast_slice(&job.signal.plane(job.channel)?), cancel)?,
            Precision::Double => prepared.upload_double(bytemuck::cast_slice(&job.signal.plane64(job.channel)?), cancel)?,
        },
        None => match (job.signal.is_complex(), prepared.precision()) {
            (true, Precision::Single) => prepared.upload(&job.signal.complex_plane(job.channel)?, cancel)?,
            (true, Precision::Double) => prepared.upload_double(&job.signal.complex64_plane(job.channel)?, cancel)?,
            (false, Precision::Single) => prepared.upload_real(&job.signal.plane(job.channel)?, cancel)?,
            (false, Precision::Double) => prepared.upload_real_double(&job.signal.plane64(job.channel)?, cancel)?,
        },
    })
}

fn run_on_cpu(
    job: &Job,
    fitted: &Fitted,
    way: Way,
    start: Instant,
    cancel: &AtomicBool,
    outcome: &mut Outcome,
) -> Result<Held, EngineError> {
    let plan = Arc::new(fitted.plan.clone());
    let schedule = Arc::new(schedule(&plan, job.cut, |lanes| match lanes {
        None => cpu::fastest(&plan, CPU_TILE),
        Some(lanes) => Schedule::tiled(&plan, lanes),
    }));
    outcome.times.prepare_micros = micros(start);
    let start = Instant::now();
    let input = Lanes::of(&plan, job, outcome.precision)?;
    let (lanes, launches) = input.run(&plan, &schedule, way, cancel)?;
    outcome.times.launch_micros = launches;
    let values = halves::result(lanes.into_values(&plan), job);
    outcome.times.total_micros = micros(start);
    if plan.lanes <= DRAWN_LANES {
        let run = |prefix: &Plan| Ok(input.run(prefix, &Schedule::by_stage(prefix), way, cancel)?.0.wide());
        outcome.values = Some(drawn_values(&plan, &input.wide(), run)?);
    }
    outcome.plan = Some(plan);
    outcome.schedule = Some(schedule);
    Ok(Held::memory(if fitted.is_exact_in(outcome.precision) { whole(values) } else { values }))
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
        if job.is_double() {
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

/// The schedule that the user asked for; `tiles` cuts as is best for the place, into tiles of at most so many lanes where a number is given.
pub fn schedule(plan: &Plan, cut: Cut, tiles: impl FnOnce(Option<usize>) -> Schedule) -> Schedule {
    match cut {
        Cut::Stages => Schedule::by_stage(plan),
        Cut::TilesOf(lanes) => tiles(Some(lanes)),
        Cut::SplitAndMerge(how) => Schedule::split_and_merge(plan, how),
        Cut::Tiles | Cut::Overlapped(_) => tiles(None),
    }
}

/// The schedule that the user asked for, on a GPU of these limits.
pub fn schedule_on_gpu(plan: &Plan, cut: Cut, limits: Limits) -> Schedule {
    let tiles = |lanes: Option<usize>| gpu::estimate(plan, limits, lanes.unwrap_or(usize::MAX)).schedule;
    match cut {
        Cut::Overlapped(levels) => gpu::overlapped(plan, Some(levels).filter(|&levels| levels > 0), limits).unwrap_or_else(|| tiles(None)),
        // The kernel of sections knows single precision only.
        Cut::SplitAndMerge(_) if limits.precision == Precision::Double => Schedule::by_stage(plan),
        _ => schedule(plan, cut, tiles),
    }
}

/// The samples of a job as single-precision complex numbers.
///
/// # Errors
/// When the channel does not exist.
fn complex32(job: &Job) -> Result<Vec<Complex32>, EngineError> {
    Ok(job.signal.complex_plane(job.channel)?)
}

/// The samples of a job as double-precision complex numbers.
///
/// # Errors
/// When the channel does not exist.
fn complex64(job: &Job) -> Result<Vec<Complex64>, EngineError> {
    Ok(job.signal.complex64_plane(job.channel)?)
}

/// Microseconds of one run of the outcome's plan on the CPU, in its precision or in integers.
///
/// # Errors
/// When `cancel` is raised, or a library did the work.
pub(super) fn time_plan(way: Way, job: &Job, outcome: &Outcome, cancel: &AtomicBool) -> Result<f64, EngineError> {
    let (Some(plan), Some(schedule)) = (&outcome.plan, &outcome.schedule) else {
        return Err(EngineError::CpuOnly { algorithm: outcome.algorithm });
    };
    let lanes = Lanes::of(plan, job, outcome.precision)?;
    let start = Instant::now();
    drop(lanes.run(plan, schedule, way, cancel)?);
    Ok(micros(start))
}

/// Microseconds of one run of the library, in the precision of the outcome.
///
/// # Errors
/// When `cancel` is raised.
pub(super) fn time_library(job: &Job, outcome: &Outcome, cancel: &AtomicBool) -> Result<f64, EngineError> {
    let (shape, axes, direction) = (outcome.shape, outcome.axes, job.parameters.direction);
    macro_rules! time {
        ($samples:expr) => {{
            let samples = $samples;
            let start = Instant::now();
            drop(library::transform(samples, shape, axes, direction, cancel)?);
            Ok(micros(start))
        }};
    }
    match outcome.precision {
        Precision::Single => time!(complex32(job)?),
        Precision::Double => time!(complex64(job)?),
    }
}

/// The relative error of a result in the 2-norm: against the library in double precision, or where there is none against the plan, run in double precision or in 64-bit integers.
///
/// # Errors
/// When `cancel` is raised.
pub fn relative_error(job: &Job, held: &Held, outcome: &Outcome, cancel: &AtomicBool) -> Result<f64, EngineError> {
    let shape = outcome.shape;
    let expected = match &outcome.plan {
        Some(plan) if crate::transforms::transform(job.transform)?.library().is_none() => {
            if let Held::Memory(values) = held
                && let Values::Bits(found) = &**values
            {
                return packed::relative_error(job, plan, found, cancel);
            }
            let plan = match plan.ring {
                Ring::Integer(_) => Plan::clone(plan).over(Ring::Integer(Width::Bits64)),
                _ => Plan::clone(plan),
            };
            let (lanes, _) = Lanes::of(&plan, job, Precision::Double)?.run(&plan, &Schedule::by_stage(&plan), Way::Parallel, cancel)?;
            halves::result(lanes.into_values(&plan), job)
        }
        _ => Values::Double(library::transform(complex64(job)?, shape, outcome.axes, job.parameters.direction, cancel)?),
    };
    let values = held.values(cancel)?;
    let (error, norm) = (0..shape.len())
        .into_par_iter()
        .map(|index| {
            let [found, value] = [&*values, &expected].map(|of| of.exact(shape, index / shape.columns, index % shape.columns));
            ((found - value).norm_sqr(), value.norm_sqr())
        })
        .reduce(|| (0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
    Ok(if norm > 0.0 { (error / norm).sqrt() } else { error.sqrt() })
}

/// Microseconds since `start`.
pub(super) fn micros(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e6
}
