//! The thread that studies a signal for a pane, beside the engine that transforms it: the newest question wins, and the work for an older one is given up.

use super::Progress;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

/// An answer, which may be that the work was given up.
pub trait Answer: Send + Sync + 'static {
    /// Whether the work was given up.
    fn is_cancelled(&self) -> bool;
}

/// What came of a question.
#[derive(Debug, Clone)]
pub struct Studied<Q, A> {
    /// What was asked.
    pub question: Q,
    /// What is known, or one line on why nothing is.
    pub answer: A,
}

struct Desk<Q, A> {
    wish: Option<Q>,
    running: Option<Q>,
    progress: Option<Progress>,
    latest: Option<Arc<Studied<Q, A>>>,
    closed: bool,
}

struct Shared<Q, A> {
    desk: Mutex<Desk<Q, A>>,
    wake: Condvar,
    stale: AtomicBool,
    notify: Box<dyn Fn() + Send + Sync>,
}

/// A handle on the thread; dropping it ends the thread and waits for it.
pub struct Analyst<Q, A> {
    shared: Arc<Shared<Q, A>>,
    worker: Option<JoinHandle<()>>,
}

impl<Q: Clone + PartialEq + Send + Sync + 'static, A: Answer> Analyst<Q, A> {
    /// Starts the thread that answers with `study`, which is told when to give up and says what it begins and how far it is;
    /// `notify` is called from the thread whenever there is something new to see.
    pub fn start(
        study: impl FnMut(&Q, &AtomicBool, &dyn Fn(&str, f32)) -> A + Send + 'static,
        notify: impl Fn() + Send + Sync + 'static,
    ) -> Self {
        let desk = Desk { wish: None, running: None, progress: None, latest: None, closed: false };
        let shared =
            Arc::new(Shared { desk: Mutex::new(desk), wake: Condvar::new(), stale: AtomicBool::new(false), notify: Box::new(notify) });
        let theirs = shared.clone();
        let thread = std::thread::Builder::new().name("analyst".into());
        let worker = thread.spawn(move || work(&theirs, study)).expect("the system starts a thread");
        Self { shared, worker: Some(worker) }
    }

    /// Asks a question, unless its answer is known or under way.
    pub fn request(&self, question: &Q) {
        let mut desk = locked(&self.shared.desk);
        let known = desk.latest.as_ref().is_some_and(|latest| latest.question == *question) && desk.running.is_none();
        if desk.wish.as_ref().or(desk.running.as_ref()).map_or(known, |asked| asked == question) {
            return;
        }
        self.shared.stale.store(true, Ordering::Relaxed);
        desk.wish = Some(question.clone());
        self.shared.wake.notify_one();
    }

    /// The newest study.
    pub fn latest(&self) -> Option<Arc<Studied<Q, A>>> {
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

impl<Q, A> Drop for Analyst<Q, A> {
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

fn work<Q: Clone, A: Answer>(shared: &Shared<Q, A>, mut study: impl FnMut(&Q, &AtomicBool, &dyn Fn(&str, f32)) -> A) {
    loop {
        let mut desk = locked(&shared.desk);
        let question = loop {
            if desk.closed {
                return;
            }
            match desk.wish.take() {
                Some(wish) => break wish,
                None => desk = shared.wake.wait(desk).unwrap_or_else(PoisonError::into_inner),
            }
        };
        desk.running = Some(question.clone());
        shared.stale.store(false, Ordering::Relaxed);
        drop(desk);
        let since = Instant::now();
        let tell = |what: &str, part: f32| {
            locked(&shared.desk).progress = Some(Progress { label: format!("Computing {what}"), fraction: Some(part), since });
            (shared.notify)();
        };
        let answer = study(&question, &shared.stale, &tell);
        let mut desk = locked(&shared.desk);
        desk.running = None;
        desk.progress = None;
        let given_up = answer.is_cancelled() && desk.wish.is_some();
        if !given_up {
            desk.latest = Some(Arc::new(Studied { question, answer }));
        }
        drop(desk);
        (shared.notify)();
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
