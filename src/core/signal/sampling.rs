//! How the samples of a row follow each other: in time, or along a length or an angle.

use super::{AxisUnit, PixelSize};
use crate::numerals::number;
use std::fmt;
use std::str::FromStr;

/// The most samples in a unit that are taken.
const MOST: f64 = 1e15;

/// How many samples of a row are in a unit.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Sampling {
    /// Samples in a unit.
    pub per_unit: f64,
    /// The unit.
    pub unit: AxisUnit,
}

impl Sampling {
    /// Samples in a second.
    pub const fn hertz(rate: f64) -> Self {
        Self { per_unit: rate, unit: AxisUnit::Second }
    }

    /// Samples at this distance from each other.
    pub fn at(step: PixelSize) -> Self {
        Self { per_unit: 1.0 / step.width, unit: AxisUnit::Length(step.unit) }
    }

    /// The distance of two samples, where they follow each other along a length.
    pub fn step(self) -> Option<PixelSize> {
        let AxisUnit::Length(unit) = self.unit else { return None };
        PixelSize::square(1.0 / self.per_unit, unit)
    }

    /// Samples in a second, where they follow each other in time.
    pub fn rate_hz(self) -> Option<f64> {
        self.unit.seconds().map(|seconds| self.per_unit / seconds)
    }

    /// The unit of a position: "s", "days" or "mm".
    pub fn unit(self) -> &'static str {
        self.unit.symbol()
    }

    /// The unit of a frequency: "Hz", "1/day" or "cycles per mm".
    pub fn frequency(self) -> &'static str {
        self.unit.frequency()
    }

    /// The rate of a text, 0 and nothing included: "8000", "44.1 kHz", "0.5 ms", "12 per year", "10 per mm", "0.1 mm".
    ///
    /// # Errors
    /// In one line, for what is none.
    pub fn written(text: &str) -> Result<Option<Self>, String> {
        if matches!(text.trim(), "" | "unknown") { Ok(None) } else { text.parse().map(Some) }
    }
}

impl FromStr for Sampling {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let refused = || format!("“{text}” is no sampling rate: type 8000, 44.1 kHz, 0.5 ms, 12 per year, 1 day, 10 per mm or 0.1 mm");
        // The exponent of 1e3 belongs to the number.
        let is_number = |end: &usize| text.is_char_boundary(*end) && text[..*end].parse::<f64>().is_ok();
        let end = (1..=text.len()).rev().find(is_number).ok_or_else(refused)?;
        let value: f64 = text[..end].parse().map_err(|_| refused())?;
        let name = text[end..].trim_start_matches("samples").trim_start_matches("sample");
        let per = name.strip_prefix("per").or(name.strip_prefix('/'));
        let found = match (per, hertz(value, &name.to_lowercase())) {
            (None, Some(rate)) => Self::hertz(rate),
            (unit, _) => {
                let (unit, times) = AxisUnit::named(unit.unwrap_or(name)).ok_or_else(refused)?;
                // A unit has a whole number of shorter ones, which its reciprocal misses by a rounding.
                let in_unit = if times < 1.0 { times.recip().round() } else { times.recip() };
                Self { per_unit: if per.is_some() { value * in_unit } else { in_unit / value }, unit }
            }
        };
        if found.per_unit.is_finite() && found.per_unit > 0.0 && found.per_unit <= MOST { Ok(found) } else { Err(refused()) }
    }
}

/// Samples in a second, by a frequency.
fn hertz(value: f64, unit: &str) -> Option<f64> {
    Some(match unit {
        "" | "hz" => value,
        "k" | "khz" => 1e3 * value,
        "mhz" => 1e6 * value,
        "ghz" => 1e9 * value,
        _ => return None,
    })
}

