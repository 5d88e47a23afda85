//! One benchmark case in one round: warm up, take the times, check every result.

use super::bound::bound;
use super::record::{Measurement, RunTimes, in_three_digits, rounded};
use super::sweep::{BufferTime, CacheState, SweepSettings};
use super::{SweepLine, systems};
use crate::engine::{CaseRunner, Deviation, Devices, EngineError, Outcome, Times, Values};
use crate::plan::{Plan, Ring};
use crate::statistics::median;
use crate::transforms::{Axes, Family, Numbers, Shape, transform};
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Bytes of the rotated buffers on a GPU: more than its caches hold, and a small part of its memory.
const ROTATED_BYTES: u64 = 1 << 28;
/// Bytes of the rotated buffers on the CPU, which has smaller caches and shares its memory with other programs.
const ROTATED_CPU_BYTES: u64 = 1 << 26;
/// Plain copies whose median is the roof.
const N_COPIES: usize = 5;

/// The runs of a case in one round.
#[derive(Debug, Clone, Copy)]
pub(super) struct RoundGoal {
    /// Number of runs.
    pub n: usize,
    /// When the time of the case is used up; at least one run is made.
    pub until: Option<Instant>,
}

/// Results that several cases share.
#[derive(Default)]
pub(super) struct KnownResults {
    /// Time of a plain copy in µs, by device, number of bytes read and written, and bytes of the rotated buffers.
    copies: HashMap<(String, u64, u64), Option<f64>>,
    /// Errors of checked results, by line, shape and fingerprint.
    deviations: HashMap<(usize, Shape, u64), Deviation>,
}

/// Total bytes of the rotated buffers of a line.
pub(super) fn rotated_bytes(line: &SweepLine, settings: &SweepSettings) -> u64 {
    use crate::engine::DeviceChoice::{Adapter, Auto, Gpu};
    match (settings.caches, &line.device) {
        (CacheState::Warm, _) => 0,
        (CacheState::Cold, Auto | Gpu | Adapter(_)) => ROTATED_BYTES,
        (CacheState::Cold, _) => ROTATED_CPU_BYTES,
    }
}

/// The times of a run, with the making of buffers where every run makes them.
fn run_times(times: &Times, makes_buffers: bool) -> RunTimes {
    let buffers = if makes_buffers { times.buffers_micros } else { 0.0 };
    let [upload, kernel, download] = [times.upload_micros, times.kernel_micros(), times.download_micros].map(rounded);
    RunTimes { buffers: rounded(buffers), upload, kernel, download, total: rounded(times.total_micros + buffers) }
}

/// Takes the times of one round and checks every result.
pub(super) fn visit(
    (index, line, shape): (usize, &SweepLine, Shape),
    case: &mut dyn CaseRunner,
    settings: &SweepSettings,
    goal: RoundGoal,
    known: &mut KnownResults,
    devices: &mut Devices,
    cancel: &AtomicBool,
) -> Result<Measurement, EngineError> {
    let first = case.outcome().clone();
    let makes_buffers = settings.buffers == BufferTime::EachRun;
    let round_trip = |case: &mut dyn CaseRunner, devices: &mut Devices| {
        if makes_buffers {
            devices.free_buffers();
        }
        case.round_trip(devices, cancel)
    };
    // The first run opened the device, compiled the kernels and touched the memory; this one warms up.
    round_trip(case, devices)?;
    let late = || goal.until.is_some_and(|until| Instant::now() >= until);
    let mut runs = Vec::new();
    while runs.is_empty() || (runs.len() < goal.n && !late()) {
        runs.push(run_times(&round_trip(case, devices)?, makes_buffers));
    }
    let samples = case.kernels(runs.len(), settings.clock, devices, cancel)?;
    let bytes_once = first.bytes_once();
    // By now the device has raised its clocks.
    let mut copy = |bytes: u64, rotated: u64| -> Result<Option<f64>, EngineError> {
        let key = (first.device.clone(), bytes, rotated);
        if let Some(known) = known.copies.get(&key) {
            return Ok(*known);
        }
        let copy = median(case.copies(bytes / 2, rotated, N_COPIES)?).map(rounded);
        known.copies.insert(key, copy);
        Ok(copy)
    };
    let rotated = rotated_bytes(line, settings);
    let copy_micros = copy(bytes_once, rotated)?;
    // The first launch finds its input in memory, each later one what the launch before has left in the caches.
    let launch_bytes = launch_bytes(case.outcome());
    let launch_copies = launch_bytes.iter().flatten().enumerate();
    let launch_copies = launch_copies.map(|(index, bytes)| copy(*bytes, if index == 0 { rotated } else { 0 }));
    let launch_copies: Option<Vec<f64>> = launch_copies.collect::<Result<_, _>>()?;
    let deviation = checked(index, shape, case, known, cancel)?;
    let outcome = case.outcome();
    Ok(Measurement {
        line: index,
        shape,
        algorithm: first.algorithm.into(),
        reason: first.reason.clone(),
        device: first.device.clone(),
        software_gpu: first.software_gpu,
        on_gpu: case.adapter().is_some(),
        precision: first.precision,
        lanes: lanes(line, outcome),
        n_uploads: first.times.n_uploads,
        n_launches: outcome.schedule.as_ref().map_or(0, |schedule| schedule.launches.len()),
        bytes_once,
        bytes_moved: launch_bytes.as_ref().map(|bytes| bytes.iter().sum()),
        operations: operations(line, shape, outcome).round(),
        device_clock: samples.iter().all(|sample| sample.device_clock),
        prepare_micros: rounded(first.times.prepare_micros),
        open_micros: rounded(first.times.open_micros),
        compile_micros: rounded(first.times.compile_micros),
        rotated_bytes: case.rotated_bytes(),
        kernel_micros: vec![samples.iter().map(|sample| rounded(sample.micros)).collect()],
        runs: vec![runs],
        copy_micros,
        launch_copies_micros: launch_copies.filter(|copies| !copies.is_empty()).map(|copies| rounded(copies.iter().sum())),
        error: in_three_digits(deviation.error),
        tolerance: in_three_digits(bound(line, shape, outcome, deviation)),
    })
}

