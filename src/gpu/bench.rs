//! Times that can be compared: many runs in a row on a device that is awake, beside a plain copy of as many bytes, the roof.

use super::bindings::Bindings;
use super::queries::Queries;
use super::run::check;
use super::{Device, GpuError, Kernel, Prepared, Times, lower::folded_groups};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// How long hardware works before its times count: a GPU that has nothing to do lowers its clocks, to a fifth on some, and takes most of this time to raise them again.
const WAKE_UP: Duration = Duration::from_millis(1000);

/// How long the runs between two timestamps take together: an empty pass takes a few microseconds, which short runs share.
const SAMPLE_MICROS: f64 = 300.0;
/// Runs between two timestamps at most.
const MOST_RUNS: f64 = 64.0;

impl Prepared {
    /// Runs the plan until the device is awake, and then `repeats` times in a row.
    /// The time of a launch is that between its own timestamps; the time of a run is a share of several in a row without timestamps between them, as a program would run them.
    ///
    /// # Errors
    /// When the device reports an error, or `cancel` became true between two submissions.
    pub fn bench(&self, repeats: usize, cancel: &AtomicBool) -> Result<Vec<Times>, GpuError> {
        let mut times = awake(&self.device, || self.run_repeated(repeats, cancel))?;
        let shortest = times.iter().filter_map(|run| run.gpu_micros).fold(f64::INFINITY, f64::min);
        if shortest.is_finite() && shortest > 0.0 {
            let runs = (SAMPLE_MICROS / shortest).ceil().clamp(1.0, MOST_RUNS) as usize;
            for (run, micros) in times.iter_mut().zip(self.runs_in_a_row(repeats, runs, cancel)?) {
                run.gpu_micros = micros.or(run.gpu_micros);
            }
        }
        Ok(times)
    }

    /// `repeats` times the microseconds of one of `runs` runs between two timestamps.
    fn runs_in_a_row(&self, repeats: usize, runs: usize, cancel: &AtomicBool) -> Result<Vec<Option<f64>>, GpuError> {
        let at_once = self.runs_at_once().div_ceil(runs).min(Queries::MOST_PASSES);
        let mut times = Vec::with_capacity(repeats);
        while times.len() < repeats {
            check(cancel)?;
            let n = at_once.min(repeats - times.len());
            let passes = self.device.guarded(|| {
                let queries = Queries::new(&self.device, n);
                let mut encoder = self.device.wgpu().create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("runs") });
                for pass in 0..n {
                    queries.pass(&mut encoder, pass, |compute| (0..runs).for_each(|_| self.encode(compute)));
                }
                queries.micros(&self.device, encoder, n)
            })?;
            times.extend(passes.into_iter().map(|pass| pass.map(|[start, end]| (end - start) / runs as f64)));
        }
        Ok(times)
    }
}

/// Repeats `work` until the device is awake, and gives what it came to then.
fn awake<T>(device: &Device, mut work: impl FnMut() -> Result<T, GpuError>) -> Result<T, GpuError> {
    let wake_up = if device.info().software { Duration::ZERO } else { WAKE_UP };
    let start = Instant::now();
    loop {
        // What began while the clocks were rising does not count.
        let awake = start.elapsed() >= wake_up;
        let result = work()?;
        if awake {
            return Ok(result);
        }
    }
}

/// Copies `bytes` bytes (a multiple of 16) of noise from one buffer to another `repeats` times in a row, once the device is awake, and gives the time of each copy, in microseconds; `None` where the device has no timestamps.
///
/// # Errors
/// When the buffers do not fit the device.
pub fn bench_copy(device: &Device, bytes: u64, repeats: usize) -> Result<Vec<Option<f64>>, GpuError> {
    let n_vectors = (bytes / 16).max(1);
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST;
    let [source, sink] = [device.buffer("the source of a copy", 16 * n_vectors, usage)?, device.buffer("the copy", 16 * n_vectors, usage)?];
    fill(device, &source)?;
    let bindings = Bindings::simple(device, [&source, &sink], [&[]; 2], &(n_vectors as u32).to_ne_bytes())?;
    let groups = folded_groups((n_vectors as usize).div_ceil(256), device.limits().max_groups);
    let copies = || {
        let pipeline = device.pipelines().get(device.wgpu(), &Kernel::Copy);
        let (mut times, mut left) = (Vec::with_capacity(repeats), repeats);
        while left > 0 {
            let n = left.min(Queries::MOST_PASSES);
            let queries = Queries::new(device, n);
            let mut encoder = device.wgpu().create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("copy") });
            for pass in 0..n {
                queries.pass(&mut encoder, pass, |compute| bindings.dispatch(compute, &pipeline, groups));
            }
            times.extend(queries.micros(device, encoder, n)?.into_iter().map(|times| times.map(|[start, end]| end - start)));
            left -= n;
        }
        Ok(times)
    };
    device.guarded(|| awake(device, copies))
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
