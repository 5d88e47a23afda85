//! Runs a lowered plan: buffers, bind groups, and one compute pass a launch with a timestamp at both ends.
//!
//! Launches only read the input buffer, so that a run can be repeated; they write two further buffers alternately.

use super::array::Array;
use super::bindings::{Bindings, TableBuffers};
use super::buffers::{Slots, Target, Uploads};
use super::command::{BufferSlot, LaneCopy, LaunchCommand, Lowered, folded_groups};
use super::device::Device;
use super::error::GpuError;
use super::estimate::fastest_of_words;
use super::lower::{KernelChoice, lower, lower_words};
use super::pipelines::count_compiling;
use super::queries::Queries;
use super::room;
use super::transfer::Transfers;
use crate::plan::{BitPackedPlan, IntegerWidth, Plan, Precision, ResultOrder, Ring};
use crate::schedule::Schedule;
use std::iter;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Bytes that the launches of one submission move at most: between submissions work can be cancelled.
const SUBMISSION_BYTES: u64 = 1 << 33;
/// The same on a software adapter, which takes about this long for a hundredth of it.
const SOFTWARE_SUBMISSION_BYTES: u64 = 1 << 27;

/// How long a run took.
#[derive(Debug, Clone, PartialEq)]
pub struct RunTimes {
    /// Time of every launch on the device, in microseconds; `None` where the device has no timestamps.
    pub launch_micros: Vec<Option<f64>>,
    /// From the start of the first launch to the end of the last, in microseconds, waiting for submissions not counted.
    pub gpu_micros: Option<f64>,
    /// From the call to the end of the work as the CPU sees it, in microseconds.
    pub wall_micros: f64,
}

/// A plan on a device: buffers allocated, kernels compiled, ready to take input and to run as often as wanted.
pub struct Prepared {
    pub(super) device: Device,
    /// The types of a lane of the input and of a lane of the result.
    pub(super) ring: Ring,
    pub(super) result_ring: Ring,
    pub(super) precision: Precision,
    pub(super) inputs: usize,
    pub(super) outputs: usize,
    output: ResultOrder,
    pub(super) result: BufferSlot,
    commands: Vec<ReadyCommand>,
    lowered: Vec<LaunchCommand>,
    pub(super) slots: Slots,
    pub(super) compile_micros: f64,
    pub(super) buffers_micros: f64,
    /// The buffers that an upload fills, by [`Uploads`].
    pub(super) targets: [Vec<Target>; 2],
    pub(super) uploads: Uploads,
    pub(super) transfers: Transfers,
    has_run: AtomicBool,
}

/// A command with what encoding it needs.
struct ReadyCommand {
    /// Its kernel, between the copies of lanes before and after it.
    dispatches: Vec<ReadyDispatch>,
    bytes: u64,
}

impl ReadyCommand {
    fn encode(&self, compute: &mut wgpu::ComputePass<'_>) {
        self.dispatches.iter().for_each(|ReadyDispatch { pipeline, bindings, groups }| bindings.dispatch(compute, pipeline, *groups));
    }
}

/// A kernel with its bindings.
struct ReadyDispatch {
    pipeline: wgpu::ComputePipeline,
    bindings: Bindings,
    groups: [u32; 2],
}

impl Device {
    /// Lowers the plan with fast kernels where they support, allocates its buffers and compiles its kernels.
    ///
    /// # Errors
    /// When the schedule does not fit the device, or the buffers do not: sizes are checked before anything is allocated.
    pub fn prepare(&self, plan: &Plan, schedule: &Schedule) -> Result<Prepared, GpuError> {
        self.prepare_with(plan, schedule, KernelChoice::Fast)
    }

    /// The same with a choice of kernels.
    ///
    /// # Errors
    /// As [`Device::prepare`].
    pub fn prepare_with(&self, plan: &Plan, schedule: &Schedule, kernels: KernelChoice) -> Result<Prepared, GpuError> {
        self.prepare_in(plan, schedule, kernels, Precision::Single)
    }

    /// The same in a precision, for a schedule that was cut for it; exact lanes stay as they are.
    ///
    /// # Errors
    /// As [`Device::prepare`], and where the adapter has no double precision.
    pub fn prepare_in(&self, plan: &Plan, schedule: &Schedule, kernels: KernelChoice, precision: Precision) -> Result<Prepared, GpuError> {
        self.prepare_beside(plan, schedule, kernels, precision, None)
    }

