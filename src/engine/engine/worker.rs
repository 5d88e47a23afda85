//! Workers answer requests for a window: the newest request of each wins, and work for an older one is given up.
//!
//! Generic over request, report and progress. Nothing here knows signals or transforms.
//! A worker that waits for a disk, or works while nobody asks, has a thread of its own; studies share those of [`pool`].

mod mailbox;
mod pool;
mod study;

pub use mailbox::Mailbox;
pub use study::{Cancellable, Reply, StudyFailure};

pub(super) use pool::{Usage, go_first};

use mailbox::{State, run};
use pool::Pooled;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// After this time without a request, what the work has freed goes back to the system.
const REST: Duration = Duration::from_secs(2);

/// The work of a worker at a moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// "Computing dft of 1,024 × 1,024", …
    pub label: String,
    /// The part that is done, from 0 to 1, where it is known.
    pub fraction: Option<f32>,
    /// Since when.
    pub since: Instant,
}

/// A request to a worker.
pub trait Ask: Clone + Send + 'static {
    /// This request together with an older one that no work has begun for.
    #[must_use]
    fn merged(self, _waiting: Self) -> Self {
        self
    }

    /// Whether work for this request is useless once `newer` is asked for.
    fn is_outdated_by(&self, _newer: &Self) -> bool {
        true
    }
}

/// The work of a worker.
pub trait Work<Q, R, P>: Send + 'static {
    /// Does what is asked, and publishes reports.
    fn answer(&mut self, request: Q, mailbox: &Mailbox<Q, R, P>);

    /// Called after a panic in [`answer`](Self::answer) or [`idle`](Self::idle), with the request that was answered: begins anew, and reports the fault.
    fn recover(&mut self, _request: Option<Q>, _fault: String, _desk: &Mailbox<Q, R, P>) {}

    /// Called when no request waits; `rested` says that none came during the last wait.
    fn idle(&mut self, _rested: bool, _desk: &Mailbox<Q, R, P>) -> Idle {
        Idle::Sleep
    }
}

impl<Q, R, P, F: FnMut(Q, &Mailbox<Q, R, P>) + Send + 'static> Work<Q, R, P> for F {
    fn answer(&mut self, request: Q, mailbox: &Mailbox<Q, R, P>) {
        self(request, mailbox);
    }
}

/// The next work of an idle worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Idle {
    /// It has worked, and looks for a request.
    Worked,
    /// It waits this long for a request, and then is idle again.
    Wait(Duration),
    /// It sleeps until something is asked.
    Sleep,
}

/// Where a worker works.
enum Place {
    /// On a thread of its own.
    Thread(Option<JoinHandle<()>>),
    /// On the threads of the pool, for one request at a time.
    Pool(Arc<dyn Pooled>),
}

/// A handle on a worker; dropping it gives up the work and waits for its end.
pub struct Worker<Q, R, P = Progress> {
    mailbox: Arc<Mailbox<Q, R, P>>,
    place: Place,
    is_detached: bool,
}

impl<Q: Ask, R: Send + Sync + 'static, P: Clone + Send + 'static> Worker<Q, R, P> {
    /// Starts a thread of this name; `notify` is called whenever there is something new to see.
    pub fn start(name: &str, work: impl Work<Q, R, P>, notify: impl Fn() + Send + Sync + 'static) -> Self {
        let mailbox = Arc::new(Mailbox::new(name, notify));
        let theirs = mailbox.clone();
        let thread = std::thread::Builder::new().name(name.into());
        let thread = thread.spawn(move || run(&theirs, work)).expect("the system starts a thread");
        Self { mailbox, place: Place::Thread(Some(thread)), is_detached: false }
    }

    /// Does not wait for the end of the thread when the handle is dropped.
    #[must_use]
    pub fn detached(mut self) -> Self {
        self.is_detached = true;
        self
    }

    /// Asks for something; the work for an older request is given up if this one makes it useless.
    pub fn request(&self, request: Q) {
        self.put(self.mailbox.state(), request);
    }

    /// Asks for something, unless its report is known or under way.
    pub fn request_once(&self, request: &Q)
    where
        Q: PartialEq,
    {
        let state = self.mailbox.state();
        let newest = state.waiting.as_ref().or(state.running.as_ref()).or(state.answered.as_ref());
        if newest != Some(request) {
            self.put(state, request.clone());
        }
    }

    fn put(&self, mut state: MutexGuard<'_, State<Q, R, P>>, request: Q) {
        let request = match state.waiting.take() {
            Some(waiting) => request.merged(waiting),
            None => request,
        };
        if state.is_idling || state.running.as_ref().is_some_and(|running| running.is_outdated_by(&request)) {
            self.mailbox.cancel.store(true, Ordering::Relaxed);
        }
        (state.waiting, state.is_cancelled) = (Some(request), false);
        match &self.place {
            Place::Thread(_) => self.mailbox.wake.notify_one(),
            Place::Pool(pooled) => {
                let is_expected = std::mem::replace(&mut state.is_expected, true);
                // The queue looks at what waits here.
                drop(state);
                if !is_expected {
                    pool::enqueue(pooled.clone());
                }
            }
        }
    }

    /// The newest report.
    pub fn latest(&self) -> Option<Arc<R>> {
        self.mailbox.state().latest.clone()
    }

    /// The newest report, which is forgotten then.
    pub fn take(&self) -> Option<Arc<R>> {
        self.mailbox.state().latest.take()
    }

    /// The work that the worker does now.
    pub fn progress(&self) -> Option<P> {
        self.mailbox.state().progress.clone()
    }

    /// Whether every request is answered.
    pub fn is_idle(&self) -> bool {
        let state = self.mailbox.state();
        state.waiting.is_none() && state.running.is_none()
    }

    /// Gives up the running work, and what waits; their reports say so.
    pub fn cancel(&self) {
        let mut state = self.mailbox.state();
        state.is_cancelled = state.waiting.is_some();
        self.mailbox.cancel.store(true, Ordering::Relaxed);
    }
}

impl<Q, R, P> Drop for Worker<Q, R, P> {
    fn drop(&mut self) {
        self.mailbox.state().is_closed = true;
        self.mailbox.cancel.store(true, Ordering::Relaxed);
        // A driver that is unloaded at the end of the program while a thread still uses its device brings the program down.
        match &mut self.place {
            Place::Thread(thread) => {
                self.mailbox.wake.notify_one();
                if let Some(thread) = thread.take_if(|_| !self.is_detached)
                    && thread.join().is_err()
                {
                    log::error!("{} ended in a panic", self.mailbox.name);
                }
            }
            Place::Pool(pooled) => pooled.close(),
        }
    }
}

/// The content of a mutex, also after a thread that held it has panicked.
pub fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
