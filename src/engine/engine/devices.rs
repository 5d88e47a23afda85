//! The open devices, and what they keep from run to run.

use super::lane_memory::Memory;
use super::{Backend, DeviceChoice, EngineError, Measured, MeasuredEntry};
use crate::cpu::{CpuBackend, LoopOrder};
use crate::gpu::{Device, GpuError, KernelChoice, Prepared, Selection};
use crate::plan::{Plan, Precision};
use crate::schedule::Schedule;
use crate::signal::{FileError, memory_limit};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The open devices, the plan that was prepared last, and the memory in which the CPU runs plans. Opening, preparing and first touches cost far more than a run.
#[derive(Default)]
pub struct Devices {
    open: Vec<(Selection, Device)>,
    /// The opening that failed last, its error and its time.
    failed: Option<(Selection, GpuError, Instant)>,
    /// Whether a device was lost or ran out of memory, so that automatic choices take the CPU for a while.
    gave_up: Option<Instant>,
    prepared: Option<Ready>,
    measured: Measured,
    memory: Memory,
}

/// After this time an opening that failed is tried again, and a device that was given up.
const RETRY_AFTER: Duration = Duration::from_secs(10);

/// No driver is opened where a signal could take less than this: a driver may end the program when an allocation fails inside it.
const LEAST_MEMORY: u64 = 128 << 20;

/// Why the CPU runs what a GPU could.
const GAVE_UP: &str = "the GPU failed, and is tried again later";

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
        let is_recent = |since: &Instant| since.elapsed() < RETRY_AFTER;
        match (choice, self.device(&selection)) {
            (DeviceChoice::Auto, _) if self.gave_up.as_ref().is_some_and(is_recent) => Ok((Backend::Cpu(CpuBackend::Parallel), GAVE_UP)),
            (DeviceChoice::Auto, Err(GpuError::Room { .. })) => Ok((Backend::Cpu(CpuBackend::Parallel), "no room for the driver of a GPU")),
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
            return Ok(opened.clone());
        }
        if let Some((failed, error, since)) = &self.failed
            && failed == selection
            && since.elapsed() < RETRY_AFTER
        {
            return Err(error.clone());
        }
        if memory_limit() < LEAST_MEMORY {
            let reason = "too little memory is free for its driver".into();
            return Err(GpuError::Open { adapter: "the GPU".into(), reason });
        }
        match Device::open(selection) {
            Ok(opened) => {
                self.open.push((selection.clone(), opened.clone()));
                Ok(opened)
            }
            Err(error) => {
                self.failed = Some((selection.clone(), error.clone(), Instant::now()));
                Err(error)
            }
        }
    }

    /// Closes all devices after an error of one, so that the next job opens it anew. Automatic choices take the CPU for a while where `gives_up`.
    pub(super) fn close(&mut self, gives_up: bool) {
        (self.open, self.prepared) = (Vec::new(), None);
        self.gave_up = gives_up.then(Instant::now);
    }
}

#[cfg(test)]
#[path = "devices/tests.rs"]
mod tests;
