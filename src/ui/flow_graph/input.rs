//! What pointer and keys do in the graph: zoom and pan, step and pin, and the handle of the step cursor.

use super::content::GraphContent;
use super::viewport::Viewport;
use super::{FlowGraphView, HIT_RADIUS};
use crate::graph::{Drawing, Rect as Bounds};
use crate::ui::plan_focus::cursor_text;
use egui::{Key, Modifiers, PointerButton, Rect, Sense, Ui, WidgetInfo};

impl FlowGraphView {
    /// Zooms and pans by wheel, drag, box and double-click.
    pub(super) fn navigate(&mut self, ui: &Ui, response: &egui::Response, bounds: Bounds, drags_sample: bool) {
        let canvas = response.rect;
        let viewport = self.viewport.unwrap_or_else(|| Viewport::fit(bounds, canvas.size()));
        if let Some(pointer) = response.hover_pos() {
            let (wheel, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
            let factor = (wheel * 0.005).exp() * pinch;
            if factor != 1.0 {
                self.viewport = Some(viewport.zoomed(factor, pointer - canvas.min));
            }
        }
        if !drags_sample && response.dragged_by(PointerButton::Primary) || response.dragged_by(PointerButton::Middle) {
            self.viewport = Some(Viewport { origin: viewport.origin + response.drag_delta(), ..viewport });
        }
        if response.drag_started_by(PointerButton::Secondary) {
            self.box_start = response.interact_pointer_pos();
        }
        if response.drag_stopped_by(PointerButton::Secondary)
            && let (Some(start), Some(end)) = (self.box_start.take(), response.interact_pointer_pos())
        {
            let chosen = Rect::from_two_pos(start, end);
            if chosen.width().min(chosen.height()) > 4.0 {
                self.viewport = Some(viewport.boxed(chosen.translate(-canvas.min.to_vec2()), canvas.size()));
            }
        }
        if response.double_clicked() {
            self.fit();
        }
    }

    /// Reads keys while the graph has the focus, or while it is under the pointer and no control has the focus.
    pub(super) fn keys(&mut self, ui: &Ui, response: &egui::Response, bounds: Bounds) {
        let arrows = egui::EventFilter { horizontal_arrows: true, vertical_arrows: true, ..egui::EventFilter::default() };
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
        for (key, is_down) in [(Key::ArrowUp, false), (Key::ArrowDown, true)] {
            if pressed(key) {
                self.pin_neighbour(is_down);
            }
        }
        if pressed(Key::Space) {
            self.toggle_play(ui.input(|input| input.time));
        }
        if pressed(Key::Num0) {
            self.fit();
        }
        if pressed(Key::Escape) {
            self.pin(None);
        }
        let canvas = response.rect.size();
        let viewport = self.viewport.unwrap_or_else(|| Viewport::fit(bounds, canvas));
        let zooms = [(Key::Num1, 1.0 / viewport.scale), (Key::Plus, 1.25), (Key::Equals, 1.25), (Key::Minus, 0.8)];
        for (_, factor) in zooms.into_iter().filter(|(key, _)| pressed(*key)) {
            self.viewport = Some(viewport.zoomed(factor, canvas / 2.0));
        }
    }

    /// The handle of the step cursor, which can be dragged.
    pub(super) fn cursor_ui(&mut self, ui: &Ui, drawing: &Drawing, viewport: Viewport, canvas: Rect, content: &GraphContent<'_>) {
        let x_of = |column: usize| viewport.to_screen(canvas, drawing.position(column, 0)).x;
        let last_lane = drawing.request.plan.lanes.saturating_sub(1);
        let below_lanes = viewport.to_screen(canvas, drawing.position(0, last_lane)).y + HIT_RADIUS;
        let x = x_of(self.cursor);
        let handle = Rect::from_x_y_ranges(x - 12.0..=x + 12.0, below_lanes.min(canvas.bottom() - 24.0)..=canvas.bottom());
        let response = ui.interact(handle.intersect(canvas), ui.scope_id().with("step cursor"), Sense::drag());
        let n_stages = drawing.spans.len();
        let which = if content.is_second { "Step cursor of the second graph" } else { "Step cursor" };
        let name = format!("{which}, {}", cursor_text(self.cursor, n_stages, content.hidden.counts));
        response.widget_info(|| WidgetInfo::slider(true, self.cursor as f64, &name));
        if response.hovered() || response.dragged() {
            ui.ctx().set_cursor_icon(egui::CursorIcon::ResizeHorizontal);
        }
        if let Some(pointer) = response.interact_pointer_pos().filter(|_| response.dragged()) {
            let distance = |column: usize| (x_of(column) - pointer.x).abs();
            let nearest = (0..=n_stages).min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
            self.move_cursor(nearest.unwrap_or_default());
            self.next_step = None;
        }
    }
}
