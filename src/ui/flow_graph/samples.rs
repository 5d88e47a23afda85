//! Changes an input sample in the graph: by dragging its node up or down, by the arrow keys and a field in the toolbar.
//!
//! The node stays pinned, so that everything that depends on it is lit while its value changes.

use super::content::GraphContent;
use super::{FlowGraphView, GraphNode};
use crate::numerals::number;
use crate::ui::gestures::began;
use crate::ui::widgets::text_width;
use egui::{DragValue, Response, Ui};
use num_complex::Complex64;

/// How far a node is dragged for the whole range of the samples, in points.
const POINTS_OF_RANGE: f64 = 120.0;
/// The same for a step of whole numbers.
const POINTS_OF_STEP: f64 = 14.0;

/// The button that picks the first input.
const CHANGE: &str = "Change a sample";

/// An input node that is being dragged.
#[derive(Debug, Clone, Copy)]
pub(super) struct DraggedSample {
    lane: usize,
    /// Its value when the drag began.
    start: Complex64,
    /// Change per point.
    per_point: f64,
    is_whole: bool,
    /// Points dragged upwards.
    up: f64,
}

fn is_whole(samples: &[Complex64]) -> bool {
    samples.iter().all(|sample| sample.re.fract() == 0.0 && sample.im.fract() == 0.0)
}

/// The change of a sample per point.
fn per_point(samples: &[Complex64]) -> f64 {
    if is_whole(samples) {
        return 1.0 / POINTS_OF_STEP;
    }
    let (low, high) = samples.iter().fold((0.0_f64, 0.0_f64), |(low, high), sample| (low.min(sample.re), high.max(sample.re)));
    if high > low { (high - low) / POINTS_OF_RANGE } else { 1.0 / POINTS_OF_RANGE }
}

impl FlowGraphView {
    /// The sample that the user has changed since the last call, by its lane, and its new value.
    pub fn take_changed_sample(&mut self) -> Option<(usize, Complex64)> {
        self.changed_sample.take()
    }

    /// The button that picks the first input, or the value of the input that is picked.
    pub(super) fn sample_ui(&mut self, ui: &mut Ui, samples: &[Complex64]) {
        let picked = self.pinned.filter(|node| node.column == 0).and_then(|node| Some((node, *samples.get(node.lane)?)));
        let Some((node, mut value)) = picked else {
            let about = "Changes an input, and lights everything that depends on it. An input node can also be dragged up and down";
            if ui.button(CHANGE).on_hover_text(about).clicked() {
                self.pin(Some(GraphNode { column: 0, lane: 0 }));
            }
            return;
        };
        // The rest of the row stays where it is.
        ui.set_min_width(text_width(ui, CHANGE) + 2.0 * ui.spacing().button_padding.x);
        let name = self.drawing.as_ref().map_or_else(String::new, |drawing| drawing.name(node));
        ui.label(format!("{name} ="));
        let speed = per_point(samples);
        let field = |ui: &mut Ui, part: &mut f64, which: &str| {
            let drag = DragValue::new(part).speed(speed).custom_formatter(|value, _| number(value, 6));
            let response = ui.add(drag).on_hover_text("Drag it, or click it and type; the arrow keys up and down pick another input");
            let label = format!("{which} of {name}");
            ui.ctx().accesskit_node_builder(response.id, |node| node.set_label(label));
            if response.dragged() && is_whole(samples) {
                *part = part.round();
            }
            response.changed()
        };
        let mut has_changed = field(ui, &mut value.re, "Value");
        if samples.iter().any(|sample| sample.im != 0.0) {
            has_changed |= field(ui, &mut value.im, "Imaginary part");
            ui.label("i");
        }
        if has_changed {
            self.changed_sample = Some((node.lane, value));
        }
    }

    /// Lets an input node be dragged up and down; returns whether one is.
    pub(super) fn drag_sample(&mut self, response: &Response, content: &GraphContent<'_>, at_start: Option<GraphNode>) -> bool {
        let Some(samples) = content.samples else { return false };
        if began(response).is_some()
            && let Some(node) = at_start.filter(|node| node.column == 0)
            && let Some(&start) = samples.get(node.lane)
        {
            self.pin(Some(node));
            self.dragged =
                Some(DraggedSample { lane: node.lane, start, per_point: per_point(samples), is_whole: is_whole(samples), up: 0.0 });
        }
        let Some(dragged) = &mut self.dragged else { return false };
        let before = dragged.up;
        dragged.up -= f64::from(response.drag_delta().y);
        let re = dragged.start.re + dragged.up * dragged.per_point;
        let re = if dragged.is_whole { re.round() } else { re };
        if dragged.up != before && samples.get(dragged.lane).is_some_and(|sample| sample.re != re) {
            self.changed_sample = Some((dragged.lane, Complex64::new(re, dragged.start.im)));
        }
        if response.drag_stopped() || !response.dragged() {
            self.dragged = None;
        }
        true
    }

    /// Moves the pin to a neighbouring lane; without a pin, to the first input.
    pub(super) fn pin_neighbour(&mut self, is_down: bool) {
        let Some(drawing) = self.drawing.clone() else { return };
        let n_lanes = drawing.request.plan.lanes;
        let Some(node) = self.pinned else { return self.pin(Some(GraphNode { column: 0, lane: 0 })) };
        let lane = if is_down { (node.lane + 1).min(n_lanes - 1) } else { node.lane.saturating_sub(1) };
        let neighbour = GraphNode { lane, ..node };
        if drawing.exists(neighbour) {
            self.pin(Some(neighbour));
        }
    }
}
