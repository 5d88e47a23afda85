//! Replaces files whole, and changes files of the program while no other process does.
//!
//! A new file is written beside the old one and renamed, so there is never half a file.

use super::background::BackgroundFile;
use super::error::FileError;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Read as _, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

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
    let target = followed(path).map_err(failed)?;
    remove_abandoned(&target);
    let beside = beside(&target);
    let file = File::create_new(&beside).map_err(failed)?;
    unfinished().push(beside.clone());
    // Another process may remove the file of a process that is gone, and no other. Where the system has no locks, nothing is removed.
    let _ = file.lock();
    let mut out = BackgroundFile::new(file);
    let done = match (write(&mut out), out.finish()) {
        (Err(error), _) | (Ok(()), Err(error)) => Err(error),
        (Ok(()), Ok(_locked)) => put_in_place(&beside, &target),
    };
    if done.is_err() {
        // The first error is reported; an error of the removal adds nothing.
        let _ = fs::remove_file(&beside);
    }
    unfinished().retain(|other| *other != beside);
    done.map_err(failed)
}

/// The target of a link, which is replaced instead of the link; it need not exist.
fn followed(path: &Path) -> io::Result<PathBuf> {
    /// As many links in a row as Linux follows.
    const MOST_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            // A relative target counts from the folder of the link.
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("its links lead in a circle"))
}

/// Removes new files for the same target whose process was killed: nobody holds their lock.
fn remove_abandoned(target: &Path) {
    /// A process may not have locked its new file yet.
    const LOCKED_AFTER: Duration = Duration::from_secs(60);
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let start = format!(".{}.", target.file_name().unwrap_or_default().to_string_lossy());
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let number = name.strip_prefix(&start).and_then(|rest| rest.strip_suffix(".part"));
        let is_old =
            || entry.metadata().and_then(|known| known.modified()).is_ok_and(|time| time.elapsed().is_ok_and(|age| age > LOCKED_AFTER));
        if number.is_some_and(|number| number.chars().all(|c| c.is_ascii_digit() || c == '-'))
            && entry.file_type().is_ok_and(|kind| kind.is_file())
            && is_old()
            && File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok())
        {
            // It only takes room.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The bytes of a file that the program wrote: a record, a session, measured times. Such files are small, and nothing else than a file.
///
/// # Errors
/// When the file cannot be read, is not a regular file, or is larger than any file of the program.
pub fn read_own(path: &Path) -> io::Result<Vec<u8>> {
    /// The largest record, of thousands of cases, takes a tenth of this.
    const MOST_BYTES: u64 = 64 << 20;
    // Opening a pipe would wait for its writer.
    let metadata = fs::metadata(path)?;
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

/// Reads a file of the program, changes it and writes it, while no other process does. A file that `change` cannot read is kept under another name.
///
/// # Errors
/// When the file cannot be written.
pub fn update(path: &Path, change: impl FnOnce(io::Result<Vec<u8>>) -> Updated) -> Result<(), FileError> {
    let failed = |source| FileError::Io { verb: "write", path: path.to_owned(), source };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    let lock_path = with_suffix(path, "lock");
    let _lock = locked(&lock_path).map_err(|source| FileError::Io { verb: "lock", path: lock_path, source })?;
    let Updated { bytes, was_damaged } = change(read_own(path));
    if was_damaged {
        fs::rename(path, with_suffix(path, "damaged")).map_err(failed)?;
    }
    replace(path, |out| out.write_all(&bytes))
}

/// The file at `path`, once no other process holds its lock.
fn locked(path: &Path) -> io::Result<File> {
    /// Other processes hold the lock for as long as a small file takes.
    const PATIENCE: Duration = Duration::from_secs(10);
    // Opening a pipe would wait for its reader.
    if fs::metadata(path).is_ok_and(|known| !known.is_file()) {
        return Err(io::Error::other("it is no regular file; remove it"));
    }
    let (file, begin) = (File::create(path)?, Instant::now());
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) if begin.elapsed() > PATIENCE => {
                return Err(io::Error::other("another program holds it; end that program, or try again"));
            }
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(5)),
        }
    }
}

/// The new content of a file of the program.
#[derive(Debug)]
pub struct Updated {
    /// The content.
    pub bytes: Vec<u8>,
    /// Whether the old content could not be read and is to be kept.
    pub was_damaged: bool,
}

/// A name beside `path` with another ending behind its own.
fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(suffix);
    path.with_file_name(name)
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
