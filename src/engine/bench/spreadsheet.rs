//! Records as CSV: one row per case, with its statistics for spreadsheets and its raw samples for reading it back.

use super::earlier;
use super::record::VERSION;
use super::{CaseFailure, CaseFigures, Machine, Measurement, Record, RunTimes, Statistics, Sweep, SweepEnd, SweepLine, SweepSettings};
use crate::plan::Precision;
use crate::transforms::Shape;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A row of the table. Cells that follow from others come first; they are not read back.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Row {
    transform: String,
    algorithm: String,
    device: String,
    software_gpu: bool,
    precision: String,
    lanes: String,
    uploads: usize,
    rows: usize,
    columns: usize,
    launches: usize,
    moved_bytes: Option<u64>,
    device_clock: bool,
    runs: usize,
    kernel_median_us: Option<f64>,
    kernel_low_us: Option<f64>,
    kernel_high_us: Option<f64>,
    kernel_min_us: Option<f64>,
    kernel_max_us: Option<f64>,
    run_kernel_median_us: Option<f64>,
    run_kernel_min_us: Option<f64>,
    buffers_median_us: Option<f64>,
    upload_median_us: Option<f64>,
    download_median_us: Option<f64>,
    total_median_us: Option<f64>,
    total_low_us: Option<f64>,
    total_high_us: Option<f64>,
    prepare_us: f64,
    #[serde(default)]
    open_us: f64,
    #[serde(default)]
    compile_us: f64,
    copy_median_us: Option<f64>,
    launch_copies_us: Option<f64>,
    copies: Option<f64>,
    over_copies: Option<f64>,
    gflop_per_sec: Option<f64>,
    gbyte_per_sec: Option<f64>,
    relative_error: f64,
    tolerance: f64,
    right: bool,
    failure: String,
    on_gpu: bool,
    reason: String,
    bytes_once: u64,
    operations: f64,
    rotated_bytes: u64,
    /// Kernel times by round, as JSON.
    kernel_samples_us: String,
    /// Whole runs by round, as JSON.
    trip_samples_us: String,
    line: usize,
    /// The line of the sweep, as JSON.
    line_settings: String,
    sweep: String,
    experiment: String,
    /// A list of texts, as JSON; empty without any.
    differences: String,
    settings: String,
    end: String,
    /// A list of numbers, as JSON.
    yardstick_us: String,
    taken_at: u64,
    processor: String,
    threads: usize,
    system: String,
    version: String,
    adapters: String,
    record_version: u32,
}

/// Writes a record as CSV.
pub(super) fn write(record: &Record) -> String {
    let mut out = csv::Writer::from_writer(Vec::new());
    let measured = record.measurements.iter().map(|measurement| measured(record, measurement));
    let failed =
        record.failures.iter().map(|failure| Row { failure: failure.reason.clone(), ..common(record, failure.line, failure.shape) });
    for row in measured.chain(failed) {
        out.serialize(row).expect("a row of numbers and texts can be written");
    }
    let bytes = out.into_inner().expect("a list takes any number of bytes");
    String::from_utf8(bytes).expect("numbers and texts are text")
}

/// The cells that all rows of a line share.
fn common(record: &Record, line: usize, shape: Shape) -> Row {
    let Machine { processor, n_threads, system, version, adapters } = record.machine.clone();
    let asked = &record.sweep.lines[line];
    Row {
        transform: asked.transform.clone(),
        algorithm: asked.algorithm.clone().unwrap_or_default(),
        device: asked.device.to_string(),
        rows: shape.rows,
        columns: shape.columns,
        line,
        line_settings: json(asked),
        sweep: record.sweep.name.clone(),
        experiment: record.sweep.experiment.clone().unwrap_or_default(),
        differences: if record.sweep.differences.is_empty() { String::new() } else { json(&record.sweep.differences) },
        settings: json(&record.sweep.settings),
        end: json(&record.end).trim_matches('"').into(),
        yardstick_us: json(&record.yardstick_micros),
        taken_at: record.taken_at,
        processor,
        threads: n_threads,
        system,
        version,
        adapters: json(&adapters),
        record_version: VERSION,
        ..Row::default()
    }
}

