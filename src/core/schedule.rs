//! How a plan is divided into kernel launches, and the check that the schedule is legal.
//!
//! Every tile executes the stages of a launch without leaving its own lanes; all tiles meet between launches.
//! The check finds races and missing barriers without a GPU.

mod bit_tiles;
mod block_scheme;
mod blocks;
mod bytes_moved;
mod components;
mod cut;
mod cut_parameters;
mod filter_runs;
mod filters;
mod grid;
mod kernel_variant;
mod launch;
mod legality;
mod levels;
mod lifting_runs;
mod overlapped;
mod pyramid;
mod scan_runs;
mod section_boundary;
mod section_graph;
mod section_runs;
mod sections;
mod split_and_merge;
mod split_settings;

pub use bit_tiles::{BitRun, BitStage, MovedBit, bit_tile};
pub use block_scheme::BlockScheme;
pub use blocks::{common_block, spaced_tile};
pub use components::components;
pub use cut::Cut;
pub use cut_parameters::{CutParameter, CutParameters};
pub use filter_runs::{FilterLevel, FilterLevel2d, FilterRun};
pub use grid::TileGrid;
pub use kernel_variant::{BlockKernels, IndexArithmetic, KernelVariant, TwiddleSource};
pub use launch::{Launch, Schedule, SectionKind, SectionMemory, ThreadsPerSample, Tile};
pub use legality::IllegalSchedule;
pub use levels::{LevelGroup, RemainingLevels, levels, levels_within};
pub use lifting_runs::merges_are_independent;
pub use overlapped::{PyramidLevel, pyramid_levels};
pub use scan_runs::{ScanLevel, ScanRun};
pub use section_boundary::{SectionBoundary, section_boundaries};
pub use section_graph::{Section, SectionStep, section_graph};
pub use section_runs::{SectionRun, SectionRunStep, section_runs};
pub use sections::{ButterflyOwner, SectionOwners, parts_along_axes, sections};
pub use split_settings::SplitAndMerge;
