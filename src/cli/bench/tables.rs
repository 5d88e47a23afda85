//! The tables of papers, filled from a record: on the terminal and as files.

use super::super::{Failure, output};
use super::BenchArguments;
use crate::bench::{self, ComparisonTable, Record};
use crate::signal::replace;
use std::path::Path;

/// The endings of tables; those of records come first where both have one.
const ENDINGS: [&str; 4] = ["tex", "csv", "svg", "txt"];

fn ending(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
}

/// Whether an output is a table and not a record.
pub(super) fn is_table(path: &Path) -> bool {
    ["tex", "svg"].contains(&ending(path).as_str())
}

/// The files of tables that were asked for.
pub(super) fn paths(arguments: &BenchArguments) -> Result<Vec<&Path>, Failure> {
    let listed = arguments.table.as_deref().into_iter();
    let paths: Vec<&Path> = listed.chain(arguments.output.as_deref().filter(|path| is_table(path))).collect();
    for path in &paths {
        if !ENDINGS.contains(&ending(path).as_str()) {
            return Err(Failure::Call(format!("cannot write {}: tables are written as .tex, .csv, .svg or .txt", path.display())));
        }
        if arguments.experiment.is_none() && arguments.record.is_none() {
            return Err(Failure::Call(format!("{} would hold the table of a paper: give --experiment", path.display())));
        }
        output::check(path)?;
    }
    Ok(paths)
}

/// The tables of the experiment that a record repeats; none for other records.
fn tables(record: &Record) -> Vec<ComparisonTable> {
    let experiment = record.sweep.experiment.as_deref().and_then(bench::experiment);
    experiment.map_or_else(Vec::new, |(_, experiment)| bench::comparison(experiment, Some(record)))
}

/// The tables for the terminal, an empty line after each.
pub(super) fn text(record: &Record) -> String {
    tables(record).iter().map(|table| table.text() + "\n").collect()
}

/// Writes the tables; the ending of the file gives the format.
pub(super) fn write(record: &Record, path: &Path) -> Result<(), Failure> {
    let tables = tables(record);
    if tables.is_empty() {
        return Err(Failure::Call(format!("the record repeats no experiment of a paper, so {} has no table", path.display())));
    }
    let text = match ending(path).as_str() {
        "tex" => bench::tables_as_tex(&tables),
        "csv" => bench::tables_as_csv(&tables),
        "svg" => bench::tables_as_svg(&tables),
        _ => text(record),
    };
    Ok(replace(path, |out| out.write_all(text.as_bytes()))?)
}