fn measured(record: &Record, measurement: &Measurement) -> Row {
    let (kernel, figures) = (measurement.kernel(), CaseFigures::of(measurement));
    let [buffers, run_kernel, upload, download, total]: [Statistics; 5] = [
        |run: &RunTimes| run.buffers,
        |run: &RunTimes| run.kernel,
        |run: &RunTimes| run.upload,
        |run: &RunTimes| run.download,
        |run: &RunTimes| run.total,
    ]
    .map(|part: fn(&RunTimes) -> f64| measurement.part(part));
    Row {
        algorithm: measurement.algorithm.clone(),
        device: measurement.device.clone(),
        software_gpu: measurement.software_gpu,
        precision: measurement.precision.name().into(),
        lanes: measurement.lanes.clone(),
        uploads: measurement.n_uploads,
        launches: measurement.n_launches,
        moved_bytes: measurement.bytes_moved,
        device_clock: measurement.device_clock,
        runs: kernel.n,
        kernel_median_us: Some(kernel.median),
        kernel_low_us: Some(kernel.interval[0]),
        kernel_high_us: Some(kernel.interval[1]),
        kernel_min_us: Some(kernel.min),
        kernel_max_us: Some(kernel.max),
        run_kernel_median_us: Some(run_kernel.median),
        run_kernel_min_us: Some(run_kernel.min),
        buffers_median_us: Some(buffers.median),
        upload_median_us: Some(upload.median),
        download_median_us: Some(download.median),
        total_median_us: Some(total.median),
        total_low_us: Some(total.interval[0]),
        total_high_us: Some(total.interval[1]),
        prepare_us: measurement.prepare_micros,
        open_us: measurement.open_micros,
        compile_us: measurement.compile_micros,
        copy_median_us: measurement.copy_micros,
        launch_copies_us: measurement.launch_copies_micros,
        copies: figures.copies,
        over_copies: figures.over_copies,
        gflop_per_sec: Some(figures.gflop_per_sec),
        gbyte_per_sec: Some(figures.gbyte_per_sec),
        relative_error: measurement.error,
        tolerance: measurement.tolerance,
        right: measurement.is_right(),
        on_gpu: measurement.on_gpu,
        reason: measurement.reason.clone(),
        bytes_once: measurement.bytes_once,
        operations: measurement.operations,
        rotated_bytes: measurement.rotated_bytes,
        kernel_samples_us: json(&measurement.kernel_micros),
        trip_samples_us: json(&measurement.runs),
        ..common(record, measurement.line, measurement.shape)
    }
}

/// Reads a record from CSV, and the version of its format.
pub(super) fn read(text: &str) -> Result<(Record, u32), String> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<Row> = reader.deserialize().collect::<Result<_, _>>().map_err(|error| error.to_string())?;
    let first = rows.first().ok_or("it has no rows")?;
    earlier::check(first.record_version)?;
    let mut lines: Vec<Option<SweepLine>> = Vec::new();
    let (mut measurements, mut failures) = (Vec::new(), Vec::new());
    for row in &rows {
        if row.line >= rows.len() + lines.len() {
            return Err(format!("it has a case of line {}, and only {} rows", row.line, rows.len()));
        }
        lines.resize(lines.len().max(row.line + 1), None);
        lines[row.line] = Some(parsed(&row.line_settings, "line_settings")?);
        let shape = Shape { rows: row.rows, columns: row.columns };
        match row.failure.as_str() {
            "" => measurements.push(measurement(row, shape)?),
            reason => failures.push(CaseFailure { line: row.line, shape, reason: reason.into() }),
        }
    }
    let lines = lines.into_iter().enumerate().map(|(index, line)| line.ok_or(format!("line {index} has no row")));
    let settings: SweepSettings = parsed(&first.settings, "settings")?;
    let experiment = Some(first.experiment.clone()).filter(|name| !name.is_empty());
    let end: SweepEnd = parsed(&format!("\"{}\"", first.end), "end")?;
    // Older tables do not have these columns.
    let yardstick_micros = if first.yardstick_us.is_empty() { Vec::new() } else { parsed(&first.yardstick_us, "yardstick_us")? };
    let differences = if first.differences.is_empty() { Vec::new() } else { parsed(&first.differences, "differences")? };
    let record = Record {
        taken_at: first.taken_at,
        machine: Machine {
            processor: first.processor.clone(),
            n_threads: first.threads,
            system: first.system.clone(),
            version: first.version.clone(),
            adapters: parsed(&first.adapters, "adapters")?,
        },
        sweep: Sweep { name: first.sweep.clone(), experiment, differences, lines: lines.collect::<Result<_, _>>()?, settings },
        measurements,
        failures,
        end,
        yardstick_micros,
    };
    Ok((record, first.record_version))
}

fn measurement(row: &Row, shape: Shape) -> Result<Measurement, String> {
    let precisions = [Precision::Single, Precision::Double];
    let precision = precisions.into_iter().find(|precision| precision.name() == row.precision);
    Ok(Measurement {
        line: row.line,
        shape,
        algorithm: row.algorithm.clone(),
        reason: row.reason.clone(),
        device: row.device.clone(),
        software_gpu: row.software_gpu,
        on_gpu: row.on_gpu,
        precision: precision.ok_or(format!("'{}' is no precision", row.precision))?,
        lanes: row.lanes.clone(),
        n_uploads: row.uploads,
        n_launches: row.launches,
        bytes_once: row.bytes_once,
        bytes_moved: row.moved_bytes,
        operations: row.operations,
        device_clock: row.device_clock,
        prepare_micros: row.prepare_us,
        open_micros: row.open_us,
        compile_micros: row.compile_us,
        rotated_bytes: row.rotated_bytes,
        kernel_micros: parsed(&row.kernel_samples_us, "kernel_samples_us")?,
        runs: parsed(&row.trip_samples_us, "trip_samples_us")?,
        copy_micros: row.copy_median_us,
        launch_copies_micros: row.launch_copies_us,
        error: row.relative_error,
        tolerance: row.tolerance,
    })
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("names and finite numbers have a JSON form")
}

fn parsed<T: DeserializeOwned>(text: &str, column: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| format!("column {column}: {error}"))
}
