//! An axis of the displayed image: its ticks, its name, and the read-out of a position.

use crate::measure::Frequency;
use crate::numerals::number;
use crate::signal::{AxisUnit, PixelSize};
use crate::transforms::{Axes, Shape};
use crate::ui::settings::FrequencyUnit;
use crate::ui::shown::ShownJob;
use egui::Vec2;

/// One axis of the displayed image.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct FrequencyAxis {
    /// Values along the axis.
    pub(super) n: usize,
    /// Whether index 0 is at n/2.
    pub(super) shifted: bool,
    /// Whether frequencies grow upwards, against the rows, as angles and markers count them; indices always follow the rows.
    pub(super) upwards: bool,
    /// Whether the axis is a frequency; otherwise it counts samples.
    pub(super) is_frequency: bool,
    /// The unit of the ticks.
    pub(super) unit: FrequencyUnit,
    /// The unit of frequencies without a sample rate.
    pub(super) cycles: &'static str,
    /// Samples per second, where the rate is known.
    pub(super) rate: Option<f64>,
    /// The unit along the samples or pixels, where the rate is known.
    pub(super) along: AxisUnit,
}

impl FrequencyAxis {
    /// The signed index at a displayed position.
    fn index(self, position: f64) -> f64 {
        if self.shifted { position - (self.n / 2) as f64 } else { position }
    }

    /// The number at a tick.
    pub(super) fn value(self, position: f64) -> f64 {
        // Not −0.
        0.0 + self.index(position) / self.per_unit()
    }

    /// About `wanted` round values between two displayed positions; only whole ones where the axis counts.
    pub(super) fn ticks(self, from: f64, to: f64, wanted: f64) -> Vec<f64> {
        let counts = self.per_unit() == 1.0;
        let [first, last] = [from, to].map(|position| self.value(position));
        let [low, high] = [first.min(last), first.max(last)];
        let is_in_cycles = self.is_frequency && self.per_unit().abs() == self.n as f64;
        let found = if is_in_cycles { parts_of_a_half(low, high, wanted) } else { crate::plot::round_values(low, high, wanted.max(1.0)) };
        found.into_iter().filter(|value| !counts || value.fract() == 0.0).collect()
    }

    /// The displayed position of a tick.
    pub(super) fn position(self, value: f64) -> f64 {
        value * self.per_unit() + if self.shifted { (self.n / 2) as f64 } else { 0.0 }
    }

    /// Displayed positions per unit of the ticks; negative where these grow upwards.
    fn per_unit(self) -> f64 {
        let sign = if self.upwards { -1.0 } else { 1.0 };
        match (self.unit, self.rate) {
            (FrequencyUnit::Bins, _) => 1.0,
            _ if !self.is_frequency => 1.0,
            (FrequencyUnit::Hertz, Some(rate)) => sign * self.n as f64 / rate,
            _ => sign * self.n as f64,
        }
    }

    /// The name of the axis along x or y.
    pub(super) fn name(self, direction: &str) -> String {
        match (self.is_frequency, self.unit, self.rate) {
            (false, ..) => if direction == "x" { "column" } else { "row" }.to_owned(),
            (true, FrequencyUnit::Bins, _) => format!("frequency index along {direction}"),
            (true, FrequencyUnit::Hertz, Some(_)) => format!("frequency along {direction} ({})", self.along.frequency()),
            (true, ..) => format!("frequency along {direction} ({})", self.cycles),
        }
    }

    /// The frequency at a displayed position in words.
    fn frequency(self, position: usize) -> String {
        match self.rate {
            Some(rate) => {
                let frequency = rate * self.cycles(position);
                let period = if frequency == 0.0 { "∞".to_owned() } else { self.along.amount(frequency.abs().recip(), 6) };
                format!("{} {}, period {period}", number(frequency, 6), self.along.frequency())
            }
            None => format!("{} {}", number(self.cycles(position), 4), self.cycles),
        }
    }

    /// Cycles per sample or pixel at a displayed position, within −½ to ½.
    pub(super) fn cycles(self, position: usize) -> f64 {
        let n = self.n as f64;
        let index = self.index(position as f64);
        (if !self.shifted && 2.0 * index >= n && self.n > 1 { index - n } else { index }) / n
    }
}

