//! The text about the sample under the pointer.

use crate::numerals::{integer, number};
use crate::signal::{Axis, ChannelChoice, PixelSize, Signal};
use num_complex::Complex64;

/// Index, position or date, and value of a sample, and whether the file has it.
pub(super) fn read_out(signal: &Signal, axis: Option<&Axis>, choice: ChannelChoice, [row, column]: [usize; 2]) -> String {
    let place = axis.and_then(|axis| Some(format!("   {}", axis.place(axis.place_of(column)?, axis.step_near(column)?))));
    let index = row * signal.columns + column;
    let value = signal.channel(choice).and_then(|channel| {
        let value = channel.samples.value(index)?;
        let unit = channel.unit.as_ref().map_or(String::new(), |unit| format!(" {unit}"));
        let number = value_text(value, channel.samples.is_complex());
        let is_filled = channel.missing.iter().any(|range| range.contains(&index));
        let filled = if is_filled { "   missing in the file, filled" } else { "" };
        Some(format!("   {} {number}{unit}{filled}", channel.name))
    });
    format!("sample {}{}{}", integer(column), place.unwrap_or_default(), value.unwrap_or_default())
}

/// Place and values of a pixel: of all channels where they are those of a colour, otherwise of the chosen one.
pub(super) fn pixel_text(signal: &Signal, size: Option<PixelSize>, choice: ChannelChoice, [column, row]: [usize; 2]) -> String {
    let place = size.map_or(String::new(), |PixelSize { width, height, unit }| {
        let [x, y] = [width * column as f64, height * row as f64].map(|length| number(length, 5));
        format!("   x {x}, y {y} {}", unit.symbol())
    });
    let colours = signal.is_colour().then(|| signal.channels.iter().collect());
    let channels: Vec<_> = colours.unwrap_or_else(|| signal.channel(choice).into_iter().collect());
    let values = channels.iter().filter_map(|channel| {
        let value = channel.samples.value(row * signal.columns + column)?;
        Some(format!("{} {}", channel.name, value_text(value, channel.samples.is_complex())))
    });
    format!("row {row}, column {column}{place}   {}", values.collect::<Vec<_>>().join(", "))
}

fn value_text(value: Complex64, is_complex: bool) -> String {
    match is_complex {
        true => format!("{} {} {}i", number(value.re, 8), if value.im < 0.0 { '−' } else { '+' }, number(value.im.abs(), 8)),
        false => number(value.re, 8),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::{AxisUnit, Channel, Samples, Sampling, SignalKind};
    use jiff::civil::date;

    #[test]
    fn a_pixel_is_said_with_its_place_and_its_values() {
        let channel = |name: &str, first: u8| Channel::new(name, Samples::U8((first..first + 6).collect()));
        let colours = [("red", 10), ("green", 20), ("blue", 30)].map(|(name, first)| channel(name, first)).to_vec();
        let colour = Signal::from_channels("a.png", SignalKind::Image, (2, 3), colours);
        let said = |signal: &Signal, size: Option<PixelSize>| pixel_text(signal, size, ChannelChoice::default(), [2, 1]);
        assert_eq!(said(&colour, None), "row 1, column 2   red 15, green 25, blue 35");
        let gray = Signal::from_channels("a.png", SignalKind::Image, (2, 3), vec![channel("gray", 0)]);
        assert_eq!(said(&gray, Some("0.5 nm".parse().unwrap())), "row 1, column 2   x 1, y 0.5 nm   gray 5");
    }

    #[test]
    fn a_sample_is_said_with_its_date_and_its_unit() {
        let days = Axis::new("date", Sampling { per_unit: 1.0, unit: AxisUnit::Day });
        let dated = Axis { origin: Some(date(2021, 1, 31).at(0, 0, 0, 0)), ..days.clone() };
        let mut channel = Channel::new("temperature", Samples::F64(vec![1.5, 2.0, -3.25]));
        channel.unit = Some("°C".to_owned());
        channel.missing.push(1..2);
        let signal = Signal::from_channels("a.csv", SignalKind::Rows, (1, 3), vec![channel]);
        let said = |axis: Option<&Axis>, column: usize| read_out(&signal, axis, ChannelChoice::default(), [0, column]);
        assert_eq!(said(Some(&dated), 2), "sample 2   2021-02-02   temperature −3.25 °C");
        assert_eq!(said(Some(&dated), 1), "sample 1   2021-02-01   temperature 2 °C   missing in the file, filled");
        assert_eq!(said(Some(&days), 2), "sample 2   2 days   temperature −3.25 °C");
        assert_eq!(said(None, 0), "sample 0   temperature 1.5 °C");
        let year = Axis { start: 1700.0, ..Axis::new("YEAR", Sampling { per_unit: 1.0, unit: AxisUnit::Year }) };
        assert_eq!(said(Some(&year), 2), "sample 2   1702   temperature −3.25 °C");
        assert_eq!([&dated, &days, &year].map(|axis| axis.label_of_ticks(3)), ["date", "date (days)", "YEAR (years)"]);
    }
}
