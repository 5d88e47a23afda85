//! Keeps a GPU awake: copies in its memory, encoded once and long to run, so that it never waits for the host.

use crate::gpu::bindings::Bindings;
use crate::gpu::command::folded_groups;
use crate::gpu::device::Device;
use crate::gpu::error::GpuError;
use crate::gpu::services::copy;
use std::time::{Duration, Instant};

/// How long hardware works before its times count: a GPU that has nothing to do lowers its clocks, to a fifth on some, and takes most of this time to raise them again.
const WAKE_UP: Duration = Duration::from_millis(1000);
/// The same of a device whose clocks were up within the last [`AWAKE`]: until it is known how many copies fill a submission.
const STIR: Duration = Duration::from_millis(60);
/// How long clocks stay up: an NVIDIA H200 keeps them for a second without work, and has lowered them after three.
const AWAKE: Duration = Duration::from_millis(500);
/// How long the copies of one submission take.
const BUSY: Duration = Duration::from_millis(20);
/// Copies of one submission at most.
const MOST_COPIES: usize = 1 << 14;
/// Bytes of a copy.
const BYTES: u64 = 1 << 25;

/// Work for a GPU that has nothing else to do.
pub(super) struct WarmUp {
    device: Device,
    bindings: Bindings,
    pipeline: wgpu::ComputePipeline,
    groups: [u32; 2],
    /// Copies of one submission.
    n: usize,
}

impl WarmUp {
    /// Such work, where the device is hardware: a program is always awake.
    pub(super) fn new(device: &Device) -> Result<Option<Self>, GpuError> {
        if device.info().software {
            return Ok(None);
        }
        let bytes = BYTES.min(device.info().max_binding_bytes).min(device.info().max_buffer_bytes);
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST;
        let [source, sink] = [device.array("the source of a load", bytes, usage)?, device.array("the load", bytes, usage)?];
        let n_vectors = bytes / 16;
        Ok(Some(Self {
            bindings: Bindings::simple(device, [&source, &sink], [&[]; 2], &(n_vectors as u32).to_ne_bytes())?,
            pipeline: device.guarded(|| Ok(device.pipelines().get(device.wgpu(), (&copy(), None))))?,
            groups: folded_groups((n_vectors as usize).div_ceil(256), device.limits().max_groups),
            device: device.clone(),
            n: 16,
        }))
    }

    /// Copies that keep the device busy for a while.
    pub(super) fn commands(&self) -> wgpu::CommandBuffer {
        let mut encoder = self.device.wgpu().create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("load") });
        let mut compute = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        for _ in 0..self.n {
            self.bindings.dispatch(&mut compute, &self.pipeline, self.groups);
        }
        drop(compute);
        encoder.finish()
    }

    /// Keeps the device busy until its clocks are up.
    pub(super) fn wake(&mut self) -> Result<(), GpuError> {
        let begin = Instant::now();
        let time = if self.device.was_awake_within(AWAKE) { STIR } else { WAKE_UP };
        while begin.elapsed() < time {
            let commands = self.commands();
            let start = Instant::now();
            self.device.queue().submit([commands]);
            self.device.wait()?;
            let ratio = BUSY.as_secs_f64() / start.elapsed().as_secs_f64().max(1e-6);
            self.n = ((self.n as f64 * ratio.clamp(0.5, 4.0)) as usize).clamp(1, MOST_COPIES);
        }
        self.device.note_awake();
        Ok(())
    }
}
