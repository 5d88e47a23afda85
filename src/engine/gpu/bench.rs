//! Times that can be compared: many runs in a row on a device that is awake, with inputs that the caches have lost, beside a plain copy of the same number of bytes.

mod warm_up;

use super::array::Array;
use super::bindings::Bindings;
use super::command::{BufferSlot, folded_groups};
use super::device::Device;
use super::error::GpuError;
use super::lower::KernelChoice;
use super::prepared::check;
use super::prepared::{Prepared, RunTimes};
use super::queries::Queries;
use super::services::copy;
use crate::plan::Plan;
use crate::random::random_bits;
use crate::schedule::Schedule;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use warm_up::WarmUp;

/// How long the runs between two timestamps take together: an empty pass takes about three microseconds, which they share.
const SAMPLE_MICROS: f64 = 3_000.0;
/// The same by the wall clock, where a submission and the wait for it take more.
const WALL_SAMPLE_MICROS: f64 = 5_000.0;
/// Runs between two timestamps at most.
const MOST_RUNS: f64 = 64.0;
/// Runs by the wall clock at most.
const MOST_WALL_RUNS: f64 = 1024.0;

/// The most inputs that are used one after the other: bindings cost memory too.
const MOST_SETS: u64 = 64;

crate::choice! {
    /// The clock that measures launches.
    #[serde(rename_all = "lowercase")]
    pub enum Clock {
        /// Timestamps of the device where it has any, and the wall clock elsewhere.
        #[default]
        Device = "Device", "device";
        /// The clock of the host, around submissions of many runs: as from outside.
        Wall = "Wall", "wall";
    }
}

/// A plan on a device with several inputs of the same values: a run does not find its input in the caches.
/// All of them write the same buffers, so that each run waits for the one before.
pub struct Rotation {
    sets: Vec<Arc<Prepared>>,
    next: usize,
    load: Option<WarmUp>,
}

/// The time of one run as a share of several in a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Microseconds.
    pub micros: f64,
    /// Whether the device itself took the time.
    pub device_clock: bool,
}

impl Rotation {
    /// `prepared`, and further inputs until they fill `bytes` of memory or the memory of the device.
    ///
    /// # Errors
    /// When the device reports an error.
    pub fn new(prepared: Arc<Prepared>, plan: &Plan, schedule: &Schedule, bytes: u64) -> Result<Self, GpuError> {
        let wanted = (bytes / prepared.slot(BufferSlot::Input).size()).clamp(1, MOST_SETS);
        let load = WarmUp::new(&prepared.device)?;
        let mut sets = vec![prepared];
        while (sets.len() as u64) < wanted {
            match sets[0].twin(plan, schedule) {
                Ok(twin) => sets.push(Arc::new(twin)),
                Err(GpuError::OutOfMemory { .. } | GpuError::TooLarge { .. }) => break,
                Err(error) => return Err(error),
            }
        }
        Ok(Self { sets, next: 0, load })
    }

    /// A plan with the one input that it has.
    ///
    /// # Errors
    /// When the device reports an error.
    pub fn of(prepared: Arc<Prepared>) -> Result<Self, GpuError> {
        Ok(Self { load: WarmUp::new(&prepared.device)?, sets: vec![prepared], next: 0 })
    }

    /// The result of the last run.
    pub fn result(&self) -> &Arc<Prepared> {
        &self.sets[(self.next + self.sets.len() - 1) % self.sets.len()]
    }

    /// Bytes of all inputs.
    pub fn bytes(&self) -> u64 {
        self.sets.iter().map(|set| set.slot(BufferSlot::Input).size()).sum()
    }

