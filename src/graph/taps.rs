//! What a result takes of the lanes that its butterfly reads, as it is drawn.

use crate::plan::{Butterfly, Coef, Stage};

/// What a result takes of one tap.
pub(super) struct Tap {
    /// The lane that is read.
    pub(super) from: usize,
    /// What it is multiplied by.
    pub(super) weight: Coef,
    /// Whether it is conjugated before.
    pub(super) conjugated: bool,
}

/// What a result takes of every tap, without the factor that its [`Tail`](super::layout::Tail) shows; zeros left out.
pub(super) fn taps(stage: &Stage, butterfly: &Butterfly, result: usize) -> Vec<Tap> {
    let [p, q, _] = butterfly.place;
    let tap = |(k, from): (usize, &Option<usize>)| {
        Some(Tap { from: (*from)?, weight: stage.weight(p, q, result, k), conjugated: butterfly.conjugated[k] })
    };
    butterfly.reads.iter().enumerate().filter_map(tap).filter(|tap| tap.weight != Coef::Real(0.0)).collect()
}
