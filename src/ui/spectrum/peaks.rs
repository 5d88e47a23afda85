//! The peaks of a row: their marks and their table.

use super::{N_MARKS, N_PEAKS, SpectrumAxis};
use crate::display::shifted_index;
use crate::engine::PlotData;
use crate::numerals::number;
use crate::transforms::Axes;
use crate::ui::widgets::{Head, TableRow, TextTable};
use egui::{Rect, ScrollArea, Ui, UiBuilder};
use std::ops::Range;

/// The peaks whose values lie in the shown part of the row, the largest first. The value at frequency 0 is the mean, and no peak.
pub(super) fn peaks(line: &PlotData, shown: Range<f64>, axis: &SpectrumAxis) -> Vec<(f64, f64)> {
    let is_shown = |peak: &&(f64, f64)| shown.contains(&peak.0.round()) && axis.zero() != Some(peak.0.round());
    line.peaks.iter().filter(is_shown).take(N_PEAKS).copied().collect()
}

/// The largest local maximum above frequency 0, for rows in which nothing is narrow enough for a peak; `None` where pixels stand for several values.
pub(super) fn largest(line: &PlotData, shown: Range<f64>, axis: &SpectrumAxis) -> Option<(f64, f64)> {
    let is_exact = line.columns.iter().all(|[_, low, high]| low == high);
    let is_above = |position: f64| shown.contains(&position) && axis.zero().is_some_and(|zero| position > zero);
    let maxima = line.columns.windows(3).filter(|three| three[1][2] > three[0][2] && three[1][2] >= three[2][2] && is_above(three[1][0]));
    maxima.map(|three| (three[1][0], three[1][2])).max_by(|a, b| a.1.total_cmp(&b.1)).filter(|_| is_exact)
}

/// The marks of the first few peaks, with their positions as text.
pub(super) fn marks(peaks: &[(f64, f64)], axis: &SpectrumAxis) -> Vec<(f64, f64, String)> {
    peaks.iter().take(N_MARKS).map(|&(position, value)| (position, value, axis.place(position, 5))).collect()
}

/// The table of the peaks, and what is said below it, with more on it under the pointer.
pub(super) fn peaks_ui(ui: &mut Ui, rect: Rect, peaks: &[(f64, f64)], said: Option<&str>, about: &str, axis: &SpectrumAxis, label: &str) {
    ui.scope_builder(UiBuilder::new().max_rect(rect), |ui| {
        // The bar is at the edge, beside the numbers.
        ScrollArea::vertical().id_salt("peaks").auto_shrink([false, true]).show(ui, |ui| {
            let place = if axis.unit.is_empty() { "Index".to_owned() } else { axis.unit.replacen(" per ", " per\n", 1) };
            let period = axis.periods.is_some().then(|| Head::of_texts("Period"));
            // The reference of decibels takes a line of its own.
            let level = Head::of_numbers(label.replacen(" (dB re", "\n(dB re", 1));
            let heads = std::iter::once(Head::of_numbers(place)).chain(period).chain([level]);
            let rows = peaks.iter().map(|&(position, value)| {
                TableRow::of(std::iter::once(axis.place(position, 5)).chain(axis.period(position, 5)).chain([number(value, 5)]))
            });
            TextTable::new("peaks", heads).show(ui, &rows.collect::<Vec<_>>());
            if let Some(said) = said {
                ui.add(egui::Label::new(said).wrap()).on_hover_text(about);
            }
        });
    });
}

/// The mark of the result that another view has lit, at its row and column, where its value is drawn.
pub(super) fn lit_mark(lit: Option<[usize; 2]>, line: Option<&PlotData>, axes: Axes, shifted: bool) -> Option<(f64, f64, String)> {
    let (line, [row, column]) = (line?, lit?);
    let (index, across) = if axes.along_rows() { (column, row) } else { (row, column) };
    if across != line.frame.row || index >= line.n {
        return None;
    }
    let position = if shifted { shifted_index(index, line.n) } else { index };
    let value = line.columns.iter().find(|column| column[0] == position as f64).map(|column| column[2])?;
    Some((position as f64, value, index.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::PlotFrame;
    use crate::ui::settings::LineLook;

    #[test]
    fn frequency_0_is_no_peak_and_the_largest_value_stands_in_for_one() {
        let values = [90.0, 20.0, 30.0, 34.0, 31.0, 10.0, 12.0, 5.0];
        let row = |low: f64| -> PlotData {
            let columns = values.iter().enumerate().map(|(at, value)| [at as f64, value - low, *value]).collect();
            PlotData { frame: PlotFrame::plain(0, [0.0, 8.0], 8), n: 14, columns, peaks: vec![(0.1, 90.0), (3.2, 34.0)] }
        };
        let axis = SpectrumAxis::of_frequencies(&LineLook::default(), 14, "1 day".parse().ok(), "cycles per sample");
        assert_eq!(peaks(&row(0.0), 0.0..8.0, &axis), [(3.2, 34.0)]);
        assert_eq!(largest(&row(0.0), 0.0..8.0, &axis), Some((3.0, 34.0)));
        assert_eq!(largest(&row(1.0), 0.0..8.0, &axis), None, "a pixel of several values has no position");
        assert_eq!(largest(&row(0.0), 5.0..8.0, &axis), Some((6.0, 12.0)));
    }
}
