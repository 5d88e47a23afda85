//! Sweeps over transforms, algorithms, devices and sizes: every run goes through the engine as the user's work does, and its result is checked in the same sweep.
//!
//! A [`Sweep`] says what is measured and how; [`run`] makes a [`Record`] of it, which holds the raw samples and everything that they depend on, and which outlives the program as JSON or CSV.
//! [`Statistics`] are made of the samples when they are looked at; times of the launches, the upload, the download and the whole are never mixed.
//! This module knows no window: [`Bench`] is the thread that works for one.

mod beside;
mod bound;
mod charts;
mod experiments;
mod figures;
mod machine;
mod measure;
mod record;
mod remarks;
mod run;
mod spreadsheet;
mod statistics;
mod subject;
mod sweep;
mod systems;
mod table;
mod worker;
mod yardstick;

pub use crate::engine::CaseRunner;
pub use beside::beside;
pub use charts::{Part, Plot, Quantity, chart};
pub use experiments::{Experiment, Paper, Printed, experiment, papers};
pub use figures::{Figures, Share};
pub use machine::Machine;
pub use record::{End, Failure, Measurement, Record, RecordError, Trip};
pub use remarks::remarks;
pub use run::{Progress, run, run_with};
pub use statistics::{Statistics, quartiles};
pub use subject::{Maker, subject};
pub use sweep::{Caches, Data, Line, Settings, Sweep};
pub use table::{legend, legend_name, table};
pub use worker::Bench;