/// The largest error of the results that the runs left, against double precision.
fn checked(
    index: usize,
    shape: Shape,
    case: &dyn CaseRunner,
    known: &mut KnownResults,
    cancel: &AtomicBool,
) -> Result<Deviation, EngineError> {
    let mut largest = Deviation::default();
    case.each_result(cancel, &mut |values: &Values| {
        let key = (index, shape, values.fingerprint());
        let found = match known.deviations.get(&key) {
            Some(found) => *found,
            None => *known.deviations.entry(key).or_insert(case.deviation_of(values, cancel)?),
        };
        // NaN counts as the largest error.
        let error = if found.error.is_nan() { f64::MAX } else { found.error.max(largest.error) };
        largest = Deviation { error, rounding: found.rounding };
        Ok(())
    })?;
    Ok(largest)
}

/// Adds another round to a measurement.
pub(super) fn join(measurement: &mut Measurement, round: Measurement) {
    measurement.kernel_micros.extend(round.kernel_micros);
    measurement.runs.extend(round.runs);
    measurement.error = measurement.error.max(round.error);
}

/// The type of a lane, as kernels name it; the numbers of a transform by a library are those that it takes.
fn lanes(line: &SweepLine, outcome: &Outcome) -> String {
    let by_library = || match transform(&line.transform) {
        Ok(transform) if transform.takes == Numbers::Real => Ring::Real,
        _ => Ring::Complex,
    };
    let ring = outcome.plan.as_ref().map_or_else(by_library, |plan| plan.ring);
    if outcome.packed { "packed bits".into() } else { ring.lane_type(outcome.precision).into() }
}

/// Bytes that each launch of one run moves through memory.
fn launch_bytes(outcome: &Outcome) -> Option<Vec<u64>> {
    let launches = outcome.schedule.as_ref()?.launches.len();
    (0..launches).map(|launch| outcome.launch_bytes(launch)).collect()
}

/// Operations on real numbers: 5·N·log2 N for a Fourier transform and 8·N for a tridiagonal system, as in the literature; else those of the plan.
fn operations(line: &SweepLine, shape: Shape, outcome: &Outcome) -> f64 {
    let is_complex = |plan: &Plan| plan.ring == Ring::Complex;
    if line.takes_equations() {
        return systems::OPERATIONS * shape.len() as f64;
    }
    match (transform(&line.transform), &outcome.plan) {
        (Ok(transform), _) if transform.family == Family::Fourier => {
            let length = match outcome.axes {
                Axes::Rows => shape.columns,
                Axes::Columns => shape.rows,
                Axes::Both => shape.len(),
            };
            // A transform of real samples counts half.
            let part = if transform.takes == Numbers::Real { 0.5 } else { 1.0 };
            part * 5.0 * shape.len() as f64 * (length as f64).log2()
        }
        (_, Some(plan)) => {
            let count = plan.operations();
            let each = if is_complex(plan) { [2.0, 6.0] } else { [1.0, 1.0] };
            each[0] * count.additions as f64 + each[1] * count.multiplications as f64
        }
        (_, None) => 0.0,
    }
}
