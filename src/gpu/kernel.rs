//! The list of all kernels. A kernel is its constants: what one pipeline is made from.

use super::fft::FftShape;
use super::filter_bank::{FilterBankImageShape, FilterBankShape};
use super::haar::HaarShape;
use super::kronecker::KroneckerShape;
use super::lifting::{LiftingImageShape, LiftingLevelShape, LiftingShape};
use super::lifting2d::Lifting2dShape;
use super::split_merge::SplitMergeShape;
use super::tridiagonal::TridiagonalShape;
use crate::plan::{Precision, Ring};

/// A kernel with its constants: what one pipeline is made from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Kernel {
    /// `stage.wgsl`: any stage, or a run of stages in a tile.
    Stage {
        /// What a lane holds.
        ring: Ring,
        /// How real and complex numbers are held.
        precision: Precision,
        /// The most taps of a stage.
        taps: usize,
        /// The most results of a stage.
        results: usize,
        /// Whether stages differ in taps or results.
        mixed: bool,
        /// Lanes of a tile; `None` runs one stage butterfly by butterfly.
        tile: Option<usize>,
    },
    /// `fft.wgsl`: a run of Stockham stages, a few lines in a workgroup.
    Fft(FftShape),
    /// `kronecker.wgsl`: a run of Kronecker stages, in tiles.
    Kronecker(KroneckerShape),
    /// `haar.wgsl`: levels of a pyramid, in blocks.
    Haar(HaarShape),
    /// `tridiagonal.wgsl`: levels of cyclic reduction, in blocks.
    Tridiagonal(TridiagonalShape),
    /// `lifting.wgsl`: levels of a lifting scheme, in overlapped tiles.
    Lifting(LiftingShape),
    /// `lifting_image.wgsl`: levels of a lifting scheme along both axes, in overlapped tiles.
    LiftingImage(LiftingImageShape),
    /// `lifting_level.wgsl`: one of these levels, in registers.
    LiftingLevel(LiftingLevelShape),
    /// `filter_bank.wgsl`: a run of levels of a filter bank, in sections or in overlapped tiles.
    FilterBank(FilterBankShape),
    /// `filter_bank_image.wgsl`: a level of a filter bank along both axes, in overlapped tiles.
    FilterBankImage(FilterBankImageShape),
    /// `split_merge.wgsl`: a split or a merge of a run of lifting steps.
    SplitMerge(SplitMergeShape),
    /// `lifting2d.wgsl`: the split of a level of a lifting scheme along both axes.
    Lifting2d(Lifting2dShape),
    /// `transpose.wgsl`, for lanes of a ring.
    Transpose(Ring, Precision),
    /// `copy.wgsl`, entry `copy`: as fast as any kernel that reads and writes everything once, in any precision.
    Copy,
    /// `copy.wgsl`, entry `expand`: real numbers to complex ones.
    Expand(Precision),
    /// `display.wgsl`, entry `render`: a result to pixels.
    Render(Ring, Precision),
    /// `display.wgsl`, entry `extremes`: the least and the greatest value of a result.
    Extremes(Ring, Precision),
}

impl Kernel {
    /// Whether it reads and writes the same buffer.
    pub fn in_place(&self) -> bool {
        match self {
            Self::Fft(shape) => shape.in_place,
            Self::Kronecker(shape) => shape.in_place(),
            Self::Haar(shape) => shape.in_place(),
            Self::Lifting(shape) => shape.in_place(),
            Self::LiftingImage(shape) => shape.in_place(),
            Self::LiftingLevel(shape) => shape.in_place(),
            Self::FilterBank(shape) => shape.in_place(),
            Self::FilterBankImage(shape) => shape.in_place(),
            Self::SplitMerge(shape) => shape.in_place(),
            Self::Lifting2d(shape) => shape.in_place(),
            _ => false,
        }
    }

    /// Whether it reads the input although earlier launches have run, beside the buffer that they and it write.
    pub fn reads_input(&self) -> bool {
        match self {
            Self::Lifting(shape) => shape.reads_input(),
            Self::LiftingImage(shape) => shape.reads_input(),
            Self::LiftingLevel(shape) => shape.reads_input(),
            Self::FilterBank(shape) => shape.reads_input(),
            Self::FilterBankImage(shape) => shape.reads_input(),
            _ => false,
        }
    }

    /// The function at which the kernel starts.
    pub fn entry_point(&self) -> &'static str {
        match self {
            Self::Stage { tile: None, .. } => "each",
            Self::Stage { tile: Some(_), .. } => "tiled",
            Self::Fft(_) => "fft",
            Self::Kronecker(_) => "kronecker",
            Self::Haar(_) => "haar",
            Self::Tridiagonal(_) => "tridiagonal",
            Self::Lifting(_) | Self::LiftingImage(_) | Self::LiftingLevel(_) => "lifting",
            Self::FilterBank(_) | Self::FilterBankImage(_) => "filter_bank",
            Self::SplitMerge(_) => "split_merge",
            Self::Lifting2d(_) => "lifting2d",
            Self::Transpose(..) => "transposed",
            Self::Copy => "copy",
            Self::Expand(_) => "expand",
            Self::Render(..) => "render",
            Self::Extremes(..) => "extremes",
        }
    }

    /// How the kernel holds real and complex numbers.
    pub fn precision(&self) -> Precision {
        match self {
            Self::Stage { precision, .. } | Self::Transpose(_, precision) | Self::Expand(precision) => *precision,
            Self::Render(_, precision) | Self::Extremes(_, precision) => *precision,
            Self::Fft(shape) => shape.precision,
            Self::Tridiagonal(shape) => shape.precision,
            Self::SplitMerge(shape) => shape.precision,
            Self::Kronecker(_) | Self::Haar(_) | Self::Lifting(_) | Self::LiftingImage(_) | Self::LiftingLevel(_) => Precision::Single,
            Self::FilterBank(_) | Self::FilterBankImage(_) | Self::Lifting2d(_) | Self::Copy => Precision::Single,
        }
    }
}

/// A family gives the constants of its kernels, and knows no list of kernels.
macro_rules! kernel_from {
    ($($variant:ident($shape:ty)),*) => {
        $(impl From<$shape> for Kernel {
            fn from(shape: $shape) -> Self {
                Self::$variant(shape)
            }
        })*
    };
}

kernel_from!(
    Fft(FftShape),
    Kronecker(KroneckerShape),
    Haar(HaarShape),
    Tridiagonal(TridiagonalShape),
    Lifting(LiftingShape),
    LiftingImage(LiftingImageShape),
    LiftingLevel(LiftingLevelShape),
    FilterBank(FilterBankShape),
    FilterBankImage(FilterBankImageShape),
    SplitMerge(SplitMergeShape),
    Lifting2d(Lifting2dShape)
);
