//! The output of a pane in a frame: actions to run, the parts of the result that it shows, and the thing under the pointer.

use super::chips::{Chip, ChipPress};
use super::command::Command;
use super::export::Export;
use super::origin::Origin;
use super::pane_id::PaneId;
use super::plan_focus::PlanFocus;
use crate::engine::VisibleParts;
use crate::lesson::Lesson;
use crate::signal::drawing::Stroke;
use crate::signal::{PixelSize, ReadOptions, Sampling, Signal};
use crate::spectra::RecordingExtent;
use crate::transforms::Scheme;
use std::sync::Arc;

/// An action that runs after the panes are drawn.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Action {
    /// Runs a command.
    Run(Command),
    /// Runs a command in a pane.
    RunIn(PaneId, Command),
    /// Brings a pane to the front.
    Reveal(PaneId),
    /// Sets the origin of the signal.
    SetOrigin(Origin),
    /// Sets the transform of this name; the algorithm stays if it has it too.
    SetTransform(&'static str),
    /// Sets the scheme of the transform, and makes the polynomial that is shown one of it.
    SetScheme(Scheme),
    /// Sets the filter by the mask as the transform, so that its plan is drawn, timed and followed.
    FollowFilter,
    /// Shows the path to a value in the flow graph of the first few samples from this one on, in the layout for graphs.
    ShowPath { first: usize, index: usize },
    /// Sets a sampling that was typed; `None` goes back to that of the signal.
    SetSampling(Option<Sampling>),
    /// Sets a size of a pixel that was typed; `None` goes back to that of the image.
    SetPixelSize(Option<PixelSize>),
    /// Draws on the signal.
    Draw(Vec<Stroke>),
    /// Takes away all that is drawn on it.
    UndoDrawing,
    /// Reads the file of the signal in another way; the channel stays that of the same name.
    ReadAs(Box<ReadOptions>),
    /// Shows a source that is open.
    ShowSource(Origin),
    /// Closes one.
    CloseSource(Origin),
    /// Shows the stream.
    ShowStream,
    /// Closes it.
    CloseStream,
    /// Uses the current source where another one stands in.
    UseHere(Origin),
    /// Applies or clears what acts from an earlier source or run.
    PressChip(Chip, ChipPress),
    /// Writes the pixels of a pane that has no figure.
    ExportPixels(PaneId),
    /// Makes samples that are in memory a source.
    OpenSamples(Arc<Signal>),
    /// Writes a file.
    Export(Box<Export>),
    /// Shows an error.
    ShowError(String),
    /// Opens a lesson at the step where it was left.
    OpenLesson(&'static Lesson),
    /// Opens boxes of a recording.
    OpenBoxes(RecordingExtent),
    /// Goes to a step of the lesson.
    GoToStep(usize),
}

/// The output of the panes in a frame, which others read.
#[derive(Default)]
pub(super) struct PaneOutput {
    /// The part of the result that this frame shows; every visible pane writes its own.
    pub view: VisibleParts,
    /// Whether the pane has measured the samples itself, and shows no result of the engine.
    pub measures: bool,
    /// The step cursor and the lit node, which all views of the plan share.
    pub focus: PlanFocus,
    /// The launch under the pointer in the pane *Timing*; its box is lit in the flow graph.
    pub lit_launch: Option<usize>,
    /// Whether the pane is to export its figure; where it does not take this up, the frame exports what the pane has painted.
    pub exports: bool,
    /// The actions to run afterwards.
    pub actions: Vec<Action>,
    /// The read-out of the value under the pointer, for the status bar.
    pub read_out: String,
}
