//! The column that gives the axis: which one it is, and what its values say about the samples.

use super::counters::{is_counter, is_nameless};
use super::dates::{are_years, compact, dated, joined, parts};
use super::names::{TimeName, time_unit};
use super::stamps::DAY;
use super::steps::{EVIDENCE, Steps, Study, Trust};
use super::{Cells, Columns, StampKind, Stamps, TimeChoice, gaps};
use crate::remedy::Remedy;
use crate::signal::{AxisUnit, Cause, memory};
use jiff::civil::DateTime;

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
    /// The origin of the positions.
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

/// The result of the search for an axis.
#[derive(Debug, Default)]
pub(super) struct Search {
    pub axis: Option<FoundAxis>,
    /// A column of times that are the same in most rows, and therefore no axis.
    pub repeating: Option<usize>,
}

impl Search {
    /// Takes an axis, if there is one and its times do not repeat in most rows; whether it did.
    fn takes(&mut self, found: Option<FoundAxis>) -> bool {
        match found {
            Some(found) if found.repeats_mostly() => {
                self.repeating.get_or_insert(found.column);
            }
            found => self.axis = found,
        }
        self.axis.is_some()
    }
}

/// Finds the axis, by the choice of a person or by itself.
pub(super) fn find(table: &Columns, choice: &TimeChoice) -> Result<Search, Cause> {
    match choice {
        TimeChoice::None => Ok(Search::default()),
        TimeChoice::Column(name) => Ok(Search { axis: Some(chosen(table, name)?), repeating: None }),
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
    let found = positions(table, index, name)?.and_then(|(positions, used)| study(table, index, used, positions, name.is_some()));
    found.ok_or_else(|| {
        let name = &table.columns[index].name.full;
        Cause::choice(
            format!("the values of the column “{name}” neither rise nor fall as times do"),
            [Remedy::AnotherTime, Remedy::SampleIndex],
        )
    })
}

/// The first column that is an axis: dates, then clock times, then numbers with the name of a time, then a first column that rises evenly.
fn automatic(table: &Columns) -> Result<Search, Cause> {
    let mut search = Search::default();
    let has_numbers = |index: &usize| matches!(&table.columns[*index].cells, Cells::Numbers(values) if !gaps::is_empty(values));
    let numbers: Vec<usize> = (0..table.columns.len()).filter(has_numbers).collect();
    if takes_stamps(table, true, &mut search)? || takes_digits(table, &numbers, &mut search) || takes_stamps(table, false, &mut search)? {
        return Ok(search);
    }
    if let Some((stamps, used)) = parts(table)
        && search.takes(study(table, used[0], used, Positions::Stamps(stamps), true))
    {
        return Ok(search);
    }
    if numbers.len() > 1 && !search.takes(named(table, &numbers)?) {
        search.axis = rising(table, &numbers)?;
    }
    Ok(search)
}

/// Takes the first column of dates, or of clock times, that is an axis; whether there is one.
fn takes_stamps(table: &Columns, are_dates: bool, search: &mut Search) -> Result<bool, Cause> {
    for (index, column) in table.columns.iter().enumerate() {
        let Cells::Stamps(stamps) = &column.cells else { continue };
        if matches!(stamps.kind, StampKind::Calendar(_)) == are_dates
            && let Some((positions, used)) = positions(table, index, None)?
            && search.takes(study(table, index, used, positions, true))
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Takes the first column of numbers whose digits are dates; whether there is one.
fn takes_digits(table: &Columns, numbers: &[usize], search: &mut Search) -> bool {
    for &index in numbers.iter().filter(|_| table.is_named && numbers.len() > 1) {
        let Some(stamps) = compact(table, index, Some(&index) == numbers.first()) else { continue };
        let (stamps, used) = joined(table, index, stamps);
        if search.takes(study(table, index, used, Positions::Stamps(stamps), true)) {
            return true;
        }
    }
    false
}

/// The first column of numbers with the name of a time.
fn named(table: &Columns, numbers: &[usize]) -> Result<Option<FoundAxis>, Cause> {
    let first = numbers.iter().copied().find(|&index| !is_counter(table, index));
    for &index in numbers.iter().filter(|_| table.is_named) {
        let Some(name) = table.columns[index].name.time() else { continue };
        // A unit alone is a time in front only, as a position is: a column "hours" behind others is a value.
        let is_clear_word = name.is_explicit && !matches!(name.unit, AxisUnit::Length(_));
        if !is_clear_word && Some(index) != first && index != numbers[0] {
            continue;
        }
        if let Some((positions, used)) = positions(table, index, Some(name))?
            && let Some(found) = study(table, index, used, positions, true)
            && is_clear(&found, name)
        {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Whether numbers with the name of a time are times: a few that fall, or uneven positions along a length, are values.
fn is_clear(found: &FoundAxis, name: TimeName) -> bool {
    let is_uneven_length = found.study.steps.uneven().is_some() && matches!(name.unit, AxisUnit::Length(_));
    (!found.study.is_reversed || found.study.n_rows >= EVIDENCE) && !is_uneven_length
}

/// A first column of numbers that rise evenly, in a table of names, or of two columns without names.
fn rising(table: &Columns, numbers: &[usize]) -> Result<Option<FoundAxis>, Cause> {
    let index = numbers[0];
    let column = &table.columns[index];
    let names = || table.columns.iter().map(|column| column.name.full.as_str());
    let is_complex = table.is_named && names().any(super::is_real) && names().any(super::is_imaginary);
    let is_first = index == 0 || !table.is_named;
    let is_candidate = is_first && !is_complex && !is_counter(table, index) && (table.is_named || numbers.len() == 2);
    let Cells::Numbers(values) = &column.cells else { return Ok(None) };
    if !is_candidate || values.len() < EVIDENCE || values.at(0) >= values.at(1) {
        return Ok(None);
    }
    let values = memory::collected(values.len(), (0..values.len()).map(|row| values.at(row)))?;
    // Years are the index of a table of pandas; "Source (s)" has a unit of times without a word for it.
    let (unit, scale) = match time_unit(&column.name) {
        Some(found) => found,
        None if table.is_named && is_nameless(&column.name.full) && are_years(&values) => (AxisUnit::Year, 1.0),
        None => (AxisUnit::Index, 1.0),
    };
    let positions = Positions::Numbers { values, unit, scale };
    let found = study(table, index, vec![index], positions, false).filter(|found| found.study.is_plain());
    Ok(found)
}

/// The positions of a column and the columns that make them up.
fn positions(table: &Columns, index: usize, name: Option<TimeName>) -> Result<Option<(Positions, Vec<usize>)>, Cause> {
    let numbers = match &table.columns[index].cells {
        Cells::Text => return Ok(None),
        Cells::Stamps(stamps) => {
            let (stamps, used) = joined(table, index, stamps.clone());
            return Ok(Some((Positions::Stamps(stamps), used)));
        }
        Cells::Numbers(values) => values,
    };
    let values = memory::collected(numbers.len(), (0..numbers.len()).map(|row| numbers.at(row)))?;
    let name = name.unwrap_or(TimeName { unit: AxisUnit::Index, scale: 1.0, is_explicit: false, has_unit: false, is_date: false });
    if let Some(stamps) = dated(&values, name) {
        let (stamps, used) = joined(table, index, stamps);
        return Ok(Some((Positions::Stamps(stamps), used)));
    }
    let unit = if name.is_explicit && !name.has_unit && are_years(&values) { AxisUnit::Year } else { name.unit };
    Ok(Some((Positions::Numbers { values, unit, scale: name.scale }, vec![index])))
}

/// Studies positions in the unit that suits them.
fn study(table: &Columns, column: usize, used: Vec<usize>, positions: Positions, is_named: bool) -> Option<FoundAxis> {
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

/// Even steps of decimal years that count months of different lengths, such as 1958.2027 and 1958.2877.
fn months_of_years(years: &[f64]) -> Option<Study> {
    let months: Vec<f64> = years.iter().map(|year| (year * 12.0 + 1e-6).floor()).collect();
    let study = Study::of(&months, Trust::Numbers)?;
    let Steps::Even { step, .. } = study.steps else { return None };
    let is_in_step = (step - 1.0).abs() < 1e-9 && study.repeats == 0;
    let steps = Steps::Even { start: years[0], step: 1.0 / 12.0, doubt: 1e-9 };
    is_in_step.then_some(Study { steps, ..study })
}

/// The unit in which dates and clock times are counted, by their usual step; their origin; and the study of seconds in that unit.
/// Months and years of the calendar are even steps.
fn in_calendar(stamps: &Stamps, study: Study) -> (AxisUnit, Option<DateTime>, Study) {
    let origin = stamps.origin();
    let step = study.step();
    if (stamps.has_months_only || step > 27.0 * DAY)
        && let Some(months) = stamps.months()
        && let Some(study) = Study::of(&months, Trust::Dates)
    {
        // Quarters and years count in years.
        let is_year = study.step() % 3.0 == 0.0;
        let of_one = if is_year { 12.0 } else { 1.0 };
        // Positions count from the first stamp.
        let steps = study.steps.clone().scaled(1.0 / of_one, -study.steps.start() / of_one);
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
    /// Whether most rows have the time of the row before.
    fn repeats_mostly(&self) -> bool {
        self.study.drops_repeats && self.study.repeats >= self.study.n_rows
    }

    /// Samples in a unit, where the steps are even or have gaps: the roundest number that the positions allow.
    pub(super) fn per_unit(&self) -> Option<f64> {
        let (Steps::Even { step, doubt, .. } | Steps::Gaps { step, doubt, .. }) = &self.study.steps else { return None };
        let per_unit = 1.0 / step;
        let rounded = [1.0, 1e3, 1e6].map(|part| (per_unit * part).round() / part);
        Some(rounded.into_iter().find(|round| *round > 0.0 && (round - per_unit).abs() <= doubt * per_unit).unwrap_or(per_unit))
    }
}
