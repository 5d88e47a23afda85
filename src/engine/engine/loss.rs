//! What a result lost of what its samples hold: found here, once, for every command and for the window.

use super::{Job, Outcome, Values};
use crate::numerals::integer;
use crate::plan::{Plan, Precision};
use crate::remedy::{Remedies, Remedy};
use crate::signal::{Samples, Signal};
use crate::threads;
use num_complex::{Complex32, Complex64};
use std::ops::Range;

/// Something that a result lost.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum Loss {
    /// Samples of double precision were rounded, and nobody asked for that.
    #[error("a GPU computes in single precision unless asked, and the input has double precision")]
    Rounded,
    /// Integers that double precision rounds.
    #[error("double precision rounds {} of {} integers, which need more than its 53 bits", integer(*n), integer(*of))]
    Integers {
        /// Number of such integers.
        n: usize,
        /// Number of samples.
        of: usize,
    },
    /// Samples that a precision has as infinite.
    #[error("{} precision takes {} of {} samples as infinite, because they are too large", precision.name(), integer(*n), integer(*of))]
    TooLarge {
        /// Number of such samples.
        n: usize,
        /// Number of samples.
        of: usize,
        /// The precision.
        precision: Precision,
    },
    /// Samples that a precision has as zero, or with few digits.
    #[error("{} precision takes {} of {} samples as zero, or with fewer digits, because they are too small", precision.name(), integer(*n), integer(*of))]
    TooSmall {
        /// Number of such samples.
        n: usize,
        /// Number of samples.
        of: usize,
        /// The precision.
        precision: Precision,
    },
    /// Results that are infinite or no numbers.
    #[error("{} of {} values are infinite or not a number: {}", integer(*n), integer(*of), if *given { "the input has such values".into() } else { format!("sums or products are too large for {} precision", precision.name()) })]
    NotFinite {
        /// Number of such values.
        n: usize,
        /// Number of values.
        of: usize,
        /// Whether samples are so.
        given: bool,
        /// The precision.
        precision: Precision,
    },
    /// Results that are zero, or have few digits, as numbers on the way are too small.
    #[error("{} precision has {} of {} values as zero, or with fewer digits, because numbers on the way are too small", precision.name(), integer(*n), integer(*of))]
    Vanished {
        /// Number of such values.
        n: usize,
        /// Number of values.
        of: usize,
        /// The precision.
        precision: Precision,
    },
    /// Results that no picture in single precision holds.
    #[error("pictures, in single precision, show {} of {} values as infinite or zero", integer(*n), integer(*of))]
    Drawn {
        /// Number of such values.
        n: usize,
        /// Number of values.
        of: usize,
    },
    /// Results that are all zero, of samples that are not.
    #[error("every value is zero, and the samples are not: numbers on the way are too small for {} precision", precision.name())]
    AllVanished {
        /// The precision.
        precision: Precision,
    },
}

impl Remedies for Loss {
    fn remedies(&self) -> Vec<Remedy> {
        match self {
            Self::Rounded
            | Self::TooLarge { precision: Precision::Single, .. }
            | Self::TooSmall { precision: Precision::Single, .. }
            | Self::Vanished { precision: Precision::Single, .. }
            | Self::NotFinite { given: false, precision: Precision::Single, .. }
            | Self::AllVanished { precision: Precision::Single } => vec![Remedy::DoublePrecision, Remedy::AllCores],
            Self::TooSmall { .. }
            | Self::Vanished { .. }
            | Self::AllVanished { .. }
            | Self::NotFinite { given: false, .. }
            | Self::Drawn { .. } => {
                vec![Remedy::Advice("scale the samples")]
            }
            Self::Integers { .. } | Self::TooLarge { .. } | Self::NotFinite { .. } => Vec::new(),
        }
    }
}

/// The smallest and the largest magnitude of a precision that keep all their digits.
pub(super) fn range(precision: Precision) -> [f64; 2] {
    match precision {
        Precision::Single => [f32::MIN_POSITIVE.into(), f32::MAX.into()],
        Precision::Double => [f64::MIN_POSITIVE, f64::MAX],
    }
}

/// The losses that the samples of a job suffer before anything is computed in a precision.
pub(super) fn of_samples(job: &Job, precision: Precision) -> Vec<Loss> {
    let mut losses = Vec::new();
    if precision == Precision::Single && job.precision.is_none() && job.signal.is_double() {
        losses.push(Loss::Rounded);
    }
    let Ok(parts) = job.signal.parts(job.channel) else { return losses };
    let [least, most] = range(precision);
    let of = job.signal.len();
    let count = |count: fn(&Samples, f64) -> usize, limit| parts.iter().map(|samples| count(samples, limit)).max().unwrap_or(0);
    let found = [
        (count(n_long_integers, 0.0), Loss::Integers { n: 0, of }),
        (count(n_above, most), Loss::TooLarge { n: 0, of, precision }),
        (count(n_below, least), Loss::TooSmall { n: 0, of, precision }),
    ];
    losses.extend(found.into_iter().filter(|(n, _)| *n > 0).map(|(n, loss)| match loss {
        Loss::Integers { of, .. } => Loss::Integers { n, of },
        Loss::TooLarge { of, precision, .. } => Loss::TooLarge { n, of, precision },
        _ => Loss::TooSmall { n, of, precision },
    }));
    losses
}

