//! Results that all who need them share: a result is found by its job.
//!
//! Whoever needs a result asks the store. A known result is there at once; one that is being computed is waited for, and is never computed twice;
//! any other is computed by the asker, and kept. A result that somebody reads stays; of the others the store keeps those that were read last.

mod turn;

use super::compute::finished;
use super::worker::locked;
use super::{Computed, Devices, EngineError, Job, Outcome, SharedResult, StoredResult, TimingLock};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;
pub(super) use turn::{DeviceLease, Turn};

/// Results that nobody reads are kept up to this number of bytes: a change of the settings that is taken back finds its result again.
const MOST_UNREAD_BYTES: usize = 64 << 20;
/// A thread that waits checks this often whether its work was cancelled.
const LOOK_AGAIN: Duration = Duration::from_millis(10);

impl SharedResult {
    /// Runs a job for one who shares its result with nobody.
    ///
    /// # Errors
    /// As [`compute`](super::compute()).
    pub fn compute(job: &Job, devices: &mut Devices, cancel: &AtomicBool) -> Result<Self, EngineError> {
        finished(job, devices, cancel, |ran, computed| {
            let Computed { stored, outcome, .. } = computed.in_memory(cancel)?;
            Ok(Self { ran: Arc::new(ran.clone()), values: stored.values(cancel)?, outcome: Arc::new(outcome) })
        })
    }

    /// Whether only the store itself holds the values.
    fn is_unread(&self) -> bool {
        Arc::strong_count(&self.values) == 1
    }
}

/// The store; a copy of it is the same store.
#[derive(Clone, Default)]
pub struct Store(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    /// Work has ended, or the device is free.
    changed: Condvar,
    n_runs: Arc<AtomicUsize>,
    n_found: AtomicUsize,
    timing_lock: TimingLock,
    most_unread_bytes: usize,
}

impl Default for Shared {
    fn default() -> Self {
        Self {
            state: Mutex::default(),
            changed: Condvar::new(),
            n_runs: Arc::default(),
            n_found: AtomicUsize::new(0),
            timing_lock: TimingLock::default(),
            most_unread_bytes: MOST_UNREAD_BYTES,
        }
    }
}

#[derive(Default)]
struct State {
    /// The results, the one that was read last at the end.
    known: Vec<(Job, SharedResult)>,
    under_way: Vec<Arc<Run>>,
    /// The result that the engine shows and that stays on a device; its buffers hold it until the engine runs something else.
    on_device: Option<Arc<OnDevice>>,
    /// Whether somebody uses these buffers now.
    is_device_leased: bool,
}

/// A result on a device.
struct OnDevice {
    job: Job,
    ran: Arc<Job>,
    stored: StoredResult,
    outcome: Arc<Outcome>,
}

/// Work on the result of a job.
struct Run {
    job: Job,
    /// Set at the end; holds the error that all who wait are told.
    ended: OnceLock<Option<EngineError>>,
}

/// The answer of the store when a result is asked for.
pub(super) enum Found {
    /// The result.
    Known(SharedResult),
    /// It is to be computed, by the finder.
    Missing(Turn),
    /// It lies on a device, and is to be downloaded by the finder.
    OnDevice(Turn, Downloading),
}

/// A result on a device, whose buffers nobody else uses meanwhile.
pub(super) struct Downloading {
    held: Arc<OnDevice>,
    _lease: DeviceLease,
}

impl Downloading {
    fn result(&self, cancel: &AtomicBool) -> Result<SharedResult, EngineError> {
        let OnDevice { ran, stored, outcome, .. } = &*self.held;
        Ok(SharedResult { ran: ran.clone(), values: stored.values(cancel)?, outcome: outcome.clone() })
    }
}

impl Store {
    /// The result of a job: the known one, or that of the work which is under way, or a new one, which is kept.
    ///
    /// # Errors
    /// When the job cannot run, here or where it was under way, or `cancel` is raised.
    pub fn result(&self, job: &Job, devices: &mut Devices, cancel: &AtomicBool) -> Result<SharedResult, EngineError> {
        self.result_by(job, cancel, || SharedResult::compute(job, devices, cancel))
    }

    /// As [`result`](Self::result), where `run` computes what is missing.
    pub(super) fn result_by(
        &self,
        job: &Job,
        cancel: &AtomicBool,
        mut run: impl FnMut() -> Result<SharedResult, EngineError>,
    ) -> Result<SharedResult, EngineError> {
        loop {
            let (turn, result) = match self.find(job, cancel)? {
                Found::Known(result) => return Ok(result),
                Found::Missing(turn) => (turn, run()),
                Found::OnDevice(turn, downloading) => match downloading.result(cancel) {
                    Err(error) if error != EngineError::Cancelled => {
                        log::warn!("a result on a device is computed anew: {error}");
                        self.state().on_device = None;
                        continue;
                    }
                    result => (turn, result),
                },
            };
            match &result {
                Ok(result) => turn.keep(result.clone()),
                Err(error) => turn.fail(error),
            }
            return result;
        }
    }

