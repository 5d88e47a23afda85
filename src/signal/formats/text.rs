//! Numbers as text: separated by commas, semicolons, tabs or blanks, with or without a header row.
//!
//! One column is one real signal. Two columns are its real and imaginary parts, or two channels where the header gives them other names.
//! With more columns every row is a signal of its own, complex where the header alternates `real[0],imaginary[0],…`.
//! A column whose header says time gives the sampling rate, and each of the others is a channel.
//! Integers stay integers. Lines that begin with # are comments. A value in quotation marks may hold separators, and ends on its line.

use super::time_column::{TimeColumn, length_of, seconds_of};
use super::{Decoded, FileFormat, Holds, OutputFormat};
use crate::signal::error::one_line;
use crate::signal::{Cause, Channel, Misfit, Samples, Sampling, Signal, SignalKind, memory};
use num_complex::Complex64;
use std::borrow::Cow;
use std::io::{self, Write};

/// Numbers as text: CSV, TSV, blanks.
pub(super) static TEXT: FileFormat = FileFormat {
    name: "CSV or text",
    endings: &["csv", "tsv", "txt", "dat"],
    marks: &[],
    is_content: is_text,
    decode,
    output: Some(OutputFormat {
        name: "CSV",
        endings: &["csv"],
        holds: Holds { reals: true, complex: true, rows: true, channels: true, sample_rate: false, is_image: false },
        fits,
        encode,
    }),
};

/// The note on rows whose header names the columns a, b, c and d.
pub const SYSTEM_NOTE: &str = "The rows are the equations of a tridiagonal system, which can be solved.";

/// Whether the bytes are UTF-8 without the control characters that no text has. The last character may be incomplete.
pub(super) fn is_text(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(4096)];
    let is_utf8 = match std::str::from_utf8(head) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none() && head.len() < bytes.len(),
    };
    is_utf8 && !head.iter().any(|&b| b < 0x20 && !matches!(b, b'\t' | b'\n' | b'\r' | 0x0c))
}

/// Decodes a table of numbers.
fn decode(bytes: &[u8]) -> Decoded {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = 1 + bytes[..error.valid_up_to()].iter().filter(|&&b| b == b'\n').count();
        Cause::malformed(format!("line {line} is not UTF-8 text"))
    })?;
    let table = Table::parse(text.strip_prefix('\u{feff}').unwrap_or(text))?;
    let n_rows = table.values.len() / table.columns;
    let (header, columns) = (table.header.as_deref(), table.columns);
    let mut notes = Vec::new();
    if table.is_rounded || columns == 2 && table.values.is_rounded_to_reals() {
        notes.push("Some integers are rounded to the 53 bits of double precision, because other values are fractions, imaginary parts or larger than 64 bits.".to_owned());
    }
    if let Some(signal) = timed(&table) {
        return Ok(Signal { notes: [signal.notes, notes].concat(), ..signal });
    }
    let mut signal = match columns {
        1 => {
            let name = header.map_or("value", |names| names[0].as_str());
            let channel = Channel::new(name, table.values.samples());
            Signal::from_channels("", SignalKind::Rows, (1, n_rows), vec![channel])
        }
        2 if header.is_none_or(is_complex_header) => Signal::row("", table.values.complex()),
        2 => {
            let names = header.unwrap_or_default().iter().cloned().enumerate();
            let channels = names.map(|(index, name)| Channel::new(name, table.values.column(index, 2))).collect();
            notes.push(
                "The two columns are channels, as their names say; with the names real and imaginary they would be one complex signal."
                    .to_owned(),
            );
            Signal::from_channels("", SignalKind::Rows, (1, n_rows), channels)
        }
        _ if header.is_some_and(is_complex_header) => {
            let channel = Channel::new("value", table.values.complex());
            Signal::from_channels("", SignalKind::Rows, (n_rows, columns / 2), vec![channel])
        }
        _ => {
            if header.is_some_and(|names| names.iter().map(|name| name.trim()).eq(["a", "b", "c", "d"])) {
                notes.push(SYSTEM_NOTE.to_owned());
            }
            let channel = Channel::new("value", table.values.samples());
            Signal::from_channels("", SignalKind::Rows, (n_rows, columns), vec![channel])
        }
    };
    signal.notes = notes;
    Ok(signal)
}

