//! The engine's thread: it computes the newest request and gives up what is out of date; when it is idle it compares with other algorithms and devices.

mod comparisons;
mod current;

use super::compute::compute;
use super::preparing::KeptPreparation;
use super::rendering::Sources;
use super::store::{Found, Store};
use super::worker::{Ask, Idle, Mailbox, Progress, Work, Worker, go_first};
use super::{
    Computed, Devices, EngineError, Job, Measured, OpensBeside, Outcome, Report, Request, StoredResult, TimingGuard, TimingReason, Tuning,
};
use crate::threads;
use current::{Current, Measuring, publish_source};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A request of the window to the engine.
#[derive(Debug, Clone, Default)]
struct Order {
    /// A job and the part of its result that is visible.
    show: Option<Request>,
    /// Times that were measured before, which guide the choices from now on.
    measured: Option<Measured>,
    /// Whether the algorithms for the newest job are to be measured.
    measure: bool,
    /// Whether what is found out while nothing is asked begins without a rest, as nobody moves a control.
    without_rest: bool,
    /// Whether it waits for the end of the job that runs.
    in_turn: bool,
}

impl Ask for Order {
    fn merged(self, waiting: Self) -> Self {
        Self {
            show: self.show.or(waiting.show),
            measured: self.measured.or(waiting.measured),
            measure: self.measure || waiting.measure,
            without_rest: self.without_rest || waiting.without_rest,
            in_turn: self.in_turn,
        }
    }

    /// A change of the view alone does not give up a transform.
    fn is_outdated_by(&self, newer: &Self) -> bool {
        !newer.in_turn && self.show.as_ref().zip(newer.show.as_ref()).is_some_and(|(running, newer)| running.job != newer.job)
    }
}

type EngineMailbox = Mailbox<Order, Report, Progress>;

/// A handle on the thread that computes transforms; dropping it ends the thread and waits for it.
pub struct Engine {
    worker: Worker<Order, Report>,
    store: Store,
    beside: Arc<OpensBeside>,
}

impl Engine {
    /// Starts the thread; `notify` is called from it whenever there is something new to see.
    pub fn start(notify: impl Fn() + Send + Sync + 'static) -> Self {
        threads::start(None);
        let (store, notify) = (Store::default(), Arc::new(notify));
        let beside = OpensBeside::new({
            let notify = notify.clone();
            move || notify()
        });
        let service = Service {
            store: store.clone(),
            taken: None,
            current: None,
            devices: Devices::default().opening_beside(beside.clone()),
            beside: beside.clone(),
            preparation: KeptPreparation::default(),
            wants_measurement: false,
            is_without_rest: false,
            is_in_turn: false,
        };
        Self { worker: Worker::start("engine", service, move || notify()), store, beside }
    }

    /// The results of the engine, for all who need them too.
    pub fn store(&self) -> Store {
        self.store.clone()
    }

    /// Asks for something; an older request that has not been answered is forgotten.
    pub fn request(&self, request: Request) {
        self.worker.request(Order { show: Some(request), ..Order::default() });
    }

    /// Asks for something that comes after the job that runs, which is shown, too: a hand that drags sees all that the engine has time for.
    pub fn request_in_turn(&self, request: Request) {
        self.worker.request(Order { show: Some(request), in_turn: true, ..Order::default() });
    }

    /// Measures every algorithm for the newest job as soon as nothing else is to do, remembers the times, and computes the job anew by the fastest where the choice is automatic.
    pub fn measure(&self) {
        self.worker.request(Order { measure: true, ..Order::default() });
    }

    /// Lets times that were measured before guide the automatic choices, and keeps new ones in the same place; devices that are open are opened anew.
    pub fn know(&self, measured: Measured) {
        self.worker.request(Order { measured: Some(measured), ..Order::default() });
    }

    /// Finds out at once what is found out while nothing is asked: where nobody moves a control.
    pub fn find_out_at_once(&self) {
        self.worker.request(Order { without_rest: true, ..Order::default() });
    }

    /// The message about a device that was opened meanwhile, once.
    pub fn take_news(&self) -> Option<String> {
        self.beside.take_news()
    }

    /// The newest report.
    pub fn latest(&self) -> Option<Arc<Report>> {
        self.worker.latest()
    }

    /// The work that the engine does now.
    pub fn progress(&self) -> Option<Progress> {
        self.worker.progress()
    }

    /// Gives up the running work; its report says so.
    pub fn cancel(&self) {
        self.worker.cancel();
    }
}

/// The state that the engine's thread keeps from one request to the next.
struct Service {
    /// Where the result of the newest job is found by all who need it.
    store: Store,
    /// The lock, while times are taken.
    taken: Option<TimingGuard>,
    current: Option<Current>,
    devices: Devices,
    /// The thread that opens a GPU while the CPU answers.
    beside: Arc<OpensBeside>,
    /// The newest samples that were prepared.
    preparation: KeptPreparation,
    wants_measurement: bool,
    is_without_rest: bool,
    /// Whether the newest request waited for the job before it.
    is_in_turn: bool,
}

