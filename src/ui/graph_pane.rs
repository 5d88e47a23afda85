//! The pane *Flow graph*: it draws the plan of the newest run, or a miniature of a plan that is too large.

use super::action::Action;
use super::canvas::ZoomTo;
use super::command::Command;
use super::drawn_plan::{DrawnPlan, GraphFrame};
use super::export::Export;
use super::flow_graph::{FlowGraphView, GraphContent, SharedFocus};
use super::origin::Origin;
use super::pane::{Pane, PaneInfo};
use super::pane_id::PaneId;
use super::scene::Scene;
use super::settings::{Settings, drawn_channel};
use super::shown::{Results, ShownJob};
use super::widgets;
use crate::graph::{GraphFormat, GraphOptions, GraphRequest, GraphStyle, MOST_DATA_BYTES, data_bytes};
use crate::numerals::integer;
use crate::plan::{LaneValue, Plan};
use crate::schedule::Schedule;
use crate::signal::drawing::{Drawing, Stroke};
use crate::signal::generate::Generator;
use crate::signal::{ChannelChoice, Signal};
use crate::transforms::{Input, Numbers, transform};
use egui::Ui;
use num_complex::Complex64;
use serde_json::Value;

/// The entry in the list of panes.
pub(super) static PANE: PaneInfo = PaneInfo {
    help: &[
        "The plan that ran: lanes from left to right, one column for each stage, frames around launches and tiles.",
        "Solid edges add, dashed edges subtract, dotted edges carry other coefficients.",
        "Change a sample, or drag an input node up and down: everything that depends on it lights up. The arrow keys pick a neighbouring node.",
        "Hover a node for its formula and its cone, and click to pin it. The wheel zooms, dragging pans, and a box drawn with the right button zooms into it.",
    ],
    empty: "The flow graph appears here once a transform has run",
    keys: &[Command::Fit, Command::ActualPixels, Command::ZoomIn, Command::ZoomOut, Command::Play, Command::StepForward, Command::StepBack],
    ..PaneInfo::new("FlowGraph", "Flow graph", |_| Box::<GraphPane>::default())
};

/// The pane *Flow graph*.
#[derive(Default)]
pub(super) struct GraphPane {
    view: FlowGraphView,
    drawn: Option<DrawnPlan>,
}

impl Pane for GraphPane {
    fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        let (shown, hidden, out) = (scene.shown(), scene.learn.hidden_parts(false), &mut *scene.out);
        let drawing = scene.settings.drawing();
        let Settings { origin, algorithm, beside, .. } = &mut *scene.settings;
        let Some((job, outcome)) = shown.results.run() else {
            return widgets::empty_state(ui, &shown.results.empty_text(PANE.empty));
        };
        let Some(drawn) = DrawnPlan::of(self.drawn.take(), job, outcome) else {
            return no_plan_ui(ui, shown.results, algorithm, "flow graph");
        };
        let (this, focus) = (PaneId::of(&PANE), &mut out.focus);
        let (lit, path) = (focus.lit_elsewhere(this), focus.path_elsewhere(this));
        let shared = SharedFocus { n_run: focus.n_run, pinned: focus.pinned, lit, path };
        let Some(content) = drawn.content(job, outcome, GraphFrame { shared, lit: out.lit_launch, is_second: false, hidden }) else {
            return widgets::empty_state(ui, TOO_LARGE);
        };
        let samples = input_samples(&shown, (origin, &drawing), content.plan);
        let content = GraphContent { samples: samples.as_deref(), ..content };
        self.view.order_export(&mut out.exports);
        self.view.has_second = Some(beside.is_some());
        let export = self.view.ui(ui, &content);
        // A view that begins anew has forgotten it.
        if self.view.has_second.is_some_and(|has_second| has_second != beside.is_some()) {
            out.actions.push(Action::Run(Command::CompareGraphs));
        }
        if let Some(((lane, value), signal)) = self.view.take_changed_sample().zip(shown.signal) {
            out.actions.push(Action::Draw(strokes(signal, shown.channel, lane, value)));
        }
        let is_miniature = drawn.miniature.is_some();
        if let Some((n_run, pinned)) = self.view.take_moved() {
            focus.n_run = drawn.n_run(n_run, content.plan.stages.len());
            if !is_miniature && pinned != focus.pinned {
                focus.pin(pinned);
            }
        }
        if !is_miniature {
            focus.light(this, self.view.hovered());
            focus.light_path(this, self.view.hovered_edge());
            if let Some(words) = self.view.hovered_edge().and_then(|edge| self.view.words(edge)) {
                out.read_out = words;
            }
        }
        // A narrow pane has no room for the card. What is under the pointer in another pane comes first.
        if let Some(formula) = self.view.formula().filter(|_| !hidden.results && out.read_out.is_empty()) {
            out.read_out = formula;
        }
        if let Some(export) = export {
            out.actions.extend(exported(&self.view, export, &drawn));
        }
        self.drawn = Some(drawn);
    }

    fn zoom(&mut self, _zoom: ZoomTo) {
        self.view.fit();
    }

    fn kept(&self) -> Value {
        self.view.kept()
    }

    fn restore(&mut self, kept: &Value) {
        self.view.restore(kept);
    }

    fn cancel(&mut self) -> bool {
        self.view.unpin()
    }

    fn play(&mut self, command: Command, now: f64) {
        match command {
            Command::StepForward => self.view.step_forward(),
            Command::StepBack => self.view.step_back(),
            _ => self.view.toggle_play(now),
        }
    }
}

