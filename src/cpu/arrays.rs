//! Ping and pong arrays of lanes, kept between runs.
//!
//! Touching new memory costs more than most stages do.

use super::Lane;
use super::lane::SharedLanes;
use super::sections::SectionButterflies;
use crate::plan::Plan;
use std::sync::Arc;

/// Bytes of a cache line. Lanes begin at one, since a vector across two lines costs two accesses.
const CACHE_LINE: usize = 64;

/// Lanes that begin at a cache line.
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
    /// Makes space for `n` lanes with any contents.
    fn fit(&mut self, n: usize) {
        let margin = CACHE_LINE / size_of::<L>();
        if self.held.len() < n + margin {
            // Freed first to limit peak memory.
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

/// Two arrays of lanes; the second is allocated by the first stage that works out of place.
#[derive(Debug, Clone)]
pub struct LaneArrays<L> {
    front: Aligned<L>,
    back: Aligned<L>,
    /// The sections of the last schedule.
    pub(super) sections: Vec<Arc<SectionButterflies>>,
}

impl<L> Default for LaneArrays<L> {
    fn default() -> Self {
        Self { front: Aligned::default(), back: Aligned::default(), sections: Vec::new() }
    }
}

impl<L: Lane> LaneArrays<L> {
    /// The lanes after the last run, with the outputs first.
    pub fn lanes(&self) -> &[L] {
        self.front.lanes()
    }

    pub(super) fn lanes_mut(&mut self) -> &mut [L] {
        self.front.lanes_mut()
    }

    /// Allocated bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.front.held[..]) + size_of_val(&self.back.held[..])
    }

    /// Loads the input of a plan into its first lanes.
    ///
    /// # Panics
    /// If the length of `input` is not that of the plan.
    pub fn load(&mut self, plan: &Plan, input: &[L]) {
        assert_eq!(input.len(), plan.inputs, "the plan takes another number of values");
        self.front.fit(plan.lanes);
        self.front.lanes_mut()[..input.len()].copy_from_slice(input);
    }

    /// Runs `work` from one array to the other; with `carries`, unwritten lanes keep their values.
    pub(super) fn apart(&mut self, carries: bool, work: impl FnOnce(&[L], &mut [L])) {
        self.between(carries, |before, after| work(before, after.lanes_mut()));
    }

    /// As [`Self::apart`], with output lanes that several threads write.
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
