//! Times that can be compared: many runs in a row on a device that is awake, beside a plain copy of as many bytes, the roof.

use super::run::{Bindings, Queries};
use super::{Device, GpuError, Kernel, Prepared, Times, lower::folded_groups};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// How long hardware works before its times count: a GPU that has nothing to do lowers its clocks, to a fifth on some, and takes most of this time to raise them again.
const WAKE_UP: Duration = Duration::from_millis(1000);

impl Prepared {
    /// Runs the plan until the device is awake, and then `repeats` times in a row.
    ///
    /// # Errors
    /// When the device reports an error, or `cancel` became true between two submissions.
    pub fn bench(&self, repeats: usize, cancel: &AtomicBool) -> Result<Vec<Times>, GpuError> {
        awake(&self.device, || self.run_repeated(repeats, cancel))
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