/// The frequency at a displayed column and row.
pub(super) fn frequency_at(at: [usize; 2], [across, down]: [FrequencyAxis; 2]) -> Frequency {
    Frequency { u: across.cycles(at[0]), v: 0.0 - down.cycles(at[1]) }
}

/// The axes across and down of a result.
pub(super) fn axes_of(shown: &ShownJob<'_>, is_centred: bool, unit: FrequencyUnit, shape: Shape, axes: Axes) -> [FrequencyAxis; 2] {
    let (sampling, pixel) = (shown.sampling(), shown.pixel_size);
    let axis = |n: usize, transformed: bool, along_rows: bool| FrequencyAxis {
        n,
        shifted: is_centred && transformed,
        upwards: is_centred && axes == Axes::Both && !along_rows,
        is_frequency: transformed && shown.has_frequencies(),
        unit,
        cycles: shown.cycles(axes, along_rows),
        // Only the samples of one line follow each other in time, not the lines.
        rate: match pixel {
            Some(PixelSize { width, height, .. }) => Some(1.0 / if along_rows { width } else { height }),
            None => sampling.filter(|_| along_rows == axes.along_rows()).map(|sampling| sampling.per_unit),
        },
        along: pixel.map(|pixel| AxisUnit::Length(pixel.unit)).or(sampling.map(|sampling| sampling.unit)).unwrap_or_default(),
    };
    let period = shown.period(shape, axes);
    match axes {
        Axes::Columns => [axis(shape.columns, false, true), axis(period, true, false)],
        Axes::Rows | Axes::Both => [axis(period, true, true), axis(shape.rows, axes == Axes::Both, false)],
    }
}

/// Round values of which one is ½, the highest frequency, about `wanted` of them.
fn parts_of_a_half(low: f64, high: f64, wanted: f64) -> Vec<f64> {
    let step = crate::plot::step_to_half((high - low) / wanted.max(1.0));
    ((low / step - 1e-9).ceil() as i64..=(high / step + 1e-9).floor() as i64).map(|k| k as f64 * step).collect()
}