/// The other columns of a table whose first column has times: one complex signal, or a channel each. `None` for other tables.
fn timed(table: &Table) -> Option<Signal> {
    let (names, columns) = (table.header.as_deref()?, table.columns);
    let n = table.values.len() / columns;
    let (first, others) = names.split_first().filter(|(_, others)| !others.is_empty())?;
    if seconds_of(first).is_none() && length_of(first).is_none() {
        return None;
    }
    let times: Vec<f64> = (0..n).map(|row| table.values.at(row * columns)).collect();
    let time = TimeColumn::of(first, &times)?;
    let channels = if columns == 3 && is_complex_header(others) {
        let pairs = (0..n).map(|row| Complex64::new(table.values.at(row * columns + 1), table.values.at(row * columns + 2)));
        vec![Channel::new("value", Samples::Complex64(pairs.collect()))]
    } else {
        (1..).zip(others).map(|(column, name)| Channel::new(name, table.values.column(column, columns))).collect()
    };
    let signal = Signal::from_channels("", SignalKind::Rows, (1, n), channels);
    let rate = time.sampling.filter(|sampling| sampling.length.is_none()).map(|sampling| sampling.per_unit);
    Some(Signal { sample_rate_hz: rate, pixel_size: time.sampling.and_then(Sampling::step), notes: vec![time.note], ..signal })
}

/// Whether the names alternate between real and imaginary parts.
fn is_complex_header(names: &[String]) -> bool {
    let starts = |name: &String, part: &[&str]| part.iter().any(|p| name.trim().to_ascii_lowercase().starts_with(p));
    names.len().is_multiple_of(2)
        && names.chunks_exact(2).all(|pair| starts(&pair[0], &["re", "x.re"]) && starts(&pair[1], &["im", "x.im"]))
}

/// All values of a table, row after row: integers until the first fraction.
enum Values {
    Integer(Vec<i64>),
    Real(Vec<f64>),
}

impl Values {
    fn len(&self) -> usize {
        match self {
            Self::Integer(v) => v.len(),
            Self::Real(v) => v.len(),
        }
    }

    /// Whether the values are integers that double precision rounds.
    fn is_rounded_to_reals(&self) -> bool {
        matches!(self, Self::Integer(v) if v.iter().any(|&integer| is_rounded(integer.into())))
    }

    /// Appends the number that `token` spells; returns false where it spells none.
    fn push(&mut self, token: &str) -> bool {
        if let Self::Integer(integers) = self {
            if let Ok(integer) = token.parse() {
                integers.push(integer);
                return true;
            }
            *self = Self::Real(integers.iter().map(|&integer| integer as f64).collect());
        }
        let (Self::Real(reals), Ok(real)) = (self, token.parse()) else {
            return false;
        };
        reals.push(real);
        true
    }

    fn at(&self, index: usize) -> f64 {
        match self {
            Self::Integer(v) => v[index] as f64,
            Self::Real(v) => v[index],
        }
    }

    fn samples(self) -> Samples {
        match self {
            Self::Integer(v) => Samples::I64(v),
            Self::Real(v) => Samples::F64(v),
        }
    }

    /// Every `stride`-th value from `index` on.
    fn column(&self, index: usize, stride: usize) -> Samples {
        match self {
            Self::Integer(v) => Samples::I64(v.iter().skip(index).step_by(stride).copied().collect()),
            Self::Real(v) => Samples::F64(v.iter().skip(index).step_by(stride).copied().collect()),
        }
    }

    fn complex(&self) -> Samples {
        let pairs = (0..self.len() / 2).map(|k| Complex64::new(self.at(2 * k), self.at(2 * k + 1)));
        Samples::Complex64(pairs.collect())
    }
}

/// Whether double precision keeps fewer digits than an integer has.
fn is_rounded(integer: i128) -> bool {
    integer as f64 as i128 != integer
}

/// A rectangle of numbers.
struct Table {
    header: Option<Vec<String>>,
    columns: usize,
    values: Values,
    /// Whether integers were rounded to double precision.
    is_rounded: bool,
}

impl Table {
    fn parse(text: &str) -> Result<Self, Cause> {
        memory::checked_bytes(&[text.len() as u64, 4], || format!("{} bytes of text", text.len()))?;
        let mut table = Self { header: None, columns: 0, values: Values::Integer(Vec::new()), is_rounded: false };
        let separator = separator(text);
        for (line, row) in (1..).zip(text.split('\n')) {
            if row.trim().is_empty() || row.trim_start().starts_with('#') {
                continue;
            }
            let is_header = || tokens(row, separator).all(|token| token.is_none_or(|token| !is_number(&token)));
            if table.columns == 0 && table.header.is_none() && is_header() {
                let names: Option<Vec<String>> = tokens(row, separator).map(|token| token.map(Cow::into_owned)).collect();
                table.header = Some(names.ok_or_else(|| unclosed(line))?);
                continue;
            }
            table.push_row(line, || tokens(row, separator))?;
        }
        match (&table.header, table.columns) {
            (Some(names), 0) => Err(Cause::malformed(format!("there are no numbers in it, only “{}”", one_line(&names.join(" "))))),
            (None, 0) => Err(Cause::malformed("there are no numbers in it")),
            (Some(names), columns) if names.len() != columns => {
                Err(Cause::malformed(format!("the header names {} columns, but the rows have {columns}", names.len())))
            }
            _ => Ok(table),
        }
    }

