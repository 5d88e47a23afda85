//! Where the picture, its axes and its pixels lie on the screen.

use super::result::is_filtering;
use super::view::View;
use super::{ABOVE, BELOW, LEFT, LINE, RIGHT};
use crate::signal::Axis;
use crate::spectra::FrequencyAxis;
use crate::ui::settings::BoxesLook;
use crate::ui::theme::GRID;
use egui::{Pos2, Rect, Ui, vec2};

/// Where things lie on the screen.
#[derive(Clone, Copy)]
pub(super) struct Places<'a> {
    pub(super) canvas: Rect,
    pub(super) view: View,
    /// The axis of all frequencies.
    pub(super) all: FrequencyAxis,
    /// The axis of the samples, where it is known.
    pub(super) axis: Option<&'a Axis>,
    /// The samples that it has.
    pub(super) samples: usize,
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

/// The widest panel of boxes, that of a pane with less height, and the most of the pane that it takes.
const PANEL: f32 = 272.0;
const LOW: f32 = 320.0;
const LOW_PANEL: f32 = 376.0;
const PANEL_SHARE: f32 = 0.45;
/// The least width of a pane with a panel, and its least height with one spectrogram below the other.
const LEAST: [f32; 2] = [360.0, 400.0];

/// The rooms of a pane: the spectrogram, that of the result below or beside it, and the boxes beside both.
pub(super) struct Rooms {
    pub(super) source: Rect,
    pub(super) result: Option<Rect>,
    pub(super) panel: Option<Rect>,
}

impl Rooms {
    /// Those of the room that is left; boxes have theirs once there are some, or it is opened.
    pub(super) fn of(ui: &Ui, boxes: &BoxesLook) -> Self {
        let mut source = ui.available_rect_before_wrap();
        let (mut result, mut panel) = (None, None);
        // The picture stays where it is while something is dragged over it.
        let id = ui.scope_id().with("has a panel of boxes");
        let known = ui.data(|data| data.get_temp::<bool>(id)).filter(|_| ui.input(|input| input.pointer.any_down()));
        let has_panel = known.unwrap_or(boxes.has_panel());
        ui.data_mut(|data| data.insert_temp(id, has_panel));
        if has_panel && source.width() > LEAST[0] {
            // Two pictures beside each other need the room more.
            let widest = if source.height() < LOW && !is_filtering(boxes) { LOW_PANEL } else { PANEL };
            let at = source.right() - widest.min(PANEL_SHARE * source.width());
            panel = Some(source.with_min_x(at + GRID));
            source.set_right(at);
        }
        if is_filtering(boxes) {
            let is_high = source.height() > LEAST[1];
            let halves = if is_high { source.split_top_bottom_at_fraction(0.5) } else { source.split_left_right_at_fraction(0.5) };
            (source, result) = (halves.0, Some(halves.1));
        }
        Self { source, result, panel }
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
