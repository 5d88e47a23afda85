//! The forward transforms of the channels of a signal, and the way back through a mask.
//!
//! Prepared samples are multiplied by H − 1, which gives the change that the filter makes; `prepare::Restoration` brings it to the samples.
//! Real samples keep half their spectrum. The multiplication by the mask fills the buffer of the inverse transform, so that it needs no pass of its own.

mod plane;

use crate::cpu::{Cancelled, Float, library};
use crate::engine::{EngineError, Job, SharedResult, Values, check_memory};
use crate::filter::{Mask, MaskRows, MaskTable, PeriodicSpot, periodic_noise};
use crate::plan::Direction;
use crate::prepare::{Preparation, PreparedFacts, Restoration, prepare};
use crate::signal::{ChannelChoice, Samples, Signal, SignalKind};
use crate::transforms::{Axes, Shape};
use num_complex::{Complex, Complex32};
use plane::in_double;
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The forward transforms of channels of a signal: of an image along both axes, otherwise of every row.
pub struct ForwardSpectra {
    /// The signal.
    pub signal: Arc<Signal>,
    channels: Vec<ChannelChoice>,
    /// The shape of the samples after their preparation.
    shape: Shape,
    axes: Axes,
    planes: Vec<Plane>,
    /// The preparation of the channels, and the way back from it.
    prepared: Option<(PreparedFacts, Restoration)>,
    /// The signal that is transformed: extreme samples are divided by 2^`exponent`, so that their energies keep all digits.
    scaled: Arc<Signal>,
    exponent: i32,
}

/// Samples stay as they are while the exponent of the largest one is within ±this.
const LARGEST_EXPONENT: i32 = 90;

/// Samples, half a spectrum before and after a mask, and the result, in single precision.
const BYTES_PER_SAMPLE: u128 = 20;

/// A channel after a filter.
#[derive(Debug, Clone, PartialEq)]
pub struct FilteredPlane {
    /// The samples, real or complex as those of the signal.
    pub samples: Samples,
    /// The energy that is left, and all energy, both without that of the mean.
    pub energies: [f64; 2],
}

impl FilteredPlane {
    /// The energy of planes that is left, as a part of all energy beside that of the means.
    pub fn energy(planes: &[Self]) -> f64 {
        share(planes.iter().map(|plane| plane.energies))
    }
}

/// The energy that is left, as a part of all energy, from both of every channel.
pub(super) fn share(energies: impl Iterator<Item = [f64; 2]>) -> f64 {
    let [kept, all] = energies.fold([0.0; 2], sum);
    if all > 0.0 { kept / all } else { 1.0 }
}

/// The spectrum of a channel.
enum Plane {
    Single(Spectrum<f32>),
    Double(Spectrum<f64>),
}

/// A spectrum, or the half that determines it.
struct Spectrum<T> {
    values: Vec<Complex<T>>,
    is_half: bool,
    /// Indices of samples that are infinite or no numbers; the mean stands in for them.
    gaps: Vec<usize>,
}

impl ForwardSpectra {
    /// Prepares and transforms channels of a signal, in double precision where its samples have it.
    ///
    /// # Errors
    /// When there is no such channel or no sample, the preparation does not fit, or `cancel` is raised.
    pub fn new(
        signal: &Arc<Signal>,
        channels: &[ChannelChoice],
        preparation: &Preparation,
        double: bool,
        cancel: &AtomicBool,
    ) -> Result<Self, EngineError> {
        let given = Shape { rows: signal.rows, columns: signal.columns };
        if given.is_empty() {
            return Err(EngineError::Empty { transform: "a filter" });
        }
        let (axes, is_plain) = (axes(signal), preparation.is_none());
        let exponent = signal.extreme_exponent(LARGEST_EXPONENT);
        let scaled = if exponent == 0 { signal.clone() } else { Arc::new(signal.times_power_of_two(-exponent)) };
        let (original, signal, double) = (signal, &scaled, double || exponent != 0);
        let bytes = BYTES_PER_SAMPLE * channels.len() as u128;
        check_memory("filtering", (preparation.shape(given, axes), signal.kind), if double { 2 * bytes } else { bytes })?;
        let mut facts: Option<PreparedFacts> = None;
        let plane = |&channel: &ChannelChoice| {
            if is_plain {
                return Plane::new(signal, channel, (given, axes), double, cancel);
            }
            let prepared = match double && !signal.is_double() {
                true => prepare(&in_double(signal, channel)?, ChannelChoice::default(), axes, preparation, cancel)?,
                false => prepare(signal, channel, axes, preparation, cancel)?,
            };
            let n_skipped = facts.map_or(0, |facts| facts.n_skipped) + prepared.facts.n_skipped;
            facts = Some(PreparedFacts { n_skipped, ..prepared.facts });
            Plane::new(&prepared.signal, prepared.channel, (prepared.facts.shape, axes), double, cancel)
        };
        let planes = channels.iter().map(plane).collect::<Result<_, EngineError>>()?;
        let shape = facts.map_or(given, |facts| facts.shape);
        let prepared = facts.map(|facts| (facts, preparation.restoration(given, axes)));
        Ok(Self { signal: original.clone(), channels: channels.to_vec(), shape, axes, planes, prepared, scaled, exponent })
    }

