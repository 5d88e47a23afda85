//! The peaks of a row: their marks and their table.

use super::{Axis, N_MARKS, N_PEAKS};
use crate::display::shifted_index;
use crate::engine::PlotData;
use crate::numerals::number;
use crate::transforms::Axes;
use crate::ui::panes::PaneId;
use crate::ui::scene::Scene;
use crate::ui::theme::GRID;
use crate::ui::widgets;
use egui::{Grid, Rect, ScrollArea, Ui, UiBuilder};
use std::ops::Range;

/// The peaks whose values lie in the shown part of the row, the largest first. The value at frequency 0 is the mean, and no peak.
pub(super) fn peaks(line: &PlotData, shown: Range<f64>, axis: &Axis) -> Vec<(f64, f64)> {
    let is_shown = |peak: &&(f64, f64)| shown.contains(&peak.0.round()) && axis.zero() != Some(peak.0.round());
    line.peaks.iter().filter(is_shown).take(N_PEAKS).copied().collect()
}

/// The marks of the first few peaks, with their positions as text.
pub(super) fn marks(peaks: &[(f64, f64)], axis: &Axis) -> Vec<(f64, f64, String)> {
    peaks.iter().take(N_MARKS).map(|&(position, value)| (position, value, axis.place(position, 5))).collect()
}

/// The table of the peaks.
pub(super) fn peaks_ui(ui: &mut Ui, rect: Rect, peaks: &[(f64, f64)], axis: &Axis, label: &str) {
    ui.scope_builder(UiBuilder::new().max_rect(rect), |ui| {
        // The bar stands at the edge, beside the numbers.
        ScrollArea::vertical().id_salt("peaks").auto_shrink([false, true]).show(ui, |ui| {
            Grid::new("peaks").num_columns(if axis.periods.is_some() { 3 } else { 2 }).spacing([2.0 * GRID, 2.0]).show(ui, |ui| {
                let head = match axis.unit {
                    "" => "Index".to_owned(),
                    unit => unit.replacen(" per ", " per\n", 1),
                };
                widgets::weak(ui, head);
                if axis.periods.is_some() {
                    widgets::weak(ui, "Period");
                }
                widgets::weak(ui, label);
                ui.end_row();
                for &(position, value) in peaks {
                    ui.label(axis.place(position, 5));
                    if let Some(period) = axis.period(position, 5) {
                        ui.label(period);
                    }
                    ui.label(number(value, 5));
                    ui.end_row();
                }
            });
            if peaks.is_empty() {
                let about =
                    "A peak stands at least 12 dB above the medians on both sides, more in long rows, and 6 dB above the valleys beside it";
                ui.add(egui::Label::new("No narrow peak in this range").wrap()).on_hover_text(about);
            }
        });
    });
}

/// The mark of the result that another view has lit, where its value is drawn.
pub(super) fn lit_mark(scene: &Scene<'_>, line: Option<&PlotData>, axes: Axes, shifted: bool) -> Option<(f64, f64, String)> {
    let (line, [row, column]) = (line?, scene.lit_result(PaneId::of(&super::PANE))?);
    let (index, across) = if axes.along_rows() { (column, row) } else { (row, column) };
    if across != line.frame.row || index >= line.n {
        return None;
    }
    let position = if shifted { shifted_index(index, line.n) } else { index };
    let value = line.columns.iter().find(|column| column[0] == position as f64).map(|column| column[2])?;
    Some((position as f64, value, index.to_string()))
}
