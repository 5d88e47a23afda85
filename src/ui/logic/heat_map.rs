//! The tables of an S-box as images: one colour for each entry, a filter, a colour bar and a read-out.

use super::numbers;
use crate::choice::Named as _;
use crate::display::Colormap;
use crate::engine::logic::{SBoxStudy, SignalStudy};
use crate::logic::SBoxTables;
use crate::numerals::integer;
use crate::ui::canvas::ZoomTo;
use crate::ui::colour_bar::colour_bar;
use crate::ui::export::painted::keep_pixels;
use crate::ui::gestures::Navigation;
use crate::ui::pictures::LinkedZoom;
use crate::ui::settings::{LogicLook, TableKind};
use crate::ui::theme::{GRID, Tokens};
use crate::ui::toolbar::Toolbar;
use crate::ui::widgets;
use egui::{
    Align2, Color32, ColorImage, FontId, Rect, Role, Sense, Slider, Stroke, StrokeKind, TextureHandle, TextureOptions, Theme, Ui,
    WidgetInfo, pos2, vec2,
};
use std::sync::{Arc, Weak};

/// Width of the row numbers, in points.
const LEFT: f32 = 44.0;
/// Height of the column numbers and the axis label, in points.
const BELOW: f32 = 32.0;
/// Width of the colour bar with its numbers, in points.
const RIGHT: f32 = 68.0;
/// A cell shows its number from this size on, in points.
const LEAST_CELL_WITH_NUMBER: f32 = 22.0;

/// The settings that an image was made with.
#[derive(Clone, PartialEq)]
struct HeatMapKey {
    table: TableKind,
    least: u32,
    theme: Theme,
    /// A pixel covers this many entries along each side.
    step: usize,
}

/// The image of a table, kept while nothing changes.
#[derive(Default)]
pub(super) struct HeatMap {
    painted: Option<(Weak<SignalStudy>, HeatMapKey, TextureHandle, usize)>,
    /// The part that is visible.
    zoom: LinkedZoom,
}

/// A table with its range of colours.
struct ColoredTable<'a> {
    tables: &'a SBoxTables,
    kind: TableKind,
    values: &'a [i32],
    /// The largest magnitude except the trivial entries; the colours end there.
    top: i32,
}

impl<'a> ColoredTable<'a> {
    fn new(tables: &'a SBoxTables, kind: TableKind) -> Self {
        let (values, extreme) = match kind {
            TableKind::Linear => (&tables.linear, tables.strongest_approximation()),
            TableKind::Difference => (&tables.difference, tables.likeliest_difference()),
        };
        Self { tables, kind, values, top: (extreme.value.unsigned_abs() as i32).max(1) }
    }

    /// The labels of rows and columns.
    fn axes(&self) -> [&'static str; 2] {
        match self.kind {
            TableKind::Linear => ["input mask a", "output mask b"],
            TableKind::Difference => ["input difference a", "output difference b"],
        }
    }

    fn colormap(&self) -> Colormap {
        match self.kind {
            TableKind::Linear => Colormap::RdBu,
            TableKind::Difference => Colormap::Viridis,
        }
    }

    /// The values of the first and the last colour.
    fn range(&self) -> [f32; 2] {
        match self.kind {
            TableKind::Linear => [-self.top as f32, self.top as f32],
            TableKind::Difference => [0.0, self.top as f32],
        }
    }

    fn name(&self) -> &'static str {
        match self.kind {
            TableKind::Linear => "Linear approximation table",
            TableKind::Difference => "Difference distribution table",
        }
    }
}

impl HeatMap {
    /// Zooms at the next frame.
    pub(super) fn order(&mut self, zoom: ZoomTo) {
        self.zoom.order(zoom);
    }

