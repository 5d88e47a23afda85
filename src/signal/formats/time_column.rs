//! The column of times or of positions of a table: it gives the sampling rate or the step of a sample, and is no signal.

use crate::numerals::number;
use crate::signal::{AxisUnit, PixelUnit, Sampling};

/// Steps count as even where no time is farther from the line through the first and the last than this part of a step; printed times are rounded.
const EVEN: f64 = 0.1;

/// What a column of times says about the others.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TimeColumn {
    /// How the samples follow each other; `None` where the steps are not even.
    pub sampling: Option<Sampling>,
    /// What is said about it.
    pub note: String,
}

impl TimeColumn {
    /// The column with this name and these values, if the name says time and the values increase.
    pub(super) fn of(name: &str, values: &[f64]) -> Option<Self> {
        let length = length_of(name);
        let seconds = seconds_of(name).or(length.map(|_| 1.0))?;
        let increases = values.len() > 1 && values.windows(2).all(|pair| pair[0] < pair[1]);
        if !increases || !values.iter().all(|value| value.is_finite()) {
            return None;
        }
        let (first, n_steps) = (values[0], (values.len() - 1) as f64);
        let span = values[values.len() - 1] - first;
        let step = span / n_steps;
        let farthest = (0..).zip(values).map(|(k, value)| (value - (first + f64::from(k) * step)).abs()).fold(0.0, f64::max);
        let name = name.trim();
        if farthest > EVEN * step {
            if length.is_some() {
                return None;
            }
            let note = format!("The times in the column “{name}” have uneven steps, so that the sampling rate is unknown.");
            return Some(Self { sampling: None, note });
        }
        let (rate_hz, doubt) = (1.0 / (step * seconds), 2.0 * farthest / span + f64::EPSILON * n_steps);
        // Printed times are rounded: the roundest rate that they allow is meant.
        let rounded = [1.0, 1e3, 1e6].map(|part| (rate_hz * part).round() / part);
        let rate_hz = rounded.into_iter().find(|round| *round > 0.0 && (round - rate_hz).abs() <= doubt * rate_hz).unwrap_or(rate_hz);
        let sampling = Sampling { per_unit: rate_hz, unit: length.map_or(AxisUnit::Second, AxisUnit::Length) };
        let note = match length {
            None => format!("The column “{name}” has the times of the samples: {} Hz.", number(rate_hz, 6)),
            Some(_) => format!("The column “{name}” has the positions of the samples: {sampling}."),
        };
        Some(Self { sampling: Some(sampling), note })
    }
}

/// The unit of a column of positions: "x (mm)", "depth/m", "distance in km". Numbers need the name of a position before their unit.
pub(super) fn length_of(name: &str) -> Option<PixelUnit> {
    let words: Vec<&str> =
        name.split(|c: char| !c.is_alphabetic() && !matches!(c, 'µ' | '°' | '″')).filter(|word| !word.is_empty()).collect();
    let ([place, unit] | [place, "in", unit]) = words[..] else { return None };
    let places = ["x", "y", "z", "position", "distance", "length", "depth", "angle", "path"];
    places.contains(&place.to_lowercase().as_str()).then(|| PixelUnit::named(unit)).flatten()
}

/// The unit of a column of times in seconds, `None` where the name says something else: "t", "time", "time (ms)", "t/µs", "Time_s", "seconds".
pub(super) fn seconds_of(name: &str) -> Option<f64> {
    let words: Vec<String> =
        name.split(|c: char| !c.is_alphabetic() && c != 'µ').filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    let unit = |word: &str| match word {
        "s" | "sec" | "secs" | "second" | "seconds" => Some(1.0),
        "ms" | "msec" | "millisecond" | "milliseconds" => Some(1e-3),
        "µs" | "μs" | "us" | "usec" | "microsecond" | "microseconds" => Some(1e-6),
        "ns" | "nsec" | "nanosecond" | "nanoseconds" => Some(1e-9),
        "min" | "minute" | "minutes" => Some(60.0),
        "h" | "hour" | "hours" => Some(3600.0),
        _ => None,
    };
    let is_time = |word: &str| matches!(word, "t" | "time" | "times" | "zeit");
    match &words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [name] if is_time(name) => Some(1.0),
        // A single letter may be anything.
        [name] if name.chars().count() > 1 && *name != "min" => unit(name),
        [name, "in", of] | [name, of] if is_time(name) => unit(of),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(name: &str, values: &[f64]) -> Option<Option<f64>> {
        TimeColumn::of(name, values).map(|column| column.sampling.map(|sampling| sampling.per_unit))
    }

    #[test]
    fn a_name_says_the_unit() {
        let steps: Vec<f64> = (0..100).map(f64::from).collect();
        for (name, expected) in [
            ("t", 1.0),
            ("Time (s)", 1.0),
            ("time [ms]", 1e3),
            ("t/µs", 1e6),
            ("Time_s", 1.0),
            ("seconds", 1.0),
            ("time in ns", 1e9),
            ("ms", 1e3),
        ] {
            assert_eq!(rate(name, &steps), Some(Some(expected)), "{name}");
        }
        for name in ["x", "s", "temperature", "time constant of decay", "left", "real", "minimum", "min", "t2m"] {
            assert_eq!(rate(name, &steps), None, "{name}");
        }
    }

    #[test]
    fn positions_give_samples_in_a_length() {
        let steps: Vec<f64> = (0..50).map(|k| 2.0 + 0.25 * f64::from(k)).collect();
        let found = |name: &str| TimeColumn::of(name, &steps).and_then(|column| column.sampling);
        for name in ["x (mm)", "Position/mm", "distance in mm"] {
            assert_eq!(found(name), Some(Sampling { per_unit: 4.0, unit: AxisUnit::Length(PixelUnit::Millimetre) }), "{name}");
        }
        assert_eq!(found("angle (°)").map(|sampling| sampling.unit()), Some("°"));
        for name in ["mm", "x", "weight (m)", "x (apples)"] {
            assert_eq!(found(name), None, "{name}");
        }
        assert_eq!(TimeColumn::of("x (mm)", &[0.0, 1.0, 5.0]), None, "uneven positions stay a channel");
    }

    #[test]
    fn rounded_times_give_the_rate_that_was_meant() {
        let printed = |rate: f64, digits: usize| -> Vec<f64> {
            (0..4000).map(|k| format!("{:.digits$}", f64::from(k) / rate).parse().expect("it is a number")).collect()
        };
        assert_eq!(rate("time", &printed(44_100.0, 6)), Some(Some(44_100.0)));
        assert_eq!(rate("time", &printed(8000.0, 9)), Some(Some(8000.0)));
        assert_eq!(rate("time", &printed(0.1, 3)), Some(Some(0.1)));
        assert_eq!(rate("time", &[5.0, 5.25, 5.5]), Some(Some(4.0)), "it need not begin at 0");
    }

    #[test]
    fn uneven_times_are_no_signal_and_give_no_rate() {
        assert_eq!(rate("t", &[0.0, 1.0, 3.0, 4.0]), Some(None));
        assert_eq!(rate("t", &[0.0, 2.0, 1.0]), None, "no times");
        assert_eq!(rate("t", &[1.0]), None);
    }
}
