//! Runs a task several times through the engine and takes the times.

use super::{Record, Statistics, systems};
use crate::engine::{Cut, DeviceChoice, Devices, EngineError, Job, Outcome, Place, compute, relative_error};
use crate::gpu::bench_copy;
use crate::plan::{Precision, Ring};
use crate::signal::{Samples, Signal, View};
use crate::transforms::{Axes, Parameters, Shape, Transform};
use num_complex::Complex32;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Runs before the first one that counts: they open the device, compile the kernels and touch the memory.
const WARM_UPS: usize = 2;

/// Bytes of so many values as the plan holds them; a library holds complex numbers.
fn bytes_of(outcome: &Outcome, n_values: usize) -> u64 {
    outcome.bytes(n_values as u64, outcome.plan.as_ref().map_or(Ring::Complex, |plan| plan.ring))
}

/// What is measured.
#[derive(Clone)]
pub struct Task {
    /// The transform.
    pub transform: &'static Transform,
    /// Name of the algorithm; `None` takes the fastest.
    pub algorithm: Option<&'static str>,
    /// Where it runs.
    pub device: DeviceChoice,
    /// Rows and columns.
    pub shape: Shape,
}

/// How it is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Settings {
    /// Runs that count, at least 1.
    pub repeat: usize,
    /// How plans are cut into launches.
    pub cut: Cut,
    /// How real and complex numbers are held; `None` as [`Job::precision`] says.
    pub precision: Option<Precision>,
}

/// Measures one task on complex noise.
///
/// # Errors
/// When the job has no result, or `cancel` is raised.
pub fn run(task: &Task, settings: Settings, devices: &mut Devices, cancel: &AtomicBool) -> Result<Record, EngineError> {
    if task.transform.takes_equations() {
        return systems::run(task, settings, devices, cancel);
    }
    let job = job(task, settings);
    let (mut runs, mut last, mut prepare_micros) = (Vec::new(), None, 0.0);
    for round in 0..WARM_UPS + settings.repeat.max(1) {
        // The result of the run before is freed first.
        drop(last.take());
        let computed = compute(&job, devices, cancel)?;
        let start = Instant::now();
        let values = computed.held.values(cancel)?;
        // On the CPU the result is in memory already, and this takes no time worth mentioning.
        let download_micros = start.elapsed().as_secs_f64() * 1e6 + computed.outcome.times.download_micros;
        drop(values);
        if round == 0 {
            prepare_micros = computed.outcome.times.prepare_micros;
        }
        if round >= WARM_UPS {
            runs.push(Run::new(&computed.outcome, download_micros));
        }
        last = Some(computed);
    }
    let computed = last.expect("at least one run counts");
    if let Some(prepared) = &computed.prepared {
        // Between two runs from file to file a GPU waits for transfers and lowers its clocks: kernels are timed in a row.
        let times = prepared.bench(runs.len(), cancel)?;
        for (run, micros) in runs.iter_mut().zip(times.iter().filter_map(|times| times.gpu_micros)) {
            run.kernel = micros;
        }
    }
    let error = relative_error(&job, &computed.held, &computed.outcome, cancel)?;
    let copy_micros = copy_micros(task, bytes_of(&computed.outcome, task.shape.len()), settings, devices)?;
    Ok(record(task, &runs, &computed.outcome, Extra { error, copy_micros, prepare_micros }))
}

/// The job that a task measures: its transform of noise.
pub fn job(task: &Task, settings: Settings) -> Job {
    let signal =
        Signal { rows: task.shape.rows, columns: task.shape.columns, ..Signal::line("noise", noise(task.transform, task.shape.len())) };
    Job {
        signal: Arc::new(signal),
        channel: View::Luma,
        transform: task.transform.name,
        algorithm: task.algorithm,
        parameters: Parameters::default(),
        cut: settings.cut,
        device: task.device.clone(),
        precision: settings.precision,
        prefer_plan: false,
    }
}

