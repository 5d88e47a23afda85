//! Keeps the records of sweeps, newest first, as files in a folder of the settings, if there is one.

use crate::bench::{Record, SweepEnd};
use egui::Context;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The most records that are read when the window opens; older files stay unread.
const MOST_READ: usize = 200;

/// A record and its file.
#[derive(Debug, Clone)]
pub(super) struct StoredRecord {
    /// The record.
    pub record: Arc<Record>,
    /// The file, if there is a folder.
    path: Option<PathBuf>,
}

/// The records of the tab *Records*.
#[derive(Default)]
pub(super) struct RecordStore {
    folder: Option<PathBuf>,
    records: Vec<StoredRecord>,
    /// The record that was deleted last.
    deleted: Option<Arc<Record>>,
    /// Records and errors that a thread has left here.
    incoming: Arc<Mutex<ReadRecords>>,
}

/// Records read from files, and errors, one line each.
#[derive(Default)]
struct ReadRecords {
    records: Vec<StoredRecord>,
    errors: Vec<String>,
}

impl RecordStore {
    /// Keeps records in a folder from now on, and reads the records in it.
    pub(super) fn keep_in(&mut self, folder: PathBuf, ctx: &Context) {
        self.folder = Some(folder.clone());
        let (incoming, ctx) = (self.incoming.clone(), ctx.clone());
        spawn(move || {
            let found = read(&folder);
            let mut incoming = incoming.lock().unwrap_or_else(PoisonError::into_inner);
            *incoming = found;
            ctx.request_repaint();
        });
    }

    /// Takes the records that threads have read; returns their errors, one line each.
    pub(super) fn take_incoming(&mut self) -> Vec<String> {
        let incoming = std::mem::take(&mut *self.incoming.lock().unwrap_or_else(PoisonError::into_inner));
        let known = |stored: &StoredRecord| self.records.iter().any(|other| other.path.is_some() && other.path == stored.path);
        let new: Vec<StoredRecord> = incoming.records.into_iter().filter(|stored| !known(stored)).collect();
        self.records.extend(new);
        self.sort();
        incoming.errors
    }

    fn sort(&mut self) {
        self.records.sort_by_key(|stored| std::cmp::Reverse(stored.record.taken_at));
    }

    /// The records, newest first.
    pub(super) fn records(&self) -> &[StoredRecord] {
        &self.records
    }

    /// Adds a record in front of others of the same age.
    pub(super) fn add(&mut self, record: Arc<Record>) {
        if record.end == SweepEnd::Open || record.measurements.is_empty() {
            return;
        }
        let path = self.folder.as_ref().map(|folder| free_path(folder, &record, &self.records));
        self.write(path.clone(), record.clone());
        self.records.insert(0, StoredRecord { record, path });
        self.sort();
    }

    /// Renames a record.
    pub(super) fn rename(&mut self, index: usize, name: &str) {
        let Some(stored) = self.records.get_mut(index) else { return };
        Arc::make_mut(&mut stored.record).sweep.name = name.to_owned();
        let (path, record) = (stored.path.clone(), stored.record.clone());
        self.write(path, record);
    }

    /// The record that was deleted last since the window opened.
    pub(super) fn deleted(&self) -> Option<&Arc<Record>> {
        self.deleted.as_ref()
    }

    /// Restores the record that was deleted last, in a new file.
    pub(super) fn restore(&mut self) {
        if let Some(record) = self.deleted.take() {
            self.add(record);
        }
    }

    /// Deletes a record and its file; the record can be restored.
    pub(super) fn delete(&mut self, index: usize) {
        if index >= self.records.len() {
            return;
        }
        let StoredRecord { record, path } = self.records.remove(index);
        self.deleted = Some(record);
        if let Some(path) = path {
            let incoming = self.incoming.clone();
            spawn(move || {
                if let Err(error) = std::fs::remove_file(&path) {
                    let mut incoming = incoming.lock().unwrap_or_else(PoisonError::into_inner);
                    incoming.errors.push(format!("cannot delete {}: {error}", path.display()));
                }
            });
        }
    }

    fn write(&self, path: Option<PathBuf>, record: Arc<Record>) {
        let Some(path) = path else { return };
        let incoming = self.incoming.clone();
        spawn(move || {
            let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all).map_err(|error| error.to_string());
            if let Err(error) = folder.and_then(|()| record.save(&path).map_err(|error| error.to_string())) {
                let mut incoming = incoming.lock().unwrap_or_else(PoisonError::into_inner);
                incoming.errors.push(format!("the record is kept until the window closes: {error}"));
            }
        });
    }
}

