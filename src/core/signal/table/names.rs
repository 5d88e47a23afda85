//! The meaning of the name of a column: times, positions and their units, real and imaginary parts, units of values.

use crate::signal::{AxisUnit, PixelUnit};

/// The times that a name speaks of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct TimeName {
    pub unit: AxisUnit,
    /// The factor by which a number of the column counts in `unit`.
    pub scale: f64,
    /// Whether the name has a word for time, and not only a unit.
    pub is_explicit: bool,
    /// Whether the name says the unit.
    pub has_unit: bool,
    /// Whether the name speaks of dates or of the clock, so that a number may count from a day that everyone knows.
    pub is_date: bool,
}

/// The name of a column and the unit of its values.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Name {
    /// The whole heading, with its unit.
    pub full: String,
    /// The heading without its unit.
    pub plain: String,
    /// The unit of the values.
    pub unit: Option<String>,
}

impl Name {
    /// A heading such as "voltage (V)", "t\[ms\]" or "level".
    pub(crate) fn of(heading: &str) -> Self {
        let full = heading.trim().to_owned();
        for [open, close] in [['(', ')'], ['[', ']'], ['{', '}']] {
            let inside = full.strip_suffix(close).and_then(|rest| rest.rsplit_once(open));
            if let Some((plain, unit)) = inside.filter(|(plain, unit)| !plain.trim().is_empty() && is_unit(plain, unit)) {
                return Self { plain: plain.trim().to_owned(), unit: Some(unit.trim().to_owned()), full: full.clone() };
            }
        }
        // "t/ms" and "depth in km" name a unit; "in/out" and "km/h" do not.
        let words: Vec<&str> = full.split(['/', ' ', '_']).filter(|word| !word.is_empty()).collect();
        if let [plain, unit] | [plain, "in", unit] = words[..]
            && (time_name(&full).is_some() && unit_of(unit).is_some() || length_of(&full).is_some())
        {
            return Self { plain: plain.to_owned(), unit: Some(unit.to_owned()), full: full.clone() };
        }
        Self { plain: full.clone(), unit: None, full }
    }

    /// The heading with the unit of a row below it.
    pub(crate) fn with_unit(heading: &str, unit: &str) -> Self {
        let unit = unit.trim().trim_matches(|c| "()[]{}".contains(c)).trim();
        let name = Self::of(heading);
        if unit.is_empty() || matches!(unit, "-" | "−" | "1") || name.unit.is_some() {
            name
        } else {
            Self::of(&format!("{} ({unit})", name.plain))
        }
    }

    /// The name of a column that has none.
    pub(crate) fn numbered(index: usize) -> Self {
        let full = format!("column {}", index + 1);
        Self { plain: full.clone(), unit: None, full }
    }

    /// The times or positions that the name speaks of.
    pub(crate) fn time(&self) -> Option<TimeName> {
        time_name(&self.full).or_else(|| {
            let unit = AxisUnit::Length(length_of(&self.full)?);
            Some(TimeName { unit, scale: 1.0, is_explicit: true, has_unit: true, is_date: false })
        })
    }
}

/// Whether what is in brackets behind a name may be its unit: a short text that is neither a number nor a node as in "V(out)".
fn is_unit(plain: &str, unit: &str) -> bool {
    /// Characters of the longest unit.
    const MOST: usize = 16;
    let first = unit.trim().chars().next();
    let is_node =
        plain.chars().count() == 1 && plain.chars().all(char::is_uppercase) && unit_of(unit).is_none() && unit.chars().count() > 1;
    first.is_some_and(|first| !first.is_ascii_digit() || unit.starts_with("1/")) && unit.chars().count() <= MOST && !is_node
}

/// The unit of times in brackets behind any name, or behind "in", such as "lag (ms)" or "in s": the unit of the axis, and what its numbers
/// are multiplied by.
pub(super) fn time_unit(name: &Name) -> Option<(AxisUnit, f64)> {
    let bare = name.full.strip_prefix("in ").map(str::trim);
    let unit = name.unit.as_deref().or(bare)?;
    // "A" is an ampere, and "a" a year.
    let is_clear = matches!(unit, "s" | "ms" | "µs" | "us" | "ns" | "ps" | "h" | "min") || unit.chars().count() > 2;
    unit_of(&unit.to_lowercase()).filter(|_| is_clear)
}

/// Whether a word in lower case speaks of dates.
pub(super) fn is_date_word(word: &str) -> bool {
    DATES.contains(&word)
}

