//! The text of a plot for screen readers.

use super::{Mark, PlotData, PlotLook};
use crate::numerals::number;
use egui::{Response, Role, WidgetInfo};

/// The unit that is in brackets behind the name of an axis; the name itself without one.
fn unit_of(label: &str) -> &str {
    let unit = label.split_once(" (").and_then(|(_, rest)| rest.strip_suffix(')'));
    // XOR says how a shift is meant, and is not a unit.
    unit.filter(|unit| *unit != "XOR").unwrap_or(label)
}

/// A description of the plot for screen readers.
pub(super) fn describe(response: &Response, look: &PlotLook<'_>, n: usize, n_filled: usize, line: Option<&PlotData>, marks: &[Mark]) {
    response.widget_info(|| {
        let peak = line.and_then(|line| largest(line, marks, |position| look.is_shown(position))).map_or(
            String::new(),
            |(position, value, is_exact)| {
                let (at, digits) = if is_exact { ("at", 5) } else { ("near", 2) };
                let place = number(look.value(look.x(position)), digits);
                let unit = unit_of(look.x_label);
                let axis = if unit == look.x_label { String::new() } else { format!(", over {}", look.x_label) };
                let frequency = look.value(look.x(position));
                let period = look.periods.filter(|periods| periods.of(frequency).is_finite());
                let period = period.map_or(String::new(), |periods| format!(", period {}", periods.text(frequency, digits)));
                format!(", largest {} {at} {place} {unit}{axis}{period}", number(value, 4))
            },
        );
        let filled = if n_filled > 0 { format!(", {n_filled} of them filled") } else { String::new() };
        WidgetInfo::labeled(Role::Image, true, format!("{}, {n} values{filled}{peak}", look.name))
    });
}

/// The position of the largest value that is shown, the value, and whether the position is exact: of a column of many values it is the middle.
fn largest(line: &PlotData, marks: &[Mark], is_shown: impl Fn(f64) -> bool) -> Option<(f64, f64, bool)> {
    let shown = line.columns.iter().filter(|column| is_shown(column[0]));
    let [position, low, value] = *shown.max_by(|a, b| a[2].total_cmp(&b[2]))?;
    let mut peaks = line.peaks.iter().copied().take(1).chain(marks.iter().map(|(at, height, _)| (*at, *height)));
    let peak = peaks.find(|(at, height)| is_shown(*at) && low < value && *height >= value);
    Some(peak.map_or((position, value, low == value), |(position, _)| (position, value, true)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::PlotFrame;

    #[test]
    fn a_place_is_said_in_its_unit() {
        let labels = ["time (s)", "frequency (cycles per sample)", "equation", "shift t (XOR)"];
        assert_eq!(labels.map(unit_of), ["s", "cycles per sample", "equation", "shift t (XOR)"]);
    }

    #[test]
    fn the_largest_value_stands_where_its_peak_is() {
        let columns = vec![[10.0, 1.0, 1.0], [30.0, -2.0, 7.0]];
        let mut line = PlotData { frame: PlotFrame::plain(0, [0.0, 40.0], 2), n: 40, columns, peaks: Vec::new() };
        assert_eq!(largest(&line, &[], |_| true), Some((30.0, 7.0, false)), "of 20 values the middle");
        line.peaks = vec![(24.5, 7.25)];
        assert_eq!(largest(&line, &[], |_| true), Some((24.5, 7.0, true)));
        line.columns.pop();
        line.peaks.clear();
        assert_eq!(largest(&line, &[], |_| true), Some((10.0, 1.0, true)));
    }
}
