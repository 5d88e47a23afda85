//! Recognises Kronecker steps and stages that work in place.

use super::shapes::{KroneckerStage, ScalingStage};
use super::{Extension, Loop, Stage};

/// A stage that works in place on pairs of lanes or on single lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KroneckerStep {
    /// Distance of the lanes of a pair, a power of two; 0 for single lanes.
    pub distance: usize,
    /// Number of lanes that the step transforms, from lane 0 on.
    pub lanes: usize,
}

impl Stage {
    /// The stage as a Kronecker step, if it applies one 2×2 matrix to all pairs or one factor to all lanes.
    pub fn kronecker_step(&self) -> Option<KroneckerStep> {
        let pairs = KroneckerStage::of(self).map(|KroneckerStage { distance, lanes, .. }| KroneckerStep { distance, lanes });
        pairs.or_else(|| ScalingStage::of(self).map(|ScalingStage { lanes, .. }| KroneckerStep { distance: 0, lanes }))
    }

    /// Whether the strides show that no butterfly reads a lane that any of them writes, so that one array is enough. This holds for stages of at most two groups whose reads and writes lie apart.
    pub fn reads_apart(&self) -> bool {
        let (read, write) = (&self.read, &self.write);
        let len = self.lane_in_repetition(self.positions - 1, 0, self.matrix().rows - 1) + 1 - write.first;
        let reads = |q: usize| read.base + q * self.group.read..read.base + q * self.group.read + (read.len - 1) * read.step + 1;
        let is_apart = |(q, other): (usize, usize)| {
            let (reads, writes) = (reads(q), write.first + other * self.group.write);
            writes >= reads.end || writes + len <= reads.start
        };
        let pairs = (0..self.group.n).flat_map(|q| (0..self.group.n).map(move |other| (q, other)));
        self.outer.n == 1 && self.group.n <= 2 && !write.scatters() && pairs.into_iter().all(is_apart)
    }

    /// Whether the strides show that every butterfly writes exactly the lanes that it reads, so one array suffices.
    pub fn writes_its_taps(&self) -> bool {
        let (read, write, matrix) = (&self.read, &self.write, self.matrix());
        let same = |n: usize, read: i64, write: usize| n == 1 || read == write as i64;
        let returns = |lanes: &Loop| same(lanes.n, lanes.read as i64, lanes.write);
        let step = read.step as i64;
        read.extension == Extension::None
            && matrix.taps == matrix.rows
            && !write.scatters()
            && self.direct_sum().is_none()
            && read.base as i64 + read.first * step == write.first as i64
            && same(self.positions, read.advance * step, write.advance)
            && same(matrix.taps, read.hop * step, write.hop)
            && returns(&self.group)
            && returns(&self.outer)
    }
}
