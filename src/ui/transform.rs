//! The pane *Transform*: transform, algorithm, direction, device, launches, and the costs of the plan.

mod remedy_buttons;
mod said;

use super::action::Action;
use super::command::Command;
use super::costs::{Costs, Counter, MOST_LANES};
use super::pane::{Pane, PaneData, PaneInfo};
use super::parameters::{Room, choice_ui, parameters_ui};
use super::preparation::{leads_with_window, preparation_ui, window_ui};
use super::scene::Scene;
use super::sections::{LARGEST_TILE, launches_ui};
use super::settings::{Act, Settings};
use super::shown::ShownJob;
use super::theme::{GRID, Tokens};
use super::widgets::{self, TableRow, TextTable, row};
use crate::choice::{Chosen as _, Named as _};
use crate::engine::{Candidate, Comparison, Cut, DeviceChoice, NAMED_DEVICES, Outcome, Speed};
use crate::gpu::AdapterInfo;
use crate::graph::HiddenParts;
use crate::numerals::{bytes, duration, integer, number};
use crate::plan::{OperationCounts, Precision, Ring};
use crate::prepare::Preparation;
use crate::transforms::{Algorithm, Axes, Input, Parameter, Parameters, ScheduleKind, Shape, TRANSFORMS, Transform};
use egui::{RichText, ScrollArea, Ui};
use said::{Asked, Said};

/// The lines below the algorithm that say what it does, in a wide and in a narrow column, and the width that counts as wide, in points.
const LINES_ABOUT: [usize; 2] = [5, 7];
const WIDE: f32 = 208.0;

/// The entry in the list of panes.
pub(super) static PANE: PaneInfo = PaneInfo {
    help: &[
        "Choose the transform, the algorithm and the device.",
        "Automatic takes the fastest algorithm and names it.",
        "The counts belong to the plan that ran.",
    ],
    acts: &[Act::Preparation],
    data: PaneData::Plan,
    ..PaneInfo::new("Transform", "Transform", |services| {
        Box::new(TransformPane { counter: Counter::new(&services.studies), said: Said::default() })
    })
};

/// The pane *Transform*.
pub(super) struct TransformPane {
    counter: Counter,
    said: Said,
}

struct Fields<'a> {
    shown: ShownJob<'a>,
    algorithm: &'a mut Option<String>,
    parameters: &'a mut Parameters,
    cut: &'a mut Cut,
    device: &'a mut DeviceChoice,
    precision: &'a mut Option<Precision>,
    preparation: &'a mut Preparation,
    adapters: &'a [AdapterInfo],
    actions: &'a mut Vec<Action>,
}

impl Pane for TransformPane {
    fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        let (shown, hidden) = (scene.shown(), scene.learn.hidden_parts(false));
        let (adapters, actions) = (scene.adapters, &mut scene.out.actions);
        let Settings { algorithm, parameters, cut, device, precision, preparation, .. } = &mut *scene.settings;
        let fields = &mut Fields { shown, algorithm, parameters, cut, device, precision, preparation, adapters, actions };
        let (results, signal, transform) = (fields.shown.results, fields.shown.signal, fields.shown.transform);
        let error = results.error();
        // The earlier outcome is not a result of these settings.
        let outcome = results.outcome().filter(|_| error.is_none()).map(|outcome| &**outcome);
        // Below everything that scrolls, where it is always in sight and moves no control.
        if let (Some(error), Some(signal)) = (error, signal) {
            egui::Panel::bottom(ui.scope_id().with("remedies")).frame(egui::Frame::NONE).resizable(false).show(ui, |ui| {
                remedy_buttons::ui(ui, fields, signal, error);
            });
        }
        ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            choices_ui(ui, fields, transform, outcome, signal.is_some_and(|signal| signal.rows > 1), &mut self.said);
            if let Some(signal) = signal.filter(|_| transform.input != Input::Equations) {
                let shape = fields.shown.prepared_shape(signal);
                preparation_ui(ui, fields.preparation, (transform, transform.axes(*fields.parameters), shape), outcome);
            }
            if let Some(outcome) = outcome.filter(|outcome| !outcome.candidates.is_empty())
                && candidates_ui(ui, outcome)
            {
                fields.actions.push(Action::Run(Command::Measure));
            }
            ui.add_space(GRID);
            ui.separator();
            let formula = transform.formula_of(fields.parameters.direction);
            ui.add(egui::Label::new(RichText::new(formula).monospace()).wrap());
            if let Some(outcome) = outcome {
                self.facts_ui(ui, transform, outcome, hidden);
                // It comes when the library has been measured, and moves nothing below the facts.
                library_ui(ui, fields.algorithm, transform, outcome);
            }
        });
    }
}

