//! The tiles of a launch as coloured rectangles over the image, and what one workgroup reads and writes, with its halo.

use super::follow::Target;
use crate::engine::{AccessStudy, FollowedKernel, RenderedImage};
use crate::graph::access::{TileRect, tile_rects};
use crate::numerals::integer;
use crate::ui::export::painted::keep_pixels;
use crate::ui::theme::{GRID, Series, Tokens, series_color};
use crate::ui::widgets;
use egui::{
    Color32, ColorImage, Painter, Pos2, Rect, Role, Sense, Stroke, StrokeKind, TextureHandle, TextureOptions, Theme, Ui, WidgetInfo, pos2,
};
use std::ops::Range;
use std::sync::Arc;

/// Colours of tiles, so that neighbours differ.
const COLOURS: [Series; 4] = [Series::Kernel, Series::Upload, Series::Download, Series::CpuStrided];

/// The view, with the image behind the tiles.
#[derive(Default)]
pub(super) struct TilesView {
    image: Option<(Arc<RenderedImage>, TextureHandle)>,
}

impl TilesView {
    /// Shows the tiles.
    pub(super) fn ui(&mut self, ui: &mut Ui, target: &Target, launch: Option<usize>, study: Option<&AccessStudy>, read_out: &mut String) {
        let (Some(image), Some(launch)) = (target.image, launch) else {
            return widgets::empty_state(ui, "Tiles lie over images: take an image and a transform of images");
        };
        let rects = tile_rects(&target.plan, &target.schedule.launches[launch], image);
        let area = ui.available_rect_before_wrap().shrink(GRID);
        if rects.is_empty() || !area.is_positive() {
            return widgets::empty_state(
                ui,
                "The tiles of this launch are no rectangles of the image; take another stage, or the schedule split-merge or overlapped",
            );
        }
        let [rows, columns] = image.map(|n| n as f32);
        let scale = (area.width() / columns).min((area.height() - 18.0) / rows);
        let over = Rect::from_min_size(area.min, egui::vec2(columns, rows) * scale);
        let (_, response) = ui.allocate_exact_size(area.size(), Sense::hover());
        let painter = ui.painter_at(area);
        if let Some((_, texture)) = &self.image {
            painter.image(texture.id(), over, Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0)), Color32::WHITE);
        }
        let place = |[rows, columns]: &[Range<usize>; 2]| {
            let corner = |row: usize, column: usize| over.min + egui::vec2(column as f32, row as f32) * scale;
            Rect::from_min_max(corner(rows.start, columns.start), corner(rows.end, columns.end))
        };
        let (theme, tokens) = (ui.theme(), Tokens::current(ui));
        rects_ui(&painter, theme, tokens, &rects, scale, &place);
        let group = study.map_or(0, |study| study.choice.group);
        let hovered = response.hover_pos().and_then(|pointer| rects.iter().find(|rect| place(&rect.owned).contains(pointer)));
        let mut told = String::new();
        if let Some(shown) = hovered.or_else(|| rects.get(group)) {
            painter.rect_stroke(place(&shown.read), 0.0, Stroke::new(2.0, tokens.warning), StrokeKind::Inside);
            painter.rect_stroke(place(&shown.owned), 0.0, Stroke::new(2.0, tokens.text), StrokeKind::Inside);
            told = in_words(shown);
        }
        if let Some(kernel) = study.and_then(|study| study.kernel.as_ref()).filter(|_| hovered.is_none()) {
            let of_group = group_ui(&painter, theme, kernel, image, &place);
            let of_group = format!("Workgroup {} {of_group}", integer(group + 1));
            told = if told.is_empty() { of_group } else { format!("{of_group}. {told}") };
        }
        painter.text(pos2(over.left(), over.bottom() + 3.0), egui::Align2::LEFT_TOP, &told, egui::FontId::proportional(12.0), tokens.text);
        if hovered.is_some() {
            *read_out = told.clone();
        }
        let name = format!(
            "Tiles of launch {}, {} over {} × {} pixels; {told}",
            launch + 1,
            integer(rects.len()),
            integer(image[0]),
            integer(image[1])
        );
        response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &name));
    }

    /// Takes the image that the tiles lie over.
    pub(super) fn lie_over(&mut self, ui: &Ui, image: &Arc<RenderedImage>) {
        if self.image.as_ref().is_none_or(|(known, _)| !Arc::ptr_eq(known, image)) {
            let size = [image.frame.width, image.frame.height];
            let pixels = Arc::new(ColorImage::from_rgba_unmultiplied(size, &image.rgba));
            let texture = ui.ctx().load_texture("image of tiles", pixels.clone(), TextureOptions::LINEAR);
            keep_pixels(ui, "image of tiles", texture.id(), &pixels);
            self.image = Some((image.clone(), texture));
        }
    }
}