    /// Shows the table.
    pub(super) fn ui(&mut self, ui: &mut Ui, look: &LogicLook, study: &SBoxStudy, of: &Arc<SignalStudy>, read_out: &mut String) {
        let tables = match &study.tables {
            Ok(tables) => tables,
            Err(why) => return widgets::empty_state(ui, why),
        };
        numbers::properties_ui(ui, &study.properties);
        let shown = ColoredTable::new(tables, look.table);
        let area = ui.available_rect_before_wrap();
        let canvas = Rect::from_min_max(area.min + vec2(LEFT, 16.0), area.max - vec2(RIGHT, BELOW));
        if canvas.width() < 48.0 || canvas.height() < 48.0 {
            return widgets::empty_state(ui, "Make this pane larger to see the table");
        }
        let cell = (canvas.width() / tables.columns as f32).min(canvas.height() / tables.rows as f32);
        let map = Rect::from_min_size(canvas.min, vec2(cell * tables.columns as f32, cell * tables.rows as f32));
        let response = ui.interact(map, ui.scope_id().with("heat map"), Sense::click_and_drag());
        let asked = Navigation::of(&response, true);
        asked.paint(ui);
        self.zoom.follow(&asked.with_axes(Navigation::over_axes(ui, shown.name(), area.with_max_x(map.right()), map)), map);
        let (whole, part) = (self.zoom.whole(map), self.zoom.visible());
        let cell = whole.width() / tables.columns as f32;
        let step = step(cell * ui.pixels_per_point(), tables.rows.min(tables.columns));
        let (texture, n_shown) = self.texture(ui, look, &shown, step, of);
        ui.painter().image(texture.id(), map, part, Color32::WHITE);
        ui.painter().rect_stroke(map, 0.0, Stroke::new(1.0, Tokens::current(ui).hairline), StrokeKind::Outside);
        if cell >= LEAST_CELL_WITH_NUMBER {
            entries_ui(ui, (map, whole), cell, &shown, look.least);
        }
        axes_ui(ui, (map, whole), &shown);
        let bar = Rect::from_min_max(pos2(map.right() + 3.0 * GRID, map.top()), pos2(map.right() + 6.0 * GRID, map.bottom()));
        colour_bar(ui, bar, shown.colormap().lut(), shown.range(), 32.0, true);
        response.widget_info(|| {
            let text = format!("{}, {} × {}, {} entries shown", shown.name(), tables.rows, tables.columns, integer(n_shown));
            WidgetInfo::labeled(Role::Image, true, text)
        });
        if let Some(at) = response.hover_pos() {
            let [row, column] = [(at.y - whole.top()) / cell, (at.x - whole.left()) / cell].map(|place| place as usize);
            let (row, column) = (row.min(tables.rows - 1), column.min(tables.columns - 1));
            let text = meaning(&shown, row, column);
            read_out.clone_from(&text);
            let frame = Rect::from_min_size(whole.min + vec2(column as f32 * cell, row as f32 * cell), vec2(cell, cell));
            ui.painter().with_clip_rect(map.expand(2.0)).rect_stroke(
                frame,
                0.0,
                Stroke::new(1.5, Tokens::current(ui).accent),
                StrokeKind::Outside,
            );
            response.on_hover_text_at_pointer(text);
        }
    }

    /// The image of the table, and the number of entries that are not left out.
    fn texture(
        &mut self,
        ui: &Ui,
        look: &LogicLook,
        shown: &ColoredTable<'_>,
        step: usize,
        of: &Arc<SignalStudy>,
    ) -> (TextureHandle, usize) {
        let key = HeatMapKey { table: look.table, least: look.least, theme: ui.theme(), step };
        if let Some((known, painted, texture, n_shown)) = &self.painted
            && std::ptr::eq(known.as_ptr(), Arc::as_ptr(of))
            && *painted == key
        {
            return (texture.clone(), *n_shown);
        }
        let (lut, range) = (shown.colormap().lut(), shown.range());
        let left_out = Tokens::current(ui).well;
        let n_shown = shown.values.iter().filter(|value| value.unsigned_abs() >= look.least).count();
        let [columns, rows] = [shown.tables.columns / step, shown.tables.rows / step];
        let strongest = |pixel: usize| {
            let (top, left) = (pixel / columns * step, pixel % columns * step);
            let lines = (top..top + step).map(|row| &shown.values[row * shown.tables.columns + left..][..step]);
            lines.flatten().copied().max_by_key(|value| value.unsigned_abs()).unwrap_or(0)
        };
        let color = |value: i32| {
            let [red, green, blue, _] = lut[Colormap::index(value as f32, range)];
            if value.unsigned_abs() < look.least { left_out } else { Color32::from_rgb(red, green, blue) }
        };
        let image = Arc::new(ColorImage::new([columns, rows], (0..rows * columns).map(|pixel| color(strongest(pixel))).collect()));
        let options = TextureOptions { minification: egui::TextureFilter::Linear, ..TextureOptions::NEAREST };
        let texture = ui.ctx().load_texture("heat map", image.clone(), options);
        keep_pixels(ui, "heat map", texture.id(), &image);
        self.painted = Some((Arc::downgrade(of), key, texture.clone(), n_shown));
        (texture, n_shown)
    }
}

/// The number of entries along a side that share a pixel, where an entry takes `pixels`; the strongest entry of a pixel is shown.
fn step(pixels: f32, most: usize) -> usize {
    /// Entries of at least this size, in pixels, are blended instead, which preserves more detail.
    const BLENDED: f32 = 0.75;
    std::iter::successors(Some(1), |step| Some(2 * step)).find(|&step| pixels * step as f32 >= BLENDED || step >= most).unwrap_or(most)
}

