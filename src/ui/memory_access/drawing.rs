//! The drawings of accesses, banks and threads, and what is said of the access under the pointer.

use super::facts::AccessFacts;
use super::follow::{Answer, Target};
use super::id;
use crate::engine::AccessStudy;
use crate::graph::GraphNode;
use crate::graph::access::{
    AccessCell, AccessFigure, AccessPanel, AccessRequest, AccessedMemory, Span, access_figure, threads_figure, working_threads,
};
use crate::lesson::Topic;
use crate::numerals::integer;
use crate::plan::Plan;
use crate::ui::action::PaneOutput;
use crate::ui::figure;
use crate::ui::learn::LearnMemory;
use crate::ui::pictures::LinkedZoom;
use crate::ui::settings::MemoryView;
use crate::ui::theme::Tokens;
use crate::ui::widgets;
use egui::{Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, vec2};
use std::sync::Arc;

/// A drawing, kept while its answer, its view and its size stay.
pub(super) struct KeptDrawing {
    answer: Answer,
    of: (MemoryView, bool, [f32; 2]),
    /// The titles of its panels, for screen readers; empty without panels.
    name: String,
    /// The requests of every panel, as indices of those of the study.
    requests: Vec<Vec<usize>>,
    drawn: AccessFigure,
}

impl KeptDrawing {
    /// The drawing of these panels of a study in an area; the one from the frame before where nothing has changed.
    fn of<'k, 'a>(
        kept: &'k mut Option<Self>,
        answer: &Answer,
        of: (MemoryView, bool, [f32; 2]),
        study: &'a AccessStudy,
        panels: impl FnOnce() -> Vec<AccessPanel<'a>>,
    ) -> &'k Self {
        let is_known = kept.as_ref().is_some_and(|kept| Arc::ptr_eq(&kept.answer, answer) && kept.of == of);
        if !is_known {
            let panels = panels();
            let index = |request: &&AccessRequest| study.requests.iter().position(|other| std::ptr::eq(*request, other));
            *kept = Some(Self {
                answer: answer.clone(),
                of,
                name: panels.iter().map(|panel| panel.title.clone()).collect::<Vec<_>>().join("; "),
                requests: panels.iter().map(|panel| panel.requests.iter().filter_map(index).collect()).collect(),
                drawn: access_figure(&panels, of.2),
            });
        }
        kept.as_ref().expect("the drawing was made")
    }

    /// Paints the visible part of the drawing; `name` says what it is. Returns where the whole lies.
    fn ui(&self, ui: &mut Ui, name: &str, zoom: &mut LinkedZoom) -> (Rect, Response) {
        let (rect, response) = ui.allocate_exact_size(self.of.2.into(), Sense::click_and_drag());
        zoom.interact(ui, &response);
        let whole = zoom.whole(rect);
        figure::paint(&ui.painter_at(rect), whole, &self.drawn.figure, ui.theme());
        response.widget_info(|| WidgetInfo::labeled(Role::Image, true, format!("{name}, {}", self.name)));
        (whole, response)
    }

    /// The request of a cell.
    fn request<'a>(&self, study: &'a AccessStudy, cell: &AccessCell) -> &'a AccessRequest {
        &study.requests[self.requests[cell.request[0]][cell.request[1]]]
    }
}

/// The size of a drawing that fills what is there.
fn size_in(ui: &Ui) -> [f32; 2] {
    ui.available_size().max(vec2(200.0, 100.0)).into()
}

