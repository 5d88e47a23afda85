//! Why something did not run on the GPU.

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
        /// The message of the driver.
        reason: String,
    },
    /// An adapter, or a driver, whose kernels take too few arrays.
    #[error("a kernel on {adapter} takes at most {limit} arrays, and some have {needed}")]
    TooFewArrays {
        /// Name of the adapter.
        adapter: String,
        /// Arrays that a kernel may take.
        limit: u32,
        /// Arrays that a kernel may need.
        needed: u32,
    },
    /// Larger than the adapter's limits.
    #[error("{what} needs {needed} bytes, and {adapter} takes at most {limit}")]
    TooLarge {
        /// The object that is too large.
        what: &'static str,
        /// Bytes that it needs.
        needed: u64,
        /// Bytes that there may be.
        limit: u64,
        /// Name of the adapter.
        adapter: String,
    },
    /// The limit of the process (`ulimit -v`) leaves less address space than a driver takes.
    #[error("a driver may take {needed_mib} MiB of address space, and the limit of this process leaves {left_mib} MiB")]
    Room {
        /// The most memory that it may take, in MiB.
        needed_mib: u64,
        /// The free memory, in MiB.
        left_mib: u64,
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
    Lower(#[from] LowerError),
    /// Values of another number than the plan takes or gives.
    #[error("the plan has {needed} values here, and {given} were given or asked for")]
    Length {
        /// Values that the plan takes or gives.
        needed: usize,
        /// Values that were given.
        given: usize,
    },
    /// The work was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// The message of the driver, in one line.
    #[error("{adapter} reported an error: {reason}")]
    Device {
        /// Name of the adapter.
        adapter: String,
        /// Its message.
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
            Self::TooFewArrays { .. } => vec![Remedy::Advice("update its driver"), Remedy::AnotherDevice, Remedy::OneThread],
            Self::Room { .. } => vec![Remedy::Advice("raise the limit (ulimit -v)"), Remedy::OneThread],
            Self::TooLarge { .. } | Self::OutOfMemory { .. } => vec![Remedy::SmallerSize, Remedy::AnotherDevice, Remedy::OneThread],
            Self::NoWideIntegers { .. } => vec![Remedy::Advice("take smaller samples"), Remedy::AnotherDevice, Remedy::OneThread],
            Self::NoDouble { .. } => vec![Remedy::SinglePrecision, Remedy::AnotherDevice, Remedy::AllCores],
            Self::Lower(LowerError::Range { .. }) => vec![Remedy::DoublePrecision, Remedy::OneThread],
            Self::Lower(LowerError::Rounded { .. }) => vec![Remedy::OneThread],
            Self::Lower(LowerError::Tile { .. }) => vec![Remedy::Advice("take smaller tiles")],
            Self::Lower(LowerError::Threads { .. }) => {
                vec![Remedy::Advice("take smaller tiles"), Remedy::Advice("give a thread more butterflies"), Remedy::AnotherDevice]
            }
            _ => Vec::new(),
        }
    }
}

/// Why the kernels cannot run a plan as scheduled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LowerError {
    /// A butterfly reaches outside the lanes, or a number does not fit 32 bits.
    #[error("stage '{stage}' reaches outside its {lanes} lanes or outside 32-bit arithmetic")]
    Outside {
        /// Label of the stage.
        stage: String,
        /// Lanes of the plan.
        lanes: usize,
    },
    /// A coefficient of an exact plan that single precision, in which kernels have them, would round.
    #[error("stage '{stage}' multiplies by {coef}, which kernels would round")]
    Rounded {
        /// Label of the stage.
        stage: String,
        /// The coefficient.
        coef: String,
    },
    /// A coefficient that single precision has as infinite or zero.
    #[error("{coef} is a coefficient beyond single precision")]
    Range {
        /// The coefficient.
        coef: String,
    },
    /// A tile that does not fit.
    #[error("launch {launch} needs tiles of {lanes} lanes, and the workgroup memory holds {fits}")]
    Tile {
        /// Which launch.
        launch: usize,
        /// Lanes of its tiles.
        lanes: usize,
        /// Lanes that would fit.
        fits: usize,
    },
    /// More threads than a workgroup has.
    #[error("launch {launch} needs workgroups of {threads} threads, and the device has at most {most}")]
    Threads {
        /// Which launch.
        launch: usize,
        /// Threads of its workgroups.
        threads: usize,
        /// The most that there are.
        most: usize,
    },
    /// A stage that leaves the tiles of its launch, or stages out of order.
    #[error("launch {launch} has stages out of order, or stages that leave its tiles")]
    Schedule {
        /// Which launch.
        launch: usize,
    },
}
