//! A row of a result that is held, and how the newest one is shown against it.

use super::Axis;
use crate::engine::measure::{LineHoldReport, LineHoldRequest, LineHoldStudies};
use crate::engine::{EngineError, Job, PlotData, PlotFrame, Reply, Worker};
use crate::ui::toolbar::Toolbar;
use crate::ui::widgets;
use egui::{Context, Role, Ui, WidgetInfo};
use std::sync::Arc;
use std::time::Duration;

/// One row is shown for this time in seconds, then the other.
const FLICKER: f64 = 0.6;

/// How the newest row is shown against the one that is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Against {
    /// The held one behind it.
    #[default]
    Over,
    /// The newest less the held one.
    Difference,
    /// One after the other.
    Flicker,
}

type HoldWorker = Worker<LineHoldRequest, Reply<LineHoldRequest, Result<LineHoldReport, EngineError>>>;

/// What is held.
#[derive(Default)]
pub(super) struct LineHold {
    job: Option<Job>,
    against: Against,
    worker: Option<HoldWorker>,
    /// The position under the pointer in the last frame.
    probe: Option<usize>,
}

/// What is plotted behind the newest row or in its place.
#[derive(Default)]
pub(super) struct Shown {
    behind: Option<PlotData>,
    pub(super) is_difference: bool,
    value: Option<(usize, num_complex::Complex64)>,
}

impl Shown {
    /// The held row with its position of 0 and its positions per unit, behind a row of `n`; one of another length shows the same frequencies.
    pub(super) fn behind(&self, axis: &Axis, n: usize, shifted: bool) -> Option<(PlotData, [f64; 2])> {
        let held = self.behind.clone()?;
        let share = held.n as f64 / n as f64;
        let origin = if shifted { (held.n / 2) as f64 } else { axis.origin * share };
        Some((held, [origin, axis.per_unit * share]))
    }
}

impl LineHold {
    /// The controls: a button that holds, or how the newest is shown against what is held.
    pub(super) fn controls(&mut self, bar: &mut Toolbar<'_>, newest: Option<Job>) {
        let Some(newest) = newest else { return };
        if self.job.is_none() {
            let about = "Keeps this spectrum, and shows the newest one against it: another window, padding, channel or algorithm";
            let hold = |ui: &mut Ui| {
                let button = ui.button("Hold");
                button.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Hold the row"));
                button.on_hover_text(about).clicked()
            };
            if bar.item("hold", hold).unwrap_or(false) {
                self.job = Some(newest);
            }
            return;
        }
        let ways = [
            (Against::Over, "Over", "The newest over the held one, which is drawn weaker"),
            (Against::Difference, "Difference", "The newest less the held one, in its scale"),
            (Against::Flicker, "Flicker", "The held one and the newest in turn"),
        ];
        let shown = |ui: &mut Ui| {
            widgets::segmented(ui, &mut self.against, &ways);
            ui.button("Release").on_hover_text("Forgets the spectrum that is held").clicked()
        };
        if bar.item("hold", shown).unwrap_or(false) {
            self.job = None;
        }
    }

    /// What is plotted in the place of the newest row, whose visible part is known from the last frame, and against it.
    pub(super) fn shown(&mut self, ctx: &Context, job: Option<Job>, newest: Option<Arc<PlotData>>) -> (Option<Arc<PlotData>>, Shown) {
        let (Some(held), Some(job), Some(line)) = (&self.job, job, &newest) else { return (newest, Shown::default()) };
        let request =
            LineHoldRequest { held: held.clone(), newest: job, frame: PlotFrame { peaks: false, ..line.frame }, probe: self.probe };
        let worker = self.worker.get_or_insert_with(|| {
            let (ctx, mut studies) = (ctx.clone(), LineHoldStudies::default());
            let answer =
                move |request: &LineHoldRequest, cancel: &_, progress: &dyn Fn(&str, f32)| studies.answer(request, cancel, progress);
            Worker::answering("hold", answer, move || ctx.request_repaint())
        });
        worker.request_once(&request);
        // Another quantity, scale or order is another plot; another part of the row is moved to its place.
        let looks = |frame: &PlotFrame| (frame.quantity, frame.scale, frame.shifted, frame.row);
        let reply = worker.latest().filter(|reply| reply.request.held == *held && looks(&reply.request.frame) == looks(&request.frame));
        let Some(LineHoldReport { held, difference, value }) = reply.and_then(|reply| reply.result.clone().ok()) else {
            return (newest, Shown::default());
        };
        let shown = |behind: Option<PlotData>| Shown { behind, value, is_difference: false };
        match (self.against, difference) {
            (Against::Difference, Some(difference)) => (Some(Arc::new(difference)), Shown { is_difference: true, ..shown(None) }),
            (Against::Flicker, Some(_)) => {
                let time = ctx.input(|input| input.time);
                ctx.request_repaint_after(Duration::from_secs_f64(FLICKER - time % FLICKER));
                if ((time / FLICKER) as u64).is_multiple_of(2) { (Some(Arc::new(held)), shown(None)) } else { (newest, shown(None)) }
            }
            // Rows of other lengths cannot lie in the same place.
            (Against::Over, _) | (_, None) => (newest, shown(Some(held))),
        }
    }

    /// The held value at the position under the pointer, for the line that reads out the newest.
    pub(super) fn read_out(&mut self, position: Option<usize>, shown: &Shown) -> String {
        self.probe = position;
        let value = shown.value.filter(|(at, _)| Some(*at) == position);
        value.map_or(String::new(), |(_, value)| format!("   held {}", widgets::complex(value)))
    }

    /// Whether it compares nothing now.
    pub(super) fn is_settled(&self) -> bool {
        self.worker.as_ref().is_none_or(Worker::is_idle)
    }
}
