//! What is measured, and how.

use crate::engine::{Cut, DeviceChoice, Devices, EngineError, Job, JobRunner};
use crate::gpu::Clock;
use crate::plan::{Direction, Precision, Ring};
use crate::random::Random;
use crate::signal::{ChannelChoice, Samples, Signal};
use crate::transforms::{Axes, Parameters, Shape, Transform, Unsupported, transform};
use num_complex::Complex32;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// One line of a plot: a transform by an algorithm on a device, at several sizes.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// What it is called where its transform, algorithm and device do not say enough.
    #[serde(default)]
    pub label: Option<String>,
    /// Name of the transform in the table or beside it.
    pub transform: String,
    /// Name of the algorithm; `None` takes the fastest.
    #[serde(default)]
    pub algorithm: Option<String>,
    /// What the algorithm needs to know.
    #[serde(default)]
    pub parameters: Parameters,
    /// Where it runs.
    pub device: DeviceChoice,
    /// How plans are cut into launches.
    #[serde(default)]
    pub cut: Cut,
    /// How real and complex numbers are held; `None` as [`Job::precision`] says.
    #[serde(default)]
    pub precision: Option<Precision>,
    /// Rows and columns, each a case of its own.
    #[serde(default)]
    pub shapes: Vec<Shape>,
}

/// Whether a run finds its samples in the caches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Caches {
    /// Several sets of buffers are used in turn, so that it does not, as far as the sets fill the caches.
    #[default]
    Cold,
    /// Every run has the same buffers.
    Warm,
}

/// What is transformed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Data {
    /// Uniform noise about 0, complex or real as the transform takes it; bits where it computes modulo 2.
    #[default]
    Noise,
    /// Zeros and ones: transforms over the integers stay exact.
    Bits,
}

/// How it is measured.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Runs of every case that count, at least 1.
    pub repeat: usize,
    /// Seconds after which no further case begins; each case takes its share of them.
    pub budget_secs: Option<f64>,
    /// Whether a run finds its samples in the caches.
    pub caches: Caches,
    /// What tells how long launches take.
    pub clock: Clock,
    /// What is transformed.
    pub data: Data,
    /// What the order of the cases follows from.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { repeat: 9, budget_secs: None, caches: Caches::Cold, clock: Clock::Device, data: Data::Noise, seed: 1 }
    }
}

/// What is measured, and how.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sweep {
    /// What it is called.
    pub name: String,
    /// The experiment of a paper that it repeats.
    #[serde(default)]
    pub experiment: Option<String>,
    /// What is compared.
    pub lines: Vec<Line>,
    /// How.
    #[serde(default)]
    pub settings: Settings,
}

impl Line {
    /// A line without a label, by the fastest algorithm.
    pub fn new(transform: &str, device: DeviceChoice, shapes: Vec<Shape>) -> Self {
        Self {
            label: None,
            transform: transform.into(),
            algorithm: None,
            parameters: Parameters::default(),
            device,
            cut: Cut::default(),
            precision: None,
            shapes,
        }
    }

    /// Whether the line solves tridiagonal systems.
    pub(super) fn takes_equations(&self) -> bool {
        transform(&self.transform).is_ok_and(Transform::takes_equations)
    }

    /// Whether the table has what the line names, and that takes one of the shapes, where there are any.
    ///
    /// # Errors
    /// When the transform or the algorithm is not in the table, or no shape suits it.
    pub fn check(&self) -> Result<(), Unsupported> {
        let transform = transform(&self.transform)?;
        let named = self.algorithm.as_deref().map(|name| transform.algorithm(name)).transpose()?;
        let algorithms = named.map_or(transform.algorithms, std::slice::from_ref);
        let mut unsuited = None;
        for (&shape, algorithm) in self.shapes.iter().flat_map(|shape| algorithms.iter().map(move |algorithm| (shape, algorithm))) {
            match algorithm.plan_fn().map(|build| build(shape, self.parameters)) {
                None | Some(Ok(_)) => return Ok(()),
                Some(Err(error)) => unsuited = unsuited.or(Some(error)),
            }
        }
        unsuited.map_or(Ok(()), Err)
    }

