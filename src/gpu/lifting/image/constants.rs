//! The constants that both kernels of lifting on images have.

use crate::gpu::lifting::item::ItemStep;
use crate::plan::Direction;

/// The constants that both kernels of images have.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct ImageConstants {
    pub(super) steps_x: Vec<ItemStep>,
    pub(super) steps_y: Vec<ItemStep>,
    pub(super) direction: Direction,
    /// Whether the boundary extension is symmetric; periodic otherwise.
    pub(super) mirrors: bool,
    /// See [`PyramidLayout::rotation`](crate::plan::PyramidLayout::rotation).
    pub(super) rotation: usize,
    /// Whether nothing that is read is farther past an end than the image is long, at any level.
    pub(super) near: bool,
    /// Whether the samples of the finest level, or in the inverse what is low-pass along both axes, are read from the buffer that is written.
    pub(super) fine_in_output: bool,
    pub(super) low_in_output: bool,
}

impl ImageConstants {
    /// Whether the kernel reads nothing but what it writes to.
    pub(super) fn in_place(&self) -> bool {
        self.direction == Direction::Forward && self.fine_in_output
    }

    /// Whether the kernel reads the input of the plan and, between launches, what it writes to.
    pub(super) fn reads_input(&self) -> bool {
        self.direction == Direction::Inverse
    }
}
