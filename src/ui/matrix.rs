//! The pane *Matrix*: the stages of the plan as sparse matrices with their formulas, their product, and the definition.
//!
//! A worker builds the matrices; the pane follows the step cursor and the lit node that all views of the plan share.

mod paint;
mod study;
mod view;

use super::action::PaneOutput;
use super::canvas::ZoomTo;
use super::export::painted;
use super::learn::LearnMemory;
use super::pane::{Pane, PaneData, PaneInfo};
use super::pane_id::PaneId;
use super::pictures::LinkedZoom;
use super::plan_focus::cursor_text;
use super::scene::Scene;
use super::studied::{Answer, Studied};
use super::theme::{GRID, Tokens};
use super::toolbar::toolbar;
use super::widgets;
use crate::figure::subscript;
use crate::graph::matrix::{MAX_MATRIX_LANES, MatrixFormat, ShownMatrix, SparseMatrix, entry_rgb};
use crate::lesson::Topic;
use crate::numerals::{counted, integer, number};
use crate::plan::{Plan, Ring};
use egui::{Button, Color32, Label, Rect, RichText, Role, ScrollArea, Ui, UiBuilder, WidgetInfo, vec2};
use num_complex::Complex64;
use paint::{MatrixTexture, PaintedMatrix};
use study::{MatrixRequest, MatrixStudy};
use view::AnsweredMatrix;

/// The texts are beside the matrix from this width on, in points.
const LEAST_WIDTH_WITH_TEXTS: f32 = 420.0;
/// The least width of the texts, in points.
const TEXTS: f32 = 250.0;
/// The share of the width that the matrices may take beside the texts.
const SHARE: f32 = 0.62;

/// Smaller differences from the definition are those of rounding, relative to its largest entry.
const ROUNDING: f64 = 1e-12;

/// The entry in the list of panes.
pub(super) static PANE: PaneInfo = PaneInfo {
    help: &[
        "Each stage is a sparse matrix: a row for each lane that it writes, a column for each lane that it reads.",
        "Stage shows the factor of the stage that ran last, Product all stages so far, All stages the transform beside its definition.",
        "Blue is positive, orange negative; the hue of complex numbers is their phase. Hover an entry to light its edge in the flow graph, or the paths that the entry of a product adds.",
        "A formula stands there only if its matrix equals that of the stage, entry by entry.",
    ],
    empty: "The matrices appear here once a transform has run",
    has_content: |scene| scene.signal.is_none_or(|signal| scene.settings.prepared_shape(signal).len() <= MAX_MATRIX_LANES),
    data: PaneData::Plan,
    ..PaneInfo::new("Matrix", "Matrix", |services| {
        let studied = Studied::new(&services.studies, MatrixStudy::default);
        Box::new(MatrixPane {
            studied,
            shown: ShownMatrix::default(),
            textures: Default::default(),
            zoom: LinkedZoom::default(),
            export: None,
        })
    })
};

/// The pane.
struct MatrixPane {
    studied: Studied<MatrixStudy>,
    shown: ShownMatrix,
    textures: [MatrixTexture; 2],
    /// The part that is visible, the same of both.
    zoom: LinkedZoom,
    /// The format that the user chose in the menu *Export*, until the matrix is there.
    export: Option<MatrixFormat>,
}