impl Drop for Service {
    /// The thread of the engine ends here, so that no opening begins after this one.
    fn drop(&mut self) {
        self.beside.finish();
    }
}

impl Work<Order, Report, Progress> for Service {
    fn answer(&mut self, order: Order, mailbox: &EngineMailbox) {
        let _lease = self.store.lease_device();
        if let Some(measured) = order.measured {
            self.devices = Devices::knowing(measured).opening_beside(self.beside.clone());
            self.store.forget();
        }
        self.is_without_rest |= order.without_rest;
        self.wants_measurement |= order.measure;
        if let Some(request) = order.show {
            self.is_in_turn = order.in_turn;
            self.show(request, true, mailbox);
        }
    }

    fn recover(&mut self, order: Option<Order>, fault: String, mailbox: &EngineMailbox) {
        let request = order.and_then(|order| order.show).or_else(|| self.current.as_ref().map(|current| current.request.clone()));
        self.devices = Devices::knowing(self.devices.measured().clone()).opening_beside(self.beside.clone());
        self.store.leave_device();
        (self.taken, self.wants_measurement) = (None, false);
        self.current = request.map(|request| Current::new(request.clone(), request.job, None, Err(EngineError::Fault { fault })));
        if let Some(current) = &mut self.current {
            current.show();
        }
        self.publish(mailbox);
    }

    fn idle(&mut self, rested: bool, mailbox: &EngineMailbox) -> Idle {
        if let Some(current) = self.current.as_mut().filter(|_| self.wants_measurement) {
            self.wants_measurement = false;
            mailbox.cancel().store(false, Ordering::Relaxed);
            current.measuring = Some(Measuring::Wanted);
        }
        if self.current.as_ref().is_none_or(|current| current.measuring.is_none()) {
            self.taken = None;
        }
        if self.has_timing_lock(rested || self.is_without_rest, mailbox) {
            if mailbox.begin_idle_work() {
                let _lease = self.store.lease_device();
                self.find_out(mailbox);
            }
            return Idle::Worked;
        }
        let is_left = |current: &Current| !current.idle.is_empty() || current.measuring.is_some();
        if self.current.as_ref().is_some_and(is_left) { Idle::Wait(REST) } else { Idle::Sleep }
    }
}

impl Service {
    /// Whether something is to be timed now and the lock is free; a measurement that the user asked for keeps the lock to its end.
    fn has_timing_lock(&mut self, rested: bool, mailbox: &EngineMailbox) -> bool {
        let Some(current) = &mut self.current else { return false };
        let reason = match current.measuring {
            Some(_) => TimingReason::Asked,
            None if rested && !current.idle.is_empty() => TimingReason::Rest,
            None => return false,
        };
        if self.taken.is_none() {
            self.taken = self.store.timing_lock().try_lock(reason);
        }
        if self.taken.is_none() && reason == TimingReason::Asked {
            if mailbox.cancel().load(Ordering::Relaxed) {
                current.measuring = None;
                self.publish(mailbox);
            } else if !mailbox.has_progress() {
                busy(mailbox, "Measuring the algorithms waits for the sweep".into());
            }
        }
        self.taken.is_some()
    }

    /// Computes a job unless its result is known, and shows what is visible of it. Where it was lost with its device, `tries_again` computes it anew.
    fn show(&mut self, request: Request, tries_again: bool, mailbox: &EngineMailbox) {
        let known = self.current.as_ref().is_some_and(|current| current.request.job == request.job && current.outcome.is_ok());
        if !known {
            // The result that is shown comes before long studies and sweeps.
            let _first = (go_first(self.store.group()), self.store.timing_lock().at_work());
            let signal = &request.job.signal;
            busy(mailbox, format!("Computing {} of {}", request.job.transform, signal.kind.size(signal.rows, signal.columns)));
            // While only the preparation changes, the source stays.
            let kept = self.current.as_mut().filter(|current| current.request.job.has_source_of(&request.job));
            let sources = kept.and_then(|current| current.sources.take()).map_or_else(|| Sources::new(&request.job), Ok);
            // The result before may not have been seen yet, where another job follows it at once.
            if let (Ok(sources), false) = (&sources, self.is_in_turn) {
                publish_source(&request, sources, mailbox);
            }
            let (ran, computed) = match &sources {
                Ok(_) => self.run(&request.job, mailbox.cancel()),
                Err(error) => (request.job.clone(), Err(error.clone())),
            };
            let cancelled = matches!(computed, Err(EngineError::Cancelled));
            if cancelled && mailbox.has_newer(|order| order.show.is_some()) {
                // The job before, which may be asked for again, keeps its source.
                let before = self.current.as_mut().filter(|current| current.request.job.has_source_of(&request.job));
                if let (Some(before), Ok(sources)) = (before, sources) {
                    before.sources.get_or_insert(sources);
                }
                return;
            }
            self.current = Some(Current::new(request.clone(), ran, sources.ok(), computed));
            // The result before is not read any more.
            self.store.trim();
        }
        if let Some(current) = &mut self.current {
            current.request = request.clone();
            current.show();
        }
        if let Some(Current { stored: Some(_), outcome: Err(error), .. }) = &self.current
            && tries_again
            && error.is_lost_device()
        {
            self.devices.close(error, false);
            return self.show(request, false, mailbox);
        }
        self.publish(mailbox);
    }

