//! The records of sweeps that are kept, newest first: files in the folder of the settings, where there is one.

use crate::bench::{End, Record};
use egui::Context;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Records that are read when the window opens; older ones stay where they are.
const MOST: usize = 200;

/// A record that is kept.
#[derive(Debug, Clone)]
pub(super) struct Kept {
    /// The record.
    pub record: Arc<Record>,
    /// Its file.
    path: Option<PathBuf>,
}

/// The records that are kept.
#[derive(Default)]
pub(super) struct Shelf {
    folder: Option<PathBuf>,
    kept: Vec<Kept>,
    /// The record that was deleted last.
    deleted: Option<Arc<Record>>,
    /// What a thread has read or could not do.
    brought: Arc<Mutex<Brought>>,
}

#[derive(Default)]
struct Brought {
    kept: Vec<Kept>,
    troubles: Vec<String>,
}

impl Shelf {
    /// Keeps records in a folder from now on, and reads those that lie there.
    pub(super) fn keep_in(&mut self, folder: PathBuf, ctx: &Context) {
        self.folder = Some(folder.clone());
        let (brought, ctx) = (self.brought.clone(), ctx.clone());
        spawn(move || {
            let found = read(&folder);
            let mut brought = brought.lock().unwrap_or_else(PoisonError::into_inner);
            *brought = Brought { kept: found.kept, troubles: found.troubles };
            ctx.request_repaint();
        });
    }

    /// Takes in what threads have brought; gives what went wrong, a line each.
    pub(super) fn take(&mut self) -> Vec<String> {
        let brought = std::mem::take(&mut *self.brought.lock().unwrap_or_else(PoisonError::into_inner));
        let known = |kept: &Kept| self.kept.iter().any(|other| other.path.is_some() && other.path == kept.path);
        let new: Vec<Kept> = brought.kept.into_iter().filter(|kept| !known(kept)).collect();
        self.kept.extend(new);
        self.sort();
        brought.troubles
    }

    fn sort(&mut self) {
        self.kept.sort_by_key(|kept| std::cmp::Reverse(kept.record.taken_at));
    }

    /// The records, newest first.
    pub(super) fn kept(&self) -> &[Kept] {
        &self.kept
    }

    /// Puts a record among the others, in front of those that are as new.
    pub(super) fn add(&mut self, record: Arc<Record>) {
        if record.end == End::Open || record.measurements.is_empty() {
            return;
        }
        let path = self.folder.as_ref().map(|folder| free_path(folder, &record, &self.kept));
        self.write(path.clone(), record.clone());
        self.kept.insert(0, Kept { record, path });
        self.sort();
    }

    /// Gives a record another name.
    pub(super) fn rename(&mut self, index: usize, name: &str) {
        let Some(kept) = self.kept.get_mut(index) else { return };
        Arc::make_mut(&mut kept.record).sweep.name = name.to_owned();
        let (path, record) = (kept.path.clone(), kept.record.clone());
        self.write(path, record);
    }

    /// The record that was deleted last, as long as the window is open.
    pub(super) fn deleted(&self) -> Option<&Arc<Record>> {
        self.deleted.as_ref()
    }

    /// Keeps the record that was deleted last again, in a new file.
    pub(super) fn put_back(&mut self) {
        if let Some(record) = self.deleted.take() {
            self.add(record);
        }
    }

    /// Deletes a record and its file; the record can be put back.
    pub(super) fn delete(&mut self, index: usize) {
        if index >= self.kept.len() {
            return;
        }
        let Kept { record, path } = self.kept.remove(index);
        self.deleted = Some(record);
        if let Some(path) = path {
            let brought = self.brought.clone();
            spawn(move || {
                if let Err(error) = std::fs::remove_file(&path) {
                    let mut brought = brought.lock().unwrap_or_else(PoisonError::into_inner);
                    brought.troubles.push(format!("cannot delete {}: {error}", path.display()));
                }
            });
        }
    }

    fn write(&self, path: Option<PathBuf>, record: Arc<Record>) {
        let Some(path) = path else { return };
        let brought = self.brought.clone();
        spawn(move || {
            let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all).map_err(|error| error.to_string());
            if let Err(error) = folder.and_then(|()| record.save(&path).map_err(|error| error.to_string())) {
                let mut brought = brought.lock().unwrap_or_else(PoisonError::into_inner);
                brought.troubles.push(format!("the record is kept until the window closes: {error}"));
            }
        });
    }
}

