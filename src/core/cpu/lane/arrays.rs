//! Ping and pong arrays of lanes.
//!
//! Touching new memory costs more than most stages do.

use super::{Lane, SharedLanes};
use crate::plan::Plan;

/// Bytes of a cache line. Lanes begin at one, since a vector across two lines costs two accesses.
pub(crate) const CACHE_LINE: usize = 64;

/// Lanes that begin at a cache line.
#[derive(Debug, Clone)]
pub(crate) struct Aligned<L> {
    held: Vec<L>,
    first: usize,
    n: usize,
}

impl<L> Default for Aligned<L> {
    fn default() -> Self {
        Self { held: Vec::new(), first: 0, n: 0 }
    }
}

impl<L: Lane> Aligned<L> {
    /// Makes space for `n` lanes with any contents; new memory holds `value`.
    pub(crate) fn fit(&mut self, n: usize, value: L) {
        let margin = CACHE_LINE / size_of::<L>();
        if self.held.len() < n + margin {
            // Freed first to limit peak memory.
            *self = Self::default();
            self.held = vec![value; n + margin];
            self.first = self.held.as_ptr().align_offset(CACHE_LINE).min(margin);
        }
        self.n = n;
    }

    fn lanes(&self) -> &[L] {
        &self.held[self.first..self.first + self.n]
    }

    pub(crate) fn lanes_mut(&mut self) -> &mut [L] {
        &mut self.held[self.first..self.first + self.n]
    }
}

/// The lanes that a stage does not write and that later stages need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeptLanes {
    /// None.
    None,
    /// Those behind the first lanes, which the stage fills.
    Behind(usize),
    /// Any.
    Any,
}

impl KeptLanes {
    /// The lanes that stage `index` of a plan keeps.
    pub(crate) fn by(plan: &Plan, index: usize) -> Self {
        let stage = &plan.stages[index];
        let n = stage.n_butterflies() * stage.matrix().rows;
        match plan.carries(index) {
            false => Self::None,
            true if n == stage.write_reach() && !stage.write.scatters() => Self::Behind(n),
            true => Self::Any,
        }
    }
}

/// Two arrays of lanes; the second is allocated by the first stage that works out of place.
pub struct Arrays<L: Lane> {
    front: Aligned<L>,
    back: Aligned<L>,
}

impl<L: Lane> Default for Arrays<L> {
    fn default() -> Self {
        Self { front: Aligned::default(), back: Aligned::default() }
    }
}

impl<L: Lane> Arrays<L> {
    pub(crate) fn lanes(&self) -> &[L] {
        self.front.lanes()
    }

    pub(crate) fn lanes_mut(&mut self) -> &mut [L] {
        self.front.lanes_mut()
    }

    /// Allocated bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.front.held[..]) + size_of_val(&self.back.held[..])
    }

    /// Holds `n` lanes, of which these are the first.
    pub(crate) fn hold(&mut self, n: usize, lanes: impl Iterator<Item = L>) {
        self.front.fit(n, L::UNWRITTEN);
        self.lanes_mut().iter_mut().zip(lanes).for_each(|(held, lane)| *held = lane);
    }

    /// Runs `work` from one array to the other; with [`KeptLanes`] lanes, unwritten lanes keep their values.
    pub(crate) fn apart(&mut self, kept: KeptLanes, work: impl FnOnce(&[L], &mut [L])) {
        self.between(kept, |before, after| work(before, after.lanes_mut()));
    }

    /// As [`Self::apart`], with output lanes that several threads write.
    pub(crate) fn shared(&mut self, kept: KeptLanes, work: impl FnOnce(&[L], &SharedLanes<L>)) {
        self.between(kept, |before, after| {
            let shared = SharedLanes::of(std::mem::take(&mut after.held), after.first);
            work(before, &shared);
            after.held = shared.into_lanes();
        });
    }

    fn between(&mut self, kept: KeptLanes, work: impl FnOnce(&[L], &mut Aligned<L>)) {
        let Self { front, back, .. } = self;
        back.fit(front.n, L::UNWRITTEN);
        if kept == KeptLanes::Any {
            back.lanes_mut().copy_from_slice(front.lanes());
        }
        work(front.lanes(), back);
        match kept {
            // The fewer lanes return to the others.
            KeptLanes::Behind(n) if 2 * n <= front.n => front.lanes_mut()[..n].copy_from_slice(&back.lanes()[..n]),
            KeptLanes::Behind(n) => {
                back.lanes_mut()[n..].copy_from_slice(&front.lanes()[n..]);
                std::mem::swap(front, back);
            }
            KeptLanes::None | KeptLanes::Any => std::mem::swap(front, back),
        }
    }
}
