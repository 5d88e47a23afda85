//! A sweep: its lines, samples and settings.

use crate::engine::{Cut, DeviceChoice, Devices, EngineError, Job, JobRunner};
use crate::gpu::{Clock, Uploads};
use crate::plan::{Direction, Precision};
use crate::random::Random;
use crate::signal::{ChannelChoice, Samples, Signal};
use crate::transforms::{Axes, Input, Numbers, Parameters, Shape, Unsupported, transform};
use num_complex::Complex32;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// One line of a sweep and of its chart: a transform by an algorithm on a device, at several sizes.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SweepLine {
    /// Name of the line if transform, algorithm and device do not identify it.
    #[serde(default)]
    pub label: Option<String>,
    /// Name of the transform in the table.
    pub transform: String,
    /// Name of the algorithm; `None` takes the fastest.
    #[serde(default)]
    pub algorithm: Option<String>,
    /// Parameters of the transform.
    #[serde(default)]
    pub parameters: Parameters,
    /// The device.
    pub device: DeviceChoice,
    /// How the plan is cut into launches.
    #[serde(default)]
    pub cut: Cut,
    /// Precision of real and complex numbers; `None` as for [`Job::precision`].
    #[serde(default)]
    pub precision: Option<Precision>,
    /// k, where the line has batches: in an experiment it has so many rows at every size that they are 2^k values together; `None` for one row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub batch: Option<u32>,
    /// The buffers of a GPU to which the samples are uploaded.
    #[serde(default)]
    pub uploads: Uploads,
    /// Threads of a CPU that runs on several; `None` takes all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_threads: Option<usize>,
    /// Shapes (rows × columns); each is one benchmark case.
    #[serde(default)]
    pub shapes: Vec<Shape>,
}

crate::choice! {
    /// State of the caches before a run.
    #[serde(rename_all = "lowercase")]
    pub enum CacheState {
        /// Runs rotate through several sets of buffers that are larger than the caches, so that no samples are in them.
        #[default]
        Cold = "Cold", "cold";
        /// Every run has the same buffers, so that samples may be in the caches.
        Warm = "Warm", "warm";
    }
}

crate::choice! {
    /// When the buffers of a GPU are made, and what that time counts as.
    #[serde(rename_all = "kebab-case")]
    pub enum BufferTime {
        /// Once, before the runs: a part of the preparation.
        #[default]
        Once = "Before the runs", "once";
        /// Anew in each run: memory time besides the transfers, as Gajić and Stanković count it.
        EachRun = "In each run", "each-run";
    }
}

/// The samples of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SweepData {
    /// Uniform noise about 0, complex or real as the transform takes it; bits for transforms modulo 2.
    #[default]
    Noise,
    /// Zeros and ones, with which transforms over the integers stay exact.
    Bits,
}

/// How a sweep measures.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SweepSettings {
    /// Counted runs of every case, at least 1.
    pub repeat: usize,
    /// Time budget in seconds, shared by the cases; no case begins after it.
    pub budget_secs: Option<f64>,
    /// Whether a run finds its samples in the caches.
    pub caches: CacheState,
    /// When buffers are made.
    pub buffers: BufferTime,
    /// The clock that times launches.
    pub clock: Clock,
    /// The samples.
    pub data: SweepData,
    /// Seed for the order of the cases.
    pub seed: u64,
}

impl Default for SweepSettings {
    fn default() -> Self {
        Self {
            repeat: 9,
            budget_secs: None,
            caches: CacheState::Cold,
            buffers: BufferTime::Once,
            clock: Clock::Device,
            data: SweepData::Noise,
            seed: 1,
        }
    }
}

/// The cases to measure, and the method.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sweep {
    /// Its name.
    pub name: String,
    /// Name of the experiment of a paper that it repeats.
    #[serde(default)]
    pub experiment: Option<String>,
    /// The differences from that experiment, one parameter a text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<String>,
    /// The lines that are compared.
    pub lines: Vec<SweepLine>,
    /// How it measures.
    #[serde(default)]
    pub settings: SweepSettings,
}

