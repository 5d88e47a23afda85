//! Dates, clock times and durations as people write them. `jiff` reads them; here is what is tried, and in which order.

use crate::statistics::median;
mod clocks;
mod words;

pub use clocks::seconds_of_clock;
use jiff::civil::{Date, DateTime, Time, Weekday};
use jiff::fmt::strtime::BrokenDownTime;
use jiff::fmt::temporal::DateTimeParser;
use jiff::tz::Offset;
use words::{CLOCKS, DATES, MONTHS, NAMES, OTHERS, WORDS, ZONES, english, translated};

/// How the cells of a column write their times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum StampFormat {
    /// ISO 8601, with or without a clock and a zone.
    Iso,
    /// Fields in an order such as `%d.%m.%Y %H:%M`.
    Fields(String),
    /// `1974Q1`, `Q1 1974`.
    Quarter,
    /// Hours, minutes and perhaps seconds, `7:05` or `36:00:00.5`, of a day or since a start.
    Clock,
    /// Hours, minutes and seconds between dots, `18.05.00`.
    DottedClock,
    /// Minutes and seconds with a fraction, `07:05.5`.
    Minutes,
    /// `PT1H`, `1 days 02:00:00`, `5m 3s`.
    Duration,
    /// A start and an end with this sign between them, of which the start counts: `2024-01-01/2024-01-07`.
    Interval(Box<Self>, &'static str),
}

/// The signs between the start and the end of an interval.
const BETWEEN: [&str; 4] = [" - ", " – ", " to ", "/"];

impl StampFormat {
    /// The format of cells, most of which are times; `None` where they are something else.
    pub(crate) fn of(cells: &[&str]) -> Option<Self> {
        let likely: Vec<&str> = cells.iter().copied().filter(|cell| Self::may_be(cell)).collect();
        if likely.is_empty() || 2 * likely.len() <= cells.len() {
            return None;
        }
        let n_read = |format: &Self| likely.iter().filter(|cell| format.nanoseconds(cell).is_some()).count();
        let simple = [Self::Iso, Self::Quarter, Self::Clock, Self::Minutes, Self::Duration];
        if let Some(found) = simple.into_iter().find(|format| n_read(format) == likely.len()) {
            return Some(found);
        }
        if let Some(interval) = Self::interval(&likely) {
            return Some(interval);
        }
        // A format that reads the longest cell is tried with the others: some programs leave out the clock at midnight.
        let longest = likely.iter().rev().max_by_key(|cell| cell.len())?;
        let reads_longest = |format: &Self| format.nanoseconds(longest).is_some();
        let best = every_format(longest)
            .chain([Self::DottedClock])
            .filter(reads_longest)
            .map(|format| (n_read(&format), disorder(&format, &likely), format));
        let best = best.reduce(|best, next| if next.0 > best.0 || next.0 == best.0 && next.1 < best.1 { next } else { best });
        best.filter(|(n, ..)| 2 * n > cells.len()).map(|(.., format)| format)
    }