    /// The spectrum of an image in the result of its forward transform; `None` where that holds no plain spectrum of real samples in single precision.
    pub(super) fn of_result(job: &Job, result: &SharedResult) -> Option<Self> {
        let (signal, preparation, shape) = (&job.signal, &job.preparation, result.shape());
        let given = Shape { rows: signal.rows, columns: signal.columns };
        let facts = result.outcome.preparation;
        let is_plain = !signal.is_complex() && signal.extreme_exponent(LARGEST_EXPONENT) == 0 && facts.is_some() != preparation.is_none();
        let stored = shape.columns / 2 + 1;
        let values = match &*result.values {
            Values::Half(half) => half.values.clone(),
            Values::Single(values) => values.chunks_exact(shape.columns).flat_map(|row| &row[..stored]).copied().collect(),
            _ => return None,
        };
        // The first value is the sum of all samples: one that is infinite or no number reaches it.
        if !is_plain || !values.first()?.is_finite() {
            return None;
        }
        let prepared = facts.map(|facts| (facts, preparation.restoration(given, Axes::Both)));
        let planes = vec![Plane::Single(Spectrum { values, is_half: true, gaps: Vec::new() })];
        let (channels, scaled) = (vec![job.channel], signal.clone());
        Some(Self { signal: signal.clone(), channels, shape, axes: Axes::Both, planes, prepared, scaled, exponent: 0 })
    }

    /// The shape of the spectrum that a mask acts on: one row where every row is a signal of its own.
    pub fn mask_shape(&self) -> Shape {
        Shape { rows: if self.axes == Axes::Both { self.shape.rows } else { 1 }, ..self.shape }
    }

    /// The facts of the preparation, and the share of samples that keep their value because the window is near 0 there.
    pub fn preparation(&self) -> Option<(PreparedFacts, f64)> {
        self.prepared.as_ref().map(|(facts, back)| (*facts, back.kept_share()))
    }

    /// Samples that came back from the spectrum of a channel: a filtered channel, or after a preparation its change, which is added to it.
    pub(super) fn restored(&self, channel: usize, back: Samples) -> Result<Samples, EngineError> {
        let (Some((_, restoration)), channel) = (&self.prepared, self.channels[channel]) else { return Ok(back) };
        let given = match &back {
            Samples::F64(_) => Samples::F64(self.scaled.samples_f64(channel)?),
            Samples::Complex32(_) => Samples::Complex32(self.scaled.samples_complex32(channel)?),
            Samples::Complex64(_) => Samples::Complex64(self.scaled.samples_complex64(channel)?),
            _ => Samples::F32(self.scaled.samples_f32(channel)?),
        };
        Ok(restoration.restored(given, &back))
    }

    /// Whether samples are so large or so small that they are filtered in double precision, whatever was asked for.
    pub fn is_extreme(&self) -> bool {
        self.exponent != 0
    }

    /// The number that is subtracted from every factor of a mask: 1 where only the change comes back.
    fn offset(&self) -> f64 {
        if self.prepared.is_some() { 1.0 } else { 0.0 }
    }

    /// Samples that are infinite or no numbers, of all channels.
    pub fn gaps(&self) -> usize {
        let gaps = |plane: &Plane| match plane {
            Plane::Single(spectrum) => spectrum.gaps.len(),
            Plane::Double(spectrum) => spectrum.gaps.len(),
        };
        self.planes.iter().map(gaps).sum()
    }

