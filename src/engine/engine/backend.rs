//! Where a job runs: the choice of the user, and the backend that follows.

use crate::cpu::{CpuBackend, LoopOrder};
use crate::gpu::Device;
use crate::numerals::counted;
use std::str::FromStr;

/// Where a job runs.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
pub enum DeviceChoice {
    /// The CPU or a hardware GPU, whichever is estimated to give the result sooner.
    #[default]
    Auto,
    /// The best GPU; software adapters count too.
    Gpu,
    /// One thread of the CPU, with several stages in a pass over memory.
    Cpu,
    /// All cores of the CPU, with several stages in a pass over memory.
    CpuParallel,
    /// One thread of the CPU, stage by stage, whose innermost loop is the most local one (CPU B of Gajić and Stanković 2011).
    CpuLocal,
    /// One thread of the CPU, stage by stage, whose innermost loop has the longest stride (CPU A).
    CpuStrided,
    /// An adapter, by its index or a part of its name in `papillon devices`.
    Adapter(String),
}

/// A device with a name that every machine knows.
pub struct NamedDevice {
    /// The device.
    pub device: DeviceChoice,
    /// The name on the command line and in files.
    pub name: &'static str,
    /// The name on the screen.
    pub title: &'static str,
    /// One line that says which loops run there.
    pub about: &'static str,
}

/// The devices that every machine knows.
pub static NAMED_DEVICES: [NamedDevice; 6] = [
    named(DeviceChoice::Auto, "auto", "Automatic", "The CPU or a hardware GPU, whichever is estimated to give the result sooner"),
    named(DeviceChoice::Gpu, "gpu", "GPU", "The best GPU; software adapters count too"),
    named(DeviceChoice::Cpu, "cpu", "CPU, one thread", "One thread of the CPU, which takes several stages in a pass over memory"),
    named(DeviceChoice::CpuParallel, "cpu-parallel", "CPU, all cores", "The same passes shared by all cores of the CPU"),
    named(
        DeviceChoice::CpuLocal,
        "cpu-local",
        "CPU, local loops",
        "One thread, one stage after the other; the innermost loop has the shortest stride (CPU B of Gajić and Stanković)",
    ),
    named(
        DeviceChoice::CpuStrided,
        "cpu-strided",
        "CPU, strided loops",
        "One thread, one stage after the other; the innermost loop has the longest stride (CPU A of Gajić and Stanković)",
    ),
];

const fn named(device: DeviceChoice, name: &'static str, title: &'static str, about: &'static str) -> NamedDevice {
    NamedDevice { device, name, title, about }
}

impl DeviceChoice {
    /// The name on the screen.
    pub fn title(&self) -> String {
        match self {
            Self::Adapter(name) => name.clone(),
            _ => self.row().map_or_else(String::new, |row| row.title.into()),
        }
    }

    /// The CPU in this way.
    pub(super) fn of(cpu_backend: CpuBackend) -> Self {
        match cpu_backend {
            CpuBackend::OneThread => Self::Cpu,
            CpuBackend::Parallel => Self::CpuParallel,
            CpuBackend::ByStage(LoopOrder::Local) => Self::CpuLocal,
            CpuBackend::ByStage(LoopOrder::Strided) => Self::CpuStrided,
        }
    }

    /// How the CPU runs, if it is the CPU.
    pub fn cpu(&self) -> Option<CpuBackend> {
        match self {
            Self::Cpu => Some(CpuBackend::OneThread),
            Self::CpuParallel => Some(CpuBackend::Parallel),
            Self::CpuLocal => Some(CpuBackend::ByStage(LoopOrder::Local)),
            Self::CpuStrided => Some(CpuBackend::ByStage(LoopOrder::Strided)),
            Self::Auto | Self::Gpu | Self::Adapter(_) => None,
        }
    }

    fn row(&self) -> Option<&'static NamedDevice> {
        NAMED_DEVICES.iter().find(|row| row.device == *self)
    }
}

impl FromStr for DeviceChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let name = text.trim();
        // Every name of an adapter contains it.
        if name.is_empty() {
            let names = NAMED_DEVICES.each_ref().map(|row| row.name).join(", ");
            return Err(format!("a device has a name: take {names}, or an adapter's index or name in 'papillon devices'"));
        }
        let row = NAMED_DEVICES.iter().find(|row| row.name == name);
        Ok(row.map_or_else(|| Self::Adapter(name.into()), |row| row.device.clone()))
    }
}

impl std::fmt::Display for DeviceChoice {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Adapter(name) => name,
            _ => self.row().map_or("", |row| row.name),
        })
    }
}

/// The name of the CPU with local loops, for people.
pub(crate) const LOCAL_LOOPS: &str = "CPU, 1 thread, local loops";

/// The backend that runs a job.
#[derive(Clone)]
pub enum Backend {
    /// On a GPU.
    Gpu(Device),
    /// On the CPU.
    Cpu(CpuBackend),
}

impl Backend {
    /// How the CPU does the parts that no GPU runs.
    pub(super) fn cpu_backend(&self) -> CpuBackend {
        match self {
            Self::Cpu(cpu_backend) => *cpu_backend,
            Self::Gpu(_) => CpuBackend::Parallel,
        }
    }

    /// Whether it is a GPU emulated by software.
    pub(super) fn is_software_gpu(&self) -> bool {
        matches!(self, Self::Gpu(device) if device.info().software)
    }

    /// The name of the device, for people.
    pub fn name(&self) -> String {
        match self {
            Self::Gpu(device) => device.info().name.clone(),
            Self::Cpu(CpuBackend::Parallel) => format!("CPU, {}", counted(rayon::current_num_threads(), "thread")),
            Self::Cpu(CpuBackend::OneThread) => "CPU, 1 thread".into(),
            Self::Cpu(CpuBackend::ByStage(LoopOrder::Local)) => LOCAL_LOOPS.into(),
            Self::Cpu(CpuBackend::ByStage(LoopOrder::Strided)) => "CPU, 1 thread, strided loops".into(),
        }
    }
}
