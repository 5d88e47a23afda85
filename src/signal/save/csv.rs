//! CSV by `csv` with a header row, and every number with all the digits that it needs to be read back as it was.
//!
//! A line has one row a sample: `value`, `real,imaginary`, or a column a channel. Several rows are a batch: one row a line, `x[0],x[1],…` or `real[0],imaginary[0],…`.

use super::super::{Samples, Signal};
use std::io::{self, Write};

pub(super) fn check(signal: &Signal) -> Result<(), String> {
    let n = signal.channels.len();
    if n > 1 && (signal.rows > 1 || signal.is_complex()) {
        return Err(format!("CSV holds one channel of it, and here are {n}; choose one channel, or write .npy"));
    }
    if signal.rows > 1 && signal.columns <= 2 && !signal.is_complex() {
        return Err(format!("{} rows of {} would be read back as one signal; write .npy", signal.rows, signal.columns));
    }
    Ok(())
}

pub(super) fn encode(out: &mut dyn Write, signal: &Signal) -> io::Result<()> {
    let is_complex = signal.is_complex();
    let mut table = csv::Writer::from_writer(out);
    let names: Vec<String> = match (signal.rows, is_complex) {
        (1, false) => signal.channels.iter().map(|channel| heading(&channel.name)).collect(),
        (1, true) => vec!["real".to_owned(), "imaginary".to_owned()],
        (_, false) => (0..signal.columns).map(|k| format!("x[{k}]")).collect(),
        (_, true) => (0..signal.columns).flat_map(|k| [format!("real[{k}]"), format!("imaginary[{k}]")]).collect(),
    };
    table.write_record(names).map_err(plain)?;
    // A line stands upright, a batch one row a line.
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
        // Ends the row.
        table.write_record(None::<&[u8]>).map_err(plain)?;
    }
    table.flush()
}

/// What happened to the file, which the library wraps: whoever closes a pipe early is told apart by it.
fn plain(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// A name that is no number and no comment, and holds none of the separators by which a table is told.
fn heading(name: &str) -> String {
    let clean: String = name.chars().map(|c| if matches!(c, ',' | ';' | '"') || c.is_control() { ' ' } else { c }).collect();
    let clean = clean.trim();
    if clean.is_empty() || clean.starts_with('#') || clean.parse::<f64>().is_ok() { format!("column {clean}") } else { clean.to_owned() }
}

/// Real and imaginary part of one sample; single precision is widened first, so that the text reads back as the same number in double precision.
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
