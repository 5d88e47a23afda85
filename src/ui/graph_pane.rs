//! The pane *Flow graph*: the plan of the newest run up to 64 lanes, beyond that a labelled miniature by the same constructor.

use super::canvas::ZoomTo;
use super::command::Command;
use super::export::Export;
use super::flow_graph::{Content, FlowGraphPane, Values};
use super::pane::{Pane, PaneInfo};
use super::scene::{Action, Scene};
use super::theme::{GRID, Tokens};
use super::widgets;
use crate::engine::{Cut, DRAWN_LANES, Job, LaneValues, Outcome};
use crate::plan::Plan;
use crate::schedule::{Schedule, SplitAndMerge, Threads, Tile};
use crate::transforms::{Axes, Parameters, Shape, transform};
use egui::{RichText, Ui};
use std::sync::Arc;

/// Lanes of a miniature: enough for the structure, few enough to read every edge.
const MINIATURE: usize = 16;
/// The same where the length is no power of two, so that more than one stage is left of mixed radices.
const MIXED_MINIATURE: usize = 32;

/// The entry in the list of panes.
pub(super) static PANE: PaneInfo = PaneInfo {
    name: "FlowGraph",
    title: "Flow graph",
    help: &[
        "The plan that ran: lanes from left to right, a column a stage, boxes round launches and tiles.",
        "Solid edges add, dashed edges subtract, chips carry other coefficients.",
        "Hover a node for its formula and its cone, click to pin; wheel zooms, drag pans, right-drag boxes.",
    ],
    empty: "The flow graph appears here once something was computed",
    shows_result: false,
    keys: &[Command::Fit, Command::ActualPixels, Command::ZoomIn, Command::ZoomOut, Command::Play, Command::StepForward, Command::StepBack],
    create: |_| Box::<GraphPane>::default(),
};

/// The pane *Flow graph*.
#[derive(Default)]
pub(super) struct GraphPane {
    pane: FlowGraphPane,
    drawn: Option<Drawn>,
}

/// The plan that is drawn, made once an outcome.
struct Drawn {
    of: Arc<Plan>,
    cut: Arc<Schedule>,
    miniature: Option<(Plan, Schedule)>,
    values: Option<Arc<LaneValues>>,
}

impl Pane for GraphPane {
    fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        let (Some(outcome), Some(job)) = (scene.outcome(), scene.finished.map(|report| &report.request.job)) else {
            return widgets::empty_state(ui, &scene.empty_text(PANE.empty));
        };
        let (Some(plan), Some(schedule)) = (&outcome.plan, &outcome.schedule) else {
            return no_plan_ui(ui, scene, job, outcome);
        };
        let drawn = self.drawn.take().filter(|drawn| Arc::ptr_eq(&drawn.of, plan) && Arc::ptr_eq(&drawn.cut, schedule));
        let mut drawn = drawn.unwrap_or_else(|| Drawn {
            of: plan.clone(),
            cut: schedule.clone(),
            miniature: if plan.lanes > DRAWN_LANES { miniature(job, outcome, plan, schedule) } else { None },
            values: None,
        });
        // New samples give new values for the same plan.
        drawn.values = outcome.values.clone();
        let title = format!("{}, {}", job.transform, outcome.algorithm);
        let values = drawn.values.as_ref().map(|values| Values { device: Some(&values.device), reference: Some(&values.reference) });
        let content = match &drawn.miniature {
            Some((small, cut)) => Content {
                plan: small,
                schedule: cut,
                transform: job.transform,
                algorithm: outcome.algorithm,
                title: &title,
                miniature_of: Some((plan, schedule)),
                launch_micros: None,
                lit: scene.lit_launch.filter(|_| cut.launches.len() == schedule.launches.len()),
                values: None,
            },
            None if plan.lanes > DRAWN_LANES => return widgets::empty_state(ui, "This plan is too large to be drawn"),
            None => Content {
                plan,
                schedule,
                transform: job.transform,
                algorithm: outcome.algorithm,
                title: &title,
                miniature_of: None,
                launch_micros: Some(&outcome.newest_times().launch_micros),
                lit: *scene.lit_launch,
                values,
            },
        };
        if let Some(format) = self.pane.ui(ui, &content)
            && let Some(request) = self.pane.request()
        {
            let values = drawn.values.as_ref().map(|values| values.device.clone());
            scene.actions.push(Action::Export(Box::new(Export::Graph { format, request: request.clone(), values })));
        }
        self.drawn = Some(drawn);
    }

    fn zoom(&mut self, _zoom: ZoomTo) {
        self.pane.fit();
    }

    fn play(&mut self, command: Command, now: f64) {
        match command {
            Command::StepForward => self.pane.step_forward(),
            Command::StepBack => self.pane.step_back(),
            _ => self.pane.toggle_play(now),
        }
    }
}

