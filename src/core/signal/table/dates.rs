//! Dates in numbers and in several columns: 20210305, seconds since 1970, days of spreadsheets, years beside months, dates beside clock times.

use super::names::{TimeName, is_date_word, words};
use super::stamps::DAY;
use super::steps::{EVIDENCE, Steps, Study, Trust};
use super::{Cells, Columns, StampKind, Stamps, Values};
use crate::signal::AxisUnit;
use jiff::Span;
use jiff::civil::{Date, DateTime, Time, Weekday};
use jiff::tz::Offset;

/// Whether times without a unit are years, as R writes them: of these centuries, in steps of a year, a quarter or a month.
pub(super) fn are_years(values: &[f64]) -> bool {
    const CENTURIES: std::ops::RangeInclusive<f64> = 1600.0..=2100.0;
    let step = values.get(1).map_or(0.0, |second| second - values[0]);
    let is_step = [1.0, 0.25, 1.0 / 12.0].iter().any(|usual| (step - usual).abs() < 1e-3);
    values.len() >= EVIDENCE && is_step && values.iter().all(|value| CENTURIES.contains(value))
}

/// Dates that are written as numbers: seconds, milliseconds and so on since 1970, days as spreadsheets count them, and 20210305.
pub(super) fn dated(values: &[f64], name: TimeName) -> Option<Stamps> {
    const SECONDS: [f64; 4] = [1.0, 1e-3, 1e-6, 1e-9];
    /// Seconds since 1970 from 1973 to 2128; larger and smaller numbers are times of another kind.
    const RANGE: std::ops::Range<f64> = 1e8..5e9;
    /// Days since 1899-12-30 from 1941 to 2119.
    const SERIAL: std::ops::Range<f64> = 15_000.0..80_000.0;
    const UNIX_DAYS: f64 = 25_569.0;
    let known = || values.iter().filter(|value| value.is_finite());
    if !name.is_explicit || matches!(name.unit, AxisUnit::Length(_)) {
        return None;
    }
    let whole = known().all(|value| value.fract() == 0.0);
    if name.is_date
        && whole
        && let Some(stamps) = digits(values)
    {
        return Some(stamps);
    }
    let unit = SECONDS.into_iter().find(|unit| known().all(|value| RANGE.contains(&(value * unit))));
    if let Some(unit) = unit.filter(|unit| !name.has_unit || (unit - name.scale).abs() < 1e-3 * unit) {
        return Some(Stamps::since_1970(&values.iter().map(|value| value * unit).collect::<Vec<_>>()));
    }
    let is_serial = name.is_date && !name.has_unit && known().all(|value| SERIAL.contains(value));
    is_serial
        .then(|| Stamps::since_1970(&values.iter().map(|value| ((value - UNIX_DAYS) * 86_400.0 * 1e3).round() / 1e3).collect::<Vec<_>>()))
}

/// The dates of a column of numbers such as 20210305, where it is the first one or its name has a word for dates.
pub(super) fn compact(table: &Columns, index: usize, is_first: bool) -> Option<Stamps> {
    let column = &table.columns[index];
    let Cells::Numbers(values) = &column.cells else { return None };
    let names_date = || words(&column.name.full).iter().any(|word| is_date_word(word));
    if values.len() < EVIDENCE || !is_first && !names_date() {
        return None;
    }
    digits(&(0..values.len()).map(|row| values.at(row)).collect::<Vec<_>>())
}

/// Dates written as one number: 202103, 20210305, or with hours, minutes and seconds behind them.
fn digits(values: &[f64]) -> Option<Stamps> {
    let known = || values.iter().copied().filter(|value| value.is_finite());
    let n_digits = known().next().filter(|value| *value >= 1.0)?.log10() as u32 + 1;
    if !matches!(n_digits, 6 | 8 | 10 | 12 | 14) {
        return None;
    }
    let seconds = |value: f64| {
        let number = Some(value as i64).filter(|number| value.fract() == 0.0 && number.checked_ilog10() == Some(n_digits - 1))?;
        let mut rest = number * 10_i64.pow(14 - n_digits) + if n_digits == 6 { 1_000_000 } else { 0 };
        let mut part = |size: i64| {
            let part = rest % size;
            rest /= size;
            i8::try_from(part).ok()
        };
        let [second, minute, hour, day, month] = [part(100)?, part(100)?, part(100)?, part(100)?, part(100)?];
        let year = i16::try_from(rest).ok().filter(|year| (1700..2200).contains(year))?;
        let time = DateTime::new(year, month, day, hour, minute, second, 0).ok()?;
        Offset::UTC.to_timestamp(time).ok().map(|instant| instant.as_second() as f64)
    };
    let all: Option<Vec<f64>> = values.iter().map(|value| if value.is_finite() { seconds(*value) } else { Some(f64::NAN) }).collect();
    Some(Stamps { has_months_only: n_digits == 6, is_date_only: n_digits <= 8, ..Stamps::since_1970(&all?) })
}

