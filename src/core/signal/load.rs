//! Reads a signal from a file or from bytes. The content decides about the format, the ending does not.

use super::error::{FileError, one_line};
use super::formats::FileFormat;
use super::{Cause, Signal, TableOptions, memory};
use crate::fault::caught;
use crate::numerals::counted;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// How a file is read.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// What a person decides about a table; other files have nothing to decide.
    pub table: TableOptions,
    /// How far it is, and whether it goes on.
    pub watch: Watch,
}

/// How far the reading of a file is, shared with whoever waits for it.
#[derive(Debug, Clone, Default)]
pub struct Watch(Arc<Watched>);

#[derive(Debug, Default)]
struct Watched {
    done: AtomicU64,
    total: AtomicU64,
    cancelled: AtomicBool,
}

impl Watch {
    /// Gives up reading.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether reading is given up.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::Relaxed)
    }

    /// The bytes that are read and those of the whole file, where the file says its size.
    pub fn bytes(&self) -> Option<(u64, u64)> {
        let [done, total] = [&self.0.done, &self.0.total].map(|count| count.load(Ordering::Relaxed));
        // Every byte is fetched and then parsed.
        (total > 0).then(|| (done.min(2 * total) / 2, total))
    }

    /// Counts bytes that are fetched or parsed.
    pub(super) fn advance(&self, bytes: usize) {
        self.0.done.fetch_add(bytes as u64, Ordering::Relaxed);
    }
}

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
    let bytes = read(path, &how.watch).map_err(|source| FileError::Io { verb: "read", path: path.to_owned(), source })?;
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    load_bytes_as(&name, &bytes, how)
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
    let name = one_line(name);
    if bytes.is_empty() {
        return Err(FileError::Empty { name });
    }
    let format = match FileFormat::recognise(bytes) {
        Ok(format) => format,
        Err(found) => return Err(FileError::Unrecognised { name, found }),
    };
    let decoded = caught(|| format.decode(bytes, how)).unwrap_or_else(|fault| Err(Cause::damaged(fault)));
    let mut signal = match decoded {
        Ok(signal) => signal,
        Err(cause) => return Err(FileError::Content { name, format: format.name, cause }),
    };
    let not_finite: usize = signal.channels.iter().map(|channel| channel.samples.count_not_finite()).sum();
    if not_finite > 0 {
        let (samples, spread) = (counted(not_finite, "infinite or NaN sample"), if not_finite == 1 { "spreads" } else { "spread" });
        signal.notes.push(format!("{samples}, which {spread} over the whole transform unless the mean is removed before it."));
    }
    if let Some(ending) = wrong_ending(&name, bytes) {
        signal.notes.push(format!("The name ends in .{ending}, but the content is {}.", format.name));
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
    watch.0.total.store(metadata.len(), Ordering::Relaxed);
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

/// The bytes of a file that the program wrote: a record, a session, measured times. Such files are small, and nothing else than a file.
///
/// # Errors
/// When the file cannot be read, is no regular file, or is larger than any file of the program.
pub fn read_own(path: &Path) -> io::Result<Vec<u8>> {
    /// The largest record, of thousands of cases, takes a tenth of this.
    const MOST_BYTES: u64 = 64 << 20;
    // Opening a pipe would wait for its writer.
    let metadata = std::fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !metadata.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(io::Error::other(format!("it has more than the {} MiB that such files have", MOST_BYTES >> 20)));
    }
    Ok(bytes)
}

/// The ending of `name`, where it promises a format that does not recognise the content.
fn wrong_ending(name: &str, bytes: &[u8]) -> Option<String> {
    let ending = name.rsplit_once('.')?.1.to_ascii_lowercase();
    let is_wrong = !FileFormat::of_ending(&ending)?.recognises(bytes);
    is_wrong.then_some(ending)
}