impl TransformPane {
    /// Facts on the run, without what an open question asks for.
    fn facts_ui(&mut self, ui: &mut Ui, transform: &Transform, outcome: &Outcome, hidden: HiddenParts) {
        let width = widgets::widest(ui, ["Literature", "Launches", "Additions"]);
        let fact = |ui: &mut Ui, name: &str, value: String| widgets::fact_row(ui, width, name, value);
        let algorithm = transform.algorithm(outcome.algorithm).ok();
        if let Some(algorithm) = algorithm {
            fact(ui, "Literature", algorithm.source.into());
        }
        let (Some(plan), Some(schedule)) = (&outcome.plan, &outcome.schedule) else {
            return;
        };
        let costs = self.counter.costs(ui.ctx(), plan);
        let place = match &costs {
            _ if hidden.buffers => "",
            Some(Costs { in_place: true, .. }) => ", every stage in place",
            Some(_) => ", needs a second array",
            None => "",
        };
        let operations = costs.map(|costs| costs.operations(0..plan.stages.len()));
        let count = |of: fn(OperationCounts) -> u64| match operations {
            Some(operations) => integer(of(operations)),
            None if plan.lanes > MOST_LANES => "not counted: too many lanes".into(),
            None => "being counted".into(),
        };
        let moved = (0..schedule.launches.len()).filter_map(|index| outcome.launch_bytes(index)).sum();
        let precision = if outcome.precision == Precision::Double { ", double precision" } else { "" };
        let plural = if plan.ring == Ring::Equation && plan.lanes > 1 { "s" } else { "" };
        fact(ui, "Lanes", format!("{} {}{plural}{precision}", integer(plan.lanes), plan.ring.name()));
        if !hidden.counts {
            fact(ui, "Stages", format!("{}{place}", plan.stages.len()));
            fact(ui, "Launches", schedule.launches.len().to_string());
            fact(ui, "Additions", count(|counts| counts.additions));
            fact(ui, "Products", count(|counts| counts.multiplications));
            if transform.definition.is_some() {
                let Shape { rows, columns } = outcome.shape;
                let OperationCounts { additions, multiplications } = match outcome.axes {
                    Axes::Rows => OperationCounts::by_definition(rows, columns),
                    Axes::Columns => OperationCounts::by_definition(columns, rows),
                    Axes::Both => OperationCounts::by_definition(1, rows * columns),
                };
                fact(ui, "Definition", format!("{} +  {} ×", integer(additions), integer(multiplications)));
            }
            fact(ui, "Moved", bytes(moved));
        }
        if !hidden.results {
            fact(ui, "Order", plan.output.name().into());
        }
    }
}

