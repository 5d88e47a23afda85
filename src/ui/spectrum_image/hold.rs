//! A spectrum image that is held, and how the newest one is shown against it.

use crate::display::Look;
use crate::engine::measure::{HoldReport, HoldRequest, HoldStudy};
use crate::engine::{Job, RenderedImage};
use crate::measure::Frequency;
use crate::numerals::integer;
use crate::ui::canvas::Canvas;
use crate::ui::held::{Against, Held, is_held_turn};
use crate::ui::shown::Results;
use crate::ui::studies::Studies;
use crate::ui::theme::{GRID, Tokens};
use crate::ui::toolbar::Toolbar;
use egui::{Align2, Color32, Context, FontId, Rect, Ui, Vec2, vec2};
use std::sync::Arc;

/// The held image; a place is a frequency.
pub(super) struct Hold {
    held: Held<HoldStudy, Frequency>,
    canvas: Canvas,
}

/// The image that is in the place of the newest one.
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
        self.held.controls(bar, newest, "Hold", ("Beside", "The held spectrum, and beside or below it the newest"));
    }

    /// The image in the place of the newest one, whose part is known from the last frame.
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

    /// Shows the held image in one half of the canvas where it is beside the newest or above it; returns what is left for that.
    pub(super) fn beside(&mut self, ui: &Ui, canvas: Rect, newest: &Canvas, sides: Option<[f64; 2]>, report: Option<&HoldReport>) -> Rect {
        let Some(report) = report.filter(|_| self.held.against() == Some(Against::Together)) else { return canvas };
        // The names of the axis of the newest are at its left, and the name of its colours above it; both images have one size.
        let between = vec2(super::LEFT, super::ABOVE) + Vec2::splat(2.0 * GRID);
        let each = (canvas.size() - between) / 2.0;
        let shape = report.shape;
        let [width, height] = sides.unwrap_or([shape.columns as f64, shape.rows as f64]);
        let aspect = (width / height.max(1.0)) as f32;
        let is_above = canvas.width().min(each.y * aspect) > each.x.min(canvas.height() * aspect);
        let (held, left) = match is_above {
            true => (canvas.with_max_y(canvas.top() + each.y), canvas.with_min_y(canvas.bottom() - each.y)),
            false => (canvas.with_max_x(canvas.left() + each.x), canvas.with_min_x(canvas.right() - each.x)),
        };
        self.canvas.set_sides(sides);
        self.canvas.set_zoom(newest.zoom());
        let shown = self.canvas.ui(ui, "Held spectrum image", held, shape, Some(&report.held), false);
        caption(ui, shown.placement.whole(shape).intersect(held), "held", Tokens::current(ui).weak);
        left
    }

    /// Says above the newest image, which lies in `rect`, why it is in the place of a difference.
    pub(super) fn why_none(&self, ui: &Ui, rect: Rect, report: Option<&HoldReport>) {
        let is_wanted = matches!(self.held.against(), Some(Against::Difference | Against::Flicker));
        if let Some(HoldReport { shape, difference: None, .. }) = report.filter(|_| is_wanted) {
            let why = format!("held: {} × {}, so there is no difference", integer(shape.columns), integer(shape.rows));
            caption(ui, rect, &why, Tokens::current(ui).warning);
        }
    }

    /// The held value at the frequency under the pointer, for the line that reads out the newest.
    pub(super) fn read_out(&mut self, frequency: Frequency, report: Option<&HoldReport>) -> String {
        self.held.read_out(Some(frequency), report.and_then(|report| report.value))
    }

    /// The held result, and the press on its chip.
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

/// Writes a line above an image.
fn caption(ui: &Ui, image: Rect, text: &str, color: Color32) {
    ui.painter().text(image.left_top() - vec2(0.0, 3.0), Align2::LEFT_BOTTOM, text, FontId::proportional(11.0), color);
}