    /// The lock that lets one thread measure at a time, for all who share these results.
    pub fn timing_lock(&self) -> &TimingLock {
        &self.0.timing_lock
    }

    /// A number that only the workers of this store have in common.
    pub(super) fn group(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }

    /// How many jobs have run for this store and its studies: known results and downloads do not count.
    pub fn n_runs(&self) -> usize {
        self.0.n_runs.load(Ordering::Relaxed)
    }

    /// How many results have come: after the next one, what failed with its device may be tried again.
    pub fn n_found(&self) -> usize {
        self.0.n_found.load(Ordering::Relaxed)
    }

    /// The counter of the jobs that run without the store.
    pub(super) fn counter(&self) -> Arc<AtomicUsize> {
        self.0.n_runs.clone()
    }

    /// Counts a transform that ran without the store.
    pub(super) fn count_run(&self) {
        self.0.n_runs.fetch_add(1, Ordering::Relaxed);
    }

    /// Waits while somebody else works on this result, and says what there is then.
    ///
    /// # Errors
    /// When the work that was waited for has failed, or `cancel` is raised.
    pub(super) fn find(&self, job: &Job, cancel: &AtomicBool) -> Result<Found, EngineError> {
        let mut state = self.state();
        loop {
            if let Some(index) = state.known.iter().position(|(known, _)| known == job) {
                let newest = state.known.remove(index);
                let result = newest.1.clone();
                state.known.push(newest);
                return Ok(Found::Known(result));
            }
            let under_way = state.under_way.iter().find(|run| run.job == *job).cloned();
            let held = state.on_device.as_ref().filter(|held| held.job == *job).cloned();
            match (under_way, held) {
                (None, Some(held)) if !state.is_device_leased => {
                    state.is_device_leased = true;
                    let downloading = Downloading { held, _lease: DeviceLease::of(self) };
                    return Ok(Found::OnDevice(Turn::begin(self, &mut state, job), downloading));
                }
                (None, None) => {
                    self.count_run();
                    return Ok(Found::Missing(Turn::begin(self, &mut state, job)));
                }
                (run, _) => {
                    if cancel.load(Ordering::Relaxed) {
                        return Err(EngineError::Cancelled);
                    }
                    state = self.wait(state);
                    // Work that was given up says nothing about the job.
                    if let Some(Some(error)) = run.as_ref().and_then(|run| run.ended.get())
                        && *error != EngineError::Cancelled
                    {
                        return Err(error.clone());
                    }
                }
            }
        }
    }

    /// Keeps others from the buffers of the engine until the lease is dropped; waits while somebody downloads from them.
    pub(super) fn lease_device(&self) -> DeviceLease {
        let mut state = self.state();
        while state.is_device_leased {
            state = self.wait(state);
        }
        state.is_device_leased = true;
        DeviceLease::of(self)
    }

    /// Forgets the result on the device, whose buffers are needed for another one.
    pub(super) fn leave_device(&self) {
        self.state().on_device = None;
    }

    /// Forgets all results, as the same jobs may take other algorithms or devices from now on.
    pub(super) fn forget(&self) {
        let mut state = self.state();
        (state.known, state.on_device) = (Vec::new(), None);
    }

    /// Frees the oldest results that nobody reads, if they take too much.
    pub(super) fn trim(&self) {
        self.state().trim(self.0.most_unread_bytes);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        locked(&self.0.state)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.0.changed.wait_timeout(state, LOOK_AGAIN).unwrap_or_else(PoisonError::into_inner).0
    }
}

impl State {
    fn trim(&mut self, most: usize) {
        let bytes = |(job, result): &(Job, SharedResult)| result.values.bytes() + held_bytes(job) + held_bytes(&result.ran);
        let mut unread: usize = self.known.iter().filter(|(_, result)| result.is_unread()).map(bytes).sum();
        self.known.retain(|known| {
            let is_taken = unread > most && known.1.is_unread();
            if is_taken {
                unread -= bytes(known);
            }
            !is_taken
        });
    }
}

/// About how many bytes the samples of a job take, as if each were in single precision. A result keeps them after the window has left them.
fn held_bytes(job: &Job) -> usize {
    let of = |signal: &crate::signal::Signal| signal.len() * signal.channels.len() * size_of::<f32>();
    of(&job.signal) + job.second.as_deref().map_or(0, of)
}

#[cfg(test)]
mod tests;
