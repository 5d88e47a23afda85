//! What a pane sees of the workspace during one frame, and what it may ask for.

use super::command::Command;
use super::export::Export;
use super::origin::Origin;
use super::remedy;
use super::settings::Settings;
use super::timing::History;
use crate::engine::{EngineError, Outcome, Picture, Report, View};
use crate::gpu::AdapterInfo;
use crate::plan::Direction;
use crate::signal::{Kind, Signal};
use crate::transforms::{Axes, Shape};
use std::sync::Arc;

/// What a pane asks the workspace to do once the frame is over.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Action {
    /// Runs a command.
    Run(Command),
    /// Takes another signal.
    SetOrigin(Origin),
    /// Writes a file.
    Export(Box<Export>),
    /// Says what went wrong.
    ShowError(String),
}

/// What a pane sees and sets.
pub(super) struct Scene<'a> {
    /// Everything that the user set.
    pub settings: &'a mut Settings,
    /// What is transformed, once it is there.
    pub signal: Option<&'a Arc<Signal>>,
    /// What it is convolved with, where the transform takes two signals, once it is there.
    pub second: Option<&'a Arc<Signal>>,
    /// A small picture of the first one.
    pub preview: Option<&'a Arc<Picture>>,
    /// The newest report of the engine; while it computes, only the source in it is new.
    pub report: Option<&'a Arc<Report>>,
    /// The newest report that has an outcome.
    pub finished: Option<&'a Arc<Report>>,
    /// The adapters of this machine, once they are known.
    pub adapters: &'a [AdapterInfo],
    /// What of the result this frame shows; every visible pane writes its part.
    pub view: &'a mut View,
    /// Whether the report has been out of date for a while.
    pub stale: bool,
    /// The runs so far.
    pub history: &'a History,
    /// The launch under the pointer in the pane *Timing*; its box is lit in the flow graph.
    pub lit_launch: &'a mut Option<usize>,
    /// What is to be done afterwards.
    pub actions: &'a mut Vec<Action>,
    /// What of the result is under the pointer, for the status bar.
    pub read_out: &'a mut String,
}

impl<'a> Scene<'a> {
    /// What the newest job came to.
    pub(super) fn outcome(&self) -> Option<&'a Arc<Outcome>> {
        self.finished.and_then(|report| report.outcome())
    }

    /// Shape of the newest result, or of the one that is being computed first, and the axes along which its transform acts.
    pub(super) fn shape(&self) -> Option<(Shape, Axes)> {
        let expected = || {
            let signal = self.signal.filter(|_| self.error().is_none())?;
            let (transform, shape) = (self.settings.transform(), Shape { rows: signal.rows, columns: signal.columns });
            let parameters = transform.within_lines(shape, self.settings.parameters);
            Some((transform.result_shape(shape, parameters), transform.axes(parameters)))
        };
        self.outcome().map(|outcome| (outcome.shape, outcome.axes)).or_else(expected)
    }

    /// Number of values after which the spectrum of a row repeats, or of a column where those are transformed: of half a spectrum more than it has.
    pub(super) fn period(&self, shape: Shape, axes: Axes) -> usize {
        let is_half = self.settings.transform().is_half() && self.settings.parameters.direction == Direction::Forward;
        let signal = self.signal.filter(|_| is_half);
        match axes {
            Axes::Columns => signal.map_or(shape.rows, |signal| signal.rows),
            Axes::Rows | Axes::Both => signal.map_or(shape.columns, |signal| signal.columns),
        }
    }

    /// In what frequencies count that are not told in hertz, along rows or down columns.
    pub(super) fn cycles(&self, axes: Axes, is_along_rows: bool) -> &'static str {
        match self.signal.map_or(Kind::Picture, |signal| signal.kind) {
            Kind::Picture => "cycles per pixel",
            Kind::Lines if axes == Axes::Both && !is_along_rows => "cycles per line",
            Kind::Lines => "cycles per sample",
        }
    }

    /// Why the newest job has no result.
    pub(super) fn error(&self) -> Option<&'a EngineError> {
        self.finished.and_then(|report| report.outcome.as_ref()).and_then(|outcome| outcome.as_ref().err())
    }

    /// What an empty pane says: why there is no result, or else `waiting`.
    pub(super) fn empty_text(&self, waiting: &str) -> String {
        self.error().map_or(waiting.into(), remedy::in_words)
    }

    /// Whether the newest report is of the signal that is set now.
    pub(super) fn is_of_this_signal(&self) -> bool {
        match (self.report, self.signal) {
            (Some(report), Some(signal)) => Arc::ptr_eq(&report.request.job.signal, signal),
            _ => false,
        }
    }
}
