//! The flow graph pane: the plan that ran, drawn at any zoom, with the cone, the formula and the addresses of every node, and a cursor that steps through the stages.
//!
//! The pane computes nothing: plan, times and values are given to it, and the drawing comes from [`crate::graph`], laid out again only when the plan changes.

mod card;
mod ink;
mod miniature;
mod paint;
mod table;
mod values;
mod view;
mod words;

use crate::graph::{Cone, Drawing, GraphFormat, GraphNode, GraphOptions, GraphRequest, Rect as Bounds, layout};
use crate::numerals::integer;
use crate::plan::Plan;
use crate::schedule::Schedule;
use egui::accesskit::Role;
use egui::{Key, Modifiers, PointerButton, Pos2, Rect, Sense, Ui, WidgetInfo};
use ink::Ink;
pub(in crate::ui) use ink::section_colors;
use paint::Scene;
use std::rc::Rc;
use strum::IntoEnumIterator;
pub use values::Values;
use view::View;

/// Units from a launch's frame up to its time, above its caption.
const TIME_ABOVE: f32 = 38.0;
/// Seconds a stage while playing.
const STEP_SECONDS: f64 = 0.7;
/// The legend is shown where there is as much room below the buttons, in points; elsewhere the graph needs it more.
const ROOM_FOR_LEGEND: f32 = 200.0;
/// Points from the pointer within which a node is hit.
const HIT_RADIUS: f32 = 14.0;

/// What the pane shows.
#[derive(Debug, Clone, Copy)]
pub struct Content<'a> {
    /// The plan that ran, or its miniature.
    pub plan: &'a Plan,
    /// How it is cut into launches.
    pub schedule: &'a Schedule,
    /// The transform's name in the table.
    pub transform: &'a str,
    /// The algorithm's name in the table.
    pub algorithm: &'a str,
    /// What stands above the graph, such as `Stockham radix 2`.
    pub title: &'a str,
    /// The plan that ran and how it was cut, when `plan` is only a miniature of it.
    pub miniature_of: Option<(&'a Plan, &'a Schedule)>,
    /// Time of every launch in microseconds.
    pub launch_micros: Option<&'a [f64]>,
    /// The launch whose box is lit, as its bar is under the pointer.
    pub lit: Option<usize>,
    /// Values of every lane before the first stage and after every stage.
    pub values: Option<Values<'a>>,
}

/// The state of the pane.
#[derive(Default)]
pub struct FlowGraphPane {
    drawing: Option<Rc<Drawing>>,
    /// `None` as long as the graph fits itself to the pane.
    view: Option<View>,
    /// How many stages have run.
    cursor: usize,
    /// When the next stage is due, in seconds, while playing.
    next_step: Option<f64>,
    pinned: Option<GraphNode>,
    cone: Option<Cone>,
    box_start: Option<Pos2>,
    as_table: bool,
    binary: bool,
}

impl FlowGraphPane {
    /// Shows the pane; returns the kind of file that the user wants of the graph.
    pub fn ui(&mut self, ui: &mut Ui, content: &Content<'_>) -> Option<GraphFormat> {
        self.follow(content);
        let export = self.toolbar_ui(ui);
        if let Some(ran) = content.miniature_of {
            ui.strong(miniature::told(ran, (content.plan, content.schedule)));
        }
        let Some(drawing) = self.drawing.clone() else { return export };
        if self.as_table {
            table::ui(ui, &drawing);
        } else {
            if ui.available_height() > ROOM_FOR_LEGEND {
                legend_ui(ui, &drawing, content);
            }
            self.canvas_ui(ui, &drawing, content);
        }
        export
    }

    /// The request of the drawing that is shown, to export it.
    pub fn request(&self) -> Option<&GraphRequest> {
        self.drawing.as_ref().map(|drawing| &drawing.request)
    }

    /// How many stages have run, as the step cursor says.
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// Fits the graph to the pane, and keeps it fitted.
    pub fn fit(&mut self) {
        self.view = None;
    }

    /// Moves the step cursor one stage back.
    pub fn step_back(&mut self) {
        self.next_step = None;
        self.cursor = self.cursor.saturating_sub(1);
    }

