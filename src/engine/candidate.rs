//! The algorithms that an automatic choice compares.

use super::Cut;

/// One way to compute a job, and how fast it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// Name of the algorithm.
    pub algorithm: &'static str,
    /// How its plan is cut.
    pub cut: Cut,
    /// How fast it is.
    pub speed: Speed,
}

/// How fast a candidate is, as far as that is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Speed {
    /// Microseconds of one run at the nearest size that was measured on this device.
    Measured(f64),
    /// So many times as long as the best by the cost model.
    Estimated(f64),
    /// Neither measured nor estimated.
    Unknown,
}
