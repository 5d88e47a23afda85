//! One case in one round: warm up, take the times, judge every result.

use super::bound::bound;
use super::record::{Measurement, Trip, in_three_digits, rounded};
use super::sweep::{Caches, Settings};
use super::{Line, statistics, systems};
use crate::engine::{CaseRunner, Deviation, Devices, EngineError, Outcome, Values};
use crate::plan::{Plan, Ring};
use crate::transforms::{Axes, Shape, transform};
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Memory that the buffers fill which are used in turn: more than caches hold, and a small part of what devices have.
const ROTATED_BYTES: u64 = 1 << 28;
/// The same where the CPU does the work, whose caches are smaller and whose memory is other people's too.
const ROTATED_CPU_BYTES: u64 = 1 << 26;
/// Plain copies that a roof is the median of.
const N_COPIES: usize = 5;

/// How many runs a round takes of a case, and until when.
#[derive(Debug, Clone, Copy)]
pub(super) struct Goal {
    pub n: usize,
    /// When the share of a case is used up; one run counts all the same.
    pub until: Option<Instant>,
}

/// What is known beyond one case: it need not be found out again.
#[derive(Default)]
pub(super) struct Known {
    /// The roof of a device for so many bytes.
    copies: HashMap<(String, u64), Option<f64>>,
    /// How far results are off that were judged, by their fingerprints.
    deviations: HashMap<(usize, Shape, u64), Deviation>,
}

/// Bytes that the buffers of a line fill.
pub(super) fn rotated_bytes(line: &Line, settings: &Settings) -> u64 {
    use crate::engine::DeviceChoice::{Adapter, Auto, Gpu};
    match (settings.caches, &line.device) {
        (Caches::Warm, _) => 0,
        (Caches::Cold, Auto | Gpu | Adapter(_)) => ROTATED_BYTES,
        (Caches::Cold, _) => ROTATED_CPU_BYTES,
    }
}

/// Takes the times of one round, and judges every result of it.
pub(super) fn visit(
    (index, line, shape): (usize, &Line, Shape),
    subject: &mut dyn CaseRunner,
    settings: &Settings,
    goal: Goal,
    known: &mut Known,
    devices: &mut Devices,
    cancel: &AtomicBool,
) -> Result<Measurement, EngineError> {
    let first = subject.outcome().clone();
    // The first run opened the device, compiled the kernels and touched the memory; the second one finds them.
    subject.round_trip(devices, cancel)?;
    let late = || goal.until.is_some_and(|until| Instant::now() >= until);
    let mut trips = Vec::new();
    while trips.is_empty() || (trips.len() < goal.n && !late()) {
        let times = subject.round_trip(devices, cancel)?;
        let [upload, kernel, download, total] =
            [times.upload_micros, times.kernel_micros(), times.download_micros, times.total_micros].map(rounded);
        trips.push(Trip { upload, kernel, download, total });
    }
    let samples = subject.kernels(trips.len(), settings.clock, devices, cancel)?;
    let bytes_once = first.bytes_once();
    let copy_micros = match known.copies.get(&(first.device.clone(), bytes_once)) {
        Some(known) => *known,
        None => {
            // The device is awake now.
            let copies = subject.copies(bytes_once / 2, rotated_bytes(line, settings), N_COPIES)?;
            let copy = (!copies.is_empty()).then(|| rounded(statistics::median(&copies)));
            known.copies.insert((first.device.clone(), bytes_once), copy);
            copy
        }
    };
    let deviation = judged((index, shape), subject, known, cancel)?;
    let outcome = subject.outcome();
    Ok(Measurement {
        line: index,
        shape,
        algorithm: first.algorithm.into(),
        reason: first.reason.clone(),
        device: first.device.clone(),
        software_gpu: first.software_gpu,
        on_gpu: subject.adapter().is_some(),
        precision: first.precision,
        n_launches: outcome.schedule.as_ref().map_or(0, |schedule| schedule.launches.len()),
        bytes_once,
        bytes_moved: moved_bytes(outcome),
        operations: operations(line, shape, outcome).round(),
        device_clock: samples.iter().all(|sample| sample.device_clock),
        prepare_micros: rounded(first.times.prepare_micros),
        rotated_bytes: subject.rotated_bytes(),
        kernel_micros: vec![samples.iter().map(|sample| rounded(sample.micros)).collect()],
        trips: vec![trips],
        copy_micros,
        error: in_three_digits(deviation.error),
        tolerance: in_three_digits(bound(line, shape, outcome, deviation)),
    })
}

/// How far the results that the runs have left are from double precision, at most.
fn judged(
    (index, shape): (usize, Shape),
    subject: &dyn CaseRunner,
    known: &mut Known,
    cancel: &AtomicBool,
) -> Result<Deviation, EngineError> {
    let mut largest = Deviation::default();
    subject.each_result(cancel, &mut |values: &Values| {
        let key = (index, shape, values.fingerprint());
        let found = match known.deviations.get(&key) {
            Some(found) => *found,
            None => *known.deviations.entry(key).or_insert(subject.deviation_of(values, cancel)?),
        };
        // What is not a number is an error beyond all others.
        let error = if found.error.is_nan() { f64::MAX } else { found.error.max(largest.error) };
        largest = Deviation { error, rounding: found.rounding };
        Ok(())
    })?;
    Ok(largest)
}

/// Adds what another round took.
pub(super) fn join(measurement: &mut Measurement, round: Measurement) {
    measurement.kernel_micros.extend(round.kernel_micros);
    measurement.trips.extend(round.trips);
    measurement.error = measurement.error.max(round.error);
}

/// Bytes that the launches of one run move through memory.
fn moved_bytes(outcome: &Outcome) -> Option<u64> {
    let launches = outcome.schedule.as_ref()?.launches.len();
    (0..launches).map(|launch| outcome.launch_bytes(launch)).sum()
}

/// Operations on real numbers: 5·N·log2 N for a Fourier transform and 8·N for a tridiagonal system, as in the literature, whatever the algorithm does; else those of the plan.
fn operations(line: &Line, shape: Shape, outcome: &Outcome) -> f64 {
    let is_complex = |plan: &Plan| plan.ring == Ring::Complex;
    if line.takes_equations() {
        return systems::OPERATIONS * shape.len() as f64;
    }
    match (transform(&line.transform), &outcome.plan) {
        (Ok(transform), plan) if transform.convolution().is_none() && plan.as_ref().is_none_or(|plan| is_complex(plan)) => {
            let length = match outcome.axes {
                Axes::Rows => shape.columns,
                Axes::Columns => shape.rows,
                Axes::Both => shape.len(),
            };
            // Real samples are half the work.
            let part = if transform.is_half() { 0.5 } else { 1.0 };
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
