//! Stages of recursive doubling, which solves tridiagonal systems by scans.

use super::every_lane;
use crate::plan::{Doubling, Extension, Operation, ReadPattern, Stage, WritePattern};

/// A stage of a scan of recursive doubling: every lane from itself and from the lane `distance` before it, or behind it in a backward step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DoublingStage {
    /// Number of lanes.
    pub n: usize,
    /// Distance of the other lane.
    pub distance: usize,
    /// The step: one that reads and writes the same lanes.
    pub step: Doubling,
}

impl DoublingStage {
    /// The stage.
    pub fn stage(self, label: String) -> Stage {
        let Self { n, distance, step } = self;
        // Of the two taps the second or the first is the own lane.
        let first = if step == Doubling::Backward { 0 } else { -(distance as i64) };
        let read = ReadPattern { first, hop: distance as i64, extension: Extension::Zero, ..ReadPattern::in_order(n) };
        Stage { label, read, operation: Operation::Doubling(step), ..every_lane(n) }
    }

    /// The parameters of a stage if it has this shape.
    pub fn of(stage: &Stage) -> Option<Self> {
        let Operation::Doubling(step @ (Doubling::Compose | Doubling::Forward | Doubling::Backward)) = stage.operation else {
            return None;
        };
        let found = Self { n: stage.positions, distance: usize::try_from(stage.read.hop).ok()?, step };
        found.stage(String::new()).is_like(stage).then_some(found)
    }
}

/// Three scans of ⌈log2 N⌉ stages each, in lanes 0 to N: the maps of the pivots, then the unknowns before, then those behind.
///
/// While maps compose, the equations stay in lanes N to 2·N.
pub fn recursive_doubling(n: usize) -> Vec<Stage> {
    let scan = move |name: &'static str, step: Doubling| {
        (0..n.next_power_of_two().ilog2())
            .map(move |stage| DoublingStage { n, distance: 1 << stage, step }.stage(format!("{name} {}", stage + 1)))
    };
    let of = |label: &str, step: Doubling, read: ReadPattern| Stage {
        label: label.into(),
        read,
        operation: Operation::Doubling(step),
        ..every_lane(n)
    };
    let before = ReadPattern { first: -1, extension: Extension::Zero, ..ReadPattern::in_order(n) };
    let maps = Stage { write: WritePattern { hop: n, ..WritePattern::IN_ORDER }, ..of("pivot maps", Doubling::PivotMap, before) };
    let division = of("division by pivots", Doubling::Divide, ReadPattern { hop: n as i64, ..ReadPattern::in_order(2 * n) });
    std::iter::once(maps)
        .chain(scan("pivots", Doubling::Compose))
        .chain([division])
        .chain(scan("forward", Doubling::Forward))
        .chain(scan("backward", Doubling::Backward))
        .collect()
}
