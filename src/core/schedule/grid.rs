//! Tiles of neighbouring rows and columns, and the margins that a split leaves to the merge at their boundaries.

use crate::plan::LiftingStep;

/// Tiles of neighbouring rows and columns of a row-major image, or of consecutive lanes of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TileGrid {
    /// Lanes of a row.
    pub row: usize,
    /// The first lane of a row that holds a sample; later levels of cyclic reduction hold samples only at some lanes.
    pub first: usize,
    /// Rows and lanes of a row that hold data.
    pub extent: [usize; 2],
    /// Rows of a tile.
    pub rows: usize,
    /// Lanes of a row of a tile; tiles at the ends may be smaller.
    pub columns: usize,
    /// Rows and columns at the boundary of a tile that the split leaves to the merge: half of the paper's width W.
    pub margin: [usize; 2],
    /// Whether a tile copies the lane before its first one: the last row of the block before, in the substitution of cyclic reduction.
    pub copies: bool,
}

impl TileGrid {
    /// Tiles of `columns` consecutive lanes, on lines of `row` lanes.
    pub fn line(row: usize, columns: usize) -> Self {
        Self { row, first: 0, extent: [usize::MAX, row], rows: 1, columns, margin: [0, 0], copies: false }
    }

    /// The same tiles, limited to this many rows and columns.
    pub(super) fn within(self, [rows, columns]: [usize; 2]) -> Self {
        Self { extent: [rows, columns.min(self.row)], ..self }
    }

    /// Tiles of a row.
    pub fn tiles_of_row(self) -> usize {
        self.extent[1].saturating_sub(self.first).div_ceil(self.columns).max(1)
    }

    /// The tile that contains a lane.
    pub fn tile(self, lane: usize) -> usize {
        let (row, column) = (lane / self.row, lane % self.row);
        row / self.rows * self.tiles_of_row() + (column / self.columns).min(self.tiles_of_row() - 1)
    }

    /// Number of tiles.
    pub fn n_tiles(self, lanes: usize) -> usize {
        self.n_rows(lanes).div_ceil(self.rows) * self.tiles_of_row()
    }

    /// Rows that hold data.
    fn n_rows(self, lanes: usize) -> usize {
        lanes.div_ceil(self.row).min(self.extent[0])
    }

    /// The same tiles with a margin along one axis only.
    pub(super) fn along(self, across: bool) -> Self {
        let [rows, columns] = self.margin;
        Self { margin: if across { [rows, 0] } else { [0, columns] }, ..self }
    }

    /// The tile that contains a lane, or `None` within a margin. With `wraps`, the ends of a line are section boundaries too.
    pub(super) fn inside(self, lane: usize, lanes: usize, wraps: bool) -> Option<usize> {
        let (row, column) = (lane / self.row, lane % self.row);
        // The last of `n` lanes has no boundary behind it; `first` of them precede a sample.
        let free = |place: usize, size: usize, n: usize, first: usize, margin: usize| {
            let (before, end) = (place % size, n.min((place / size + 1) * size));
            let at_start = place >= size || wraps;
            let at_end = end + first < n || wraps;
            margin == 0 || size + first >= n || !(at_start && before < margin || at_end && end.saturating_sub(place) <= margin)
        };
        let is_free = free(column, self.columns, self.extent[1], self.first, self.margin[1])
            && free(row, self.rows, self.n_rows(lanes), 0, self.margin[0]);
        is_free.then(|| self.tile(lane))
    }

    /// Whether a tile copies this lane of the tile before.
    pub(super) fn has_copy(self, tile: usize, lane: usize) -> bool {
        self.copies && (lane % self.row + 1).is_multiple_of(self.columns) && self.tile(lane) + 1 == tile
    }

    /// Samples on each side of a section boundary that the split leaves to the merge, along the lines of a lifting step.
    pub fn margin_of(&self, step: &LiftingStep) -> usize {
        if step.is_across() { self.margin[0] } else { self.margin[1] / step.spacing }
    }

    /// Samples of a tile along the lines of a lifting step.
    pub fn samples(&self, step: &LiftingStep) -> usize {
        if step.is_across() { self.rows } else { self.columns / step.spacing }
    }
}
