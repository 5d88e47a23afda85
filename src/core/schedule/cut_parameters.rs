//! The parameters of schedules: what a person can choose, who has it, and the schedule that follows.

use super::{
    BlockKernels, BlockScheme, Cut, IndexArithmetic, KernelVariant, SectionMemory, SplitAndMerge, ThreadsPerSample, TwiddleSource,
};
use crate::choice::{Kind, Named as _, NamedValue};
use crate::transforms::{Algorithm, Axes, ScheduleKind, Schedules, Transform};

/// The parameters of a schedule; `None` leaves one to the schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CutParameters {
    /// [`SplitAndMerge::levels`], or levels of a launch of overlapped tiles.
    pub levels: Option<usize>,
    /// [`SplitAndMerge::width`].
    pub width: Option<usize>,
    /// [`SplitAndMerge::block`].
    pub block: Option<usize>,
    /// [`SplitAndMerge::threads`], or threads per sample in a launch a stage.
    pub threads: Option<ThreadsPerSample>,
    /// [`SplitAndMerge::merge`].
    pub merge: Option<SectionMemory>,
    /// [`SplitAndMerge::scheme`], or the thread blocks of a launch a stage.
    pub scheme: Option<BlockScheme>,
    /// [`KernelVariant::twiddles`].
    pub twiddles: Option<TwiddleSource>,
    /// [`KernelVariant::index`].
    pub index: Option<IndexArithmetic>,
    /// [`KernelVariant::butterflies`].
    pub butterflies: Option<usize>,
    /// [`KernelVariant::square`].
    pub square: Option<usize>,
}

impl CutParameter {
    /// Whether a schedule of the algorithm has it; without an algorithm, whether one of some algorithm of the transform has it.
    pub fn is_of(self, cut: Cut, transform: &Transform, algorithm: Option<&Algorithm>) -> bool {
        let some = |is: fn(&Algorithm) -> bool| algorithm.map_or_else(|| transform.algorithms.iter().any(is), is);
        match (self, cut) {
            (Self::Levels, Cut::Overlapped(_)) => true,
            (Self::Levels | Self::Width | Self::Block | Self::Threads | Self::Merge, Cut::SplitAndMerge(_)) => true,
            (Self::Scheme, Cut::SplitAndMerge(_)) => transform.axes == Axes::Both,
            (Self::StageScheme, Cut::Stages | Cut::StagesOf(_) | Cut::StagesIn(_)) => {
                transform.axes == Axes::Both && some(|algorithm| algorithm.schedules().usual != ScheduleKind::Tiles)
            }
            // A plan that sections divide runs with a launch a stage, too, to be compared.
            (Self::StageThreads, Cut::Stages | Cut::StagesOf(_) | Cut::StagesIn(_)) => {
                let has = |of: &Algorithm| of.schedules().usual == ScheduleKind::Stages || of.schedules().offer_sections();
                transform.axes == Axes::Rows && some(has)
            }
            (Self::Twiddles | Self::Index | Self::Butterflies, Cut::Stages | Cut::StagesBy(_)) => true,
            (Self::Twiddles | Self::Butterflies, Cut::Blocks(_)) => true,
            (Self::Square, Cut::Stages | Cut::StagesBy(_) | Cut::Blocks(_)) => transform.axes == Axes::Both && some(Algorithm::transposes),
            _ => false,
        }
    }

    /// Whether a CPU reads it, too. It has no blocks of threads, and twiddles and indices of its own.
    pub fn is_read_on_cpu(self) -> bool {
        matches!(self, Self::Levels | Self::Width | Self::Block | Self::Threads)
    }
}

impl CutParameters {
    /// The parameters of a schedule.
    pub fn of(cut: Cut) -> Self {
        let none = Self::default();
        match cut {
            Cut::Tiles | Cut::TilesOf(_) | Cut::Stages => none,
            Cut::StagesOf(threads) => Self { threads: Some(threads), ..none },
            Cut::StagesIn(scheme) => Self { scheme: Some(scheme), ..none },
            Cut::StagesBy(KernelVariant { twiddles, index, butterflies, square, .. }) => {
                Self { twiddles: Some(twiddles), index: Some(index), butterflies, square, ..none }
            }
            Cut::Blocks(BlockKernels { twiddles, butterflies, square, .. }) => {
                Self { twiddles: Some(twiddles), butterflies, square: Some(square), ..none }
            }
            Cut::SplitAndMerge(SplitAndMerge { levels, width, merge, threads, block, scheme }) => Self {
                levels: Some(levels),
                width: Some(width),
                block: Some(block),
                threads: Some(threads),
                merge: Some(merge),
                scheme: Some(scheme),
                ..none
            },
            Cut::Overlapped(levels) => Self { levels: Some(levels), ..none },
        }
    }

