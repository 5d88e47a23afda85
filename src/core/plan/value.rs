//! The value of a lane in drawings and files: a number or an equation.

use super::ReducedEquation;
use num_complex::Complex64;

/// The value of a lane in double precision.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LaneValue {
    /// A number of any ring.
    Number(Complex64),
    /// An equation of a tridiagonal system.
    Equation(ReducedEquation<f64>),
}

impl LaneValue {
    /// The value of an unwritten lane: NaN.
    pub const NOTHING: Self = Self::Number(Complex64::new(f64::NAN, f64::NAN));

    /// The real and imaginary parts, or a, b, c and d.
    pub fn numbers(self) -> Vec<f64> {
        match self {
            Self::Number(value) => vec![value.re, value.im],
            // Adding 0 turns −0, which eliminations leave, into 0.
            Self::Equation(row) => <[f64; 4]>::from(row).map(|value| value + 0.0).to_vec(),
        }
    }

    /// The distance in the 2-norm; NaN between a number and an equation.
    pub fn distance(self, other: Self) -> f64 {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) => (a - b).norm(),
            (Self::Equation(a), Self::Equation(b)) => {
                let squares = <[f64; 4]>::from(a).into_iter().zip(<[f64; 4]>::from(b)).map(|(a, b)| (a - b).powi(2));
                squares.sum::<f64>().sqrt()
            }
            _ => f64::NAN,
        }
    }
}

impl From<Complex64> for LaneValue {
    fn from(value: Complex64) -> Self {
        Self::Number(value)
    }
}

impl From<ReducedEquation<f64>> for LaneValue {
    fn from(row: ReducedEquation<f64>) -> Self {
        Self::Equation(row)
    }
}
