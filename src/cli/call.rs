//! Calls of commands from another program, as the Python module makes them: words and arrays in, and what the command writes out.

use super::interruption::{begin, give_up};
use super::loading::{Input, with_inputs};
use super::notes::noted;
use super::{Failure, Parsed, output, parsed, quiet_faults, unread};
use crate::fault::caught;
use std::ffi::OsString;
use std::sync::{Mutex, Once, PoisonError};

/// The bytes that a command wrote to standard output, and its notes on the result.
#[derive(Debug)]
pub struct Called {
    /// The bytes, in the format that the words ask for.
    pub output: Vec<u8>,
    /// The notes, a line each.
    pub notes: Vec<String>,
}

/// Why a call gave nothing, in one line that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// The words, or the arrays, are wrong.
    #[error("{0}")]
    Wrong(String),
    /// The work failed.
    #[error("{0}")]
    Failed(String),
}

/// Runs one command at a time: its name and options as they are typed, in which the names of `inputs` stand for files.
///
/// An input is the content of a file of any known format. Progress and cancellation are those of the whole process: see [`cancel_call`].
///
/// # Errors
/// As the command line has them, without its exit codes.
pub fn call(words: &[String], inputs: Vec<Input>) -> Result<Called, CallError> {
    static ONE: Mutex<()> = Mutex::new(());
    static START: Once = Once::new();
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    START.call_once(quiet_faults);
    begin();
    let words = std::iter::once("papillon").chain(words.iter().map(String::as_str)).map(OsString::from);
    let (done, notes) = noted(|| with_inputs(inputs, || done(words)));
    match done {
        Ok(output) => Ok(Called { output, notes }),
        Err(Failure::Call(message)) => Err(CallError::Wrong(message)),
        Err(failure) => Err(CallError::Failed(failure.to_string())),
    }
}

/// Ends the call that runs as soon as its work looks at its flag; the call then fails.
pub fn cancel_call() {
    give_up();
}

/// The bytes that a call writes.
fn done(words: impl Iterator<Item = OsString>) -> Result<Vec<u8>, Failure> {
    match parsed(words, "papillon")? {
        Parsed::Print(help) => Ok(help.to_string().into_bytes()),
        Parsed::Run(arguments, matches) => {
            unread::check(&matches)?;
            let command = arguments.command.ok_or_else(|| Failure::Call("name a command, as spectrum".into()))?;
            let output = caught(|| output::kept(|| command.run())).unwrap_or_else(|fault| Err(Failure::Work(fault)))?;
            unread::tell(&matches);
            Ok(output)
        }
    }
}
