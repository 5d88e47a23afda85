//! The scene of a frame, from which each pane takes the fields that it reads and sets.

use super::action::PaneOutput;
use super::learn::LearnMemory;
use super::origin::Origin;
use super::run_history::RunHistory;
use super::settings::Settings;
use super::shown::{Results, ShownJob};
use super::sources::Sources;
use super::veil::Veil;
use crate::engine::{Job, LiveStream, RenderedImage};
use crate::gpu::AdapterInfo;
use crate::signal::Signal;
use std::sync::Arc;
use std::time::Duration;

/// Says that a layout shows another source than the current one.
pub(crate) struct StandIn {
    /// Which, and why.
    pub text: String,
    /// The action of the button beside it.
    pub button: String,
    /// The current source.
    pub origin: Origin,
}

/// All that panes read and set. Only `Pane::ui` sees the whole; it names the fields of its pane once, at its beginning.
pub(super) struct Scene<'a> {
    /// The settings of the user.
    pub settings: &'a mut Settings,
    /// The sources that are open.
    pub sources: &'a Sources,
    /// The note where another source is current than the one that is shown.
    pub stand_in: Option<&'a StandIn>,
    /// The source as it was loaded, of which the signal is a part.
    pub whole: Option<&'a Arc<Signal>>,
    /// The signal, once it is loaded.
    pub signal: Option<&'a Arc<Signal>>,
    /// The second signal of a convolution, once it is loaded.
    pub second: Option<&'a Arc<Signal>>,
    /// The stream that runs.
    pub stream: Option<&'a LiveStream>,
    /// A small image of the first signal.
    pub preview: Option<&'a Arc<RenderedImage>>,
    /// The results of the engine.
    pub results: Results<'a>,
    /// Why panes still show an earlier source than the one that is set.
    pub veil: Option<Veil>,
    /// The adapters of this machine, once they are known.
    pub adapters: &'a [AdapterInfo],
    /// How long the source took to read or to make, if it was read for this layout.
    pub read_time: Option<Duration>,
    /// The times of the runs so far.
    pub history: &'a RunHistory,
    /// Which lesson is open, and what was read.
    pub learn: &'a mut LearnMemory,
    /// Whether the settings differ from those of the lesson's step.
    pub has_left_step: bool,
    /// The output of the panes.
    pub out: &'a mut PaneOutput,
}

impl<'a> Scene<'a> {
    /// The settings and the results that are shown.
    pub(super) fn shown(&self) -> ShownJob<'a> {
        let settings = &*self.settings;
        ShownJob {
            signal: self.signal,
            results: self.results,
            job: self.answered_job(),
            transform: settings.transform(),
            parameters: settings.parameters,
            channel: settings.channel,
            preparation: settings.preparation,
            axis: self.signal.and_then(|signal| settings.axis(signal)),
            pixel_size: self.signal.and_then(|signal| settings.pixel_size(signal)),
        }
    }

    /// The job that is set, once the engine has answered it.
    fn answered_job(&self) -> Option<&'a Job> {
        let answered = &self.results.failed.or(self.results.finished)?.request.job;
        let second = answered.second.clone();
        (Job { second, ..self.settings.job(self.signal?) } == *answered).then_some(answered)
    }
}
