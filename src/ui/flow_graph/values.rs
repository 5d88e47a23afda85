//! The values of nodes, and how complex numbers are written.

use crate::graph::{Node, number};
use num_complex::Complex64;

/// Values of every lane, `[stages that have run][lane]`, so that the first row is the input.
#[derive(Debug, Clone, Copy, Default)]
pub struct Values<'a> {
    /// From the device.
    pub device: Option<&'a [Vec<Complex64>]>,
    /// In double precision.
    pub reference: Option<&'a [Vec<Complex64>]>,
}

/// The values of one node; at least one is there.
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeValue {
    pub(super) device: Option<Complex64>,
    pub(super) reference: Option<Complex64>,
}

impl NodeValue {
    /// The value to show when there is room for one.
    pub(super) fn shown(self) -> Complex64 {
        self.device.or(self.reference).unwrap_or_default()
    }
}

impl Values<'_> {
    /// The values of a node, where there are any.
    pub(super) fn at(&self, node: Node) -> Option<NodeValue> {
        let get = |rows: Option<&[Vec<Complex64>]>| rows?.get(node.column)?.get(node.lane).copied();
        let value = NodeValue { device: get(self.device), reference: get(self.reference) };
        (value.device.is_some() || value.reference.is_some()).then_some(value)
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
}
