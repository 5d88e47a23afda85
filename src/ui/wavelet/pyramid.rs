//! The coefficients, band by band: each magnitude relative to the largest of all details, or to the largest of its band.

use crate::display::Colormap;
use crate::engine::wavelet::{Pyramid, Remainder};
use crate::numerals::{counted, number};
use crate::ui::colour_bar::colour_bar;
use crate::ui::pictures::{ImageTextures, LinkedZoom, fitted};
use crate::ui::settings::WaveletLook;
use crate::ui::theme::{GRID, Tokens};
use crate::ui::threshold_controls::share;
use crate::ui::toolbar::Toolbar;
use crate::ui::widgets::{self, Head, TableRow, TextTable};
use crate::wavelet::Band;
use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, ScrollArea, Stroke, StrokeKind, Ui, UiBuilder, pos2, vec2};

/// Width of the colour bar with its numbers, in points.
const RIGHT: f32 = 60.0;
/// Width of the names of the bands of a signal, in points.
const LEFT: f32 = 56.0;
/// Width of the table of the bands, height of one of its rows, and distance to the colour bar, in points.
const LEAST_TABLE_WIDTH: f32 = 240.0;
const TABLE_ROW: f32 = 28.0;
const TABLE_GAP: f32 = 48.0;
/// A table of at least this width, in points, has two halves side by side.
const LEAST_WIDTH_OF_HALVES: f32 = 640.0;
/// The table takes at most this share of the height below the images.
const LARGEST_TABLE: f32 = 0.34;
/// A pane of at least this width, in points, shows the thresholded image beside the coefficients.
const LEAST_WIDTH_OF_PAIR: f32 = 480.0;
/// A band shows its name from this width on, in points.
const LEAST_WIDTH_WITH_NAME: f32 = 34.0;

/// The choice of the scale.
pub(super) fn tools_ui(bar: &mut Toolbar<'_>, look: &mut WaveletLook) {
    let scales = [
        (true, "One scale", "All bands of details share the scale of the largest detail: what is dark is small, as noise is"),
        (false, "Own scales", "Every band has its own scale, so that details of all sizes can be seen"),
    ];
    bar.segmented("Scale of the bands", &mut look.one_scale, &scales);
}

/// Shows the coefficients, and beside those of an image what is left of it.
pub(super) fn ui(ui: &mut Ui, textures: &mut ImageTextures, zoom: &mut LinkedZoom, one_scale: bool, seen: &Pyramid, read_out: &mut String) {
    let about = match seen.analysis.levels {
        0 => "No level: a single sample does not change".to_owned(),
        levels => format!(
            "{} of {}; brightness is the square root of the magnitude, relative to the largest of {}",
            counted(levels as usize, "level"),
            seen.analysis.job.transform,
            if one_scale { "all details" } else { "the band" }
        ),
    };
    widgets::weak(ui, about);
    let (area, tokens) = (ui.available_rect_before_wrap(), Tokens::current(ui));
    let pair = seen.left.as_ref().filter(|_| area.width() >= LEAST_WIDTH_OF_PAIR);
    let canvas = canvas_of(area, seen, pair.is_some());
    if canvas.width() < 48.0 || canvas.height() < 48.0 {
        return widgets::empty_state(ui, "Make this pane larger to see the coefficients");
    }
    let map = if seen.is_line { canvas } else { fitted(canvas, [seen.analysis.shape.rows, seen.analysis.shape.columns]) };
    let response = match seen.is_line {
        true => textures.strips(ui, "Wavelet coefficients", map, &seen.image, Colormap::Magma),
        false => textures.part(ui, "Wavelet coefficients", map, &seen.image, Colormap::Magma, zoom.visible()),
    };
    // The bands of a signal lie below each other, each in a scale of its own.
    let whole = if seen.is_line { map } else { zoom.whole(map) };
    if seen.is_line {
        frames_ui(ui.painter(), map, seen, tokens);
    } else {
        zoom.interact(ui, &response);
        frames_ui(&ui.painter().with_clip_rect(map), whole, seen, tokens);
    }
    let bar = Rect::from_min_max(pos2(map.right() + 3.0 * GRID, map.top()), pos2(map.right() + 6.0 * GRID, map.bottom()));
    colour_bar(ui, bar, Colormap::Magma.lut(), [0.0, 1.0], 40.0, false);
    let mut beside = Rect::from_min_max(pos2(bar.right() + TABLE_GAP, map.top()), area.max);
    if let Some(left) = pair {
        let image = Rect::from_min_size(beside.min, map.size());
        left_ui(ui, (textures, zoom), image, area.bottom(), left);
        beside = Rect::from_min_max(pos2(map.left(), map.bottom() + 2.0 * GRID), pos2(bar.right(), area.bottom()));
    }
    if beside.width() >= LEAST_TABLE_WIDTH && beside.height() >= 2.0 * TABLE_ROW && !seen.is_line {
        table_ui(&mut ui.new_child(UiBuilder::new().max_rect(beside)), seen);
    }
    if let Some(at) = response.hover_pos()
        && let Some(text) = read_out_at(seen, whole, at)
    {
        read_out.clone_from(&text);
        response.on_hover_text_at_pointer(text);
    }
}

