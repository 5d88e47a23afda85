//! How the samples of a row follow each other: in time, or along a length or an angle.

use super::{PixelSize, PixelUnit, Signal, SignalKind};
use crate::numerals::number;
use std::fmt;
use std::str::FromStr;

/// The most samples in a unit that are taken.
const MOST: f64 = 1e15;

/// How many samples of a row stand in a unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sampling {
    /// Samples in a unit.
    pub per_unit: f64,
    /// The unit; `None` for seconds.
    pub length: Option<PixelUnit>,
}

impl Sampling {
    /// Samples in a second.
    pub const fn hertz(rate: f64) -> Self {
        Self { per_unit: rate, length: None }
    }

    /// Samples at this distance from each other.
    pub fn at(step: PixelSize) -> Self {
        Self { per_unit: 1.0 / step.width, length: Some(step.unit) }
    }

    /// The distance of two samples, where they do not follow each other in time.
    pub fn step(self) -> Option<PixelSize> {
        PixelSize::square(1.0 / self.per_unit, self.length?)
    }

    /// The unit of a position: "s" or "mm".
    pub fn unit(self) -> &'static str {
        self.length.map_or("s", PixelUnit::symbol)
    }

    /// The unit of a frequency: "Hz" or "cycles per mm".
    pub fn frequency(self) -> &'static str {
        self.length.map_or("Hz", PixelUnit::frequency)
    }

    /// The name of an axis of positions: "time (s)" or "position (mm)".
    pub fn position(self) -> String {
        self.length.map_or("time (s)".to_owned(), |unit| format!("position ({})", unit.symbol()))
    }

    /// What a text says, 0 and nothing included: "8000", "44.1 kHz", "0.5 ms", "10 per mm", "0.1 mm".
    ///
    /// # Errors
    /// In one line, for what is none.
    pub fn written(text: &str) -> Result<Option<Self>, String> {
        if matches!(text.trim(), "" | "unknown") { Ok(None) } else { text.parse().map(Some) }
    }
}

impl Signal {
    /// How the samples of its rows follow each other, where the file says it.
    pub fn sampling(&self) -> Option<Sampling> {
        let step = self.pixel_size.filter(|_| self.kind == SignalKind::Rows).map(Sampling::at);
        step.or(self.sample_rate_hz.map(Sampling::hertz))
    }
}

impl FromStr for Sampling {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let refused = || format!("“{text}” is no sampling rate: type 8000, 44.1 kHz, 0.5 ms, 10 per mm or 0.1 mm");
        // The exponent of 1e3 belongs to the number.
        let is_number = |end: &usize| text.is_char_boundary(*end) && text[..*end].parse::<f64>().is_ok();
        let end = (1..=text.len()).rev().find(is_number).ok_or_else(refused)?;
        let value: f64 = text[..end].parse().map_err(|_| refused())?;
        let name = text[end..].trim_start_matches("samples").trim_start_matches("sample");
        let found = match name.strip_prefix("per").or(name.strip_prefix('/')) {
            Some("s" | "sec" | "second") => Self::hertz(value),
            Some(unit) => Self { per_unit: value, length: Some(PixelUnit::named(unit).ok_or_else(refused)?) },
            None => match hertz(value, &name.to_lowercase()) {
                Some(rate) => Self::hertz(rate),
                None => Self { per_unit: 1.0 / value, length: Some(PixelUnit::named(name).ok_or_else(refused)?) },
            },
        };
        if found.per_unit.is_finite() && found.per_unit > 0.0 && found.per_unit <= MOST { Ok(found) } else { Err(refused()) }
    }
}

/// Samples in a second, by a frequency or the time of a step.
fn hertz(value: f64, unit: &str) -> Option<f64> {
    Some(match unit {
        "" | "hz" => value,
        "k" | "khz" => 1e3 * value,
        "mhz" => 1e6 * value,
        "ghz" => 1e9 * value,
        "s" => 1.0 / value,
        "ms" => 1e3 / value,
        "us" | "µs" | "μs" => 1e6 / value,
        "ns" => 1e9 / value,
        "min" => 1.0 / (60.0 * value),
        "h" => 1.0 / (3600.0 * value),
        _ => return None,
    })
}

impl fmt::Display for Sampling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.length, self.per_unit) {
            (Some(unit), per_unit) => write!(f, "{} per {}", number(per_unit, 9), unit.symbol()),
            (None, hertz @ 1e9..) => write!(f, "{} GHz", number(hertz / 1e9, 9)),
            (None, hertz @ 1e6..) => write!(f, "{} MHz", number(hertz / 1e6, 9)),
            (None, hertz @ 1e4..) => write!(f, "{} kHz", number(hertz / 1e3, 9)),
            (None, hertz) => write!(f, "{} Hz", number(hertz, 9)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let per = |per_unit: f64, unit: PixelUnit| Ok(Sampling { per_unit, length: Some(unit) });
        for text in ["10 per mm", "10/mm", "10 samples per mm", "0.1 mm"] {
            assert_eq!(text.parse(), per(10.0, PixelUnit::Millimetre), "{text}");
        }
        assert_eq!("4 /°".parse(), per(4.0, PixelUnit::Degree));
        assert_eq!((Sampling::written(""), Sampling::written("unknown")), (Ok(None), Ok(None)));
        for text in ["abc", "-5", "0", "3 px", "inf", "nan", "1e300", "kHz", "5 per apple", "0 mm"] {
            let why = text.parse::<Sampling>().expect_err("it is refused");
            assert!(why.contains("is no sampling rate: type 8000"), "{text}: {why}");
        }
    }

    #[test]
    fn what_is_shown_is_read_again() {
        let lengths = [10.0, 0.25].map(|per_unit| Sampling { per_unit, length: Some(PixelUnit::Micrometre) });
        for sampling in [8000.0, 44_100.0, 2.5e6, 0.1].map(Sampling::hertz).into_iter().chain(lengths) {
            let read: Sampling = sampling.to_string().parse().expect("it is one");
            assert!(read.length == sampling.length && (read.per_unit - sampling.per_unit).abs() < 1e-9 * sampling.per_unit, "{sampling}");
        }
        let step = lengths[0].step().expect("a length");
        assert_eq!((step.width, Sampling::at(step).frequency(), lengths[0].position().as_str()), (0.1, "cycles per µm", "position (µm)"));
    }
}
