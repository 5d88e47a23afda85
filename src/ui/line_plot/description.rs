//! What a plot says to screen readers.

use super::{PlotData, PlotLook};
use crate::numerals::number;
use egui::{Response, Role, WidgetInfo};

/// The unit that stands in brackets behind the name of an axis; the name itself where there is none.
fn unit_of(label: &str) -> &str {
    let unit = label.split_once(" (").and_then(|(_, rest)| rest.strip_suffix(')'));
    // XOR says how a shift is meant, and is no unit.
    unit.filter(|unit| *unit != "XOR").unwrap_or(label)
}

/// A description of the plot for screen readers.
pub(super) fn describe(response: &Response, look: &PlotLook<'_>, n: usize, line: Option<&PlotData>) {
    response.widget_info(|| {
        let peak = line.and_then(|line| line.columns.iter().max_by(|a, b| a[2].total_cmp(&b[2])));
        let peak = peak.map_or(String::new(), |&[position, _, value]| {
            let place = number((position - look.origin) / look.per_unit, 5);
            let unit = unit_of(look.x_label);
            let axis = if unit == look.x_label { String::new() } else { format!(", over {}", look.x_label) };
            format!(", largest {} at {place} {unit}{axis}", number(value, 4))
        });
        WidgetInfo::labeled(Role::Image, true, format!("{}, {n} values{peak}", look.name))
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_said_in_its_unit() {
        let labels = ["time (s)", "frequency (cycles per sample)", "equation", "shift t (XOR)"];
        assert_eq!(labels.map(unit_of), ["s", "cycles per sample", "equation", "shift t (XOR)"]);
    }
}
