//! The graph as a table, one row for each edge.

use crate::graph::{GraphDrawing, GraphNode};
use crate::ui::widgets::{self, Head, TableRow, TextTable};
use egui::Ui;

/// Shows the table; it builds only the visible rows.
pub(super) fn ui(ui: &mut Ui, drawing: &GraphDrawing) {
    widgets::weak(ui, format!("{} edges, stage by stage", drawing.edges.len()));
    let heads = ["Stage", "Butterfly", "From", "To", "Coefficient", "Factor of the result"].map(Head::of_texts);
    TextTable::new("edges of the flow graph", heads).scroll(ui, drawing.edges.len(), |index| {
        let edge = &drawing.edges[index];
        let (from, to) = (GraphNode { column: edge.stage, lane: edge.from }, GraphNode { column: edge.stage + 1, lane: edge.to });
        let lane = |lane: usize, node| format!("lane {lane}, {}", drawing.name(node));
        let factor = drawing.terms(to).map_or_else(String::new, |(_, factor)| factor.text());
        let stage = (edge.stage + 1).to_string();
        TableRow::of([stage, (edge.butterfly + 1).to_string(), lane(edge.from, from), lane(edge.to, to), edge.text(), factor])
    });
}
