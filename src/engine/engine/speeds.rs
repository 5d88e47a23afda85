//! How long a job takes on the CPU and on a GPU, from where its samples lie to where its result is wanted, as far as earlier runs tell.
//!
//! Opening a device, compiling, transfers and launches count, so that a GPU which is a hundred times as fast still loses a short job in a new process.

use super::{Backend, Job, Measured, MeasuredOn, Times};
use crate::cpu::CpuBackend;
use crate::gpu::{CacheFolder, Device};
use crate::numerals::duration;
use crate::plan::Precision;
use crate::transforms::{Axes, Numbers, Shape, Transform};
use std::collections::BTreeMap;

/// The file of the speeds in the cache folder.
const FILE: &str = "speeds";
/// Times that hold until a run has measured better ones: µs to open a device, and to compile the kernels of a job, from nothing and from a file.
const OPENING: f64 = 150e3;
const COMPILING: f64 = 100e3;
const COMPILING_FROM_FILE: f64 = 10e3;
/// Bytes a µs to the device and back.
const TRANSFER: f64 = 5e3;
/// µs for a value times the logarithm of the length of its line: on one thread of a CPU, and on a GPU.
const CPU_UNIT: f64 = 6e-4;
const GPU_UNIT: f64 = 2e-5;
/// How much of a thread each further one adds: they share the memory.
const THREADS_EXPONENT: f64 = 0.8;
/// µs that a device takes to begin and to say that it is done.
const LATENCY: f64 = 150.0;
/// Jobs of fewer units tell the time of their beginning, and not a speed.
const LEAST_UNITS: f64 = 1e6;
/// Smaller changes of a speed are not worth the writing of a file.
const NOTABLE: f64 = 0.3;

/// The properties of a job on which its time depends.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct JobSize {
    transform: &'static str,
    precision: Precision,
    /// All jobs of a kind run at the same speed.
    kind: String,
    shape: Shape,
    /// Values times the logarithm of the length of a line.
    units: f64,
    /// Bytes that go up to a device and come down from it.
    bytes: [f64; 2],
    /// Bytes of the largest array.
    array: u64,
}

impl JobSize {
    /// The size of a job; `stays` where its result may stay on the device, so that only the visible part comes down.
    pub(super) fn of(job: &Job, transform: &Transform, shape: Shape, stays: bool) -> Self {
        let (axes, is_double) = (transform.axes(job.parameters), job.precision == Some(Precision::Double));
        let line = match axes {
            Axes::Rows => shape.columns,
            Axes::Columns => shape.rows,
            Axes::Both => shape.len(),
        };
        let number = if is_double { 8.0 } else { 4.0 };
        let values = shape.len() as f64;
        let gives_reals = matches!(transform.gives, Numbers::Real | Numbers::HalfSpectrum | Numbers::Bits);
        let down = if stays && axes.along_rows() { 0.0 } else { values * number * if gives_reals { 1.0 } else { 2.0 } };
        let up = values * number * if job.is_complex() { 2.0 } else { 1.0 };
        let by_plan = if job.prefer_plan { ", drawn" } else { "" };
        Self {
            transform: transform.name,
            precision: if is_double { Precision::Double } else { Precision::Single },
            kind: format!("{}{}{by_plan}", transform.name, if is_double { ", double" } else { "" }),
            shape,
            units: values * (line.max(2) as f64).log2(),
            bytes: [up, down],
            array: (values * 2.0 * number) as u64,
        }
    }

    /// Whether both run the same kernels.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        (&self.kind, self.shape) == (&other.kind, other.shape)
    }
}

/// The time of a job, part by part, in µs.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct JobTime {
    pub(super) open: f64,
    pub(super) compile: f64,
    pub(super) transfers: f64,
    pub(super) work: f64,
}

impl JobTime {
    pub(super) fn total(self) -> f64 {
        self.open + self.compile + self.transfers + self.work
    }
}

/// The work that is already done when a device gets a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DeviceState {
    pub(super) is_open: bool,
    /// Whether it ran the same kernels last.
    pub(super) is_prepared: bool,
    /// How many jobs like this came before it, one after the other: as many are likely to follow, which share the compilation.
    pub(super) n_alike: u32,
}

/// The times of a job on both, and which one is taken.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Compared {
    pub(super) cpu: JobTime,
    /// `None` where its arrays are too small.
    pub(super) gpu: Option<JobTime>,
    /// The name of the GPU, once one was opened on this machine.
    name: Option<String>,
}

impl Compared {
    /// Whether the GPU gives the result sooner.
    pub(super) fn takes_gpu(&self) -> bool {
        self.gpu.is_some_and(|gpu| gpu.total() < self.cpu.total())
    }

    /// Whether an open GPU would give results like this sooner, so that it is worth opening beside the work.
    pub(super) fn is_worth_opening(&self) -> bool {
        self.gpu.is_some_and(|gpu| gpu.transfers + gpu.work < self.cpu.total())
    }

