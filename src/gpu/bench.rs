//! Times that can be compared: many runs in a row on a device that is awake, on buffers that the caches have forgotten, beside a plain copy of as many bytes, the roof.

use super::bindings::Bindings;
use super::lower::{Kernels, Slot, folded_groups};
use super::queries::Queries;
use super::run::check;
use super::{Device, GpuError, Kernel, Prepared, Times};
use crate::plan::Plan;
use crate::schedule::Schedule;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// How long hardware works before its times count: a GPU that has nothing to do lowers its clocks, to a fifth on some, and takes most of this time to raise them again.
const WAKE_UP: Duration = Duration::from_millis(1000);
/// How long the work of one turn takes meanwhile: between two turns the host reads timestamps, and a GPU that often waits for it does not raise its clocks.
const BUSY_MICROS: f64 = 20_000.0;

/// How long the runs between two timestamps take together: an empty pass takes a few microseconds, which short runs share.
const SAMPLE_MICROS: f64 = 300.0;
/// The same by the wall clock, where a submission and the wait for it take more.
const WALL_SAMPLE_MICROS: f64 = 5_000.0;
/// Runs between two timestamps at most.
const MOST_RUNS: f64 = 64.0;
/// Runs by the wall clock at most.
const MOST_WALL_RUNS: f64 = 1024.0;

/// Sets of buffers that are used in turn at most: bindings cost memory too.
const MOST_SETS: u64 = 64;

/// What tells how long launches take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Clock {
    /// Timestamps of the device where it has any, and the wall clock elsewhere.
    #[default]
    Device,
    /// The clock of the host, around submissions of many runs: as from outside.
    Wall,
}

/// A plan on a device several times, each with buffers of its own that hold the same input: what one run leaves in the caches does not serve the next.
pub struct Rotation {
    sets: Vec<Arc<Prepared>>,
    next: usize,
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
    /// `prepared`, and as many copies of it as fill `bytes` of memory, as far as the memory of the device goes.
    ///
    /// # Errors
    /// When the device reports an error.
    pub fn new(prepared: Arc<Prepared>, plan: &Plan, schedule: &Schedule, bytes: u64) -> Result<Self, GpuError> {
        let wanted = (bytes / prepared.bytes().max(1)).clamp(1, MOST_SETS);
        let mut sets = vec![prepared];
        while (sets.len() as u64) < wanted {
            match sets[0].twin(plan, schedule) {
                Ok(twin) => sets.push(Arc::new(twin)),
                Err(GpuError::OutOfMemory { .. } | GpuError::TooLarge { .. }) => break,
                Err(error) => return Err(error),
            }
        }
        Ok(Self { sets, next: 0 })
    }

    /// The sets of buffers, each with what its last run left.
    pub fn sets(&self) -> &[Arc<Prepared>] {
        &self.sets
    }

    /// Bytes of all buffers.
    pub fn bytes(&self) -> u64 {
        self.sets.iter().map(|set| set.bytes()).sum()
    }

    /// Runs the plan until the device is awake, and then takes the time of `n` runs, each a share of several in a row without timestamps between them, as a program would run them.
    ///
    /// # Errors
    /// When the device reports an error, or `cancel` became true between two submissions.
    pub fn kernels(&mut self, n: usize, clock: Clock, cancel: &AtomicBool) -> Result<Vec<Sample>, GpuError> {
        let first = self.sets[0].clone();
        let warm = awake(&first.device, |runs| first.run_repeated(runs.max(2), cancel))?;
        let timed = clock == Clock::Device && first.device.info().timestamps;
        let micros_of = |run: &Times| run.gpu_micros.filter(|_| timed).unwrap_or(run.wall_micros);
        let shortest = warm.iter().map(micros_of).fold(f64::INFINITY, f64::min).max(0.1);
        let (wanted, most) = if timed { (SAMPLE_MICROS, MOST_RUNS) } else { (WALL_SAMPLE_MICROS, MOST_WALL_RUNS) };
        // Every set is run, so that every result can be checked.
        let least = self.sets.len().div_ceil(n.max(1)) as f64;
        let runs = (wanted / shortest).ceil().clamp(1.0, most).max(least) as usize;
        if timed { self.by_the_device(n, runs, cancel) } else { self.by_the_wall(n, runs, cancel) }
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
                let queries = Queries::new(&device, passes);
                let mut encoder = device.wgpu().create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("runs") });
                for pass in 0..passes {
                    queries.pass(&mut encoder, pass, |compute| self.encode(compute, runs));
                }
                queries.micros(&device, encoder, passes)
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
    /// Runs the plan until the device is awake, and then takes the time of `n` runs in a row on the same buffers, in microseconds.
    ///
    /// # Errors
    /// When the device reports an error, or `cancel` became true between two submissions.
    pub fn bench(self: &Arc<Self>, n: usize, cancel: &AtomicBool) -> Result<Vec<f64>, GpuError> {
        let samples = Rotation { sets: vec![self.clone()], next: 0 }.kernels(n, Clock::Device, cancel)?;
        Ok(samples.into_iter().map(|sample| sample.micros).collect())
    }

    /// Bytes of the buffers that the launches read and write.
    fn bytes(&self) -> u64 {
        [Slot::Input, Slot::Even, Slot::Odd].into_iter().filter_map(|slot| self.held(slot)).map(wgpu::Buffer::size).sum()
    }

    /// The same plan with buffers of its own and the same input.
    fn twin(&self, plan: &Plan, schedule: &Schedule) -> Result<Self, GpuError> {
        let twin = self.device.prepare_in(plan, schedule, Kernels::Fast, self.precision)?;
        self.device.guarded(|| {
            let mut encoder = self.device.wgpu().create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("twin") });
            let (from, to) = (self.slot(Slot::Input), twin.slot(Slot::Input));
            encoder.copy_buffer_to_buffer(from, 0, to, 0, from.size());
            self.device.queue().submit([encoder.finish()]);
            self.device.wait()
        })?;
        Ok(twin)
    }
}

