//! The tiles of launches as a figure: the image as a frame, and in it the blocks of threads, one of them shaded.
//!
//! F. Argüello, D. B. Heras, M. Bóo, J. Lamas-Rodríguez, The split-and-merge method in general purpose computation on GPUs (2012), Figures 10 and 11.

use super::TileRect;
use crate::figure::{Anchor, Figure, Ink, Mark, Pen, Position, Series};
use std::ops::Range;

/// Height of a line of text, size of texts, and space between panels, in points.
const LINE: f32 = 16.0;
const TEXT: f32 = 11.0;
const BETWEEN: f32 = 24.0;
/// Samples that a split leaves to the merge are dashed.
const DASH: &[f32] = &[3.0, 2.0];

/// The tiles of a launch, under a title.
#[derive(Debug, Clone)]
pub struct TilesPanel {
    /// The title.
    pub title: String,
    /// The tiles, or what a merge computes around their borders.
    pub tiles: Vec<TileRect>,
}

/// Panels side by side, each the image of `rows` × `columns` pixels, `width` points wide in all.
pub fn tiles_figure(panels: &[TilesPanel], [rows, columns]: [usize; 2], width: f32, title: String) -> Figure {
    let n = panels.len().max(1) as f32;
    let panel_width = (width - BETWEEN * (n - 1.0)) / n;
    let scale = panel_width / columns.max(1) as f32;
    let mut marks = Vec::new();
    for (index, panel) in panels.iter().enumerate() {
        let corner = [index as f32 * (panel_width + BETWEEN), 2.0 * LINE];
        marks.push(Mark::text([corner[0], 0.5 * LINE], Anchor::Left, TEXT, panel.title.clone(), Ink::Text));
        panel.draw(&mut marks, corner, scale);
        let corners = [corner, [corner[0] + panel_width, corner[1] + rows as f32 * scale]];
        marks.push(Mark::Frame { corners, radius: 0.0, pen: Pen::solid(Ink::Text, 1.5) });
    }
    Figure { size: [width, 2.0 * LINE + rows as f32 * scale + 2.0], title, marks, sheets: 1 }
}

impl TilesPanel {
    fn draw(&self, marks: &mut Vec<Mark>, corner: Position, scale: f32) {
        let at = |row: usize, column: usize| [corner[0] + column as f32 * scale, corner[1] + row as f32 * scale];
        let corners = |[rows, columns]: &[Range<usize>; 2]| [at(rows.start, columns.start), at(rows.end, columns.end)];
        // The second tile has neighbours on both sides.
        let shaded = self.tiles.get(1).or(self.tiles.first());
        marks.extend(shaded.map(|tile| Mark::Fill { corners: corners(&tile.owned), ink: Ink::Series(Series::Kernel) }));
        // Lines stay thinner than small tiles.
        let width = (0.3 * scale).min(0.8);
        for TileRect { owned, margin, .. } in &self.tiles {
            marks.push(Mark::Frame { corners: corners(owned), radius: 0.0, pen: Pen::solid(Ink::Rule, width) });
            if *margin != [0, 0] {
                let inner = |axis: usize| owned[axis].start + margin[axis]..owned[axis].end.saturating_sub(margin[axis]);
                let pen = Pen { ink: Ink::Weak, width, dash: DASH };
                marks.push(Mark::Frame { corners: corners(&[inner(0), inner(1)]), radius: 0.0, pen });
            }
        }
        if let Some(tile) = shaded.filter(|tile| tile.read != tile.owned) {
            let pen = Pen { ink: Ink::Series(Series::CpuStrided), width: 1.2, dash: DASH };
            marks.push(Mark::Frame { corners: corners(&tile.read), radius: 0.0, pen });
        }
    }
}
