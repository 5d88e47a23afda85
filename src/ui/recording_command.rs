//! The command line that gives what a pane shows of a recording.

use super::origin::Origin;
use crate::engine::RecordingPart;
use crate::prepare::Windowing;
use crate::signal::{ChannelChoice, Signal};
use crate::spectra::Frames;

/// A command on a recording, word by word.
pub(super) struct RecordingCommand {
    words: Vec<String>,
}

impl RecordingCommand {
    /// The subcommand, the file, and the options that select the channel and the part.
    pub(super) fn new(subcommand: &str, origin: &Origin, part: &RecordingPart) -> Self {
        let signal = &part.signal;
        let mut line = Self { words: vec!["papillon".to_owned(), subcommand.to_owned(), quoted(&file_of(origin))] };
        if let Some(raw) = signal.raw {
            line.option("raw", raw.to_string());
        }
        if signal.channels.len() > 1 {
            line.option("channel", channel_word(part.channel));
        }
        if part.samples.len() < signal.columns {
            line.option("from", part.samples.start.to_string());
            line.option("to", part.samples.end.to_string());
        }
        let typed = (part.rate.per_unit, part.rate.unit) != signal.sampling().map_or((1.0, None), |own| (own.per_unit, Some(own.unit)));
        if let Some(rate) = part.rate.sampling().filter(|_| typed) {
            line.option("rate", quoted(&rate.to_string().replace(' ', "")));
        }
        line
    }

    /// Adds a word.
    pub(super) fn word(&mut self, word: &str) {
        self.words.push(word.to_owned());
    }

    /// Adds an option with its value.
    pub(super) fn option(&mut self, name: &str, value: impl Into<String>) {
        self.words.extend([format!("--{name}"), value.into()]);
    }

    /// Adds the length and the overlap of frames.
    pub(super) fn frames(&mut self, frames: &Frames) {
        self.option("length", frames.length.to_string());
        self.option("overlap", frames.overlap().to_string());
    }

    /// Adds a window.
    pub(super) fn window(&mut self, window: Windowing) {
        let parameter = window.parameter.filter(|_| window.shape.parameter().is_some());
        let name = window.shape.name();
        self.option("window", parameter.map_or(name.to_owned(), |value| format!("{name}:{value}")));
    }

    /// Adds what decibels refer to, where it was chosen.
    pub(super) fn reference(&mut self, reference: Option<f64>, signal: &Signal) {
        if let Some(value) = reference {
            self.option(if signal.is_recording() { "full-scale" } else { "reference" }, value.to_string());
        }
    }

    /// The line with the file that it writes.
    pub(super) fn written_to(mut self, file: &str) -> String {
        self.words.extend(["-o".to_owned(), file.to_owned()]);
        self.words.join(" ")
    }
}

/// The file of a source; one that is in memory alone has a name to save it by.
pub(super) fn file_of(origin: &Origin) -> String {
    match origin {
        Origin::File(path) => path.display().to_string(),
        _ => "signal.wav".to_owned(),
    }
}

/// A path or a word as a shell takes it.
fn quoted(text: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "._-/+:,%".contains(letter);
    if !text.is_empty() && text.chars().all(is_plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

fn channel_word(channel: ChannelChoice) -> String {
    match channel {
        ChannelChoice::Luma => "1".to_owned(),
        other => other.to_string(),
    }
}
