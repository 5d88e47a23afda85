//! Runs a job that a device does not hold at once, part by part: some lines of its arrays go up, are transformed, and come back into memory.
//!
//! A transform along both axes takes two passes, the lines of one axis and then those of the other; each is the transform along that axis, by its own plan.

use super::compute::{Ready, Work};
use super::lanes::integers_if_whole;
use super::report::micros;
use super::{Computed, Cut, DeviceChoice, Devices, EngineError, Job, Outcome, StoredResult, Values};
use crate::cpu::Float;
use crate::gpu::{GpuError, Prepared};
use crate::plan::{Direction, Precision};
use crate::signal::{Channel, Samples, Signal, SignalKind, Track};
use crate::threads;
use crate::transforms::{Algorithm, Axes, BatchAxis, Input, Numbers, Parameter, Parameters, Shape, Transform, transform};
use num_complex::Complex;
use std::ops::Range;
use std::sync::{Arc, atomic::AtomicBool};
use std::time::Instant;

/// Bytes of a part at most: enough to keep a device busy, and little beside the memory of a machine with such arrays.
const PART_BYTES: usize = 256 << 20;
/// Bytes of a result that come back at a time, unless a line has more: the allocator keeps so much for the next ones. Fresh memory takes longer than the link.
const BACK_BYTES: usize = 7 << 20;
/// Samples that a thread copies at a time, unless a line has more.
const BLOCK: usize = 1 << 12;

/// A transform along one axis.
#[derive(Clone, Copy)]
struct Pass {
    transform: &'static Transform,
    parameters: Parameters,
}

impl Pass {
    /// The lines of a shape and the length of each.
    fn lines(&self, shape: Shape) -> [usize; 2] {
        match self.parameters.lines {
            BatchAxis::Rows => [shape.rows, shape.columns],
            BatchAxis::Columns => [shape.columns, shape.rows],
        }
    }

    /// The algorithm of its parts, the first of which has this shape: that of the whole where it takes such lines.
    fn algorithm(&self, whole: &'static str, shape: Shape) -> &'static str {
        let takes = |algorithm: &&Algorithm| algorithm.plan_fn().is_some_and(|build| build(shape, self.parameters).is_ok());
        let same = self.transform.algorithm(whole).ok().filter(takes);
        same.unwrap_or_else(|| self.transform.first_plan_for(shape, self.parameters)).name
    }
}

/// Runs a job in parts where its `error` says that the device that was asked for does not hold it. An automatic choice leaves such a job to the CPU.
///
/// # Errors
/// `error` itself where it says something else, or where the job cannot be divided. The error of a part that has a single line.
pub(super) fn run(
    ready: &Ready,
    error: EngineError,
    devices: &mut Devices,
    start: Instant,
    cancel: &AtomicBool,
) -> Result<Computed, EngineError> {
    let is_divided = ready.job.device != DeviceChoice::Auto && is_too_large(&error);
    let shape = Shape { rows: ready.job.signal.rows, columns: ready.job.signal.columns };
    let has_lines = |passes: &Vec<Pass>| passes.iter().all(|pass| pass.lines(shape)[0] > 1);
    match passes(ready).filter(|passes| is_divided && has_lines(passes)) {
        Some(passes) => of_most(PART_BYTES, ready, &passes, devices, start, cancel),
        None => Err(error),
    }
}

/// Whether a device does not hold a job.
pub(super) fn is_too_large(error: &EngineError) -> bool {
    matches!(error, EngineError::Gpu(GpuError::TooLarge { .. } | GpuError::OutOfMemory { .. } | GpuError::Room { .. }))
}

/// Runs the passes of a job in parts of at most `bytes` bytes; a part has at least one line.
fn of_most(
    bytes: usize,
    ready: &Ready,
    passes: &[Pass],
    devices: &mut Devices,
    start: Instant,
    cancel: &AtomicBool,
) -> Result<Computed, EngineError> {
    let mut run = Run { ready, bytes, n_parts: 0, others: Vec::new(), outcome: ready.blank.clone(), devices, cancel };
    let values = match ready.blank.precision {
        Precision::Single => Values::Single(run.all(passes)?),
        Precision::Double => Values::Double(run.all(passes)?),
    };
    let Run { n_parts, others, mut outcome, .. } = run;
    outcome.times.total_micros = micros(start) - outcome.times.prepare_micros;
    let order = if passes.len() > 1 { ", along one axis and then along the other" } else { "" };
    let by = if others.is_empty() { String::new() } else { format!(" by {}", others.join(" and ")) };
    outcome.add_note(&format!("in {n_parts} parts{by}{order}, as the device does not hold all of it"));
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
    /// The algorithms of parts that are not that of the whole.
    others: Vec<&'static str>,
    outcome: Outcome,
    devices: &'a mut Devices,
    cancel: &'a AtomicBool,
}

/// Numbers between two passes.
struct Whole<'a, T> {
    held: Held<'a, T>,
    shape: Shape,
    is_complex: bool,
}

/// Where they are: samples of the job, or the result of the pass before.
enum Held<'a, T> {
    Samples(Track<'a>),
    Values(Vec<Complex<T>>),
}