    /// The same with an input of its own, and the other buffers of another of the same plan, if any.
    pub(super) fn prepare_beside(
        &self,
        plan: &Plan,
        schedule: &Schedule,
        kernels: KernelChoice,
        precision: Precision,
        other: Option<&Prepared>,
    ) -> Result<Prepared, GpuError> {
        if plan.ring == Ring::Integer(IntegerWidth::Bits64) && !self.info().int64 {
            return Err(GpuError::NoWideIntegers { adapter: self.info().name.clone() });
        }
        room::to_work(0)?;
        self.check_countable(plan, precision)?;
        let lowered = lower(plan, schedule, self.limits().in_precision(precision), kernels)?;
        if lowered.precision == Precision::Double && !self.info().f64 {
            return Err(GpuError::NoDouble { adapter: self.info().name.clone() });
        }
        self.prepare_lowered(plan, lowered, other)
    }

    /// A plan on words of 32 values, in the schedule that the device is estimated to run fastest, and this schedule.
    ///
    /// # Errors
    /// As [`Device::prepare`], and where no fast kernel takes it.
    pub fn prepare_words(&self, words: &BitPackedPlan) -> Result<(Prepared, Schedule), GpuError> {
        let limits = self.limits();
        let schedule = fastest_of_words(&words.plan, limits);
        let lowered = lower_words(words, &schedule, limits)?;
        Ok((self.prepare_lowered(&words.plan, lowered, None)?, schedule))
    }

    /// The same with this pitch in the workgroup memory of every launch that transposes: to measure what padding gains.
    ///
    /// # Errors
    /// As [`Device::prepare`].
    pub fn prepare_pitched(&self, plan: &Plan, schedule: &Schedule, precision: Precision, pitch: usize) -> Result<Prepared, GpuError> {
        let mut lowered = lower(plan, schedule, self.limits().in_precision(precision), KernelChoice::Fast)?;
        for command in &mut lowered.commands {
            command.kernel = command.kernel.with_pitch(pitch).unwrap_or_else(|| command.kernel.clone());
        }
        self.prepare_lowered(plan, lowered, None)
    }

    /// The bindings of every command, followed by those of its copies before and after.
    fn bindings_of(&self, lowered: &Lowered, slots: &Slots) -> Result<Vec<Vec<Bindings>>, GpuError> {
        let tables = TableBuffers::new(self, lowered)?;
        let no_source = Array::from(tables.coefs.clone());
        let slot = |slot: BufferSlot| slots[slot as usize].as_ref().expect("a buffer for every slot of a command");
        let mut n_copies = 0;
        self.guarded(|| {
            let of = |(index, command): (usize, &LaunchCommand)| {
                // A buffer is not bound as input and as output at once: in place, the kernel reads its output.
                let source = if command.source == command.sink { &no_source } else { slot(command.source) };
                let first = tables.bind(self, [source, slot(command.sink)], index);
                let copies = command.copies.iter().chain(&command.copies_after).map(|copy| {
                    n_copies += 1;
                    tables.bind(self, [slot(copy.from), slot(copy.to)], lowered.commands.len() + n_copies - 1)
                });
                iter::once(first).chain(copies).collect()
            };
            Ok(lowered.commands.iter().enumerate().map(of).collect())
        })
    }

