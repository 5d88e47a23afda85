//! Writes a signal in the format that the ending names.

use super::Signal;
use super::error::FileError;
use super::formats::{OutputFormat, sigmf};
use super::replace::replace;
use std::io::Write;
use std::path::Path;

/// Writes `signal` to `path` in the format of its ending.
///
/// # Errors
/// When the ending names no format, the format cannot hold the signal, or the file cannot be written.
pub fn save(path: impl AsRef<Path>, signal: &Signal) -> Result<(), FileError> {
    let path = path.as_ref();
    let format = OutputFormat::of(path)?;
    format.check(&path.display().to_string(), signal)?;
    if sigmf::SIGMF.output.as_ref() == Some(format) {
        return sigmf::save(path, signal);
    }
    replace(path, |out| format.encode(out, signal))
}

/// Writes `signal` to any writer, such as standard output.
///
/// # Errors
/// When the format cannot hold the signal, or writing fails.
pub fn write(out: &mut dyn Write, signal: &Signal, format: &OutputFormat) -> Result<(), FileError> {
    let path = Path::new("standard output");
    format.check("standard output", signal)?;
    let done = format.encode(out, signal).and_then(|()| out.flush());
    done.map_err(|source| FileError::Io { verb: "write", path: path.to_owned(), source })
}
