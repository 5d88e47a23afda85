//! The parts of a run as a table: newest time, median, the ratio to a copy of the same bytes, quartiles, and the rate of bytes. A hover shows the columns that do not fit.

use super::super::super::run_history::{RunHistory, RunSummary};
use super::super::super::theme::GRID;
use super::super::super::widgets;
use super::parts::{LaunchDetail, RunPart, about, color, parts, title};
use crate::engine::{Outcome, Times};
use crate::numerals::{bytes, duration, number};
use egui::text::{LayoutJob, TextWrapping};
use egui::{Rect, TextStyle, Ui, vec2};
use std::time::Duration;

/// The names of the columns; a narrow pane leaves out the last ones.
const COLUMNS: [&str; 6] = ["newest", "median", "of copy time", "quartiles", "rate", "moved"];
/// The longest usual text of every column, for which it has room from the first run on, so that no later run moves the columns.
const LONGEST: [&str; COLUMNS.len()] = ["88.8 ms", "88.8 ms", "", "88.8 ms – 88.8 ms", "", ""];
/// A sentence on every column.
const ABOUT: [&str; COLUMNS.len()] = [
    "The time of the newest run",
    "The median of the runs that count",
    "How many times as long as a plain copy of the same bytes; under 1: its values stay in the caches, or the copy was disturbed",
    "A quarter of the runs took less than the first time, and a quarter more than the second",
    "The bytes that the newest run moved in a second",
    "The bytes that the launch reads and writes",
];
/// Distance between two columns, in points.
const SPACING: f32 = 3.0 * GRID;
/// Width of the swatch before a name, in points.
const SWATCH_WIDTH: f32 = 18.0;
/// A column is left out before names get less width, in points; longer names take a second line.
const LEAST_NAME: f32 = 168.0;
/// The least width of names beside the first column.
const LEAST_CUT_NAME: f32 = 96.0;

/// A row of the table.
struct PartRow {
    part: Option<RunPart>,
    name: String,
    cells: [String; COLUMNS.len()],
}

impl PartRow {
    fn new(part: Option<RunPart>, name: String, micros: f64, summary: Option<RunSummary>, moved: Option<u64>, floor: Option<f64>) -> Self {
        let summarised = |text: fn(RunSummary) -> String| summary.map_or(String::new(), text);
        let moved = moved.filter(|_| micros > 0.0);
        let cells = [
            duration(micros),
            summarised(|summary| duration(summary.median)),
            floor
                .filter(|floor| *floor > 0.0)
                .map_or(String::new(), |floor| format!("{} ×", number(summary.map_or(micros, |summary| summary.median) / floor, 3))),
            summarised(|summary| format!("{} – {}", duration(summary.quartiles[0]), duration(summary.quartiles[1]))),
            moved.map_or(String::new(), |moved| rate(moved, micros)),
            moved.map_or(String::new(), bytes),
        ];
        Self { part, name, cells }
    }

    /// The text of a hover: the name, a sentence about the part, and the cells that do not fit.
    fn hover(&self, n_shown: usize) -> String {
        let hidden = COLUMNS.iter().zip(&self.cells).skip(n_shown).filter(|(_, cell)| !cell.is_empty());
        let hidden: Vec<_> = hidden.map(|(column, cell)| format!("{column} {cell}")).collect();
        let about = self.part.map_or("", about);
        let lines = [self.name.as_str(), about, &hidden.join(", ")];
        lines.into_iter().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
    }
}

/// Shows the table in `width` points, with the time that the source took; returns the part under the pointer.
pub(super) fn ui(
    ui: &mut Ui,
    known: (Option<Duration>, &RunHistory),
    outcome: &Outcome,
    detail: LaunchDetail,
    width: f32,
) -> Option<RunPart> {
    let rows = rows(known, known.1.newest()?, outcome, detail);
    let (columns, name_width) = fitting(ui, &rows, width);
    let mut lit = None;
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing = vec2(SPACING, 2.0);
        ui.horizontal(|ui| {
            widgets::cell(ui, name_width, |_| {});
            for ((heading, about), width) in COLUMNS.iter().zip(ABOUT).zip(&columns) {
                widgets::cell(ui, *width, |ui| widgets::weak(ui, *heading).on_hover_text(about));
            }
        });
        for row in &rows {
            let place = row_ui(ui, row, &columns, name_width);
            if ui.rect_contains_pointer(place) {
                lit = row.part;
            }
        }
    });
    lit
}

