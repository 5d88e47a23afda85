//! The unit along the samples of a row: a time, a length, or none that is known.

use super::PixelUnit;
use crate::numerals::{duration, number};

/// The unit of positions along the samples of a row. Slow times keep their unit: the frequency of a tide is 1/12.42 per hour, not 0.00002 Hz.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
pub enum AxisUnit {
    /// Seconds, and all that is shorter than an hour.
    #[default]
    Second,
    /// Hours.
    Hour,
    /// Days.
    Day,
    /// Weeks.
    Week,
    /// Months of the calendar, which count as even steps.
    Month,
    /// Years of the calendar, which count as even steps.
    Year,
    /// A length or an angle.
    Length(PixelUnit),
    /// Plain numbers, whose unit nobody gave.
    Index,
}

/// Names of units of time in small letters, the unit of the axis, and how many of that unit the named one is.
const TIMES: [(&[&str], AxisUnit, f64); 10] = [
    (&["ns", "nsec", "nanosecond", "nanoseconds"], AxisUnit::Second, 1e-9),
    (&["µs", "us", "usec", "microsecond", "microseconds"], AxisUnit::Second, 1e-6),
    (&["ms", "msec", "millisecond", "milliseconds"], AxisUnit::Second, 1e-3),
    (&["s", "sec", "secs", "second", "seconds"], AxisUnit::Second, 1.0),
    (&["min", "mins", "minute", "minutes"], AxisUnit::Second, 60.0),
    (&["h", "hr", "hrs", "hour", "hours"], AxisUnit::Hour, 1.0),
    (&["d", "day", "days"], AxisUnit::Day, 1.0),
    (&["w", "wk", "week", "weeks"], AxisUnit::Week, 1.0),
    (&["mo", "month", "months"], AxisUnit::Month, 1.0),
    (&["a", "y", "yr", "yrs", "year", "years"], AxisUnit::Year, 1.0),
];

impl AxisUnit {
    /// The unit of time of a name in any letters, and how many of it the named one is: "ms" is 0.001 seconds, "days" is 1 day.
    pub fn of_time(name: &str) -> Option<(Self, f64)> {
        let name = name.to_lowercase().replace('μ', "µ");
        TIMES.iter().find(|(names, ..)| names.contains(&name.as_str())).map(|&(_, unit, times)| (unit, times))
    }

    /// The unit of a name, and how many of it the named one is: a time, a length, or "unit".
    pub fn named(name: &str) -> Option<(Self, f64)> {
        let length = || PixelUnit::named(name).map(|unit| (Self::Length(unit), 1.0));
        let plain = || matches!(name, "unit" | "units").then_some((Self::Index, 1.0));
        // "A" is an ångström, and "a" a year.
        let is_angstrom = name == "A";
        Self::of_time(name).filter(|_| !is_angstrom).or_else(length).or_else(plain)
    }

    /// The seconds of a unit of time; months and years are mean ones of the Gregorian calendar.
    pub fn seconds(self) -> Option<f64> {
        Some(match self {
            Self::Second => 1.0,
            Self::Hour => 3600.0,
            Self::Day => 86_400.0,
            Self::Week => 604_800.0,
            Self::Month => 2_629_746.0,
            Self::Year => 31_556_952.0,
            Self::Length(_) | Self::Index => return None,
        })
    }

    /// The unit of positions and periods: "s", "h", "days", "mm"; empty for plain numbers.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Second => "s",
            Self::Hour => "h",
            Self::Day => "days",
            Self::Week => "weeks",
            Self::Month => "months",
            Self::Year => "years",
            Self::Length(unit) => unit.symbol(),
            Self::Index => "",
        }
    }

    /// The unit behind "per": "s", "h", "day", "mm", "unit".
    pub fn one(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Year => "year",
            Self::Index => "unit",
            Self::Second | Self::Hour | Self::Length(_) => self.symbol(),
        }
    }

    /// The unit of frequencies: "Hz", "1/day", "cycles per mm".
    pub fn frequency(self) -> &'static str {
        match self {
            Self::Second => "Hz",
            Self::Hour => "1/h",
            Self::Day => "1/day",
            Self::Week => "1/week",
            Self::Month => "1/month",
            Self::Year => "1/year",
            Self::Length(unit) => unit.frequency(),
            Self::Index => "cycles per unit",
        }
    }

    /// The name of an axis of such positions, without its unit: "time" or "position".
    pub fn quantity(self) -> &'static str {
        if self.seconds().is_some() { "time" } else { "position" }
    }

    /// A stretch with its unit, in `digits` significant digits: "12.42 h", "1 day", "2.27 ms".
    pub fn amount(self, value: f64, digits: usize) -> String {
        let text = number(value, digits);
        match self {
            Self::Second if value.is_finite() && value.abs() < 1.0 && value != 0.0 => duration_of(value, digits),
            Self::Index => text,
            _ if text == "1" => format!("1 {}", self.one()),
            _ => format!("{text} {}", self.symbol()),
        }
    }
}

