//! Tridiagonal systems by a formula, of any size.

use super::MAX_SAMPLES;
use super::random::{Distribution, random};
use crate::signal::{Signal, System};
use crate::threads;
use serde::{Deserialize, Serialize};

/// The seed of the random equations.
const SEED: u64 = 1;

/// A tridiagonal system by a formula: N rows of four numbers a, b, c, d.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Equations {
    /// The formula.
    pub example: SystemExample,
    /// Number of equations.
    pub n: usize,
}

impl Default for Equations {
    fn default() -> Self {
        Self { example: SystemExample::Poisson, n: 16 }
    }
}

impl Equations {
    /// The equations as N rows of four samples.
    pub(super) fn signal(self) -> Signal {
        let system = self.example.system(self.n.clamp(1, MAX_SAMPLES / 4));
        Signal { name: "Tridiagonal system".into(), ..system.signal() }
    }
}

crate::choice! {
    /// An example of a tridiagonal system.
    pub enum SystemExample {
        /// A string fixed at both ends under its weight; its condition number grows as N².
        #[default]
        Poisson = "Poisson, 1-D";
        /// Random equations that every algorithm solves well, as |b| exceeds |a| + |c|.
        Dominant = "Random, dominant diagonal";
        /// The second derivatives of the natural cubic spline through samples of a sine.
        Spline = "Cubic spline";
        /// Zeros on the diagonal: only an algorithm that exchanges equations solves it, and only where N is even.
        ZeroPivots = "Zero pivots";
        /// A string with loose ends: it has no solution, or more than one.
        Singular = "Singular";
    }
}

impl SystemExample {
    /// The system of `n` equations.
    ///
    /// # Panics
    /// When `n` is 0.
    pub fn system(self, n: usize) -> System {
        let step = 1.0 / (n as f64 + 1.0);
        let row = |i: usize| match self {
            Self::Poisson => [-1.0, 2.0, -1.0, step * step],
            Self::Dominant => {
                let [a, c, excess, d] = [0, 1, 2, 3].map(|part| random(SEED, 4 * i as u64 + part, Distribution::Uniform));
                let b = (0.1 + excess.abs() + a.abs() + c.abs()) * if excess < 0.0 { -1.0 } else { 1.0 };
                [a, b, c, d]
            }
            Self::Spline => {
                let sample = |i: usize| (std::f64::consts::TAU * i as f64 * step).sin();
                [1.0, 4.0, 1.0, 6.0 * (sample(i) - 2.0 * sample(i + 1) + sample(i + 2)) / (step * step)]
            }
            Self::ZeroPivots => [1.0, 0.0, 1.0, 1.0],
            Self::Singular => [-1.0, if i == 0 || i + 1 == n { 1.0 } else { 2.0 }, -1.0, 0.0],
        };
        let mut rows = threads::tabulate(n, row);
        if n == 1 && self == Self::Singular {
            rows[0][1] = 0.0;
        }
        // The ends have no neighbours.
        (rows[0][0], rows[n - 1][2]) = (0.0, 0.0);
        System::new(self.name(), rows).expect("formulas give finite numbers, for at least one equation")
    }
}
