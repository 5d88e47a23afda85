//! Writes a signal in the format that the ending names: NPY, CSV, PNG, TIFF or WAV.
//!
//! A file is written beside its place and renamed, so that there is never half a file; what the format cannot hold is refused with a word on what could.

mod csv;
mod npy;
mod png;
mod tiff;
mod wav;

pub use wav::DEFAULT_RATE_HZ;

use super::error::{FileError, one_line};
use super::{Kind, Signal};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The formats that are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter)]
pub enum OutputFormat {
    /// numpy's array; keeps every type.
    Npy,
    /// Text with a header and full precision.
    Csv,
    /// 8- or 16-bit gray or RGB.
    Png,
    /// Float of 32 bits.
    Tiff,
    /// Float of 32 bits.
    Wav,
}

impl OutputFormat {
    /// The format that the ending of `path` names.
    pub fn of(path: &Path) -> Result<Self, FileError> {
        let ending = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        ending.parse().map_err(|problem| FileError::Unsuitable { name: one_line(&path.display().to_string()), problem })
    }
}

impl FromStr for OutputFormat {
    type Err = String;

    fn from_str(ending: &str) -> Result<Self, String> {
        match ending.to_ascii_lowercase().as_str() {
            "npy" => Ok(Self::Npy),
            "csv" => Ok(Self::Csv),
            "png" => Ok(Self::Png),
            "tif" | "tiff" => Ok(Self::Tiff),
            "wav" => Ok(Self::Wav),
            "" => Err("the name has no ending that names a format; use .npy, .csv, .png, .tiff or .wav".to_owned()),
            other => Err(format!("“.{}” is not written; use .npy, .csv, .png, .tiff or .wav", one_line(other))),
        }
    }
}

/// Writes `signal` to `path` in the format of its ending.
pub fn save(path: impl AsRef<Path>, signal: &Signal) -> Result<(), FileError> {
    let path = path.as_ref();
    let format = OutputFormat::of(path)?;
    check_signal(path, format, signal)?;
    replace(path, |out| encode(out, signal, format))
}

/// Refuses a signal that `format` cannot hold, as [`save`] does before it opens `path`.
pub fn check_signal(path: &Path, format: OutputFormat, signal: &Signal) -> Result<(), FileError> {
    check(signal, format).map_err(|problem| unsuitable(path, problem))
}

/// Writes `signal` to any writer, such as standard output.
pub fn write(out: &mut dyn Write, signal: &Signal, format: OutputFormat) -> Result<(), FileError> {
    let path = Path::new("standard output");
    check_signal(path, format, signal)?;
    let done = encode(out, signal, format).and_then(|()| out.flush());
    done.map_err(|source| FileError::Io { verb: "write", path: path.to_owned(), source })
}

/// Writes a picture of `rows` × `columns` as PNG, fast: `pixels` are gray bytes, or RGB where there are three times as many.
pub fn write_picture_png(path: impl AsRef<Path>, rows: usize, columns: usize, pixels: &[u8]) -> Result<(), FileError> {
    replace(path.as_ref(), |out| encode_picture_png(out, rows, columns, pixels, ""))
}

/// As [`write_picture_png`], to any writer; a `description` that is not empty goes into the file as text.
///
/// Panics where the number of bytes is neither `rows · columns` nor three times that.
pub fn encode_picture_png(out: &mut dyn Write, rows: usize, columns: usize, pixels: &[u8], description: &str) -> io::Result<()> {
    png::encode_bytes(out, rows, columns, pixels, description)
}

/// Runs `write` on a new file beside `path`, then puts it in the place of `path`; on failure nothing is left.
pub fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), FileError> {
    let failed = |source| FileError::Io { verb: "write", path: path.to_owned(), source };
    if path.is_dir() {
        return Err(failed(io::ErrorKind::IsADirectory.into()));
    }
    // A device or a pipe is written to as it is, because it cannot be replaced.
    if path.exists() && !path.is_file() {
        let mut out = BufWriter::new(File::options().write(true).open(path).map_err(failed)?);
        return write(&mut out).and_then(|()| out.flush()).map_err(failed);
    }
    // What a link points to is replaced, not the link.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let beside = beside(&target);
    let file = File::create_new(&beside).map_err(failed)?;
    unfinished().push(beside.clone());
    let mut out = BufWriter::with_capacity(1 << 20, file);
    let done = write(&mut out).and_then(|()| out.flush()).and_then(|()| put_in_place(&beside, &target));
    if done.is_err() {
        drop(out);
        // The first error is the one to report; the file beside is of no use to anyone.
        let _ = fs::remove_file(&beside);
    }
    unfinished().retain(|other| *other != beside);
    done.map_err(failed)
}

/// Gives the new file the name of the old one, and its permissions.
fn put_in_place(new: &Path, old: &Path) -> io::Result<()> {
    if let Ok(known) = fs::metadata(old) {
        fs::set_permissions(new, known.permissions())?;
    }
    fs::rename(new, old)
}

/// The files that are being written.
fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes what is half written: for a program that is interrupted and about to end.
pub fn remove_unfinished() {
    for path in unfinished().drain(..) {
        // There is nobody left to tell.
        let _ = fs::remove_file(path);
    }
}

/// A name in the same folder that two programs at once do not share.
fn beside(path: &Path) -> PathBuf {
    use std::sync::atomic::{AtomicU32, Ordering};
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}-{count}.part", std::process::id()))
}

fn unsuitable(path: &Path, problem: String) -> FileError {
    FileError::Unsuitable { name: one_line(&path.display().to_string()), problem }
}

/// Whether `format` can hold `signal`, known before a file is opened.
fn check(signal: &Signal, format: OutputFormat) -> Result<(), String> {
    if signal.is_empty() {
        return Err("the signal has no samples".to_owned());
    }
    match format {
        OutputFormat::Npy => npy::check(signal),
        OutputFormat::Csv => csv::check(signal),
        OutputFormat::Png => png::check(signal),
        OutputFormat::Tiff => tiff::check(signal),
        OutputFormat::Wav => wav::check(signal),
    }
}

fn encode(out: &mut dyn Write, signal: &Signal, format: OutputFormat) -> io::Result<()> {
    match format {
        OutputFormat::Npy => npy::encode(out, signal),
        OutputFormat::Csv => csv::encode(out, signal),
        OutputFormat::Png => png::encode(out, signal),
        OutputFormat::Tiff => tiff::encode(out, signal),
        OutputFormat::Wav => wav::encode(out, signal),
    }
}

/// The refusal of complex samples by formats of real ones.
fn refuse_complex(signal: &Signal, format: &str) -> Result<(), String> {
    if signal.is_complex() {
        return Err(format!("{format} holds no complex numbers; write .npy or .csv, or a picture of the magnitude"));
    }
    Ok(())
}

/// The refusal of several rows of lines by formats of pictures is none: rows are rows. That of several channels that are not colours is one.
fn refuse_bands(signal: &Signal, format: &str) -> Result<(), String> {
    if signal.channels.len() > 1 && !(signal.kind == Kind::Picture && signal.is_colour()) {
        return Err(format!(
            "{format} holds one channel or red, green and blue, and here are {}; choose one channel",
            signal.channels.len()
        ));
    }
    Ok(())
}
