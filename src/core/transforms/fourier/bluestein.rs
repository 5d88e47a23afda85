//! Bluestein's algorithm: a transform of any length as a cyclic convolution of a convenient one.
//!
//! With nk = (n² + k² − (k − n)²)/2 the sum becomes X\[k\] = w\[k\]·Σ (x\[n\]·w\[n\])·w̄\[k − n\], where w\[n\] = ω₂ₙ^(n²) is a chirp:
//! multiply by the chirp, convolve with the conjugate chirp by two transforms of a length that has small primes only, multiply by the chirp again.
//!
//! L. I. Bluestein, A linear filtering approach to the computation of discrete Fourier transform, IEEE Trans. Audio Electroacoustics 18 (1970).

use super::radices::{convolution_length, passes};
use super::stages::stockham;
use crate::plan::shapes::WeightedStage;
use crate::plan::{Coef, Direction, Loop, Plan, ResultOrder, Ring, Stage, Twiddle, TwiddleRule, TwiddleTable};
use num_complex::Complex64;
use std::sync::Arc;

/// The plan of one line of `n` ≥ 1 values, its result divided by `divisor`.
pub(super) fn bluestein(n: usize, direction: Direction, divisor: usize) -> Plan {
    let lanes = convolution_length(2 * n - 1);
    let radices = passes(lanes).expect("a convolution has a convenient length").concat();
    let mut stages = vec![Stage { label: "chirp".into(), ..chirp(n, lanes, direction) }];
    stages.extend(stockham(&radices, Direction::Forward));
    let spectrum = Twiddle::Table(Arc::new(chirp_spectrum(n, lanes, direction, divisor)));
    stages
        .push(Stage { label: "× spectrum of the chirp".into(), ..WeightedStage { lanes, len: lanes, rows: Loop::ONCE }.stage(spectrum) });
    stages
        .extend(stockham(&radices, Direction::Inverse).into_iter().map(|stage| Stage { label: format!("{} back", stage.label), ..stage }));
    stages.push(Stage { label: "chirp".into(), ..chirp(n, n, direction) });
    Plan::new(Ring::Complex, lanes, stages, ResultOrder::Natural).with_ends(n, n)
}

/// The first `n` lanes times the chirp, and zeros in the others.
fn chirp(n: usize, lanes: usize, direction: Direction) -> Stage {
    let twiddle = Twiddle::Root { modulus: 2 * n, row: [0, 1, 0], column: [1, 0, 0], direction, reversed: 0 };
    WeightedStage { lanes, len: n, rows: Loop::ONCE }.stage(twiddle)
}

/// The spectrum of the conjugate chirp, which is on both sides of lane 0, divided by `lanes`·`divisor`: what the transform back leaves out.
fn chirp_spectrum(n: usize, lanes: usize, direction: Direction, divisor: usize) -> TwiddleTable {
    // The conjugate of a chirp is that of the other direction.
    let (name, rule): (_, TwiddleRule) = match direction {
        Direction::Forward => ("spectrum of the chirp", |parameters| spectrum(parameters, Direction::Inverse)),
        Direction::Inverse => ("spectrum of the conjugate chirp", |parameters| spectrum(parameters, Direction::Forward)),
    };
    TwiddleTable::new(name, &[n, lanes, divisor], lanes, rule)
}

fn spectrum(parameters: &[usize], direction: Direction) -> Vec<Complex64> {
    let [n, lanes, divisor] = [0, 1, 2].map(|index| parameters[index]);
    let scale = 1.0 / (lanes as f64 * divisor as f64);
    let mut values = vec![Complex64::default(); lanes];
    for t in 0..n {
        let weight = Coef::root((t * t % (2 * n)) as u64, 2 * n as u64, direction).value() * scale;
        values[t] = weight;
        values[(lanes - t) % lanes] = weight;
    }
    rustfft::FftPlanner::new().plan_fft_forward(lanes).process(&mut values);
    values
}
