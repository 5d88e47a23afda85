//! Zoom, pan and fit: from units of the drawing to points of the screen, and back.

use super::paint::{HEAD_HEIGHT, VALUE_HEIGHT};
use super::texts::LEAST_SIZE;
use crate::graph::{GraphDrawing, Label, LabelKind, Point};
use egui::{Pos2, Rect, Vec2};

/// Least and greatest zoom, in points per unit.
const SCALES: (f32, f32) = (0.004, 12.0);
/// The greatest zoom that fitting chooses, so that two lanes do not fill a wall.
const FIT_SCALE: f32 = 3.2;
/// Points kept free around a fitted drawing.
const MARGIN: f32 = 10.0;
/// The least room above the first lane, in points: the captions of a launch and a stage and the first values do not shrink with the drawing.
const CAPTIONS: f32 = VALUE_HEIGHT + HEAD_HEIGHT + 18.0;
/// Points kept free below the drawing for the handle of the step cursor.
const BELOW: f32 = 14.0;
/// The greatest horizontal stretch of a fitted drawing, which separates the edges of a high drawing.
const MOST_STRETCH: f32 = 16.0;
/// The least horizontal stretch: the lanes of a drawing with many stages take the height of the pane.
const LEAST_STRETCH: f32 = 0.1;
/// A stretched drawing is at most this many times wider than high.
const MOST_PROPORTION: f32 = 3.0;

/// A zoom and a shift.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Viewport {
    /// Vertical zoom, in points per unit.
    pub(super) scale: f32,
    /// The horizontal zoom divided by the vertical zoom.
    pub(super) stretch: f32,
    /// The drawing's origin, measured from the top left corner of the canvas.
    pub(super) origin: Vec2,
}

impl Viewport {
    /// All of `bounds`, in the middle of the canvas and as wide as it allows.
    pub(super) fn fit(bounds: crate::graph::Rect, canvas: Vec2) -> Self {
        let room = (canvas - Vec2::new(0.0, BELOW) - Vec2::splat(2.0 * MARGIN)).max(Vec2::splat(1.0));
        let scale_in = |height: f32| {
            (room.x / LEAST_STRETCH / bounds.width().max(1.0)).min(height / bounds.height().max(1.0)).clamp(SCALES.0, FIT_SCALE)
        };
        let least = CAPTIONS - MARGIN;
        let above = (least + bounds.min.y * scale_in(room.y - least)).max(0.0);
        let scale = scale_in(room.y - above);
        // A drawing of many stages is wider than that by itself.
        let widest = room.x.min(scale * (MOST_PROPORTION * bounds.height()).max(bounds.width()));
        let stretch = (widest / (scale * bounds.width().max(1.0))).clamp(LEAST_STRETCH, MOST_STRETCH);
        let centre = Vec2::new(bounds.min.x + bounds.max.x, bounds.min.y + bounds.max.y) / 2.0;
        Self { scale, stretch, origin: (canvas + Vec2::new(0.0, above - BELOW)) / 2.0 - centre * Vec2::new(stretch * scale, scale) }
    }

    /// Horizontal and vertical zoom, in points per unit.
    fn scales(self) -> Vec2 {
        Vec2::new(self.across(), self.scale)
    }

    /// Horizontal zoom, in points per unit.
    pub(super) fn across(self) -> f32 {
        self.stretch * self.scale
    }

    /// Larger by `factor`; the point at `fixed`, measured from the top left corner of the canvas, stays.
    /// A stretched drawing grows less across than down, so that whole stages stay in view until lanes are readable.
    pub(super) fn zoomed(self, factor: f32, fixed: Vec2) -> Self {
        let scale = (self.scale * factor).clamp(SCALES.0, SCALES.1);
        let narrowed = (self.stretch * (self.scale / scale).sqrt()).clamp(1.0, MOST_STRETCH.max(self.stretch));
        let zoomed = Self { scale, stretch: if self.stretch > 1.0 { narrowed } else { self.stretch }, ..self };
        Self { origin: fixed - (fixed - self.origin) * (zoomed.scales() / self.scales()), ..zoomed }
    }

    /// The part of the drawing in a box, measured from the top left corner of the canvas, enlarged to the whole canvas.
    pub(super) fn boxed(self, rect: Rect, canvas: Vec2) -> Self {
        let factor = (canvas.x / rect.width().max(1.0)).min(canvas.y / rect.height().max(1.0));
        let zoomed = self.zoomed(factor, rect.center().to_vec2());
        Self { origin: zoomed.origin + canvas / 2.0 - rect.center().to_vec2(), ..zoomed }
    }

    /// The point of the screen for a point of the drawing.
    pub(super) fn to_screen(self, canvas: Rect, point: Point) -> Pos2 {
        canvas.min + self.origin + Vec2::new(point.x, point.y) * self.scales()
    }

