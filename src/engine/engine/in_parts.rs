//! Runs a job that a device does not hold at once: lines of its arrays are a part, which goes up, is transformed and comes back into memory.
//!
//! A transform along both axes takes two passes, the lines of one axis and then those of the other; each is the transform along that axis, by its own plan.

use super::compute::{Ready, Work};
use super::lanes::integers_if_whole;
use super::report::micros;
use super::{Computed, DeviceChoice, Devices, EngineError, Job, Outcome, StoredResult, Values};
use crate::cpu::Float;
use crate::gpu::GpuError;
use crate::plan::{Direction, Precision};
use crate::signal::{Channel, ChannelChoice, Samples, Signal, SignalKind, Track};
use crate::threads;
use crate::transforms::{Axes, BatchAxis, Input, Numbers, Parameter, Parameters, Shape, Transform, transform};
use num_complex::{Complex, Complex32, Complex64};
use std::ops::Range;
use std::sync::{Arc, atomic::AtomicBool};
use std::time::Instant;

/// Bytes of a part at most: large enough to keep a device busy, and small beside the memory of a machine with such arrays.
const PART_BYTES: usize = 1 << 30;
/// Samples that a thread copies at a time, unless a line has more.
const BLOCK: usize = 1 << 12;

/// A transform along one axis.
#[derive(Clone, Copy)]
struct Pass {
    transform: &'static Transform,
    parameters: Parameters,
}

/// Runs a job in parts where its `error` says that the device that was asked for does not hold it. An automatic choice leaves such a job to the CPU.
///
/// # Errors
/// `error` where it is another one, or the job has no parts; those of a part where it has a single line.
pub(super) fn run(
    ready: &Ready,
    error: EngineError,
    devices: &mut Devices,
    start: Instant,
    cancel: &AtomicBool,
) -> Result<Computed, EngineError> {
    let is_too_large = ready.job.device != DeviceChoice::Auto && is_too_large(&error);
    match passes(ready).filter(|_| is_too_large) {
        Some(passes) => of_most(PART_BYTES, ready, &passes, devices, start, cancel),
        None => Err(error),
    }
}

fn is_too_large(error: &EngineError) -> bool {
    matches!(error, EngineError::Gpu(GpuError::TooLarge { .. } | GpuError::OutOfMemory { .. } | GpuError::Room { .. }))
}

/// Runs the passes of a job in parts of at most so many bytes, unless a line has more.
fn of_most(
    bytes: usize,
    ready: &Ready,
    passes: &[Pass],
    devices: &mut Devices,
    start: Instant,
    cancel: &AtomicBool,
) -> Result<Computed, EngineError> {
    let mut run = Run { ready, bytes, n_parts: 0, outcome: ready.blank.clone(), devices, cancel };
    let values = match ready.blank.precision {
        Precision::Single => Values::Single(run.all(passes)?),
        Precision::Double => Values::Double(run.all(passes)?),
    };
    let (n_parts, mut outcome) = (run.n_parts, run.outcome);
    outcome.times.total_micros = micros(start) - outcome.times.prepare_micros;
    let order = if passes.len() > 1 { ", along one axis and then along the other" } else { "" };
    outcome.add_note(&format!("in {n_parts} parts{order}, as the device does not hold all of it"));
    let Work::Plan(fitted) = &ready.work else { unreachable!("only plans have passes") };
    outcome.plan = Some(Arc::new(fitted.plan.clone()));
    let values = if fitted.is_exact_in(outcome.precision) { integers_if_whole(values) } else { values };
    Ok(Computed { stored: StoredResult::memory(values), prepared: None, outcome })
}

/// The passes of a job whose lines are transformed each by itself; `None` where it has others, and where its values are exact integers.
fn passes(ready: &Ready) -> Option<Vec<Pass>> {
    let job = &ready.job;
    let whole = transform(job.transform).ok()?;
    let is_inexact = matches!(&ready.work, Work::Plan(fitted) if !fitted.plan.ring.is_exact());
    if !is_inexact || whole.input != Input::Signal {
        return None;
    }
    let along = |name, lines| Some(Pass { transform: transform(name).ok()?, parameters: Parameters { lines, ..job.parameters } });
    match whole.axes(job.parameters) {
        Axes::Rows => Some(vec![along(whole.name, BatchAxis::Rows)?]),
        Axes::Columns => Some(vec![along(whole.name, BatchAxis::Columns)?]),
        Axes::Both => {
            let of_lines = transform(whole.partner?).ok().filter(|transform| transform.has(Parameter::Lines))?;
            // The columns of half a spectrum are complex numbers.
            let is_half = of_lines.gives == Numbers::HalfSpectrum;
            let down = if is_half { "dft" } else { of_lines.name };
            let mut passes = vec![along(of_lines.name, BatchAxis::Rows)?, along(down, BatchAxis::Columns)?];
            if is_half && job.parameters.direction == Direction::Inverse {
                passes.reverse();
            }
            Some(passes)
        }
    }
}

