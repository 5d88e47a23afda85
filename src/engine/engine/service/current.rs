//! The current job with its result: renders the visible part, and lists the idle tasks that are left.

use crate::cpu::CpuBackend;
use crate::display::Look;
use crate::engine::choice::cut_on_cpu;
use crate::engine::limits::ValueLimits;
use crate::engine::rendering::{self, Sources};
use crate::engine::worker::Mailbox;
use crate::engine::{
    Computed, DeviceChoice, EngineError, Job, Outcome, RenderedImage, Report, Request, StoredResult, Tuning, VisibleParts,
};
use crate::signal::Signal;
use crate::transforms::{Input, transform};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Comparisons and the error are found out for results of at most this number of values.
const LARGEST_COMPARISON: usize = 1 << 22;
/// The current job with its result.
pub(super) struct Current {
    pub(super) request: Request,
    /// The job that ran: that of the request, on prepared samples and on the device that it took.
    pub(super) job: Job,
    /// The result, if the job succeeded.
    pub(super) stored: Option<StoredResult>,
    /// The samples, which are shown even if the job fails.
    pub(super) sources: Option<Sources>,
    pub(super) outcome: Result<Arc<Outcome>, EngineError>,
    pub(super) limits: Option<(Look, ValueLimits)>,
    pub(super) report: Option<Arc<Report>>,
    /// Comparisons that are still to be made.
    pub(super) idle: Vec<IdleTask>,
    /// A measurement that was asked for; it goes before the comparisons.
    pub(super) measuring: Option<Measuring>,
}

/// A measurement that was asked for.
pub(super) enum Measuring {
    /// It has not begun.
    Wanted,
    /// It runs since this time.
    Running(Box<Tuning>, Instant),
}

/// A task for an idle engine.
#[derive(Debug, Clone, Copy)]
pub(super) enum IdleTask {
    Error,
    Again,
    Floor,
    Time(Timed),
}

/// An algorithm and device for the transform of a job.
#[derive(Debug, Clone, Copy)]
pub(super) enum Timed {
    /// As the user has set it.
    AsSet,
    /// The plan that ran, on the CPU.
    Plan(CpuBackend),
    /// The library.
    Library,
}

/// All idle tasks of a job, the last one first.
fn left_to_find_out(job: &Job, outcome: &Outcome) -> Vec<IdleTask> {
    if outcome.shape.len() > LARGEST_COMPARISON {
        return Vec::new();
    }
    let planned = outcome.plan.is_some();
    let ran = outcome.ran(job);
    let algorithm = transform(ran.transform).and_then(|transform| transform.algorithm(outcome.algorithm)).ok();
    let runs = |way: &CpuBackend| algorithm.is_some_and(|algorithm| cut_on_cpu(ran.cut, *way, algorithm, ran.parameters).is_ok());
    let mut idle: Vec<IdleTask> =
        CpuBackend::ALL.into_iter().rev().filter(|way| planned && runs(way)).map(|way| IdleTask::Time(Timed::Plan(way))).collect();
    let library = transform(job.transform).is_ok_and(|transform| transform.library().is_some() && transform.input != Input::Equations);
    idle.extend(library.then_some(IdleTask::Time(Timed::Library)));
    idle.extend([IdleTask::Time(Timed::AsSet), IdleTask::Floor, IdleTask::Again, IdleTask::Error]);
    idle
}

impl Current {
    /// A job with its result and all its idle tasks.
    pub(super) fn new(request: Request, mut job: Job, sources: Option<Sources>, computed: Result<Computed, EngineError>) -> Self {
        if let (DeviceChoice::Auto, Ok(Computed { outcome, .. })) = (&job.device, &computed) {
            // Further runs of this job belong to the same device, whatever is open by then.
            job.device = if outcome.commands.is_some() { DeviceChoice::Gpu } else { DeviceChoice::CpuParallel };
        }
        let (stored, outcome) = match computed {
            Ok(Computed { stored, mut outcome, .. }) => {
                if let StoredResult::Memory(values) = &stored {
                    let signals: Vec<&Signal> = [Some(&job.signal), job.second.as_ref()].into_iter().flatten().map(AsRef::as_ref).collect();
                    outcome.losses = outcome.losses_of_values(&signals, values);
                }
                (Some(stored), Ok(Arc::new(outcome)))
            }
            Err(error) => (None, Err(error)),
        };
        let idle = outcome.as_ref().map_or(Vec::new(), |outcome| left_to_find_out(&job, outcome));
        let mut current = Self { request, job, stored, sources, outcome, limits: None, report: None, idle, measuring: None };
        current.note_progress();
        current
    }

