//! The pane *Second graph*: another plan of the same data beside the first, which steps with it, lights the same values and says what differs.

mod facts;

use super::action::{Action, PaneOutput};
use super::canvas::ZoomTo;
use super::drawn_plan::{DrawnPlan, GraphFrame};
use super::flow_graph::{FlowGraphView, SharedFocus};
use super::graph_pane::{TOO_LARGE, exported};
use super::learn::LearnMemory;
use super::pane::{Pane, PaneInfo, PaneServices};
use super::pane_id::PaneId;
use super::parameters::{Room, parameters_ui};
use super::plan_focus::PlanFocus;
use super::remedy;
use super::scene::Scene;
use super::sections::launches_ui;
use super::settings::{Beside, Settings};
use super::shown::{Results, ShownJob};
use super::studied::{Answer, Studied};
use super::toolbar::Toolbar;
use super::widgets;
use crate::engine::{BesideReport, BesideRequest, BesideStudy, Cut, Job, Outcome, RanPlan, Reply, is_drawn};
use crate::graph::{Counterparts, GraphNode, GraphOptions, GraphRequest, PlanOf, layout};
use crate::signal::Signal;
use crate::transforms::{Input, TRANSFORMS};
use egui::Ui;
use serde_json::Value;
use std::sync::Arc;

/// The entry in the list of panes.
pub(super) static PANE: PaneInfo = PaneInfo {
    help: &[
        "Another algorithm, transform, order or size for the same data, with its own values.",
        "It steps with the first graph. A node under the pointer lights the node of the other graph that holds the same value.",
        "Below the toolbar stands what differs, counted from both plans. Move lanes brings the lanes of the first graph to where this one has them.",
    ],
    empty: "The second graph appears here once its transform has run",
    has_content: |scene| scene.settings.beside.is_some(),
    ..PaneInfo::new("SecondGraph", "Second graph", |services| Box::new(SecondGraph::new(services)))
};

/// Sizes that the pane offers besides that of the signal.
const SIZES: [usize; 6] = [4, 8, 16, 32, 64, 128];

/// The pane.
struct SecondGraph {
    view: FlowGraphView,
    drawn: Option<DrawnPlan>,
    studied: Studied<BesideStudy>,
    /// The plan of the first graph, as it was sent to the worker.
    first: Option<RanPlan>,
    /// Stages of the first and of this graph that had run when the user moved the cursor here.
    step: Option<[usize; 2]>,
    /// The node that is pinned here and is in no node of the first graph.
    own_pin: Option<GraphNode>,
}

struct Fields<'a> {
    shown: ShownJob<'a>,
    beside: &'a mut Option<Beside>,
    algorithm: Option<&'a str>,
    cut: Cut,
    learn: &'a LearnMemory,
    out: &'a mut PaneOutput,
}

impl Pane for SecondGraph {
    fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        let (shown, second, learn, out) = (scene.shown(), scene.second, &*scene.learn, &mut *scene.out);
        let wanted = shown.signal.and_then(|signal| scene.settings.job_beside(signal));
        let Settings { beside, algorithm, cut, .. } = &mut *scene.settings;
        let fields = &mut Fields { shown, beside, algorithm: algorithm.as_deref(), cut: *cut, learn, out };
        if fields.beside.is_none() {
            return offer_ui(ui, fields);
        }
        let Some(request) = wanted.and_then(|job| self.request(job, second, fields.shown.results)) else {
            return widgets::empty_state(ui, &fields.shown.results.empty_text(PANE.empty));
        };
        let Some(Answer { reply, .. }) = self.studied.ask_ui(ui, Some(&request)) else { return widgets::empty_state(ui, PANE.empty) };
        if reply.request.job != request.job {
            ui.set_opacity(0.5);
        }
        match &reply.result.outcome {
            Ok(outcome) => self.graph_ui(ui, fields, &reply, outcome),
            Err(error) => {
                widgets::error(ui, &remedy::in_words(error));
                offer_ui(ui, fields);
            }
        }
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
}

impl SecondGraph {
    fn new(services: &PaneServices) -> Self {
        Self {
            view: FlowGraphView::default(),
            drawn: None,
            studied: Studied::new(&services.studies, BesideStudy::default),
            first: None,
            step: None,
            own_pin: None,
        }
    }

