//! The files around the one that is shown: the next and the previous one of its folder, and a thread that sees when it changes on disk.

use crate::signal::FORMATS;
use std::cmp::Ordering;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use crate::engine::locked;

/// How often the file is looked at.
const EVERY: Duration = Duration::from_millis(500);
/// Formats of images, which are paged through without signals between them.
const IMAGES: [&str; 11] = ["PNG", "JPEG", "TIFF", "WebP", "GIF", "BMP", "Netpbm", "PFM", "FITS", "NIfTI", "DICOM"];

/// The next file (or the previous one, by −1) of the same sort in the folder of `path`, by the names as people count; the last one is followed by the first.
///
/// # Errors
/// In one line, when the folder cannot be read or holds no other such file.
pub(super) fn neighbour(path: &Path, step: isize) -> Result<PathBuf, String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let shown = |path: &Path| path.display().to_string();
    let entries = std::fs::read_dir(folder).map_err(|error| format!("cannot read the folder {}: {error}", shown(folder)))?;
    let wanted = sort_of(path).unwrap_or(true);
    let files = entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|file| sort_of(file) == Some(wanted) && file.is_file());
    let name = |path: &Path| path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
    let mut names: Vec<String> = files.map(|file| name(&file)).collect();
    names.sort_by(|a, b| as_people_count(a, b));
    let here = names.iter().position(|other| *other == name(path));
    if names.len() < 2 && here.is_some() || names.is_empty() {
        let sort = if wanted { "image" } else { "signal" };
        return Err(format!("there is no other {sort} in the folder {}", shown(folder)));
    }
    let next = match here {
        Some(here) => (here as isize + step).rem_euclid(names.len() as isize) as usize,
        None => 0,
    };
    Ok(folder.join(&names[next]))
}

/// Whether the ending of a file is that of an image (or of another signal); `None` for other files.
fn sort_of(path: &Path) -> Option<bool> {
    let ending = path.extension()?.to_str()?.to_lowercase();
    FORMATS.iter().find(|format| format.endings.contains(&ending.as_str())).map(|format| IMAGES.contains(&format.name))
}

/// Compares names so that image 2 is before image 10.
fn as_people_count(a: &str, b: &str) -> Ordering {
    let parts = |text: &str| {
        let mut parts: Vec<(u64, String)> = vec![(0, String::new())];
        for c in text.chars() {
            let last = parts.last_mut().expect("there is always one");
            match c.to_digit(10) {
                Some(digit) if last.1.is_empty() => last.0 = last.0.saturating_mul(10).saturating_add(digit.into()),
                Some(digit) => parts.push((digit.into(), String::new())),
                None => last.1.extend(c.to_lowercase()),
            }
        }
        parts
    };
    parts(a).cmp(&parts(b)).then_with(|| a.cmp(b))
}

/// Size and time of a file, which tell two states apart.
type Stamp = Option<(u64, SystemTime)>;

fn stamp(path: &Path) -> Stamp {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.len(), metadata.modified().ok()?))
}

/// A thread that looks at one file. It ends when this handle is dropped.
pub(super) struct FileWatch {
    paths: Sender<Option<PathBuf>>,
    watched: Option<PathBuf>,
    changed: Arc<Mutex<Option<PathBuf>>>,
}

impl FileWatch {
    /// Watches nothing yet; `notify` is called from the thread when the file has changed and is at rest again.
    pub(super) fn start(notify: impl Fn() + Send + 'static) -> Self {
        let (paths, orders) = channel::<Option<PathBuf>>();
        let changed = Arc::new(Mutex::new(None));
        let found = changed.clone();
        let watch = move || {
            let (mut path, mut known, mut seen): (Option<PathBuf>, Stamp, Stamp) = (None, None, None);
            loop {
                match if path.is_some() { orders.recv_timeout(EVERY) } else { orders.recv().map_err(|_| RecvTimeoutError::Disconnected) } {
                    Ok(next) => {
                        known = next.as_deref().and_then(stamp);
                        (seen, path) = (known, next);
                    }
                    Err(RecvTimeoutError::Timeout) => {
                        let Some(path) = &path else { continue };
                        let now = stamp(path);
                        // A file that is being written changes from look to look.
                        if now.is_some() && now != known && now == seen {
                            known = now;
                            *locked(&found) = Some(path.clone());
                            notify();
                        }
                        seen = now;
                    }
                    Err(RecvTimeoutError::Disconnected) => return,
                }
            }
        };
        if let Err(error) = std::thread::Builder::new().name("file watch".into()).spawn(watch) {
            log::warn!("files are not watched: {error}");
        }
        Self { paths, watched: None, changed }
    }

    /// Watches this file from now on, or none.
    pub(super) fn set(&mut self, path: Option<&Path>) {
        if self.watched.as_deref() != path {
            self.watched = path.map(Path::to_owned);
            // Without the thread nothing is watched.
            let _ = self.paths.send(self.watched.clone());
        }
    }

    /// Whether the watched file has changed since the last call.
    pub(super) fn take(&self) -> bool {
        let changed = locked(&self.changed).take();
        changed.is_some() && changed == self.watched
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn a_folder_is_paged_through_round_and_round() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["scan10.png", "scan2.png", "Scan3.TIF", "notes.csv", "readme.md"] {
            std::fs::write(folder.path().join(name), "x").expect("it is written");
        }
        let next = |name: &str, step| {
            neighbour(&folder.path().join(name), step).map(|path| path.file_name().expect("it has a name").to_string_lossy().into_owned())
        };
        assert_eq!(next("scan2.png", 1).as_deref(), Ok("Scan3.TIF"));
        assert_eq!(next("Scan3.TIF", 1).as_deref(), Ok("scan10.png"));
        assert_eq!(next("scan10.png", 1).as_deref(), Ok("scan2.png"));
        assert_eq!(next("scan2.png", -1).as_deref(), Ok("scan10.png"));
        assert_eq!(next("gone.png", 1).as_deref(), Ok("scan2.png"));
        assert!(next("notes.csv", 1).expect_err("there is one").contains("no other signal"));
    }

    #[test]
    fn a_change_is_seen_once_the_file_is_at_rest() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.csv");
        std::fs::write(&path, "1\n").expect("it is written");
        let mut watch = FileWatch::start(|| ());
        watch.set(Some(&path));
        std::thread::sleep(Duration::from_millis(200));
        assert!(!watch.take());
        std::fs::write(&path, "1\n2\n").expect("it is written");
        let begin = Instant::now();
        while !watch.take() {
            assert!(begin.elapsed() < Duration::from_secs(20), "nobody has seen the change");
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(!watch.take(), "a change is seen once");
    }
}
