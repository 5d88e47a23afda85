//! Times that were measured on this machine, for an algorithm, a transform, a shape and a device. A small JSON file keeps them.
//!
//! An entry belongs to one device, one driver and one version of this program, since each of them changes the times.

use super::{Backend, Cut};
use crate::plan::Precision;
use crate::signal::{FileError, Updated, read_own, update};
use crate::transforms::Shape;
use std::io;
use std::path::{Path, PathBuf};

/// The device and the precision of a measurement.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct MeasuredOn {
    /// Name of the adapter, or of the CPU with its threads.
    pub device: String,
    /// Name and version of the driver; empty on the CPU.
    pub driver: String,
    /// Version of this program.
    pub version: String,
    /// Precision of real and complex numbers.
    pub precision: Precision,
}

impl MeasuredOn {
    /// A backend of this machine in a precision, with this version of the program.
    pub fn at(backend: &Backend, precision: Precision) -> Self {
        let driver = match backend {
            Backend::Gpu(device) => device.info().driver.clone(),
            Backend::Cpu(_) => String::new(),
        };
        Self { device: backend.name(), driver, version: env!("CARGO_PKG_VERSION").into(), precision }
    }
}

/// The time of one algorithm.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct MeasuredTime {
    /// Name of the algorithm.
    pub algorithm: String,
    /// How its plan was cut.
    pub cut: Cut,
    /// Median time of one run in µs; `None` if the estimate was too bad for a measurement.
    pub micros: Option<f64>,
}

/// The measured times of one transform of one shape on one device.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct MeasuredEntry {
    /// The device and the precision.
    #[serde(flatten)]
    pub at: MeasuredOn,
    /// Name of the transform.
    pub transform: String,
    /// Rows and columns.
    pub shape: Shape,
    /// Every algorithm that was tried, fastest first.
    pub times: Vec<MeasuredTime>,
}

/// Everything that was measured.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Measured {
    /// The file; `None` keeps the times until the program ends.
    path: Option<PathBuf>,
    entries: Vec<MeasuredEntry>,
}

/// The content of the file.
#[derive(Default, serde::Serialize, serde::Deserialize)]
struct Content {
    measured: Vec<MeasuredEntry>,
}

/// The entries in the content of a file, or why there are none. A missing file holds nothing.
fn entries(read: io::Result<Vec<u8>>) -> Result<Vec<MeasuredEntry>, String> {
    match read {
        Ok(bytes) => serde_json::from_slice::<Content>(&bytes).map(|content| content.measured).map_err(|error| error.to_string()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error.to_string()),
    }
}

impl Measured {
    /// The times in the file at `path`, and one line if it holds anything else. A missing file holds nothing.
    pub fn load(path: PathBuf) -> (Self, Option<String>) {
        let (entries, warning) = match entries(read_own(&path)) {
            Ok(entries) => (entries, None),
            Err(reason) => (Vec::new(), Some(format!("measured times are not known: {} cannot be read ({reason})", path.display()))),
        };
        (Self { path: Some(path), entries }, warning)
    }

    /// The file.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Everything that was measured.
    pub fn entries(&self) -> &[MeasuredEntry] {
        &self.entries
    }

    /// Keeps an entry, and drops an older one of the same case.
    ///
    /// # Errors
    /// When the file cannot be written; the entry is known all the same until the program ends.
    pub fn remember(&mut self, entry: MeasuredEntry) -> Result<(), FileError> {
        self.change(|entries| {
            entries.retain(|old| (&old.at, &old.transform, old.shape) != (&entry.at, &entry.transform, entry.shape));
            entries.push(entry);
        })
    }

