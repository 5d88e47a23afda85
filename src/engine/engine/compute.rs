//! Runs one job from samples to result: chooses algorithm and device, runs, and times every part separately.

use super::cut::{schedule_on_cpu, schedule_on_gpu};
use super::drawn::{is_drawn, runs_by_stage};
use super::elimination::Elimination;
use super::error::check_bytes;
use super::lane_memory::LaneMemory;
use super::lanes::{self, Exactness, Fitted, Lanes, drawn_values, integers_if_whole};
use super::preparing::prepared;
use super::report::micros;
use super::{
    Backend, Computed, Contents, Deviation, DeviceChoice, Devices, EngineError, Job, Outcome, Resolved, SharedResult, Solution,
    StoredResult, Values, contents, convolve, cut, elimination, half_spectrum, halves, in_parts, library, loss, packed, resolve, uploading,
};
use crate::cpu::CpuBackend;
use crate::gpu::{Device, KernelChoice, Prepared, Uploads};
use crate::plan::{IntegerWidth, Plan, Precision, Ring};
use crate::schedule::Schedule;
use crate::signal::{Samples, memory_limit};
use crate::threads;
use crate::transforms::{Family, Input, Numbers, Shape, Transform, transform};
use num_complex::Complex64;
use std::sync::{Arc, atomic::AtomicBool};
use std::time::Instant;

/// Runs a job.
///
/// # Errors
/// When a name is not in the table, the algorithm does not take the shape or the samples, the channel or the device does not exist, or `cancel` is raised.
pub fn compute(job: &Job, devices: &mut Devices, cancel: &AtomicBool) -> Result<Computed, EngineError> {
    finished(job, devices, cancel, |_, computed| Ok(computed))
}

/// Runs a job, and brings its result to memory. Where a device is lost before all of it is there, the job runs again, as in [`compute()`].
///
/// # Errors
/// As [`compute()`].
pub fn compute_to_memory(job: &Job, devices: &mut Devices, cancel: &AtomicBool) -> Result<Computed, EngineError> {
    finished(job, devices, cancel, |_, computed| computed.in_memory(cancel))
}

/// Runs a job, and brings its result to memory as samples.
pub(super) fn samples(job: &Job, devices: &mut Devices, cancel: &AtomicBool) -> Result<Samples, EngineError> {
    finished(job, devices, cancel, |_, computed| computed.into_samples(cancel))
}

/// Runs a job; `finish` gets the job that ran, on prepared samples, and its result, which may be lost with its device until `finish` has read it.
pub(super) fn finished<T>(
    job: &Job,
    devices: &mut Devices,
    cancel: &AtomicBool,
    finish: impl Fn(&Job, Computed) -> Result<T, EngineError>,
) -> Result<T, EngineError> {
    let (ready, facts) = prepared(job, cancel)?;
    devices.count_run();
    devices.surviving(&ready.device, |devices| {
        let (start, choices) = (Instant::now(), Ready::new(&ready, devices)?);
        let mut computed = match half_spectrum::run(&choices, devices, start, cancel)? {
            Some(computed) => computed,
            None => choices.run(devices, start, cancel).or_else(|error| in_parts::run(&choices, error, devices, start, cancel))?,
        };
        devices.note_run(&ready, &choices.backend, &mut computed.outcome.times);
        computed.outcome.preparation = facts;
        job.check_files().map_err(EngineError::from).and_then(|()| finish(&ready, computed))
    })
}

/// Solves the system in the signal of a job, and gives the unknowns in double precision.
///
/// # Errors
/// When the signal holds no system or a singular one, a name is not in the table, the device is not there, the algorithm that was asked for meets a zero pivot, or `cancel` is raised.
pub fn solve(job: &Job, devices: &mut Devices, cancel: &AtomicBool) -> Result<Solution, EngineError> {
    Solution::of(job, &SharedResult::compute(job, devices, cancel)?)
}

