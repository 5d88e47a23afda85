//! How a plan is divided into kernel launches, and the check that the schedule is legal.
//!
//! Every tile executes the stages of a launch without leaving its own lanes; all tiles meet between launches.
//! The check finds races and missing barriers without a GPU.

mod blocks;
mod borders;
mod bytes_moved;
mod components;
mod filter_runs;
mod filters;
mod grid;
mod launch;
mod legality;
mod levels;
mod lifting_runs;
mod overlapped;
mod pyramid;
mod runs;
mod scheme;
mod sections;
mod split_and_merge;
mod split_settings;

pub use blocks::common_block;
pub use borders::{Border, borders};
pub use components::components;
pub use filter_runs::{FilterLevel, FilterRun, FilterSquare};
pub use grid::Grid;
pub use launch::{Launch, Memory, Schedule, Section, Threads, Tile};
pub use legality::Illegal;
pub use levels::{Group, Left, levels, levels_within};
pub use lifting_runs::are_apart;
pub use overlapped::{Level, pyramid_levels};
pub use runs::{Run, RunStep, runs};
pub use scheme::Scheme;
pub use sections::{Owner, Sections, axes, sections};
pub use split_settings::SplitAndMerge;
