//! The column that gives the axis: which one it is, and what its values say about the samples.

use super::names::TimeName;
use super::steps::{EVIDENCE, Steps, Study, Trust};
use super::{Cells, Column, Columns, StampKind, Stamps, TimeChoice, Values};
use crate::remedy::Remedy;
use crate::signal::{AxisUnit, Cause, memory};
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::Offset;

/// The axis of a table.
#[derive(Debug)]
pub(super) struct FoundAxis {
    /// The column that a person would name.
    pub column: usize,
    /// All columns that make it up.
    pub used: Vec<usize>,
    /// Its name without a unit.
    pub name: String,
    /// The unit of the steps.
    pub unit: AxisUnit,
    /// What the positions count from.
    pub origin: Option<DateTime>,
    pub study: Study,
    /// The order of day and month, where another one would be possible.
    pub order: Option<String>,
    /// Whether the file names it as a time or a position; else its values look like one.
    pub is_named: bool,
}

/// Positions before they are studied.
enum Positions {
    Stamps(Stamps),
    Numbers { values: Vec<f64>, unit: AxisUnit, scale: f64 },
}

/// Finds the axis, by the choice of a person or by itself.
pub(super) fn find(table: &Columns, choice: &TimeChoice) -> Result<Option<FoundAxis>, Cause> {
    match choice {
        TimeChoice::None => Ok(None),
        TimeChoice::Column(name) => chosen(table, name).map(Some),
        TimeChoice::Auto | TimeChoice::Index => automatic(table),
    }
}

/// The column that a person names.
fn chosen(table: &Columns, asked: &str) -> Result<FoundAxis, Cause> {
    let columns = || table.columns.iter();
    let named = columns().position(|column| column.name.full == asked).or_else(|| columns().position(|column| column.name.plain == asked));
    let numbered = || asked.parse::<usize>().ok().and_then(|number| number.checked_sub(1)).filter(|index| *index < table.columns.len());
    let Some(index) = named.or_else(numbered) else {
        let names = columns().take(20).map(|column| format!("“{}”", column.name.full)).collect::<Vec<_>>().join(", ");
        return Err(Cause::choice(format!("it has no column “{asked}”; its columns are {names}"), [Remedy::NoTime]));
    };
    let name = table.columns[index].name.time();
    let found = positions(table, index, name)?.and_then(|(positions, used)| study(table, (index, used), positions, name.is_some()));
    found.ok_or_else(|| {
        let name = &table.columns[index].name.full;
        Cause::choice(
            format!("the values of the column “{name}” neither rise nor fall as times do"),
            [Remedy::AnotherTime, Remedy::SampleIndex],
        )
    })
}

/// The first column that is an axis: dates, then clock times, then numbers with the name of a time, then a first column that rises evenly.
fn automatic(table: &Columns) -> Result<Option<FoundAxis>, Cause> {
    let is_stamped = |wants_dates: bool| move |column: &Column| matches!(&column.cells, Cells::Stamps(stamps) if matches!(stamps.kind, StampKind::Calendar(_)) == wants_dates);
    let stamped = |wants_dates: bool| {
        table.columns.iter().enumerate().filter(move |(_, column)| is_stamped(wants_dates)(column)).map(|(index, _)| index)
    };
    for index in stamped(true).chain(stamped(false)) {
        if let Some((positions, used)) = positions(table, index, None)?
            && let Some(found) = study(table, (index, used), positions, true)
        {
            return Ok(Some(found));
        }
    }
    if let Some((stamps, used)) = parts(table)?
        && let Some(found) = study(table, (used[0], used), Positions::Stamps(stamps), true)
    {
        return Ok(Some(found));
    }
    let numbers: Vec<usize> = (0..table.columns.len()).filter(|&index| matches!(table.columns[index].cells, Cells::Numbers(_))).collect();
    if numbers.len() < 2 {
        return Ok(None);
    }
    let first = numbers.iter().copied().find(|&index| !is_counter(table, index));
    for &index in numbers.iter().filter(|_| table.is_named) {
        let Some(name) = table.columns[index].name.time() else { continue };
        // A unit alone is a time in front only, as a position is: a column "hours" behind others is a value.
        let is_clear_word = name.is_explicit && !matches!(name.unit, AxisUnit::Length(_));
        if !is_clear_word && Some(index) != first && index != numbers[0] {
            continue;
        }
        if let Some((positions, used)) = positions(table, index, Some(name))?
            && let Some(found) = study(table, (index, used), positions, true)
            && is_clear(&found, name)
        {
            return Ok(Some(found));
        }
    }
    rising(table, numbers[0])
}