/// Index and frequency of a position; period, radius and angle.
pub(super) fn read_out([x, y]: [usize; 2], across: FrequencyAxis, down: FrequencyAxis, [row, column]: [usize; 2]) -> [String; 2] {
    let (u, v) = (across.cycles(x), 0.0 - down.cycles(y));
    let only = |place: String| [place, String::new()];
    match (across.is_frequency, down.is_frequency) {
        (true, true) if across.cycles == down.cycles => {}
        (true, true) => return only(format!("row {row}, column {column}   f = ({}, {})", across.frequency(x), down.frequency(y))),
        (true, false) => return only(format!("row {row}, index {column}   f = {}", across.frequency(x))),
        (false, true) => return only(format!("column {column}, index {row}   f = {}", down.frequency(y))),
        (false, false) => return only(format!("row {row}, column {column}")),
    }
    let frequency = Vec2::new(u as f32, v as f32);
    let radius = f64::from(frequency.length());
    let period = if radius > 0.0 { format!("{} px", number(1.0 / radius, 4)) } else { "∞".into() };
    let angle = v.atan2(u).to_degrees();
    let place = format!("row {row}, column {column}   f = ({}, {}) cycles per pixel", number(u, 4), number(frequency.y.into(), 4));
    let plain = format!("period {period}   radius {}   angle {}° anticlockwise from x", number(radius, 4), number(angle, 4));
    // Pixels of a known size have lengths and angles of their own.
    match (across.rate, down.rate, across.along) {
        (Some(per_x), Some(per_y), AxisUnit::Length(unit)) => {
            let (unit, cycles) = (unit.symbol(), unit.frequency());
            let (u, v) = (u * per_x, v * per_y);
            let radius = u.hypot(v);
            let period = if radius > 0.0 { format!("{} {unit}", number(1.0 / radius, 5)) } else { "∞".into() };
            let angle = number(v.atan2(u).to_degrees(), 4);
            let place = format!("{place} = ({}, {}) {}", number(u, 4), number(v, 4), cycles);
            [place, format!("period {period}   radius {} {}   angle {angle}° anticlockwise from x", number(radius, 4), cycles)]
        }
        _ => [place, plain],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::PixelUnit;

    const CENTRED: FrequencyAxis = FrequencyAxis {
        n: 8,
        shifted: true,
        upwards: false,
        is_frequency: true,
        unit: FrequencyUnit::Cycles,
        cycles: "cycles per pixel",
        rate: None,
        along: AxisUnit::Second,
    };

    #[test]
    fn shifted_axes_have_zero_in_the_middle() {
        let axis = CENTRED;
        assert_eq!(axis.value(4.0), 0.0);
        assert_eq!(axis.value(0.0), -0.5);
        assert_eq!(axis.position(0.25), 6.0);
        let upwards = FrequencyAxis { upwards: true, ..axis };
        assert_eq!((upwards.value(0.0), upwards.position(0.25)), (0.5, 2.0));
        assert_eq!(upwards.ticks(0.0, 8.0, 5.0), [-0.5, -0.25, 0.0, 0.25, 0.5]);
        assert_eq!(FrequencyAxis { unit: FrequencyUnit::Bins, ..upwards }.value(0.0), -4.0);
        let plain = FrequencyAxis { shifted: false, unit: FrequencyUnit::Bins, ..axis };
        assert_eq!(plain.value(6.0), 6.0);
        assert_eq!(plain.cycles(6), -0.25);
        let odd = FrequencyAxis { n: 7, ..axis };
        assert_eq!(odd.cycles(3), 0.0);
    }

    #[test]
    fn the_read_out_gives_period_and_angle() {
        let axis = FrequencyAxis { n: 16, ..CENTRED };
        let text = read_out([8, 4], axis, axis, [12, 0])[1].clone();
        assert!(text.contains("period 4 px") && text.contains("angle 90° anticlockwise from x"), "{text}");
        assert!(read_out([8, 8], axis, axis, [0, 0])[1].contains("period ∞"));
        let sized = FrequencyAxis { rate: Some(5.0), along: AxisUnit::Length(PixelUnit::Nanometre), ..axis };
        let text = read_out([8, 4], sized, sized, [12, 0]).join(" ");
        assert!(text.contains("(0, 1.25) cycles per nm") && text.contains("period 0.8 nm"), "{text}");
        assert_eq!(FrequencyAxis { unit: FrequencyUnit::Hertz, ..sized }.name("x"), "frequency along x (cycles per nm)");
        let other = FrequencyAxis { shifted: false, is_frequency: false, ..axis };
        let line = FrequencyAxis { cycles: "cycles per sample", ..axis };
        assert_eq!(read_out([3, 12], other, line, [4, 3])[0], "column 3, index 4   f = 0.25 cycles per sample");
        assert_eq!(read_out([3, 12], other, other, [12, 3])[0], "row 12, column 3");
        let both = read_out([12, 4], line, FrequencyAxis { cycles: "cycles per line", ..line }, [12, 4]);
        assert_eq!(both[0], "row 12, column 4   f = (0.25 cycles per sample, −0.25 cycles per line)");
    }

    #[test]
    fn one_half_has_its_tick() {
        for n in [7, 480, 640, 4096] {
            let axis = FrequencyAxis { n, ..CENTRED };
            for wanted in 3..40 {
                let ticks = axis.ticks(0.0, n as f64, f64::from(wanted));
                assert!(n == 7 || (ticks.first() == Some(&-0.5) && ticks.last() == Some(&0.5)), "{n}, {wanted}: {ticks:?}");
                assert!(ticks.contains(&0.0) && ticks.len() <= wanted as usize + 1, "{n}, {wanted}: {ticks:?}");
            }
        }
    }

    #[test]
    fn axes_of_recordings_are_in_hertz() {
        let axis = FrequencyAxis {
            n: 16,
            shifted: true,
            upwards: false,
            is_frequency: true,
            unit: FrequencyUnit::Hertz,
            cycles: "cycles per sample",
            rate: Some(8000.0),
            along: AxisUnit::Second,
        };
        assert_eq!((axis.value(12.0), axis.position(-4000.0), axis.name("x").as_str()), (2000.0, 0.0, "frequency along x (Hz)"));
        let row = FrequencyAxis { is_frequency: false, shifted: false, n: 1, ..axis };
        assert_eq!(read_out([12, 0], axis, row, [0, 4])[0], "row 0, index 4   f = 2000 Hz, period 500 µs");
        let plain = FrequencyAxis { rate: None, ..axis };
        assert_eq!((plain.value(12.0), plain.name("x").as_str()), (0.25, "frequency along x (cycles per sample)"));
    }
}
