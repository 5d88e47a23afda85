//! The pane *Kernel*: the text of a launch as the device gets it, what the thread of the lit node does in it, and the launches of the plan.
//!
//! A worker writes the texts; where a paper prints the kernel, its pseudo-code is beside it.

mod code;
mod highlight;
mod printed;
mod resources;
mod study;

use super::action::{Action, PaneOutput};
use super::costs::{Costs, Counter, MOST_LANES};
use super::export::Export;
use super::graph_pane::no_plan_ui;
use super::learn::LearnMemory;
use super::pane::{Pane, PaneData, PaneInfo};
use super::scene::Scene;
use super::studied::{Answer, Studied};
use super::theme::{GRID, Tokens};
use super::toolbar::toolbar;
use super::widgets::{self, Head, TableReply, TableRow, TextTable};
use crate::choice::Named as _;
use crate::gpu::{BufferSlot, KernelLanguage, LaunchCommand};
use crate::graph::GraphNode;
use crate::lesson::Topic;
use crate::numerals::{bytes, counted, integer};
use crate::plan::{OperationCounts, Plan};
use code::{CodeView, listed};
use egui::{Label, Rect, RichText, ScrollArea, TextEdit, Ui, UiBuilder, WidgetInfo, vec2};
use std::sync::Arc;
use study::{KernelReport, KernelRequest, KernelStudy, ShownKernels};

/// Launches and text are side by side from this width on, in points.
const LEAST_WIDTH_SIDE_BY_SIDE: f32 = 640.0;
/// The share of the width that the text takes beside the launches.
const SHARE: f32 = 0.56;

/// The entry in the list of panes.
pub(super) static PANE: PaneInfo = PaneInfo {
    help: &[
        "The WGSL of a launch, complete, as the device gets it, or its GLSL, as the OpenGL backend translates it. Choose the launch in the table.",
        "Hover a node in the flow graph: the lines of its butterfly are marked, with the thread, the indices and the lanes filled in.",
        "A kernel a stage shows one launch for each stage, where the text is shortest.",
        "Where a paper prints a kernel for this algorithm, its steps stand below the table.",
    ],
    empty: "The kernels appear here once a transform has run",
    data: PaneData::Plan,
    ..PaneInfo::new("Kernel", "Kernel", |services| {
        Box::new(KernelPane {
            studied: Studied::new(&services.studies, || KernelStudy),
            shown: ShownKernels::default(),
            language: KernelLanguage::default(),
            chosen: None,
            other: None,
            code: CodeView::default(),
            counter: Counter::new(&services.studies),
        })
    })
};

/// The pane.
struct KernelPane {
    studied: Studied<KernelStudy>,
    shown: ShownKernels,
    language: KernelLanguage,
    /// The launch that the user chose, and the step cursor at which that was.
    chosen: Option<(usize, usize)>,
    /// The launch that the text is compared with.
    other: Option<usize>,
    code: CodeView,
    counter: Counter,
}

impl Pane for KernelPane {
    fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        let (results, learn, algorithm, out) = (scene.results, &*scene.learn, &mut scene.settings.algorithm, &mut *scene.out);
        let Some((job, outcome)) = results.run() else { return widgets::empty_state(ui, &results.empty_text(PANE.empty)) };
        let Some(plan) = outcome.plan.clone() else { return no_plan_ui(ui, results, algorithm, "kernels") };
        let n_run = out.focus.n_run;
        self.chosen = self.chosen.filter(|(_, cursor)| *cursor == n_run);
        let known = self.studied.newest();
        let at_cursor = || {
            let commands = known.as_ref().filter(|known| known.request.plan == plan).map(|known| known.result.commands.clone())?;
            commands.iter().position(|command| command.stages.contains(&n_run.saturating_sub(1)))
        };
        let launch = self.chosen.map(|(launch, _)| launch).or_else(at_cursor).unwrap_or(0);
        let (ran, cut) = (outcome.commands.clone(), job.cut);
        let request =
            KernelRequest { plan, ran, cut, shown: self.shown, language: self.language, launch, other: self.other, lit: out.focus.lit };
        let Some(Answer { reply, .. }) = self.studied.ask_ui(ui, Some(&request)) else {
            return widgets::empty_state(ui, "The kernels are being written");
        };
        let report = &reply.result;
        if let Some(error) = &report.error {
            return widgets::empty_state(ui, &format!("There is no kernel: {error}"));
        }
        let names = [job.transform, outcome.algorithm];
        self.toolbar_ui(ui, learn.hides_launches(), report, names, &mut out.actions);
        let device = match (&outcome.commands, self.shown) {
            (_, ShownKernels::Stages) => "A kernel for each stage, made for it".to_owned(),
            (Some(_), ShownKernels::AsRun) => format!("As {} got it", outcome.device),
            (None, ShownKernels::AsRun) => format!("The CPU ran this plan ({}); a GPU would get these kernels", outcome.device),
        };
        widgets::weak(ui, device);
        let area = ui.available_rect_before_wrap();
        let is_wide = area.width() >= LEAST_WIDTH_SIDE_BY_SIDE;
        let (text, table) = match is_wide {
            true => area.split_left_right_at_fraction(SHARE),
            false => area.split_top_bottom_at_fraction(0.6),
        };
        let gap = if is_wide { vec2(2.0 * GRID, 0.0) } else { vec2(0.0, GRID) };
        let part = |ui: &mut Ui, rect: Rect, content: &mut dyn FnMut(&mut Ui)| {
            ui.scope_builder(UiBuilder::new().max_rect(rect), |ui| content(ui));
        };
        let lanes = outcome.values.as_deref();
        part(ui, text, &mut |ui| self.code.ui(ui, report, lanes.map(|values| &values.shown()[..])));
        part(ui, Rect::from_min_max(table.min + gap, table.max), &mut |ui| {
            // A wide table scrolls, and sentences end at the edge of the pane.
            let room = ui.available_width() - 3.0 * GRID;
            ScrollArea::both().id_salt("launches").auto_shrink([false, false]).show(ui, |ui| {
                within(ui, room, |ui| trace_ui(ui, out.focus.lit, report));
                self.launches_ui(ui, learn, report, &reply.request.plan, out);
                printed_ui(ui, names, room);
                within(ui, room, |ui| resources::ui(ui, report));
                bindings_ui(ui, report);
            });
        });
    }

    fn kept(&self) -> serde_json::Value {
        match (self.shown, self.language, self.code.search.as_str()) == Default::default() {
            true => serde_json::Value::Null,
            false => serde_json::json!({ "shown": self.shown, "language": self.language, "search": self.code.search }),
        }
    }

    fn restore(&mut self, kept: &serde_json::Value) {
        self.shown = kept.get("shown").and_then(|shown| serde_json::from_value(shown.clone()).ok()).unwrap_or_default();
        self.language = kept.get("language").and_then(|language| serde_json::from_value(language.clone()).ok()).unwrap_or_default();
        kept.get("search").and_then(serde_json::Value::as_str).unwrap_or_default().clone_into(&mut self.code.search);
    }
}