/// Threads against addresses. `columns` are those of the flow graph before and after what is shown.
pub(super) fn accesses_ui(
    ui: &mut Ui,
    learn: &LearnMemory,
    (plan, columns): (&Plan, [usize; 2]),
    (answer, study, fresh): (&Answer, &AccessStudy, bool),
    (kept, zoom): (&mut Option<KeptDrawing>, &mut LinkedZoom),
    out: &mut PaneOutput,
) {
    let is_loop = study.choice.by.loop_order().is_some();
    let rows = if is_loop { "iteration" } else { "thread" };
    let hides = hides_counts(learn, columns[1]);
    let drawing = KeptDrawing::of(kept, answer, (MemoryView::Accesses, hides, size_in(ui)), study, || {
        let mut panels = AccessPanel::of_lanes(&study.requests, study.choice.by.segment_bytes(), study.lane_bytes, rows);
        panels.iter_mut().filter(|_| hides).for_each(AccessPanel::hide_counts);
        panels
    });
    if drawing.requests.is_empty() {
        return widgets::empty_state(ui, "This subgroup loads and stores nothing; take another one");
    }
    let (rect, response) = drawing.ui(ui, "Memory accesses", zoom);
    let drawn = &drawing.drawn;
    let hovered = cell_at(drawn, rect, &response);
    let request = |cell: &AccessCell| drawing.request(study, cell);
    // The node that a lane of a request is: before the stages for loads, after them for stores.
    let node = |request: &AccessRequest, span: Span| {
        let lane = (span.first / study.lane_bytes as u64) as usize;
        (lane < plan.lanes).then_some(GraphNode { column: columns[usize::from(request.is_write)], lane })
    };
    let own = hovered.and_then(|cell| node(request(&cell), request(&cell).spans[cell.thread]?));
    if fresh {
        out.focus.light(id(), own);
    }
    let tokens = Tokens::current(ui);
    let painter = ui.painter_at(response.rect);
    if let Some(lit) = out.focus.lit_elsewhere(id()) {
        let lanes = |request: &AccessRequest, span: Span| {
            let lanes = span.segments(study.lane_bytes as u64);
            columns[usize::from(request.is_write)] == lit.column && lanes.contains(&(lit.lane as u64))
        };
        for cell in &drawn.cells {
            let request = request(cell);
            if request.spans[cell.thread].is_some_and(|span| lanes(request, span)) {
                painter.rect_stroke(at(rect, drawn, cell).expand(1.0), 0.0, Stroke::new(2.0, tokens.text), StrokeKind::Outside);
            }
        }
    }
    let Some(cell) = hovered else { return };
    // The thread with all that it touches.
    for other in drawn.cells.iter().filter(|other| other.thread == cell.thread) {
        painter.rect_stroke(at(rect, drawn, other), 0.0, Stroke::new(1.0, tokens.text), StrokeKind::Outside);
    }
    out.read_out = told(study, request(&cell), cell.thread, rows);
}

/// Whether an open question asks for the transactions of this stage of the first plan.
fn hides_counts(learn: &LearnMemory, stage: usize) -> bool {
    let asked = learn.open_question().filter(|_| learn.hides_in(Topic::Transactions, false));
    asked.is_some_and(|reading| reading.stage() == Some(stage))
}

/// Workgroup memory: the request with the most passes, and what is read or written besides it.
pub(super) fn banks_ui(
    ui: &mut Ui,
    answer: &Answer,
    (study, facts): &(AccessStudy, AccessFacts),
    (kept, zoom): (&mut Option<KeptDrawing>, &mut LinkedZoom),
    read_out: &mut String,
) {
    let drawing = KeptDrawing::of(kept, answer, (MemoryView::Banks, false, size_in(ui)), study, || {
        facts.worst.iter().map(|&index| AccessPanel::of_banks(&study.requests[index], study.lane_bytes)).collect()
    });
    if drawing.requests.is_empty() {
        return widgets::empty_state(ui, "This launch uses no workgroup memory: its values stay in registers, or every stage is a launch");
    }
    let (rect, response) = drawing.ui(ui, "Banks of workgroup memory", zoom);
    let drawn = &drawing.drawn;
    let Some(cell) = cell_at(drawn, rect, &response) else { return };
    let request = drawing.request(study, &cell);
    let tokens = Tokens::current(ui);
    for other in drawn.cells.iter().filter(|other| other.thread == cell.thread) {
        ui.painter_at(response.rect).rect_stroke(at(rect, drawn, other), 0.0, Stroke::new(1.0, tokens.text), StrokeKind::Outside);
    }
    *read_out = told(study, request, cell.thread, "thread");
}

