//! A stage of Stockham's self-sorting Fourier transform, decimated in frequency or in time.

use super::copies;
use crate::plan::{Coef, Direction, Loop, Matrix, Operation, ReadPattern, Stage, Twiddle, WritePattern};

/// A Stockham stage in every row: taps are `row`/`radix` lanes apart, results `span` lanes apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StockhamStage {
    /// Number of rows.
    pub rows: usize,
    /// Lanes per row.
    pub row: usize,
    /// Points of a butterfly.
    pub radix: usize,
    /// Product of the radices before, times the width of an image whose columns are transformed.
    pub span: usize,
    /// Sign of the angle.
    pub direction: Direction,
}

impl StockhamStage {
    /// The stage.
    pub fn stage(self) -> Stage {
        let Self { rows, row, radix, span, direction } = self;
        let positions = row / (span * radix);
        Stage {
            label: format!("radix {radix}"),
            outer: copies(rows, row, row),
            group: Loop::new(span, 1),
            positions,
            read: ReadPattern { hop: positions as i64, step: span, ..ReadPattern::in_order(row / span) },
            write: WritePattern { first: 0, advance: span * radix, hop: span, ..WritePattern::IN_ORDER },
            operation: dft_operation(radix, direction),
            twiddle: position_twiddle(row / span, positions, direction),
        }
    }

    /// The parameters of a stage if it is a Stockham stage in this direction. Two taps without twiddles match both directions.
    pub fn of(stage: &Stage, direction: Direction) -> Option<Self> {
        let (radix, span) = (stage.matrix().taps, stage.group.n);
        let found = Self { rows: stage.outer.n, row: radix * span * stage.positions, radix, span, direction };
        found.stage().is_like(stage).then_some(found)
    }
}

/// A stage of Stockham's transform in every row, decimated in time: the twiddles multiply taps 1 to `radix` − 1 before the butterfly.
///
/// Taps and results are where those of [`StockhamStage`] are: position p of group q reads lane p + q·`span`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StockhamInTimeStage(pub StockhamStage);

impl StockhamInTimeStage {
    /// The stage.
    pub fn stage(self) -> Stage {
        let StockhamStage { rows, row, radix, span, direction } = self.0;
        let hop = row / radix;
        let Operation::Linear(dft) = dft_operation(radix, direction) else { unreachable!("a transform of some points is a matrix") };
        Stage {
            label: format!("radix {radix}"),
            outer: copies(rows, row, row),
            group: Loop { n: hop / span, read: span, write: span * radix },
            positions: span,
            read: ReadPattern { hop: hop as i64, ..ReadPattern::in_order((radix - 1) * hop + span) },
            write: WritePattern { hop: span, ..WritePattern::IN_ORDER },
            operation: Operation::TwiddledTaps(dft),
            twiddle: position_twiddle(span * radix, span, direction),
        }
    }

    /// The parameters of a stage if it is such a stage in this direction.
    pub fn of(stage: &Stage, direction: Direction) -> Option<StockhamStage> {
        let (radix, span) = (stage.matrix().taps, stage.positions);
        let found = StockhamStage { rows: stage.outer.n, row: radix * span * stage.group.n, radix, span, direction };
        Self(found).stage().is_like(stage).then_some(found)
    }
}

/// The DFT of `radix` points.
pub fn dft_operation(radix: usize, direction: Direction) -> Operation {
    Operation::Linear(Matrix::from_fn(radix, radix, |j, k| Coef::root((j * k) as u64, radix as u64, direction)))
}

/// The direction of a Fourier matrix; `None` for other matrices.
pub fn dft_direction(matrix: &Matrix) -> Option<Direction> {
    let is = |direction: &Direction| matches!(dft_operation(matrix.taps, *direction), Operation::Linear(dft) if dft == *matrix);
    [Direction::Forward, Direction::Inverse].into_iter().find(is)
}

/// The twiddle ω_modulus^(p·j) for result j at position p; `None` if the only position is 0.
pub fn position_twiddle(modulus: usize, positions: usize, direction: Direction) -> Option<Twiddle> {
    (positions > 1).then_some(Twiddle::Root { modulus, row: [1, 0, 0], column: [1, 0, 0], direction, reversed: 0 })
}
