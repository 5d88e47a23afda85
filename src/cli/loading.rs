//! Reads the files of the command line, and prints what their signals note.

use super::failure::Failure;
use super::notes::say;
use super::remedy::in_words;
use crate::signal::generate::Boolean;
use crate::signal::{Layout, ReadOptions, Reading, Signal};
use std::io;
use std::path::Path;

/// Reads numbers from a file, or a function after "f:", and prints its notes: rows stay rows, and no column is one of times.
pub(crate) fn load_numbers(path: &Path) -> Result<Signal, Failure> {
    load_telling(path, |_| true)
}

/// As [`load_numbers`], but prints only the notes that `tells` accepts.
pub(crate) fn load_telling(path: &Path, tells: impl Fn(&str) -> bool) -> Result<Signal, Failure> {
    let signal = load_as(path, ReadOptions { layout: Layout::Matrix, ..Default::default() })?;
    tell_texts(&signal, tells);
    Ok(signal)
}

/// Reads a file as `options` decide, standard input for "-", or a function after "f:", and prints nothing.
pub(crate) fn load_as(path: &Path, options: ReadOptions) -> Result<Signal, Failure> {
    match Boolean::from_argument(path) {
        Some(function) => function.signal().map_err(|error| Failure::Call(format!("{}: {error}", path.display()))),
        None if path.as_os_str() == "-" => {
            let how = Reading { options, ..Default::default() };
            Ok(crate::signal::load_stream("standard input", &mut io::stdin().lock(), &how)?)
        }
        None => Ok(crate::signal::load_as(path, &Reading { options, ..Default::default() })?),
    }
}

/// Prints the notes of a signal that `tells` accepts, for a command without options on how a file is read.
pub(crate) fn tell_texts(signal: &Signal, tells: impl Fn(&str) -> bool) {
    for note in signal.notes.iter().filter(|note| tells(&note.text)) {
        say(&format!("{}: {}", signal.name, note.text));
    }
}

/// Prints the notes of a signal that `tells` accepts, those on decisions with the options that read it otherwise.
pub(crate) fn tell_notes(signal: &Signal, tells: impl Fn(&str) -> bool) {
    for note in signal.notes.iter().filter(|note| tells(&note.text)) {
        let words = if note.others.is_empty() { note.text.clone() } else { in_words(note) };
        say(&format!("{}: {words}", signal.name));
    }
}
