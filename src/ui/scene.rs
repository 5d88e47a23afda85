//! The scene of a frame: the data that a pane reads and sets, and the actions that it can ask for.

use super::command::Command;
use super::export::Export;
use super::learn::LearnMemory;
use super::origin::Origin;
use super::pane_id::PaneId;
use super::plan_focus::PlanFocus;
use super::run_history::RunHistory;
use super::settings::Settings;
use super::source_tabs::SourceTabs;
use crate::engine::{EngineError, Job, Loss, Outcome, RenderedImage, Report, VisibleParts};
use crate::gpu::AdapterInfo;
use crate::lesson::Lesson;
use crate::plan::Direction;
use crate::signal::{Axis, PixelSize, Sampling, Signal, SignalKind, TableOptions};
use crate::transforms::{Axes, Numbers, Shape};
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
    /// Reads the table of the signal in another way; the channel stays that of the same name.
    ReadTable(Box<TableOptions>),
    /// Shows a signal that is open.
    ShowTab(usize),
    /// Closes one.
    CloseTab(usize),
    /// Writes the pixels of a pane that has no figure.
    ExportPixels(PaneId),
    /// Writes a file.
    Export(Box<Export>),
    /// Shows an error.
    ShowError(String),
    /// Opens a lesson at the step where it was left.
    OpenLesson(&'static Lesson),
    /// Goes to a step of the lesson.
    GoToStep(usize),
}

/// The data that a pane reads and sets.
pub(super) struct Scene<'a> {
    /// The settings of the user.
    pub settings: &'a mut Settings,
    /// The signals that are open.
    pub tabs: &'a SourceTabs,
    /// The signal, once it is loaded.
    pub signal: Option<&'a Arc<Signal>>,
    /// The second signal of a convolution, once it is loaded.
    pub second: Option<&'a Arc<Signal>>,
    /// A small image of the first signal.
    pub preview: Option<&'a Arc<RenderedImage>>,
    /// The newest report of the engine; during a computation only the source in it is new.
    pub report: Option<&'a Arc<Report>>,
    /// The newest report with an outcome.
    pub finished: Option<&'a Arc<Report>>,
    /// The newest report, where its job has no result.
    pub failed: Option<&'a Arc<Report>>,
    /// The adapters of this machine, once they are known.
    pub adapters: &'a [AdapterInfo],
    /// The part of the result that this frame shows; every visible pane writes its own.
    pub view: &'a mut VisibleParts,
    /// Whether the result has been out of date for a while.
    pub stale: bool,
    /// The times of the runs so far.
    pub history: &'a RunHistory,
    /// The launch under the pointer in the pane *Timing*; its box is lit in the flow graph.
    pub lit_launch: &'a mut Option<usize>,
    /// The step cursor and the lit node, which all views of the plan share.
    pub focus: &'a mut PlanFocus,
    /// Which lesson is open, and what was read.
    pub learn: &'a mut LearnMemory,
    /// Whether the settings differ from those of the lesson's step.
    pub has_left_step: bool,
    /// The actions to run afterwards.
    pub actions: &'a mut Vec<Action>,
    /// The read-out of the value under the pointer, for the status bar.
    pub read_out: &'a mut String,
}

impl<'a> Scene<'a> {
    /// Whether the newest result has finite values alone, though pictures may not show them.
    pub(super) fn is_finite(&self) -> bool {
        let is_infinite = |loss: &Loss| matches!(loss, Loss::NotFinite { .. } | Loss::TooLarge { .. });
        self.outcome().is_some_and(|outcome| !outcome.losses.iter().any(is_infinite))
    }

