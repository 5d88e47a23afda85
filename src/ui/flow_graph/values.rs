//! The values of nodes, and their texts.

use crate::graph::{GraphNode, lane_text, number, value_text};
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

/// Values are rounded to this many digits or more; fewer would mislead.
const LEAST_DIGITS: usize = 3;
/// This many digits count as all of them.
const ALL_DIGITS: usize = 7;

/// The texts of a value with their digits, the best first; where it `may_break`, the parts of a complex number may have a line each.
pub(super) fn value_choices(value: LaneValue, may_break: bool) -> Vec<(String, usize)> {
    let whole = lane_text(value, ALL_DIGITS);
    // A number that rounding leaves as it is needs no more digits.
    let honest = || (1..=4).rev().map(|n| (lane_text(value, n), n)).filter(|(text, n)| *n >= LEAST_DIGITS || *text == whole);
    let in_line = honest().flat_map(|(text, n)| [(text.clone(), n), (text.replace(' ', ""), n)]);
    let broken = honest().filter(|(_, n)| may_break && *n <= LEAST_DIGITS).filter_map(|(text, n)| {
        let (re, im) = text.split_at(text.find(" + ").or(text.find(" − "))?);
        Some((format!("{re}\n{}", im.replace(' ', "")), n))
    });
    in_line.chain(broken).collect()
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
    use num_complex::Complex64;

    #[test]
    fn a_value_has_three_digits_or_is_exact() {
        let texts = |re, im, may_break| {
            let choices = value_choices(LaneValue::from(Complex64::new(re, im)), may_break);
            choices.into_iter().map(|(text, _)| text).collect::<Vec<_>>()
        };
        let root = 2.0 + f64::sqrt(2.0);
        let one_line = ["3.414 − 3.414i", "3.414−3.414i", "3.41 − 3.41i", "3.41−3.41i"];
        assert_eq!(texts(root, -root, false), one_line);
        assert_eq!(texts(root, -root, true), [&one_line[..], &["3.41\n−3.41i"]].concat());
        assert!(texts(2.0, -2.0, false).contains(&"2−2i".to_owned()) && texts(root, 0.0, true).iter().all(|text| text.starts_with("3.41")));
    }

    #[test]
    fn the_numbers_of_a_row_have_names() {
        let row = LaneValue::Equation(ReducedEquation { a: -0.5, b: 1.0, c: 0.0, d: 0.123456 });
        assert_eq!(named_text(row, 6), "a = −0.5, b = 1, c = 0, d = 0.123456");
    }
}
