//! The stage between the spectrum of paired real samples and the half spectrum of the samples.

use super::{copies, every_lane};
use crate::plan::{Coef, Direction, Extension, Matrix, Operation, ReadPattern, Stage, Twiddle, TwiddledSums};
use num_complex::Complex64;

/// Converts the spectrum of `points` lanes, each an even and an odd sample, to the `points` + 1 values of the half spectrum, or back.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HalfSpectrumStage {
    /// Number of rows.
    pub rows: usize,
    /// Lanes per row, with two samples each.
    pub points: usize,
    /// Factor of all results: ½ forward.
    pub scale: f64,
    /// Forward to the half spectrum, or back.
    pub direction: Direction,
}

impl HalfSpectrumStage {
    /// The stage. With taps u and v, each result is `scale` times (u + conj v) ± i·twiddle·(u − conj v).
    pub fn stage(self) -> Stage {
        let Self { rows, points, scale, direction } = self;
        // Tap 1 of position k is lane −k modulo `points` forward, and lane `points` − k on the way back.
        let (read, write, extension, quarter) = match direction {
            Direction::Forward => (points, points + 1, Extension::Negative, -scale),
            Direction::Inverse => (points + 1, points, Extension::Symmetric, scale),
        };
        let difference = |_, k| Coef::complex(Complex64::new(0.0, if k == 0 { quarter } else { -quarter }));
        Stage {
            label: "even and odd samples".into(),
            outer: copies(rows, read, write),
            read: ReadPattern { hop: points as i64, extension, ..ReadPattern::in_order(read) },
            operation: Operation::TwiddledSums(TwiddledSums {
                first: Matrix::from_fn(1, 2, |_, _| Coef::Real(scale)),
                second: Matrix::from_fn(1, 2, difference),
                conjugated: vec![false, true],
            }),
            twiddle: Some(Twiddle::Root { modulus: 2 * points, row: [1, 0, 0], column: [1, 0, 0], direction, reversed: 0 }),
            ..every_lane(write)
        }
    }

    /// The parameters of a stage if it has this shape in this direction.
    pub fn of(stage: &Stage, direction: Direction) -> Option<Self> {
        let Operation::TwiddledSums(sums) = &stage.operation else { return None };
        let Coef::Real(scale) = *sums.first.coefs.first()? else { return None };
        let found = Self { rows: stage.outer.n, points: usize::try_from(stage.read.hop).ok()?, scale, direction };
        found.stage().is_like(stage).then_some(found)
    }
}