/// A job after all choices, which can run repeatedly.
pub(super) struct Ready {
    pub(super) job: Job,
    pub(super) work: Work,
    pub(super) backend: Backend,
    pub(super) uploads: Uploads,
    /// Whether the result stays on a device wherever it may, for a caller that takes it from there.
    pub(super) stays: bool,
    /// The outcome as far as it is known before a run.
    pub(super) blank: Outcome,
}

/// The work of a job.
pub(super) enum Work {
    /// A plan that was fitted to the samples.
    Plan(Fitted),
    /// The library.
    Library(&'static Transform),
    /// Elimination or reduction, which solves a system.
    System(Box<Elimination>),
}

impl Ready {
    /// Makes the choices of a job.
    pub(super) fn new(job: &Job, devices: &mut Devices) -> Result<Self, EngineError> {
        if transform(job.transform)?.input == Input::Equations {
            let (elimination, backend, blank) = elimination::prepare(job, devices)?;
            return Ok(Self {
                job: job.clone(),
                work: Work::System(Box::new(elimination)),
                backend,
                uploads: Uploads::Once,
                stays: false,
                blank,
            });
        }
        let Resolved { transform, algorithm, parameters, cut, backend, reason, shape, candidates } = resolve(job, devices)?;
        let (job, dropped) = halves::hermitian(Job { cut, parameters, ..convolve::joined(job)?.into_owned() }, transform)?;
        let result_shape = transform.result_shape(shape, parameters);
        let mut blank = Outcome {
            parameters,
            reason,
            candidates,
            device: backend.name(),
            ..Outcome::new(algorithm.name, result_shape, transform.axes(parameters), contents(transform, &job))
        };
        blank.add_note(&dropped);
        let work = match (algorithm.plan_fn(), &backend) {
            (Some(build), _) => Work::Plan(lanes::fitted(build(shape, parameters)?, &job)?),
            (None, Backend::Gpu(_)) => return Err(EngineError::CpuOnly { algorithm: algorithm.name }),
            (None, Backend::Cpu(_)) => Work::Library(transform),
        };
        Self::of(job, work, backend, blank)
    }

    /// A job with its choices. Integers that the device would round are moved to the CPU; coefficients beyond the precision are refused.
    pub(super) fn of(job: Job, work: Work, mut backend: Backend, mut blank: Outcome) -> Result<Self, EngineError> {
        match &work {
            Work::Plan(fitted) => {
                let moved = keep_exact(fitted, &job, &mut backend);
                let is_exact = fitted.plan.ring.is_exact();
                let precision = if is_exact && job.precision.is_some() { "exact lanes have no precision to choose" } else { "" };
                let parts = [blank.reason.as_str(), moved, fitted.note.as_str(), precision];
                blank.reason = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ");
                blank.precision = fitted.precision(&job, &backend);
                if let (false, Precision::Single, Some(coef)) = (is_exact, blank.precision, fitted.plan.coef_beyond_single()) {
                    return Err(EngineError::Coefficient { transform: job.transform, coef });
                }
                if !is_exact && !fitted.is_exact_in(blank.precision) {
                    blank.losses = loss::of_samples(&job, blank.precision);
                }
            }
            Work::Library(_) => {
                blank.precision = library::precision(&job);
                blank.losses = loss::of_samples(&job, blank.precision);
            }
            Work::System(_) => {}
        }
        check_room(&job, &work, blank.precision)?;
        blank.device = backend.name();
        blank.software_gpu = backend.is_software_gpu();
        Ok(Self { job, work, backend, uploads: Uploads::Once, stays: false, blank })
    }