    /// Whether the kernel of a stage has a variant.
    pub fn has_variant(&self) -> bool {
        self.twiddles.is_some() || self.index.is_some() || self.butterflies.is_some() || self.square.is_some()
    }

    /// The kind of schedule that these parameters mean: the one that was asked for, or in place of tiles the usual one of the algorithm.
    pub fn usual(&self, asked: Cut, algorithm: Option<&Algorithm>) -> Cut {
        let schedules = algorithm.map_or(Schedules::TILES, Algorithm::schedules);
        // Images have a scheme in a launch a stage, too.
        let is_of_sections = Self { scheme: None, ..*self } != Self::default();
        match (asked, schedules.usual) {
            // Blocks compute indices in one way.
            (Cut::Tiles, ScheduleKind::Blocks) if self.index.is_none() => Cut::Blocks(BlockKernels::default()),
            (Cut::Tiles, _) if self.has_variant() => Cut::Stages,
            (Cut::Tiles, ScheduleKind::Sections) => Cut::SplitAndMerge(SplitAndMerge::default()),
            (Cut::Tiles, ScheduleKind::Overlapped) => Cut::Overlapped(0),
            (Cut::Tiles, _) if is_of_sections && schedules.offer_sections() => Cut::SplitAndMerge(SplitAndMerge::default()),
            (Cut::Tiles, ScheduleKind::Stages) if self.scheme.is_some() || self.threads.is_some() => Cut::Stages,
            _ => asked,
        }
    }

    /// A schedule of this kind with these parameters.
    pub fn applied(&self, cut: Cut) -> Cut {
        match cut {
            Cut::SplitAndMerge(usual) => Cut::SplitAndMerge(SplitAndMerge {
                levels: self.levels.unwrap_or(usual.levels),
                width: self.width.unwrap_or(usual.width),
                merge: self.merge.unwrap_or(usual.merge),
                threads: self.threads.unwrap_or(usual.threads),
                block: self.block.unwrap_or(usual.block),
                scheme: self.scheme.unwrap_or(usual.scheme),
            }),
            Cut::Overlapped(usual) => Cut::Overlapped(self.levels.unwrap_or(usual)),
            Cut::Stages | Cut::StagesOf(_) | Cut::StagesIn(_) | Cut::StagesBy(_) if self.has_variant() => Cut::StagesBy(KernelVariant {
                twiddles: self.twiddles.unwrap_or_default(),
                index: self.index.unwrap_or_default(),
                butterflies: self.butterflies,
                threads: None,
                square: self.square,
            }),
            Cut::Blocks(usual) => Cut::Blocks(BlockKernels {
                lanes: usual.lanes,
                twiddles: self.twiddles.unwrap_or(usual.twiddles),
                butterflies: self.butterflies.or(usual.butterflies),
                square: self.square.unwrap_or(usual.square),
            }),
            Cut::Stages | Cut::StagesOf(_) | Cut::StagesIn(_) | Cut::StagesBy(_) => {
                self.threads.map(Cut::StagesOf).or(self.scheme.map(Cut::StagesIn)).unwrap_or(Cut::Stages)
            }
            Cut::Tiles | Cut::TilesOf(_) => cut,
        }
    }
}

