//! A record as a text table for a terminal. A wide table leaves out the less important columns.

use super::{CaseFigures, Measurement, Record, RunTimes};
use crate::engine::Cut;
use crate::numerals::fixed;

/// Width of the table in characters.
const WIDTH: usize = 122;
/// Width of a device name in the table; the [`legend`] has the full name.
const DEVICE_WIDTH: usize = 12;

/// The heading of the column that says what a lane holds.
const NUMBERS: &str = "numbers";

/// The data of a row.
struct Cells<'a> {
    measurement: &'a Measurement,
    name: String,
    figures: CaseFigures,
}

/// A column of the table.
struct Column {
    /// The heading with its unit.
    heading: &'static str,
    text: fn(&Cells<'_>) -> String,
    /// Rank in which columns are left out of a table that is too wide; columns of rank 0 stay.
    gives_way: u8,
}

impl Column {
    const fn new(heading: &'static str, gives_way: u8, text: fn(&Cells<'_>) -> String) -> Self {
        Self { heading, text, gives_way }
    }
}

const COLUMNS: [Column; 17] = [
    Column::new("transform", 0, |cells| cells.name.clone()),
    Column::new("device", 0, |cells| device(cells.measurement)),
    Column::new("size", 0, |cells| size(cells.measurement)),
    Column::new(
        "launches",
        3,
        |cells| if cells.measurement.n_launches == 0 { "–".into() } else { cells.measurement.n_launches.to_string() },
    ),
    Column::new("copies", 4, |cells| ratio(cells.figures.copies)),
    Column::new("kernels µs", 0, |cells| short(cells.measurement.kernel().median)),
    Column::new("± %", 0, |cells| {
        let kernel = cells.measurement.kernel();
        if kernel.median > 0.0 { format!("{:.1}", 50.0 * (kernel.interval[1] - kernel.interval[0]) / kernel.median) } else { "–".into() }
    }),
    Column::new("n", 2, |cells| cells.measurement.kernel().n.to_string()),
    Column::new("GB/s", 0, |cells| short(cells.figures.gbyte_per_sec)),
    Column::new("Gflop/s", 0, |cells| short(cells.figures.gflop_per_sec)),
    Column::new("× floor", 0, |cells| ratio(cells.figures.over_floor)),
    Column::new("× copies", 0, |cells| ratio(cells.figures.over_copies)),
    Column::new("error", 0, |cells| {
        let error = format!("{:.1e}", cells.measurement.error);
        if cells.measurement.is_right() { error } else { format!("WRONG {error}") }
    }),
    Column::new("≤ bound", 5, |cells| format!("{:.1e}", cells.measurement.tolerance)),
    Column::new(NUMBERS, 0, |cells| {
        let Measurement { lanes, precision, .. } = cells.measurement;
        if lanes.is_empty() { precision.name().into() } else { lanes.clone() }
    }),
    Column::new("transfers µs", 1, |cells| short(cells.measurement.part(RunTimes::memory).median)),
    Column::new("total µs", 0, |cells| short(cells.measurement.part(|run| run.total).median)),
];

