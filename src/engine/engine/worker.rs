//! Workers answer requests for a window: the newest request of each wins, and work for an older one is given up.
//!
//! Generic over request, report and progress. Nothing here knows signals or transforms.
//! A worker that waits for a disk, or works while nobody asks, has a thread of its own; all others share those of [`pool`].

mod desk;
mod pool;

pub use desk::Desk;

use crate::fault::caught;
use desk::{State, answer_next, run};
use pool::{Pace, Turn};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// After this time without a request, what the work has freed goes back to the system.
const REST: Duration = Duration::from_secs(2);

/// What a worker is busy with.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// "Computing dft of 1,024 × 1,024", …
    pub label: String,
    /// The part that is done, from 0 to 1, where it is known.
    pub fraction: Option<f32>,
    /// Since when.
    pub since: Instant,
}

/// What a worker can be asked.
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

/// What a worker does on its thread.
pub trait Work<Q, R, P>: Send + 'static {
    /// Does what is asked, and publishes reports.
    fn answer(&mut self, request: Q, desk: &Desk<Q, R, P>);

    /// Called after a panic in [`answer`](Self::answer) or [`idle`](Self::idle), with the request that was answered: begins anew, and reports the fault.
    fn recover(&mut self, _request: Option<Q>, _fault: String, _desk: &Desk<Q, R, P>) {}

    /// Called when no request waits; `rested` says that none came during the last wait.
    fn idle(&mut self, _rested: bool, _desk: &Desk<Q, R, P>) -> Idle {
        Idle::Sleep
    }
}

impl<Q, R, P, F: FnMut(Q, &Desk<Q, R, P>) + Send + 'static> Work<Q, R, P> for F {
    fn answer(&mut self, request: Q, desk: &Desk<Q, R, P>) {
        self(request, desk);
    }
}

/// What an idle worker does next.
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
    /// On the threads of the pool, by turns.
    Pool(Pace, Arc<dyn Turn>),
}

/// A handle on a worker; dropping it gives up the work and waits for its end.
pub struct Worker<Q, R, P = Progress> {
    desk: Arc<Desk<Q, R, P>>,
    place: Place,
    is_detached: bool,
}

impl<Q: Ask, R: Send + Sync + 'static, P: Clone + Send + 'static> Worker<Q, R, P> {
    /// Starts a thread of this name; `notify` is called whenever there is something new to see.
    pub fn start(name: &str, work: impl Work<Q, R, P>, notify: impl Fn() + Send + Sync + 'static) -> Self {
        let desk = Arc::new(Desk::new(name, notify));
        let theirs = desk.clone();
        let thread = std::thread::Builder::new().name(name.into());
        let thread = thread.spawn(move || run(&theirs, work)).expect("the system starts a thread");
        Self { desk, place: Place::Thread(Some(thread)), is_detached: false }
    }

    /// Works on the threads of the pool. It is never idle there: [`Work::idle`] is not called.
    fn pooled(name: &str, pace: Pace, work: impl Work<Q, R, P>, notify: impl Fn() + Send + Sync + 'static) -> Self {
        let desk = Arc::new(Desk::new(name, notify));
        let seat = Arc::new(Seat { desk: desk.clone(), work: Mutex::new(Some(work)) });
        Self { desk, place: Place::Pool(pace, seat), is_detached: false }
    }

    /// Answers on the threads of the pool what takes a moment and is waited for, such as the curves of a plot: studies always leave it a thread.
    pub fn quick(name: &str, work: impl Work<Q, R, P>, notify: impl Fn() + Send + Sync + 'static) -> Self {
        Self::pooled(name, Pace::Quick, work, notify)
    }

    /// Does not wait for the end of the work when the handle is dropped.
    #[must_use]
    pub fn detached(mut self) -> Self {
        self.is_detached = true;
        self
    }

    /// Asks for something; the work for an older request is given up if this one makes it useless.
    pub fn request(&self, request: Q) {
        self.put(&mut self.desk.state(), request);
    }

    /// Asks for something, unless its report is known or under way.
    pub fn request_once(&self, request: &Q)
    where
        Q: PartialEq,
    {
        let mut state = self.desk.state();
        let newest = state.waiting.as_ref().or(state.running.as_ref()).or(state.answered.as_ref());
        if newest != Some(request) {
            self.put(&mut state, request.clone());
        }
    }

    fn put(&self, state: &mut State<Q, R, P>, request: Q) {
        let request = match state.waiting.take() {
            Some(waiting) => request.merged(waiting),
            None => request,
        };
        if state.is_idling || state.running.as_ref().is_some_and(|running| running.is_outdated_by(&request)) {
            self.desk.cancel.store(true, Ordering::Relaxed);
        }
        (state.waiting, state.is_cancelled) = (Some(request), false);
        self.call(state);
    }

