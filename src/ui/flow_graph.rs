//! The flow graph on the screen: it zooms, explains every node, and steps through the stages with a cursor.
//!
//! The caller supplies plan, times and values as [`GraphContent`]; [`crate::graph`] lays the drawing out, again only when the plan changes.

mod buffers;
mod card;
mod colors;
mod content;
mod edges;
mod export_menu;
mod input;
mod kept;
mod lazy;
mod legend;
mod miniature;
mod motion;
mod paint;
mod samples;
mod sections;
mod stage_names;
mod steps;
mod table;
mod texts;
mod values;
mod view_menu;
mod viewport;

use crate::figure::FigureFormat;
use crate::graph::{
    Cone, GraphDrawing, GraphFormat, GraphLayout, GraphNode, GraphOptions, GraphRequest, GraphStyle, Rect as Bounds, Trapezoids,
    buffer_indices, layout, miniature_description, trapezoids,
};
use crate::numerals::integer;
use crate::schedule::Schedule;
use crate::ui::plan_focus::{LitPath, cursor_text};
use crate::ui::theme::GRID;
use crate::ui::toolbar::{Toolbar, toolbar};
use crate::ui::widgets;
use colors::GraphColors;
pub(crate) use colors::section_colors;
pub use content::{GraphContent, SharedFocus};
use edges::{edge_at, node_at};
use egui::accesskit::Role;
use egui::{Rect, Sense, Ui, UiBuilder, WidgetInfo};
use kept::KeptGraphView;
use lazy::LazyView;
pub(crate) use miniature::{Miniature, miniature};
use motion::Motion;
use num_complex::Complex64;
use paint::GraphPainter;
use std::rc::Rc;
pub use values::NodeValues;
use viewport::Viewport;

/// Between these numbers of lanes, the whole graph fits a window, but without values beside all lanes.
const LANES_WITHOUT_VALUES: std::ops::RangeInclusive<usize> = 33..=64;
/// Height below the buttons from which on the legend is shown, in points; in a lower pane the graph needs the room.
const LEAST_HEIGHT_WITH_LEGEND: f32 = 200.0;
/// A node within this distance of the pointer is hit, in points.
const HIT_RADIUS: f32 = 14.0;
/// In less room than this no graph can be read, in points.
const LEAST_ROOM: egui::Vec2 = egui::vec2(120.0, 80.0);

/// The flow graph with its zoom, cursor and pinned node.
#[derive(Default)]
pub struct FlowGraphView {
    drawing: Option<Rc<GraphDrawing>>,
    /// The request that the drawing was laid out for.
    request: Option<GraphRequest>,
    /// The legend of its lines and frames.
    legend: Vec<String>,
    /// The zoom that the user chose; `None` fits the graph to the pane.
    viewport: Option<Viewport>,
    /// Number of stages that have run.
    cursor: usize,
    /// While playing: when the next stage is due, in seconds.
    next_step: Option<f64>,
    pinned: Option<GraphNode>,
    /// The cone of the pinned node, or else of the node under the pointer.
    cone: Option<Cone>,
    as_table: bool,
    binary: bool,
    /// How long sums of residues wait for their reduction.
    lazy: LazyView,
    /// Whether a permutation at the end is left out.
    fold: bool,
    /// Where results are.
    layout: GraphLayout,
    /// The sections of split and merge, where they are shown.
    trapezoids: Option<Trapezoids>,
    /// Whether the column with the legend and the node's card is hidden.
    hides_card: bool,
    /// Whether the buffers below the graph are hidden.
    hides_buffers: bool,
    /// The index of the buffer that holds the values after every stage.
    buffers: Vec<usize>,
    /// The node under the pointer.
    hovered: Option<GraphNode>,
    /// The edge under the pointer, outside all nodes.
    hovered_edge: Option<LitPath>,
    /// The input node that is being dragged.
    dragged: Option<samples::DraggedSample>,
    /// The input sample that the user has changed, by its lane.
    changed_sample: Option<(usize, Complex64)>,
    /// Whether the user has moved the cursor or the pin, which other panes may share.
    has_moved: bool,
    /// The drawing on its way from another one.
    motion: Option<Motion>,
    /// How the next frame exports the graph.
    ordered: Option<(GraphFormat, GraphStyle)>,
    /// The view that a session kept, until the next drawing.
    restored: Option<KeptGraphView>,
    /// Whether a second graph is shown beside this one; `None` where it cannot be chosen. The menu *View* changes it.
    pub(crate) has_second: Option<bool>,
}

