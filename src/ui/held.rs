//! A result that is held, and the choice how the newest one is shown against it: what images and rows have in common.

use super::chips::{ChipPress, HeldResult};
use super::studied::Studied;
use super::studies::Studies;
use super::toolbar::Toolbar;
use super::widgets;
use crate::engine::{EngineError, Job, Study};
use crate::signal::short_name;
use egui::{Context, Role, Ui, WidgetInfo};
use num_complex::Complex64;
use std::time::Duration;

/// One result is shown for this time in seconds, then the other.
const FLICKER: f64 = 0.6;

/// How the newest result is shown against the one that is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Against {
    /// Both at once: images side by side, a row over the other.
    #[default]
    Together,
    /// The newest less the held one.
    Difference,
    /// One after the other.
    Flicker,
}

/// The job that is held, and the study that compares the newest one with it: `At` is a place under the pointer.
pub(super) struct Held<S: Study, At> {
    job: Option<Job>,
    /// The name of the signal that it is shown with, and of the newest one.
    shown_with: String,
    newest: String,
    against: Against,
    compared: Studied<S>,
    /// The place under the pointer in the last frame.
    pub(super) probe: Option<At>,
}

impl<R: Clone, S: Study<Report = Result<R, EngineError>> + Default, At: Copy + PartialEq> Held<S, At> {
    /// Holds nothing yet.
    pub(super) fn new(studies: &Studies) -> Self {
        Self {
            job: None,
            shown_with: String::new(),
            newest: String::new(),
            against: Against::default(),
            compared: Studied::new(studies, S::default),
            probe: None,
        }
    }

    /// The controls: a button of this accessible name that holds, or how the newest is shown. `together` names the first way and tells it.
    pub(super) fn controls(&mut self, bar: &mut Toolbar<'_>, newest: Job, name: &str, together: (&str, &str)) {
        self.newest.clone_from(&newest.signal.name);
        if self.job().is_none() {
            let about = "Keeps this spectrum, and shows the newest one against it: another window, padding, channel or algorithm";
            let hold = |ui: &mut Ui| {
                let button = ui.button("Hold");
                button.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
                button.on_hover_text(about).clicked()
            };
            if bar.item("hold", hold).unwrap_or(false) {
                self.shown_with.clone_from(&self.newest);
                self.job = Some(newest);
            }
            return;
        }
        let ways = [
            (Against::Together, together.0, together.1),
            (Against::Difference, "Difference", "The newest minus the held one, in its scale"),
            (Against::Flicker, "Flicker", "The held one and the newest in turn"),
        ];
        let shown = |ui: &mut Ui| {
            widgets::named("How the held spectrum is shown", widgets::segmented(ui, &mut self.against, &ways));
            ui.button("Release").on_hover_text("Forgets the spectrum that is held").clicked()
        };
        if bar.kept("hold", shown).unwrap_or(false) {
            self.release();
        }
    }

    /// Forgets what is held, and what was computed of it.
    pub(super) fn release(&mut self) {
        self.job = None;
        self.compared.forget();
    }

    /// The job that is held, where it acts: with another signal once that is asked for.
    pub(super) fn job(&self) -> Option<&Job> {
        self.job.as_ref().filter(|_| self.shown_with == self.newest)
    }

    /// The held results of another signal than the newest one.
    pub(super) fn of_other(&self) -> Option<HeldResult> {
        let from = &self.job.as_ref().filter(|job| job.signal.name != self.newest)?.signal.name;
        Some(HeldResult { from: short_name(from), is_offered: self.shown_with != self.newest })
    }

    /// Shows what is held with the newest signal, or forgets it.
    pub(super) fn press(&mut self, press: ChipPress) {
        match press {
            ChipPress::Apply => self.shown_with.clone_from(&self.newest),
            ChipPress::Clear => self.release(),
        }
    }

    /// How the newest is shown, where something is held.
    pub(super) fn against(&self) -> Option<Against> {
        self.job().map(|_| self.against)
    }

    /// Compares, and returns the newest answer where `is_usable` takes the request for it.
    pub(super) fn answer(&mut self, ctx: &Context, request: &S::Request, is_usable: impl Fn(&S::Request) -> bool) -> Option<R> {
        let reply = self.compared.ask(ctx, Some(request))?.reply;
        reply.result.as_ref().ok().filter(|_| is_usable(&reply.request)).cloned()
    }

    /// The held value at the place under the pointer, for the line that reads out the newest.
    pub(super) fn read_out(&mut self, at: Option<At>, value: Option<(At, Complex64)>) -> String {
        self.probe = at;
        let value = value.filter(|(of, _)| Some(*of) == at);
        value.map_or(String::new(), |(_, value)| format!("   held {}", widgets::complex(value)))
    }
}

/// Whether it is the turn of the held result; asks for the frame in which the turn changes.
pub(super) fn is_held_turn(ctx: &Context) -> bool {
    let time = ctx.input(|input| input.time);
    ctx.request_repaint_after(Duration::from_secs_f64(FLICKER - time % FLICKER));
    ((time / FLICKER) as u64).is_multiple_of(2)
}
