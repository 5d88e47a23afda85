//! The rows of a text, read in chunks by all threads: numbers and times by their columns, or numbers row after row.

use super::cells::{Dialect, count, is_missing, number, tokens};
use super::head::is_comment;
use super::marks::Marks;
use super::quotes::LINE_IN_VALUE;
use crate::numerals::counted;
use crate::signal::reading::Watch;
use crate::signal::table::{StampFormat, Stamps, Values, is_rounded};
use crate::signal::{Cause, memory};
use crate::threads;

/// How the cells of a column are read.
#[derive(Debug, Clone)]
pub(super) enum CellReading {
    Number,
    /// Numbers with marks, such as units.
    Marked(Marks),
    Stamp(StampFormat, Stamps),
    /// A column without a value at the beginning: its numbers are kept, and all other cells count as missing.
    Sparse,
    /// Text.
    Skip,
}

/// How rows are read.
pub(super) struct RowReading<'a> {
    pub dialect: Dialect,
    pub newline: u8,
    /// Number of columns.
    pub columns: usize,
    /// How the cells of each column are read. Columns past its end hold numbers: a row may have millions.
    pub plans: &'a [CellReading],
    /// Whether all numbers follow row after row in one array, and none may be missing.
    pub is_matrix: bool,
    /// Whether an empty line is a missing value.
    pub has_blanks: bool,
    /// The number of the first line.
    pub first_line: u64,
}

/// The columns that were read, or all numbers in the first one.
#[derive(Default)]
pub(super) struct Read {
    pub columns: Vec<Found>,
    pub rows: usize,
    pub is_rounded: bool,
}

/// The values of a column.
#[derive(Debug)]
pub(super) enum Found {
    Numbers(Values),
    Seconds(Vec<f64>),
    Nothing,
}

/// Why a line cannot be read.
enum Fault {
    /// Another number of cells than the rows before.
    Cells {
        found: usize,
        expected: usize,
    },
    /// A quotation mark without its mate.
    Unclosed,
    /// A cell without a value, where none may be missing.
    Empty {
        column: usize,
    },
    /// A cell that is neither a value of its column nor missing.
    Wrong {
        column: usize,
        cell: String,
        is_time: bool,
    },
    Other(Cause),
}

/// A part of the text.
struct Chunk {
    read: Read,
    lines: u64,
    /// The line from 0, where one cannot be read.
    fault: Option<(u64, Fault)>,
}

/// Bytes of a chunk.
const CHUNK: usize = 1 << 20;

/// Reads all rows of `text`.
pub(super) fn read(text: &str, reading: &RowReading<'_>, watch: &Watch) -> Result<Read, Cause> {
    let chunks = chunks(text, reading.newline);
    let parsed = threads::map(chunks.len(), &|index| {
        let chunk = &text[chunks[index].clone()];
        let parsed = if watch.is_cancelled() { empty(reading) } else { parse(chunk, reading) };
        watch.advance(chunk.len());
        parsed
    });
    if watch.is_cancelled() {
        return Err(Cause::Cancelled);
    }
    let mut line = reading.first_line;
    let mut parts = Vec::with_capacity(parsed.len());
    for chunk in parsed {
        if let Some((at, fault)) = chunk.fault {
            return Err(fault.at(line + at));
        }
        line += chunk.lines;
        parts.push(chunk.read);
    }
    joined(parts)
}

/// The whole of the parts; the threads join a column each.
fn joined(parts: Vec<Read>) -> Result<Read, Cause> {
    let rows = parts.iter().map(|part| part.rows).sum();
    let is_rounded = parts.iter().any(|part| part.is_rounded);
    let mut columns: Vec<Vec<Found>> = (0..parts.first().map_or(0, |part| part.columns.len())).map(|_| Vec::new()).collect();
    for part in parts {
        columns.iter_mut().zip(part.columns).for_each(|(column, found)| column.push(found));
    }
    let columns: Result<Vec<_>, _> = threads::map_items(columns, &Found::joined).into_iter().collect();
    let columns = columns?;
    let is_rounded = is_rounded || columns.iter().any(|(_, is_rounded)| *is_rounded);
    Ok(Read { columns: columns.into_iter().map(|(found, _)| found).collect(), rows, is_rounded })
}

impl Found {
    /// The whole column, and whether integers were rounded on the way.
    fn joined(parts: Vec<Self>) -> Result<(Self, bool), Cause> {
        let (mut numbers, mut seconds) = (Vec::new(), Vec::new());
        for part in parts {
            match part {
                Self::Numbers(values) => numbers.push(values),
                Self::Seconds(part) => seconds.push(part),
                Self::Nothing => {}
            }
        }
        if !numbers.is_empty() {
            return Values::joined(numbers).map(|(values, is_rounded)| (Self::Numbers(values), is_rounded));
        }
        if seconds.is_empty() {
            return Ok((Self::Nothing, false));
        }
        let mut all = Vec::new();
        memory::reserve(&mut all, seconds.iter().map(Vec::len).sum())?;
        seconds.into_iter().for_each(|part| all.extend(part));
        Ok((Self::Seconds(all), false))
    }
}

