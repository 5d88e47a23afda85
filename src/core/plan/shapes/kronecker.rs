//! A Kronecker step: one 2×2 matrix applied to one bit of the index.

use super::copies;
use crate::plan::{Coef, Loop, Matrix, Operation, ReadPattern, Stage, WritePattern};

/// Applies a 2×2 matrix in place to pairs of lanes `distance` apart, in consecutive blocks of 2·`distance` lanes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KroneckerStage {
    /// The matrix, row-major.
    pub base: [Coef; 4],
    /// Distance of the lanes of a pair.
    pub distance: usize,
    /// Number of lanes that the step transforms, from lane 0 on.
    pub lanes: usize,
}

impl KroneckerStage {
    /// The stage.
    pub fn stage(self) -> Stage {
        let Self { base, distance, lanes } = self;
        Stage {
            label: format!("distance {distance}"),
            outer: copies(lanes / (2 * distance), 2 * distance, 2 * distance),
            group: Loop::ONCE,
            positions: distance,
            read: ReadPattern { hop: distance as i64, ..ReadPattern::in_order(2 * distance) },
            write: WritePattern { hop: distance, ..WritePattern::IN_ORDER },
            operation: Operation::Linear(Matrix::from_fn(2, 2, |j, k| base[2 * j + k])),
            twiddle: None,
        }
    }

    /// The parameters of a stage if it has this shape and its distance is a power of two.
    pub fn of(stage: &Stage) -> Option<Self> {
        let base = <[Coef; 4]>::try_from(&stage.matrix().coefs[..]).ok()?;
        let found = Self { base, distance: stage.positions, lanes: 2 * stage.n_butterflies() };
        (found.distance.is_power_of_two() && found.stage().is_like(stage)).then_some(found)
    }
}