    /// The job that is set, with the plan that ran for the first graph; `None` before the second signal of a convolution is there.
    fn request(&mut self, mut job: Job, second: Option<&Arc<Signal>>, results: Results<'_>) -> Option<BesideRequest> {
        if crate::transforms::transform(job.transform).is_ok_and(|transform| transform.input == Input::TwoSignals) {
            job.second = Some(second?.clone());
        }
        if let Some((first, outcome)) = results.run()
            && let Some((plan, schedule)) = outcome.plan.clone().zip(outcome.schedule.clone())
        {
            let ran = RanPlan { transform: first.transform, plan, schedule };
            // A run with other samples makes an equal plan, which need not be compared in every frame.
            if self.first.as_ref() != Some(&ran) {
                self.step = None;
                self.first = Some(ran);
            }
        }
        Some(BesideRequest { job, first: self.first.clone() })
    }

    fn graph_ui(&mut self, ui: &mut Ui, fields: &mut Fields<'_>, reply: &Reply<BesideRequest, BesideReport>, outcome: &Arc<Outcome>) {
        let (report, job) = (&reply.result, &reply.request.job);
        let Some(drawn) = DrawnPlan::of(self.drawn.take(), job, outcome) else {
            return widgets::empty_state(ui, &format!("{} has no plan, so it has no flow graph", outcome.algorithm));
        };
        let (both, this) = (&*report.counterparts, PaneId::of(&PANE));
        let shared = self.shared(&fields.out.focus, both);
        let hidden = fields.learn.hidden_parts(true);
        let Some(content) = drawn.content(job, outcome, GraphFrame { shared, lit: None, is_second: true, hidden }) else {
            return widgets::empty_state(ui, TOO_LARGE);
        };
        let (first, learn) = (fields.shown.results.run(), fields.learn);
        let transforms = [first.map_or("", |(job, _)| job.transform), job.transform];
        let first = first.map(|(_, outcome)| outcome);
        self.view.order_export(&mut fields.out.exports);
        let mut moves = false;
        let controls = |bar: &mut Toolbar<'_>| {
            controls_ui(bar, fields, outcome);
            moves = drawn.miniature.is_none() && bar.item("move", move_ui) == Some(true);
        };
        let export = self.view.ui_with(ui, &content, controls, |ui| facts::ui(ui, first, report, transforms, learn));
        if moves {
            self.move_lanes(ui, &mut fields.out.actions, both);
        }
        // An answer from before the first plan ran knows none of its stages.
        let moved = self.view.take_moved().filter(|_| reply.request.first == self.first);
        if let Some((n_drawn, pinned)) = moved {
            let n_here = drawn.n_run(n_drawn, content.plan.stages.len());
            if n_here != shared.n_run {
                fields.out.focus.n_run = both.in_step(PlanOf::Second, n_here);
                self.step = Some([fields.out.focus.n_run, n_here]);
            }
            if pinned != shared.pinned {
                let in_first = pinned.and_then(|node| both.node(PlanOf::Second, node));
                self.own_pin = pinned.filter(|_| in_first.is_none());
                fields.out.focus.pin(in_first);
            }
        }
        fields.out.focus.light(this, self.view.hovered().and_then(|node| both.node(PlanOf::Second, node)));
        if let Some(formula) = self.view.formula().filter(|_| self.view.hovered().is_some() && !hidden.results) {
            fields.out.read_out = formula;
        }
        if let Some(export) = export {
            fields.out.actions.extend(exported(&self.view, export, &drawn));
        }
        self.drawn = Some(drawn);
    }

    /// Moves the lanes from where the first graph has them.
    fn move_lanes(&mut self, ui: &Ui, actions: &mut Vec<Action>, both: &Counterparts) {
        let Some(RanPlan { plan, schedule, .. }) = self.first.as_ref().filter(|first| is_drawn(&first.plan)) else { return };
        let request = GraphRequest { plan: (**plan).clone(), schedule: (**schedule).clone(), options: GraphOptions::default() };
        if !self.view.move_from(ui, &layout(request), both) {
            actions.push(Action::ShowError("The two graphs have other butterflies, so no lane of one becomes a lane of the other".into()));
        }
    }

    /// The cursor and the lit nodes of the first graph, as they are in this one.
    fn shared(&mut self, focus: &PlanFocus, both: &Counterparts) -> SharedFocus {
        let n_run = match self.step {
            Some([first, here]) if first == focus.n_run => here,
            _ => both.in_step(PlanOf::First, focus.n_run),
        };
        let here = |node| both.node(PlanOf::First, node);
        if focus.pinned.is_some() {
            self.own_pin = None;
        }
        let lit = focus.lit_elsewhere(PaneId::of(&PANE)).and_then(here);
        SharedFocus { n_run, pinned: focus.pinned.and_then(here).or(self.own_pin), lit, path: None }
    }
}

