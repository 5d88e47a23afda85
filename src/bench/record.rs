//! What a sweep came to: the raw samples, and everything that they depend on.

use super::{Machine, Statistics, Sweep, spreadsheet};
use crate::plan::Precision;
use crate::signal::{FileError, replace};
use crate::transforms::Shape;
use std::path::{Path, PathBuf};

/// What a file of this kind says it is.
const FORMAT: &str = "papillon record";
/// The version of the format that is written and read.
pub(super) const VERSION: u32 = 1;

/// What a sweep came to.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Record {
    /// When it began, in seconds after the first moment of 1970 (UTC).
    pub taken_at: u64,
    /// Where the times were taken.
    pub machine: Machine,
    /// What was measured, and how.
    pub sweep: Sweep,
    /// Every case that was measured, in the order of the lines and their shapes.
    pub measurements: Vec<Measurement>,
    /// Every case that could not be measured.
    pub failures: Vec<Failure>,
    /// Whether everything was measured.
    pub end: End,
    /// What the same small work of one thread took before every visit of a case, in microseconds: it becomes longer where the processor slows down or has other things to do.
    #[serde(default)]
    pub yardstick_micros: Vec<f64>,
}

/// How a sweep ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// It is under way.
    Open,
    /// Everything was measured.
    Complete,
    /// The user cancelled it.
    Cancelled,
    /// Its time was up.
    OutOfTime,
}

/// A time in microseconds to a tenth of a nanosecond: more is not measured, and numbers of so few digits are read as they were written.
pub(super) fn rounded(micros: f64) -> f64 {
    (micros * 1e4).round() / 1e4
}

/// A number to three digits.
pub(super) fn in_three_digits(number: f64) -> f64 {
    format!("{number:.2e}").parse().expect("a number that was written is read")
}

/// One case: a line at a shape.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Measurement {
    /// Which line of the sweep.
    pub line: usize,
    /// Rows and columns.
    pub shape: Shape,
    /// Name of the algorithm that ran.
    pub algorithm: String,
    /// Why it was taken, where the choice was automatic.
    pub reason: String,
    /// The device, as people know it.
    pub device: String,
    /// Whether the device is a GPU emulated by software.
    pub software_gpu: bool,
    /// Whether a GPU ran it.
    pub on_gpu: bool,
    /// How real and complex numbers were held; single where lanes are exact.
    pub precision: Precision,
    /// Launches of one run; 0 where a library did the work.
    pub n_launches: usize,
    /// Bytes that have to be read once and to be written once, whatever the algorithm.
    pub bytes_once: u64,
    /// Bytes that the launches of one run move through memory; `None` where a library did the work.
    pub bytes_moved: Option<u64>,
    /// Operations on real numbers: 5·N·log2 N for a Fourier transform, as in the literature, else those of the plan.
    pub operations: f64,
    /// Whether the device itself took the times without transfers; otherwise the clock of the host.
    pub device_clock: bool,
    /// Plan, kernels and buffers, paid once, in microseconds.
    pub prepare_micros: f64,
    /// Bytes of the buffers that runs without transfers used in turn.
    pub rotated_bytes: u64,
    /// Runs without transfers, round by round, in the order in which they were taken, in microseconds.
    pub kernel_micros: Vec<Vec<f64>>,
    /// Runs from the samples to the result in memory, round by round.
    pub trips: Vec<Vec<Trip>>,
    /// A plain copy that reads and writes as many bytes as have to be, in microseconds; `None` where the device cannot time one.
    pub copy_micros: Option<f64>,
    /// The largest relative error in the 2-norm of all results, against double precision.
    pub error: f64,
    /// The largest error of a right result: of Fourier transforms in single precision 3e-7·log2(N)/10, else what the roundings of its sums add up to.
    pub tolerance: f64,
}

/// Where the time of one run went, from the samples to the result in memory, in microseconds.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Trip {
    /// Host to device; 0 on the CPU.
    pub upload: f64,
    /// All launches.
    pub kernel: f64,
    /// Device to host, the whole result; 0 on the CPU.
    pub download: f64,
    /// The whole, preparation apart.
    pub total: f64,
}

/// A case that could not be measured.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Failure {
    /// Which line of the sweep.
    pub line: usize,
    /// Rows and columns.
    pub shape: Shape,
    /// One line on why.
    pub reason: String,
}

/// Why a file is no record.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// An ending that says nothing.
    #[error("{} names no record of times: end it with .json or .csv", path.display())]
    Ending {
        /// The file.
        path: PathBuf,
    },
    /// Something else than a record.
    #[error("{} is no record of times: {reason}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

