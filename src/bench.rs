//! Sweeps over transforms, devices and sizes: every run goes through the engine as the user's work does, and its result is checked in the same sweep.
//!
//! A [`Record`] is one line of the table; the median counts, the extremes are told with it.
//! Times of the launches, the upload, the download and the whole are never mixed.

mod export;
mod measure;
pub mod paper;
mod statistics;
mod systems;

pub use export::{csv, json, legend, table};
pub use measure::{Settings, Task, job, run};
pub use statistics::Statistics;

use crate::plan::Precision;
use crate::transforms::Shape;

/// What one line of the table says: one transform of one shape by one algorithm on one device.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Record {
    /// Name of the transform in the table.
    pub transform: &'static str,
    /// Name of the algorithm that ran.
    pub algorithm: &'static str,
    /// The device, as people know it.
    pub device: String,
    /// Whether the device is a GPU emulated by software.
    pub software_gpu: bool,
    /// How real and complex numbers were held; single where lanes are exact.
    pub precision: Precision,
    /// Rows and columns.
    pub shape: Shape,
    /// Launches of one run; 0 where a library did the work.
    pub n_launches: usize,
    /// Bytes that the launches of one run move through memory; `None` where a library did the work.
    pub moved_bytes: Option<u64>,
    /// All launches together, run after run without a transfer between them, in microseconds.
    pub kernel_micros: Statistics,
    /// All launches together in the runs of `total_micros`, each of them between its transfers, in microseconds.
    pub run_kernel_micros: Statistics,
    /// Whether the launches were timed by the device itself; otherwise by the wall clock.
    pub device_clock: bool,
    /// Host to device, in microseconds; 0 on the CPU.
    pub upload_micros: Statistics,
    /// Device to host, the whole result, in microseconds; 0 on the CPU.
    pub download_micros: Statistics,
    /// From the samples to the result in memory, preparation apart, in microseconds.
    pub total_micros: Statistics,
    /// Plan, kernels and buffers, paid once, in microseconds.
    pub prepare_micros: f64,
    /// A plain copy of as many bytes on the same device, median, in microseconds; `None` where the device cannot time one.
    pub copy_micros: Option<f64>,
    /// 5·N·log2 N operations a transform, 8·N a tridiagonal system, over the median of the launches.
    pub gflop_per_sec: f64,
    /// Samples read once and result written once, over the median of the launches.
    pub gbyte_per_sec: f64,
    /// Relative error in the 2-norm against double precision; of the last run.
    pub error: f64,
}

/// Where and when the records were taken.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Machine {
    /// Name of the processor, where the system tells it.
    pub processor: String,
    /// Threads that the CPU runs at once.
    pub n_threads: usize,
    /// Operating system and architecture.
    pub system: String,
    /// Version of this program, and how it was built.
    pub version: String,
}

impl Machine {
    /// This one.
    pub fn here() -> Self {
        let told = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let name = told.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
        let build = if cfg!(debug_assertions) { "debug build" } else { "release build" };
        Self {
            processor: name.map_or_else(|| "unknown processor".into(), |(_, name)| name.trim().to_owned()),
            n_threads: rayon::current_num_threads(),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            version: format!("papillon {}, {build}", env!("CARGO_PKG_VERSION")),
        }
    }
}
