//! Stages of cyclic reduction, which eliminate neighbouring equations of tridiagonal systems.

use crate::plan::{Extension, Loop, Operation, ReadPattern, Stage, WritePattern};

/// Eliminates equations i ± `distance` from every equation i = `first` + k·`advance`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EliminationStage {
    /// Number of equations.
    pub n: usize,
    /// Distance of the neighbours.
    pub distance: usize,
    /// The first updated equation.
    pub first: usize,
    /// Distance of updated equations.
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

    /// The parameters of a stage if it has this shape, for one system or several.
    pub fn of(stage: &Stage) -> Option<Self> {
        let (read, write) = (&stage.read, &stage.write);
        let found = Self { n: read.len, distance: usize::try_from(read.hop).ok()?, first: write.first, advance: write.advance };
        let fits = found.first < found.n && found.advance > 0;
        let expected = || Stage { outer: stage.outer, group: stage.group, ..found.stage(String::new()) };
        (fits && expected().is_like(stage)).then_some(found)
    }
}

/// ⌊log2 N⌋ levels reduce the system to equation 2^⌊log2 N⌋ − 1, which is then solved; the same number of levels substitutes back.
///
/// Level l keeps the last equation of every complete block of 2^l, so blocks reduce independently except for one equation at their boundary.
pub fn cyclic_reduction(n: usize) -> Vec<Stage> {
    let n_levels = n.checked_ilog2().unwrap_or(0);
    let reduce = |level: u32| {
        let distance = 1 << level;
        EliminationStage { n, distance, first: 2 * distance - 1, advance: 2 * distance }.stage(format!("reduction {}", level + 1))
    };
    // The last level also solves a system of one equation.
    let substitute = |level: u32| {
        let distance = 1 << level;
        EliminationStage { n, distance, first: distance - 1, advance: 2 * distance }.stage(format!("substitution {}", level + 1))
    };
    (0..n_levels).map(reduce).chain((0..n_levels.max(1)).rev().map(substitute)).collect()
}

/// ⌈log2 N⌉ stages, at least one, each eliminating the neighbours of every equation.
pub fn parallel_cyclic_reduction(n: usize) -> Vec<Stage> {
    let n_stages = n.next_power_of_two().ilog2().max(1);
    let stage =
        |stage| EliminationStage { n, distance: 1_usize << stage, first: 0, advance: 1 }.stage(format!("parallel reduction {}", stage + 1));
    (0..n_stages).map(stage).collect()
}
