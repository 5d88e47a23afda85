//! A schedule as data: launches, the tiles that execute them, and where a tile holds its values.

use super::{KernelVariant, TileGrid};
use crate::plan::shapes::TranspositionStage;
use crate::plan::{BitPackedPlan, Plan};
use std::ops::Range;

/// How a plan is divided into launches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    /// The launches in running order; together they cover every stage once.
    pub launches: Vec<Launch>,
}

impl Schedule {
    /// One launch a stage, as in the papers.
    pub fn by_stage(plan: &Plan) -> Self {
        Self { launches: (0..plan.stages.len()).map(|stage| Launch { stages: stage..stage + 1, tile: Tile::Each }).collect() }
    }

    /// One launch a stage, with this number of threads per sample where a stage changes every second sample or fewer, each by a butterfly of its own.
    pub fn by_stage_of(plan: &Plan, threads: ThreadsPerSample) -> Self {
        let mut schedule = Self::by_stage(plan);
        for (launch, stage) in schedule.launches.iter_mut().zip(&plan.stages) {
            if stage.matrix().rows == 1 && 2 * stage.n_butterflies() <= plan.lanes {
                launch.tile = Tile::Samples(threads);
            }
        }
        schedule
    }

    /// One launch a stage, by the kernel made for the stage in this variant.
    pub fn by_stage_with(plan: &Plan, variant: KernelVariant) -> Self {
        let mut schedule = Self::by_stage(plan);
        schedule.launches.iter_mut().for_each(|launch| launch.tile = Tile::Variant(variant));
        schedule
    }

    /// The same without a first launch that only copies the samples to other lanes, where the host uploads `to_both` buffers and so brings them there.
    #[must_use]
    pub fn after_upload(mut self, plan: &Plan, to_both: bool) -> Self {
        let copies = plan.stages.first().is_some_and(|stage| stage.copies(plan.inputs));
        if to_both && copies && self.launches.len() > 1 && self.launches[0].stages == (0..1) {
            self.launches.remove(0);
        }
        self
    }

    /// Stages before the first launch, which the host does as it uploads: one that copies the samples to other lanes, or none.
    pub fn uploaded_stages(&self, plan: &Plan) -> usize {
        let begins_later = self.launches.first().is_some_and(|launch| launch.stages.start == 1);
        usize::from(begins_later && plan.stages[0].copies(plan.inputs))
    }

    /// Translates the schedule of a bit-packed plan into one of the plan on single values. Tiles grow by the bits of a word, and the last launch also takes the stages within words.
    pub fn unpacked(&self, words: &BitPackedPlan) -> Self {
        let (bits, last) = (words.bits, self.launches.len().saturating_sub(1));
        let launch = |(index, Launch { stages, tile }): (usize, &Launch)| {
            let end = stages.end + if index == last { bits.ilog2() as usize } else { 0 };
            let tile = match *tile {
                Tile::Strided { points, stride: 1, lines, mirrored } => Tile::Strided { points: points * bits, stride: 1, lines, mirrored },
                Tile::Strided { points, stride, lines, mirrored } => {
                    Tile::Strided { points, stride: stride * bits, lines: lines * bits, mirrored }
                }
                Tile::Block { lanes } => Tile::Block { lanes: lanes * bits },
                Tile::Spread { lanes } => Tile::Spread { lanes: lanes * bits },
                // Bit-packed plans use no other tiles.
                other => other,
            };
            Launch { stages: stages.start..end, tile }
        };
        Self { launches: self.launches.iter().enumerate().map(launch).collect() }
    }
}

/// One dispatch: consecutive stages and the tiles that execute them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// Which stages of the plan.
    pub stages: Range<usize>,
    /// Which lanes each workgroup owns.
    pub tile: Tile,
}

impl Launch {
    /// Split or merge, if the launch is a section.
    pub fn section(&self) -> Option<SectionKind> {
        match self.tile {
            Tile::Section { section, .. } => Some(section),
            _ => None,
        }
    }

    /// Number of workgroups, or of butterflies where [`Tile::workgroup`] does not say how many of them a workgroup takes.
    pub fn n_tiles(&self, plan: &Plan) -> usize {
        match self.tile {
            Tile::Each | Tile::Samples(_) | Tile::Variant(_) | Tile::Patch { .. } => {
                let stage = &plan.stages[self.stages.start];
                match (self.tile, self.tile.workgroup(), TranspositionStage::of(stage)) {
                    (Tile::Variant(KernelVariant { square: Some(side), .. }), _, Some(TranspositionStage { rows, columns })) => {
                        rows.div_ceil(side) * columns.div_ceil(side)
                    }
                    (_, butterflies, _) => stage.n_butterflies().div_ceil(butterflies.unwrap_or(1)),
                }
            }
            Tile::Block { lanes }
            | Tile::BlockBy { lanes, .. }
            | Tile::Spread { lanes }
            | Tile::Cone { lanes }
            | Tile::Partition { lanes } => plan.lanes.div_ceil(lanes),
            Tile::Spaced { lanes, spacing } => plan.lanes / (lanes * spacing),
            Tile::Bits { bits } => plan.lanes >> bits.count_ones(),
            // Rows of mirrored lines have one more lane, of half a spectrum.
            Tile::Strided { points, stride, lines, mirrored: true } => (plan.lanes / (points * stride + 1) * stride).div_ceil(lines),
            Tile::Strided { points, lines, mirrored: false, .. } => (plan.lanes / points).div_ceil(lines),
            Tile::Section { grid, .. } | Tile::Overlapped { grid, .. } => grid.n_tiles(plan.lanes),
        }
    }
}

