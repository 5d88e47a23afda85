//! The algorithms that an automatic choice compares.

use super::Cut;

/// An algorithm that can compute a job, and its speed.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// Name of the algorithm.
    pub algorithm: &'static str,
    /// How its plan is cut.
    pub cut: Cut,
    /// Its speed.
    pub speed: Speed,
}

/// The speed of a candidate, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Speed {
    /// Time of one run in µs, at the nearest size that was measured on this device.
    Measured(f64),
    /// Estimated time, relative to the best candidate.
    Estimated(f64),
    /// Neither measured nor estimated.
    Unknown,
}
