//! Numbers as text: separated by commas, semicolons, tabs or blanks, with or without a header row.
//!
//! One column is one real signal. Two columns are its real and imaginary parts, or two channels where the header gives them other names.
//! With more columns every row is a signal of its own, complex where the header alternates `real[0],imaginary[0],…`.
//! A column whose header says time gives the sampling rate, and each of the others is a channel.
//! Digits 0 and 1 without separators, 2^n of them on the only line, are the truth table of a Boolean function.
//! Integers stay integers. Lines that begin with # are comments. A value in quotation marks may hold separators, and ends on its line.

use super::table::{Header, Table};
use super::time_column::{TimeColumn, seconds_of};
use super::{Decoded, FileFormat, Holds, OutputFormat};
use crate::signal::{Axis, Cause, Channel, Misfit, Samples, Signal, SignalKind, memory};
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
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if let Some(function) = truth_table(text) {
        return function;
    }
    let mut table = Table::parse(text, true)?;
    let timed = timed(&table)?;
    if table.times.is_some() && timed.is_none() {
        // The first column has no times, and is one like the others.
        table = Table::parse(text, false)?;
    }
    let n_rows = table.values.len() / table.columns;
    let (header, columns) = (table.header, table.columns);
    let mut notes = Vec::new();
    if table.is_rounded || columns == 2 && table.values.is_rounded_to_reals() {
        notes.push("Some integers are rounded to the 53 bits of double precision, because they are written as decimals, or other values are fractions, imaginary parts or larger than 64 bits.".to_owned());
    }
    if let Some(signal) = timed {
        return Ok(Signal { notes: [signal.notes, notes].concat(), ..signal });
    }
    let rows = |shape, name: String, samples| Signal::from_channels("", SignalKind::Rows, shape, vec![Channel::new(name, samples)]);
    let mut signal = match columns {
        1 => {
            let name = header.and_then(|header| header.names().next());
            rows((1, n_rows), name.unwrap_or_else(|| "value".to_owned()), table.values.samples())
        }
        2 if header.is_none_or(|header| header.is_complex(0)) => rows((1, n_rows), "value".to_owned(), table.values.complex(0, 2)?),
        2 => {
            let names = header.into_iter().flat_map(Header::names).enumerate();
            let channels = names.map(|(index, name)| Ok(Channel::new(name, table.values.column(index, 2)?)));
            notes.push(
                "The two columns are channels, as their names say; with the names real and imaginary they would be one complex signal."
                    .to_owned(),
            );
            Signal::from_channels("", SignalKind::Rows, (1, n_rows), channels.collect::<Result<_, Cause>>()?)
        }
        _ if header.is_some_and(|header| header.is_complex(0)) => {
            rows((n_rows, columns / 2), "value".to_owned(), table.values.complex(0, 2)?)
        }
        _ => {
            if columns == 4 && header.is_some_and(|header| header.names().eq(["a", "b", "c", "d"])) {
                notes.push(SYSTEM_NOTE.to_owned());
            }
            rows((n_rows, columns), "value".to_owned(), table.values.samples())
        }
    };
    signal.notes = notes;
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
        Signal { notes: vec![note], ..signal }
    }))
}

/// Channels beside a column of times. Each takes some hundred bytes beside its samples.
const MOST_CHANNELS: usize = 1 << 16;

/// The other columns of a table whose first column has times: one complex signal, or a channel each. `None` for other tables.
fn timed(table: &Table<'_>) -> Result<Option<Signal>, Cause> {
    let (Some(header), Some(times), columns) = (table.header, &table.times, table.columns) else { return Ok(None) };
    let (n, first) = (times.len(), header.names().next().unwrap_or_default());
    let Some(time) = TimeColumn::of(&first, times) else { return Ok(None) };
    let channels = if columns == 2 && header.is_complex(1) {
        vec![Channel::new("value", table.values.complex(0, 2)?)]
    } else if columns > MOST_CHANNELS {
        return Err(Cause::unsupported(format!("it has {columns} columns beside the times; 1 to {MOST_CHANNELS} are read")));
    } else {
        let named = (0..).zip(header.names().skip(1));
        named.map(|(column, name)| Ok(Channel::new(name, table.values.column(column, columns)?))).collect::<Result<_, Cause>>()?
    };
    let signal = Signal::from_channels("", SignalKind::Rows, (1, n), channels);
    let axis = match (time.sampling, seconds_of(&first)) {
        (Some(sampling), _) => Some(Axis::new("", sampling)),
        (None, Some(seconds)) => {
            let positions = Some(times.iter().map(|time| time * seconds).collect());
            Some(Axis { per_unit: None, positions, ..Axis::of_rate(1.0) })
        }
        (None, None) => None,
    };
    Ok(Some(Signal { axis, notes: vec![time.note], ..signal }))
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
