//! The engine's thread: it computes the newest request and gives up what is out of date; when it is idle it compares with other algorithms and devices.

mod idle;
mod measure;

use super::compute::{self, Computed};
use super::views::{self, Sources};
use super::worker::{Ask, Desk, Idle, Progress, Work, Worker};
use super::{Devices, EngineError, Held, Measured, Outcome, Picture, Reason, Report, Request, Stopwatch, Taken, View};
use crate::numerals::integer;
use idle::IdleTask;
use measure::Measuring;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What the window asks of the engine.
#[derive(Debug, Clone, Default)]
struct Order {
    /// A job and the part of its result that is visible.
    show: Option<Request>,
    /// Times that were measured before, which guide the choices from now on.
    measured: Option<Measured>,
    /// Whether the algorithms for the newest job are to be measured.
    measure: bool,
}

impl Ask for Order {
    fn merged(self, waiting: Self) -> Self {
        Self { show: self.show.or(waiting.show), measured: self.measured.or(waiting.measured), measure: self.measure || waiting.measure }
    }

    /// A change of the view alone does not give up a transform.
    fn is_outdated_by(&self, newer: &Self) -> bool {
        self.show.as_ref().zip(newer.show.as_ref()).is_some_and(|(running, newer)| running.job != newer.job)
    }
}

type EngineDesk = Desk<Order, Report, Progress>;

/// A handle on the thread that computes transforms; dropping it ends the thread and waits for it.
pub struct Engine {
    worker: Worker<Order, Report>,
    stopwatch: Stopwatch,
}

impl Engine {
    /// Starts the thread; `notify` is called from it whenever there is something new to see.
    pub fn start(notify: impl Fn() + Send + Sync + 'static) -> Self {
        let stopwatch = Stopwatch::default();
        let service =
            Service { stopwatch: stopwatch.clone(), taken: None, current: None, devices: Devices::default(), wants_measurement: false };
        Self { worker: Worker::start("engine", service, notify), stopwatch }
    }

    /// The lock that the engine takes before it measures anything beyond the job itself, shared with all others who measure.
    pub fn stopwatch(&self) -> Stopwatch {
        self.stopwatch.clone()
    }

    /// Asks for something; an older request that has not been answered is forgotten.
    pub fn request(&self, request: Request) {
        self.worker.request(Order { show: Some(request), ..Order::default() });
    }

    /// Measures every algorithm for the newest job as soon as nothing else is to do, remembers the times, and computes the job anew by the fastest where the choice is automatic.
    pub fn measure(&self) {
        self.worker.request(Order { measure: true, ..Order::default() });
    }

    /// Lets times that were measured before guide the automatic choices, and keeps new ones in the same place; devices that are open are opened anew.
    pub fn know(&self, measured: Measured) {
        self.worker.request(Order { measured: Some(measured), ..Order::default() });
    }

    /// The newest report.
    pub fn latest(&self) -> Option<Arc<Report>> {
        self.worker.latest()
    }

    /// What the engine is busy with.
    pub fn progress(&self) -> Option<Progress> {
        self.worker.progress()
    }

    /// Gives up the running work; its report says so.
    pub fn cancel(&self) {
        self.worker.cancel();
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
    idle: Vec<IdleTask>,
    /// A measurement that was asked for; it goes before the comparisons.
    measuring: Option<Measuring>,
}

/// What the engine's thread keeps from one request to the next.
struct Service {
    stopwatch: Stopwatch,
    /// The stopwatch, while times are taken.
    taken: Option<Taken>,
    current: Option<Current>,
    devices: Devices,
    wants_measurement: bool,
}

impl Work<Order, Report, Progress> for Service {
    fn answer(&mut self, order: Order, desk: &EngineDesk) {
        if let Some(measured) = order.measured {
            self.devices = Devices::knowing(measured);
        }
        self.wants_measurement |= order.measure;
        if let Some(request) = order.show {
            self.show(request, desk);
        }
    }

