//! From columns to a signal: the axis, the channels, missing values, even samples, and what is said about all of it.

use super::axis::{self, FoundAxis};
use super::counters::{is_counter, repeats_axis};
use super::said::{quoted, rate, say_axis, say_left_out, say_repeating};
use super::steps::{Order, Steps};
use super::{
    Cells, ColumnFacts, ColumnKind, Columns, Missing, Name, Note, ReadOptions, TableFacts, TimeChoice, Uneven, Values, gaps, is_imaginary,
    is_real, resample,
};
use crate::numerals::{counted, integer, number};
use crate::remedy::Remedy;
use crate::signal::{Axis, Cause, Channel, Samples, Signal, SignalKind, memory};
use num_complex::Complex64;
use std::ops::Range;
use std::sync::Arc;

/// Channels of a table. Each takes some hundred bytes besides its samples.
pub(crate) const MOST_CHANNELS: usize = 1 << 16;

/// A column that becomes a channel, or half of one.
struct Part {
    column: usize,
    name: Name,
    values: Values,
    /// The samples that were missing.
    missing: Vec<Range<usize>>,
    /// The values of the file, where others were made for even steps.
    as_stored: Option<Arc<[f64]>>,
}

/// Makes a signal of a table.
///
/// # Errors
/// When there is nothing to transform, or the options refuse what the table has.
pub(crate) fn assemble(mut table: Columns, options: &ReadOptions) -> Result<Signal, Cause> {
    let mut notes = Vec::new();
    let mut is_rounded = table.is_rounded;
    decode_missing(&mut table, options, &mut notes, &mut is_rounded);
    let axis::Search { axis: found, repeating } = axis::find(&table, &options.time)?;
    let mut facts = column_facts(&table, found.as_ref());
    let mut parts = parts(&mut table, &facts, &options.left_out);
    if parts.is_empty() {
        return Err(no_channel(&table));
    }
    let axis = found.filter(|_| options.time != TimeChoice::Index);
    if let Some(axis) = &axis {
        order(&mut parts, axis)?;
        say_axis(axis, &table, &mut notes);
    }
    if let Some(column) = repeating.filter(|_| axis.is_none() && options.time == TimeChoice::Auto) {
        say_repeating(&facts[column], column, &mut notes);
    }
    say_left_out(&facts, &table, axis.as_ref(), &options.time, &mut notes);
    let positions = axis.as_ref().and_then(|axis| axis.study.steps.uneven());
    fill(&mut parts, positions, options, &mut notes)?;
    let resampled = match (&axis, positions) {
        (Some(axis), Some(positions)) => resample_all(axis, positions, &mut parts, options, &mut notes)?,
        _ => None,
    };
    // Every other number of a table has the same type, so that all its channels are written alike.
    if parts.iter().any(|part| matches!(part.values, Values::Real(_))) {
        parts.iter_mut().for_each(|part| is_rounded |= part.values.widen());
    }
    let mut signal = signal_of(parts, &table, &mut facts, &mut is_rounded, &mut notes)?;
    notes.append(&mut table.notes);
    let has_choice = axis.is_some() || facts.len() > 2 || !notes.is_empty();
    if let Some(axis) = &axis {
        place(&mut signal, axis, resampled);
    }
    signal.notes = notes;
    signal.notes.extend(is_rounded.then(|| ROUNDED.into()));
    if !table.titles.is_empty() {
        signal.notes.push(format!("The file says: “{}”.", table.titles.join(" / ")).into());
    }
    let time = axis.as_ref().map(|axis| axis.column);
    let facts = TableFacts { columns: facts, time, first_rows: table.first_rows, options: options.clone(), rows_are_signals: false };
    signal.table = has_choice.then(|| Arc::new(facts));
    Ok(signal)
}

/// The note on integers that became real numbers.
pub(crate) const ROUNDED: &str = "Some integers are rounded to the 53 bits of double precision, because they are written as decimals, or other values are fractions, imaginary parts, missing or larger than 64 bits.";

/// Makes the codes for missing values missing.
fn decode_missing(table: &mut Columns, options: &ReadOptions, notes: &mut Vec<Note>, is_rounded: &mut bool) {
    let (mut n_coded, mut of_file) = (0, Vec::new());
    for column in &mut table.columns {
        if let Cells::Numbers(values) = &mut column.cells {
            let mut codes = gaps::plausible(values, &table.missing_codes);
            codes.retain(|code| gaps::has(values, *code));
            codes.extend(&options.missing_codes);
            let (n, rounds) = gaps::decode(values, &codes);
            of_file.extend(codes.into_iter().filter(|code| n > 0 && table.missing_codes.contains(code)));
            n_coded += n;
            *is_rounded |= rounds;
        }
    }
    if n_coded > 0 && options.missing_codes.is_empty() {
        of_file.sort_unstable_by(f64::total_cmp);
        of_file.dedup();
        let stands = if of_file.len() == 1 { "stands" } else { "stand" };
        let codes = of_file.iter().map(|code| number(*code, 9)).collect::<Vec<_>>().join(" and ");
        notes.push(Note::new(format!("The file says that {codes} {stands} for missing values: {}", counted(n_coded, "value")), []));
    }
}

