//! Reads a signal from a file or from bytes. The content decides about the format, the ending does not.

use super::error::{FileError, one_line};
use super::formats::{FileFormat, RAW, guess, guessed, gzip};
use super::reading::Content;
use super::{Cause, PageKind, Pages, ReadOptions, Reading, Signal, Watch, fitting_name, memory};
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

/// Reads a signal to the end of a stream, such as standard input, as a person decides; `name` is for titles and messages.
///
/// # Errors
/// As [`load_as`].
pub fn load_stream(name: &str, stream: &mut dyn Read, how: &Reading) -> Result<Signal, FileError> {
    let limit = memory::limit().max(memory::ALWAYS_FREE);
    let content = read_all(stream, (0, limit), &how.watch).map_err(|source| FileError::Io { verb: "read", path: name.into(), source })?;
    decoded(name, &Content::new(content), how)
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

/// The most characters of a name that are kept.
const MOST_OF_NAME: usize = 120;

/// The signal in the content of a file, or of a file in a package of gzip.
pub(super) fn decoded(name: &str, file: &Content, how: &Reading) -> Result<Signal, FileError> {
    let name = one_line(&fitting_name(name, |text| text.chars().count() <= MOST_OF_NAME));
    let unpacked;
    let (content, inner_name) = if gzip::is_packed(file) {
        let content = caught(|| gzip::unpacked(file)).unwrap_or_else(|fault| Err(Cause::fault(&fault)));
        unpacked = Content::new(content.map_err(|cause| FileError::Content { name: name.clone(), format: gzip::NAME, cause })?);
        (&unpacked, gzip::inner_name(&name))
    } else {
        (file, &name[..])
    };
    if content.is_empty() {
        return Err(FileError::Empty { name });
    }
    let ending = inner_name.rsplit_once('.').map_or(String::new(), |(_, ending)| ending.to_ascii_lowercase());
    // Samples without a header are read as a person says, or as the ending does.
    let guessed = guessed(&ending, content).filter(|_| how.options.raw.is_none());
    let raw = how.options.raw.or(guessed);
    let how = &Reading { options: ReadOptions { raw, ..how.options.clone() }, watch: how.watch.clone() };
    let format = raw.map_or_else(|| FileFormat::recognise(&name, content), |_| Ok(&RAW))?;
    let decoded = caught(|| format.decode(content, how)).unwrap_or_else(|fault| Err(Cause::fault(&fault)));
    // A format without pages has one.
    let decoded = decoded.and_then(|signal| match signal.pages {
        Some(_) => Ok(signal),
        None => Pages::chosen(&how.options, 1, PageKind::Page).map(|_| signal),
    });
    let mut signal = match decoded {
        Ok(signal) => signal,
        Err(cause) => return Err(FileError::Content { name, format: format.name, cause }),
    };
    if let Some(pages) = signal.pages {
        signal.notes.insert(0, pages.note());
    }
    let not_finite: usize = signal.channels.iter().map(|channel| channel.samples.count_not_finite()).sum();
    if not_finite > 0 {
        let (samples, spread) = (counted(not_finite, "infinite or NaN sample"), if not_finite == 1 { "spreads" } else { "spread" });
        signal.notes.push(format!("{samples}, which {spread} over the whole transform unless the mean is removed before it.").into());
    }
    if guessed.is_some() {
        signal.notes.push(guess());
    } else if raw.is_none() && FileFormat::of_ending(&ending).is_some_and(|promised| !promised.recognises(content)) {
        signal.notes.push(format!("The name ends in .{ending}, but the content is {}.", format.name).into());
    }
    signal.raw = raw;
    signal.name = name;
    Ok(signal)
}

/// All bytes of a file, which must fit into memory.
fn read(path: &Path, watch: &Watch) -> io::Result<Vec<u8>> {
    /// Limit in bytes for a pipe or a device, which has no length and may never end.
    const UNKNOWN_LENGTH: u64 = 1 << 30;
    let mut file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let limit = memory::limit().max(memory::ALWAYS_FREE);
    let limit = if metadata.is_file() { limit } else { limit.min(UNKNOWN_LENGTH) };
    watch.expect(metadata.len());
    let bytes = read_all(&mut file, (metadata.len(), limit), watch)?;
    let is_cut = (bytes.len() as u64) < metadata.len() && file.metadata()?.len() < metadata.len();
    if is_cut { Err(io::Error::other("it became shorter while it was read; read it again")) } else { Ok(bytes) }
}

/// All bytes of a stream, about `expected` and at most `limit`.
fn read_all(stream: &mut dyn Read, (expected, limit): (u64, u64), watch: &Watch) -> io::Result<Vec<u8>> {
    /// Bytes that are read at a time.
    const BLOCK: u64 = 16 << 20;
    let mut bytes = Vec::new();
    bytes.try_reserve(usize::try_from(expected.min(limit)).unwrap_or(0) + 1)?;
    loop {
        let n = stream.take(BLOCK.min(limit + 1 - bytes.len() as u64)).read_to_end(&mut bytes)?;
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
