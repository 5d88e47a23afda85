//! Kronecker steps, recognised by the numbers of a stage: what fast code on the CPU and on the GPU has in common.

use super::shapes::{KroneckerStage, ScalingStage};
use super::{Extension, Loop, Stage};

/// A stage that works in place on pairs of lanes, or on every lane on its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KroneckerStep {
    /// How far apart the lanes of a pair stand, a power of two, in blocks of twice that; 0 where every lane is on its own.
    pub distance: usize,
    /// The step takes lanes 0 to here.
    pub lanes: usize,
}

impl Stage {
    /// The stage as a step, if it is one: neighbouring blocks of pairs, the same 2×2 matrix on each, or one factor on every lane.
    pub fn kronecker_step(&self) -> Option<KroneckerStep> {
        let pairs = KroneckerStage::of(self).map(|KroneckerStage { distance, lanes, .. }| KroneckerStep { distance, lanes });
        pairs.or_else(|| ScalingStage::of(self).map(|ScalingStage { lanes, .. }| KroneckerStep { distance: 0, lanes }))
    }

    /// Whether the strides alone say that every butterfly writes the lanes that it reads: then no other one reads them, and one array is enough.
    pub fn writes_its_taps(&self) -> bool {
        let (read, write, matrix) = (&self.read, &self.write, self.matrix());
        let same = |n: usize, read: i64, write: usize| n == 1 || read == write as i64;
        let returns = |turns: &Loop| same(turns.n, turns.read as i64, turns.write);
        let step = read.step as i64;
        read.extension == Extension::None
            && matrix.taps == matrix.rows
            && !write.scatters()
            && read.base as i64 + read.first * step == write.first as i64
            && same(self.positions, read.advance * step, write.advance)
            && same(matrix.taps, read.hop * step, write.hop)
            && returns(&self.group)
            && returns(&self.outer)
    }
}
