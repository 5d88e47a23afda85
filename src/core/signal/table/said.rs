//! The notes about a table: its axis, the order of its rows, and the columns that are left out.

use super::axis::FoundAxis;
use super::steps::{Steps, Study};
use super::{Cells, ColumnFacts, ColumnKind, Columns, Note, TimeChoice};
use crate::numerals::{counted, counted_as, integer, number};
use crate::remedy::Remedy;
use crate::signal::AxisUnit;

/// The name of a column in a sentence, or its number where it has none.
pub(super) fn quoted(name: &str, index: usize) -> String {
    if name.is_empty() { (index + 1).to_string() } else { format!("“{name}”") }
}

/// The number of samples in a unit, in words.
pub(super) fn rate(unit: AxisUnit, per_unit: f64) -> String {
    match unit {
        AxisUnit::Second => format!("{} Hz", number(per_unit, 6)),
        unit => format!("{} per {}", number(per_unit, 6), if unit == AxisUnit::Hour { "hour" } else { unit.one() }),
    }
}

/// Says which column is the axis, and what its rows are like.
pub(super) fn say_axis(axis: &FoundAxis, table: &Columns, notes: &mut Vec<Note>) {
    let names: Vec<String> = axis.used.iter().map(|&index| quoted(&table.columns[index].name.full, index)).collect();
    let (columns, has) = if names.len() == 1 { ("column", "has") } else { ("columns", "have") };
    let what = if matches!(axis.unit, AxisUnit::Length(_) | AxisUnit::Index) { "positions" } else { "times" };
    let are_first = axis.used.iter().enumerate().all(|(at, index)| at == *index);
    let are_nameless = !table.is_named || axis.used.iter().all(|&index| table.columns[index].name.full.is_empty());
    let columns = match are_first && are_nameless {
        true => format!("The first {columns} {has}"),
        false => format!("The {columns} {} {has}", names.join(" and ")),
    };
    let is_text = matches!(table.columns[axis.column].cells, Cells::Stamps(_));
    let other = if is_text { Remedy::SampleIndex } else { Remedy::NoTime };
    let why = if axis.is_named { "" } else { ", because it rises evenly" };
    let steps = match axis.per_unit() {
        Some(per_unit) => format!("{columns} the {what} of the samples{why}: {}", rate(axis.unit, per_unit)),
        None => format!("{columns} the {what} of the samples, with uneven steps"),
    };
    notes.push(Note::new(steps, [other]));
    if let Some(order) = &axis.order {
        notes.push(Note::new(format!("The dates are read as {order}"), []));
    }
    say_rows(&axis.study, notes);
}

/// Says which rows were moved, left out, evened out or missing.
fn say_rows(study: &Study, notes: &mut Vec<Note>) {
    let mut say = |n: usize, text: String| notes.extend((n > 0).then(|| Note::new(text, [])));
    let is_one = |n: usize| if n == 1 { "is" } else { "are" };
    say(study.without, format!("{} without a time {} left out", counted(study.without, "row"), is_one(study.without)));
    say(usize::from(study.is_reversed), "The newest row comes first in the file; the rows are reversed".to_owned());
    say(study.disordered, format!("{} out of order {} sorted by time", counted(study.disordered, "row"), is_one(study.disordered)));
    let done = if study.drops_repeats { "only the first row of each time is kept" } else { "the samples are spaced by the median step" };
    say(study.repeats, format!("{} the one before: {done}", counted_as(study.repeats, "time repeats", "times repeat")));
    if let Steps::Gaps { places, .. } = &study.steps {
        let n = places.last().map_or(0, |last| *last as usize + 1) - places.len();
        say(n, format!("{} missing between the times", counted_as(n, "row is", "rows are")));
    }
}

/// Says that a column of times repeats too often to be the axis.
pub(super) fn say_repeating(column: &ColumnFacts, index: usize, notes: &mut Vec<Note>) {
    let text = format!(
        "The times in the column {} repeat in most rows: they cannot be the axis, and the samples are counted",
        quoted(&column.name, index)
    );
    notes.push(Note::new(text, [Remedy::TimeColumn(column.choice(index))]));
}

/// Names the columns that do not become channels, each kind with its reason.
pub(super) fn say_left_out(facts: &[ColumnFacts], table: &Columns, axis: Option<&FoundAxis>, choice: &TimeChoice, notes: &mut Vec<Note>) {
    /// Names in a sentence.
    const SHOWN: usize = 8;
    let is_used = |index: usize| axis.is_some_and(|axis| axis.used.contains(&index));
    let has_words = |index: usize| matches!(table.columns[index].cells, Cells::Text);
    let mut say = |is: &dyn Fn(usize) -> bool, one: &str, many: &str, others: &[Remedy]| {
        let found: Vec<usize> = (0..facts.len()).filter(|&index| !is_used(index) && is(index)).collect();
        let names: Vec<String> = found.iter().take(SHOWN).map(|&index| quoted(&facts[index].name, index)).collect();
        let more = if found.len() > names.len() { format!(" and {} more", integer(found.len() - names.len())) } else { String::new() };
        if !found.is_empty() {
            let (noun, rest) = if found.len() == 1 { ("column", one) } else { ("columns", many) };
            notes.push(Note::new(format!("The {noun} {}{more} {rest}", names.join(", ")), others));
        }
    };
    let kind = |index: usize| facts[index].kind;
    let is_text = |index: usize| kind(index) == ColumnKind::Text;
    say(&|index| is_text(index) && has_words(index), "is text, and is left out", "are text, and are left out", &[]);
    say(&|index| is_text(index) && !has_words(index), "has no numbers, and is left out", "have no numbers, and are left out", &[]);
    let others: &[Remedy] = if *choice == TimeChoice::Auto { &[Remedy::AnotherTime] } else { &[Remedy::AutomaticTime] };
    say(&|index| kind(index) == ColumnKind::Time, "has times, and is left out", "have times, and are left out", others);
    let is_index = |index: usize| kind(index) == ColumnKind::Index;
    say(&is_index, "counts the rows, and is left out", "count the rows, and are left out", &[Remedy::AnotherTime]);
}
