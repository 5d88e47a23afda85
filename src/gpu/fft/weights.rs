//! Factors that a launch of lines takes on the way in or out: one a lane of a row, while the other side of the memory may hold shorter rows.
//!
//! Such are the chirps and the spectrum of a chirp in Bluestein's algorithm: passes over memory of their own would cost as much as those of the transform.

use crate::plan::{Coef, Fold, Loop, Read, Stage, Write};

/// A stage that only multiplies lane l of every row by its own factor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::gpu) struct Weights {
    /// Rows.
    rows: usize,
    /// Lanes that there are on the side of the memory, in every row.
    pub(in crate::gpu) len: usize,
    /// Lanes from one row to the next on that side.
    pub(in crate::gpu) pitch: usize,
    /// Lanes of a row on the other side, that of the transform.
    row: usize,
}

impl Weights {
    /// What a stage takes on the way into rows of the transform, lanes past the end being zero.
    pub(super) fn before(stage: &Stage) -> Option<Self> {
        let Loop { n: rows, read: pitch, write } = lanewise(stage)?;
        let row = stage.positions;
        (rows == 1 || write == row).then_some(Self { rows, len: stage.read.len, pitch, row })
    }

    /// What a stage takes on the way out, lanes past its end being left out; `row` lanes hold a row of the transform.
    pub(super) fn after(stage: &Stage, row: usize) -> Option<Self> {
        let Loop { n: rows, read, write: pitch } = lanewise(stage)?;
        let within = stage.positions <= stage.read.len && stage.positions <= row && (rows == 1 || read == row);
        within.then_some(Self { rows, len: stage.positions, pitch, row })
    }

    /// Whether the rows of the transform are these.
    pub(super) fn suits(&self, rows: usize, row: usize) -> bool {
        (self.rows, self.row) == (rows, row)
    }
}

/// The loop over rows of a stage that multiplies every lane by one factor and moves none.
fn lanewise(stage: &Stage) -> Option<Loop> {
    let len = stage.read.len;
    let reads = [Fold::None, Fold::Zero].map(|fold| Read { first: 0, advance: 1, hop: 1, step: 1, len, fold });
    let stays = reads.contains(&stage.read) && stage.write == Write::IN_ORDER && stage.group == Loop::ONCE;
    let alone = stage.is_linear() && stage.matrix().coefs == [Coef::ONE] && stage.twiddle.is_some();
    (stays && alone).then_some(stage.outer)
}