    /// Moves the step cursor one stage on.
    pub fn step_forward(&mut self) {
        self.next_step = None;
        self.cursor = (self.cursor + 1).min(self.n_stages());
    }

    /// Starts or stops playing; at the end it starts from the input.
    pub fn toggle_play(&mut self, now: f64) {
        if self.next_step.take().is_none() {
            if self.cursor == self.n_stages() {
                self.cursor = 0;
            }
            self.next_step = Some(now + STEP_SECONDS);
        }
    }

    fn n_stages(&self) -> usize {
        self.drawing.as_ref().map_or(0, |drawing| drawing.spans.len())
    }

    /// Lays the plan out again if it is another one.
    fn follow(&mut self, content: &Content<'_>) {
        let options = GraphOptions {
            transform: content.transform.into(),
            algorithm: content.algorithm.into(),
            title: content.title.into(),
            binary: self.binary,
        };
        let request = self.request();
        if request.is_some_and(|r| r.plan == *content.plan && r.schedule == *content.schedule && r.options == options) {
            return;
        }
        if request.is_none_or(|request| request.plan != *content.plan) {
            *self = Self { as_table: self.as_table, binary: self.binary, cursor: content.plan.stages.len(), ..Self::default() };
        }
        let request = GraphRequest { plan: content.plan.clone(), schedule: content.schedule.clone(), options };
        self.drawing = Some(Rc::new(layout(request)));
    }

    fn toolbar_ui(&mut self, ui: &mut Ui) -> Option<GraphFormat> {
        let mut export = None;
        ui.horizontal_wrapped(|ui| {
            if ui.button("Fit").on_hover_text("Show the whole graph (0, double-click)").clicked() {
                self.fit();
            }
            let has_more = self.cursor < self.n_stages();
            if ui.add_enabled(self.cursor > 0, egui::Button::new("Step back")).on_hover_text("One stage back (←)").clicked() {
                self.step_back();
            }
            let play = if self.next_step.is_some() { "Pause" } else { "Play" };
            if ui.add_enabled(self.n_stages() > 0, egui::Button::new(play)).on_hover_text("A stage at a time (Space)").clicked() {
                self.toggle_play(ui.input(|input| input.time));
            }
            if ui.add_enabled(has_more, egui::Button::new("Step forward")).on_hover_text("One stage on (→)").clicked() {
                self.step_forward();
            }
            ui.label(format!("after stage {} of {}", self.cursor, self.n_stages()));
            ui.checkbox(&mut self.binary, "Binary indices");
            ui.checkbox(&mut self.as_table, "As table");
            ui.menu_button("Export", |ui| {
                for format in GraphFormat::iter() {
                    if ui.button(format.name()).clicked() {
                        export = Some(format);
                    }
                }
            });
        });
        export
    }

