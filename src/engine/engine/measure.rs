//! Brings images to the functions of [`crate::measure`]: computes their spectra.

mod hold;
mod hold_line;
mod pair;
mod register;
mod study;

pub use hold::{HoldReport, HoldRequest, HoldStudy, LOOK_OF_DIFFERENCE};
pub use hold_line::{LineHoldReport, LineHoldRequest, LineHoldStudy};
pub use pair::{Blur, PairReport, PairRequest, PairStudy, PairWanted};
pub use register::{Registration, RegistrationWarning, register};
pub use study::{MeasureReport, MeasureRequest, MeasureStudy, Measurement};

use super::analysis::check_finite;
use super::{Devices, EngineError, Job, Outcome, SharedResult, check_memory, compute};
use crate::measure::Spectrum;
use crate::plan::{Direction, Precision};
use crate::prepare::Preparation;
use crate::signal::{Channel, ChannelChoice, Samples, Signal, SignalKind};
use crate::transforms::{Parameters, Shape};
use num_complex::{Complex32, Complex64};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The two-dimensional spectrum of an image, in memory.
pub struct ImageSpectrum(SharedResult);

impl ImageSpectrum {
    /// The job whose result is the spectrum of the image of a job: that job itself, where it is one.
    pub fn job(of: &Job) -> Job {
        if of.transform == TRANSFORM && of.parameters.direction == Direction::Forward {
            return of.clone();
        }
        let parameters = Parameters { direction: Direction::Forward, ..Parameters::default() };
        let algorithm = of.algorithm.filter(|_| of.transform == TRANSFORM);
        Job { transform: TRANSFORM, algorithm, parameters, second: None, ..of.clone() }
    }

    /// The result of such a job.
    ///
    /// # Errors
    /// When samples are not finite.
    pub fn of(result: SharedResult) -> Result<Self, EngineError> {
        // The first value is the sum of all samples: one that is infinite or no number reaches it.
        if !result.shape().is_empty() && !result.values.exact(result.shape(), 0, 0).is_finite() {
            let ran = &result.ran;
            check_finite(&ran.signal, &ran.signal.samples_f64(ran.channel)?).map_err(|error| match error {
                EngineError::NotFinite { signal, n, .. } => EngineError::NotFinite { signal, n, can_prepare: true },
                error => error,
            })?;
        }
        Ok(Self(result))
    }

    /// Computes the spectrum of the image of a job for one who shares it with nobody.
    ///
    /// # Errors
    /// When samples are not finite, the job cannot run, or `cancel` is raised.
    pub fn compute(job: &Job, devices: &mut Devices, cancel: &AtomicBool) -> Result<Self, EngineError> {
        Self::of(SharedResult::compute(&Self::job(job), devices, cancel)?)
    }

    /// How it was computed.
    pub fn outcome(&self) -> &Outcome {
        &self.0.outcome
    }

    /// Calls `measure` with the spectrum.
    pub fn with<R>(&self, measure: impl FnOnce(&Spectrum<'_>) -> R) -> R {
        let (values, Shape { rows, columns }) = (&self.0.values, self.0.shape());
        let at = |row: usize, column: usize| values.exact(Shape { rows, columns }, row, column);
        measure(&Spectrum { rows, columns, at: &at, is_real: !self.0.ran.is_complex() })
    }

    /// Every value, row after row.
    fn to_values(&self) -> Vec<Complex64> {
        let (values, shape) = (&self.0.values, self.0.shape());
        let columns = shape.columns.max(1);
        (0..shape.len()).map(|index| values.exact(shape, index / columns, index % columns)).collect()
    }
}

impl ImageSpectrum {
    /// Every value, row after row, for the image less its mean; what rounding makes of the mean at other frequencies is 0 as well.
    fn without_mean(&self) -> Vec<Complex64> {
        let mut values = self.to_values();
        let epsilon = if self.outcome().precision == Precision::Single { f32::EPSILON.into() } else { f64::EPSILON };
        let n = values.len().max(2) as f64;
        let rounding = values.first().map_or(0.0, |mean| epsilon * mean.norm() * n.log2() / n.sqrt());
        values
            .iter_mut()
            .enumerate()
            .filter(|(index, value)| *index == 0 || value.norm() <= rounding)
            .for_each(|(_, value)| *value = Complex64::default());
        values
    }
}

/// The transform of images.
const TRANSFORM: &str = "dft2";

/// Two spectra with zeros behind half an image each way, their product, the correlation, and the sums over all rectangles, in double precision.
const BYTES_PER_PIXEL: u128 = 280;

/// Refuses images whose spectra do not fit into memory, before anything is allocated.
fn check_pair_memory(signal: &Signal) -> Result<(), EngineError> {
    let shape = Shape { rows: signal.rows, columns: signal.columns };
    check_memory("comparing two images", (shape, signal.kind), BYTES_PER_PIXEL)
}

/// Refuses two images of different sizes.
fn check_sizes(first: &Signal, second: &Signal) -> Result<(), EngineError> {
    if [second.rows, second.columns] == [first.rows, first.columns] {
        return Ok(());
    }
    let size = |signal: &Signal| signal.kind.size(signal.rows, signal.columns);
    Err(EngineError::Sizes { second: second.name.clone(), has: size(second), first: first.name.clone(), needed: size(first) })
}

/// A channel of a signal, or the first one where the signal lacks it.
fn channel_of(signal: &Signal, channel: ChannelChoice) -> ChannelChoice {
    if signal.check_channel(channel).is_ok() { channel } else { ChannelChoice::default() }
}

/// The samples of a channel, or of the first one where the signal lacks it.
fn real_image(signal: &Signal, channel: ChannelChoice) -> Result<Vec<f32>, EngineError> {
    if signal.is_complex_in(channel_of(signal, channel)) {
        return Err(EngineError::ComplexImage { signal: signal.name.clone() });
    }
    let channel = channel_of(signal, channel);
    check_finite(signal, &signal.samples_f64(channel)?)?;
    Ok(signal.samples_f32(channel)?)
}

/// The real part of the inverse transform of a spectrum.
fn inverse(job: &Job, values: Vec<Complex64>, shape: Shape, devices: &mut Devices, cancel: &AtomicBool) -> Result<Vec<f64>, EngineError> {
    let samples = if job.is_double() {
        Samples::Complex64(values)
    } else {
        Samples::Complex32(values.iter().map(|value| Complex32::new(value.re as f32, value.im as f32)).collect())
    };
    let signal = Signal::from_channels("spectrum", SignalKind::Image, (shape.rows, shape.columns), vec![Channel::new("X", samples)]);
    let parameters = Parameters { direction: Direction::Inverse, ..Parameters::default() };
    let back = Job {
        signal: Arc::new(signal),
        channel: ChannelChoice::default(),
        transform: TRANSFORM,
        algorithm: None,
        parameters,
        second: None,
        preparation: Preparation::default(),
        ..job.clone()
    };
    Ok(compute::samples(&back, devices, cancel)?.to_f64())
}
