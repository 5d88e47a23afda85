//! The measures of boxes as a table.

use super::{BoxMeasures, NamedBox};
use crate::spectra::{Rate, Reference};
use std::fmt::Write as _;

/// The names of the columns after the name of the box.
pub const BOX_COLUMNS: [&str; 11] = ["from", "to", "low", "high", "peak", "centroid", "bandwidth", "power", "level", "energy", "duration"];

/// The ends and the measures of a box, in the order of [`BOX_COLUMNS`]; the level is that of a sine of its power.
pub fn box_row(NamedBox { part, .. }: &NamedBox, found: &BoxMeasures, rate: Rate, reference: &Reference) -> [f64; 11] {
    let [from, to] = [part.samples.start, part.samples.end].map(|sample| sample as f64 / rate.per_unit);
    let [low, high] = part.frequencies(rate);
    let level = reference.level((2.0 * found.power).sqrt());
    [from, to, low, high, found.peak, found.centroid, found.bandwidth, found.power, level, found.energy, found.duration]
}

/// A line for each box: its name in quotes, and the columns; what is not a number is left out.
pub fn box_table(boxes: &[NamedBox], measures: &[BoxMeasures], rate: Rate, reference: &Reference) -> String {
    let mut text = format!("name,{}\n", BOX_COLUMNS.join(","));
    for (own, found) in boxes.iter().zip(measures) {
        let row = box_row(own, found, rate, reference).map(|value| if value.is_nan() { String::new() } else { value.to_string() });
        writeln!(text, "\"{}\",{}", own.name.replace('"', "\"\""), row.join(",")).expect("a string takes all");
    }
    text
}
