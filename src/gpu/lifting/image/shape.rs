//! The constants of the kernel that holds tiles of several levels of an image in workgroup memory.

use super::constants::ImageConstants;
use crate::gpu::lifting::item::{ITEM, SIDE};
use crate::plan::Direction;

/// The constants of the kernel that holds tiles of several levels, or a whole image, in workgroup memory.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(in crate::gpu) struct LiftingImageShape {
    pub(super) shared: ImageConstants,
    pub(super) levels: usize,
    /// Rows and columns of a tile at the finest level.
    pub(super) rows: usize,
    pub(super) columns: usize,
    /// Whether a tile is the whole image.
    pub(super) whole: bool,
    /// Whether the rows of the samples, and of the values that are low-pass along both axes, begin at multiples of 16 bytes.
    pub(super) fine_aligned: bool,
    pub(super) low_aligned: bool,
    /// The same for the other bands of every level: the band that is low-pass along x, and those that are high-pass.
    pub(super) high_aligned: Vec<[bool; 2]>,
}

impl LiftingImageShape {
    /// Threads of a workgroup.
    pub(super) const THREADS: usize = 256;

    /// Items of a tile at a level, down and across.
    pub(super) fn items(&self, level: usize) -> [usize; 2] {
        [self.rows, self.columns].map(|n| n.div_ceil((ITEM as usize) << level))
    }

    /// Items of the halo on every side of the tile.
    pub(super) fn around(&self, level: usize) -> usize {
        match self.shared.direction {
            _ if self.whole => 0,
            Direction::Forward => (1 << (self.levels - 1 - level)) - 1,
            Direction::Inverse => usize::from(level > 0),
        }
    }

    /// Samples of the halo on every side of the tile that are read forward.
    pub(super) fn halo(&self, level: usize) -> usize {
        ITEM as usize * self.around(level) + SIDE as usize
    }

    /// How far from the tile the kernel reads samples of the finest level.
    pub(super) fn reach(&self) -> usize {
        match self.shared.direction {
            Direction::Forward => self.halo(0),
            Direction::Inverse => (0..self.levels).map(|level| (ITEM as usize * (self.around(level) + 1)) << level).max().unwrap_or(0),
        }
    }

    /// Whether samples past the ends of the image are looked up inside it, where levels wait in workgroup memory.
    /// With a periodic extension tiles have computed these samples.
    pub(super) fn folds_kept(&self) -> bool {
        self.shared.mirrors || self.whole
    }

    /// Vectors of a row between the two passes of a level.
    pub(super) fn pitch(&self, level: usize) -> usize {
        let own = 2 * (self.items(level)[1] + 2 * self.around(level));
        own + if self.shared.direction == Direction::Forward { 2 } else { 0 }
    }

    /// Rows of low coefficients between the two passes of a level forward.
    pub(super) fn low_rows(&self, level: usize) -> usize {
        ITEM as usize / 2 * (self.items(level)[0] + 2 * self.around(level))
    }

    /// Rows of the values that wait for a level in workgroup memory.
    pub(super) fn kept_rows(&self, level: usize) -> usize {
        match self.shared.direction {
            Direction::Forward => self.low_rows(level - 1),
            Direction::Inverse => ITEM as usize * (self.items(level)[0] + 2 * self.around(level)),
        }
    }

    /// Vectors of a row of the values that wait for a level in workgroup memory.
    pub(super) fn kept_pitch(&self, level: usize) -> usize {
        match self.shared.direction {
            Direction::Forward => self.items(level - 1)[1] + 2 * self.around(level - 1),
            Direction::Inverse => self.pitch(level),
        }
    }

    /// Vectors between the passes of a level, and between levels.
    pub(super) fn vectors(&self) -> [usize; 2] {
        let held = |level: usize| {
            let rows = match self.shared.direction {
                Direction::Forward => self.low_rows(level) + ITEM as usize / 2 * self.items(level)[0],
                Direction::Inverse => ITEM as usize * (self.items(level)[0] + 2 * self.around(level) + 1),
            };
            rows * self.pitch(level)
        };
        let kept = (1..self.levels).map(|level| self.kept_rows(level) * self.kept_pitch(level)).max();
        [(0..self.levels).map(held).max().unwrap_or(1), kept.unwrap_or(1)]
    }

    pub(super) fn workgroup_bytes(&self) -> usize {
        16 * self.vectors().iter().sum::<usize>()
    }

    /// Whether the kernel reads only the buffer that it writes.
    pub(in crate::gpu) fn in_place(&self) -> bool {
        self.shared.in_place()
    }

    /// Whether the kernel reads the input of the plan, and between launches the buffer that it writes.
    pub(in crate::gpu) fn reads_input(&self) -> bool {
        self.shared.reads_input()
    }
}
