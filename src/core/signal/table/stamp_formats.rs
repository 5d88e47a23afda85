//! Dates, clock times and durations as people write them. `jiff` reads them; here stands what is tried, and in which order.

use jiff::civil::{Date, DateTime, Time};
use jiff::fmt::strtime::BrokenDownTime;
use jiff::fmt::temporal::DateTimeParser;
use jiff::tz::Offset;
use jiff::{Span, SpanRelativeTo, Unit};

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
    /// Minutes and seconds with a fraction, `07:05.5`.
    Minutes,
    /// `PT1H`, `1 days 02:00:00`, `5m 3s`.
    Duration,
}

/// The orders of the fields of a date. Of two that fit, the earlier one is taken unless the other one gives evener steps.
const DATES: [&str; 36] = [
    "%Y/%m/%d",
    "%Y.%m.%d",
    "%Y-%m-%d",
    "%m/%d/%Y",
    "%d/%m/%Y",
    "%d.%m.%Y",
    "%d-%m-%Y",
    "%m-%d-%Y",
    "%m/%d/%y",
    "%d/%m/%y",
    "%d.%m.%y",
    "%d-%m-%y",
    "%y/%m/%d",
    "%y-%m-%d",
    "%d-%b-%Y",
    "%d %b %Y",
    "%d. %b %Y",
    "%d-%b-%y",
    "%d %b %y",
    "%d/%b/%Y",
    "%d%b%Y",
    "%b %d, %Y",
    "%b %d %Y",
    "%b-%d-%Y",
    "%b. %d, %Y",
    "%Y-%b-%d",
    "%Y %b %d",
    "%Y/%b/%d",
    "%Y%m%d",
    "%Y-%j",
    "%Y/%j",
    "%a, %d %b %Y",
    "%a %d %b %Y",
    "%a %b %d %Y",
    "%a %b %d, %Y",
    "%a %d/%m/%Y",
];

/// Months without a day.
const MONTHS: [&str; 16] = [
    "%b %Y", "%b-%Y", "%b/%Y", "%b. %Y", "%b, %Y", "%Y %b", "%Y-%b", "%Y/%b", "%Y-%m", "%Y/%m", "%m/%Y", "%m-%Y", "%m.%Y", "%YM%m",
    "%b-%y", "%b %y",
];

/// What stands behind a date: the clock, and the zone.
const CLOCKS: [&str; 12] = [
    "",
    " %H:%M",
    " %H:%M:%S%.f",
    "T%H:%M",
    "T%H:%M:%S%.f",
    ":%H:%M:%S%.f",
    " %I:%M %p",
    " %I:%M:%S%.f %p",
    " %H.%M.%S",
    " %Hh%M",
    ", %H:%M:%S%.f",
    ", %H:%M",
];
const ZONES: [&str; 6] = ["", "Z", " %z", " %:z", " UTC", " GMT"];

/// A date and a clock in another order.
const OTHERS: [&str; 3] = ["%a %b %d %H:%M:%S %Y", "%H:%M:%S %d/%m/%Y", "%H:%M %d.%m.%Y"];

/// Months of other languages, as spreadsheets write them, and the English ones.
const TRANSLATED: [(&str, &str); 14] = [
    ("januar", "Jan"),
    ("februar", "Feb"),
    ("märz", "Mar"),
    ("mär", "Mar"),
    ("mrz", "Mar"),
    ("mai", "May"),
    ("juni", "Jun"),
    ("juli", "Jul"),
    ("oktober", "Oct"),
    ("okt", "Oct"),
    ("dezember", "Dec"),
    ("dez", "Dec"),
    ("sept", "Sep"),
    ("jänner", "Jan"),
];

/// Words that stand in dates, beside names of months and days.
const WORDS: [&str; 24] = [
    "t", "z", "utc", "gmt", "am", "pm", "q", "m", "h", "s", "d", "p", "pt", "w", "day", "days", "hours", "hour", "min", "mins", "sec",
    "ms", "minutes", "seconds",
];

