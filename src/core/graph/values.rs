//! Values of nodes as texts, and where a drawing on paper writes them.

use super::drawing::GraphDrawing;
use super::geometry::Point;
use super::node::GraphNode;
use super::text::number;
use crate::figure::text_width;
use crate::plan::{LaneValue, ReducedEquation};
use num_complex::Complex64;

/// Font size of values, in units of the drawing.
pub(super) const VALUE_SIZE: f32 = 8.0;
/// Room for a value in front of a stage.
const ROOM: f32 = 66.0;
/// Distance of a value from its node.
const CLEAR: f32 = 3.0;

/// A value in few characters: a solved row as its unknown, another row as `a, b, c | d`.
pub fn lane_text(value: LaneValue, n_digits: usize) -> String {
    match value {
        LaneValue::Number(value) => value_text(value, n_digits),
        LaneValue::Equation(row) if row.is_solved() => format!("x = {}", number(row.d, n_digits)),
        LaneValue::Equation(ReducedEquation { a, b, c, d }) => {
            let [a, b, c, d] = [a, b, c, d].map(|value| number(value, n_digits));
            format!("{a}, {b}, {c} | {d}")
        }
    }
}

/// A residue with all its digits; nothing for a lane without a value.
fn whole_text(value: LaneValue) -> String {
    value.numbers().first().filter(|x| x.is_finite()).map_or_else(String::new, |x| format!("{x:.0}"))
}

/// A complex number in few characters, without an imaginary part that is 0.
pub fn value_text(value: Complex64, n_digits: usize) -> String {
    let (re, im) = (number(value.re, n_digits), number(value.im.abs(), n_digits));
    if im == "0" {
        return re;
    }
    let im = if im == "1" { String::new() } else { im };
    match (re == "0", value.im < 0.0) {
        (true, true) => format!("−{im}i"),
        (true, false) => format!("{im}i"),
        (_, true) => format!("{re} − {im}i"),
        _ => format!("{re} + {im}i"),
    }
}

impl GraphDrawing {
    /// The values on paper: where each begins, and its text with as many digits as there is room for. `values[k]` are those of the last columns.
    pub(super) fn placed_values(&self, values: &[Vec<LaneValue>]) -> Vec<(Point, String)> {
        let plan = &self.request.plan;
        // A permutation that is folded away has no column.
        let n_columns = plan.stages.len() + 1 + usize::from(self.folded.is_some());
        let first = n_columns.saturating_sub(values.len());
        let place = |column: usize, lane: usize| {
            let node = GraphNode { column, lane };
            let value = *values.get(column.checked_sub(first)?)?.get(lane)?;
            let x = self.spans.get(column).map_or_else(|| self.column_x(column), |span| span.entry);
            let at = Point::new(x + CLEAR, self.position(column, lane).y - 0.6 * VALUE_SIZE);
            let fits = |text: &String| text_width(text, VALUE_SIZE) <= ROOM;
            let whole = plan.ring.field().map(|_| whole_text(value));
            let text = whole.into_iter().chain((1..=5).rev().map(|digits| lane_text(value, digits))).find(fits)?;
            (self.exists(node)).then_some((at, text))
        };
        (0..=plan.stages.len()).flat_map(|column| (0..plan.lanes).filter_map(move |lane| place(column, lane))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complex_numbers_are_short() {
        let text = |re, im| value_text(Complex64::new(re, im), 3);
        assert_eq!(text(1.5, 0.0), "1.5");
        assert_eq!(text(0.0, -1.0), "−i");
        assert_eq!(text(0.0, 0.25), "0.25i");
        assert_eq!([text(2.0, 1.0), text(1.0, -1.0)], ["2 + i", "1 − i"]);
        assert_eq!(text(-1.0, -2.0), "−1 − 2i");
        assert_eq!(text(-1.0, 0.12345), "−1 + 0.123i");
    }

    #[test]
    fn rows_have_a_short_text() {
        let row = LaneValue::Equation(ReducedEquation { a: -0.5, b: 1.0, c: 0.0, d: 0.123456 });
        assert_eq!(lane_text(row, 3), "−0.5, 1, 0 | 0.123");
        assert_eq!(lane_text(LaneValue::Equation(ReducedEquation::solved(0.25)), 3), "x = 0.25");
    }
}