    /// Keeps the device busy until it is awake, and then takes the time of `n` runs, each a share of several in a row without timestamps between them, as a program would run them.
    ///
    /// # Errors
    /// When the device reports an error, or `cancel` became true between two submissions.
    pub fn kernels(&mut self, n: usize, clock: Clock, cancel: &AtomicBool) -> Result<Vec<Sample>, GpuError> {
        let first = self.sets[0].clone();
        let device = first.device.clone();
        if let Some(load) = &mut self.load {
            device.guarded(|| load.wake())?;
        }
        let timed = clock == Clock::Device && device.info().timestamps;
        let take = if timed { Self::by_the_device } else { Self::by_the_wall };
        let single = take(self, 2, 1, cancel)?;
        let shortest = single.iter().map(|sample| sample.micros).fold(f64::INFINITY, f64::min).max(0.1);
        let (wanted, most) = if timed { (SAMPLE_MICROS, MOST_RUNS) } else { (WALL_SAMPLE_MICROS, MOST_WALL_RUNS) };
        let runs = (wanted / shortest).ceil().clamp(1.0, most) as usize;
        let samples = take(self, n, runs, cancel)?;
        // The load went before every sample.
        device.note_awake();
        Ok(samples)
    }

    /// Encodes `runs` runs, each on the next set of buffers.
    fn encode(&mut self, compute: &mut wgpu::ComputePass<'_>, runs: usize) {
        for _ in 0..runs {
            self.sets[self.next].encode(compute);
            self.next = (self.next + 1) % self.sets.len();
        }
    }

    fn by_the_device(&mut self, n: usize, runs: usize, cancel: &AtomicBool) -> Result<Vec<Sample>, GpuError> {
        let device = self.sets[0].device.clone();
        let at_once = self.sets[0].runs_at_once().div_ceil(runs).min(Queries::MOST_PASSES);
        let mut samples = Vec::with_capacity(n);
        while samples.len() < n {
            check(cancel)?;
            let passes = at_once.min(n - samples.len());
            let times = device.guarded(|| {
                let queries = Queries::new(&device)?;
                let mut encoder = device.wgpu().create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("runs") });
                for pass in 0..passes {
                    queries.pass(&mut encoder, pass, |compute| self.encode(compute, runs));
                }
                // The device goes from its load to the runs without a rest.
                device.queue().submit(self.load.as_ref().map(WarmUp::commands));
                queries.micros(encoder, passes, cancel)
            })?;
            let share = |[start, end]: [f64; 2]| Sample { micros: (end - start) / runs as f64, device_clock: true };
            samples.extend(times.into_iter().flatten().map(share));
        }
        Ok(samples)
    }

    fn by_the_wall(&mut self, n: usize, runs: usize, cancel: &AtomicBool) -> Result<Vec<Sample>, GpuError> {
        let device = self.sets[0].device.clone();
        (0..n)
            .map(|_| {
                check(cancel)?;
                device.guarded(|| {
                    let mut encoder = device.wgpu().create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("runs") });
                    self.encode(&mut encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default()), runs);
                    let commands = encoder.finish();
                    device.queue().submit(self.load.as_ref().map(WarmUp::commands));
                    device.wait()?;
                    let start = Instant::now();
                    device.queue().submit([commands]);
                    device.wait()?;
                    Ok(Sample { micros: start.elapsed().as_secs_f64() * 1e6 / runs as f64, device_clock: false })
                })
            })
            .collect()
    }
}

impl Prepared {
    /// Keeps the device busy until it is awake, and then takes the times of `n` runs on the same input.
    /// The time of a launch is that between its own timestamps; the time of a run is a share of several in a row without timestamps between them, as a program would run them.
    ///
    /// # Errors
    /// When the device reports an error, or `cancel` became true between two submissions.
    pub fn bench(self: &Arc<Self>, n: usize, cancel: &AtomicBool) -> Result<Vec<RunTimes>, GpuError> {
        let samples = Rotation::of(self.clone())?.kernels(n, Clock::Device, cancel)?;
        // The device is awake now.
        let mut times = self.run_repeated(n, cancel)?;
        for (run, sample) in times.iter_mut().zip(samples) {
            run.gpu_micros = run.gpu_micros.map(|_| sample.micros);
        }
        Ok(times)
    }

    /// The same plan with an input of its own that holds the same values.
    fn twin(&self, plan: &Plan, schedule: &Schedule) -> Result<Self, GpuError> {
        let twin = self.device.prepare_beside(plan, schedule, KernelChoice::Fast, self.precision, Some(self))?;
        self.device.guarded(|| {
            let mut encoder = self.device.wgpu().create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("twin") });
            let (from, to) = (self.slot(BufferSlot::Input), twin.slot(BufferSlot::Input));
            for (from, to) in from.buffers().iter().zip(to.buffers()) {
                encoder.copy_buffer_to_buffer(from, 0, to, 0, from.size());
            }
            self.device.queue().submit([encoder.finish()]);
            self.device.wait()
        })?;
        Ok(twin)
    }
}

