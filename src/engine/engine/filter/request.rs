//! The request of the window to the filter: a mask over a signal, and how it is shown.

use super::forward::Filtered;
use crate::display::DisplayFrame;
use crate::engine::worker::Ask;
use crate::engine::{DeviceChoice, EngineError, Job, PlotFrame};
use crate::filter::Mask;
use crate::plan::Direction;
use crate::prepare::Preparation;
use crate::signal::{ChannelChoice, Signal};
use std::path::PathBuf;
use std::sync::Arc;

/// A request of the window: a mask over a signal, and how it is shown.
#[derive(Debug, Clone)]
pub struct FilterRequest {
    /// The image or signal.
    pub signal: Arc<Signal>,
    /// The channel; the luminance of a colour image stands for all its colours.
    pub channel: ChannelChoice,
    /// The preparation of the samples before the filter, which is undone after it.
    pub preparation: Preparation,
    /// The job that is shown, whose result may be the spectrum of the channel; `None` where none is.
    pub shown: Option<Job>,
    /// The mask.
    pub mask: Mask,
    /// The file of an image whose factors multiply those of the mask.
    pub painted: Option<PathBuf>,
    /// The device of the way back.
    pub device: DeviceChoice,
    /// The image or mask that is drawn.
    pub shows: FilterView,
    /// The visible part, in pixels of the image or of its spectrum.
    pub frame: Option<DisplayFrame>,
    /// The visible part of a row of a signal, or of the half of its spectrum from frequency 0.
    pub plot: Option<PlotFrame>,
    /// Whether periodic noise is looked for.
    pub finds: bool,
    /// Column and row of the pixel whose values are wanted, of the image or of its spectrum.
    pub probe: Option<[usize; 2]>,
    /// Whether the likeness to the signal before the filter is measured, which takes longer than the image.
    pub quality: bool,
}

/// The image or mask that a pane draws of a filter.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub enum FilterView {
    /// The image before the filter.
    Source,
    /// The image after it.
    #[default]
    Result,
    /// The factors, with frequency 0 in the middle.
    Mask,
    /// The image after the filter minus the image before it.
    Difference,
    /// The image before the filter left of this part of its width, and after it to the right; a signal before it behind the one after it.
    Split(f64),
}

impl PartialEq for FilterRequest {
    /// Two requests are the same when they have the same answer, wherever the spectrum comes from; signals are compared by identity.
    fn eq(&self, other: &Self) -> bool {
        self.filters_as(other)
            && (self.shows, self.frame, self.plot, self.finds) == (other.shows, other.frame, other.plot, other.finds)
            && (self.probe, self.quality) == (other.probe, other.quality)
    }
}

impl FilterRequest {
    /// Whether both have the same forward transform.
    pub(super) fn has_transform_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.signal, &other.signal) && (self.channel, self.preparation) == (other.channel, other.preparation)
    }

    /// The spectra that the mask acts on.
    pub(super) fn filtered(&self) -> Filtered {
        let Self { signal, preparation, device, .. } = self;
        Filtered { signal: signal.clone(), channels: self.channels(), preparation: *preparation, double: false, device: device.clone() }
    }

    /// The jobs whose results are these spectra, that which is shown where it is one of them; `None` where samples must be mended first.
    ///
    /// # Errors
    /// When the channel does not exist or has no samples.
    pub(super) fn jobs(&self) -> Result<Option<Vec<Job>>, EngineError> {
        let is_spectrum = |shown: &&Job, job: &Job| {
            Arc::ptr_eq(&shown.signal, &self.signal)
                && (shown.channel, shown.preparation) == (job.channel, job.preparation)
                && (shown.transform == job.transform || (shown.transform, job.transform) == ("dft2", "rdft2"))
                && shown.parameters.direction == Direction::Forward
        };
        let known = |job: Job| self.shown.as_ref().filter(|shown| is_spectrum(shown, &job)).cloned().unwrap_or(job);
        Ok(self.filtered().jobs()?.map(|jobs| jobs.into_iter().map(known).collect()))
    }

    /// Whether both filter the same with the same factors, whatever is shown.
    pub fn filters_as(&self, other: &Self) -> bool {
        self.has_transform_of(other) && (&self.mask, &self.painted, &self.device) == (&other.mask, &other.painted, &other.device)
    }

    /// Whether no factor changes a value.
    pub fn is_open(&self) -> bool {
        self.mask.is_open() && self.painted.is_none()
    }

    /// The channels that are filtered: all colours, or the chosen channel.
    pub fn channels(&self) -> Vec<ChannelChoice> {
        match self.channel {
            ChannelChoice::Luma if self.signal.is_colour() => (0..3).map(ChannelChoice::Channel).collect(),
            one => vec![one],
        }
    }
}

impl Ask for FilterRequest {
    /// A mask that moves does not give up the work for the one before, which would leave a drag without a result.
    fn is_outdated_by(&self, newer: &Self) -> bool {
        !self.has_transform_of(newer)
    }
}
