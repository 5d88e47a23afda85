//! A schedule as data: launches, the tiles that execute them, and where a tile holds its values.

use super::TileGrid;
use crate::plan::{BitPackedPlan, Plan};
use std::ops::Range;

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

    /// The cut of a plan on words as the cut of the plan on single values that it stands for: tiles are as many times as long, and the last launch takes the steps within words too.
    pub fn of_values(&self, words: &BitPackedPlan) -> Self {
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

/// One dispatch: a run of stages and the tiles that execute it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// Which stages of the plan.
    pub stages: Range<usize>,
    /// Who owns what.
    pub tile: Tile,
}

impl Launch {
    /// Which section the launch is, if it is one.
    pub fn section(&self) -> Option<SectionKind> {
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
}

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
        section: SectionKind,
        /// The tiles.
        grid: TileGrid,
        /// Where the values are held from the first stage to the last.
        memory: SectionMemory,
        /// Threads a sample.
        threads: ThreadsPerSample,
    },
    /// Tiles that read `halo` lanes beyond both ends and compute there, once more, what their neighbours compute too.
    /// They write elsewhere than they read: what only a last permutation would still move goes to its place at once, and what the next launch reads to lanes beside those of the plan.
    Overlapped {
        /// The tiles, without what overlaps.
        grid: TileGrid,
        /// Rows and columns that a tile reads beyond each of its ends.
        halo: [usize; 2],
    },
}

/// The two parts of a run of stages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SectionKind {
    /// What the tiles finish alone.
    Split,
    /// What is left at their borders.
    Merge,
}

/// Where the values of a merge section are held.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize, strum::EnumString, strum::VariantNames,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum SectionMemory {
    /// In workgroup memory, from the first stage of the section to the last.
    #[default]
    Workgroup,
    /// In global memory, where every stage reads and writes them.
    Global,
}

/// How many threads there are for a sample: T of the paper.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize, strum::EnumString, strum::VariantNames,
)]
pub enum ThreadsPerSample {
    /// One, and every other thread idles in every lifting step; of a filter bank each makes one value.
    #[serde(rename = "1")]
    #[strum(serialize = "1")]
    One,
    /// One for two samples, one of which a lifting step updates; a filter bank makes two values of them.
    #[default]
    #[serde(rename = "1/2")]
    #[strum(serialize = "1/2")]
    Half,
}