/// The parts of a text, each of whole lines.
fn chunks(text: &str, newline: u8) -> Vec<std::ops::Range<usize>> {
    let bytes = text.as_bytes();
    let (mut chunks, mut start) = (Vec::new(), 0);
    while start < bytes.len() {
        let least = (start + CHUNK).min(bytes.len());
        let end = bytes[least..].iter().position(|byte| *byte == newline).map_or(bytes.len(), |at| least + at + 1);
        chunks.push(start..end);
        start = end;
    }
    chunks
}

impl RowReading<'_> {
    /// How the cells of each column are read, in their order.
    pub(super) fn plans(&self) -> impl Iterator<Item = &CellReading> {
        self.plans.iter().chain(std::iter::repeat(&CellReading::Number)).take(self.columns)
    }

    /// Number of columns that are read as numbers.
    pub(super) fn n_numbers(&self) -> usize {
        self.columns
            - self.plans.iter().filter(|plan| matches!(plan, CellReading::Stamp(..) | CellReading::Sparse | CellReading::Skip)).count()
    }
}

fn empty(reading: &RowReading<'_>) -> Chunk {
    let column = |plan: &CellReading| match plan {
        CellReading::Number | CellReading::Marked(_) | CellReading::Sparse => Found::Numbers(Values::default()),
        CellReading::Stamp(..) => Found::Seconds(Vec::new()),
        CellReading::Skip => Found::Nothing,
    };
    let columns = if reading.is_matrix { vec![Found::Numbers(Values::default())] } else { reading.plans().map(column).collect() };
    Chunk { read: Read { columns, ..Read::default() }, lines: 0, fault: None }
}

/// Reads a part.
fn parse(text: &str, reading: &RowReading<'_>) -> Chunk {
    let mut chunk = empty(reading);
    let text = text.strip_suffix(char::from(reading.newline)).unwrap_or(text);
    for line in text.split(char::from(reading.newline)) {
        let row = line.trim_end_matches('\r');
        let is_blank = row.trim().is_empty();
        let fault = match () {
            () if is_blank && reading.has_blanks => chunk.read.push_blank(),
            () if is_blank || is_comment(row) => Ok(()),
            () => chunk.read.push_row(row, reading),
        };
        if let Err(fault) = fault {
            chunk.fault = Some((chunk.lines, fault));
            break;
        }
        chunk.lines += lines(row);
    }
    chunk
}

/// The lines of a file that a row takes: one more for each that ends inside a value in quotation marks.
fn lines(row: &str) -> u64 {
    1 + if row.contains('"') { row.matches(LINE_IN_VALUE).count() as u64 } else { 0 }
}

impl Read {
    /// Appends a row.
    fn push_row(&mut self, row: &str, reading: &RowReading<'_>) -> Result<(), Fault> {
        /// Longer rows are counted before any cell is kept, because one line may hold the whole file.
        const SHORT: usize = 1 << 12;
        let is_marked = row.len() > SHORT || row.as_bytes().contains(&b'"');
        match reading.dialect.separator {
            _ if is_marked => self.push_long_row(row, reading),
            b' ' => self.push_cells(row.split_ascii_whitespace(), row, reading),
            separator => self.push_cells(cells(row, separator), row, reading),
        }
    }

