//! A level of the Haar transform with constant geometry, and the permutation of the transform in place.

use super::{copies, every_lane};
use crate::plan::{BitOrder, Coef, Direction, Loop, Matrix, Operation, ReadPattern, Stage, WritePattern};

/// Sums of neighbours followed by their differences; the inverse reads halves and writes neighbours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HaarStage {
    /// Number of rows.
    pub rows: usize,
    /// Lanes per row; those behind the pairs keep their values.
    pub row: usize,
    /// Number of pairs, in the first lanes of each row.
    pub pairs: usize,
    /// Factor of all sums and differences.
    pub factor: f64,
    /// Forward to sums and differences, or back.
    pub direction: Direction,
}

impl HaarStage {
    /// The stage.
    pub fn stage(self) -> Stage {
        let Self { rows, row, pairs, factor, direction } = self;
        // Lanes from one pair to the next, and between the two lanes of a pair.
        let (neighbours, halves) = ([2, 1], [1, pairs]);
        let [[read_advance, read_hop], [advance, hop]] = match direction {
            Direction::Forward => [neighbours, halves],
            Direction::Inverse => [halves, neighbours],
        };
        Stage {
            label: format!("constant geometry, {pairs} pair{}", if pairs == 1 { "" } else { "s" }),
            outer: copies(rows, row, row),
            group: Loop::ONCE,
            positions: pairs,
            read: ReadPattern { advance: read_advance as i64, hop: read_hop as i64, ..ReadPattern::in_order(2 * pairs) },
            write: WritePattern { advance, hop, ..WritePattern::IN_ORDER },
            operation: sum_and_difference(factor),
            twiddle: None,
        }
    }

    /// The parameters of a stage on `lanes` lanes if it is a level in this direction.
    pub fn of(stage: &Stage, lanes: usize, direction: Direction) -> Option<Self> {
        let [Coef::Real(factor), ..] = stage.matrix().coefs[..] else { return None };
        let rows = stage.outer.n;
        let found = Self { rows, row: lanes / rows, pairs: stage.positions, factor, direction };
        let fits = 2 * found.pairs <= found.row && found.row * rows == lanes;
        (fits && found.stage().is_like(stage)).then_some(found)
    }
}

/// The permutation of a Haar transform in place: a difference of level l is at an odd multiple of 2^l; sorted, the coarsest level comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LevelOrderStage {
    /// Number of rows.
    pub rows: usize,
    /// Bits that number the lanes of a row.
    pub n_bits: u32,
    /// Forward to the coarsest first, inverse back to the lanes in place.
    pub direction: Direction,
}

impl LevelOrderStage {
    /// The stage.
    pub fn stage(self) -> Stage {
        let Self { rows, n_bits, direction } = self;
        let (label, bit_order) = match direction {
            Direction::Forward => ("coarsest first", BitOrder::BelowLeading),
            Direction::Inverse => ("pyramid in place", BitOrder::AboveTrailing),
        };
        let row = 1 << n_bits;
        Stage {
            label: label.into(),
            outer: copies(rows, row, row),
            write: WritePattern { reversed_bits: n_bits, bit_order, ..WritePattern::IN_ORDER },
            ..every_lane(row)
        }
    }

    /// The parameters of a stage if it has this shape.
    pub fn of(stage: &Stage) -> Option<Self> {
        let direction = if stage.write.bit_order == BitOrder::BelowLeading { Direction::Forward } else { Direction::Inverse };
        let n_bits = Some(stage.write.reversed_bits).filter(|bits| (1..usize::BITS).contains(bits))?;
        let found = Self { rows: stage.outer.n, n_bits, direction };
        found.stage().is_like(stage).then_some(found)
    }
}

/// The sum and the difference of two taps, times `factor`.
pub fn sum_and_difference(factor: f64) -> Operation {
    Operation::Linear(Matrix::from_fn(2, 2, |j, k| Coef::Real(if j * k == 1 { -factor } else { factor })))
}
