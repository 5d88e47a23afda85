//! Where results go: a file, written whole or not at all, or standard output for `-`.

use super::Failure;
use crate::signal::{FileError, OutputFormat, Signal, replace, save, write};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Whether `path` means standard output.
pub(super) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Refuses a place where no file can be written, before any work is done.
pub(super) fn check(path: &Path) -> Result<(), Failure> {
    if is_standard(path) {
        return Ok(());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder {
        Some(folder) if !folder.is_dir() => {
            Err(Failure::Work(format!("cannot write {}: there is no folder {}", path.display(), folder.display())))
        }
        _ if path.is_dir() => Err(Failure::Work(format!("cannot write {}: it is a folder", path.display()))),
        _ => Ok(()),
    }
}

/// The format of values written to `path`; on standard output the one asked for.
pub(super) fn values_format(path: &Path, on_standard_output: OutputFormat) -> Result<OutputFormat, Failure> {
    if is_standard(path) { Ok(on_standard_output) } else { Ok(OutputFormat::of(path)?) }
}

/// Writes values.
pub(super) fn values(path: &Path, format: OutputFormat, signal: &Signal) -> Result<(), Failure> {
    if is_standard(path) {
        write(&mut BufWriter::new(io::stdout().lock()), signal, format)?;
    } else {
        save(path, signal)?;
    }
    Ok(())
}

/// Writes whatever `write` writes.
pub(super) fn bytes(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    if !is_standard(path) {
        return Ok(replace(path, write)?);
    }
    let mut out = BufWriter::new(io::stdout().lock());
    let done = write(&mut out).and_then(|()| out.flush());
    done.map_err(|source| FileError::Io { verb: "write", path: "standard output".into(), source }.into())
}

/// Writes text to standard output.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    bytes(Path::new("-"), |out| out.write_all(text.as_bytes()))
}
