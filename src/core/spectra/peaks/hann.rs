//! The transform of a Hann window between the values, and where a sine lies beside its largest value.

use num_complex::Complex64;
use std::f64::consts::PI;

/// The transform of the periodic Hann window of `n` samples, `x` steps beside its maximum.
///
/// A sum over all samples of a wave is a cotangent, of which three are left here; its rest, the same in all, cancels.
pub(super) fn hann(x: f64, n: f64) -> Complex64 {
    let whole = x.round();
    let rest = x - whole;
    let rest = if rest.abs() < 1e-12 { 1e-12 } else { rest };
    let cot = |steps: f64| 1.0 / (PI * (whole + steps + rest) / n).tan();
    let sum = 0.5 * cot(0.0) - 0.25 * (cot(-1.0) + cot(1.0));
    Complex64::from_polar(1.0, -PI * rest) * ((PI * rest).sin() * sum)
}

/// The steps by which a sine lies beside its largest value, by the ratio of the magnitude of the larger neighbour to that value.
/// A step is `step` of the resolution of `n` samples.
pub(crate) fn offset(ratio: f64, step: f64, n: f64) -> f64 {
    // For long windows the ratio is (1 + δ)/(2 − δ).
    let start = |ratio: f64| (2.0 * ratio - 1.0) / (1.0 + ratio);
    if !ratio.is_finite() {
        return 0.0;
    }
    let mut guess = start(ratio);
    for _ in 0..8 {
        let found = (hann(step * (1.0 - guess), n) / hann(step * guess, n)).norm();
        guess = (guess + start(ratio) - start(found)).clamp(-0.5, 1.0);
    }
    guess
}
