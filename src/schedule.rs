//! How a plan is cut into kernel launches, and the check that the cut is legal.
//!
//! A launch is a run of stages that every tile executes without leaving its own lanes; between launches all tiles meet.
//! The check is pure data: it finds races and missing barriers without a GPU.

mod borders;
mod components;
mod filters;
mod legality;
mod overlapped;
mod pyramid;
mod runs;
mod scheme;
mod sections;
mod split_and_merge;

pub use borders::{Border, borders};
pub use components::components;
pub use filters::{FilterLevel, FilterRun, FilterSquare};
pub use legality::Illegal;
pub use overlapped::{Group, Left, Level, pyramid_levels};
pub use runs::{Run, RunStep, runs};
pub use scheme::Scheme;
pub use sections::{Grid, Owner, Section, Sections, axes, sections};
pub use split_and_merge::{Memory, SplitAndMerge, Threads, are_apart, levels, levels_within};

use crate::plan::{Plan, Stage, Words};
use split_and_merge::border_lanes;
use std::ops::Range;

/// The lanes that one workgroup owns during a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tile {
    /// No tiles: one stage, every butterfly on its own, from global memory to global memory.
    Each,
    /// The same, and a workgroup takes so many neighbouring butterflies of so many neighbouring lines.
    Patch {
        /// Butterflies of a line.
        positions: usize,
        /// Lines.
        lines: usize,
    },
    /// Blocks of `lanes` consecutive lanes, held in workgroup memory from the first stage of the launch to the last.
    Block {
        /// Lanes of a tile.
        lanes: usize,
    },
    /// Lines of `points` lanes that stand `stride` apart, `lines` neighbouring ones in a tile: the components of a run of stages that write elsewhere than they read, or of steps in place on some digits of the index.
    /// Line i of a row of `points · stride` lanes begins at its lane i.
    Strided {
        /// Lanes of a line.
        points: usize,
        /// Lanes from one to the next of a line, and lines of a row.
        stride: usize,
        /// Lines of a tile; the last tile may have fewer.
        lines: usize,
    },
    /// Blocks of `lanes` consecutive rows of a tridiagonal system that share only their last rows: a block finishes all others alone, and what it adds to the last row of the block before.
    /// What only later launches of the same block need is computed again there.
    Partition {
        /// Lanes of a tile.
        lanes: usize,
    },
    /// Blocks of `lanes` consecutive lanes where the launch begins; results go wherever the butterflies write, and a lane that none writes keeps its owner: the components of a pyramid.
    Spread {
        /// Lanes of a tile.
        lanes: usize,
    },
    /// Blocks of `lanes` consecutive lanes where the launch ends: a tile computes all that these come from, and what several tiles need each of them computes once more.
    /// They write elsewhere than they read.
    Cone {
        /// Lanes of a tile.
        lanes: usize,
    },
    /// One of the sections of a run of stages, which some launches share: first what every tile of the grid finishes alone, then what is left at the borders.
    /// A run along both axes of a picture has one split, and a merge for each axis.
    Section {
        /// Which of the two.
        section: Section,
        /// The tiles.
        grid: Grid,
        /// Where the values are held from the first stage to the last.
        memory: Memory,
        /// Threads a sample.
        threads: Threads,
    },
    /// Tiles that read `halo` lanes beyond both ends and compute there, once more, what their neighbours compute too.
    /// They write elsewhere than they read: what only a last permutation would still move goes to its place at once, and what the next launch reads to lanes beside those of the plan.
    Overlapped {
        /// The tiles, without what overlaps.
        grid: Grid,
        /// Rows and columns that a tile reads beyond each of its ends.
        halo: [usize; 2],
    },
}

/// One dispatch: a run of stages and the tiles that execute it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// Which stages of the plan.
    pub stages: Range<usize>,
    /// Who owns what.
    pub tile: Tile,
}

/// How a plan is cut into launches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    /// The launches, in the order in which they run; together they cover every stage once.
    pub launches: Vec<Launch>,
}

impl Schedule {
    /// One launch a stage: the way of the papers.
    pub fn by_stage(plan: &Plan) -> Self {
        Self { launches: (0..plan.stages.len()).map(|stage| Launch { stages: stage..stage + 1, tile: Tile::Each }).collect() }
    }

    /// As few launches as blocks of at most `max_lanes` lanes allow; a stage that fits no block is a launch of its own.
    pub fn tiled(plan: &Plan, max_lanes: usize) -> Self {
        let mut launches: Vec<Launch> = Vec::new();
        for index in 0..plan.stages.len() {
            let open = launches.last().map_or(index, |launch| launch.stages.start);
            let joined = common_block(plan, open..index + 1, max_lanes).map(|lanes| (open, lanes));
            match joined.or_else(|| Some((index, common_block(plan, index..index + 1, max_lanes)?))) {
                Some((first, lanes)) => {
                    launches.truncate(launches.len() - usize::from(first < index));
                    launches.push(Launch { stages: first..index + 1, tile: Tile::Block { lanes } });
                }
                None => launches.push(Launch { stages: index..index + 1, tile: Tile::Each }),
            }
        }
        Self { launches }
    }

