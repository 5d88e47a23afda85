//! A stream as the source of the window: how it begins, and what becomes of one that ends at once.

use super::Workspace;
use crate::engine::{LiveEnd, LiveSettings, LiveStream, Microphone};
use crate::signal::RawFormat;
use crate::ui::origin::{load_from_bytes, load_signal};
use crate::ui::pane_id::PaneId;
use crate::ui::preset::Preset;
use crate::ui::spectrogram;
use egui::Context;
use std::io::Read;
use std::sync::Arc;
use std::time::Duration;

/// A stream whose samples have all come within this time is a recording.
const AT_ONCE: Duration = Duration::from_millis(500);

/// A stream that the window shows.
pub struct StreamSource {
    /// For titles and messages.
    pub name: String,
    /// Its bytes.
    pub stream: Box<dyn Read + Send>,
    /// How its samples are stored; `None` for a WAV.
    pub raw: Option<RawFormat>,
}

impl StreamSource {
    /// The default input of the system, recorded as `raw` says, or as is usual.
    ///
    /// # Errors
    /// When no recorder is there, or it does not record so: says what helps in one line.
    pub fn microphone(raw: Option<RawFormat>) -> Result<Self, String> {
        let (microphone, raw) = Microphone::open(raw.unwrap_or_else(Microphone::usual))?;
        Ok(Self { name: "microphone".to_owned(), stream: Box::new(microphone), raw: Some(raw) })
    }
}

impl Workspace {
    /// Shows a stream while it runs, in the layout for signals.
    #[must_use]
    pub fn streaming(mut self, ctx: &Context, source: StreamSource) -> Self {
        self.begin_stream(ctx, source);
        self
    }

    /// Shows what the microphone hears while it is recorded; a stream that is open stays.
    pub(super) fn record(&mut self, ctx: &Context) {
        let open = self.stream.as_ref().filter(|stream| stream.state().counted.is_some() || !stream.has_ended());
        match open.map_or_else(
            || StreamSource::microphone(None),
            |open| Err(format!("{} is open: save what you need of it, and close it in Source", open.name())),
        ) {
            Ok(source) => self.begin_stream(ctx, source),
            Err(why) => self.show_error(why),
        }
    }

    fn begin_stream(&mut self, ctx: &Context, source: StreamSource) {
        let notify = {
            let ctx = ctx.clone();
            move || ctx.request_repaint()
        };
        match LiveStream::start(&source.name, source.stream, source.raw, LiveSettings::default(), notify) {
            Ok(stream) => {
                self.stream = Some(stream);
                // The file of the session is not newer than the stream.
                self.follow_source();
                self.show_stream();
            }
            Err(error) => self.show_error(format!("the system starts no thread for the stream: {error}")),
        }
    }

    /// Makes the stream current, and shows it in the whole window.
    pub(crate) fn show_stream(&mut self) {
        self.show_preset(Preset::Signal);
        let memory = &mut self.memory;
        if memory.sources.of(&memory.settings.origin).is_none() {
            // The way back leads to what is shown now.
            memory.sources.use_now(&memory.settings.origin);
            memory.sources.keep(&memory.settings, memory.preset);
        }
        memory.sources.use_stream(true);
        self.active = PaneId::of(&spectrogram::stream::PANE);
        self.reveal(self.active);
        self.maximised = Some(self.active);
    }

    /// Gives the window back to the panes of another source.
    pub(super) fn leave_stream(&mut self) {
        self.maximised = self.maximised.filter(|pane| *pane != PaneId::of(&spectrogram::stream::PANE));
    }

    /// Ends the stream, with all that is kept of it.
    pub(crate) fn close_stream(&mut self) {
        self.leave_stream();
        self.memory.sources.use_stream(false);
        self.stream = None;
    }

    /// The stream, where it is the current source and can be seen.
    pub(crate) fn shown_stream(&self) -> Option<&LiveStream> {
        let is_shown = self.memory.sources.is_stream_current() && self.rects.contains_key(&PaneId::of(&spectrogram::stream::PANE));
        self.stream.as_ref().filter(|_| is_shown)
    }

    /// Makes a source of a stream that has ended at once, or that is not a stream of samples.
    pub(super) fn take_stream(&mut self) {
        let Some(stream) = self.stream.as_ref().filter(|stream| stream.has_ended()) else { return };
        let (state, name) = (stream.state(), stream.name().to_owned());
        let label = format!("Reading {name}");
        let read = match (state.end, state.counted) {
            (Some(LiveEnd::Other(bytes)), _) => load_from_bytes(name, move || Ok(bytes.as_slice().into())),
            (Some(LiveEnd::Whole(_)), Some(counted)) if state.pace.heard().duration_since(state.opened) < AT_ONCE => {
                let kept = counted.kept.samples();
                match counted.kept.signal(&counted.form, kept.clone()) {
                    Ok(signal) if kept.start == 0 => load_signal(Arc::new(signal)),
                    _ => return,
                }
            }
            _ => return,
        };
        self.close_stream();
        self.take_pasted(&label, read);
    }
}
