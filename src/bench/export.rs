//! Records as a table for people, and as CSV and JSON with the same numbers for programs.

use super::{Machine, Record, Settings};
use crate::plan::Precision;
use std::fmt::Write as _;

/// Characters of a line that every terminal shows; columns that can be missed give way.
const WIDTH: usize = 120;
/// Characters of a device in the table; its whole name stands in the [`legend`].
const DEVICE_WIDTH: usize = 14;

/// A column of the table.
struct Column {
    /// With the unit.
    heading: &'static str,
    text: fn(&Record) -> String,
    /// Columns that can be missed go in this order where the table is too wide; 0 stays.
    gives_way: u8,
}

impl Column {
    const fn new(heading: &'static str, gives_way: u8, text: fn(&Record) -> String) -> Self {
        Self { heading, text, gives_way }
    }

    fn width(&self, records: &[Record]) -> usize {
        let cells = records.iter().map(|record| (self.text)(record).chars().count());
        cells.max().unwrap_or(0).max(self.heading.chars().count())
    }
}

const COLUMNS: [Column; 15] = [
    Column::new("transform", 0, |record| format!("{} {}", record.transform, record.algorithm)),
    Column::new("device", 0, device),
    Column::new("size", 0, size),
    Column::new("launches", 0, |record| if record.n_launches == 0 { "–".into() } else { record.n_launches.to_string() }),
    Column::new("MB", 0, |record| record.moved_bytes.map_or_else(|| "–".into(), |bytes| short(bytes as f64 / 1e6))),
    Column::new("kernels µs", 0, |record| short(record.kernel_micros.median)),
    Column::new("spread", 0, |record| format!("{:.0} %", 100.0 * record.kernel_micros.spread())),
    Column::new("n", 3, |record| record.kernel_micros.n.to_string()),
    Column::new("GB/s", 0, |record| short(record.gbyte_per_sec)),
    Column::new("Gflop/s", 0, |record| short(record.gflop_per_sec)),
    Column::new("× copy", 0, |record| record.copy_micros.map_or_else(|| "–".into(), |copy| short(record.kernel_micros.median / copy))),
    Column::new("error", 0, |record| format!("{:.1e}", record.error)),
    Column::new("precision", 0, |record| record.precision.name().into()),
    Column::new("transfers µs", 1, |record| short(record.upload_micros.median + record.download_micros.median)),
    Column::new("total µs", 2, |record| short(record.total_micros.median)),
];

