//! Records as a table for people, and as CSV and JSON with the same numbers for programs.

use super::{Machine, Record, Settings, Statistics};
use crate::plan::Precision;
use std::fmt::Write as _;

/// A column: its heading, with the unit, and its text.
type Column = (&'static str, fn(&Record) -> String);

/// A line a record, in columns.
pub fn table(records: &[Record]) -> String {
    const COLUMNS: [Column; 12] = [
        ("transform", |record| record.transform.into()),
        ("algorithm", |record| record.algorithm.into()),
        ("device", device),
        ("size", size),
        ("launches", |record| if record.n_launches == 0 { "–".into() } else { record.n_launches.to_string() }),
        ("kernel µs (min … max)", |record| spread(&record.kernel_micros)),
        ("upload µs", |record| short(record.upload_micros.median)),
        ("download µs", |record| short(record.download_micros.median)),
        ("total µs", |record| short(record.total_micros.median)),
        ("Gflop/s", |record| short(record.gflop_per_sec)),
        ("GB/s", |record| short(record.gbyte_per_sec)),
        ("error", |record| format!("{:.1e}", record.error)),
    ];
    let with_copy = records.iter().any(|record| record.copy_micros.is_some());
    let copy: Column =
        ("× copy", |record| record.copy_micros.map_or_else(|| "–".into(), |copy| short(record.kernel_micros.median / copy)));
    let with_precision = records.iter().any(|record| record.precision == Precision::Double);
    let precision: Column = ("precision", |record| record.precision.name().into());
    let more = [(with_copy, copy), (with_precision, precision)].into_iter().filter_map(|(wanted, column)| wanted.then_some(column));
    let columns: Vec<Column> = COLUMNS.into_iter().chain(more).collect();
    let rows: Vec<Vec<String>> = records.iter().map(|record| columns.iter().map(|(_, text)| text(record)).collect()).collect();
    let headings: Vec<String> = columns.iter().map(|(heading, _)| (*heading).to_owned()).collect();
    let width = |column: usize| rows.iter().chain([&headings]).map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns.len()).map(width).collect();
    let mut text = String::new();
    for row in [&headings].into_iter().chain(&rows) {
        let mut line = String::new();
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            // Words to the left, numbers to the right.
            let pad = " ".repeat(width - cell.chars().count());
            line += &if column < 4 { format!("{cell}{pad}  ") } else { format!("{pad}{cell}  ") };
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// A row a record, after a header with units; machine and settings in every row, so that tables can be put together.
pub fn csv(machine: &Machine, settings: Settings, records: &[Record]) -> String {
    let mut text = String::from("transform,algorithm,device,software_gpu,precision,rows,columns,launches,device_clock,runs");
    for part in ["kernel", "upload", "download", "total"] {
        write!(text, ",{part}_median_us,{part}_min_us,{part}_max_us").expect("writing to a string does not fail");
    }
    text += ",prepare_us,copy_median_us,gflop_per_sec,gbyte_per_sec,relative_error,schedule,processor,threads,system,version\n";
    let quoted = |words: &str| format!("\"{}\"", words.replace('"', "\"\""));
    for record in records {
        let mut cells = vec![record.transform.to_owned(), record.algorithm.to_owned(), quoted(&record.device)];
        cells.extend([record.software_gpu.to_string(), record.precision.name().to_owned()]);
        cells.extend([record.shape.rows, record.shape.columns, record.n_launches].map(|number| number.to_string()));
        cells.extend([record.device_clock.to_string(), record.kernel_micros.n.to_string()]);
        for times in [&record.kernel_micros, &record.upload_micros, &record.download_micros, &record.total_micros] {
            cells.extend([times.median, times.min, times.max].map(|number| number.to_string()));
        }
        cells.push(record.prepare_micros.to_string());
        cells.push(record.copy_micros.map(|copy| copy.to_string()).unwrap_or_default());
        cells.extend([record.gflop_per_sec, record.gbyte_per_sec, record.error].map(|number| number.to_string()));
        cells.extend([quoted(&format!("{:?}", settings.cut)), quoted(&machine.processor), machine.n_threads.to_string()]);
        cells.extend([quoted(&machine.system), quoted(&machine.version)]);
        text += &cells.join(",");
        text.push('\n');
    }
    text
}

/// Machine, settings and records in one object.
pub fn json(machine: &Machine, settings: Settings, records: &[Record]) -> String {
    let all = serde_json::json!({ "machine": machine, "settings": settings, "records": records });
    format!("{all:#}\n")
}

fn device(record: &Record) -> String {
    if record.software_gpu { format!("{} (software)", record.device) } else { record.device.clone() }
}

fn size(record: &Record) -> String {
    match record.shape.rows {
        1 => record.shape.columns.to_string(),
        rows => format!("{rows}×{}", record.shape.columns),
    }
}

fn spread(times: &Statistics) -> String {
    format!("{} ({} … {})", short(times.median), short(times.min), short(times.max))
}

/// Three digits that matter, and no exponent.
fn short(number: f64) -> String {
    match number.abs() {
        size if size >= 100.0 || number == 0.0 => format!("{number:.0}"),
        size if size >= 10.0 => format!("{number:.1}"),
        _ => format!("{number:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transforms::Shape;

    fn record() -> Record {
        let times = |median: f64| Statistics { median, min: median / 2.0, max: 2.0 * median, n: 5 };
        Record {
            transform: "dft",
            algorithm: "stockham",
            device: "Some \"GPU\", 8 GiB".into(),
            software_gpu: true,
            precision: Precision::Single,
            shape: Shape { rows: 4, columns: 1024 },
            n_launches: 2,
            kernel_micros: times(12.5),
            device_clock: true,
            upload_micros: times(3.0),
            download_micros: times(4.0),
            total_micros: times(20.0),
            prepare_micros: 1000.0,
            copy_micros: Some(5.0),
            gflop_per_sec: 16.384,
            gbyte_per_sec: 5.243,
            error: 1.5e-7,
        }
    }

    #[test]
    fn table_csv_and_json_hold_the_same_numbers() {
        let (machine, settings) = (Machine::here(), Settings { repeat: 5, cut: crate::engine::Cut::Tiles, precision: None });
        let table = table(&[record()]);
        for cell in ["dft", "4×1024", "12.5 (6.25 … 25.0)", "2.50", "1.5e-7", "(software)"] {
            assert!(table.contains(cell), "{cell} is missing in\n{table}");
        }
        let csv = csv(&machine, settings, &[record()]);
        let mut reader = ::csv::Reader::from_reader(csv.as_bytes());
        let header = reader.headers().unwrap().clone();
        let row = reader.records().next().unwrap().unwrap();
        let cell = |name: &str| &row[header.iter().position(|heading| heading == name).unwrap()];
        assert_eq!(cell("device"), "Some \"GPU\", 8 GiB");
        assert_eq!(cell("kernel_median_us"), "12.5");
        assert_eq!(cell("copy_median_us"), "5");
        let json: serde_json::Value = serde_json::from_str(&json(&machine, settings, &[record()])).unwrap();
        assert_eq!(json["records"][0]["kernel_micros"]["median"], 12.5);
        assert_eq!(json["machine"]["n_threads"], machine.n_threads);
    }
}