/// Whether numbers with the name of a time are one: few rows that go backwards, or uneven positions along a length, are values.
fn is_clear(found: &FoundAxis, name: TimeName) -> bool {
    let n = match &found.study.steps {
        Steps::Uneven(positions) => positions.len(),
        Steps::Gaps { places, .. } => places.len(),
        Steps::Even { .. } => usize::MAX,
    };
    let is_uneven = matches!(found.study.steps, Steps::Uneven(_));
    (!found.study.is_reversed || found.rows() >= EVIDENCE) && !(is_uneven && matches!(name.unit, AxisUnit::Length(_))) && n > 1
}

/// A first column of numbers that rise evenly, in a table of names, or of two columns without names.
fn rising(table: &Columns, index: usize) -> Result<Option<FoundAxis>, Cause> {
    let column = &table.columns[index];
    let names = || table.columns.iter().map(|column| column.name.full.as_str());
    let is_complex = table.is_named && names().any(super::is_real) && names().any(super::is_imaginary);
    let is_candidate = index == 0 && !is_complex && !is_counter(table, 0) && (table.is_named || table.columns.len() == 2);
    let Cells::Numbers(values) = &column.cells else { return Ok(None) };
    if !is_candidate || values.len() < EVIDENCE || values.at(0) >= values.at(1) {
        return Ok(None);
    }
    let values = memory::collected(values.len(), (0..values.len()).map(|row| values.at(row)))?;
    let positions = Positions::Numbers { values, unit: AxisUnit::Index, scale: 1.0 };
    let found = study(table, (0, vec![0]), positions, false).filter(|found| found.study.is_plain());
    Ok(found)
}

/// Whether a column only counts the rows, as pandas writes its index: without a name, or with the name of a counter.
pub(super) fn is_counter(table: &Columns, index: usize) -> bool {
    const NAMES: [&str; 12] = ["", "index", "unnamed: 0", "id", "no", "nr", "#", "row", "rownum", "rowid", "rownames", "level_0"];
    let column = &table.columns[index];
    let Cells::Numbers(Values::Integer(values)) = &column.cells else { return false };
    let is_named = NAMES.contains(&column.name.full.trim_end_matches('.').to_lowercase().as_str());
    table.is_named
        && is_named
        && table.columns.len() > 1
        && matches!(values.first(), Some(0 | 1))
        && values.windows(2).all(|pair| pair[1] - pair[0] == 1)
}

/// The positions of a column and the columns that make them up.
fn positions(table: &Columns, index: usize, name: Option<TimeName>) -> Result<Option<(Positions, Vec<usize>)>, Cause> {
    let numbers = match &table.columns[index].cells {
        Cells::Text => return Ok(None),
        Cells::Stamps(stamps) => {
            let clock = table.columns.get(index + 1).map(|column| &column.cells);
            return Ok(Some(match clock {
                // A column of dates and one of clock times are one axis.
                Some(Cells::Stamps(clock)) if stamps.is_date_only && clock.kind == StampKind::Clock => {
                    (Positions::Stamps(stamps.clone().with_clock(&clock.seconds)), vec![index, index + 1])
                }
                _ => (Positions::Stamps(stamps.clone()), vec![index]),
            }));
        }
        Cells::Numbers(values) => values,
    };
    let values = memory::collected(numbers.len(), (0..numbers.len()).map(|row| numbers.at(row)))?;
    let name = name.unwrap_or(TimeName { unit: AxisUnit::Index, scale: 1.0, is_explicit: false, has_unit: false, is_date: false });
    if let Some(stamps) = dated(&values, name) {
        return Ok(Some((Positions::Stamps(stamps), vec![index])));
    }
    let unit = if name.is_explicit && !name.has_unit && are_years(&values) { AxisUnit::Year } else { name.unit };
    Ok(Some((Positions::Numbers { values, unit, scale: name.scale }, vec![index])))
}

