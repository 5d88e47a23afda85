//! A study of a pane: its worker, its newest answer, and whether that is out of date, under way, given up or wrong.

use super::studies::{AnyStudy, Studies};
use super::{remedy, widgets};
use crate::engine::{Cancellable as _, EngineError, Progress, Store, Study, StudyReply, StudyWorker, start_study};
use egui::{Context, Ui};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Arc, Weak};

/// A study; its worker starts when something is asked first.
pub(super) struct Studied<S: Study> {
    store: Store,
    make: Box<dyn Fn() -> S>,
    /// How many results the store had when an answer came that may pass later.
    failed_at: Option<usize>,
    asked: Rc<RefCell<Asked<S>>>,
}

/// A study that has been asked.
struct Asked<S: Study> {
    worker: Option<Arc<StudyWorker<S>>>,
    /// The pass in which the pane has seen its newest answer.
    seen: Option<Seen<S>>,
}

impl<S: Study> Asked<S> {
    /// Whether the pane has not been shown in this pass and the one before.
    fn is_hidden(&self) -> bool {
        self.seen.as_ref().is_none_or(|(ctx, pass, _)| ctx.cumulative_pass_nr() > pass + 1)
    }
}

impl<S: Study> AnyStudy for RefCell<Asked<S>> {
    fn is_settled(&self) -> bool {
        let Asked { worker: Some(worker), seen: Some((_, _, seen)) } = &*self.borrow() else { return true };
        worker.is_idle() && (self.borrow().is_hidden() || seen.as_ref().map(Arc::as_ptr) == worker.latest().as_ref().map(Arc::as_ptr))
    }

    fn progress(&self) -> Option<Progress> {
        let asked = self.borrow();
        asked.worker.as_ref().filter(|_| !asked.is_hidden()).and_then(|worker| worker.progress())
    }

    fn cancel(&self) -> bool {
        let asked = self.borrow();
        let busy = asked.worker.as_ref().filter(|worker| worker.progress().is_some());
        busy.inspect(|worker| worker.cancel()).is_some()
    }
}

/// A pass and the answer that was seen in it.
type Seen<S> = (Context, u64, Option<Arc<StudyReply<S>>>);

/// The newest answer of a study.
pub(super) struct Answer<S: Study> {
    /// The answer with its request.
    pub reply: Arc<StudyReply<S>>,
    /// Whether it answers what is asked now, and not something older.
    pub is_newest: bool,
    /// Whether nobody has been shown it before.
    pub is_fresh: bool,
}

impl<S: Study> Studied<S> {
    /// A study that `make` begins, one of those of a window.
    pub(super) fn new(studies: &Studies, make: impl Fn() -> S + 'static) -> Self {
        let asked = Rc::new(RefCell::new(Asked { worker: None, seen: None }));
        studies.add(&asked);
        Self { store: studies.store.clone(), make: Box::new(make), failed_at: None, asked }
    }

    /// Asks, unless there is nothing to ask now, and returns the newest answer.
    pub(super) fn ask(&mut self, ctx: &Context, request: Option<&S::Request>) -> Option<Answer<S>> {
        if let Some(request) = request {
            self.with_worker(ctx, |worker| worker.request_once(request));
        }
        let newest = self.newest();
        // A study that failed with its device is asked again once another result has come: all panes recover together.
        if let Some(reply) = newest.as_ref().filter(|reply| reply.result.may_pass() && request == Some(&reply.request)) {
            let n_found = self.store.n_found();
            if n_found != *self.failed_at.get_or_insert(n_found) {
                self.failed_at = None;
                self.ask_anew(ctx, &reply.request);
            }
        }
        let before = self.asked.borrow_mut().seen.replace((ctx.clone(), ctx.cumulative_pass_nr(), newest.clone()));
        let before = before.and_then(|(_, _, seen)| seen);
        newest.map(|reply| Answer {
            is_newest: request == Some(&reply.request),
            is_fresh: before.is_none_or(|before| !Arc::ptr_eq(&before, &reply)),
            reply,
        })
    }

    /// Asks again what may have been answered: what was measured or has failed may come out otherwise.
    pub(super) fn ask_anew(&self, ctx: &Context, request: &S::Request) {
        self.with_worker(ctx, |worker| {
            worker.take();
            worker.request(request.clone());
        });
    }

    /// Does something with the worker, which starts now if it has not been started.
    fn with_worker(&self, ctx: &Context, work: impl FnOnce(&StudyWorker<S>)) {
        work(self.asked.borrow_mut().worker.get_or_insert_with(|| {
            let ctx = ctx.clone();
            Arc::new(start_study((self.make)(), self.store.clone(), move || ctx.request_repaint()))
        }));
    }

    /// Asks from any thread, as long as the study is there.
    pub(super) fn asker(&self, ctx: &Context) -> impl Fn(&S::Request) + Send + use<S> {
        let mut worker = Weak::new();
        self.with_worker(ctx, |_| ());
        if let Some(own) = &self.asked.borrow().worker {
            worker = Arc::downgrade(own);
        }
        move |request| worker.upgrade().iter().for_each(|worker| worker.request_once(request))
    }

    /// As [`ask`](Self::ask); shows how far long work is.
    pub(super) fn ask_ui(&mut self, ui: &mut Ui, request: Option<&S::Request>) -> Option<Answer<S>> {
        let answer = self.ask(ui.ctx(), request);
        self.progress_ui(ui);
        answer
    }

    /// How far work is that is under way.
    pub(super) fn progress(&self) -> Option<Progress> {
        self.asked.borrow().worker.as_ref().and_then(|worker| worker.progress())
    }

    /// Shows how far work is by a line along the edge of the pane; the status bar says what it is, and cancels it.
    pub(super) fn progress_ui(&self, ui: &Ui) {
        if let Some(progress) = self.progress() {
            widgets::note_progress(ui, progress.fraction.unwrap_or(0.0));
        }
    }

    /// Whether the pane has not been shown in this pass and the one before.
    pub(super) fn is_hidden(&self) -> bool {
        self.asked.borrow().is_hidden()
    }

    /// Whether work is under way.
    pub(super) fn is_busy(&self) -> bool {
        self.asked.borrow().worker.as_ref().is_some_and(|worker| !worker.is_idle())
    }

    /// The newest answer, whatever it answers.
    pub(super) fn newest(&self) -> Option<Arc<StudyReply<S>>> {
        self.asked.borrow().worker.as_ref().and_then(|worker| worker.latest())
    }

    /// Forgets what was studied.
    pub(super) fn forget(&mut self) {
        *self.asked.borrow_mut() = Asked { worker: None, seen: None };
    }
}

impl<T, S: Study<Report = Result<T, EngineError>>> Studied<S> {
    /// As [`ask_ui`](Self::ask_ui), for answers that `is_usable`; an error is shown in the place of the answer, and `waiting` before the first one.
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
