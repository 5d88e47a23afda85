//! The card of a node: formula, coefficients, values, and the addresses of its thread.

use super::content::GraphContent;
use super::paint::GraphPainter;
use super::values::{error_text, named_text};
use crate::graph::{GraphDrawing, GraphNode, coefficient_text, value_text};
use crate::numerals::integer;
use crate::plan::{Coef, LaneValue};
use crate::ui::theme::Tokens;
use crate::ui::widgets;
use egui::{Align2, FontId, RichText, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

/// Font size of addresses, in points.
const SMALL: f32 = 11.0;
/// Significant digits of the numbers.
const DIGITS: usize = 6;
/// A longer list of coefficients or addresses is cut.
const MAX_LISTED: usize = 8;

/// Shows the node that the user asks about in its column beside the graph.
pub(super) fn ui(ui: &mut Ui, graph: &GraphPainter<'_>, node: Option<GraphNode>, is_pinned: bool) {
    match node {
        Some(node) if graph.content.is_shrunk => miniature_ui(ui, graph, node),
        Some(node) => {
            contents_ui(ui, graph, node);
            widgets::weak(ui, if is_pinned { "Pinned: click the node again or press Esc to unpin it" } else { "Click to pin" });
        }
        None => {
            widgets::weak(ui, "Point at a node for its formula, its values and its addresses; click to pin it");
        }
    }
}

/// The meaning of a node of a miniature.
fn miniature_ui(ui: &mut Ui, graph: &GraphPainter<'_>, node: GraphNode) {
    let Some(stage) = node.column.checked_sub(1) else {
        widgets::weak(ui, "An input of the run; the lanes between the first and the last one stand for many");
        return;
    };
    let (n_stages, launch) = (graph.drawing.spans.len(), graph.drawing.launch_of(stage).unwrap_or_default());
    let hidden = graph.content.hidden;
    if hidden.strides || hidden.counts {
        widgets::hidden(ui, "The stage");
        return;
    }
    ui.label(
        RichText::new(format!("After stage {} of {n_stages}: {}", stage + 1, graph.content.plan.stages[stage].label)).size(15.0).strong(),
    );
    let Some((plan, _)) = graph.content.miniature_of else { return };
    let Some(ran) = plan.stages.get(stage) else { return };
    widgets::weak(
        ui,
        format!("Launch {}; {} like this one run in the stage", launch + 1, counted(ran.n_butterflies(), "butterfly", "butterflies")),
    );
    widgets::weak(
        ui,
        format!("In the run, the values of a butterfly are {} lanes apart", integer(ran.read.hop.unsigned_abs() as usize * ran.read.step)),
    );
}

/// A number with its noun.
fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{} {}", integer(n), if n == 1 { one } else { many })
}

fn contents_ui(ui: &mut Ui, graph: &GraphPainter<'_>, node: GraphNode) {
    let drawing = graph.drawing;
    // The name of a result says where it is.
    if graph.content.hidden.results && node.column == drawing.spans.len() {
        widgets::hidden(ui, "The result");
        return;
    }
    ui.label(RichText::new(drawing.formula(node)).size(15.0).strong());
    values_ui(ui, graph, node);
    if let Some((terms, factor)) = drawing.terms(node) {
        let named = terms.iter().filter(|term| !term.weight.is_sign()).map(|term| term.weight);
        let mut coefs: Vec<Coef> = Vec::new();
        for coef in named.chain((!factor.is_sign()).then_some(factor)) {
            if !coefs.contains(&coef) {
                coefs.push(coef);
            }
        }
        if coefs.len() <= MAX_LISTED {
            let ring = drawing.request.plan.ring;
            let value = |coef: &Coef| match ring.field() {
                Some(field) => format!("{} modulo {}", field.element(*coef), field.modulus()),
                None => value_text(coef.value(), DIGITS),
            };
            let texts = coefs.iter().map(|coef| (coefficient_text(*coef), value(coef)));
            // Some coefficients are written as numbers already.
            for (name, value) in texts.filter(|(name, value)| name != value) {
                ui.label(format!("{name} = {value}"));
            }
        }
    }
    let cone = graph.cone.map(|cone| (cone.sources(0).len(), cone.targets(drawing.spans.len()).len()));
    if let Some((n_inputs, n_outputs)) = cone {
        widgets::weak(ui, format!("depends on {n_inputs} of the inputs, reaches {n_outputs} of the outputs"));
    }
    bits_ui(ui, graph, node);
    if let Some(form) = drawing.real_form(node) {
        ui.collapsing("In real numbers", |ui| {
            for formula in &form.formulas {
                ui.add(egui::Label::new(RichText::new(formula).size(SMALL)).wrap());
            }
            widgets::weak(ui, format!("{}, {}", counted(form.n_products, "product", "products"), counted(form.n_sums, "sum", "sums")));
        });
    }
    // The number of a launch may be what is asked for.
    if let Some(addresses) = drawing.addresses(node).filter(|_| !graph.content.hidden.counts) {
        ui.separator();
        widgets::weak(ui, format!("{}; {}", addresses.launch, addresses.place));
        for read in addresses.reads.iter().take(MAX_LISTED) {
            ui.add(egui::Label::new(RichText::new(read).monospace().size(SMALL)).wrap());
        }
        if addresses.reads.len() > MAX_LISTED {
            widgets::weak(ui, format!("and {} more taps", addresses.reads.len() - MAX_LISTED));
        }
        ui.add(egui::Label::new(RichText::new(addresses.write).monospace().size(SMALL)).wrap());
    }
}