/// The room for the coefficients: beside the names of bands, or left of the thresholded image and above the table.
fn canvas_of(area: Rect, seen: &Pyramid, is_pair: bool) -> Rect {
    let (left, top) = (if seen.is_line { LEFT } else { 0.0 }, area.top() + GRID);
    if !is_pair {
        return Rect::from_min_max(pos2(area.left() + left, top), area.max - vec2(RIGHT, 2.0 * GRID));
    }
    let width = (area.width() - 6.0 * GRID - TABLE_GAP) / 2.0;
    let n_rows = seen.bands.len().div_ceil(n_halves(width));
    let table = ((n_rows + 1) as f32 * TABLE_ROW + 2.0 * GRID).min(LARGEST_TABLE * area.height());
    Rect::from_min_max(pos2(area.left(), top), pos2(area.left() + width, area.bottom() - table))
}

/// The image that the large coefficients make, and below it what is lost.
fn left_ui(ui: &mut Ui, (textures, zoom): (&mut ImageTextures, &mut LinkedZoom), rect: Rect, bottom: f32, left: &Remainder) {
    let response = textures.part(ui, "Reconstructed image", rect, &left.image, Colormap::Gray, zoom.visible());
    zoom.interact(ui, &response);
    let below = Rect::from_min_max(pos2(rect.left(), rect.bottom() + 2.0 * GRID), pos2(rect.right(), bottom));
    let mut below = ui.new_child(UiBuilder::new().max_rect(below).id_salt("thresholded"));
    let kept = left.kept;
    let psnr = if left.psnr.is_finite() { format!("{} dB", number(left.psnr, 4)) } else { "∞".to_owned() };
    widgets::weak(&mut below, "From the largest coefficients alone; Coefficients shows the difference");
    // The slider says the share too.
    widgets::facts_line(&mut below, &[("PSNR", psnr), ("Kept", format!("{} % of the coefficients", number(share(kept.n, kept.of), 4)))]);
}

/// The number of halves of a table of this width.
fn n_halves(width: f32) -> usize {
    if width >= LEAST_WIDTH_OF_HALVES { 2 } else { 1 }
}

