//! The graph as a table, one row for each edge.

use crate::graph::{Drawing, GraphNode};
use crate::ui::widgets;
use egui::{Grid, ScrollArea, TextStyle, Ui};

/// Shows the table; it builds only the visible rows.
pub(super) fn ui(ui: &mut Ui, drawing: &Drawing) {
    let row_height = ui.text_style_height(&TextStyle::Body);
    widgets::weak(ui, format!("{} edges, stage by stage", drawing.edges.len()));
    ScrollArea::both().auto_shrink(false).show_rows(ui, row_height, drawing.edges.len() + 1, |ui, rows| {
        Grid::new("edges of the flow graph").striped(true).num_columns(6).min_col_width(88.0).start_row(rows.start).show(ui, |ui| {
            for row in rows {
                match row.checked_sub(1) {
                    None => header_ui(ui),
                    Some(index) => row_ui(ui, drawing, index),
                }
                ui.end_row();
            }
        });
    });
}

fn header_ui(ui: &mut Ui) {
    for title in ["Stage", "Butterfly", "From", "To", "Coefficient", "Factor of the result"] {
        ui.strong(title);
    }
}

fn row_ui(ui: &mut Ui, drawing: &Drawing, index: usize) {
    let edge = &drawing.edges[index];
    let (from, to) = (GraphNode { column: edge.stage, lane: edge.from }, GraphNode { column: edge.stage + 1, lane: edge.to });
    ui.label(format!("{}", edge.stage + 1));
    ui.label(format!("{}", edge.butterfly + 1));
    ui.label(format!("lane {}, {}", edge.from, drawing.name(from)));
    ui.label(format!("lane {}, {}", edge.to, drawing.name(to)));
    ui.label(edge.text());
    ui.label(drawing.terms(to).map_or_else(String::new, |(_, factor)| factor.text()));
}
