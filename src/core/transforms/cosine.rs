//! The discrete cosine transform of type II, C\[k\] = Σ x\[n\]·cos(πk(2n+1)/(2N)), and its inverse; of an image along both axes, one after the other.
//!
//! Let V be the Fourier transform of the even samples followed by the odd ones backwards, and ω = exp(−2πi/4N).
//! Then C\[k\] = ½(ω^k·V\[k\] + ω^−k·V\[−k\]), and back V\[k\] = ω^−k·(C\[k\] − i·C\[N−k\]), where C\[N\] = 0.
//! J. Makhoul, A fast cosine transform in one and two dimensions (1980).

use super::fourier::{LinePlan, stages};
use super::{Parameter, Parameters, ResultIndex, Unsupported, direct, separable::RealLine};
use crate::plan::{AngleValues, Coef, Direction, Extension, Matrix, Operation, Plan, ReadPattern, ResultOrder, Ring, Stage, Twiddle};
use crate::plan::{TwiddledSums, WritePattern, shapes::every_lane};
use std::f64::consts::{FRAC_1_SQRT_2, PI};

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
    const INVERSE_FORMULAS: [&'static str; 2] = [
        "x[n] = 1/N · C[0] + 2/N · Σ C[k]·cos(πk(2n+1)/(2N)), k = 1 … N−1",
        "along rows and columns: x[n] = 1/N · C[0] + 2/N · Σ C[k]·cos(πk(2n+1)/(2N)), k = 1 … N−1",
    ];
    // Frequencies are k/2 periods in N samples, none below 0: the result has no middle.
    const INDEX: ResultIndex = ResultIndex::Number("index k (k/2 periods)");
    const PARAMETERS: [&'static [Parameter]; 2] = [&[Parameter::Normalized, Parameter::Lines], &[Parameter::Normalized]];

    fn plan(n: usize, parameters: Parameters, divisor: usize, spectrum: LinePlan) -> Result<Plan, Unsupported> {
        let Parameters { direction, normalized, .. } = parameters;
        let is_forward = direction == Direction::Forward;
        // The squares of the factors of all sums and of C[0] in the orthonormal transform.
        let squares = if is_forward { [2.0 / n as f64, 0.5] } else { [0.5 / n as f64, 1.0 / n as f64] };
        let [all, first] = squares.map(|square: f64| if normalized { square.sqrt() } else { 1.0 });
        let stage = |label: &str, n: usize, matrix| Stage { label: label.into(), operation: Operation::Linear(matrix), ..every_lane(n) };
        let first = stage("C[0]", usize::from(normalized), Matrix::scalar(Coef::Real(first)));
        let read = ReadPattern { hop: n as i64, extension: Extension::Negative, ..ReadPattern::in_order(n) };
        let twiddle = |row, column| Some(Twiddle::Root { modulus: 4 * n, row, column, direction, reversed: 0 });
        let [before, after] = if is_forward {
            let half = |tap| Matrix::from_fn(1, 2, |_, k| Coef::Real(if k == tap { 0.5 * all } else { 0.0 }));
            let operation = Operation::TwiddledSums(TwiddledSums { first: half(0), second: half(1), conjugated: vec![false; 2] });
            let cosines =
                Stage { label: "cosines".into(), read, operation, twiddle: twiddle([4 * n - 2, 0, 1], [1, 0, 0]), ..every_lane(n) };
            [vec![stages::even_then_odd_backwards(n)], vec![cosines, first]]
        } else {
            let weights = Matrix::from_fn(1, 2, |_, k| if k == 0 { Coef::Real(all) } else { Coef::Complex { re: 0.0, im: -all } });
            let (read, write) = (ReadPattern { first: 1, ..read }, WritePattern { first: 1, ..WritePattern::IN_ORDER });
            let rest = Stage { read, write, twiddle: twiddle([0, 1, 1], [0, 0, 1]), ..stage("C[k] and C[N−k]", n - 1, weights) };
            [vec![first, rest], vec![stages::interleaved_from_both_ends(n)]]
        }
        .map(|stages| stages.into_iter().filter(|stage| stage.positions > 0).collect())
        .map(|stages| Plan::new(Ring::Complex, n, stages, ResultOrder::Natural));
        Ok(before.then(spectrum(n, parameters, if normalized { 1 } else { divisor })?).then(after))
    }

    fn direct(n: usize, Parameters { direction, normalized, .. }: Parameters, divisor: usize) -> Plan {
        let is_forward = direction == Direction::Forward;
        // The factor of all terms, and what C[0] has besides it.
        let [all, first] = match (normalized, is_forward) {
            (true, _) => [(2.0 / n as f64).sqrt(), FRAC_1_SQRT_2],
            (false, true) => [1.0, 1.0],
            (false, false) => [2.0 / divisor as f64, 0.5],
        };
        let [row, column] = if is_forward { [[1, 0], [2, 1]] } else { [[2, 1], [1, 0]] };
        let sum = direct::angles(n, 4 * n, AngleValues::Wave([all, 0.0]), row, column);
        let operation = Operation::Linear(Matrix::scalar(Coef::Real(first)));
        let mut stages = vec![sum];
        if first < 1.0 {
            stages.insert(usize::from(is_forward), Stage { label: "C[0]".into(), operation, ..every_lane(1) });
        }
        direct::complex(n, stages)
    }

    fn matrix(n: usize, Parameters { direction, normalized, .. }: Parameters) -> Vec<Vec<f64>> {
        let is_forward = direction == Direction::Forward;
        let power = if normalized { 0.5 } else { f64::from(u8::from(!is_forward)) };
        let norm = |k: usize| (if k == 0 { 1.0 } else { 2.0 } / n as f64).powf(power);
        let cosine = |k: usize, t: usize| norm(k) * (PI * (k * (2 * t + 1) % (4 * n)) as f64 / (2 * n) as f64).cos();
        (0..n).map(|i| (0..n).map(|j| if is_forward { cosine(i, j) } else { cosine(j, i) }).collect()).collect()
    }
}