/// A run in parts.
struct Run<'a> {
    ready: &'a Ready,
    bytes: usize,
    n_parts: usize,
    outcome: Outcome,
    devices: &'a mut Devices,
    cancel: &'a AtomicBool,
}

/// Numbers between two passes.
struct Whole<'a, T> {
    from: From<'a, T>,
    shape: Shape,
    is_complex: bool,
}

enum From<'a, T> {
    Samples(Track<'a>),
    Values(Vec<Complex<T>>),
}

impl Run<'_> {
    /// The result of all passes, one after the other.
    fn all<T: Number>(&mut self, passes: &[Pass]) -> Result<Vec<Complex<T>>, EngineError> {
        let job = &self.ready.job;
        let track = job.signal.track(job.channel)?;
        let shape = Shape { rows: job.signal.rows, columns: job.signal.columns };
        let mut whole = Whole::<T> { is_complex: track.is_complex(), from: From::Samples(track), shape };
        for pass in passes {
            self.pass(pass, &mut whole)?;
        }
        match whole.from {
            From::Values(values) => Ok(values),
            From::Samples(_) => unreachable!("there is a pass"),
        }
    }

    /// One pass: as many lines at a time as the device takes.
    fn pass<T: Number>(&mut self, pass: &Pass, whole: &mut Whole<'_, T>) -> Result<(), EngineError> {
        let (before, after) = (whole.shape, pass.transform.result_shape(whole.shape, pass.parameters));
        let along_rows = pass.parameters.lines == BatchAxis::Rows;
        let (lines, length) = if along_rows { (before.rows, before.columns) } else { (before.columns, before.rows) };
        // Values of the same shape take the place of those before.
        let in_place = before == after && matches!(whole.from, From::Values(_));
        let mut apart = if in_place { Vec::new() } else { threads::zeros(after.len()) };
        let most = self.bytes / (length * size_of::<Complex<T>>()).max(1);
        let (mut at, mut n, mut is_complex) = (0, most.clamp(1, lines.div_ceil(2).max(1)), false);
        while at < lines {
            let part = at..lines.min(at + n);
            let area = |shape: Shape| if along_rows { (part.clone(), 0..shape.columns) } else { (0..shape.rows, part.clone()) };
            let result = match self.part(pass, whole.samples(area(before))) {
                Err(error) if is_too_large(&error) && n > 1 => {
                    n = n.div_ceil(2);
                    continue;
                }
                done => done?,
            };
            let (result, values) = (
                result.track(ChannelChoice::default())?,
                match &mut whole.from {
                    From::Values(values) if in_place => values,
                    _ => &mut apart,
                },
            );
            is_complex |= result.is_complex();
            write(&result, values, after, area(after));
            at = part.end;
        }
        if !in_place {
            whole.from = From::Values(apart);
        }
        (whole.shape, whole.is_complex) = (after, is_complex);
        Ok(())
    }

    /// The result of a part, as a signal of one row.
    fn part(&mut self, pass: &Pass, (shape, samples): (Shape, Samples)) -> Result<Signal, EngineError> {
        let job = &self.ready.job;
        let channels = vec![Channel::new("part", samples)];
        let signal = Signal::from_channels(job.signal.name.clone(), SignalKind::Rows, (shape.rows, shape.columns), channels);
        let has_plan = |name: &&str| pass.transform.algorithm(name).is_ok_and(|algorithm| algorithm.plan_fn().is_some());
        let part = Job {
            algorithm: job.algorithm.filter(has_plan),
            parameters: pass.parameters,
            device: job.device.clone(),
            precision: Some(self.ready.blank.precision),
            ..Job::new(Arc::new(signal), pass.transform.name)
        };
        let computed = Ready::new(&part, self.devices)?.run(self.devices, Instant::now(), self.cancel)?;
        let (times, start) = (computed.outcome.times.clone(), Instant::now());
        let samples = computed.into_samples(self.cancel)?;
        self.n_parts += 1;
        let all = &mut self.outcome.times;
        all.prepare_micros += times.prepare_micros;
        all.buffers_micros += times.buffers_micros;
        all.n_uploads += times.n_uploads;
        all.upload_micros += times.upload_micros;
        all.launch_micros.push(times.kernel_micros());
        all.device_clock = times.device_clock;
        all.download_micros += times.download_micros + micros(start);
        Ok(Signal::row("part", samples))
    }
}