    /// Calls a thread to the desk.
    fn call(&self, state: &mut State<Q, R, P>) {
        match &self.place {
            Place::Thread(_) => self.desk.wake.notify_one(),
            Place::Pool(pace, seat) => {
                if !std::mem::replace(&mut state.is_expected, true) {
                    pool::enter(*pace, seat.clone());
                }
            }
        }
    }

    /// The newest report.
    pub fn latest(&self) -> Option<Arc<R>> {
        self.desk.state().latest.clone()
    }

    /// The newest report, which is forgotten then.
    pub fn take(&self) -> Option<Arc<R>> {
        self.desk.state().latest.take()
    }

    /// What the thread is busy with.
    pub fn progress(&self) -> Option<P> {
        self.desk.state().progress.clone()
    }

    /// Whether every request is answered.
    pub fn is_idle(&self) -> bool {
        let state = self.desk.state();
        state.waiting.is_none() && state.running.is_none()
    }

    /// Gives up the running work, and what waits; their reports say so.
    pub fn cancel(&self) {
        let mut state = self.desk.state();
        state.is_cancelled = state.waiting.is_some();
        self.desk.cancel.store(true, Ordering::Relaxed);
    }
}

impl<Q, R, P> Drop for Worker<Q, R, P> {
    fn drop(&mut self) {
        self.desk.state().is_closed = true;
        self.desk.cancel.store(true, Ordering::Relaxed);
        // A driver that is unloaded at the end of the program while a thread still uses its device brings the program down.
        match &mut self.place {
            Place::Thread(thread) => {
                self.desk.wake.notify_one();
                if let Some(thread) = thread.take_if(|_| !self.is_detached)
                    && thread.join().is_err()
                {
                    log::error!("{} ended in a panic", self.desk.name);
                }
            }
            Place::Pool(_, seat) if !self.is_detached => seat.leave(),
            Place::Pool(..) => {}
        }
    }
}

/// What a worker of the pool works with, and where.
struct Seat<Q, R, P, W> {
    desk: Arc<Desk<Q, R, P>>,
    /// `None` once the worker is dropped.
    work: Mutex<Option<W>>,
}

impl<Q: Ask, R: Send + Sync + 'static, P: Clone + Send + 'static, W: Work<Q, R, P>> Turn for Seat<Q, R, P, W> {
    fn take(&self) -> bool {
        let mut work = locked(&self.work);
        if let Some(work) = &mut *work {
            answer_next(&self.desk, work);
        }
        let mut state = self.desk.state();
        state.is_expected = state.waiting.is_some() && !state.is_closed;
        state.is_expected
    }

    fn leave(&self) {
        *locked(&self.work) = None;
    }
}

/// A request and what came of it.
#[derive(Debug, Clone)]
pub struct Reply<Q, A> {
    /// What was asked.
    pub request: Q,
    /// What came of it.
    pub result: A,
}

/// A result that may say that its work was given up.
pub trait Cancellable: Send + Sync + 'static {
    /// What is reported where the work ended in a panic with this message.
    fn failed(fault: String) -> Self;

    /// Whether the work was given up.
    fn is_cancelled(&self) -> bool;
}

/// An error that says that work was given up, or that it ended in a panic.
pub trait StudyFailure: Send + Sync + 'static {
    /// The error of work that ended in a panic with this message.
    fn fault(fault: String) -> Self;

    /// Whether the work was given up.
    fn is_cancelled(&self) -> bool;
}

impl<T: Send + Sync + 'static, E: StudyFailure> Cancellable for Result<T, E> {
    fn failed(fault: String) -> Self {
        Err(E::fault(fault))
    }

    fn is_cancelled(&self) -> bool {
        self.as_ref().is_err_and(E::is_cancelled)
    }
}

impl<Q: Ask + Sync, A: Cancellable> Worker<Q, Reply<Q, A>> {
    /// Answers every request once, on the threads of the pool, of which such studies leave one to what is quick.
    /// `answer` gets the request, the flag that tells it to give up, and a function that takes what it begins and the part from 0 to 1 that is done.
    pub fn answering(
        name: &str,
        mut answer: impl FnMut(&Q, &AtomicBool, &dyn Fn(&str, f32)) -> A + Send + 'static,
        notify: impl Fn() + Send + Sync + 'static,
    ) -> Self {
        let work = move |request: Q, desk: &Desk<Q, Reply<Q, A>>| {
            let since = Instant::now();
            let progress = |what: &str, part: f32| {
                desk.set_progress(Some(Progress { label: format!("Computing {what}"), fraction: Some(part), since }));
                desk.notify();
            };
            let result = caught(|| answer(&request, desk.cancel(), &progress)).unwrap_or_else(A::failed);
            if !(result.is_cancelled() && desk.has_newer(|_| true)) {
                desk.publish(Some(Arc::new(Reply { request, result })));
            }
        };
        Self::pooled(name, Pace::Study, work, notify)
    }
}

/// The content of a mutex, also after a thread that held it has panicked.
pub fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
