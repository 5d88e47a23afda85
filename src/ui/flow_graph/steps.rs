//! Steps through the stages, and plays them.

use super::FlowGraphView;
use crate::graph::{GraphDrawing, GraphNode};
use egui::{Button, Ui};

/// Seconds per stage while playing.
const SECONDS_PER_STAGE: f64 = 0.7;

impl FlowGraphView {
    pub(super) fn move_cursor(&mut self, cursor: usize) {
        self.has_moved |= cursor != self.cursor;
        self.cursor = cursor;
    }

    /// The buttons that step and play.
    pub(super) fn steps_ui(&mut self, ui: &mut Ui) {
        let has_more = self.cursor < self.n_stages();
        if ui.add_enabled(self.cursor > 0, Button::new("Step back")).on_hover_text("One stage back (←)").clicked() {
            self.step_back();
        }
        let play = if self.next_step.is_some() { "Pause" } else { "Play" };
        if ui.add_enabled(self.n_stages() > 0, Button::new(play)).on_hover_text("Run the stages one by one (Space)").clicked() {
            self.toggle_play(ui.input(|input| input.time));
        }
        if ui.add_enabled(has_more, Button::new("Step forward")).on_hover_text("One stage forward (→)").clicked() {
            self.step_forward();
        }
    }

    /// While playing, runs the next stage when it is due.
    pub(super) fn advance(&mut self, ui: &Ui, drawing: &GraphDrawing) {
        let Some(due) = self.next_step else { return };
        let now = ui.input(|input| input.time);
        if now >= due {
            self.move_cursor((self.cursor + 1).min(drawing.spans.len()));
            self.next_step = (self.cursor < drawing.spans.len()).then_some(now + SECONDS_PER_STAGE);
        }
        if let Some(due) = self.next_step {
            ui.ctx().request_repaint_after(std::time::Duration::from_secs_f64((due - now).max(0.01)));
        }
    }

    pub(super) fn pin(&mut self, node: Option<GraphNode>) {
        self.has_moved |= node != self.pinned;
        self.pinned = node;
    }

    /// Takes the pin away; returns whether a node was pinned.
    pub(crate) fn unpin(&mut self) -> bool {
        let was_pinned = self.pinned.is_some();
        self.pin(None);
        was_pinned
    }

    /// Moves the step cursor one stage back.
    pub fn step_back(&mut self) {
        self.next_step = None;
        self.move_cursor(self.cursor.saturating_sub(1));
    }

    /// Moves the step cursor one stage on.
    pub fn step_forward(&mut self) {
        self.next_step = None;
        self.move_cursor((self.cursor + 1).min(self.n_stages()));
    }

    /// Starts or stops playing at the time `now`, in seconds; after the last stage it starts again at the input.
    pub fn toggle_play(&mut self, now: f64) {
        if self.next_step.take().is_none() {
            if self.cursor == self.n_stages() {
                self.move_cursor(0);
            }
            self.next_step = Some(now + SECONDS_PER_STAGE);
        }
    }
}