/// The role of every column.
fn column_facts(table: &Columns, axis: Option<&FoundAxis>) -> Vec<ColumnFacts> {
    let kind = |index: usize| match &table.columns[index].cells {
        _ if axis.is_some_and(|axis| axis.used.contains(&index)) => ColumnKind::Time,
        Cells::Text => ColumnKind::Text,
        Cells::Numbers(values) if gaps::is_empty(values) => ColumnKind::Text,
        Cells::Stamps(_) => ColumnKind::Time,
        Cells::Numbers(_) if is_counter(table, index) => ColumnKind::Index,
        Cells::Numbers(_) => ColumnKind::Number,
    };
    let column = |(index, column): (usize, &super::Column)| ColumnFacts {
        name: column.name.full.clone(),
        unit: column.name.unit.clone(),
        kind: kind(index),
        channel: None,
    };
    let mut facts: Vec<ColumnFacts> = table.columns.iter().enumerate().map(column).collect();
    // A column that repeats the axis is not a channel, unless it is the only one.
    let repeats = |index: &usize| facts[*index].kind == ColumnKind::Number && axis.is_some_and(|axis| repeats_axis(table, axis, *index));
    let repeating: Vec<usize> = (0..facts.len()).filter(repeats).collect();
    if repeating.len() < facts.iter().filter(|column| column.kind == ColumnKind::Number).count() {
        repeating.into_iter().for_each(|index| facts[index].kind = ColumnKind::Time);
    }
    // A table that has nothing but its axis or its index is a signal nevertheless.
    if !facts.iter().any(|column| column.kind == ColumnKind::Number)
        && let Some(only) = facts.iter_mut().find(|column| column.kind == ColumnKind::Index)
    {
        only.kind = ColumnKind::Number;
    }
    facts
}

/// The columns that become channels.
fn parts(table: &mut Columns, facts: &[ColumnFacts], left_out: &[String]) -> Vec<Part> {
    let is_channel = |column: &ColumnFacts| column.kind == ColumnKind::Number && !left_out.contains(&column.name);
    let all_out = !facts.iter().any(is_channel);
    let mut parts = Vec::new();
    for (index, column) in table
        .columns
        .iter_mut()
        .enumerate()
        .filter(|(index, _)| is_channel(&facts[*index]) || all_out && facts[*index].kind == ColumnKind::Number)
    {
        if let Cells::Numbers(values) = &mut column.cells {
            parts.push(Part {
                column: index,
                name: column.name.clone(),
                values: std::mem::take(values),
                missing: Vec::new(),
                as_stored: None,
            });
        }
    }
    parts
}

fn no_channel(table: &Columns) -> Cause {
    let names = table.columns.iter().enumerate().take(20).map(|(index, column)| quoted(&column.name.full, index)).collect::<Vec<_>>();
    let text = format!("none of its columns {} holds numbers beside the times", names.join(", "));
    // Numbers that are the axis may be a channel instead, and stamps may not.
    let has_numbers = table.columns.iter().any(|column| matches!(column.cells, Cells::Numbers(_)));
    if has_numbers { Cause::choice(text, [Remedy::NoTime]) } else { Cause::unsupported(text) }
}

/// Brings the rows into the order of the axis, and leaves places for rows that are missing.
fn order(parts: &mut [Part], axis: &FoundAxis) -> Result<(), Cause> {
    for part in parts {
        if let Order::Picked(rows) = &axis.study.order {
            part.values = part.values.picked(rows)?;
        }
        if let Steps::Gaps { places, .. } = &axis.study.steps {
            part.values = gaps::spread(&part.values, places)?;
        }
    }
    Ok(())
}

/// Fills missing values, or refuses them.
fn fill(parts: &mut [Part], positions: Option<&[f64]>, options: &ReadOptions, notes: &mut Vec<Note>) -> Result<(), Cause> {
    let mut counts = Vec::new();
    for part in parts.iter_mut() {
        part.missing = gaps::missing(&part.values);
        if part.missing.is_empty() {
            continue;
        }
        if options.missing == Missing::Refuse {
            let (n, name) = (counted(part.missing.iter().map(Range::len).sum(), "missing value"), &part.name.full);
            let row = integer(part.missing[0].start + 1);
            return Err(Cause::choice(format!("the column “{name}” has {n}, the first in row {row}"), [Remedy::FillMissing]));
        }
        match gaps::fill(&mut part.values, positions) {
            true => counts.push((part.name.full.clone(), part.missing.iter().map(Range::len).sum::<usize>())),
            false => part.missing.clear(),
        }
    }
    if let Some((first, n)) = counts.first() {
        let total = counts.iter().map(|(_, n)| n).sum::<usize>();
        let place = if counts.len() == 1 {
            format!("of “{first}”")
        } else {
            format!("of {} (“{first}”: {}, …)", counted(counts.len(), "column"), integer(*n))
        };
        let text = format!("{} {place} {} interpolated", counted(total, "missing value"), if total == 1 { "is" } else { "are" });
        notes.push(Note::new(text, [Remedy::RefuseMissing]));
    }
    Ok(())
}

