//! The warnings and the table of a record, made again only when another record is shown.

use crate::bench::{self, Record};
use egui::{Color32, Label, RichText, ScrollArea, Ui};
use std::sync::Arc;

/// The texts of the record that is shown.
#[derive(Default)]
pub(super) struct RecordTexts {
    record: Option<Arc<Record>>,
    warnings: Vec<String>,
    table: Option<String>,
}

impl RecordTexts {
    /// The warnings about a record, one line each.
    pub(super) fn warnings(&mut self, record: &Arc<Record>) -> &[String] {
        self.follow(record);
        &self.warnings
    }

    /// Shows the numbers of every case.
    pub(super) fn table_ui(&mut self, ui: &mut Ui, record: &Arc<Record>) {
        self.follow(record);
        let table = self.table.get_or_insert_with(|| bench::table(record));
        ScrollArea::both().id_salt("values").auto_shrink([false, false]).show(ui, |ui| {
            ui.add(Label::new(RichText::new(table.as_str()).monospace()).extend());
        });
    }

    fn follow(&mut self, record: &Arc<Record>) {
        if self.record.as_ref().is_none_or(|known| !Arc::ptr_eq(known, record)) {
            *self = Self { record: Some(record.clone()), warnings: bench::warnings(record), table: None };
        }
    }
}

/// Shows the first lines of a list, each cut to the available width; a hover shows them in full.
pub(super) fn lines_ui(ui: &mut Ui, lines: &[String], most: usize, color: impl Fn(&str) -> Color32) {
    let shown = if lines.len() > most { most - 1 } else { lines.len() };
    for line in &lines[..shown] {
        ui.add(Label::new(RichText::new(line).color(color(line)).small()).truncate()).on_hover_text(line);
    }
    if let [first, rest @ ..] = &lines[shown..] {
        let text = format!("and {} more: {first}", rest.len() + 1);
        ui.add(Label::new(RichText::new(text).color(color(first)).small()).truncate()).on_hover_text(lines[shown..].join("\n"));
    }
}