/// A line a record, in columns.
pub fn table(records: &[Record]) -> String {
    let with_copy = records.iter().any(|record| record.copy_micros.is_some());
    let with_precision = records.iter().any(|record| record.precision == Precision::Double);
    let wanted = |column: &Column| match column.heading {
        "× copy" => with_copy,
        "precision" => with_precision,
        _ => true,
    };
    let mut columns: Vec<(&Column, usize)> =
        COLUMNS.iter().filter(|column| wanted(column)).map(|column| (column, column.width(records))).collect();
    for gone in 1..=3 {
        if columns.iter().map(|(_, width)| width + 2).sum::<usize>() > WIDTH + 2 {
            columns.retain(|(column, _)| column.gives_way != gone);
        }
    }
    // What is still too wide stands closer.
    let gap = if columns.iter().map(|(_, width)| width + 2).sum::<usize>() > WIDTH + 2 { " " } else { "  " };
    let mut text = String::new();
    for row in std::iter::once(None).chain(records.iter().map(Some)) {
        let mut line = String::new();
        for (index, (column, width)) in columns.iter().enumerate() {
            let cell = row.map_or_else(|| column.heading.to_owned(), column.text);
            // Words to the left, numbers to the right.
            let pad = " ".repeat(width - cell.chars().count());
            line += &if index < 3 { format!("{cell}{pad}{gap}") } else { format!("{pad}{cell}{gap}") };
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// A line for every device whose name the table shortens.
pub fn legend(records: &[Record]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for record in records {
        let software = if record.software_gpu { " (software)" } else { "" };
        let line = format!("{}: {}{software}", device(record), record.device);
        if device(record) != record.device && !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines
}

/// A row a record, after a header with units; machine and settings in every row, so that tables can be put together.
pub fn csv(machine: &Machine, settings: Settings, records: &[Record]) -> String {
    let mut text = String::from("transform,algorithm,device,software_gpu,precision,rows,columns,launches,moved_bytes,device_clock,runs");
    for part in ["kernel", "run_kernel", "upload", "download", "total"] {
        write!(text, ",{part}_median_us,{part}_min_us,{part}_max_us").expect("writing to a string does not fail");
    }
    text += ",prepare_us,copy_median_us,gflop_per_sec,gbyte_per_sec,relative_error,schedule,processor,threads,system,version\n";
    let quoted = |words: &str| format!("\"{}\"", words.replace('"', "\"\""));
    for record in records {
        let mut cells = vec![record.transform.to_owned(), record.algorithm.to_owned(), quoted(&record.device)];
        cells.extend([record.software_gpu.to_string(), record.precision.name().to_owned()]);
        cells.extend([record.shape.rows, record.shape.columns, record.n_launches].map(|number| number.to_string()));
        cells.push(record.moved_bytes.map(|bytes| bytes.to_string()).unwrap_or_default());
        cells.extend([record.device_clock.to_string(), record.kernel_micros.n.to_string()]);
        for times in
            [&record.kernel_micros, &record.run_kernel_micros, &record.upload_micros, &record.download_micros, &record.total_micros]
        {
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

/// The name of the device, cut to what tells it from others.
fn device(record: &Record) -> String {
    let name = record.device.split(" (").next().unwrap_or(&record.device);
    match name.chars().count() {
        0..=DEVICE_WIDTH => name.to_owned(),
        _ => name.chars().take(DEVICE_WIDTH - 1).chain(['…']).collect(),
    }
}

fn size(record: &Record) -> String {
    match record.shape.rows {
        1 => record.shape.columns.to_string(),
        rows => format!("{rows}×{}", record.shape.columns),
    }
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
    use crate::bench::Statistics;
    use crate::transforms::Shape;

    fn record() -> Record {
        let times = |median: f64| Statistics { median, min: median / 2.0, max: 2.0 * median, n: 5 };
        Record {
            transform: "dft",
            algorithm: "stockham",
            device: "A \"GPU\" of 8 GiB (driver 1)".into(),
            software_gpu: true,
            precision: Precision::Single,
            shape: Shape { rows: 4, columns: 1024 },
            n_launches: 2,
            moved_bytes: Some(131_072),
            kernel_micros: times(12.5),
            run_kernel_micros: times(14.0),
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
        for cell in ["dft stockham", "4×1024", "0.13", " 12.5 ", "150 %", "2.50", "1.5e-7", "A \"GPU\" of 8 …"] {
            assert!(table.contains(cell), "{cell} is missing in\n{table}");
        }
        assert_eq!(legend(&[record(), record()]), ["A \"GPU\" of 8 …: A \"GPU\" of 8 GiB (driver 1) (software)"]);
        let csv = csv(&machine, settings, &[record()]);
        let mut reader = ::csv::Reader::from_reader(csv.as_bytes());
        let header = reader.headers().unwrap().clone();
        let row = reader.records().next().unwrap().unwrap();
        let cell = |name: &str| &row[header.iter().position(|heading| heading == name).unwrap()];
        assert_eq!(cell("device"), "A \"GPU\" of 8 GiB (driver 1)");
        assert_eq!(cell("kernel_median_us"), "12.5");
        assert_eq!((cell("copy_median_us"), cell("moved_bytes"), cell("run_kernel_median_us")), ("5", "131072", "14"));
        let json: serde_json::Value = serde_json::from_str(&json(&machine, settings, &[record()])).unwrap();
        assert_eq!(json["records"][0]["kernel_micros"]["median"], 12.5);
        assert_eq!(json["machine"]["n_threads"], machine.n_threads);
    }

    #[test]
    fn a_wide_table_keeps_what_counts() {
        let narrow = table(&[record()]);
        assert!(narrow.contains(" n ") && narrow.contains("total µs"), "{narrow}");
        let no_gpu = table(&[Record { copy_micros: None, device: "CPU".into(), ..record() }]);
        assert!(no_gpu.contains("transfers µs") && !no_gpu.contains("× copy"), "{no_gpu}");
        let long = Record { transform: "reed-muller", algorithm: "constant-geometry", ..record() };
        let wide = table(&[long, Record { shape: Shape { rows: 16_384, columns: 16_384 }, ..record() }]);
        assert!(wide.lines().all(|line| line.chars().count() <= WIDTH), "{wide}");
        for heading in ["launches", "MB", "kernels µs", "spread", "GB/s", "Gflop/s", "× copy", "error"] {
            assert!(wide.contains(heading), "{heading} is missing in\n{wide}");
        }
        assert!(!wide.contains("transfers") && !wide.contains("total"), "{wide}");
    }
}
