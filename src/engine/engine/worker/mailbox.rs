//! The mailbox that a worker shares with its handle: the request that waits, the newest report, progress. And how a worker answers one request after another.

use super::{Ask, Idle, Progress, REST, Work, locked};
use crate::fault::caught;
use crate::heap::return_freed_memory;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The request, the work and the report of a worker.
pub(super) struct State<Q, R, P> {
    pub(super) waiting: Option<Q>,
    /// Whether the waiting request was cancelled before its work began.
    pub(super) is_cancelled: bool,
    pub(super) running: Option<Q>,
    /// Whether the worker does something that nobody waits for; any request interrupts it.
    pub(super) is_idling: bool,
    /// The newest request that was answered.
    pub(super) answered: Option<Q>,
    pub(super) progress: Option<P>,
    pub(super) latest: Option<Arc<R>>,
    /// Whether the worker waits in the queue of the pool, or works there.
    pub(super) is_expected: bool,
    /// Whether the newest answer took long.
    pub(super) was_long: bool,
    pub(super) is_closed: bool,
}

/// The state that a worker shares with its handle.
pub struct Mailbox<Q, R, P = Progress> {
    /// For the log.
    pub(super) name: String,
    pub(super) state: Mutex<State<Q, R, P>>,
    pub(super) wake: Condvar,
    pub(super) cancel: AtomicBool,
    notify: Box<dyn Fn() + Send + Sync>,
}

impl<Q, R, P> Mailbox<Q, R, P> {
    pub(super) fn new(name: &str, notify: impl Fn() + Send + Sync + 'static) -> Self {
        let state = State {
            waiting: None,
            is_cancelled: false,
            running: None,
            is_idling: false,
            answered: None,
            progress: None,
            latest: None,
            is_expected: false,
            was_long: false,
            is_closed: false,
        };
        Self {
            name: name.to_owned(),
            state: Mutex::new(state),
            wake: Condvar::new(),
            cancel: AtomicBool::new(false),
            notify: Box::new(notify),
        }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State<Q, R, P>> {
        locked(&self.state)
    }

    /// Raised when the running work is to be given up.
    pub fn cancel(&self) -> &AtomicBool {
        &self.cancel
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// Gives up the request that is being answered, and lets it wait again unless a newer one waits.
    pub(super) fn give_way(&self)
    where
        Q: Clone,
    {
        let mut state = self.state();
        if !self.cancel.swap(true, Ordering::Relaxed) && !state.is_closed && state.waiting.is_none() {
            state.waiting = state.running.clone();
        }
    }

    /// Whether a newer request waits that `is` holds for.
    pub fn has_newer(&self, is: impl FnOnce(&Q) -> bool) -> bool {
        self.state().waiting.as_ref().is_some_and(is)
    }

    /// The newest report.
    pub fn latest(&self) -> Option<Arc<R>> {
        self.state().latest.clone()
    }

    /// Shows a report.
    pub fn publish(&self, report: Option<Arc<R>>) {
        self.state().latest = report;
        (self.notify)();
    }

    /// The work that the worker shows.
    pub fn has_progress(&self) -> bool {
        self.state().progress.is_some()
    }

    /// Says what the worker is busy with; the window hears of it with the next report.
    pub fn set_progress(&self, progress: Option<P>) {
        self.state().progress = progress;
    }

    /// Tells the window that there is something new to see.
    pub fn notify(&self) {
        (self.notify)();
    }

    /// Begins work that nobody waits for, unless a request waits; the next request interrupts it.
    pub fn begin_idle_work(&self) -> bool {
        let mut state = self.state();
        state.is_idling = state.waiting.is_none() && !state.is_closed;
        if state.is_idling {
            self.cancel.store(false, Ordering::Relaxed);
        }
        state.is_idling
    }
}

/// Answers the request that waits; whether there was one.
pub(super) fn answer_next<Q: Ask, R, P>(mailbox: &Mailbox<Q, R, P>, work: &mut impl Work<Q, R, P>) -> bool {
    let mut state = mailbox.state();
    let Some(request) = state.waiting.take().filter(|_| !state.is_closed) else { return false };
    state.running = Some(request.clone());
    mailbox.cancel.store(state.is_cancelled, Ordering::Relaxed);
    drop(state);
    let asked = request.clone();
    if let Err(fault) = caught(|| work.answer(request, mailbox)) {
        log::error!("{} has failed: {fault}", mailbox.name);
        work.recover(Some(asked), fault, mailbox);
    }
    let mut state = mailbox.state();
    (state.answered, state.progress) = (state.running.take(), None);
    drop(state);
    mailbox.notify();
    true
}

/// The loop of the thread of a worker, until the worker is closed.
pub(super) fn run<Q: Ask, R, P>(mailbox: &Mailbox<Q, R, P>, mut work: impl Work<Q, R, P>) {
    let mut rested = false;
    loop {
        if answer_next(mailbox, &mut work) {
            rested = false;
            continue;
        }
        let mut state = mailbox.state();
        state.is_idling = false;
        if state.is_closed {
            return;
        }
        drop(state);
        let idle = caught(|| work.idle(rested, mailbox)).unwrap_or_else(|fault| {
            log::error!("{} has failed: {fault}", mailbox.name);
            work.recover(None, fault, mailbox);
            Idle::Worked
        });
        let is_quiet = |state: &mut State<Q, R, P>| state.waiting.is_none() && !state.is_closed;
        rested = match idle {
            Idle::Worked => false,
            Idle::Sleep => {
                let (state, waited) =
                    mailbox.wake.wait_timeout_while(mailbox.state(), REST, is_quiet).unwrap_or_else(PoisonError::into_inner);
                drop(state);
                if waited.timed_out() {
                    return_freed_memory();
                    drop(mailbox.wake.wait_while(mailbox.state(), is_quiet).unwrap_or_else(PoisonError::into_inner));
                }
                false
            }
            Idle::Wait(longest) => {
                let mut state = mailbox.state();
                if !is_quiet(&mut state) {
                    false
                } else {
                    let (state, waited) = mailbox.wake.wait_timeout(state, longest).unwrap_or_else(PoisonError::into_inner);
                    drop(state);
                    waited.timed_out()
                }
            }
        };
    }
}
