//! Reads the files of the command line, and prints what their signals note.

use super::failure::Failure;
use super::notes::say;
use super::remedy::in_words;
use crate::signal::generate::Boolean;
use crate::signal::{Layout, ReadOptions, Reading, Signal};
use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The content of a file that a call from another program brings.
#[derive(Debug)]
pub struct Input {
    /// The word that stands for it in the call.
    pub name: String,
    /// A file of any format that is read.
    pub content: Vec<u8>,
}

/// The files that the call brings.
static INPUTS: Mutex<Vec<Input>> = Mutex::new(Vec::new());

/// Does work that reads these in place of files.
pub(super) fn with_inputs<R>(inputs: Vec<Input>, work: impl FnOnce() -> R) -> R {
    *INPUTS.lock().unwrap_or_else(PoisonError::into_inner) = inputs;
    let done = work();
    INPUTS.lock().unwrap_or_else(PoisonError::into_inner).clear();
    done
}

/// A file that the call brings by the name of `path`, if it does.
fn brought(path: &Path, how: &Reading) -> Option<Result<Signal, Failure>> {
    let inputs = INPUTS.lock().unwrap_or_else(PoisonError::into_inner);
    let input = inputs.iter().find(|input| Path::new(&input.name) == path)?;
    Some(crate::signal::load_stream(&input.name, &mut &input.content[..], how).map_err(Failure::from))
}

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
    let how = Reading { options, ..Default::default() };
    if let Some(brought) = brought(path, &how) {
        return brought;
    }
    match Boolean::from_argument(path) {
        Some(function) => function.signal().map_err(|error| Failure::Call(format!("{}: {error}", path.display()))),
        None if path.as_os_str() == "-" => Ok(crate::signal::load_stream("standard input", &mut io::stdin().lock(), &how)?),
        None => Ok(crate::signal::load_as(path, &how)?),
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