    fn prepare_lowered(&self, plan: &Plan, lowered: Lowered, other: Option<&Prepared>) -> Result<Prepared, GpuError> {
        let transferred = [(plan.inputs, plan.ring), (plan.outputs, lowered.result_ring)];
        let [up, down] = transferred.map(|(n, ring)| n * lowered.precision.bytes_per_lane(ring));
        let buffers = || {
            let (slots, micros) = self.make_buffers(plan, &lowered, other)?;
            self.bindings_of(&lowered, &slots).map(|bindings| (bindings, slots, micros))
        };
        let pipelines = || {
            let start = Instant::now();
            self.pipelines_of(&lowered).map(|pipelines| (pipelines, micros_since(start)))
        };
        let (pipelines, (buffers, slots_made)) = rayon::join(pipelines, || rayon::join(buffers, || self.make_slots([up, down])));
        let (bindings, slots, buffers_micros) = buffers?;
        slots_made?;
        let (pipelines, compile_micros) = pipelines?;
        let mut ready = pipelines.into_iter().zip(bindings.into_iter().flatten());
        let (lane_bytes, max_groups) = (lowered.precision.bytes_per_lane(lowered.ring), self.limits().max_groups);
        let mut next = |groups: [u32; 2]| {
            let (pipeline, bindings) = ready.next().expect("a pipeline and bindings for every dispatch");
            ReadyDispatch { pipeline, bindings, groups }
        };
        let commands = lowered.commands.iter().map(|command| {
            let kernel = next(command.groups);
            let mut of_copy = |copy: &LaneCopy| next(folded_groups((copy.words(lane_bytes)[1] as usize).div_ceil(1024), max_groups));
            let [before, after] =
                [&command.copies, &command.copies_after].map(|copies| copies.iter().map(&mut of_copy).collect::<Vec<_>>());
            let dispatches = before.into_iter().chain([kernel]).chain(after).collect();
            ReadyCommand { dispatches, bytes: command.bytes }
        });
        Ok(Prepared {
            device: self.clone(),
            ring: plan.ring,
            result_ring: lowered.result_ring,
            precision: lowered.precision,
            inputs: plan.inputs,
            outputs: plan.outputs,
            output: plan.output.clone(),
            result: lowered.result,
            commands: commands.collect(),
            slots,
            compile_micros,
            buffers_micros,
            targets: [Uploads::Once, Uploads::Both].map(|uploads| lowered.targets(plan, uploads)),
            uploads: Uploads::Once,
            transfers: Transfers::default(),
            lowered: lowered.commands,
            has_run: AtomicBool::new(false),
        })
    }
}

impl Prepared {
    /// The launches as they run: kernels, workgroups, bytes.
    pub fn commands(&self) -> &[LaunchCommand] {
        &self.lowered
    }

    /// The device on which it runs.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// The type of a lane of the result.
    pub fn result_ring(&self) -> Ring {
        self.result_ring
    }

    /// How lanes hold real and complex numbers.
    pub fn precision(&self) -> Precision {
        self.precision
    }

    pub(super) fn bytes_per_lane(&self) -> usize {
        self.precision.bytes_per_lane(self.ring)
    }

    /// Number of values that a run gives.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// Reads every complex lane of the result as two real numbers, which the inverse of half a spectrum writes there.
    pub(super) fn with_pairs(self) -> Self {
        assert_eq!(self.result_ring, Ring::Complex, "only complex lanes hold two real numbers");
        Self { result_ring: Ring::Real, outputs: 2 * self.outputs, ..self }
    }

    /// Runs the plan on what was uploaded, and waits for the end. The input stays.
    ///
    /// # Errors
    /// When the device reports an error, or `cancel` became true between two submissions.
    pub fn run(&self, cancel: &AtomicBool) -> Result<RunTimes, GpuError> {
        let start = Instant::now();
        let mut times = RunTimes { launch_micros: Vec::new(), gpu_micros: Some(0.0), wall_micros: 0.0 };
        let mut next = 0;
        while next < self.commands.len() {
            check(cancel)?;
            let end = self.submission(next);
            for part in self.submit(next..end, 1, cancel)? {
                times.launch_micros.extend(part.launch_micros);
                times.gpu_micros = times.gpu_micros.zip(part.gpu_micros).map(|(sum, more)| sum + more);
            }
            next = end;
        }
        check(cancel)?;
        times.wall_micros = micros_since(start);
        if !self.has_run.swap(true, Ordering::Relaxed) {
            count_compiling(start);
        }
        Ok(times)
    }

    /// Runs the plan `n` times, with as many runs in one submission as timestamps allow. This is the way to measure.
    ///
    /// # Errors
    /// When the device reports an error, or `cancel` became true between two submissions.
    pub fn run_repeated(&self, n: usize, cancel: &AtomicBool) -> Result<Vec<RunTimes>, GpuError> {
        let at_once = (Queries::MOST_PASSES / self.commands.len().max(1)).min(self.runs_at_once()).max(1);
        let mut times = Vec::with_capacity(n);
        while times.len() < n {
            check(cancel)?;
            times.extend(self.submit(0..self.commands.len(), at_once.min(n - times.len()), cancel)?);
        }
        Ok(times)
    }

