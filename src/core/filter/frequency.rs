//! Frequencies as people write them: cycles per sample, hertz, or a period in samples, seconds or metres.

use crate::signal::{AxisUnit, Sampling};
use std::str::FromStr;

/// A frequency with its unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WrittenFrequency {
    value: f64,
    unit: FrequencyUnit,
}

/// The meaning of a number.
#[derive(Debug, Clone, Copy, PartialEq)]
enum FrequencyUnit {
    /// Cycles per sample.
    Cycles,
    /// A period in samples.
    Samples,
    /// Cycles per second; the number is the hertz of its unit.
    Hertz(f64),
    /// A period; the number is the seconds of its unit.
    Seconds(f64),
    /// A period; the number is the metres of its unit.
    Metres(f64),
}

/// Why a text is not a frequency, or has no meaning for a signal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FrequencyError {
    /// The text is not a number with a unit.
    #[error("“{0}” is no frequency: take cycles per sample as 0.1, a period as 12px, 2nm, 5ms or 7days, or 300Hz or 2/year")]
    Unreadable(String),
    /// Hertz and seconds need a sampling rate.
    #[error("{0} needs a sampling rate, and the input has none: take cycles per sample as 0.1, or a period as 12px")]
    NoRate(String),
    /// Metres need a pixel size.
    #[error("{0} needs the size of a pixel, and the input has none: say it, or take cycles per pixel as 0.1, or a period as 12px")]
    NoPixelSize(String),
}

/// The distance of two samples, where it is known.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SampleSpacing {
    /// How samples follow each other in time.
    pub sampling: Option<Sampling>,
    /// The side of a pixel in metres.
    pub pixel_metres: Option<f64>,
}

/// Units by name.
const UNITS: [(&str, FrequencyUnit); 17] = [
    ("", FrequencyUnit::Cycles),
    ("px", FrequencyUnit::Samples),
    ("samples", FrequencyUnit::Samples),
    ("Hz", FrequencyUnit::Hertz(1.0)),
    ("kHz", FrequencyUnit::Hertz(1e3)),
    ("MHz", FrequencyUnit::Hertz(1e6)),
    ("GHz", FrequencyUnit::Hertz(1e9)),
    ("pm", FrequencyUnit::Metres(1e-12)),
    ("Å", FrequencyUnit::Metres(1e-10)),
    ("nm", FrequencyUnit::Metres(1e-9)),
    ("um", FrequencyUnit::Metres(1e-6)),
    ("µm", FrequencyUnit::Metres(1e-6)),
    ("mm", FrequencyUnit::Metres(1e-3)),
    ("cm", FrequencyUnit::Metres(1e-2)),
    ("m", FrequencyUnit::Metres(1.0)),
    ("km", FrequencyUnit::Metres(1e3)),
    ("in", FrequencyUnit::Metres(0.0254)),
];

/// Units of time behind one and behind many, as they are shown.
const TIMES: [(&str, &str); 10] = [
    ("ns", "ns"),
    ("µs", "µs"),
    ("ms", "ms"),
    ("s", "s"),
    ("min", "min"),
    ("h", "h"),
    ("day", "days"),
    ("week", "weeks"),
    ("month", "months"),
    ("year", "years"),
];

impl FromStr for WrittenFrequency {
    type Err = FrequencyError;

    fn from_str(text: &str) -> Result<Self, FrequencyError> {
        let refused = || FrequencyError::Unreadable(text.to_owned());
        let text = text.trim();
        // The exponent of 1e3 belongs to the number.
        let is_number = |end: &usize| text.is_char_boundary(*end) && text[..*end].parse::<f64>().is_ok();
        let end = (1..=text.len()).rev().find(is_number).ok_or_else(refused)?;
        let value: f64 = text[..end].parse().map_err(|_| refused())?;
        let name = text[end..].trim().to_lowercase().replace('μ', "µ");
        let known = UNITS.into_iter().find(|(known, _)| known.to_lowercase() == name).map(|(_, unit)| unit);
        let unit = known.or_else(|| of_time(&name)).ok_or_else(refused)?;
        let written = Self { value, unit };
        if !value.is_finite() || (written.is_period() && value == 0.0) {
            return Err(refused());
        }
        Ok(written)
    }
}

/// A period in a unit of time, or a frequency per such a unit: "days", "/day", "per year".
fn of_time(name: &str) -> Option<FrequencyUnit> {
    let per = name.strip_prefix('/').or(name.strip_prefix("per ")).map(str::trim);
    // A lone "a" looks like an ångström.
    let (unit, times) = AxisUnit::of_time(per.unwrap_or(name)).filter(|_| name != "a")?;
    let seconds = times * unit.seconds()?;
    Some(if per.is_some() { FrequencyUnit::Hertz(1.0 / seconds) } else { FrequencyUnit::Seconds(seconds) })
}

