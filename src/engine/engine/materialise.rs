//! Materialises a whole result for files: its values, its extremes, its image pixel for pixel.

use super::{Computed, Contents, EngineError, Outcome, SharedResult, Values};
use crate::display::{self, Look};
use crate::plan::Ring;
use crate::signal::Samples;
use crate::threads;
use crate::transforms::{Axes, Shape};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

impl Computed {
    /// All values in natural order: integers if they are exact, real numbers if the plan has no others. Values that nobody else holds are not copied.
    ///
    /// # Errors
    /// When the device reports an error or `cancel` is raised.
    pub fn into_samples(self, cancel: &AtomicBool) -> Result<Samples, EngineError> {
        let values = self.stored.values(cancel)?;
        drop(self.stored);
        Ok(into_samples(values, &self.outcome))
    }
}

impl SharedResult {
    /// As [`Computed::into_samples`].
    pub fn into_samples(self) -> Samples {
        into_samples(self.values, &self.outcome)
    }
}

impl Outcome {
    fn ring(&self) -> Option<Ring> {
        self.plan.as_ref().map(|plan| plan.ring)
    }

    /// Whether all values of the result are real numbers.
    pub(super) fn is_real(&self) -> bool {
        self.contents == Contents::Samples || self.ring().is_some_and(|ring| ring == Ring::Real || ring.is_exact())
    }
}

fn into_samples(values: Arc<Values>, outcome: &Outcome) -> Samples {
    let (ring, is_real) = (outcome.ring(), outcome.is_real());
    match Arc::unwrap_or_clone(values) {
        Values::Single(values) if is_real => Samples::F32(values.into_iter().map(|value| value.re).collect()),
        Values::Double(values) if is_real => Samples::F64(values.into_iter().map(|value| value.re).collect()),
        Values::Single(values) => Samples::Complex32(values),
        Values::Double(values) => Samples::Complex64(values),
        Values::Integer(values) if ring == Some(Ring::Gf2) => Samples::U8(threads::convert(&values, |value| value as u8)),
        Values::Integer(values) => Samples::I64(values),
        Values::Bits(words) => {
            let bytes = threads::convert(&words, |word| std::array::from_fn::<u8, 64, _>(|bit| (word >> bit & 1) as u8));
            Samples::U8(bytes.into_flattened())
        }
        Values::Half(half) => Samples::Complex32(half.whole()),
    }
}

impl Values {
    /// The smallest and the largest finite scaled value under a look.
    pub fn extremes(&self, shape: Shape, look: &Look) -> [f32; 2] {
        match self {
            Self::Single(values) => display::extremes(|row, column| values[row * shape.columns + column], shape, look),
            Self::Half(half) if look.quantity.is_even() => {
                let stored = half.stored_shape();
                display::extremes(|row, column| half.values[row * stored.columns + column], stored, look)
            }
            _ => display::extremes(|row, column| self.at(shape, row, column), shape, look),
        }
    }

    /// The whole image as entries of the colour table, row after row.
    pub fn levels(&self, shape: Shape, axes: Axes, look: &Look, range: [f32; 2]) -> Vec<u8> {
        let half = match self {
            Self::Half(half) if look.quantity.is_even() => half,
            _ => return display::levels(|row, column| self.at(shape, row, column), shape, axes, look, range),
        };
        // Every stored value is scaled once, and shown twice.
        let stored = half.stored_shape();
        let at = |row, column| half.values[row * stored.columns + column];
        let levels = display::levels(at, stored, axes, &Look { shifted: false, ..*look }, range);
        display::arranged(shape, axes, look.shifted, |row, line| {
            let (direct, mirrored) = line.split_at_mut(stored.columns);
            direct.copy_from_slice(&levels[row * stored.columns..][..stored.columns]);
            let opposite = &levels[(shape.rows - row) % shape.rows * stored.columns..][..stored.columns];
            let from_end = opposite[1..=mirrored.len()].iter().rev();
            mirrored.iter_mut().zip(from_end).for_each(|(level, opposite)| *level = *opposite);
        })
    }
}
