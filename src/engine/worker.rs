//! The thread that works: it takes the newest request, gives up what is out of date, and compares with other ways when it is idle.

mod idle;
mod measure;

use super::compute::{self, Computed};
use super::views::{self, Sources};
use super::{Devices, EngineError, Held, Job, Measured, Outcome, Picture, Progress, Reason, Report, Request, Stopwatch, Taken, View};
use crate::numerals::integer;
use idle::Idle;
use measure::Measuring;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A handle on the worker; dropping it ends the thread and waits for it.
pub struct Engine {
    shared: Arc<Shared>,
    stopwatch: Stopwatch,
    worker: Option<JoinHandle<()>>,
}

struct Shared {
    inbox: Mutex<Inbox>,
    wake: Condvar,
    latest: Mutex<Option<Arc<Report>>>,
    progress: Mutex<Option<Progress>>,
    /// Raised when the running work is out of date.
    stale: AtomicBool,
    notify: Box<dyn Fn() + Send + Sync>,
}

#[derive(Default)]
struct Inbox {
    newest: Option<Request>,
    running: Option<Job>,
    /// Whether the ways to compute what is shown are to be measured.
    measure: bool,
    /// What was measured before, until the worker has taken it over.
    measured: Option<Measured>,
    /// Whether the worker finds out what is left to find out; anything newer goes before that.
    idling: bool,
    closed: bool,
}

impl Engine {
    /// Starts the worker; `notify` is called from its thread whenever there is something new to see.
    pub fn start(notify: impl Fn() + Send + Sync + 'static) -> Self {
        let shared = Arc::new(Shared {
            inbox: Mutex::default(),
            wake: Condvar::new(),
            latest: Mutex::default(),
            progress: Mutex::default(),
            stale: AtomicBool::new(false),
            notify: Box::new(notify),
        });
        let stopwatch = Stopwatch::default();
        let worker =
            Worker { shared: shared.clone(), stopwatch: stopwatch.clone(), hand: None, current: None, devices: Devices::default() };
        let thread = std::thread::Builder::new().name("engine".into());
        let worker = thread.spawn(move || worker.run()).expect("the system starts a thread");
        Self { shared, stopwatch, worker: Some(worker) }
    }

    /// What the worker takes before it takes times beyond those of the work itself: others who have it are not disturbed.
    pub fn stopwatch(&self) -> Stopwatch {
        self.stopwatch.clone()
    }

    /// Asks for something; an older request that has not been answered is forgotten.
    pub fn request(&self, request: Request) {
        let mut inbox = locked(&self.shared.inbox);
        if inbox.idling || inbox.running.as_ref().is_some_and(|running| *running != request.job) {
            self.shared.stale.store(true, Ordering::Relaxed);
        }
        inbox.newest = Some(request);
        self.shared.wake.notify_one();
    }

    /// The newest report.
    pub fn latest(&self) -> Option<Arc<Report>> {
        locked(&self.shared.latest).clone()
    }

    /// What the worker is busy with.
    pub fn progress(&self) -> Option<Progress> {
        locked(&self.shared.progress).clone()
    }

    /// Gives up the running work; its report says so.
    pub fn cancel(&self) {
        self.shared.stale.store(true, Ordering::Relaxed);
        self.shared.wake.notify_one();
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        locked(&self.shared.inbox).closed = true;
        self.shared.stale.store(true, Ordering::Relaxed);
        self.shared.wake.notify_one();
        // A driver that is unloaded at the end of the program while a thread still uses its device brings the program down.
        if let Some(worker) = self.worker.take()
            && worker.join().is_err()
        {
            log::error!("the engine ended in a panic");
        }
    }
}

/// The job whose result is held.
struct Current {
    request: Request,
    /// What was computed, where it could be.
    held: Option<Held>,
    /// The samples, which are shown whatever becomes of them.
    sources: Option<Sources>,
    outcome: Result<Arc<Outcome>, EngineError>,
    extremes: Option<(crate::display::Look, [f32; 2])>,
    report: Option<Arc<Report>>,
    /// Comparisons that are still to be made.
    idle: Vec<Idle>,
    /// A measurement that was asked for; it goes before the comparisons.
    measuring: Option<Measuring>,
}

struct Worker {
    shared: Arc<Shared>,
    stopwatch: Stopwatch,
    /// The stopwatch, while the worker takes times.
    hand: Option<Taken>,
    current: Option<Current>,
    devices: Devices,
}

impl Worker {
    fn run(mut self) {
        while let Some(next) = self.next() {
            match next {
                Some(request) => self.answer(request),
                None => self.idle(),
            }
        }
    }

