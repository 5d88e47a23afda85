//! Runs plans on a GPU: what adapters there are, how a plan and a schedule become commands, and how these run.
//!
//! Reading order: [`device`] opens an adapter, [`lower`] turns a plan and a schedule into plain data, [`Prepared`] holds the buffers and runs them, [`display`] makes a picture of the result without bringing it back.
//! [`fastest`] cuts a plan into the launches that a device is estimated to run fastest; [`estimate`] says how fast that is.
//! Two kinds of kernel: `shaders/stage.wgsl` runs any stage of any plan, the fast ones serve a shape of stages each; both pass the same tests.
//! This is the only module that knows wgpu, apart from the window.

mod bench;
mod bindings;
mod cut;
pub mod device;
pub mod display;
mod fft;
mod filters;
mod haar;
mod kronecker;
mod lifting;
mod limits;
pub mod lower;
mod numbers;
mod pipelines;
mod queries;
mod rows;
mod run;
mod sections;
mod shaders;
mod transfer;

pub use bench::{Clock, Rotation, Sample, bench_copy, copy_times};
pub use cut::{Estimate, estimate, estimate_of, fastest, most_overlapped_levels, overlapped};
pub use device::{AdapterInfo, Device, Selection, adapters};
pub use limits::Limits;
pub use lower::Kernels;
pub use run::{Prepared, Times};
pub use shaders::{Kernel, source_of};

use crate::remedy::{Remedies, Remedy};

/// Why something did not run on the GPU.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GpuError {
    /// No adapter at all.
    #[error("no GPU adapter was found, not even a software one")]
    NoAdapter,
    /// Only software adapters, where hardware was asked for.
    #[error("no hardware GPU was found, only {software}")]
    NoHardware {
        /// Name of the software adapter.
        software: String,
    },
    /// An adapter that is not there.
    #[error("there is no adapter {asked}: take one of {known}")]
    NoSuchAdapter {
        /// The index or name that was asked for.
        asked: String,
        /// The adapters that are there.
        known: String,
    },
    /// The adapter did not give a device.
    #[error("{adapter} could not be opened: {reason}")]
    Open {
        /// Name of the adapter.
        adapter: String,
        /// What the driver said.
        reason: String,
    },
    /// Larger than the adapter's limits.
    #[error("{what} needs {needed} bytes, and {adapter} takes at most {limit}")]
    TooLarge {
        /// What is too large.
        what: &'static str,
        /// Bytes that it needs.
        needed: u64,
        /// Bytes that there may be.
        limit: u64,
        /// Name of the adapter.
        adapter: String,
    },
    /// The memory of the device is full.
    #[error("the memory of {adapter} is full")]
    OutOfMemory {
        /// Name of the adapter.
        adapter: String,
    },
    /// An adapter whose kernels know integers of 32 bits only.
    #[error("{adapter} has no 64-bit integers")]
    NoWideIntegers {
        /// Name of the adapter.
        adapter: String,
    },
    /// An adapter whose kernels know real numbers of 32 bits only.
    #[error("{adapter} has no double precision")]
    NoDouble {
        /// Name of the adapter.
        adapter: String,
    },
    /// A plan or a schedule that the kernels cannot run.
    #[error("the plan cannot run on the GPU as scheduled: {0}")]
    Lower(#[from] lower::LowerError),
    /// Values of another number than the plan takes or gives.
    #[error("the plan has {needed} values at this end, and {given} were asked for")]
    Length {
        /// Values that the plan takes or gives.
        needed: usize,
        /// Values that were given.
        given: usize,
    },
    /// The work was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// What the driver reported, in one line.
    #[error("{adapter} reported an error: {reason}")]
    Device {
        /// Name of the adapter.
        adapter: String,
        /// What it reported.
        reason: String,
    },
}

impl Remedies for GpuError {
    fn remedies(&self) -> Vec<Remedy> {
        const HARDWARE: Remedy = Remedy::Advice("install the driver of your GPU");
        const SOFTWARE: Remedy = Remedy::Advice("install Mesa's software driver (Debian and Ubuntu: apt install mesa-vulkan-drivers)");
        match self {
            Self::NoAdapter => vec![HARDWARE, SOFTWARE, Remedy::OneThread],
            Self::NoHardware { .. } => vec![Remedy::AnyGpu, Remedy::OneThread],
            Self::TooLarge { .. } | Self::OutOfMemory { .. } => vec![Remedy::SmallerSize, Remedy::AnotherDevice, Remedy::OneThread],
            Self::NoWideIntegers { .. } => vec![Remedy::Advice("take smaller samples"), Remedy::AnotherDevice, Remedy::OneThread],
            Self::NoDouble { .. } => vec![Remedy::SinglePrecision, Remedy::AnotherDevice, Remedy::AllCores],
            Self::Lower(lower::LowerError::Rounded { .. }) => vec![Remedy::OneThread],
            _ => Vec::new(),
        }
    }
}
