//! Two measurements at a time would disturb each other: whoever takes times takes the one stopwatch first.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Whoever waits looks so often whether he is to give up.
const GLANCE: Duration = Duration::from_millis(50);

/// What there is one of, for all threads that take times: a clone is the same stopwatch.
#[derive(Debug, Clone, Default)]
pub struct Stopwatch(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    desk: Mutex<Desk>,
    returned: Condvar,
}

#[derive(Debug, Default)]
struct Desk {
    taken: Option<Reason>,
    /// How many wait for it; what nobody asked for stands behind them.
    waiting: usize,
}

/// Why times are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The user wants to know: sweeps, and measurements of the algorithms.
    Asked,
    /// Nothing else was to do: comparisons with other ways.
    Rest,
}

/// The stopwatch in somebody's hand, which goes back when this is dropped.
#[derive(Debug)]
pub struct Taken(Stopwatch);

impl Stopwatch {
    /// Takes it where it lies there and nobody waits for it.
    pub fn try_take(&self, reason: Reason) -> Option<Taken> {
        let mut desk = self.desk();
        let is_free = desk.taken.is_none() && desk.waiting == 0;
        is_free.then(|| {
            desk.taken = Some(reason);
            Taken(self.clone())
        })
    }

    /// Waits for it; `None` when `cancel` is raised before it comes.
    pub fn take(&self, reason: Reason, cancel: &AtomicBool) -> Option<Taken> {
        let mut desk = self.desk();
        desk.waiting += 1;
        while desk.taken.is_some() && !cancel.load(Ordering::Relaxed) {
            desk = self.0.returned.wait_timeout(desk, GLANCE).unwrap_or_else(PoisonError::into_inner).0;
        }
        desk.waiting -= 1;
        desk.taken.is_none().then(|| {
            desk.taken = Some(reason);
            Taken(self.clone())
        })
    }

    /// Whether the user waits for times that are taken now.
    pub fn is_asked(&self) -> bool {
        self.desk().taken == Some(Reason::Asked)
    }

    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.0.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.0.desk().taken = None;
        self.0.0.returned.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_has_it_and_who_waits_comes_before_who_has_time() {
        let (stopwatch, go_on) = (Stopwatch::default(), AtomicBool::new(false));
        let rest = stopwatch.try_take(Reason::Rest).expect("it lies there");
        assert!(!stopwatch.is_asked() && stopwatch.try_take(Reason::Rest).is_none());
        assert!(stopwatch.take(Reason::Asked, &AtomicBool::new(true)).is_none(), "who gives up does not wait");
        std::thread::scope(|scope| {
            let asked = scope.spawn(|| stopwatch.take(Reason::Asked, &go_on));
            while stopwatch.desk().waiting == 0 {
                std::thread::yield_now();
            }
            drop(rest);
            assert!(stopwatch.try_take(Reason::Rest).is_none(), "somebody waits for it, or has it");
            let asked = asked.join().expect("no panic").expect("it came back");
            assert!(stopwatch.is_asked());
            drop(asked);
        });
        assert!(!stopwatch.is_asked() && stopwatch.try_take(Reason::Rest).is_some());
    }
}
