//! The same graph as a table: one row a line, for those who read rather than look.

use crate::graph::{Drawing, GraphNode};
use egui::{Grid, ScrollArea, TextStyle, Ui};

/// Shows the table; only the rows in sight are built.
pub(super) fn ui(ui: &mut Ui, drawing: &Drawing) {
    let row_height = ui.text_style_height(&TextStyle::Body);
    super::quiet_ui(ui, format!("{} lines, stage after stage", drawing.edges.len()));
    ScrollArea::both().auto_shrink(false).show_rows(ui, row_height, drawing.edges.len() + 1, |ui, rows| {
        Grid::new("lines of the flow graph").striped(true).num_columns(6).min_col_width(88.0).start_row(rows.start).show(ui, |ui| {
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
    let line = &drawing.edges[index];
    let (from, to) = (GraphNode { column: line.stage, lane: line.from }, GraphNode { column: line.stage + 1, lane: line.to });
    ui.label(format!("{}", line.stage + 1));
    ui.label(format!("{}", line.butterfly + 1));
    ui.label(format!("lane {}, {}", line.from, drawing.name(from)));
    ui.label(format!("lane {}, {}", line.to, drawing.name(to)));
    ui.label(line.text());
    ui.label(drawing.terms(to).map_or_else(String::new, |(_, factor)| factor.text()));
}
