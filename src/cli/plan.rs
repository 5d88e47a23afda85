//! The options that say which plan is built, and how it is cut into launches.

use super::arguments::{Size, cut};
use super::cutting::CutArguments;
use super::parameters::ParameterArguments;
use crate::engine::Cut;
use clap::Args;

/// A transform, one of its algorithms, a size and a schedule.
#[derive(Debug, Args)]
pub(super) struct PlanArguments {
    /// One of the transforms in `papillon list`.
    #[arg(short, long, value_name = "NAME")]
    pub(super) transform: String,
    /// One of its algorithms with a flow graph; by default the first one, or for a drawing of at most 16 values a row one of radix 2.
    #[arg(short, long, value_name = "NAME")]
    pub(super) algorithm: Option<String>,
    /// Values per row, any number, or ROWSxCOLUMNS; one number means a square if the transform takes images.
    #[arg(short = 'n', long, value_name = "SIZE", allow_negative_numbers = true)]
    pub(super) size: Size,
    #[command(flatten)]
    pub(super) parameters: ParameterArguments,
    /// How the plan is cut into launches: tiles, tiles:LANES (of at most LANES lanes), stages (one launch each), split-merge or overlapped.
    #[arg(long, default_value = "tiles", value_parser = cut, value_name = "SCHEDULE")]
    pub(super) schedule: Cut,
    #[command(flatten)]
    pub(super) cutting: CutArguments,
}
