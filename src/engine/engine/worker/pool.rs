//! The threads that workers share: few, however many panes a window has.
//!
//! The newest who enters comes first, as it is what somebody looks at now. Long studies never take all threads.

use super::{REST, locked};
use crate::heap::return_freed_memory;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// Number of threads.
const THREADS: usize = 3;

/// How long a turn takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pace {
    /// A moment.
    Quick,
    /// Perhaps minutes.
    Study,
}

/// A worker that takes turns on the threads.
pub(super) trait Turn: Send + Sync {
    /// Answers one request, if one waits; whether another one waits.
    fn take(&self) -> bool;

    /// Waits for the end of a turn; no other one does anything.
    fn leave(&self);
}

/// Who waits for a thread, and who has one.
struct Room {
    /// The newest comes last.
    waiting: Vec<(Pace, Arc<dyn Turn>)>,
    /// Threads that were started.
    threads: usize,
    /// Threads that wait.
    free: usize,
    /// Studies that run.
    studies: usize,
}

impl Room {
    /// Takes the newest who may have a thread now.
    fn next(&mut self) -> Option<(Pace, Arc<dyn Turn>)> {
        let place = self.waiting.iter().rposition(|(pace, _)| *pace == Pace::Quick || self.studies + 1 < THREADS)?;
        let next = self.waiting.remove(place);
        self.studies += usize::from(next.0 == Pace::Study);
        Some(next)
    }
}

static ROOM: Mutex<Room> = Mutex::new(Room { waiting: Vec::new(), threads: 0, free: 0, studies: 0 });
static WAKE: Condvar = Condvar::new();

/// Waits for a thread.
pub(super) fn enter(pace: Pace, turn: Arc<dyn Turn>) {
    let mut room = locked(&ROOM);
    room.waiting.push((pace, turn));
    if room.waiting.len() > room.free && room.threads < THREADS {
        room.threads += 1;
        let thread = std::thread::Builder::new().name(format!("study {}", room.threads));
        thread.spawn(live).expect("the system starts a thread");
    }
    WAKE.notify_one();
}

/// The life of a thread.
fn live() {
    let mut room = locked(&ROOM);
    loop {
        let Some((pace, turn)) = room.next() else {
            room = rest(room);
            continue;
        };
        drop(room);
        let has_more = turn.take();
        room = locked(&ROOM);
        room.studies -= usize::from(pace == Pace::Study);
        if has_more {
            room.waiting.insert(0, (pace, turn));
        }
        // A study may have waited for the end of this one.
        WAKE.notify_one();
    }
}

/// Waits for somebody; what was freed goes back to the system when nobody comes for a while.
fn rest(mut room: std::sync::MutexGuard<'static, Room>) -> std::sync::MutexGuard<'static, Room> {
    room.free += 1;
    let (mut room, waited) = WAKE.wait_timeout(room, REST).unwrap_or_else(PoisonError::into_inner);
    if waited.timed_out() && room.waiting.is_empty() {
        drop(room);
        return_freed_memory();
        room = locked(&ROOM);
        if room.waiting.is_empty() {
            room = WAKE.wait(room).unwrap_or_else(PoisonError::into_inner);
        }
    }
    room.free -= 1;
    room
}
