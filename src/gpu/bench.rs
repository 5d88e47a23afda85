//! The roof: how long a plain copy of as many bytes takes on the device.

use super::run::{Bindings, Queries};
use super::{Device, GpuError, Kernel, lower::folded_groups};

/// Copies `bytes` bytes (a multiple of 16) from one buffer to another `repeats` times and gives the time of each copy, in microseconds; `None` where the device has no timestamps.
///
/// # Errors
/// When the buffers do not fit the device.
pub fn bench_copy(device: &Device, bytes: u64, repeats: usize) -> Result<Vec<Option<f64>>, GpuError> {
    let n_vectors = (bytes / 16).max(1);
    let usage = wgpu::BufferUsages::STORAGE;
    let [source, sink] = [device.buffer("the source of a copy", 16 * n_vectors, usage)?, device.buffer("the copy", 16 * n_vectors, usage)?];
    let bindings = Bindings::simple(device, [&source, &sink], [&[]; 2], &(n_vectors as u32).to_ne_bytes())?;
    let groups = folded_groups((n_vectors as usize).div_ceil(256), device.limits().max_groups);
    let mut times = Vec::with_capacity(repeats);
    device.guarded(|| {
        let pipeline = device.pipelines().get(device.wgpu(), &Kernel::Copy);
        let mut left = repeats;
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
        Ok(())
    })?;
    Ok(times)
}
