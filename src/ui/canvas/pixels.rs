//! The pixels of a greatly enlarged image: a grid between them, then their values, three in a colour image.

use super::placement::Placement;
use crate::engine::RenderedImage;
use crate::numerals::number;
use egui::{Align2, Color32, FontId, Painter, pos2};

/// From this width of a pixel on, in points, a grid is drawn between pixels.
const SIDE_OF_GRID: f64 = 8.0;
/// From this width of a pixel on, in points, its value is written if it fits.
const SIDE_OF_VALUES: f64 = 32.0;
/// Significant digits, fewer where there is less room.
const DIGITS: [usize; 3] = [4, 3, 2];

/// Draws the grid of the visible pixels, and their values unless they are hidden.
pub(super) fn draw(painter: &Painter, placement: &Placement, image: &RenderedImage, hides_values: bool) {
    let side = placement.scale[0].min(placement.scale[1]);
    let (frame, part) = (image.frame, image.frame.rect);
    let is_exact = part.width == frame.width as f64 && part.height == frame.height as f64;
    if side < SIDE_OF_GRID || !is_exact {
        return;
    }
    let [low, high] = [placement.to_screen([part.left, part.top]), placement.to_screen([part.left + part.width, part.top + part.height])];
    // This gray can be seen on dark and on bright pixels.
    let line = (1.0, Color32::from_rgba_unmultiplied(128, 128, 128, 90));
    for x in 1..frame.width {
        painter.vline(placement.to_screen([part.left + x as f64, 0.0]).x, low.y..=high.y, line);
    }
    for y in 1..frame.height {
        painter.hline(low.x..=high.x, placement.to_screen([0.0, part.top + y as f64]).y, line);
    }
    let n_pixels = frame.width * frame.height;
    // One value, or three colours.
    let each = image.values.len() / n_pixels.max(1);
    if hides_values || side < SIDE_OF_VALUES * if each > 1 { 1.5 } else { 1.0 } || each == 0 || image.values.len() != each * n_pixels {
        return;
    }
    let font = FontId::proportional((side / (3.0 + each as f64)).clamp(11.0, 16.0) as f32);
    for (index, (values, rgba)) in image.values.chunks_exact(each).zip(image.rgba.chunks_exact(4)).enumerate() {
        let at = placement.to_screen([part.left + (index % frame.width) as f64 + 0.5, part.top + (index / frame.width) as f64 + 0.5]);
        let fitting = DIGITS.into_iter().find_map(|digits| {
            let text: Vec<_> = values.iter().map(|&value| number(value.into(), digits)).collect();
            let galley = painter.layout_no_wrap(text.join("\n"), font.clone(), ink_on(rgba));
            (f64::from(galley.size().x) < placement.scale[0] - 2.0 && f64::from(galley.size().y) < placement.scale[1]).then_some(galley)
        });
        if let Some(galley) = fitting {
            let rect = Align2::CENTER_CENTER.anchor_size(pos2(at.x, at.y), galley.size());
            // A number that is cut reads as another one.
            if painter.clip_rect().contains_rect(rect) {
                painter.galley(rect.min, galley, ink_on(rgba));
            }
        }
    }
}

/// Black or white, whichever is easier to read on a colour.
fn ink_on(rgba: &[u8]) -> Color32 {
    let luminance = 0.299 * f32::from(rgba[0]) + 0.587 * f32::from(rgba[1]) + 0.114 * f32::from(rgba[2]);
    if luminance > 128.0 { Color32::BLACK } else { Color32::WHITE }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_on_every_colour() {
        assert_eq!(ink_on(&[255, 255, 0, 255]), Color32::BLACK);
        assert_eq!(ink_on(&[40, 0, 80, 255]), Color32::WHITE);
    }
}