    /// The channels after a mask, multiplied by the factors of a table where there is one.
    ///
    /// # Errors
    /// When the mask makes no sense, or `cancel` is raised.
    pub fn filtered(&self, mask: &Mask, table: Option<&MaskTable>, cancel: &AtomicBool) -> Result<Vec<FilteredPlane>, EngineError> {
        let shape = self.mask_shape();
        mask.check(shape.rows == 1)?;
        let rows = MaskRows::new(mask, shape);
        let offset = self.offset();
        let back = |(channel, plane): (usize, &Plane)| {
            let way = WayBack { shape: self.shape, axes: self.axes, rows: &rows, table, offset, cancel };
            let (samples, energies) = match plane {
                Plane::Single(spectrum) => match spectrum.filtered(&way)? {
                    (Back::Real(values), energies) => (Samples::F32(values), energies),
                    (Back::Complex(values), energies) => (Samples::Complex32(values), energies),
                },
                Plane::Double(spectrum) => match spectrum.filtered(&way)? {
                    (Back::Real(values), energies) => (Samples::F64(values), energies),
                    (Back::Complex(values), energies) => (Samples::Complex64(values), energies),
                },
            };
            let samples = self.restored(channel, samples)?;
            Ok(FilteredPlane { samples: if self.exponent == 0 { samples } else { samples.times_power_of_two(self.exponent) }, energies })
        };
        self.planes.iter().enumerate().map(back).collect()
    }

    /// Half the spectra of real images in single precision without gaps, which a GPU takes as they are; `None` for all others.
    pub(super) fn halves<'a>(&'a self) -> Option<Vec<&'a [Complex32]>> {
        let values = |plane: &'a Plane| match plane {
            Plane::Single(Spectrum { values, is_half: true, gaps }) if gaps.is_empty() => Some(values.as_slice()),
            _ => None,
        };
        let planes = self.planes.iter().map(values).collect();
        if self.axes == Axes::Both { planes } else { None }
    }

    /// The factors of a mask for the stored half of an image, and of every channel the energy that is left and all energy, both without that of the mean.
    ///
    /// # Errors
    /// When the mask makes no sense.
    pub(super) fn factors(&self, mask: &Mask, table: Option<&MaskTable>) -> Result<(Vec<f32>, Vec<[f64; 2]>), EngineError> {
        let shape = self.mask_shape();
        mask.check(shape.rows == 1)?;
        let (rows, stored, offset) = (MaskRows::new(mask, shape), shape.columns / 2 + 1, self.offset());
        let mut factors = vec![0.0_f32; shape.rows * stored];
        let lines = factors.par_chunks_mut(stored).enumerate();
        let energies = lines.map_init(
            || vec![1.0; stored],
            |own, (row, line)| {
                fill(&rows, table, row, own);
                line.iter_mut().zip(&*own).for_each(|(single, &factor)| *single = (factor - offset) as f32);
                let energy = |plane: &Plane| match plane {
                    Plane::Single(spectrum) => spectrum.energies(self.shape, self.axes, row, own),
                    Plane::Double(spectrum) => spectrum.energies(self.shape, self.axes, row, own),
                };
                self.planes.iter().map(energy).collect::<Vec<_>>()
            },
        );
        let none = || vec![[0.0; 2]; self.planes.len()];
        let energies = energies.reduce(none, |a, b| a.into_iter().zip(b).map(|(a, b)| sum(a, b)).collect());
        Ok((factors, energies))
    }

    /// The spots that periodic noise leaves in the first channel.
    pub fn periodic_noise(&self) -> Vec<PeriodicSpot> {
        let shape = self.mask_shape();
        match self.planes.first() {
            Some(Plane::Single(spectrum)) => periodic_noise(|row, column| spectrum.magnitude(self.shape, row, column), shape),
            Some(Plane::Double(spectrum)) => periodic_noise(|row, column| spectrum.magnitude(self.shape, row, column), shape),
            None => Vec::new(),
        }
    }
}

/// The axes along which a signal is filtered: of an image both, otherwise every row is a signal of its own.
pub fn axes(signal: &Signal) -> Axes {
    if signal.kind == SignalKind::Image { Axes::Both } else { Axes::Rows }
}

/// The shape of the spectrum that a mask for a prepared signal acts on: one row where every row is a signal of its own.
pub fn mask_shape(signal: &Signal, preparation: &Preparation) -> Shape {
    let shape = preparation.shape(Shape { rows: signal.rows, columns: signal.columns }, axes(signal));
    Shape { rows: if axes(signal) == Axes::Both { shape.rows } else { 1 }, ..shape }
}

