//! A matrix on the screen: a cell for each entry, numbers where there is room, marks for the row and the column that other views light.

use crate::graph::matrix::{MatrixEntry, SparseMatrix, entry_rgb, entry_text, is_bright};
use crate::ui::export::painted::keep_pixels;
use crate::ui::gestures::Navigation;
use crate::ui::pictures::LinkedZoom;
use crate::ui::theme::Tokens;
use egui::{
    Align2, Color32, ColorImage, FontId, Rect, Response, Role, Sense, Stroke, StrokeKind, TextureHandle, TextureOptions, Theme, Ui,
    WidgetInfo, pos2, vec2,
};
use num_complex::Complex64;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// Room for the indices left of and above the cells, in points.
const INDICES: f32 = 22.0;
/// Height of the caption, in points.
const CAPTION: f32 = 18.0;
/// Indices are at least this far apart, in points.
const LEAST_PITCH: f32 = 16.0;
/// Hair lines between cells are drawn from this size on, in points.
const LEAST_CELL_WITH_LINES: f32 = 7.0;
/// The largest cell, in points.
const LARGEST_CELL: f32 = 88.0;
/// Font sizes of numbers, in points; the largest that fits is taken.
const FONTS: [f32; 5] = [16.0, 13.0, 11.0, 9.5, SMALLEST_FONT];
const SMALLEST_FONT: f32 = 8.5;
/// More entries are shown without numbers.
const MOST_NUMBERS: usize = 64 * 64;

/// A matrix to paint.
pub(super) struct PaintedMatrix<'a> {
    /// The accessible name.
    pub name: String,
    /// The title above it; empty for a matrix alone.
    pub caption: &'a str,
    /// The entries.
    pub matrix: &'a SparseMatrix,
    /// The right-hand side of a system.
    pub right: Option<&'a [f64]>,
    /// Blocks to outline.
    pub blocks: &'a [[Range<usize>; 2]],
    /// The rows or the columns that other views light, or with both the entries.
    pub lit: LitPlaces,
}

/// The place under the pointer: a row, a column, or both.
pub(super) type Place = [Option<usize>; 2];

/// Rows and columns.
pub(super) type LitPlaces = [Vec<usize>; 2];

/// The texture of a matrix, kept while nothing changes.
#[derive(Default)]
pub(super) struct MatrixTexture {
    known: Option<(SparseMatrix, Theme, TextureHandle)>,
}

/// Where the cells lie: the frame in which they are seen, the rectangle of all of them, and the side of one.
#[derive(Clone, Copy)]
struct Cells {
    frame: Rect,
    all: Rect,
    side: f32,
}

impl MatrixTexture {
    /// Paints the visible part of a matrix into the upper left of a rectangle; returns the place under the pointer.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        rect: Rect,
        zoom: &mut LinkedZoom,
        salt: &'static str,
        painted: &PaintedMatrix<'_>,
    ) -> (Place, Response) {
        let matrix = painted.matrix;
        let rect = if painted.caption.is_empty() { rect } else { rect.with_min_y(rect.top() + CAPTION) };
        let (rows, columns) = (matrix.rows.max(1) as f32, matrix.columns.max(1) as f32);
        let right = if painted.right.is_some() { 72.0 } else { 0.0 };
        let room = rect.size() - vec2(INDICES + right + 2.0, INDICES + 2.0);
        let side = (room.x / columns).min(room.y / rows).clamp(0.5, LARGEST_CELL);
        let frame = Rect::from_min_size(rect.min + vec2(INDICES, INDICES), vec2(side * columns, side * rows));
        let texture = self.texture(ui, salt, matrix);
        let above = pos2(frame.left(), rect.top() - CAPTION);
        ui.painter().text(above, Align2::LEFT_TOP, painted.caption, FontId::proportional(13.0), Tokens::current(ui).text);
        ui.painter().rect_filled(frame, 0.0, Tokens::current(ui).well);
        let whole = Rect::from_min_max(rect.min, frame.max);
        let response = ui.interact(whole, ui.scope_id().with(salt), Sense::click_and_drag());
        response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &painted.name));
        let asked = Navigation::of(&response, true);
        asked.paint(ui);
        zoom.follow(&asked, frame);
        let all = zoom.whole(frame);
        let cells = Cells { frame, all, side: all.width() / columns };
        if !matrix.entries.is_empty() {
            ui.painter().image(texture.id(), frame, zoom.visible(), Color32::WHITE);
        }
        lines_ui(ui, cells, painted);
        numbers_ui(ui, cells, painted);
        indices_ui(ui, cells, painted);
        let place = response.hover_pos().map_or([None; 2], |at| {
            let index = |at: f32, [first, least]: [f32; 2], n: usize| {
                (at >= least).then(|| ((at - first) / cells.side) as usize).filter(|&index| index < n)
            };
            [index(at.y, [all.top(), frame.top()], matrix.rows), index(at.x, [all.left(), frame.left()], matrix.columns)]
        });
        marks_ui(ui, cells, &painted.lit, place);
        (place, response)
    }

    fn texture(&mut self, ui: &Ui, name: &str, matrix: &SparseMatrix) -> TextureHandle {
        if let Some((known, theme, texture)) = &self.known
            && known == matrix
            && *theme == ui.theme()
        {
            return texture.clone();
        }
        let ground = ground(ui);
        let size = [matrix.columns.max(1), matrix.rows.max(1)];
        let mut pixels = vec![rgb(ground); size[0] * size[1]];
        let largest = matrix.largest();
        for entry in &matrix.entries {
            pixels[entry.row * size[0] + entry.column] = rgb(entry_rgb(entry.weight.value(), largest, ground));
        }
        let image = Arc::new(ColorImage::new(size, pixels));
        let options = TextureOptions { minification: egui::TextureFilter::Linear, ..TextureOptions::NEAREST };
        let texture = ui.ctx().load_texture(name, image.clone(), options);
        keep_pixels(ui, name, texture.id(), &image);
        self.known = Some((matrix.clone(), ui.theme(), texture.clone()));
        texture
    }
}

