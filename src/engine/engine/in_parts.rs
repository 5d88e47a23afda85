//! Runs a job that a device does not hold at once, part by part: some lines of its arrays go up, are transformed, and come back into memory.
//!
//! A transform along both axes takes two passes, the lines of one axis and then those of the other; each is the transform along that axis, by its own plan.
//! The Fourier transform of one line that is itself too long is that of an image of its samples, with twiddles between the passes.

mod number;
mod whole;

use super::compute::{Ready, Work};
use super::lanes::integers_if_whole;
use super::report::micros;
use super::{Computed, Cut, DeviceChoice, Devices, EngineError, Job, Outcome, StoredResult, Values};
use crate::gpu::GpuError;
use crate::plan::{Direction, Precision};
use crate::signal::{Channel, Samples, Signal, SignalKind};
use crate::threads;
use crate::transforms::{Algorithm, Axes, BatchAxis, Input, Numbers, Parameter, Parameters, Shape, Transform, transform};
use num_complex::Complex;
use number::{BLOCK, Number};
use std::ops::Range;
use std::sync::{Arc, atomic::AtomicBool};
use std::time::Instant;
use whole::{Held, Whole, twiddle};

/// Bytes of a part at most: enough to keep a device busy, and little beside the memory of a machine with such arrays.
const PART_BYTES: usize = 256 << 20;
/// Bytes of a result that come back at a time, unless a line has more: the allocator keeps so much for the next ones. Fresh memory takes longer than the link.
const BACK_BYTES: usize = 7 << 20;

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
/// `error` itself where it says something else, where the job cannot be divided, or where its smallest parts are too large. The error of a part.
pub(super) fn run(
    ready: &Ready,
    error: EngineError,
    devices: &mut Devices,
    start: Instant,
    cancel: &AtomicBool,
) -> Result<Computed, EngineError> {
    let is_divided = ready.job.device != DeviceChoice::Auto && is_too_large(&error);
    let Some(passes) = passes(ready).filter(|_| is_divided) else { return Err(error) };
    // A part of one line says its own size, which nobody asked for.
    of_most(PART_BYTES, ready, &passes, devices, start, cancel).map_err(|inner| if is_too_large(&inner) { error } else { inner })
}

/// Whether a device does not hold a job.
pub(super) fn is_too_large(error: &EngineError) -> bool {
    matches!(error, EngineError::Gpu(GpuError::TooLarge { .. } | GpuError::OutOfMemory { .. } | GpuError::Room { .. }))
}

/// Runs the passes of a job in parts of at most `bytes` bytes; a part has at least one line.
fn of_most(
    bytes: usize,
    ready: &Ready,
    passes: &Passes,
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
    let order = match passes {
        Passes { image: Some(image), .. } => {
            format!(", as an image of {}, along one axis and then along the other", SignalKind::Image.size(image.rows, image.columns))
        }
        Passes { list, .. } if list.len() > 1 => ", along one axis and then along the other".to_owned(),
        _ => String::new(),
    };
    let by = if others.is_empty() { String::new() } else { format!(" by {}", others.join(" and ")) };
    outcome.add_note(&format!("in {n_parts} parts{by}{order}, as the device does not hold all of it"));
    let Work::Plan(fitted) = &ready.work else { unreachable!("only plans have passes") };
    outcome.plan = Some(Arc::new(fitted.plan.clone()));
    let values = if fitted.is_exact_in(outcome.precision) { integers_if_whole(values) } else { values };
    Ok(Computed { stored: StoredResult::memory(values), prepared: None, outcome })
}

/// The passes of a job, one after the other.
struct Passes {
    list: Vec<Pass>,
    /// The image whose columns, one after the other, are the only line of the job; the passes transform its rows and then its columns.
    image: Option<Shape>,
}

/// The passes of a job whose lines are transformed each by itself; `None` where it has others, and where its values are exact integers.
fn passes(ready: &Ready) -> Option<Passes> {
    let job = &ready.job;
    let whole = transform(job.transform).ok()?;
    let is_inexact = matches!(&ready.work, Work::Plan(fitted) if !fitted.plan.ring.is_exact());
    if !is_inexact || whole.input != Input::Signal {
        return None;
    }
    let along = |name, lines| Some(Pass { transform: transform(name).ok()?, parameters: Parameters { lines, ..job.parameters } });
    let shape = Shape { rows: job.signal.rows, columns: job.signal.columns };
    let lines = |list| Some(Passes { list, image: None });
    match (whole.axes(job.parameters), shape) {
        (Axes::Rows, Shape { rows: 1, .. }) | (Axes::Columns, Shape { columns: 1, .. }) => {
            let rows = (1..=shape.len().isqrt()).rev().find(|rows| shape.len().is_multiple_of(*rows)).filter(|_| whole.name == "dft")?;
            let image = Shape { rows: shape.len() / rows, columns: rows };
            let list = vec![along(whole.name, BatchAxis::Rows)?, along(whole.name, BatchAxis::Columns)?];
            (rows > 1).then_some(Passes { list, image: Some(image) })
        }
        (Axes::Rows, _) => lines(vec![along(whole.name, BatchAxis::Rows)?]),
        (Axes::Columns, _) => lines(vec![along(whole.name, BatchAxis::Columns)?]),
        (Axes::Both, _) => {
            let of_lines = transform(whole.partner?).ok().filter(|transform| transform.has(Parameter::Lines))?;
            // The columns of half a spectrum are complex numbers.
            let is_half = of_lines.gives == Numbers::HalfSpectrum;
            let down = if is_half { "dft" } else { of_lines.name };
            let mut passes = vec![along(of_lines.name, BatchAxis::Rows)?, along(down, BatchAxis::Columns)?];
            if is_half && job.parameters.direction == Direction::Inverse {
                passes.reverse();
            }
            lines(passes)
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

impl Run<'_> {
    /// The result of all passes, one after the other.
    fn all<T: Number>(&mut self, passes: &Passes) -> Result<Vec<Complex<T>>, EngineError> {
        let job = &self.ready.job;
        let track = job.signal.track(job.channel)?;
        let is_complex = track.is_complex();
        let (held, shape) = match passes.image {
            Some(image) => (Held::Columns(track), image),
            None => (Held::Samples(track), Shape { rows: job.signal.rows, columns: job.signal.columns }),
        };
        let mut whole = Whole::<T> { is_complex, held, shape };
        for (index, pass) in passes.list.iter().enumerate() {
            if let (Held::Values(values), Some(image), 1) = (&mut whole.held, passes.image, index) {
                twiddle(values, image, job.parameters.direction);
            }
            self.pass(pass, &mut whole)?;
        }
        match whole.held {
            Held::Values(values) => Ok(values),
            Held::Samples(_) | Held::Columns(_) => unreachable!("there is a pass"),
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
        let (start, is_single) = (Instant::now(), pass.lines(shape)[0] == 1);
        let computed = ready.run(self.devices, start, self.cancel).or_else(|error| {
            // The only line of a part may have parts of its own.
            let error = if is_single { error } else { return Err(error) };
            run(&ready, error, self.devices, start, self.cancel)
        })?;
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

#[cfg(test)]
#[path = "in_parts/tests.rs"]
mod tests;
