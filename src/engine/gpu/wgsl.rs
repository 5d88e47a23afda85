//! Numbers as WGSL.

use crate::plan::Precision;

/// A literal of a precision, rounded once.
pub(super) fn literal(value: f64, precision: Precision) -> String {
    match precision {
        Precision::Single => format!("{:?}f", value as f32),
        Precision::Double => format!("{value:?}lf"),
    }
}
