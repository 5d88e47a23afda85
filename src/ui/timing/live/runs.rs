//! The parts of a run as a table: the newest run, what the last runs come to, and how fast bytes were moved. As many columns as fit; the others are told on hover.

use super::super::super::theme::GRID;
use super::super::super::widgets;
use super::super::history::{History, Summary};
use super::parts::{Part, about, color, parts, title};
use crate::engine::{Outcome, Times};
use crate::numerals::{bytes, duration, number};
use egui::text::{LayoutJob, TextWrapping};
use egui::{Grid, Rect, TextStyle, Ui};

/// The names of the columns, those that are given up last first.
const COLUMNS: [&str; 5] = ["newest", "median", "quartiles", "rate", "moved"];
/// Points between two columns.
const SPACING: f32 = 3.0 * GRID;
/// What the swatch before a name takes.
const SWATCH: f32 = 18.0;
/// Columns are left out before names get less, and only longer names are cut.
const LEAST_NAME: f32 = 168.0;

/// A row of the table.
struct Row {
    part: Option<Part>,
    name: String,
    cells: [String; COLUMNS.len()],
}

impl Row {
    fn new(part: Option<Part>, name: String, micros: f64, summary: Option<Summary>, moved: Option<u64>) -> Self {
        let told = |text: fn(Summary) -> String| summary.map_or(String::new(), text);
        let moved = moved.filter(|_| micros > 0.0);
        let cells = [
            duration(micros),
            told(|summary| duration(summary.median)),
            told(|summary| format!("{} – {}", duration(summary.quartiles[0]), duration(summary.quartiles[1]))),
            moved.map_or(String::new(), |moved| rate(moved, micros)),
            moved.map_or(String::new(), bytes),
        ];
        Self { part, name, cells }
    }

    /// What is said on hover: what the part is, and the cells that found no room.
    fn hover(&self, n_shown: usize) -> String {
        let hidden = COLUMNS.iter().zip(&self.cells).skip(n_shown).filter(|(_, cell)| !cell.is_empty());
        let hidden: Vec<_> = hidden.map(|(column, cell)| format!("{column} {cell}")).collect();
        let about = self.part.map_or("", about);
        let lines = [self.name.as_str(), about, &hidden.join(", ")];
        lines.into_iter().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
    }
}

/// Shows the table in `width` points; gives the part under the pointer.
pub(super) fn ui(ui: &mut Ui, history: &History, newest: &Times, outcome: &Outcome, width: f32) -> Option<Part> {
    let rows = rows(history, newest, outcome);
    let (n_shown, name_width) = fitting(ui, &rows, width);
    let mut lit = None;
    Grid::new("run").num_columns(1 + n_shown).spacing([SPACING, 2.0]).show(ui, |ui| {
        for heading in [""].iter().chain(&COLUMNS[..n_shown]) {
            widgets::weak(ui, *heading);
        }
        ui.end_row();
        for row in &rows {
            let place = row_ui(ui, row, n_shown, name_width);
            if ui.rect_contains_pointer(place) {
                lit = row.part;
            }
        }
    });
    lit
}

/// Every part, the whole, and what was paid once.
fn rows(history: &History, newest: &Times, outcome: &Outcome) -> Vec<Row> {
    // A CPU has nothing to upload and to download.
    let is_there = |part: Part, micros: f64| micros > 0.0 || !matches!(part, Part::Upload | Part::Download);
    let of_part = |times: &Times, part: Part| parts(times).find(|(other, _)| *other == part).map_or(0.0, |(_, micros)| micros);
    let mut rows: Vec<Row> = parts(newest)
        .filter(|(part, micros)| is_there(*part, *micros))
        .map(|(part, micros)| {
            let moved = if let Part::Launch(launch) = part { outcome.launch_bytes(launch) } else { None };
            Row::new(Some(part), title(part, outcome), micros, history.summary(|times| of_part(times, part)), moved)
        })
        .collect();
    let (total, first) = (history.summary(|times| times.total_micros), history.first());
    rows.push(Row::new(None, "Total".into(), newest.total_micros, total, None));
    rows.push(Row::new(None, "First run: preparation".into(), first.prepare_micros, None, None));
    rows.push(Row::new(None, "First run: the rest".into(), first.total_micros, None, None));
    rows
}

