//! The stage between the spectrum of pairs of real samples and half the spectrum of these samples.

use super::{copies, every_lane};
use crate::plan::{Coef, Direction, Extension, Matrix, Operation, ReadPattern, Stage, Twiddle, TwiddledSums};
use num_complex::Complex64;

/// Forward, `points` lanes of every row, the spectrum of lanes that hold an even and an odd sample each, become `points` + 1 values: half the spectrum of the samples.
/// The inverse goes back.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HalfSpectrumStage {
    /// Number of rows.
    pub rows: usize,
    /// Lanes of a row, with two samples each.
    pub points: usize,
    /// What every result is multiplied by: ½ forward.
    pub scale: f64,
    /// To half a spectrum, or back.
    pub direction: Direction,
}

impl HalfSpectrumStage {
    /// The stage: the sum of tap 0 and the conjugate of tap 1, and ±i times the twiddle times their difference, all times `scale`.
    pub fn stage(self) -> Stage {
        let Self { rows, points, scale, direction } = self;
        // Tap 1 of position k is lane −k forward, and lane `points` − k on the way back.
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
            twiddle: Some(Twiddle::Root { modulus: 2 * points, row: [1, 0, 0], column: [1, 0, 0], direction }),
            ..every_lane(write)
        }
    }

    /// The parameters of a stage, if it is of this shape in this direction.
    pub fn of(stage: &Stage, direction: Direction) -> Option<Self> {
        let Operation::TwiddledSums(sums) = &stage.operation else { return None };
        let Coef::Real(scale) = *sums.first.coefs.first()? else { return None };
        let found = Self { rows: stage.outer.n, points: usize::try_from(stage.read.hop).ok()?, scale, direction };
        found.stage().is_like(stage).then_some(found)
    }
}