    /// The point of the drawing for a point of the screen.
    pub(super) fn to_drawing(self, canvas: Rect, at: Pos2) -> Point {
        let point = (at - canvas.min - self.origin) / self.scales();
        Point::new(point.x, point.y)
    }
}

/// The bounds with room for the names of inputs and outputs, which do not shrink with the drawing.
pub(super) fn with_room_for_names(drawing: &GraphDrawing, bounds: crate::graph::Rect, canvas: Vec2) -> crate::graph::Rect {
    let viewport = Viewport::fit(bounds, canvas);
    let names = drawing.labels.iter().filter(|label| matches!(label.kind, LabelKind::Input { .. } | LabelKind::Output { .. }));
    let missing = |label: &Label| {
        let width = label.bounds().width();
        width / label.size * (label.size * viewport.scale).max(LEAST_SIZE) - width * viewport.across()
    };
    let room = names.map(missing).fold(0.0, f32::max) / viewport.across();
    let (min, max) = (bounds.min, bounds.max);
    crate::graph::Rect::new(Point::new(min.x - room, min.y), Point::new(max.x + room, max.y))
}

/// The part of a line segment inside a box.
pub(super) fn clip_line([a, b]: [Pos2; 2], rect: Rect) -> Option<[Pos2; 2]> {
    let (mut enter, mut leave) = (0.0_f32, 1.0_f32);
    let along = b - a;
    for (delta, from, low, high) in [(along.x, a.x, rect.min.x, rect.max.x), (along.y, a.y, rect.min.y, rect.max.y)] {
        if delta == 0.0 {
            if from < low || from > high {
                return None;
            }
            continue;
        }
        let (near, far) = ((low - from) / delta, (high - from) / delta);
        enter = enter.max(near.min(far));
        leave = leave.min(near.max(far));
    }
    (enter < leave).then(|| [a + along * enter, a + along * leave])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zooming_keeps_the_point_under_the_pointer() {
        let canvas = Rect::from_min_size(Pos2::new(30.0, 40.0), Vec2::new(400.0, 300.0));
        let bounds = crate::graph::Rect::new(Point::new(-10.0, -40.0), Point::new(200.0, 90.0));
        let view = Viewport::fit(bounds, canvas.size());
        let pointer = Pos2::new(200.0, 111.0);
        let before = view.to_drawing(canvas, pointer);
        let after = view.zoomed(3.0, pointer - canvas.min).to_drawing(canvas, pointer);
        assert!((before.x - after.x).abs() + (before.y - after.y).abs() < 1e-3);
        assert!(canvas.contains(view.to_screen(canvas, bounds.min)) && canvas.contains(view.to_screen(canvas, bounds.max)));
    }

    #[test]
    fn a_high_drawing_is_stretched_to_the_pane() {
        let bounds = |width: f32, height: f32| crate::graph::Rect::new(Point::new(0.0, -300.0), Point::new(width, height - 300.0));
        let pane = Vec2::new(940.0, 340.0 + BELOW);
        let high = Viewport::fit(bounds(75.0, 1200.0), pane);
        assert!((high.across() * 75.0 - 320.0).abs() < 1.0, "sixteen times as wide, and no more");
        let nearer = high.zoomed(16.0, Vec2::ZERO);
        assert!((nearer.scale / high.scale - 16.0).abs() < 1e-3 && (nearer.stretch - 4.0).abs() < 1e-3, "it narrows while it grows");
        let square = Viewport::fit(bounds(400.0, 500.0), pane);
        assert!((square.across() * 400.0 - 920.0).abs() < 1.0, "all of the width");
        let flat = Viewport::fit(bounds(4000.0, 200.0), pane);
        assert!((flat.across() - 920.0 / 4000.0).abs() < 1e-3 && flat.scale > 1.2, "lanes take the height: {flat:?}");
        let small = Viewport::fit(bounds(60.0, 60.0), pane);
        let many = crate::graph::Rect::new(Point::new(0.0, -80.0), Point::new(400.0, 1520.0));
        let view = Viewport::fit(many, Vec2::new(470.0, 210.0));
        assert!(view.origin.y >= CAPTIONS && view.origin.y + 1520.0 * view.scale <= 210.0 - BELOW, "captions and handle find room");
        assert!(small.scale == FIT_SCALE && (small.stretch - 3.0).abs() < 1e-3, "two lanes do not fill a wall");
    }

    #[test]
    fn segments_are_clipped_to_a_box() {
        let rect = Rect::from_min_max(Pos2::ZERO, Pos2::new(10.0, 10.0));
        let line = |ax, ay, bx, by| clip_line([Pos2::new(ax, ay), Pos2::new(bx, by)], rect);
        assert_eq!(line(-10.0, 5.0, 30.0, 5.0), Some([Pos2::new(0.0, 5.0), Pos2::new(10.0, 5.0)]));
        assert_eq!(line(-10.0, 15.0, 30.0, 15.0), None);
        assert_eq!(line(-5.0, 12.0, 3.0, 20.0), None);
    }
}
