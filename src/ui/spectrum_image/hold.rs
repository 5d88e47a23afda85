//! A spectrum image that is held, and how the newest one is shown against it.

use crate::display::Look;
use crate::engine::measure::{HoldReport, HoldRequest, HoldStudy};
use crate::engine::{Job, RenderedImage};
use crate::measure::Frequency;
use crate::ui::canvas::Canvas;
use crate::ui::held::{Against, Held, is_held_turn};
use crate::ui::shown::Results;
use crate::ui::studies::Studies;
use crate::ui::theme::{GRID, Tokens};
use crate::ui::toolbar::Toolbar;
use egui::{Context, Rect, Ui};
use std::sync::Arc;

/// What is held; a place is a frequency.
pub(super) struct Hold {
    held: Held<HoldStudy, Frequency>,
    canvas: Canvas,
}

/// The image that stands in the place of the newest one.
pub(super) struct Shown {
    /// The image.
    pub(super) image: Option<Arc<RenderedImage>>,
    /// Whether it is the difference of two.
    pub(super) is_difference: bool,
    /// The comparison, where it is known.
    pub(super) report: Option<HoldReport>,
}

impl Hold {
    /// Holds nothing yet.
    pub(super) fn new(studies: &Studies) -> Self {
        Self { held: Held::new(studies), canvas: Canvas::default() }
    }

    /// The controls: a button that holds, or how the newest is shown against what is held.
    pub(super) fn controls(&mut self, bar: &mut Toolbar<'_>, newest: Job) {
        self.held.controls(bar, newest, "Hold", ("Beside", "The held spectrum at the left, the newest at the right"));
    }

    /// What is shown in the place of the newest image, whose part is known from the last frame.
    pub(super) fn shown(&mut self, ctx: &Context, results: Results<'_>, newest: Option<&Arc<RenderedImage>>, look: Look) -> Shown {
        let image = newest.cloned();
        let (Some(held), Some(finished), Some(newest)) = (self.held.job().cloned(), results.finished, newest) else {
            return Shown { image, is_difference: false, report: None };
        };
        let (frame, range) = (newest.frame, newest.range);
        let request = HoldRequest { held, newest: finished.request.job.clone(), look, range, frame, probe: self.held.probe };
        let report = self.held.answer(ctx, &request, |of| of.held == request.held);
        // Images of another size cannot lie in the same place.
        let both = report.as_ref().and_then(|report| Some((&report.held, report.difference.as_ref()?)));
        let (image, is_difference) = match (self.held.against(), both) {
            (Some(Against::Difference), Some((_, difference))) => (Some(difference.clone()), true),
            (Some(Against::Flicker), Some((held, _))) if is_held_turn(ctx) => (Some(held.clone()), false),
            _ => (image, false),
        };
        Shown { image, is_difference, report }
    }

    /// Shows the held image in the left half of the canvas where it stands beside the newest; returns what is left for that.
    pub(super) fn beside(&mut self, ui: &Ui, canvas: Rect, newest: &Canvas, sides: Option<[f64; 2]>, report: Option<&HoldReport>) -> Rect {
        let Some(report) = report.filter(|_| self.held.against() == Some(Against::Together)) else { return canvas };
        // The names of the axis of the newest stand at its left; both images have one size.
        let between = super::LEFT + 2.0 * GRID;
        let each = (canvas.width() - between) / 2.0;
        self.canvas.set_sides(sides);
        self.canvas.set_zoom(newest.zoom());
        let shape = report.shape;
        let rect = canvas.with_max_x(canvas.left() + each);
        let held = self.canvas.ui(ui, "Held spectrum image", rect, shape, Some(&report.held), false);
        let at = held.placement.whole(shape).intersect(rect).left_top() - egui::vec2(0.0, 3.0);
        ui.painter().text(at, egui::Align2::LEFT_BOTTOM, "held", egui::FontId::proportional(11.0), Tokens::current(ui).weak);
        canvas.with_min_x(canvas.right() - each)
    }

    /// The held value at the frequency under the pointer, for the line that reads out the newest.
    pub(super) fn read_out(&mut self, frequency: Frequency, report: Option<&HoldReport>) -> String {
        self.held.read_out(Some(frequency), report.and_then(|report| report.value))
    }

    /// What is held, and the press on its chip.
    pub(super) fn held(&self) -> &Held<HoldStudy, Frequency> {
        &self.held
    }

    /// The same, to be pressed.
    pub(super) fn held_mut(&mut self) -> &mut Held<HoldStudy, Frequency> {
        &mut self.held
    }

    /// Forgets the spectrum that is held.
    pub(super) fn release(&mut self) {
        self.held.release();
    }
}
