//! The threads that workers share: three, however many panes a window has.
//!
//! The newest work comes first, because somebody looks at its result now: only panes that are seen ask. Long work leaves one thread to what takes a moment.
//! It gives way to newer long work, and to the engine: it is given up then, and begins anew later.

use super::mailbox::answer_next;
use super::{Ask, Mailbox, REST, Work, locked};
use crate::heap::return_freed_memory;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Number of threads.
const THREADS: usize = 3;
/// Work that takes longer counts as long, whatever it was taken for.
const LONG: Duration = Duration::from_millis(200);

/// How a worker uses the threads.
pub(crate) struct Usage<Q> {
    /// Whether the answer to a request may take longer than a moment.
    pub is_long: fn(&Q) -> bool,
    /// The group that the worker belongs to; long work of a group gives way where [`go_first`] is called.
    pub group: usize,
}

/// Work that the threads do.
pub(super) trait Pooled: Send + Sync {
    /// Answers the request that waits, if there is one; returns whether another one waits.
    fn answer_next(&self) -> bool;

    /// Whether the answer to the request that waits may take long.
    fn is_long(&self) -> bool;

    /// The group of its worker.
    fn group(&self) -> usize;

    /// Gives up the request that is being answered, and lets it wait again.
    fn give_way(&self);

    /// Waits until no thread answers a request of this work, and ends it: later calls answer nothing.
    fn close(&self);
}

/// The work of a worker that has no thread of its own.
pub(super) struct PooledWork<Q, R, P, W> {
    mailbox: Arc<Mailbox<Q, R, P>>,
    usage: Usage<Q>,
    /// `None` once the worker is dropped.
    work: Mutex<Option<W>>,
}

impl<Q, R, P, W> PooledWork<Q, R, P, W> {
    /// Work that answers the requests of `mailbox`.
    pub(super) fn new(mailbox: Arc<Mailbox<Q, R, P>>, usage: Usage<Q>, work: W) -> Self {
        Self { mailbox, usage, work: Mutex::new(Some(work)) }
    }
}

impl<Q: Ask, R: Send + Sync + 'static, P: Clone + Send + 'static, W: Work<Q, R, P>> Pooled for PooledWork<Q, R, P, W> {
    fn answer_next(&self) -> bool {
        let (mut work, begin) = (locked(&self.work), Instant::now());
        if let Some(work) = &mut *work {
            answer_next(&self.mailbox, work);
        }
        let mut state = self.mailbox.state();
        // Work that was given up early may still be long.
        state.was_long = begin.elapsed() > LONG || state.was_long && self.mailbox.is_cancelled();
        state.is_expected = state.waiting.is_some() && !state.is_closed;
        state.is_expected
    }

    fn is_long(&self) -> bool {
        let state = self.mailbox.state();
        state.was_long || state.waiting.as_ref().is_some_and(self.usage.is_long)
    }

    fn group(&self) -> usize {
        self.usage.group
    }

    fn give_way(&self) {
        self.mailbox.give_way();
    }

    fn close(&self) {
        *locked(&self.work) = None;
    }
}

/// Work that a thread does.
struct Running {
    work: Arc<dyn Pooled>,
    is_long: bool,
    since: Instant,
}

impl Running {
    fn is_long(&self) -> bool {
        self.is_long || self.since.elapsed() > LONG
    }
}

/// The work that waits for a thread, and the threads.
struct Queue {
    /// The newest comes last.
    waiting: Vec<Arc<dyn Pooled>>,
    running: Vec<Running>,
    /// Threads that were started.
    threads: usize,
    /// Groups whose long work waits.
    held_back: Vec<usize>,
}

impl Queue {
    fn long(&self) -> impl Iterator<Item = &Running> {
        self.running.iter().filter(|running| running.is_long())
    }

    /// Takes the newest work that may have a thread now.
    fn next(&mut self) -> Option<Arc<dyn Pooled>> {
        let has_room = self.long().count() + 1 < THREADS;
        let may_run = |work: &Arc<dyn Pooled>| !work.is_long() || has_room && !self.held_back.contains(&work.group());
        let place = self.waiting.iter().rposition(may_run)?;
        let work = self.waiting.remove(place);
        self.running.push(Running { work: work.clone(), is_long: work.is_long(), since: Instant::now() });
        Some(work)
    }

    /// Lets the oldest long work give way if the newest could not begin otherwise.
    fn make_room(&self) {
        let Some(newest) = self.waiting.last() else { return };
        let most = if newest.is_long() { THREADS - 1 } else { THREADS };
        if self.long().count() >= most
            && let Some(oldest) = self.long().min_by_key(|running| running.since)
        {
            oldest.work.give_way();
        }
    }
}

static QUEUE: Mutex<Queue> = Mutex::new(Queue { waiting: Vec::new(), running: Vec::new(), threads: 0, held_back: Vec::new() });
static WAKE: Condvar = Condvar::new();

/// Adds work to the queue, and starts a thread where none is idle and fewer than [`THREADS`] run.
pub(super) fn enqueue(work: Arc<dyn Pooled>) {
    let mut queue = locked(&QUEUE);
    queue.waiting.push(work);
    if queue.waiting.len() + queue.running.len() > queue.threads && queue.threads < THREADS {
        queue.threads += 1;
        let thread = std::thread::Builder::new().name(format!("study {}", queue.threads));
        thread.spawn(run).expect("the system starts a thread");
    }
    queue.make_room();
    WAKE.notify_one();
}

/// The loop of a thread, until the program ends.
fn run() {
    let mut queue = locked(&QUEUE);
    loop {
        let Some(work) = queue.next() else {
            queue = wait(queue);
            continue;
        };
        drop(queue);
        let has_more = work.answer_next();
        queue = locked(&QUEUE);
        if let Some(place) = queue.running.iter().position(|running| Arc::ptr_eq(&running.work, &work)) {
            queue.running.remove(place);
        }
        if has_more {
            queue.waiting.insert(0, work);
        }
        // Long work may have waited for the end of this one.
        WAKE.notify_one();
    }
}

/// Waits for work. Where none comes for a while, freed memory goes back to the system.
fn wait(queue: MutexGuard<'static, Queue>) -> MutexGuard<'static, Queue> {
    let (mut queue, waited) = WAKE.wait_timeout(queue, REST).unwrap_or_else(PoisonError::into_inner);
    if waited.timed_out() && queue.waiting.is_empty() {
        drop(queue);
        return_freed_memory();
        queue = locked(&QUEUE);
        if queue.waiting.is_empty() {
            queue = WAKE.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }
    queue
}

/// Long work of a group gives way, and waits until this is dropped.
pub(crate) struct GoesFirst(usize);

/// Lets the long work of a group give way to the caller.
pub(crate) fn go_first(group: usize) -> GoesFirst {
    let mut queue = locked(&QUEUE);
    queue.held_back.push(group);
    queue.long().filter(|running| running.work.group() == group).for_each(|running| running.work.give_way());
    GoesFirst(group)
}

impl Drop for GoesFirst {
    fn drop(&mut self) {
        let mut queue = locked(&QUEUE);
        if let Some(place) = queue.held_back.iter().position(|group| *group == self.0) {
            queue.held_back.remove(place);
        }
        WAKE.notify_all();
    }
}
