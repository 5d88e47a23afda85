//! The calls before the first launch, each with its time: the list that Figure 5.9 of Sörman 2016 has for four technologies, for wgpu.

use super::error::GpuError;
use super::waiting::PATIENCE;
use std::time::Instant;

/// Points of the transform whose first stage is launched.
const POINTS: u32 = 16384;
/// Threads of a workgroup.
const THREADS: u32 = 256;
/// The first stage of the global kernel: one butterfly a thread, twiddles computed in the thread.
const GLOBAL_KERNEL: &str = "
@group(0) @binding(0) var<storage, read_write> data: array<vec2f, 16384>;

@compute @workgroup_size(256)
fn global_kernel(@builtin(global_invocation_id) id: vec3u) {
    let low = data[id.x];
    let high = data[id.x + 8192u];
    let angle = -6.2831855 / 16384.0 * f32(id.x);
    let difference = low - high;
    let twiddle = vec2f(cos(angle), sin(angle));
    data[id.x] = low + high;
    data[id.x + 8192u] = vec2f(difference.x * twiddle.x - difference.y * twiddle.y, difference.x * twiddle.y + difference.y * twiddle.x);
}
";

/// A call before the first launch is done.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct SetupCall {
    /// The function of wgpu.
    pub call: &'static str,
    /// Its action.
    pub what: &'static str,
    /// Its time in µs.
    pub micros: f64,
}

/// Sets up the default adapter from nothing, launches one kernel, and times every call.
///
/// # Errors
/// Without an adapter, or when it does not open.
pub fn timed_setup() -> Result<Vec<SetupCall>, GpuError> {
    super::room::to_open(1)?;
    let mut calls = Vec::new();
    let mut last = Instant::now();
    let mut note = |call, what| {
        calls.push(SetupCall { call, what, micros: last.elapsed().as_secs_f64() * 1e6 });
        last = Instant::now();
    };
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
        backends: wgpu::Backends::PRIMARY,
        flags: wgpu::InstanceFlags::empty(),
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    });
    note("Instance::new", "loads the backends");
    let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default())).map_err(|_| GpuError::NoAdapter)?;
    note("request_adapter", "selects the adapter");
    let failed = |error: wgpu::RequestDeviceError| GpuError::Open { adapter: adapter.get_info().name, reason: error.to_string() };
    let descriptor = wgpu::DeviceDescriptor { required_limits: adapter.limits(), ..wgpu::DeviceDescriptor::default() };
    let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).map_err(failed)?;
    note("request_device", "opens it, with a queue");
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST;
    let size = u64::from(POINTS) * 8;
    let buffer = device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false });
    note("create_buffer", "allocates memory");
    queue.write_buffer(&buffer, 0, &vec![0; size as usize]);
    note("write_buffer", "copies the samples for the upload");
    let module =
        device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source: wgpu::ShaderSource::Wgsl(GLOBAL_KERNEL.into()) });
    note("create_shader_module", "reads and checks the kernel");
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: None,
        layout: None,
        module: &module,
        entry_point: Some("global_kernel"),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    note("create_compute_pipeline", "compiles it");
    let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &pipeline.get_bind_group_layout(0),
        entries: &[wgpu::BindGroupEntry { binding: 0, resource: buffer.as_entire_binding() }],
    });
    note("create_bind_group", "binds the buffer");
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    note("create_command_encoder", "begins a list of commands");
    let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
    pass.set_pipeline(&pipeline);
    pass.set_bind_group(0, &group, &[]);
    pass.dispatch_workgroups(POINTS / 2 / THREADS, 1, 1);
    drop(pass);
    note("dispatch_workgroups", "writes the launch into it");
    queue.submit([encoder.finish()]);
    note("submit", "hands it to the driver");
    let reported = |error: wgpu::PollError| GpuError::Device { adapter: adapter.get_info().name, reason: error.to_string() };
    device.poll(wgpu::PollType::Wait { submission_index: None, timeout: Some(PATIENCE) }).map_err(reported)?;
    note("poll", "waits for the upload and the launch");
    Ok(calls)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_call_before_the_first_launch_is_timed() {
        let calls = timed_setup().expect("there is an adapter");
        assert_eq!(calls.len(), 12);
        assert!(calls.iter().all(|call| call.micros >= 0.0) && calls.iter().map(|call| call.micros).sum::<f64>() > 0.0, "{calls:?}");
        let compiles = calls.iter().find(|call| call.call == "create_compute_pipeline").expect("it compiles");
        assert!(compiles.micros > 0.0);
    }
}
