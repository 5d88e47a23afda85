//! Computes wavelet coefficients of a signal, thresholds them, and computes wavelet packets, by the plans of the table.

use crate::engine::preparing::prepared;
use crate::engine::{DeviceChoice, Devices, EngineError, Job, Outcome, SharedResult, compute};
use crate::plan::{Direction, Precision, halved};
use crate::signal::{Channel, ChannelChoice, OutputFormat, Samples, Signal, SignalKind};
use crate::transforms::{Axes, Parameters, Shape, transform};
use crate::wavelet::{Kept, Node, Thresholding, Tree, peak_signal_to_noise, threshold};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A channel of a signal and its coefficients.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// The transform.
    pub transform: &'static str,
    /// Rows and columns, of samples as of coefficients.
    pub shape: Shape,
    /// Levels that were taken.
    pub levels: u32,
    /// The samples.
    pub samples: Vec<f64>,
    /// The peak for decibels: full scale of 8 and 16 bits, or the range of other samples.
    pub peak: f64,
    /// The coefficients, coarsest first.
    pub coefs: Vec<f64>,
    /// How they were computed.
    pub outcome: Outcome,
}

/// A signal after thresholding.
#[derive(Debug, Clone, PartialEq)]
pub struct Filtered {
    /// Which coefficients are left.
    pub kept: Kept,
    /// The samples after the inverse transform.
    pub samples: Vec<f64>,
    /// Peak signal-to-noise ratio in dB; infinite for equal samples.
    pub psnr: f64,
}

/// The job with the wavelet transform that belongs to its transform; see [`crate::transforms::Transform::wavelet`].
///
/// # Errors
/// When its transform has nothing to do with wavelets.
fn of_wavelet(job: &Job) -> Result<Job, EngineError> {
    let asked = transform(job.transform)?;
    let wavelet = asked.wavelet().ok_or(EngineError::NoWavelet { transform: asked.name })?;
    if wavelet.name == asked.name {
        return Ok(job.clone());
    }
    let shape = Shape { rows: job.signal.rows, columns: job.signal.columns };
    Ok(Job {
        transform: wavelet.name,
        algorithm: job.algorithm.filter(|name| wavelet.algorithm(name).is_ok()),
        parameters: wavelet.within_levels(shape, wavelet.within_lines(shape, job.parameters)),
        ..job.clone()
    })
}

/// The job whose result are the wavelet coefficients of a job.
///
/// # Errors
/// When the transform is none of the wavelets, or the samples are complex.
pub(super) fn forward(job: &Job) -> Result<Job, EngineError> {
    let job = of_wavelet(job)?;
    if job.is_complex() {
        return Err(EngineError::RealOnly { transform: job.transform, signal: job.signal.name.clone() });
    }
    Ok(Job { parameters: Parameters { direction: Direction::Forward, ..job.parameters }, ..job })
}

/// The coefficients of the channel of a job, for one who shares them with nobody.
///
/// # Errors
/// When the transform is none of the wavelets, the samples are complex or not finite, the job cannot run, or `cancel` is raised.
pub fn analyse(job: &Job, devices: &mut Devices, cancel: &AtomicBool) -> Result<Analysis, EngineError> {
    Analysis::of(&SharedResult::compute(&forward(job)?, devices, cancel)?)
}

/// Refuses samples of a signal that are infinite or no numbers: one of them makes sums worthless.
///
/// # Errors
/// When there are such samples.
pub fn check_finite(signal: &Signal, samples: &[f64]) -> Result<(), EngineError> {
    let n = samples.iter().filter(|value| !value.is_finite()).count();
    if n > 0 { Err(EngineError::NotFinite { signal: signal.name.clone(), n, can_prepare: false }) } else { Ok(()) }
}

/// Full scale of 8 and 16 bits, or the range of other samples; 1 for constant samples.
pub fn peak(signal: &Signal, samples: &[f64]) -> f64 {
    match signal.channels.first().map(|channel| &channel.samples) {
        Some(Samples::U8(_)) => f64::from(u8::MAX),
        Some(Samples::U16(_)) => f64::from(u16::MAX),
        _ => {
            let (least, largest) = samples.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &x| (a.min(x), b.max(x)));
            if largest > least { (largest - least).min(f64::MAX) } else { 1.0 }
        }
    }
}

