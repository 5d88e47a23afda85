//! Why samples cannot be prepared, and what helps.

use super::Region;
use crate::remedy::{Remedies, Remedy};
use crate::signal::NoSuchChannel;

/// Why samples cannot be prepared.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PrepareError {
    /// The region is empty or reaches outside.
    #[error("the region {region} does not lie in the {noun} of {size}")]
    Region {
        /// The region.
        region: Region,
        /// "image" or "signal".
        noun: &'static str,
        /// Its size.
        size: String,
    },
    /// The padded size does not fit into memory.
    #[error("padding to {size} takes {needed_mib} MiB of memory, and {free_mib} MiB may be used")]
    TooLarge {
        /// The size.
        size: String,
        /// MiB that samples and result take.
        needed_mib: u128,
        /// MiB that there are.
        free_mib: u128,
    },
    /// The signal has no such channel.
    #[error(transparent)]
    Channel(#[from] NoSuchChannel),
    /// The user cancelled.
    #[error("cancelled")]
    Cancelled,
}

impl Remedies for PrepareError {
    fn remedies(&self) -> Vec<Remedy> {
        match self {
            Self::Region { .. } => vec![Remedy::Advice("take a region inside it, of at least one pixel")],
            Self::TooLarge { .. } => vec![Remedy::SmallerSize],
            Self::Channel(_) | Self::Cancelled => Vec::new(),
        }
    }
}
