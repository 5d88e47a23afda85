//! The spectra of the channels of a signal: results of jobs, on which every mask acts.
//!
//! Real samples keep half their spectrum. Prepared samples are multiplied by H − 1, which gives the change that the filter makes;
//! `prepare::Restoration` brings it to the samples.

mod mended;

use crate::engine::{DeviceChoice, EngineError, Job, SharedResult, Values};
use crate::filter::{PeriodicSpot, periodic_noise};
use crate::plan::Precision;
use crate::prepare::{Preparation, PreparedFacts, Restoration};
use crate::signal::{ChannelChoice, Samples, Signal, SignalKind};
use crate::transforms::{Axes, Shape};
use mended::Mended;
use num_complex::{Complex, Complex32, Complex64};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Samples stay as they are while the exponent of the largest one is within ±this.
const LARGEST_EXPONENT: i32 = 90;

/// Which spectra a filter needs.
#[derive(Debug, Clone)]
pub struct Filtered {
    /// The image or signal.
    pub signal: Arc<Signal>,
    /// The channels that are filtered.
    pub channels: Vec<ChannelChoice>,
    /// The preparation of the samples before the filter, which is undone after it.
    pub preparation: Preparation,
    /// Whether the spectra are in double precision; those of extreme samples always are.
    pub double: bool,
    /// The device of the transform; double precision is computed on the CPU.
    pub device: DeviceChoice,
}

/// The spectra of channels of a signal: of an image along both axes, otherwise of every row.
pub struct ForwardSpectra {
    /// The signal.
    pub signal: Arc<Signal>,
    channels: Vec<ChannelChoice>,
    /// The shape of the samples after their preparation.
    pub(super) shape: Shape,
    pub(super) axes: Axes,
    pub(super) spectra: Vec<ChannelSpectrum>,
    /// Whether the spectra are the halves that determine them, since the samples are real.
    pub(super) is_half: bool,
    /// The preparation of the channels, and the way back from it.
    prepared: Option<(PreparedFacts, Restoration)>,
    /// The signal that is transformed: extreme samples are divided by 2^`exponent`, so that their energies keep all digits.
    scaled: Arc<Signal>,
    pub(super) exponent: i32,
}

/// The spectrum of a channel.
pub(super) struct ChannelSpectrum {
    pub(super) values: Arc<Values>,
    /// Indices of samples that are infinite or no numbers; the mean stands in for them.
    pub(super) gaps: Vec<usize>,
}

impl ChannelSpectrum {
    /// The values in single precision.
    pub(super) fn single(&self) -> Option<&[Complex32]> {
        match &*self.values {
            Values::Single(values) => Some(values),
            Values::Half(half) => Some(&half.values),
            _ => None,
        }
    }

    /// The values in double precision.
    pub(super) fn double(&self) -> Option<&[Complex64]> {
        if let Values::Double(values) = &*self.values { Some(values) } else { None }
    }
}

impl Filtered {
    /// The jobs that transform the channels; `None` where samples must be mended before, or prepared in another precision than their own.
    ///
    /// # Errors
    /// When the channel does not exist or has no samples.
    pub(super) fn jobs(&self) -> Result<Option<Vec<Job>>, EngineError> {
        if self.signal.is_empty() {
            return Err(EngineError::Empty { transform: "a filter" });
        }
        let is_widened = self.double && !self.signal.is_double() && !self.preparation.is_none();
        let is_mended = is_widened || self.signal.extreme_exponent(LARGEST_EXPONENT) != 0;
        let is_mended = is_mended || mended::has_gaps(&self.signal, &self.channels)?;
        Ok((!is_mended).then(|| self.channels.iter().map(|&channel| self.job(self.signal.clone(), channel)).collect()))
    }

    /// The job that transforms a channel.
    fn job(&self, signal: Arc<Signal>, channel: ChannelChoice) -> Job {
        let transform = match (axes(&signal), signal.is_complex_in(channel)) {
            (Axes::Both, false) => "rdft2",
            (Axes::Both, true) => "dft2",
            (_, false) => "rdft",
            (_, true) => "dft",
        };
        let (precision, device) = match self.double {
            true => (Precision::Double, DeviceChoice::CpuParallel),
            false => (Precision::Single, self.device.clone()),
        };
        Job { channel, preparation: self.preparation, device, precision: Some(precision), ..Job::new(signal, transform) }
    }

    /// Whether the samples of a channel are complex numbers.
    fn is_complex(&self) -> bool {
        self.channels.iter().any(|&channel| self.signal.is_complex_in(channel))
    }

    fn given(&self) -> Shape {
        Shape { rows: self.signal.rows, columns: self.signal.columns }
    }
}