impl Analysis {
    /// The coefficients in the result of a wavelet transform.
    ///
    /// # Errors
    /// When samples are not finite, or beyond the range of the precision.
    pub(super) fn of(result: &SharedResult) -> Result<Self, EngineError> {
        let SharedResult { ran, values, outcome } = result;
        let (transform, signal, shape) = (transform(ran.transform)?, &ran.signal, result.shape());
        let samples = signal.samples_f64(ran.channel)?;
        check_finite(signal, &samples)?;
        let levels = transform.levels(shape, ran.parameters).unwrap_or(0) as u32;
        let coefs: Vec<f64> = (0..shape.len()).map(|i| values.exact(shape, i / shape.columns, i % shape.columns).re).collect();
        if coefs.iter().any(|value| !value.is_finite()) {
            return Err(EngineError::TooLarge { signal: signal.name.clone(), precision: outcome.precision });
        }
        let vanishes = |samples: &[f64]| samples.iter().all(|value| value.abs() < f32::MIN_POSITIVE.into());
        if outcome.precision == Precision::Single && vanishes(&samples) && samples.iter().any(|value| *value != 0.0) {
            return Err(EngineError::TooSmall { signal: signal.name.clone() });
        }
        let (transform, peak, outcome) = (transform.name, peak(signal, &samples), Outcome::clone(outcome));
        Ok(Self { transform, shape, levels, peak, samples, coefs, outcome })
    }

    /// Whether a coefficient is low-pass at the last level.
    pub fn is_low(&self, index: usize) -> bool {
        let (row, column) = (index / self.shape.columns, index % self.shape.columns);
        let both = transform(self.transform).is_ok_and(|transform| transform.axes == Axes::Both);
        column < halved(self.shape.columns, self.levels) && (!both || row < halved(self.shape.rows, self.levels))
    }
}

/// Thresholds the coefficients and transforms them back to samples.
///
/// # Errors
/// When the job cannot run, or `cancel` is raised.
pub fn filter(
    job: &Job,
    analysis: &Analysis,
    thresholding: Thresholding,
    devices: &mut Devices,
    cancel: &AtomicBool,
) -> Result<Filtered, EngineError> {
    let mut coefs = analysis.coefs.clone();
    let kept = threshold(&mut coefs, |index| analysis.is_low(index), thresholding);
    let samples = back(job, analysis.shape, coefs, devices, cancel)?;
    let psnr = peak_signal_to_noise(&analysis.samples, &samples, analysis.peak);
    Ok(Filtered { kept, samples, psnr })
}

/// Samples after the inverse transform, in the type of a file format: 8 and 16 bits are rounded and clipped.
pub fn fitting(job: &Job, samples: Vec<f64>, format: &OutputFormat) -> Samples {
    match &job.signal.channels[0].samples {
        Samples::U8(_) if format.holds.is_image => Samples::U8(samples.iter().map(|&x| x.round() as u8).collect()),
        Samples::U16(_) if format.holds.is_image => Samples::U16(samples.iter().map(|&x| x.round() as u16).collect()),
        _ if job.is_double() => Samples::F64(samples),
        _ => Samples::F32(samples.iter().map(|&x| x as f32).collect()),
    }
}

/// All channels of the signal of a job after thresholding, each on its own.
///
/// # Errors
/// As [`analyse`] and [`filter`].
pub fn thresholded(job: &Job, thresholding: Thresholding, format: &OutputFormat, cancel: &AtomicBool) -> Result<Signal, EngineError> {
    let (signal, mut devices, mut channels) = (&job.signal, Devices::default(), Vec::new());
    let mut shape = (signal.rows, signal.columns);
    for (index, channel) in signal.channels.iter().enumerate() {
        let one = Job { channel: ChannelChoice::Channel(index), ..job.clone() };
        let (one, _) = prepared(&one, cancel)?;
        shape = (one.signal.rows, one.signal.columns);
        let analysis = analyse(&one, &mut devices, cancel)?;
        let left = filter(&one, &analysis, thresholding, &mut devices, cancel)?;
        channels.push(Channel::new(channel.name.clone(), fitting(job, left.samples, format)));
    }
    let result = Signal::from_channels(signal.name.clone(), signal.kind, shape, channels);
    Ok(result.with_axis_of(signal, 0))
}

/// The inverse transform of coefficients, with the settings of a job.
fn back(job: &Job, shape: Shape, coefs: Vec<f64>, devices: &mut Devices, cancel: &AtomicBool) -> Result<Vec<f64>, EngineError> {
    let samples = match job.is_double() {
        true => Samples::F64(coefs),
        false => Samples::F32(coefs.iter().map(|&x| x as f32).collect()),
    };
    let signal = Signal::from_channels("coefficients", SignalKind::Rows, (shape.rows, shape.columns), vec![Channel::new("value", samples)]);
    let job = of_wavelet(job)?;
    let parameters = Parameters { direction: Direction::Inverse, ..job.parameters };
    let inverse = Job { signal: Arc::new(signal), channel: ChannelChoice::default(), parameters, ..job };
    Ok(compute::samples(&inverse, devices, cancel)?.to_f64())
}