impl KernelPane {
    fn toolbar_ui(&mut self, ui: &mut Ui, hides_launches: bool, report: &KernelReport, names: [&str; 2], actions: &mut Vec<Action>) {
        toolbar(ui, "Kernel", |bar| {
            if bar.segmented("Shown kernels", &mut self.shown, &ShownKernels::offered()).is_some_and(|choice| choice.changed()) {
                (self.chosen, self.other) = (None, None);
            }
            bar.item("search", |ui| {
                let field = ui.add(
                    TextEdit::singleline(&mut self.code.search).align(egui::Align2::LEFT_CENTER).desired_width(120.0).hint_text("Search"),
                );
                field.widget_info(|| WidgetInfo::labeled(egui::Role::TextInput, true, "Search in the kernel"));
            });
            bar.segmented("Language of the kernel", &mut self.language, &KernelLanguage::offered());
            bar.item("compare", |ui| {
                // The list of launches tells their number.
                if hides_launches {
                    return;
                }
                let shown = self.other.map_or("Compare".into(), |other| format!("with launch {}", other + 1));
                let none = (None, "Compare with none".to_owned(), String::new());
                let others = (0..report.commands.len()).map(|k| (Some(k), format!("Launch {}", k + 1), String::new()));
                widgets::combo_of_width(ui, "Compare with", 112.0, shown, &mut self.other, std::iter::once(none).chain(others));
            });
            bar.item("export", |ui| {
                let ending = self.language.ending();
                if ui.button("Export").on_hover_text(format!("The text as a .{ending} file")).clicked() {
                    let name = format!("{}-{}-{}.{ending}", names[0], names[1], report.launch + 1);
                    let bytes = report.text.clone().into_bytes();
                    actions.push(Action::Export(Box::new(Export::File { name, ending, bytes })));
                }
            });
            // The number of the last launch is the number of all.
            let which =
                if hides_launches { "one launch".to_owned() } else { format!("launch {} of {}", report.launch + 1, report.commands.len()) };
            bar.info(&which);
        });
    }