/// A stretch below a second in ms, µs or ns.
fn duration_of(seconds: f64, digits: usize) -> String {
    let exponent = seconds.abs().log10();
    match exponent {
        -3.0.. => format!("{} ms", number(seconds * 1e3, digits)),
        -6.0.. => format!("{} µs", number(seconds * 1e6, digits)),
        -9.0.. => format!("{} ns", number(seconds * 1e9, digits)),
        _ => duration(seconds * 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMED: [AxisUnit; 6] = [AxisUnit::Second, AxisUnit::Hour, AxisUnit::Day, AxisUnit::Week, AxisUnit::Month, AxisUnit::Year];

    #[test]
    fn units_of_time_have_many_names() {
        for (name, unit, times) in [
            ("ns", AxisUnit::Second, 1e-9),
            ("μs", AxisUnit::Second, 1e-6),
            ("Minutes", AxisUnit::Second, 60.0),
            ("h", AxisUnit::Hour, 1.0),
            ("Days", AxisUnit::Day, 1.0),
            ("wk", AxisUnit::Week, 1.0),
            ("months", AxisUnit::Month, 1.0),
            ("YEAR", AxisUnit::Year, 1.0),
        ] {
            assert_eq!(AxisUnit::of_time(name), Some((unit, times)), "{name}");
        }
        assert_eq!((AxisUnit::of_time("m"), AxisUnit::of_time("apples"), AxisUnit::of_time("")), (None, None, None));
        assert_eq!(AxisUnit::named("A"), Some((AxisUnit::Length(PixelUnit::Angstrom), 1.0)));
        assert_eq!(AxisUnit::named("a"), Some((AxisUnit::Year, 1.0)));
    }

    #[test]
    fn every_name_that_is_shown_is_read_again() {
        let lengths = [PixelUnit::Metre, PixelUnit::Angstrom, PixelUnit::Degree].map(AxisUnit::Length);
        for unit in TIMED.into_iter().chain(lengths).chain([AxisUnit::Index]) {
            assert_eq!(AxisUnit::named(unit.one()), Some((unit, 1.0)), "{unit:?}");
            assert!(unit == AxisUnit::Index || AxisUnit::named(unit.symbol()) == Some((unit, 1.0)), "{unit:?}");
            assert_eq!(unit.seconds().is_some(), TIMED.contains(&unit), "{unit:?}");
        }
        assert!(TIMED.windows(2).all(|pair| pair[0].seconds() < pair[1].seconds()));
    }

    #[test]
    fn amounts_carry_their_unit() {
        for (unit, value, text) in [
            (AxisUnit::Hour, 12.4206, "12.42 h"),
            (AxisUnit::Day, 1.0, "1 day"),
            (AxisUnit::Day, 7.0, "7 days"),
            (AxisUnit::Day, 1.000_04, "1 day"),
            (AxisUnit::Year, 11.0, "11 years"),
            (AxisUnit::Second, 2.0, "2 s"),
            (AxisUnit::Second, 0.002_272_7, "2.273 ms"),
            (AxisUnit::Second, 5e-7, "500 ns"),
            (AxisUnit::Second, 0.0, "0 s"),
            (AxisUnit::Second, f64::INFINITY, "∞ s"),
            (AxisUnit::Length(PixelUnit::Millimetre), 0.1, "0.1 mm"),
            (AxisUnit::Index, 0.5, "0.5"),
        ] {
            assert_eq!(unit.amount(value, 4), text);
        }
    }
}
