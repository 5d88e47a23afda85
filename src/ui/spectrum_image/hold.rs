//! A spectrum image that is held, and how the newest one is shown against it.

use crate::display::Look;
use crate::engine::measure::{HoldReport, HoldRequest, HoldStudies};
use crate::engine::{EngineError, Job, RenderedImage, Reply, Worker};
use crate::measure::Frequency;
use crate::transforms::Shape;
use crate::ui::canvas::{Canvas, CanvasResponse};
use crate::ui::scene::Scene;
use crate::ui::theme::GRID;
use crate::ui::toolbar::Toolbar;
use crate::ui::widgets;
use egui::{Context, Rect, Ui};
use std::sync::Arc;
use std::time::Duration;

/// One image is shown for this time in seconds, then the other.
const FLICKER: f64 = 0.6;

/// How the newest image is shown against the one that is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Against {
    /// Side by side.
    #[default]
    Beside,
    /// The newest less the held one.
    Difference,
    /// One after the other.
    Flicker,
}

type HoldWorker = Worker<HoldRequest, Reply<HoldRequest, Result<HoldReport, EngineError>>>;

/// What is held.
#[derive(Default)]
pub(super) struct Hold {
    job: Option<Job>,
    against: Against,
    worker: Option<HoldWorker>,
    canvas: Canvas,
    /// The frequency under the pointer.
    probe: Option<Frequency>,
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
    /// The controls: a button that holds, or how the newest is shown against what is held.
    pub(super) fn controls(&mut self, bar: &mut Toolbar<'_>, newest: Job) {
        if self.job.is_none() {
            let hold = |ui: &mut Ui| ui.button("Hold").on_hover_text("Keeps this spectrum, and shows the newest one against it").clicked();
            if bar.item("hold", hold).unwrap_or(false) {
                self.job = Some(newest);
            }
            return;
        }
        let ways = [
            (Against::Beside, "Beside", "The held spectrum at the left, the newest at the right"),
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

    /// What is shown in the place of the newest image, whose part is known from the last frame.
    pub(super) fn shown(&mut self, ctx: &Context, scene: &Scene<'_>, newest: Option<&Arc<RenderedImage>>, look: Look) -> Shown {
        let mut shown = Shown { image: newest.cloned(), is_difference: false, report: None };
        let (Some(held), Some(signal), Some(newest)) = (&self.job, scene.signal, newest) else { return shown };
        let (frame, range) = (newest.frame, newest.range);
        let request = HoldRequest { held: held.clone(), newest: scene.settings.job(signal), look, range, frame, probe: self.probe };
        let worker = self.worker.get_or_insert_with(|| {
            let (ctx, mut studies) = (ctx.clone(), HoldStudies::default());
            let answer = move |request: &HoldRequest, cancel: &_, progress: &dyn Fn(&str, f32)| studies.answer(request, cancel, progress);
            Worker::answering("hold", answer, move || ctx.request_repaint())
        });
        worker.request_once(&request);
        let reply = worker.latest().filter(|reply| reply.request.held == *held);
        shown.report = reply.and_then(|reply| reply.result.clone().ok());
        match (&shown.report, self.against) {
            (Some(HoldReport { difference: Some(difference), .. }), Against::Difference) => {
                shown.image = Some(difference.clone());
                shown.is_difference = true;
            }
            (Some(report), Against::Flicker) => {
                let time = ctx.input(|input| input.time);
                // Images of another size cannot lie in the same place.
                if ((time / FLICKER) as u64).is_multiple_of(2) && report.difference.is_some() {
                    shown.image = Some(report.held.clone());
                }
                ctx.request_repaint_after(Duration::from_secs_f64(FLICKER - time % FLICKER));
            }
            _ => {}
        }
        shown
    }

    /// Shows the held image in the left half of the canvas where it stands beside the newest; returns what is left for that.
    pub(super) fn beside(&mut self, ui: &Ui, canvas: Rect, newest: &Canvas, sides: Option<[f64; 2]>, report: Option<&HoldReport>) -> Rect {
        let Some(report) = report.filter(|_| self.job.is_some() && self.against == Against::Beside) else { return canvas };
        let (left, right) = canvas.split_left_right_at_fraction(0.5);
        self.canvas.set_sides(sides);
        self.canvas.set_zoom(newest.zoom());
        let Shape { rows, columns } = report.shape;
        let rect = left.with_max_x(left.right() - 2.0 * GRID);
        let _: CanvasResponse = self.canvas.ui(ui, "Held spectrum image", rect, Shape { rows, columns }, Some(&report.held), false);
        let tokens = crate::ui::theme::Tokens::current(ui);
        let at = rect.left_top() - egui::vec2(0.0, 3.0);
        ui.painter().text(at, egui::Align2::LEFT_BOTTOM, "held", egui::FontId::proportional(11.0), tokens.weak);
        // The names of the axis of the newest stand at its left.
        right.with_min_x(right.left() + super::LEFT)
    }

    /// The held value at the frequency under the pointer, for the line that reads out the newest.
    pub(super) fn read_out(&mut self, frequency: Frequency, report: Option<&HoldReport>) -> String {
        self.probe = Some(frequency);
        let value = report.and_then(|report| report.value).filter(|(at, _)| *at == frequency);
        value.map_or(String::new(), |(_, value)| format!("   held {}", widgets::complex(value)))
    }

    /// Whether it compares nothing now.
    pub(super) fn is_settled(&self) -> bool {
        self.worker.as_ref().is_none_or(Worker::is_idle)
    }
}
