//! The card of a node: formula, coefficients, values, and the addresses that its thread touches.

use super::paint::Scene;
use super::quiet_ui;
use super::values::{named_text, value_text};
use crate::graph::GraphNode;
use crate::plan::{Coef, LaneValue};
use egui::{Align2, Order, RichText, Ui, Vec2};

/// The widest that a card gets, in points.
const WIDTH: f32 = 420.0;
/// The narrowest that a card gets before it goes to the other side of its node.
const LEAST_WIDTH: f32 = 280.0;
/// What the card's frame and shadow take of the width.
const MARGIN: f32 = 20.0;
/// Points from the node to its card, across and down.
const DISTANCE: f32 = 18.0;
/// Significant digits of numbers.
const DIGITS: usize = 6;
/// Summands above which the coefficients and addresses are not listed one by one.
const MAX_LISTED: usize = 8;

/// Shows the card beside its node, inside the canvas.
pub(super) fn show(ui: &Ui, scene: &Scene<'_>, node: GraphNode, is_pinned: bool) {
    let centre = scene.at(scene.drawing.position(node.column, node.lane));
    let room = scene.canvas.right() - centre.x - DISTANCE - MARGIN;
    let (pivot, sideways) = if room >= LEAST_WIDTH { (Align2::LEFT_TOP, DISTANCE) } else { (Align2::RIGHT_TOP, -DISTANCE) };
    egui::Area::new(ui.scope_id().with("flow graph card"))
        .order(Order::Tooltip)
        .pivot(pivot)
        .fixed_pos(centre + Vec2::new(sideways, DISTANCE))
        .constrain_to(scene.canvas)
        .interactable(false)
        .show(ui.ctx(), |ui| {
            egui::Frame::popup(ui.style()).show(ui, |ui| {
                ui.set_max_width(if room >= LEAST_WIDTH { room.min(WIDTH) } else { WIDTH });
                contents_ui(ui, scene, node);
                quiet_ui(ui, if is_pinned { "Pinned: click it again or press Esc to let go" } else { "Click to pin" });
            });
        });
}

fn contents_ui(ui: &mut Ui, scene: &Scene<'_>, node: GraphNode) {
    let drawing = scene.drawing;
    ui.label(RichText::new(drawing.formula(node)).size(15.0).strong());
    values_ui(ui, scene, node);
    if let Some((terms, factor)) = drawing.terms(node) {
        let named = terms.iter().filter(|term| !term.weight.is_sign()).map(|term| term.weight);
        let mut coefs: Vec<Coef> = named.chain((!factor.is_sign()).then_some(factor)).collect();
        coefs.dedup();
        if !coefs.is_empty() && coefs.len() <= MAX_LISTED {
            let texts: Vec<_> = coefs.iter().map(|coef| format!("{} = {}", coef.text(), value_text(coef.value(), DIGITS))).collect();
            ui.label(texts.join(",  "));
        }
    }
    let cone = scene.cone.map(|cone| (cone.sources(0).len(), cone.targets(drawing.spans.len()).len()));
    if let Some((n_inputs, n_outputs)) = cone {
        quiet_ui(ui, format!("depends on {n_inputs} of the inputs, reaches {n_outputs} of the outputs"));
    }
    if let Some(addresses) = drawing.addresses(node) {
        ui.separator();
        quiet_ui(ui, format!("{}; {}", addresses.launch, addresses.place));
        for read in addresses.reads.iter().take(MAX_LISTED) {
            ui.monospace(read);
        }
        if addresses.reads.len() > MAX_LISTED {
            quiet_ui(ui, format!("and {} more taps", addresses.reads.len() - MAX_LISTED));
        }
        ui.monospace(addresses.write);
    }
}

fn values_ui(ui: &mut Ui, scene: &Scene<'_>, node: GraphNode) {
    let Some(value) = scene.content.values.and_then(|values| values.at(node)) else { return };
    let told = |who: &str, value: LaneValue| format!("{who} {}", named_text(value, DIGITS));
    match (value.device, value.reference) {
        (Some(device), Some(reference)) => {
            // Two rows are too long for one line.
            let between = if matches!(device, LaneValue::Row(_)) { "\n" } else { ",  " };
            ui.label([told("device", device), told("f64", reference)].join(between));
            ui.label(format!("error {:.2e}", device.distance(reference)));
        }
        (Some(value), None) => {
            ui.label(told("device", value));
        }
        (None, value) => {
            ui.label(told("f64", value.unwrap_or(LaneValue::NOTHING)));
        }
    }
}