/// Whether times without a unit are years, as R writes them: of these centuries, in steps of a year, a quarter or a month.
fn are_years(values: &[f64]) -> bool {
    const CENTURIES: std::ops::RangeInclusive<f64> = 1600.0..=2100.0;
    let step = values.get(1).map_or(0.0, |second| second - values[0]);
    let is_step = [1.0, 0.25, 1.0 / 12.0].iter().any(|usual| (step - usual).abs() < 1e-3);
    values.len() >= EVIDENCE && is_step && values.iter().all(|value| CENTURIES.contains(value))
}

/// Dates that are written as numbers: seconds, milliseconds and so on since 1970, days as spreadsheets count them, and 20210305.
fn dated(values: &[f64], name: TimeName) -> Option<Stamps> {
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
    let compact = |value: f64| {
        let number = value as i64;
        let date = Date::new(i16::try_from(number / 10_000).ok()?, (number / 100 % 100) as i8, (number % 100) as i8).ok()?;
        let is_recent = (1500..2500).contains(&date.year());
        Offset::UTC.to_timestamp(date.to_datetime(Time::midnight())).ok().filter(|_| is_recent).map(|instant| instant.as_second() as f64)
    };
    if name.is_date && whole && known().all(|value| compact(*value).is_some()) {
        let seconds: Vec<f64> = values.iter().map(|value| compact(*value).unwrap_or(f64::NAN)).collect();
        return Some(Stamps::since_1970(&seconds));
    }
    let unit = SECONDS.into_iter().find(|unit| known().all(|value| RANGE.contains(&(value * unit))));
    if let Some(unit) = unit.filter(|unit| !name.has_unit || (unit - name.scale).abs() < 1e-3 * unit) {
        return Some(Stamps::since_1970(&values.iter().map(|value| value * unit).collect::<Vec<_>>()));
    }
    let is_serial = name.is_date && !name.has_unit && known().all(|value| SERIAL.contains(value));
    is_serial
        .then(|| Stamps::since_1970(&values.iter().map(|value| ((value - UNIX_DAYS) * 86_400.0 * 1e3).round() / 1e3).collect::<Vec<_>>()))
}

/// Dates in columns of their own: year, month, perhaps day, hour, minute and second, one behind the other.
fn parts(table: &Columns) -> Result<Option<(Stamps, Vec<usize>)>, Cause> {
    const NAMES: [&[&str]; 6] = [
        &["year", "yr", "yyyy", "yy", "jahr"],
        &["month", "mo", "mm", "mon", "monat"],
        &["day", "dd", "dy", "dom", "tag"],
        &["hour", "hh", "hr", "h", "stunde"],
        &["minute", "min", "mm", "mn", "mi"],
        &["second", "sec", "ss", "s"],
    ];
    let is_part = |index: usize, part: usize| {
        let column = table.columns.get(index)?;
        let Cells::Numbers(Values::Integer(values)) = &column.cells else { return None };
        NAMES[part].contains(&column.name.plain.trim_start_matches('#').to_lowercase().as_str()).then_some(values)
    };
    let Some(first) = (0..table.columns.len()).find(|&index| is_part(index, 0).is_some() && is_part(index + 1, 1).is_some()) else {
        return Ok(None);
    };
    let found: Vec<&Vec<i64>> = (0..NAMES.len()).map_while(|part| is_part(first + part, part)).collect();
    let seconds = |row: usize| {
        let part = |part: usize, else_: i64| found.get(part).map_or(else_, |values| values[row]);
        let year = match part(0, 0) {
            short @ 0..69 => short + 2000,
            short @ 69..100 => short + 1900,
            year => year,
        };
        let [month, day] = [part(1, 1), part(2, 1)].map(|value| i8::try_from(value).unwrap_or(0));
        let date = Date::new(i16::try_from(year).ok()?, month, day).ok()?;
        let midnight = Offset::UTC.to_timestamp(date.to_datetime(Time::midnight())).ok()?;
        Some((midnight.as_second() + 3600 * part(3, 0) + 60 * part(4, 0) + part(5, 0)) as f64)
    };
    let n = found[0].len();
    let all: Option<Vec<f64>> = (0..n).map(seconds).collect();
    let used = (first..first + found.len()).collect();
    Ok(all.map(|seconds| (Stamps { has_months_only: found.len() == 2, ..Stamps::since_1970(&seconds) }, used)))
}

