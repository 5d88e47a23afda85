//! Stages with one result per butterfly: copies, scalings, pointwise factors, products and transpositions.

use super::copies;
use crate::plan::{Coef, Extension, Loop, Matrix, Operation, ReadPattern, Stage, Twiddle, WritePattern};

/// The stage that copies each of `n` lanes to itself.
pub fn every_lane(n: usize) -> Stage {
    Stage {
        label: String::new(),
        outer: Loop::ONCE,
        group: Loop::ONCE,
        positions: n,
        read: ReadPattern::in_order(n),
        write: WritePattern::IN_ORDER,
        operation: Operation::Linear(Matrix::scalar(Coef::ONE)),
        twiddle: None,
    }
}

/// Multiplies the first `lanes` lanes by one factor, as at the end of an inverse transform.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScalingStage {
    /// Number of lanes.
    pub lanes: usize,
    /// The factor.
    pub factor: Coef,
}

impl ScalingStage {
    /// The stage that divides by `divisor`.
    pub fn by_reciprocal(lanes: usize, divisor: usize) -> Stage {
        let factor = Coef::Real(1.0 / divisor as f64);
        Stage { label: format!("1/{divisor}"), ..Self { lanes, factor }.in_blocks(1) }
    }

    /// The stage in blocks of lanes.
    fn in_blocks(self, block: usize) -> Stage {
        let operation = Operation::Linear(Matrix::scalar(self.factor));
        Stage { outer: copies(self.lanes / block, block, block), operation, ..every_lane(block) }
    }

    /// The parameters of a stage if it has this shape, in blocks of any length.
    pub fn of(stage: &Stage) -> Option<Self> {
        let [factor] = stage.matrix().coefs[..] else { return None };
        let found = Self { lanes: stage.n_butterflies(), factor };
        let mut expected = found.in_blocks(stage.positions);
        // One position, tap or result never uses these strides.
        expected.write.hop = stage.write.hop;
        expected.read.hop = stage.read.hop;
        if stage.positions == 1 {
            expected.read.step = stage.read.step;
            expected.write.advance = stage.write.advance;
        }
        expected.is_like(stage).then_some(found)
    }
}

/// Multiplies lane p of every row by a factor of its own; lanes past `len` read zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WeightedStage {
    /// Lanes written per row.
    pub lanes: usize,
    /// Lanes read per row.
    pub len: usize,
    /// The loop over rows.
    pub rows: Loop,
}

impl WeightedStage {
    /// The stage with these factors.
    pub fn stage(self, twiddle: Twiddle) -> Stage {
        let stage = every_lane(self.lanes);
        let extension = if self.lanes > self.len { Extension::Zero } else { Extension::None };
        Stage { outer: self.rows, read: ReadPattern { len: self.len, extension, ..stage.read }, twiddle: Some(twiddle), ..stage }
    }

    /// The parameters of a stage if it has this shape.
    pub fn of(stage: &Stage) -> Option<Self> {
        let found = Self { lanes: stage.positions, len: stage.read.len, rows: stage.outer };
        found.stage(stage.twiddle.clone()?).is_like(stage).then_some(found)
    }
}

/// Multiplies each of `lanes` lanes of every row by the lane `distance` behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProductStage {
    /// Number of rows.
    pub rows: usize,
    /// Results per row.
    pub lanes: usize,
    /// Distance from a lane to its factor.
    pub distance: usize,
    /// Whether the factor is conjugated.
    pub conjugated: bool,
}

impl ProductStage {
    /// The stage.
    pub fn stage(self) -> Stage {
        let Self { rows, lanes, distance, conjugated } = self;
        let len = lanes + distance;
        Stage {
            label: "product".into(),
            outer: copies(rows, len, lanes),
            read: ReadPattern { hop: distance as i64, ..ReadPattern::in_order(len) },
            operation: Operation::Product { conjugated },
            ..every_lane(lanes)
        }
    }

    /// The parameters of a stage if it has this shape.
    pub fn of(stage: &Stage) -> Option<Self> {
        let Operation::Product { conjugated } = stage.operation else { return None };
        let found = Self { rows: stage.outer.n, lanes: stage.positions, distance: usize::try_from(stage.read.hop).ok()?, conjugated };
        found.stage().is_like(stage).then_some(found)
    }
}

/// Transposes an image of `rows` × `columns` lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TranspositionStage {
    /// Rows of the input.
    pub rows: usize,
    /// Columns of the input.
    pub columns: usize,
}

impl TranspositionStage {
    /// The stage.
    pub fn stage(self) -> Stage {
        let Self { rows, columns } = self;
        Stage {
            label: "transpose".into(),
            group: Loop { n: rows, read: columns, write: 1 },
            write: WritePattern { first: 0, advance: rows, hop: 1, ..WritePattern::IN_ORDER },
            ..every_lane(columns)
        }
    }

    /// The parameters of a stage if it has this shape.
    pub fn of(stage: &Stage) -> Option<Self> {
        let found = Self { rows: stage.group.n, columns: stage.positions };
        found.stage().is_like(stage).then_some(found)
    }
}