    /// Runs the job; the time since `start` counts as its preparation.
    pub(super) fn run(&self, devices: &mut Devices, start: Instant, cancel: &AtomicBool) -> Result<Computed, EngineError> {
        if let Work::System(elimination) = &self.work {
            return elimination.run(&self.job, &self.backend, self.blank.clone(), devices, cancel);
        }
        let (job, mut outcome) = (&self.job, self.blank.clone());
        if let Work::Plan(fitted) = &self.work
            && let Some(bits) = fitted.bits()
        {
            return packed::execute(fitted, bits, &self.backend, outcome, start, (devices.memory(), cancel));
        }
        let mut prepared = None;
        let stored = match (&self.work, &self.backend) {
            (Work::Plan(fitted), Backend::Cpu(cpu_backend)) => {
                run_on_cpu(job, fitted, *cpu_backend, start, cancel, (devices.memory(), &mut outcome))?
            }
            (Work::Plan(fitted), Backend::Gpu(device)) => {
                let (stored, ran) = run_on_gpu(self, fitted, device, devices, start, cancel, &mut outcome)?;
                prepared = Some(ran);
                stored
            }
            (Work::Library(transform), backend) => library::run(job, transform, backend.cpu_backend(), cancel, &mut outcome.times)?,
            (Work::System(_), _) => unreachable!("a system has run above"),
        };
        Ok(Computed { stored, prepared, outcome })
    }
}

/// Refuses a job whose samples and results do not fit into what is free, before they are allocated. A quarter stays free for the rest of the program.
fn check_room(job: &Job, work: &Work, precision: Precision) -> Result<(), EngineError> {
    /// Jobs below this size do not ask, since that takes as long as they do.
    const SMALL: u128 = 1 << 24;
    /// A byte for a sample and one for a result, and the bits of both.
    const BYTES_PER_BIT: u128 = 3;
    let (lanes, bytes_per_lane) = match work {
        Work::Plan(fitted) if fitted.bits().is_some() => (job.signal.len(), BYTES_PER_BIT),
        Work::Plan(fitted) => (fitted.plan.lanes, 2 * precision.bytes_per_lane(fitted.plan.ring) as u128),
        Work::Library(_) => (job.signal.len(), 2 * precision.bytes_per_lane(Ring::Complex) as u128),
        Work::System(_) => return Ok(()),
    };
    let needed = lanes as u128 * bytes_per_lane;
    if needed <= SMALL {
        return Ok(());
    }
    // The limit is half of what is free.
    let free = u128::from(memory_limit()) * 3 / 2;
    check_bytes("a transform", (Shape { rows: job.signal.rows, columns: job.signal.columns }, job.signal.kind), [needed, free])
}

/// The contents of the result. Convolutions of real signals are real, and so are the Hartley and cosine transforms of real samples.
fn contents(transform: &Transform, job: &Job) -> Contents {
    match transform.family {
        Family::Convolution if !job.is_complex() => Contents::Samples,
        _ if transform.gives == Numbers::Real && !job.is_complex() => Contents::Samples,
        _ => contents::contents(transform, job.parameters.direction),
    }
}

/// Moves work to the CPU and says why, if the GPU would round integers or lacks the precision that was asked for.
/// On a device that was asked for by name, only integer types that it lacks are moved; numbers that it rounds stay there.
fn keep_exact(fitted: &Fitted, job: &Job, backend: &mut Backend) -> &'static str {
    let Backend::Gpu(device) = backend else { return "" };
    let why = match fitted.plan.ring {
        Ring::Integer(IntegerWidth::Bits64) if !device.info().int64 => "the GPU has no 64-bit integers",
        Ring::Integer(_) if !crate::gpu::lower::keeps_coefficients(&fitted.plan) => "the GPU would round the coefficients",
        Ring::Real if fitted.exactness == Exactness::InDouble && job.precision.is_none() && job.device == DeviceChoice::Auto => {
            "exact in double precision, which a GPU uses only if asked"
        }
        Ring::Real if fitted.plan.coef_beyond_single().is_some() && job.precision.is_none() && job.device == DeviceChoice::Auto => {
            "coefficients beyond single precision, and a GPU uses double precision only if asked"
        }
        Ring::Real | Ring::Complex
            if job.precision == Some(Precision::Double) && !device.info().f64 && job.device == DeviceChoice::Auto =>
        {
            "the GPU has no double precision"
        }
        _ => return "",
    };
    *backend = Backend::Cpu(CpuBackend::Parallel);
    why
}

