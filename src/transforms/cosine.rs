//! The discrete cosine transform of type II, C\[k\] = Σ x\[n\]·cos(πk(2n+1)/(2N)), and its inverse; of an image along both axes, one after the other.
//!
//! Let V be the Fourier transform of the even samples followed by the odd ones backwards, and ω = exp(−2πi/4N).
//! Then C\[k\] = ½(ω^k·V\[k\] + ω^−k·V\[−k\]), and back V\[k\] = ω^−k·(C\[k\] − i·C\[N−k\]), where C\[N\] = 0.
//! J. Makhoul, A fast cosine transform in one and two dimensions (1980).

use super::{Parameter, Parameters, Unsupported, fourier::Spectrum, separable::RealLine};
use crate::plan::{
    Coef, Direction, Extension, Matrix, Operation, Plan, ReadPattern, ResultOrder, Ring, Stage, Twiddle, TwiddledSums, WritePattern,
    shapes::every_lane,
};
use num_complex::Complex64;
use std::f64::consts::{FRAC_1_SQRT_2, PI, SQRT_2};

/// The rows of the table are its `ALONG_ROWS` and `ALONG_BOTH`.
pub(super) struct Cosine;

impl RealLine for Cosine {
    const NAMES: [&'static str; 2] = ["dct", "dct2"];
    const TITLES: [&'static str; 2] = ["Cosine (DCT)", "Cosine of an image (2-D DCT)"];
    const ABOUT: [&'static str; 2] = [
        "Discrete cosine transform (type II) of every row",
        "Discrete cosine transform (type II) of an image along both axes, one after the other",
    ];
    const FORMULAS: [&'static str; 2] = ["C[k] = Σ x[n]·cos(πk(2n+1)/(2N))", "C[k, l] = Σ Σ x[m, n]·cos(πk(2m+1)/(2M))·cos(πl(2n+1)/(2N))"];
    const PARAMETERS: [&'static [Parameter]; 2] = [&[Parameter::Normalized, Parameter::Lines], &[Parameter::Normalized]];

    fn plan(n: usize, parameters: Parameters, divisor: usize, spectrum: Spectrum) -> Result<Plan, Unsupported> {
        let Parameters { direction, normalized, .. } = parameters;
        let n_root = (n as f64).sqrt();
        // The factor of the sums, and the one of the value at k = 0.
        let [all, first] = match direction {
            _ if !normalized => [1.0, 1.0],
            Direction::Forward => [SQRT_2 / n_root, FRAC_1_SQRT_2],
            Direction::Inverse => [FRAC_1_SQRT_2 / n_root, 1.0 / n_root],
        };
        let stage = |label: &str, n: usize, matrix| Stage { label: label.into(), operation: Operation::Linear(matrix), ..every_lane(n) };
        let first = stage("C[0]", usize::from(normalized), Matrix::scalar(Coef::Real(first)));
        let opposite = ReadPattern { hop: n as i64, extension: Extension::Negative, ..ReadPattern::in_order(n) };
        let twiddle = |row, column| Some(Twiddle::Root { modulus: 4 * n, row, column, direction });
        let [before, after] = if direction == Direction::Forward {
            let read = ReadPattern { advance: 2, extension: Extension::HalfSymmetric, ..ReadPattern::in_order(n) };
            let sorted = Stage { read, ..stage("even, odd backwards", n, Matrix::scalar(Coef::ONE)) };
            let half = |tap| Matrix::from_fn(1, 2, |_, k| Coef::Real(if k == tap { 0.5 * all } else { 0.0 }));
            let sums = Operation::TwiddledSums(TwiddledSums { first: half(0), second: half(1), conjugated: vec![false; 2] });
            let twiddle = twiddle([4 * n - 2, 0, 1], [1, 0, 0]);
            [vec![sorted], vec![Stage { label: "cosines".into(), read: opposite, operation: sums, twiddle, ..every_lane(n) }, first]]
        } else {
            let weights = Matrix::from_fn(1, 2, |_, k| Coef::of([all.into(), Complex64::new(0.0, -all)][k]));
            let (read, write) = (ReadPattern { first: 1, ..opposite }, WritePattern { first: 1, ..WritePattern::IN_ORDER });
            let rest = Stage { read, write, twiddle: twiddle([0, 1, 1], [0, 0, 1]), ..stage("C[k] and C[N−k]", n - 1, weights) };
            // Tap 1 of pair p is V-sample N−1−p; of an odd length sample 0 stands alone, and pairs begin with the odd one.
            let odd = n % 2;
            let read =
                ReadPattern { first: odd as i64, hop: (n - odd) as i64, extension: Extension::HalfSymmetric, ..ReadPattern::in_order(n) };
            let pair = Matrix::from_fn(2, 2, |j, k| Coef::Real(f64::from(u8::from((j == k) == (odd == 0)))));
            [
                vec![first, rest],
                vec![Stage {
                    read,
                    write: WritePattern { first: odd, advance: 2, ..WritePattern::IN_ORDER },
                    ..stage("even and odd", n / 2, pair)
                }],
            ]
        };
        let plan = |stages: Vec<Stage>| {
            Plan::new(Ring::Complex, n, stages.into_iter().filter(|s| s.positions > 0).collect(), ResultOrder::Natural)
        };
        let spectrum = spectrum(n, parameters, if normalized { 1 } else { divisor })?;
        Ok(plan(before).then(spectrum).then(plan(after)))
    }

    fn matrix(n: usize, Parameters { direction, normalized, .. }: Parameters) -> Vec<Vec<f64>> {
        let cosine = |k: usize, t: usize| (PI * (k * (2 * t + 1) % (4 * n)) as f64 / (2 * n) as f64).cos();
        let norm = |k: usize| if k == 0 { 1.0 / n as f64 } else { 2.0 / n as f64 };
        let entry = |i: usize, j: usize| match direction {
            Direction::Forward => cosine(i, j) * if normalized { norm(i).sqrt() } else { 1.0 },
            Direction::Inverse => cosine(j, i) * if normalized { norm(j).sqrt() } else { norm(j) },
        };
        (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect()
    }
}
