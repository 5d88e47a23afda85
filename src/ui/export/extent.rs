//! Where marks end, and where strokes leave what can be seen.

use crate::figure::{Mark, Position, text_width};
use egui::{Pos2, Rect};

/// The upper and the lower end of a mark.
pub(super) fn heights(mark: &Mark) -> [f32; 2] {
    let ends = |points: &[Position]| points.iter().fold([f32::MAX, f32::MIN], |[top, bottom], [_, y]| [top.min(*y), bottom.max(*y)]);
    match mark {
        Mark::Fill { corners, .. } | Mark::Frame { corners, .. } | Mark::Image { corners, .. } => ends(corners),
        Mark::Lines { lines, .. } => ends(&lines.concat()),
        Mark::Polygon { points, .. } => ends(points),
        Mark::Symbol { at: [_, y], radius, .. } => [y - radius, y + radius],
        Mark::Text { at: [_, y], size, text, upwards, .. } => {
            let half = if *upwards { 0.5 * text_width(text, *size) } else { 0.6 * size };
            [y - half, y + half]
        }
    }
}

/// The part of a stroke inside a rectangle.
pub(super) fn clipped([from, to]: [Pos2; 2], clip: Rect) -> Option<[Pos2; 2]> {
    let way = to - from;
    let (mut enters, mut leaves) = (0.0_f32, 1.0_f32);
    for (start, way, low, high) in [(from.x, way.x, clip.left(), clip.right()), (from.y, way.y, clip.top(), clip.bottom())] {
        if way == 0.0 {
            if start < low || start > high {
                return None;
            }
            continue;
        }
        let (a, b) = ((low - start) / way, (high - start) / way);
        (enters, leaves) = (enters.max(a.min(b)), leaves.min(a.max(b)));
    }
    (enters <= leaves).then(|| [from + enters * way, from + leaves * way])
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    #[test]
    fn strokes_end_at_the_edge() {
        let clip = Rect::from_min_max(pos2(0.0, 0.0), pos2(10.0, 10.0));
        assert_eq!(clipped([pos2(-5.0, 5.0), pos2(15.0, 5.0)], clip), Some([pos2(0.0, 5.0), pos2(10.0, 5.0)]));
        assert_eq!(clipped([pos2(2.0, 2.0), pos2(8.0, 3.0)], clip), Some([pos2(2.0, 2.0), pos2(8.0, 3.0)]));
        assert_eq!(clipped([pos2(-5.0, -1.0), pos2(15.0, -1.0)], clip), None);
    }
}