/// The rows: every part, the total, and the first run with the reading or making of its source.
fn rows((read_time, history): (Option<Duration>, &RunHistory), newest: &Times, outcome: &Outcome, detail: LaunchDetail) -> Vec<PartRow> {
    // A CPU neither uploads nor downloads.
    let is_there = |part: RunPart, micros: f64| micros > 0.0 || !matches!(part, RunPart::Upload | RunPart::Download);
    let of_part = |times: &Times, part: RunPart| parts(times, detail).find(|(other, _)| *other == part).map_or(0.0, |(_, micros)| micros);
    let mut rows: Vec<PartRow> = parts(newest, detail)
        .filter(|(part, micros)| is_there(*part, *micros))
        .map(|(part, micros)| {
            let (moved, floor) = match part {
                RunPart::Launch(launch) => (outcome.launch_bytes(launch), outcome.launch_copies.get(launch).copied()),
                _ => (None, None),
            };
            PartRow::new(Some(part), title(part, outcome, detail), micros, history.summary(|times| of_part(times, part)), moved, floor)
        })
        .collect();
    let (total, first) = (history.summary(|times| times.total_micros), history.first());
    rows.push(PartRow::new(None, "Total".into(), newest.total_micros, total, None, None));
    let source = read_time.map_or(0.0, |time| 1e6 * time.as_secs_f64());
    let apart = [("First run: source", source), ("First run: opening", first.open_micros), ("First run: compiling", first.compile_micros)];
    let rest = first.prepare_micros - first.open_micros - first.compile_micros;
    let shown = apart.into_iter().filter(|(_, micros)| *micros > 0.0).chain([("First run: preparation", rest.max(0.0))]);
    rows.extend(shown.map(|(name, micros)| PartRow::new(None, name.into(), micros, None, None, None)));
    rows.push(PartRow::new(None, "First run: the rest".into(), first.total_micros, None, None, None));
    // A device makes its image itself, and brings it back.
    let images = Some(first.image_micros).filter(|micros| *micros > 0.0);
    rows.extend(images.map(|micros| PartRow::new(None, "First run: images and plots".into(), micros, None, None, None)));
    rows
}

/// The widths of the columns beside the names that fit into `width` points, and the width left for the names.
fn fitting(ui: &Ui, rows: &[PartRow], width: f32) -> (Vec<f32>, f32) {
    // The last columns may be empty, as they are for a library.
    let n_columns = (1..=COLUMNS.len()).rev().find(|n| rows.iter().any(|row| !row.cells[n - 1].is_empty())).unwrap_or(1);
    let columns: Vec<f32> = (0..n_columns)
        .map(|column| {
            let cells = rows.iter().map(|row| row.cells[column].as_str());
            SPACING + widgets::widest(ui, cells.chain([COLUMNS[column], LONGEST[column]]))
        })
        .collect();
    let names = rows.iter().map(|row| SWATCH_WIDTH + widgets::text_width(ui, &row.name)).fold(0.0, f32::max);
    let (n_shown, name_width) = shown(&columns, names, width);
    (columns.iter().take(n_shown).map(|width| width - SPACING).collect(), name_width)
}

/// The number of columns that leave enough room for names of `names` points, at least one; and the width of the names.
fn shown(columns: &[f32], names: f32, width: f32) -> (usize, f32) {
    let left = |n: usize| width - columns[..n].iter().sum::<f32>();
    let fits = |n: &usize| left(*n) >= names.min(LEAST_NAME);
    let n = (1..=columns.len()).rev().find(fits).unwrap_or(1);
    (n, left(n).clamp(LEAST_CUT_NAME.min(names), names))
}

/// Shows a row; returns its rectangle.
fn row_ui(ui: &mut Ui, row: &PartRow, columns: &[f32], name_width: f32) -> Rect {
    let theme = ui.theme();
    let name = |ui: &mut Ui| {
        ui.spacing_mut().item_spacing.x = SWATCH_WIDTH - 10.0;
        match row.part {
            Some(part) => widgets::swatch(ui, color(part, theme)),
            None => ui.add_space(SWATCH_WIDTH),
        }
        let mut job = LayoutJob::simple(row.name.clone(), TextStyle::Body.resolve(ui.style()), ui.visuals().text_color(), 0.0);
        job.wrap = TextWrapping { max_width: name_width - SWATCH_WIDTH, max_rows: 2, ..TextWrapping::default() };
        let galley = ui.painter().layout_job(job);
        ui.label(galley).on_hover_text(row.hover(columns.len()));
    };
    let shown = ui.horizontal(|ui| {
        widgets::cell(ui, name_width, name);
        for (text, width) in row.cells.iter().zip(columns) {
            widgets::cell(ui, *width, |ui| ui.label(text));
        }
    });
    shown.response.rect
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
    fn columns_that_do_not_fit_are_left_out() {
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
