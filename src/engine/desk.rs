//! A thread that works on the newest of what it is asked for; the work for anything older is given up.

use super::Progress;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

/// What lies on the desk.
struct Papers<J, R> {
    wish: Option<J>,
    running: Option<J>,
    progress: Option<Progress>,
    latest: Option<(J, Arc<R>)>,
    closed: bool,
}

struct Shared<J, R> {
    papers: Mutex<Papers<J, R>>,
    wake: Condvar,
    stale: AtomicBool,
    notify: Box<dyn Fn() + Send + Sync>,
}

/// A handle on the thread that turns jobs into results; dropping it ends the thread and waits for it.
pub(super) struct Desk<J, R> {
    shared: Arc<Shared<J, R>>,
    worker: Option<JoinHandle<()>>,
}

/// Does a job; it is given up when the flag is raised, and tells what it is at and how far it is.
pub(super) trait Work<J, R>: FnMut(&J, &AtomicBool, &dyn Fn(&str, f32)) -> R + Send + 'static {}

impl<J, R, F: FnMut(&J, &AtomicBool, &dyn Fn(&str, f32)) -> R + Send + 'static> Work<J, R> for F {}

impl<J: Clone + PartialEq + Send + 'static, R: Send + Sync + 'static> Desk<J, R> {
    /// Starts the thread; `notify` is called from it whenever there is something new to see.
    pub(super) fn start(name: &str, notify: impl Fn() + Send + Sync + 'static, work: impl Work<J, R>) -> Self {
        let papers = Papers { wish: None, running: None, progress: None, latest: None, closed: false };
        let shared =
            Arc::new(Shared { papers: Mutex::new(papers), wake: Condvar::new(), stale: AtomicBool::new(false), notify: Box::new(notify) });
        let theirs = shared.clone();
        let thread = std::thread::Builder::new().name(name.into());
        let worker = thread.spawn(move || theirs.work(work)).expect("the system starts a thread");
        Self { shared, worker: Some(worker) }
    }

    /// Asks for the result of a job, unless it is known or under way.
    pub(super) fn request(&self, job: J) {
        let mut papers = self.shared.papers();
        let known = papers.latest.as_ref().is_some_and(|(latest, _)| *latest == job) && papers.running.is_none();
        if papers.wish.as_ref().or(papers.running.as_ref()).map_or(known, |other| *other == job) {
            return;
        }
        self.shared.stale.store(true, Ordering::Relaxed);
        papers.wish = Some(job);
        self.shared.wake.notify_one();
    }

    /// The newest result.
    pub(super) fn latest(&self) -> Option<Arc<R>> {
        self.shared.papers().latest.as_ref().map(|(_, result)| result.clone())
    }

    /// What the thread is busy with.
    pub(super) fn progress(&self) -> Option<Progress> {
        self.shared.papers().progress.clone()
    }

    /// Whether nothing is asked for that is not known.
    pub(super) fn is_idle(&self) -> bool {
        let papers = self.shared.papers();
        papers.wish.is_none() && papers.running.is_none()
    }

    /// Gives up the running work; its result says so.
    pub(super) fn cancel(&self) {
        self.shared.stale.store(true, Ordering::Relaxed);
    }
}

impl<J, R> Drop for Desk<J, R> {
    fn drop(&mut self) {
        self.shared.papers().closed = true;
        self.shared.stale.store(true, Ordering::Relaxed);
        self.shared.wake.notify_one();
        if let Some(worker) = self.worker.take()
            && worker.join().is_err()
        {
            log::error!("a thread of the engine ended in a panic");
        }
    }
}

impl<J, R> Shared<J, R> {
    fn papers(&self) -> MutexGuard<'_, Papers<J, R>> {
        self.papers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<J: Clone, R> Shared<J, R> {
    fn work(&self, mut work: impl Work<J, R>) {
        loop {
            let mut papers = self.papers();
            let job = loop {
                if papers.closed {
                    return;
                }
                match papers.wish.take() {
                    Some(wish) => break wish,
                    None => papers = self.wake.wait(papers).unwrap_or_else(PoisonError::into_inner),
                }
            };
            papers.running = Some(job.clone());
            self.stale.store(false, Ordering::Relaxed);
            drop(papers);
            let since = Instant::now();
            let tell = |what: &str, part: f32| {
                self.papers().progress = Some(Progress { label: format!("Computing {what}"), fraction: Some(part), since });
                (self.notify)();
            };
            let result = work(&job, &self.stale, &tell);
            let mut papers = self.papers();
            papers.running = None;
            papers.progress = None;
            // What was given up for something newer is not worth seeing.
            if !(self.stale.load(Ordering::Relaxed) && papers.wish.is_some()) {
                papers.latest = Some((job, Arc::new(result)));
            }
            drop(papers);
            (self.notify)();
        }
    }
}