fn rgb([red, green, blue]: [u8; 3]) -> Color32 {
    Color32::from_rgb(red, green, blue)
}

/// The colour of entries that are 0.
fn ground(ui: &Ui) -> [u8; 3] {
    let well = Tokens::current(ui).well;
    [well.r(), well.g(), well.b()]
}

/// Hair lines between the cells, the frame, and the outlines of blocks.
fn lines_ui(ui: &Ui, Cells { frame, all: cells, side: cell }: Cells, painted: &PaintedMatrix<'_>) {
    let (tokens, painter) = (Tokens::current(ui), ui.painter().with_clip_rect(frame.expand(2.0)));
    let line = Stroke::new(1.0, tokens.hairline);
    if cell >= LEAST_CELL_WITH_LINES {
        (1..painted.matrix.columns).for_each(|k| {
            painter.vline(cells.left() + k as f32 * cell, cells.y_range(), line);
        });
        (1..painted.matrix.rows).for_each(|k| {
            painter.hline(cells.x_range(), cells.top() + k as f32 * cell, line);
        });
    }
    painter.rect_stroke(frame, 0.0, Stroke::new(1.0, tokens.rule), StrokeKind::Outside);
    for [rows, columns] in painted.blocks {
        let corner = |row: usize, column: usize| cells.min + vec2(column as f32 * cell, row as f32 * cell);
        let block = Rect::from_min_max(corner(rows.start, columns.start), corner(rows.end, columns.end));
        painter.rect_stroke(block, 0.0, Stroke::new(1.5, tokens.rule), StrokeKind::Middle);
    }
}

