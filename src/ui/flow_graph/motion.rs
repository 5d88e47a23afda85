//! The motion of a drawing from the lanes of another one to its own.

use super::FlowGraphView;
use crate::graph::{Counterparts, GraphDrawing, MovingLanes};
use egui::Ui;

/// How long the motion takes, in seconds: long enough to follow a lane.
const SECONDS: f64 = 1.2;

/// A drawing on its way.
pub(super) struct Motion {
    lanes: MovingLanes,
    /// When it began, in seconds.
    start: f64,
}

impl FlowGraphView {
    /// Begins to move the drawing here from where another one has the same values; returns whether there is a way.
    pub(crate) fn move_from(&mut self, ui: &Ui, first: &GraphDrawing, both: &Counterparts) -> bool {
        let lanes = self.drawing.as_ref().and_then(|second| MovingLanes::between(first, second, both));
        let start = ui.input(|input| input.time);
        self.motion = lanes.map(|lanes| Motion { lanes, start });
        self.motion.is_some()
    }

    /// The drawing as it is now, while it moves.
    pub(super) fn moving_drawing(&mut self, ui: &Ui, drawing: &GraphDrawing) -> Option<GraphDrawing> {
        let Motion { lanes, start } = self.motion.as_ref()?;
        let part = (ui.input(|input| input.time) - start) / SECONDS;
        if part >= 1.0 || ui.style().animation_time == 0.0 {
            self.motion = None;
            return None;
        }
        ui.ctx().request_repaint();
        let part = part.clamp(0.0, 1.0) as f32;
        Some(lanes.at(drawing, part * part * (3.0 - 2.0 * part)))
    }
}
