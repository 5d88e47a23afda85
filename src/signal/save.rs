//! Writes a signal in the format that the ending names.
//!
//! A new file is written beside the old one and renamed, so there is never half a file.

use super::Signal;
use super::error::FileError;
use super::formats::OutputFormat;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Writes `signal` to `path` in the format of its ending.
///
/// # Errors
/// When the ending names no format, the format cannot hold the signal, or the file cannot be written.
pub fn save(path: impl AsRef<Path>, signal: &Signal) -> Result<(), FileError> {
    let path = path.as_ref();
    let format = OutputFormat::of(path)?;
    format.check(&path.display().to_string(), signal)?;
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

/// Runs `write` on a new file beside `path`, which then replaces `path`. After a failure, the new file is removed.
///
/// # Errors
/// When the file cannot be written.
pub fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), FileError> {
    let failed = |source| FileError::Io { verb: "write", path: path.to_owned(), source };
    if path.is_dir() {
        return Err(failed(io::ErrorKind::IsADirectory.into()));
    }
    // A device or a pipe cannot be replaced, so it is written to directly.
    if path.exists() && !path.is_file() {
        let mut out = BufWriter::new(File::options().write(true).open(path).map_err(failed)?);
        return write(&mut out).and_then(|()| out.flush()).map_err(failed);
    }
    // The target of a link is replaced, not the link.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let beside = beside(&target);
    let file = File::create_new(&beside).map_err(failed)?;
    unfinished().push(beside.clone());
    let mut out = BufWriter::with_capacity(1 << 20, file);
    let done = write(&mut out).and_then(|()| out.flush()).and_then(|()| put_in_place(&beside, &target));
    if done.is_err() {
        drop(out);
        // The first error is reported; an error of the removal adds nothing.
        let _ = fs::remove_file(&beside);
    }
    unfinished().retain(|other| *other != beside);
    done.map_err(failed)
}

/// Gives the new file the name and the permissions of the old one.
fn put_in_place(new: &Path, old: &Path) -> io::Result<()> {
    if let Ok(known) = fs::metadata(old) {
        fs::set_permissions(new, known.permissions())?;
    }
    fs::rename(new, old)
}

/// The new files that are not complete yet.
fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes incomplete files, when the program is interrupted and about to end.
pub fn remove_unfinished() {
    for path in unfinished().drain(..) {
        // The program ends, so nobody would see an error.
        let _ = fs::remove_file(path);
    }
}

/// The name of a new file in the same folder, different in every process and at every call.
fn beside(path: &Path) -> PathBuf {
    use std::sync::atomic::{AtomicU32, Ordering};
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}-{count}.part", std::process::id()))
}