/// The numbers of the entries, if all of them fit their cells, and the right-hand side.
fn numbers_ui(ui: &Ui, Cells { frame, all: cells, side: cell }: Cells, painted: &PaintedMatrix<'_>) {
    let painter = ui.painter().with_clip_rect(frame);
    let (tokens, largest) = (Tokens::current(ui), painted.matrix.largest());
    let width = |text: &str, size: f32| ui.painter().layout_no_wrap(text.to_owned(), FontId::proportional(size), Color32::WHITE).size().x;
    let line = |row: usize| cells.top() + (row as f32 + 0.5) * cell;
    if let Some(right) = painted.right.filter(|_| cell >= SMALLEST_FONT) {
        for (row, value) in right.iter().enumerate().filter(|(row, _)| frame.y_range().contains(line(*row))) {
            let text = entry_text(crate::plan::Coef::Real(*value));
            let size = FONTS.into_iter().find(|size| *size <= cell).unwrap_or(SMALLEST_FONT);
            ui.painter().text(pos2(frame.right() + 12.0, line(row)), Align2::LEFT_CENTER, text, FontId::proportional(size), tokens.text);
        }
    }
    if cell < SMALLEST_FONT + 3.0 || painted.matrix.entries.len() > MOST_NUMBERS {
        return;
    }
    let fits = |text: &str, size: f32| size + 3.0 <= cell && width(text, size) + 4.0 <= cell;
    let texts: Vec<String> = painted.matrix.entries.iter().map(|entry| entry_text(entry.weight)).collect();
    // Few of the texts differ, and "−1" is wider than "−i".
    let different: BTreeSet<&str> = texts.iter().map(String::as_str).collect();
    let size = FONTS.into_iter().find(|&size| different.iter().all(|text| fits(text, size))).unwrap_or(SMALLEST_FONT);
    // Two digits say more than none; what does not fit even so is told by the status bar.
    let short = |(entry, text): (&MatrixEntry, String)| if fits(&text, size) { text } else { short_text(entry.weight.value()) };
    let texts: Vec<String> = painted.matrix.entries.iter().zip(texts).map(short).collect();
    let ground = ground(ui);
    for (entry, text) in painted.matrix.entries.iter().zip(texts).filter(|(_, text)| fits(text, size)) {
        let color = if is_bright(entry_rgb(entry.weight.value(), largest, ground)) { Color32::BLACK } else { Color32::WHITE };
        let at = pos2(cells.left() + (entry.column as f32 + 0.5) * cell, line(entry.row));
        painter.text(at, Align2::CENTER_CENTER, text, FontId::proportional(size), color);
    }
}

/// A real value with two digits and without the zero before the point; nothing for a complex one.
fn short_text(value: Complex64) -> String {
    if value.im == 0.0 { crate::graph::number(value.re, 2).replacen("0.", ".", 1) } else { String::new() }
}

/// The indices of rows and columns, as many as have room.
fn indices_ui(ui: &Ui, Cells { frame, all: cells, side: cell }: Cells, painted: &PaintedMatrix<'_>) {
    let (tokens, font) = (Tokens::current(ui), FontId::proportional(10.0));
    let step = [1, 2, 4, 8, 16, 32, 64].into_iter().find(|&step| step as f32 * cell >= LEAST_PITCH).unwrap_or(128);
    let color = |is_lit: bool| if is_lit { tokens.accent } else { tokens.weak };
    for column in (0..painted.matrix.columns).step_by(step) {
        let at = pos2(cells.left() + (column as f32 + 0.5) * cell, frame.top() - 3.0);
        if !frame.x_range().contains(at.x) {
            continue;
        }
        ui.painter().text(at, Align2::CENTER_BOTTOM, column, font.clone(), color(painted.lit[1].contains(&column)));
    }
    for row in (0..painted.matrix.rows).step_by(step) {
        let at = pos2(frame.left() - 4.0, cells.top() + (row as f32 + 0.5) * cell);
        if !frame.y_range().contains(at.y) {
            continue;
        }
        ui.painter().text(at, Align2::RIGHT_CENTER, row, font.clone(), color(painted.lit[0].contains(&row)));
    }
}

/// Frames the rows, columns or entries that are lit elsewhere, and the entry under the pointer.
fn marks_ui(ui: &Ui, Cells { frame: seen, all: cells, side: cell }: Cells, lit: &LitPlaces, place: Place) {
    let painter = ui.painter().with_clip_rect(seen.expand(2.0));
    let stroke = Stroke::new(1.5, Tokens::current(ui).accent);
    let row = |row: usize| Rect::from_min_size(pos2(cells.left(), cells.top() + row as f32 * cell), vec2(cells.width(), cell));
    let column = |column: usize| Rect::from_min_size(pos2(cells.left() + column as f32 * cell, cells.top()), vec2(cell, cells.height()));
    let frame = |rect: Rect| painter.rect_stroke(rect, 1.0, stroke, StrokeKind::Middle);
    let own = place.map(|index| index.into_iter().collect::<Vec<_>>());
    let [rows, columns] = if place == [None; 2] { lit } else { &own };
    match (&rows[..], &columns[..]) {
        (rows, []) => rows.iter().for_each(|&y| _ = frame(row(y))),
        ([], columns) => columns.iter().for_each(|&x| _ = frame(column(x))),
        // An edge is lit with both.
        (rows, columns) => rows.iter().for_each(|&y| columns.iter().for_each(|&x| _ = frame(row(y).intersect(column(x))))),
    }
}