impl FlowGraphView {
    /// Shows the graph; returns the file format and the style that the user chose in the menu *Export*.
    pub fn ui(&mut self, ui: &mut Ui, content: &GraphContent<'_>) -> Option<(GraphFormat, GraphStyle)> {
        self.ui_with(ui, content, |_| {}, |_| {})
    }

    /// The same with more controls at the beginning of the toolbar, and with more between it and the graph.
    pub(crate) fn ui_with(
        &mut self,
        ui: &mut Ui,
        content: &GraphContent<'_>,
        controls: impl FnOnce(&mut Toolbar<'_>),
        header: impl FnOnce(&mut Ui),
    ) -> Option<(GraphFormat, GraphStyle)> {
        self.update_drawing(content);
        if let Some(shared) = content.shared.filter(|_| !self.has_moved) {
            (self.cursor, self.pinned) = (shared.n_run.min(self.n_stages()), shared.pinned);
        }
        (self.hovered, self.hovered_edge) = (None, None);
        let export = self.toolbar_ui(ui, content, controls).or(self.ordered.take());
        header(ui);
        // It tells how many stages and launches the run has; the line stays, so that an answer leaves the graph where it is.
        match content.miniature_of {
            Some(_) if content.hidden.counts => drop(ui.strong("Miniature of the run")),
            Some(ran) => drop(ui.strong(miniature_description(ran, (content.plan, content.schedule)))),
            None => {}
        }
        let Some(drawing) = self.drawing.clone() else { return export };
        let lazy = std::mem::take(&mut self.lazy).updated(content);
        let content = &lazy.shown(ui, content);
        let room = ui.available_size();
        if self.as_table {
            table::ui(ui, &drawing);
        } else if room.x < LEAST_ROOM.x || room.y < LEAST_ROOM.y {
            widgets::empty_state(ui, "Make this pane larger to see the flow graph");
        } else if let Some(found) = &self.trapezoids {
            sections::ui(ui, found, self.cursor);
        } else {
            let has_column = !self.hides_card && legend::column(ui.available_rect_before_wrap()).is_positive();
            if !has_column && !content.is_second && ui.available_height() > LEAST_HEIGHT_WITH_LEGEND {
                let card = self.cone.as_ref().and_then(|cone| card::in_lines(&drawing, content, cone.node, self.cursor));
                legend::line_ui(ui, &legend::lines(&self.legend, &drawing, content), card);
            }
            match self.moving_drawing(ui, &drawing) {
                Some(moving) => self.canvas_ui(ui, &moving, &GraphContent { values: None, ..*content }),
                None => self.canvas_ui(ui, &drawing, content),
            }
        }
        self.lazy = lazy;
        export
    }

    /// The request of the drawing that is shown, for an export.
    pub fn request(&self) -> Option<&GraphRequest> {
        self.request.as_ref()
    }

    /// Exports the graph at the next frame where that is asked for; without a graph it is not taken up.
    pub(crate) fn order_export(&mut self, is_asked: &mut bool) {
        if self.request.is_some() && std::mem::take(is_asked) {
            self.ordered = Some((FigureFormat::Svg.into(), GraphStyle::Launches));
        }
    }

    /// Number of stages that have run, at the step cursor.
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// The step cursor and the pinned node, if the user has changed one of them since the last call.
    pub fn take_moved(&mut self) -> Option<(usize, Option<GraphNode>)> {
        std::mem::take(&mut self.has_moved).then_some((self.cursor, self.pinned))
    }

    /// The node under the pointer.
    pub fn hovered(&self) -> Option<GraphNode> {
        self.hovered
    }

    /// The formula of the node that the user asks about.
    pub fn formula(&self) -> Option<String> {
        let is_plan = self.request()?.options.original.is_none();
        let (drawing, cone) = (self.drawing.as_ref()?, self.cone.as_ref()?);
        is_plan.then(|| drawing.formula(cone.node))
    }

    /// Fits the graph to the pane, also when the pane changes its size.
    pub fn fit(&mut self) {
        self.viewport = None;
    }

    fn n_stages(&self) -> usize {
        self.drawing.as_ref().map_or(0, |drawing| drawing.spans.len())
    }

    /// Lays the plan out again if it has changed.
    fn update_drawing(&mut self, content: &GraphContent<'_>) {
        let options = GraphOptions {
            transform: content.transform.into(),
            algorithm: content.algorithm.into(),
            title: content.heading(),
            binary: self.binary,
            style: GraphStyle::Launches,
            fold: self.fold,
            layout: self.layout,
            original: content.original(),
            has_values: content.values.is_some() && !LANES_WITHOUT_VALUES.contains(&content.plan.lanes),
        };
        let request = self.request();
        let has_launches = |known: &Schedule| if content.hidden.frames { known.launches.is_empty() } else { known == content.schedule };
        if request.is_some_and(|r| r.plan == *content.plan && has_launches(&r.schedule) && r.options == options) {
            return;
        }
        if request.is_none_or(|request| request.plan != *content.plan) {
            *self = Self {
                as_table: self.as_table,
                binary: self.binary,
                lazy: std::mem::take(&mut self.lazy),
                fold: self.fold,
                layout: self.layout,
                hides_buffers: self.hides_buffers,
                restored: self.restored,
                cursor: content.plan.stages.len(),
                dragged: self.dragged,
                ..Self::default()
            };
        }
        let request = content.hidden.asked(GraphRequest { plan: content.plan.clone(), schedule: content.schedule.clone(), options });
        let drawing = layout(request.clone());
        self.legend = legend::texts(&drawing);
        self.buffers = buffer_indices(&request.plan);
        self.trapezoids = trapezoids(&request.plan, &request.schedule).filter(|_| self.layout == GraphLayout::Sections);
        self.drawing = Some(Rc::new(drawing));
        self.request = Some(request);
        self.cursor = self.cursor.min(self.n_stages());
        self.apply_restored();
    }

    fn toolbar_ui(
        &mut self,
        ui: &mut Ui,
        content: &GraphContent<'_>,
        controls: impl FnOnce(&mut Toolbar<'_>),
    ) -> Option<(GraphFormat, GraphStyle)> {
        let mut export = None;
        toolbar(ui, content.name(), |bar| {
            controls(bar);
            if !content.is_second {
                bar.item("fit", |ui| {
                    if ui.button("Fit").on_hover_text("Show the whole graph (0, double-click)").clicked() {
                        self.fit();
                    }
                });
                bar.item("steps", |ui| self.steps_ui(ui));
            }
            if let Some(samples) = content.samples {
                bar.item("sample", |ui| self.sample_ui(ui, samples));
            }
            bar.item("view", |ui| widgets::menu(ui, "View", |ui| self.view_ui(ui)).response.on_hover_text("How the graph is shown"));
            bar.item("export", |ui| {
                widgets::menu(ui, "Export", |ui| export = export_menu::ui(ui)).response.on_hover_text("The graph as a file");
            });
            // The cursor itself says it too, so a narrow pane leaves it out.
            bar.info(&cursor_text(self.cursor, self.n_stages(), content.hidden.counts));
        });
        export
    }

    fn canvas_ui(&mut self, ui: &mut Ui, drawing: &GraphDrawing, content: &GraphContent<'_>) {
        let area = ui.available_rect_before_wrap();
        let column = if self.hides_card { Rect::NOTHING } else { legend::column(area) };
        let canvas = if column.is_positive() { area.with_max_x(column.left() - 2.0 * GRID) } else { area };
        let below = self.buffers_height(content, area.height());
        let (response, painter) = ui.allocate_painter(canvas.size() - egui::vec2(0.0, below), Sense::click_and_drag());
        let strip = canvas.with_min_y(canvas.bottom() - below);
        let canvas = response.rect;
        let label = description(drawing, content);
        response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, &label));
        let mut bounds = drawing.bounds;
        if content.launch_micros.is_some() {
            bounds = bounds.union(Bounds { min: crate::graph::Point { y: bounds.min.y - 14.0, ..bounds.min }, ..bounds });
        }
        let bounds = viewport::with_room_for_names(drawing, bounds, canvas.size());
        let viewport = self.viewport.unwrap_or_else(|| Viewport::fit(bounds, canvas.size()));
        let pressed = ui.input(|input| input.pointer.press_origin()).and_then(|at| node_at(drawing, viewport, canvas, at));
        let drags_sample = self.drag_sample(&response, content, pressed);
        let asked = self.navigate(&response, bounds, drags_sample);
        self.keys(ui, &response, bounds);
        self.advance(ui, drawing);
        let viewport = self.viewport.unwrap_or_else(|| Viewport::fit(bounds, canvas.size()));
        self.cursor_ui(ui, drawing, viewport, canvas, content);
        let pointer = response.hover_pos().filter(|_| !response.dragged());
        self.hovered = pointer.and_then(|at| node_at(drawing, viewport, canvas, at));
        self.hovered_edge = pointer.filter(|_| self.hovered.is_none()).and_then(|at| edge_at(drawing, viewport, canvas, at));
        if below > 0.0 {
            self.hovered = self.buffers_ui(ui, drawing, content, strip).or(self.hovered);
        }
        if response.clicked() {
            response.request_focus();
            self.pin(if self.pinned == self.hovered { None } else { self.hovered });
        }
        let elsewhere = content.shared.and_then(|shared| shared.lit);
        // The node under the pointer in a larger graph may not exist in this one.
        self.ask_about(drawing, self.pinned.or(self.hovered).or(elsewhere).filter(|node| drawing.exists(*node)));
        let graph = GraphPainter {
            drawing,
            content,
            viewport,
            canvas,
            painter: &painter,
            colors: GraphColors::of(ui.visuals()),
            cursor: self.cursor,
            cone: self.cone.as_ref(),
            butterfly: self.cone.as_ref().and_then(|cone| drawing.butterfly_of(cone.node)),
        };
        graph.paint();
        self.hovered_edge.or(content.shared.and_then(|shared| shared.path)).into_iter().for_each(|path| graph.paint_lit_path(path));
        graph.write_texts();
        asked.paint(ui);
        if column.is_positive() {
            ui.scope_builder(UiBuilder::new().max_rect(column), |ui| {
                legend::column_ui(ui, &graph, self.pinned.is_some(), legend::lines(&self.legend, drawing, content));
            });
        }
    }

    /// Keeps the cone of the node that the user asks about until the node changes.
    fn ask_about(&mut self, drawing: &GraphDrawing, node: Option<GraphNode>) {
        if self.cone.as_ref().map(|cone| cone.node) != node {
            self.cone = node.map(|node| drawing.cone(node));
        }
    }
}

/// The accessible name of the graph.
fn description(drawing: &GraphDrawing, content: &GraphContent<'_>) -> String {
    let count = |n: usize, one: &str, many: &str| format!(", {} {}", integer(n), if n == 1 { one } else { many });
    let counts = count(drawing.spans.len(), "stage", "stages") + &count(drawing.frames.len(), "launch", "launches");
    let counts = if content.hidden.counts { "" } else { &counts };
    format!("{}, {}{}{counts}", content.name(), content.title, count(content.plan.lanes, "lane", "lanes"))
}