    /// Appends the cells of a row without quotation marks.
    fn push_cells<'t>(&mut self, mut cells: impl Iterator<Item = &'t str>, row: &str, reading: &RowReading<'_>) -> Result<(), Fault> {
        let wrong = || {
            let (found, expected) = (count(row, reading.dialect.separator), reading.columns);
            Fault::Cells { found, expected }
        };
        for (column, plan) in reading.plans().enumerate() {
            self.push(column, cells.next().ok_or_else(wrong)?, plan, reading)?;
        }
        if cells.next().is_some() && !ends_empty(row, reading, count(row, reading.dialect.separator)) {
            return Err(wrong());
        }
        self.rows += 1;
        Ok(())
    }

    /// Appends a row that is long or has quotation marks.
    fn push_long_row(&mut self, row: &str, reading: &RowReading<'_>) -> Result<(), Fault> {
        let (separator, expected) = (reading.dialect.separator, reading.columns);
        let found = count(row, separator);
        if found != expected && !ends_empty(row, reading, found) {
            return Err(Fault::Cells { found, expected });
        }
        if reading.is_matrix
            && let Some(Found::Numbers(values)) = self.columns.first_mut()
        {
            values.reserve(found).map_err(Fault::Other)?;
        }
        for (column, (token, plan)) in tokens(row, separator).zip(reading.plans()).enumerate() {
            let token = token.ok_or(Fault::Unclosed)?;
            self.push(column, &token, plan, reading)?;
        }
        self.rows += 1;
        Ok(())
    }

    fn push(&mut self, column: usize, token: &str, plan: &CellReading, reading: &RowReading<'_>) -> Result<(), Fault> {
        let wrong = |is_time: bool| Fault::Wrong { column: column + 1, cell: token.to_string(), is_time };
        let at = if reading.is_matrix { 0 } else { column };
        match (plan, self.columns.get_mut(at)) {
            (CellReading::Number, Some(Found::Numbers(values))) => {
                if token.is_empty() && reading.is_matrix {
                    return Err(Fault::Empty { column: column + 1 });
                }
                let pushed = push_number(values, token, reading.dialect).or_else(|| {
                    let is_missing = !reading.is_matrix && is_missing(token);
                    is_missing.then(|| values.push_missing())
                });
                self.is_rounded |= pushed.ok_or_else(|| wrong(false))?;
            }
            (CellReading::Marked(marks), Some(Found::Numbers(values))) => match marks.number(token, reading.dialect) {
                Some(number) => self.is_rounded |= values.push_real(number),
                None if is_missing(token) => self.is_rounded |= values.push_missing(),
                None => return Err(wrong(false)),
            },
            (CellReading::Sparse, Some(Found::Numbers(values))) if !reading.is_matrix => match number(token, reading.dialect) {
                Some(number) => self.is_rounded |= values.push_real(number),
                None => self.is_rounded |= values.push_missing(),
            },
            (CellReading::Stamp(format, stamps), Some(Found::Seconds(seconds))) => match format.nanoseconds(token) {
                Some(nanoseconds) => seconds.push(stamps.seconds_of(nanoseconds)),
                None if is_missing(token) => seconds.push(f64::NAN),
                None => return Err(wrong(true)),
            },
            _ => {}
        }
        Ok(())
    }

    /// A missing value in every column.
    fn push_blank(&mut self) -> Result<(), Fault> {
        for column in &mut self.columns {
            match column {
                Found::Numbers(values) => self.is_rounded |= values.push_missing(),
                Found::Seconds(seconds) => seconds.push(f64::NAN),
                Found::Nothing => {}
            }
        }
        self.rows += 1;
        Ok(())
    }
}

/// The cells of a row without quotation marks, and without the blanks around them.
/// Most are shorter than what a search for their ends by `str::split` gains.
fn cells(row: &str, separator: u8) -> impl Iterator<Item = &str> {
    let is_blank = |byte: Option<&u8>| matches!(byte, Some(b' ' | b'\t'));
    let mut rest = Some(row);
    std::iter::from_fn(move || {
        let text = rest?;
        let end = text.bytes().position(|byte| byte == separator);
        let cell = &text[..end.unwrap_or(text.len())];
        rest = end.map(|end| &text[end + 1..]);
        let is_padded = is_blank(cell.as_bytes().first()) || is_blank(cell.as_bytes().last());
        Some(if is_padded { cell.trim_matches([' ', '\t']) } else { cell })
    })
}

/// Whether a row has a separator too many at its end.
fn ends_empty(row: &str, reading: &RowReading<'_>, found: usize) -> bool {
    let separator = char::from(reading.dialect.separator);
    found == reading.columns + 1 && separator != ' ' && row.trim_end_matches([' ', '\r']).ends_with(separator)
}

/// Double precision keeps all integers of this many digits.
const MOST_EXACT_DIGITS: usize = 15;

/// Appends the number of a cell; says whether integers are rounded by it, and `None` where the cell is not a number.
fn push_number(values: &mut Values, cell: &str, dialect: Dialect) -> Option<bool> {
    if let Values::Integer(integers) = values
        && let Ok(integer) = cell.parse()
    {
        integers.push(integer);
        return Some(false);
    }
    let rounds = values.push_real(number(cell, dialect)?);
    Some(rounds || cell.len() > MOST_EXACT_DIGITS && (cell.parse().is_ok_and(is_rounded) || is_rounded_decimal(cell)))
}

/// Whether a decimal number stands for an integer that double precision rounds, such as 9007199254740993.0.
fn is_rounded_decimal(cell: &str) -> bool {
    let Some((whole, fraction)) = cell.split_once('.') else { return false };
    fraction.bytes().all(|digit| digit == b'0') && whole.parse().is_ok_and(is_rounded)
}

impl Fault {
    /// The error at a line.
    fn at(self, line: u64) -> Cause {
        match self {
            Self::Cells { found, expected } => {
                Cause::malformed(format!("line {line} has {} where the lines before have {expected}", counted(found, "value")))
            }
            Self::Unclosed => Cause::malformed(format!("line {line} has a quotation mark that is not closed")),
            Self::Empty { column } => Cause::malformed(format!("line {line} has no value in column {column}")),
            Self::Wrong { column, cell, is_time } => {
                let what = if is_time { "date or time like those above it" } else { "number" };
                Cause::malformed(format!("line {line}, column {column}: “{}” is not a {what}", shorten(&cell)))
            }
            Self::Other(cause) => cause,
        }
    }
}

fn shorten(cell: &str) -> String {
    let mut short: String = cell.chars().take(30).collect();
    if short.len() < cell.len() {
        short.push('…');
    }
    short
}
