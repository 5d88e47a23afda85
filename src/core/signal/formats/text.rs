//! Tables as text: separated by commas, semicolons, tabs, bars or blanks, with or without names above the columns.
//!
//! One column is one real signal. Two without names are y over x where the first rises evenly, and otherwise real and imaginary parts.
//! More columns without names are rows: each is a signal of its own, complex where the header alternates `real[0],imaginary[0],…`.
//! Columns with names are channels; [`assemble`] finds the times among them.
//! Digits 0 and 1 without separators, 2^n of them on the only line, are the truth table of a Boolean function.
//! Integers stay integers. Lines that begin with #, % or ! are comments. A value in quotation marks may hold separators and ends of lines.

mod cells;
mod dialect;
mod encoding;
mod head;
mod header;
mod marks;
mod quotes;
mod rows;

pub(super) use encoding::{characters, is_text};

use super::{Decoded, FileFormat, Holds, OutputFormat};
use crate::numerals::{counted, counted_as};
use crate::remedy::Remedy;
use crate::signal::reading::Reading;
use crate::signal::table::{
    Cells, Column, Columns, Layout, MOST_CHANNELS, Name, Note, ROUNDED, StampFormat, Stamps, TimeChoice, Values, assemble, is_imaginary,
    is_narrow, is_real,
};
use crate::signal::{Cause, Channel, ColumnFacts, ColumnKind, Misfit, ReadOptions, Samples, Signal, SignalKind, TableFacts, memory};
use cells::{number, tokens};
use head::Head;
use marks::Marks;
use num_complex::Complex64;
use rows::{CellReading, Found};
use std::io::{self, Write};
use std::sync::Arc;