/// Makes even samples of uneven ones, as the options say; returns the number of samples in a unit, or `None` where the samples stay as they are.
fn resample_all(
    axis: &FoundAxis,
    positions: &[f64],
    parts: &mut [Part],
    options: &ReadOptions,
    notes: &mut Vec<Note>,
) -> Result<Option<f64>, Cause> {
    let Some(way) = options.uneven else { return Ok(None) };
    let (_, step) = resample::grid(positions);
    let per_unit = 1.0 / step;
    match way {
        Uneven::Refuse => {
            let steps = || positions.windows(2).map(|pair| pair[1] - pair[0]);
            let [least, most] = [steps().fold(f64::INFINITY, f64::min), steps().fold(0.0, f64::max)].map(|step| number(step, 3));
            let unit = axis.unit.symbol();
            let text = format!("the times in the column “{}” have uneven steps, from {least} to {most} {unit}", axis.name);
            return Err(Cause::choice(text.trim_end(), [Remedy::Resample, Remedy::SampleIndex]));
        }
        Uneven::Even => {
            notes.push(Note::new(format!("The samples are taken as if they were even: {}", rate(axis.unit, per_unit)), [Remedy::Resample]));
        }
        Uneven::Linear | Uneven::Cubic => {
            for part in parts.iter_mut() {
                let mut stored = std::mem::take(&mut part.values).into_reals();
                part.values = Values::Real(resample::resampled(positions, &stored, way)?);
                // Filled samples are not values of the file.
                part.missing.drain(..).for_each(|range| stored[range].fill(f64::NAN));
                part.as_stored = Some(stored.into());
            }
            let curve = if way == Uneven::Linear { "straight lines" } else { "a smooth curve" };
            let text = format!("Even samples are taken from {curve} through those of the file: {}", rate(axis.unit, per_unit));
            notes.push(Note::new(text, [Remedy::Resample]));
        }
    }
    Ok(Some(per_unit))
}

/// The channels: one complex signal where two columns are its parts, or a channel each.
fn signal_of(
    mut parts: Vec<Part>,
    table: &Columns,
    facts: &mut [ColumnFacts],
    is_rounded: &mut bool,
    notes: &mut Vec<Note>,
) -> Result<Signal, Cause> {
    let n = parts[0].values.len();
    let is_plain_pair = !table.is_named && table.columns.len() == 2 && parts.len() == 2;
    let is_named_pair = parts.len() == 2 && is_real(&parts[0].name.full) && is_imaginary(&parts[1].name.full);
    if is_plain_pair || is_named_pair {
        *is_rounded |= parts.iter_mut().fold(false, |rounds, part| rounds | part.values.is_rounded_to_reals());
        parts.iter().for_each(|part| facts[part.column].channel = Some(0));
        if is_plain_pair {
            let text = "The two columns are real and imaginary parts, because no names say otherwise";
            notes.push(Note::new(text, [Remedy::TimeColumn("1".into())]));
        }
        let values = memory::collected(n, (0..n).map(|row| Complex64::new(parts[0].values.at(row), parts[1].values.at(row))))?;
        let channel = Channel::new("value", Samples::Complex64(values));
        return Ok(Signal::from_channels("", SignalKind::Rows, (1, n), vec![channel]));
    }
    if table.is_named && parts.len() == table.columns.len() && parts.len() > 1 {
        notes.push(match parts.len() {
            2 => Note::new(
                "The two columns are channels, because they have names; with the names real and imaginary they would be one complex signal",
                [],
            ),
            many => Note::new(format!("The {many} columns are channels, because they have names"), [Remedy::Batch]),
        });
    }
    let mut channels = Vec::new();
    for (index, part) in parts.into_iter().enumerate() {
        facts[part.column].channel = Some(index);
        let name = if table.is_named || table.columns.len() > 2 { part.name.plain } else { "value".to_owned() };
        let (missing, unit, as_stored) = (part.missing, part.name.unit, part.as_stored);
        channels.push(Channel { name, samples: part.values.samples(), unit, missing, as_stored });
    }
    Ok(Signal::from_channels("", SignalKind::Rows, (1, n), channels))
}

/// Gives a signal the axis. Positions stay where they are uneven.
fn place(signal: &mut Signal, axis: &FoundAxis, resampled: Option<f64>) {
    let steps = &axis.study.steps;
    let (per_unit, positions) = (resampled.or(axis.per_unit()), steps.uneven().map(Arc::from));
    signal.axis = Some(Axis { name: axis.name.clone(), unit: axis.unit, per_unit, start: steps.start(), origin: axis.origin, positions });
}