    /// Overwrites everything but the input with NaN, the lanes past it included: the result of a run must not depend on old values.
    ///
    /// # Errors
    /// When the device reports an error.
    pub fn spoil(&self) -> Result<(), GpuError> {
        self.device.guarded(|| {
            for buffer in self.slots[1..].iter().flatten().flat_map(Array::buffers) {
                let garbage = vec![0xff; buffer.size() as usize];
                self.device.queue().write_buffer(buffer, 0, &garbage);
            }
            let (input, taken) = (self.slot(BufferSlot::Input), (self.inputs * self.bytes_per_lane()) as u64);
            for (buffer, offset, bytes) in input.spans(taken..input.size()) {
                self.device.queue().write_buffer(buffer, offset, &vec![0xff; bytes as usize]);
            }
            self.device.queue().submit([]);
            self.device.wait()
        })
    }

    pub(super) fn slot(&self, slot: BufferSlot) -> &Array {
        self.slots[slot as usize].as_ref().expect("the input and the result are always allocated")
    }

    /// How many bits of a result's index are reversed in its lane.
    pub(super) fn reversed_bits(&self) -> u32 {
        let mut order = &self.output;
        while let ResultOrder::Rows { each, .. } = order {
            order = each;
        }
        if let ResultOrder::BitReversed { n_bits } = order { *n_bits } else { 0 }
    }

    /// The end of the submission that begins with command `first`.
    fn submission(&self, first: usize) -> usize {
        let mut bytes = 0;
        let fits = |command: &&ReadyCommand| {
            bytes += command.bytes;
            bytes <= self.submission_bytes()
        };
        let n = self.commands[first..].iter().take_while(fits).count();
        first + n.clamp(1, Queries::MOST_PASSES)
    }

    /// Runs that one submission holds, so that it can be cancelled before long.
    pub(super) fn runs_at_once(&self) -> usize {
        let bytes: u64 = self.commands.iter().map(|command| command.bytes).sum();
        (self.submission_bytes() / bytes.max(1)).max(1) as usize
    }

    /// Encodes one whole run.
    pub(super) fn encode(&self, compute: &mut wgpu::ComputePass<'_>) {
        self.commands.iter().for_each(|command| command.encode(compute));
    }

    fn submission_bytes(&self) -> u64 {
        if self.device.info().software { SOFTWARE_SUBMISSION_BYTES } else { SUBMISSION_BYTES }
    }

    /// Encodes `repeats` runs of some commands, submits them together, and waits.
    fn submit(&self, commands: Range<usize>, repeats: usize, cancel: &AtomicBool) -> Result<Vec<RunTimes>, GpuError> {
        let (device, start, n) = (&self.device, Instant::now(), commands.len());
        if n == 0 {
            return Ok(vec![RunTimes { launch_micros: Vec::new(), gpu_micros: Some(0.0), wall_micros: 0.0 }; repeats]);
        }
        device.guarded(|| {
            let queries = Queries::new(device)?;
            let mut encoder = device.wgpu().create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("plan") });
            for pass in 0..n * repeats {
                let command = &self.commands[commands.start + pass % n];
                queries.pass(&mut encoder, pass, |compute| command.encode(compute));
            }
            let ticks = queries.micros(encoder, n * repeats, cancel)?;
            let wall_micros = micros_since(start) / repeats as f64;
            Ok(ticks
                .chunks(n)
                .map(|run| RunTimes {
                    launch_micros: run.iter().map(|launch| launch.map(|[start, end]| end - start)).collect(),
                    gpu_micros: run[0].zip(run[n - 1]).map(|([start, _], [_, end])| end - start),
                    wall_micros,
                })
                .collect())
        })
    }
}

/// An error where the work was cancelled.
pub(super) fn check(cancel: &AtomicBool) -> Result<(), GpuError> {
    if cancel.load(Ordering::Relaxed) { Err(GpuError::Cancelled) } else { Ok(()) }
}

fn micros_since(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e6
}