fn choices_ui(
    ui: &mut Ui,
    fields: &mut Fields<'_>,
    transform: &'static Transform,
    outcome: Option<&Outcome>,
    is_batch: bool,
    said: &mut Said,
) {
    let Fields { parameters, cut, device, precision, adapters, preparation, .. } = fields;
    let mut name = transform.name;
    let choices = TRANSFORMS.iter().map(|transform| (transform.name, transform.title.to_owned(), transform.about.to_owned()));
    if row(ui, "Transform", |ui| widgets::combo(ui, "Transform", transform.title, &mut name, choices)).changed() {
        fields.actions.push(Action::SetTransform(name));
    }
    let asked = fields.shown.results.run().map(|(job, _)| (job.algorithm, job.cut, job.parameters));
    algorithm_ui(ui, (fields.algorithm, asked), transform, outcome, said);
    if transform.has(Parameter::Direction) {
        choice_ui(ui, *parameters, Parameters::choice(Parameter::Direction), None);
    }
    let most_levels = outcome.and_then(|outcome| transform.most_levels(outcome.shape));
    let scheme = parameters.scheme;
    parameters_ui(ui, parameters, transform, Room { most_levels, is_batch });
    if parameters.scheme != scheme {
        fields.actions.push(Action::SetScheme(parameters.scheme));
    }
    if leads_with_window(transform) {
        window_ui(ui, &mut preparation.window, transform.axes(**parameters));
    }
    device_ui(ui, device, adapters);
    precision_ui(ui, precision, device, adapters);
    let algorithm = outcome.and_then(|outcome| transform.algorithm(outcome.algorithm).ok());
    let has_schedule = outcome.map(|outcome| outcome.schedule.is_some());
    let plan = outcome.and_then(|outcome| outcome.plan.as_deref()).filter(|_| algorithm.is_some_and(has_tiles));
    launches_ui(ui, cut, transform, (algorithm, fields.algorithm.is_some()), (plan, has_schedule));
    if algorithm.is_some_and(Algorithm::takes_tile_lanes) {
        let columns = outcome.map_or(1, |outcome| outcome.shape.columns);
        choice_ui(ui, *parameters, Parameters::choice(Parameter::TileLanes), Some(2..=columns.clamp(2, LARGEST_TILE)));
    }
}

fn algorithm_ui(
    ui: &mut Ui,
    (chosen, asked): (&mut Option<String>, Option<Asked>),
    transform: &'static Transform,
    outcome: Option<&Outcome>,
    said: &mut Said,
) {
    let taken = outcome.filter(|_| chosen.is_none()).map(|outcome| outcome.algorithm);
    let shown = match (&*chosen, taken) {
        (Some(name), _) => name.clone(),
        (None, Some(taken)) => format!("Automatic ({taken})"),
        (None, None) => "Automatic".into(),
    };
    let automatic = (None, "Automatic".to_owned(), "The fastest for this size and device".to_owned());
    let about = |algorithm: &Algorithm| match speed_of(outcome, algorithm.name) {
        Some(speed) => format!("{}; {speed}", algorithm.about),
        None => algorithm.about.to_owned(),
    };
    let named = transform.algorithms.iter().map(|algorithm| (Some(algorithm.name.to_owned()), algorithm.name.to_owned(), about(algorithm)));
    row(ui, "Algorithm", |ui| widgets::combo(ui, "Algorithm", shown, chosen, std::iter::once(automatic).chain(named)));
    let name = chosen.as_deref().or(taken);
    let about = name.and_then(|name| transform.algorithm(name).ok()).map_or(transform.about, |algorithm| algorithm.about);
    let text = said.about((transform, about), (chosen.as_deref(), asked), outcome);
    // Always the same height, so that no reason moves the controls below.
    let lines = LINES_ABOUT[usize::from(ui.available_width() < WIDE)];
    widgets::text_of_lines(ui, text, lines);
}

/// A difference of two times by a smaller factor may be noise.
const NOISE: f64 = 1.2;

/// Offers a library that is faster than the plan.
fn library_ui(ui: &mut Ui, chosen: &mut Option<String>, transform: &'static Transform, outcome: &Outcome) {
    let Some((library, ratio)) = faster_library(outcome, transform).filter(|_| chosen.is_none()) else { return };
    let text = format!("{library} is {} × as fast, but has no flow graph: use it", number(ratio, 2));
    let button = ui.add(egui::Button::new(RichText::new(text).small()).wrap());
    if button.on_hover_text("Sets the algorithm; undo brings Automatic back").clicked() {
        *chosen = Some(library.to_owned());
    }
}

