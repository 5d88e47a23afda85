//! Compiled kernels, each made once while it is in use: the cache's key is the kernel with its constants.
//!
//! All kernels share one layout of bindings: source, sink, a table of the kernel's own, coefficients, roots, parameters.

use super::kernel::Kernel;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// The pipelines of one device.
pub(super) struct Pipelines {
    layout: wgpu::BindGroupLayout,
    pipeline_layout: wgpu::PipelineLayout,
    compiled: Mutex<Compiled>,
}

/// The kernels that were used last.
#[derive(Default)]
struct Compiled {
    /// With the number of the request that used it last.
    pipelines: HashMap<Kernel, (wgpu::ComputePipeline, u64)>,
    n_requests: u64,
}

/// Most kernels that are kept. A pipeline with its module takes some 200 KiB, each of the window's eight workers has a device, and a plan has some
/// dozen kernels.
const MOST_KEPT: usize = 32;

impl Pipelines {
    pub(super) fn new(device: &wgpu::Device) -> Self {
        let storage = |read_only| wgpu::BufferBindingType::Storage { read_only };
        let types = [storage(true), storage(false), storage(true), storage(true), storage(true), wgpu::BufferBindingType::Uniform];
        let entries: Vec<_> = types
            .into_iter()
            .enumerate()
            .map(|(binding, ty)| wgpu::BindGroupLayoutEntry {
                binding: binding as u32,
                visibility: wgpu::ShaderStages::COMPUTE,
                ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None },
                count: None,
            })
            .collect();
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some("kernel"), entries: &entries });
        let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("kernel"),
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        Self { layout, pipeline_layout, compiled: Mutex::default() }
    }

    /// The layout of the bindings, for bind groups.
    pub(super) fn layout(&self) -> &wgpu::BindGroupLayout {
        &self.layout
    }

    /// The pipeline of a kernel, compiled at its first use.
    pub(super) fn get(&self, device: &wgpu::Device, kernel: &Kernel) -> wgpu::ComputePipeline {
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        compiled.n_requests += 1;
        let now = compiled.n_requests;
        if let Some((pipeline, used)) = compiled.pipelines.get_mut(kernel) {
            *used = now;
            return pipeline.clone();
        }
        if compiled.pipelines.len() >= MOST_KEPT {
            let oldest = compiled.pipelines.iter().min_by_key(|(_, (_, used))| *used).map(|(kernel, _)| kernel.clone());
            oldest.and_then(|kernel| compiled.pipelines.remove(&kernel));
        }
        let module = unchecked_module(device, kernel);
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(kernel.entry_point),
            layout: Some(&self.pipeline_layout),
            module: &module,
            entry_point: Some(kernel.entry_point),
            compilation_options: wgpu::PipelineCompilationOptions {
                // Every kernel writes its workgroup memory before it reads it.
                zero_initialize_workgroup_memory: false,
                ..Default::default()
            },
            cache: None,
        });
        compiled.pipelines.insert(kernel.clone(), (pipeline.clone(), now));
        pipeline
    }
}

/// The only place without checks at run time, which cost up to half of a kernel's speed.
#[allow(unsafe_code, reason = "wgpu takes unchecked modules through an unsafe function")]
fn unchecked_module(device: &wgpu::Device, kernel: &Kernel) -> wgpu::ShaderModule {
    let descriptor =
        wgpu::ShaderModuleDescriptor { label: Some(kernel.entry_point), source: wgpu::ShaderSource::Wgsl(kernel.text().into()) };
    // SAFETY: no text comes from a user; the constants are numbers of plans.
    // Kernels made for stages: `stage::check` refuses every stage whose addresses leave the lanes, and `lower` refuses every tile
    // that does not hold the blocks of its stages, or the bits that they mix; tables are as long as the stages need.
    // Fast kernels: `lower` chooses them only where the rows (and columns) of their stages lie within the lanes, and they
    // compare the index of a line or a pixel with the number of lines or pixels before they load or store.
    // Kronecker and Haar kernels: a workgroup returns where its tile is past the last. Tiles divide the lanes, or every load and store
    // is compared with their number. Vectors of 16 bytes end within the buffers, whose length is a multiple of 16.
    // Every loop counts to a fixed number, and no divisor is zero: positions, groups and lengths are at least 1.
    unsafe { device.create_shader_module_trusted(descriptor, wgpu::ShaderRuntimeChecks::unchecked()) }
}
