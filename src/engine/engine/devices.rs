//! The open devices, which all who compute share, and what each of them keeps from run to run.

mod beside;
mod shared;

pub use beside::OpensBeside;

use super::candidate::KnownCandidates;
use super::lane_memory::LaneMemory;
use super::speeds::{DeviceState, JobSize, Speeds};
use super::worker::locked;
use super::{Backend, Cut, DeviceChoice, EngineError, Job, Measured, MeasuredEntry, Times};
use crate::cpu::CpuBackend;
use crate::gpu::{AdapterChoice, Device, GpuError, KernelChoice, Prepared, Uploads, WeakDevice, compilations};
use crate::plan::{Plan, Precision};
use crate::schedule::Schedule;
use crate::signal::FileError;
use beside::Opening;
use shared::Shared;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Instant;

/// The open devices of the program: all who compute on a device share its cache of kernels, and hear together that it is lost.
static OF_THE_PROGRAM: LazyLock<Arc<Mutex<Shared>>> = LazyLock::new(Arc::default);

/// The speeds of this machine, to which every run adds.
static SPEEDS: LazyLock<Arc<Mutex<Speeds>>> = LazyLock::new(|| Arc::new(Mutex::new(Speeds::load())));

/// The open devices, the plan that was prepared last, and the memory in which the CPU runs plans. Opening, preparing and first touches cost far more than a run.
pub struct Devices {
    shared: Arc<Mutex<Shared>>,
    /// The devices that were used here, which stay open as long as this value.
    open: Vec<(AdapterChoice, Device)>,
    prepared: Option<Ready>,
    measured: Measured,
    memory: LaneMemory,
    speeds: Arc<Mutex<Speeds>>,
    /// The newest job whose device was left open, whether a GPU ran it, and how many like it came before.
    newest: Option<(JobSize, bool, u32)>,
    /// The algorithms that the newest choice compared.
    known: KnownCandidates,
    /// The newest preparation, until a run tells it.
    new_plan: Option<NewPlan>,
    /// Time in µs that openings took since the newest job.
    opening_micros: f64,
    /// The thread that opens a GPU beside the work, in a window: its results may stay on the device.
    beside: Option<Arc<OpensBeside>>,
    /// The opening of the device of a command that still reads its file.
    opening: Option<Opening>,
    /// Why the GPU refused the work that runs now, so that an automatic choice takes the CPU.
    refusal: Option<String>,
    /// Counts the jobs that run here.
    counter: Option<Arc<AtomicUsize>>,
}

/// Why the CPU runs what a GPU could.
const GAVE_UP: &str = "the GPU failed, and is tried again later";
const NO_GPU: &str = "no hardware GPU";