    /// Appends a row. Its tokens are counted before any is kept, because one line may hold the whole file.
    fn push_row<'a, T: Iterator<Item = Option<Cow<'a, str>>>>(&mut self, line: u64, tokens: impl Fn() -> T) -> Result<(), Cause> {
        let found = tokens().count();
        if self.columns == 0 {
            self.columns = found;
        }
        let columns = self.columns;
        if found != columns {
            return Err(Cause::malformed(format!("line {line} has {found} values where the lines before have {columns}")));
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
            let turns_real = matches!(self.values, Values::Integer(_)) && token.parse::<i64>().is_err();
            self.is_rounded |= turns_real && self.values.is_rounded_to_reals();
            if !self.values.push(&token) {
                return Err(Cause::malformed(format!("line {line}, column {column}: “{}” is not a number", shorten(&token))));
            }
            let is_real = turns_real || matches!(self.values, Values::Real(_));
            self.is_rounded |= is_real && token.len() > MOST_EXACT_DIGITS && token.parse().is_ok_and(is_rounded);
        }
        Ok(())
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
        let token = token.trim().trim_matches('"').trim();
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

fn fits(signal: &Signal) -> Result<(), Misfit> {
    let n = signal.channels.len();
    if n > 1 && (signal.rows > 1 || signal.is_complex()) {
        return Err(Misfit::RowsOfChannels(n));
    }
    // One or two columns are read back as a single row.
    if signal.rows > 1 && signal.columns <= 2 && !signal.is_complex() {
        return Err(Misfit::NarrowRows { rows: signal.rows, columns: signal.columns });
    }
    Ok(())
}

/// Writes a header row, then every number with all digits that it needs to be read back as it was.
///
/// A single row stands upright: one value a line, `value` or `real,imaginary`, or one column for each channel.
/// Several rows stay rows: `x[0],x[1],…` or `real[0],imaginary[0],…`.
fn encode(out: &mut dyn Write, signal: &Signal) -> io::Result<()> {
    let is_complex = signal.is_complex();
    let mut table = csv::Writer::from_writer(out);
    let names: Vec<String> = match (signal.rows, is_complex) {
        (1, false) => signal.channels.iter().map(|channel| heading(&channel.name)).collect(),
        (1, true) => vec!["real".to_owned(), "imaginary".to_owned()],
        (_, false) => (0..signal.columns).map(|k| format!("x[{k}]")).collect(),
        (_, true) => (0..signal.columns).flat_map(|k| [format!("real[{k}]"), format!("imaginary[{k}]")]).collect(),
    };
    table.write_record(names).map_err(plain)?;
    let width = if signal.rows == 1 { 1 } else { signal.columns };
    for row in 0..signal.len() / width {
        for index in row * width..(row + 1) * width {
            for channel in &signal.channels {
                let [real, imaginary] = numbers(&channel.samples, index);
                table.write_field(real).map_err(plain)?;
                if is_complex {
                    table.write_field(imaginary).map_err(plain)?;
                }
            }
        }
        // An empty record ends the row.
        table.write_record(None::<&[u8]>).map_err(plain)?;
    }
    table.flush()
}

/// The error of the file inside an error of the library; a closed pipe is recognised by it.
fn plain(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// A column name that is neither a number nor a comment, and holds no separator.
fn heading(name: &str) -> String {
    let clean: String = name.chars().map(|c| if matches!(c, ',' | ';' | '"') || c.is_control() { ' ' } else { c }).collect();
    let clean = clean.trim();
    if clean.is_empty() || clean.starts_with('#') || clean.parse::<f64>().is_ok() { format!("column {clean}") } else { clean.to_owned() }
}

/// Real and imaginary part of one sample. Single precision is widened first, so that the text reads back as the same number in double precision.
fn numbers(samples: &Samples, index: usize) -> [String; 2] {
    let float = |x: f64| format!("{x:?}");
    let complex = |re: f64, im: f64| [float(re), float(im)];
    let real = match samples {
        Samples::U8(v) => v[index].to_string(),
        Samples::U16(v) => v[index].to_string(),
        Samples::I32(v) => v[index].to_string(),
        Samples::I64(v) => v[index].to_string(),
        Samples::F32(v) => float(v[index].into()),
        Samples::F64(v) => float(v[index]),
        Samples::Complex32(v) => return complex(v[index].re.into(), v[index].im.into()),
        Samples::Complex64(v) => return complex(v[index].re, v[index].im),
    };
    [real, String::new()]
}
