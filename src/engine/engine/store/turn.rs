//! The turns of those who use the store: one computes a result for all, one uses the buffers of a device.

use super::{OnDevice, Run, SharedResult, State, Store};
use crate::engine::{Computed, EngineError, Job, StoredResult};
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};

/// The turn to compute a result, while all others who need it wait. Dropped without a result, as after a panic, it goes to the next of them.
pub(crate) struct Turn {
    store: Store,
    run: Arc<Run>,
}

impl Turn {
    pub(super) fn begin(store: &Store, state: &mut State, job: &Job) -> Self {
        let run = Arc::new(Run { job: job.clone(), ended: OnceLock::new() });
        state.under_way.push(run.clone());
        Self { store: store.clone(), run }
    }

    /// Gives the result to all who wait, and keeps it.
    pub(super) fn keep(self, result: SharedResult) {
        let mut state = self.store.state();
        state.known.push((self.run.job.clone(), result));
        state.trim(self.store.0.most_unread_bytes);
        drop(state);
        self.found();
    }

    /// Tells all who wait why there is no result.
    pub(crate) fn fail(self, error: &EngineError) {
        self.end(Some(error.clone()));
    }

    /// Gives what the engine has computed of a job that ran; a result on a device is downloaded when somebody needs it.
    pub(crate) fn share(self, ran: &Job, Computed { stored, outcome, .. }: &Computed) {
        let (ran, outcome) = (Arc::new(ran.clone()), Arc::new(outcome.clone()));
        match stored {
            StoredResult::Memory(values) => self.keep(SharedResult { ran, values: values.clone(), outcome }),
            StoredResult::Gpu(_) => {
                let held = OnDevice { job: self.run.job.clone(), ran, stored: stored.clone(), outcome };
                self.store.state().on_device = Some(Arc::new(held));
                self.found();
            }
        }
    }

    fn found(&self) {
        self.store.0.n_found.fetch_add(1, Ordering::Relaxed);
        self.end(None);
    }

    fn end(&self, error: Option<EngineError>) {
        // The first end counts: a turn that is dropped afterwards has ended.
        let _ = self.run.ended.set(error);
        self.store.state().under_way.retain(|run| !Arc::ptr_eq(run, &self.run));
        self.store.0.changed.notify_all();
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.end(None);
    }
}

/// The use of the buffers of the device that hold the result of the engine; it ends when the lease is dropped.
pub(crate) struct DeviceLease {
    store: Store,
}

impl DeviceLease {
    pub(super) fn of(store: &Store) -> Self {
        Self { store: store.clone() }
    }
}

impl Drop for DeviceLease {
    fn drop(&mut self) {
        self.store.state().is_device_leased = false;
        self.store.0.changed.notify_all();
    }
}
