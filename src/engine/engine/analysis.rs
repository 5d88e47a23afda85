//! The coefficients of a channel, what a threshold leaves of them, and the samples that they make.

use super::preparing::prepared;
use super::{Devices, EngineError, Job, Outcome, SharedResult, Values, compute};
use crate::plan::{Direction, Precision, halved};
use crate::signal::{Channel, ChannelChoice, OutputFormat, Samples, Signal, SignalKind};
use crate::threads;
use crate::threshold::{Kept, Thresholding, peak_signal_to_noise, threshold};
use crate::transforms::{Axes, Numbers, Parameters, ResultIndex, Shape, transform};
use num_complex::Complex64;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Weak};

/// A channel of a signal and its coefficients.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// The job that ran, on prepared samples.
    pub job: Arc<Job>,
    /// Rows and columns of the coefficients.
    pub shape: Shape,
    /// Levels that were taken; 0 for transforms without levels.
    pub levels: u32,
    /// The samples.
    pub samples: Vec<Complex64>,
    /// The peak for decibels: full scale of 8 and 16 bits, or the range of other samples.
    pub peak: f64,
    /// The coefficients, for wavelets coarsest first.
    pub coefs: Vec<Complex64>,
    /// How they were computed.
    pub outcome: Arc<Outcome>,
}

/// The analysis of the newest result, for the next question about it.
#[derive(Default)]
pub(super) struct KeptAnalysis(Option<(Weak<Values>, Arc<Analysis>)>);

impl KeptAnalysis {
    /// The coefficients in a result.
    ///
    /// # Errors
    /// As [`Analysis::of`].
    pub(super) fn of(&mut self, result: &SharedResult) -> Result<Arc<Analysis>, EngineError> {
        if let Some((_, known)) = self.0.as_ref().filter(|(values, _)| values.as_ptr() == Arc::as_ptr(&result.values)) {
            return Ok(known.clone());
        }
        let analysis = Arc::new(Analysis::of(result)?);
        self.0 = Some((Arc::downgrade(&result.values), analysis.clone()));
        Ok(analysis)
    }
}

/// A signal after thresholding.
#[derive(Debug, Clone, PartialEq)]
pub struct Thresholded {
    /// Which coefficients are left.
    pub kept: Kept,
    /// The samples after the inverse transform.
    pub samples: Vec<Complex64>,
    /// Peak signal-to-noise ratio in dB; infinite for equal samples.
    pub psnr: f64,
}

/// The job whose result are the coefficients of a job.
///
/// # Errors
/// When the transform has no inverse.
pub(super) fn forward(job: &Job) -> Result<Job, EngineError> {
    let row = transform(job.transform)?;
    if !row.has_coefficients() {
        return Err(EngineError::NoInverse { transform: row.name });
    }
    Ok(Job { parameters: Parameters { direction: Direction::Forward, ..job.parameters }, ..job.clone() })
}

/// The coefficients of the channel of a job, for one who shares them with nobody.
///
/// # Errors
/// When the transform has no inverse, samples are not finite, the job cannot run, or `cancel` is raised.
pub fn analyse(job: &Job, devices: &mut Devices, cancel: &AtomicBool) -> Result<Analysis, EngineError> {
    Analysis::of(&SharedResult::compute(&forward(job)?, devices, cancel)?)
}

