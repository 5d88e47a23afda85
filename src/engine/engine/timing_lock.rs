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
    changed: Condvar,
}

#[derive(Debug, Default)]
struct LockState {
    taken: Option<TimingReason>,
    /// Number of threads that wait; idle work and sweeps let them go first.
    waiting: usize,
    /// Number of threads that compute what somebody waits for; sweeps let them go first.
    working: usize,
}

/// Why a thread measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimingReason {
    /// The user wants to know how fast the algorithms are, or something else that takes a moment.
    Asked,
    /// The user waits for one case after the other of a sweep, and changes settings meanwhile.
    Sweep,
    /// The engine is idle: comparisons with other algorithms and devices.
    Rest,
}

impl LockState {
    fn is_wanted(&self) -> bool {
        self.waiting + self.working > 0
    }
}

/// Holds the lock until it is dropped.
#[derive(Debug)]
pub struct TimingGuard(TimingLock);

/// Says that somebody computes, until it is dropped.
#[derive(Debug)]
pub struct WorkGuard(TimingLock);

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

    /// Waits for the lock; `None` if `cancel` is raised first. A sweep waits as long as the lock [`is_wanted`](Self::is_wanted).
    pub fn lock(&self, reason: TimingReason, cancel: &AtomicBool) -> Option<TimingGuard> {
        let is_sweep = reason == TimingReason::Sweep;
        let is_kept = |state: &LockState| state.taken.is_some() || is_sweep && state.is_wanted();
        let mut state = self.state();
        state.waiting += usize::from(!is_sweep);
        while is_kept(&state) && !cancel.load(Ordering::Relaxed) {
            state = self.0.changed.wait_timeout(state, GLANCE).unwrap_or_else(PoisonError::into_inner).0;
        }
        state.waiting -= usize::from(!is_sweep);
        (!is_kept(&state)).then(|| {
            state.taken = Some(reason);
            TimingGuard(self.clone())
        })
    }

    /// Says that the caller computes what somebody waits for, until the guard is dropped.
    pub fn at_work(&self) -> WorkGuard {
        self.state().working += 1;
        WorkGuard(self.clone())
    }

    /// Whether somebody computes, or waits for the lock: a sweep gives up its measurement then.
    pub fn is_wanted(&self) -> bool {
        self.state().is_wanted()
    }

    /// Whether a measurement runs that the user asked for.
    pub fn is_asked(&self) -> bool {
        self.state().taken.is_some_and(|reason| reason != TimingReason::Rest)
    }

    fn state(&self) -> MutexGuard<'_, LockState> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for TimingGuard {
    fn drop(&mut self) {
        self.0.state().taken = None;
        self.0.0.changed.notify_all();
    }
}

impl Drop for WorkGuard {
    fn drop(&mut self) {
        self.0.state().working -= 1;
        self.0.0.changed.notify_all();
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

    #[test]
    fn a_sweep_waits_for_all_who_work_or_wait() {
        let (timing_lock, go_on) = (TimingLock::default(), AtomicBool::new(false));
        let sweep = timing_lock.lock(TimingReason::Sweep, &go_on).expect("nobody works");
        let work = timing_lock.at_work();
        assert!(timing_lock.is_asked() && timing_lock.is_wanted());
        drop(sweep);
        assert!(timing_lock.lock(TimingReason::Asked, &go_on).is_some(), "others measure beside work");
        std::thread::scope(|scope| {
            let sweep = scope.spawn(|| timing_lock.lock(TimingReason::Sweep, &go_on));
            std::thread::sleep(GLANCE);
            assert!(!sweep.is_finished());
            drop(work);
            assert!(sweep.join().expect("no panic").is_some() && !timing_lock.is_wanted());
        });
    }
}
