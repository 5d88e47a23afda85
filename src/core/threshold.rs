//! Thresholding of the coefficients of any transform: small ones become zero, and the kept share of the energy is measured.
//!
//! D. L. Donoho, De-noising by soft-thresholding (1995).

use num_complex::Complex64;

/// The coefficients that are kept. The low-pass coefficients of the last level of a wavelet transform always are.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Keep {
    /// The largest ones, at most this share of all, 0 to 1. Magnitudes count as equal if they differ by less than a millionth of the largest; the first of equal ones in the layout are kept, so that no rounding decides.
    Share(f64),
    /// The coefficients with magnitudes above this value.
    Above(f64),
}

/// The treatment of kept coefficients.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub enum Shrink {
    /// Their values stay.
    #[default]
    Hard,
    /// Their magnitudes shrink by the threshold, so that the result is continuous.
    Soft,
}

/// The share of the largest coefficient by which equal magnitudes may differ: more than the rounding of devices and precisions, and less than anyone sees.
const TIE: f64 = 1e-6;

/// How coefficients are thresholded.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Thresholding {
    /// The coefficients that are kept.
    pub keep: Keep,
    /// Their treatment.
    pub shrink: Shrink,
}

/// The result of thresholding in numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kept {
    /// Coefficients that are not zero.
    pub n: usize,
    /// Coefficients in all.
    pub of: usize,
    /// Coefficients that stay whatever their magnitude, such as those that are low-pass at the last level.
    pub low: usize,
    /// The magnitude up to which coefficients became zero.
    pub threshold: f64,
    /// The energy (sum of squares) of the kept coefficients, as a share of all energy; 1 if there was none.
    pub energy: f64,
}

/// Thresholds coefficients; `is_low` says which stay, such as those that are low-pass at the last level.
/// `mirror` gives the index of a coefficient that is kept or dropped together with one, as the conjugate in the spectrum of real samples; itself without one.
pub fn threshold(
    coefs: &mut [Complex64],
    is_low: impl Fn(usize) -> bool,
    mirror: impl Fn(usize) -> usize,
    thresholding: Thresholding,
) -> Kept {
    let of = coefs.len();
    let cut = match thresholding.keep {
        Keep::Above(value) => KeepLimit { limit: value.max(0.0), above: value.max(0.0), end: 0 },
        Keep::Share(share) => cut(coefs, &is_low, share_of(share, of)),
    };
    // Squares of extreme values leave the range of numbers.
    let largest = largest(coefs);
    let (limit, energy) = (cut.limit, |coefs: &[Complex64]| coefs.iter().map(|x| (x / largest).norm_sqr()).sum::<f64>());
    let before = energy(coefs);
    let keeps = |i: usize, value: Complex64| is_low(i) || cut.keeps(i, value.norm());
    let dropped: Vec<usize> = (0..of).filter(|&i| !keeps(i, coefs[i]) || !keeps(mirror(i), coefs[mirror(i)])).collect();
    dropped.into_iter().for_each(|i| coefs[i] = Complex64::default());
    if thresholding.shrink == Shrink::Soft {
        let others = coefs.iter_mut().enumerate().filter(|(i, value)| !is_low(*i) && **value != Complex64::default());
        others.for_each(|(_, value)| *value *= (value.norm() - limit).max(0.0) / value.norm());
    }
    let n = coefs.iter().filter(|value| **value != Complex64::default()).count();
    let low = (0..of).filter(|&i| is_low(i)).count();
    Kept { n, of, low, threshold: limit, energy: if before > 0.0 { energy(coefs) / before } else { 1.0 } }
}

/// At most this share of `n`. A share in decimals may lie a rounding error below the share that is meant.
fn share_of(share: f64, of: usize) -> usize {
    (share.clamp(0.0, 1.0) * of as f64 * (1.0 + 4.0 * f64::EPSILON)).floor() as usize
}