/// Numbers as text: CSV, TSV, blanks.
pub(super) static TEXT: FileFormat = FileFormat {
    name: "CSV or text",
    endings: &["csv", "tsv", "txt", "dat"],
    marks: &[],
    is_content: is_text,
    decode: |content, how| decode(content, how),
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

/// Decodes a table.
fn decode(bytes: &[u8], how: &Reading) -> Decoded {
    memory::checked_bytes(&[bytes.len() as u64, 4], || format!("{} of text", counted(bytes.len(), "byte")))?;
    let text = quotes::whole_rows(characters(bytes));
    if let Some(function) = truth_table(&text) {
        return function;
    }
    let head = Head::of(&text, how.options.decimal)?;
    let first = head.rows().next().map_or((0, 1), |line| (line.start, line.number));
    // A row may end in separators that are blanks. Empty lines behind the last row belong to no row.
    let rows = &text[first.0..];
    let filled = rows.trim_end().len();
    let body = &rows[..rows[filled..].find(['\r', '\n']).map_or(rows.len(), |end| filled + end)];
    let names = names(&head);
    let layout = how.options.layout;
    let plans = plans(&head, layout);
    let is_matrix = is_matrix(&head, &names, &plans, &how.options)?;
    let reading = rows::RowReading {
        dialect: head.dialect,
        newline: head.newline,
        is_matrix,
        columns: head.columns,
        has_blanks: head.columns == 1 && layout != Layout::Matrix && !is_spaced(body, head.newline),
        plans: if is_matrix && layout != Layout::Batch { &[] } else { &plans },
        first_line: first.1,
    };
    let read = rows::read(body, &reading, &how.watch)?;
    if !is_matrix {
        return table(read, names, &head, &reading, how);
    }
    let mut signal = with_choice(matrix(read, &names, &reading)?, &head, names, how);
    signal.notes.extend(dialect::note(head.dialect, head.rows()));
    Ok(signal)
}

/// The names of the columns, shorter than their number where the header leaves out more than it may.
fn names(head: &Head<'_>) -> Option<Vec<Name>> {
    let nameless = std::iter::repeat_n("", head.n_nameless);
    let names = nameless.chain(head.names.as_ref()?.iter().map(String::as_str));
    let unit = |index: usize| head.units.as_ref().and_then(|units| units.get(index)).map_or("", String::as_str);
    Some(names.take(head.columns).enumerate().map(|(index, name)| Name::with_unit(name, unit(index))).collect())
}

/// Whether empty lines are between all rows, and are not missing values.
fn is_spaced(body: &str, newline: u8) -> bool {
    const FEWEST: usize = 8;
    const MOST: usize = 200;
    let lines: Vec<bool> = head::lines(body, newline).take(MOST).map(|line| line.text.trim().is_empty()).collect();
    lines.len() > 2 * FEWEST && lines.iter().enumerate().all(|(index, is_empty)| *is_empty == (index % 2 == 1))
}

/// How each column is read, judged by its first filled cells. Empty if none is judged, as all hold numbers: in rows of a matrix, and with more columns than channels may be.
fn plans(head: &Head<'_>, layout: Layout) -> Vec<CellReading> {
    /// Filled cells that decide.
    const DECIDING: usize = 100;
    if layout == Layout::Matrix || head.columns > MOST_CHANNELS {
        return Vec::new();
    }
    let mut filled: Vec<(Vec<String>, usize)> = vec![(Vec::new(), 0); head.columns];
    let mut n_rows = 0;
    for line in head.rows() {
        n_rows += 1;
        for ((cells, n), cell) in filled.iter_mut().zip(tokens(line.text, head.dialect.separator)) {
            let Some(cell) = cell.filter(|cell| !cells::is_missing(cell)) else { continue };
            *n += 1;
            if cells.len() < DECIDING {
                cells.push(cell.into_owned());
            }
        }
    }
    let plan = |(cells, n_filled): (Vec<String>, usize)| {
        let n_numbers = cells.iter().filter(|cell| number(cell, head.dialect).is_some()).count();
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        match StampFormat::of(&cells).filter(|_| 2 * n_numbers < cells.len()) {
            Some(format) => {
                let first = cells.iter().find(|cell| format.nanoseconds(cell).is_some()).copied().unwrap_or_default();
                let stamps = Stamps::new(&format, first);
                CellReading::Stamp(format, stamps)
            }
            None if n_rows > 1 && cells.is_empty() => CellReading::Sparse,
            // A cell alone is not a column of text, but a wrong number.
            None if n_rows > 1 && (2 * n_numbers < cells.len() || n_numbers < cells.len() && is_beside(n_filled, n_rows)) => {
                Marks::of(&cells, head.dialect).map_or(CellReading::Skip, CellReading::Marked)
            }
            None => CellReading::Number,
        }
    };
    filled.into_iter().map(plan).collect()
}

/// Whether a few cells are facts about the table that are beside its first rows, as oscilloscopes write them.
fn is_beside(n_filled: usize, n_rows: usize) -> bool {
    const FEWEST_ROWS: usize = 50;
    n_rows >= FEWEST_ROWS && 4 * n_filled < n_rows
}

/// Whether rows are signals, or equations, and not samples.
fn is_matrix(head: &Head<'_>, names: &Option<Vec<Name>>, plans: &[CellReading], options: &ReadOptions) -> Result<bool, Cause> {
    let (n, layout) = (head.columns, options.layout);
    let are_numbers = plans.iter().all(|plan| matches!(plan, CellReading::Number));
    let named: Vec<&str> = names.iter().flatten().map(|name| name.full.as_str()).collect();
    if names.is_some() && named.len() != n {
        return Err(Cause::malformed(format!("the header names {}, but the rows have {n}", counted(named.len(), "column"))));
    }
    let is_time = |index: usize| names.as_ref().and_then(|names| names.get(index)?.time()).is_some();
    if n > MOST_CHANNELS && layout == Layout::Auto && is_time(0) {
        return Err(Cause::unsupported(format!("it has {} columns beside the times; 1 to {MOST_CHANNELS} are read", n - 1)));
    }
    let is_sample = |(k, name): (usize, &&str)| **name == *format!("x[{k}]");
    let is_rows_by_names = || named == ["a", "b", "c", "d"] || n > 2 && (named.iter().enumerate().all(is_sample) || is_complex(&named));
    let is_one_row = || head.lines.len() == head.first + 1;
    Ok(match layout {
        Layout::Batch => n > 1,
        Layout::Matrix => n > 2,
        Layout::Columns => false,
        Layout::Auto if !are_numbers => false,
        // A person who names a column of times reads the table by columns.
        Layout::Auto if named.is_empty() => n > 2 && options.time == TimeChoice::Auto && !is_table_of_columns(head, options),
        Layout::Auto => n > MOST_CHANNELS || is_rows_by_names() || n > 2 && is_one_row() && !is_time(0),
    })
}

/// Whether columns without names are channels, because there are few and they are long. Rows of four numbers may be equations.
fn is_table_of_columns(head: &Head<'_>, options: &ReadOptions) -> bool {
    options.prefers_tables && head.columns != 4 && is_narrow(head.rows().count(), head.columns)
}

/// Whether names alternate between real and imaginary parts.
fn is_complex(names: &[&str]) -> bool {
    let is_part = |(k, name): (usize, &&str)| if k % 2 == 0 { is_real(name) } else { is_imaginary(name) };
    !names.is_empty() && names.len().is_multiple_of(2) && names.iter().enumerate().all(is_part)
}

/// The signal of rows, each of which is one of its own.
fn matrix(read: rows::Read, names: &Option<Vec<Name>>, reading: &rows::RowReading<'_>) -> Decoded {
    let columns = reading.n_numbers();
    let named: Vec<&str> = names.iter().flatten().map(|name| name.full.as_str()).collect();
    let Some(Found::Numbers(values)) = read.columns.into_iter().next() else { return Err(Cause::malformed("there are no numbers in it")) };
    if columns == 0 {
        return Err(Cause::malformed("there are no numbers in its rows"));
    }
    let is_complex = is_complex(&named) && named.len() == columns;
    let is_rounded = read.is_rounded || is_complex && values.is_rounded_to_reals();
    let (samples, columns) = match is_complex {
        true => (complex(&values)?, columns / 2),
        false => (values.samples(), columns),
    };
    let channel = Channel::new("value", samples);
    let mut signal = Signal::from_channels("", SignalKind::Rows, (read.rows, columns), vec![channel]);
    signal.notes.extend(is_rounded.then(|| ROUNDED.into()));
    signal.notes.extend((named == ["a", "b", "c", "d"]).then(|| SYSTEM_NOTE.into()));
    let left_out = reading.columns - reading.n_numbers();
    signal.notes.extend(
        (left_out > 0)
            .then(|| format!("{} of text or times left out of the rows.", counted_as(left_out, "column is", "columns are")).into()),
    );
    Ok(signal)
}

/// Rows that could be columns as well, as equations could not: offers the other reading, and says how rows of nameless columns are read where they are many.
fn with_choice(mut signal: Signal, head: &Head<'_>, names: Option<Vec<Name>>, how: &Reading) -> Signal {
    /// Columns that a person would choose one of.
    const MOST: usize = 64;
    let (rows, columns, layout) = (signal.rows, head.columns, how.options.layout);
    if layout == Layout::Matrix || columns > MOST_CHANNELS || signal.notes.iter().any(|note| note.text == SYSTEM_NOTE) {
        return signal;
    }
    if layout == Layout::Auto && names.is_none() && columns <= MOST && rows > 2 * columns {
        let text = format!("No names stand above the columns: each of the {rows} rows is a signal of {columns} values");
        signal.notes.insert(0, Note::new(text, [Remedy::TimeColumn("1".into())]));
    }
    let names = names.unwrap_or_else(|| (0..columns).map(Name::numbered).collect());
    let column = |name: Name| ColumnFacts { name: name.full, unit: name.unit, kind: ColumnKind::Number, channel: None };
    signal.table = Some(Arc::new(TableFacts {
        columns: names.into_iter().map(column).collect(),
        time: None,
        first_rows: first_rows(head),
        options: how.options.clone(),
        rows_are_signals: true,
    }));
    signal
}

/// A complex number from every two values.
fn complex(values: &Values) -> Result<Samples, Cause> {
    let n = values.len() / 2;
    let pairs = (0..n).map(|k| Complex64::new(values.at(2 * k), values.at(2 * k + 1)));
    Ok(Samples::Complex64(memory::collected(n, pairs)?))
}

/// The first rows as a person is shown them.
fn first_rows(head: &Head<'_>) -> Vec<Vec<String>> {
    /// Rows and columns that are shown.
    const SHOWN: [usize; 2] = [8, 64];
    let cells = |line: &dialect::Line<'_>| {
        tokens(line.text, head.dialect.separator).take(SHOWN[1]).flatten().map(|cell| crate::signal::one_line(&cell)).collect()
    };
    head.rows().take(SHOWN[0]).map(cells).collect()
}