impl WrittenFrequency {
    /// The frequency in cycles per sample.
    ///
    /// # Errors
    /// When the unit needs a rate or a pixel size that is not known.
    pub fn cycles(self, spacing: SampleSpacing) -> Result<f64, FrequencyError> {
        let text = || self.to_string();
        let rate = || spacing.sampling.and_then(Sampling::rate_hz).ok_or_else(|| FrequencyError::NoRate(text()));
        Ok(match self.unit {
            FrequencyUnit::Cycles => self.value,
            FrequencyUnit::Samples => 1.0 / self.value,
            FrequencyUnit::Hertz(unit) => self.value * unit / rate()?,
            FrequencyUnit::Seconds(unit) => 1.0 / (self.value * unit * rate()?),
            FrequencyUnit::Metres(unit) => {
                let side = spacing.pixel_metres.ok_or_else(|| FrequencyError::NoPixelSize(text()))?;
                side / (self.value * unit)
            }
        })
    }

    /// Whether it is written as a period.
    pub fn is_period(self) -> bool {
        !matches!(self.unit, FrequencyUnit::Cycles | FrequencyUnit::Hertz(_))
    }

    /// A length in metres, if the unit is one.
    pub fn metres(self) -> Option<f64> {
        if let FrequencyUnit::Metres(unit) = self.unit { Some(self.value * unit) } else { None }
    }

    /// The number with the unit of another, if it has none of its own.
    #[must_use]
    pub fn or_unit_of(self, other: Self) -> Self {
        if self.unit == FrequencyUnit::Cycles { Self { unit: other.unit, ..self } } else { self }
    }
}

impl std::fmt::Display for WrittenFrequency {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let value = crate::numerals::number(self.value, 6);
        let known = UNITS.iter().find(|(_, unit)| *unit == self.unit).map(|(name, _)| (*name).to_owned());
        let name = known.or_else(|| {
            let of_period = |(one, many): &(&str, &str)| (of_time(one) == Some(self.unit)).then(|| (*many).to_owned());
            let per = |(one, _): &(&str, &str)| Some(format!("/{one}")).filter(|name| of_time(name) == Some(self.unit));
            TIMES.iter().find_map(of_period).or_else(|| TIMES.iter().find_map(per))
        });
        match name.unwrap_or_default() {
            name if name.is_empty() || name.starts_with('/') => write!(f, "{value}{name}"),
            name => write!(f, "{value} {name}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequencies_are_written_in_many_ways() {
        let spacing = SampleSpacing { sampling: Some(Sampling::hertz(8000.0)), pixel_metres: Some(0.2e-9) };
        let cycles = |text: &str| text.parse::<WrittenFrequency>().unwrap().cycles(spacing).unwrap();
        for (text, wanted) in [
            ("0.1", 0.1),
            ("1e-1", 0.1),
            ("12px", 1.0 / 12.0),
            ("8 samples", 0.125),
            ("300Hz", 0.0375),
            ("2 kHz", 0.25),
            ("1ms", 0.125),
            ("2nm", 0.1),
            ("20 Å", 0.1),
            ("-0.25", -0.25),
        ] {
            assert!((cycles(text) - wanted).abs() < 1e-12, "{text}");
        }
        let monthly = SampleSpacing { sampling: "1 month".parse().ok(), pixel_metres: None };
        let daily = SampleSpacing { sampling: "1 day".parse().ok(), pixel_metres: None };
        for (text, spacing, wanted) in [
            ("1 year", monthly, 1.0 / 12.0),
            ("2/year", monthly, 1.0 / 6.0),
            ("6 months", monthly, 1.0 / 6.0),
            ("7days", daily, 1.0 / 7.0),
            ("0.25/day", daily, 0.25),
            ("36 h", daily, 2.0 / 3.0),
        ] {
            let cycles = text.parse::<WrittenFrequency>().unwrap().cycles(spacing).unwrap();
            assert!((cycles - wanted).abs() < 1e-12, "{text}: {cycles}");
        }
        for (text, shown) in [
            ("2 Hours", "2 h"),
            ("0.5 per day", "0.5/day"),
            ("7 d", "7 days"),
            ("3 months", "3 months"),
            ("20 ms", "20 ms"),
            ("1.2 kHz", "1.2 kHz"),
            ("300hz", "300 Hz"),
            ("20å", "20 Å"),
            ("12px", "12 px"),
        ] {
            assert_eq!(text.parse::<WrittenFrequency>().unwrap().to_string(), shown, "{text}");
        }
        for text in ["", "abc", "20 A", "12 miles", "0px", "nan", "inf", "px", "1/2"] {
            let error = text.parse::<WrittenFrequency>().unwrap_err().to_string();
            assert!(error.contains("is no frequency: take"), "{text}: {error}");
        }
        let without = |text: &str| text.parse::<WrittenFrequency>().unwrap().cycles(SampleSpacing::default()).unwrap_err();
        assert_eq!(without("300 Hz"), FrequencyError::NoRate("300 Hz".into()));
        assert!(without("2nm").to_string().contains("size of a pixel"));
    }
}
