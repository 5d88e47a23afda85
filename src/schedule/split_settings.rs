//! The settings of the split-and-merge method, the tiles that they give, and the launches of one run.

use super::{BlockScheme, Launch, SectionKind, SectionMemory, ThreadsPerSample, Tile, TileGrid};
use crate::plan::LiftingStep;
use std::ops::Range;

/// How the split-and-merge method is applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct SplitAndMerge {
    /// Levels that one split and one merge take: L of the paper.
    pub levels: usize,
    /// Width that goes from split to merge, in samples of the first level: W of the paper.
    pub width: usize,
    /// Where a merge holds its values.
    pub merge: SectionMemory,
    /// Threads a sample.
    pub threads: ThreadsPerSample,
    /// Threads of a workgroup.
    pub block: usize,
    /// How pictures are cut.
    pub scheme: BlockScheme,
}

impl Default for SplitAndMerge {
    /// What the paper found to be the fastest for the CDF 9/7 wavelet.
    fn default() -> Self {
        Self {
            levels: 2,
            width: 0,
            merge: SectionMemory::Workgroup,
            threads: ThreadsPerSample::Half,
            block: 256,
            scheme: BlockScheme::RowColumn,
        }
    }
}

impl SplitAndMerge {
    /// Samples of a tile.
    pub fn samples(&self) -> usize {
        match self.threads {
            ThreadsPerSample::One => self.block,
            ThreadsPerSample::Half => 2 * self.block,
        }
    }

    /// Rows and columns of a tile of a picture: a square, or twice as many columns.
    pub(super) fn sides(&self) -> [usize; 2] {
        let rows = 1 << (self.samples().ilog2() / 2);
        [rows, self.samples() / rows]
    }

    /// The tiles of a run of so many levels that begins with this step: consecutive samples of its level, or squares where the lines are columns.
    pub(super) fn grid(&self, step: &LiftingStep, lanes: usize, levels: usize) -> TileGrid {
        // Borders stand at a sample that is left after all levels.
        let whole = |samples: usize| samples.next_multiple_of(1 << levels);
        let (stride, margin) = (step.line_stride().unwrap_or(lanes), self.width / 2);
        if step.is_across() {
            let [rows, columns] = self.sides();
            let extent = [step.samples, step.n_lines() * stride];
            let line = TileGrid::line(step.spacing, columns * stride).within(extent);
            return TileGrid { rows: whole(rows), margin: [margin, 0], ..line };
        }
        let extent = [step.n_lines(), if step.is_linear { step.samples * step.spacing } else { stride }];
        let line = TileGrid::line(stride, whole(self.samples()) * step.spacing).within(extent);
        TileGrid { first: step.first, margin: [0, margin * step.spacing], ..line }
    }
}

/// A split, and some merges of stages of it.
pub(super) fn push_sections(
    launches: &mut Vec<Launch>,
    stages: Range<usize>,
    merges: impl IntoIterator<Item = Range<usize>>,
    grid: TileGrid,
    how: SplitAndMerge,
) {
    let tile = |section, memory| Tile::Section { section, grid, memory, threads: how.threads };
    launches.push(Launch { stages, tile: tile(SectionKind::Split, SectionMemory::Workgroup) });
    launches.extend(merges.into_iter().map(|stages| Launch { stages, tile: tile(SectionKind::Merge, how.merge) }));
}
