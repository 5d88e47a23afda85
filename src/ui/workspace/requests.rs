//! The requests of the workspace: signals from the loader, and results from the engine.

use super::content::LayoutContent;
use super::content::SentRequest;
use super::{DIM_AFTER, PATIENCE, PATIENCE_OF_A_DRAG, Workspace};
use crate::engine::{Job, Request, VisibleParts};
use crate::signal::Watch;
use crate::signal::drawing::Drawing;
use crate::transforms::Input;
use crate::ui::origin::{Origin, TableReading};
use crate::ui::pane_id::PaneId;
use crate::ui::plan_focus::PlanFocus;
use crate::ui::raw_prompt::Answer;
use crate::ui::settings::Settings;
use crate::ui::sources::is_same_generator;
use crate::ui::veil::Veil;
use crate::ui::{source, spectrogram, spectrum, timing, transform};
use egui::Context;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A signal of more samples is transformed once somebody looks at the result.
const MOST_UNSEEN: usize = 1 << 20;

/// Signals that are made in this time come with a hand.
const QUICK: Duration = Duration::from_millis(40);

impl Workspace {
    /// Requests the signal that is set, once.
    pub(crate) fn load_signal(&mut self, ctx: &Context) {
        self.follow_source();
        self.follow_slice();
        let Settings { origin, table, .. } = &self.memory.settings;
        if self.content.requested_origin.as_ref() == Some(origin) && self.content.requested_table == *table {
            self.draw_on_signal(ctx);
            if self.has_loaded() && self.content.at_rest.as_ref() != Some(&self.memory.settings) {
                self.content.at_rest = Some(self.memory.settings.clone());
            }
            return;
        }
        if self.is_behind(ctx) {
            return ctx.request_repaint_after(DIM_AFTER);
        }
        let is_reload = self.content.loaded_origin.as_ref() == Some(origin);
        self.content.requested_origin = Some(origin.clone());
        self.content.requested_table = table.clone();
        self.content.awaits_reading = true;
        // Another layout may have read it.
        let known =
            self.other_content.values().find_map(|other| Some((other.loaded(&self.memory.settings)?.clone(), other.preview.clone())));
        if let Some((signal, preview)) = known.filter(|_| !is_reload) {
            let origin = origin.clone();
            ctx.request_repaint();
            return self.take_signal(origin, signal, preview);
        }
        // An undo goes back to how the table was opened, not to what has been remembered for its header since then.
        let opened_as = || self.content.opened_as.clone().filter(|_| self.content.loaded_origin.as_ref() == Some(origin));
        let chosen = table.clone().or_else(opened_as);
        let tables = TableReading { chosen, remembered: Arc::new(self.memory.tables.clone()) };
        match (origin.load(&tables), origin) {
            (Some((label, make)), _) => self.loader.load((origin.clone(), Drawing::default()), label, make),
            (None, &Origin::Pasted(number)) => {
                self.load_pasted(number, &tables);
                ctx.request_repaint();
            }
            (None, _) => {}
        }
    }

    /// Whether a hand drags a control of a generator whose signals take long, and the newest one is not made or not shown yet: the next one would take its place,
    /// or the cores of the engine, so that none would be shown.
    fn is_behind(&self, ctx: &Context) -> bool {
        let content = &self.content;
        let is_same = content.loaded_origin.as_ref().is_some_and(|loaded| is_same_generator(loaded, &self.memory.settings.origin));
        let is_dragged = is_same && ctx.input(|input| input.pointer.any_down());
        let takes_long = content.read_time.is_some_and(|time| time > QUICK);
        let answered = |sent: &SentRequest| content.answer().is_some_and(|report| report.request.job == sent.request.job);
        let waits = |sent: &SentRequest| !answered(sent) && sent.since.elapsed() < PATIENCE_OF_A_DRAG;
        is_dragged && takes_long && (self.loader.loading().is_some() || content.sent.as_ref().is_some_and(waits))
    }

