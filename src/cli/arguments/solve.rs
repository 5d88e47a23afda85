//! The words of `papillon solve`.

use super::{ValuesOutput, Way};
use std::path::PathBuf;

/// Solves a tridiagonal system of equations and writes the solution.
///
/// Row i, (a, b, c, d), says a·x[i−1] + b·x[i] + c·x[i+1] = d; the first a and the last c are ignored.
/// The residual is told, and a warning is given where the system is badly conditioned; a singular system is refused.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct SolveArguments {
    /// CSV, TSV, NPY or NPZ with N rows of four numbers a, b, c, d; a header row may stand above them.
    #[arg(value_name = "SYSTEM")]
    pub(in crate::cli) system: PathBuf,
    #[command(flatten)]
    pub(in crate::cli) way: Way,
    #[command(flatten)]
    pub(in crate::cli) output: ValuesOutput,
}
