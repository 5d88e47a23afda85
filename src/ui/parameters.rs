//! The controls of the parameters that the table gives a transform: order, norm, matrix, levels, boundary extension.

use super::theme::GRID;
use super::widgets::{self, row};
use crate::transforms::wavelet::USUAL_LEVELS;
use crate::transforms::{Base, BatchAxis, Boundary, PacketOrder, Parameter, Parameters, RowOrder, Transform};
use egui::{DragValue, Response, Role, Ui, WidgetInfo};

/// Levels that are offered before the signal is known.
const MOST_LEVELS: usize = 24;

/// The limits that a signal sets.
#[derive(Default)]
pub(super) struct Room {
    /// The number of levels that the signal allows, once it is known.
    pub(super) most_levels: Option<usize>,
    /// Whether the signal has several rows, so that its columns can be transformed too.
    pub(super) is_batch: bool,
}

/// Shows one control for each parameter of the transform that the signal leaves open.
pub(super) fn parameters_ui(ui: &mut Ui, parameters: &mut Parameters, transform: &Transform, Room { most_levels, is_batch }: Room) {
    for parameter in transform.parameters {
        match parameter {
            Parameter::Lines if !is_batch => {}
            Parameter::Lines => {
                let lines = [
                    (BatchAxis::Rows, "Rows", "Every row on its own: axis 1 of an array"),
                    (BatchAxis::Columns, "Columns", "Every column on its own, where it stands: axis 0"),
                ];
                row(ui, "Along", |ui| widgets::segmented(ui, &mut parameters.lines, &lines));
            }
            Parameter::Order => {
                let orders = [
                    (RowOrder::Natural, "Natural", "Hadamard: entry (−1)^popcount(k AND i)"),
                    (RowOrder::Sequency, "Sequency", "By the number of sign changes"),
                    (RowOrder::Dyadic, "Dyadic", "Paley: the natural rows in bit-reversed order"),
                ];
                row(ui, "Order", |ui| widgets::segmented(ui, &mut parameters.order, &orders));
            }
            Parameter::IndexOrder => {
                let orders = [
                    (RowOrder::Natural, "Natural", "Coefficient i belongs to the product of the variables whose bits in i are 1"),
                    (RowOrder::Dyadic, "Dyadic", "The bits of the index reversed, as Algorithm 2 of Gajić and Stanković 2011 leaves them"),
                ];
                let mut order = if parameters.order == RowOrder::Dyadic { RowOrder::Dyadic } else { RowOrder::Natural };
                let before = order;
                row(ui, "Order", |ui| widgets::segmented(ui, &mut order, &orders));
                if order != before {
                    parameters.order = order;
                }
            }
            Parameter::Normalized => {
                let norms = [
                    (false, "Not normalised", "Plain sums and differences: integers stay integers"),
                    (true, "Orthonormal", "Every row of the matrix divided by its norm"),
                ];
                row(ui, "Norm", |ui| widgets::segmented(ui, &mut parameters.normalized, &norms));
            }
            Parameter::Matrix => {
                row(ui, "Matrix", |ui| matrix_ui(ui, &mut parameters.matrix));
            }
            Parameter::Levels => {
                row(ui, "Levels", |ui| levels_ui(ui, &mut parameters.levels, most_levels.unwrap_or(MOST_LEVELS)));
            }
            Parameter::Boundary => {
                let boundaries = [
                    (Boundary::Symmetric, "Symmetric", "Boundary extension: the signal is mirrored at its first and last sample"),
                    (Boundary::Periodic, "Periodic", "Boundary extension: the signal repeats"),
                ];
                row(ui, "Boundary", |ui| widgets::segmented(ui, &mut parameters.boundary, &boundaries));
            }
            Parameter::PacketOrder => {
                let orders = [
                    (PacketOrder::Natural, "Natural", "As the filters are applied: low-pass before high-pass in every block"),
                    (PacketOrder::Frequency, "Frequency", "By the frequency that a block holds"),
                ];
                row(ui, "Order", |ui| widgets::segmented(ui, &mut parameters.packet_order, &orders));
            }
            // The number of values of a half spectrum follows from the number of samples.
            Parameter::Columns => {}
        }
    }
}

/// The number of levels; the usual number until the slider is moved.
fn levels_ui(ui: &mut Ui, levels: &mut Option<usize>, most: usize) -> Response {
    let mut shown = levels.unwrap_or(USUAL_LEVELS).min(most);
    let response = widgets::whole_slider(ui, &mut shown, most.min(1)..=most, "");
    if response.changed() {
        *levels = Some(shown);
    }
    response.on_hover_text("Number of levels: each one halves the low-pass half again")
}

/// The four entries of the matrix, row by row.
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
