//! The loss of a result: its values are counted, and those of the samples on their way through the plan are bounded.

use super::{Loss, range};
use crate::engine::{Outcome, Values};
use crate::plan::{Plan, Precision};
use crate::signal::{Samples, Signal};
use crate::threads;
use num_complex::{Complex32, Complex64};
use std::ops::Range;

/// The larger magnitude of two parts; not a number if one of them is.
fn larger(a: f64, b: f64) -> f64 {
    let (a, b) = (a.abs(), b.abs());
    // Unlike `f64::max`, this keeps what is not a number.
    if a > b || a.is_nan() { a } else { b }
}

/// The counts of a result.
struct Counts {
    of: usize,
    not_finite: usize,
    /// Zero, or so small that digits are lost.
    small: usize,
    zero: usize,
}

impl Counts {
    /// Counts values by their largest parts.
    fn of<T: Sync>(values: &[T], largest: impl Fn(&T) -> f64 + Sync, precision: Precision) -> Self {
        let [least, _] = range(precision);
        let counts = threads::map_blocks(values.len(), &|block| {
            let (mut not_finite, mut small, mut zero) = (0, 0, 0);
            for value in values[block].iter().map(&largest) {
                not_finite += u64::from(!value.is_finite());
                small += u64::from(value < least);
                zero += u64::from(value == 0.0);
            }
            [not_finite, small, zero]
        });
        let [not_finite, small, zero] = std::array::from_fn(|k| counts.iter().map(|counts| counts[k] as usize).sum());
        Self { of: values.len(), not_finite, small, zero }
    }

    fn of_complex32(values: &[Complex32]) -> Self {
        Self::of(values, |value| larger(value.re.into(), value.im.into()), Precision::Single)
    }

    fn of_complex64(values: &[Complex64]) -> Self {
        Self::of(values, |value| larger(value.re, value.im), Precision::Double)
    }

    /// `None` for integers, which are exact.
    fn of_samples(samples: &Samples) -> Option<Self> {
        Some(match samples {
            Samples::F32(values) => Self::of(values, |value| f64::from(value.abs()), Precision::Single),
            Samples::F64(values) => Self::of(values, |value| value.abs(), Precision::Double),
            Samples::Complex32(values) => Self::of_complex32(values),
            Samples::Complex64(values) => Self::of_complex64(values),
            Samples::Pcm(values) => return Self::of_samples(&values.to_numbers()),
            _ => return None,
        })
    }
}

impl Outcome {
    /// All that a result lost: what its samples suffered, and what the result itself shows. `signals` are those of the job.
    pub fn losses_of(&self, signals: &[&Signal], result: &Samples) -> Vec<Loss> {
        self.losses_in(signals, Counts::of_samples(result))
    }

    /// The same of values in memory.
    pub fn losses_of_values(&self, signals: &[&Signal], values: &Values) -> Vec<Loss> {
        let counts = match values {
            Values::Single(values) => Some(Counts::of_complex32(values)),
            Values::Double(values) => Some(Counts::of_complex64(values)),
            Values::Half(half) => Some(Counts::of_complex32(&half.values)),
            Values::Integer(_) | Values::Bits(_) => None,
        };
        let mut losses = self.losses_in(signals, counts);
        if let Values::Double(values) = values {
            let [least, most] = range(Precision::Single);
            let n = threads::count(values, |value| value.is_finite() && larger(value.re, value.im) > most);
            let largest_of = |block: Range<usize>| values[block].iter().map(|value| larger(value.re, value.im)).max_by(f64::total_cmp);
            let vanishes = threads::map_blocks(values.len(), &largest_of).into_iter().flatten().max_by(f64::total_cmp);
            let n = if vanishes.is_some_and(|largest| largest > 0.0 && largest < least) { values.len() } else { n };
            if n > 0 {
                losses.push(Loss::Drawn { n, of: values.len() });
            }
        }
        losses
    }

    fn losses_in(&self, signals: &[&Signal], counts: Option<Counts>) -> Vec<Loss> {
        let mut losses = self.losses.clone();
        let Some(counts) = counts else { return losses };
        if counts.not_finite > 0 {
            let is_given = |signal: &&Signal| signal.channels.iter().any(|channel| channel.samples.count_not_finite() > 0);
            let given = signals.iter().any(is_given);
            losses.push(Loss::NotFinite { n: counts.not_finite, of: counts.of, given, precision: self.precision });
        }
        if counts.small == 0 {
            return losses;
        }
        let of_channels =
            |signal: &&Signal| signal.channels.iter().map(|channel| least_magnitude(&channel.samples)).fold(f64::INFINITY, f64::min);
        let of_signals: Vec<f64> = signals.iter().map(of_channels).collect();
        let least = of_signals.iter().copied().fold(f64::INFINITY, f64::min);
        let has_zero_signal = of_signals.iter().any(|least| least.is_infinite());
        let n = self.shape.len().max(1) as f64;
        let reached = self.plan.as_ref().map_or(least / n, |plan| least_on_the_way(plan, least));
        let precision = self.precision;
        let is_said = losses.iter().any(|loss| matches!(loss, Loss::TooSmall { .. }));
        if counts.zero == counts.of && !has_zero_signal {
            losses.push(Loss::AllVanished { precision });
        } else if reached < range(precision)[0] && !is_said {
            losses.push(Loss::Vanished { n: counts.small, of: counts.of, precision });
        }
        losses
    }
}

/// The smallest magnitude of samples that are not zero; infinite where all are.
fn least_magnitude(samples: &Samples) -> f64 {
    fn least<T: Sync>(values: &[T], magnitude: impl Fn(&T) -> f64 + Sync) -> f64 {
        let of_block =
            |block: Range<usize>| values[block].iter().map(&magnitude).filter(|value| *value > 0.0).fold(f64::INFINITY, f64::min);
        threads::map_blocks(values.len(), &of_block).into_iter().fold(f64::INFINITY, f64::min)
    }
    match samples {
        Samples::F32(values) => least(values, |value| value.abs().into()),
        Samples::F64(values) => least(values, |value| value.abs()),
        Samples::Complex32(values) => least(values, |value| value.re.abs().max(value.im.abs()).into()),
        Samples::Complex64(values) => least(values, |value| value.re.abs().max(value.im.abs())),
        Samples::Pcm(values) => least_magnitude(&values.to_numbers()),
        // Integers have no magnitude between 0 and 1.
        _ => match samples.min_max() {
            Some((0.0, 0.0)) | None => f64::INFINITY,
            Some(_) => 1.0,
        },
    }
}

/// The smallest magnitude that a product on the way through a plan has, for samples of at least `least`.
fn least_on_the_way(plan: &Plan, least: f64) -> f64 {
    plan.stages.iter().fold(least, |least, stage| {
        if !stage.is_linear() {
            return least * least.min(1.0);
        }
        let factors = stage.matrix().coefs.iter().map(|coef| coef.value().norm()).collect::<Vec<_>>();
        least * factors.into_iter().filter(|factor| *factor > 0.0).fold(1.0, f64::min)
    })
}