    fn canvas_ui(&mut self, ui: &mut Ui, drawing: &Drawing, content: &Content<'_>) {
        let (response, painter) = ui.allocate_painter(ui.available_size(), Sense::click_and_drag());
        let canvas = response.rect;
        let label = description(drawing, content);
        response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, &label));
        let mut bounds = drawing.bounds;
        if content.launch_micros.is_some() {
            bounds = bounds.union(Bounds { min: crate::graph::Point { y: bounds.min.y - 14.0, ..bounds.min }, ..bounds });
        }
        self.navigate(ui, &response, bounds);
        self.keys(ui, &response, bounds);
        self.advance(ui, drawing);
        let view = self.view.unwrap_or_else(|| View::fit(bounds, canvas.size()));
        self.cursor_ui(ui, drawing, view, canvas);
        let pointer = response.hover_pos().filter(|_| !response.dragged());
        let hovered = pointer.and_then(|at| node_at(drawing, view, canvas, at));
        if response.clicked() {
            response.request_focus();
            self.pinned = if self.pinned == hovered { None } else { hovered };
        }
        self.question(drawing, self.pinned.or(hovered));
        let scene = Scene {
            drawing,
            content,
            view,
            canvas,
            painter: &painter,
            ink: Ink::of(ui.visuals()),
            cursor: self.cursor,
            cone: self.cone.as_ref(),
            butterfly: self.cone.as_ref().and_then(|cone| drawing.butterfly_of(cone.node)),
        };
        scene.paint();
        scene.write();
        if let (Some(start), Some(end)) = (self.box_start, response.interact_pointer_pos()) {
            let stroke = egui::Stroke::new(1.0, scene.ink.cursor);
            painter.rect_stroke(Rect::from_two_pos(start, end), 0.0, stroke, egui::StrokeKind::Inside);
        }
        if let Some(cone) = &self.cone {
            card::show(ui, &scene, cone.node, self.pinned.is_some());
        }
    }

    /// Wheel, drag, box and double-click.
    fn navigate(&mut self, ui: &Ui, response: &egui::Response, bounds: Bounds) {
        let canvas = response.rect;
        let view = self.view.unwrap_or_else(|| View::fit(bounds, canvas.size()));
        if let Some(pointer) = response.hover_pos() {
            let (wheel, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
            let factor = (wheel * 0.005).exp() * pinch;
            if factor != 1.0 {
                self.view = Some(view.zoomed(factor, pointer - canvas.min));
            }
        }
        if response.dragged_by(PointerButton::Primary) || response.dragged_by(PointerButton::Middle) {
            self.view = Some(View { origin: view.origin + response.drag_delta(), ..view });
        }
        if response.drag_started_by(PointerButton::Secondary) {
            self.box_start = response.interact_pointer_pos();
        }
        if response.drag_stopped_by(PointerButton::Secondary)
            && let (Some(start), Some(end)) = (self.box_start.take(), response.interact_pointer_pos())
        {
            let chosen = Rect::from_two_pos(start, end);
            if chosen.width().min(chosen.height()) > 4.0 {
                self.view = Some(view.boxed(chosen.translate(-canvas.min.to_vec2()), canvas.size()));
            }
        }
        if response.double_clicked() {
            self.fit();
        }
    }

    /// The keys, while the graph has the focus, or the pointer when nothing has it.
    fn keys(&mut self, ui: &Ui, response: &egui::Response, bounds: Bounds) {
        let arrows = egui::EventFilter { horizontal_arrows: true, ..egui::EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, arrows));
        let is_free = ui.memory(|memory| memory.focused().is_none());
        if !(response.has_focus() || is_free && response.contains_pointer()) {
            return;
        }
        let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        if pressed(Key::ArrowLeft) {
            self.step_back();
        }
        if pressed(Key::ArrowRight) {
            self.step_forward();
        }
        if pressed(Key::Space) {
            self.toggle_play(ui.input(|input| input.time));
        }
        if pressed(Key::Num0) {
            self.fit();
        }
        if pressed(Key::Escape) {
            self.pinned = None;
        }
        let canvas = response.rect.size();
        let view = self.view.unwrap_or_else(|| View::fit(bounds, canvas));
        let zooms = [(Key::Num1, 1.0 / view.scale), (Key::Plus, 1.25), (Key::Equals, 1.25), (Key::Minus, 0.8)];
        for (_, factor) in zooms.into_iter().filter(|(key, _)| pressed(*key)) {
            self.view = Some(view.zoomed(factor, canvas / 2.0));
        }
    }

    /// Plays on when the next stage is due.
    fn advance(&mut self, ui: &Ui, drawing: &Drawing) {
        let Some(due) = self.next_step else { return };
        let now = ui.input(|input| input.time);
        if now >= due {
            self.cursor = (self.cursor + 1).min(drawing.spans.len());
            self.next_step = (self.cursor < drawing.spans.len()).then_some(now + STEP_SECONDS);
        }
        if let Some(due) = self.next_step {
            ui.ctx().request_repaint_after(std::time::Duration::from_secs_f64((due - now).max(0.01)));
        }
    }

    /// The step cursor as something to drag.
    fn cursor_ui(&mut self, ui: &Ui, drawing: &Drawing, view: View, canvas: Rect) {
        let x_of = |column: usize| view.place_of(canvas, drawing.position(column, 0)).x;
        let last_lane = drawing.request.plan.lanes.saturating_sub(1);
        let below_lanes = view.place_of(canvas, drawing.position(0, last_lane)).y + HIT_RADIUS;
        let x = x_of(self.cursor);
        let grip = Rect::from_x_y_ranges(x - 12.0..=x + 12.0, below_lanes.min(canvas.bottom() - 24.0)..=canvas.bottom());
        let response = ui.interact(grip.intersect(canvas), ui.scope_id().with("step cursor"), Sense::drag());
        let n_stages = drawing.spans.len();
        let name = format!("Step cursor, after stage {} of {n_stages}", self.cursor);
        response.widget_info(|| WidgetInfo::slider(true, self.cursor as f64, &name));
        if response.hovered() || response.dragged() {
            ui.ctx().set_cursor_icon(egui::CursorIcon::ResizeHorizontal);
        }
        if let Some(pointer) = response.interact_pointer_pos().filter(|_| response.dragged()) {
            let distance = |column: usize| (x_of(column) - pointer.x).abs();
            let nearest = (0..=n_stages).min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
            self.cursor = nearest.unwrap_or_default();
            self.next_step = None;
        }
    }

    /// Which node is in question; its cone is kept until it is another one.
    fn question(&mut self, drawing: &Drawing, node: Option<GraphNode>) {
        if self.cone.as_ref().map(|cone| cone.node) != node {
            self.cone = node.map(|node| drawing.cone(node));
        }
    }
}

