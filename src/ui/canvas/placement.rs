//! Where the data of an image lie on the screen.

use crate::transforms::Shape;
use egui::{Pos2, Rect, pos2};

/// Where the data lie on the screen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Placement {
    /// The canvas.
    pub canvas: Rect,
    /// Column and row of the data in the middle of the canvas.
    pub center: [f64; 2],
    /// Points per column and per row.
    pub scale: [f64; 2],
}

impl Placement {
    /// The point of the screen of a column and row of the displayed image.
    pub(crate) fn to_screen(self, [x, y]: [f64; 2]) -> Pos2 {
        let middle = self.canvas.center();
        pos2(middle.x + ((x - self.center[0]) * self.scale[0]) as f32, middle.y + ((y - self.center[1]) * self.scale[1]) as f32)
    }

    /// The column and row of the displayed image at a point of the screen.
    pub(crate) fn to_data(self, at: Pos2) -> [f64; 2] {
        let offset = at - self.canvas.center();
        [self.center[0] + f64::from(offset.x) / self.scale[0], self.center[1] + f64::from(offset.y) / self.scale[1]]
    }

    /// The rectangle of the whole image on the screen.
    pub(crate) fn whole(&self, shape: Shape) -> Rect {
        Rect::from_min_max(self.to_screen([0.0, 0.0]), self.to_screen([shape.columns as f64, shape.rows as f64]))
    }
}
