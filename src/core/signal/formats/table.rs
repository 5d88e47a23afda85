//! The text of a table, read line by line into a rectangle of numbers: a header, and rows of equal length.
//!
//! One line may hold the whole file, so nothing is kept of a line but its numbers: the header stays text.

use super::time_column::{length_of, seconds_of};
use crate::numerals::counted;
use crate::signal::error::one_line;
use crate::signal::{Cause, Samples, memory};
use num_complex::Complex64;
use std::borrow::Cow;

/// The names of the columns. They are read again from their line wherever they are needed, because a line may have millions.
#[derive(Clone, Copy)]
pub(super) struct Header<'a> {
    row: &'a str,
    separator: u8,
    /// Number of names.
    pub n_names: usize,
}

impl<'a> Header<'a> {
    /// The names, the first 200 characters of each.
    pub(super) fn names(self) -> impl Iterator<Item = String> + use<'a> {
        tokens(self.row, self.separator).flatten().map(|name| one_line(&name))
    }

    /// Whether the names from one on alternate between real and imaginary parts.
    pub(super) fn is_complex(self, from: usize) -> bool {
        const PARTS: [[&str; 2]; 2] = [["re", "x.re"], ["im", "x.im"]];
        let is_part = |(k, name): (usize, String)| PARTS[k % 2].iter().any(|part| name.to_ascii_lowercase().starts_with(part));
        (self.n_names - from).is_multiple_of(2) && self.names().skip(from).enumerate().all(is_part)
    }
}

/// All values of a table, row after row: integers until the first fraction.
pub(super) enum Values {
    Integer(Vec<i64>),
    Real(Vec<f64>),
}

impl Values {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Integer(v) => v.len(),
            Self::Real(v) => v.len(),
        }
    }

    /// Whether the values are integers that double precision rounds.
    pub(super) fn is_rounded_to_reals(&self) -> bool {
        matches!(self, Self::Integer(v) if v.iter().any(|&integer| is_rounded(integer.into())))
    }

    /// Appends the number that `token` spells; returns false where it spells none.
    fn push(&mut self, token: &str) -> bool {
        if let Self::Integer(integers) = self {
            if let Ok(integer) = token.parse() {
                integers.push(integer);
                return true;
            }
            // The reals take the memory of the integers.
            *self = Self::Real(std::mem::take(integers).into_iter().map(|integer| integer as f64).collect());
        }
        let (Self::Real(reals), Ok(real)) = (self, token.parse()) else {
            return false;
        };
        reals.push(real);
        true
    }

    pub(super) fn at(&self, index: usize) -> f64 {
        match self {
            Self::Integer(v) => v[index] as f64,
            Self::Real(v) => v[index],
        }
    }

    pub(super) fn samples(self) -> Samples {
        match self {
            Self::Integer(v) => Samples::I64(v),
            Self::Real(v) => Samples::F64(v),
        }
    }

    /// Every `stride`-th value from `index` on.
    pub(super) fn column(&self, index: usize, stride: usize) -> Result<Samples, Cause> {
        let n = self.len().saturating_sub(index).div_ceil(stride);
        Ok(match self {
            Self::Integer(v) => Samples::I64(memory::collected(n, v.iter().skip(index).step_by(stride).copied())?),
            Self::Real(v) => Samples::F64(memory::collected(n, v.iter().skip(index).step_by(stride).copied())?),
        })
    }

    /// A complex number from every `stride` values, whose parts stand at `index` and behind it.
    pub(super) fn complex(&self, index: usize, stride: usize) -> Result<Samples, Cause> {
        let n = self.len() / stride;
        let pairs = (0..n).map(|k| k * stride + index).map(|at| Complex64::new(self.at(at), self.at(at + 1)));
        Ok(Samples::Complex64(memory::collected(n, pairs)?))
    }
}

/// Whether double precision keeps fewer digits than an integer has.
fn is_rounded(integer: i128) -> bool {
    integer as f64 as i128 != integer
}

/// Whether a decimal number stands for an integer that double precision rounds, such as 9007199254740993.0.
fn is_rounded_decimal(token: &str) -> bool {
    let Some((whole, fraction)) = token.split_once('.') else { return false };
    fraction.bytes().all(|digit| digit == b'0') && whole.parse().is_ok_and(is_rounded)
}

fn no_number(line: u64, column: usize, token: &str) -> Cause {
    Cause::malformed(format!("line {line}, column {column}: “{}” is not a number", shorten(token)))
}

/// A rectangle of numbers.
pub(super) struct Table<'a> {
    pub header: Option<Header<'a>>,
    /// The first column, where its name says time: its fractions do not decide on the type of the others.
    pub times: Option<Vec<f64>>,
    /// Number of columns beside the times.
    pub columns: usize,
    pub values: Values,
    /// Whether integers were rounded to double precision.
    pub is_rounded: bool,
}