/// The node under the pointer.
fn node_at(drawing: &Drawing, view: View, canvas: Rect, pointer: Pos2) -> Option<GraphNode> {
    let point = view.point_at(canvas, pointer);
    let lane = (point.y / crate::graph::PITCH).round();
    if view.scale * crate::graph::PITCH < paint::PITCH_OF_LINES || lane < 0.0 || lane >= drawing.request.plan.lanes as f32 {
        return None;
    }
    let lane = lane as usize;
    let distance = |column: usize| view.place_of(canvas, drawing.position(column, lane)).distance(pointer);
    let nearest = (0..=drawing.spans.len()).min_by(|&a, &b| distance(a).total_cmp(&distance(b)))?;
    let node = GraphNode { column: nearest, lane };
    (distance(nearest) <= HIT_RADIUS && drawing.exists(node)).then_some(node)
}

/// What the graph is, for those who do not see it.
fn description(drawing: &Drawing, content: &Content<'_>) -> String {
    let count = |n: usize, one: &str, many: &str| format!("{} {}", integer(n), if n == 1 { one } else { many });
    format!(
        "Flow graph, {}, {}, {}, {}",
        content.title,
        count(content.plan.lanes, "lane", "lanes"),
        count(drawing.spans.len(), "stage", "stages"),
        count(drawing.frames.len(), "launch", "launches")
    )
}

/// A remark in the theme's quiet colour, which is still readable.
fn quiet_ui(ui: &mut Ui, text: impl Into<String>) {
    let colour = Ink::of(ui.visuals()).quiet;
    ui.label(egui::RichText::new(text).color(colour));
}

fn legend_ui(ui: &mut Ui, drawing: &Drawing, content: &Content<'_>) {
    use crate::graph::EdgeStyle;
    let has = |style: EdgeStyle| drawing.edges.iter().any(|line| line.style() == style);
    let eliminates = content.plan.ring == crate::plan::Ring::Row;
    let mut parts = vec![if eliminates { "line: a row that is read; the row it ends at loses its neighbours" } else { "solid ×1" }];
    let optional = [
        (has(EdgeStyle::Dashed), "dashed ×(−1)"),
        (has(EdgeStyle::Other), "dotted or coloured: another coefficient"),
        (drawing.results.iter().any(|tail| tail.factor != crate::plan::Coef::ONE), "ω at the end of a result: its factor"),
        (drawing.has_sections(), "blue: split, what a tile finishes alone"),
        (drawing.has_sections(), "orange: merge, what is left at the borders"),
        (!drawing.frames.is_empty(), "frame: launch"),
        (!drawing.tiles.is_empty(), "dashed frame: lanes in the memory of one workgroup"),
        (content.launch_micros.is_some() && drawing.frames.len() > 1, "tint: time compared with the slowest launch"),
    ];
    parts.extend(optional.into_iter().filter(|(shown, _)| *shown).map(|(_, text)| text));
    quiet_ui(ui, parts.join("   ·   "));
}
