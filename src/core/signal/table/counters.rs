//! Columns of numbers that say nothing new: they count the rows, or repeat what the axis says.

use super::axis::FoundAxis;
use super::dates::{are_years, repeats_part};
use super::steps::{Steps, Study, Trust};
use super::{Cells, Columns};
use crate::signal::AxisUnit;

/// Whether a name is that of an index which pandas wrote, or none at all.
pub(super) fn is_nameless(name: &str) -> bool {
    let name = name.to_lowercase();
    matches!(name.as_str(), "" | "index" | "level_0") || name.starts_with("unnamed:")
}

/// Whether a column only counts the rows: those of a person or a program from 0 or 1, those of pandas from any number and with gaps,
/// and those of recorders over and over.
pub(super) fn is_counter(table: &Columns, index: usize) -> bool {
    const NAMES: [&str; 8] = ["id", "no", "nr", "#", "row", "rownum", "rowid", "rownames"];
    const RECORDERS: [&str; 9] =
        ["sample", "sample index", "sample #", "sample number", "sampleindex", "packet", "packet number", "counter", "record"];
    let column = &table.columns[index];
    let Cells::Numbers(values) = &column.cells else { return false };
    let n = values.len();
    let at = |row: usize| values.at(row);
    if !table.is_named || table.columns.len() < 2 || n == 0 || (0..n).any(|row| at(row).fract() != 0.0) {
        return false;
    }
    let name = column.name.full.trim_end_matches('.').to_lowercase();
    let are_steps = |is: fn(f64) -> bool| (1..n).all(|row| is(at(row) - at(row - 1)));
    let rises_by_one = || are_steps(|step| step == 1.0);
    match name.as_str() {
        name if is_nameless(name) => {
            let is_monotone = || are_steps(|step| step >= 1.0) || are_steps(|step| step <= -1.0);
            // Years and even steps are positions.
            let is_axis = || {
                let all: Vec<f64> = (0..n).map(at).collect();
                are_years(&all)
                    || Study::of(&all, Trust::Numbers).is_some_and(|study| matches!(study.steps, Steps::Even { .. }) && study.step() > 1.5)
            };
            is_monotone() && !is_axis()
        }
        name if NAMES.contains(&name) => matches!(at(0), 0.0 | 1.0) && rises_by_one(),
        name if RECORDERS.contains(&name) => {
            let n_back = (1..n).filter(|&row| at(row) < at(row - 1)).count();
            n_back <= n / 20 && (1..n).all(|row| at(row) - at(row - 1) == 1.0 || at(row) < at(row - 1))
        }
        _ => false,
    }
}

/// Whether a column of numbers says again what the axis says: another column of times that rise with it, or a part of its dates.
pub(super) fn repeats_axis(table: &Columns, axis: &FoundAxis, index: usize) -> bool {
    let column = &table.columns[index];
    let Cells::Numbers(values) = &column.cells else { return false };
    if !table.is_named || axis.used.contains(&index) || matches!(axis.unit, AxisUnit::Length(_) | AxisUnit::Index) {
        return false;
    }
    let names_time = column.name.time().is_some_and(|name| name.is_explicit && !matches!(name.unit, AxisUnit::Length(_)));
    let are_steps = |is: fn(f64) -> bool| (1..values.len()).all(|row| is(values.at(row) - values.at(row - 1)));
    let is_monotone = || values.len() > 2 && (are_steps(|step| step > 0.0) || are_steps(|step| step < 0.0));
    let repeats_date = || match &table.columns[axis.column].cells {
        Cells::Stamps(dates) => repeats_part(&column.name.plain, values, dates),
        _ => false,
    };
    names_time && is_monotone() || repeats_date()
}
