//! How a paper prints the numbers of an experiment: the rows and columns of its table, and the numbers in print.

use super::{Experiment, PrintedNumbers, PrintedUnit};
use crate::bench::TimedPart;
use crate::engine::DeviceChoice;

/// A table as a paper prints it.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaperTable {
    /// Headings of the columns that name a row, such as L and T.
    pub names: Vec<String>,
    /// The columns of numbers.
    pub columns: Vec<PaperColumn>,
    /// The rows; without any, each size of the experiment is a row.
    #[serde(default)]
    pub rows: Vec<PaperRow>,
}

/// A column of numbers.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaperColumn {
    /// Its heading.
    pub heading: String,
    /// The quantity.
    #[serde(default)]
    pub shows: CellQuantity,
    /// The line that fills the column; without one, the rows name their lines.
    #[serde(default)]
    pub line: Option<usize>,
    /// The line that factors are relative to; beside times, the factor is in brackets.
    #[serde(default)]
    pub against: Option<usize>,
}

/// A row.
#[derive(Debug, Clone, PartialEq, Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaperRow {
    /// Its name, one text for each of the columns that make it.
    pub names: Vec<String>,
    /// The line that fills the row, or one for each column.
    #[serde(default)]
    pub lines: Vec<usize>,
    /// The exponent of its size; without one, the row is measured at the size of the experiment.
    #[serde(default)]
    pub exponent: Option<u32>,
    /// The texts that the paper prints in each column, digit by digit; empty for nothing.
    #[serde(default)]
    pub printed: Vec<String>,
}

/// The meaning of a number of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CellQuantity {
    /// Time of all launches in ms.
    #[default]
    Kernels,
    /// Time of all launches, divided by the rows of the batch, in µs.
    Row,
    /// Time of upload and download in ms.
    Transfers,
    /// Time from the samples to the result in memory, in ms.
    Total,
    /// 10^9 operations a second.
    Rate,
    /// Products of the definition, N² for a row of N values.
    DefinitionProducts,
    /// Sums of the definition, N·(N − 1) for a row of N values.
    DefinitionSums,
    /// N·log2 N, the order of what a fast algorithm takes.
    FastOrder,
    /// How many times as fast as another line.
    Faster,
    /// How many times as long as another line.
    Slower,
}

impl CellQuantity {
    /// The unit in a heading.
    pub(crate) fn unit(self) -> &'static str {
        match self {
            Self::Kernels | Self::Transfers | Self::Total => "ms",
            Self::Row => "µs",
            Self::Rate => "Gflop/s",
            Self::DefinitionProducts | Self::DefinitionSums | Self::FastOrder => "operations",
            Self::Faster | Self::Slower => "×",
        }
    }
}

impl PaperTable {
    /// The line of a cell, as an index into those of the experiment; `None` where the program has nothing that fills it.
    pub fn line(&self, row: &PaperRow, column: usize) -> Option<usize> {
        self.columns[column].line.or_else(|| row.lines.get(column).or(row.lines.first()).copied())
    }
}

/// The number that a printed cell begins with: 12.63 of "12.63 (1.00×)", 13 of "×13".
pub(crate) fn printed_number(text: &str) -> Option<f64> {
    text.trim_start_matches('×').split_whitespace().next()?.parse().ok()
}

/// The curves that the numbers in print draw: one for each column where the rows are sizes, else one for each cell.
pub(crate) fn printed_curves(experiment: &Experiment) -> Vec<PrintedNumbers> {
    let Some(table) = &experiment.table else { return Vec::new() };
    let mut curves = Vec::new();
    for (index, column) in table.columns.iter().enumerate() {
        let unit = match column.shows {
            CellQuantity::Kernels | CellQuantity::Transfers | CellQuantity::Total => PrintedUnit::Milliseconds,
            CellQuantity::Rate => PrintedUnit::GflopPerSec,
            CellQuantity::Row | CellQuantity::Faster | CellQuantity::Slower => continue,
            CellQuantity::DefinitionProducts | CellQuantity::DefinitionSums | CellQuantity::FastOrder => continue,
        };
        let part = if column.shows == CellQuantity::Total { TimedPart::Total } else { TimedPart::Kernels };
        for row in &table.rows {
            let Some(value) = row.printed.get(index).and_then(|text| printed_number(text)) else { continue };
            let Some(line) = table.line(row, index) else { continue };
            let on_gpu = experiment.lines[line].device == DeviceChoice::Gpu;
            let exponent = row.exponent.or(experiment.exponents.last().copied()).unwrap_or_default();
            let lanes = f64::from(exponent) * if experiment.square { 2.0 } else { 1.0 };
            let mut add = |name: String, part: TimedPart, value: f64| match curves
                .iter_mut()
                .find(|known: &&mut PrintedNumbers| known.name == name && known.part == part)
            {
                Some(known) => known.values.push([lanes, value]),
                None => curves.push(PrintedNumbers { name, on_gpu, unit, part, values: vec![[lanes, value]] }),
            };
            if column.shows == CellQuantity::Transfers {
                // With the computation that is before it, the memory time makes the whole.
                let kernels = index.checked_sub(1).and_then(|before| printed_number(row.printed.get(before)?));
                let name = format!("{} and computation, as printed", column.heading);
                kernels.into_iter().for_each(|kernels| add(name.clone(), TimedPart::Total, kernels + value));
                continue;
            }
            let name = match row.exponent {
                Some(_) => format!("{}, as printed", column.heading),
                None => format!("{}, {}, as printed", row.names.join(" "), column.heading),
            };
            add(name.clone(), part, value);
            // The CPU has no transfers.
            if !on_gpu && part == TimedPart::Kernels && unit == PrintedUnit::Milliseconds {
                add(name, TimedPart::Total, value);
            }
        }
    }
    curves
}
