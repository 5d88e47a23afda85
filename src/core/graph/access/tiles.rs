//! The tiles of a launch over an image, with the halos that they read and the margins that a split leaves to the merge.

use crate::plan::{Plan, Stage};
use crate::schedule::{Launch, Schedule, SectionKind, Tile, TileGrid, section_runs};
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

/// The tiles of a launch, or what a merge computes between tiles, over an image of `rows` × `columns` lanes; none where the lanes of a tile do not form a rectangle.
pub fn tile_rects(plan: &Plan, launch: &Launch, [rows, columns]: [usize; 2]) -> Vec<TileRect> {
    let plain = |height: usize, width: usize| grid_rects([rows, columns], [1, height], width, [0, 0], [0, 0]);
    match launch.tile {
        Tile::Overlapped { grid, halo } => of_grid(grid, [rows, columns], halo, [0, 0]),
        Tile::Section { section: SectionKind::Split, grid, .. } => of_grid(grid, [rows, columns], [0, 0], grid.margin),
        Tile::Section { section: SectionKind::Merge, grid, .. } => borders(plan, launch, grid, [rows, columns]),
        Tile::Patch { positions, lines } => patches(&plan.stages[launch.stages.start], [positions, lines], [rows, columns]),
        Tile::Block { lanes } | Tile::BlockBy { lanes, .. } | Tile::Spread { lanes } | Tile::Cone { lanes } | Tile::Partition { lanes } => {
            if lanes >= columns && lanes.is_multiple_of(columns) {
                plain(lanes / columns, columns)
            } else if columns.is_multiple_of(lanes) {
                plain(1, lanes)
            } else {
                Vec::new()
            }
        }
        // Lines along columns, side by side; or whole rows.
        Tile::Strided { points, stride, lines, mirrored: false } if stride == columns && points <= rows => {
            plain(points, lines.min(columns))
        }
        Tile::Strided { points, stride: 1, lines, .. } if points == columns => plain(lines.min(rows), columns),
        _ => Vec::new(),
    }
}

/// The samples that a merge computes around the borders of tiles along its axis, in all its steps, behind each tile but the last.
fn borders(plan: &Plan, launch: &Launch, grid: TileGrid, image: [usize; 2]) -> Vec<TileRect> {
    let Tile::Section { memory, threads, .. } = launch.tile else { return Vec::new() };
    let split = Tile::Section { section: SectionKind::Split, grid, memory, threads };
    let schedule = Schedule { launches: vec![Launch { stages: launch.stages.clone(), tile: split }] };
    let Some(run) = section_runs(plan, &schedule).into_iter().next() else { return Vec::new() };
    let stage = &plan.stages[launch.stages.start];
    let (axis, pixels) = if stage.is_across() { (0, stage.read.step / image[1]) } else { (1, stage.read.step) };
    let spans = || (0..run.steps.len()).filter(|&step| run.merged(step) > 0).map(|step| run.span(step));
    let (first, last) = (spans().map(|[first, _]| first).min().unwrap_or(0), spans().map(|[_, last]| last).max().unwrap_or(-1));
    let around = |tile: TileRect| {
        let at = tile.owned[axis].start as i64;
        let end = |sample: i64| (at + sample * pixels as i64).clamp(0, image[axis] as i64) as usize;
        let mut owned = tile.owned.clone();
        owned[axis] = end(first)..end(last + 1);
        TileRect { tile: tile.tile, read: owned.clone(), owned, margin: [0, 0] }
    };
    let tiles = of_grid(grid, image, [0, 0], [0, 0]);
    tiles.into_iter().filter(|tile| tile.owned[axis].start > 0).map(around).collect()
}

/// The workgroups of a stage that take `positions` butterflies of `lines` lines each: the boxes around what they write, and around what they read.
fn patches(stage: &Stage, [positions, lines]: [usize; 2], [rows, columns]: [usize; 2]) -> Vec<TileRect> {
    let (along, across) = (stage.positions.div_ceil(positions), stage.group.n.div_ceil(lines));
    let n = along * across * stage.outer.n;
    if n > MOST_TILES || stage.write.scatters() {
        return Vec::new();
    }
    let matrix = stage.matrix();
    let rect = |tile: usize| {
        let (p, q, b) = (tile % along * positions, tile / along % across * lines, tile / (along * across));
        let ends = |first: usize, n: usize, all: usize| [first, (first + n).min(all) - 1];
        let corners = ends(p, positions, stage.positions).map(|p| ends(q, lines, stage.group.n).map(|q| [p, q, b])).into_iter().flatten();
        let corners: Vec<[usize; 3]> = corners.collect();
        let written = corners.iter().flat_map(|&[p, q, b]| (0..matrix.rows).map(move |j| stage.write_lane(p, q, b, j)));
        let read = corners.iter().flat_map(|&[p, q, b]| (0..matrix.taps).filter_map(move |k| stage.read_lane(p, q, b, k)));
        let owned = around(written, columns)?;
        let read = around(read, columns).unwrap_or_else(|| owned.clone());
        let both = [0, 1].map(|axis| owned[axis].start.min(read[axis].start)..owned[axis].end.max(read[axis].end));
        (owned[0].end <= rows).then_some(TileRect { tile, owned, read: both, margin: [0, 0] })
    };
    (0..n).map(rect).collect::<Option<_>>().unwrap_or_default()
}

/// The rows and columns around some lanes.
fn around(lanes: impl Iterator<Item = usize>, columns: usize) -> Option<[Range<usize>; 2]> {
    lanes
        .map(|lane| [lane / columns, lane % columns].map(|place| place..place + 1))
        .reduce(|a, b| [0, 1].map(|axis| a[axis].start.min(b[axis].start)..a[axis].end.max(b[axis].end)))
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
