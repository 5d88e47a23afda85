//! A stream as the source of the window: how it begins, and what becomes of one that ends at once.

use super::Workspace;
use crate::engine::{LiveEnd, LiveSettings, LiveStream};
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

impl Workspace {
    /// Shows a stream while it runs, in the layout for signals.
    #[must_use]
    pub fn streaming(mut self, ctx: &Context, source: StreamSource) -> Self {
        let notify = {
            let ctx = ctx.clone();
            move || ctx.request_repaint()
        };
        match LiveStream::start(&source.name, source.stream, source.raw, LiveSettings::default(), notify) {
            Ok(stream) => {
                self.stream = Some(stream);
                self.show_preset(Preset::Signal);
                self.active = PaneId::of(&spectrogram::stream::PANE);
                self.reveal(self.active);
                self.maximised = Some(self.active);
            }
            Err(error) => self.show_error(format!("the system starts no thread for the stream: {error}")),
        }
        self
    }

    /// Makes a source of a stream that has ended at once, or that is not a stream of samples.
    pub(super) fn take_stream(&mut self) {
        let Some(stream) = self.stream.as_ref().filter(|stream| stream.has_ended()) else { return };
        let (state, name) = (stream.state(), stream.name().to_owned());
        let label = format!("Reading {name}");
        let read = match (state.end, state.counted) {
            (Some(LiveEnd::Other(bytes)), _) => load_from_bytes(name, move || Ok(bytes.as_slice().into())),
            (Some(LiveEnd::Whole(_)), Some(counted)) if state.heard.duration_since(state.opened) < AT_ONCE => {
                let kept = counted.kept.samples();
                match counted.kept.signal(&counted.form, kept.clone()) {
                    Ok(signal) if kept.start == 0 => load_signal(Arc::new(signal)),
                    _ => return,
                }
            }
            _ => return,
        };
        (self.stream, self.maximised) = (None, None);
        self.take_pasted(&label, read);
    }
}
