//! The tables of papers, filled from a record: on the terminal and as files.

use super::super::{Failure, output};
use super::BenchArguments;
use crate::bench::{self, ComparisonTable, Record};
use crate::figure::FigureFormat;
use crate::remedy::ending_list;
use crate::signal::replace;
use std::path::Path;
use strum::IntoEnumIterator as _;

/// The endings of tables as text. A table as TeX is one for LaTeX, so that its drawing as TikZ has another ending.
const TEXTS: [&str; 3] = ["tex", "csv", "txt"];

fn ending(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
}

/// The endings of tables, as text and drawn.
pub(super) fn endings() -> Vec<&'static str> {
    TEXTS.into_iter().chain(FigureFormat::iter().map(FigureFormat::ending_beside_tex)).collect()
}

/// Whether an output is a table and not a record.
pub(super) fn is_table(path: &Path) -> bool {
    ending(path) == "tex" || FigureFormat::iter().any(|format| format.ending_beside_tex() == ending(path))
}

/// The files of tables that were asked for.
pub(super) fn paths(arguments: &BenchArguments) -> Result<Vec<&Path>, Failure> {
    let listed = arguments.table.as_deref().into_iter();
    let paths: Vec<&Path> = listed.chain(arguments.output.as_deref().filter(|path| is_table(path))).collect();
    for path in &paths {
        if !endings().contains(&ending(path).as_str()) {
            return Err(Failure::Call(format!("cannot write {}: tables are written as {}", path.display(), ending_list(&endings()))));
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
    let bytes = match (ending(path).as_str(), FigureFormat::from_path(path)) {
        ("tex", _) => bench::tables_as_tex(&tables).into_bytes(),
        ("csv", _) => bench::tables_as_csv(&tables).into_bytes(),
        (_, Some(format)) => bench::tables_as_figure(&tables).bytes(format)?,
        _ => text(record).into_bytes(),
    };
    Ok(replace(path, |out| out.write_all(&bytes))?)
}