    /// Intervals, whose starts are times.
    fn interval(cells: &[&str]) -> Option<Self> {
        /// Bytes of the shortest date.
        const SHORTEST: usize = 6;
        let halves = |sign: &'static str| {
            let are_dates = |(start, end): &(&str, &str)| start.len() == end.len() && end.len() >= SHORTEST;
            let halves: Option<Vec<_>> = cells.iter().map(|cell| cell.split_once(sign).filter(are_dates)).collect();
            halves.map(|halves| (halves, sign))
        };
        let (halves, sign) = BETWEEN.into_iter().find_map(halves)?;
        let (starts, ends): (Vec<&str>, Vec<&str>) = halves.into_iter().unzip();
        let format = Self::of(&starts)?;
        ends.iter().all(|end| format.nanoseconds(end).is_some()).then(|| Self::Interval(Box::new(format), sign))
    }

    /// Whether a cell has digits, what separates the fields of a time, and no word but those of dates.
    pub(crate) fn may_be(cell: &str) -> bool {
        const MOST: usize = 48;
        let cell = cell.trim_matches('\'');
        let is_word = |word: &str| {
            let word = word.to_lowercase();
            WORDS.contains(&word.as_str())
                || word.len() <= 10 && NAMES.iter().any(|name| word.starts_with(name))
                || english(&word).is_some()
        };
        let has_fields =
            || cell.contains(['/', ':']) || cell[1..].contains('-') || cell.matches('.').count() > 1 || cell.contains(char::is_alphabetic);
        !cell.is_empty()
            && cell.len() <= MOST
            && cell.is_char_boundary(1)
            && cell.chars().any(|c| c.is_ascii_digit())
            && has_fields()
            && cell.chars().all(|c| c.is_alphanumeric() || " -–/.:,+".contains(c))
            && cell.match_indices(',').all(|(at, _)| cell[at + 1..].starts_with(' ') || cell[..at].contains(':'))
            && cell.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).all(is_word)
    }

    /// Whether every stamp is the first instant of a month, a quarter or a year.
    pub(crate) fn has_months_only(&self) -> bool {
        match self {
            Self::Quarter => true,
            Self::Fields(format) => !["%d", "%j", "%V"].iter().any(|day| format.contains(day)),
            Self::Interval(of, _) => of.has_months_only(),
            _ => false,
        }
    }

    /// Whether the stamps have no date.
    pub(crate) fn is_clock(&self) -> bool {
        match self {
            Self::Interval(of, _) => of.is_clock(),
            other => matches!(other, Self::Clock | Self::DottedClock | Self::Minutes | Self::Duration),
        }
    }

    /// Whether the stamps have a date and no clock.
    pub(crate) fn is_date_only(&self, cell: &str) -> bool {
        !self.is_clock() && !cell.contains(':')
    }

    /// The time of a cell in nanoseconds: since 1970, or since the start of the day or of the record.
    pub(crate) fn nanoseconds(&self, cell: &str) -> Option<i128> {
        // Some programs put times between apostrophes.
        let cell = cell.trim().trim_matches('\'');
        match self {
            Self::Iso => iso(cell),
            Self::Fields(format) => fields(format, cell),
            Self::Quarter => quarter(cell),
            Self::Clock => clocks::clock(cell),
            Self::Minutes => clocks::minutes(cell),
            Self::DottedClock => clocks::dotted(cell),
            Self::Duration => clocks::duration(cell),
            Self::Interval(of, sign) => of.nanoseconds(cell.split_once(sign).map_or(cell, |(start, _)| start)),
        }
    }

    /// The order of the fields in words, for dates that could be read in another order: "day/month/year".
    pub(crate) fn order(&self) -> Option<String> {
        let Self::Fields(format) = self else { return None };
        let date = format.split([' ', 'T']).next()?;
        let is_ambiguous = date.contains("%d") && date.contains("%m") && !date.starts_with("%Y");
        is_ambiguous.then(|| date.replace("%d", "day").replace("%m", "month").replace("%Y", "year").replace("%y", "year"))
    }
}

/// The orders of fields that a cell may have.
fn every_format(cell: &str) -> impl Iterator<Item = StampFormat> {
    let is_name = |word: &str| word.chars().count() >= 3 && !matches!(word, "UTC" | "GMT");
    let has_name = cell.split(|c: char| !c.is_alphabetic()).any(is_name);
    let has_signs = move |format: &str| format.chars().filter(|c| "/.-:,".contains(*c)).all(|sign| cell.contains(sign));
    let is_likely = move |format: &&&str| (format.contains("%b") == has_name || format.contains("%a")) && has_signs(format);
    let is_likely_clock = move |clock: &&&str| clock.contains(':') == cell.contains(':');
    let dated = DATES.iter().filter(is_likely).flat_map(move |date| {
        let clocks = CLOCKS.iter().filter(is_likely_clock).map(move |clock| format!("{date}{clock}"));
        clocks.flat_map(|format| ZONES.iter().map(move |zone| format!("{format}{zone}")))
    });
    let others = MONTHS.iter().filter(is_likely).chain(&OTHERS).map(|format| (*format).to_owned());
    // Names of months in full are a format of their own.
    let with_full = |format: String| [format.contains("%b").then(|| format.replace("%b", "%B")), Some(format)];
    dated.chain(others).flat_map(with_full).flatten().map(StampFormat::Fields)
}

/// How uneven the stamps are in this reading: the longest step in usual ones, and far more where they go back and forth.
fn disorder(format: &StampFormat, cells: &[&str]) -> f64 {
    let times: Vec<i128> = cells.iter().filter_map(|cell| format.nanoseconds(cell)).collect();
    let mut steps: Vec<f64> = times.windows(2).map(|pair| (pair[1] - pair[0]) as f64).collect();
    let falls = steps.iter().filter(|step| **step < 0.0).count();
    let turns = falls.min(steps.len() - falls);
    steps.iter_mut().for_each(|step| *step = step.abs());
    let longest = steps.iter().copied().fold(0.0, f64::max);
    longest / median(steps).map_or(1.0, |usual| usual.max(1.0)) + 1e6 * turns as f64
}

