//! Boxes of time and frequency in the engine: recordings that they filter, and the studies that a window asks.

use super::spectra::RecordingPart;
use super::worker::Ask;
use super::{EngineError, SharedResult, Study, StudyMailbox};
use crate::plan::Precision;
use crate::signal::{Channel, ChannelChoice, Samples, Signal, SignalKind};
use crate::spectra::{Boxed, Frames, Overlap, Rate, SpectraJob, TimeFrequencyBox, boxed};
use num_complex::Complex64;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Boxes that filter a recording.
#[derive(Debug, Clone, PartialEq)]
pub struct BoxFilter {
    /// The channels.
    pub channels: Vec<ChannelChoice>,
    /// The samples that are filtered.
    pub samples: Range<usize>,
    /// Whether the boxes pass or are cut.
    pub boxes: Vec<TimeFrequencyBox>,
    /// Samples of the frames whose spectra the boxes act on.
    pub length: usize,
    /// How the samples follow each other.
    pub rate: Rate,
    /// The precision in which it computes; `None` as the samples need.
    pub precision: Option<Precision>,
}

/// A recording after a filter of boxes.
#[derive(Debug, Clone)]
pub struct BoxFiltered {
    /// The samples that were filtered, channel by channel.
    pub signal: Signal,
    /// For each channel its name, the share of the energy that is left, and the samples that are not numbers, for which 0 stands.
    pub channels: Vec<(String, f64, usize)>,
}

impl BoxFilter {
    /// The frames of a length that overlap by three quarters.
    pub fn frames(&self) -> Frames {
        Frames::new(self.length, Overlap::Share(0.75))
    }

    /// Filters a signal.
    ///
    /// # Errors
    /// If there is no such channel, the frames do not fit, a box is narrower than they can tell, or the work is cancelled.
    pub fn run(&self, signal: &Signal, cancel: &AtomicBool) -> Result<BoxFiltered, EngineError> {
        let (mut filtered, mut channels) = (Vec::new(), Vec::new());
        let first = self.samples.start - self.samples.start % signal.columns.max(1);
        let row = first..first + signal.columns;
        for choice in &self.channels {
            let track = signal.track(*choice).map_err(EngineError::from)?;
            let (samples, frames) = (self.samples.clone(), self.frames());
            let plain = SpectraJob::new(vec![track], samples, frames, self.rate.per_unit, cancel);
            let job = SpectraJob { precision: self.precision.unwrap_or(plain.precision), ..plain };
            let Boxed { samples, kept, replaced } = boxed(&job, row.clone(), &self.boxes).map_err(|error| error.in_unit_of(self.rate))?;
            let name = signal.channel_name(*choice);
            channels.push((name.clone(), kept, replaced));
            let unit = signal.channel(*choice).and_then(|channel| channel.unit.clone());
            filtered.push(Channel { unit, ..Channel::new(name, samples) });
        }
        let shape = (1, self.samples.len());
        let result = Signal::from_channels(&*signal.name, SignalKind::Rows, shape, filtered);
        Ok(BoxFiltered { signal: result.with_axis_of(signal, self.samples.start), channels })
    }

    /// The part that the filter has taken from a signal: its samples without those of the result, channel by channel.
    ///
    /// # Errors
    /// If the signal has no such channel.
    pub fn difference(&self, signal: &Signal, result: &Signal) -> Result<Signal, EngineError> {
        let (first, n) = (self.samples.start, self.samples.len());
        let of = |(choice, left): (&ChannelChoice, &Channel)| {
            let track = signal.track(*choice).map_err(EngineError::from)?;
            let read = |part: usize| {
                let mut values = vec![0.0; n];
                track.read_f64(first, part, &mut values);
                values
            };
            let samples = match &left.samples {
                Samples::Complex32(_) | Samples::Complex64(_) => {
                    let all = read(0).into_iter().zip(read(1)).zip(left.samples.to_complex64());
                    Samples::Complex64(all.map(|((re, im), left)| Complex64::new(re, im) - left).collect())
                }
                Samples::F32(left) => {
                    let mut values = vec![0.0_f32; n];
                    track.read_f32(first, 0, &mut values);
                    values.iter_mut().zip(left).for_each(|(value, left)| *value -= left);
                    Samples::F32(values)
                }
                real => Samples::F64(read(0).into_iter().zip(real.to_f64()).map(|(value, left)| value - left).collect()),
            };
            Ok(Channel { samples, ..left.clone() })
        };
        let channels = self.channels.iter().zip(&result.channels).map(of).collect::<Result<Vec<_>, EngineError>>()?;
        Ok(Signal { channels, ..result.clone() })
    }
}

/// Asks for the samples of a channel after a filter of boxes.
#[derive(Debug, Clone, PartialEq)]
pub struct BoxRequest {
    /// The samples that are filtered.
    pub part: RecordingPart,
    /// The boxes.
    pub boxes: Vec<TimeFrequencyBox>,
    /// Samples of a frame.
    pub length: usize,
    /// Whether what the filter takes away is asked for, and not what is left.
    pub is_difference: bool,
}

impl Ask for BoxRequest {}

/// A channel of a recording after a filter of boxes, or what that takes away, in a window.
#[derive(Debug, Clone)]
pub struct BoxAnswer {
    /// The samples.
    pub signal: Arc<Signal>,
    /// The share of the energy that is left.
    pub kept: f64,
    /// Number of infinite or NaN samples, for which 0 stands.
    pub replaced: usize,
}

/// Answers one filter after the other.
pub struct BoxStudy;

/// More samples take longer than a moment.
const MOST_QUICK: usize = 1 << 19;

impl Study for BoxStudy {
    type Request = BoxRequest;
    type Report = Result<BoxAnswer, EngineError>;

    const NAME: &'static str = "boxes";

    fn is_long(request: &BoxRequest) -> bool {
        request.part.samples.len() > MOST_QUICK
    }

    fn answer(&mut self, request: &BoxRequest, _: Result<Vec<SharedResult>, EngineError>, mailbox: StudyMailbox<'_>) -> Self::Report {
        let BoxRequest { part: RecordingPart { signal, channel, samples, rate }, boxes, length, is_difference } = request;
        if Self::is_long(request) {
            (mailbox.progress)("the filter of the boxes", 0.0);
        }
        let filter = BoxFilter {
            channels: vec![*channel],
            samples: samples.clone(),
            boxes: boxes.clone(),
            length: *length,
            rate: *rate,
            precision: Some(Precision::Single),
        };
        let BoxFiltered { signal: result, channels } = filter.run(signal, mailbox.cancel)?;
        let shown = if *is_difference { filter.difference(signal, &result)? } else { result };
        let (_, kept, replaced) = channels[0];
        Ok(BoxAnswer { signal: Arc::new(shown), kept, replaced })
    }
}
