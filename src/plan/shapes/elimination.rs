//! The stages of cyclic reduction: rows of tridiagonal systems lose their neighbours.

use crate::plan::{Extension, Loop, Operation, ReadPattern, Stage, WritePattern};

/// Row i of those from `first` on, `advance` apart, loses rows i − `distance` and i + `distance`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EliminationStage {
    /// Rows of the system.
    pub n: usize,
    /// How far away the neighbours stand.
    pub distance: usize,
    /// The first row that loses its neighbours.
    pub first: usize,
    /// Rows from one of these to the next.
    pub advance: usize,
}

impl EliminationStage {
    /// The stage.
    pub fn stage(self, label: String) -> Stage {
        let Self { n, distance, first, advance } = self;
        Stage {
            label,
            outer: Loop::ONCE,
            group: Loop::ONCE,
            positions: (n - first).div_ceil(advance),
            read: ReadPattern {
                first: first as i64 - distance as i64,
                advance: advance as i64,
                hop: distance as i64,
                extension: Extension::Zero,
                ..ReadPattern::in_order(n)
            },
            write: WritePattern { first, advance, ..WritePattern::IN_ORDER },
            operation: Operation::Eliminate,
            twiddle: None,
        }
    }

    /// The parameters of a stage, if it is of this shape for each of some systems.
    pub fn of(stage: &Stage) -> Option<Self> {
        let (read, write) = (&stage.read, &stage.write);
        let found = Self { n: read.len, distance: usize::try_from(read.hop).ok()?, first: write.first, advance: write.advance };
        let fits = found.first < found.n && found.advance > 0;
        let expected = || Stage { outer: stage.outer, group: stage.group, ..found.stage(String::new()) };
        (fits && expected().is_like(stage)).then_some(found)
    }
}

/// ⌊log2 N⌋ levels leave row 2^⌊log2 N⌋ − 1 alone, and so solved; the same number of levels substitutes back.
///
/// The last row of every whole block of 2^l rows survives level l, so blocks of rows are reduced on their own except for one row at their border.
pub fn cyclic_reduction(n: usize) -> Vec<Stage> {
    let n_levels = n.checked_ilog2().unwrap_or(0);
    let reduce = |level: u32| {
        let distance = 1 << level;
        EliminationStage { n, distance, first: 2 * distance - 1, advance: 2 * distance }.stage(format!("reduction {}", level + 1))
    };
    // A single row is solved by what solves the rows between solved ones.
    let substitute = |level: u32| {
        let distance = 1 << level;
        EliminationStage { n, distance, first: distance - 1, advance: 2 * distance }.stage(format!("substitution {}", level + 1))
    };
    (0..n_levels).map(reduce).chain((0..n_levels.max(1)).rev().map(substitute)).collect()
}

/// ⌈log2 N⌉ stages, and one where N is 1; every row loses its neighbours in every stage.
pub fn parallel_cyclic_reduction(n: usize) -> Vec<Stage> {
    let n_stages = n.next_power_of_two().ilog2().max(1);
    let stage =
        |stage| EliminationStage { n, distance: 1_usize << stage, first: 0, advance: 1 }.stage(format!("parallel reduction {}", stage + 1));
    (0..n_stages).map(stage).collect()
}
