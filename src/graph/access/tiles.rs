//! The tiles of a launch over an image, with the halos that they read and the margins that a split leaves to the merge.

use crate::schedule::{SectionKind, Tile, TileGrid};
use std::ops::Range;

/// More tiles are not listed.
const MOST_TILES: usize = 1 << 14;

/// A tile over an image, in pixels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TileRect {
    /// The number of the tile, which is that of its workgroup.
    pub tile: usize,
    /// Rows and columns that it owns.
    pub owned: [Range<usize>; 2],
    /// Rows and columns that it reads: those that it owns, and its halo.
    pub read: [Range<usize>; 2],
    /// Rows and columns at its boundary that are left to the merge.
    pub margin: [usize; 2],
}

/// The tiles of a launch over an image of `rows` × `columns` lanes; none where the lanes of a tile are no rectangle.
pub fn tile_rects(tile: Tile, [rows, columns]: [usize; 2]) -> Vec<TileRect> {
    let plain = |height: usize, width: usize| grid_rects([rows, columns], [1, height], width, [0, 0], [0, 0]);
    match tile {
        Tile::Overlapped { grid, halo } => of_grid(grid, [rows, columns], halo, [0, 0]),
        Tile::Section { section: SectionKind::Split, grid, .. } => of_grid(grid, [rows, columns], [0, 0], grid.margin),
        Tile::Block { lanes } | Tile::Spread { lanes } | Tile::Cone { lanes } | Tile::Partition { lanes } => {
            if lanes >= columns && lanes.is_multiple_of(columns) {
                plain(lanes / columns, columns)
            } else if columns.is_multiple_of(lanes) {
                plain(1, lanes)
            } else {
                Vec::new()
            }
        }
        // Lines along columns, side by side; or whole rows.
        Tile::Strided { points, stride, lines } if stride == columns && points <= rows => plain(points, lines.min(columns)),
        Tile::Strided { points, stride: 1, lines } if points == columns => plain(lines.min(rows), columns),
        _ => Vec::new(),
    }
}

fn of_grid(grid: TileGrid, [rows, columns]: [usize; 2], halo: [usize; 2], margin: [usize; 2]) -> Vec<TileRect> {
    // Coarser levels have samples in some rows only.
    let scale = (grid.row / columns.max(1)).max(1);
    if !grid.row.is_multiple_of(columns.max(1)) {
        return Vec::new();
    }
    let n_rows = rows.min(grid.extent[0].saturating_mul(scale));
    grid_rects([n_rows, columns.min(grid.extent[1])], [scale, grid.rows], grid.columns, halo, margin)
}

/// Tiles of `height` times `scale` rows and `width` columns.
fn grid_rects(
    [rows, columns]: [usize; 2],
    [scale, height]: [usize; 2],
    width: usize,
    halo: [usize; 2],
    margin: [usize; 2],
) -> Vec<TileRect> {
    let [height, width] = [height.saturating_mul(scale).clamp(1, rows.max(1)), width.clamp(1, columns.max(1))];
    let (down, across) = (rows.div_ceil(height), columns.div_ceil(width));
    if down * across > MOST_TILES {
        return Vec::new();
    }
    let rect = |tile: usize| {
        let of = |index: usize, size: usize, n: usize, halo: usize| {
            let owned = index * size..((index + 1) * size).min(n);
            let read = owned.start.saturating_sub(halo)..(owned.end + halo).min(n);
            [owned, read]
        };
        let [owned_rows, read_rows] = of(tile / across, height, rows, halo[0] * scale);
        let [owned_columns, read_columns] = of(tile % across, width, columns, halo[1]);
        TileRect { tile, owned: [owned_rows, owned_columns], read: [read_rows, read_columns], margin: [margin[0] * scale, margin[1]] }
    };
    (0..down * across).map(rect).collect()
}