/// Refuses samples of a signal that are infinite or no numbers: one of them makes sums worthless.
///
/// # Errors
/// When there are such samples.
pub fn check_finite<T: Copy + Into<Complex64>>(signal: &Signal, samples: &[T]) -> Result<(), EngineError> {
    let n = samples.iter().filter(|&&value| !value.into().is_finite()).count();
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
    /// The coefficients in the result of a transform.
    ///
    /// # Errors
    /// When samples are not finite, or beyond the range of the precision.
    pub(super) fn of(result: &SharedResult) -> Result<Self, EngineError> {
        let SharedResult { ran, values, outcome } = result;
        let (transform, signal, shape) = (transform(ran.transform)?, &ran.signal, result.shape());
        let samples = signal.samples_complex64(ran.channel)?;
        check_finite(signal, &samples)?;
        let levels = transform.levels(shape, ran.parameters).unwrap_or(0) as u32;
        let coefs: Vec<Complex64> = (0..shape.len()).map(|i| values.exact(shape, i / shape.columns, i % shape.columns)).collect();
        if coefs.iter().any(|value| !value.is_finite()) {
            return Err(EngineError::TooLarge { signal: signal.name.clone(), precision: outcome.precision });
        }
        let vanishes = || samples.iter().all(|value| value.norm() < f32::MIN_POSITIVE.into());
        if outcome.precision == Precision::Single && vanishes() && samples.iter().any(|value| value.norm() > 0.0) {
            return Err(EngineError::TooSmall { signal: signal.name.clone() });
        }
        let peak = peak(signal, &real(&samples));
        Ok(Self { job: ran.clone(), shape, levels, peak, samples, coefs, outcome: outcome.clone() })
    }

    /// Whether the results are those of an image as a whole.
    pub fn is_image(&self) -> bool {
        self.outcome.axes == Axes::Both
    }

    /// Whether a coefficient is low-pass at the last level.
    pub fn is_low(&self, index: usize) -> bool {
        let (row, column) = (index / self.shape.columns, index % self.shape.columns);
        let is_low = |at: usize, n: usize| at < halved(n, self.levels);
        self.levels > 0 && is_low(column, self.shape.columns) && (!self.is_image() || is_low(row, self.shape.rows))
    }

    /// The index of the conjugate of a coefficient, if the samples are real and their spectrum is whole.
    pub fn mirror(&self, index: usize) -> Option<usize> {
        let of = transform(self.job.transform).ok()?;
        let is_mirrored = of.gives == Numbers::Complex && of.index == ResultIndex::Frequency && !self.job.is_complex();
        let (rows, columns) = (self.shape.rows, self.shape.columns);
        let (row, column) = (index / columns, index % columns);
        let negative = |index: usize, n: usize| (n - index) % n;
        is_mirrored.then(|| match self.outcome.axes {
            Axes::Rows => row * columns + negative(column, columns),
            Axes::Columns => negative(row, rows) * columns + column,
            Axes::Both => negative(row, rows) * columns + negative(column, columns),
        })
    }

    /// Drops small coefficients.
    pub fn threshold(&self, coefs: &mut [Complex64], thresholding: Thresholding) -> Kept {
        threshold(coefs, |index| self.is_low(index), |index| self.mirror(index).unwrap_or(index), thresholding)
    }

    /// The samples that coefficients make.
    ///
    /// # Errors
    /// When the inverse transform cannot run, or `cancel` is raised.
    pub(super) fn back(&self, coefs: &[Complex64], devices: &mut Devices, cancel: &AtomicBool) -> Result<Vec<Complex64>, EngineError> {
        let is_real = coefs.iter().all(|value| value.im == 0.0);
        let samples = if is_real { Samples::F64(real(coefs)) } else { Samples::Complex64(coefs.to_vec()) };
        let shape = (self.shape.rows, self.shape.columns);
        let signal = Signal::from_channels("coefficients", SignalKind::Rows, shape, vec![Channel::new("value", samples)]);
        let parameters = Parameters { direction: Direction::Inverse, ..self.outcome.parameters };
        let precision = Some(self.outcome.precision);
        let inverse = Job { signal: Arc::new(signal), channel: ChannelChoice::default(), parameters, precision, ..Job::clone(&self.job) };
        Ok(compute::samples(&inverse, devices, cancel)?.to_complex64())
    }

    /// Thresholds the coefficients and transforms them back to samples.
    ///
    /// # Errors
    /// When the inverse transform cannot run, or `cancel` is raised.
    pub fn thresholded(&self, thresholding: Thresholding, devices: &mut Devices, cancel: &AtomicBool) -> Result<Thresholded, EngineError> {
        let mut coefs = self.coefs.clone();
        let kept = self.threshold(&mut coefs, thresholding);
        let samples = self.back(&coefs, devices, cancel)?;
        let psnr = peak_signal_to_noise(&self.samples, &samples, self.peak);
        Ok(Thresholded { kept, samples, psnr })
    }

    /// Samples after the inverse transform, in the type of a file format: 8 and 16 bits are rounded and clipped.
    pub fn fitting(&self, samples: Vec<Complex64>, format: &OutputFormat) -> Samples {
        let is_double = self.outcome.precision == Precision::Double;
        match &self.job.signal.channels[0].samples {
            Samples::U8(_) if format.holds.is_image => Samples::U8(threads::convert(&samples, |x| x.re.round() as u8)),
            Samples::U16(_) if format.holds.is_image => Samples::U16(threads::convert(&samples, |x| x.re.round() as u16)),
            _ if self.job.is_complex() => Samples::Complex64(samples),
            _ if is_double => Samples::F64(real(&samples)),
            _ => Samples::F32(threads::convert(&samples, |x| x.re as f32)),
        }
    }
}

/// The real parts.
pub(super) fn real(values: &[Complex64]) -> Vec<f64> {
    threads::convert(values, |value| value.re)
}

/// All channels of the signal of a job after thresholding, each on its own.
///
/// # Errors
/// As [`analyse`] and [`Analysis::thresholded`].
pub fn thresholded(job: &Job, thresholding: Thresholding, format: &OutputFormat, cancel: &AtomicBool) -> Result<Signal, EngineError> {
    let (signal, mut devices, mut channels) = (&job.signal, Devices::default(), Vec::new());
    let mut shape = (signal.rows, signal.columns);
    for (index, channel) in signal.channels.iter().enumerate() {
        let one = Job { channel: ChannelChoice::Channel(index), ..job.clone() };
        let (one, _) = prepared(&one, cancel)?;
        shape = (one.signal.rows, one.signal.columns);
        let analysis = analyse(&one, &mut devices, cancel)?;
        let left = analysis.thresholded(thresholding, &mut devices, cancel)?;
        channels.push(Channel::new(channel.name.clone(), analysis.fitting(left.samples, format)));
    }
    let result = Signal::from_channels(signal.name.clone(), signal.kind, shape, channels);
    Ok(result.with_axis_of(signal, 0))
}
