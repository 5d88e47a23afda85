//! The bindings of a kernel: the tables and parameters of a lowered plan on the device, and the bind groups.

use super::array::{Array, Extent};
use super::command::Lowered;
use super::device::Device;
use super::division::Division;
use super::error::GpuError;
use crate::plan::{Precision, Ring};
use std::borrow::Cow;
use wgpu::BufferUsages;

/// Bytes between the parameters of two commands: the largest alignment that an adapter may ask for.
const PARAMETERS_PITCH: usize = 256;
/// Bytes of the parameters of one command, as far as kernels see them.
const PARAMETERS: usize = 96;

/// Bytes of a table that holds nothing: a binding holds at least one element.
const NO_TABLE: usize = 128;

/// The tables of a lowered plan on the device.
pub(super) struct TableBuffers {
    stages: wgpu::Buffer,
    pub(super) coefs: wgpu::Buffer,
    roots: wgpu::Buffer,
    parameters: wgpu::Buffer,
}

impl TableBuffers {
    /// The tables; the parameters of the commands come first, those of their copies of lanes follow in the same order.
    pub(super) fn new(device: &Device, lowered: &Lowered) -> Result<Self, GpuError> {
        let lane_bytes = lowered.precision.bytes_per_lane(lowered.ring);
        let copies = lowered.commands.iter().flat_map(|command| command.copies.iter().chain(&command.copies_after)).map(|copy| {
            let ([first, n], mut values) = (copy.words(lane_bytes), [0; PARAMETERS / 4]);
            values[..2].copy_from_slice(&[n, first]);
            values
        });
        let all: Vec<_> = lowered.commands.iter().map(|command| command.uniforms).chain(copies).collect();
        let mut parameters = vec![0_u8; all.len() * PARAMETERS_PITCH];
        for (slot, values) in parameters.chunks_mut(PARAMETERS_PITCH).zip(&all) {
            slot[..PARAMETERS].copy_from_slice(bytemuck::cast_slice(values));
        }
        let [coefs, roots] = [&lowered.coefs, &lowered.roots].map(|table| rounded(table, lowered.precision));
        Self::with(device, [&[], &coefs, &roots], &parameters)
    }

    fn with(device: &Device, tables: [&[u8]; 3], parameters: &[u8]) -> Result<Self, GpuError> {
        let storage = |what, bytes: &[u8]| {
            let padded = if bytes.is_empty() { &[0; NO_TABLE] } else { bytes };
            device.filled(what, padded, BufferUsages::STORAGE)
        };
        let [stages, coefs, roots] = tables;
        Ok(Self {
            stages: storage("the table of stages", stages)?,
            coefs: storage("the table of coefficients", coefs)?,
            roots: storage("the table of roots", roots)?,
            parameters: device.filled("the parameters of the kernels", parameters, BufferUsages::UNIFORM)?,
        })
    }

    /// How the table of coefficients is held. Kernels that work in place get it as the array that they read.
    pub(super) fn coefs_extent(lowered: &Lowered) -> Extent {
        let of_pair = lowered.precision.bytes_per_lane(Ring::Complex);
        let bytes = if lowered.coefs.is_empty() { NO_TABLE } else { lowered.coefs.len() * of_pair };
        Extent { bytes: bytes as u64, is_whole: true }
    }

    pub(super) fn bind(&self, device: &Device, [source, sink]: [&Array; 2], command: usize) -> Bindings {
        use wgpu::BindingResource::{Buffer, BufferArray};
        let parameters = wgpu::BufferBinding {
            buffer: &self.parameters,
            offset: (command * PARAMETERS_PITCH) as u64,
            size: wgpu::BufferSize::new(PARAMETERS as u64),
        };
        let division = device.division([source, sink].map(Array::extent));
        let parts = division.map(|division| [source, sink].map(|array| array.parts(&division)));
        let entry = |binding, resource| wgpu::BindGroupEntry { binding, resource };
        let mut entries = vec![entry(5, Buffer(parameters))];
        entries
            .extend((2..).zip([&self.stages, &self.coefs, &self.roots]).map(|(binding, table)| entry(binding, table.as_entire_binding())));
        let mut second = Vec::new();
        for (array, whole) in [source, sink].into_iter().enumerate() {
            match (&division, &parts) {
                (Some(division), Some(parts)) if division.as_bindings => second.push(entry(array as u32, BufferArray(&parts[array]))),
                (Some(division), Some(parts)) => {
                    let of_part = |(part, bound)| entry(division.binding(array as u32, part), Buffer(bound));
                    entries.extend(parts[array].iter().cloned().enumerate().map(of_part));
                }
                _ => entries.push(entry(array as u32, whole.buffers()[0].as_entire_binding())),
            }
        }
        let layouts = device.pipelines().layouts(device.wgpu(), division);
        let all = layouts.groups.iter().zip([entries, second]);
        let groups = all
            .map(|(layout, entries)| {
                device.wgpu().create_bind_group(&wgpu::BindGroupDescriptor { label: Some("kernel"), layout, entries: &entries })
            })
            .collect();
        Bindings { groups, division }
    }
}

/// The buffers that a kernel reads and writes.
pub(super) struct Bindings {
    groups: Vec<wgpu::BindGroup>,
    /// How the kernel sees these arrays.
    pub(super) division: Option<Division>,
}

impl Bindings {
    /// Bindings of a kernel outside a plan, with up to two tables of its own and at most 96 bytes of parameters.
    pub(super) fn simple(device: &Device, arrays: [&Array; 2], tables: [&[u8]; 2], parameters: &[u8]) -> Result<Self, GpuError> {
        let mut padded = [0; PARAMETERS];
        padded[..parameters.len()].copy_from_slice(parameters);
        let tables = TableBuffers::with(device, [tables[0], tables[1], &[]], &padded)?;
        device.guarded(|| Ok(tables.bind(device, arrays, 0)))
    }

    pub(super) fn dispatch(&self, compute: &mut wgpu::ComputePass<'_>, pipeline: &wgpu::ComputePipeline, groups: [u32; 2]) {
        compute.set_pipeline(pipeline);
        self.groups.iter().zip(0..).for_each(|(group, index)| compute.set_bind_group(index, group, &[]));
        compute.dispatch_workgroups(groups[0], groups[1], 1);
    }
}

/// The bytes of a table in a precision.
fn rounded(table: &[[f64; 2]], precision: Precision) -> Cow<'_, [u8]> {
    match precision {
        Precision::Single => {
            let single: Vec<f32> = table.as_flattened().iter().map(|&part| part as f32).collect();
            Cow::Owned(bytemuck::cast_slice(&single).to_vec())
        }
        Precision::Double => Cow::Borrowed(bytemuck::cast_slice(table)),
    }
}