/// Uniform noise about 0, the same at every call: complex or real numbers of single precision, or bits, as the transform takes them.
fn noise(transform: &Transform, n: usize) -> Samples {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        // The generator of Knuth's MMIX; its upper half is random enough for a bench.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1 << 24) as f32 - 0.5
    };
    let plan = transform.first_plan().plan_fn().and_then(|build| build(Shape::line(1), Parameters::default()).ok());
    match plan.map(|plan| plan.ring) {
        Some(Ring::Complex) if transform.is_half() => Samples::F32((0..n).map(|_| next()).collect()),
        Some(Ring::Complex) | None => Samples::Complex32((0..n).map(|_| Complex32::new(next(), next())).collect()),
        Some(Ring::Gf2) => Samples::U8((0..n).map(|_| u8::from(next() > 0.0)).collect()),
        Some(_) => Samples::F32((0..n).map(|_| next()).collect()),
    }
}

/// The times of one run, in microseconds.
struct Run {
    /// In a row with others, without a transfer between them.
    kernel: f64,
    /// In this run.
    run_kernel: f64,
    upload: f64,
    download: f64,
    total: f64,
}

impl Run {
    fn new(outcome: &Outcome, download: f64) -> Self {
        let times = &outcome.times;
        let on_gpu = times.upload_micros > 0.0;
        let download = if on_gpu { download } else { 0.0 };
        let kernel = times.kernel_micros();
        Self { kernel, run_kernel: kernel, upload: times.upload_micros, download, total: times.total_micros + download }
    }
}

/// What is found out once a task and not once a run.
struct Extra {
    error: f64,
    copy_micros: Option<f64>,
    prepare_micros: f64,
}

fn record(task: &Task, runs: &[Run], outcome: &Outcome, extra: Extra) -> Record {
    let of = |part: fn(&Run) -> f64| Statistics::of(&runs.iter().map(part).collect::<Vec<_>>());
    let kernel_micros = of(|run| run.kernel);
    let length = match task.transform.axes {
        Axes::Rows => task.shape.columns,
        Axes::Both => task.shape.len(),
    };
    // Real samples are half the work.
    let share = if task.transform.is_half() { 0.5 } else { 1.0 };
    let flop = share * 5.0 * task.shape.len() as f64 * (length as f64).log2();
    let bytes = share * (2 * bytes_of(outcome, task.shape.len())) as f64;
    Record {
        transform: task.transform.name,
        algorithm: outcome.algorithm,
        device: outcome.device.clone(),
        software_gpu: outcome.software_gpu,
        precision: outcome.precision,
        shape: task.shape,
        n_launches: outcome.schedule.as_ref().map_or(0, |schedule| schedule.launches.len()),
        moved_bytes: moved_bytes(outcome),
        kernel_micros,
        run_kernel_micros: of(|run| run.run_kernel),
        device_clock: outcome.times.device_clock,
        upload_micros: of(|run| run.upload),
        download_micros: of(|run| run.download),
        total_micros: of(|run| run.total),
        prepare_micros: extra.prepare_micros,
        copy_micros: extra.copy_micros,
        gflop_per_sec: flop / kernel_micros.median / 1e3,
        gbyte_per_sec: bytes / kernel_micros.median / 1e3,
        error: extra.error,
    }
}

/// Bytes that the launches of one run move through memory.
fn moved_bytes(outcome: &Outcome) -> Option<u64> {
    (0..outcome.schedule.as_ref()?.launches.len()).map(|index| outcome.launch_bytes(index)).sum()
}

/// The median time of a copy of all values on the device of the task, where that is a GPU with a clock.
pub(super) fn copy_micros(task: &Task, bytes: u64, settings: Settings, devices: &mut Devices) -> Result<Option<f64>, EngineError> {
    let (Place::Gpu(device), _) = devices.place(&task.device)? else { return Ok(None) };
    let times: Option<Vec<f64>> = bench_copy(&device, bytes, settings.repeat.max(1))?.into_iter().collect();
    Ok(times.filter(|times| !times.is_empty()).map(|times| Statistics::of(&times).median))
}