    /// The newest request; `Some(None)` when there is none but something is left to find out; `None` when the engine is gone.
    fn next(&mut self) -> Option<Option<Request>> {
        let shared = self.shared.clone();
        let mut inbox = locked(&shared.inbox);
        inbox.running = None;
        inbox.idling = false;
        if self.current.as_ref().is_none_or(|current| current.measuring.is_none()) {
            self.hand = None;
        }
        let mut rested = false;
        loop {
            if inbox.closed {
                return None;
            }
            if let Some(measured) = inbox.measured.take() {
                self.devices = Devices::knowing(measured);
            }
            if let Some(request) = inbox.newest.take() {
                shared.stale.store(false, Ordering::Relaxed);
                inbox.running = Some(request.job.clone());
                return Some(Some(request));
            }
            if let Some(current) = self.current.as_mut().filter(|_| inbox.measure) {
                inbox.measure = false;
                shared.stale.store(false, Ordering::Relaxed);
                current.measuring = Some(Measuring::Wanted);
            }
            if self.has_stopwatch(rested) {
                shared.stale.store(false, Ordering::Relaxed);
                inbox.idling = true;
                return Some(None);
            }
            if self.current.as_ref().is_some_and(|current| !current.idle.is_empty() || current.measuring.is_some()) {
                let (guard, waited) = shared.wake.wait_timeout(inbox, REST).unwrap_or_else(PoisonError::into_inner);
                inbox = guard;
                rested = waited.timed_out();
            } else {
                inbox = shared.wake.wait(inbox).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    /// Whether something is to be timed now, and the worker has the stopwatch for it; it keeps it for the whole of a measurement that was asked for.
    fn has_stopwatch(&mut self, rested: bool) -> bool {
        let Some(current) = &mut self.current else { return false };
        let reason = match current.measuring {
            Some(_) => Reason::Asked,
            None if rested && !current.idle.is_empty() => Reason::Rest,
            None => return false,
        };
        if self.hand.is_none() {
            self.hand = self.stopwatch.try_take(reason);
        }
        if self.hand.is_none() && reason == Reason::Asked {
            if self.shared.stale.load(Ordering::Relaxed) {
                current.measuring = None;
                self.publish();
            } else if locked(&self.shared.progress).is_none() {
                self.busy("Measuring the algorithms waits for the sweep".into());
            }
        }
        self.hand.is_some()
    }

    fn answer(&mut self, request: Request) {
        let known = self.current.as_ref().is_some_and(|current| current.request.job == request.job && current.outcome.is_ok());
        if !known {
            self.busy(format!(
                "Computing {} of {} × {}",
                request.job.transform,
                integer(request.job.signal.rows),
                integer(request.job.signal.columns)
            ));
            let sources = Sources::new(&request.job);
            if let Ok(sources) = &sources {
                self.publish_source(&request, sources);
            }
            let stale = &self.shared.stale;
            let computed = match &sources {
                Ok(_) => compute::compute(&request.job, &mut self.devices, stale),
                Err(error) => Err(error.clone()),
            };
            let cancelled = matches!(computed, Err(EngineError::Cancelled));
            if cancelled && locked(&self.shared.inbox).newest.is_some() {
                return;
            }
            self.current = Some(Current::new(request.clone(), sources.ok(), computed));
        }
        if let Some(current) = &mut self.current {
            current.request = request;
            current.show();
        }
        self.publish();
    }

    /// The source is worth seeing at once; what is shown of the last result stays until the next one comes.
    fn publish_source(&self, request: &Request, Sources { first, second }: &Sources) {
        let mut latest = locked(&self.shared.latest);
        let last = latest.as_deref();
        *latest = Some(Arc::new(Report {
            request: request.clone(),
            outcome: None,
            picture: last.and_then(|last| last.picture.clone()),
            source: request.view.source.map(|frame| Arc::new(first.picture(frame))),
            line: last.and_then(|last| last.line.clone()),
            source_line: request.view.source_line.map(|frame| Arc::new(first.line(frame))),
            second_line: request.view.second_line.zip(second.as_ref()).map(|(frame, second)| Arc::new(second.line(frame))),
            probe: None,
        }));
        drop(latest);
        (self.shared.notify)();
    }

    /// One of the things that are left to find out.
    fn idle(&mut self) {
        let Some(current) = &mut self.current else { return };
        if let Some(measuring) = current.measuring.take() {
            return self.measure(measuring);
        }
        let Some(task) = current.idle.pop() else { return };
        match current.find_out(task, &mut self.devices, &self.shared.stale) {
            // Something newer came in between; the task waits for the next rest.
            Err(EngineError::Cancelled) => current.idle.push(task),
            found => {
                if let Err(error) = found {
                    log::warn!("a comparison was left out: {error}");
                }
                current.note_progress();
                current.show();
                self.publish();
            }
        }
    }

    fn busy(&self, label: String) {
        *locked(&self.shared.progress) = Some(Progress { label, fraction: None, since: Instant::now() });
        (self.shared.notify)();
    }

    fn publish(&self) {
        *locked(&self.shared.progress) = None;
        *locked(&self.shared.latest) = self.current.as_ref().and_then(|current| current.report.clone());
        (self.shared.notify)();
    }
}

/// How long the worker waits for the next request before it compares with other ways: while a control moves it never does.
const REST: Duration = Duration::from_millis(400);

impl Current {
    fn new(request: Request, sources: Option<Sources>, computed: Result<Computed, EngineError>) -> Self {
        let (held, outcome) = match computed {
            Ok(Computed { held, outcome, .. }) => (Some(held), Ok(Arc::new(outcome))),
            Err(error) => (None, Err(error)),
        };
        let idle = outcome.as_ref().map_or(Vec::new(), |outcome| idle::left_to_find_out(&request.job, outcome));
        let mut current = Self { request, held, sources, outcome, extremes: None, report: None, idle, measuring: None };
        current.note_progress();
        current
    }

    /// Renders what is visible; an error of the device becomes the outcome.
    fn show(&mut self) {
        let (is_new, start) = (self.report.is_none(), Instant::now());
        let mut report = self.render().unwrap_or_else(|error| {
            self.outcome = Err(error.clone());
            self.report(Err(error))
        });
        // Of a result that stays on the device, what is shown comes back.
        if let (true, Some(Held::Gpu(_)), Ok(outcome)) = (is_new, &self.held, &mut self.outcome) {
            Arc::make_mut(outcome).times.brought_back(start);
            report.outcome = Some(Ok(outcome.clone()));
        }
        self.report = Some(Arc::new(report));
    }

    /// A report without views.
    fn report(&self, outcome: Result<Arc<Outcome>, EngineError>) -> Report {
        let request = self.request.clone();
        let (picture, source, line, source_line, second_line) = (None, None, None, None, None);
        Report { request, outcome: Some(outcome), picture, source, line, source_line, second_line, probe: None }
    }

    /// What is visible; what was visible already is taken from the last report.
    fn render(&mut self) -> Result<Report, EngineError> {
        let last = self.report.take();
        let last = last.as_deref();
        let mut report = self.report(self.outcome.clone());
        let View { look, picture, source, line, source_line, second_line, probe } = self.request.view.clone();
        if let (Some(frame), Some(Sources { first, .. })) = (source, &self.sources) {
            let kept = last.and_then(|last| last.source.clone());
            report.source = Some(keep_or(kept, |kept| kept.frame == frame, || Ok(first.picture(frame)))?);
        }
        if let (Some(frame), Some(Sources { first, .. })) = (source_line, &self.sources) {
            let kept = last.and_then(|last| last.source_line.clone());
            report.source_line = Some(keep_or(kept, |kept| kept.frame == frame, || Ok(first.line(frame)))?);
        }
        if let (Some(frame), Some(Sources { second: Some(second), .. })) = (second_line, &self.sources) {
            let kept = last.and_then(|last| last.second_line.clone());
            report.second_line = Some(keep_or(kept, |kept| kept.frame == frame, || Ok(second.line(frame)))?);
        }
        let (Some(held), Ok(outcome)) = (&self.held, &self.outcome) else { return Ok(report) };
        let (shape, axes) = (outcome.shape, outcome.axes);
        // Views are short work and are never given up.
        let go_on = &AtomicBool::new(false);
        if let Some(frame) = picture {
            let kept = last.filter(|last| last.request.view.look == look).and_then(|last| last.picture.clone());
            let known = self.extremes.filter(|(seen, _)| (seen.quantity, seen.scale) == (look.quantity, look.scale));
            let extremes = match known {
                Some((_, extremes)) => extremes,
                None => views::extremes(held, shape, &look)?,
            };
            self.extremes = Some((look, extremes));
            let make = || views::picture(held, shape, axes, &look, frame, extremes, go_on);
            report.picture = Some(keep_or(kept, |kept: &Picture| kept.frame == frame, make)?);
        }
        if let Some(frame) = line {
            let kept = last.and_then(|last| last.line.clone());
            report.line = Some(keep_or(kept, |kept| kept.frame == frame, || views::spectrum_line(held, shape, axes, frame, go_on))?);
        }
        if let Some(index) = probe.filter(|[row, column]| *row < shape.rows && *column < shape.columns) {
            report.probe = Some((index, views::probe(held, shape, index, go_on)?));
        }
        Ok(report)
    }

    /// Says in the outcome whether anything is left to find out.
    fn note_progress(&mut self) {
        if let Ok(outcome) = &mut self.outcome {
            Arc::make_mut(outcome).complete = self.idle.is_empty();
        }
    }
}

/// What is kept when it still shows the right thing, or a new one.
fn keep_or<T>(
    kept: Option<Arc<T>>,
    is_right: impl Fn(&T) -> bool,
    make: impl FnOnce() -> Result<T, EngineError>,
) -> Result<Arc<T>, EngineError> {
    match kept.filter(|kept| is_right(kept)) {
        Some(kept) => Ok(kept),
        None => Ok(Arc::new(make()?)),
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
