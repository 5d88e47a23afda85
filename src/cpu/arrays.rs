//! Two arrays of lanes that the stages of a run take in turn, kept from run to run.
//!
//! Memory that is touched for the first time costs more than most stages do; whoever runs plans again and again keeps the arrays.

use super::Lane;
use super::lane::SharedLanes;
use super::sections::SectionButterflies;
use crate::plan::Plan;
use std::sync::Arc;

/// Bytes of a line of the caches, at whose beginning lanes begin: a vector that lies in two lines costs as much as two.
const CACHE_LINE: usize = 64;

/// Lanes that begin where a line of the caches does.
#[derive(Debug, Clone)]
struct Aligned<L> {
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
    /// Makes room for `n` lanes; what they hold then is left over.
    fn fit(&mut self, n: usize) {
        let margin = CACHE_LINE / size_of::<L>();
        if self.held.len() < n + margin {
            // Freed first, so that never more is held than needed.
            *self = Self::default();
            self.held = vec![L::UNWRITTEN; n + margin];
            self.first = self.held.as_ptr().align_offset(CACHE_LINE).min(margin);
        }
        self.n = n;
    }

    fn lanes(&self) -> &[L] {
        &self.held[self.first..self.first + self.n]
    }

    fn lanes_mut(&mut self) -> &mut [L] {
        &mut self.held[self.first..self.first + self.n]
    }
}

/// Two arrays of lanes, the second of which is made when a stage needs it that does not work in place.
#[derive(Debug, Clone)]
pub struct LaneArrays<L> {
    front: Aligned<L>,
    back: Aligned<L>,
    /// The sections of the schedule that was run last.
    pub(super) sections: Vec<Arc<SectionButterflies>>,
}

impl<L> Default for LaneArrays<L> {
    fn default() -> Self {
        Self { front: Aligned::default(), back: Aligned::default(), sections: Vec::new() }
    }
}

impl<L: Lane> LaneArrays<L> {
    /// The lanes as the last run has left them, its results first.
    pub fn lanes(&self) -> &[L] {
        self.front.lanes()
    }

    /// The same, to work on in place.
    pub(super) fn lanes_mut(&mut self) -> &mut [L] {
        self.front.lanes_mut()
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.front.held[..]) + size_of_val(&self.back.held[..])
    }

    /// Brings the input of a plan to the first of its lanes.
    ///
    /// # Panics
    /// When `input` does not have as many values as the plan takes.
    pub fn bring(&mut self, plan: &Plan, input: &[L]) {
        assert_eq!(input.len(), plan.inputs, "the plan takes another number of values");
        self.front.fit(plan.lanes);
        self.front.lanes_mut()[..input.len()].copy_from_slice(input);
    }

    /// Works from one array to the other; with `carries`, lanes that are not written keep their value.
    pub(super) fn apart(&mut self, carries: bool, work: impl FnOnce(&[L], &mut [L])) {
        self.between(carries, |before, after| work(before, after.lanes_mut()));
    }

    /// The same with lanes that several threads write.
    pub(super) fn shared(&mut self, carries: bool, work: impl FnOnce(&[L], &SharedLanes<L>)) {
        self.between(carries, |before, after| {
            let shared = SharedLanes::of(std::mem::take(&mut after.held), after.first);
            work(before, &shared);
            after.held = shared.into_lanes();
        });
    }

    fn between(&mut self, carries: bool, work: impl FnOnce(&[L], &mut Aligned<L>)) {
        let Self { front, back, .. } = self;
        back.fit(front.n);
        if carries {
            back.lanes_mut().copy_from_slice(front.lanes());
        }
        work(front.lanes(), back);
        std::mem::swap(front, back);
    }
}
