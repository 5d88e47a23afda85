//! The open devices, and what they keep from run to run.

use super::lanes::Memory;
use super::{Backend, DeviceChoice, EngineError, Measured, MeasuredEntry};
use crate::cpu::{CpuBackend, LoopOrder};
use crate::gpu::{Device, GpuError, KernelChoice, Prepared, Selection};
use crate::plan::{Plan, Precision};
use crate::schedule::Schedule;
use crate::signal::FileError;
use std::sync::Arc;

/// The open devices, the plan that was prepared last, and the memory in which the CPU runs plans. Opening, preparing and first touches cost far more than a run.
#[derive(Default)]
pub struct Devices {
    open: Vec<(Selection, Result<Device, GpuError>)>,
    prepared: Option<Ready>,
    measured: Measured,
    memory: Memory,
}

/// A prepared plan with its device and schedule.
struct Ready {
    device: Device,
    plan: Arc<Plan>,
    schedule: Arc<Schedule>,
    prepared: Arc<Prepared>,
}

impl Devices {
    /// No device open yet, and automatic choices guided by what was `measured`.
    pub fn knowing(measured: Measured) -> Self {
        Self { measured, ..Self::default() }
    }

    /// The times that were measured on this machine.
    pub fn measured(&self) -> &Measured {
        &self.measured
    }

    /// The memory in which the CPU runs plans.
    pub(super) fn memory(&mut self) -> &mut Memory {
        &mut self.memory
    }

    /// Keeps measured times for later choices.
    ///
    /// # Errors
    /// When the file cannot be written; the times are still known until the program ends.
    pub fn remember(&mut self, entry: MeasuredEntry) -> Result<(), FileError> {
        self.measured.remember(entry)
    }

    /// Runs `work` without measured times.
    pub(super) fn without_measured<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let measured = std::mem::take(&mut self.measured);
        let done = work(self);
        self.measured = measured;
        done
    }

    /// The backend for `choice` on this machine, and the reason if the choice was automatic.
    ///
    /// # Errors
    /// When there is no such device, or it does not open.
    pub fn backend(&mut self, choice: &DeviceChoice) -> Result<(Backend, &'static str), EngineError> {
        let selection = match choice {
            DeviceChoice::Cpu => return Ok((Backend::Cpu(CpuBackend::Sequential(LoopOrder::Local)), "")),
            DeviceChoice::CpuStrided => return Ok((Backend::Cpu(CpuBackend::Sequential(LoopOrder::Strided)), "")),
            DeviceChoice::CpuParallel => return Ok((Backend::Cpu(CpuBackend::Parallel), "")),
            DeviceChoice::Auto => Selection::Hardware,
            DeviceChoice::Gpu => Selection::Any,
            DeviceChoice::Adapter(name) => name.parse().map_or_else(|_| Selection::Name(name.clone()), Selection::Index),
        };
        match (choice, self.device(&selection)) {
            (DeviceChoice::Auto, Err(_)) => Ok((Backend::Cpu(CpuBackend::Parallel), "no hardware GPU")),
            (DeviceChoice::Auto, Ok(device)) => Ok((Backend::Gpu(device), "the first hardware GPU")),
            (_, device) => Ok((Backend::Gpu(device?), "")),
        }
    }

    /// The plan, ready to run on `device`, and whether it was ready before. The newest one is kept.
    pub(super) fn prepare(
        &mut self,
        device: &Device,
        plan: &Arc<Plan>,
        schedule: &Arc<Schedule>,
        precision: Precision,
    ) -> Result<(Arc<Prepared>, bool), EngineError> {
        if let Some(ready) = &self.prepared
            && (ready.device.info(), &ready.plan, &ready.schedule) == (device.info(), plan, schedule)
            && ready.prepared.precision() == precision
        {
            return Ok((ready.prepared.clone(), true));
        }
        // The old buffers are freed first, so that a large plan can follow another.
        self.prepared = None;
        let prepared = Arc::new(device.prepare_in(plan, schedule, KernelChoice::Fast, precision)?);
        self.prepared = Some(Ready { device: device.clone(), plan: plan.clone(), schedule: schedule.clone(), prepared: prepared.clone() });
        Ok((prepared, false))
    }

    fn device(&mut self, selection: &Selection) -> Result<Device, GpuError> {
        if let Some((_, opened)) = self.open.iter().find(|(known, _)| known == selection) {
            return opened.clone();
        }
        let opened = Device::open(selection);
        self.open.push((selection.clone(), opened.clone()));
        opened
    }
}