impl fmt::Display for Sampling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.unit, self.per_unit) {
            (AxisUnit::Second, hertz @ 1e9..) => write!(f, "{} GHz", number(hertz / 1e9, 9)),
            (AxisUnit::Second, hertz @ 1e6..) => write!(f, "{} MHz", number(hertz / 1e6, 9)),
            (AxisUnit::Second, hertz @ 1e4..) => write!(f, "{} kHz", number(hertz / 1e3, 9)),
            (AxisUnit::Second, hertz) => write!(f, "{} Hz", number(hertz, 9)),
            (unit, per_unit) => write!(f, "{} per {}", number(per_unit, 9), unit.one()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::PixelUnit;

    #[test]
    fn a_rate_is_typed_as_a_frequency_a_step_or_samples_in_a_length() {
        for (text, hertz) in [
            ("8000", 8000.0),
            ("44.1 kHz", 44_100.0),
            ("44.1k", 44_100.0),
            ("250 Hz", 250.0),
            ("250 samples per s", 250.0),
            ("0.5 ms", 2000.0),
            ("20 µs", 50_000.0),
            ("1e3", 1000.0),
            ("2 min", 1.0 / 120.0),
        ] {
            assert_eq!(text.parse(), Ok(Sampling::hertz(hertz)), "{text}");
        }
        let per = |per_unit: f64, unit: AxisUnit| Ok(Sampling { per_unit, unit });
        for text in ["10 per mm", "10/mm", "10 samples per mm", "0.1 mm"] {
            assert_eq!(text.parse(), per(10.0, AxisUnit::Length(PixelUnit::Millimetre)), "{text}");
        }
        assert_eq!("4 /°".parse(), per(4.0, AxisUnit::Length(PixelUnit::Degree)));
        for (text, per_unit, unit) in [
            ("12 per year", 12.0, AxisUnit::Year),
            ("1/yr", 1.0, AxisUnit::Year),
            ("1 day", 1.0, AxisUnit::Day),
            ("15 min", 1.0 / 900.0, AxisUnit::Second),
            ("60 per min", 1.0, AxisUnit::Second),
            ("1/h", 1.0, AxisUnit::Hour),
            ("0.25 h", 4.0, AxisUnit::Hour),
            ("2 weeks", 0.5, AxisUnit::Week),
            ("1 month", 1.0, AxisUnit::Month),
            ("10 samples per unit", 10.0, AxisUnit::Index),
        ] {
            assert_eq!(text.parse(), per(per_unit, unit), "{text}");
        }
        assert_eq!((Sampling::written(""), Sampling::written("unknown")), (Ok(None), Ok(None)));
        for text in ["abc", "-5", "0", "3 px", "inf", "nan", "1e300", "kHz", "5 per apple", "0 mm"] {
            let why = text.parse::<Sampling>().expect_err("it is refused");
            assert!(why.contains("is no sampling rate: type 8000"), "{text}: {why}");
        }
    }

    #[test]
    fn what_is_shown_is_read_again() {
        let lengths = [10.0, 0.25].map(|per_unit| Sampling { per_unit, unit: AxisUnit::Length(PixelUnit::Micrometre) });
        let times = [AxisUnit::Hour, AxisUnit::Day, AxisUnit::Week, AxisUnit::Month, AxisUnit::Year, AxisUnit::Index];
        let slow = times.into_iter().flat_map(|unit| [1.0, 12.0, 0.1, 96.0].map(|per_unit| Sampling { per_unit, unit }));
        for sampling in [8000.0, 44_100.0, 2.5e6, 0.1].map(Sampling::hertz).into_iter().chain(lengths).chain(slow) {
            let read: Sampling = sampling.to_string().parse().expect("it is one");
            assert!(read.unit == sampling.unit && (read.per_unit - sampling.per_unit).abs() < 1e-9 * sampling.per_unit, "{sampling}");
        }
        let step = lengths[0].step().expect("a length");
        assert_eq!((step.width, Sampling::at(step).frequency(), lengths[0].unit()), (0.1, "cycles per µm", "µm"));
        let daily: Sampling = "1 day".parse().expect("a step");
        assert_eq!((daily.to_string().as_str(), daily.frequency(), daily.rate_hz()), ("1 per day", "1/day", Some(1.0 / 86_400.0)));
    }
}
