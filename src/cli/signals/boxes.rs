//! Boxes of time and frequency on the command line: written, or from a file of labels, selections or annotations.

use super::super::{Failure, say};
use crate::engine::filter::sample_spacing;
use crate::filter::Effect;
use crate::spectra::{NamedBox, RecordingExtent, WrittenBox, WrittenStroke, read_boxes};
use clap::Args;
use std::path::PathBuf;
use std::str::FromStr;

/// The boxes of a recording.
#[derive(Debug, Args)]
pub(crate) struct BoxArguments {
    /// A box of a recording: times or samples, and frequencies or periods, as 1.2s..3.4s,300Hz..900Hz. Repeatable. A filter keeps what boxes hold, and cuts what those with :cut behind them hold; a WAV keeps the bits of its source.
    #[arg(long = "box", value_name = "FROM..TO,LOW..HIGH[:cut]", allow_hyphen_values = true)]
    boxes: Vec<WrittenBox>,
    /// A freehand stroke of a recording: the points of its path, each a time and a frequency, and its width in both, as 1s,300Hz..2s,900Hz@50ms,80Hz. Repeatable. It keeps or cuts as a box does.
    #[arg(long = "stroke", value_name = "TIME,FREQUENCY..…@DURATION,BANDWIDTH[:cut]", allow_hyphen_values = true)]
    strokes: Vec<WrittenStroke>,
    /// The boxes of a file: labels of Audacity, a selection table of Raven, or annotations of SigMF; with :cut behind its name a filter cuts what they hold.
    #[arg(long = "boxes", value_name = "FILE[:cut]")]
    box_file: Option<BoxFile>,
}

/// A file of boxes, and the effect that is asked for.
#[derive(Debug, Clone)]
struct BoxFile {
    path: PathBuf,
    effect: Option<Effect>,
}

impl FromStr for BoxFile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let cut = text.strip_suffix(":cut");
        Ok(Self { path: cut.unwrap_or(text).into(), effect: cut.map(|_| Effect::Cut) })
    }
}

impl BoxArguments {
    /// The name of the option that is given.
    pub(crate) fn name(&self) -> &'static str {
        match () {
            () if !self.boxes.is_empty() => "box",
            () if !self.strokes.is_empty() => "stroke",
            () => "boxes",
        }
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.boxes.is_empty() && self.strokes.is_empty() && self.box_file.is_none()
    }

    /// The boxes in a recording; says which entries of a file hold none of it.
    pub(crate) fn of(&self, extent: &RecordingExtent) -> Result<Vec<NamedBox>, Failure> {
        let spacing = sample_spacing(None, extent.rate.sampling());
        let written = self.boxes.iter().map(|written| Ok(NamedBox { name: written.to_string(), part: written.of(extent, spacing)? }));
        let strokes =
            self.strokes.iter().map(|written| Ok(NamedBox { name: written.text().to_owned(), part: written.of(extent, spacing)? }));
        let mut boxes = written.chain(strokes).collect::<Result<Vec<_>, Failure>>()?;
        if let Some(BoxFile { path, effect }) = &self.box_file {
            let cannot = |error: &dyn std::fmt::Display| Failure::Work(format!("cannot read {}: {error}", path.display()));
            let bytes = crate::signal::read_own(path).map_err(|error| cannot(&error))?;
            let text = String::from_utf8_lossy(&bytes);
            let read = read_boxes(&text, extent).map_err(|error| cannot(&error))?;
            if let Some(left_out) = read.left_out_words() {
                say(&format!("{}: {left_out}", path.display()));
            }
            if read.boxes.is_empty() {
                return Err(cannot(&"no box in it lies in the recording"));
            }
            boxes.extend(read.boxes.into_iter().map(|mut own| {
                own.part.effect = effect.unwrap_or(own.part.effect);
                own
            }));
        }
        Ok(boxes)
    }
}
