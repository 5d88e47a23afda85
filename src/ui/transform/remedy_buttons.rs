//! Buttons for a job without a result: what would mend it, one click each.

use super::Fields;
use crate::engine::EngineError;
use crate::prepare::Extent;
use crate::remedy::{Remedies as _, Remedy};
use crate::signal::Signal;
use crate::transforms::{Axes, Family, Shape, TRANSFORMS};
use crate::ui::action::Action;
use crate::ui::{remedy, widgets};
use egui::Ui;

/// Shows the error and its buttons.
pub(super) fn ui(ui: &mut Ui, fields: &mut Fields<'_>, signal: &Signal, error: &EngineError) {
    let text = if signal.rows > 1 { remedy::in_words_of_image(error) } else { remedy::in_words(error) };
    widgets::error(ui, &text);
    let remedies = error.remedies();
    ui.horizontal_wrapped(|ui| {
        if let Some(length) = remedies.iter().find_map(|remedy| if let Remedy::Size(length) = remedy { Some(*length) } else { None }) {
            sizes_ui(ui, fields, signal, length.is_power_of_two());
        }
        let is_other_algorithm = |remedy: &Remedy| matches!(remedy, Remedy::AnotherAlgorithm | Remedy::Algorithm(_));
        if fields.algorithm.is_some() && remedies.iter().any(is_other_algorithm) {
            let button = ui.button("Take Automatic").on_hover_text("Leaves the choice of the algorithm to the program");
            if button.clicked() {
                *fields.algorithm = None;
            }
        }
        let transform = fields.shown.transform;
        let fourier = TRANSFORMS.iter().find(|other| other.family == Family::Fourier && other.axes == transform.axes);
        if let Some(fourier) = fourier.filter(|_| transform.family != Family::Fourier)
            && ui.button("Take the DFT").on_hover_text("The Fourier transform takes every size").clicked()
        {
            fields.actions.push(Action::SetTransform(fourier.name));
        }
    });
}

/// Buttons that pad or crop the transformed axes to a size that suits: a power of two, or an even number.
fn sizes_ui(ui: &mut Ui, Fields { shown, preparation, .. }: &mut Fields<'_>, signal: &Signal, to_power: bool) {
    let up = |n: usize| if to_power { n.next_power_of_two() } else { n.next_multiple_of(2) };
    let down = |n: usize| if to_power { 1 << n.max(1).ilog2() } else { (n & !1).max(1) };
    let axes = shown.transform.axes(shown.parameters);
    let Shape { rows, columns } = shown.prepared_shape(signal);
    let sized = |fit: &dyn Fn(usize) -> usize| match axes {
        Axes::Rows => [rows, fit(columns)],
        Axes::Columns => [fit(rows), columns],
        Axes::Both => [fit(rows), fit(columns)],
    };
    let choices = [
        ("Pad", sized(&up), "Adds zeros at the end of rows and columns; undo takes them away"),
        ("Crop", sized(&down), "Leaves out the end of rows and columns; undo brings it back"),
    ];
    for (verb, [rows, columns], about) in choices {
        let is_line = signal.rows == 1;
        let size = if is_line { crate::numerals::integer(columns) } else { signal.kind.size(rows, columns) };
        if ui.button(format!("{verb} to {size}")).on_hover_text(about).clicked() {
            preparation.padding.extent = Extent::To([rows, columns]);
        }
    }
}