/// The threads that work between barriers, or in every stage of the launch.
pub(super) fn threads_ui(ui: &mut Ui, target: &Target, stage: usize, launch: Option<usize>, study: &AccessStudy) {
    let rows = match &study.kernel {
        Some(kernel) => {
            let n = kernel.working.len();
            let name = |phase: usize| match n {
                1 => "no barrier".to_owned(),
                _ if phase == 0 => "before barrier 1".into(),
                _ => format!("after barrier {phase}"),
            };
            kernel.working.iter().enumerate().map(|(phase, threads)| (name(phase), threads.clone())).collect()
        }
        None => working_threads(&target.plan, &target.schedule),
    };
    let (rect, response) = ui.allocate_exact_size(ui.available_size().max(vec2(200.0, 60.0)), Sense::hover());
    let threads = threads_figure(&rows, study.kernel.is_none().then_some(stage), [rect.width(), rect.height()]);
    figure::paint(&ui.painter_at(rect), rect, &threads, ui.theme());
    let counts =
        rows.iter().map(|(name, threads)| format!("{name}: {} of {}", threads.iter().filter(|works| **works).count(), threads.len()));
    let counts = counts.collect::<Vec<_>>().join(", ");
    let of =
        launch.filter(|_| study.kernel.is_some()).map_or_else(String::new, |launch| format!(" of a workgroup of launch {}", launch + 1));
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, format!("Threads{of} that work, {counts}")));
}

/// Where an access lies, whose drawing fills a rectangle.
fn at(rect: Rect, drawn: &AccessFigure, cell: &AccessCell) -> Rect {
    let [from, to] = cell.corners.map(|corner| figure::at(rect, &drawn.figure, corner));
    Rect::from_min_max(from, to)
}

/// The access under the pointer; small ones are met nearby.
fn cell_at(drawn: &AccessFigure, rect: Rect, response: &Response) -> Option<AccessCell> {
    let pointer = response.hover_pos()?;
    let distance = |cell: &AccessCell| at(rect, drawn, cell).distance_to_pos(pointer);
    let nearest = drawn.cells.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
    (distance(nearest) <= 6.0).then_some(*nearest)
}

/// The access in words.
fn told(study: &AccessStudy, request: &AccessRequest, thread: usize, row: &str) -> String {
    let Some(span) = request.spans[thread] else { return String::new() };
    let lanes = span.segments(study.lane_bytes as u64);
    let (first, last) = (integer(*lanes.start() as usize), integer(*lanes.end() as usize));
    let lanes = if first == last { format!("lane {first}") } else { format!("lanes {first} to {last}") };
    let verb = if request.is_write { "stores" } else { "loads" };
    let number = integer(study.choice.subgroup * study.choice.subgroup_size + thread);
    let butterfly =
        study.butterflies.get(thread).map_or_else(String::new, |[p, q, b]| format!(", position {p}, group {q}, repetition {b}"));
    let line = request.line.map_or_else(String::new, |line| format!(", line {line} of the kernel"));
    let row = if row == "thread" { "Thread" } else { "Iteration" };
    match request.memory {
        AccessedMemory::Workgroup => {
            let word = span.first / 4;
            format!("{row} {number} {verb} word {} of {}, bank {}{line}", integer(word as usize), request.name, word % 32)
        }
        _ => {
            let segment = span.first / study.choice.by.segment_bytes();
            let name = if request.name == "input" || request.name == "output" { String::new() } else { format!(" ({})", request.name) };
            let bytes = study.choice.by.segment_bytes();
            format!("{row} {number}{butterfly} {verb} {lanes}{name}, segment {} of {bytes} bytes{line}", integer(segment as usize))
        }
    }
}