/// The file around a record.
#[derive(serde::Serialize, serde::Deserialize)]
struct Envelope<R> {
    format: String,
    version: u32,
    #[serde(flatten)]
    record: R,
}

impl Measurement {
    /// Whether every result was right.
    pub fn is_right(&self) -> bool {
        self.error <= self.tolerance
    }

    /// Runs without transfers.
    ///
    /// # Panics
    /// When there is none, which no sweep makes.
    pub fn kernel(&self) -> Statistics {
        Statistics::of(&self.kernel_micros).expect("every measurement has runs")
    }

    /// One part of the runs from the samples to the result.
    ///
    /// # Panics
    /// When there is none, which no sweep makes.
    pub fn part(&self, part: fn(&Trip) -> f64) -> Statistics {
        let rounds: Vec<Vec<f64>> = self.trips.iter().map(|round| round.iter().map(part).collect()).collect();
        Statistics::of(&rounds).expect("every measurement has runs")
    }
}

impl Record {
    /// A record of what begins now, at `taken_at`.
    pub(super) fn begun(taken_at: u64, sweep: Sweep) -> Self {
        Self {
            taken_at,
            machine: Machine::here(),
            sweep,
            measurements: Vec::new(),
            failures: Vec::new(),
            end: End::Open,
            yardstick_micros: Vec::new(),
        }
    }

    /// As JSON.
    pub fn to_json(&self) -> String {
        let envelope = Envelope { format: FORMAT.into(), version: VERSION, record: self };
        serde_json::to_string_pretty(&envelope).expect("names and finite numbers have a JSON form") + "\n"
    }

    /// As a table with a row a case and a header with units; everything that it depends on stands in every row, so that tables can be put together.
    pub fn to_csv(&self) -> String {
        spreadsheet::write(self)
    }

    /// From JSON.
    ///
    /// # Errors
    /// One line on what is wrong with it.
    pub fn from_json(text: &str) -> Result<Self, String> {
        let envelope: Envelope<serde_json::Value> = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if envelope.format != FORMAT {
            return Err(format!("it says that it is a '{}', and not a '{FORMAT}'", envelope.format));
        }
        if envelope.version != VERSION {
            return Err(format!("it is of version {}, and this program reads version {VERSION}", envelope.version));
        }
        serde_json::from_value::<Self>(envelope.record).map_err(|error| error.to_string())?.checked()
    }

    /// From a table.
    ///
    /// # Errors
    /// One line on what is wrong with it.
    pub fn from_csv(text: &str) -> Result<Self, String> {
        spreadsheet::read(text)?.checked()
    }

    /// Whether what is in it belongs together.
    fn checked(self) -> Result<Self, String> {
        let lines = self.sweep.lines.len();
        let places = self.measurements.iter().map(|measurement| measurement.line).chain(self.failures.iter().map(|failure| failure.line));
        if let Some(line) = places.into_iter().find(|line| *line >= lines) {
            return Err(format!("it has a case of line {line}, and {lines} lines"));
        }
        let is_empty =
            |measurement: &Measurement| measurement.kernel_micros.iter().all(Vec::is_empty) || measurement.trips.iter().all(Vec::is_empty);
        match self.measurements.iter().position(is_empty) {
            Some(index) => Err(format!("case {} has no runs", index + 1)),
            None => Ok(self),
        }
    }

    /// What a file holds; its ending tells the format.
    ///
    /// # Errors
    /// When the file cannot be read, or holds something else.
    pub fn load(path: &Path) -> Result<Self, RecordError> {
        let parse = match ending(path)? {
            Ending::Json => Self::from_json,
            Ending::Csv => Self::from_csv,
        };
        let text = std::fs::read_to_string(path).map_err(|source| FileError::Io { verb: "read", path: path.to_owned(), source })?;
        parse(&text).map_err(|reason| RecordError::Content { path: path.to_owned(), reason })
    }

    /// Writes a file; its ending tells the format.
    ///
    /// # Errors
    /// When the ending says nothing, or the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), RecordError> {
        let text = match ending(path)? {
            Ending::Json => self.to_json(),
            Ending::Csv => self.to_csv(),
        };
        Ok(replace(path, |out| out.write_all(text.as_bytes()))?)
    }

    /// Refuses a file whose ending says nothing.
    ///
    /// # Errors
    /// When it is neither `.json` nor `.csv`.
    pub fn check_ending(path: &Path) -> Result<(), RecordError> {
        ending(path).map(drop)
    }
}

enum Ending {
    Json,
    Csv,
}