/// Uploads and runs. The result stays on the device if its order is natural.
fn run_on_gpu(
    Ready { job, uploads, stays, .. }: &Ready,
    fitted: &Fitted,
    device: &Device,
    devices: &mut Devices,
    start: Instant,
    cancel: &AtomicBool,
    outcome: &mut Outcome,
) -> Result<(StoredResult, Arc<Prepared>), EngineError> {
    let plan = Arc::new(fitted.plan.clone());
    let precision = outcome.precision;
    let limits = device.limits().in_precision(precision);
    let schedule = Arc::new(schedule_on_gpu(&plan, job.cut, limits).after_upload(&plan, *uploads == Uploads::Both));
    outcome.add_note(&cut::note_on_gpu(job.cut, outcome.axes, &plan, &schedule, precision));
    let (prepared, was_ready) = devices.prepare(device, &plan, &schedule, (precision, *uploads))?;
    (outcome.times.warms_up, outcome.times.prepare_micros) = (!was_ready, micros(start));
    outcome.plan = Some(plan.clone());
    outcome.schedule = Some(schedule);
    outcome.commands = Some(Arc::new(prepared.commands().to_vec()));
    // The window shows single columns, which are not contiguous on the device.
    let is_taken_there = *stays || outcome.axes.along_rows();
    let may_stay = is_taken_there && plan.output.is_natural() && !fitted.is_exact_in(precision) && !halves::gives_reals(job);
    let comes_back = !(may_stay && (*stays || devices.keeps_results()));
    let (uploaded, ran) = uploading::upload_and_run(job, fitted, &prepared, comes_back, cancel)?;
    outcome.times.set_run(&prepared, &ran, uploaded);
    if is_drawn(&plan) {
        let input = Lanes::of(&plan, job, precision)?.wide();
        let run = |prefix: &Plan| {
            let prepared = device.prepare_in(prefix, &Schedule::by_stage(prefix), KernelChoice::Fast, precision)?;
            uploading::upload(job, fitted, &prepared, cancel)?;
            prepared.run(cancel)?;
            let values = StoredResult::Gpu(Arc::new(prepared)).values(cancel)?;
            Ok(drawn(&values, prefix.lanes))
        };
        outcome.values = Some(drawn_values(&plan, runs_by_stage(&plan).then_some(run), plan.run_by_stage(&input))?);
    }
    if may_stay {
        return Ok((StoredResult::Gpu(prepared.clone()), prepared));
    }
    let start = Instant::now();
    let values = brought_back(job, fitted, prepared.clone(), &plan, cancel)?;
    outcome.times.add_download(start);
    Ok((StoredResult::memory(values), prepared))
}

/// The result of a plan on a GPU in memory, in natural order.
pub(super) fn brought_back(
    job: &Job,
    fitted: &Fitted,
    prepared: Arc<Prepared>,
    plan: &Plan,
    cancel: &AtomicBool,
) -> Result<Values, EngineError> {
    let is_exact = fitted.is_exact_in(prepared.precision());
    let lanes = StoredResult::Gpu(prepared).values(cancel)?;
    let values = halves::result(Arc::unwrap_or_clone(lanes).natural(&plan.output), job);
    Ok(if is_exact { integers_if_whole(values) } else { values })
}

fn run_on_cpu(
    job: &Job,
    fitted: &Fitted,
    cpu_backend: CpuBackend,
    start: Instant,
    cancel: &AtomicBool,
    (memory, outcome): (&mut LaneMemory, &mut Outcome),
) -> Result<StoredResult, EngineError> {
    let plan = Arc::new(fitted.plan.clone());
    let schedule = Arc::new(schedule_on_cpu(&plan, job.cut));
    outcome.add_note(&cut::note_on_cpu(job.cut, outcome.axes, &plan, &schedule));
    outcome.times.prepare_micros = micros(start);
    let start = Instant::now();
    let input = Lanes::of(&plan, job, outcome.precision)?;
    input.bring(memory, &plan);
    outcome.times.launch_micros = input.run(memory, &plan, &schedule, cpu_backend, cancel)?;
    let values = in_order(input.results(memory, &plan), job, fitted, outcome.precision);
    memory.trim(&plan);
    outcome.times.total_micros = micros(start);
    if is_drawn(&plan) {
        let run = |prefix: &Plan| {
            input.bring(memory, prefix);
            input.run(memory, prefix, &Schedule::by_stage(prefix), cpu_backend, cancel)?;
            Ok(drawn(&input.results(memory, prefix), prefix.lanes))
        };
        let wide = input.wide();
        outcome.values = Some(drawn_values(&plan, Some(run), plan.run_by_stage(&wide))?);
    }
    outcome.plan = Some(plan);
    outcome.schedule = Some(schedule);
    Ok(StoredResult::memory(values))
}