/// Another algorithm and how many times as fast as the one that was taken it is, where the table of candidates or a measurement says so.
fn faster(outcome: &Outcome, transform: &'static Transform) -> Option<(&'static str, f64)> {
    let candidate = faster_candidate(&outcome.candidates, outcome.algorithm);
    candidate.into_iter().chain(faster_library(outcome, transform)).max_by(|a, b| a.1.total_cmp(&b.1))
}

/// The same by the table of candidates alone.
fn faster_candidate(candidates: &[Candidate], taken: &str) -> Option<(&'static str, f64)> {
    let rated = || {
        candidates.iter().filter_map(|candidate| match candidate.speed {
            Speed::Measured(speed) | Speed::Estimated(speed) => Some((candidate.algorithm, speed)),
            Speed::Unknown => None,
        })
    };
    let (_, taken) = rated().find(|(algorithm, _)| *algorithm == taken)?;
    let (fastest, least) = rated().min_by(|a, b| a.1.total_cmp(&b.1))?;
    Some((fastest, taken / least)).filter(|(_, ratio)| *ratio > NOISE)
}

/// The library and how many times as fast as the plan it is, where it is faster by more than noise.
fn faster_library(outcome: &Outcome, transform: &'static Transform) -> Option<(&'static str, f64)> {
    outcome.plan.as_ref()?;
    let library = transform.algorithms.iter().find(|algorithm| algorithm.plan_fn().is_none())?.name;
    let (timed, as_set) = (comparison_of(outcome, library)?, outcome.as_set.as_ref()?);
    let ratio = as_set.micros / timed.micros;
    // Quartiles that overlap tell no difference.
    let is_apart = timed.quartiles_micros[1] < as_set.quartiles_micros[0];
    (ratio > NOISE && is_apart).then_some((library, ratio))
}

/// How long a library took for the same.
fn comparison_of<'a>(outcome: &'a Outcome, library: &str) -> Option<&'a Comparison> {
    outcome.comparisons.iter().find(|comparison| comparison.name.starts_with(library))
}

/// Shows the candidates of the automatic choice; returns whether the user wants them measured.
fn candidates_ui(ui: &mut Ui, outcome: &Outcome) -> bool {
    let mut measure = false;
    ui.collapsing("Candidates", |ui| {
        measure = ui.button("Measure").on_hover_text(Command::Measure.tooltip()).clicked();
        let rows = outcome.candidates.iter().map(|candidate| {
            let name = RichText::new(candidate.algorithm);
            let compared = || Some(format!("{} to the whole result", duration(comparison_of(outcome, candidate.algorithm)?.micros)));
            let speed = speed_of(Some(outcome), candidate.algorithm).or_else(compared);
            let speed = RichText::new(speed.unwrap_or_else(|| "not measured".into())).color(Tokens::current(ui).weak);
            TableRow::of([if candidate.algorithm == outcome.algorithm { name.strong() } else { name }, speed])
        });
        TextTable::new("candidates", []).show(ui, &rows.collect::<Vec<_>>());
    });
    measure
}

/// Whether tiles or blocks are the algorithm's usual schedule, so that a launch a stage is a choice.
fn has_tiles(algorithm: &Algorithm) -> bool {
    matches!(algorithm.schedules().usual, ScheduleKind::Tiles | ScheduleKind::Blocks)
}

/// The speed of an algorithm among the candidates in words; `None` where it is unknown.
fn speed_of(outcome: Option<&Outcome>, algorithm: &str) -> Option<String> {
    let candidate = outcome?.candidates.iter().find(|candidate| candidate.algorithm == algorithm)?;
    let tiles = match candidate.cut {
        Cut::TilesOf(lanes) => format!(" in tiles of {lanes} lanes"),
        Cut::SplitAndMerge(_) => " in sections".into(),
        Cut::Overlapped(_) => " in overlapped tiles".into(),
        Cut::Tiles | Cut::Stages | Cut::StagesOf(_) | Cut::StagesIn(_) | Cut::StagesBy(_) | Cut::Blocks(_) => String::new(),
    };
    match candidate.speed {
        Speed::Measured(micros) => Some(format!("{} measured{tiles}", duration(micros))),
        // No estimate is more exact than this.
        Speed::Estimated(ratio) if ratio < 1.05 => Some("as fast as the best (estimate)".into()),
        Speed::Estimated(ratio) => Some(format!("takes about {} × as long (estimate)", number(ratio, 2))),
        Speed::Unknown => None,
    }
}

