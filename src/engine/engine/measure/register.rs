//! The shift of two images: to a pixel where the parts that overlap agree best, to a fraction of one by the phases of these parts.

use super::{ImageSpectrum, TRANSFORM, channel_of, check_pair_memory, check_sizes, inverse, real_image};
use crate::engine::{Devices, EngineError, Job};
use crate::measure::{Agreed, Agreement, Fields, ResidualShift, Shift, agreed, blind_axes};
use crate::measure::{cross_phases, height_near, largest, overlap, residual, shifted_hann};
use crate::numerals::number;
use crate::prepare::{Preparation, fast_size};
use crate::signal::{Channel, ChannelChoice, Samples, Signal, SignalKind};
use crate::transforms::Shape;
use num_complex::{Complex32, Complex64};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The shift of two images, and their phase correlation.
#[derive(Debug, Clone, PartialEq)]
pub struct Registration {
    /// The shift of the second image against the first.
    pub shift: Shift,
    /// The phase correlation, row after row: its value at (dx, dy), both modulo the size, is 1 where the second image is the first one shifted cyclically by that.
    pub correlation: Vec<f64>,
    /// How the shift was found.
    pub way: RegistrationWay,
    /// Reasons to doubt the shift.
    pub warnings: Vec<RegistrationWarning>,
    /// The device of the spectra.
    pub device: String,
}

/// How the shift of two images was found. The fraction of a pixel is always found by the phases of the part that both images show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::Display)]
pub enum RegistrationWay {
    /// Phase correlation of the whole images has its peak at the shift.
    #[strum(to_string = "phase correlation without a window")]
    Phases,
    /// Phase correlation of the images under a Hann window has its peak at the shift.
    #[strum(to_string = "phase correlation with a Hann window")]
    PhasesUnderHann,
    /// The peak of phase correlation lies elsewhere.
    #[strum(to_string = "cross-correlation of the parts that overlap, as too few frequencies carry the images for phase correlation")]
    Overlaps,
}

/// A reason to doubt the shift of two images.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RegistrationWarning {
    /// An image has one value.
    #[error("{image} is blank, so that nothing tells the shift")]
    Blank {
        /// Its name.
        image: String,
    },
    /// Images that have nothing in common may agree as well.
    #[error("the correlation is hardly higher than chance, by the spectra of both images: they may have nothing in common")]
    Chance,
    /// Another shift explains the images nearly as well.
    #[error("a shift of ({}, {}) px explains the images nearly as well: a pattern repeats, or the shift is half the image", number(.shift[0] as f64, 6), number(.shift[1] as f64, 6))]
    Another {
        /// That shift, by whole pixels.
        shift: [isize; 2],
    },
    /// The images vary along one direction alone.
    #[error("the images vary along one direction alone, so that nothing tells the shift across it")]
    OneDirection,
}

/// The shift between the image of a job and a second one of the same size.
///
/// # Errors
/// When the sizes differ, samples are complex or not finite, the job cannot run, or `cancel` is raised.
pub fn register(job: &Job, second: &Arc<Signal>, devices: &mut Devices, cancel: &AtomicBool) -> Result<Registration, EngineError> {
    let [a, b] = whole_pair(job, second)?;
    let whole = [ImageSpectrum::compute(&a, devices, cancel)?, ImageSpectrum::compute(&b, devices, cancel)?];
    registered(job, second, whole.each_ref(), devices, cancel)
}