impl Run<'_> {
    /// The result of all passes, one after the other.
    fn all<T: Number>(&mut self, passes: &[Pass]) -> Result<Vec<Complex<T>>, EngineError> {
        let job = &self.ready.job;
        let track = job.signal.track(job.channel)?;
        let shape = Shape { rows: job.signal.rows, columns: job.signal.columns };
        let mut whole = Whole::<T> { is_complex: track.is_complex(), held: Held::Samples(track), shape };
        for pass in passes {
            self.pass(pass, &mut whole)?;
        }
        match whole.held {
            Held::Values(values) => Ok(values),
            Held::Samples(_) => unreachable!("there is a pass"),
        }
    }

    /// Runs a pass. A part has as many lines as the device takes.
    fn pass<T: Number>(&mut self, pass: &Pass, whole: &mut Whole<'_, T>) -> Result<(), EngineError> {
        let (before, after) = (whole.shape, pass.transform.result_shape(whole.shape, pass.parameters));
        let along_rows = pass.parameters.lines == BatchAxis::Rows;
        let [lines, length] = pass.lines(before);
        // Values of the same shape take the place of those before.
        let in_place = before == after && matches!(whole.held, Held::Values(_));
        let mut apart = if in_place { Vec::new() } else { threads::zeros(after.len()) };
        let most = self.bytes / (length * size_of::<Complex<T>>()).max(1);
        let (mut at, mut n, mut is_complex, mut memory) = (0, most.clamp(1, lines.div_ceil(2).max(1)), false, None);
        let area = |part: &Range<usize>, shape: Shape| {
            if along_rows { (part.clone(), 0..shape.columns) } else { (0..shape.rows, part.clone()) }
        };
        let (rows, columns) = area(&(0..n), before);
        let algorithm = pass.algorithm(self.ready.blank.algorithm, Shape { rows: rows.len(), columns: columns.len() });
        if algorithm != self.ready.blank.algorithm && !self.others.contains(&algorithm) {
            self.others.push(algorithm);
        }
        while at < lines {
            let part = at..lines.min(at + n);
            let samples = whole.samples(area(&part, before), memory.take());
            let (computed, kept) = match self.run_part(pass, algorithm, samples) {
                Err(error) if is_too_large(&error) && n > 1 => {
                    n = n.div_ceil(2);
                    continue;
                }
                done => done?,
            };
            is_complex |= !computed.outcome.is_real();
            let values = match &mut whole.held {
                Held::Values(values) if in_place => values,
                _ => &mut apart,
            };
            memory = kept;
            self.bring_back(&computed, Part { values, columns: after.columns, area: area(&part, after) })?;
            at = part.end;
        }
        if !in_place {
            whole.held = Held::Values(apart);
        }
        (whole.shape, whole.is_complex) = (after, is_complex);
        Ok(())
    }

    /// Runs a part, and gives the memory of its samples back.
    fn run_part(
        &mut self,
        pass: &Pass,
        algorithm: &'static str,
        (shape, samples): (Shape, Samples),
    ) -> Result<(Computed, Option<Samples>), EngineError> {
        let job = &self.ready.job;
        let channels = vec![Channel::new("part", samples)];
        let signal = Signal::from_channels(job.signal.name.clone(), SignalKind::Rows, (shape.rows, shape.columns), channels);
        let part = Job {
            algorithm: Some(algorithm),
            // Another algorithm may not have the schedule of the whole.
            cut: if algorithm == self.ready.blank.algorithm { job.cut } else { Cut::default() },
            parameters: pass.parameters,
            device: job.device.clone(),
            precision: Some(self.ready.blank.precision),
            ..Job::new(Arc::new(signal), pass.transform.name)
        };
        let ready = Ready { stays: true, ..Ready::new(&part, self.devices)? };
        let computed = ready.run(self.devices, Instant::now(), self.cancel)?;
        drop((ready, part.second));
        let memory = Arc::into_inner(part.signal).and_then(|mut signal| signal.channels.pop()).map(|channel| channel.samples);
        let (all, times) = (&mut self.outcome.times, &computed.outcome.times);
        all.prepare_micros += times.prepare_micros;
        all.buffers_micros += times.buffers_micros;
        all.n_uploads += times.n_uploads;
        all.upload_micros += times.upload_micros;
        all.launch_micros.push(times.kernel_micros());
        all.device_clock = times.device_clock;
        all.download_micros += times.download_micros;
        self.n_parts += 1;
        Ok((computed, memory))
    }

    /// Brings the result of a part to its place, some rows at a time.
    fn bring_back<T: Number>(&mut self, computed: &Computed, mut part: Part<'_, T>) -> Result<(), EngineError> {
        let start = Instant::now();
        let (rows, width) = (part.area.0.len(), part.area.1.len());
        match &computed.stored {
            StoredResult::Gpu(prepared) => {
                let n = (BACK_BYTES.min(self.bytes) / (width * size_of::<Complex<T>>()).max(1)).max(1);
                for first in (0..rows).step_by(n) {
                    let lanes = first * width..rows.min(first + n) * width;
                    let values = T::download(prepared, lanes, self.cancel)?;
                    part.write(first, values.len() / width, &|row, to| to.copy_from_slice(&values[row * width..][..width]));
                }
                self.outcome.times.download_micros += micros(start);
            }
            StoredResult::Memory(values) => {
                let shape = Shape { rows, columns: width };
                let at = |row, column| values.exact(shape, row, column);
                part.write(0, rows, &|row, to| {
                    for (column, to) in to.iter_mut().enumerate() {
                        let value = at(row, column);
                        *to = Complex::new(T::rounded(value.re), T::rounded(value.im));
                    }
                });
            }
        }
        Ok(())
    }
}

