//! The rows of a system after a stage of its reduction, with marks for changed and solved rows.

use crate::engine::{Reduction, Solution};
use crate::graph::signed_sum;
use crate::numerals::number;
use crate::plan::{Operation, Stage};
use crate::ui::theme::Tokens;
use crate::ui::widgets;
use egui::{Align2, FontId, Rect, Role, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2};

/// The most rows of one part: the positions of more rows are not exact in single precision.
const MOST_ROWS: usize = 1 << 16;
/// Height of a row, in points.
const HEIGHT: f32 = 18.0;
/// Significant digits of an entry.
const DIGITS: usize = 5;

/// The table and the part of it that is shown.
#[derive(Default)]
pub(super) struct EquationTable {
    part: usize,
}

impl EquationTable {
    /// Shows the table.
    pub(super) fn ui(&mut self, ui: &mut Ui, reduction: &Reduction, solution: Option<&Solution>) {
        let n = reduction.rows.len();
        let n_parts = n.div_ceil(MOST_ROWS);
        self.part = self.part.min(n_parts - 1);
        if n_parts > 1 {
            widgets::part(ui, "Part of the equations", &mut self.part, n_parts);
        }
        let tokens = Tokens::current(ui);
        let digit = ui.fonts_mut(|fonts| fonts.glyph_width(&FontId::monospace(12.0), '0'));
        let numbers = digit * (n.ilog10() + 1) as f32;
        ui.spacing_mut().item_spacing.y = 0.0;
        let (head, _) = ui.allocate_exact_size(vec2(ui.available_width() - 12.0, HEIGHT), Sense::hover());
        for (index, name) in ["a", "b", "c", "d", "x"].into_iter().enumerate() {
            ui.painter().text(column_end(head, numbers, index), Align2::RIGHT_CENTER, name, FontId::monospace(12.0), tokens.weak);
        }
        let last = reduction.n_stages.checked_sub(1).map(|last| &reduction.plan.stages[last]);
        let first = self.part * MOST_ROWS;
        let n_rows = MOST_ROWS.min(n - first);
        ScrollArea::vertical().id_salt("equations").auto_shrink([false, false]).show_rows(ui, HEIGHT, n_rows, |ui, rows| {
            for index in rows.map(|row| first + row) {
                let x = solution.map(|solution| solution.x[index]);
                let line = EquationRow { index, row: reduction.rows[index], x, is_changed: last.is_some_and(|stage| writes(stage, index)) };
                line.ui(ui, tokens, numbers);
            }
        });
    }
}

/// Whether a stage changes an equation.
fn writes(stage: &Stage, row: usize) -> bool {
    let write = &stage.write;
    if matches!(stage.operation, Operation::Doubling(step) if !step.changes_equations()) {
        return false;
    }
    row >= write.first && (row - write.first).is_multiple_of(write.advance) && (row - write.first) / write.advance < stage.positions
}

/// The right end of a column, where the indices of the rows take `numbers` points.
fn column_end(rect: Rect, numbers: f32, column: usize) -> egui::Pos2 {
    let width = (rect.width() - numbers) / 5.0;
    pos2(rect.left() + numbers + (column as f32 + 1.0) * width, rect.center().y)
}

/// A row of the table.
struct EquationRow {
    index: usize,
    row: [f64; 4],
    /// The solution x of this row, once it is known.
    x: Option<f64>,
    is_changed: bool,
}

impl EquationRow {
    fn ui(&self, ui: &mut Ui, tokens: Tokens, numbers: f32) {
        let Self { index, row, x, is_changed } = *self;
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width() - 12.0, HEIGHT), Sense::hover());
        let is_solved = (row[0], row[1], row[2]) == (0.0, 1.0, 0.0);
        if is_changed {
            ui.painter().rect_filled(rect, 2.0, tokens.selected);
        }
        let font = FontId::monospace(12.0);
        ui.painter().text(rect.left_center() + vec2(4.0, 0.0), Align2::LEFT_CENTER, index.to_string(), font.clone(), tokens.weak);
        for (column, value) in row.into_iter().enumerate() {
            // Only the right-hand side of a solved row carries information.
            let color = if is_solved && column < 3 { tokens.weak } else { tokens.text };
            ui.painter().text(column_end(rect, numbers, column), Align2::RIGHT_CENTER, number(value, DIGITS), font.clone(), color);
        }
        if let Some(x) = x {
            ui.painter().text(column_end(rect, numbers, 4), Align2::RIGHT_CENTER, number(x, DIGITS), font, tokens.accent);
        }
        let [a, b, c, d] = row.map(|value| number(value, 12));
        let state = match (is_changed, is_solved) {
            (_, true) => ", solved",
            (true, false) => ", changed in this stage",
            (false, false) => "",
        };
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("row {index}: {a}, {b}, {c}, {d}{state}")));
        response.on_hover_text(format!("{} = {d}{state}", equation(row, index)));
    }
}

/// The left side of equation `index`: the unknowns with their coefficients, without those that are zero.
fn equation([a, b, c, _]: [f64; 4], index: usize) -> String {
    let terms = [(a, index.wrapping_sub(1)), (b, index), (c, index + 1)];
    let present = terms.into_iter().filter(|(coefficient, _)| *coefficient != 0.0);
    let named: Vec<_> = present.map(|(coefficient, unknown)| (coefficient, format!("x[{unknown}]"))).collect();
    signed_sum(&named, 12)
}

#[cfg(test)]
mod tests {
    use super::equation;

    #[test]
    fn an_equation_is_written_as_people_write_it() {
        assert_eq!(equation([-1.0, 2.0, -1.0, 5.0], 12), "−x[11] + 2·x[12] − x[13]");
        assert_eq!(equation([0.0, 2.5, 1.0, 5.0], 0), "2.5·x[0] + x[1]");
        assert_eq!(equation([0.0, 0.0, 0.0, 5.0], 3), "0");
    }
}