    /// The job that is measured at one shape.
    ///
    /// # Errors
    /// When the transform or the algorithm is not in the table.
    pub fn job(&self, shape: Shape, data: Data) -> Result<Job, Unsupported> {
        let transform = transform(&self.transform)?;
        let algorithm = self.algorithm.as_deref().map(|name| transform.algorithm(name)).transpose()?;
        let mut random = Random::new(0);
        let mut signal = || {
            let samples = match transform.is_half() && self.parameters.direction == Direction::Inverse {
                true => half_spectrum(shape, transform.axes(self.parameters), &mut random),
                false => samples(ring(transform), transform.is_half(), shape.len(), data, &mut random),
            };
            Arc::new(Signal { rows: shape.rows, columns: shape.columns, ..Signal::row("noise", samples) })
        };
        Ok(Job {
            signal: signal(),
            second: transform.takes_two().then(signal),
            channel: ChannelChoice::Luma,
            transform: transform.name,
            algorithm: algorithm.map(|algorithm| algorithm.name),
            parameters: self.parameters,
            cut: self.cut,
            device: self.device.clone(),
            precision: self.precision,
            prefer_plan: false,
        })
    }

    /// What runs one case again and again.
    pub(super) fn trial(
        &self,
        shape: Shape,
        data: Data,
        rotated: u64,
        devices: &mut Devices,
        cancel: &AtomicBool,
    ) -> Result<JobRunner, EngineError> {
        JobRunner::new(&self.job(shape, data)?, rotated, devices, cancel)
    }
}

/// What the samples of a transform are: what its lanes hold, and real numbers where they are convolved.
fn ring(transform: &Transform) -> Option<Ring> {
    if transform.convolution().is_some() {
        return Some(Ring::Real);
    }
    let plan = transform.first_plan().plan_fn().and_then(|build| build(Shape::line(1), Parameters::default()).ok());
    plan.map(|plan| plan.ring)
}

/// A number from −0.5 to 0.5.
fn number(random: &mut Random) -> f32 {
    (random.bits() >> 8) as f32 / (1 << 24) as f32 - 0.5
}

/// Half the spectrum of an even number of real samples a line, without a pattern but for what every such spectrum has: its first and its last values along the halved axis are those of real samples too.
/// Of anything else ways to go back may make different things.
fn half_spectrum(Shape { rows, columns }: Shape, axes: Axes, random: &mut Random) -> Samples {
    let mut values: Vec<Complex32> = (0..rows * columns).map(|_| Complex32::new(number(random), number(random))).collect();
    let last = if axes == Axes::Columns { rows } else { columns }.saturating_sub(1);
    for row in 0..rows {
        for column in 0..columns {
            let is_end = |along: usize| along == 0 || along == last;
            let mirrored = match axes {
                Axes::Rows if is_end(column) => row,
                Axes::Columns if is_end(row) => row,
                Axes::Both if is_end(column) => (rows - row) % rows,
                _ => continue,
            };
            let pair = [row, mirrored].map(|row| values[row * columns + column]);
            values[row * columns + column] = (pair[0] + pair[1].conj()) * 0.5;
            values[mirrored * columns + column] = values[row * columns + column].conj();
        }
    }
    Samples::Complex32(values)
}

/// Samples without a pattern.
fn samples(ring: Option<Ring>, is_half: bool, n: usize, data: Data, random: &mut Random) -> Samples {
    let mut next = || number(random);
    match (ring, data) {
        (Some(Ring::Gf2), _) | (_, Data::Bits) => Samples::U8((0..n).map(|_| u8::from(next() > 0.0)).collect()),
        (Some(Ring::Complex), _) if is_half => Samples::F32((0..n).map(|_| next()).collect()),
        (Some(Ring::Complex) | None, _) => Samples::Complex32((0..n).map(|_| Complex32::new(next(), next())).collect()),
        _ => Samples::F32((0..n).map(|_| next()).collect()),
    }
}