/// The largest magnitude.
fn largest(coefs: &[Complex64]) -> f64 {
    coefs.iter().fold(0.0, |largest, value| largest.max(value.norm()))
}

/// The limit between kept and dropped coefficients.
struct KeepLimit {
    /// The largest dropped magnitude.
    limit: f64,
    /// Larger magnitudes are kept.
    above: f64,
    /// Magnitudes equal to the limit are kept before this index.
    end: usize,
}

impl KeepLimit {
    /// Whether the coefficient at an index is kept.
    fn keeps(&self, index: usize, magnitude: f64) -> bool {
        magnitude > self.above || index < self.end && magnitude >= self.limit - (self.above - self.limit) && magnitude > 0.0
    }
}

/// The cut that keeps `n` coefficients, the low-pass ones first.
fn cut(coefs: &[Complex64], is_low: impl Fn(usize) -> bool, n: usize) -> KeepLimit {
    let others = || coefs.iter().enumerate().filter(|(i, _)| !is_low(*i)).map(|(i, value)| (i, value.norm()));
    let mut magnitudes: Vec<f64> = others().map(|(_, magnitude)| magnitude).collect();
    let n_kept = n.saturating_sub(coefs.len() - magnitudes.len());
    if n_kept >= magnitudes.len() {
        return KeepLimit { limit: 0.0, above: 0.0, end: 0 };
    }
    let limit = *magnitudes.select_nth_unstable_by(n_kept, |a, b| b.total_cmp(a)).1;
    let apart = TIE * largest(coefs);
    let n_larger = magnitudes.iter().filter(|&&magnitude| magnitude > limit + apart).count();
    let mut equal = others().filter(|&(_, magnitude)| (limit - apart..=limit + apart).contains(&magnitude)).map(|(i, _)| i);
    KeepLimit { limit, above: limit + apart, end: equal.nth(n_kept - n_larger).unwrap_or(coefs.len()) }
}