    /// Forgets everything.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn forget(&mut self) -> Result<(), FileError> {
        if self.path.as_deref().is_some_and(Path::exists) {
            return self.change(Vec::clear);
        }
        self.entries.clear();
        Ok(())
    }

    /// Changes what is known here and in the file, where another process may have measured since it was read.
    fn change(&mut self, change: impl FnOnce(&mut Vec<MeasuredEntry>)) -> Result<(), FileError> {
        let Some(path) = &self.path else {
            change(&mut self.entries);
            return Ok(());
        };
        let known = &mut self.entries;
        let mut change = Some(change);
        let done = update(path, |read| {
            let exists = !matches!(&read, Err(error) if error.kind() == io::ErrorKind::NotFound);
            let found = entries(read);
            let was_damaged = exists && found.is_err();
            *known = found.unwrap_or_else(|_| std::mem::take(known));
            change.take().expect("the file is changed once")(known);
            let text = serde_json::to_string_pretty(&Content { measured: known.clone() });
            Updated { bytes: (text.expect("names and finite numbers have a JSON form") + "\n").into_bytes(), was_damaged }
        });
        // Without the file, the change holds until the program ends.
        if let Some(change) = change {
            change(known);
        }
        done
    }

    /// The time in µs of the fastest algorithm that was tried at the nearest shape, as [`Self::nearest`] finds it.
    pub(super) fn fastest(&self, at: &MeasuredOn, transform: &str, shape: Shape) -> Option<f64> {
        self.nearest(at, transform, shape, &[])?.times.iter().filter_map(|time| time.micros).min_by(f64::total_cmp)
    }

    /// The entry for the transform at the nearest shape: rows and columns between the same powers of two, and all of `algorithms` tried.
    pub fn nearest(&self, at: &MeasuredOn, transform: &str, shape: Shape, algorithms: &[&str]) -> Option<&MeasuredEntry> {
        let bucket = |shape: Shape| (shape.rows.max(1).ilog2(), shape.columns.max(1).ilog2());
        // An algorithm that does not support the measured length was not compared there.
        let tried = |entry: &MeasuredEntry, name: &str| entry.times.iter().any(|time| time.algorithm == name);
        let fits = |entry: &&MeasuredEntry| {
            &entry.at == at
                && entry.transform == transform
                && bucket(entry.shape) == bucket(shape)
                && algorithms.iter().all(|name| tried(entry, name))
        };
        let distance = |entry: &MeasuredEntry| {
            let ratio = |measured: usize, wanted: usize| (measured as f64 / wanted as f64).ln().abs();
            ratio(entry.shape.rows, shape.rows) + ratio(entry.shape.columns, shape.columns)
        };
        self.entries.iter().filter(fits).min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::CpuBackend;

    fn entry(columns: usize, micros: f64) -> MeasuredEntry {
        let times = vec![
            MeasuredTime { algorithm: "stockham".into(), cut: Cut::TilesOf(1024), micros: Some(micros) },
            MeasuredTime { algorithm: "bluestein".into(), cut: Cut::Tiles, micros: None },
        ];
        MeasuredEntry {
            at: MeasuredOn::at(&Backend::Cpu(CpuBackend::Parallel), Precision::Single),
            transform: "dft".into(),
            shape: Shape::line(columns),
            times,
        }
    }

    #[test]
    fn what_is_remembered_is_read_back() {
        let folder = tempfile::TempDir::new().expect("there is room for a folder");
        let path = folder.path().join("not there yet/measured.json");
        let (mut measured, warning) = Measured::load(path.clone());
        assert_eq!((measured.entries().len(), warning), (0, None), "a file that is not there is no broken one");
        let remembered = [entry(64, 3.0), entry(128, 4.0), entry(64, 2.0)].map(|entry| measured.remember(entry).is_ok());
        assert_eq!(remembered, [true; 3]);
        let (read, warning) = Measured::load(path.clone());
        assert_eq!((read.entries(), warning), (&[entry(128, 4.0), entry(64, 2.0)][..], None), "the newest stands for the older");
        // Two programs measure at once: neither forgets the times of the other.
        let (mut other, _) = Measured::load(path.clone());
        other.remember(entry(256, 1.0)).expect("the folder is there");
        measured.remember(entry(512, 1.0)).expect("the folder is there");
        assert_eq!(Measured::load(path.clone()).0.entries().len(), 4);
        measured.forget().expect("the folder is there");
        assert_eq!(Measured::load(path).0.entries(), []);
    }

    #[test]
    fn no_entry_is_lost_among_many_writers() {
        let folder = tempfile::TempDir::new().expect("there is room for a folder");
        let path = folder.path().join("measured.json");
        std::thread::scope(|scope| {
            for k in 0..8 {
                let (mut measured, _) = Measured::load(path.clone());
                scope.spawn(move || measured.remember(entry(1 << k, 1.0)).expect("the folder is there"));
            }
        });
        assert_eq!(Measured::load(path).0.entries().len(), 8);
    }

    #[cfg(unix)]
    #[test]
    fn a_lock_that_is_no_file_is_an_error_at_once() {
        let folder = tempfile::TempDir::new().expect("there is room for a folder");
        for (name, make) in [("pipe.json", "mkfifo"), ("folder.json", "mkdir")] {
            let lock = folder.path().join(format!("{name}.lock"));
            assert!(std::process::Command::new(make).arg(&lock).status().is_ok_and(|status| status.success()));
            let (mut measured, _) = Measured::load(folder.path().join(name));
            let refused = measured.remember(entry(64, 3.0)).expect_err("nobody can lock it").to_string();
            assert!(refused.contains(&format!("cannot lock {}", lock.display())) && refused.contains("no regular file"), "{refused}");
            assert_eq!(measured.entries().len(), 1, "the times are known until the program ends");
        }
    }

    #[test]
    fn a_broken_file_is_one_line_and_is_replaced() {
        let folder = tempfile::TempDir::new().expect("there is room for a folder");
        let path = folder.path().join("measured.json");
        for broken in [&b"{"[..], b"[1, 2]", b"\xff\xfe", b"{\"measured\": [{\"device\": 3}]}", b""] {
            std::fs::write(&path, broken).expect("the folder is there");
            let (mut measured, warning) = Measured::load(path.clone());
            let warning = warning.unwrap_or_default();
            assert!(warning.contains("measured.json") && !warning.contains('\n'), "{warning}");
            measured.remember(entry(64, 3.0)).expect("the folder is there");
            assert_eq!(Measured::load(path.clone()), (measured, None));
            assert_eq!(std::fs::read(folder.path().join("measured.json.damaged")).ok().as_deref(), Some(broken));
        }
    }

    #[test]
    fn the_nearest_size_is_taken() {
        let mut measured = Measured::default();
        for columns in [1040, 1500, 2000, 2048] {
            measured.remember(entry(columns, 1.0)).expect("nothing is written without a path");
        }
        let at = MeasuredOn::at(&Backend::Cpu(CpuBackend::Parallel), Precision::Single);
        let near = |columns: usize| measured.nearest(&at, "dft", Shape::line(columns), &["stockham"]).map(|entry| entry.shape.columns);
        assert_eq!([1024, 1200, 1999, 2047, 4000, 4096].map(near), [Some(1040), Some(1040), Some(2000), Some(2000), Some(2048), None]);
        assert_eq!(measured.nearest(&at, "dft2", Shape::line(1040), &["stockham"]), None, "another transform");
    }
}