    /// The result of a job and the job that ran: as the store knows it, or computed here and shared with all who wait for it.
    fn run(&mut self, job: &Job, cancel: &AtomicBool) -> (Job, Result<Computed, EngineError>) {
        self.store.leave_device();
        let turn = match self.store.find(job, cancel) {
            Ok(Found::Missing(turn) | Found::OnDevice(turn, _)) => turn,
            Ok(Found::Known(result)) => {
                let (stored, outcome) = (StoredResult::Memory(result.values), Outcome::clone(&result.outcome));
                return (Job::clone(&result.ran), Ok(Computed { stored, prepared: None, outcome }));
            }
            Err(error) => return (job.clone(), Err(error)),
        };
        let (ran, computed) = self.compute(job, cancel);
        match &computed {
            Ok(computed) => turn.share(&ran, computed),
            Err(error) => turn.fail(error),
        }
        (ran, computed)
    }

    /// Prepares the samples of a job, unless they are prepared, and runs it; the job that ran comes first.
    fn compute(&mut self, job: &Job, cancel: &AtomicBool) -> (Job, Result<Computed, EngineError>) {
        match self.preparation.of(job, cancel) {
            Ok((ran, facts)) => {
                let mut computed = compute(&ran, &mut self.devices, cancel);
                if let Ok(computed) = &mut computed {
                    computed.outcome.preparation = facts;
                }
                (ran.into_owned(), computed)
            }
            Err(error) => (job.clone(), Err(error)),
        }
    }

    /// Goes on with a measurement, or finds out one thing more about the job.
    fn find_out(&mut self, mailbox: &EngineMailbox) {
        let Some(current) = &mut self.current else { return };
        if let Some(measuring) = current.measuring.take() {
            return self.measure(measuring, mailbox);
        }
        let Some(task) = current.idle.pop() else { return };
        match current.find_out(task, &mut self.devices, mailbox.cancel()) {
            // A newer request came in between; the task waits for the next pause.
            Err(EngineError::Cancelled) => current.idle.push(task),
            found => {
                if let Err(error) = found {
                    log::warn!("a comparison was left out: {error}");
                }
                current.note_progress();
                current.show();
                self.publish(mailbox);
            }
        }
    }

    /// Measures one algorithm more.
    fn measure(&mut self, measuring: Measuring, mailbox: &EngineMailbox) {
        let Some(job) = self.current.as_ref().map(|current| current.job.clone()) else { return };
        let begun = match measuring {
            Measuring::Wanted => Tuning::new(&job, &mut self.devices).map(|tuning| (Box::new(tuning), Instant::now())),
            Measuring::Running(tuning, since) => Ok((tuning, since)),
        };
        let done = begun.and_then(|(mut tuning, since)| {
            let fraction = Some(tuning.n_done() as f32 / tuning.n_contenders().max(1) as f32);
            mailbox.set_progress(Some(Progress { label: tuning.label(), fraction, since }));
            mailbox.notify();
            match tuning.step(&mut self.devices, mailbox.cancel()) {
                // A newer request goes first; without one, the user has cancelled.
                Err(EngineError::Cancelled) if mailbox.has_newer(|_| true) => Ok((tuning, since)),
                stepped => stepped.map(|()| (tuning, since)),
            }
        });
        match done {
            Ok((tuning, _)) if tuning.next().is_none() => self.take_over(&tuning, mailbox),
            Ok((tuning, since)) => {
                if let Some(current) = &mut self.current {
                    current.measuring = Some(Measuring::Running(tuning, since));
                }
            }
            Err(error) => {
                if error != EngineError::Cancelled {
                    log::warn!("the algorithms were not measured: {error}");
                }
                self.publish(mailbox);
            }
        }
    }

    /// Remembers the times and computes the job again, as another algorithm may be the fastest now.
    fn take_over(&mut self, tuning: &Tuning, mailbox: &EngineMailbox) {
        if let Some(Err(error)) = tuning.finish().map(|entry| self.devices.remember(entry)) {
            log::warn!("measured times are forgotten when the program ends: {error}");
        }
        self.store.forget();
        if let Some(current) = self.current.take() {
            self.show(current.request, true, mailbox);
        }
    }

    fn publish(&self, mailbox: &EngineMailbox) {
        mailbox.set_progress(None);
        mailbox.publish(self.current.as_ref().and_then(|current| current.report.clone()));
    }
}

fn busy(mailbox: &EngineMailbox, label: String) {
    mailbox.set_progress(Some(Progress { label, fraction: None, since: Instant::now() }));
    mailbox.notify();
}

/// The engine compares with other algorithms and devices after a pause of this length, and so never while a control moves.
const REST: Duration = Duration::from_millis(400);