/// The samples where each is the input of a lane of the plan: the newest ones that were typed or drawn.
fn input_samples(shown: &ShownJob<'_>, (origin, drawing): (&Origin, &Drawing), plan: &Plan) -> Option<Vec<Complex64>> {
    let loaded = shown.signal?;
    if !shown.preparation.is_none() || shown.transform.input != Input::Signal {
        return None;
    }
    let samples = match origin {
        Origin::Generator(Generator::Typed(typed)) => typed.signal().ok()?.samples_complex64(ChannelChoice::default()),
        _ if loaded.rows * loaded.columns == plan.inputs => drawing.applied(loaded).samples_complex64(shown.channel),
        _ => return None,
    };
    samples.ok().filter(|samples| samples.len() == plan.inputs)
}

/// The strokes that set a sample: its value, and where numbers are complex its imaginary part.
fn strokes(signal: &Signal, channel: ChannelChoice, lane: usize, value: Complex64) -> Vec<Stroke> {
    let at = [lane % signal.columns, lane / signal.columns];
    let re = Stroke::point(drawn_channel(channel, signal), at, value.re);
    let im = Stroke { values: [value.im; 2], imaginary: true, ..re };
    if signal.is_complex_in(channel) { vec![re, im] } else { vec![re] }
}

/// The note on a plan without a miniature.
pub(super) const TOO_LARGE: &str = "This plan is too large to be drawn";

/// The graph that a view shows as a file.
pub(super) fn exported(view: &FlowGraphView, how: (GraphFormat, GraphStyle), drawn: &DrawnPlan) -> Option<Action> {
    let values = drawn.values.as_ref().map(|values| values.shown().clone());
    let is_shrunk = drawn.miniature.as_ref().is_some_and(|miniature| miniature.is_shrunk);
    let run = is_shrunk.then_some((&*drawn.plan, &*drawn.schedule));
    Some(export_of(view.request()?, how, values, run))
}

/// The graph that is shown as a file; where it is only a miniature of a `run`, data are those of the run.
fn export_of(
    request: &GraphRequest,
    (format, style): (GraphFormat, GraphStyle),
    values: Option<Vec<Vec<LaneValue>>>,
    run: Option<(&Plan, &Schedule)>,
) -> Action {
    let options = GraphOptions { style, has_values: false, ..request.options.clone() };
    // Textbooks print the graph alone.
    let values = values.filter(|_| style == GraphStyle::Launches);
    match run.filter(|_| format == GraphFormat::Json) {
        Some((plan, schedule)) => export_of_run(&options, plan, schedule),
        None => Action::Export(Box::new(Export::Graph { format, request: GraphRequest { options, ..request.clone() }, values })),
    }
}

/// The plan that ran as data, or why it is too large.
fn export_of_run(options: &GraphOptions, plan: &Plan, schedule: &Schedule) -> Action {
    let n_bytes = data_bytes(plan);
    if n_bytes > MOST_DATA_BYTES {
        let (wanted, most) = (integer(n_bytes >> 20), MOST_DATA_BYTES >> 20);
        return Action::ShowError(format!(
            "The flow graph takes about {wanted} MiB as data, and {most} MiB are the most; take a shorter signal"
        ));
    }
    let options = GraphOptions { original: None, ..options.clone() };
    let request = GraphRequest { plan: plan.clone(), schedule: schedule.clone(), options };
    Action::Export(Box::new(Export::Graph { format: GraphFormat::Json, request, values: None }))
}

/// Says why there is no flow graph, or whatever else follows from a plan, and offers an algorithm that has one.
pub(super) fn no_plan_ui(ui: &mut Ui, results: Results<'_>, chosen: &mut Option<String>, what: &str) {
    let Some((job, outcome)) = results.run() else { return };
    let text = format!("{} has no plan, so it has no {what}.", outcome.algorithm);
    let Ok(transform) = transform(job.transform) else { return widgets::empty_state(ui, &text) };
    let shape = if transform.gives == Numbers::HalfSpectrum { job.shape() } else { outcome.shape };
    let algorithm = transform.first_plan_for(shape, outcome.parameters);
    let about = format!("{}. Undo brings the old choice back", algorithm.about);
    if widgets::offer(ui, &text, &format!("Take {}", algorithm.name), &about) {
        *chosen = Some(algorithm.name.into());
    }
}