/// Files are read and written beside the window, which never waits.
fn spawn(work: impl FnOnce() + Send + 'static) {
    if let Err(error) = std::thread::Builder::new().name("records".into()).spawn(work) {
        log::warn!("no thread for a record: {error}");
    }
}

fn read(folder: &Path) -> Brought {
    let mut brought = Brought::default();
    let Ok(entries) = std::fs::read_dir(folder) else { return brought };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "json"));
    paths.sort();
    for path in paths.into_iter().rev().take(MOST) {
        match Record::load(&path) {
            Ok(record) => brought.kept.push(Kept { record: Arc::new(record), path: Some(path) }),
            Err(error) => brought.troubles.push(error.to_string()),
        }
    }
    brought
}

/// A file of its own for a record; names begin with the time, so that they sort by it.
fn free_path(folder: &Path, record: &Record, kept: &[Kept]) -> PathBuf {
    let name = |n: usize| folder.join(format!("{}-{n}.json", record.taken_at));
    let is_free = |path: &PathBuf| !path.exists() && kept.iter().all(|other| other.path.as_ref() != Some(path));
    (0..).map(name).find(is_free).expect("there is a free name among all numbers")
}

/// "2026-11-21 14:05", in the universal time of records.
pub(super) fn date(seconds: u64) -> String {
    // Days are counted from the first of March of the year 0, so that a leap day ends its year (Howard Hinnant's algorithm).
    let days = seconds / 86_400 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + 400 * era + u64::from(month <= 2);
    let (hour, minute) = (seconds % 86_400 / 3600, seconds % 3600 / 60);
    format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::{Line, Settings, Sweep, run};
    use crate::engine::{DeviceChoice, Devices};
    use crate::transforms::Shape;
    use std::sync::atomic::AtomicBool;
    use std::time::{Duration, Instant};

    fn record() -> Arc<Record> {
        let lines = vec![Line::new("walsh", DeviceChoice::Cpu, vec![Shape::line(8)])];
        let sweep = Sweep { name: "first".into(), experiment: None, lines, settings: Settings { repeat: 1, ..Settings::default() } };
        Arc::new(run(&sweep, &mut Devices::default(), &mut |_, _| {}, &AtomicBool::new(false)))
    }

    fn wait(shelf: &mut Shelf, done: impl Fn(&Shelf) -> bool) {
        let deadline = Instant::now() + Duration::from_secs(20);
        while !done(shelf) {
            assert!(Instant::now() < deadline, "the shelf does not come to rest");
            assert_eq!(shelf.take(), Vec::<String>::new());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn records_are_kept_renamed_and_deleted() {
        let folder = tempfile::TempDir::new().expect("there is room for a folder");
        let place = folder.path().join("records");
        let files = |n: usize| {
            let place = place.clone();
            move |_: &Shelf| std::fs::read_dir(&place).is_ok_and(|entries| entries.count() == n)
        };
        let (ctx, mut shelf) = (Context::default(), Shelf::default());
        shelf.keep_in(place.clone(), &ctx);
        let record = record();
        shelf.add(record.clone());
        shelf.add(record.clone());
        wait(&mut shelf, files(2));
        shelf.rename(0, "the second");
        let renamed = |name: &str| {
            std::fs::read_dir(&place).is_ok_and(|entries| {
                entries.flatten().any(|entry| Record::load(&entry.path()).is_ok_and(|record| record.sweep.name == name))
            })
        };
        wait(&mut shelf, |_| renamed("the second"));
        let mut other = Shelf::default();
        other.keep_in(place.clone(), &ctx);
        wait(&mut other, |other| !other.brought.lock().unwrap_or_else(PoisonError::into_inner).kept.is_empty());
        other.take();
        assert_eq!(other.kept().len(), 2);
        assert!(other.kept().iter().any(|kept| kept.record.sweep.name == "the second"));
        shelf.delete(0);
        shelf.delete(7);
        wait(&mut shelf, files(1));
        shelf.put_back();
        wait(&mut shelf, files(2));
        assert!(renamed("the second") && shelf.deleted().is_none() && shelf.kept().len() == 2);
        shelf.delete(0);
        wait(&mut shelf, files(1));
        std::fs::write(place.join("9999999999-0.json"), "{").expect("the folder is there");
        let troubles = read(&place).troubles;
        assert!(troubles.len() == 1 && troubles[0].contains("9999999999-0.json"), "{troubles:?}");
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01 00:00");
        assert_eq!(date(951_782_400), "2000-02-29 00:00");
        assert_eq!(date(1_795_269_900), "2026-11-21 14:05");
    }
}
