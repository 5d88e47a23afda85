//! Brings images to the functions of [`crate::measure`]: computes their spectra, and registers two of them.

mod hold;
mod hold_line;
mod pair;
mod study;

pub use hold::{HoldReport, HoldRequest, HoldStudy, LOOK_OF_DIFFERENCE};
pub use hold_line::{LineHoldReport, LineHoldRequest, LineHoldStudy};
pub use pair::{Blur, PairReport, PairRequest, PairStudy, PairWanted};
pub use study::{MeasureReport, MeasureRequest, MeasureStudy, Measurement};

use super::analysis::check_finite;
use super::{Devices, EngineError, Job, Outcome, SharedResult, check_memory, compute};
use crate::measure::{Shift, Spectrum, cross_phases, largest, overlap, residual, shifted_hann};
use crate::plan::{Direction, Precision};
use crate::prepare::Preparation;
use crate::signal::{Channel, ChannelChoice, Samples, Signal, SignalKind};
use crate::transforms::{Parameters, Shape};
use num_complex::{Complex32, Complex64};
use std::ops::Range;
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

/// The shift of two images, and their phase correlation.
#[derive(Debug, Clone, PartialEq)]
pub struct Registration {
    /// The shift of the second image against the first.
    pub shift: Shift,
    /// The phase correlation, row after row: its value at (dx, dy), both modulo the size, is 1 where the second image is the first one shifted cyclically by that.
    pub correlation: Vec<f64>,
    /// Whether the images were multiplied by a Hann window for it, as that gives the higher peak.
    pub is_windowed: bool,
}

/// The shift between the image of a job and a second one of the same size: to a pixel by phase correlation, then to a fraction of one by the phases of the part that both show.
///
/// # Errors
/// When the sizes differ, samples are complex or not finite, the job cannot run, or `cancel` is raised.
pub fn register(job: &Job, second: &Arc<Signal>, devices: &mut Devices, cancel: &AtomicBool) -> Result<Registration, EngineError> {
    let [a, b] = whole_pair(job, second)?;
    let whole = [ImageSpectrum::compute(&a, devices, cancel)?, ImageSpectrum::compute(&b, devices, cancel)?];
    registered(job, second, whole.each_ref(), devices, cancel)
}

/// The jobs whose results are the spectra of two whole images: of the image of a job, and of a second one.
fn whole_pair(job: &Job, second: &Arc<Signal>) -> Result<[Job; 2], EngineError> {
    check_sizes(&job.signal, second)?;
    check_pair_memory(&job.signal)?;
    let whole = |signal: &Arc<Signal>| {
        real_image(signal, job.channel)?;
        let channel = channel_of(signal, job.channel);
        Ok::<_, EngineError>(ImageSpectrum::job(&Job {
            signal: signal.clone(),
            channel,
            preparation: Preparation::default(),
            ..job.clone()
        }))
    };
    Ok([whole(&job.signal)?, whole(second)?])
}

/// As [`register`], with the spectra of the whole images.
fn registered(
    job: &Job,
    second: &Arc<Signal>,
    whole: [&ImageSpectrum; 2],
    devices: &mut Devices,
    cancel: &AtomicBool,
) -> Result<Registration, EngineError> {
    let (rows, columns) = (job.signal.rows, job.signal.columns);
    let images = [real_image(&job.signal, job.channel)?, real_image(second, job.channel)?];
    let spectrum = |k: usize, part: &[Range<usize>; 2], window: &Weights, devices: &mut Devices| {
        let signal = Arc::new(windowed(&images[k], columns, part, window));
        let job = Job { signal, channel: ChannelChoice::default(), preparation: Preparation::default(), ..job.clone() };
        Ok::<_, EngineError>(ImageSpectrum::compute(&job, devices, cancel)?.to_values())
    };
    let mut found: Option<([isize; 2], f64, bool, Vec<f64>)> = None;
    for is_windowed in [false, true] {
        let [a, b] = if is_windowed {
            let (part, weights) = ([0..columns, 0..rows], [columns, rows].map(|n| shifted_hann(n, 0.0)));
            [spectrum(0, &part, &weights, devices)?, spectrum(1, &part, &weights, devices)?]
        } else {
            [0, 1].map(|k| whole[k].without_mean())
        };
        let phases = cross_phases(&a, &b);
        let correlation = inverse(job, phases, Shape { rows, columns }, devices, cancel)?;
        let (pixels, peak) = largest(&correlation, columns);
        if found.as_ref().is_none_or(|(_, highest, ..)| peak > *highest) {
            found = Some((pixels, peak, is_windowed, correlation));
        }
    }
    let (pixels, peak, is_windowed, correlation) = found.expect("two windows are tried");
    let [of_a, of_b] = overlap([rows, columns], pixels);
    let size = [of_a[0].len(), of_a[1].len()];
    let weights = |[dx, dy]: [f64; 2]| [shifted_hann(size[0], dx), shifted_hann(size[1], dy)];
    let a = spectrum(0, &of_a, &weights([0.0; 2]), devices)?;
    let (mut rest, mut deviation) = ([0.0; 2], [0.0; 2]);
    // The second time the window of the second image lies where the first time found the scene.
    for _ in 0..2 {
        (rest, deviation) = residual(&a, &spectrum(1, &of_b, &weights(rest), devices)?, size[0]);
    }
    let shift = Shift { dx: pixels[0] as f64 + rest[0], dy: pixels[1] as f64 + rest[1], peak, deviation };
    Ok(Registration { shift, correlation, is_windowed })
}

/// Weights along x and along y.
type Weights = [Vec<f32>; 2];

/// Two spectra, their phases and the correlation, in double precision.
const BYTES_PER_PIXEL: u128 = 80;

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

/// A channel of a signal, or the first one where there is no such channel.
fn channel_of(signal: &Signal, channel: ChannelChoice) -> ChannelChoice {
    if signal.check_channel(channel).is_ok() { channel } else { ChannelChoice::default() }
}

/// The samples of a channel, or of the first one where there is no such channel.
fn real_image(signal: &Signal, channel: ChannelChoice) -> Result<Vec<f32>, EngineError> {
    if signal.is_complex_in(channel_of(signal, channel)) {
        return Err(EngineError::ComplexImage { signal: signal.name.clone() });
    }
    let channel = channel_of(signal, channel);
    check_finite(signal, &signal.samples_f64(channel)?)?;
    Ok(signal.samples_f32(channel)?)
}

/// A part of an image, columns and rows, less its mean, times weights along both axes.
fn windowed(image: &[f32], columns: usize, [xs, ys]: &[Range<usize>; 2], [across, down]: &Weights) -> Signal {
    let mut part: Vec<f32> = ys.clone().flat_map(|y| &image[y * columns + xs.start..y * columns + xs.end]).copied().collect();
    let mean = (part.iter().map(|&sample| f64::from(sample)).sum::<f64>() / part.len().max(1) as f64) as f32;
    for (row, y) in part.chunks_mut(xs.len().max(1)).zip(down) {
        row.iter_mut().zip(across).for_each(|(sample, x)| *sample = (*sample - mean) * x * y);
    }
    Signal::from_channels("image", SignalKind::Image, (ys.len(), xs.len()), vec![Channel::new("gray", Samples::F32(part))])
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
