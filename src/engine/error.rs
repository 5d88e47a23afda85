//! Why a job has no result, in one line each.

use crate::gpu::GpuError;
use crate::signal::NoSuchChannel;
use crate::transforms::Unsupported;

/// Why a job has no result.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EngineError {
    /// No plan for this shape, or a name that is not in the table.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// Something newer was asked for, or the user cancelled.
    #[error("cancelled")]
    Cancelled,
    /// The device is not there or refused.
    #[error(transparent)]
    Gpu(GpuError),
    /// The signal has no such channel.
    #[error(transparent)]
    Channel(#[from] NoSuchChannel),
    /// An algorithm that no GPU runs.
    #[error("{algorithm} runs on the CPU only: take another algorithm, or -d cpu-parallel")]
    CpuOnly {
        /// The algorithm.
        algorithm: &'static str,
    },
    /// A library where an order of the loops was asked for.
    #[error("{algorithm} orders its loops itself: take another algorithm, or -d cpu")]
    OwnLoops {
        /// The algorithm.
        algorithm: &'static str,
    },
    /// Samples with fractions, where only integers can be taken.
    #[error(
        "{transform} computes modulo 2 and takes integers, and the samples have fractions: round them, or take one channel of a colour picture"
    )]
    Fractions {
        /// The transform.
        transform: &'static str,
    },
    /// What is convolved is not one line, or not as long as the other.
    #[error("{name} has {rows} × {columns} values, and one line of {needed} is needed")]
    Lines {
        /// Name of the signal.
        name: String,
        /// Its rows.
        rows: usize,
        /// Its columns.
        columns: usize,
        /// The length of the first signal.
        needed: usize,
    },
    /// Integers that may grow beyond 64 bits.
    #[error(
        "the integers of {transform} may grow to {bits} bits, and 63 are kept exactly: take smaller samples, or store them as floating-point numbers"
    )]
    Overflow {
        /// The transform.
        transform: &'static str,
        /// Bits that the largest result may need.
        bits: u32,
    },
    /// Complex samples for a transform of real ones.
    #[error("{transform} takes real samples, and {signal} is complex: take -t {instead}")]
    Complex {
        /// The transform.
        transform: &'static str,
        /// Name of the signal.
        signal: String,
        /// The transform of complex samples along the same axes.
        instead: &'static str,
    },
    /// There is nothing to transform.
    #[error("{transform} needs at least one sample")]
    Empty {
        /// The transform.
        transform: &'static str,
    },
}

impl From<GpuError> for EngineError {
    fn from(error: GpuError) -> Self {
        if error == GpuError::Cancelled { Self::Cancelled } else { Self::Gpu(error) }
    }
}

impl From<crate::cpu::Cancelled> for EngineError {
    fn from(_: crate::cpu::Cancelled) -> Self {
        Self::Cancelled
    }
}
