//! The contents of a result: values, half a spectrum, samples or unknowns.

use super::Job;
use crate::plan::Direction;
use crate::transforms::{Numbers, Transform, transform};

/// The contents of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contents {
    /// A value for every sample, or a sample for every value.
    Values,
    /// The half of the spectrum that determines the whole: frequencies from 0 to half the sampling rate along the columns.
    HalfSpectrum,
    /// Real samples.
    Samples,
    /// The unknowns of a system, one for each equation.
    Unknowns,
}

/// The contents of the result of a transform.
pub(super) fn contents(transform: &Transform, direction: Direction) -> Contents {
    match direction {
        _ if transform.gives != Numbers::HalfSpectrum => Contents::Values,
        Direction::Forward => Contents::HalfSpectrum,
        Direction::Inverse => Contents::Samples,
    }
}

/// The contents of the result of a job; a job without a row in the table holds values.
pub(super) fn contents_of(job: &Job) -> Contents {
    transform(job.transform).map_or(Contents::Values, |transform| contents(transform, job.parameters.direction))
}