/// The numbers of every band.
fn table_ui(ui: &mut Ui, seen: &Pyramid) {
    let energy: f64 = seen.energies.iter().sum();
    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        let row = |(index, band): (usize, &Band)| {
            let share = if energy > 0.0 { 100.0 * seen.energies[index] / energy } else { 0.0 };
            let size = format!("{} × {}", band.columns.len(), band.rows.len());
            let cells = [band.name(), size, format!("{} %", number(share, 4)), number(seen.largest[index], 4)];
            TableRow::of(cells).about(band.meaning())
        };
        let rows: Vec<_> = seen.bands.iter().enumerate().map(row).collect();
        let n_rows = rows.len().div_ceil(n_halves(ui.available_width())).max(1);
        ui.horizontal_top(|ui| {
            for (rows, name) in rows.chunks(n_rows).zip(["bands", "finer bands"]) {
                let heads = [Head::of_texts("Band"), Head::of_texts("Size"), Head::of_numbers("Energy"), Head::of_numbers("Largest")];
                TextTable::new(name, heads).show(ui, rows);
                ui.add_space(TABLE_GAP);
            }
        });
    });
}

/// The rectangle of a band.
fn band_rect(seen: &Pyramid, map: Rect, index: usize) -> Rect {
    let band = &seen.bands[index];
    if seen.is_line {
        let height = map.height() / seen.bands.len() as f32;
        return Rect::from_min_size(map.min + vec2(0.0, index as f32 * height), vec2(map.width(), height));
    }
    let [x, y] = [map.width() / seen.analysis.shape.columns as f32, map.height() / seen.analysis.shape.rows as f32];
    let at = |row: usize, column: usize| map.min + vec2(column as f32 * x, row as f32 * y);
    Rect::from_min_max(at(band.rows.start, band.columns.start), at(band.rows.end, band.columns.end))
}

/// The frames of the bands, and their names.
fn frames_ui(painter: &Painter, map: Rect, seen: &Pyramid, tokens: Tokens) {
    let font = FontId::proportional(11.0);
    for (index, band) in seen.bands.iter().enumerate() {
        let rect = band_rect(seen, map, index);
        painter.rect_stroke(rect, 0.0, Stroke::new(1.0, Color32::from_gray(110)), StrokeKind::Middle);
        if seen.is_line {
            if rect.height() >= 12.0 {
                painter.text(rect.left_center() - vec2(GRID, 0.0), Align2::RIGHT_CENTER, band.name(), font.clone(), tokens.text);
            }
        } else if rect.width() >= LEAST_WIDTH_WITH_NAME && rect.height() >= 18.0 {
            let galley = painter.layout_no_wrap(band.name(), font.clone(), Color32::WHITE);
            let behind = Rect::from_min_size(rect.min + vec2(3.0, 3.0), galley.size() + vec2(6.0, 0.0));
            painter.rect_filled(behind, 2.0, Color32::from_black_alpha(170));
            painter.galley(behind.min + vec2(3.0, 0.0), galley, Color32::WHITE);
        }
    }
}

/// The band, the position and the value under the pointer, as text.
fn read_out_at(seen: &Pyramid, map: Rect, at: Pos2) -> Option<String> {
    let shape = seen.analysis.shape;
    let inside = (at - map.min) / map.size();
    let part = |t: f32, n: usize| ((t.clamp(0.0, 1.0) * n as f32) as usize).min(n.saturating_sub(1));
    let (index, row, column) = if seen.is_line {
        let index = part(inside.y, seen.bands.len());
        let columns = &seen.bands[index].columns;
        (index, seen.row, columns.start + part(inside.x, columns.len()))
    } else {
        let (row, column) = (part(inside.y, shape.rows), part(inside.x, shape.columns));
        (seen.bands.iter().position(|band| band.holds(row, column))?, row, column)
    };
    let band = &seen.bands[index];
    let value = seen.analysis.coefs[row * shape.columns + column].re;
    let column_in_band = column - band.columns.start;
    let position =
        if seen.is_line { format!("{column_in_band}") } else { format!("row {}, column {column_in_band}", row - band.rows.start) };
    Some(format!(
        "{} ({}), {position}: {}; largest magnitude {}",
        band.name(),
        band.meaning(),
        number(value, 6),
        number(seen.largest[index], 4)
    ))
}
