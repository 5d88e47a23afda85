//! The dialect of a text: its separators and decimal signs, in the reading in which most cells are numbers or times.

use super::cells::{Dialect, count, groups, is_missing, number, tokens};
use super::marks::unit;
use crate::remedy::Remedy;
use crate::signal::DecimalMark;
use crate::signal::table::{Note, StampFormat};

/// A line of the beginning of a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line<'a> {
    /// Counted from 1, with empty lines and comments.
    pub number: u64,
    pub text: &'a str,
    /// Where it begins in the text.
    pub start: usize,
}

/// The form of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    Number,
    Stamp,
    Missing,
    /// A number with a unit.
    Marked,
    Text,
}

/// Separators in the order in which they are preferred.
const SEPARATORS: [u8; 5] = [b';', b'\t', b',', b'|', b' '];

/// Lines whose cells are looked at.
const LOOKED_AT: usize = 100;

/// The form of a cell in a dialect.
pub(super) fn look(cell: &str, dialect: Dialect) -> Look {
    match () {
        () if is_missing(cell) => Look::Missing,
        () if number(cell, dialect).is_some() => Look::Number,
        () if StampFormat::may_be(cell) => Look::Stamp,
        () if unit(cell, dialect).is_some() => Look::Marked,
        () => Look::Text,
    }
}

/// The separator that a line such as `sep=;` names.
pub(super) fn named_separator(line: &str) -> Option<u8> {
    let line = line.trim_end_matches('\r').trim_matches('"');
    let rest = line.get(..4).filter(|word| word.eq_ignore_ascii_case("sep=")).map(|_| &line[4..])?;
    match rest.as_bytes() {
        [separator] if separator.is_ascii() => Some(*separator),
        b"\\t" => Some(b'\t'),
        _ => None,
    }
}

/// The dialect of a text with these first lines, which hold no comments.
pub(super) fn dialect(lines: &[Line<'_>], separator: Option<u8>, decimal: Option<DecimalMark>) -> Dialect {
    let candidates: Vec<u8> = match separator {
        Some(separator) => vec![separator],
        None => SEPARATORS.into_iter().filter(|&separator| occurs(lines, separator)).collect(),
    };
    let one_cell = [b'\n'].into_iter().filter(|_| separator.is_none());
    let readings = candidates.into_iter().chain(one_cell).flat_map(|separator| decimals(lines, separator, decimal));
    // The first one wins where several are equally good.
    let best =
        readings.map(|dialect| (quality(lines, dialect), dialect)).reduce(|best, next| if next.0 > best.0 + 1e-9 { next } else { best });
    best.map_or(Dialect { separator: b' ', has_decimal_comma: false, groups_by_dots: false }, |(_, dialect)| dialect)
}

/// Says how commas and points in numbers are read where they could mean something else, and offers the other reading where every number has one.
pub(super) fn note<'t>(dialect: Dialect, rows: impl Iterator<Item = &'t Line<'t>>) -> Option<Note> {
    let rows: Vec<Line<'_>> = rows.take(LOOKED_AT).copied().collect();
    let other = Dialect { has_decimal_comma: !dialect.has_decimal_comma, groups_by_dots: false, ..dialect };
    let read = |cell: String| number(&cell, dialect).map(|own| (Some(own), number(&cell, other), cell));
    let may_differ = |cell: &String| cell.contains(',') || dialect.groups_by_dots && cell.contains('.');
    let differing: Vec<(Option<f64>, Option<f64>, String)> =
        cells(&rows, dialect.separator).filter(may_differ).filter_map(read).filter(|(own, other, _)| own != other).collect();
    let has = |sign: char| differing.iter().any(|(.., cell)| cell.contains(sign));
    let separators = match dialect.separator {
        b';' => "semicolons separate the columns",
        b'\t' => "tabs separate the columns",
        b'|' => "bars separate the columns",
        b' ' => "blanks separate the columns",
        _ => "",
    };
    let (commas, remedy) = match dialect.has_decimal_comma {
        true => ("commas are decimal signs", Remedy::DecimalPoints),
        false => ("commas separate thousands", Remedy::DecimalCommas),
    };
    let said = [(separators, true), (commas, has(',')), ("points separate thousands", dialect.groups_by_dots && has('.'))];
    let said: Vec<&str> = said.into_iter().filter(|(words, is_so)| *is_so && !words.is_empty()).map(|(words, _)| words).collect();
    let text = match &said[..] {
        [others @ .., last] if !others.is_empty() => format!("{}, and {last}", others.join(", ")),
        words => words.concat(),
    };
    let is_possible = differing.iter().all(|(_, other, _)| other.is_some());
    let others: Vec<Remedy> = is_possible.then_some(remedy).into_iter().collect();
    (!differing.is_empty()).then(|| Note::new(format!("{}{}", text[..1].to_uppercase(), &text[1..]), others))
}