    /// Renders the visible part; an error of the device becomes the outcome.
    pub(super) fn show(&mut self) {
        let (is_new, start) = (self.report.is_none(), Instant::now());
        let mut report = self.render().unwrap_or_else(|error| {
            self.outcome = Err(error.clone());
            self.report(Err(error))
        });
        if let (true, Some(stored), Ok(outcome)) = (is_new, &self.stored, &mut self.outcome) {
            let times = &mut Arc::make_mut(outcome).times;
            match stored {
                // Only the visible part of a result on the device is downloaded.
                StoredResult::Gpu(_) => times.add_download(start),
                StoredResult::Memory(_) => times.image_micros = start.elapsed().as_secs_f64() * 1e6,
            }
            report.outcome = Some(Ok(outcome.clone()));
        }
        self.report = Some(Arc::new(report));
    }

    /// A report without views.
    fn report(&self, outcome: Result<Arc<Outcome>, EngineError>) -> Report {
        let request = self.request.clone();
        Report { request, outcome: Some(outcome), image: None, source: None, second: None, line: None, probe: None }
    }

    /// Renders the visible part; parts that have not changed are taken from the last report.
    pub(super) fn render(&mut self) -> Result<Report, EngineError> {
        let last = self.report.take();
        let last = last.as_deref();
        let mut report = self.report(self.outcome.clone());
        let VisibleParts { look, image, source, second, line, probe } = self.request.view.clone();
        if let (Some(frame), Some(Sources { first, .. })) = (source, &self.sources) {
            let kept = last.and_then(|last| last.source.clone());
            report.source = Some(keep_or(kept, |kept| kept.frame == frame, || Ok(first.image(frame)))?);
        }
        if let (Some(frame), Some(Sources { second: Some(image), .. })) = (second, &self.sources) {
            let kept = last.and_then(|last| last.second.clone());
            report.second = Some(keep_or(kept, |kept| kept.frame == frame, || Ok(image.image(frame)))?);
        }
        let (Some(stored), Ok(outcome)) = (&self.stored, &self.outcome) else { return Ok(report) };
        let (shape, axes) = (outcome.shape, outcome.axes);
        // Views are short work and are never given up.
        let go_on = &AtomicBool::new(false);
        if let Some(frame) = image {
            let kept = last.filter(|last| last.request.view.look == look).and_then(|last| last.image.clone());
            let key = |look: &Look| (look.quantity, look.scale, look.colormap);
            let limits = match self.limits.filter(|(seen, _)| key(seen) == key(&look)) {
                Some((_, limits)) => limits,
                None => rendering::limits(stored, shape, &look, go_on)?,
            };
            self.limits = Some((look, limits));
            let make = || rendering::image(stored, shape, axes, &look, frame, limits, go_on);
            report.image = Some(keep_or(kept, |kept: &RenderedImage| kept.frame == frame, make)?);
        }
        if let Some(frame) = line {
            let kept = last.and_then(|last| last.line.clone());
            report.line = Some(keep_or(kept, |kept| kept.frame == frame, || rendering::spectrum_line(stored, shape, axes, frame, go_on))?);
        }
        if let Some(index) = probe.filter(|[row, column]| *row < shape.rows && *column < shape.columns) {
            report.probe = Some((index, rendering::probe(stored, shape, index, go_on)?));
        }
        Ok(report)
    }

    /// Notes in the outcome whether idle tasks are left.
    pub(super) fn note_progress(&mut self) {
        if let Ok(outcome) = &mut self.outcome {
            Arc::make_mut(outcome).complete = self.idle.is_empty();
        }
    }
}

/// Shows the source at once; the last result stays visible until the next one comes.
pub(super) fn publish_source<Q, P>(request: &Request, Sources { first, second }: &Sources, mailbox: &Mailbox<Q, Report, P>) {
    let last = mailbox.latest();
    let last = last.as_deref();
    mailbox.publish(Some(Arc::new(Report {
        request: request.clone(),
        outcome: None,
        image: last.and_then(|last| last.image.clone()),
        source: request.view.source.map(|frame| Arc::new(first.image(frame))),
        second: request.view.second.zip(second.as_ref()).map(|(frame, second)| Arc::new(second.image(frame))),
        line: last.and_then(|last| last.line.clone()),
        probe: None,
    })));
}

/// The last view if it is still right, or a new one.
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
