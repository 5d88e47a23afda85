//! Records: the raw samples of a sweep and the conditions under which they were taken.

use super::{Machine, Statistics, Sweep, earlier, spreadsheet};
use crate::plan::Precision;
use crate::signal::{FileError, one_line, read_own, replace};
use crate::transforms::Shape;
use std::io;
use std::path::{Path, PathBuf};

/// The format name in a record file.
const FORMAT: &str = "papillon record";
/// The version of the record format.
pub(super) const VERSION: u32 = 2;

/// The result of a sweep.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Record {
    /// Start time in seconds since 1970 (UTC).
    pub taken_at: u64,
    /// The machine on which it ran.
    pub machine: Machine,
    /// The sweep that was run.
    pub sweep: Sweep,
    /// Every measured case, in the order of the lines and their shapes.
    pub measurements: Vec<Measurement>,
    /// Every case that could not be measured.
    pub failures: Vec<CaseFailure>,
    /// How the sweep ended.
    pub end: SweepEnd,
    /// Times in µs of the same small piece of work on one thread, taken before every visit of a case; they grow if the processor slows down or is busy.
    #[serde(default)]
    pub yardstick_micros: Vec<f64>,
}

/// How a sweep ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SweepEnd {
    /// The sweep is running.
    Open,
    /// Everything was measured.
    Complete,
    /// The user cancelled it.
    Cancelled,
    /// Its time budget was used up.
    OutOfTime,
}

/// A time in µs, rounded to 0.1 ns: clocks resolve no more, and short numbers survive writing and reading.
pub(super) fn rounded(micros: f64) -> f64 {
    (micros * 1e4).round() / 1e4
}

/// A number rounded to three digits.
pub(super) fn in_three_digits(number: f64) -> f64 {
    format!("{number:.2e}").parse().expect("a number that was written is read")
}

/// The measurement of one benchmark case: a line at a shape.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Measurement {
    /// Index of the line of the sweep.
    pub line: usize,
    /// Rows and columns.
    pub shape: Shape,
    /// Name of the algorithm that ran.
    pub algorithm: String,
    /// Why the algorithm was chosen; empty if the caller named it.
    pub reason: String,
    /// Name of the device.
    pub device: String,
    /// Whether the device is a GPU emulated by software.
    pub software_gpu: bool,
    /// Whether it ran on a GPU.
    pub on_gpu: bool,
    /// Precision of real and complex numbers; single if lanes are exact.
    pub precision: Precision,
    /// The type of a lane, as kernels name it; empty in records of earlier versions.
    #[serde(default)]
    pub lanes: String,
    /// How many times a run uploads all samples; 0 on the CPU, and in records of earlier versions.
    #[serde(default)]
    pub n_uploads: usize,
    /// Launches of one run; 0 for a library.
    pub n_launches: usize,
    /// Compulsory bytes: each sample read once and each result written once, whatever the algorithm.
    pub bytes_once: u64,
    /// Bytes that the launches of one run move through memory; `None` for a library.
    pub bytes_moved: Option<u64>,
    /// Operations on real numbers: 5·N·log2 N for a Fourier transform, as in the literature, else those of the plan.
    pub operations: f64,
    /// Whether kernel times come from the clock of the device; otherwise from that of the host.
    pub device_clock: bool,
    /// One-time preparation in µs: plan, kernels and buffers.
    pub prepare_micros: f64,
    /// The opening of the device in µs, where this case was the first to use it; 0 in records of earlier versions.
    #[serde(default)]
    pub open_micros: f64,
    /// The part of the preparation in µs that compiled kernels; 0 in records of earlier versions.
    #[serde(default)]
    pub compile_micros: f64,
    /// Bytes of the rotated buffers of the kernel runs.
    pub rotated_bytes: u64,
    /// Kernel times in µs, round by round, in the order of measurement.
    pub kernel_micros: Vec<Vec<f64>>,
    /// Times of whole runs, from the samples to the result in memory, round by round.
    #[serde(rename = "trips")]
    pub runs: Vec<Vec<RunTimes>>,
    /// Time in µs of a plain copy that reads and writes the compulsory bytes; `None` if the device cannot time one.
    pub copy_micros: Option<f64>,
    /// The sum over the launches of the time in µs of a plain copy of the launch's bytes; `None` for a library, and in records of earlier versions.
    #[serde(default)]
    pub launch_copies_micros: Option<f64>,
    /// The largest relative error of all results against double precision, in the 2-norm.
    pub error: f64,
    /// The largest error of a correct result: 3e-7·log2(N)/10 for Fourier transforms in single precision, else the sum of the roundings.
    pub tolerance: f64,
}

/// Times of one whole run in µs, from the samples to the result in memory.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct RunTimes {
    /// Making buffers, where every run makes its own; 0 otherwise, and on the CPU.
    #[serde(default)]
    pub buffers: f64,
    /// Host to device; 0 on the CPU.
    pub upload: f64,
    /// All launches.
    pub kernel: f64,
    /// Device to host, including all of the result; 0 on the CPU.
    pub download: f64,
    /// Total time, without the preparation before the runs.
    pub total: f64,
}

impl RunTimes {
    /// Transfers, and the making of buffers where it counts.
    pub fn memory(&self) -> f64 {
        self.buffers + self.upload + self.download
    }
}

/// A case that could not be measured.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct CaseFailure {
    /// Index of the line of the sweep.
    pub line: usize,
    /// Rows and columns.
    pub shape: Shape,
    /// The reason in one line.
    pub reason: String,
}

