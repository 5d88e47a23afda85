//! The loss of a result: the information of its samples that it lacks, found here, once, for every command and for the window.

mod of_result;

use super::Job;
use crate::numerals::integer;
use crate::plan::Precision;
use crate::remedy::{Remedies, Remedy};
use crate::signal::Samples;
use crate::threads;

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
        Samples::Pcm(values) if values.is_float() => n_above(&values.to_numbers(), most),
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
        Samples::Pcm(values) if values.is_float() => n_below(&values.to_numbers(), least),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{DeviceChoice, Devices, compute};
    use crate::remedy::with_remedies;
    use crate::signal::Signal;
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
