//! Reads a signal from a file or from bytes. The content decides about the format, the ending does not.

use super::error::{FileError, one_line};
use super::formats::{FORMATS, FileFormat};
use super::reading::Content;
use super::{Cause, Reading, Signal, Watch, memory};
use crate::fault::caught;
use crate::numerals::counted;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Reads the file at `path`; the signal has at least one sample.
///
/// # Errors
/// When the file cannot be read, no format recognises it, or its content is wrong; the message is one line.
pub fn load(path: impl AsRef<Path>) -> Result<Signal, FileError> {
    load_as(path, &Reading::default())
}

/// Reads the file at `path` as a person decides.
///
/// # Errors
/// As [`load`]; and when the table does not allow what is decided.
pub fn load_as(path: impl AsRef<Path>, how: &Reading) -> Result<Signal, FileError> {
    let path = path.as_ref();
    let content = read(path, &how.watch).map_err(|source| FileError::Io { verb: "read", path: path.to_owned(), source })?;
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    decoded(&name, &Content::new(content), how)
}

/// Reads a signal from bytes that were dropped or pasted; `name` is for titles and messages.
///
/// # Errors
/// As [`load`].
pub fn load_bytes(name: &str, bytes: &[u8]) -> Result<Signal, FileError> {
    load_bytes_as(name, bytes, &Reading::default())
}

/// Reads a signal from bytes as a person decides.
///
/// # Errors
/// As [`load_as`].
pub fn load_bytes_as(name: &str, bytes: &[u8], how: &Reading) -> Result<Signal, FileError> {
    decoded(name, &Content::new(bytes.to_vec()), how)
}

/// The signal in the content of a file.
fn decoded(name: &str, bytes: &Content, how: &Reading) -> Result<Signal, FileError> {
    let name = one_line(name);
    if bytes.is_empty() {
        return Err(FileError::Empty { name });
    }
    let format = match FileFormat::recognise(bytes) {
        Ok(format) => format,
        Err(found) => return Err(FileError::Unrecognised { name, found, known: FORMATS.iter().map(|format| format.name).collect() }),
    };
    let decoded = caught(|| format.decode(bytes, how)).unwrap_or_else(|fault| Err(Cause::damaged(fault)));
    let mut signal = match decoded {
        Ok(signal) => signal,
        Err(cause) => return Err(FileError::Content { name, format: format.name, cause }),
    };
    let not_finite: usize = signal.channels.iter().map(|channel| channel.samples.count_not_finite()).sum();
    if not_finite > 0 {
        let (samples, spread) = (counted(not_finite, "infinite or NaN sample"), if not_finite == 1 { "spreads" } else { "spread" });
        signal.notes.push(format!("{samples}, which {spread} over the whole transform unless the mean is removed before it.").into());
    }
    if let Some(ending) = wrong_ending(&name, bytes) {
        signal.notes.push(format!("The name ends in .{ending}, but the content is {}.", format.name).into());
    }
    signal.name = name;
    Ok(signal)
}

/// All bytes of a file, which must fit into memory.
fn read(path: &Path, watch: &Watch) -> io::Result<Vec<u8>> {
    /// Limit in bytes for a pipe or a device, which has no length and may never end.
    const UNKNOWN_LENGTH: u64 = 1 << 30;
    /// Bytes that are read at a time.
    const BLOCK: u64 = 16 << 20;
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let limit = memory::limit().max(memory::ALWAYS_FREE);
    let limit = if metadata.is_file() { limit } else { limit.min(UNKNOWN_LENGTH) };
    watch.expect(metadata.len());
    let mut bytes = Vec::new();
    bytes.try_reserve(usize::try_from(metadata.len().min(limit)).unwrap_or(0) + 1)?;
    loop {
        let n = (&file).take(BLOCK.min(limit + 1 - bytes.len() as u64)).read_to_end(&mut bytes)?;
        watch.advance(n);
        if n == 0 {
            break;
        }
        if watch.is_cancelled() {
            return Err(io::ErrorKind::Interrupted.into());
        }
    }
    if bytes.len() as u64 > limit {
        return Err(io::Error::other(format!("it has more than the {limit} bytes that fit into memory")));
    }
    Ok(bytes)
}

/// The ending of `name`, where it promises a format that does not recognise the content.
fn wrong_ending(name: &str, bytes: &[u8]) -> Option<String> {
    let ending = name.rsplit_once('.')?.1.to_ascii_lowercase();
    let is_wrong = !FileFormat::of_ending(&ending)?.recognises(bytes);
    is_wrong.then_some(ending)
}