/// Dates with the clock times of another column added, where one belongs to them; and the columns that make them up.
pub(super) fn joined(table: &Columns, index: usize, dates: Stamps) -> (Stamps, Vec<usize>) {
    if !dates.is_date_only || dates.has_months_only {
        return (dates, vec![index]);
    }
    let repeats = dates.seconds.windows(2).any(|pair| pair[0] == pair[1]);
    let nearest = [index + 1, index.wrapping_sub(1)];
    let others = (0..table.columns.len()).filter(|other| *other != index && !nearest.contains(other));
    let columns: Vec<usize> = nearest.into_iter().filter(|other| *other < table.columns.len()).chain(others).collect();
    let used = |clock: usize| if clock < index { vec![clock, index] } else { vec![index, clock] };
    for &clock in &columns {
        let Cells::Stamps(times) = &table.columns[clock].cells else { continue };
        let are_clocks = times.kind == StampKind::Clock && !times.seconds.iter().any(|seconds| *seconds > DAY);
        if are_clocks && (repeats || !table.is_named || names_clock(&table.columns[clock].name.full)) {
            return (dates.with_clock(&times.seconds), used(clock));
        }
    }
    // Numbers are clock times where they make the rows of a day even.
    for &clock in columns.iter().filter(|_| repeats) {
        let Cells::Numbers(values) = &table.columns[clock].cells else { continue };
        for reading in [hours, hours_minutes, hours_minutes_seconds] {
            let Some(seconds) = (0..values.len()).map(|row| reading(values.at(row))).collect::<Option<Vec<f64>>>() else { continue };
            let joined = dates.clone().with_clock(&seconds);
            let study = Study::of(&joined.seconds, Trust::Stamps);
            let is_even = |study: &Study| !matches!(study.steps, Steps::Uneven(_)) && study.repeats + study.disordered == 0;
            if study.as_ref().is_some_and(is_even) {
                return (joined, used(clock));
            }
        }
    }
    (dates, vec![index])
}

/// Whether a name speaks of the time of day, and not of how long something takes.
fn names_clock(name: &str) -> bool {
    words(name)
        .iter()
        .any(|word| matches!(word.as_str(), "time" | "clock" | "uhrzeit" | "zeit" | "heure" | "hora" | "ora" | "hour" | "utc" | "gmt"))
}

/// The seconds since midnight of a number that is an hour of the day, such as 15; 24 is the end of the day.
fn hours(value: f64) -> Option<f64> {
    (value.fract() == 0.0 && (0.0..=24.0).contains(&value)).then_some(3600.0 * value)
}

/// The seconds since midnight of hours and minutes in one number, such as 1530.
fn hours_minutes(value: f64) -> Option<f64> {
    let minutes = value % 100.0;
    Some(hours((value / 100.0).floor())? + 60.0 * minutes).filter(|_| value.fract() == 0.0 && minutes < 60.0)
}

/// The seconds since midnight of hours, minutes and seconds in one number, such as 153000.
fn hours_minutes_seconds(value: f64) -> Option<f64> {
    let seconds = value % 100.0;
    Some(hours_minutes((value / 100.0).floor())? + seconds).filter(|_| value.fract() == 0.0 && seconds < 60.0)
}