/// The wavelet packets of a signal at every level, computed on a device; entry 0 is the signal itself.
///
/// # Errors
/// When `cancel` is raised, or the length is not divisible by 2^levels.
pub fn packets(
    line: &[f64],
    levels: u32,
    device: &DeviceChoice,
    devices: &mut Devices,
    cancel: &AtomicBool,
) -> Result<Vec<Vec<f64>>, EngineError> {
    let mut all = vec![line.to_vec()];
    for level in 0..levels {
        let blocks = 1 << level;
        let next = halves(&all[level as usize], blocks, Direction::Forward, device, devices, cancel)?;
        all.push(next);
    }
    Ok(all)
}

/// One level of D4 for every block, or its inverse.
fn halves(
    values: &[f64],
    blocks: usize,
    direction: Direction,
    device: &DeviceChoice,
    devices: &mut Devices,
    cancel: &AtomicBool,
) -> Result<Vec<f64>, EngineError> {
    let shape = (blocks, values.len() / blocks);
    let signal = Signal::from_channels("blocks", SignalKind::Rows, shape, vec![Channel::new("value", Samples::F64(values.to_vec()))]);
    let job = Job {
        parameters: Parameters { direction, levels: Some(1), ..Parameters::default() },
        device: device.clone(),
        prefer_plan: true,
        ..Job::new(Arc::new(signal), "d4-packet")
    };
    Ok(compute::samples(&job, devices, cancel)?.to_f64())
}

/// The signal that the leaves of a tree reconstruct, those that `keeps` accepts.
///
/// # Errors
/// When `cancel` is raised.
pub fn reconstruct(
    coefs: &[Vec<f64>],
    tree: &Tree,
    keeps: impl Fn(Node) -> bool,
    device: &DeviceChoice,
    devices: &mut Devices,
    cancel: &AtomicBool,
) -> Result<Vec<f64>, EngineError> {
    let n = coefs.first().map_or(0, Vec::len);
    let mut below = vec![0.0; n];
    for level in (0..=tree.levels()).rev() {
        let mut here = vec![0.0; n];
        let samples = n >> level;
        for block in 0..1 << level {
            let node = Node { level, block };
            let place = block * samples..(block + 1) * samples;
            if tree.is_leaf(node) && keeps(node) {
                here[place].copy_from_slice(node.of(coefs));
            } else if tree.reaches(node) && tree.is_split(node) {
                here[place.clone()].copy_from_slice(&halves(&below[place], 1, Direction::Inverse, device, devices, cancel)?);
            }
        }
        below = here;
    }
    Ok(below)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wavelet::Cost;

    #[test]
    fn every_basis_reconstructs_the_line_and_its_parts_add_up() {
        let line: Vec<f64> = (0..96).map(|i| (f64::from(i) * 0.7).sin() + f64::from(i * i % 11)).collect();
        let (mut devices, go) = (Devices::default(), AtomicBool::new(false));
        let coefs = packets(&line, 4, &DeviceChoice::Cpu, &mut devices, &go).unwrap();
        for tree in [Tree::new(4, |_| false), Tree::new(4, |_| true), Tree::new(4, |node| node.block == 0), Tree::best(&coefs, Cost::L1)] {
            let whole = reconstruct(&coefs, &tree, |_| true, &DeviceChoice::CpuParallel, &mut devices, &go).unwrap();
            let mut sum = vec![0.0; line.len()];
            for leaf in tree.leaves() {
                let part = reconstruct(&coefs, &tree, |node| node == leaf, &DeviceChoice::Cpu, &mut devices, &go).unwrap();
                sum.iter_mut().zip(part).for_each(|(sum, x)| *sum += x);
            }
            for leaf in tree.leaves() {
                let [in_tree, alone] = [&tree, &Tree::down_to(leaf)]
                    .map(|tree| reconstruct(&coefs, tree, |node| node == leaf, &DeviceChoice::Cpu, &mut devices, &go).unwrap());
                assert_eq!(in_tree, alone, "what a block makes up is the same in every tree");
            }
            let far = |other: &[f64]| line.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(far(&whole) < 1e-12 && far(&sum) < 1e-11, "{} and {}", far(&whole), far(&sum));
        }
    }
}