/// Draws the lanes that a workgroup reads and writes, and says how many there are.
fn group_ui(
    painter: &Painter,
    theme: Theme,
    kernel: &FollowedKernel,
    image: [usize; 2],
    place: &dyn Fn(&[Range<usize>; 2]) -> Rect,
) -> String {
    let [loads, stores] = &kernel.lanes;
    for (runs, color, inset) in [(loads, series_color(Series::Upload, theme), 0.0), (stores, series_color(Series::Kernel, theme), 0.3)] {
        for piece in runs.iter().flat_map(|run| pieces(run, image)) {
            let rect = place(&piece);
            painter.rect_filled(rect.shrink(inset * rect.height().min(rect.width())), 0.0, color.gamma_multiply(0.75));
        }
    }
    let n = |runs: &[Range<usize>]| integer(runs.iter().map(Range::len).sum::<usize>());
    format!("reads {} lanes and writes {}", n(loads), n(stores))
}

/// Draws the tiles, in colours that differ between neighbours, with the margins that a split leaves to the merge.
fn rects_ui(painter: &Painter, theme: Theme, tokens: Tokens, rects: &[TileRect], scale: f32, place: &dyn Fn(&[Range<usize>; 2]) -> Rect) {
    for rect in rects {
        let [row, column] = [0, 1].map(|axis| rect.owned[axis].start / rects[0].owned[axis].len().max(1));
        let color = series_color(COLOURS[(2 * (row % 2) + column % 2) % 4], theme);
        painter.rect_filled(place(&rect.owned), 0.0, color.gamma_multiply(0.28));
        painter.rect_stroke(place(&rect.owned), 0.0, Stroke::new(1.0, color), StrokeKind::Inside);
        if rect.margin != [0, 0] {
            let [rows, columns] = rect.margin.map(|margin| margin as f32 * scale);
            let inner = place(&rect.owned).shrink2(egui::vec2(columns, rows));
            painter.rect_stroke(inner, 0.0, Stroke::new(1.0, tokens.text), StrokeKind::Inside);
        }
    }
}

/// A tile in words.
fn in_words(rect: &TileRect) -> String {
    let [rows, columns] = rect.owned.each_ref().map(|range| integer(range.len()));
    let TileRect { tile, owned, read, margin } = rect;
    let place = format!(
        "Tile {}: {rows} × {columns} pixels from row {}, column {}",
        integer(tile + 1),
        integer(owned[0].start),
        integer(owned[1].start)
    );
    let halo = read != owned;
    let halo = halo.then(|| format!(", reads {} × {} with its halo", integer(read[0].len()), integer(read[1].len())));
    let merge = (margin != &[0, 0]).then(|| format!(", leaves {} rows and {} columns at its boundary to the merge", margin[0], margin[1]));
    place + &halo.unwrap_or_default() + &merge.unwrap_or_default()
}

/// The parts of a run of lanes in the rows of an image; lanes behind the image are left out.
fn pieces(run: &Range<usize>, [rows, columns]: [usize; 2]) -> impl Iterator<Item = [Range<usize>; 2]> + '_ {
    let end = run.end.min(rows * columns);
    let first = run.start / columns;
    (first..end.div_ceil(columns)).map(move |row| {
        let from = run.start.max(row * columns) - row * columns;
        [row..row + 1, from..end.min((row + 1) * columns) - row * columns]
    })
}
