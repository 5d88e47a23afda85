//! A row of a result that is held, and how the newest one is shown against it.

use super::SpectrumAxis;
use crate::engine::measure::{LineHoldReport, LineHoldRequest, LineHoldStudy};
use crate::engine::{Job, PlotData, PlotFrame};
use crate::ui::held::{Against, Held, is_held_turn};
use crate::ui::line_plot::RowBehind;
use crate::ui::studies::Studies;
use crate::ui::toolbar::Toolbar;
use egui::{Color32, Context};
use std::sync::Arc;

/// The held row; a place is a position in it.
pub(super) struct LineHold(Held<LineHoldStudy, usize>);

/// The curves behind the newest row or in its place.
#[derive(Default)]
pub(super) struct Shown {
    behind: Option<PlotData>,
    pub(super) is_difference: bool,
    value: Option<(usize, num_complex::Complex64)>,
}

impl Shown {
    /// The held row behind a row of `n`; one of another length shows the same frequencies.
    pub(super) fn behind(&self, axis: &SpectrumAxis, n: usize, shifted: bool, color: Color32) -> Vec<RowBehind> {
        let row = |data: PlotData| {
            let share = data.n as f64 / n as f64;
            let origin = if shifted { (data.n / 2) as f64 } else { axis.origin * share };
            RowBehind { data, scale: [origin, axis.per_unit * share], color }
        };
        self.behind.clone().map(row).into_iter().collect()
    }
}

impl LineHold {
    /// Holds nothing yet.
    pub(super) fn new(studies: &Studies) -> Self {
        Self(Held::new(studies))
    }

    /// The controls, if there is a row to hold.
    pub(super) fn controls(&mut self, bar: &mut Toolbar<'_>, newest: Option<Job>) {
        if let Some(newest) = newest {
            self.0.controls(bar, newest, "Hold the row", ("Over", "The newest over the held one, which is drawn weaker"));
        }
    }

    /// The curves in the place of the newest row, whose visible part is known from the last frame, and against it.
    pub(super) fn shown(&mut self, ctx: &Context, job: Option<Job>, newest: Option<Arc<PlotData>>) -> (Option<Arc<PlotData>>, Shown) {
        let (Some(held), Some(job), Some(line)) = (self.0.job().cloned(), job, &newest) else { return (newest, Shown::default()) };
        let frame = PlotFrame { peaks: false, ..line.frame };
        let request = LineHoldRequest { held, newest: job, frame, probe: self.0.probe };
        // Another quantity, scale or order is another plot; another part of the row is moved to its place.
        let looks = |frame: &PlotFrame| (frame.quantity, frame.scale, frame.shifted, frame.row);
        let is_usable = |of: &LineHoldRequest| of.held == request.held && looks(&of.frame) == looks(&request.frame);
        let Some(LineHoldReport { held, difference, value }) = self.0.answer(ctx, &request, is_usable) else {
            return (newest, Shown::default());
        };
        let shown = |behind: Option<PlotData>| Shown { behind, value, is_difference: false };
        match (self.0.against(), difference) {
            (Some(Against::Difference), Some(difference)) => (Some(Arc::new(difference)), Shown { is_difference: true, ..shown(None) }),
            (Some(Against::Flicker), Some(_)) => (if is_held_turn(ctx) { Some(Arc::new(held)) } else { newest }, shown(None)),
            // Rows of other lengths cannot lie in the same place.
            _ => (newest, shown(Some(held))),
        }
    }

    /// The held result, and the press on its chip.
    pub(super) fn held(&self) -> &Held<LineHoldStudy, usize> {
        &self.0
    }

    /// The same, to be pressed.
    pub(super) fn held_mut(&mut self) -> &mut Held<LineHoldStudy, usize> {
        &mut self.0
    }

    /// Forgets the row that is held.
    pub(super) fn release(&mut self) {
        self.0.release();
    }

    /// The held value at the position under the pointer, for the line that reads out the newest.
    pub(super) fn read_out(&mut self, position: Option<usize>, shown: &Shown) -> String {
        self.0.read_out(position, shown.value)
    }
}
