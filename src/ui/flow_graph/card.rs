//! The card of a node: formula, coefficients, values, and the addresses of its thread.

use super::paint::GraphPainter;
use super::values::{named_text, value_text};
use crate::graph::GraphNode;
use crate::plan::{Coef, LaneValue};
use crate::ui::widgets;
use egui::{Align2, Order, RichText, Ui, Vec2};

/// The greatest width of a card, in points.
const MOST_WIDTH: f32 = 420.0;
/// With less room to its right, a card moves to the left of its node.
const LEAST_WIDTH: f32 = 280.0;
/// Width of the card's frame and shadow, in points.
const MARGIN: f32 = 20.0;
/// Distance from the node to its card, across and down, in points.
const DISTANCE: f32 = 18.0;
/// Significant digits of the numbers.
const DIGITS: usize = 6;
/// A longer list of coefficients or addresses is cut.
const MAX_LISTED: usize = 8;

/// Shows the card beside its node, inside the canvas.
pub(super) fn show(ui: &Ui, graph: &GraphPainter<'_>, node: GraphNode, is_pinned: bool) {
    let centre = graph.at(graph.drawing.position(node.column, node.lane));
    let room = graph.canvas.right() - centre.x - DISTANCE - MARGIN;
    let (pivot, sideways) = if room >= LEAST_WIDTH { (Align2::LEFT_TOP, DISTANCE) } else { (Align2::RIGHT_TOP, -DISTANCE) };
    egui::Area::new(ui.scope_id().with("flow graph card"))
        .order(Order::Tooltip)
        .pivot(pivot)
        .fixed_pos(centre + Vec2::new(sideways, DISTANCE))
        .constrain_to(graph.canvas)
        .interactable(false)
        .show(ui.ctx(), |ui| {
            egui::Frame::popup(ui.style()).show(ui, |ui| {
                ui.set_max_width(if room >= LEAST_WIDTH { room.min(MOST_WIDTH) } else { MOST_WIDTH });
                contents_ui(ui, graph, node);
                widgets::weak(ui, if is_pinned { "Pinned: click the node again or press Esc to unpin it" } else { "Click to pin" });
            });
        });
}

fn contents_ui(ui: &mut Ui, graph: &GraphPainter<'_>, node: GraphNode) {
    let drawing = graph.drawing;
    ui.label(RichText::new(drawing.formula(node)).size(15.0).strong());
    values_ui(ui, graph, node);
    if let Some((terms, factor)) = drawing.terms(node) {
        let named = terms.iter().filter(|term| !term.weight.is_sign()).map(|term| term.weight);
        let mut coefs: Vec<Coef> = named.chain((!factor.is_sign()).then_some(factor)).collect();
        coefs.dedup();
        if !coefs.is_empty() && coefs.len() <= MAX_LISTED {
            let texts: Vec<_> = coefs.iter().map(|coef| format!("{} = {}", coef.text(), value_text(coef.value(), DIGITS))).collect();
            ui.label(texts.join(",  "));
        }
    }
    let cone = graph.cone.map(|cone| (cone.sources(0).len(), cone.targets(drawing.spans.len()).len()));
    if let Some((n_inputs, n_outputs)) = cone {
        widgets::weak(ui, format!("depends on {n_inputs} of the inputs, reaches {n_outputs} of the outputs"));
    }
    if let Some(addresses) = drawing.addresses(node) {
        ui.separator();
        widgets::weak(ui, format!("{}; {}", addresses.launch, addresses.place));
        for read in addresses.reads.iter().take(MAX_LISTED) {
            ui.monospace(read);
        }
        if addresses.reads.len() > MAX_LISTED {
            widgets::weak(ui, format!("and {} more taps", addresses.reads.len() - MAX_LISTED));
        }
        ui.monospace(addresses.write);
    }
}

fn values_ui(ui: &mut Ui, graph: &GraphPainter<'_>, node: GraphNode) {
    let Some(value) = graph.content.values.and_then(|values| values.at(node)) else { return };
    let named = |who: &str, value: LaneValue| format!("{who} {}", named_text(value, DIGITS));
    match (value.device, value.reference) {
        (Some(device), Some(reference)) => {
            // Two rows of a system are too long for one line.
            let between = if matches!(device, LaneValue::Equation(_)) { "\n" } else { ",  " };
            ui.label([named("device", device), named("f64", reference)].join(between));
            ui.label(format!("error {:.2e}", device.distance(reference)));
        }
        (Some(value), None) => {
            ui.label(named("device", value));
        }
        (None, value) => {
            ui.label(named("f64", value.unwrap_or(LaneValue::NOTHING)));
        }
    }
}
