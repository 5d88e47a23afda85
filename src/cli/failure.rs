//! Why a command failed, and which exit code that has.

use super::remedy::in_words;
use crate::engine::EngineError;
use crate::figure::FigureError;
use crate::gpu::GpuError;
use crate::graph::GraphError;
use crate::graph::matrix::MatrixFileError;
use crate::signal::{FileError, NoSuchChannel, SystemError};
use crate::spectra::SpectraError;
use crate::transforms::Unsupported;
use std::io;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The work failed.
    #[error("{0}")]
    Work(String),
    /// The call was wrong.
    #[error("{0}")]
    Call(String),
    /// An interruption ended the work early; what was done is written.
    #[error("interrupted")]
    Interrupted,
    /// The reader closed standard output.
    #[error("standard output was closed")]
    Closed,
}

impl From<Unsupported> for Failure {
    fn from(error: Unsupported) -> Self {
        Self::Call(in_words(&error))
    }
}

impl From<NoSuchChannel> for Failure {
    fn from(error: NoSuchChannel) -> Self {
        Self::Call(error.to_string())
    }
}

impl From<GraphError> for Failure {
    fn from(error: GraphError) -> Self {
        Self::Call(error.to_string())
    }
}

impl From<FigureError> for Failure {
    fn from(error: FigureError) -> Self {
        Self::Call(error.to_string())
    }
}

impl From<MatrixFileError> for Failure {
    fn from(error: MatrixFileError) -> Self {
        Self::Call(error.to_string())
    }
}

impl From<SystemError> for Failure {
    fn from(error: SystemError) -> Self {
        Self::Call(in_words(&error))
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Unsupported(error) => error.into(),
            EngineError::Channel(error) => error.into(),
            EngineError::Spectra(error) => error.into(),
            EngineError::Fractions { .. }
            | EngineError::Overflow { .. }
            | EngineError::TooFewPrimes { .. }
            | EngineError::Lines { .. }
            | EngineError::Sizes { .. }
            | EngineError::ComplexImage { .. }
            | EngineError::NoSecond { .. } => Self::Call(in_words(&error)),
            EngineError::NoInverse { .. }
            | EngineError::NoWavelet { .. }
            | EngineError::RealOnly { .. }
            | EngineError::Complex { .. }
            | EngineError::NotFinite { .. }
            | EngineError::TooLarge { .. }
            | EngineError::TooSmall { .. }
            | EngineError::Coefficient { .. }
            | EngineError::NoSamples { .. }
            | EngineError::CpuOnly { .. }
            | EngineError::OwnLoops { .. }
            | EngineError::LoopsByStage { .. }
            | EngineError::Mask(_)
            | EngineError::Gpu(GpuError::NoSuchAdapter { .. }) => Self::Call(in_words(&error)),
            other => Self::Work(in_words(&other)),
        }
    }
}

impl From<SpectraError> for Failure {
    fn from(error: SpectraError) -> Self {
        match error {
            SpectraError::NotFinite(_) | SpectraError::Gaps { .. } | SpectraError::Silent | SpectraError::TooLarge { .. } => {
                Self::Work(in_words(&error))
            }
            SpectraError::Cancelled => Self::Interrupted,
            other => Self::Call(in_words(&other)),
        }
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        match error {
            FileError::Unsuitable { .. } | FileError::UnknownEnding { .. } => Self::Call(in_words(&error)),
            FileError::Io { ref source, .. } if source.kind() == io::ErrorKind::BrokenPipe => Self::Closed,
            _ => Self::Work(in_words(&error)),
        }
    }
}