/// Whole words of a name, in lower case.
pub(super) fn words(name: &str) -> Vec<String> {
    let is_in_word = |c: char| c.is_alphabetic() || matches!(c, 'µ' | '°' | '″');
    name.split(|c: char| !is_in_word(c)).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// Whether a name is that of a real part; `real`, `re` and so on count as whole words only.
pub(crate) fn is_real(name: &str) -> bool {
    words(name).iter().any(|word| matches!(word.as_str(), "re" | "real" | "realpart"))
}

/// Whether a name is that of an imaginary part.
pub(crate) fn is_imaginary(name: &str) -> bool {
    words(name).iter().any(|word| matches!(word.as_str(), "im" | "imag" | "imaginary" | "imagpart"))
}

/// The unit of a column of positions: "x (mm)", "depth/m", "distance in km". The unit alone, without the name of a position, is not enough.
fn length_of(name: &str) -> Option<PixelUnit> {
    let words: Vec<&str> =
        name.split(|c: char| !c.is_alphabetic() && !matches!(c, 'µ' | '°' | '″')).filter(|word| !word.is_empty()).collect();
    let ([place, unit] | [place, "in", unit]) = words[..] else { return None };
    let places = [
        "x",
        "y",
        "z",
        "position",
        "distance",
        "length",
        "depth",
        "angle",
        "path",
        "height",
        "radius",
        "wavelength",
        "displacement",
        "weg",
        "abstand",
        "tiefe",
        "wellenlänge",
        "strecke",
    ];
    places.contains(&place.to_lowercase().as_str()).then(|| PixelUnit::named(unit)).flatten()
}

/// The unit of times that a word names, and what its numbers are multiplied by.
fn unit_of(word: &str) -> Option<(AxisUnit, f64)> {
    use AxisUnit::{Day, Hour, Month, Second, Week, Year};
    let others = || match word {
        "sekunde" | "sekunden" => Some((Second, 1.0)),
        "msecs" | "millis" => Some((Second, 1e-3)),
        "ps" | "picosecond" | "picoseconds" => Some((Second, 1e-12)),
        "minuten" => Some((Second, 60.0)),
        "stunde" | "stunden" => Some((Hour, 1.0)),
        "tag" | "tage" | "jd" | "mjd" | "bjd" | "hjd" => Some((Day, 1.0)),
        "woche" | "wochen" => Some((Week, 1.0)),
        "monat" | "monate" => Some((Month, 1.0)),
        "jahr" | "jahre" | "año" | "année" | "anno" | "ano" => Some((Year, 1.0)),
        "ka" | "kyr" => Some((Year, 1e3)),
        "myr" => Some((Year, 1e6)),
        _ => None,
    };
    AxisUnit::of_time(word).or_else(others)
}

/// Words that name a column of dates.
const DATES: [&str; 13] = [
    "date",
    "datetime",
    "dates",
    "datum",
    "timestamp",
    "timestamps",
    "epoch",
    "unixtime",
    "unix",
    "uhrzeit",
    "clock",
    "datetimeindex",
    "ds",
];

/// Words that may be beside those that name a column of times.
const QUALIFIERS: [&str; 17] = [
    "utc",
    "gmt",
    "local",
    "relative",
    "rel",
    "since",
    "start",
    "sample",
    "sampling",
    "log",
    "record",
    "recorded",
    "observation",
    "in",
    "of",
    "the",
    "decimal",
];

/// The times that the name of a column speaks of, `None` where it says something else: "t", "time (ms)", "t/µs", "Time_s", "YEAR", "timestamp".
fn time_name(name: &str) -> Option<TimeName> {
    // A unit in brackets may be before the last word: "Time [s] since start".
    let bracketed = name.find(['(', '[']).zip(name.find([')', ']'])).filter(|(open, close)| open < close);
    let inside = bracketed.and_then(|(open, close)| Some((open, close, unit_of(&words(&name[open..close]).join(" "))?)));
    let name = inside
        .map_or(name.to_owned(), |(open, close, _)| format!("{} {} {}", &name[..open], &name[close + 1..], name[open + 1..close].trim()));
    let words = words(&name);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let is_time = |word: &str| matches!(word, "t" | "time" | "times" | "zeit" | "temps" | "tiempo" | "elapsed");
    let is_date = |word: &str| DATES.contains(&word);
    let qualifies = |word: &str| QUALIFIERS.contains(&word) || is_time(word) || is_date(word);
    let found = |(unit, scale), is_explicit, has_unit, dated| Some(TimeName { unit, scale, is_explicit, has_unit, is_date: dated });
    let dated = words.iter().any(|word| is_date(word));
    match words[..] {
        [] => None,
        ["decimal", "date" | "year" | "years"] | ["date", "decimal"] => found((AxisUnit::Year, 1.0), true, true, false),
        ["decimal", _] => None,
        // A single letter may be anything, and "min" the smallest value.
        [one] if one.chars().count() > 1 && !matches!(one, "min" | "mo" | "ka") && unit_of(one).is_some() => {
            found(unit_of(one)?, false, true, false)
        }
        [.., last] if words.iter().any(|word| is_time(word) || is_date(word)) => {
            let (before, unit) = match unit_of(last).filter(|_| words.len() > 1) {
                Some(unit) => (&words[..words.len() - 1], Some(unit)),
                None => (&words[..], None),
            };
            let is_named = before.iter().all(|word| qualifies(word)) && before.iter().any(|word| is_time(word) || is_date(word));
            if !is_named {
                return None;
            }
            found(unit.unwrap_or((AxisUnit::Second, 1.0)), true, unit.is_some(), dated)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_the_unit_of_times() {
        use AxisUnit::{Day, Hour, Month, Second, Week, Year};
        for (name, unit, scale) in [
            ("t", Second, 1.0),
            ("Time (s)", Second, 1.0),
            ("time [ms]", Second, 1e-3),
            ("t/µs", Second, 1e-6),
            ("Time_s", Second, 1.0),
            ("seconds", Second, 1.0),
            ("time in ns", Second, 1e-9),
            ("ms", Second, 1e-3),
            ("time (min)", Second, 60.0),
            ("time (h)", Hour, 1.0),
            ("hour", Hour, 1.0),
            ("days", Day, 1.0),
            ("time (days)", Day, 1.0),
            ("weeks", Week, 1.0),
            ("Month", Month, 1.0),
            ("YEAR", Year, 1.0),
            ("decimal date", Year, 1.0),
            ("elapsed time (s)", Second, 1.0),
            ("Time [ms] since start", Second, 1e-3),
            ("Date Time (UTC)", Second, 1.0),
            ("timestamp", Second, 1.0),
        ] {
            let found = time_name(name).unwrap_or_else(|| panic!("{name} says nothing"));
            assert_eq!((found.unit, found.scale), (unit, scale), "{name}");
        }
        for name in [
            "x",
            "s",
            "temperature",
            "time constant of decay",
            "left",
            "real",
            "minimum",
            "min",
            "t2m",
            "daytime",
            "a",
            "d",
            "year of birth",
            "lifetime",
            "",
        ] {
            assert_eq!(time_name(name), None, "{name}");
        }
    }

    #[test]
    fn a_name_says_the_unit_of_positions() {
        for name in ["x (mm)", "Position/mm", "distance in mm"] {
            assert_eq!(Name::of(name).time().map(|time| time.unit), Some(AxisUnit::Length(PixelUnit::Millimetre)), "{name}");
        }
        for name in ["mm", "x", "weight (m)", "x (apples)"] {
            assert_eq!(Name::of(name).time(), None, "{name}");
        }
    }

    #[test]
    fn units_are_apart_from_names() {
        for (heading, plain, unit) in [
            ("voltage (V)", "voltage", Some("V")),
            ("t[ms]", "t", Some("ms")),
            ("t/ms", "t", Some("ms")),
            ("speed (km/h)", "speed", Some("km/h")),
            ("in/out", "in/out", None),
            ("V(out)", "V(out)", None),
            ("I (mA)", "I", Some("mA")),
            ("limit (2.5%)", "limit (2.5%)", None),
            ("level", "level", None),
            ("(none)", "(none)", None),
        ] {
            let name = Name::of(heading);
            assert_eq!((name.plain.as_str(), name.unit.as_deref()), (plain, unit), "{heading}");
        }
        assert_eq!(Name::with_unit("voltage", "(V)").full, "voltage (V)");
        assert_eq!(Name::with_unit("voltage (V)", "s").full, "voltage (V)");
    }

    #[test]
    fn parts_of_complex_numbers_are_whole_words() {
        for name in ["re", "Re", "real", "x.re", "Re(Z)", "real[0]", "real part"] {
            assert!(is_real(name) && !is_imaginary(name), "{name}");
        }
        for name in ["im", "imag", "imaginary", "x.im", "imaginary[7]"] {
            assert!(is_imaginary(name) && !is_real(name), "{name}");
        }
        for name in ["resistance", "impedance", "read", "image", "realtime"] {
            assert!(!is_real(name) && !is_imaginary(name), "{name}");
        }
    }
}
