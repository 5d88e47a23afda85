//! The stages of the Kronecker algorithms: each step applies the 2×2 matrix to one digit of the index.

use super::super::{Base, RowOrder, Unsupported, direct};
use crate::plan::shapes::{KroneckerStage, copies, every_lane};
use crate::plan::{BitOrder, Coef, DirectSum, DirectTerms, Direction, Loop, Matrix, Operation, ReadPattern, Stage, Twiddle, WritePattern};

/// The matrix as the operation of a butterfly.
fn operation(Base(base): Base) -> Operation {
    Operation::Linear(Matrix::from_fn(2, 2, |j, k| Coef::Real(base[2 * j + k])))
}

/// In place: pairs `step` lanes apart in blocks of 2·`step`, from N/2 down to 1.
pub(crate) fn cooley_tukey(n: usize, base: Base) -> Vec<Stage> {
    steps_down(n).map(|distance| KroneckerStage { base: base.0.map(Coef::Real), distance, lanes: n }.stage()).collect()
}

/// In place on N lanes from `first` on, pairs 1 lane apart first and N/2 last: D. B. Gajić, R. S. Stanković 2012, Algorithm 1.
pub(crate) fn upward(n: usize, base: Base, first: usize) -> Vec<Stage> {
    let mut stages = cooley_tukey(n, base);
    stages.reverse();
    let placed = |stage: Stage| Stage {
        // The loop over rows of a batch goes outside.
        outer: Loop::ONCE,
        group: stage.outer,
        read: ReadPattern { base: first, ..stage.read },
        write: WritePattern { first, ..stage.write },
        ..stage
    };
    stages.into_iter().map(placed).collect()
}

/// Constant geometry: every step reads 2t and 2t + 1, and the order of the result decides where it writes.
///
/// Natural: t and t + N/2 in every step. Dyadic, the indices bit-reversed: a pair `step` lanes apart, N/2 down to 1 (the paper's equations 3 and 4).
/// Sequency, of Walsh: the same, and odd threads write v − u in place of u − v, except in the last step (the paper's section 5.3).
pub(super) fn constant_geometry(n: usize, base: Base, order: RowOrder) -> Vec<Stage> {
    let stage = |(number, step): (usize, usize)| {
        let (span, label) = match order {
            RowOrder::Natural => (n / 2, format!("constant geometry {}", number + 1)),
            RowOrder::Sequency | RowOrder::Dyadic => (step, format!("constant geometry, writes {step} apart")),
        };
        Stage {
            label,
            outer: copies(n / (2 * span), 2 * span, 2 * span),
            group: Loop::ONCE,
            positions: span,
            read: ReadPattern { advance: 2, ..ReadPattern::in_order(2 * span) },
            write: WritePattern { hop: span, ..WritePattern::IN_ORDER },
            operation: operation(base),
            // Thread t is at position t mod step, which is odd when t is; the sign of result j is (−1)^(j·t).
            twiddle: (order == RowOrder::Sequency && step > 1).then_some(Twiddle::Root {
                modulus: 2,
                row: [1, 0, 0],
                column: [1, 0, 0],
                direction: Direction::Forward,
                reversed: 0,
            }),
        }
    };
    steps_down(n).enumerate().map(stage).collect()
}

/// The permutation from natural order, where it moves anything.
pub(super) fn reordered(n: usize, order: RowOrder) -> Option<Stage> {
    let write = written(n, order)?;
    Some(Stage { label: format!("{} order", order.name()), write, ..every_lane(n) })
}

/// The Kronecker power of a matrix by its definition: one dense stage, which writes its results in order.
pub(super) fn dense(n: usize, base: Base, order: RowOrder) -> Result<Vec<Stage>, Unsupported> {
    direct::check_line(n)?;
    let stage = DirectSum::stage(n, DirectTerms::Kronecker { base: base.0 });
    Ok(vec![Stage { write: written(n, order).unwrap_or(stage.write), ..stage }])
}

/// Where results in natural order go, where that is not their own lane.
fn written(n: usize, order: RowOrder) -> Option<WritePattern> {
    let bit_order = match order {
        RowOrder::Natural => return None,
        RowOrder::Sequency => BitOrder::GrayDecoded,
        RowOrder::Dyadic => BitOrder::Kept,
    };
    (n > 2).then(|| WritePattern { reversed_bits: n.ilog2(), bit_order, ..WritePattern::IN_ORDER })
}

/// N/2, N/4, … 1.
fn steps_down(n: usize) -> impl Iterator<Item = usize> {
    (0..n.ilog2()).rev().map(|k| 1 << k)
}
