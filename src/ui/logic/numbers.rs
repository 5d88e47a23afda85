//! The polynomials of a function as text, and its properties, each with meaning and reason.

use crate::engine::logic::FunctionStudy;
use crate::logic::{LogicProperty, anf_text, hex_text, minterm_text, polynomial_text};
use crate::ui::theme::{GRID, Tokens};
use crate::ui::toolbar::Toolbar;
use crate::ui::widgets;
use egui::{Label, Response, RichText, Role, ScrollArea, Sense, Ui, WidgetInfo, vec2};

/// The most columns of properties, and the distance between two texts in a row of them, in points.
const MOST_COLUMNS: usize = 3;
const SPACING: f32 = 3.0 * GRID;
/// The most variables of a truth table that can be copied as text.
const MOST_COPIED_VARIABLES: u32 = 16;

/// Shows the properties and polynomials of a function; returns the height that all of them take.
pub(super) fn ui(ui: &mut Ui, study: &FunctionStudy) -> f32 {
    let shown = ScrollArea::vertical().id_salt("numbers").auto_shrink([false, false]).show(ui, |ui| {
        properties_ui(ui, &study.properties);
        ui.add_space(2.0 * GRID);
        let spectra = &study.spectra;
        polynomial_ui(ui, "Reed-Muller polynomial", &study.reed_muller_text, || anf_text(&spectra.reed_muller, usize::MAX))
            .on_hover_text("The algebraic normal form: a sum modulo 2 of products of variables, positive polarity.");
        polynomial_ui(ui, "Arithmetic polynomial", &study.arithmetic_text, || polynomial_text(&spectra.arithmetic, usize::MAX))
            .on_hover_text("The same values as a polynomial over the integers: each variable is 0 or 1, and + and · are the usual ones.");
    });
    shown.content_size.y
}

/// Offers the function as text.
pub(super) fn tools_ui(bar: &mut Toolbar<'_>, study: &FunctionStudy) {
    let function = &study.function;
    if function.n() <= MOST_COPIED_VARIABLES {
        bar.item("truth table", |ui| copy_ui(ui, "Copy truth table", "Copy truth table", || hex_text(function)));
        bar.item("minterms", |ui| copy_ui(ui, "Copy minterms", "Copy minterms", || minterm_text(function)));
    }
}

/// Shows properties in one to three columns; a hover gives the meaning and the reason of each.
pub(super) fn properties_ui(ui: &mut Ui, properties: &[LogicProperty]) {
    let (color, before) = (Tokens::current(ui).weak, ui.spacing().item_spacing);
    let names = widgets::widest(ui, properties.iter().map(|property| property.name));
    let values = widgets::widest(ui, properties.iter().map(|property| property.value.as_str()));
    let columns = ((ui.available_width() / (names + values + 2.0 * SPACING)) as usize).clamp(1, MOST_COLUMNS);
    let rows = properties.len().div_ceil(columns);
    ui.spacing_mut().item_spacing = vec2(SPACING, GRID);
    for row in 0..rows {
        ui.horizontal(|ui| {
            for property in properties.iter().skip(row).step_by(rows) {
                let name = Label::new(RichText::new(property.name).color(color)).sense(Sense::hover());
                let value = Label::new(RichText::new(&property.value).strong()).sense(Sense::hover());
                explain(&widgets::cell(ui, names, |ui| ui.add(name)), property);
                explain(&widgets::cell(ui, values, |ui| ui.add(value)), property);
            }
        });
    }
    ui.spacing_mut().item_spacing = before;
}

fn explain(response: &Response, property: &LogicProperty) {
    response.clone().on_hover_ui(|ui| {
        ui.set_max_width(360.0);
        ui.strong(property.name);
        ui.label(property.definition);
        ui.label(&property.why);
    });
}

/// Shows a polynomial, with a button that copies all of it.
fn polynomial_ui(ui: &mut Ui, name: &str, shown: &str, whole: impl FnOnce() -> String) -> Response {
    let heading = ui
        .horizontal(|ui| {
            let heading = ui.label(RichText::new(name).color(Tokens::current(ui).weak));
            copy_ui(ui, "Copy", &format!("Copy {name}"), whole);
            heading
        })
        .inner;
    let text = ui.add(Label::new(RichText::new(shown).monospace()).wrap().selectable(true)).labelled_by(heading.id);
    ui.add_space(GRID);
    heading.union(text)
}

fn copy_ui(ui: &mut Ui, shown: &str, name: &str, text: impl FnOnce() -> String) {
    let button = ui.button(shown);
    button.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
    if button.on_hover_text("Copies it to the clipboard in a form that can be typed in").clicked() {
        ui.ctx().copy_text(text());
    }
}