/// The jobs whose results are the spectra of two whole images: of the image of a job, and of a second one.
pub(super) fn whole_pair(job: &Job, second: &Arc<Signal>) -> Result<[Job; 2], EngineError> {
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
pub(super) fn registered(
    job: &Job,
    second: &Arc<Signal>,
    whole: [&ImageSpectrum; 2],
    devices: &mut Devices,
    cancel: &AtomicBool,
) -> Result<Registration, EngineError> {
    let pair = [real_image(&job.signal, job.channel)?, real_image(second, job.channel)?];
    let images = Images { pair: [&pair[0], &pair[1]], rows: job.signal.rows, columns: job.signal.columns };
    let mut run = Run { job, devices, cancel };
    let gradients = Fields::gradients(images.pair, images.columns);
    let blind = images.blind(&gradients);
    let blank = [(&job.signal, 0), (second, 1)].into_iter().find(|&(_, k)| images.is_blank(k));
    let found = match blank {
        Some(_) => None,
        None => agreed(&[run.agreement(&gradients, &images)?, run.agreement(&Fields::plain(images.pair, images.columns), &images)?]),
    };
    drop(gradients);
    let shift = found.map_or([0; 2], |found| found.shift);
    let (way, correlation) = run.phase_correlation(&images, whole, shift)?;
    let fine = found.map(|_| run.fraction(&images, shift)).transpose()?.flatten();
    let mut warnings: Vec<RegistrationWarning> = Vec::new();
    match (blank, found) {
        (Some((signal, _)), _) => warnings.push(RegistrationWarning::Blank { image: signal.name.clone() }),
        (None, Some(Agreed { is_chance: false, other, .. })) if fine.is_some() => {
            warnings.extend(other.map(|shift| RegistrationWarning::Another { shift }));
        }
        _ => warnings.push(RegistrationWarning::Chance),
    }
    if blank.is_none() && (blind[0] && images.columns > 1 || blind[1] && images.rows > 1) {
        warnings.push(RegistrationWarning::OneDirection);
    }
    let along = |axis: usize| match fine {
        Some(ResidualShift { shift, deviation }) if !blind[axis] => (shift[axis], deviation[axis]),
        _ => (shift[axis] as f64, None),
    };
    let ((dx, x_deviation), (dy, y_deviation)) = (along(0), along(1));
    let peak = height_near(&correlation, images.columns, shift);
    let (shift, device) = (Shift { dx, dy, peak, deviation: [x_deviation, y_deviation] }, whole[0].outcome().device.clone());
    Ok(Registration { shift, correlation, way, warnings, device })
}

/// Two images of the same size.
struct Images<'a> {
    pair: [&'a [f32]; 2],
    rows: usize,
    columns: usize,
}

impl Images<'_> {
    fn is_blank(&self, k: usize) -> bool {
        self.pair[k].iter().all(|sample| *sample == self.pair[k][0])
    }

    /// Whether nothing tells the shift along x, and along y.
    fn blind(&self, gradients: &Fields) -> [bool; 2] {
        if self.rows < 2 || self.columns < 2 {
            return [self.columns < 2, self.rows < 2];
        }
        let [a, b] = gradients.pair.each_ref().map(|gradient| blind_axes(gradient));
        [a[0] || b[0], a[1] || b[1]]
    }
}

/// Runs transforms for a job.
struct Run<'a> {
    job: &'a Job,
    devices: &'a mut Devices,
    cancel: &'a AtomicBool,
}

/// Weights along x and along y.
type Weights = [Vec<f32>; 2];

