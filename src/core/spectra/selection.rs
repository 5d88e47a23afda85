//! The part of a recording that is measured.

use super::{Rate, SpectraError};
use crate::signal::{AxisUnit, seconds_of_clock};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// A place in a recording: a sample, or a distance from the first one.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Place {
    /// The sample of this index.
    Sample(usize),
    /// This many of a unit after the first sample.
    At(f64, AxisUnit),
}

/// The samples from one place up to, but not including, another.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Selection {
    /// The beginning; `None` for that of the recording.
    pub from: Option<Place>,
    /// The end; `None` for that of the recording.
    pub to: Option<Place>,
}

impl Place {
    /// The nearest sample.
    ///
    /// # Errors
    /// When the samples have no positions in its unit.
    pub fn sample(self, rate: Rate) -> Result<usize, SpectraError> {
        let (value, unit) = match self {
            Self::Sample(index) => return Ok(index),
            Self::At(value, unit) => (value, unit),
        };
        let seconds = || Some(unit.seconds()? / rate.unit?.seconds()?);
        let in_unit = if rate.unit == Some(unit) { Some(1.0) } else { seconds() };
        let in_unit = in_unit.ok_or_else(|| SpectraError::Place(self.to_string()))?;
        Ok((value * in_unit * rate.per_unit).round() as usize)
    }
}

impl Selection {
    /// The indices of its samples.
    ///
    /// # Errors
    /// When it is empty, reaches outside, or is given in a unit that the samples do not have.
    pub fn samples(self, samples: usize, rate: Rate) -> Result<Range<usize>, SpectraError> {
        let from = self.from.map_or(Ok(0), |place| place.sample(rate))?;
        let to = self.to.map_or(Ok(samples), |place| place.sample(rate))?;
        if from < to && to <= samples { Ok(from..to) } else { Err(SpectraError::Selection { from, to, samples }) }
    }
}

impl FromStr for Place {
    type Err = String;

    /// Reads a sample such as "590000", or a time or a length such as "12.3s", "1:02:03.5", "90 ms" or "5mm".
    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let refused =
            || format!("“{text}” is not a place in a recording: write a sample such as 590000, or a time such as 12.3s or 1:02:03.5");
        if let Ok(sample) = text.parse() {
            return Ok(Self::Sample(sample));
        }
        if let Some(seconds) = seconds_of_clock(text).filter(|seconds| seconds.is_sign_positive()) {
            return Ok(Self::At(seconds, AxisUnit::Second));
        }
        let is_number = |end: &usize| text.is_char_boundary(*end) && text[..*end].parse::<f64>().is_ok();
        let end = (1..text.len()).rev().find(is_number).ok_or_else(refused)?;
        let value: f64 = text[..end].parse().map_err(|_| refused())?;
        let (unit, times) = AxisUnit::named(text[end..].trim()).ok_or_else(refused)?;
        if value.is_finite() && value >= 0.0 { Ok(Self::At(value * times, unit)) } else { Err(refused()) }
    }
}

impl fmt::Display for Place {
    /// As [`Place::from_str`] reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sample(index) => write!(f, "{index}"),
            Self::At(value, unit) => write!(f, "{value}{}", unit.symbol()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_samples_or_times() {
        let rate = Rate { per_unit: 1000.0, unit: Some(AxisUnit::Second) };
        for (text, sample) in [
            ("590000", 590_000),
            ("12.3s", 12_300),
            ("90 ms", 90),
            ("0.0126s", 13),
            ("1min", 60_000),
            ("1h", 3_600_000),
            ("1:02:03.5", 3_723_500),
            ("62:03", 3_723_000),
        ] {
            let place: Place = text.parse().unwrap();
            assert_eq!((place.sample(rate), place.to_string().parse()), (Ok(sample), Ok(place)), "{text}");
        }
        for text in ["", "s", "-1s", "1 parsec", "NaNs", "-5", "-1:02", "1:75", "1:02:03pm"] {
            assert!(text.parse::<Place>().is_err(), "{text}");
        }
        assert!("1s".parse::<Place>().unwrap().sample(Rate::UNKNOWN).is_err());
    }

    #[test]
    fn a_selection_lies_inside_and_excludes_its_end() {
        let of = |from: &str, to: &str| Selection { from: from.parse().ok(), to: to.parse().ok() }.samples(100, Rate::UNKNOWN);
        assert_eq!(of("", ""), Ok(0..100));
        assert_eq!(of("10", "20"), Ok(10..20));
        for (from, to) in [("20", "20"), ("20", "10"), ("0", "101"), ("100", "")] {
            assert!(matches!(of(from, to), Err(SpectraError::Selection { .. })), "{from} {to}");
        }
    }
}