/// The values of all lanes, in double precision.
fn drawn(values: &Values, lanes: usize) -> Vec<Complex64> {
    (0..lanes).map(|lane| values.exact(Shape::line(lanes), 0, lane)).collect()
}

/// The output of a plan on the CPU as the result of a job.
pub(super) fn in_order(values: Values, job: &Job, fitted: &Fitted, precision: Precision) -> Values {
    let values = halves::result(values, job);
    if fitted.is_exact_in(precision) { integers_if_whole(values) } else { values }
}

/// The relative error of a result in the 2-norm. The reference is the library in double precision; without a library, the plan in double precision or in 64-bit integers.
///
/// # Errors
/// When `cancel` is raised.
pub fn relative_error(job: &Job, stored: &StoredResult, outcome: &Outcome, cancel: &AtomicBool) -> Result<f64, EngineError> {
    let (ran, _) = halves::hermitian(convolve::joined(&outcome.ran(job))?.into_owned(), transform(job.transform)?)?;
    Ok(deviation_of(&ran, &*stored.values(cancel)?, outcome, cancel)?.error)
}

/// The same of values in memory, in natural order.
///
/// # Errors
/// When `cancel` is raised.
pub(super) fn deviation_of(job: &Job, values: &Values, outcome: &Outcome, cancel: &AtomicBool) -> Result<Deviation, EngineError> {
    let shape = outcome.shape;
    let expected = match &outcome.plan {
        _ if transform(job.transform).is_ok_and(|transform| transform.input == Input::Equations) => elimination::expected(job)?,
        Some(plan) if transform(job.transform).ok().and_then(Transform::library).is_none() => {
            if let Values::Bits(found) = values {
                return Ok(Deviation { error: packed::relative_error(job, plan, found, cancel)?, rounding: 0.0 });
            }
            let plan = match plan.ring {
                Ring::Integer(_) => Plan::clone(plan).over(Ring::Integer(IntegerWidth::Bits64)),
                _ => Plan::clone(plan),
            };
            let (input, mut memory) = (Lanes::of(&plan, job, Precision::Double)?, LaneMemory::default());
            input.bring(&mut memory, &plan);
            input.run(&mut memory, &plan, &Schedule::by_stage(&plan), CpuBackend::Parallel, cancel)?;
            halves::result(input.results(&memory, &plan), job)
        }
        _ => {
            let transform = transform(job.transform)?;
            library::result(&library::input(job, transform, Precision::Double)?, job, transform, cancel)?
        }
    };
    let nearest = |value: Complex64| Complex64::new((value.re as f32).into(), (value.im as f32).into());
    let squares = |index: usize| {
        let [found, value] = [values, &expected].map(|of| of.exact(shape, index / shape.columns, index % shape.columns));
        [found - value, nearest(value) - value, value].map(|of| of.norm_sqr())
    };
    let sum = |a: [f64; 3], b: [f64; 3]| std::array::from_fn(|k| a[k] + b[k]);
    let sums = threads::map_blocks(shape.len(), &|block| block.map(squares).fold([0.0; 3], sum)).into_iter().fold([0.0; 3], sum);
    let [error, rounding] = [sums[0], sums[1]].map(|sum| if sums[2] > 0.0 { (sum / sums[2]).sqrt() } else { sum.sqrt() });
    // Nothing finer checks double precision; it rounds as single precision does, at its own number of digits.
    let finer = if outcome.precision == Precision::Double { f64::EPSILON / f64::from(f32::EPSILON) } else { 1.0 };
    Ok(Deviation { error, rounding: finer * rounding })
}
