//! The rows of a system after a stage of its reduction, with marks for changed and solved rows.

use crate::engine::{Reduction, Solution};
use crate::graph::signed_sum;
use crate::numerals::number;
use crate::plan::{Operation, Stage};
use crate::ui::theme::Tokens;
use crate::ui::widgets::{self, Head, TableRow, TextTable};
use egui::{RichText, Ui};

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
        let shown = widgets::rows_of_part(ui, "Part of the equations", &mut self.part, reduction.rows.len());
        let last = reduction.n_stages.checked_sub(1).map(|last| &reduction.plan.stages[last]);
        let tokens = Tokens::current(ui);
        let table = TextTable::new("equations", ["", "a", "b", "c", "d", "x"].map(Head::of_numbers));
        table.scroll(ui, shown.len(), |index| {
            let index = shown.start + index;
            let x = solution.map(|solution| solution.x[index]);
            row(index, reduction.rows[index], x, last.is_some_and(|stage| writes(stage, index)), tokens)
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

/// The row of equation `index` and, once it is known, its solution `x`.
fn row(index: usize, equation: [f64; 4], x: Option<f64>, is_changed: bool, tokens: Tokens) -> TableRow {
    let is_solved = equation[..3] == [0.0, 1.0, 0.0];
    // Only the right-hand side of a solved row carries information.
    let color = |column: usize| if is_solved && column < 3 { tokens.weak } else { tokens.text };
    let cell = |text: String, color| RichText::new(text).color(color).monospace();
    let entries = equation.iter().enumerate().map(|(column, &value)| cell(number(value, DIGITS), color(column)));
    let cells = std::iter::once(cell(index.to_string(), tokens.weak)).chain(entries);
    let [a, b, c, d] = equation.map(|value| number(value, 12));
    let state = match (is_changed, is_solved) {
        (_, true) => ", solved",
        (true, false) => ", changed in this stage",
        (false, false) => "",
    };
    TableRow::of(cells.chain(x.map(|x| cell(number(x, DIGITS), tokens.accent))))
        .named(format!("row {index}: {a}, {b}, {c}, {d}{state}"))
        .about(format!("{} = {d}{state}", left_side(equation, index)))
        .on(is_changed.then_some(tokens.selected))
}

/// The left side of equation `index`: the unknowns with their coefficients, without those that are zero.
fn left_side([a, b, c, _]: [f64; 4], index: usize) -> String {
    let terms = [(a, index.wrapping_sub(1)), (b, index), (c, index + 1)];
    let present = terms.into_iter().filter(|(coefficient, _)| *coefficient != 0.0);
    let named: Vec<_> = present.map(|(coefficient, unknown)| (coefficient, format!("x[{unknown}]"))).collect();
    signed_sum(&named, 12)
}

#[cfg(test)]
mod tests {
    use super::left_side;

    #[test]
    fn an_equation_is_written_as_people_write_it() {
        assert_eq!(left_side([-1.0, 2.0, -1.0, 5.0], 12), "−x[11] + 2·x[12] − x[13]");
        assert_eq!(left_side([0.0, 2.5, 1.0, 5.0], 0), "2.5·x[0] + x[1]");
        assert_eq!(left_side([0.0, 0.0, 0.0, 5.0], 3), "0");
    }
}