impl<T: Number> Whole<'_, T> {
    /// The numbers in some rows and columns.
    fn samples(&self, (rows, columns): (Range<usize>, Range<usize>)) -> (Shape, Samples) {
        let shape = Shape { rows: rows.len(), columns: columns.len() };
        let first = |row: usize| (rows.start + row) * self.shape.columns + columns.start;
        let samples = if self.is_complex {
            T::complex(of_rows(shape, |row, to| match &self.from {
                From::Samples(track) => read_complex(track, first(row), to),
                From::Values(values) => to.copy_from_slice(&values[first(row)..][..to.len()]),
            }))
        } else {
            T::real(of_rows(shape, |row, to| match &self.from {
                From::Samples(track) => T::read(track, first(row), 0, to),
                From::Values(values) => to.iter_mut().zip(&values[first(row)..]).for_each(|(to, value)| *to = value.re),
            }))
        };
        (shape, samples)
    }
}

/// The values of a shape; `fill` writes a row.
fn of_rows<V: bytemuck::Zeroable + Send>(shape: Shape, fill: impl Fn(usize, &mut [V]) + Sync) -> Vec<V> {
    let mut values = threads::zeros(shape.len());
    let rows = BLOCK.div_ceil(shape.columns.max(1));
    threads::for_each_chunk(&mut values, (rows * shape.columns).max(1), &|block, to| {
        to.chunks_mut(shape.columns).enumerate().for_each(|(row, to)| fill(block * rows + row, to));
    });
    values
}

/// Writes a result to some rows and columns of values of a shape.
fn write<T: Number>(result: &Track<'_>, values: &mut [Complex<T>], shape: Shape, (rows, columns): (Range<usize>, Range<usize>)) {
    let block = BLOCK.div_ceil(shape.columns.max(1));
    threads::for_each_chunk(&mut values[rows.start * shape.columns..rows.end * shape.columns], block * shape.columns, &|index, to| {
        for (row, to) in to.chunks_mut(shape.columns).enumerate() {
            read_complex(result, (index * block + row) * columns.len(), &mut to[columns.clone()]);
        }
    });
}

/// Reads complex samples from an index on.
fn read_complex<T: Number>(track: &Track<'_>, first: usize, to: &mut [Complex<T>]) {
    let mut parts = [T::ZERO; 512];
    for (index, to) in to.chunks_mut(parts.len()).enumerate() {
        let (first, parts) = (first + index * 512, &mut parts[..to.len()]);
        T::read(track, first, 0, parts);
        to.iter_mut().zip(&*parts).for_each(|(z, re)| z.re = *re);
        T::read(track, first, 1, parts);
        to.iter_mut().zip(&*parts).for_each(|(z, im)| z.im = *im);
    }
}

/// A number of the precision of a run.
trait Number: Float {
    /// Reads real parts (`part` 0) or imaginary parts (1) from an index on.
    fn read(track: &Track<'_>, first: usize, part: usize, to: &mut [Self]);
    /// Real samples.
    fn real(values: Vec<Self>) -> Samples;
    /// Complex samples.
    fn complex(values: Vec<Complex<Self>>) -> Samples;
}

impl Number for f32 {
    fn read(track: &Track<'_>, first: usize, part: usize, to: &mut [Self]) {
        track.read_f32(first, part, to);
    }

    fn real(values: Vec<Self>) -> Samples {
        Samples::F32(values)
    }

    fn complex(values: Vec<Complex32>) -> Samples {
        Samples::Complex32(values)
    }
}

impl Number for f64 {
    fn read(track: &Track<'_>, first: usize, part: usize, to: &mut [Self]) {
        track.read_f64(first, part, to);
    }

    fn real(values: Vec<Self>) -> Samples {
        Samples::F64(values)
    }

    fn complex(values: Vec<Complex64>) -> Samples {
        Samples::Complex64(values)
    }
}

#[cfg(test)]
#[path = "in_parts/tests.rs"]
mod tests;
