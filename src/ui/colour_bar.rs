//! The colour bar of an image, with the values of the colours.

use super::gestures::Grip;
use super::theme::{GRID, Tokens};
use crate::display::LUT_LEN;
use crate::numerals::number;
use egui::{Align2, Color32, CursorIcon, FontId, Mesh, Rect, Shape, Ui, Vec2, pos2};

/// The height of an end of the bar that can be grabbed, in points.
const END: f32 = 12.0;

/// Lets the ends of a colour bar be dragged, which sets the values of the first and of the last colour.
pub(super) fn limits_ui(ui: &Ui, bar: Rect, range: [f32; 2], set: &mut Option<[f32; 2]>) {
    let ends = [(bar.left_bottom(), -1.0, "First end of the colour bar"), (bar.left_top(), 1.0, "Last end of the colour bar")];
    for (k, (corner, inwards, name)) in ends.into_iter().enumerate() {
        let end = Rect::from_two_pos(corner, corner + Vec2::new(bar.width(), inwards * END));
        let id = ui.scope_id().with(name);
        let grip = Grip::new(ui, (id, end, bar), CursorIcon::ResizeVertical, name);
        if grip.began().is_some() {
            // The bar shows other values as soon as the end has moved.
            ui.data_mut(|data| data.insert_temp(id, range));
        }
        if let (Some(at), Some([low, high])) = (grip.to(), ui.data(|data| data.get_temp::<[f32; 2]>(id))) {
            let value = low + (high - low) * (bar.bottom() - at.y) / bar.height();
            let least = 1e-3 * (high - low);
            *set = Some(if k == 0 { [value.min(high - least), high] } else { [low, value.max(low + least)] });
        }
        if grip.response.hovered() || grip.response.dragged() {
            ui.painter().hline(bar.x_range().expand(2.0), corner.y, (2.0, Tokens::current(ui).accent));
        }
    }
}

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
    let mut values = crate::plot::round_values(low.into(), high.into(), f64::from(bar.height() / spacing).max(1.0));
    // One number does not say how far apart the others are.
    if values.len() < 2 && !whole {
        values = vec![low.into(), high.into()];
    }
    for value in values.into_iter().filter(|value| !whole || value.fract() == 0.0) {
        let t = if high > low { (value as f32 - low) / (high - low) } else { 0.0 };
        let y = bar.bottom() - bar.height() * t;
        ui.painter().hline(bar.right()..=bar.right() + GRID, y, (1.0, tokens.rule));
        let at = pos2(bar.right() + GRID + 2.0, y);
        ui.painter().text(at, Align2::LEFT_CENTER, number(value, 4), FontId::proportional(11.0), tokens.weak);
    }
}
