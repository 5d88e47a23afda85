//! Pointer and keys in the graph: zoom and pan, step and pin, and the handle of the step cursor.

use super::content::GraphContent;
use super::viewport::Viewport;
use super::{FlowGraphView, HIT_RADIUS};
use crate::graph::{GraphDrawing, Rect as Bounds};
use crate::ui::gestures::{Grip, Navigation, dragged_to, has_keys, keep_arrows, taps_space};
use crate::ui::plan_focus::cursor_text;
use egui::{CursorIcon, Key, Modifiers, Rect, Ui, WidgetInfo};

impl FlowGraphView {
    /// Moves and zooms as the pointer asks.
    pub(super) fn navigate(&mut self, response: &egui::Response, bounds: Bounds, drags_sample: bool) -> Navigation {
        let canvas = response.rect;
        let viewport = self.viewport.unwrap_or_else(|| Viewport::fit(bounds, canvas.size()));
        let asked = Navigation::of(response, !drags_sample);
        if let Some((factor, at)) = asked.zoom {
            self.viewport = Some(viewport.zoomed(factor, at - canvas.min));
        }
        if asked.pan != egui::Vec2::ZERO {
            self.viewport = Some(Viewport { origin: viewport.origin + asked.pan, ..viewport });
        }
        if let Some(part) = asked.boxed {
            self.viewport = Some(viewport.boxed(part.translate(-canvas.min.to_vec2()), canvas.size()));
        }
        if asked.resets {
            self.fit();
        }
        asked
    }

    /// Reads keys while the graph has the focus, or while it is under the pointer and no control has the focus.
    pub(super) fn keys(&mut self, ui: &Ui, response: &egui::Response, bounds: Bounds) {
        keep_arrows(response);
        if !has_keys(response) {
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
        if taps_space(ui.ctx()) {
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
    pub(super) fn cursor_ui(&mut self, ui: &Ui, drawing: &GraphDrawing, viewport: Viewport, canvas: Rect, content: &GraphContent<'_>) {
        let x_of = |column: usize| viewport.to_screen(canvas, drawing.position(column, 0)).x;
        let last_lane = drawing.request.plan.lanes.saturating_sub(1);
        let below_lanes = viewport.to_screen(canvas, drawing.position(0, last_lane)).y + HIT_RADIUS;
        let x = x_of(self.cursor);
        let handle = Rect::from_x_y_ranges(x - 12.0..=x + 12.0, below_lanes.min(canvas.bottom() - 24.0)..=canvas.bottom());
        let id = ui.scope_id().with("step cursor");
        let Grip { response, .. } = Grip::new(ui, (id, handle, canvas), CursorIcon::ResizeHorizontal, "Step cursor");
        let n_stages = drawing.spans.len();
        let which = if content.is_second { "Step cursor of the second graph" } else { "Step cursor" };
        let name = format!("{which}, {}", cursor_text(self.cursor, n_stages, content.hidden.counts));
        response.widget_info(|| WidgetInfo::slider(true, self.cursor as f64, &name));
        if let Some(pointer) = dragged_to(&response) {
            let distance = |column: usize| (x_of(column) - pointer.x).abs();
            let nearest = (0..=n_stages).min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
            self.move_cursor(nearest.unwrap_or_default());
            self.next_step = None;
        }
    }
}
