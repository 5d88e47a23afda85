//! The polynomials of a function as text, and its properties, each with meaning and reason.

use crate::engine::logic::FunctionStudy;
use crate::logic::{LogicProperty, anf_text, hex_text, minterm_text, polynomial_text};
use crate::ui::theme::{GRID, Tokens};
use crate::ui::toolbar::Toolbar;
use egui::{Grid, Label, Response, RichText, Role, ScrollArea, Sense, Ui, WidgetInfo};

/// Width of a column of properties, in points.
const COLUMN: f32 = 250.0;
/// The most variables of a truth table that can be copied as text.
const MOST_COPIED_VARIABLES: u32 = 16;

/// Shows the properties and polynomials of a function.
pub(super) fn ui(ui: &mut Ui, study: &FunctionStudy) {
    ScrollArea::vertical().id_salt("numbers").auto_shrink([false, false]).show(ui, |ui| {
        properties_ui(ui, &study.properties);
        ui.add_space(2.0 * GRID);
        let spectra = &study.spectra;
        polynomial_ui(ui, "Reed-Muller polynomial", &study.reed_muller_text, || anf_text(&spectra.reed_muller, usize::MAX))
            .on_hover_text("The algebraic normal form: a sum modulo 2 of products of variables, positive polarity.");
        polynomial_ui(ui, "Arithmetic polynomial", &study.arithmetic_text, || polynomial_text(&spectra.arithmetic, usize::MAX))
            .on_hover_text("The same values as a polynomial over the integers: each variable is 0 or 1, and + and · are the usual ones.");
    });
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
    let columns = ((ui.available_width() / COLUMN) as usize).clamp(1, 3);
    let rows = properties.len().div_ceil(columns);
    let color = Tokens::current(ui).weak;
    Grid::new("properties").num_columns(2 * columns).spacing([3.0 * GRID, GRID]).show(ui, |ui| {
        for row in 0..rows {
            for property in properties.iter().skip(row).step_by(rows) {
                let name = ui.add(Label::new(RichText::new(property.name).color(color)).sense(Sense::hover()));
                let value = ui.add(Label::new(RichText::new(&property.value).strong()).sense(Sense::hover()));
                explain(&name, property);
                explain(&value, property);
            }
            ui.end_row();
        }
    });
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
