//! The padding of a transposition, measured here and now with and without it.

use super::follow::Target;
use crate::engine::{Ask, Cancellable, PaddingTimes, Reply, TimingLock, TimingReason, Worker, time_padding};
use crate::gpu::AdapterInfo;
use crate::numerals::{duration, number};
use crate::plan::Plan;
use crate::ui::pane::PaneServices;
use crate::ui::theme::GRID;
use crate::ui::widgets;
use egui::Ui;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A transposition to measure.
#[derive(Debug, Clone)]
struct PaddingRequest {
    plan: Arc<Plan>,
    stage: usize,
    is_double: bool,
    adapter: usize,
}

impl PartialEq for PaddingRequest {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.plan, &other.plan) && (self.stage, self.is_double, self.adapter) == (other.stage, other.is_double, other.adapter)
    }
}

impl Ask for PaddingRequest {}

/// The times, or why there are none; `None` where the measurement was given up.
#[derive(Debug, Clone)]
struct Timed(Option<Result<PaddingTimes, String>>);

impl Cancellable for Timed {
    fn failed(fault: String) -> Self {
        Self(Some(Err(fault)))
    }

    fn is_cancelled(&self) -> bool {
        self.0.is_none()
    }
}

/// What measures the padding, one measurement at a time.
pub(super) struct PaddingTimer {
    lock: TimingLock,
    worker: Option<Worker<PaddingRequest, Reply<PaddingRequest, Timed>>>,
}

impl PaddingTimer {
    pub(super) fn new(services: &PaneServices) -> Self {
        Self { lock: services.timing_lock.clone(), worker: None }
    }

    pub(super) fn is_idle(&self) -> bool {
        self.worker.as_ref().is_none_or(Worker::is_idle)
    }

    /// Gives up a measurement; returns whether one ran.
    pub(super) fn cancel(&mut self) -> bool {
        let runs = !self.is_idle();
        self.worker.iter().for_each(Worker::cancel);
        runs
    }

    /// The button that measures, and what was measured.
    pub(super) fn ui(&mut self, ui: &mut Ui, adapters: &[AdapterInfo], device: &str, target: &Target, launch: Option<usize>) {
        let Some(launch) = launch.filter(|_| target.ran) else { return };
        let Some(adapter) = adapters.iter().find(|adapter| device.contains(&adapter.name)) else {
            return;
        };
        let stage = target.schedule.launches[launch].stages.start;
        let request = PaddingRequest { plan: target.plan.clone(), stage, is_double: target.is_double(), adapter: adapter.index };
        ui.add_space(2.0 * GRID);
        let about = "Runs this transposition alone with rows 33 and 32 lanes apart in workgroup memory, in turn";
        let button = ui.add_enabled(self.is_idle(), egui::Button::new("Measure the padding"));
        let ctx = ui.ctx().clone();
        if button.on_hover_text(about).clicked() {
            let lock = self.lock.clone();
            let worker = self.worker.get_or_insert_with(|| {
                let answer = move |request: &PaddingRequest, cancel: &AtomicBool, _: &dyn Fn(&str, f32)| measure(request, &lock, cancel);
                Worker::answering("padding", answer, move || ctx.request_repaint())
            });
            worker.request(request.clone());
        }
        if !self.is_idle() {
            widgets::weak(ui, "The padding is being measured");
            return;
        }
        let Some(reply) = self.worker.as_ref().and_then(Worker::latest).filter(|reply| reply.request == request) else { return };
        match &reply.result.0 {
            Some(Ok(times)) => drop(ui.add(egui::Label::new(told(times)).wrap())),
            Some(Err(error)) => widgets::error(ui, error),
            None => {}
        }
    }
}

fn measure(request: &PaddingRequest, lock: &TimingLock, cancel: &AtomicBool) -> Timed {
    use crate::plan::Precision::{Double, Single};
    let Some(_guard) = lock.lock(TimingReason::Asked, cancel) else { return Timed(None) };
    let precision = if request.is_double { Double } else { Single };
    let times = time_padding(&request.plan, request.stage, precision, request.adapter, cancel);
    Timed((!cancel.load(Ordering::Relaxed)).then(|| times.map_err(|error| crate::ui::remedy::in_words(&error))))
}

/// The times in words.
fn told(times: &PaddingTimes) -> String {
    let one = |[median, low, high]: [f64; 3]| format!("{} ({} to {})", duration(median), duration(low), duration(high));
    let [padded, plain] = times.micros.map(one);
    let verdict = match times.gain() {
        None => "no measurable gain".to_owned(),
        Some(gain) => format!("{} times as fast with padding", number(gain, 3)),
    };
    let PaddingTimes { n, adapter, .. } = times;
    format!("Pitch 33: {padded}; pitch 32: {plain}; medians and quartiles of {n} on {adapter}: {verdict}")
}
