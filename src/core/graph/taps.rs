//! The summands of a result as they are drawn.

use crate::plan::{Butterfly, Coef, Stage};

/// A lane that a result reads.
pub(super) struct Tap {
    /// The lane that is read.
    pub(super) from: usize,
    /// The coefficient.
    pub(super) weight: Coef,
    /// Whether the value is conjugated first.
    pub(super) conjugated: bool,
}

/// The taps of a result without their common factor, which its [`DrawnResult`](super::drawing::DrawnResult) shows; zeros are left out.
pub(super) fn taps(stage: &Stage, butterfly: &Butterfly, result: usize) -> Vec<Tap> {
    let [p, q, _] = butterfly.indices;
    let tap = |(k, from): (usize, &Option<usize>)| {
        Some(Tap { from: (*from)?, weight: stage.weight(p, q, result, k), conjugated: butterfly.conjugated[k] })
    };
    butterfly.reads.iter().enumerate().filter_map(tap).filter(|tap| tap.weight != Coef::Real(0.0)).collect()
}
