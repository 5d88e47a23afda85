//! How a plan is asked to be cut into launches.

use super::{BlockKernels, BlockScheme, KernelVariant, SplitAndMerge, ThreadsPerSample};
use crate::transforms::{Algorithm, Parameters, ScheduleKind};

/// How a plan is cut into launches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
pub enum Cut {
    /// The fewest launches that tiles in workgroup memory allow.
    #[default]
    Tiles,
    /// Tiles of at most this number of lanes.
    TilesOf(usize),
    /// One launch a stage, as the papers do it.
    Stages,
    /// One launch a stage, with this number of threads per sample.
    StagesOf(ThreadsPerSample),
    /// One launch a stage, with these shapes of thread blocks on images.
    StagesIn(BlockScheme),
    /// One launch a stage, by the kernel made for the stage in this variant.
    StagesBy(KernelVariant),
    /// Blocks of consecutive lanes in workgroup memory for the stages that fit one, a launch for every other stage, by the kernels made for the stages.
    Blocks(BlockKernels),
    /// Sections: tiles finish the split sections alone, merge sections finish the boundaries between them.
    SplitAndMerge(SplitAndMerge),
    /// Overlapped tiles, with at most this number of levels in a launch; 0 takes the number with the best estimate.
    Overlapped(usize),
}

impl std::str::FromStr for Cut {
    type Err = String;

    /// Reads `tiles`, `tiles:LANES`, `stages`, `blocks`, `split-merge` or `overlapped`.
    fn from_str(text: &str) -> Result<Self, String> {
        let lanes = text.strip_prefix("tiles:").and_then(|lanes| lanes.parse().ok()).filter(|&lanes: &usize| lanes > 0);
        match (text, lanes) {
            ("tiles", _) => Ok(Self::Tiles),
            ("stages", _) => Ok(Self::Stages),
            ("blocks", _) => Ok(Self::Blocks(BlockKernels::default())),
            ("split-merge", _) => Ok(Self::SplitAndMerge(SplitAndMerge::default())),
            ("overlapped", _) => Ok(Self::Overlapped(0)),
            (_, Some(lanes)) => Ok(Self::TilesOf(lanes)),
            _ => Err(format!("'{text}' is no schedule: take tiles, tiles:LANES, stages, blocks, split-merge or overlapped")),
        }
    }
}

impl Cut {
    /// The kind of schedule, as it is typed.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Tiles | Self::TilesOf(_) => "tiles",
            Self::Stages | Self::StagesOf(_) | Self::StagesIn(_) | Self::StagesBy(_) => "stages",
            Self::Blocks(_) => "blocks",
            Self::SplitAndMerge(_) => "split-merge",
            Self::Overlapped(_) => "overlapped",
        }
    }

    /// The schedule of an algorithm, if nothing else was asked for: tiles as large as its local part, if that has a size of its own.
    pub fn of(self, algorithm: &Algorithm, parameters: Parameters) -> Self {
        let local = parameters.tile_lanes.filter(|_| algorithm.takes_tile_lanes()).map(|lanes| lanes.max(1));
        match (self, algorithm.schedules().usual) {
            (Self::Tiles, ScheduleKind::Blocks) => Self::Blocks(BlockKernels { lanes: local, ..BlockKernels::default() }),
            (Self::Blocks(kernels), _) => Self::Blocks(BlockKernels { lanes: kernels.lanes.or(local), ..kernels }),
            (Self::Tiles, ScheduleKind::Stages) => Self::Stages,
            (Self::Tiles, ScheduleKind::Sections) => Self::SplitAndMerge(SplitAndMerge::default()),
            (Self::Tiles, ScheduleKind::Overlapped) => Self::Overlapped(0),
            (Self::Tiles, ScheduleKind::Tiles) => local.map_or(self, Self::TilesOf),
            (cut, _) => cut,
        }
    }

    /// The same on a CPU, whose caches already serve a direct method, and blocks whose size nobody chose.
    pub fn on_cpu(self, algorithm: &Algorithm, parameters: Parameters) -> Self {
        match algorithm.schedules().usual {
            ScheduleKind::Stages => self,
            ScheduleKind::Blocks if parameters.tile_lanes.is_none() => self,
            _ => self.of(algorithm, parameters),
        }
    }
}