/// Runs work on files in a thread of its own, because the window never waits.
fn spawn(work: impl FnOnce() + Send + 'static) {
    if let Err(error) = std::thread::Builder::new().name("records".into()).spawn(work) {
        log::warn!("no thread for a record: {error}");
    }
}

fn read(folder: &Path) -> ReadRecords {
    let mut incoming = ReadRecords::default();
    let Ok(entries) = std::fs::read_dir(folder) else { return incoming };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "json"));
    paths.sort();
    for path in paths.into_iter().rev().take(MOST_READ) {
        match Record::load(&path) {
            Ok(record) => incoming.records.push(StoredRecord { record: Arc::new(record), path: Some(path) }),
            Err(error) => incoming.errors.push(error.to_string()),
        }
    }
    incoming
}

/// An unused file name for a record; it begins with the time, so that names sort by time.
fn free_path(folder: &Path, record: &Record, kept: &[StoredRecord]) -> PathBuf {
    // Two windows may finish a sweep in the same second.
    let name = |n: usize| folder.join(format!("{}-{}-{n}.json", record.taken_at, std::process::id()));
    let is_free = |path: &PathBuf| !path.exists() && kept.iter().all(|other| other.path.as_ref() != Some(path));
    (0..).map(name).find(is_free).expect("there is a free name among all numbers")
}

/// The date of a Unix time in seconds, such as `2026-11-21 14:05`, in UTC.
pub(super) fn date(seconds: u64) -> String {
    // Howard Hinnant's algorithm counts days from 1 March of the year 0, so that a leap day is the last day of its year.
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
    use crate::bench::{Sweep, SweepLine, SweepSettings, run};
    use crate::engine::{DeviceChoice, Devices};
    use crate::transforms::Shape;
    use std::sync::atomic::AtomicBool;
    use std::time::{Duration, Instant};

    fn record() -> Arc<Record> {
        let lines = vec![SweepLine::new("walsh", DeviceChoice::Cpu, vec![Shape::line(8)])];
        let sweep = Sweep {
            name: "first".into(),
            experiment: None,
            differences: Vec::new(),
            lines,
            settings: SweepSettings { repeat: 1, ..SweepSettings::default() },
        };
        Arc::new(run(&sweep, &mut Devices::default(), &mut |_, _| {}, &AtomicBool::new(false)))
    }

    fn wait(store: &mut RecordStore, done: impl Fn(&RecordStore) -> bool) {
        let deadline = Instant::now() + Duration::from_secs(20);
        while !done(store) {
            assert!(Instant::now() < deadline, "the store does not come to rest");
            assert_eq!(store.take_incoming(), Vec::<String>::new());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn records_are_stored_renamed_and_deleted() {
        let folder = tempfile::TempDir::new().expect("there is room for a folder");
        let place = folder.path().join("records");
        let files = |n: usize| {
            let place = place.clone();
            move |_: &RecordStore| std::fs::read_dir(&place).is_ok_and(|entries| entries.count() == n)
        };
        let (ctx, mut store) = (Context::default(), RecordStore::default());
        store.keep_in(place.clone(), &ctx);
        let record = record();
        store.add(record.clone());
        store.add(record.clone());
        wait(&mut store, files(2));
        store.rename(0, "the second");
        let renamed = |name: &str| {
            std::fs::read_dir(&place).is_ok_and(|entries| {
                entries.flatten().any(|entry| Record::load(&entry.path()).is_ok_and(|record| record.sweep.name == name))
            })
        };
        wait(&mut store, |_| renamed("the second"));
        let mut other = RecordStore::default();
        other.keep_in(place.clone(), &ctx);
        wait(&mut other, |other| !other.incoming.lock().unwrap_or_else(PoisonError::into_inner).records.is_empty());
        other.take_incoming();
        assert_eq!(other.records().len(), 2);
        assert!(other.records().iter().any(|stored| stored.record.sweep.name == "the second"));
        store.delete(0);
        store.delete(7);
        wait(&mut store, files(1));
        store.restore();
        wait(&mut store, files(2));
        assert!(renamed("the second") && store.deleted().is_none() && store.records().len() == 2);
        store.delete(0);
        wait(&mut store, files(1));
        std::fs::write(place.join("9999999999-0.json"), "{").expect("the folder is there");
        let errors = read(&place).errors;
        assert!(errors.len() == 1 && errors[0].contains("9999999999-0.json"), "{errors:?}");
    }

    #[test]
    fn dates_follow_the_calendar() {
        assert_eq!(date(0), "1970-01-01 00:00");
        assert_eq!(date(951_782_400), "2000-02-29 00:00");
        assert_eq!(date(1_795_269_900), "2026-11-21 14:05");
    }
}
