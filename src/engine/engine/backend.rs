//! Where a job runs: the choice of the user, and the backend that follows.

use crate::cpu::{CpuBackend, LoopOrder};
use crate::gpu::Device;
use crate::numerals::counted;
use std::str::FromStr;

/// Where a job runs.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
pub enum DeviceChoice {
    /// A hardware GPU if there is one, else the CPU.
    #[default]
    Auto,
    /// The best GPU; software adapters count too.
    Gpu,
    /// One thread of the CPU, whose innermost loop is the most local one (CPU B of Gajić and Stanković 2011).
    Cpu,
    /// One thread of the CPU, whose innermost loop has the longest stride (CPU A).
    CpuStrided,
    /// All cores of the CPU.
    CpuParallel,
    /// An adapter, by its index or a part of its name in `papillon devices`.
    Adapter(String),
}

impl DeviceChoice {
    /// The name on the screen.
    pub fn title(&self) -> String {
        match self {
            Self::Auto => "Automatic".into(),
            Self::Gpu => "GPU".into(),
            Self::Cpu => "CPU, one thread".into(),
            Self::CpuStrided => "CPU, one thread, strided".into(),
            Self::CpuParallel => "CPU, all cores".into(),
            Self::Adapter(name) => name.clone(),
        }
    }

    /// The CPU with this order of loops or threads.
    pub(super) fn of(cpu_backend: CpuBackend) -> Self {
        match cpu_backend {
            CpuBackend::Sequential(LoopOrder::Local) => Self::Cpu,
            CpuBackend::Sequential(LoopOrder::Strided) => Self::CpuStrided,
            CpuBackend::Parallel => Self::CpuParallel,
        }
    }
}

impl FromStr for DeviceChoice {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text.trim() {
            // Every name contains it.
            "" => {
                return Err(
                    "a device has a name: take auto, gpu, cpu, cpu-strided, cpu-parallel, or an adapter's index or name in 'papillon devices'",
                );
            }
            "auto" => Self::Auto,
            "gpu" => Self::Gpu,
            "cpu" => Self::Cpu,
            "cpu-strided" => Self::CpuStrided,
            "cpu-parallel" => Self::CpuParallel,
            name => Self::Adapter(name.into()),
        })
    }
}

impl std::fmt::Display for DeviceChoice {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Auto => "auto",
            Self::Gpu => "gpu",
            Self::Cpu => "cpu",
            Self::CpuStrided => "cpu-strided",
            Self::CpuParallel => "cpu-parallel",
            Self::Adapter(name) => name,
        })
    }
}

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
            Self::Cpu(CpuBackend::Sequential(LoopOrder::Local)) => "CPU, 1 thread".into(),
            Self::Cpu(CpuBackend::Sequential(LoopOrder::Strided)) => "CPU, 1 thread, strided loops".into(),
        }
    }
}
