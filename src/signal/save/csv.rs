//! CSV with a header row, and every number with all the digits that it needs to be read back as it was.
//!
//! A line has one row a sample: `value`, `real,imaginary`, or a column a channel. Several rows are a batch: one row a line, `x[0],x[1],…` or `real[0],imaginary[0],…`.

use super::super::{Samples, Signal};
use std::fmt::Write as _;
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
    let samples = &signal.channels[0].samples;
    let mut text = String::new();
    if signal.rows == 1 && !samples.is_complex() {
        let names: Vec<String> = signal.channels.iter().map(|channel| heading(&channel.name)).collect();
        writeln!(out, "{}", names.join(","))?;
    } else if signal.rows == 1 {
        writeln!(out, "real,imaginary")?;
    } else {
        let names = (0..signal.columns).map(|k| if samples.is_complex() { format!("real[{k}],imaginary[{k}]") } else { format!("x[{k}]") });
        writeln!(out, "{}", names.collect::<Vec<_>>().join(","))?;
    }
    // A line stands upright, a batch one row a line.
    let width = if signal.rows == 1 { 1 } else { signal.columns };
    for row in 0..signal.len() / width {
        text.clear();
        for index in row * width..(row + 1) * width {
            for channel in &signal.channels {
                if !text.is_empty() {
                    text.push(',');
                }
                number(&mut text, &channel.samples, index);
            }
        }
        text.push('\n');
        out.write_all(text.as_bytes())?;
    }
    Ok(())
}

/// A name that is no number and breaks no row.
fn heading(name: &str) -> String {
    let clean: String = name.chars().map(|c| if matches!(c, ',' | ';' | '"' | '\t') || c.is_control() { ' ' } else { c }).collect();
    let clean = clean.trim();
    if clean.is_empty() || clean.starts_with('#') || clean.parse::<f64>().is_ok() { format!("column {clean}") } else { clean.to_owned() }
}

/// Appends one sample; single precision is widened first, so that the text reads back as the same number in double precision.
fn number(text: &mut String, samples: &Samples, index: usize) {
    let done = match samples {
        Samples::U8(v) => write!(text, "{}", v[index]),
        Samples::U16(v) => write!(text, "{}", v[index]),
        Samples::I32(v) => write!(text, "{}", v[index]),
        Samples::I64(v) => write!(text, "{}", v[index]),
        Samples::F32(v) => write!(text, "{:?}", f64::from(v[index])),
        Samples::F64(v) => write!(text, "{:?}", v[index]),
        Samples::Complex32(v) => write!(text, "{:?},{:?}", f64::from(v[index].re), f64::from(v[index].im)),
        Samples::Complex64(v) => write!(text, "{:?},{:?}", v[index].re, v[index].im),
    };
    done.expect("writing to a string does not fail");
}
