//! The stages of the Kronecker algorithms: each step applies the 2×2 matrix to one digit of the index.

use super::super::{Base, RowOrder};
use crate::plan::shapes::{KroneckerStage, copies, every_lane};
use crate::plan::{BitOrder, Coef, Direction, Loop, Matrix, Operation, ReadPattern, Stage, Twiddle, WritePattern};

/// The matrix as the operation of a butterfly.
fn operation(Base(base): Base) -> Operation {
    Operation::Linear(Matrix::from_fn(2, 2, |j, k| Coef::Real(base[2 * j + k])))
}

/// In place: pairs `step` lanes apart in blocks of 2·`step`, from N/2 down to 1.
pub(in crate::transforms) fn cooley_tukey(n: usize, base: Base) -> Vec<Stage> {
    steps_down(n).map(|distance| KroneckerStage { base: base.0.map(Coef::Real), distance, lanes: n }.stage()).collect()
}

/// Constant geometry in natural order: every step reads 2t and 2t + 1 and writes t and t + N/2.
pub(super) fn constant_geometry(n: usize, base: Base) -> Vec<Stage> {
    (1..=n.ilog2())
        .map(|step| Stage {
            label: format!("constant geometry {step}"),
            outer: Loop::ONCE,
            group: Loop::ONCE,
            positions: n / 2,
            read: ReadPattern { advance: 2, ..ReadPattern::in_order(n) },
            write: WritePattern { hop: n / 2, ..WritePattern::IN_ORDER },
            operation: operation(base),
            twiddle: None,
        })
        .collect()
}

/// Constant geometry of Walsh, whose writing rule decides the order.
///
/// Natural: as [`constant_geometry`]. Dyadic: every step reads neighbours and writes a pair `step` lanes apart, N/2 down to 1.
/// Sequency: the same, and odd threads write v − u in place of u − v, except in the last step (the paper's section 5.3).
pub(super) fn walsh_constant_geometry(n: usize, order: RowOrder) -> Vec<Stage> {
    if order == RowOrder::Natural {
        return constant_geometry(n, Base::WALSH);
    }
    steps_down(n)
        .map(|step| Stage {
            label: format!("constant geometry, step {step}"),
            outer: copies(n / (2 * step), 2 * step, 2 * step),
            group: Loop::ONCE,
            positions: step,
            read: ReadPattern { advance: 2, ..ReadPattern::in_order(2 * step) },
            write: WritePattern { hop: step, ..WritePattern::IN_ORDER },
            operation: operation(Base::WALSH),
            // Thread t stands at position t mod step, which is odd when t is; the sign of result j is (−1)^(j·t).
            twiddle: (order == RowOrder::Sequency && step > 1).then_some(Twiddle::Root {
                modulus: 2,
                row: [1, 0, 0],
                column: [1, 0, 0],
                direction: Direction::Forward,
            }),
        })
        .collect()
}

/// The permutation from natural order, where it moves anything.
pub(super) fn reordered(n: usize, order: RowOrder) -> Option<Stage> {
    let bit_order = match order {
        RowOrder::Natural => return None,
        RowOrder::Sequency => BitOrder::GrayDecoded,
        RowOrder::Dyadic => BitOrder::Kept,
    };
    (n > 2).then(|| Stage {
        label: format!("{} order", order.name()),
        write: WritePattern { reversed_bits: n.ilog2(), bit_order, ..WritePattern::IN_ORDER },
        ..every_lane(n)
    })
}

/// N/2, N/4, … 1.
fn steps_down(n: usize) -> impl Iterator<Item = usize> {
    (0..n.ilog2()).rev().map(|k| 1 << k)
}
