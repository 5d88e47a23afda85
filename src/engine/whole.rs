//! A result as a whole, for files: its values, its extremes, its picture pixel for pixel.

use super::compute::Held;
use crate::display::{self, Look};
use crate::signal::Samples;
use crate::transforms::{Axes, Shape};

impl Held {
    /// All values in natural order.
    pub fn into_samples(self) -> Samples {
        match self {
            Self::Single(values) => Samples::Complex32(values),
            Self::Double(values) => Samples::Complex64(values),
            Self::Half(half) => Samples::Complex32(half.whole()),
        }
    }

    /// The smallest and the largest finite scaled value under a look.
    pub fn extremes(&self, shape: Shape, look: &Look) -> [f32; 2] {
        let at = |row, column| self.at(shape, row, column);
        match self {
            Self::Half(half) if look.quantity.is_even() => display::extremes(at, half.stored_shape(), look),
            _ => display::extremes(at, shape, look),
        }
    }

    /// The whole displayed picture as entries of the table of colours, row after row.
    pub fn levels(&self, shape: Shape, axes: Axes, look: &Look, range: [f32; 2]) -> Vec<u8> {
        let at = |row, column| self.at(shape, row, column);
        let Self::Half(half) = self else { return display::levels(at, shape, axes, look, range) };
        if !look.quantity.is_even() {
            return display::levels(at, shape, axes, look, range);
        }
        // Every stored value is scaled once, and shown twice.
        let stored = half.stored_shape();
        let levels = display::levels(at, stored, axes, &Look { shifted: false, ..*look }, range);
        display::arranged(shape, axes, look.shifted, |row, line| {
            let (direct, mirrored) = line.split_at_mut(stored.columns);
            direct.copy_from_slice(&levels[row * stored.columns..][..stored.columns]);
            let opposite = &levels[(shape.rows - row) % shape.rows * stored.columns..][..stored.columns];
            for (level, column) in mirrored.iter_mut().zip(stored.columns..) {
                *level = opposite[shape.columns - column];
            }
        })
    }
}