const NAMES: [&str; 22] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "mon", "tue", "wed", "thu", "fri", "sat", "sun",
    "mai", "okt", "dez",
];

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
        // A format that reads the first cells is tried with the others.
        let reads_first = |format: &Self| format.nanoseconds(likely[0]).is_some();
        let best = every_format(likely[0]).filter(reads_first).map(|format| (n_read(&format), disorder(&format, &likely), format));
        let best = best.reduce(|best, next| if next.0 > best.0 || next.0 == best.0 && next.1 < best.1 { next } else { best });
        best.filter(|(n, ..)| 2 * n > cells.len()).map(|(.., format)| format)
    }

    /// Whether a cell has digits, what separates the fields of a time, and no word but those of dates.
    pub(crate) fn may_be(cell: &str) -> bool {
        const MOST: usize = 48;
        let is_word = |word: &str| {
            let word = word.to_lowercase();
            WORDS.contains(&word.as_str())
                || word.len() <= 10 && NAMES.iter().any(|name| word.starts_with(name))
                || TRANSLATED.iter().any(|(name, _)| *name == word)
        };
        let has_fields =
            || cell.contains(['/', ':']) || cell[1..].contains('-') || cell.matches('.').count() > 1 || cell.contains(char::is_alphabetic);
        cell.len() <= MOST
            && cell.is_char_boundary(1)
            && cell.chars().any(|c| c.is_ascii_digit())
            && has_fields()
            && cell.chars().all(|c| c.is_alphanumeric() || " -/.:,+".contains(c))
            && cell.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).all(is_word)
    }

    /// Whether every stamp is the first instant of a month, a quarter or a year.
    pub(crate) fn has_months_only(&self) -> bool {
        match self {
            Self::Quarter => true,
            Self::Fields(format) => !format.contains("%d") && !format.contains("%j"),
            _ => false,
        }
    }

    /// Whether the stamps have no date.
    pub(crate) fn is_clock(&self) -> bool {
        matches!(self, Self::Clock | Self::Minutes | Self::Duration)
    }

    /// Whether the stamps have a date and no clock.
    pub(crate) fn is_date_only(&self, cell: &str) -> bool {
        !self.is_clock() && !cell.contains(':')
    }

    /// What a cell says in nanoseconds: since 1970, or since the start of the day or of the record.
    pub(crate) fn nanoseconds(&self, cell: &str) -> Option<i128> {
        let cell = cell.trim();
        match self {
            Self::Iso => iso(cell),
            Self::Fields(format) => fields(format, cell),
            Self::Quarter => quarter(cell),
            Self::Clock => clock(cell),
            Self::Minutes => minutes(cell),
            Self::Duration => duration(cell),
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
    steps.sort_unstable_by(f64::total_cmp);
    let [usual, longest] = [steps.len() / 2, steps.len().saturating_sub(1)].map(|at| steps.get(at).copied().unwrap_or(1.0));
    longest / usual.max(1.0) + 1e6 * turns as f64
}

/// Nanoseconds of a day.
const DAY: i128 = 86_400_000_000_000;

/// Nanoseconds since 1970 of a date and a clock, which counts in UTC where no offset is given.
fn since_1970(time: DateTime, offset: Offset) -> Option<i128> {
    offset.to_timestamp(time).ok().map(|instant| instant.as_nanosecond())
}

fn iso(cell: &str) -> Option<i128> {
    static PARSER: DateTimeParser = DateTimeParser::new();
    // "Thursday" and "7" are none; the parser would also take times alone.
    if !cell.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+')) {
        return None;
    }
    if let Some((date, rest)) = cell.split_once("24:00").filter(|(date, _)| date.len() > 10) {
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
        text = translated(&text).into();
    }
    // The day of a year has three digits, so that 2021-03 is a month.
    if format.contains("%j") && text.len() < "2021-001".len() {
        return None;
    }
    let mut late = 0;
    if format.contains("%H:%M") && text.contains(" 24:00") {
        (text, late) = (text.replacen(" 24:00", " 00:00", 1).into(), DAY);
    }
    let mut found = BrokenDownTime::parse(format, text.as_ref()).ok()?;
    if !format.contains("%d") && !format.contains("%j") {
        found.set_day(Some(1)).ok()?;
    }
    // Two digits are no whole year.
    let date = found.to_date().ok().filter(|date| date.year() >= 1000 || !format.contains("%Y"))?;
    let time = if format.contains(":") || format.contains("%H") { found.to_time().ok()? } else { Time::midnight() };
    Some(since_1970(date.to_datetime(time), found.offset().unwrap_or(Offset::UTC))? + late)
}

/// A text with English names of months.
fn translated(text: &str) -> String {
    let mut all = text.to_owned();
    for word in text.split(|c: char| !c.is_alphabetic()).filter(|word| word.chars().count() >= 3) {
        if let Some((_, english)) = TRANSLATED.iter().find(|(name, _)| *name == word.to_lowercase()) {
            all = all.replacen(word, english, 1);
        }
    }
    all
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
    since_1970(Date::new(year, 3 * quarter - 2, 1).ok()?.to_datetime(Time::midnight()), Offset::UTC)
}

/// Seconds with a fraction as nanoseconds.
fn seconds(text: &str) -> Option<i128> {
    let text = text.replace(',', ".");
    let is_plain = text.starts_with(|c: char| c.is_ascii_digit()) && text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let value: f64 = text.parse().ok().filter(|_| is_plain)?;
    (value < 60.0).then_some((value * 1e9).round() as i128)
}

/// A count of hours or minutes with at most six digits.
fn count(text: &str) -> Option<i128> {
    let is_count = !text.is_empty() && text.len() <= 6 && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|_| is_count)
}

fn clock(cell: &str) -> Option<i128> {
    let lower = cell.to_ascii_lowercase();
    let (text, noon) = match lower.strip_suffix("pm") {
        Some(text) => (text, Some(12)),
        None => lower.strip_suffix("am").map_or((lower.as_str(), None), |text| (text, Some(0))),
    };
    let mut parts = text.trim().split(':');
    let (hours, minutes) = (count(parts.next()?)?, count(parts.next()?).filter(|minutes| *minutes < 60)?);
    let seconds = parts.next().map_or(Some(0), seconds)?;
    let hours = match noon {
        Some(noon) if (1..=12).contains(&hours) => hours % 12 + noon,
        Some(_) => return None,
        None => hours,
    };
    parts.next().is_none().then_some((hours * 60 + minutes) * 60_000_000_000 + seconds)
}

fn minutes(cell: &str) -> Option<i128> {
    let (minutes, rest) = cell.split_once(':')?;
    Some(count(minutes)? * 60_000_000_000 + seconds(rest)?)
}

fn duration(cell: &str) -> Option<i128> {
    let is_duration = cell.contains(|c: char| c.is_ascii_alphabetic());
    let span: Span = cell.parse().ok().filter(|_| is_duration)?;
    let total = span.total((Unit::Nanosecond, SpanRelativeTo::days_are_24_hours())).ok()?;
    Some(total.round() as i128)
}

#[cfg(test)]
mod tests;
