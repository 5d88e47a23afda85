//! Generators of signals. Frequencies count cycles over the whole length, so that a whole number falls on one coefficient of the DFT.

use super::super::Signal;
use super::random::{Distribution, random};
use super::{MAX_SAMPLES, row};
use crate::fault::give_up;
use num_complex::Complex32;
use realfft::RealFftPlanner;
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

crate::choice! {
    /// How the frequency of a sweep goes from its start to its end.
    pub enum SweepLaw {
        /// By the same number of cycles in the same time.
        #[default]
        Linear = "Linear", "linear";
        /// By the same factor in the same time, so that every octave takes as long as the next; from a frequency above 0.
        Exponential = "Exponential", "exponential";
    }
}

/// A sine whose frequency goes from `start` to `end`.
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
    /// How the frequency goes there.
    #[serde(default)]
    pub law: SweepLaw,
}

impl Default for Chirp {
    fn default() -> Self {
        Self { length: 1024, amplitude: 1.0, start: 10.0, end: 200.0, law: SweepLaw::Linear }
    }
}

impl Chirp {
    pub(super) fn signal(&self) -> Signal {
        let length = self.length.max(1) as f64;
        let rise = (self.end / self.start).ln();
        // Equal ends have no factor, and a frequency of 0 has none either.
        let is_linear = self.law == SweepLaw::Linear || rise == 0.0 || !rise.is_finite();
        row("Chirp", self.length, |n| {
            let t = n as f64 / length;
            let cycles = if is_linear {
                self.start * t + 0.5 * (self.end - self.start) * t * t
            } else {
                // A. Farina, Simultaneous measurement of impulse response and distortion with a swept-sine technique, 2000.
                self.start / rise * (rise * t).exp_m1()
            };
            self.amplitude * (TAU * cycles.fract()).sin()
        })
    }
}

crate::choice! {
    /// How the power of noise is spread over frequencies.
    pub enum NoiseColour {
        /// Evenly: every hertz has the same power.
        #[default]
        White = "White", "white";
        /// As 1/f: every octave has the same power.
        Pink = "Pink", "pink";
    }
}

/// White or pink noise.
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
    /// How its power is spread over frequencies. Pink noise is normal, whatever the distribution of the white noise that it is made of.
    #[serde(default)]
    pub colour: NoiseColour,
}

impl Default for NoiseSignal {
    fn default() -> Self {
        Self { length: 1024, amplitude: 1.0, distribution: Distribution::Normal, seed: 1, colour: NoiseColour::White }
    }
}

impl NoiseSignal {
    pub(super) fn signal(&self) -> Signal {
        match self.colour {
            NoiseColour::White => row("Noise", self.length, |n| self.amplitude * random(self.seed, n as u64, self.distribution)),
            NoiseColour::Pink => {
                let samples = pink(self.length.clamp(1, MAX_SAMPLES), self.seed);
                row("Pink noise", self.length, |n| self.amplitude * f64::from(samples[n]))
            }
        }
    }
}

/// Pink noise of mean 0 and standard deviation 1: a spectrum of normal values, each divided by the root of its frequency, brought back by the library.
fn pink(n: usize, seed: u64) -> Vec<f32> {
    let inverse = RealFftPlanner::<f32>::new().plan_fft_inverse(n);
    let mut spectrum = inverse.make_input_vec();
    let bins = spectrum.len();
    for (bin, value) in spectrum.iter_mut().enumerate().skip(1) {
        let part = |part: u64| random(seed, 2 * bin as u64 + part, Distribution::Normal) as f32;
        // The value at half the rate is real.
        let imaginary = if 2 * bin == n { 0.0 } else { part(1) };
        *value = Complex32::new(part(0), imaginary) / (bin as f32).sqrt();
    }
    let mut samples = inverse.make_output_vec();
    // Both have the lengths that the library asks for, and the ends of the spectrum are real.
    inverse.process(&mut spectrum, &mut samples).unwrap_or_else(|error| give_up(error.to_string()));
    let squares: f64 = samples.iter().map(|x| f64::from(*x).powi(2)).sum();
    let scale = if bins > 1 { (n as f64 / squares).sqrt() as f32 } else { 0.0 };
    samples.iter_mut().for_each(|x| *x *= scale);
    samples
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
