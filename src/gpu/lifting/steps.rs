//! The steps of a level, taken on some neighbouring samples in variables of a thread.

use crate::plan::LiftingStep;
use std::collections::BTreeSet;

/// Samples of an item.
pub(in crate::gpu) const ITEM: i64 = 8;
/// Samples that an item reads on either side.
pub(in crate::gpu) const SIDE: i64 = 4;

/// One step, as part of a shape: which half it changes, and the bits of its coefficients.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(in crate::gpu) struct Step {
    parity: i64,
    taps: Vec<(i64, u64)>,
}

impl Step {
    pub(in crate::gpu) fn of(step: &LiftingStep) -> Option<Self> {
        let taps = step.taps().map(|(offset, coef)| (offset, coef.to_bits())).collect();
        step.is_linear.then_some(Self { parity: step.parity as i64, taps })
    }

    fn coef(&self, offset: i64) -> f64 {
        self.taps.iter().find(|tap| tap.0 == offset).map_or(0.0, |tap| f64::from_bits(tap.1))
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

/// For every step, the samples at which it must be taken so that samples 0 to 7 come out right, and the samples that are read at all; `None` where they reach too far.
fn needed(steps: &[Step]) -> Option<Vec<Vec<i64>>> {
    let mut needed: BTreeSet<i64> = (0..ITEM).collect();
    let mut taken = Vec::with_capacity(steps.len());
    for step in steps.iter().rev() {
        let at: Vec<i64> = needed.iter().copied().filter(|sample| sample.rem_euclid(2) == step.parity).collect();
        needed.extend(at.iter().flat_map(|sample| step.taps.iter().map(move |(offset, _)| sample + offset)));
        taken.push(at);
    }
    taken.reverse();
    let fits = needed.iter().all(|sample| (-SIDE..ITEM + SIDE).contains(sample));
    fits.then_some(taken)
}

/// Whether an item reads all that it needs.
pub(in crate::gpu) fn fit(steps: &[Step]) -> bool {
    needed(steps).is_some()
}

/// The steps, one line each sample; `number` writes a coefficient, and `x` names the variable of a sample, counted from the first of the item.
pub(in crate::gpu) fn lines(steps: &[Step], number: impl Fn(f64) -> String, x: impl Fn(i64) -> String) -> Vec<String> {
    let taken = needed(steps).unwrap_or_default();
    let line = |step: &Step, sample: i64| format!("{} = {};", x(sample), step.sum(sample, &number, &x));
    steps
        .iter()
        .zip(taken)
        .flat_map(|(step, at)| at.into_iter().map(move |sample| (step, sample)))
        .map(|(step, at)| line(step, at))
        .collect()
}
