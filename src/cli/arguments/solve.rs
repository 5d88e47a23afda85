//! The words of `papillon solve`.

use super::{ValuesOutput, Way, cut};
use crate::cli::cutting::LineCutArguments;
use crate::engine::Cut;
use std::path::PathBuf;

/// Solves a tridiagonal system of equations and writes the solution.
///
/// Row i, (a, b, c, d), says a·x[i−1] + b·x[i] + c·x[i+1] = d; the first a and the last c are ignored.
/// The residual is told, and a warning is given where the system is badly conditioned; a singular system is refused.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct SolveArguments {
    /// CSV, TSV, NPY or NPZ with N rows of four numbers a, b, c, d; a header row may stand above them. Or a tridiagonal matrix: a Matrix Market file, or rows of a, b, c.
    #[arg(value_name = "SYSTEM")]
    pub(in crate::cli) system: PathBuf,
    /// The right-hand sides d, one line or column of N numbers; in place of those among the equations.
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) right: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) way: Way,
    /// How the plan is cut into launches: tiles, tiles:LANES (of at most so many), stages (one launch each) or split-merge.
    #[arg(long, default_value = "tiles", value_parser = cut, value_name = "SCHEDULE")]
    pub(in crate::cli) schedule: Cut,
    #[command(flatten)]
    pub(in crate::cli) cutting: LineCutArguments,
    #[command(flatten)]
    pub(in crate::cli) output: ValuesOutput,
}
