//! The clock of the device: timestamps around compute passes.

use super::device::Device;
use super::error::GpuError;
use crate::threads::Reserved;
use std::sync::atomic::AtomicBool;
use wgpu::BufferUsages;

/// Timestamps at both ends of every pass of a submission, where the device has them.
pub(super) struct Queries(Option<wgpu::QuerySet>);

impl Queries {
    /// A query set holds 4096 timestamps.
    pub(super) const MOST_PASSES: usize = 2048;

    pub(super) fn new(device: &Device, n_passes: usize) -> Self {
        let descriptor = wgpu::QuerySetDescriptor { label: Some("launches"), ty: wgpu::QueryType::Timestamp, count: 2 * n_passes as u32 };
        Self(device.info().timestamps.then(|| device.wgpu().create_query_set(&descriptor)))
    }

    /// Encodes pass number `index`.
    pub(super) fn pass(&self, encoder: &mut wgpu::CommandEncoder, index: usize, encode: impl FnOnce(&mut wgpu::ComputePass<'_>)) {
        let timestamp_writes = self.0.as_ref().map(|query_set| wgpu::ComputePassTimestampWrites {
            query_set,
            beginning_of_pass_write_index: Some(2 * index as u32),
            end_of_pass_write_index: Some(2 * index as u32 + 1),
        });
        encode(&mut encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: Some("launch"), timestamp_writes }));
    }

    /// Submits the passes, waits, and gives the start and the end of each in microseconds after the first start.
    pub(super) fn micros(
        &self,
        device: &Device,
        mut encoder: wgpu::CommandEncoder,
        n_passes: usize,
    ) -> Result<Vec<Option<[f64; 2]>>, GpuError> {
        let Some(query_set) = &self.0 else {
            device.queue().submit([encoder.finish()]);
            device.wait()?;
            return Ok(vec![None; n_passes]);
        };
        let bytes = 16 * n_passes as u64;
        let resolved = device.buffer("timestamps", bytes, BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC)?;
        encoder.resolve_query_set(query_set, 0..2 * n_passes as u32, &resolved, 0);
        let whole = AtomicBool::new(false);
        let ticks = device.read(Some(encoder), &resolved.into(), 0, (n_passes, Reserved::default()), |pass: [u64; 2]| pass, &whole)?;
        let first = ticks.iter().map(|[start, _]| *start).min().unwrap_or(0);
        let micros = |tick: u64| tick.saturating_sub(first) as f64 * f64::from(device.queue().get_timestamp_period()) / 1000.0;
        Ok(ticks.into_iter().map(|pass| Some(pass.map(micros))).collect())
    }
}