/// Where a stage only moves values by the bits of their lanes, both lanes in binary digits.
fn bits_ui(ui: &mut Ui, graph: &GraphPainter<'_>, node: GraphNode) {
    let plan = &graph.drawing.request.plan;
    let Some(stage) = node.column.checked_sub(1).map(|index| &plan.stages[index]) else { return };
    let n_bits = stage.write.reversed_bits as usize;
    let from =
        graph.drawing.terms(node).filter(|(terms, _)| terms.len() == 1 && stage.matrix().taps == 1).map(|(terms, _)| terms[0].from.lane);
    if let Some(from) = from.filter(|_| n_bits > 1) {
        let low = |lane: usize| lane & ((1 << n_bits) - 1);
        let digits = [low(from), low(node.lane)].map(|lane| format!("{lane:0n_bits$b}"));
        swapped_digits_ui(ui, &digits);
        widgets::weak(ui, "The first binary digit of the lane becomes the last one, the second the last but one, and so on");
    }
}

/// The digits of a lane above those of another one, with a line from every digit to its new place.
fn swapped_digits_ui(ui: &mut Ui, [from, to]: &[String; 2]) {
    let (n, size) = (from.len(), vec2(18.0 * from.len() as f32, 64.0));
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, format!("Digits {from} become {to}")));
    let at = |place: usize, y: f32| pos2(rect.left() + 18.0 * (place as f32 + 0.5), y);
    let color = |digit: char| if digit == '1' { Tokens::current(ui).accent } else { Tokens::current(ui).weak };
    for (place, (digit, new)) in from.chars().zip(to.chars()).enumerate() {
        let font = FontId::monospace(16.0);
        ui.painter().text(at(place, rect.top()), Align2::CENTER_TOP, digit, font.clone(), color(digit));
        ui.painter().text(at(place, rect.bottom()), Align2::CENTER_BOTTOM, new, font, color(new));
        ui.painter().line_segment([at(place, rect.top() + 20.0), at(n - 1 - place, rect.bottom() - 20.0)], Stroke::new(1.0, color(digit)));
    }
}

/// The formula and the values of a node as text, for a pane without room for the card; `None` where it would tell what is asked for.
pub(super) fn in_lines(drawing: &GraphDrawing, content: &GraphContent<'_>, node: GraphNode, cursor: usize) -> Option<String> {
    let is_hidden = content.hidden.results && node.column == drawing.spans.len();
    if content.is_shrunk || is_hidden || !drawing.exists(node) {
        return None;
    }
    let mut text = drawing.formula(node);
    let is_told = !content.hidden.values || node.column <= cursor;
    if let Some(value) = content.values.and_then(|values| values.at(node)).filter(|_| is_told) {
        text += &format!("\n= {}", named_text(value.shown(), DIGITS));
        if let (Some(device), Some(reference)) = (value.device, value.reference) {
            text += &format!(",  {}", error_text(device.distance(reference), 2));
        }
    }
    Some(text)
}

fn values_ui(ui: &mut Ui, graph: &GraphPainter<'_>, node: GraphNode) {
    if graph.content.hidden.values && node.column > graph.cursor {
        return;
    }
    let Some(value) = graph.content.values.and_then(|values| values.at(node)) else { return };
    let named = |who: &str, value: LaneValue| format!("{who}: {}", named_text(value, DIGITS));
    match (value.device, value.reference) {
        (Some(device), Some(reference)) => {
            // Two rows of a system are too long for one line.
            let between = if matches!(device, LaneValue::Equation(_)) { "\n" } else { ",  " };
            ui.label([named("device", device), named("f64", reference)].join(between));
            ui.label(error_text(device.distance(reference), 2));
        }
        (Some(value), None) => {
            ui.label(named("device", value));
        }
        (None, value) => {
            ui.label(named("f64", value.unwrap_or(LaneValue::NOTHING)));
        }
    }
}