impl Pane for MatrixPane {
    fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        let (results, learn, out) = (scene.results, &*scene.learn, &mut *scene.out);
        let Some((job, outcome)) = results.run() else { return widgets::empty_state(ui, &results.empty_text(PANE.empty)) };
        let Some(plan) = outcome.plan.clone() else {
            let text =
                format!("{} has no plan, so it has no matrices. The pane Flow graph offers an algorithm with one", outcome.algorithm);
            return widgets::empty_state(ui, &text);
        };
        let is_system = plan.ring == Ring::Equation;
        let request = MatrixRequest {
            n_run: out.focus.n_run.min(plan.stages.len()),
            shown: self.shown,
            defined: (job.transform, job.shape(), outcome.parameters),
            values: outcome.values.clone().filter(|_| is_system),
            plan,
        };
        let answer = self.studied.ask_ui(ui, Some(&request));
        self.toolbar_ui(ui, learn, &mut out.focus.n_run, &request.plan);
        let Some(Answer { reply, .. }) = answer else { return widgets::empty_state(ui, "The matrices are being built") };
        let title = format!("{} by {}", job.transform, outcome.algorithm);
        self.answer_ui(ui, learn, &AnsweredMatrix { request: &reply.request, report: &reply.result }, &title, out);
    }

    fn zoom(&mut self, zoom: ZoomTo) {
        self.zoom.order(zoom);
    }

    fn kept(&self) -> serde_json::Value {
        if self.shown == ShownMatrix::default() { serde_json::Value::Null } else { serde_json::json!({ "shown": self.shown }) }
    }

    fn restore(&mut self, kept: &serde_json::Value) {
        self.shown = kept.get("shown").and_then(|shown| serde_json::from_value(shown.clone()).ok()).unwrap_or_default();
    }
}

impl MatrixPane {
    fn toolbar_ui(&mut self, ui: &mut Ui, learn: &LearnMemory, n_run: &mut usize, plan: &Plan) {
        let n_stages = plan.stages.len();
        toolbar(ui, "Matrix", |bar| {
            if plan.ring != Ring::Equation {
                let choices = [
                    (ShownMatrix::Stage, "Stage", "The factor of the stage that ran last"),
                    (ShownMatrix::Product, "Product", "The product of the stages that have run"),
                    (ShownMatrix::Whole, "All stages", "The product of all stages beside the definition of the transform"),
                ];
                bar.segmented("Shown matrix", &mut self.shown, &choices);
            }
            bar.item("steps", |ui| {
                if step_button(ui, "◀", "One stage back", *n_run > 0) {
                    *n_run -= 1;
                }
                if step_button(ui, "▶", "One stage forward", *n_run < n_stages) {
                    *n_run += 1;
                }
            });
            bar.item("export", |ui| {
                widgets::menu(ui, "Export", |ui| {
                    for format in MatrixFormat::all() {
                        if ui.button(format.name()).clicked() {
                            self.export = Some(format);
                        }
                    }
                })
                .response
                .on_hover_text("The matrix as a file: a formula and entries for LaTeX, numbers, or the drawing");
            });
            bar.info(&cursor_text(*n_run, n_stages, learn.hides_in(Topic::Counts, false)));
        });
    }

    /// Shows an answer of the worker, perhaps to an older request.
    fn answer_ui(&mut self, ui: &mut Ui, learn: &LearnMemory, view: &AnsweredMatrix<'_>, title: &str, out: &mut PaneOutput) {
        match &view.report.matrix {
            None => widgets::empty_state(ui, "No stage has run: step forward to see the factor of the first one"),
            Some(Err(why)) => widgets::empty_state(ui, why),
            Some(Ok(matrix)) => {
                if let Some(format) = self.export.take() {
                    out.actions.push(view.export(matrix, title, format));
                }
                self.matrices_ui(ui, learn, view, matrix, out);
            }
        }
    }