/// Why a record file cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file name has an unknown ending.
    #[error("{} is no file name for a record: end it with .json or .csv", path.display())]
    Ending {
        /// The file.
        path: PathBuf,
    },
    /// The file holds something else.
    #[error("{} is no benchmark record: {reason}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// The reason in one line.
        reason: String,
    },
}

/// A record with its format and version, as in a JSON file.
#[derive(serde::Serialize, serde::Deserialize)]
struct RecordFile<R> {
    format: String,
    version: u32,
    #[serde(flatten)]
    record: R,
}

impl Measurement {
    /// Whether every result was correct.
    pub fn is_right(&self) -> bool {
        self.error <= self.tolerance
    }

    /// Statistics of the kernel times in µs.
    ///
    /// # Panics
    /// If it has no runs; every sweep makes at least one.
    pub fn kernel(&self) -> Statistics {
        Statistics::of(&self.kernel_micros).expect("every measurement has runs")
    }

    /// Whether its numbers are others than real or complex ones in single precision.
    pub(super) fn has_other_numbers(&self) -> bool {
        self.precision == Precision::Double || !matches!(self.lanes.as_str(), "" | "f32" | "complex f32" | "4 × f32")
    }

    /// Statistics of one part of the whole runs, in µs.
    ///
    /// # Panics
    /// If it has no runs; every sweep makes at least one.
    pub fn part(&self, part: fn(&RunTimes) -> f64) -> Statistics {
        let rounds: Vec<Vec<f64>> = self.runs.iter().map(|round| round.iter().map(part).collect()).collect();
        Statistics::of(&rounds).expect("every measurement has runs")
    }
}

impl Record {
    /// An empty record of a sweep that begins at `taken_at`.
    pub(super) fn begun(taken_at: u64, sweep: Sweep) -> Self {
        Self {
            taken_at,
            machine: Machine::here(),
            sweep,
            measurements: Vec::new(),
            failures: Vec::new(),
            end: SweepEnd::Open,
            yardstick_micros: Vec::new(),
        }
    }

    /// The record as JSON.
    pub fn to_json(&self) -> String {
        let envelope = RecordFile { format: FORMAT.into(), version: VERSION, record: self };
        serde_json::to_string_pretty(&envelope).expect("names and finite numbers have a JSON form") + "\n"
    }

    /// The record as CSV with one row per case and units in the header. Every row repeats all conditions, so that tables can be joined.
    pub fn to_csv(&self) -> String {
        spreadsheet::write(self)
    }

    /// Reads a record from JSON.
    ///
    /// # Errors
    /// The reason in one line if it is not a record.
    pub fn from_json(text: &str) -> Result<Self, String> {
        Self::parse_json(text).map_err(|reason| one_line(&reason))
    }

    fn parse_json(text: &str) -> Result<Self, String> {
        let envelope: RecordFile<serde_json::Value> = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if envelope.format != FORMAT {
            return Err(format!("its format is '{}' instead of '{FORMAT}'", envelope.format));
        }
        earlier::check(envelope.version)?;
        let record = serde_json::from_value::<Self>(envelope.record).map_err(|error| error.to_string())?.checked()?;
        Ok(earlier::renewed(record, envelope.version))
    }

    /// Reads a record from CSV.
    ///
    /// # Errors
    /// The reason in one line if it is not a record.
    pub fn from_csv(text: &str) -> Result<Self, String> {
        spreadsheet::read(text)
            .and_then(|(record, version)| Ok(earlier::renewed(record.checked()?, version)))
            .map_err(|reason| one_line(&reason))
    }

    /// Checks that every case belongs to a line and has runs.
    fn checked(self) -> Result<Self, String> {
        let lines = self.sweep.lines.len();
        let places = self.measurements.iter().map(|measurement| measurement.line).chain(self.failures.iter().map(|failure| failure.line));
        if let Some(line) = places.into_iter().find(|line| *line >= lines) {
            return Err(format!("it has a case of line {line}, and only {lines} lines"));
        }
        let is_empty =
            |measurement: &Measurement| measurement.kernel_micros.iter().all(Vec::is_empty) || measurement.runs.iter().all(Vec::is_empty);
        match self.measurements.iter().position(is_empty) {
            Some(index) => Err(format!("case {} has no runs", index + 1)),
            None => Ok(self),
        }
    }

    /// Loads a record; the ending of the file name gives the format.
    ///
    /// # Errors
    /// If the file cannot be read or is not a record.
    pub fn load(path: &Path) -> Result<Self, RecordError> {
        let parse = match ending(path)? {
            Ending::Json => Self::from_json,
            Ending::Csv => Self::from_csv,
        };
        let text = read_own(path).and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other)).map_err(|source| FileError::Io {
            verb: "read",
            path: path.to_owned(),
            source,
        })?;
        parse(&text).map_err(|reason| RecordError::Content { path: path.to_owned(), reason })
    }

    /// Saves a record; the ending of the file name gives the format.
    ///
    /// # Errors
    /// If the ending is unknown or the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), RecordError> {
        let text = match ending(path)? {
            Ending::Json => self.to_json(),
            Ending::Csv => self.to_csv(),
        };
        Ok(replace(path, |out| out.write_all(text.as_bytes()))?)
    }

    /// Refuses a file name with an unknown ending.
    ///
    /// # Errors
    /// If it is neither `.json` nor `.csv`.
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
pub(super) mod tests;