/// The lanes that one workgroup owns during a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tile {
    /// No tiles: one stage, every butterfly from global memory to global memory.
    Each,
    /// As `Each`, with one butterfly a thread ([`ThreadsPerSample::Half`]: a butterfly changes one of two samples), or with a thread for every sample, of which
    /// every second one idles ([`ThreadsPerSample::One`]).
    Samples(ThreadsPerSample),
    /// As `Each`, by the kernel made for the stage in this variant, and by no faster one.
    Variant(KernelVariant),
    /// As `Each`, with workgroups of `positions` neighbouring butterflies on `lines` neighbouring lines.
    Patch {
        /// Butterflies of a line.
        positions: usize,
        /// Lines.
        lines: usize,
    },
    /// Blocks of consecutive lanes, held in workgroup memory from the first stage of the launch to the last.
    Block {
        /// Lanes of a tile.
        lanes: usize,
    },
    /// As `Block`, by the kernel made for the stages in this variant, and by no faster one.
    BlockBy {
        /// Lanes of a tile.
        lanes: usize,
        /// How it finds twiddles, and its threads.
        variant: KernelVariant,
    },
    /// Lanes whose indices differ only in these bits before the launch, and are where the stages move them after it.
    /// The launch works out of place.
    Bits {
        /// The bits, as a mask.
        bits: usize,
    },
    /// Every `spacing`-th lane of a block of `lanes · spacing` consecutive lanes, from the first one on. The stages touch no others.
    /// A workgroup holds them in its memory from the first stage of the launch to the last. The launch works in place.
    Spaced {
        /// Lanes of a tile.
        lanes: usize,
        /// Distance between two of them.
        spacing: usize,
    },
    /// Lines of `points` lanes with a stride of `stride`; a tile holds `lines` neighbouring lines. They are the components of stages that work out of place, or of stages in place on some index bits.
    /// Line i of a row of `points · stride` lanes begins at lane i of the row.
    Strided {
        /// Lanes of a line.
        points: usize,
        /// Distance between consecutive lanes of a line, and number of lines in a row.
        stride: usize,
        /// Lines of a tile; the last tile may have fewer.
        lines: usize,
        /// Whether a tile holds pairs of lines i and `stride` − i in place of neighbours: lines 0 and `stride` / 2, which are their own mirror images,
        /// then 1 and `stride` − 1, and so on. Half a spectrum needs values k and −k of a row together.
        mirrored: bool,
    },
    /// Blocks of `lanes` consecutive rows of a tridiagonal system. A block finishes all rows but its last, and contributes to the last row of the block before.
    /// Later launches recompute the rows that only their own block needs.
    Partition {
        /// Lanes of a tile.
        lanes: usize,
    },
    /// Blocks of consecutive lanes at the beginning of the launch: the components of a pyramid. Butterflies write anywhere; a lane that no butterfly writes keeps its owner.
    Spread {
        /// Lanes of a tile.
        lanes: usize,
    },
    /// Blocks of consecutive lanes at the end of the launch. A tile computes everything that its lanes depend on, so neighbouring tiles repeat some work.
    /// The launch works out of place.
    Cone {
        /// Lanes of a tile.
        lanes: usize,
    },
    /// A section of a run of stages: the split computes what tiles can finish alone, the merge computes the rest at their boundaries.
    /// A run along both axes of an image has one split, and a merge for each axis.
    Section {
        /// Split or merge.
        section: SectionKind,
        /// The tiles.
        grid: TileGrid,
        /// Memory that holds the values between stages.
        memory: SectionMemory,
        /// Threads per sample.
        threads: ThreadsPerSample,
    },
    /// Tiles that read a halo beyond both ends and repeat the computations of their neighbours there.
    /// They work out of place: final values go to their last position, values for the next launch to scratch lanes.
    Overlapped {
        /// The tiles without their halos.
        grid: TileGrid,
        /// Rows and columns of the halo at each end.
        halo: [usize; 2],
    },
}

impl Tile {
    /// Butterflies of a workgroup, for a stage without tiles whose kernel was told them.
    pub fn workgroup(&self) -> Option<usize> {
        if let Self::Variant(variant) = self { variant.group() } else { None }
    }

    /// Whether a launch of it has single butterflies in place of workgroups: which of them share a workgroup is left to the kernel.
    pub fn has_single_butterflies(&self) -> bool {
        matches!(self, Self::Each | Self::Samples(_) | Self::Variant(_) | Self::Patch { .. }) && self.workgroup().is_none()
    }
}

/// The two sections of a run of stages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SectionKind {
    /// Butterflies that tiles compute alone.
    Split,
    /// Butterflies that remain at the boundaries of tiles.
    Merge,
}

crate::choice! {
    /// The memory that holds the values of a merge section.
    #[serde(rename_all = "kebab-case")]
    pub enum SectionMemory {
        /// A merge holds its samples in workgroup memory.
        #[default]
        Workgroup = "Workgroup", "workgroup";
        /// A merge reads and writes global memory in every stage.
        Global = "Global", "global";
    }
}

crate::choice! {
    /// Threads per sample (T in the paper).
    pub enum ThreadsPerSample {
        /// One thread for two samples: a lifting step updates one of them, a filter bank computes both.
        #[default]
        #[serde(rename = "1/2")]
        Half = "1/2", "1/2";
        /// One thread for each sample: every second thread idles in a lifting step; in a filter bank each computes one value.
        #[serde(rename = "1")]
        One = "1", "1";
    }
}