    /// The cut of a plan on words as the cut of the plan on single values that it stands for: tiles are as many times as long, and the last launch takes the steps within words too.
    pub fn of_values(&self, words: &Words) -> Self {
        let (bits, last) = (words.bits, self.launches.len().saturating_sub(1));
        let launch = |(index, Launch { stages, tile }): (usize, &Launch)| {
            let end = stages.end + if index == last { bits.ilog2() as usize } else { 0 };
            let tile = match *tile {
                Tile::Strided { points, stride: 1, lines } => Tile::Strided { points: points * bits, stride: 1, lines },
                Tile::Strided { points, stride, lines } => Tile::Strided { points, stride: stride * bits, lines: lines * bits },
                Tile::Block { lanes } => Tile::Block { lanes: lanes * bits },
                Tile::Spread { lanes } => Tile::Spread { lanes: lanes * bits },
                // Nothing else is cut of steps.
                other => other,
            };
            Launch { stages: stages.start..end, tile }
        };
        Self { launches: self.launches.iter().enumerate().map(launch).collect() }
    }
}

impl Launch {
    /// Which section the launch is, if it is one.
    pub fn section(&self) -> Option<Section> {
        match self.tile {
            Tile::Section { section, .. } => Some(section),
            _ => None,
        }
    }

    /// Number of workgroups, or of butterflies where there are no tiles.
    pub fn n_tiles(&self, plan: &Plan) -> usize {
        match self.tile {
            Tile::Each | Tile::Patch { .. } => plan.stages[self.stages.start].n_butterflies(),
            Tile::Block { lanes } | Tile::Spread { lanes } | Tile::Cone { lanes } | Tile::Partition { lanes } => plan.lanes.div_ceil(lanes),
            Tile::Strided { points, lines, .. } => (plan.lanes / points).div_ceil(lines),
            Tile::Section { grid, .. } | Tile::Overlapped { grid, .. } => grid.n_tiles(plan.lanes),
        }
    }

    /// Bytes that the launch moves through global memory in single precision.
    pub fn bytes_moved(&self, plan: &Plan) -> u64 {
        match self.tile {
            Tile::Each | Tile::Patch { .. } | Tile::Strided { .. } | Tile::Spread { .. } => {
                plan.stages[self.stages.start].bytes_moved(plan.ring)
            }
            // Every row is read, and one a block, or the unknown of every row, is written.
            Tile::Partition { .. } => (plan.lanes * plan.ring.bytes_per_lane()) as u64,
            Tile::Block { .. } | Tile::Cone { .. } => 2 * (plan.lanes * plan.ring.bytes_per_lane()) as u64,
            // Every sample of the finest level.
            Tile::Section { section: Section::Split, .. } | Tile::Overlapped { .. } => {
                let steps = plan.stages[self.stages.clone()].iter().filter_map(Stage::lifting_step);
                let lifted = steps.map(|step| step.samples * step.n_lines()).max();
                let filtered = || plan.stages[self.stages.clone()].iter().filter_map(Stage::filter_step);
                let filtered = || filtered().map(|step| step.samples * step.n_lines).max();
                let samples = 2 * lifted.or_else(filtered).unwrap_or(plan.lanes);
                (samples * plan.ring.bytes_per_lane()) as u64
            }
            Tile::Section { section: Section::Merge, grid, .. } => {
                2 * (border_lanes(plan, self.stages.clone(), grid) * plan.ring.bytes_per_lane()) as u64
            }
        }
    }
}

impl Stage {
    /// The smallest blocks of consecutive lanes, whole turns of the outer loop, that no butterfly's taps leave, nor its results before the reversal of digits; `None` where there are none.
    pub fn block(&self, lanes: usize) -> Option<usize> {
        if self.outer.n == 1 {
            return Some(lanes);
        }
        let matrix = self.matrix();
        let reach_read = self.read.base + self.read.step * (self.read.len - 1) + (self.group.n - 1) * self.group.read;
        let reach_write = self.write.first
            + (self.positions - 1) * self.write.advance
            + (matrix.rows - 1) * self.write.hop
            + (self.group.n - 1) * self.group.write;
        let stride = self.outer.read;
        (stride == self.outer.write && reach_read < stride && reach_write < stride && stride * self.outer.n == lanes).then_some(stride)
    }
}

/// The smallest blocks of at most `max_lanes` lanes in which a run of stages can be one launch; `None` where there are none.
/// Only the last stage may write to reversed lanes.
pub fn common_block(plan: &Plan, stages: Range<usize>, max_lanes: usize) -> Option<usize> {
    let last = stages.end.checked_sub(1)?;
    let mut common = 1;
    for index in stages {
        let stage = &plan.stages[index];
        let block = stage.block(plan.lanes)?;
        let (small, large) = (common.min(block), common.max(block));
        if !large.is_multiple_of(small) || large > max_lanes || (stage.write.scatters() && index < last) {
            return None;
        }
        common = large;
    }
    Some(common)
}
