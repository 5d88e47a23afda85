//! Paints what is around and over the displayed image: axes, rings of equal frequency, and the colour bar.

use super::axis::FrequencyAxis;
use super::{ABOVE, LEFT, RIGHT};
use crate::display::Look;
use crate::numerals::number;
use crate::transforms::{Shape, Transform};
use crate::ui::canvas::Placement;
use crate::ui::colour_bar::limits_ui;
use crate::ui::settings::value_label;
use crate::ui::theme::{GRID, Tokens};
use egui::epaint::TextShape;
use egui::{Align2, Color32, FontId, Rect, Ui, pos2, vec2};
use std::f32::consts::FRAC_PI_2;

/// Largest size of a pixel, in points, for a tick of the frequency behind the last one.
pub(super) const MOST_BEYOND: f64 = 4.0;

/// The ticks and names of both axes.
pub(super) fn axes_ui(ui: &Ui, placement: &Placement, shape: Shape, across: FrequencyAxis, down: FrequencyAxis) {
    let tokens = Tokens::current(ui);
    let painter = ui.painter();
    let font = FontId::proportional(11.0);
    let canvas = placement.canvas;
    let whole = placement.whole(shape).intersect(canvas);
    let corner = [placement.to_data(whole.min), placement.to_data(whole.max)];
    // A tick is in the middle of the pixel of its value.
    let middle = 0.5;
    // The highest frequency is the lowest one again, one pixel behind the last; small pixels have its tick at the edge.
    let beyond = placement.scale.map(|side| if side <= MOST_BEYOND { side as f32 } else { 0.0 });
    for value in across.ticks(corner[0][0] - middle, corner[1][0] + middle, f64::from(whole.width() / 48.0)) {
        let x = placement.to_screen([across.position(value) + middle, 0.0]).x;
        if (whole.left()..=whole.right() + beyond[0]).contains(&x) {
            let x = x.min(whole.right());
            painter.vline(x, whole.bottom()..=whole.bottom() + GRID, (1.0, tokens.rule));
            painter.text(pos2(x, whole.bottom() + GRID + 1.0), Align2::CENTER_TOP, number(value, 5), font.clone(), tokens.weak);
        }
    }
    let below = pos2(whole.center().x, whole.bottom() + 17.0);
    // A name that is longer than its axis is left out, rather than cut.
    let name = painter.layout_no_wrap(across.name("x"), font.clone(), tokens.weak);
    if name.size().x <= canvas.width() + LEFT {
        painter.galley(Align2::CENTER_TOP.anchor_size(below, name.size()).min, name, tokens.weak);
    }
    for value in down.ticks(corner[0][1] - middle, corner[1][1] + middle, f64::from(whole.height() / 48.0)) {
        let y = placement.to_screen([0.0, down.position(value) + middle]).y;
        if (whole.top()..=whole.bottom() + beyond[1]).contains(&y) {
            let y = y.min(whole.bottom());
            painter.hline(whole.left() - GRID..=whole.left(), y, (1.0, tokens.rule));
            painter.text(pos2(whole.left() - GRID - 2.0, y), Align2::RIGHT_CENTER, number(value, 5), font.clone(), tokens.weak);
        }
    }
    let name = painter.layout_no_wrap(down.name("y"), font, tokens.weak);
    if name.size().x <= canvas.height() + ABOVE {
        let at = pos2(whole.left() - LEFT + 1.0, (whole.center().y + 0.5 * name.size().x).min(canvas.bottom()));
        painter.add(TextShape::new(at, name, tokens.weak).with_angle(-FRAC_PI_2));
    }
}

/// The radii of rings in cycles, from the length of one cycle in points.
pub(super) fn ring_radii(points_per_cycle: f64) -> impl Iterator<Item = f64> {
    let wanted = (points_per_cycle / 64.0).clamp(2.0, 32.0);
    crate::plot::round_values(0.0, std::f64::consts::FRAC_1_SQRT_2, wanted).into_iter().filter(|radius| *radius > 0.0)
}

/// The points of a ring in displayed columns and rows of a spectrum with this number of columns and rows.
pub(super) fn ring(radius: f64, sides: [usize; 2]) -> Vec<[f64; 2]> {
    const STEPS: usize = 128;
    let middle = sides.map(|n| (n / 2) as f64 + 0.5);
    let at = |step: usize| {
        let (sin, cos) = (step as f64 / STEPS as f64 * std::f64::consts::TAU).sin_cos();
        [middle[0] + radius * sides[0] as f64 * cos, middle[1] - radius * sides[1] as f64 * sin]
    };
    (0..=STEPS).map(at).collect()
}

/// Rings of equal frequency around frequency 0.
pub(super) fn rings_ui(ui: &Ui, placement: &Placement, shape: Shape) {
    let painter = ui.painter().with_clip_rect(placement.whole(shape).intersect(placement.canvas));
    // White on black can be read on bright and dark colours.
    let [light, dark] = [Color32::from_white_alpha(150), Color32::from_black_alpha(130)];
    for radius in ring_radii(placement.scale[0] * shape.columns as f64) {
        let ring: Vec<_> = ring(radius, [shape.columns, shape.rows]).into_iter().map(|at| placement.to_screen(at)).collect();
        let label = ring[ring.len() / 8];
        painter.line(ring.clone(), (2.5, dark));
        painter.line(ring, (1.0, light));
        let galley = painter.layout_no_wrap(number(radius, 3), FontId::proportional(11.0), Color32::WHITE);
        let rect = Align2::CENTER_CENTER.anchor_size(label, galley.size());
        painter.rect_filled(rect.expand2(vec2(3.0, 0.0)), 2.0, Color32::from_black_alpha(170));
        painter.galley(rect.min, galley, Color32::WHITE);
    }
}

/// The colour bar with the name of its values, at the right of the image that is seen; its ends set the limits, if any.
pub(super) fn colour_bar(
    ui: &Ui,
    (seen, look): (Rect, &Look),
    (range, set): ([f32; 2], Option<&mut Option<[f32; 2]>>),
    (transform, letter): (&Transform, &str),
) {
    let tokens = Tokens::current(ui);
    let bar = Rect::from_min_max(pos2(seen.right() + 3.0 * GRID, seen.top()), pos2(seen.right() + 6.0 * GRID, seen.bottom()));
    let font = FontId::proportional(11.0);
    let label = value_label(look.scale, look.quantity, transform, letter);
    // The number at the upper end reaches above the bar.
    let above = pos2(bar.right() + RIGHT - 6.0 * GRID - 2.0, bar.top() - 7.0);
    ui.painter().text(above, Align2::RIGHT_BOTTOM, label, font, tokens.weak);
    crate::ui::colour_bar::colour_bar(ui, bar, look.bar(), range, 40.0, false);
    set.into_iter().for_each(|set| limits_ui(ui, bar, range, set));
}