/// Why there is no flow graph, and the way to one.
fn no_plan_ui(ui: &mut Ui, scene: &mut Scene<'_>, job: &Job, outcome: &Outcome) {
    ui.add_space(2.0 * GRID);
    let color = Tokens::current(ui).weak;
    let text = format!("{} is no plan and has no flow graph.", outcome.algorithm);
    ui.add(egui::Label::new(RichText::new(text).color(color)).wrap());
    let Ok(transform) = transform(job.transform) else { return };
    let shape = if transform.is_half() { Shape { rows: job.signal.rows, columns: job.signal.columns } } else { outcome.shape };
    let algorithm = transform.first_plan_for(shape, outcome.parameters);
    let button = ui.button(format!("Take {}", algorithm.name));
    if button.on_hover_text(format!("{}. Undo brings the old choice back", algorithm.about)).clicked() {
        scene.settings.algorithm = Some(algorithm.name.into());
    }
}

/// The same constructor at a few lanes, cut in the same proportion.
fn miniature(job: &Job, outcome: &Outcome, plan: &Plan, schedule: &Schedule) -> Option<(Plan, Schedule)> {
    let transform = transform(job.transform).ok()?;
    let build = transform.algorithm(outcome.algorithm).ok()?.plan_fn()?;
    // What half a spectrum belongs to says which way was taken.
    let input = Shape { rows: job.signal.rows, columns: job.signal.columns };
    let whole = if transform.is_half() { input } else { outcome.shape };
    let is_power = whole.rows.is_power_of_two() && whole.columns.is_power_of_two();
    let lanes = if is_power { MINIATURE } else { MIXED_MINIATURE };
    let shape = match outcome.axes {
        Axes::Columns => {
            let column = transform.miniature(whole.transposed(), lanes / 2);
            Shape { rows: column.columns, columns: whole.columns.min(2) }
        }
        Axes::Rows | Axes::Both => transform.miniature(whole, lanes),
    };
    let tile = schedule.launches.iter().filter_map(|launch| match launch.tile {
        Tile::Block { lanes } => Some(lanes),
        Tile::Each
        | Tile::Patch { .. }
        | Tile::Strided { .. }
        | Tile::Spread { .. }
        | Tile::Cone { .. }
        | Tile::Partition { .. }
        | Tile::Section { .. }
        | Tile::Overlapped { .. } => None,
    });
    let largest = tile.max();
    let tile_lanes = outcome.parameters.tile_lanes.map(|lanes| (lanes * shape.columns / whole.columns).next_power_of_two().max(2));
    let line = if outcome.axes == Axes::Columns { shape.rows } else { shape.columns };
    // As many values of half a spectrum are of an even number of samples, or of an odd one as here.
    let columns = outcome.parameters.columns.map(|samples| 2 * (line - 1) + samples % 2);
    let parameters = Parameters { tile_lanes, columns, stands_for: Some(whole), ..outcome.parameters };
    let small = build(shape, transform.within_levels(shape, parameters)).ok()?;
    let scaled = |lanes: usize| (lanes * small.lanes / plan.lanes).next_power_of_two().max(small.lanes / shape.rows);
    let in_sections = schedule.launches.iter().any(|launch| launch.section().is_some());
    let cut = match (job.cut, largest) {
        // Two tiles, so that there is a border to see.
        (cut, _) if in_sections => {
            let how = if let Cut::SplitAndMerge(how) = cut { how } else { SplitAndMerge::default() };
            let block = (shape.columns / 4).next_power_of_two().max(2);
            Schedule::split_and_merge(&small, SplitAndMerge { block, threads: Threads::Half, width: how.width * block / how.block, ..how })
        }
        (Cut::Tiles | Cut::TilesOf(_), Some(largest)) => Schedule::tiled(&small, scaled(largest)),
        _ => Schedule::by_stage(&small),
    };
    Some((small, cut))
}
