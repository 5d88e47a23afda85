//! The controls of what a transform lets its user choose, as the table says it: order, norm, matrix.

use super::theme::GRID;
use super::widgets::{self, row};
use crate::transforms::{Base, Parameter, Parameters, RowOrder, Transform};
use egui::{DragValue, Response, Role, Ui, WidgetInfo};

/// Shows one control for each parameter of the transform.
pub(super) fn parameters_ui(ui: &mut Ui, parameters: &mut Parameters, transform: &Transform) {
    for parameter in transform.parameters {
        match parameter {
            Parameter::Order => {
                let orders = [
                    (RowOrder::Natural, "Natural", "Hadamard: entry (−1)^popcount(k AND i)"),
                    (RowOrder::Sequency, "Sequency", "By the number of sign changes"),
                    (RowOrder::Dyadic, "Dyadic", "Paley: the natural rows in bit-reversed order"),
                ];
                row(ui, "Order", |ui| widgets::segmented(ui, &mut parameters.order, &orders));
            }
            Parameter::Normalized => {
                let norms = [
                    (false, "Not normalised", "Sums and differences as they are, integers of integers"),
                    (true, "Orthonormal", "Every row of the matrix divided by its norm"),
                ];
                row(ui, "Norm", |ui| widgets::segmented(ui, &mut parameters.normalized, &norms));
            }
            Parameter::Matrix => {
                row(ui, "Matrix", |ui| matrix_ui(ui, &mut parameters.matrix));
            }
            // The even number of samples is taken, which the half spectrum has.
            Parameter::Columns => {}
        }
    }
}

/// The four entries, row after row.
fn matrix_ui(ui: &mut Ui, matrix: &mut Base) -> Response {
    let entries = matrix.0.iter_mut().zip(["a", "b", "c", "d"]);
    let responses = entries.map(|(entry, name)| {
        let response = ui.add(DragValue::new(entry).speed(0.05).range(-1e6..=1e6).max_decimals(6));
        response.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, format!("Matrix {name}")));
        response.on_hover_text(format!("Entry {name} of [[a, b], [c, d]]"))
    });
    let all = responses.reduce(|all, next| all.union(next)).expect("a matrix has entries");
    ui.add_space(GRID);
    all
}
