//! The clock of the device: timestamps around compute passes.

use super::device::Device;
use super::error::GpuError;
use crate::threads::Reserved;
use std::sync::atomic::AtomicBool;
use wgpu::BufferUsages;

/// Timestamps at both ends of every pass of a submission, where the device has them.
pub(super) struct Queries {
    device: Device,
    timestamps: Option<Timestamps>,
}

/// A query set, and the buffer in which its timestamps become numbers. The device keeps both for the next submission, as making them takes as long as a small run.
pub(super) struct Timestamps {
    set: wgpu::QuerySet,
    resolved: wgpu::Buffer,
}

impl Drop for Queries {
    fn drop(&mut self) {
        self.device.timestamps().extend(self.timestamps.take());
    }
}

impl Queries {
    /// A query set holds 4096 timestamps.
    pub(super) const MOST_PASSES: usize = 2048;

    /// For one submission.
    ///
    /// # Errors
    /// When the device has no memory for the timestamps.
    pub(super) fn new(device: &Device) -> Result<Self, GpuError> {
        let kept = device.timestamps().pop();
        let timestamps = match kept {
            None if device.info().timestamps => Some(Timestamps::new(device)?),
            kept => kept,
        };
        Ok(Self { device: device.clone(), timestamps })
    }

    /// Encodes pass number `index`.
    pub(super) fn pass(&self, encoder: &mut wgpu::CommandEncoder, index: usize, encode: impl FnOnce(&mut wgpu::ComputePass<'_>)) {
        let timestamp_writes = self.timestamps.as_ref().map(|Timestamps { set, .. }| wgpu::ComputePassTimestampWrites {
            query_set: set,
            beginning_of_pass_write_index: Some(2 * index as u32),
            end_of_pass_write_index: Some(2 * index as u32 + 1),
        });
        encode(&mut encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: Some("launch"), timestamp_writes }));
    }

    /// Submits the passes, waits, and gives the start and the end of each in microseconds after the first start.
    ///
    /// # Errors
    /// When the device reports an error, or `cancel` becomes true.
    pub(super) fn micros(
        &self,
        mut encoder: wgpu::CommandEncoder,
        n_passes: usize,
        cancel: &AtomicBool,
    ) -> Result<Vec<Option<[f64; 2]>>, GpuError> {
        let device = &self.device;
        let Some(Timestamps { set, resolved }) = &self.timestamps else {
            device.queue().submit([encoder.finish()]);
            device.wait_for(None, cancel)?;
            return Ok(vec![None; n_passes]);
        };
        encoder.resolve_query_set(set, 0..2 * n_passes as u32, resolved, 0);
        let ticks =
            device.read(Some(encoder), &resolved.clone().into(), 0, (n_passes, Reserved::default()), |pass: [u64; 2]| pass, cancel)?;
        let first = ticks.iter().map(|[start, _]| *start).min().unwrap_or(0);
        let micros = |tick: u64| tick.saturating_sub(first) as f64 * f64::from(device.queue().get_timestamp_period()) / 1000.0;
        Ok(ticks.into_iter().map(|pass| Some(pass.map(micros))).collect())
    }
}

impl Timestamps {
    fn new(device: &Device) -> Result<Self, GpuError> {
        let count = 2 * Queries::MOST_PASSES as u32;
        let descriptor = wgpu::QuerySetDescriptor { label: Some("launches"), ty: wgpu::QueryType::Timestamp, count };
        let resolved = device.buffer("timestamps", 8 * u64::from(count), BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC)?;
        Ok(Self { set: device.wgpu().create_query_set(&descriptor), resolved })
    }
}
