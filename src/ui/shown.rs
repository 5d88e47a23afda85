//! The state that panes read: the signal, the job, and the results of the engine.

use super::plan_focus::PlanFocus;
use super::settings::description;
use crate::engine::{EngineError, Job, Loss, Outcome, Report, is_drawn};
use crate::graph::GraphNode;
use crate::plan::Direction;
use crate::prepare::Preparation;
use crate::signal::{Axis, ChannelChoice, PixelSize, Sampling, Signal, SignalKind, short_name};
use crate::transforms::{Axes, Input, Numbers, Parameters, ResultIndex, Shape, Transform};
use std::sync::Arc;

/// The results of the engine.
#[derive(Clone, Copy)]
pub(super) struct Results<'a> {
    /// The newest report of the engine; during a computation only the source in it is new.
    pub report: Option<&'a Arc<Report>>,
    /// The newest report with an outcome.
    pub finished: Option<&'a Arc<Report>>,
    /// The newest report, where its job has no result.
    pub failed: Option<&'a Arc<Report>>,
    /// Whether the result has been out of date for a while.
    pub stale: bool,
}

impl<'a> Results<'a> {
    /// The newest finished job, and its outcome.
    pub(super) fn run(self) -> Option<(&'a Job, &'a Arc<Outcome>)> {
        let report = self.finished?;
        Some((&report.request.job, report.outcome()?))
    }

    /// The outcome of the newest finished job.
    pub(super) fn outcome(self) -> Option<&'a Arc<Outcome>> {
        self.run().map(|(_, outcome)| outcome)
    }

    /// The error of the newest finished job.
    pub(super) fn error(self) -> Option<&'a EngineError> {
        self.failed.and_then(|report| report.error())
    }

    /// Whether the newest result has finite values alone, though pictures may not show them.
    pub(super) fn is_finite(self) -> bool {
        let is_infinite = |loss: &Loss| matches!(loss, Loss::NotFinite { .. } | Loss::TooLarge { .. });
        self.outcome().is_some_and(|outcome| !outcome.losses.iter().any(is_infinite))
    }

    /// The text of an empty pane.
    pub(super) fn empty_text(self, waiting: &str) -> String {
        self.error().map_or(waiting.into(), |_| "There is no result: the pane Transform says why, and what helps".into())
    }

    /// The node of the flow graph that holds the result at a row and column.
    pub(super) fn node_at(self, [row, column]: [usize; 2]) -> Option<GraphNode> {
        let outcome = self.outcome()?;
        let plan = outcome.plan.as_ref().filter(|plan| is_drawn(plan))?;
        let index = row * outcome.shape.columns + column;
        let lane = (0..plan.outputs).find(|lane| plan.output.index(*lane) == index)?;
        Some(GraphNode { column: plan.stages.len(), lane })
    }

    /// Row and column of the result that a node of the flow graph holds.
    pub(super) fn place_of(self, node: GraphNode) -> Option<[usize; 2]> {
        let outcome = self.outcome()?;
        let plan = outcome.plan.as_ref().filter(|plan| node.column == plan.stages.len() && node.lane < plan.outputs)?;
        let index = plan.output.index(node.lane);
        Some([index / outcome.shape.columns, index % outcome.shape.columns])
    }

    /// Picks a coefficient for the pane *Coefficients*, and pins its path in the flow graph; picking it again takes both back.
    pub(super) fn pick(self, at: [usize; 2], picked: &mut Option<[usize; 2]>, focus: &mut PlanFocus) {
        *picked = (*picked != Some(at)).then_some(at);
        focus.pin(picked.and_then(|at| self.node_at(at)));
    }
}

/// The job that is set, and the results of it that are shown.
pub(super) struct ShownJob<'a> {
    /// The signal, once it is loaded.
    pub signal: Option<&'a Arc<Signal>>,
    /// The results of the engine.
    pub results: Results<'a>,
    /// The job that is set, once the engine has answered it: studies read what is shown.
    pub job: Option<&'a Job>,
    /// The transform.
    pub transform: &'static Transform,
    /// Its parameters.
    pub parameters: Parameters,
    /// The channel of the signal.
    pub channel: ChannelChoice,
    /// The preparation of the samples before the transform.
    pub preparation: Preparation,
    /// When or where the samples of a row were taken, where it is known.
    pub axis: Option<Axis>,
    /// The size of a pixel of the image, where it is known.
    pub pixel_size: Option<PixelSize>,
}