impl Run<'_> {
    /// The spectrum of samples.
    fn spectrum(&mut self, samples: Samples, Shape { rows, columns }: Shape) -> Result<Vec<Complex64>, EngineError> {
        let signal = Arc::new(Signal::from_channels("image", SignalKind::Image, (rows, columns), vec![Channel::new("gray", samples)]));
        let (channel, preparation) = (ChannelChoice::default(), Preparation::default());
        let job = Job { signal, channel, preparation, transform: TRANSFORM, second: None, ..self.job.clone() };
        Ok(ImageSpectrum::compute(&job, self.devices, self.cancel)?.to_values())
    }

    /// How well fields of both images agree at the shifts of at most half an image.
    fn agreement(&mut self, fields: &Fields, images: &Images<'_>) -> Result<Agreement, EngineError> {
        let reach = [images.columns / 2, images.rows / 2];
        let padded = Shape { rows: fast_size(images.rows + reach[1]), columns: fast_size(images.columns + reach[0]) };
        let mut spectrum = |k: usize| {
            let mut values: Vec<Complex32> = crate::threads::zeros(padded.len());
            for (row, field) in values.chunks_mut(padded.columns).zip(fields.pair[k].chunks(fields.columns.max(1))) {
                row.iter_mut().zip(field).for_each(|(value, field)| *value = Complex32::new(field.re as f32, field.im as f32));
            }
            self.spectrum(Samples::Complex32(values), padded)
        };
        let (a, b) = (spectrum(0)?, spectrum(1)?);
        let product = crate::threads::tabulate(a.len(), |index| a[index].conj() * b[index]);
        let correlation = inverse(self.job, product, padded, self.devices, self.cancel)?;
        Ok(Agreement::new(fields, reach, [&a, &b], &correlation, padded.columns))
    }

    /// Phase correlation without a window or with one, whichever is higher at the shift, and whether its peak is there.
    fn phase_correlation(
        &mut self,
        images: &Images<'_>,
        whole: [&ImageSpectrum; 2],
        shift: [isize; 2],
    ) -> Result<(RegistrationWay, Vec<f64>), EngineError> {
        let shape = Shape { rows: images.rows, columns: images.columns };
        let mut found: Option<(f64, RegistrationWay, Vec<f64>)> = None;
        for way in [RegistrationWay::Phases, RegistrationWay::PhasesUnderHann] {
            let [a, b] = if way == RegistrationWay::PhasesUnderHann {
                let (part, weights) = ([0..shape.columns, 0..shape.rows], [shape.columns, shape.rows].map(|n| shifted_hann(n, 0.0)));
                [self.part(images, 0, &part, &weights)?, self.part(images, 1, &part, &weights)?]
            } else {
                whole.map(ImageSpectrum::without_mean)
            };
            let correlation = inverse(self.job, cross_phases(&a, &b), shape, self.devices, self.cancel)?;
            let height = height_near(&correlation, shape.columns, shift);
            let (_, highest) = largest(&correlation, shape.columns);
            let way = if highest > height { RegistrationWay::Overlaps } else { way };
            let is_better = |(other, known, _): &(f64, RegistrationWay, Vec<f64>)| {
                (way != RegistrationWay::Overlaps, height) > (*known != RegistrationWay::Overlaps, *other)
            };
            if found.as_ref().is_none_or(is_better) {
                found = Some((height, way, correlation));
            }
        }
        let (_, way, correlation) = found.expect("two windows are tried");
        Ok((way, correlation))
    }

    /// The spectrum of a part of an image, columns and rows, less its mean under weights along both axes and times these.
    fn part(
        &mut self,
        images: &Images<'_>,
        k: usize,
        [xs, ys]: &[Range<usize>; 2],
        [across, down]: &Weights,
    ) -> Result<Vec<Complex64>, EngineError> {
        let rows = || {
            ys.clone().zip(down).map(|(y, weight)| (&images.pair[k][y * images.columns + xs.start..y * images.columns + xs.end], weight))
        };
        let sum = |weights: &[f32]| weights.iter().map(|&weight| f64::from(weight)).sum::<f64>();
        let row_sum = |row: &[f32]| row.iter().zip(across).map(|(&sample, &x)| f64::from(sample) * f64::from(x)).sum::<f64>();
        let total: f64 = rows().map(|(row, &y)| row_sum(row) * f64::from(y)).sum();
        // A window that moves with the scene leaves the same mean in both images, so that their lowest frequencies tell the shift, too.
        let mean = (total / (sum(across) * sum(down)).max(f64::MIN_POSITIVE)) as f32;
        let samples = rows().flat_map(|(row, y)| row.iter().zip(across).map(move |(sample, x)| (sample - mean) * x * y)).collect();
        self.spectrum(Samples::F32(samples), Shape { rows: ys.len(), columns: xs.len() })
    }

    /// The shift to a fraction of a pixel beside one by whole pixels; `None` where the phases contradict that.
    fn fraction(&mut self, images: &Images<'_>, whole: [isize; 2]) -> Result<Option<ResidualShift>, EngineError> {
        /// The most rounds: the window of the second image lies where the round before found the scene.
        const ROUNDS: usize = 4;
        /// A round that moves the shift by less than this, in pixels, is the last one.
        const SETTLED: f64 = 1e-4;
        /// Phases that lead farther away than this, in pixels, contradict the agreement of the images.
        const FARTHEST: f64 = 3.0;
        let (mut pixels, mut rest, mut deviation) = (whole, [0.0_f64; 2], [None; 2]);
        for _ in 0..ROUNDS {
            let moved = rest.map(|rest| rest.round());
            pixels = [pixels[0] + moved[0] as isize, pixels[1] + moved[1] as isize];
            rest = [rest[0] - moved[0], rest[1] - moved[1]];
            let [of_a, of_b] = overlap([images.rows, images.columns], pixels);
            let size = [of_a[0].len(), of_a[1].len()];
            if size.contains(&0) {
                break;
            }
            let weights = |[dx, dy]: [f64; 2]| [shifted_hann(size[0], dx), shifted_hann(size[1], dy)];
            let a = self.part(images, 0, &of_a, &weights([0.0; 2]))?;
            let b = self.part(images, 1, &of_b, &weights(rest))?;
            let found = residual(&a, &b, size[0], rest);
            let step = (found.shift[0] - rest[0]).hypot(found.shift[1] - rest[1]);
            (rest, deviation) = (found.shift, found.deviation);
            if step < SETTLED {
                break;
            }
        }
        let shift: [f64; 2] = std::array::from_fn(|axis| pixels[axis] as f64 + rest[axis]);
        let off: [f64; 2] = std::array::from_fn(|axis| (shift[axis] - whole[axis] as f64).abs());
        Ok((off[0].hypot(off[1]) <= FARTHEST).then_some(ResidualShift { shift, deviation }))
    }
}

#[cfg(test)]
mod tests;