fn ending(path: &Path) -> Result<Ending, RecordError> {
    match path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase()).as_deref() {
        Some("json") => Ok(Ending::Json),
        Some("csv") => Ok(Ending::Csv),
        _ => Err(RecordError::Ending { path: path.to_owned() }),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::bench::{Line, Settings};
    use crate::engine::DeviceChoice;

    pub(in crate::bench) fn measurement(line: usize, columns: usize, micros: f64) -> Measurement {
        let trip = |total: f64| Trip {
            upload: rounded(0.2 * total),
            kernel: rounded(0.5 * total),
            download: rounded(0.25 * total),
            total: rounded(total),
        };
        Measurement {
            line,
            shape: Shape { rows: 4, columns },
            algorithm: "stockham".into(),
            reason: "the fastest, \"as estimated\"".into(),
            device: "A GPU, of 8 GiB (driver 1)".into(),
            software_gpu: line == 1,
            on_gpu: true,
            precision: Precision::Single,
            n_launches: 2,
            bytes_once: 64 * columns as u64,
            bytes_moved: Some(128 * columns as u64),
            operations: 20.0 * columns as f64 * (columns as f64).log2(),
            device_clock: true,
            prepare_micros: 1000.5,
            rotated_bytes: 1 << 20,
            kernel_micros: vec![vec![micros, rounded(1.1 * micros)], vec![rounded(0.9 * micros)]],
            trips: vec![vec![trip(2.0 * micros)], vec![trip(2.5 * micros), trip(3.0 * micros)]],
            copy_micros: Some(rounded(micros / 3.0)),
            error: 1.5e-7,
            tolerance: 1e-5,
        }
    }

    pub(in crate::bench) fn record() -> Record {
        let shapes = vec![Shape { rows: 4, columns: 1024 }, Shape { rows: 4, columns: 2048 }];
        let line = |device, label: Option<&str>| Line { label: label.map(Into::into), ..Line::new("dft", device, shapes.clone()) };
        let sweep = Sweep {
            name: "a sweep; of \"two\" lines".into(),
            experiment: None,
            lines: vec![line(DeviceChoice::Gpu, None), line(DeviceChoice::Adapter("A, B".into()), Some("the other"))],
            settings: Settings { budget_secs: Some(1.5), ..Settings::default() },
        };
        Record {
            taken_at: 1_700_000_000,
            machine: Machine { adapters: crate::gpu::adapters(), ..Machine::here() },
            sweep,
            measurements: vec![measurement(0, 1024, 12.5), measurement(0, 2048, 25.25), measurement(1, 1024, 100.0)],
            failures: vec![Failure { line: 1, shape: shapes_of(2048), reason: "too \"large\", by far".into() }],
            end: End::Cancelled,
            yardstick_micros: vec![250.5, 251.25, 250.75],
        }
    }

    fn shapes_of(columns: usize) -> Shape {
        Shape { rows: 4, columns }
    }

    #[test]
    fn a_record_is_read_back_as_it_was_written() {
        let record = record();
        assert_eq!(Record::from_json(&record.to_json()).as_ref(), Ok(&record));
        assert_eq!(Record::from_csv(&record.to_csv()).as_ref(), Ok(&record));
        let folder = tempfile::TempDir::new().expect("there is room for a folder");
        for name in ["times.json", "times.CSV"] {
            let path = folder.path().join(name);
            record.save(&path).expect("the folder is there");
            assert_eq!(Record::load(&path).expect("it was just written"), record);
        }
    }

    #[test]
    fn what_is_no_record_is_refused_in_one_line() {
        let json = record().to_json();
        let strange = [
            json.replace("\"version\": 1", "\"version\": 7"),
            json.replace(FORMAT, "shopping list"),
            json.replace("\"line\": 1", "\"line\": 12"),
            json.replace("\"dft\"", "[]"),
            "{".into(),
            String::new(),
        ];
        for text in strange {
            let error = Record::from_json(&text).expect_err("it is none");
            assert!(!error.contains('\n') && !error.is_empty(), "{error}");
        }
        let csv = record().to_csv();
        for text in [csv.replace("12.5", "twelve"), "a,b\n1,2\n".into(), String::new(), csv.lines().next().unwrap_or_default().into()] {
            let error = Record::from_csv(&text).expect_err("it is none");
            assert!(!error.contains('\n') && !error.is_empty(), "{error}");
        }
        assert!(Record::load(Path::new("times.txt")).is_err_and(|error| error.to_string().contains(".json")));
        assert!(Record::load(Path::new("no such file.json")).is_err_and(|error| error.to_string().contains("no such file.json")));
    }
}
