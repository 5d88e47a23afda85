//! Crops or pads a signal to a size.

use crate::signal::Signal;
use crate::transforms::Shape;

/// The signal cropped to `to`, or padded with zeros at the end of rows and columns, and a message that says so.
pub(super) fn resized(signal: &Signal, to: Shape) -> (Signal, String) {
    let from = Shape { rows: signal.rows, columns: signal.columns };
    let resized = signal.resized(to.rows, to.columns);
    let act = match (to.rows < from.rows || to.columns < from.columns, to.rows > from.rows || to.columns > from.columns) {
        (true, true) => "cropped and padded with zeros",
        (true, false) => "cropped",
        (false, true) => "padded with zeros",
        (false, false) => "left as it is",
    };
    (resized, format!("{} {act}: {} to {}", signal.name, signal.kind.size(from.rows, from.columns), signal.kind.size(to.rows, to.columns)))
}
