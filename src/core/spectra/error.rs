//! Why there is no spectrum of a recording, and what helps.

use super::{FrameError, Rate};
use crate::cpu::Cancelled;
use crate::filter::FrequencyError;
use crate::numerals::{counted, integer, number};
use crate::remedy::{Remedies, Remedy};
use crate::signal::NoSuchChannel;

/// Why there is no spectrum of a recording.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SpectraError {
    /// The frames do not fit the samples.
    #[error(transparent)]
    Frames(#[from] FrameError),
    /// The signal has no such channel.
    #[error(transparent)]
    Channel(#[from] NoSuchChannel),
    /// The selection is empty or reaches outside.
    #[error("samples {} to {} do not lie in the recording, which has {}", integer(*.from), integer(*.to), counted(*.samples, "sample"))]
    Selection {
        /// Its first sample.
        from: usize,
        /// The sample after its last.
        to: usize,
        /// Samples of the recording.
        samples: usize,
    },
    /// A place is given in a unit that the axis of the recording does not have.
    #[error("{0} is no place in this recording, whose samples have no position in that unit")]
    Place(String),
    /// So many samples are not finite numbers.
    #[error("{} not finite, so that the spectrum has no value", if *.0 == 1 { "1 sample is".to_owned() } else { format!("{} are", counted(*.0, "sample")) })]
    NotFinite(usize),
    /// A measure of finite samples alone, and how many are none.
    #[error("{measure} takes finite numbers, and {} not", if *.n == 1 { "1 sample is".to_owned() } else { format!("{} are", counted(*.n, "sample")) })]
    Gaps {
        /// The measure.
        measure: &'static str,
        /// The samples that are infinite or not a number.
        n: usize,
    },
    /// All samples are zero, or the same.
    #[error("the selection is silent: there is nothing to measure")]
    Silent,
    /// Fewer samples than a measure needs.
    #[error("{measure} needs at least {}, and the selection has {}", counted(*.least, "sample"), integer(*.samples))]
    TooFew {
        /// The measure.
        measure: &'static str,
        /// The fewest samples.
        least: usize,
        /// The samples that there are.
        samples: usize,
    },
    /// The band is empty or lies outside.
    #[error("{} of this spectrum, which goes from {from} to {to}{}", no_frequency([*low, *high], unit), spaced(unit))]
    Band {
        /// Its lower end.
        low: f64,
        /// Its upper end.
        high: f64,
        /// The lowest frequency.
        from: f64,
        /// The highest frequency.
        to: f64,
        /// Their unit; empty where nobody has said it yet.
        unit: &'static str,
    },
    /// A frequency whose unit these samples do not have.
    #[error(transparent)]
    Frequency(#[from] FrequencyError),
    /// A box of time and frequency is empty or lies outside.
    #[error("the {what} {written} {why}")]
    Box {
        /// A box or a stroke.
        what: &'static str,
        /// The box as it is written.
        written: String,
        /// The mistake, and what helps.
        why: String,
    },
    /// A file cannot be read or written.
    #[error("{0}")]
    File(String),
    /// A box of time and frequency is too narrow for its frames.
    #[error("a {what} {}{} wide is narrower than the {}{} that frames of this length tell apart", number(*.is, 4), spaced(unit), number(*.least, 4), spaced(unit))]
    Narrow {
        /// A box or a stroke.
        what: &'static str,
        /// Its width in frequency.
        is: f64,
        /// The least width that the frames have.
        least: f64,
        /// Their unit; empty where nobody has said it yet.
        unit: &'static str,
    },
    /// A measure of real samples alone.
    #[error("{0} takes real samples, and these are complex")]
    Complex(&'static str),
    /// The work takes more memory than there is.
    #[error("the work takes {needed_mib} MiB of memory, and {free_mib} MiB may be used")]
    TooLarge {
        /// MiB that it takes.
        needed_mib: u64,
        /// MiB that there are.
        free_mib: u64,
    },
    /// The file of the recording is not what it was when it was opened.
    #[error("{0}")]
    Changed(String),
    /// The user cancelled, or whoever transforms rows gave up.
    #[error("cancelled")]
    Cancelled,
}

fn spaced(unit: &str) -> String {
    if unit.is_empty() { String::new() } else { format!(" {unit}") }
}

impl SpectraError {
    /// The error with the unit of its frequencies, which those who measure do not know.
    #[must_use]
    pub fn in_unit_of(mut self, rate: Rate) -> Self {
        if let Self::Band { unit, .. } | Self::Narrow { unit, .. } = &mut self {
            *unit = rate.frequency();
        }
        self
    }

    /// The error of a measure that puts no mean in the place of samples.
    pub(super) fn of_measure(self, measure: &'static str) -> Self {
        if let Self::NotFinite(n) = self { Self::Gaps { measure, n } } else { self }
    }
}

impl From<Cancelled> for SpectraError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl Remedies for SpectraError {
    fn remedies(&self) -> Vec<Remedy> {
        match self {
            Self::Frames(error) => error.remedies(),
            Self::NotFinite(_) => vec![Remedy::RemoveMean],
            Self::Selection { .. } | Self::Place(_) => vec![Remedy::Advice("take a selection inside it, of at least one sample")],
            Self::Gaps { .. } => vec![Remedy::Advice("take a selection without them")],
            Self::TooFew { .. } => vec![Remedy::Advice("take a longer selection")],
            Self::Band { .. } => vec![Remedy::Advice("take one inside it")],
            Self::TooLarge { .. } => vec![Remedy::Advice("take a shorter selection")],
            Self::Changed(_) => vec![Remedy::Advice("open it again")],
            Self::Complex(_) => vec![Remedy::Advice("take another method")],
            Self::Narrow { .. } => vec![Remedy::Advice("take a longer length, or draw it wider")],
            Self::Channel(_) | Self::Frequency(_) | Self::Box { .. } | Self::File(_) | Self::Silent | Self::Cancelled => Vec::new(),
        }
    }
}

/// A band that holds no frequency, or a frequency that is none.
fn no_frequency([low, high]: [f64; 2], unit: &str) -> String {
    let unit = spaced(unit);
    if low == high { format!("{low}{unit} is no frequency") } else { format!("the band {low} to {high}{unit} holds no frequency") }
}

/// Refuses work that takes more bytes than may be used.
pub(super) fn check_bytes(bytes: u128) -> Result<(), SpectraError> {
    let free = crate::signal::memory_limit();
    if bytes > u128::from(free) {
        return Err(SpectraError::TooLarge { needed_mib: u64::try_from(bytes >> 20).unwrap_or(u64::MAX), free_mib: free >> 20 });
    }
    Ok(())
}
