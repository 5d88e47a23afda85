//! The lines above the rows of a text: names of columns, units and titles, rules between them, and codes for missing values.

use super::cells::{is_missing, tokens};
use super::dialect::Look;
use super::head::has_value;
use crate::signal::error::one_line;
use std::collections::BTreeSet;

/// The names, units and groups in the lines of words directly above the rows.
pub(super) struct Header {
    /// The names of the columns; without characters where one has none.
    pub names: Vec<String>,
    /// The units of the columns, where a line has them.
    pub units: Option<Vec<String>>,
    /// The lines that say it, as indices.
    pub used: Vec<usize>,
}

impl Header {
    /// Finds names and units in the cells of lines, each of which has the same number of cells.
    ///
    /// The line that tells most columns apart has their names. Others are titles, groups, or facts about how the values were made.
    pub(super) fn of(mut lines: Vec<Vec<String>>) -> Self {
        let units = (1..lines.len()).rev().find(|&index| are_units(&lines[index]));
        let distinct = |line: &Vec<String>| line.iter().filter(|cell| !cell.is_empty()).collect::<BTreeSet<_>>().len();
        let candidates = || (0..lines.len()).filter(|index| Some(*index) != units);
        let at = candidates().max_by_key(|&index| distinct(&lines[index])).unwrap_or(0);
        let mut used = vec![at];
        used.extend(units);
        let mut names = lines[at].clone();
        // Columns of the same name under different groups get the name of the group, too.
        let others = || names.iter().skip(1);
        let repeats = others().collect::<BTreeSet<_>>().len() < others().count();
        let tells_groups = |line: &Vec<String>| line.iter().skip(1).filter(|cell| !cell.is_empty()).collect::<BTreeSet<_>>().len() > 1;
        if let Some(group) = candidates().rev().find(|&index| repeats && index < at && tells_groups(&lines[index])) {
            used.push(group);
            let pairs = names.iter_mut().zip(&lines[group]).skip(1);
            pairs.filter(|(_, group)| !group.is_empty()).for_each(|(name, group)| *name = format!("{group} {name}"));
        }
        // pandas names the index alone in a line of its own.
        let last = candidates().next_back().filter(|&index| index > at && lines[index].iter().skip(1).all(String::is_empty));
        if let Some(index) = last
            && let (Some(name), Some(own)) = (names.first_mut(), lines[index].first().filter(|own| !own.is_empty()))
        {
            used.push(index);
            name.clone_from(own);
        }
        Self { names, units: units.map(|index| std::mem::take(&mut lines[index])), used }
    }
}

/// Whether a line only separates the names of columns from their rows: "-----", "|---|---|", "===== =====".
pub(super) fn is_rule(line: &str) -> bool {
    const RUNS: [&str; 5] = ["-----", "=====", "|--", "|:-", "| --"];
    line.chars().all(|c| "-=+|: \t".contains(c)) && RUNS.iter().any(|run| line.contains(run))
}

/// Lines in which the header is searched.
pub(super) const SEARCHED: usize = 80;

/// The line of names: the last one without values above rows of another kind, so that titles and lines of facts may be above it.
pub(super) fn above_rows(
    looks: &[Vec<Look>],
    counts: &[usize],
    usual: usize,
    first: usize,
    is_names: impl Fn(usize) -> bool,
) -> Option<usize> {
    let is_alike =
        |a: &[Look], b: &[Look]| a.iter().zip(b).all(|(a, b)| a == b || *b == Look::Missing || *a == Look::Missing && *b != Look::Stamp);
    let rules = |at: &usize| {
        let has_value = |index: usize| has_value(&looks[index]);
        let Some(row) = (at + 1..looks.len()).find(|&index| counts[index] == usual && has_value(index)) else {
            return false;
        };
        let is_row_above = (first..*at).any(|index| counts[index] == usual && has_value(index) && is_alike(&looks[index], &looks[row]));
        is_names(*at) && row == at + 1 && !is_row_above
    };
    (0..looks.len()).rev().find(rules)
}

/// Whether the cells of a line are units.
fn are_units(cells: &[String]) -> bool {
    const UNITS: [&str; 70] = [
        "s", "ms", "us", "µs", "ns", "sec", "second", "seconds", "min", "h", "hour", "hours", "d", "day", "days", "v", "mv", "volt",
        "volts", "a", "ma", "ampere", "w", "kw", "°c", "c", "degc", "deg c", "k", "pa", "hpa", "kpa", "bar", "m", "mm", "cm", "km", "m/s",
        "m/s2", "m/s^2", "m/s²", "g", "kg", "hz", "khz", "%", "db", "deg", "°", "nm", "µm", "um", "mbar", "ppm", "w/m^2", "w/m2", "kwh",
        "ts", "rn", "degt", "mi", "ft", "nmi", "inhg", "yr", "mo", "dy", "hr", "mn", "ppb",
    ];
    let is_unit = |cell: &&String| {
        let lower = cell.to_lowercase();
        let is_bracketed = lower.starts_with(['(', '[']) && lower.ends_with([')', ']']);
        is_bracketed || UNITS.contains(&lower.as_str())
    };
    let filled = || cells.iter().filter(|cell| !is_missing(cell));
    filled().next().is_some() && 2 * filled().filter(is_unit).count() > filled().count()
}

/// The names in a line. Where single blanks give too many, two of them separate names, or a unit in brackets belongs to the name before it.
pub(super) fn names(line: &str, separator: u8, columns: usize) -> Vec<String> {
    // Some programs put names between apostrophes.
    let mut names: Vec<String> = tokens(line, separator).flatten().map(|name| one_line(name.trim_matches('\''))).collect();
    if matches!(separator, b' ' | b'\t') && names.len() != columns {
        let apart = || line.split(['\t', '\u{c}']).flat_map(|part| part.split("  ")).map(str::trim).filter(|name| !name.is_empty());
        if apart().count() == columns {
            return apart().map(one_line).collect();
        }
        let mut joined: Vec<String> = Vec::new();
        for name in names {
            match joined.last_mut() {
                Some(last) if name.starts_with(['(', '[']) => *last = format!("{last} {name}"),
                _ => joined.push(name),
            }
        }
        names = joined;
    }
    names
}

/// The numbers that a line of words names as missing values: "missing values are -99.99", "-1 no data", "NODATA_value -9999".
pub(super) fn missing_codes<'t>(lines: impl Iterator<Item = &'t str>) -> Vec<f64> {
    const WORDS: [&str; 7] = ["missing", "nodata", "no data", "no_data", "fillvalue", "fill value", "fill_value"];
    let numbers = |text: &str| -> Vec<f64> {
        let words = text.split(|c: char| c.is_whitespace() || "=:,()\"'<>".contains(c)).map(|word| word.trim_end_matches('.'));
        words.filter_map(|word| word.parse().ok()).filter(|number: &f64| number.is_finite()).collect()
    };
    let mut codes = Vec::new();
    for line in lines.take(SEARCHED) {
        let lower = line.to_lowercase();
        for part in lower.split(';') {
            let Some(at) = WORDS.iter().filter_map(|word| part.find(word)).min() else { continue };
            codes.extend(numbers(&part[..at]).into_iter().filter(|number| *number < 0.0));
            codes.extend(numbers(&part[at..]).into_iter().filter(|number| *number < 0.0 || *number >= 9.0));
        }
    }
    codes
}