impl<'a> Table<'a> {
    /// Reads a text; `has_times` takes the first column apart where its name says time.
    pub(super) fn parse(text: &'a str, has_times: bool) -> Result<Self, Cause> {
        memory::checked_bytes(&[text.len() as u64, 4], || format!("{} of text", counted(text.len(), "byte")))?;
        let mut table = Self { header: None, times: None, columns: 0, values: Values::Integer(Vec::new()), is_rounded: false };
        let separator = separator(text);
        for (line, row) in (1..).zip(text.split('\n')) {
            if row.trim().is_empty() || row.trim_start().starts_with('#') {
                continue;
            }
            let is_header = || tokens(row, separator).all(|token| token.is_none_or(|token| !is_number(&token)));
            if table.columns == 0 && table.header.is_none() && is_header() {
                let n_names = tokens(row, separator).try_fold(0, |n, token| token.map(|_| n + 1)).ok_or_else(|| unclosed(line))?;
                let header = Header { row, separator, n_names };
                let is_time = |name: String| seconds_of(&name).is_some() || length_of(&name).is_some();
                let is_timed = has_times && n_names > 1 && header.names().next().is_some_and(is_time);
                (table.header, table.times) = (Some(header), is_timed.then(Vec::new));
                continue;
            }
            table.push_row(line, || tokens(row, separator))?;
        }
        match (table.header, table.columns) {
            (Some(header), 0) => {
                /// Names that a message shows.
                const SHOWN: usize = 50;
                let names: Vec<String> = header.names().take(SHOWN).collect();
                Err(Cause::malformed(format!("there are no numbers in it, only “{}”", one_line(&names.join(" ")))))
            }
            (None, 0) => Err(Cause::malformed("there are no numbers in it")),
            (Some(Header { n_names, .. }), _) if n_names != table.n_in_row() => {
                Err(Cause::malformed(format!("the header names {}, but the rows have {}", counted(n_names, "column"), table.n_in_row())))
            }
            _ => Ok(table),
        }
    }

    /// Appends a row. Its tokens are counted before any is kept, because one line may hold the whole file.
    fn push_row<'t, T: Iterator<Item = Option<Cow<'t, str>>>>(&mut self, line: u64, tokens: impl Fn() -> T) -> Result<(), Cause> {
        let found = tokens().count();
        if self.columns == 0 {
            self.times.take_if(|_| found == 1);
            self.columns = found.saturating_sub(usize::from(self.times.is_some()));
        }
        let expected = self.n_in_row();
        if found != expected {
            return Err(Cause::malformed(format!("line {line} has {} where the lines before have {expected}", counted(found, "value"))));
        }
        match &mut self.values {
            Values::Integer(values) => memory::reserve(values, found)?,
            Values::Real(values) => memory::reserve(values, found)?,
        }
        for (column, token) in (1..).zip(tokens()) {
            let Some(token) = token else {
                return Err(unclosed(line));
            };
            if token.is_empty() {
                return Err(Cause::malformed(format!("line {line} has no value in column {column}")));
            }
            if let (1, Some(times)) = (column, &mut self.times) {
                memory::reserve(times, 1)?;
                times.push(token.parse().map_err(|_| no_number(line, column, &token))?);
                continue;
            }
            let turns_real = matches!(self.values, Values::Integer(_)) && token.parse::<i64>().is_err();
            self.is_rounded |= turns_real && self.values.is_rounded_to_reals();
            if !self.values.push(&token) {
                return Err(no_number(line, column, &token));
            }
            let is_real = turns_real || matches!(self.values, Values::Real(_));
            self.is_rounded |=
                is_real && token.len() > MOST_EXACT_DIGITS && (token.parse().is_ok_and(is_rounded) || is_rounded_decimal(&token));
        }
        Ok(())
    }

    /// Number of values in a row.
    fn n_in_row(&self) -> usize {
        self.columns + usize::from(self.times.is_some())
    }
}

fn unclosed(line: u64) -> Cause {
    Cause::malformed(format!("line {line} has a quotation mark that is not closed"))
}

/// Double precision keeps all integers of this many digits.
const MOST_EXACT_DIGITS: usize = 15;

fn is_number(token: &str) -> bool {
    token.parse::<f64>().is_ok()
}

fn shorten(token: &str) -> String {
    let mut short: String = token.chars().take(30).collect();
    if short.len() < token.len() {
        short.push('…');
    }
    short
}

/// The separator of the values: the first of semicolon, tab and comma in the first line, or blanks.
fn separator(text: &str) -> u8 {
    let mut lines = text.lines().map(str::trim_start);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with('#')).unwrap_or_default();
    [b';', b'\t', b','].into_iter().find(|&separator| first.trim_end().as_bytes().contains(&separator)).unwrap_or(b' ')
}

/// The values of a row, `None` for one whose quotation mark is not closed. Several blanks are one separator; where semicolons separate, a comma is a decimal point.
fn tokens(row: &str, separator: u8) -> impl Iterator<Item = Option<Cow<'_, str>>> {
    let blanks = separator == b' ';
    let mut rest = Some(if blanks { row.trim() } else { row });
    std::iter::from_fn(move || {
        let text = rest?.trim_start_matches(' ');
        let Some(quoted) = quoted_length(text) else {
            rest = None;
            return Some(None);
        };
        let ends = |c: char| if blanks { c.is_whitespace() } else { c == char::from(separator) };
        let (token, behind) = text.split_at(text[quoted..].find(ends).map_or(text.len(), |n| quoted + n));
        rest = if blanks { Some(behind.trim_start()).filter(|behind| !behind.is_empty()) } else { behind.get(1..) };
        // Marks at other places belong to the value.
        let marked = token.trim().strip_prefix('"').filter(|_| token[quoted..].trim().is_empty());
        let token = marked.and_then(|inside| inside.strip_suffix('"')).unwrap_or(token).trim();
        Some(Some(if separator == b';' { token.replace(',', ".").into() } else { token.into() }))
    })
}

/// The length of the value in quotation marks that a text begins with, 0 where it begins with none, and `None` where it does not end. Two marks inside stand for one.
fn quoted_length(text: &str) -> Option<usize> {
    if !text.starts_with('"') {
        return Some(0);
    }
    let mut at = 1;
    loop {
        at += text[at..].find('"')? + 1;
        if !text[at..].starts_with('"') {
            return Some(at);
        }
        at += 1;
    }
}
