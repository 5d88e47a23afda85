//! Reads the files of the command line, and prints what their signals note.

use super::failure::Failure;
use super::notes::say;
use super::remedy::in_words;
use crate::signal::generate::Boolean;
use crate::signal::{Layout, Reading, Signal, TableOptions};
use std::path::Path;

/// Reads numbers from a file, or a function after "f:", and prints its notes: rows stay rows, and no column is one of times.
pub(crate) fn load_numbers(path: &Path) -> Result<Signal, Failure> {
    load_telling(path, |_| true)
}

/// As [`load_numbers`], but prints only the notes that `tells` accepts.
pub(crate) fn load_telling(path: &Path, tells: impl Fn(&str) -> bool) -> Result<Signal, Failure> {
    let signal = load_as(path, TableOptions { layout: Layout::Matrix, ..Default::default() })?;
    tell_notes(&signal, tells);
    Ok(signal)
}

/// Reads a file as `table` decides, or a function after "f:", and prints nothing.
pub(crate) fn load_as(path: &Path, table: TableOptions) -> Result<Signal, Failure> {
    match Boolean::from_argument(path) {
        Some(function) => function.signal().map_err(|error| Failure::Call(format!("{}: {error}", path.display()))),
        None => Ok(crate::signal::load_as(path, &Reading { table, ..Default::default() })?),
    }
}

/// Prints the notes of a signal that `tells` accepts, those on decisions with the options that decide otherwise.
pub(crate) fn tell_notes(signal: &Signal, tells: impl Fn(&str) -> bool) {
    for (index, note) in signal.notes.iter().enumerate().filter(|(_, note)| tells(note)) {
        say(&format!("{}: {}", signal.name, signal.decision(index).map_or_else(|| note.clone(), in_words)));
    }
}