    /// Asks for the signal with what is drawn on it, where that has changed; the signal is not read again.
    fn draw_on_signal(&mut self, ctx: &Context) {
        let (origin, drawing) = (self.memory.settings.origin.clone(), self.memory.settings.drawing());
        let is_new = !self.content.awaits_reading && self.content.requested_drawing != drawing;
        let Some(as_read) = self.content.as_read.clone().filter(|_| is_new) else { return };
        self.content.requested_drawing = drawing.clone();
        if drawing.is_empty() {
            // The preview would be that of the drawing.
            (self.content.signal, self.content.preview, self.content.loaded_drawing) = (Some(as_read), None, drawing);
            return ctx.request_repaint();
        }
        let drawn = drawing.clone();
        self.loader.load((origin, drawing), "Drawing".into(), Arc::new(move |_: &Watch| Ok(drawn.applied(&as_read))));
    }

    /// Asks how the samples of a file are stored that no format recognises.
    pub(crate) fn raw_prompt_ui(&mut self, ctx: &Context) {
        let Some(answer) = self.raw_prompt.as_mut().and_then(|prompt| prompt.ui(ctx)) else { return };
        let prompt = self.raw_prompt.take();
        match answer {
            Answer::Read(origin, options) => {
                self.memory.settings.open(origin);
                self.memory.settings.table = Some(options);
            }
            Answer::Cancelled => self.show_error(prompt.map_or_else(String::new, |prompt| prompt.refusal)),
        }
    }

    /// Requests the visible result of the settings, unless it has been requested.
    pub(crate) fn request_result(&mut self, ctx: &Context, view: VisibleParts) {
        let Some(job) = self.job() else { return };
        self.content.rests = self.is_unseen(&job, &view);
        if self.content.rests {
            self.content.stale_since = None;
            self.content.forget_results_of_others(&job.signal);
            return;
        }
        let request = Request { job, view };
        let answer = self.content.answer().cloned();
        let answered = |job: &Job| answer.as_ref().is_some_and(|report| report.request.job == *job);
        if answered(&request.job) {
            self.content.stale_since = None;
        } else {
            self.content.stale_since.get_or_insert_with(Instant::now);
            ctx.request_repaint_after(DIM_AFTER);
        }
        let patience = if ctx.input(|input| input.pointer.any_down()) { PATIENCE_OF_A_DRAG } else { PATIENCE };
        if let Some(sent) = &self.content.sent {
            // A job, or one before it, is under way since then.
            let began = sent.since.max(self.content.reported.unwrap_or(sent.since));
            let (is_busy, is_patient) = (!answered(&sent.request.job), began.elapsed() < patience);
            if is_busy && sent.is_in_turn {
                ctx.request_repaint_after(patience);
            }
            if sent.request == request && (is_patient || !is_busy || !sent.is_in_turn) {
                return;
            }
            if is_busy && is_patient && (sent.is_in_turn || sent.request.job != request.job) {
                let since = sent.since;
                self.engine.request_in_turn(request.clone());
                self.content.sent = Some(SentRequest { request, since, is_in_turn: true });
                return ctx.request_repaint_after(patience);
            }
        }
        self.engine.request(request.clone());
        self.content.sent = Some(SentRequest { request, since: Instant::now(), is_in_turn: false });
    }

    /// Why panes still show an earlier source than the one that is set; nothing while a slider of its generator moves.
    pub(crate) fn veil(&self) -> Option<Veil> {
        let (origin, content) = (&self.memory.settings.origin, &self.content);
        let before = content.loaded_origin.as_ref()?;
        let is_reading = before != origin && !is_same_generator(before, origin);
        let [finished, earlier] = [&content.finished, &content.earlier].map(|report| report.as_ref().map(Arc::as_ptr));
        if !is_reading && (finished.is_none() || finished != earlier || content.failed.is_some() || content.rests) {
            return None;
        }
        let progress = if is_reading { self.loader.loading() } else { self.engine.progress() };
        let progress = progress.filter(|progress| progress.since.elapsed() > DIM_AFTER);
        let (text, fraction) = progress.map_or((String::new(), None), |progress| (progress.label, progress.fraction));
        Some(Veil { text, fraction, is_reading })
    }