    /// Both times, for the backend that is taken.
    pub(super) fn reason(&self, takes_gpu: bool) -> String {
        let about = |micros: f64| {
            let digits = 10_f64.powf(1.0 - micros.max(1e-3).log10().floor());
            duration((micros * digits).round() / digits)
        };
        let cpu = about(self.cpu.total());
        match self.gpu {
            None => format!("{} takes no arrays of this size", self.name.as_deref().unwrap_or("a GPU")),
            Some(gpu) if takes_gpu => format!("about {} here, {cpu} on the CPU", about(gpu.total())),
            Some(gpu) if self.name.is_none() => {
                format!("about {cpu} here, {} with the opening of a GPU", about(gpu.total()))
            }
            Some(gpu) if gpu.open > 0.0 => {
                format!("about {cpu} here, {} on a GPU that opens in {}", about(gpu.total()), about(gpu.open))
            }
            Some(gpu) => format!("about {cpu} here, {} on a GPU", about(gpu.total())),
        }
    }
}

/// The speeds of this machine, from what ran here.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub(super) struct Speeds {
    /// µs a unit on all threads of the CPU, by the kind of the job and the number of threads.
    cpu: BTreeMap<String, f64>,
    gpu: Option<GpuSpeeds>,
}

/// The speeds of the hardware GPU that was opened last.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
struct GpuSpeeds {
    name: String,
    driver: String,
    open: f64,
    /// Bytes of the largest array that kernels take.
    array: u64,
    /// Bytes a µs up and down, by the number of threads that copy them.
    transfer: BTreeMap<usize, [f64; 2]>,
    /// µs a unit, and µs to compile, by the kind of the job.
    work: BTreeMap<String, f64>,
    compile: BTreeMap<String, f64>,
}

impl GpuSpeeds {
    fn of(device: &Device) -> Self {
        let info = device.info();
        Self {
            name: info.name.clone(),
            driver: info.driver.clone(),
            open: device.open_micros(),
            array: device.most_array_bytes(),
            transfer: BTreeMap::new(),
            work: BTreeMap::new(),
            compile: BTreeMap::new(),
        }
    }

    /// Bytes a µs up and down. Fewer threads than were measured are taken to be slower in proportion, and more of them no faster.
    fn transfer_on(&self, n_threads: usize) -> [f64; 2] {
        let nearest = self.transfer.iter().min_by_key(|(known, _)| known.abs_diff(n_threads));
        nearest.map_or([TRANSFER; 2], |(known, rates)| rates.map(|rate| rate * (n_threads as f64 / *known as f64).min(1.0)))
    }

    /// Learns how fast a device moved bytes on these threads.
    fn note_transfers(&mut self, device: &Device, n_threads: usize) {
        let measured = device.transfer_rates();
        if measured != [None; 2] {
            let expected = self.transfer_on(n_threads);
            self.transfer.insert(n_threads, [0, 1].map(|way| measured[way].unwrap_or(expected[way])));
        }
    }
}