    /// The outcome of the newest finished job.
    pub(super) fn outcome(&self) -> Option<&'a Arc<Outcome>> {
        self.finished.and_then(|report| report.outcome())
    }

    /// Shape of the newest result (rows x columns), or of the first one while it is computed, and the axes of its transform.
    pub(super) fn shape(&self) -> Option<(Shape, Axes)> {
        let expected = || {
            let signal = self.signal.filter(|_| self.error().is_none())?;
            let (transform, shape) = (self.settings.transform(), self.settings.prepared_shape(signal));
            let parameters = transform.within_lines(shape, self.settings.parameters);
            Some((transform.result_shape(shape, parameters), transform.axes(parameters)))
        };
        self.outcome().map(|outcome| (outcome.shape, outcome.axes)).or_else(expected)
    }

    /// Number of values after which the spectrum of a row (or of a transformed column) repeats. A half spectrum has fewer values than that.
    pub(super) fn period(&self, shape: Shape, axes: Axes) -> usize {
        let is_half = self.settings.transform().gives == Numbers::HalfSpectrum && self.settings.parameters.direction == Direction::Forward;
        let prepared = self.signal.filter(|_| is_half).map(|signal| self.settings.prepared_shape(signal));
        match axes {
            Axes::Columns => prepared.map_or(shape.rows, |shape| shape.rows),
            Axes::Rows | Axes::Both => prepared.map_or(shape.columns, |shape| shape.columns),
        }
    }

    /// The unit of frequencies without a sample rate, along rows or columns.
    pub(super) fn cycles(&self, axes: Axes, is_along_rows: bool) -> &'static str {
        match self.signal.map_or(SignalKind::Image, |signal| signal.kind) {
            SignalKind::Image => "cycles per pixel",
            SignalKind::Rows if axes == Axes::Both && !is_along_rows => "cycles per line",
            SignalKind::Rows => "cycles per sample",
        }
    }

    /// How the samples of a row follow each other, where it is known.
    pub(super) fn sampling(&self) -> Option<Sampling> {
        self.signal.and_then(|signal| self.settings.sampling(signal))
    }

    /// When or where the samples of a row were taken, where it is known.
    pub(super) fn axis(&self) -> Option<Axis> {
        self.signal.and_then(|signal| self.settings.axis(signal))
    }

    /// The size of a pixel of the image, where it is known.
    pub(super) fn pixel_size(&self) -> Option<PixelSize> {
        self.signal.and_then(|signal| self.settings.pixel_size(signal))
    }

    /// The error of the newest finished job.
    pub(super) fn error(&self) -> Option<&'a EngineError> {
        self.failed.and_then(|report| report.error())
    }

    /// The text of an empty pane.
    pub(super) fn empty_text(&self, waiting: &str) -> String {
        self.error().map_or(waiting.into(), |_| "There is no result: the pane Transform says why, and what helps".into())
    }

    /// The title of a view of the result, and the settings of the job, a line each.
    pub(super) fn title_and_notes(&self) -> (String, Vec<String>) {
        let settings = &*self.settings;
        let is_inverse = settings.parameters.direction == Direction::Inverse;
        let name = self.signal.map_or("", |signal| signal.name.as_str());
        let transform = settings.transform().title;
        // An example of a system has the name of its kind.
        let of = if transform == name { String::new() } else { format!(" of {name}") };
        let title = format!("{}{transform}{of}", if is_inverse { "Inverse of " } else { "" });
        let signal = self.signal.map(|signal| format!("{name}: {}", self.settings.description(signal)));
        let run = self.outcome().map(|outcome| {
            let formula = settings.transform().formula_of(settings.parameters.direction);
            format!("{} by {} on {}: {formula}", settings.transform, outcome.algorithm, outcome.device)
        });
        let prepared =
            self.outcome().and_then(|outcome| outcome.preparation).map(|facts| format!("prepared: {}", facts.steps().join("; ")));
        (title, signal.into_iter().chain(prepared).chain(run).collect())
    }

    /// The job that is set, once the engine has answered it: studies read what is shown.
    pub(super) fn answered_job(&self) -> Option<Job> {
        let answered = &self.failed.or(self.finished)?.request.job;
        let second = answered.second.clone();
        (Job { second, ..self.settings.job(self.signal?) } == *answered).then(|| answered.clone())
    }

    /// Whether the newest report belongs to the current signal.
    pub(super) fn is_of_this_signal(&self) -> bool {
        match (self.report, self.signal) {
            (Some(report), Some(signal)) => Arc::ptr_eq(&report.request.job.signal, signal),
            _ => false,
        }
    }
}
