//! Benchmarks: sweeps over transforms, algorithms, devices and sizes. Every run goes through the engine, and the sweep checks every result.
//!
//! A [`Sweep`] says what is measured and how. [`run()`] measures it and returns a [`Record`]: the raw samples and all conditions, saved as JSON or CSV.
//! [`Statistics`] are computed from the samples on demand. Kernel, upload, download and total times are never mixed.
//! This module knows no window; [`start_sweeps`] starts the thread that runs sweeps for one.

mod bound;
mod case;
mod charts;
mod claims;
mod comparison;
mod comparison_files;
#[cfg(test)]
mod comparison_tests;
mod earlier;
mod empty_cells;
mod experiments;
mod figures;
mod joined;
mod machine;
mod measure;
mod moves;
mod paper_notes;
mod quantity;
mod record;
mod run;
mod signals;
mod spreadsheet;
mod stated;
mod statistics;
mod sweep;
mod systems;
mod table;
mod warnings;
mod worker;
mod yardstick;

pub use crate::engine::CaseRunner;
pub use case::{CaseMaker, benchmark_case};
pub use charts::chart;
pub use claims::{TestedClaim, tested_claims};
pub use comparison::{ComparisonTable, comparison};
pub use comparison_files::{tables_as_csv, tables_as_figure, tables_as_tex};
pub use experiments::{
    CellQuantity, Claim, Experiment, LineName, Measure, Paper, PaperColumn, PaperRow, PaperTable, Pick, PrintedNumbers, PrintedUnit,
    Stated, experiment, papers,
};
pub use figures::{CaseFigures, TimeShare};
pub use machine::Machine;
pub use moves::{MoveTimes, filter_moves};
pub use paper_notes::paper_notes;
pub use quantity::{PlotQuantity, PlotRequest, TimedPart};
pub use record::{CaseFailure, Measurement, Record, RecordError, RunTimes, SweepEnd};
pub use run::{SweepProgress, run, run_with};
pub use signals::{SIGNAL_CASES, SignalCase, SignalTimes};
pub use stated::paper_chart;
pub use statistics::Statistics;
pub use sweep::{BufferTime, CacheState, Sweep, SweepData, SweepLine, SweepSettings};
pub use table::{legend, legend_name, table};
pub use warnings::warnings;
pub use worker::{SweepRequest, SweepWorker, start_sweeps};