impl SweepLine {
    /// A line without a label that takes the fastest algorithm.
    pub fn new(transform: &str, device: DeviceChoice, shapes: Vec<Shape>) -> Self {
        Self {
            label: None,
            transform: transform.into(),
            algorithm: None,
            parameters: Parameters::default(),
            device,
            cut: Cut::default(),
            precision: None,
            batch: None,
            uploads: Uploads::Once,
            cpu_threads: None,
            shapes,
        }
    }

    /// Whether both lines ask for the same of a device; a device that is missing may make their cases equal.
    pub(super) fn asks_as(&self, other: &Self) -> bool {
        *self == Self { device: self.device.clone(), shapes: self.shapes.clone(), ..other.clone() }
    }

    /// Whether the line solves tridiagonal systems.
    pub(super) fn takes_equations(&self) -> bool {
        transform(&self.transform).is_ok_and(|transform| transform.input == Input::Equations)
    }

    /// Checks that the table has the transform and the algorithm, and that it takes one of the shapes if there are any.
    ///
    /// # Errors
    /// If the transform or the algorithm is missing, or takes none of the shapes.
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

    /// The job at one shape.
    ///
    /// # Errors
    /// If the transform or the algorithm is not in the table.
    pub fn job(&self, shape: Shape, data: SweepData) -> Result<Job, Unsupported> {
        let transform = transform(&self.transform)?;
        let algorithm = self.algorithm.as_deref().map(|name| transform.algorithm(name)).transpose()?;
        let mut random = Random::new(0);
        let mut signal = || {
            let samples = match transform.gives == Numbers::HalfSpectrum && self.parameters.direction == Direction::Inverse {
                true => half_spectrum(shape, transform.axes(self.parameters), &mut random),
                false => samples(transform.takes, shape.len(), data, &mut random),
            };
            Arc::new(Signal { rows: shape.rows, columns: shape.columns, ..Signal::row("noise", samples) })
        };
        Ok(Job {
            signal: signal(),
            second: (transform.input == Input::TwoSignals).then(signal),
            channel: ChannelChoice::Luma,
            transform: transform.name,
            algorithm: algorithm.map(|algorithm| algorithm.name),
            parameters: self.parameters,
            cut: self.cut,
            device: self.device.clone(),
            precision: self.precision,
            prefer_plan: false,
            preparation: Default::default(),
        })
    }

    /// The benchmark case at one shape.
    pub(super) fn trial(
        &self,
        shape: Shape,
        data: SweepData,
        rotated: u64,
        devices: &mut Devices,
        cancel: &AtomicBool,
    ) -> Result<JobRunner, EngineError> {
        JobRunner::uploading(&self.job(shape, data)?, self.uploads, rotated, devices, cancel)
    }
}

/// A random number from −0.5 to 0.5.
fn number(random: &mut Random) -> f32 {
    (random.bits() >> 8) as f32 / (1 << 24) as f32 - 0.5
}

/// Half the spectrum of real random samples, of an even number along the halved axis.
/// The first and the last values along that axis have the symmetry that real samples need; without it, algorithms would return different results.
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

/// Random samples.
fn samples(numbers: Numbers, n: usize, data: SweepData, random: &mut Random) -> Samples {
    let mut next = || number(random);
    match (numbers, data) {
        (Numbers::Bits, _) | (_, SweepData::Bits) => Samples::U8((0..n).map(|_| u8::from(next() > 0.0)).collect()),
        (Numbers::Residues, _) => Samples::I32((0..n).map(|_| (next() * 1e9) as i32).collect()),
        (Numbers::Complex | Numbers::HalfSpectrum, _) => Samples::Complex32((0..n).map(|_| Complex32::new(next(), next())).collect()),
        (Numbers::Any | Numbers::Real, _) => Samples::F32((0..n).map(|_| next()).collect()),
    }
}