impl<'a> ShownJob<'a> {
    /// The unit of the samples, where it is known.
    pub(super) fn unit(&self) -> Option<&'a str> {
        self.signal?.channel(self.channel)?.unit.as_deref()
    }

    /// Whether samples are transformed to coefficients, and not back.
    pub(super) fn is_forward(&self) -> bool {
        self.parameters.direction == Direction::Forward
    }

    /// Whether the result has frequencies.
    pub(super) fn has_frequencies(&self) -> bool {
        self.transform.index == ResultIndex::Frequency && self.is_forward()
    }

    /// Whether the result is the spectrum of an image, on which markers can be pinned.
    pub(super) fn has_markers(&self) -> bool {
        self.transform.name == "dft2" && self.is_forward()
    }

    /// The shape of the samples after their preparation.
    pub(super) fn prepared_shape(&self, signal: &Signal) -> Shape {
        self.preparation.shape(Shape { rows: signal.rows, columns: signal.columns }, self.transform.axes(self.parameters))
    }

    /// Shape of the newest result (rows x columns), or of the first one while it is computed, and the axes of its transform.
    pub(super) fn shape(&self) -> Option<(Shape, Axes)> {
        let expected = || {
            let signal = self.signal.filter(|_| self.results.error().is_none())?;
            let shape = self.prepared_shape(signal);
            let parameters = self.transform.within_lines(shape, self.parameters);
            Some((self.transform.result_shape(shape, parameters), self.transform.axes(parameters)))
        };
        self.results.outcome().map(|outcome| (outcome.shape, outcome.axes)).or_else(expected)
    }

    /// Whether the result has several rows, or will have them.
    pub(super) fn has_rows(&self) -> bool {
        self.shape().is_none_or(|(shape, _)| shape.rows > 1)
    }

    /// Number of values after which the spectrum of a row (or of a transformed column) repeats. A half spectrum has fewer values than that.
    pub(super) fn period(&self, shape: Shape, axes: Axes) -> usize {
        let is_half = self.transform.gives == Numbers::HalfSpectrum && self.is_forward();
        let prepared = self.signal.filter(|_| is_half).map_or(shape, |signal| self.prepared_shape(signal));
        match axes {
            Axes::Columns => prepared.rows,
            Axes::Rows | Axes::Both => prepared.columns,
        }
    }

    /// The node of the flow graph that holds a sample, where samples enter the plan as they are.
    pub(super) fn node_of_sample(&self, index: usize) -> Option<GraphNode> {
        let plan = self.results.outcome()?.plan.as_ref().filter(|plan| is_drawn(plan) && index < plan.inputs);
        let is_plain = self.preparation.is_none() && self.transform.input != Input::Equations;
        plan.filter(|_| is_plain).map(|_| GraphNode { column: 0, lane: index })
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
        self.axis.as_ref()?.sampling()
    }

    /// The title of a view of the result, and the settings of the job, a line each.
    pub(super) fn title_and_notes(&self) -> (String, Vec<String>) {
        let transform = self.transform;
        let name = self.signal.map_or_else(String::new, |signal| short_name(&signal.name));
        // An example of a system has the name of its kind.
        let of = if transform.title == name { String::new() } else { format!(" of {name}") };
        let title = format!("{}{}{of}", if self.is_forward() { "" } else { "Inverse of " }, transform.title);
        let signal = self.signal.map(|signal| format!("{name}: {}", description(transform, signal)));
        let outcome = self.results.outcome();
        let run = outcome.map(|outcome| {
            let formula = transform.formula_of(self.parameters.direction);
            format!("{} by {} on {}: {formula}", transform.name, outcome.algorithm, outcome.device)
        });
        let prepared = outcome.and_then(|outcome| outcome.preparation).map(|facts| format!("prepared: {}", facts.steps().join("; ")));
        (title, signal.into_iter().chain(prepared).chain(run).collect())
    }

    /// The newest report, where it belongs to the current signal.
    pub(super) fn report_of_signal(&self) -> Option<&Report> {
        let report = self.results.report?;
        Some(&**report).filter(|report| self.signal.is_some_and(|signal| Arc::ptr_eq(&report.request.job.signal, signal)))
    }
}
