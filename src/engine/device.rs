//! Where a job runs, as the user says it.

use std::str::FromStr;

/// Where a job runs.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
pub enum DeviceChoice {
    /// A hardware GPU if there is one, else the CPU.
    #[default]
    Auto,
    /// The best GPU; software adapters count too.
    Gpu,
    /// One thread of the CPU.
    Cpu,
    /// All cores of the CPU.
    CpuParallel,
    /// An adapter, by its index or a part of its name in `papillon devices`.
    Adapter(String),
}

impl FromStr for DeviceChoice {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "auto" => Self::Auto,
            "gpu" => Self::Gpu,
            "cpu" => Self::Cpu,
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
            Self::CpuParallel => "cpu-parallel",
            Self::Adapter(name) => name,
        })
    }
}
