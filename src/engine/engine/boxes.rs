//! Boxes of time and frequency in the engine: recordings that they filter, and the studies that a window asks.

use super::spectra::RecordingPart;
use super::worker::Ask;
use super::{EngineError, SharedResult, Study, StudyMailbox};
use crate::signal::{Channel, ChannelChoice, Samples, Signal, SignalKind};
use crate::spectra::{Boxed, Frames, Job, Overlap, Rate, TimeFrequencyBox, boxed};
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
    /// What passes and what is cut.
    pub boxes: Vec<TimeFrequencyBox>,
    /// Samples of the frames whose spectra the boxes act on.
    pub length: usize,
    /// How the samples follow each other.
    pub rate: Rate,
    /// Whether it computes in double precision; `None` as the samples need.
    pub double: Option<bool>,
}

/// A recording after a filter of boxes.
#[derive(Debug, Clone)]
pub struct BoxFiltered {
    /// The samples that were filtered, channel by channel.
    pub signal: Signal,
    /// For each channel its name, the share of the energy that is left, and the samples that are no numbers, for which 0 stands.
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
        for choice in &self.channels {
            let track = signal.track(*choice).map_err(EngineError::from)?;
            let double = self.double.unwrap_or(track.is_double());
            let (samples, frames) = (self.samples.clone(), self.frames());
            let job = Job { tracks: vec![track], samples, frames, rate: self.rate.per_unit, rows: None, cancel };
            let Boxed { samples, kept, replaced } = if double { boxed::<f64>(&job, &self.boxes) } else { boxed::<f32>(&job, &self.boxes) }?;
            let name = signal.channel_name(*choice);
            channels.push((name.clone(), kept, replaced));
            let unit = signal.channel(*choice).and_then(|channel| channel.unit.clone());
            filtered.push(Channel { unit, ..Channel::new(name, samples) });
        }
        let shape = (1, self.samples.len());
        let result = Signal::from_channels(&*signal.name, SignalKind::Rows, shape, filtered);
        Ok(BoxFiltered { signal: result.with_axis_of(signal, self.samples.start), channels })
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
}

impl Ask for BoxRequest {}

/// A channel of a recording after a filter of boxes, in a window.
#[derive(Debug, Clone)]
pub struct BoxAnswer {
    /// What is left.
    pub result: Arc<Signal>,
    /// What was taken away.
    pub difference: Arc<Signal>,
    /// The share of the energy that is left.
    pub kept: f64,
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
        let BoxRequest { part: RecordingPart { signal, channel, samples, rate }, boxes, length } = request;
        if Self::is_long(request) {
            (mailbox.progress)("the filter of the boxes", 0.0);
        }
        let filter = BoxFilter {
            channels: vec![*channel],
            samples: samples.clone(),
            boxes: boxes.clone(),
            length: *length,
            rate: *rate,
            double: Some(false),
        };
        let BoxFiltered { signal: result, channels } = filter.run(signal, mailbox.cancel)?;
        let track = signal.track(*channel).map_err(EngineError::from)?;
        let mut parts = [0, 1].map(|part| {
            let mut values = vec![0.0_f32; if part == 0 || track.is_complex() { samples.len() } else { 0 }];
            track.read_f32(samples.start, part, &mut values);
            values
        });
        drop(track);
        let difference = match &result.channels[0].samples {
            Samples::Complex32(left) => {
                let [real, imaginary] = parts;
                let all = left.iter().zip(real).zip(imaginary);
                Samples::Complex32(all.map(|((left, re), im)| num_complex::Complex32::new(re, im) - left).collect())
            }
            left => {
                let mut values = std::mem::take(&mut parts[0]);
                values.iter_mut().zip(left.to_f32()).for_each(|(value, left)| *value -= left);
                Samples::F32(values)
            }
        };
        let channel = Channel { samples: difference, ..result.channels[0].clone() };
        let difference = Arc::new(Signal { channels: vec![channel], ..result.clone() });
        Ok(BoxAnswer { result: Arc::new(result), difference, kept: channels[0].1 })
    }
}
