//! The steps of a level on some neighbouring samples in registers.

use crate::plan::LiftingStep;
use std::collections::BTreeSet;
use std::ops::Range;

/// Samples of an item.
pub(in crate::gpu) const ITEM: i64 = 8;
/// Samples that an item reads on either side.
pub(in crate::gpu) const SIDE: i64 = 4;

/// One step, as part of a shape: which half it changes, and the bits of its coefficients.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(in crate::gpu) struct ItemStep {
    parity: i64,
    taps: Vec<(i64, u64)>,
}

impl ItemStep {
    pub(in crate::gpu) fn of(step: &LiftingStep) -> Option<Self> {
        let taps = step.taps().map(|(offset, coef)| (offset, coef.to_bits())).collect();
        step.is_linear.then_some(Self { parity: step.parity as i64, taps })
    }

    fn coef(&self, offset: i64) -> f64 {
        self.taps.iter().find(|tap| tap.0 == offset).map_or(0.0, |tap| f64::from_bits(tap.1))
    }

    /// The samples of a range that the step changes.
    fn changed(&self, samples: Range<i64>) -> impl Iterator<Item = i64> {
        let parity = self.parity;
        samples.filter(move |sample| sample.rem_euclid(2) == parity)
    }

    /// The samples that the step reads to change those of a range.
    pub(in crate::gpu) fn reads(&self, samples: Range<i64>) -> BTreeSet<i64> {
        self.changed(samples).flat_map(|sample| self.taps.iter().map(move |(offset, _)| sample + offset)).collect()
    }

    /// The step on some samples, one line each; see [`lines`].
    pub(in crate::gpu) fn taken(&self, samples: Range<i64>, number: impl Fn(f64) -> String, x: impl Fn(i64) -> String) -> Vec<String> {
        self.changed(samples).map(|sample| self.line(sample, &number, &x)).collect()
    }

    fn line(&self, sample: i64, number: impl Fn(f64) -> String, x: impl Fn(i64) -> String) -> String {
        format!("{} = {};", x(sample), self.sum(sample, number, &x))
    }

    /// The new value of a sample, as text; `number` writes a coefficient, and `x` names a variable.
    fn sum(&self, sample: i64, number: impl Fn(f64) -> String, x: impl Fn(i64) -> String) -> String {
        let own = self.coef(0);
        let mut sum = if own == 1.0 { x(sample) } else { format!("{} * {}", x(sample), number(own)) };
        for &(offset, _) in self.taps.iter().filter(|tap| tap.0 != 0) {
            let (coef, opposite) = (self.coef(offset), self.coef(-offset));
            if coef == opposite && offset > 0 {
                continue;
            }
            let both = if coef == opposite { format!("{} + {}", x(sample + offset), x(sample - offset)) } else { x(sample + offset) };
            sum = format!("fma({}, {both}, {sum})", number(coef));
        }
        sum
    }
}

/// For every step, the samples at which it must be taken so that the samples of an item are right; `None` where a step reads too far away.
fn needed(steps: &[ItemStep], item: i64) -> Option<Vec<Vec<i64>>> {
    let mut needed: BTreeSet<i64> = (0..item).collect();
    let mut taken = Vec::with_capacity(steps.len());
    for step in steps.iter().rev() {
        let at: Vec<i64> = needed.iter().copied().filter(|sample| sample.rem_euclid(2) == step.parity).collect();
        needed.extend(at.iter().flat_map(|sample| step.taps.iter().map(move |(offset, _)| sample + offset)));
        taken.push(at);
    }
    taken.reverse();
    let fits = needed.iter().all(|sample| (-SIDE..item + SIDE).contains(sample));
    fits.then_some(taken)
}

/// Whether an item reads all that it needs.
pub(in crate::gpu) fn fits_item(steps: &[ItemStep]) -> bool {
    needed(steps, ITEM).is_some()
}

/// The steps on an item of `item` samples, one line each sample; `number` writes a coefficient, and `x` names the register of a sample, counted from the first of the item.
pub(in crate::gpu) fn lines(steps: &[ItemStep], item: i64, number: impl Fn(f64) -> String, x: impl Fn(i64) -> String) -> Vec<String> {
    let taken = needed(steps, item).unwrap_or_default();
    steps.iter().zip(taken).flat_map(|(step, at)| at.into_iter().map(|sample| step.line(sample, &number, &x)).collect::<Vec<_>>()).collect()
}
