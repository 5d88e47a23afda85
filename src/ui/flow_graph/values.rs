//! The values of nodes, and their texts.

use crate::graph::{GraphNode, number, value_text};
use crate::plan::LaneValue;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::ReducedEquation;

    #[test]
    fn the_numbers_of_a_row_have_names() {
        let row = LaneValue::Equation(ReducedEquation { a: -0.5, b: 1.0, c: 0.0, d: 0.123456 });
        assert_eq!(named_text(row, 6), "a = −0.5, b = 1, c = 0, d = 0.123456");
    }
}
