//! Where the picture, its axes and its pixels lie on the screen.

use super::view::View;
use super::{ABOVE, BELOW, LEFT, LINE, RIGHT};
use crate::signal::Axis;
use crate::spectra::FrequencyAxis;
use egui::{Pos2, Rect, vec2};

/// Where things lie on the screen.
#[derive(Clone, Copy)]
pub(super) struct Places<'a> {
    pub(super) canvas: Rect,
    pub(super) view: View,
    /// The axis of all frequencies.
    pub(super) all: FrequencyAxis,
    /// The axis of the samples, where it is known.
    pub(super) axis: Option<&'a Axis>,
}

impl Places<'_> {
    /// The position of a sample on the axis.
    pub(super) fn time(&self, sample: f64) -> f64 {
        let (start, per_unit) = self.scale();
        start + sample / per_unit
    }

    /// The sample at a position.
    pub(super) fn sample(&self, time: f64) -> f64 {
        let (start, per_unit) = self.scale();
        (time - start) * per_unit
    }

    /// The sample and the frequency at a point of the screen.
    pub(super) fn place(&self, at: Pos2) -> [f64; 2] {
        [self.view.sample(self.canvas, at.x), self.all.frequency(self.view.share(self.canvas, at.y))]
    }

    fn scale(&self) -> (f64, f64) {
        self.axis.map_or((0.0, 1.0), |axis| (axis.start, axis.per_unit.unwrap_or(1.0)))
    }
}

/// The picture within the pane.
pub(super) fn canvas_of(area: Rect) -> Rect {
    Rect::from_min_max(area.min + vec2(LEFT, ABOVE), area.max - vec2(RIGHT, BELOW + LINE))
}

/// The samples and the share of the rate that a pixel shows.
pub(super) fn pixel(canvas: Rect, view: &View, pixels_per_point: f32) -> [f64; 2] {
    let [columns, rows] = [canvas.width(), canvas.height()].map(|side| f64::from(side * pixels_per_point).max(1.0));
    [(view.time[1] - view.time[0]) / columns, 0.5 * (view.band[1] - view.band[0]) / rows]
}