/// What the way back needs.
struct WayBack<'a> {
    shape: Shape,
    axes: Axes,
    rows: &'a MaskRows,
    table: Option<&'a MaskTable>,
    /// The number that is subtracted from every factor.
    offset: f64,
    cancel: &'a AtomicBool,
}

/// Samples after the way back.
enum Back<T> {
    Real(Vec<T>),
    Complex(Vec<Complex<T>>),
}

impl<T: Float + Into<f64>> Spectrum<T> {
    /// |X| at index (`row`, `column`) of the stored half.
    fn magnitude(&self, shape: Shape, row: usize, column: usize) -> f64 {
        let (row, column) = match self.is_half && column > shape.columns / 2 {
            true => ((shape.rows - row) % shape.rows, shape.columns - column),
            false => (row, column),
        };
        let stored = if self.is_half { shape.columns / 2 + 1 } else { shape.columns };
        let value = self.values[row * stored + column];
        value.re.into().hypot(value.im.into())
    }

    /// The samples after a mask, and the energy that is left of all energy beside that of the mean.
    fn filtered(&self, way: &WayBack<'_>) -> Result<(Back<T>, [f64; 2]), Cancelled> {
        let &WayBack { shape, axes, cancel, .. } = way;
        let (masked, energies) = self.masked(way);
        let gap = Complex::new(T::NOT_A_NUMBER, T::ZERO);
        let samples = match self.is_half {
            true => {
                let mut samples = library::real_samples(masked, shape, axes, cancel)?;
                self.gaps.iter().for_each(|&index| samples[index] = gap.re);
                Back::Real(samples)
            }
            false => {
                let mut samples = library::transform(masked, shape, axes, Direction::Inverse, cancel)?;
                self.gaps.iter().for_each(|&index| samples[index] = gap);
                Back::Complex(samples)
            }
        };
        Ok((samples, energies))
    }

    /// The spectrum times the mask, and the energy that is left of all energy beside that of the mean.
    fn masked(&self, &WayBack { shape, axes, rows, table, offset, .. }: &WayBack<'_>) -> (Vec<Complex<T>>, [f64; 2]) {
        let stored = if self.is_half { shape.columns / 2 + 1 } else { shape.columns };
        let mut masked = vec![Complex::new(T::ZERO, T::ZERO); self.values.len()];
        // Every row of a batch has the same factors.
        let line = (axes == Axes::Rows).then(|| {
            let mut factors = vec![1.0; stored];
            fill(rows, table, 0, &mut factors);
            factors
        });
        let lines = masked.par_chunks_mut(stored).zip(self.values.par_chunks(stored)).enumerate();
        let energies = lines.map_init(
            || vec![1.0; stored],
            |own, (row, (masked, values))| {
                if line.is_none() {
                    fill(rows, table, row, own);
                }
                let factors = line.as_ref().unwrap_or(own);
                for ((masked, value), &factor) in masked.iter_mut().zip(values).zip(factors) {
                    let scale = T::rounded(factor - offset);
                    *masked = Complex::new(value.re * scale, value.im * scale);
                }
                self.energies(shape, axes, row, factors)
            },
        );
        let energies = energies.reduce(|| [0.0; 2], sum);
        (masked, energies)
    }

    /// The energy that the factors of a row leave, and all energy of the row, both without that of the mean.
    fn energies(&self, shape: Shape, axes: Axes, row: usize, factors: &[f64]) -> [f64; 2] {
        let values = &self.values[row * factors.len()..][..factors.len()];
        let first = usize::from(row == 0 || axes == Axes::Rows);
        let energy = |(column, (value, &factor)): (usize, (&Complex<T>, &f64))| {
            let [re, im]: [f64; 2] = [value.re.into(), value.im.into()];
            // A value inside half a spectrum stands for its mate, too.
            let has_mate = self.is_half && column > 0 && 2 * column != shape.columns;
            let energy = (re * re + im * im) * if has_mate { 2.0 } else { 1.0 };
            [factor * factor * energy, energy]
        };
        values.iter().zip(factors).enumerate().skip(first).map(energy).fold([0.0; 2], sum)
    }
}

/// Sums of two pairs.
fn sum(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] + b[0], a[1] + b[1]]
}

/// The factors of a row, times those of a table.
pub(super) fn fill(rows: &MaskRows, table: Option<&MaskTable>, row: usize, factors: &mut [f64]) {
    rows.fill(row, factors);
    if let Some(table) = table {
        factors.iter_mut().enumerate().for_each(|(column, factor)| *factor *= table.at(row, column));
    }
}

#[cfg(test)]
mod tests;