/// How many columns beside the names fit into `width` points, and what is left for the names.
fn fitting(ui: &Ui, rows: &[Row], width: f32) -> (usize, f32) {
    // The last columns may be empty, as of a library.
    let n_columns = (1..=COLUMNS.len()).rev().find(|n| rows.iter().any(|row| !row.cells[n - 1].is_empty())).unwrap_or(1);
    let columns: Vec<f32> = (0..n_columns)
        .map(|column| {
            let cells = rows.iter().map(|row| row.cells[column].as_str()).chain([COLUMNS[column]]);
            SPACING + cells.map(|text| widgets::text_width(ui, text)).fold(0.0, f32::max)
        })
        .collect();
    let names = rows.iter().map(|row| SWATCH + widgets::text_width(ui, &row.name)).fold(0.0, f32::max);
    shown(&columns, names, width)
}

/// The first columns that leave enough for names that want `names` points; at least one.
fn shown(columns: &[f32], names: f32, width: f32) -> (usize, f32) {
    let left = |n: usize| width - columns[..n].iter().sum::<f32>();
    let fits = |n: &usize| left(*n) >= names.min(LEAST_NAME);
    let n = (1..=columns.len()).rev().find(fits).unwrap_or(1);
    (n, left(n).clamp(LEAST_NAME.min(names), names))
}

/// Shows a row; gives where it stands.
fn row_ui(ui: &mut Ui, row: &Row, n_shown: usize, name_width: f32) -> Rect {
    let theme = ui.theme();
    let name = ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = SWATCH - 10.0;
        match row.part {
            Some(part) => widgets::swatch(ui, color(part, theme)),
            None => ui.add_space(SWATCH),
        }
        let mut job = LayoutJob::simple_singleline(row.name.clone(), TextStyle::Body.resolve(ui.style()), ui.visuals().text_color());
        job.wrap = TextWrapping::truncate_at_width(name_width - SWATCH);
        let galley = ui.painter().layout_job(job);
        ui.label(galley).on_hover_text(row.hover(n_shown));
    });
    let mut place = name.response.rect;
    for cell in &row.cells[..n_shown] {
        place = place.union(ui.label(cell).rect);
    }
    ui.end_row();
    place
}

/// Bytes a second with a decimal unit.
fn rate(bytes: u64, micros: f64) -> String {
    let rate = bytes as f64 / micros;
    if rate < 1e3 { format!("{} MB/s", number(rate, 3)) } else { format!("{} GB/s", number(rate / 1e3, 3)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_have_a_readable_unit() {
        assert_eq!(rate(4 << 20, 1e6), "4.19 MB/s");
        assert_eq!(rate(4 << 20, 1e3), "4.19 GB/s");
    }

    #[test]
    fn columns_are_left_out_before_they_are_cut() {
        let columns = [70.0, 70.0, 130.0, 80.0, 70.0];
        assert_eq!(shown(&columns, 200.0, 700.0), (5, 200.0));
        assert_eq!(shown(&columns, 200.0, 600.0), (5, 180.0));
        assert_eq!(shown(&columns, 150.0, 530.0), (4, 150.0));
        assert_eq!(shown(&columns, 150.0, 460.0), (3, 150.0));
        assert_eq!(shown(&columns, 200.0, 60.0).0, 1);
        for width in 240..700 {
            let (n, name) = shown(&columns, 200.0, width as f32);
            assert!(columns[..n].iter().sum::<f32>() + name <= width as f32);
        }
    }
}
