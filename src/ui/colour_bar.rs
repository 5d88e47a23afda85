//! The colour bar of an image, with the values of the colours.

use super::theme::{GRID, Tokens};
use crate::display::LUT_LEN;
use crate::numerals::number;
use egui::{Align2, Color32, FontId, Mesh, Rect, Shape, Ui, pos2};

/// Paints the colours upwards, with numbers of `range` at their right, about `spacing` points apart. `whole` omits fractions.
pub(super) fn colour_bar(ui: &Ui, bar: Rect, colours: [[u8; 4]; LUT_LEN], [low, high]: [f32; 2], spacing: f32, whole: bool) {
    let tokens = Tokens::current(ui);
    let mut mesh = Mesh::default();
    for (index, [red, green, blue, _]) in colours.into_iter().enumerate() {
        let part = |index: usize| bar.bottom() - bar.height() * index as f32 / LUT_LEN as f32;
        let rect = Rect::from_min_max(pos2(bar.left(), part(index + 1)), pos2(bar.right(), part(index)));
        mesh.add_colored_rect(rect, Color32::from_rgb(red, green, blue));
    }
    ui.painter().add(Shape::mesh(mesh));
    let values = crate::plot::round_values(low.into(), high.into(), f64::from(bar.height() / spacing).max(1.0));
    for value in values.into_iter().filter(|value| !whole || value.fract() == 0.0) {
        let t = if high > low { (value as f32 - low) / (high - low) } else { 0.0 };
        let y = bar.bottom() - bar.height() * t;
        ui.painter().hline(bar.right()..=bar.right() + GRID, y, (1.0, tokens.rule));
        let at = pos2(bar.right() + GRID + 2.0, y);
        ui.painter().text(at, Align2::LEFT_CENTER, number(value, 4), FontId::proportional(11.0), tokens.weak);
    }
}