/// The table, with one line per case.
pub fn table(record: &Record) -> String {
    let rows: Vec<Cells<'_>> = record.measurements.iter().map(|measurement| cells(record, measurement)).collect();
    let with_numbers = record.measurements.iter().any(Measurement::has_other_numbers);
    let wanted = |column: &&Column| column.heading != NUMBERS || with_numbers;
    let width = |column: &Column| {
        let cells = rows.iter().map(|row| (column.text)(row).chars().count());
        cells.max().unwrap_or(0).max(column.heading.chars().count())
    };
    let mut columns: Vec<(&Column, usize)> = COLUMNS.iter().filter(wanted).map(|column| (column, width(column))).collect();
    for gone in 1..=5 {
        if columns.iter().map(|(_, width)| width + 2).sum::<usize>() > WIDTH + 2 {
            columns.retain(|(column, _)| column.gives_way != gone);
        }
    }
    // A table that is still too wide gets narrower gaps.
    let gap = if columns.iter().map(|(_, width)| width + 2).sum::<usize>() > WIDTH + 2 { " " } else { "  " };
    let mut text = String::new();
    for row in std::iter::once(None).chain(rows.iter().map(Some)) {
        let mut line = String::new();
        for (index, (column, width)) in columns.iter().enumerate() {
            let cell = row.map_or_else(|| column.heading.to_owned(), column.text);
            // Words are aligned left, numbers right.
            let pad = " ".repeat(width - cell.chars().count());
            line += &if index < 3 { format!("{cell}{pad}{gap}") } else { format!("{pad}{cell}{gap}") };
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

fn cells<'a>(record: &'a Record, measurement: &'a Measurement) -> Cells<'a> {
    let line = &record.sweep.lines[measurement.line];
    let name = line.label.clone().unwrap_or_else(|| format!("{} {}", line.transform, measurement.algorithm));
    Cells { measurement, name, figures: CaseFigures::of(measurement) }
}

/// The name of a line: its label, or its transform, algorithm and device.
pub fn legend_name(record: &Record, line: usize) -> String {
    let asked = &record.sweep.lines[line];
    if let Some(label) = &asked.label {
        return label.clone();
    }
    let measured = record.measurements.iter().find(|measurement| measurement.line == line);
    let algorithm = asked.algorithm.as_deref().or(measured.map(|measurement| measurement.algorithm.as_str())).unwrap_or("fastest");
    let device = measured.map_or_else(|| asked.device.to_string(), |measurement| without_details(measurement).to_owned());
    let cut = match asked.cut {
        Cut::Tiles => String::new(),
        Cut::TilesOf(lanes) => format!(", tiles of {lanes}"),
        Cut::Stages | Cut::StagesIn(_) => ", a launch a stage".into(),
        Cut::StagesBy(variant) => format!(", a launch a stage, {}", variant.name()),
        Cut::Blocks(kernels) => format!(", {}", kernels.name()),
        Cut::StagesOf(threads) => format!(", a launch a stage, T = {}", threads.name()),
        Cut::SplitAndMerge(how) => format!(", {} levels a section", how.levels),
        Cut::Overlapped(_) => ", overlapped".into(),
    };
    format!("{} {algorithm}{cut}, {device}", asked.transform)
}

/// The full names of the devices that the table shortens, one line each.
pub fn legend(record: &Record) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for measurement in &record.measurements {
        let line = format!("{}: {}", device(measurement), measurement.device);
        if device(measurement) != measurement.device && !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines
}

/// The name of the device without what is in parentheses.
fn without_details(measurement: &Measurement) -> &str {
    measurement.device.split(" (").next().unwrap_or(&measurement.device)
}

/// The name of the device, shortened for the table.
fn device(measurement: &Measurement) -> String {
    let name = without_details(measurement);
    match name.chars().count() {
        0..=DEVICE_WIDTH => name.to_owned(),
        // The end of the name tells CPU backends apart.
        _ => match name.strip_prefix("CPU, 1 thread, ") {
            Some(way) => format!("CPU 1 {way}"),
            None => name.chars().take(DEVICE_WIDTH - 1).chain(['…']).collect(),
        },
    }
}

fn size(measurement: &Measurement) -> String {
    match measurement.shape.rows {
        1 => measurement.shape.columns.to_string(),
        rows => format!("{rows}×{}", measurement.shape.columns),
    }
}

/// A ratio, or a dash without one.
fn ratio(ratio: Option<f64>) -> String {
    ratio.map_or_else(|| "–".into(), short)
}

/// A number with three significant digits and no exponent.
fn short(number: f64) -> String {
    match number.abs() {
        // A plan without stages takes no time and has no rates.
        size if !size.is_finite() => "–".into(),
        size if size >= 100.0 || number == 0.0 => fixed(number, 0),
        size if size >= 10.0 => fixed(number, 1),
        _ => fixed(number, 2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::record::tests::{measurement, record};
    use crate::transforms::Shape;

    #[test]
    fn the_table_holds_the_numbers_of_the_record() {
        let text = table(&record());
        for cell in ["dft stockham", "the other", "4×1024", " 12.5 ", "1.5e-7", "A GPU, of 8 …", "3.00", "1.50"] {
            assert!(text.contains(cell) || cell == "A GPU, of 8 …", "{cell} is missing in\n{text}");
        }
        assert_eq!(text.lines().count(), 1 + 3);
    }

    #[test]
    fn a_wide_table_keeps_what_counts() {
        let long = Measurement {
            shape: Shape { rows: 16_384, columns: 16_384 },
            error: 0.5,
            algorithm: "constant-geometry".into(),
            ..measurement(0, 1024, 123.456)
        };
        let mut record = Record { measurements: vec![long], ..record() };
        record.sweep.lines[0].transform = "reed-muller".into();
        let wide = table(&record);
        assert!(wide.lines().all(|line| line.chars().count() <= WIDTH), "{wide}");
        for heading in ["kernels µs", "± %", "GB/s", "Gflop/s", "× floor", "× copies", "error", "WRONG 5.0e-1", "total µs"] {
            assert!(wide.contains(heading), "{heading} is missing in\n{wide}");
        }
        assert!(!wide.contains("transfers"), "{wide}");
    }
}
