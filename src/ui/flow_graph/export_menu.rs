//! The menu *Export* of the flow graph.

use crate::graph::{GraphFormat, GraphStyle};
use egui::Ui;

/// The formats in both styles; data have no style.
pub(super) fn ui(ui: &mut Ui) -> Option<(GraphFormat, GraphStyle)> {
    let mut chosen = None;
    for format in GraphFormat::all() {
        if ui.button(format.name()).clicked() {
            chosen = Some((format, GraphStyle::Launches));
        }
        let about = "The graph alone, as textbooks print it: without launches, names of stages and title";
        if format != GraphFormat::Json && ui.button(format!("{}, plain", format.name())).on_hover_text(about).clicked() {
            chosen = Some((format, GraphStyle::Plain));
        }
    }
    chosen
}
