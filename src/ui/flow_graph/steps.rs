//! Steps through the stages, and plays them.

use super::FlowGraphView;
use crate::graph::GraphNode;

/// Seconds per stage while playing.
pub(super) const SECONDS_PER_STAGE: f64 = 0.7;

impl FlowGraphView {
    pub(super) fn move_cursor(&mut self, cursor: usize) {
        self.has_moved |= cursor != self.cursor;
        self.cursor = cursor;
    }

    pub(super) fn pin(&mut self, node: Option<GraphNode>) {
        self.has_moved |= node != self.pinned;
        self.pinned = node;
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