fn occurs(lines: &[Line<'_>], separator: u8) -> bool {
    let last = &lines[lines.len().saturating_sub(LOOKED_AT)..];
    last.iter().any(|line| match separator {
        b' ' => line.text.trim().contains([' ', '\t']),
        _ => line.text.as_bytes().contains(&separator),
    })
}

/// The decimal signs that are possible beside a separator, or the one that was chosen.
fn decimals(lines: &[Line<'_>], separator: u8, decimal: Option<DecimalMark>) -> Vec<Dialect> {
    let point = Dialect { separator, has_decimal_comma: false, groups_by_dots: false };
    let comma = Dialect { has_decimal_comma: true, groups_by_dots: groups_by_dots(lines, separator, decimal.is_some()), ..point };
    match separator {
        _ if decimal == Some(DecimalMark::Comma) => vec![comma],
        _ if decimal == Some(DecimalMark::Point) => vec![point],
        // With semicolons a comma is a decimal point, unless it separates thousands in every number.
        b';' if !groups_by_commas(lines, separator) => vec![comma],
        b',' if !has_quoted_decimals(lines) => vec![point],
        b',' => vec![comma, point],
        _ if groups_by_commas(lines, separator) => vec![point, comma],
        _ if lines.iter().any(|line| line.text.contains(',')) => vec![comma, point],
        _ => vec![point],
    }
}

/// All cells of the last lines.
fn cells<'a>(lines: &'a [Line<'_>], separator: u8) -> impl Iterator<Item = String> + use<'a> {
    let last = &lines[lines.len().saturating_sub(LOOKED_AT)..];
    last.iter().flat_map(move |line| tokens(line.text, separator).take(LOOKED_AT).flatten()).map(|cell| cell.into_owned())
}

/// Whether some number has dots and commas, in this order: 1.234,5. Where commas were chosen as decimal signs, dots may be between thousands without them.
fn groups_by_dots(lines: &[Line<'_>], separator: u8, is_chosen: bool) -> bool {
    let reading = Dialect { separator, has_decimal_comma: true, groups_by_dots: false };
    let is_so = |cell: &String| {
        let dots = cell.matches('.').count();
        let is_mixed = cell.find('.').zip(cell.rfind(',')).is_some_and(|(dot, comma)| dot < comma);
        (is_mixed || dots > 1 && !cell.contains(',')) && number(cell, reading).is_some()
    };
    if cells(lines, separator).any(|cell| is_so(&cell)) {
        return true;
    }
    // Where commas are decimal points, a dot before three digits separates thousands.
    let is_number = |cell: &String| number(cell, reading).is_some();
    let has_commas = || cells(lines, separator).any(|cell| cell.contains(',') && is_number(&cell));
    let with_dots: Vec<String> = cells(lines, separator).filter(|cell| cell.contains('.') && is_number(cell)).collect();
    let is_group = |cell: &String| cell.split_once('.').is_some_and(|(before, behind)| groups(before, behind));
    !with_dots.is_empty() && with_dots.iter().all(is_group) && (is_chosen || has_commas())
}

/// Whether commas are between thousands: all of them before three digits, in numbers such as 1,234.5 or 1,234,567 or at least 1,234.
fn groups_by_commas(lines: &[Line<'_>], separator: u8) -> bool {
    let point = Dialect { separator, has_decimal_comma: false, groups_by_dots: false };
    let with_commas: Vec<String> =
        cells(lines, separator).filter(|cell| cell.contains(',') && cell.starts_with(|c: char| c.is_ascii_digit() || c == '-')).collect();
    let is_clear =
        |cell: &String| cell.matches(',').count() > 1 || cell.find(',').zip(cell.find('.')).is_some_and(|(comma, dot)| comma < dot);
    let are_grouped = with_commas.iter().all(|cell| number(cell, point).is_some() && !cell.starts_with("0,"));
    are_grouped && (with_commas.iter().any(is_clear) || separator != b';' && !with_commas.is_empty())
}

/// Whether values in quotation marks have decimal commas, as in "1,5","2,5".
fn has_quoted_decimals(lines: &[Line<'_>]) -> bool {
    lines.iter().any(|line| line.text.contains('"'))
        && cells(lines, b',').any(|cell| cell.contains(',') && cell.bytes().all(|byte| byte.is_ascii_digit() || b",-".contains(&byte)))
        && !groups_by_commas(lines, b',')
}

/// How well a reading fits, from 0 to 1: the share of lines with the usual number of cells, times a factor that grows with the share of their
/// cells that are numbers or times.
fn quality(lines: &[Line<'_>], dialect: Dialect) -> f64 {
    let last = &lines[lines.len().saturating_sub(LOOKED_AT)..];
    let counts: Vec<usize> = last.iter().map(|line| count(line.text, dialect.separator)).collect();
    let usual = usual(&counts);
    // Titles above the table do not count.
    let first = counts.iter().position(|n| *n == usual).unwrap_or(0);
    let like = counts[first..].iter().filter(|n| **n == usual).count();
    let consistency = like as f64 / (counts.len() - first).max(1) as f64;
    // Lines of names above the rows do not count.
    let has_value = |line: &Line<'_>| {
        let mut cells = tokens(line.text, dialect.separator).flatten().take(LOOKED_AT);
        cells.any(|cell| matches!(look(&cell, dialect), Look::Number | Look::Stamp | Look::Marked))
    };
    let names = last.iter().take_while(|line| !has_value(line)).count() % last.len().max(1);
    let rows = last.iter().zip(&counts).skip(names).filter(|(_, n)| **n == usual).map(|(line, _)| line).rev().take(20);
    let (mut n_cells, mut n_good) = (0, 0.0);
    for line in rows {
        for cell in tokens(line.text, dialect.separator).flatten().take(LOOKED_AT) {
            n_cells += 1;
            n_good += match look(&cell, dialect) {
                Look::Number | Look::Stamp => 1.0,
                Look::Marked => 0.95,
                Look::Missing => 0.8,
                Look::Text => 0.0,
            };
        }
    }
    let good = n_good / f64::from(n_cells.max(1));
    // Rows of one cell are a table only where nothing separates them.
    let share = match (usual, dialect.separator) {
        (1, _) => 0.45,
        // Blanks are within dates and names, too.
        (_, b' ') => 0.9,
        _ => 1.0,
    };
    share * consistency * (0.3 + 0.7 * good)
}

/// The number of cells that most lines have. Where two numbers are equally frequent, the one that comes last.
pub(super) fn usual(counts: &[usize]) -> usize {
    let mut found: Vec<(usize, usize, usize)> = Vec::new();
    for (index, n) in counts.iter().enumerate() {
        match found.iter_mut().find(|(of, ..)| of == n) {
            Some((_, times, last)) => (*times, *last) = (*times + 1, index),
            None => found.push((*n, 1, index)),
        }
    }
    found.into_iter().max_by_key(|(_, times, last)| (*times, *last)).map_or(1, |(n, ..)| n)
}