impl ForwardSpectra {
    /// Transforms the channels; `run` gives the result of a job.
    ///
    /// # Errors
    /// When the channel does not exist, it has no samples, the preparation does not fit, or `cancel` is raised.
    pub fn new(
        asked: &Filtered,
        mut run: impl FnMut(&Job) -> Result<SharedResult, EngineError>,
        cancel: &AtomicBool,
    ) -> Result<Self, EngineError> {
        if let Some(jobs) = asked.jobs()? {
            return Ok(Self::of_results(asked, &jobs.iter().map(run).collect::<Result<Vec<_>, _>>()?));
        }
        let exponent = asked.signal.extreme_exponent(LARGEST_EXPONENT);
        let signal = if exponent == 0 { asked.signal.clone() } else { Arc::new(asked.signal.times_power_of_two(-exponent)) };
        let scaled = Filtered { signal, double: asked.double || exponent != 0, ..asked.clone() };
        let mut facts: Option<PreparedFacts> = None;
        let spectrum = |&channel: &ChannelChoice| {
            let Mended { signal, gaps, facts: own } = Mended::of(&scaled, channel, cancel)?;
            facts = joined(facts, own);
            let plain = Filtered { preparation: Preparation::default(), ..scaled.clone() };
            Ok(ChannelSpectrum { values: run(&plain.job(Arc::new(signal), ChannelChoice::default()))?.values, gaps })
        };
        let spectra = scaled.channels.iter().map(spectrum).collect::<Result<_, EngineError>>()?;
        Ok(Self { signal: asked.signal.clone(), exponent, ..Self::with(&scaled, spectra, facts) })
    }

    /// The spectra in the results of the jobs of a filter.
    pub(super) fn of_results(asked: &Filtered, results: &[SharedResult]) -> Self {
        let facts = results.iter().fold(None, |facts, result| joined(facts, result.outcome.preparation));
        let (Shape { rows, columns }, is_half) = (asked.preparation.shape(asked.given(), axes(&asked.signal)), !asked.is_complex());
        let values = |result: &SharedResult| if is_half { stored(&result.values, rows, columns) } else { result.values.clone() };
        let spectrum = |result: &SharedResult| ChannelSpectrum { values: values(result), gaps: Vec::new() };
        Self::with(asked, results.iter().map(spectrum).collect(), facts)
    }

    fn with(asked: &Filtered, spectra: Vec<ChannelSpectrum>, facts: Option<PreparedFacts>) -> Self {
        let (given, axes) = (asked.given(), axes(&asked.signal));
        Self {
            signal: asked.signal.clone(),
            channels: asked.channels.clone(),
            shape: asked.preparation.shape(given, axes),
            axes,
            spectra,
            is_half: !asked.is_complex(),
            prepared: facts.map(|facts| (facts, asked.preparation.restoration(given, axes))),
            scaled: asked.signal.clone(),
            exponent: 0,
        }
    }

    /// The shape of the spectrum that a mask acts on: one row where every row is a signal of its own.
    pub fn mask_shape(&self) -> Shape {
        Shape { rows: if self.axes == Axes::Both { self.shape.rows } else { 1 }, ..self.shape }
    }

    /// Values of a row of the spectra.
    pub(super) fn stored(&self) -> usize {
        if self.is_half { self.shape.columns / 2 + 1 } else { self.shape.columns }
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
    pub(super) fn offset(&self) -> f64 {
        if self.prepared.is_some() { 1.0 } else { 0.0 }
    }

    /// Samples that are infinite or no numbers, of all channels.
    pub fn gaps(&self) -> usize {
        self.spectra.iter().map(|spectrum| spectrum.gaps.len()).sum()
    }

    /// The spots that periodic noise leaves in the first channel.
    pub fn periodic_noise(&self) -> Vec<PeriodicSpot> {
        let (shape, stored) = (self.mask_shape(), self.stored());
        let Some(ChannelSpectrum { values, .. }) = self.spectra.first() else { return Vec::new() };
        let at = |row: usize, column: usize| {
            let is_mate = self.is_half && column > self.shape.columns / 2;
            let [row, column] = if is_mate { [(shape.rows - row) % shape.rows, shape.columns - column] } else { [row, column] };
            let value = values.exact(Shape { columns: stored, ..self.shape }, row, column);
            if is_mate { value.conj() } else { value }
        };
        periodic_noise(&crate::measure::Spectrum { rows: shape.rows, columns: shape.columns, at: &at, is_real: self.is_half })
    }
}

/// The facts of several channels: all that is skipped counts.
fn joined(all: Option<PreparedFacts>, own: Option<PreparedFacts>) -> Option<PreparedFacts> {
    own.map(|own| PreparedFacts { n_skipped: all.map_or(0, |all| all.n_skipped) + own.n_skipped, ..own })
}

/// The values of a spectrum, row by row; of real samples with `columns` in a row the first half, which determines the rest.
fn stored(values: &Arc<Values>, rows: usize, columns: usize) -> Arc<Values> {
    fn half<T: Copy>(values: &[Complex<T>], columns: usize) -> Vec<Complex<T>> {
        values.chunks_exact(columns).flat_map(|row| &row[..columns / 2 + 1]).copied().collect()
    }
    match &**values {
        Values::Single(whole) if whole.len() == rows * columns => Arc::new(Values::Single(half(whole, columns))),
        Values::Double(whole) if whole.len() == rows * columns => Arc::new(Values::Double(half(whole, columns))),
        _ => values.clone(),
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

#[cfg(test)]
mod tests;