/// The signal of columns.
fn table(read: rows::Read, names: Option<Vec<Name>>, head: &Head<'_>, reading: &rows::RowReading<'_>, how: &Reading) -> Decoded {
    let is_named = names.is_some();
    let is_by_length = !is_named && head.columns > 2 && how.options.layout == Layout::Auto && is_table_of_columns(head, &how.options);
    let mut names = names.unwrap_or_default().into_iter();
    let marked = |name: Name, plan: &CellReading| {
        if let CellReading::Marked(marks) = plan { Name::with_unit(&name.full, marks.unit()) } else { name }
    };
    let column = |(index, (found, plan)): (usize, (Found, &CellReading))| Column {
        name: marked(names.next().unwrap_or_else(|| Name::numbered(index)), plan),
        cells: match (found, plan) {
            (Found::Numbers(values), _) => Cells::Numbers(values),
            (Found::Seconds(seconds), CellReading::Stamp(_, stamps)) => Cells::Stamps(Stamps { seconds, ..stamps.clone() }),
            _ => Cells::Text,
        },
    };
    let columns = read.columns.into_iter().zip(reading.plans()).enumerate().map(column).collect();
    let table = Columns {
        columns,
        is_named,
        first_rows: first_rows(head),
        titles: head.titles.clone(),
        missing_codes: head.missing_codes.clone(),
        is_rounded: read.is_rounded,
        notes: dialect::note(head.dialect, head.rows()).into_iter().collect(),
    };
    let mut options = how.options.clone();
    if options.layout == Layout::Matrix {
        options.time = TimeChoice::None;
    }
    let mut signal = assemble(table, &options)?;
    if is_by_length {
        let text = format!("No names stand above the {} columns: each is a channel, as there are few and they are long", head.columns);
        signal.notes.insert(0, Note::new(text, [Remedy::Batch]));
    }
    Ok(signal)
}