/// 20·log10(peak / root mean square of the difference) in decibels; infinite without a difference.
///
/// # Panics
/// When the two have different lengths.
pub fn peak_signal_to_noise<T: Copy + Into<Complex64>>(original: &[T], other: &[T], peak: f64) -> f64 {
    assert_eq!(original.len(), other.len(), "what is compared has the same length");
    let share = |(&a, &b): (&T, &T)| a.into() / peak - b.into() / peak;
    let sum: f64 = original.iter().zip(other).map(share).map(|share| share.norm_sqr()).sum();
    let mean = sum / original.len().max(1) as f64;
    if mean == 0.0 { f64::INFINITY } else { -10.0 * mean.log10() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COEFS: [f64; 8] = [0.5, 9.0, -1.0, 2.0, -3.0, 4.0, 0.0, -5.0];

    /// Thresholds real coefficients of which the first `n_low` are low-pass.
    fn thresholded(coefs: &[f64], n_low: usize, keep: Keep, shrink: Shrink) -> (Vec<f64>, Kept) {
        let mut coefs: Vec<Complex64> = coefs.iter().map(|&value| value.into()).collect();
        let kept = threshold(&mut coefs, |i| i < n_low, |i| i, Thresholding { keep, shrink });
        (coefs.into_iter().map(|value| value.re).collect(), kept)
    }

    fn after(keep: Keep, shrink: Shrink) -> (Vec<f64>, Kept) {
        thresholded(&COEFS, 2, keep, shrink)
    }

    #[test]
    fn complex_coefficients_keep_their_phases_and_their_mirrors() {
        let [one, two] = [Complex64::new(3.0, 4.0), Complex64::new(0.0, 2.0)];
        let spectrum = [1.0.into(), one, two, two.conj(), one.conj()];
        let with = |keep, shrink| {
            let mut coefs = spectrum;
            (threshold(&mut coefs, |_| false, |i| (5 - i) % 5, Thresholding { keep, shrink }).n, coefs)
        };
        let zero = Complex64::default();
        assert_eq!(with(Keep::Share(0.4), Shrink::Hard), (2, [zero, one, zero, zero, one.conj()]));
        assert_eq!(with(Keep::Share(0.6), Shrink::Hard), (2, [zero, one, zero, zero, one.conj()]), "half a pair is none");
        assert_eq!(with(Keep::Above(2.5), Shrink::Soft), (2, [zero, one * 0.5, zero, zero, one.conj() * 0.5]));
    }

    #[test]
    fn small_values_become_zero_and_the_low_band_stays() {
        let (coefs, kept) = after(Keep::Above(3.0), Shrink::Hard);
        assert_eq!(coefs, [0.5, 9.0, 0.0, 0.0, 0.0, 4.0, 0.0, -5.0]);
        assert_eq!((kept.n, kept.of, kept.threshold), (4, 8, 3.0));
        assert!((kept.energy - (0.25 + 81.0 + 16.0 + 25.0) / (0.25 + 81.0 + 1.0 + 4.0 + 9.0 + 16.0 + 25.0)).abs() < 1e-15);
        assert_eq!(after(Keep::Above(3.0), Shrink::Soft).0, [0.5, 9.0, 0.0, 0.0, 0.0, 1.0, 0.0, -2.0]);
    }

    #[test]
    fn a_share_keeps_so_many() {
        for (share, n) in [(0.0, 2), (0.25, 2), (0.5, 4), (0.62, 4), (0.625, 5), (0.74, 5), (1.0, 7)] {
            let (_, kept) = after(Keep::Share(share), Shrink::Hard);
            assert_eq!(kept.n, n, "{share}");
        }
        assert_eq!(after(Keep::Share(0.5), Shrink::Hard).1.threshold, 3.0);
        assert_eq!(after(Keep::Share(0.1), Shrink::Hard).1.low, 2);
        assert_eq!([share_of(0.29, 100), share_of(0.2, 1024), share_of(0.5, 1961)], [29, 204, 980]);
        assert_eq!(after(Keep::Share(1.0), Shrink::Soft).0, COEFS);
        // Equal magnitudes, but for a rounding: the first ones are kept.
        for rounding in [-1e-7, 0.0, 1e-7] {
            let ties = [0.0, 2.0, -2.0, 2.0 + rounding, 2.0, 1.0, 3.0];
            let (left, kept) = thresholded(&ties, 1, Keep::Share(0.6), Shrink::Hard);
            assert_eq!((left, kept.n), (vec![0.0, 2.0, -2.0, 0.0, 0.0, 0.0, 3.0], 3), "{rounding}");
        }
        let (_, kept) = thresholded(&[0.0; 3], 0, Keep::Share(0.1), Shrink::Soft);
        assert_eq!((kept.n, kept.energy), (0, 1.0));
    }

    #[test]
    fn extreme_values_keep_their_shares() {
        for scale in [1e-200, 1e300] {
            let (_, kept) = thresholded(&COEFS.map(|value| value * scale), 2, Keep::Share(0.5), Shrink::Hard);
            let (_, usual) = after(Keep::Share(0.5), Shrink::Hard);
            assert!((kept.energy - usual.energy).abs() < 1e-12 && kept.n == usual.n, "{kept:?}");
            let psnr = peak_signal_to_noise(&[0.0, scale], &[0.01 * scale, scale], scale);
            assert!((psnr - 43.0103).abs() < 1e-3, "{psnr}");
        }
    }

    #[test]
    fn decibels_are_those_of_the_definition() {
        assert_eq!(peak_signal_to_noise(&[1.0_f64, 2.0], &[1.0, 2.0], 255.0), f64::INFINITY);
        // A root mean square of 2.55 is a hundredth of the peak.
        assert!((peak_signal_to_noise(&[0.0_f64, 0.0], &[2.55, -2.55], 255.0) - 40.0).abs() < 1e-12);
    }
}
