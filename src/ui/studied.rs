//! A study of a pane: its worker, its newest answer, and whether that is out of date, under way, given up or wrong.

use super::{remedy, widgets};
use crate::engine::{EngineError, Store, Study, StudyReply, StudyWorker, Worker, start_study};
use egui::{Context, Ui};
use std::sync::Arc;

/// A study; its worker starts when something is asked first.
pub(super) struct Studied<S: Study> {
    store: Store,
    make: Box<dyn Fn() -> S>,
    worker: Option<StudyWorker<S>>,
    /// The pass in which the pane has seen its newest answer.
    seen: Option<Seen<S>>,
}

/// A pass and the answer that was seen in it.
type Seen<S> = (Context, u64, Option<Arc<StudyReply<S>>>);

/// The newest answer of a study.
pub(super) struct Answer<S: Study> {
    /// The answer with its request.
    pub reply: Arc<StudyReply<S>>,
    /// Whether it answers what is asked now, and not something older.
    pub is_newest: bool,
}

impl<S: Study> Studied<S> {
    /// A study that `make` begins, and that reads the results of a store.
    pub(super) fn new(store: &Store, make: impl Fn() -> S + 'static) -> Self {
        Self { store: store.clone(), make: Box::new(make), worker: None, seen: None }
    }

    /// Asks, unless there is nothing to ask now, and returns the newest answer.
    pub(super) fn ask(&mut self, ctx: &Context, request: Option<&S::Request>) -> Option<Answer<S>> {
        let worker = match (&mut self.worker, request) {
            (Some(worker), _) => worker,
            (None, None) => return None,
            (empty @ None, Some(_)) => {
                let ctx = ctx.clone();
                empty.insert(start_study((self.make)(), self.store.clone(), move || ctx.request_repaint()))
            }
        };
        request.into_iter().for_each(|request| worker.request_once(request));
        let newest = worker.latest();
        self.seen = Some((ctx.clone(), ctx.cumulative_pass_nr(), newest.clone()));
        newest.map(|reply| Answer { is_newest: request == Some(&reply.request), reply })
    }

    /// As [`ask`](Self::ask); long work is shown with a button that cancels it.
    pub(super) fn ask_ui(&mut self, ui: &mut Ui, request: Option<&S::Request>) -> Option<Answer<S>> {
        let answer = self.ask(ui.ctx(), request);
        self.progress_ui(ui);
        answer
    }

    /// Shows long work with a button that cancels it.
    pub(super) fn progress_ui(&self, ui: &mut Ui) {
        if let Some(progress) = self.worker.as_ref().and_then(Worker::progress)
            && widgets::progress_ui(ui, &progress)
        {
            self.cancel();
        }
    }

    /// The newest answer, whatever it answers.
    pub(super) fn newest(&self) -> Option<Arc<StudyReply<S>>> {
        self.worker.as_ref().and_then(Worker::latest)
    }

    /// Gives up what is under way; returns whether there was something.
    pub(super) fn cancel(&self) -> bool {
        let is_busy = self.worker.as_ref().is_some_and(|worker| !worker.is_idle());
        self.worker.iter().for_each(Worker::cancel);
        is_busy
    }

    /// Forgets what was studied.
    pub(super) fn forget(&mut self) {
        (self.worker, self.seen) = (None, None);
    }

    /// Whether nothing is under way, and the pane, if it is visible, has seen the newest answer: that may begin other work.
    pub(super) fn is_settled(&self) -> bool {
        let (Some(worker), Some((_, _, seen))) = (&self.worker, &self.seen) else { return true };
        worker.is_idle() && (self.is_hidden() || seen.as_ref().map(Arc::as_ptr) == worker.latest().as_ref().map(Arc::as_ptr))
    }
}

impl<S: Study> Studied<S> {
    /// Whether the pane has not been shown in this pass and the one before.
    pub(super) fn is_hidden(&self) -> bool {
        self.seen.as_ref().is_none_or(|(ctx, pass, _)| ctx.cumulative_pass_nr() > pass + 1)
    }
}

impl<T, S: Study<Report = Result<T, EngineError>>> Studied<S> {
    /// As [`ask_ui`](Self::ask_ui), for answers that `is_usable`; an error is shown in the place of the answer, and `waiting` where there is none yet.
    pub(super) fn result_ui(
        &mut self,
        ui: &mut Ui,
        request: Option<&S::Request>,
        is_usable: impl FnOnce(&T) -> bool,
        waiting: &str,
    ) -> Option<Answer<S>> {
        let answer = self.ask_ui(ui, request);
        match answer.as_ref().map(|answer| (&answer.reply.result, answer.is_newest)) {
            Some((Ok(report), _)) if is_usable(report) => return answer,
            Some((Err(EngineError::Cancelled), true)) => {
                widgets::empty_state(ui, "The work was cancelled; change a setting to start it again");
            }
            Some((Err(error), true)) => widgets::error(ui, &remedy::in_words(error)),
            _ => widgets::empty_state(ui, waiting),
        }
        None
    }
}