    /// Whether a pane shows the times of other algorithms and devices.
    pub(crate) fn shows_times(&self) -> bool {
        self.rects.contains_key(&PaneId::of(&timing::PANE))
    }

    /// Whether the result is not asked for now.
    pub(crate) fn rests(&self) -> bool {
        self.content.rests
    }

    /// Whether nobody looks at the result of a long signal, whose spectrum is measured frame by frame: to transform it as a whole would keep the measures waiting.
    fn is_unseen(&self, job: &Job, view: &VisibleParts) -> bool {
        let looks_elsewhere = [&source::PANE, &transform::PANE, &spectrum::PANE, &spectrogram::PANE].map(PaneId::of);
        let is_seen = view.line.is_some() || view.image.is_some() || self.rects.keys().any(|pane| !looks_elsewhere.contains(pane));
        job.signal.len() > MOST_UNSEEN && !job.signal.kind.is_image() && !is_seen
    }

    /// Takes the newest report of the engine, unless it belongs to a layout that was left, and its news.
    pub(super) fn take_report(&mut self) {
        if let Some(news) = self.engine.take_news() {
            self.show_message(news);
        }
        let Some(report) = self.engine.latest() else { return };
        let job = &report.request.job;
        let is_of = |content: &LayoutContent| content.signal.as_ref().is_some_and(|signal| Arc::ptr_eq(signal, &job.signal));
        let has_asked = |content: &LayoutContent| content.sent.as_ref().is_some_and(|sent| sent.request.job == *job);
        // Layouts that show the same source share its signal.
        let is_shared = is_of(&self.content);
        let mut others = self.other_content.values();
        let is_elsewhere = others.any(|other| has_asked(other) || is_of(other) && !is_shared);
        if !has_asked(&self.content) && is_elsewhere || self.content.rests && !is_shared {
            return;
        }
        self.content.take_report(report);
    }

    /// Gives the plan that ran to its views, and the cursor of a system, which is a setting; returns what the views share at the beginning of the frame.
    pub(crate) fn follow_plan(&mut self) -> PlanFocus {
        let plan = self.content.finished.as_ref().and_then(|report| report.outcome()?.plan.as_ref());
        let settings = &self.memory.settings;
        // A signal that has just been loaded has not been asked about yet.
        let is_of_signal = self.content.finished.as_ref().zip(self.content.signal.as_ref());
        let is_of_signal = is_of_signal.is_some_and(|(report, signal)| Arc::ptr_eq(&report.request.job.signal, signal));
        let is_loaded = self.content.loaded_origin.as_ref() == Some(&settings.origin);
        let is_current = is_of_signal && is_loaded && self.content.stale_since.is_none();
        self.focus.follow(plan, is_current);
        if settings.transform().input == Input::Equations {
            self.focus.n_run = settings.system.n_stages.min(plan.map_or(0, |plan| plan.stages.len()));
        }
        self.focus.clone()
    }

    /// Keeps the cursor of a system where a view has moved it.
    pub(crate) fn keep_step_of_system(&mut self, before: usize) {
        let settings = &mut self.memory.settings;
        if settings.transform().input == Input::Equations && self.focus.n_run != before {
            settings.system.n_stages = self.focus.n_run;
        }
    }

    /// The job that is set, once its signals are loaded.
    pub(crate) fn job(&self) -> Option<Job> {
        let (signal, settings) = (self.content.signal.as_ref()?, &self.memory.settings);
        let second = match settings.transform().input == Input::TwoSignals {
            true => Some(self.second.signal(&settings.second, signal)?),
            false => None,
        };
        Some(Job { second, ..settings.job(signal) })
    }
}
