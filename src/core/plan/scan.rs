//! Scan steps: every equation anew, from itself and from equations a distance before and behind, as in parallel cyclic reduction and recursive doubling.

use super::shapes::{DoublingStage, EliminationStage};
use super::{Doubling, Loop, Operation, Stage};

/// A stage that computes every equation of one system from itself and from neighbours a distance away; past the ends stands nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScanStep {
    /// Number of equations, in lanes 0 to n.
    pub n: usize,
    /// Distance of the neighbours, in lanes.
    pub distance: usize,
    /// The step of recursive doubling; `None` eliminates both neighbours.
    pub doubling: Option<Doubling>,
}

impl ScanStep {
    /// Whether the step reads the equation before, and the one behind.
    pub fn sides(&self) -> [bool; 2] {
        match self.doubling {
            None => [true, true],
            Some(step) => [step != Doubling::Backward, step == Doubling::Backward],
        }
    }
}

impl Stage {
    /// The stage as a scan step of one system, if it is one.
    pub fn scan_step(&self) -> Option<ScanStep> {
        let scan = match self.operation {
            Operation::Doubling(_) => DoublingStage::of(self).map(|DoublingStage { n, distance, step }| (n, distance, Some(step))),
            _ => EliminationStage::of(self)
                .filter(|stage| (stage.first, stage.advance) == (0, 1))
                .map(|stage| (stage.n, stage.distance, None)),
        };
        let is_single = self.outer == Loop::ONCE && self.group == Loop::ONCE;
        scan.filter(|_| is_single).map(|(n, distance, doubling)| ScanStep { n, distance, doubling })
    }
}