/// Nanoseconds of a day.
pub(crate) const DAY: i128 = 86_400_000_000_000;

/// Nanoseconds since 1970 of a date and a clock, which counts in UTC where no offset is given.
fn since_1970(time: DateTime, offset: Offset) -> Option<i128> {
    offset.to_timestamp(time).ok().map(|instant| instant.as_nanosecond())
}

/// Nanoseconds from 1970 to the midnight in UTC with which a date begins.
pub(crate) fn midnight(date: Date) -> Option<i128> {
    since_1970(date.to_datetime(Time::midnight()), Offset::UTC)
}

fn iso(cell: &str) -> Option<i128> {
    static PARSER: DateTimeParser = DateTimeParser::new();
    // A date begins with a digit or a sign: the parser would also take clock times that begin with a T.
    if !cell.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+')) {
        return None;
    }
    if let Some((date, rest)) = cell.split_once("24:00").filter(|(date, _)| date.ends_with(['T', ' '])) {
        return iso(&format!("{date}00:00{rest}")).map(|start| start + DAY);
    }
    let pieces = PARSER.parse_pieces(cell).ok()?;
    let time = pieces.date().to_datetime(pieces.time().unwrap_or(Time::midnight()));
    since_1970(time, pieces.to_numeric_offset().unwrap_or(Offset::UTC))
}

fn fields(format: &str, cell: &str) -> Option<i128> {
    let mut text = std::borrow::Cow::Borrowed(cell);
    // A comma before the fraction of a second, names of other languages, and the end of a day that is called 24:00.
    if let Some(at) = text.rfind(':').and_then(|colon| Some(colon + text[colon..].find(',')?)) {
        text.to_mut().replace_range(at..=at, ".");
    }
    if !text.is_ascii() || format.contains("%b") || format.contains("%B") {
        text = translated(&text, format.contains("%b.")).into();
    }
    let format = without_clock(format, &text);
    // The day of a year has three digits, so that 2021-03 is a month.
    if format.contains("%j") && text.len() < "2021-001".len() {
        return None;
    }
    let mut late = 0;
    if format.contains("%H:%M") && text.contains(" 24:00") {
        (text, late) = (text.replacen(" 24:00", " 00:00", 1).into(), DAY);
    }
    let mut found = BrokenDownTime::parse(format, text.as_ref()).ok()?;
    if format.contains("%V") {
        found.set_weekday(Some(Weekday::Monday));
    } else if !format.contains("%d") && !format.contains("%j") {
        found.set_day(Some(1)).ok()?;
    }
    // Two digits are not a whole year.
    let date = found.to_date().ok().filter(|date| date.year() >= 1000 || !format.contains(['Y', 'G']))?;
    let time = if format.contains(":") || format.contains("%H") { found.to_time().ok()? } else { Time::midnight() };
    Some(since_1970(date.to_datetime(time), found.offset().unwrap_or(Offset::UTC))? + late)
}

/// The date of a format alone, for a cell that leaves out the clock because it is midnight.
fn without_clock<'f>(format: &'f str, cell: &str) -> &'f str {
    let clock = format.find("%H:%M:%S").filter(|at| *at > 0 && !cell.contains(':'));
    clock.map_or(format, |at| format[..at].trim_end_matches([' ', 'T', ':', ',']))
}

fn quarter(cell: &str) -> Option<i128> {
    let parts: Vec<&str> = cell.split(['-', ' ', ':', '/', '.', 'Q', 'q']).filter(|part| !part.is_empty()).collect();
    let [a, b] = parts[..] else { return None };
    let (year, quarter) = if a.len() == 4 { (a, b) } else { (b, a) };
    let is_one = cell.contains(['Q', 'q']) && year.len() == 4 && quarter.len() == 1;
    let (year, quarter): (i16, i8) = (year.parse().ok()?, quarter.parse().ok()?);
    if !is_one || !(1..=4).contains(&quarter) {
        return None;
    }
    midnight(Date::new(year, 3 * quarter - 2, 1).ok()?)
}

#[cfg(test)]
mod tests;