/// The function whose values are the only line of a text, f(0) first; `None` for other texts.
fn truth_table(text: &str) -> Option<Decoded> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let digits = lines.next()?.as_bytes();
    let is_table = digits.len() >= 4 && digits.len().is_power_of_two() && digits.iter().all(|digit| matches!(digit, b'0' | b'1'));
    if !is_table || lines.next().is_some() {
        return None;
    }
    let values = memory::collected(digits.len(), digits.iter().map(|digit| digit - b'0'));
    Some(values.map(|values| {
        let channels = vec![Channel::new("f", Samples::U8(values))];
        let signal = Signal::from_channels("", SignalKind::Rows, (1, digits.len()), channels);
        let note = format!("The {} digits are a truth table, f(0) first.", digits.len());
        Signal { notes: vec![note.into()], ..signal }
    }))
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
/// A single row is upright: one value a line, `value` or `real,imaginary`, or one column for each channel.
/// Several rows stay rows: `x[0],x[1],…` or `real[0],imaginary[0],…`.
fn encode(out: &mut dyn Write, signal: &Signal) -> io::Result<()> {
    let is_complex = signal.is_complex();
    let mut table = csv::Writer::from_writer(out);
    let names: Vec<String> = match (signal.rows, is_complex) {
        (1, false) => signal.channels.iter().map(|channel| heading(&channel.label())).collect(),
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
        Samples::Pcm(v) => {
            let value = v.value(index).unwrap_or_default();
            return complex(value.re, value.im);
        }
    };
    [real, String::new()]
}