/// How long it took to prepare a plan.
struct NewPlan {
    micros: f64,
    /// The part of its kernels.
    compile_micros: f64,
    /// Whether these are found on the disk the next time.
    is_kept: bool,
}

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
        Self {
            shared,
            open: Vec::new(),
            prepared: None,
            measured: Measured::default(),
            memory: LaneMemory::default(),
            speeds: SPEEDS.clone(),
            newest: None,
            known: KnownCandidates::default(),
            new_plan: None,
            opening_micros: 0.0,
            beside: None,
            opening: None,
            refusal: None,
            counter: None,
        }
    }

    /// Devices that nobody else in the program uses, as a test needs that ends them.
    pub fn apart() -> Self {
        Self { speeds: Arc::default(), ..Self::among(Arc::default()) }
    }

    /// The same for a window: the CPU answers while a GPU opens, and results may stay on the device.
    #[must_use]
    pub fn opening_beside(self, beside: Arc<OpensBeside>) -> Self {
        Self { beside: Some(beside), ..self }
    }

    /// Uses no device yet; `measured` times guide automatic choices.
    pub fn knowing(measured: Measured) -> Self {
        Self { measured, ..Self::default() }
    }

    /// Keeps what is opened until the process ends, as one command after the other wants: closing a device takes as long as a small job.
    #[must_use]
    pub fn staying_open(self) -> Self {
        locked(&self.shared).kept.get_or_insert_default();
        self
    }

    /// Begins to open the device of a choice, while the caller reads what that is to compute. An open choice may take the CPU, and opens nothing yet.
    #[must_use]
    pub fn opening(mut self, choice: &DeviceChoice) -> Self {
        if *choice != DeviceChoice::Auto && choice.cpu().is_none() {
            self.opening.get_or_insert_with(|| Opening::begin(&self.shared, selection(choice)));
        }
        self
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

    /// Measured times, and the algorithms that were compared last: both guide the choice of an algorithm.
    pub(super) fn guides(&mut self) -> (&Measured, &mut KnownCandidates) {
        (&self.measured, &mut self.known)
    }

    /// The memory in which the CPU runs plans.
    pub(super) fn memory(&mut self) -> &mut LaneMemory {
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

    /// Whether results may stay on the device.
    pub(super) fn keeps_results(&self) -> bool {
        self.beside.is_some()
    }

    /// The backend for a job of this size, and the reason if the choice was automatic: the one that is estimated to give the result sooner.
    ///
    /// # Errors
    /// When the device that was asked for does not exist, or it does not open.
    pub(super) fn backend_for(&mut self, choice: &DeviceChoice, size: JobSize) -> Result<(Backend, String), EngineError> {
        if *choice != DeviceChoice::Auto {
            let (backend, why) = self.backend(choice)?;
            self.newest = Some((size, matches!(backend, Backend::Gpu(_)), 0));
            return Ok((backend, why.into()));
        }
        let opened = self.beside.as_ref().and_then(|beside| beside.take());
        self.open.extend(opened.map(|device| (AdapterChoice::Hardware, device)));
        let (is_prepared, n_alike) = match &self.newest {
            Some((newest, on_gpu, n)) if newest.is_like(&size) => (*on_gpu, n + 1),
            _ => (false, 0),
        };
        let state = DeviceState { is_open: self.has_hardware(), is_prepared, n_alike };
        let compared = locked(&self.speeds).compare(&size, rayon::current_num_threads(), state, &self.measured);
        let (mut backend, mut why) = (Backend::Cpu(CpuBackend::Parallel), compared.reason(false));
        if let Some(refusal) = &self.refusal {
            why.clone_from(refusal);
        } else if self.shared.try_lock().is_ok_and(|shared| shared.has_given_up()) {
            why = GAVE_UP.into();
        } else if self.beside.as_ref().is_some_and(|beside| beside.finds_none()) {
            why = NO_GPU.into();
        } else if !state.is_open
            && let Some(beside) = self.beside.as_ref().filter(|_| compared.is_worth_opening())
        {
            beside.begin(&self.shared);
        } else if compared.takes_gpu() {
            let (taken, why_there) = self.backend(choice)?;
            let is_gpu = matches!(taken, Backend::Gpu(_));
            (backend, why) = (taken, if is_gpu { compared.reason(true) } else { why_there.into() });
        }
        self.newest = Some((size, matches!(backend, Backend::Gpu(_)), n_alike));
        Ok((backend, why))
    }

    /// Whether the first hardware GPU is open; also false while another thread opens it.
    fn has_hardware(&mut self) -> bool {
        self.open.retain(|(_, device)| !device.is_lost());
        let is_hardware = |selection: &AdapterChoice| *selection == AdapterChoice::Hardware;
        self.open.iter().any(|(selection, _)| is_hardware(selection))
            || self.shared.try_lock().is_ok_and(|shared| {
                let usable = |device: &WeakDevice| device.upgrade().is_some_and(|device| !device.is_lost());
                shared.open.iter().any(|(selection, device)| is_hardware(selection) && usable(device))
            })
    }

    /// Tells a run how long its preparation took. Learns from it if its algorithm was left open, and if an automatic choice could have taken its device.
    pub(super) fn note_run(&mut self, job: &Job, backend: &Backend, times: &mut Times) {
        let new_plan = self.new_plan.take();
        times.open_micros = std::mem::take(&mut self.opening_micros);
        times.compile_micros = new_plan.as_ref().map_or(0.0, |plan| plan.compile_micros);
        let is_open = (job.algorithm, job.cut) == (None, Cut::default()) && !matches!(job.device, DeviceChoice::Adapter(_));
        let Some((size, ..)) = self.newest.as_ref().filter(|_| is_open) else { return };
        let mut speeds = locked(&self.speeds);
        match backend {
            Backend::Cpu(CpuBackend::Parallel) => speeds.note_cpu(size, rayon::current_num_threads(), times),
            Backend::Gpu(device) if device.info().software => {}
            Backend::Gpu(device) => speeds.note_gpu(size, device, new_plan.map(|plan| (plan.micros, plan.is_kept)), times),
            Backend::Cpu(_) => {}
        }
    }

    /// Learns how fast a device moves bytes.
    pub(super) fn note_transfers(device: &Device) {
        locked(&SPEEDS).note_transfers(device);
    }

    /// The choice that a measurement keeps for all its runs, where the device was left open: a hardware GPU if there is one, else the CPU.
    ///
    /// # Errors
    /// As [`Self::backend`].
    pub fn settled(&mut self, choice: &DeviceChoice) -> Result<DeviceChoice, EngineError> {
        if *choice != DeviceChoice::Auto {
            return Ok(choice.clone());
        }
        let takes_gpu = self.refusal.is_none() && matches!(self.backend(choice)?.0, Backend::Gpu(_));
        Ok(if takes_gpu { DeviceChoice::Gpu } else { DeviceChoice::CpuParallel })
    }

    /// The backend for `choice` on this machine, and the reason if the choice was automatic: a hardware GPU if there is one.
    ///
    /// # Errors
    /// When the device does not exist, or it does not open.
    pub fn backend(&mut self, choice: &DeviceChoice) -> Result<(Backend, &'static str), EngineError> {
        if let Some(cpu_backend) = choice.cpu() {
            return Ok((Backend::Cpu(cpu_backend), ""));
        }
        let device = self.device(&selection(choice));
        let has_given_up = locked(&self.shared).has_given_up();
        match (choice, device) {
            (DeviceChoice::Auto, _) if has_given_up => Ok((Backend::Cpu(CpuBackend::Parallel), GAVE_UP)),
            (DeviceChoice::Auto, Err(GpuError::Room { .. })) => Ok((Backend::Cpu(CpuBackend::Parallel), "no room for the driver of a GPU")),
            (DeviceChoice::Auto, Err(_)) => Ok((Backend::Cpu(CpuBackend::Parallel), NO_GPU)),
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
        let (start, before) = (Instant::now(), compilations().new);
        let prepared = Arc::new(device.prepare_in(plan, schedule, KernelChoice::Fast, precision)?.uploading(uploads));
        let is_kept = compilations().new > before && device.keeps_kernels();
        let (micros, compile_micros) = (start.elapsed().as_secs_f64() * 1e6, prepared.compile_micros());
        self.new_plan = Some(NewPlan { micros, compile_micros, is_kept });
        let (device, plan, schedule) = (device.clone(), plan.clone(), schedule.clone());
        self.prepared = Some(Ready { device, plan, schedule, uploads, prepared: prepared.clone() });
        Ok((prepared, false))
    }

    /// Frees the plan that was prepared last, so that the next run makes its buffers anew.
    pub(crate) fn free_buffers(&mut self) {
        self.prepared = None;
    }

    fn device(&mut self, selection: &AdapterChoice) -> Result<Device, GpuError> {
        self.open.retain(|(_, device)| !device.is_lost());
        // Hardware comes first, so that it is also the best one of any kind.
        let is_it = |known: &AdapterChoice| known == selection || (known, selection) == (&AdapterChoice::Hardware, &AdapterChoice::Any);
        if let Some((_, opened)) = self.open.iter().find(|(known, _)| is_it(known)) {
            return Ok(opened.clone());
        }
        let start = Instant::now();
        // A second caller waits until the first one has opened the device.
        let mut shared = locked(&self.shared);
        let opened = shared.device(selection)?;
        self.opening_micros += start.elapsed().as_secs_f64() * 1e6;
        self.open.push((selection.clone(), opened.clone()));
        if matches!(selection, AdapterChoice::Hardware | AdapterChoice::Any) {
            locked(&self.speeds).note_device(&opened);
        }
        Ok(opened)
    }

    /// Runs `work` on the device of a choice. Where the device is lost or full, `work` runs again, once; an automatic choice takes the CPU in the end, and at
    /// once where a GPU refuses the work, as it does with buffers beyond its limits.
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
                Err(EngineError::Gpu(error)) if *choice == DeviceChoice::Auto && error != GpuError::Cancelled => {
                    self.refusal = Some(format!("the GPU refused: {error}"));
                    let done = work(self);
                    self.refusal = None;
                    return done;
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

/// The adapter of a choice that a GPU runs.
fn selection(choice: &DeviceChoice) -> AdapterChoice {
    match choice {
        DeviceChoice::Auto => AdapterChoice::Hardware,
        DeviceChoice::Adapter(name) => name.parse().map_or_else(|_| AdapterChoice::Name(name.clone()), AdapterChoice::Index),
        _ => AdapterChoice::Any,
    }
}

#[cfg(test)]
#[path = "devices/tests.rs"]
mod tests;