fn device_ui(ui: &mut Ui, device: &mut DeviceChoice, adapters: &[AdapterInfo]) {
    let shown = device.title();
    let named = NAMED_DEVICES.iter().map(|row| (row.device.clone(), row.title.to_owned(), row.about.to_owned()));
    let adapters = adapters.iter().map(|adapter| {
        let software = if adapter.software { " (software)" } else { "" };
        let about = format!("{}, {}, {}", adapter.kind, adapter.backend, adapter.driver);
        (DeviceChoice::Adapter(adapter.name.clone()), format!("{}{software}", adapter.name), about)
    });
    row(ui, "Device", |ui| widgets::combo(ui, "Device", shown, device, named.chain(adapters)));
}

/// The precision of real and complex numbers; double is disabled on an adapter without it.
fn precision_ui(ui: &mut Ui, precision: &mut Option<Precision>, device: &DeviceChoice, adapters: &[AdapterInfo]) {
    let adapter = match device {
        DeviceChoice::Gpu => adapters.first(),
        DeviceChoice::Adapter(name) => adapters.iter().find(|adapter| adapter.name == *name || adapter.index.to_string() == *name),
        _ => None,
    };
    let default = (None, "Default", "Double on a CPU where the samples have it, else single");
    let named = Precision::offered().into_iter().map(|(precision, title, about)| (Some(precision), title, about));
    let choices: Vec<_> = std::iter::once(default).chain(named).collect();
    let refused = |choice| {
        let adapter = adapter.filter(|adapter| choice == Some(Precision::Double) && !adapter.f64)?;
        Some(format!("{} has no double precision: take another device", adapter.name))
    };
    row(ui, "Precision", |ui| widgets::segmented_unless(ui, precision, &choices, refused));
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_kittest::Harness;
    use egui_kittest::kittest::{NodeT as _, Queryable as _};

    fn adapter(f64: bool) -> AdapterInfo {
        AdapterInfo {
            index: 0,
            name: "Abacus".into(),
            backend: "vulkan".into(),
            driver: "wood".into(),
            kind: "other".into(),
            software: false,
            default: true,
            max_buffer_bytes: 0,
            max_binding_bytes: 0,
            workgroup_bytes: 0,
            max_invocations: 0,
            timestamps: false,
            subgroups: None,
            f64,
            int64: false,
        }
    }

    #[test]
    fn double_precision_is_greyed_where_the_adapter_has_none() {
        for (device, f64, may) in [
            (DeviceChoice::Gpu, false, false),
            (DeviceChoice::Gpu, true, true),
            (DeviceChoice::Adapter("Abacus".into()), false, false),
            (DeviceChoice::Auto, false, true),
            (DeviceChoice::CpuParallel, false, true),
        ] {
            let adapters = [adapter(f64)];
            let shown = device.clone();
            let mut harness =
                Harness::new_ui_state(move |ui, precision: &mut Option<Precision>| precision_ui(ui, precision, &shown, &adapters), None);
            let double = harness.get_by_label("Double");
            assert_eq!(double.accesskit_node().is_disabled(), !may, "{device}, f64 {f64}");
            double.hover();
            harness.run();
            assert_eq!(harness.query_by_label_contains("has no double precision").is_some(), !may, "{device}, f64 {f64}");
            harness.get_by_label("Double").click();
            harness.run();
            assert_eq!(*harness.state() == Some(Precision::Double), may, "{device}, f64 {f64}");
        }
    }
}
