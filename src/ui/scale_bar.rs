//! A scale bar over an image: a round length or frequency, and how long it is on the screen.

use super::theme::GRID;
use crate::numerals::number;
use egui::{Align2, Color32, FontId, Painter, Rect, pos2, vec2};

/// The longest bar as a share of the visible width.
const MOST: f64 = 0.3;

/// The largest of 1, 2 and 5 times a power of ten that is not above `most`.
fn round_below(most: f64) -> f64 {
    let power = 10_f64.powf(most.log10().floor());
    [5.0, 2.0, 1.0].into_iter().map(|digit| digit * power).find(|value| *value <= most * (1.0 + 1e-9)).unwrap_or(power)
}

/// Draws a bar in the lower left corner of the visible image, where one unit is `points_per_unit` points long.
pub(super) fn draw(painter: &Painter, seen: Rect, points_per_unit: f64, unit: &str) {
    let most = MOST * f64::from(seen.width()) / points_per_unit;
    if !(most.is_finite() && most > 0.0 && seen.width() > 120.0 && seen.height() > 60.0) {
        return;
    }
    let value = round_below(most);
    let length = (value * points_per_unit) as f32;
    let text = painter.layout_no_wrap(format!("{} {unit}", number(value, 3)), FontId::proportional(11.0), Color32::WHITE);
    let size = vec2(length.max(text.size().x) + 4.0 * GRID, text.size().y + 4.0 * GRID);
    let back = Rect::from_min_size(pos2(seen.left() + 2.0 * GRID, seen.bottom() - 2.0 * GRID - size.y), size);
    painter.rect_filled(back, 3.0, Color32::from_black_alpha(150));
    let (middle, y) = (back.center().x, back.bottom() - 2.0 * GRID);
    painter.hline(middle - length / 2.0..=middle + length / 2.0, y, (3.0, Color32::WHITE));
    let at = Align2::CENTER_BOTTOM.anchor_size(pos2(middle, y - GRID), text.size());
    painter.galley(at.min, text, Color32::WHITE);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_round() {
        for (most, value) in [(1.0, 1.0), (1.9, 1.0), (2.0, 2.0), (4.99, 2.0), (70.0, 50.0), (0.034, 0.02)] {
            assert!((round_below(most) - value).abs() < 1e-12 * value, "{most}");
        }
    }
}