/// Studies positions in the unit that suits them.
fn study(table: &Columns, (column, used): (usize, Vec<usize>), positions: Positions, is_named: bool) -> Option<FoundAxis> {
    let mut name = table.columns[column].name.plain.clone();
    if !table.is_named {
        name.clear();
    }
    let found = |unit, origin, study, order| Some(FoundAxis { column, used, name, unit, origin, study, order, is_named });
    match positions {
        Positions::Numbers { values, unit, scale } => {
            let mut study = Study::of(&values, Trust::Numbers)?;
            study.steps = study.steps.scaled(scale, 0.0);
            if unit == AxisUnit::Year {
                study = months_of_years(&values).unwrap_or(study);
            }
            found(unit, None, study, None)
        }
        Positions::Stamps(mut stamps) => {
            stamps.unwrap_days();
            stamps.count_from_first();
            let study = Study::of(&stamps.seconds, if stamps.is_date_only { Trust::Dates } else { Trust::Stamps })?;
            let order = stamps.order.clone();
            let (unit, origin, study) = in_calendar(&stamps, study);
            found(unit, origin, study, order)
        }
    }
}

/// Decimal years that are months of unlike lengths, such as 1958.2027 and 1958.2877, count as even steps.
fn months_of_years(years: &[f64]) -> Option<Study> {
    let months: Vec<f64> = years.iter().map(|year| (year * 12.0 + 1e-6).floor()).collect();
    let study = Study::of(&months, Trust::Numbers)?;
    let Steps::Even { step, .. } = study.steps else { return None };
    let is_in_step = (step - 1.0).abs() < 1e-9 && study.repeats == 0;
    let steps = Steps::Even { start: years[0], step: 1.0 / 12.0, doubt: 1e-9 };
    is_in_step.then_some(Study { steps, ..study })
}

/// The unit in which dates and clock times are counted, by their usual step: the seconds of a study in it. Calendar months and years are even steps.
fn in_calendar(stamps: &Stamps, study: Study) -> (AxisUnit, Option<DateTime>, Study) {
    const DAY: f64 = 86_400.0;
    let origin = stamps.origin();
    let step = study.step();
    if (stamps.has_months_only || step > 27.0 * DAY)
        && let Some(months) = stamps.months()
        && let Some(study) = Study::of(&months, Trust::Dates)
    {
        let first = match &study.steps {
            Steps::Even { start, .. } | Steps::Gaps { start, .. } => *start,
            Steps::Uneven(positions) => positions[0],
        };
        // Quarters and years count in years.
        let is_year = study.step() % 3.0 == 0.0;
        let of_one = if is_year { 12.0 } else { 1.0 };
        // Positions count from the first stamp.
        let steps = study.steps.clone().scaled(1.0 / of_one, -first / of_one);
        return (if is_year { AxisUnit::Year } else { AxisUnit::Month }, origin, Study { steps, ..study });
    }
    let (unit, seconds) = match step {
        _ if step < 60.0 => (AxisUnit::Second, 1.0),
        _ if step < DAY => (AxisUnit::Hour, 3600.0),
        _ if (step - 7.0 * DAY).abs() < 1.0 => (AxisUnit::Week, 7.0 * DAY),
        _ => (AxisUnit::Day, DAY),
    };
    let steps = study.steps.clone().scaled(1.0 / seconds, 0.0);
    (unit, origin, Study { steps, ..study })
}

impl FoundAxis {
    /// Number of samples of the rows, before gaps are filled.
    fn rows(&self) -> usize {
        match (&self.study.order, &self.study.steps) {
            (super::steps::Order::Picked(rows), _) => rows.len(),
            (_, Steps::Uneven(positions)) => positions.len(),
            (_, Steps::Gaps { places, .. }) => places.len(),
            _ => usize::MAX,
        }
    }

    /// Samples in a unit, where the steps are even or have gaps: the roundest number that the positions allow.
    pub(super) fn per_unit(&self) -> Option<f64> {
        let (Steps::Even { step, doubt, .. } | Steps::Gaps { step, doubt, .. }) = &self.study.steps else { return None };
        let per_unit = 1.0 / step;
        let rounded = [1.0, 1e3, 1e6].map(|part| (per_unit * part).round() / part);
        Some(rounded.into_iter().find(|round| *round > 0.0 && (round - per_unit).abs() <= doubt * per_unit).unwrap_or(per_unit))
    }

    /// The position of the first sample.
    pub(super) fn start(&self) -> f64 {
        match &self.study.steps {
            Steps::Even { start, .. } | Steps::Gaps { start, .. } => *start,
            Steps::Uneven(positions) => positions[0],
        }
    }
}
