//! Generators of signals. Frequencies count cycles over the whole length, so that a whole number falls on one coefficient of the DFT.

use super::super::Signal;
use super::random::{Distribution, random};
use super::row;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// One sine of a sum.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SineTerm {
    /// Largest value.
    pub amplitude: f64,
    /// Cycles over the whole length.
    pub frequency: f64,
    /// Degrees; 90 makes it a cosine.
    pub phase: f64,
}

/// x\[n\] = Σ amplitude · sin(2π · frequency · n / length + phase).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SineSum {
    /// Number of samples.
    pub length: usize,
    /// The sines.
    pub terms: Vec<SineTerm>,
}

impl Default for SineSum {
    fn default() -> Self {
        let term = |amplitude, frequency| SineTerm { amplitude, frequency, phase: 0.0 };
        Self { length: 1024, terms: vec![term(1.0, 12.0), term(0.5, 40.0), term(0.25, 131.0)] }
    }
}

impl SineSum {
    pub(super) fn signal(&self) -> Signal {
        let length = self.length.max(1) as f64;
        row("Sine sum", self.length, |n| {
            let sine = |term: &SineTerm| {
                let cycles = term.frequency * n as f64 / length + term.phase / 360.0;
                term.amplitude * (TAU * cycles.fract()).sin()
            };
            self.terms.iter().map(sine).sum()
        })
    }
}

/// A sine whose frequency goes linearly from `start` to `end`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Chirp {
    /// Number of samples.
    pub length: usize,
    /// Largest value.
    pub amplitude: f64,
    /// Frequency at the first sample, in cycles over the whole length.
    pub start: f64,
    /// Frequency at the last sample, in cycles over the whole length.
    pub end: f64,
}

impl Default for Chirp {
    fn default() -> Self {
        Self { length: 1024, amplitude: 1.0, start: 10.0, end: 200.0 }
    }
}

impl Chirp {
    pub(super) fn signal(&self) -> Signal {
        let length = self.length.max(1) as f64;
        row("Chirp", self.length, |n| {
            let t = n as f64 / length;
            let cycles = self.start * t + 0.5 * (self.end - self.start) * t * t;
            self.amplitude * (TAU * cycles.fract()).sin()
        })
    }
}

/// White noise.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NoiseSignal {
    /// Number of samples.
    pub length: usize,
    /// Largest value of the uniform distribution, standard deviation of the normal one.
    pub amplitude: f64,
    /// How the values are distributed.
    pub distribution: Distribution,
    /// Seed of the random numbers.
    pub seed: u64,
}

impl Default for NoiseSignal {
    fn default() -> Self {
        Self { length: 1024, amplitude: 1.0, distribution: Distribution::Normal, seed: 1 }
    }
}

impl NoiseSignal {
    pub(super) fn signal(&self) -> Signal {
        row("Noise", self.length, |n| self.amplitude * random(self.seed, n as u64, self.distribution))
    }
}

/// Zeros, and one sample with the value `height`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Impulse {
    /// Number of samples.
    pub length: usize,
    /// Index of the sample, taken modulo the length.
    pub position: usize,
    /// Its value.
    pub height: f64,
}

impl Default for Impulse {
    fn default() -> Self {
        Self { length: 1024, position: 3, height: 1.0 }
    }
}

impl Impulse {
    pub(super) fn signal(&self) -> Signal {
        let position = self.position % self.length.max(1);
        row("Impulse", self.length, |n| if n == position { self.height } else { 0.0 })
    }
}

/// A wave that is +amplitude in the first part of each cycle and −amplitude in the rest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SquareWave {
    /// Number of samples.
    pub length: usize,
    /// Largest value.
    pub amplitude: f64,
    /// Cycles over the whole length.
    pub frequency: f64,
    /// Fraction of a cycle that is high, from 0 to 1.
    pub duty: f64,
}

impl Default for SquareWave {
    fn default() -> Self {
        Self { length: 1024, amplitude: 1.0, frequency: 8.0, duty: 0.5 }
    }
}

impl SquareWave {
    pub(super) fn signal(&self) -> Signal {
        let length = self.length.max(1) as f64;
        row("Square wave", self.length, |n| {
            let cycle = (self.frequency * n as f64 / length).rem_euclid(1.0);
            if cycle < self.duty { self.amplitude } else { -self.amplitude }
        })
    }
}
