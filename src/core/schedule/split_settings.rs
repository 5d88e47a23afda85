//! The settings of the split-and-merge method, the tiles that they give, and the launches of one run.

use super::{BlockScheme, Launch, SectionKind, SectionMemory, ThreadsPerSample, Tile, TileGrid};
use crate::plan::LiftingStep;
use std::ops::Range;

/// Settings of the split-and-merge method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct SplitAndMerge {
    /// Levels of one split and its merge (L in the paper).
    pub levels: usize,
    /// Width that the split leaves to the merge, in samples of the first level (W in the paper).
    pub width: usize,
    /// Memory that holds the values of a merge.
    pub merge: SectionMemory,
    /// Threads per sample.
    pub threads: ThreadsPerSample,
    /// Threads of a workgroup.
    pub block: usize,
    /// How images are divided.
    pub scheme: BlockScheme,
}

impl Default for SplitAndMerge {
    /// The fastest settings of the paper for the CDF 9/7 wavelet.
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

    /// Rows and columns of an image tile of the other schemes: as many columns as rows, or twice as many.
    pub fn sides(&self) -> [usize; 2] {
        let rows = self.side();
        [rows, self.samples() / rows]
    }

    /// Rows, and columns, of a tile of the square scheme: the largest power of two whose square is not above the samples of a tile.
    pub fn side(&self) -> usize {
        1 << (self.samples().ilog2() / 2)
    }

    /// The tiles of a run of `levels` levels that begins with this step: consecutive samples along rows, squares along columns.
    pub(super) fn grid(&self, step: &LiftingStep, lanes: usize, levels: usize) -> TileGrid {
        // Boundaries lie at samples that remain after all levels.
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
