//! Factors that a launch of lines takes on the way in or out: one a lane of a row, while the other side of the memory may hold shorter rows.
//!
//! Such are the chirps and the spectrum of a chirp in Bluestein's algorithm: passes over memory of their own would cost as much as those of the transform.

use crate::plan::shapes::WeightedStage;
use crate::plan::{Loop, Stage};

/// A stage that only multiplies lane l of every row by its own factor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LaneFactors {
    /// Rows.
    rows: usize,
    /// Lanes of a row on the side of the memory.
    pub(crate) len: usize,
    /// Lanes from one row to the next on that side.
    pub(crate) pitch: usize,
    /// Lanes of a row on the side of the transform.
    row: usize,
}

impl LaneFactors {
    /// The pre-multiplication of rows of the transform, if the stage is one; lanes past the end are zero.
    pub(super) fn before(stage: &Stage) -> Option<Self> {
        let WeightedStage { lanes: row, len, rows: Loop { n: rows, read: pitch, write } } = WeightedStage::of(stage)?;
        (rows == 1 || write == row).then_some(Self { rows, len, pitch, row })
    }

    /// The post-multiplication, if the stage is one; lanes past its end are left out. `row` lanes hold a row of the transform.
    pub(super) fn after(stage: &Stage, row: usize) -> Option<Self> {
        let WeightedStage { lanes: len, len: taken, rows: Loop { n: rows, read, write: pitch } } = WeightedStage::of(stage)?;
        let within = len <= taken && len <= row && (rows == 1 || read == row);
        within.then_some(Self { rows, len, pitch, row })
    }

    /// Whether the rows of the transform are these.
    pub(super) fn suits(&self, rows: usize, row: usize) -> bool {
        (self.rows, self.row) == (rows, row)
    }
}
