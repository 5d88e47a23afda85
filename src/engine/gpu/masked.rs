//! The way back of a filter: spectra that stay on the device, times the factors of a mask, through an inverse transform.

use super::bindings::Bindings;
use super::command::{Slot, folded_groups};
use super::device::Device;
use super::error::GpuError;
use super::lower::KernelChoice;
use super::prepared::Prepared;
use super::services::multiply;
use crate::plan::{Plan, Precision};
use crate::schedule::Schedule;
use num_complex::Complex32;
use std::sync::atomic::AtomicBool;
use wgpu::BufferUsages;

/// Threads of a workgroup.
const THREADS: usize = 256;

/// Spectra of one length with an inverse transform in single precision, ready to take any mask.
pub struct MaskedInverse {
    inverse: Prepared,
    /// What multiplies each spectrum.
    bindings: Vec<Bindings>,
    factors: wgpu::Buffer,
    pipeline: wgpu::ComputePipeline,
    groups: [u32; 2],
}

impl Device {
    /// Brings spectra to the device and prepares their inverse transform, which gives `samples` real samples, one or two in a complex lane.
    ///
    /// # Errors
    /// When a spectrum has another length than the input of the plan, the buffers do not fit the device, or `cancel` became true.
    pub fn masked_inverse(
        &self,
        plan: &Plan,
        schedule: &Schedule,
        spectra: &[&[Complex32]],
        samples: usize,
        cancel: &AtomicBool,
    ) -> Result<MaskedInverse, GpuError> {
        let prepared = self.prepare_in(plan, schedule, KernelChoice::Fast, Precision::Single)?;
        let inverse = if 2 * plan.outputs == samples { prepared.with_pairs() } else { prepared };
        let n = plan.inputs;
        let factors = self.buffer("the factors of a mask", (4 * n) as u64, BufferUsages::STORAGE | BufferUsages::COPY_DST)?;
        let binding = |spectrum: &&[Complex32]| {
            if spectrum.len() != n {
                return Err(GpuError::Length { needed: n, given: spectrum.len() });
            }
            let values = self.buffer("a spectrum", (8 * n) as u64, BufferUsages::STORAGE | BufferUsages::COPY_DST)?;
            self.write(&values, bytemuck::cast_slice(spectrum), cancel)?;
            Bindings::with_table(self, [&values, inverse.slot(Slot::Input)], &factors, bytemuck::bytes_of(&(n as u32)))
        };
        let bindings = spectra.iter().map(binding).collect::<Result<_, _>>()?;
        let pipeline = self.guarded(|| Ok(self.pipelines().get(self.wgpu(), &multiply())))?;
        let groups = folded_groups(n.div_ceil(THREADS), self.limits().max_groups);
        Ok(MaskedInverse { inverse, bindings, factors, pipeline, groups })
    }
}

impl MaskedInverse {
    /// The factors of a mask, one a value of a spectrum.
    ///
    /// # Errors
    /// When there is another number of factors, the device reports an error, or `cancel` became true.
    pub fn set_factors(&self, factors: &[f32], cancel: &AtomicBool) -> Result<(), GpuError> {
        let needed = (self.factors.size() / 4) as usize;
        if factors.len() != needed {
            return Err(GpuError::Length { needed, given: factors.len() });
        }
        self.inverse.device.write(&self.factors, bytemuck::cast_slice(factors), cancel)
    }

    /// Multiplies a spectrum by the factors and transforms it; the samples are the result of what is returned.
    ///
    /// # Errors
    /// When the device reports an error, or `cancel` became true.
    ///
    /// # Panics
    /// When there is no such spectrum.
    pub fn run(&self, spectrum: usize, cancel: &AtomicBool) -> Result<&Prepared, GpuError> {
        let device = &self.inverse.device;
        device.guarded(|| {
            let mut encoder = device.wgpu().create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("mask") });
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            self.bindings[spectrum].dispatch(&mut pass, &self.pipeline, self.groups);
            drop(pass);
            device.queue().submit([encoder.finish()]);
            Ok(())
        })?;
        self.inverse.run(cancel)?;
        Ok(&self.inverse)
    }

    /// How many spectra there are.
    pub fn n_spectra(&self) -> usize {
        self.bindings.len()
    }
}