impl Speeds {
    /// The measurements that earlier runs of the program have kept.
    pub(super) fn load() -> Self {
        let content = CacheFolder::of_the_program().and_then(|folder| folder.read(FILE));
        content.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    /// The times of a job on all threads of the CPU and on the GPU; what was `measured` of algorithms goes before the speed of other runs.
    pub(super) fn compare(&self, size: &JobSize, n_threads: usize, state: DeviceState, measured: &Measured) -> Compared {
        let of = |at: &MeasuredOn| measured.fastest(at, size.transform, size.shape);
        let unit = self.cpu.get(&on_threads(size, n_threads)).copied();
        let unit = unit.unwrap_or_else(|| CPU_UNIT / (n_threads as f64).powf(THREADS_EXPONENT));
        let at = MeasuredOn::at(&Backend::Cpu(CpuBackend::Parallel), size.precision);
        let cpu = JobTime { work: of(&at).unwrap_or(unit * size.units), ..JobTime::default() };
        let mut gpu = self.on_gpu(size, n_threads, state);
        if let (Some(time), Some(known)) = (&mut gpu, &self.gpu)
            && let Some(micros) = of(&MeasuredOn { device: known.name.clone(), driver: known.driver.clone(), ..at })
        {
            time.work = micros + LATENCY;
        }
        Compared { cpu, gpu, name: self.gpu.as_ref().map(|gpu| gpu.name.clone()) }
    }

    fn on_gpu(&self, size: &JobSize, n_threads: usize, state: DeviceState) -> Option<JobTime> {
        let gpu = self.gpu.as_ref();
        if gpu.is_some_and(|gpu| gpu.array < size.array) {
            return None;
        }
        let rates = gpu.map_or([TRANSFER; 2], |gpu| gpu.transfer_on(n_threads));
        let compile = gpu.and_then(|gpu| gpu.compile.get(&size.kind).copied()).unwrap_or(COMPILING) / f64::from(1 + state.n_alike);
        let unit = gpu.and_then(|gpu| gpu.work.get(&size.kind).copied()).unwrap_or(GPU_UNIT);
        Some(JobTime {
            open: if state.is_open { 0.0 } else { gpu.map_or(OPENING, |gpu| gpu.open) },
            compile: if state.is_prepared { 0.0 } else { compile },
            transfers: size.bytes.iter().zip(rates).map(|(bytes, rate)| bytes / rate).sum(),
            work: unit * size.units + LATENCY,
        })
    }

    /// Learns from a job that ran on all threads of the CPU.
    pub(super) fn note_cpu(&mut self, size: &JobSize, n_threads: usize, times: &Times) {
        if size.units >= LEAST_UNITS {
            note(self.cpu.entry(on_threads(size, n_threads)), times.total_micros / size.units);
            self.keep();
        }
    }

    /// Learns from a job that ran on a hardware GPU; `compiled` has the time and whether its kernels are found on the disk the next time.
    pub(super) fn note_gpu(&mut self, size: &JobSize, device: &Device, compiled: Option<(f64, bool)>, times: &Times) {
        let gpu = self.gpu_of(device);
        if size.units >= LEAST_UNITS {
            note(gpu.work.entry(size.kind.clone()), times.kernel_micros() / size.units);
        }
        if let Some((micros, is_kept)) = compiled {
            let next = if is_kept { micros.min(COMPILING_FROM_FILE) } else { micros };
            gpu.compile.insert(size.kind.clone(), next);
        }
        self.keep();
    }

    /// Learns how fast a hardware GPU opened and moves bytes.
    pub(super) fn note_device(&mut self, device: &Device) {
        if !device.info().software {
            self.gpu_of(device);
            self.keep();
        }
    }

    /// Learns how fast the GPU that is known moves bytes.
    pub(super) fn note_transfers(&mut self, device: &Device) {
        if self.gpu.as_ref().is_some_and(|gpu| gpu.name == device.info().name) {
            self.gpu_of(device);
            self.keep();
        }
    }

    fn gpu_of(&mut self, device: &Device) -> &mut GpuSpeeds {
        let now = GpuSpeeds::of(device);
        let gpu = self.gpu.get_or_insert_with(|| now.clone());
        if (&gpu.name, &gpu.driver) == (&now.name, &now.driver) {
            gpu.open = now.open;
        } else {
            *gpu = now;
        }
        gpu.note_transfers(device, rayon::current_num_threads());
        gpu
    }

    /// Writes the file where it tells something else, with what other programs have kept there meanwhile.
    fn keep(&self) {
        let Some(folder) = CacheFolder::of_the_program() else { return };
        let kept = Self::load();
        if kept.differs(self) {
            let all = self.clone().with_those_of(kept);
            folder.write(FILE, &serde_json::to_vec(&all).expect("finite numbers and names have a JSON form"));
        }
    }

    /// The same with the speeds of others that these lack.
    fn with_those_of(mut self, others: Self) -> Self {
        fn add<K: Ord, V>(to: &mut BTreeMap<K, V>, from: BTreeMap<K, V>) {
            from.into_iter().for_each(|(kind, speed)| _ = to.entry(kind).or_insert(speed));
        }
        add(&mut self.cpu, others.cpu);
        match (&mut self.gpu, others.gpu) {
            (Some(gpu), Some(other)) if (&gpu.name, &gpu.driver) == (&other.name, &other.driver) => {
                add(&mut gpu.transfer, other.transfer);
                add(&mut gpu.work, other.work);
                add(&mut gpu.compile, other.compile);
            }
            (Some(_), _) => {}
            (none, other) => *none = other,
        }
        self
    }

    /// Whether another choice might follow from the other speeds.
    fn differs(&self, other: &Self) -> bool {
        let far = |a: f64, b: f64| (a - b).abs() > NOTABLE * a.abs().min(b.abs());
        let maps = |a: &BTreeMap<String, f64>, b: &BTreeMap<String, f64>| {
            b.iter().any(|(kind, speed)| a.get(kind).is_none_or(|known| far(*known, *speed)))
        };
        let gpus = |a: &GpuSpeeds, b: &GpuSpeeds| {
            (&a.name, &a.driver, a.array) != (&b.name, &b.driver, b.array)
                || far(a.open, b.open)
                || b.transfer
                    .iter()
                    .any(|(n, rates)| a.transfer.get(n).is_none_or(|known| far(known[0], rates[0]) || far(known[1], rates[1])))
                || maps(&a.work, &b.work)
                || maps(&a.compile, &b.compile)
        };
        maps(&self.cpu, &other.cpu)
            || match (&self.gpu, &other.gpu) {
                (Some(a), Some(b)) => gpus(a, b),
                (a, b) => a.is_none() && b.is_some(),
            }
    }
}

fn on_threads(size: &JobSize, n_threads: usize) -> String {
    format!("{}, {n_threads}", size.kind)
}

/// Moves a speed half of the way to a new one, so that one disturbed run does not decide.
fn note(entry: std::collections::btree_map::Entry<'_, String, f64>, speed: f64) {
    entry.and_modify(|known| *known = 0.5 * (*known + speed)).or_insert(speed);
}

#[cfg(test)]
#[path = "speeds/tests.rs"]
mod tests;