/// Copies `bytes` bytes (a multiple of 16) of noise from one buffer to another `n` times in a row, once the device is awake, and gives the time of each copy, in microseconds; `None` where the device has no timestamps.
/// Several sources, which fill `rotated` bytes, are used one after the other.
///
/// # Errors
/// When the buffers do not fit the device.
pub fn bench_copy(device: &Device, bytes: u64, rotated: u64, n: usize) -> Result<Vec<Option<f64>>, GpuError> {
    copies_under(WarmUp::new(device)?, device, bytes, rotated, n)
}

/// The same without a wait for the clocks of the device: beside runs that did not wait for them either.
///
/// # Errors
/// When the buffers do not fit the device.
pub fn copy_times(device: &Device, bytes: u64, n: usize) -> Result<Vec<Option<f64>>, GpuError> {
    copies_under(None, device, bytes, 0, n)
}

fn copies_under(mut load: Option<WarmUp>, device: &Device, bytes: u64, rotated: u64, n: usize) -> Result<Vec<Option<f64>>, GpuError> {
    let n_vectors = (bytes / 16).max(1);
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST;
    let n_sources = (rotated / (16 * n_vectors)).clamp(1, MOST_SETS);
    // One sink for all sources: each copy waits for the one before.
    let sink = device.array("the copy", 16 * n_vectors, usage)?;
    let mut pairs = Vec::new();
    for _ in 0..n_sources {
        let source = device.array("the source of a copy", 16 * n_vectors, usage)?;
        fill(device, &source)?;
        pairs.push(Bindings::simple(device, [&source, &sink], [&[]; 2], &(n_vectors as u32).to_ne_bytes())?);
    }
    let groups = folded_groups((n_vectors as usize).div_ceil(256), device.limits().max_groups);
    let pipeline = device.guarded(|| Ok(device.pipelines().get(device.wgpu(), (&copy(), pairs[0].division))))?;
    let mut turn = 0;
    let mut copies = |n: usize, runs: usize, load: Option<&WarmUp>| {
        let queries = Queries::new(device)?;
        let mut encoder = device.wgpu().create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("copy") });
        for pass in 0..n {
            queries.pass(&mut encoder, pass, |compute| {
                for _ in 0..runs {
                    pairs[turn % pairs.len()].dispatch(compute, &pipeline, groups);
                    turn += 1;
                }
            });
        }
        device.queue().submit(load.map(WarmUp::commands));
        let times = queries.micros(encoder, n, &AtomicBool::new(false))?;
        Ok(times.into_iter().map(|times| times.map(|[start, end]| (end - start) / runs as f64)).collect::<Vec<_>>())
    };
    device.guarded(|| {
        if let Some(load) = &mut load {
            load.wake()?;
        }
        let single = copies(2, 1, load.as_ref())?;
        let shortest = single.into_iter().flatten().fold(f64::INFINITY, f64::min).max(0.1);
        let runs = (SAMPLE_MICROS / shortest).ceil().clamp(1.0, MOST_RUNS) as usize;
        copies(n.min(Queries::MOST_PASSES), runs, load.as_ref())
    })
}

/// Fills a buffer with noise: zeros may be compressed on their way.
fn fill(device: &Device, array: &Array) -> Result<(), GpuError> {
    let noise: Vec<u32> = (0..array.size().min(1 << 24) / 4).map(|index| random_bits(index) as u32).collect();
    device.guarded(|| {
        for buffer in array.buffers() {
            for offset in (0..buffer.size()).step_by(1 << 24) {
                let length = (buffer.size() - offset).min(1 << 24) as usize;
                device.queue().write_buffer(buffer, offset, &bytemuck::cast_slice(&noise)[..length]);
            }
        }
        device.queue().submit([]);
        device.wait()
    })
}