/// Names of columns with a part of a date: years, months, days, hours, minutes, seconds, days of the year, weeks.
const PARTS: [&[&str]; 8] = [
    &["year", "yr", "yyyy", "yy", "jahr"],
    &["month", "mo", "mm", "mon", "monat"],
    &["day", "dd", "dy", "dom", "tag"],
    &["hour", "hh", "hr", "h", "stunde"],
    &["minute", "min", "mm", "mn", "mi"],
    &["second", "sec", "ss", "s"],
    &["doy", "dayofyear", "day_of_year", "day of year", "jday", "yday", "ddd"],
    &["week", "wk", "isoweek", "iso_week", "kw", "woche"],
];

/// Parts of a date that may follow each other.
const ORDERS: [&[usize]; 3] = [&[0, 1, 2, 3, 4, 5], &[0, 6, 3, 4, 5], &[0, 7]];

/// Whether a name is that of a part of a date.
fn is_part(name: &str, part: usize) -> bool {
    PARTS[part].contains(&name.trim_start_matches('#').to_lowercase().as_str())
}

/// Dates in several neighbouring columns: the year, then the month and the day, the day of the year, or the week.
pub(super) fn parts(table: &Columns) -> Option<(Stamps, Vec<usize>)> {
    let column = |index: usize, part: usize| {
        let column = table.columns.get(index).filter(|column| is_part(&column.name.plain, part))?;
        if let Cells::Numbers(Values::Integer(values)) = &column.cells { Some(values) } else { None }
    };
    let found = |first: usize| {
        let columns = |order: &'static [usize]| {
            let columns: Vec<(usize, &Vec<i64>)> =
                order.iter().enumerate().map_while(|(at, &part)| Some((part, column(first + at, part)?))).collect();
            Some((first, columns)).filter(|(_, columns)| columns.len() > 1)
        };
        ORDERS.into_iter().find_map(columns)
    };
    let (first, columns) = (0..table.columns.len()).find_map(found)?;
    let seconds = |row: usize| {
        let part = |part: usize| columns.iter().find(|(of, _)| *of == part).map(|(_, values)| values[row]);
        let year = match part(0)? {
            short @ 0..69 => short + 2000,
            short @ 69..100 => short + 1900,
            year => year,
        };
        let year = i16::try_from(year).ok()?;
        let date = match (part(6), part(7)) {
            (Some(day), _) => Date::new(year, 1, 1).ok()?.checked_add(Span::new().try_days(day.checked_sub(1)?).ok()?).ok()?,
            (_, Some(week)) => jiff::civil::ISOWeekDate::new(year, i8::try_from(week).ok()?, Weekday::Monday).ok()?.date(),
            _ => {
                let [month, day] = [part(1), part(2)].map(|part| i8::try_from(part.unwrap_or(1)).unwrap_or(0));
                Date::new(year, month, day).ok()?
            }
        };
        let midnight = Offset::UTC.to_timestamp(date.to_datetime(Time::midnight())).ok()?;
        let [hour, minute, second] = [part(3), part(4), part(5)].map(|part| part.unwrap_or(0));
        // Larger numbers are not clock times.
        if [hour, minute, second].iter().any(|part| !(0..=100).contains(part)) {
            return None;
        }
        Some((midnight.as_second() + 3600 * hour + 60 * minute + second) as f64)
    };
    let all: Vec<f64> = (0..columns[0].1.len()).map(seconds).collect::<Option<_>>()?;
    let is_month = columns.last().is_some_and(|(part, _)| *part == 1);
    Some((Stamps { has_months_only: is_month, ..Stamps::since_1970(&all) }, (first..first + columns.len()).collect()))
}

/// Whether a column of numbers says again a part of the dates in another one.
pub(super) fn repeats_part(name: &str, values: &Values, dates: &Stamps) -> bool {
    if dates.origin().is_none() {
        return false;
    }
    let is_so = |part: usize| {
        let of = |time: DateTime| -> f64 {
            match part {
                0 => time.year().into(),
                1 => time.month().into(),
                2 => time.day().into(),
                3 => time.hour().into(),
                4 => time.minute().into(),
                5 => time.second().into(),
                6 => time.day_of_year().into(),
                _ => time.date().iso_week_date().week().into(),
            }
        };
        let is_row_so =
            |(row, seconds): (usize, &f64)| !seconds.is_finite() || dates.time_at(*seconds).is_some_and(|time| values.at(row) == of(time));
        is_part(name, part) && dates.seconds.iter().enumerate().all(is_row_so)
    };
    (0..PARTS.len()).any(is_so)
}