/// Where the result of a part goes: some rows and columns of an array of `columns` columns.
struct Part<'a, T> {
    values: &'a mut [Complex<T>],
    columns: usize,
    area: (Range<usize>, Range<usize>),
}

impl<T: Number> Part<'_, T> {
    /// Writes `n` of its rows from one on; `fill` gets the number of the row among these.
    fn write(&mut self, first: usize, n: usize, fill: &(dyn Fn(usize, &mut [Complex<T>]) + Sync)) {
        let (start, block) = ((self.area.0.start + first) * self.columns, BLOCK.div_ceil(self.area.1.len().max(1)));
        threads::for_each_chunk(&mut self.values[start..][..n * self.columns], block * self.columns, &|index, to| {
            to.chunks_mut(self.columns).enumerate().for_each(|(row, to)| fill(index * block + row, &mut to[self.area.1.clone()]));
        });
    }
}

impl<T: Number> Whole<'_, T> {
    /// The numbers in some rows and columns, in `memory` where it has the right length.
    fn samples(&self, (rows, columns): (Range<usize>, Range<usize>), memory: Option<Samples>) -> (Shape, Samples) {
        let shape = Shape { rows: rows.len(), columns: columns.len() };
        let first = |row: usize| (rows.start + row) * self.shape.columns + columns.start;
        let samples = if self.is_complex {
            let memory = memory.and_then(T::complex_of).unwrap_or_default();
            T::complex(of_rows(shape, memory, |row, to| match &self.held {
                Held::Samples(track) => read_complex(track, first(row), to),
                Held::Values(values) => to.copy_from_slice(&values[first(row)..][..to.len()]),
            }))
        } else {
            let memory = memory.and_then(T::real_of).unwrap_or_default();
            T::real(of_rows(shape, memory, |row, to| match &self.held {
                Held::Samples(track) => T::read(track, first(row), 0, to),
                Held::Values(values) => to.iter_mut().zip(&values[first(row)..]).for_each(|(to, value)| *to = value.re),
            }))
        };
        (shape, samples)
    }
}

/// The values of a shape, in `memory` where it has the right length; `fill` writes a row.
fn of_rows<V: bytemuck::Zeroable + Send>(shape: Shape, memory: Vec<V>, fill: impl Fn(usize, &mut [V]) + Sync) -> Vec<V> {
    let mut values = if memory.len() == shape.len() { memory } else { threads::zeros(shape.len()) };
    let rows = BLOCK.div_ceil(shape.columns.max(1));
    threads::for_each_chunk(&mut values, (rows * shape.columns).max(1), &|block, to| {
        to.chunks_mut(shape.columns).enumerate().for_each(|(row, to)| fill(block * rows + row, to));
    });
    values
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
    /// The numbers of real samples of this precision.
    fn real_of(samples: Samples) -> Option<Vec<Self>>;
    /// The numbers of complex samples of this precision.
    fn complex_of(samples: Samples) -> Option<Vec<Complex<Self>>>;
    /// The result in some lanes of a device.
    fn download(prepared: &Prepared, lanes: Range<usize>, cancel: &AtomicBool) -> Result<Vec<Complex<Self>>, GpuError>;
}

macro_rules! number {
    ($number:ty, $real:ident, $complex:ident, $read:ident, $download:ident) => {
        impl Number for $number {
            fn read(track: &Track<'_>, first: usize, part: usize, to: &mut [Self]) {
                track.$read(first, part, to);
            }

            fn real(values: Vec<Self>) -> Samples {
                Samples::$real(values)
            }

            fn complex(values: Vec<Complex<Self>>) -> Samples {
                Samples::$complex(values)
            }

            fn real_of(samples: Samples) -> Option<Vec<Self>> {
                if let Samples::$real(values) = samples { Some(values) } else { None }
            }

            fn complex_of(samples: Samples) -> Option<Vec<Complex<Self>>> {
                if let Samples::$complex(values) = samples { Some(values) } else { None }
            }

            fn download(prepared: &Prepared, lanes: Range<usize>, cancel: &AtomicBool) -> Result<Vec<Complex<Self>>, GpuError> {
                prepared.$download(lanes, cancel)
            }
        }
    };
}

number!(f32, F32, Complex32, read_f32, download_range);
number!(f64, F64, Complex64, read_f64, download_double);

#[cfg(test)]
#[path = "in_parts/tests.rs"]
mod tests;