    /// The matrix, the definition beside it, and the texts.
    fn matrices_ui(&mut self, ui: &mut Ui, learn: &LearnMemory, view: &AnsweredMatrix<'_>, matrix: &SparseMatrix, out: &mut PaneOutput) {
        let focus = &mut out.focus;
        painted::begin(ui);
        // Two matrices need the whole width.
        let is_whole = view.report.definition.is_some();
        if is_whole {
            difference_ui(ui, view);
        }
        let area = ui.available_rect_before_wrap();
        let has_texts = area.width() >= LEAST_WIDTH_WITH_TEXTS && !is_whole;
        let n_matrices = if is_whole { 2.0 } else { 1.0 };
        let most = if has_texts { (SHARE * area.width()).min(area.width() - TEXTS) } else { area.width() };
        let side = (most / n_matrices).min(area.height().max(80.0));
        let rect = |index: f32| Rect::from_min_size(area.min + vec2(index * side, 0.0), vec2(side, side.min(area.height())));
        let this = PaneId::of(&PANE);
        let of_node = || focus.lit_elsewhere(this).map_or([None; 2], |node| view.place_of(node)).map(|index| index.into_iter().collect());
        let lit = focus.path_elsewhere(this).and_then(|edge| view.places_of_edge(edge)).unwrap_or_else(of_node);
        let blocks = view.blocks();
        let right = view.report.system.as_ref().map(|system| system.right.as_slice());
        let symbol = view.symbol();
        let caption = if is_whole { symbol.as_str() } else { "" };
        let painted = PaintedMatrix { name: view.description(matrix, learn), caption, matrix, right, blocks: &blocks, lit: lit.clone() };
        let (place, response) = self.textures[0].ui(ui, rect(0.0), &mut self.zoom, "matrix", &painted);
        let mut node = view.node_of(place, matrix);
        if response.clicked() {
            let is_pinned = focus.pinned == node;
            focus.pin(node.filter(|_| !is_pinned));
        }
        let mut words = view.words(place, matrix, &symbol);
        if let Some(definition) = &view.report.definition {
            let size = format!("{} × {}", definition.rows, definition.columns);
            let painted = PaintedMatrix {
                name: format!("Definition, {size}"),
                caption: "Definition",
                matrix: definition,
                right: None,
                blocks: &blocks,
                lit,
            };
            let (place, _) = self.textures[1].ui(ui, rect(1.0), &mut self.zoom, "definition", &painted);
            node = node.or(view.node_of(place, definition));
            words = words.or(view.words(place, definition, "Definition"));
        }
        focus.light(this, node);
        focus.light_path(this, view.path_of(place, matrix));
        if let Some(words) = words {
            out.read_out = words;
        }
        if has_texts {
            let texts = area.with_min_x(area.left() + n_matrices * side + 3.0 * GRID);
            ui.scope_builder(UiBuilder::new().max_rect(texts), |ui| {
                ScrollArea::vertical()
                    .id_salt("formulas")
                    .auto_shrink([false, false])
                    .show(ui, |ui| texts_ui(ui, learn, &mut focus.n_run, view, matrix));
            });
        }
    }
}

/// A button that moves the step cursor; returns whether it was clicked.
fn step_button(ui: &mut Ui, sign: &str, name: &str, is_enabled: bool) -> bool {
    let button = ui.add_enabled(is_enabled, Button::new(sign));
    button.widget_info(|| WidgetInfo::labeled(Role::Button, is_enabled, name));
    button.on_hover_text(format!("{name}, in all views of the plan")).clicked()
}

/// The description of the matrix, its formula with the meaning of the symbols, and the formulas of all stages.
fn texts_ui(ui: &mut Ui, learn: &LearnMemory, n_run: &mut usize, view: &AnsweredMatrix<'_>, matrix: &SparseMatrix) {
    let MatrixRequest { plan, shown, .. } = view.request;
    let n_zero = matrix.rows * matrix.columns - matrix.entries.len();
    ui.strong(view.heading(learn));
    match (view.formula(), shown) {
        _ if view.is_system() => {
            let solved = view.report.system.as_ref().map_or(0, |system| system.n_solved());
            let changed = view.report.system.as_ref().map_or(0, |system| system.changed.iter().filter(|changed| **changed).count());
            let all = counted(plan.inputs, "equation");
            widgets::weak(ui, format!("{solved} of {all} contain one unknown only; this stage has changed {changed}"));
        }
        (Some(formula), _) => {
            ui.add(Label::new(RichText::new(format!("{} = {}", view.symbol(), formula.text())).size(16.0)).wrap());
            for (symbol, meaning) in formula.symbols() {
                ui.add(Label::new(RichText::new(format!("{symbol}: {meaning}")).color(Tokens::current(ui).weak)).wrap());
            }
        }
        (None, ShownMatrix::Stage) => _ = widgets::weak(ui, "No formula shorter than the matrix is known for this stage"),
        (None, ShownMatrix::Product) => _ = ui.add(Label::new(RichText::new(view.symbol()).size(16.0)).wrap()),
        (None, ShownMatrix::Whole) => difference_ui(ui, view),
    }
    if learn.hides(Topic::Entries) {
        widgets::hidden(ui, "The entries");
    } else {
        let nonzero = integer(matrix.entries.len());
        widgets::weak(ui, format!("{nonzero} entries other than 0, {} that are 0", integer(n_zero)));
    }
    phases_ui(ui, matrix);
    if !view.is_system() {
        ui.add_space(GRID);
        stages_ui(ui, learn, n_run, view);
    }
}

