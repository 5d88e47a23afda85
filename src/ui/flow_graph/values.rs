//! The values of nodes, and their texts.

use crate::graph::{GraphNode, number};
use crate::plan::{LaneValue, ReducedEquation};
use num_complex::Complex64;

/// Values of every lane as `[column][lane]`; column 0 is the input.
#[derive(Debug, Clone, Copy, Default)]
pub struct NodeValues<'a> {
    /// From the device.
    pub device: Option<&'a [Vec<LaneValue>]>,
    /// The reference in double precision.
    pub reference: Option<&'a [Vec<LaneValue>]>,
}

/// The values of one node; at least one of them is known.
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeValue {
    pub(super) device: Option<LaneValue>,
    pub(super) reference: Option<LaneValue>,
}

impl NodeValue {
    /// The value to show where only one fits.
    pub(super) fn shown(self) -> LaneValue {
        self.device.or(self.reference).unwrap_or(LaneValue::NOTHING)
    }
}

impl NodeValues<'_> {
    /// The values of a node, where any is known.
    pub(super) fn at(&self, node: GraphNode) -> Option<NodeValue> {
        let get = |rows: Option<&[Vec<LaneValue>]>| rows?.get(node.column)?.get(node.lane).copied();
        let value = NodeValue { device: get(self.device), reference: get(self.reference) };
        (value.device.is_some() || value.reference.is_some()).then_some(value)
    }
}

/// A value in few characters: a solved row as its unknown, another row as `a, b, c | d`.
pub(super) fn lane_text(value: LaneValue, n_digits: usize) -> String {
    match value {
        LaneValue::Number(value) => value_text(value, n_digits),
        LaneValue::Equation(row) if row.is_solved() => format!("x = {}", number(row.d, n_digits)),
        LaneValue::Equation(ReducedEquation { a, b, c, d }) => {
            let [a, b, c, d] = [a, b, c, d].map(|value| number(value, n_digits));
            format!("{a}, {b}, {c} | {d}")
        }
    }
}

/// The distance of two values in words.
pub(super) fn error_text(distance: f64, n_digits: usize) -> String {
    if distance == 0.0 { "exact".into() } else { format!("error {distance:.n_digits$e}") }
}

/// A value in which every number of a row has its name.
pub(super) fn named_text(value: LaneValue, n_digits: usize) -> String {
    match value {
        LaneValue::Number(value) => value_text(value, n_digits),
        LaneValue::Equation(row) => {
            let named = ["a", "b", "c", "d"].into_iter().zip(<[f64; 4]>::from(row));
            named.map(|(name, value)| format!("{name} = {}", number(value, n_digits))).collect::<Vec<_>>().join(", ")
        }
    }
}

/// A complex number in few characters, without an imaginary part that is 0.
pub(super) fn value_text(value: Complex64, n_digits: usize) -> String {
    let (re, im) = (number(value.re, n_digits), number(value.im.abs(), n_digits));
    match (im == "0", re == "0", value.im < 0.0) {
        (true, ..) => re,
        (_, true, true) if im == "1" => "−i".into(),
        (_, true, false) if im == "1" => "i".into(),
        (_, true, true) => format!("−{im}i"),
        (_, true, false) => format!("{im}i"),
        (_, _, true) => format!("{re} − {im}i"),
        _ => format!("{re} + {im}i"),
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
        assert_eq!(text(-1.0, -2.0), "−1 − 2i");
        assert_eq!(text(-1.0, 0.12345), "−1 + 0.123i");
    }

    #[test]
    fn rows_have_a_short_and_a_full_text() {
        let row = LaneValue::Equation(ReducedEquation { a: -0.5, b: 1.0, c: 0.0, d: 0.123456 });
        assert_eq!(lane_text(row, 3), "−0.5, 1, 0 | 0.123");
        assert_eq!(named_text(row, 6), "a = −0.5, b = 1, c = 0, d = 0.123456");
        assert_eq!(lane_text(LaneValue::Equation(ReducedEquation::solved(0.25)), 3), "x = 0.25");
    }
}