/// The button that moves the lanes; returns whether it was clicked.
fn move_ui(ui: &mut Ui) -> bool {
    let has_motion = ui.style().animation_time > 0.0;
    let button = ui.add_enabled(has_motion, egui::Button::new("Move lanes"));
    let about = "Moves the lanes from where the first graph has them to where this one has them";
    button.on_hover_text(about).on_disabled_hover_text("Motion is switched off").clicked()
}

/// Offers a second graph where none is set.
fn offer_ui(ui: &mut Ui, fields: &mut Fields<'_>) {
    let partner = Beside::partner_of(fields.shown.transform, fields.algorithm);
    let name = partner.algorithm.clone().unwrap_or_else(|| "the same".into());
    let text = "Another algorithm for the same data stands here, steps with the first graph, and shows what differs.";
    if widgets::offer(ui, text, &format!("Show {name}"), "Sets the second graph; undo takes it away") {
        *fields.beside = Some(partner);
    }
}

/// The choice of transform and algorithm; order, size and the end of the comparison are under *More*.
fn controls_ui(bar: &mut Toolbar<'_>, fields: &mut Fields<'_>, outcome: &Outcome) {
    let (first, parameters_of_first) = (fields.shown.transform, fields.shown.parameters);
    let Some(mut beside) = fields.beside.clone() else { return };
    let transform = beside.transform_or(first);
    bar.item("algorithm", |ui| {
        let automatic = (None, "Automatic".to_owned(), "The fastest for this size and device".to_owned());
        let plans = transform.algorithms.iter().filter(|algorithm| algorithm.plan_fn().is_some());
        let named = plans.map(|algorithm| (Some(algorithm.name.to_owned()), algorithm.name.to_owned(), algorithm.about.to_owned()));
        let choices = std::iter::once(automatic).chain(named);
        widgets::combo_of_width(ui, "Second algorithm", 150.0, outcome.algorithm, &mut beside.algorithm, choices);
    });
    bar.item("transform", |ui| {
        let same = (None, format!("Same ({})", first.name), "The transform of the first graph".to_owned());
        let all = TRANSFORMS.iter().map(|other| (Some(other.name.to_owned()), other.title.to_owned(), other.about.to_owned()));
        let shown = beside.transform.clone().unwrap_or_else(|| "Same transform".into());
        widgets::combo_of_width(ui, "Second transform", 120.0, shown, &mut beside.transform, std::iter::once(same).chain(all));
    });
    bar.rare("size", |ui| {
        let all = (None, "All samples".to_owned(), "The size of the first graph".to_owned());
        let sizes = SIZES.map(|n| (Some(n), format!("{n} samples"), "The first samples; zeros follow the last one".to_owned()));
        let shown = beside.size.map_or_else(|| "All samples".into(), |n| format!("{n} samples"));
        widgets::combo_of_width(ui, "Second size", 120.0, shown, &mut beside.size, std::iter::once(all).chain(sizes));
    });
    bar.rare("parameters", |ui| {
        ui.vertical(|ui| {
            let mut parameters = beside.parameters.unwrap_or(parameters_of_first);
            parameters_ui(ui, &mut parameters, transform, Room::default());
            if parameters != beside.parameters.unwrap_or(parameters_of_first) {
                beside.parameters = Some(parameters);
            }
        });
    });
    bar.rare("launches", |ui| {
        ui.vertical(|ui| {
            let mut cut = beside.cut.unwrap_or(fields.cut);
            let algorithm = transform.algorithm(outcome.algorithm).ok();
            let has_schedule = Some(outcome.schedule.is_some());
            launches_ui(ui, &mut cut, transform, (algorithm, beside.algorithm.is_some()), (None, has_schedule));
            if cut != beside.cut.unwrap_or(fields.cut) {
                beside.cut = Some(cut);
            }
        });
    });
    let closes = bar.rare("close", |ui| ui.button("No second graph").on_hover_text("Shows the first graph alone").clicked());
    if closes == Some(true) {
        *fields.beside = None;
    } else {
        *fields.beside = Some(beside);
    }
}