/// How far the product is from the definition.
fn difference_ui(ui: &mut Ui, view: &AnsweredMatrix<'_>) {
    match (view.report.difference, &view.report.definition) {
        (Some(apart), _) if apart.largest == 0.0 => _ = ui.label("Equal to the definition, entry by entry"),
        (Some(apart), Some(definition)) if apart.largest < ROUNDING * definition.largest() => {
            ui.add(Label::new(format!("Equal to the definition but for rounding, at most {}", number(apart.largest, 2))).wrap());
        }
        (Some(apart), _) => {
            let [row, column] = apart.at;
            ui.add(Label::new(format!("Largest difference {}, at row {row}, column {column}", number(apart.largest, 2))).wrap());
        }
        (None, Some(_)) => _ = widgets::weak(ui, "The definition has another size: the plan has its results elsewhere"),
        (None, None) => _ = widgets::weak(ui, "The transform has no definition as a matrix"),
    }
}

/// The legend of the colours.
fn phases_ui(ui: &mut Ui, matrix: &SparseMatrix) {
    let well = Tokens::current(ui).well;
    let ground = [well.r(), well.g(), well.b()];
    let all = [("1", Complex64::new(1.0, 0.0)), ("i", Complex64::i()), ("−1", Complex64::new(-1.0, 0.0)), ("−i", -Complex64::i())];
    let step = if matrix.is_complex() { 1 } else { 2 };
    ui.horizontal(|ui| {
        for (name, value) in all.into_iter().step_by(step) {
            let [red, green, blue] = entry_rgb(value, 1.0, ground);
            widgets::swatch(ui, Color32::from_rgb(red, green, blue));
            widgets::weak(ui, if step == 2 { if name == "1" { "positive" } else { "negative" } } else { name });
        }
    });
}

/// The formulas of all stages in running order; a click runs up to a stage.
fn stages_ui(ui: &mut Ui, learn: &LearnMemory, n_run: &mut usize, view: &AnsweredMatrix<'_>) {
    // The list would tell the number of stages.
    if learn.hides_launches() {
        widgets::hidden(ui, "The factors");
        return;
    }
    for (stage, factor) in view.report.factors.iter().enumerate() {
        let symbol = format!("A{}", subscript(stage + 1));
        let text = match factor {
            Ok(factor) => match &factor.formula {
                Some(formula) => format!("{symbol} = {}", formula.text()),
                None if learn.hides(Topic::Entries) => format!("{symbol}: no short formula"),
                None => format!("{symbol}: {} entries other than 0", integer(factor.matrix.entries.len())),
            },
            Err(_) => format!("{symbol}: no matrix"),
        };
        let is_shown = *n_run == stage + 1;
        let about = format!("{}; a click runs the stages up to this one", learn.stage_name(&view.request.plan.stages[stage]));
        if ui.selectable_label(is_shown, text).on_hover_text(about).clicked() {
            *n_run = stage + 1;
        }
    }
}
