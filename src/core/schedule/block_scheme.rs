//! How the rows and columns of an image are distributed over blocks of threads.
//!
//! F. Argüello, D. B. Heras, M. Bóo, J. Lamas-Rodríguez, The split-and-merge method in general purpose computation on GPUs (2012), section 4 and Table 4.

use super::{Launch, Schedule, Tile};
use crate::plan::{Plan, Stage};

/// Threads of a block: 256, as in the paper.
const THREADS: usize = 256;
const SIDE: usize = 16;

crate::choice! {
    /// The shape of blocks along rows and along columns.
    #[serde(rename_all = "kebab-case")]
    pub enum BlockScheme {
        /// Rows, then columns: 256×1 along rows; along columns 1×256 with one launch a stage, 16×16 in sections.
        #[default]
        RowColumn = "Row-column", "row-column";
        /// 256×1 along both axes: along columns, a block takes one row of 256 columns. Only for schedules with one launch a stage.
        Rows = "Rows", "rows";
        /// 16×16 along both axes. A section then takes both axes: one split, and a merge for each axis.
        Square = "Square", "square";
    }
}

impl Schedule {
    /// One launch a stage, with blocks of these shapes for stages of several lines.
    pub fn by_stage_in(plan: &Plan, scheme: BlockScheme) -> Self {
        let tile = |stage: &Stage| match scheme {
            // A block takes neighbours of one row, or of one column.
            BlockScheme::RowColumn if stage.group.n > 1 => Tile::Patch { positions: THREADS, lines: 1 },
            BlockScheme::Rows if stage.is_across() => Tile::Patch { positions: 1, lines: THREADS },
            BlockScheme::Square if stage.group.n > 1 => Tile::Patch { positions: THREADS / SIDE, lines: SIDE },
            _ => Tile::Each,
        };
        let launch = |(index, stage)| Launch { stages: index..index + 1, tile: tile(stage) };
        Self { launches: plan.stages.iter().enumerate().map(launch).collect() }
    }
}