/// Repeats `work` until the device is awake, and gives what it came to then; `work` is told how often to run at once.
fn awake<T>(device: &Device, mut work: impl FnMut(usize) -> Result<T, GpuError>) -> Result<T, GpuError> {
    let begin = Instant::now();
    let mut result = work(1)?;
    if device.info().software {
        return Ok(result);
    }
    let mut runs = 1;
    while begin.elapsed() < WAKE_UP {
        let start = Instant::now();
        result = work(runs)?;
        let ratio = BUSY_MICROS / (start.elapsed().as_secs_f64() * 1e6).max(1.0);
        runs = ((runs as f64 * ratio.clamp(0.5, 8.0)) as usize).clamp(1, 4096);
    }
    Ok(result)
}

/// Copies `bytes` bytes (a multiple of 16) of noise from one buffer to another `n` times in a row, once the device is awake, and gives the time of each copy, in microseconds; `None` where the device has no timestamps.
/// Several pairs of buffers that fill `rotated` bytes are used in turn.
///
/// # Errors
/// When the buffers do not fit the device.
pub fn bench_copy(device: &Device, bytes: u64, rotated: u64, n: usize) -> Result<Vec<Option<f64>>, GpuError> {
    let n_vectors = (bytes / 16).max(1);
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST;
    let n_pairs = (rotated / (32 * n_vectors)).clamp(1, MOST_SETS);
    let mut pairs = Vec::new();
    for _ in 0..n_pairs {
        let [source, sink] =
            [device.buffer("the source of a copy", 16 * n_vectors, usage)?, device.buffer("the copy", 16 * n_vectors, usage)?];
        fill(device, &source)?;
        pairs.push(Bindings::simple(device, [&source, &sink], [&[]; 2], &(n_vectors as u32).to_ne_bytes())?);
    }
    let groups = folded_groups((n_vectors as usize).div_ceil(256), device.limits().max_groups);
    let pipeline = device.pipelines().get(device.wgpu(), &Kernel::Copy);
    let mut turn = 0;
    let mut copies = |n: usize, runs: usize| {
        let queries = Queries::new(device, n);
        let mut encoder = device.wgpu().create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("copy") });
        for pass in 0..n {
            queries.pass(&mut encoder, pass, |compute| {
                for _ in 0..runs {
                    pairs[turn % pairs.len()].dispatch(compute, &pipeline, groups);
                    turn += 1;
                }
            });
        }
        let times = queries.micros(device, encoder, n)?;
        Ok(times.into_iter().map(|times| times.map(|[start, end]| (end - start) / runs as f64)).collect::<Vec<_>>())
    };
    device.guarded(|| {
        let warm = awake(device, |runs| copies(runs.clamp(2, Queries::MOST_PASSES), 1))?;
        let shortest = warm.into_iter().flatten().fold(f64::INFINITY, f64::min).max(0.1);
        let runs = (SAMPLE_MICROS / shortest).ceil().clamp(1.0, MOST_RUNS) as usize;
        copies(n.min(Queries::MOST_PASSES), runs)
    })
}

/// Fills a buffer with noise: zeros may be compressed on their way.
fn fill(device: &Device, buffer: &wgpu::Buffer) -> Result<(), GpuError> {
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state
    };
    let noise: Vec<u32> = (0..buffer.size().min(1 << 24) / 4).map(|_| next()).collect();
    device.guarded(|| {
        for offset in (0..buffer.size()).step_by(1 << 24) {
            let length = (buffer.size() - offset).min(1 << 24) as usize;
            device.queue().write_buffer(buffer, offset, &bytemuck::cast_slice(&noise)[..length]);
        }
        device.queue().submit([]);
        device.wait()
    })
}
