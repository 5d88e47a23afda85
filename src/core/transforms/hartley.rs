//! The discrete Hartley transform, H\[k\] = Σ x\[n\]·cas(2πkn/N) with cas t = cos t + sin t; of an image along both axes, one after the other.
//!
//! It is its own inverse but for a division by N. From the Fourier transform X one stage makes H\[k\] = ½((1 + i)·X\[k\] + (1 − i)·X\[−k\]).
//!
//! R. N. Bracewell, Discrete Hartley transform (1983).

use super::{Parameter, Parameters, Unsupported, direct, fourier::LinePlan, separable::RealLine};
use crate::plan::{
    AngleValues, Coef, Direction, Extension, Matrix, Operation, Plan, ReadPattern, ResultOrder, Ring, Stage, shapes::every_lane,
};
use num_complex::Complex64;
use std::f64::consts::TAU;

/// The rows of the table are its `ALONG_ROWS` and `ALONG_BOTH`.
pub(super) struct Hartley;

impl RealLine for Hartley {
    const NAMES: [&'static str; 2] = ["hartley", "hartley2"];
    const TITLES: [&'static str; 2] = ["Hartley", "Hartley of an image (2-D)"];
    const ABOUT: [&'static str; 2] = [
        "Discrete Hartley transform of every row: real samples have a real spectrum",
        "Discrete Hartley transform of an image along both axes, one after the other",
    ];
    const FORMULAS: [&'static str; 2] =
        ["H[k] = Σ x[n]·cas(2πkn/N), cas t = cos t + sin t", "H[k, l] = Σ Σ x[m, n]·cas(2πkm/M)·cas(2πln/N), cas t = cos t + sin t"];
    const INVERSE_FORMULAS: [&'static str; 2] = [
        "x[n] = 1/N · Σ H[k]·cas(2πkn/N), cas t = cos t + sin t",
        "x[m, n] = 1/(MN) · Σ Σ H[k, l]·cas(2πkm/M)·cas(2πln/N), cas t = cos t + sin t",
    ];
    const PARAMETERS: [&'static [Parameter]; 2] = [&[Parameter::Lines], &[]];

    fn plan(n: usize, parameters: Parameters, divisor: usize, spectrum: LinePlan) -> Result<Plan, Unsupported> {
        let half = 0.5 / divisor as f64;
        let weights = Matrix::from_fn(1, 2, |_, k| Coef::complex(Complex64::new(half, if k == 0 { half } else { -half })));
        let read = ReadPattern { hop: n as i64, extension: Extension::Negative, ..ReadPattern::in_order(n) };
        let last = Stage { label: "X[k] and X[−k]".into(), read, operation: Operation::Linear(weights), ..every_lane(n) };
        let spectrum = spectrum(n, Parameters { direction: Direction::Forward, ..parameters }, 1)?;
        Ok(spectrum.then(Plan::new(Ring::Complex, n, vec![last], ResultOrder::Natural)))
    }

    fn direct(n: usize, _: Parameters, divisor: usize) -> Plan {
        direct::complex(n, vec![direct::angles(n, n, AngleValues::Wave([1.0 / divisor as f64; 2]), [1, 0], [1, 0])])
    }

    fn matrix(n: usize, parameters: Parameters) -> Vec<Vec<f64>> {
        let divisor = if parameters.direction == Direction::Forward { 1.0 } else { n as f64 };
        let cas = |(sin, cos): (f64, f64)| (cos + sin) / divisor;
        (0..n).map(|k| (0..n).map(|t| cas((TAU * (k * t % n) as f64 / n as f64).sin_cos())).collect()).collect()
    }
}
