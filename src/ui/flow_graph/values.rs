//! The values of nodes, and how complex numbers are written.

use crate::graph::{GraphNode, number};
use crate::plan::{LaneValue, Row};
use num_complex::Complex64;

/// Values of every lane, `[stages that have run][lane]`, so that the first row is the input.
#[derive(Debug, Clone, Copy, Default)]
pub struct Values<'a> {
    /// From the device.
    pub device: Option<&'a [Vec<LaneValue>]>,
    /// In double precision.
    pub reference: Option<&'a [Vec<LaneValue>]>,
}

/// The values of one node; at least one is there.
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeValue {
    pub(super) device: Option<LaneValue>,
    pub(super) reference: Option<LaneValue>,
}

impl NodeValue {
    /// The value to show when there is room for one.
    pub(super) fn shown(self) -> LaneValue {
        self.device.or(self.reference).unwrap_or(LaneValue::NOTHING)
    }
}

impl Values<'_> {
    /// The values of a node, where there are any.
    pub(super) fn at(&self, node: GraphNode) -> Option<NodeValue> {
        let get = |rows: Option<&[Vec<LaneValue>]>| rows?.get(node.column)?.get(node.lane).copied();
        let value = NodeValue { device: get(self.device), reference: get(self.reference) };
        (value.device.is_some() || value.reference.is_some()).then_some(value)
    }
}

/// What a lane holds in few characters: of a solved row its unknown, of another one a, b and c, and behind a bar d.
pub(super) fn lane_text(value: LaneValue, n_digits: usize) -> String {
    match value {
        LaneValue::Number(value) => value_text(value, n_digits),
        LaneValue::Row(row) if row.is_solved() => format!("x = {}", number(row.d, n_digits)),
        LaneValue::Row(Row { a, b, c, d }) => {
            let [a, b, c, d] = [a, b, c, d].map(|value| number(value, n_digits));
            format!("{a}, {b}, {c} | {d}")
        }
    }
}

/// What a lane holds, every number by its name.
pub(super) fn named_text(value: LaneValue, n_digits: usize) -> String {
    match value {
        LaneValue::Number(value) => value_text(value, n_digits),
        LaneValue::Row(row) => {
            let named = ["a", "b", "c", "d"].into_iter().zip(<[f64; 4]>::from(row));
            named.map(|(name, value)| format!("{name} = {}", number(value, n_digits))).collect::<Vec<_>>().join(", ")
        }
    }
}

/// A complex number in few characters; the imaginary part is left out where there is none.
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
    fn rows_are_short_and_told_in_full() {
        let row = LaneValue::Row(Row { a: -0.5, b: 1.0, c: 0.0, d: 0.123456 });
        assert_eq!(lane_text(row, 3), "−0.5, 1, 0 | 0.123");
        assert_eq!(named_text(row, 6), "a = −0.5, b = 1, c = 0, d = 0.123456");
        assert_eq!(lane_text(LaneValue::Row(Row::solved(0.25)), 3), "x = 0.25");
    }
}