    fn idle(&mut self, rested: bool, desk: &EngineDesk) -> Idle {
        if let Some(current) = self.current.as_mut().filter(|_| self.wants_measurement) {
            self.wants_measurement = false;
            desk.cancel().store(false, Ordering::Relaxed);
            current.measuring = Some(Measuring::Wanted);
        }
        if self.current.as_ref().is_none_or(|current| current.measuring.is_none()) {
            self.taken = None;
        }
        if self.has_stopwatch(rested, desk) {
            if desk.begin_idle_work() {
                self.find_out(desk);
            }
            return Idle::Worked;
        }
        let is_left = |current: &Current| !current.idle.is_empty() || current.measuring.is_some();
        if self.current.as_ref().is_some_and(is_left) { Idle::Wait(REST) } else { Idle::Sleep }
    }
}

impl Service {
    /// Whether something is to be timed now and the stopwatch is free for it; a measurement that the user asked for keeps it to its end.
    fn has_stopwatch(&mut self, rested: bool, desk: &EngineDesk) -> bool {
        let Some(current) = &mut self.current else { return false };
        let reason = match current.measuring {
            Some(_) => Reason::Asked,
            None if rested && !current.idle.is_empty() => Reason::Rest,
            None => return false,
        };
        if self.taken.is_none() {
            self.taken = self.stopwatch.try_take(reason);
        }
        if self.taken.is_none() && reason == Reason::Asked {
            if desk.cancel().load(Ordering::Relaxed) {
                current.measuring = None;
                self.publish(desk);
            } else if !desk.has_progress() {
                busy(desk, "Measuring the algorithms waits for the sweep".into());
            }
        }
        self.taken.is_some()
    }

    /// Computes a job unless its result is known, and shows what is visible of it.
    fn show(&mut self, request: Request, desk: &EngineDesk) {
        let known = self.current.as_ref().is_some_and(|current| current.request.job == request.job && current.outcome.is_ok());
        if !known {
            let [rows, columns] = [request.job.signal.rows, request.job.signal.columns].map(integer);
            busy(desk, format!("Computing {} of {rows} × {columns}", request.job.transform));
            let sources = Sources::new(&request.job);
            if let Ok(sources) = &sources {
                publish_source(&request, sources, desk);
            }
            let computed = match &sources {
                Ok(_) => compute::compute(&request.job, &mut self.devices, desk.cancel()),
                Err(error) => Err(error.clone()),
            };
            let cancelled = matches!(computed, Err(EngineError::Cancelled));
            if cancelled && desk.has_newer(|order| order.show.is_some()) {
                return;
            }
            self.current = Some(Current::new(request.clone(), sources.ok(), computed));
        }
        if let Some(current) = &mut self.current {
            current.request = request;
            current.show();
        }
        self.publish(desk);
    }

    /// Goes on with a measurement, or finds out one thing more about the job.
    fn find_out(&mut self, desk: &EngineDesk) {
        let Some(current) = &mut self.current else { return };
        if let Some(measuring) = current.measuring.take() {
            return self.measure(measuring, desk);
        }
        let Some(task) = current.idle.pop() else { return };
        match current.find_out(task, &mut self.devices, desk.cancel()) {
            // A newer request came in between; the task waits for the next pause.
            Err(EngineError::Cancelled) => current.idle.push(task),
            found => {
                if let Err(error) = found {
                    log::warn!("a comparison was left out: {error}");
                }
                current.note_progress();
                current.show();
                self.publish(desk);
            }
        }
    }

    fn publish(&self, desk: &EngineDesk) {
        desk.set_progress(None);
        desk.publish(self.current.as_ref().and_then(|current| current.report.clone()));
    }
}

fn busy(desk: &EngineDesk, label: String) {
    desk.set_progress(Some(Progress { label, fraction: None, since: Instant::now() }));
    desk.notify();
}

/// Shows the source at once; the last result stays visible until the next one comes.
fn publish_source(request: &Request, Sources { first, second }: &Sources, desk: &EngineDesk) {
    let last = desk.latest();
    let last = last.as_deref();
    desk.publish(Some(Arc::new(Report {
        request: request.clone(),
        outcome: None,
        picture: last.and_then(|last| last.picture.clone()),
        source: request.view.source.map(|frame| Arc::new(first.picture(frame))),
        line: last.and_then(|last| last.line.clone()),
        source_line: request.view.source_line.map(|frame| Arc::new(first.line(frame))),
        second_line: request.view.second_line.zip(second.as_ref()).map(|(frame, second)| Arc::new(second.line(frame))),
        probe: None,
    })));
}

/// The engine compares with other algorithms and devices after a pause of this length, and so never while a control moves.
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
