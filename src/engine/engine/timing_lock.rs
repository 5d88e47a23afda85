//! A lock: only one thread measures at a time, since two measurements would disturb each other.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A waiting thread checks this often whether it is cancelled.
const GLANCE: Duration = Duration::from_millis(50);

/// The lock for all threads that measure; a clone is the same lock.
#[derive(Debug, Clone, Default)]
pub struct TimingLock(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<LockState>,
    returned: Condvar,
}

#[derive(Debug, Default)]
struct LockState {
    taken: Option<TimingReason>,
    /// Number of threads that wait; idle work lets them go first.
    waiting: usize,
}

/// Why a thread measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimingReason {
    /// The user wants to know: sweeps, and measurements of the algorithms.
    Asked,
    /// The engine is idle: comparisons with other algorithms and devices.
    Rest,
}

/// Holds the lock until it is dropped.
#[derive(Debug)]
pub struct TimingGuard(TimingLock);

impl TimingLock {
    /// Takes the lock if it is free and nobody waits for it.
    pub fn try_lock(&self, reason: TimingReason) -> Option<TimingGuard> {
        let mut state = self.state();
        let is_free = state.taken.is_none() && state.waiting == 0;
        is_free.then(|| {
            state.taken = Some(reason);
            TimingGuard(self.clone())
        })
    }

    /// Waits for the lock; `None` if `cancel` is raised first.
    pub fn lock(&self, reason: TimingReason, cancel: &AtomicBool) -> Option<TimingGuard> {
        let mut state = self.state();
        state.waiting += 1;
        while state.taken.is_some() && !cancel.load(Ordering::Relaxed) {
            state = self.0.returned.wait_timeout(state, GLANCE).unwrap_or_else(PoisonError::into_inner).0;
        }
        state.waiting -= 1;
        state.taken.is_none().then(|| {
            state.taken = Some(reason);
            TimingGuard(self.clone())
        })
    }

    /// Whether a measurement runs that the user asked for.
    pub fn is_asked(&self) -> bool {
        self.state().taken == Some(TimingReason::Asked)
    }

    fn state(&self) -> MutexGuard<'_, LockState> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for TimingGuard {
    fn drop(&mut self) {
        self.0.state().taken = None;
        self.0.0.returned.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_has_it_and_who_waits_comes_before_who_has_time() {
        let (timing_lock, go_on) = (TimingLock::default(), AtomicBool::new(false));
        let rest = timing_lock.try_lock(TimingReason::Rest).expect("it lies there");
        assert!(!timing_lock.is_asked() && timing_lock.try_lock(TimingReason::Rest).is_none());
        assert!(timing_lock.lock(TimingReason::Asked, &AtomicBool::new(true)).is_none(), "who gives up does not wait");
        std::thread::scope(|scope| {
            let asked = scope.spawn(|| timing_lock.lock(TimingReason::Asked, &go_on));
            while timing_lock.state().waiting == 0 {
                std::thread::yield_now();
            }
            drop(rest);
            assert!(timing_lock.try_lock(TimingReason::Rest).is_none(), "somebody waits for it, or has it");
            let asked = asked.join().expect("no panic").expect("it came back");
            assert!(timing_lock.is_asked());
            drop(asked);
        });
        assert!(!timing_lock.is_asked() && timing_lock.try_lock(TimingReason::Rest).is_some());
    }
}
