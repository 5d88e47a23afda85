//! The threads that workers share: three, however many panes a window has.
//!
//! The newest work comes first, because somebody looks at its result now. Studies, which may take minutes, always leave one thread to quick work.

use super::mailbox::answer_next;
use super::{Ask, Mailbox, REST, Work, locked};
use crate::heap::return_freed_memory;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Number of threads.
const THREADS: usize = 3;

/// How long the answer to a request takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pace {
    /// A moment.
    Quick,
    /// Perhaps minutes.
    Study,
}

/// Work that the threads do.
pub(super) trait Pooled: Send + Sync {
    /// Answers the request that waits, if there is one; returns whether another one waits.
    fn answer_next(&self) -> bool;

    /// Waits until no thread answers a request of this work, and ends it: later calls answer nothing.
    fn close(&self);
}

/// The work of a worker that has no thread of its own.
pub(super) struct PooledWork<Q, R, P, W> {
    mailbox: Arc<Mailbox<Q, R, P>>,
    /// `None` once the worker is dropped.
    work: Mutex<Option<W>>,
}

impl<Q, R, P, W> PooledWork<Q, R, P, W> {
    /// Work that answers the requests of `mailbox`.
    pub(super) fn new(mailbox: Arc<Mailbox<Q, R, P>>, work: W) -> Self {
        Self { mailbox, work: Mutex::new(Some(work)) }
    }
}

impl<Q: Ask, R: Send + Sync + 'static, P: Clone + Send + 'static, W: Work<Q, R, P>> Pooled for PooledWork<Q, R, P, W> {
    fn answer_next(&self) -> bool {
        let mut work = locked(&self.work);
        if let Some(work) = &mut *work {
            answer_next(&self.mailbox, work);
        }
        let mut state = self.mailbox.state();
        state.is_expected = state.waiting.is_some() && !state.is_closed;
        state.is_expected
    }

    fn close(&self) {
        *locked(&self.work) = None;
    }
}

/// The work that waits for a thread, and the threads.
struct Queue {
    /// The newest comes last.
    waiting: Vec<(Pace, Arc<dyn Pooled>)>,
    /// Threads that were started.
    threads: usize,
    /// Threads without work.
    idle: usize,
    /// Studies that run.
    studies: usize,
}

impl Queue {
    /// Takes the newest work that may have a thread now.
    fn next(&mut self) -> Option<(Pace, Arc<dyn Pooled>)> {
        let place = self.waiting.iter().rposition(|(pace, _)| *pace == Pace::Quick || self.studies + 1 < THREADS)?;
        let next = self.waiting.remove(place);
        self.studies += usize::from(next.0 == Pace::Study);
        Some(next)
    }
}

static QUEUE: Mutex<Queue> = Mutex::new(Queue { waiting: Vec::new(), threads: 0, idle: 0, studies: 0 });
static WAKE: Condvar = Condvar::new();

/// Adds work to the queue, and starts a thread where none is idle and fewer than [`THREADS`] run.
pub(super) fn enqueue(pace: Pace, work: Arc<dyn Pooled>) {
    let mut queue = locked(&QUEUE);
    queue.waiting.push((pace, work));
    if queue.waiting.len() > queue.idle && queue.threads < THREADS {
        queue.threads += 1;
        let thread = std::thread::Builder::new().name(format!("study {}", queue.threads));
        thread.spawn(run).expect("the system starts a thread");
    }
    WAKE.notify_one();
}

/// What a thread does until the program ends.
fn run() {
    let mut queue = locked(&QUEUE);
    loop {
        let Some((pace, work)) = queue.next() else {
            queue = wait(queue);
            continue;
        };
        drop(queue);
        let has_more = work.answer_next();
        queue = locked(&QUEUE);
        queue.studies -= usize::from(pace == Pace::Study);
        if has_more {
            queue.waiting.insert(0, (pace, work));
        }
        // A study may have waited for the end of this one.
        WAKE.notify_one();
    }
}

/// Waits for work. Where none comes for a while, freed memory goes back to the system.
fn wait(mut queue: MutexGuard<'static, Queue>) -> MutexGuard<'static, Queue> {
    queue.idle += 1;
    let (mut queue, waited) = WAKE.wait_timeout(queue, REST).unwrap_or_else(PoisonError::into_inner);
    if waited.timed_out() && queue.waiting.is_empty() {
        drop(queue);
        return_freed_memory();
        queue = locked(&QUEUE);
        if queue.waiting.is_empty() {
            queue = WAKE.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }
    queue.idle -= 1;
    queue
}
