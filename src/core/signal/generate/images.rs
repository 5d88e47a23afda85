//! Generators of images, with values from 0 (black) to 1 (white).

use super::super::Signal;
use super::image;
use super::random::{Distribution, random};
use serde::{Deserialize, Serialize};
use std::f64::consts::{PI, TAU};

/// One grating of a sum.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Grating {
    /// Cycles over the longer side of the image.
    pub frequency: f64,
    /// Direction in which it varies, in degrees clockwise from the row axis: 0 gives upright stripes.
    pub angle: f64,
    /// Phase in degrees.
    pub phase: f64,
    /// Contrast: 1 reaches from black to white.
    pub contrast: f64,
}

/// ½ + Σ ½ · contrast · cos(2π · frequency · (x cos angle + y sin angle) / side + phase).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Gratings {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// The gratings.
    pub terms: Vec<Grating>,
}

impl Default for Gratings {
    fn default() -> Self {
        let grating = |frequency, angle, contrast| Grating { frequency, angle, phase: 0.0, contrast };
        Self { rows: 512, columns: 512, terms: vec![grating(16.0, 0.0, 0.5), grating(40.0, 30.0, 0.3), grating(96.0, 120.0, 0.2)] }
    }
}

impl Gratings {
    pub(super) fn signal(&self) -> Signal {
        let side = self.rows.max(self.columns).max(1) as f64;
        image("Gratings", (self.rows, self.columns), |row, pixels| {
            pixels.fill(0.5);
            for term in &self.terms {
                let (sin, cos) = term.angle.to_radians().sin_cos();
                let step = TAU * term.frequency * cos / side;
                let start = TAU * term.frequency * sin * row as f64 / side + term.phase.to_radians();
                add_cosine(pixels, 0.5 * term.contrast, start, step);
            }
        })
    }
}

/// Adds amplitude · cos(start + step·n) by rotating a phasor, which takes no cosine for every pixel. In double precision, its error stays far below single precision.
fn add_cosine(pixels: &mut [f32], amplitude: f64, start: f64, step: f64) {
    let (step_im, step_re) = step.sin_cos();
    let (mut im, mut re) = start.sin_cos();
    for pixel in pixels {
        *pixel += (amplitude * re) as f32;
        (re, im) = (re * step_re - im * step_im, re * step_im + im * step_re);
    }
}

/// ½ + ½ cos(π · r² · limit / side), where r is the distance from the centre in pixels.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ZonePlate {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// Frequency at the middle of the longer sides, relative to half a cycle a pixel; above 1 there are aliases.
    pub limit: f64,
}

impl Default for ZonePlate {
    fn default() -> Self {
        Self { rows: 512, columns: 512, limit: 0.7 }
    }
}

impl ZonePlate {
    pub(super) fn signal(&self) -> Signal {
        let side = self.rows.max(self.columns).max(1) as f64;
        // The slope of the phase, 2π · limit · r / side, is π · limit at r = side / 2.
        let phase = |index: usize, n: usize| (PI * self.limit * (index as f64 - n as f64 / 2.0).powi(2) / side).sin_cos();
        let across: Vec<_> = (0..self.columns).map(|column| phase(column, self.columns)).collect();
        image("Zone plate", (self.rows, self.columns), |row, pixels| {
            let (sin, cos) = phase(row, self.rows);
            // The cosine of the sum of both phases.
            pixels.iter_mut().zip(&across).for_each(|(pixel, across)| *pixel = (0.5 + 0.5 * (cos * across.1 - sin * across.0)) as f32);
        })
    }
}

/// Alternating squares of 0 and 1; the first is 0.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Checkerboard {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// Side of a square in pixels.
    pub square: usize,
}

impl Default for Checkerboard {
    fn default() -> Self {
        Self { rows: 512, columns: 512, square: 16 }
    }
}

impl Checkerboard {
    pub(super) fn signal(&self) -> Signal {
        let square = self.square.max(1);
        image("Checkerboard", (self.rows, self.columns), |row, pixels| {
            for (column, pixel) in pixels.iter_mut().enumerate() {
                *pixel = ((row / square + column / square) % 2) as f32;
            }
        })
    }
}

/// White noise about ½.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NoiseImage {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// Half the range of the uniform distribution, standard deviation of the normal one; values beyond 0..=1 are clipped.
    pub amplitude: f64,
    /// How the values are distributed.
    pub distribution: Distribution,
    /// Seed of the random numbers.
    pub seed: u64,
}

impl Default for NoiseImage {
    fn default() -> Self {
        Self { rows: 512, columns: 512, amplitude: 0.5, distribution: Distribution::Uniform, seed: 1 }
    }
}

impl NoiseImage {
    pub(super) fn signal(&self) -> Signal {
        image("Noise image", (self.rows, self.columns), |row, pixels| {
            let first = row as u64 * pixels.len() as u64;
            for (column, pixel) in pixels.iter_mut().enumerate() {
                let value = 0.5 + self.amplitude * random(self.seed, first + column as u64, self.distribution);
                *pixel = value.clamp(0.0, 1.0) as f32;
            }
        })
    }
}