crate::choices! {
    /// A parameter of a schedule.
    pub enum CutParameter of CutParameters {
        /// Levels of one split and its merge, or of one launch of overlapped tiles: L of Argüello et al. 2012; an image takes one level.
        Levels: levels, "levels-per-stage", "L, levels", Kind::Number { least: 1, most: 6, usual: 2 },
            or "2 for split-merge of signals, and the fastest for overlapped";
        /// Samples around every section boundary that go from the split to the merge; for the inverse of packets a multiple of 2^L.
        Width: width, "width", "W, width", Kind::Number { least: 0, most: 256, usual: 0 };
        /// Threads of a tile, in sections.
        Block: block, "block", "Threads", Kind::PowerOfTwo { least: 8, most: Some(1024), usual: 256 };
        /// Blocks of threads of a launch a stage, for images.
        StageScheme: scheme, "scheme", "Blocks", Kind::Named(&[
            NamedValue::new("row-column", "1×256", "Blocks of 256 threads compute 256 neighbours of a row, or 256 of a column."),
            NamedValue::new("rows", "256×1", "Blocks of 256 threads compute neighbours along rows, also for the transform of columns."),
            NamedValue::new("square", "16×16", "Blocks of threads are squares, for rows and columns alike."),
        ]);
        /// Threads per sample of a launch a stage, for signals.
        StageThreads: threads, "threads", "T, threads", Kind::Named(&[
            NamedValue::new("1/2", "1/2", "One thread for each sample that the stage changes: one for two samples."),
            NamedValue::new("1", "1", "One thread for each sample: those of samples that the stage keeps idle."),
        ]), or "the number of results per thread that keeps the memory busy";
        /// Threads per sample, in sections.
        Threads: threads, "threads", "T, threads", Kind::Named(ThreadsPerSample::VALUES);
        /// Memory for the values of a merge.
        Merge: merge, "merge", "Merge in", Kind::Named(SectionMemory::VALUES);
        /// How sections divide an image.
        Scheme: scheme, "scheme", "Images", Kind::Named(&[
            NamedValue::new("row-column", "Row-column", "Rows in tiles of one row, columns in squares, each with a split and a merge."),
            NamedValue::new("square", "Square", "Squares for both: one split, a merge for rows and a merge for columns."),
        ]);
        /// Twiddles of the kernels made for stages, in a launch a stage or in blocks.
        Twiddles: twiddles, "twiddles", "Twiddles", Kind::Named(TwiddleSource::VALUES),
            or "the fastest kernel of every stage; computed in blocks";
        /// Indices of the kernel made for a stage, in a launch a stage.
        Index: index, "index", "Indices", Kind::Named(IndexArithmetic::VALUES), or "the fastest kernel of every stage";
        /// Butterflies of a thread, in a launch a stage or in blocks: a block of 1024 lanes has 512 threads of one butterfly.
        Butterflies: butterflies, "butterflies", "Butterflies", Kind::PowerOfTwo { least: 1, most: Some(64), usual: 1 },
            or "the fastest kernel of every stage; one in blocks, or as many as the threads of the device need";
        /// Side of the squares in which an image is transposed, in a launch a stage or in blocks.
        Square: square, "square", "Square", Kind::PowerOfTwo { least: 16, most: Some(64), usual: 32 },
            or "the fastest kernel of every stage; 32 in blocks";
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Chosen as _;

    #[test]
    fn the_table_tells_the_default_of_sections() {
        let usual = CutParameters::of(Cut::SplitAndMerge(SplitAndMerge::default()));
        for choice in CutParameters::CHOICES.iter().filter(|choice| choice.automatic.is_none()) {
            assert_eq!(choice.usual(), choice.text(&usual), "{}", choice.key);
        }
    }

    #[test]
    fn a_schedule_is_its_kind_and_its_parameters() {
        let sections = SplitAndMerge { levels: 3, width: 16, merge: SectionMemory::Global, ..SplitAndMerge::default() };
        let variant = KernelVariant { twiddles: TwiddleSource::Computed, butterflies: Some(2), ..KernelVariant::default() };
        let blocks = BlockKernels { butterflies: Some(4), square: 64, twiddles: TwiddleSource::Table, lanes: None };
        let by_stage = [Cut::StagesOf(ThreadsPerSample::One), Cut::StagesIn(BlockScheme::Square), Cut::StagesBy(variant)];
        for (cut, kind) in [
            (Cut::TilesOf(8), Cut::TilesOf(8)),
            (Cut::SplitAndMerge(sections), Cut::SplitAndMerge(SplitAndMerge::default())),
            (Cut::Overlapped(2), Cut::Overlapped(0)),
            (Cut::Blocks(blocks), Cut::Blocks(BlockKernels::default())),
        ]
        .into_iter()
        .chain(by_stage.map(|cut| (cut, Cut::Stages)))
        {
            assert_eq!(CutParameters::of(cut).applied(kind), cut);
        }
    }
}
