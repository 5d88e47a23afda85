//! Several inputs of one plan: each has a buffer of its own, and all share the buffers behind it.

use super::command::Slot;
use super::device::Device;
use super::error::GpuError;
use super::lower::KernelChoice;
use super::prepared::Prepared;
use crate::plan::{Plan, Precision};
use crate::schedule::Schedule;
use num_complex::Complex32;
use std::sync::atomic::AtomicBool;

/// A plan in single precision with several inputs.
pub struct Inputs(Vec<Prepared>);

impl Device {
    /// Prepares a plan of complex lanes for `n` inputs. Where `outputs` is twice the outputs of the plan, every lane of a result is read as two real samples.
    ///
    /// # Errors
    /// As [`Device::prepare`].
    pub fn prepare_inputs(&self, plan: &Plan, schedule: &Schedule, n: usize, outputs: usize) -> Result<Inputs, GpuError> {
        let mut inputs: Vec<Prepared> = Vec::with_capacity(n);
        for _ in 0..n {
            let prepared = self.prepare_beside(plan, schedule, KernelChoice::Fast, Precision::Single, inputs.first())?;
            inputs.push(if outputs == 2 * plan.outputs { prepared.with_pairs() } else { prepared });
        }
        Ok(Inputs(inputs))
    }
}

impl Inputs {
    /// Writes the first lanes of an input.
    ///
    /// # Errors
    /// When there are more values than lanes, the device reports an error, or `cancel` becomes true between two chunks.
    ///
    /// # Panics
    /// When there is no such input.
    pub fn write(&self, input: usize, values: &[Complex32], cancel: &AtomicBool) -> Result<(), GpuError> {
        let prepared = &self.0[input];
        prepared.check_lanes(values.len())?;
        prepared.device.write(prepared.slot(Slot::Input), bytemuck::cast_slice(values), cancel)
    }

    /// Writes real numbers into the lanes of all inputs from `first` on; they reach the device once.
    ///
    /// # Errors
    /// As [`Inputs::write`].
    pub fn write_reals(&self, first: usize, values: &[f32], cancel: &AtomicBool) -> Result<(), GpuError> {
        let Some(one) = self.0.first() else { return Ok(()) };
        one.check_lanes(first + values.len())?;
        let scratch = one.scratch()?;
        one.device.write(&scratch, bytemuck::cast_slice(values), cancel)?;
        self.0.iter().try_for_each(|prepared| prepared.expand(&scratch, first, values.len()))
    }

    /// Runs the plan on an input; the result is that of what is returned, until another input runs.
    ///
    /// # Errors
    /// As [`Prepared::run`].
    ///
    /// # Panics
    /// When there is no such input.
    pub fn run(&self, input: usize, cancel: &AtomicBool) -> Result<&Prepared, GpuError> {
        self.0[input].run(cancel)?;
        Ok(&self.0[input])
    }

    /// How many inputs there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
