//! How an image fits its canvas, how far it is enlarged, and which part of it is visible.

use super::Placement;
use crate::display::{DisplayFrame, ImageRect as Part};
use crate::transforms::Shape;
use egui::Rect;

/// The largest size of a data pixel in points, unless the whole image is smaller.
const LARGEST_PIXEL: f64 = 64.0;

/// Above this ratio of its sides, an image fills its pane with pixels that are not square. Two long rows would be a thin line otherwise.
const LARGEST_ASPECT: f64 = 12.0;

/// Points per column and per row of the fitted image, whose sides have this proportion; without one, its pixels are square.
pub(super) fn fit(canvas: Rect, shape: Shape, sides: Option<[f64; 2]>) -> [f64; 2] {
    let counts = [shape.columns as f64, shape.rows as f64];
    let [width, height] = sides.unwrap_or(counts);
    let room = [canvas.width(), canvas.height()].map(|side| f64::from(side.max(1.0)));
    if !(1.0 / LARGEST_ASPECT..=LARGEST_ASPECT).contains(&(width / height)) {
        return [room[0] / counts[0], room[1] / counts[1]];
    }
    let scale = (room[0] / width).min(room[1] / height);
    [scale * width / counts[0], scale * height / counts[1]]
}

/// Where an image of this shape lies that is seen whole.
pub(super) fn fitted(canvas: Rect, shape: Shape, sides: Option<[f64; 2]>) -> Placement {
    Placement { canvas, center: [shape.columns as f64 / 2.0, shape.rows as f64 / 2.0], scale: fit(canvas, shape, sides) }
}

pub(super) fn clamped(factor: f64, fit: [f64; 2]) -> f64 {
    factor.clamp(1.0, (LARGEST_PIXEL / fit[0].min(fit[1])).max(1.0))
}

pub(super) fn inside([x, y]: [f64; 2], shape: Shape) -> [f64; 2] {
    [x.clamp(0.0, shape.columns as f64), y.clamp(0.0, shape.rows as f64)]
}

/// The visible part, at the resolution of the screen where it is reduced, at that of the data where it is enlarged.
pub(super) fn visible(placement: &Placement, shape: Shape, pixels_per_point: f64) -> Option<DisplayFrame> {
    let low = placement.to_data(placement.canvas.min);
    let high = placement.to_data(placement.canvas.max);
    let axis = |axis: usize, n: usize| {
        let (first, last) = (low[axis].max(0.0), high[axis].min(n as f64));
        let pixels = placement.scale[axis] * pixels_per_point;
        if first >= last {
            return None;
        }
        if pixels >= 1.0 {
            let (first, last) = (first.floor(), last.ceil());
            return Some((first, last - first, (last - first) as usize));
        }
        Some((first, last - first, ((last - first) * pixels).round().max(1.0) as usize))
    };
    let (left, width, columns) = axis(0, shape.columns)?;
    let (top, height, rows) = axis(1, shape.rows)?;
    Some(DisplayFrame { rect: Part { top, left, height, width }, width: columns, height: rows })
}