/// The choice of the table and of the least magnitude.
pub(super) fn tools_ui(bar: &mut Toolbar<'_>, look: &mut LogicLook, study: &SBoxStudy) {
    if bar.segmented("Table of the S-box", &mut look.table, &TableKind::offered()).is_some_and(|choice| choice.changed()) {
        look.least = 0;
    }
    let Ok(tables) = &study.tables else { return };
    let top = ColoredTable::new(tables, look.table).top.unsigned_abs();
    look.least = look.least.min(top);
    bar.item("least", |ui| {
        ui.spacing_mut().slider_width = 80.0;
        widgets::labelled(ui, "Least magnitude", |ui| ui.add(Slider::new(&mut look.least, 0..=top)))
            .on_hover_text("Entries with a smaller magnitude are left out")
    });
}

/// The meaning of an entry as text.
fn meaning(shown: &ColoredTable<'_>, row: usize, column: usize) -> String {
    let value = shown.values[row * shown.tables.columns + column];
    let half = (shown.tables.rows / 2) as i32;
    match shown.kind {
        TableKind::Linear => format!(
            "a = {row:#x}, b = {column:#x}: {}; a·x = b·S(x) for {} of {} inputs",
            integer(i64::from(value)),
            value + half,
            shown.tables.rows
        ),
        TableKind::Difference => {
            format!("a = {row:#x}, b = {column:#x}: the difference a gives b for {value} of {} inputs", shown.tables.rows)
        }
    }
}

/// Writes the number of every entry.
fn entries_ui(ui: &Ui, (map, whole): (Rect, Rect), cell: f32, shown: &ColoredTable<'_>, least: u32) {
    let painter = ui.painter().with_clip_rect(map);
    let (lut, range) = (shown.colormap().lut(), shown.range());
    let tokens = Tokens::current(ui);
    for (entry, &value) in shown.values.iter().enumerate() {
        let (row, column) = (entry / shown.tables.columns, entry % shown.tables.columns);
        let at = whole.min + vec2((column as f32 + 0.5) * cell, (row as f32 + 0.5) * cell);
        if !map.contains(at) {
            continue;
        }
        let [red, green, blue, _] = lut[Colormap::index(value as f32, range)];
        let is_bright = 299 * u32::from(red) + 587 * u32::from(green) + 114 * u32::from(blue) > 140_000;
        let color = match (value.unsigned_abs() < least, is_bright) {
            (true, _) => tokens.weak,
            (false, true) => Color32::BLACK,
            (false, false) => Color32::WHITE,
        };
        painter.text(at, Align2::CENTER_CENTER, integer(i64::from(value)), FontId::proportional(11.0), color);
    }
}

fn axes_ui(ui: &Ui, (map, whole): (Rect, Rect), shown: &ColoredTable<'_>) {
    let tokens = Tokens::current(ui);
    let font = FontId::monospace(11.0);
    let [down, across] = shown.axes();
    ui.painter().text(map.left_top() - vec2(0.0, 3.0), Align2::LEFT_BOTTOM, down, FontId::proportional(11.0), tokens.weak);
    let below = pos2(map.center().x, map.bottom() + 17.0);
    ui.painter().text(below, Align2::CENTER_TOP, across, FontId::proportional(11.0), tokens.weak);
    // Masks are hexadecimal, so the ticks are a power of two apart.
    let marks = |n: usize, points: f32| {
        let step = (1..=n).map(|k| n / k).rev().filter(|step| step.is_power_of_two()).find(|&step| points * step as f32 / n as f32 >= 28.0);
        (0..n).step_by(step.unwrap_or(n).max(1))
    };
    for column in marks(shown.tables.columns, whole.width()) {
        let x = whole.left() + whole.width() * (column as f32 + 0.5) / shown.tables.columns as f32;
        if map.x_range().contains(x) {
            ui.painter().text(pos2(x, map.bottom() + 2.0), Align2::CENTER_TOP, format!("{column:x}"), font.clone(), tokens.weak);
        }
    }
    for row in marks(shown.tables.rows, whole.height()) {
        let y = whole.top() + whole.height() * (row as f32 + 0.5) / shown.tables.rows as f32;
        if map.y_range().contains(y) {
            ui.painter().text(pos2(map.left() - GRID, y), Align2::RIGHT_CENTER, format!("{row:x}"), font.clone(), tokens.weak);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_entries_share_a_pixel() {
        assert_eq!([2.0, 1.0, 0.8, 0.5, 0.3, 0.01].map(|pixels| step(pixels, 16)), [1, 1, 1, 2, 4, 16]);
    }
}