/// Integers that double precision rounds.
fn n_long_integers(samples: &Samples, _: f64) -> usize {
    match samples {
        Samples::I64(values) => threads::count(values, |&value| value as f64 as i128 != i128::from(value)),
        _ => 0,
    }
}

/// Finite samples whose magnitude is above `most`.
fn n_above(samples: &Samples, most: f64) -> usize {
    let is_above = |value: f64| value.is_finite() && value.abs() > most;
    match samples {
        Samples::F64(values) => threads::count(values, |value| is_above(*value)),
        Samples::Complex64(values) => threads::count(values, |value| is_above(value.re) || is_above(value.im)),
        _ => 0,
    }
}

/// Samples whose magnitude is below `least`, and not zero.
fn n_below(samples: &Samples, least: f64) -> usize {
    let is_below = |value: f64| value != 0.0 && value.abs() < least;
    match samples {
        Samples::F32(values) => threads::count(values, |value| is_below((*value).into())),
        Samples::F64(values) => threads::count(values, |value| is_below(*value)),
        Samples::Complex32(values) => threads::count(values, |value| is_below(value.re.abs().max(value.im.abs()).into())),
        Samples::Complex64(values) => threads::count(values, |value| is_below(value.re.abs().max(value.im.abs()))),
        _ => 0,
    }
}

/// The larger magnitude of two parts; not a number if one of them is.
fn larger(a: f64, b: f64) -> f64 {
    let (a, b) = (a.abs(), b.abs());
    // Unlike `f64::max`, this keeps what is no number.
    if a > b || a.is_nan() { a } else { b }
}

/// What is counted in a result.
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
        let least = signals.iter().flat_map(|signal| &signal.channels).map(|channel| least_magnitude(&channel.samples));
        let least = least.fold(f64::INFINITY, f64::min);
        let has_zero_signal =
            signals.iter().any(|signal| signal.channels.iter().all(|channel| least_magnitude(&channel.samples).is_infinite()));
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
    let least = |values: &mut dyn Iterator<Item = f64>| values.filter(|value| *value > 0.0).fold(f64::INFINITY, f64::min);
    match samples {
        Samples::F32(values) => least(&mut values.iter().map(|value| value.abs().into())),
        Samples::F64(values) => least(&mut values.iter().map(|value| value.abs())),
        Samples::Complex32(values) => least(&mut values.iter().map(|value| value.re.abs().max(value.im.abs()).into())),
        Samples::Complex64(values) => least(&mut values.iter().map(|value| value.re.abs().max(value.im.abs()))),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{DeviceChoice, Devices, compute};
    use crate::remedy::with_remedies;
    use crate::transforms::Parameters;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    fn losses(samples: Samples, job: impl Fn(Job) -> Job) -> Vec<Loss> {
        let signal = Arc::new(Signal::row("test", samples));
        let job = job(Job { device: DeviceChoice::Cpu, prefer_plan: true, ..Job::new(signal.clone(), "dft") });
        let cancel = AtomicBool::new(false);
        let computed = compute(&job, &mut Devices::default(), &cancel).unwrap();
        let outcome = computed.outcome.clone();
        outcome.losses_of(&[&signal], &computed.into_samples(&cancel).unwrap())
    }

    #[test]
    fn every_loss_is_found_and_nothing_else() {
        let single = |job: Job| Job { precision: Some(Precision::Single), ..job };
        let same = |job: Job| job;
        let kronecker = |matrix: &str| {
            let parameters = Parameters { matrix: matrix.parse().unwrap(), ..Parameters::default() };
            move |job: Job| Job { transform: "kronecker", parameters, ..job }
        };
        assert_eq!(losses(Samples::F64(vec![1.0, 1.0, 1.0, 1.0]), same), [], "zeros that cancel are right");
        assert_eq!(losses(Samples::I64(vec![(1 << 53) + 1, 1 << 60, 3, 4]), same), [Loss::Integers { n: 1, of: 4 }]);
        let found = losses(Samples::F64(vec![1e-60, 1.0, 2.0, 3.0]), single);
        assert_eq!(found, [Loss::TooSmall { n: 1, of: 4, precision: Precision::Single }]);
        let found = losses(Samples::F64(vec![1e50, 1.0, 2.0, 3.0]), single);
        assert!(matches!(found[..], [Loss::TooLarge { n: 1, .. }, Loss::NotFinite { n: 4, of: 4, given: false, .. }]), "{found:?}");
        assert_eq!(
            losses(Samples::F64(vec![f64::NAN, 1.0]), same),
            [Loss::NotFinite { n: 2, of: 2, given: true, precision: Precision::Double }]
        );
        let found = losses(Samples::F32(vec![1.0; 4]), kronecker("1e-30,0,0,1"));
        assert_eq!(found, [Loss::Vanished { n: 1, of: 4, precision: Precision::Single }]);
        assert_eq!(losses(Samples::F64(vec![1.0; 4]), kronecker("1e-30,0,0,1")), []);
    }

    #[test]
    fn a_loss_says_what_to_do() {
        let small = Loss::TooSmall { n: 1, of: 4, precision: Precision::Single };
        let text = with_remedies(&small, |remedy| format!("take {remedy:?}"));
        assert!(text.contains("1 of 4") && text.ends_with(": take DoublePrecision, or AllCores"), "{text}");
    }
}
