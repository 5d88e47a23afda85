//! Several inputs of one plan: each has a buffer of its own, and all share the buffers behind it.

use super::array::Array;
use super::command::BufferSlot;
use super::device::Device;
use super::error::GpuError;
use super::expansion::{Arriving, Expansion};
use super::lower::KernelChoice;
use super::prepared::Prepared;
use crate::plan::{Plan, Precision};
use crate::schedule::Schedule;
use num_complex::Complex32;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

/// A plan in single precision with several inputs, some lanes of which are real and the same in all of them.
pub struct Inputs {
    of: Vec<Prepared>,
    /// The lanes of the real numbers, where these arrive, and what makes the lanes of them.
    reals: Range<usize>,
    scratch: Array,
    expansions: Vec<Expansion>,
}

impl Device {
    /// Prepares a plan of complex lanes for `n` inputs, at least one, whose lanes `reals` hold the same real numbers.
    /// Where `outputs` is twice the outputs of the plan, every lane of a result is read as two real samples.
    ///
    /// # Errors
    /// As [`Device::prepare`], and when the inputs do not have these lanes.
    pub fn prepare_inputs(
        &self,
        plan: &Plan,
        schedule: &Schedule,
        n: usize,
        reals: Range<usize>,
        outputs: usize,
    ) -> Result<Inputs, GpuError> {
        let prepare = |other: Option<&Prepared>| -> Result<Prepared, GpuError> {
            let prepared = self.prepare_beside(plan, schedule, KernelChoice::Fast, Precision::Single, other)?;
            Ok(if outputs == 2 * plan.outputs { prepared.with_pairs() } else { prepared })
        };
        let mut of = vec![prepare(None)?];
        of[0].check_lanes(reals.end)?;
        for _ in 1..n {
            of.push(prepare(of.first())?);
        }
        let scratch = of[0].scratch(Arriving::Reals)?;
        let expansions = of
            .iter()
            .map(|prepared| prepared.expansion(Arriving::Reals, &scratch, BufferSlot::Input, reals.clone()))
            .collect::<Result<_, _>>()?;
        Ok(Inputs { of, reals, scratch, expansions })
    }
}

impl Inputs {
    /// Writes the first lanes of an input.
    ///
    /// # Errors
    /// When there are more values than lanes, the device reports an error, or `cancel` becomes true between two chunks.
    ///
    /// # Panics
    /// When the input does not exist.
    pub fn write(&self, input: usize, values: &[Complex32], cancel: &AtomicBool) -> Result<(), GpuError> {
        let prepared = &self.of[input];
        prepared.check_lanes(values.len())?;
        prepared.device.write(prepared.slot(BufferSlot::Input), 0, &values.into(), &|value| value, cancel)
    }

    /// Writes the real numbers, which reach the device once.
    ///
    /// # Errors
    /// When there is another number of lanes for them, the device reports an error, or `cancel` becomes true between two chunks.
    pub fn write_reals(&self, values: &[f32], cancel: &AtomicBool) -> Result<(), GpuError> {
        if values.len() != self.reals.len() {
            return Err(GpuError::Length { needed: self.reals.len(), given: values.len() });
        }
        let device = &self.of[0].device;
        device.write(&self.scratch, 0, &values.into(), &|value| value, cancel)?;
        self.expansions.iter().try_for_each(|expansion| expansion.submit(device))
    }

    /// Runs the plan on an input; the result is that of what is returned, until another input runs.
    ///
    /// # Errors
    /// As [`Prepared::run`].
    ///
    /// # Panics
    /// When the input does not exist.
    pub fn run(&self, input: usize, cancel: &AtomicBool) -> Result<&Prepared, GpuError> {
        self.of[input].run(cancel)?;
        Ok(&self.of[input])
    }

    /// How many inputs there are.
    pub fn len(&self) -> usize {
        self.of.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }
}