    /// The table of launches; a click shows the kernel of one.
    fn launches_ui(&mut self, ui: &mut Ui, learn: &LearnMemory, report: &KernelReport, plan: &Arc<Plan>, out: &mut PaneOutput) {
        // The number of rows, the names of stages and the operations may be what a lesson asks for.
        let has_all = !learn.hides_launches();
        let has_names = !learn.hides_in(Topic::Strides, false);
        let has_operations = !learn.hides_in(Topic::Counts, false);
        let costs = self.counter.costs(ui.ctx(), plan);
        let heads = ["Launch", "Kernel"].map(Head::of_texts).into_iter().chain(["Groups", "Threads", "Bytes"].map(Head::of_numbers));
        let heads = heads.chain(has_operations.then(|| Head::of_texts("Operations")));
        let listed: Vec<usize> = (0..report.commands.len()).filter(|index| has_all || *index == report.launch).collect();
        let rows = listed.iter().map(|&index| {
            let command = &report.commands[index];
            let stages = if has_names { format!(" · {}", stages_text(command, plan)) } else { String::new() };
            // Where a lesson asks for the number of launches or stages, the name says neither.
            let name = if has_all { format!("{}{stages}", index + 1) } else { "this launch".to_owned() };
            let groups = command.groups[0] as usize * command.groups[1] as usize;
            let threads = report.threads.get(index).copied().flatten().map_or_else(String::new, |threads| integer(groups * threads));
            let cells = [name, command.kernel.family.to_owned(), integer(groups), threads, bytes(command.bytes)];
            let operations = has_operations.then(|| operations_text(costs.as_ref(), command, plan.lanes));
            TableRow::of(cells.into_iter().chain(operations)).about("Show the kernel of this launch")
        });
        let rows: Vec<_> = rows.collect();
        let table = TextTable::new("launches", heads).choosing(listed.iter().position(|&index| index == report.launch));
        let TableReply { clicked, hovered } = table.show(ui, &rows);
        out.lit_launch = hovered.map(|row| listed[row]).or(out.lit_launch);
        if let Some(index) = clicked.map(|row| listed[row]) {
            out.focus.n_run = report.commands[index].stages.end;
            self.chosen = Some((index, report.commands[index].stages.end));
        }
    }
}

/// The additions and multiplications of a launch, once they are counted.
fn operations_text(costs: Option<&Costs>, command: &LaunchCommand, lanes: usize) -> String {
    match costs.map(|costs| costs.operations(command.stages.clone())) {
        Some(OperationCounts { additions, multiplications }) => format!("{} +  {} ×", integer(additions), integer(multiplications)),
        None if lanes > MOST_LANES => "not counted: too many lanes".into(),
        None => "being counted".into(),
    }
}

/// The stages of a launch in words.
fn stages_text(command: &LaunchCommand, plan: &Plan) -> String {
    match command.stages.len() {
        0 | 1 => plan.stages.get(command.stages.start).map_or_else(String::new, |stage| stage.label.clone()),
        n => counted(n, "stage"),
    }
}

/// Describes the thread of the lit node in a sentence.
fn trace_ui(ui: &mut Ui, lit: Option<GraphNode>, report: &KernelReport) {
    let Some(lit) = lit.filter(|node| node.column > 0) else { return };
    let text = match &report.trace {
        Some(trace) => {
            format!("Thread {} reads lanes {} and writes lanes {}", trace.thread, listed(&trace.reads()), listed(&trace.writes()))
        }
        None if report.commands.get(report.launch).is_some_and(|command| command.stages.len() > 1) => {
            format!("Lane {} after stage {} is computed in a tile. Take A kernel a stage to follow its thread", lit.lane, lit.column)
        }
        None => return,
    };
    ui.add(Label::new(RichText::new(text).color(Tokens::current(ui).accent)).wrap());
}

/// The buffers that are bound, and the uniforms with their values.
fn bindings_ui(ui: &mut Ui, report: &KernelReport) {
    let Some(command) = report.commands.get(report.launch) else { return };
    ui.add_space(2.0 * GRID);
    ui.strong("Bindings");
    let slot = |slot: BufferSlot| match slot {
        BufferSlot::Input => "the uploaded input",
        BufferSlot::Ping => "ping",
        BufferSlot::Pong => "pong",
    };
    for line in &report.bindings {
        let declaration = line.split_once("var<").map_or(line.as_str(), |(_, rest)| rest).trim_end_matches(';');
        let number = line.split_once("@binding(").and_then(|(_, rest)| rest.split_once(')')).map_or("", |(number, _)| number);
        let what = match number {
            "0" => slot(command.source),
            "1" => slot(command.sink),
            "3" => "coefficients",
            "4" => "roots of unity",
            "5" => "numbers of this launch",
            _ => "",
        };
        let name = declaration.split_once('>').map_or(declaration, |(_, name)| name.trim());
        ui.add(Label::new(RichText::new(format!("{number}  {name}")).monospace().size(11.0)).extend()).on_hover_text(what);
        widgets::weak(ui, format!("     {what}"));
    }
    if !report.uniforms.is_empty() {
        ui.strong("Constants of this launch");
        for (name, value) in &report.uniforms {
            ui.label(RichText::new(format!("{name} = {value}")).monospace().size(11.0));
        }
    }
}

/// Lays sentences out in a part of this width.
fn within(ui: &mut Ui, width: f32, add: impl FnOnce(&mut Ui)) {
    ui.allocate_ui(vec2(width, 0.0), |ui| {
        ui.set_max_width(width);
        add(ui);
    });
}

/// The kernels that papers print for the algorithm; their notes take this width.
fn printed_ui(ui: &mut Ui, [transform, algorithm]: [&str; 2], room: f32) {
    for kernel in printed::of(transform, algorithm) {
        ui.add_space(2.0 * GRID);
        ui.strong(kernel.source);
        for line in kernel.lines {
            ui.add(Label::new(RichText::new(*line).monospace().size(11.0)).extend());
        }
        within(ui, room, |ui| {
            ui.add(Label::new(RichText::new(kernel.note).color(Tokens::current(ui).weak)).wrap());
        });
    }
}
