//! The open devices, which all who compute share, and what each of them keeps from run to run.

use super::lane_memory::Memory;
use super::worker::locked;
use super::{Backend, DeviceChoice, EngineError, Measured, MeasuredEntry};
use crate::cpu::CpuBackend;
use crate::gpu::{Device, GpuError, KernelChoice, Prepared, Selection, Uploads, WeakDevice};
use crate::plan::{Plan, Precision};
use crate::schedule::Schedule;
use crate::signal::{FileError, memory_limit};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::{Duration, Instant};

/// The devices that are open in this program. Whoever uses one keeps it open.
#[derive(Default)]
struct Shared {
    open: Vec<(Selection, WeakDevice)>,
    /// The opening that failed last, its error and its time.
    failed: Option<(Selection, GpuError, Instant)>,
    /// When a device was lost or ran out of memory, so that automatic choices take the CPU for a while.
    gave_up: Option<Instant>,
}

/// The open devices of the program: all who compute on a device share its cache of kernels, and hear together that it is lost.
static OF_THE_PROGRAM: LazyLock<Arc<Mutex<Shared>>> = LazyLock::new(Arc::default);

/// The open devices, the plan that was prepared last, and the memory in which the CPU runs plans. Opening, preparing and first touches cost far more than a run.
pub struct Devices {
    shared: Arc<Mutex<Shared>>,
    /// The devices that were used here, which stay open as long as this value.
    open: Vec<(Selection, Device)>,
    prepared: Option<Ready>,
    measured: Measured,
    memory: Memory,
    /// Counts the jobs that run here.
    counter: Option<Arc<AtomicUsize>>,
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
    uploads: Uploads,
    prepared: Arc<Prepared>,
}

impl Default for Devices {
    fn default() -> Self {
        Self::among(OF_THE_PROGRAM.clone())
    }
}

impl Devices {
    /// Uses no device yet; takes those that are open here before it opens one.
    fn among(shared: Arc<Mutex<Shared>>) -> Self {
        Self { shared, open: Vec::new(), prepared: None, measured: Measured::default(), memory: Memory::default(), counter: None }
    }

    /// Devices that nobody else in the program uses, as a test needs that ends them.
    pub fn apart() -> Self {
        Self::among(Arc::default())
    }

    /// Uses no device yet; `measured` times guide automatic choices.
    pub fn knowing(measured: Measured) -> Self {
        Self { measured, ..Self::default() }
    }

    /// Counts the jobs that run here from now on, or counts no longer.
    pub(super) fn count_in(&mut self, counter: Option<Arc<AtomicUsize>>) {
        self.counter = counter;
    }

    /// Counts a job that runs.
    pub(super) fn count_run(&self) {
        if let Some(counter) = &self.counter {
            counter.fetch_add(1, Ordering::Relaxed);
        }
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
    /// When the device does not exist, or it does not open.
    pub fn backend(&mut self, choice: &DeviceChoice) -> Result<(Backend, &'static str), EngineError> {
        if let Some(cpu_backend) = choice.cpu() {
            return Ok((Backend::Cpu(cpu_backend), ""));
        }
        let selection = match choice {
            DeviceChoice::Auto => Selection::Hardware,
            DeviceChoice::Adapter(name) => name.parse().map_or_else(|_| Selection::Name(name.clone()), Selection::Index),
            _ => Selection::Any,
        };
        let device = self.device(&selection);
        let gave_up = locked(&self.shared).gave_up.is_some_and(|since| since.elapsed() < RETRY_AFTER);
        match (choice, device) {
            (DeviceChoice::Auto, _) if gave_up => Ok((Backend::Cpu(CpuBackend::Parallel), GAVE_UP)),
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
        (precision, uploads): (Precision, Uploads),
    ) -> Result<(Arc<Prepared>, bool), EngineError> {
        if let Some(ready) = &self.prepared
            && ready.device.is(device)
            && (&ready.plan, &ready.schedule) == (plan, schedule)
            && (ready.prepared.precision(), ready.uploads) == (precision, uploads)
        {
            return Ok((ready.prepared.clone(), true));
        }
        // The old buffers are freed first, so that a large plan can follow another.
        self.prepared = None;
        let prepared = Arc::new(device.prepare_in(plan, schedule, KernelChoice::Fast, precision)?.uploading(uploads));
        let (device, plan, schedule) = (device.clone(), plan.clone(), schedule.clone());
        self.prepared = Some(Ready { device, plan, schedule, uploads, prepared: prepared.clone() });
        Ok((prepared, false))
    }

    /// Frees the plan that was prepared last, so that the next run makes its buffers anew.
    pub(crate) fn free_buffers(&mut self) {
        self.prepared = None;
    }

    fn device(&mut self, selection: &Selection) -> Result<Device, GpuError> {
        self.open.retain(|(_, device)| !device.is_lost());
        if let Some((_, opened)) = self.open.iter().find(|(known, _)| known == selection) {
            return Ok(opened.clone());
        }
        // A second caller waits until the first one has opened the device.
        let mut shared = locked(&self.shared);
        let opened = shared.device(selection)?;
        self.open.push((selection.clone(), opened.clone()));
        Ok(opened)
    }

    /// Runs `work` on the device of a choice. Where the device is lost or full, `work` runs again, once; an automatic choice takes the CPU in the end.
    ///
    /// # Errors
    /// Those of `work`.
    pub(super) fn surviving<T>(
        &mut self,
        choice: &DeviceChoice,
        mut work: impl FnMut(&mut Self) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        for gives_up in [false, true] {
            match work(self) {
                Err(error) if error.is_lost_device() => {
                    self.close(&error, gives_up);
                    if gives_up && *choice != DeviceChoice::Auto {
                        return Err(error);
                    }
                }
                done => return done,
            }
        }
        work(self)
    }

    /// Gives up the devices that were used here after an error of one, so that the next job opens a lost one anew. The others that share it do the same.
    /// Automatic choices take the CPU for a while where `gives_up`.
    pub(super) fn close(&mut self, error: &EngineError, gives_up: bool) {
        // A device without memory is not lost: what others have there stays. Of all who lose a device, the first one says so.
        let is_full = matches!(error, EngineError::Gpu(GpuError::OutOfMemory { .. }));
        if is_full || self.open.iter().filter(|(_, device)| device.mark_lost()).count() > 0 {
            log::warn!("work begins anew on its device: {error}");
        }
        (self.open, self.prepared) = (Vec::new(), None);
        if gives_up {
            locked(&self.shared).gave_up = Some(Instant::now());
        }
    }
}

impl Shared {
    /// The device of a selection: one that is open, or else it is opened.
    fn device(&mut self, selection: &Selection) -> Result<Device, GpuError> {
        let usable = |device: &WeakDevice| device.upgrade().filter(|device| !device.is_lost());
        self.open.retain(|(_, device)| usable(device).is_some());
        if let Some(opened) = self.open.iter().find_map(|(known, device)| usable(device).filter(|_| known == selection)) {
            return Ok(opened);
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
        let others: Vec<_> = self.open.iter().filter_map(|(_, device)| usable(device)).collect();
        match Device::open_beside(selection, &others) {
            Ok(opened) => {
                self.open.push((selection.clone(), opened.downgrade()));
                Ok(opened)
            }
            Err(error) => {
                self.failed = Some((selection.clone(), error.clone(), Instant::now()));
                Err(error)
            }
        }
    }
}

#[cfg(test)]
#[path = "devices/tests.rs"]
mod tests;
