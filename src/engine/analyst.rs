//! The thread that studies Boolean functions: the newest signal wins, and the work for an older one is given up.

use super::logic::{Study, StudyError, study};
use super::{EngineError, Progress};
use crate::signal::{Signal, View};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

/// What came of a study.
#[derive(Debug, Clone)]
pub struct Studied {
    /// What was studied.
    pub signal: Arc<Signal>,
    /// Which channel of it.
    pub channel: View,
    /// What is known of it, or one line on why nothing is.
    pub result: Result<Arc<Study>, StudyError>,
}

impl Studied {
    /// Whether it is of this signal.
    pub fn is_of(&self, signal: &Arc<Signal>, channel: View) -> bool {
        Arc::ptr_eq(&self.signal, signal) && self.channel == channel
    }
}

#[derive(Default)]
struct Desk {
    wish: Option<(Arc<Signal>, View)>,
    running: Option<(Arc<Signal>, View)>,
    progress: Option<Progress>,
    latest: Option<Arc<Studied>>,
    closed: bool,
}

struct Shared {
    desk: Mutex<Desk>,
    wake: Condvar,
    stale: AtomicBool,
    notify: Box<dyn Fn() + Send + Sync>,
}

/// A handle on the thread; dropping it ends the thread and waits for it.
pub struct Analyst {
    shared: Arc<Shared>,
    worker: Option<JoinHandle<()>>,
}

impl Analyst {
    /// Starts the thread; `notify` is called from it whenever there is something new to see.
    pub fn start(notify: impl Fn() + Send + Sync + 'static) -> Self {
        let shared =
            Arc::new(Shared { desk: Mutex::default(), wake: Condvar::new(), stale: AtomicBool::new(false), notify: Box::new(notify) });
        let theirs = shared.clone();
        let worker = std::thread::Builder::new().name("analyst".into()).spawn(move || work(&theirs)).expect("the system starts a thread");
        Self { shared, worker: Some(worker) }
    }

    /// Asks for the study of a signal, unless it is known or under way.
    pub fn request(&self, signal: &Arc<Signal>, channel: View) {
        let mut desk = locked(&self.shared.desk);
        let is_it = |known: &(Arc<Signal>, View)| Arc::ptr_eq(&known.0, signal) && known.1 == channel;
        let known = desk.latest.as_ref().is_some_and(|latest| latest.is_of(signal, channel)) && desk.running.is_none();
        if desk.wish.as_ref().or(desk.running.as_ref()).map_or(known, is_it) {
            return;
        }
        self.shared.stale.store(true, Ordering::Relaxed);
        desk.wish = Some((signal.clone(), channel));
        self.shared.wake.notify_one();
    }

    /// The newest study.
    pub fn latest(&self) -> Option<Arc<Studied>> {
        locked(&self.shared.desk).latest.clone()
    }

    /// What the thread is busy with.
    pub fn progress(&self) -> Option<Progress> {
        locked(&self.shared.desk).progress.clone()
    }

    /// Whether nothing is asked for that is not known.
    pub fn is_idle(&self) -> bool {
        let desk = locked(&self.shared.desk);
        desk.wish.is_none() && desk.running.is_none()
    }

    /// Gives up the running study; its result says so.
    pub fn cancel(&self) {
        self.shared.stale.store(true, Ordering::Relaxed);
    }
}

impl Drop for Analyst {
    fn drop(&mut self) {
        locked(&self.shared.desk).closed = true;
        self.shared.stale.store(true, Ordering::Relaxed);
        self.shared.wake.notify_one();
        if let Some(worker) = self.worker.take()
            && worker.join().is_err()
        {
            log::error!("the analyst ended in a panic");
        }
    }
}

fn work(shared: &Shared) {
    loop {
        let mut desk = locked(&shared.desk);
        let (signal, channel) = loop {
            if desk.closed {
                return;
            }
            match desk.wish.take() {
                Some(wish) => break wish,
                None => desk = shared.wake.wait(desk).unwrap_or_else(PoisonError::into_inner),
            }
        };
        desk.running = Some((signal.clone(), channel));
        shared.stale.store(false, Ordering::Relaxed);
        drop(desk);
        let since = Instant::now();
        let tell = |what: &str, part: f32| {
            locked(&shared.desk).progress = Some(Progress { label: format!("Computing {what}"), fraction: Some(part), since });
            (shared.notify)();
        };
        let result = study(&signal, channel, &shared.stale, &tell).map(Arc::new);
        let mut desk = locked(&shared.desk);
        desk.running = None;
        desk.progress = None;
        let given_up = result == Err(StudyError::Engine(EngineError::Cancelled)) && desk.wish.is_some();
        if !given_up {
            desk.latest = Some(Arc::new(Studied { signal, channel, result }));
        }
        drop(desk);
        (shared.notify)();
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
