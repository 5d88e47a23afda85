//! The thread that runs sweeps for a window, one at a time. Results stream in, and cancelling keeps them.

use super::case::benchmark_case;
use super::{Record, Sweep, SweepProgress, experiment, run_with};
use crate::engine::{Ask, Devices, Mailbox, Measured, TimingLock, Worker};
use crate::transforms::Shape;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Shortest time between notifications: painting would disturb the measurement.
const PAUSE: Duration = Duration::from_millis(250);

/// A sweep, and the times measured before that guide its automatic choices.
#[derive(Clone)]
struct SweepRequest {
    sweep: Sweep,
    measured: Measured,
}

impl Ask for SweepRequest {}

/// A handle on the thread. Dropping it cancels the running sweep and joins the thread.
pub struct SweepWorker {
    worker: Worker<SweepRequest, Record, SweepProgress>,
}

impl SweepWorker {
    /// Starts the thread. It holds the timing lock while it measures a case, lets all others go first, and calls `notify` at most four times per second.
    pub fn start(timing_lock: TimingLock, notify: impl Fn() + Send + Sync + 'static) -> Self {
        let work = move |request: SweepRequest, mailbox: &Mailbox<_, _, _>| measure(request, &timing_lock, mailbox);
        Self { worker: Worker::start("bench", work, notify) }
    }

    /// Runs a sweep whose automatic choices follow earlier measurements; does nothing while another sweep runs.
    pub fn run(&self, sweep: Sweep, measured: Measured) {
        if !self.is_busy() {
            self.worker.take();
            self.worker.request(SweepRequest { sweep, measured });
        }
    }

    /// The newest record, complete or not.
    pub fn latest(&self) -> Option<Arc<Record>> {
        self.worker.latest()
    }

    /// The progress of the running sweep.
    pub fn progress(&self) -> Option<SweepProgress> {
        self.worker.progress()
    }

    /// Whether a sweep runs or is about to.
    pub fn is_busy(&self) -> bool {
        !self.worker.is_idle()
    }

    /// Cancels the running sweep; its measurements are kept.
    pub fn cancel(&self) {
        self.worker.cancel();
    }
}

fn measure(
    SweepRequest { sweep, measured }: SweepRequest,
    timing_lock: &TimingLock,
    mailbox: &Mailbox<SweepRequest, Record, SweepProgress>,
) {
    let mut published = None::<Instant>;
    let sweep = on_every_backend(sweep);
    // The devices are this sweep's own, and closed after it: their memory is wanted elsewhere.
    let record = run_with(
        &benchmark_case,
        &sweep,
        &mut Devices::knowing(measured),
        &mut |record, progress| {
            mailbox.set_progress(Some(progress.clone()));
            if published.is_none_or(|last| last.elapsed() >= PAUSE) {
                published = Some(Instant::now());
                mailbox.publish(Some(Arc::new(record.clone())));
            }
        },
        (timing_lock, mailbox.cancel()),
    );
    mailbox.publish(Some(Arc::new(record)));
}

/// The sweep of an experiment that compares backends, on every backend of this machine: a window does not wait for the list of them.
fn on_every_backend(sweep: Sweep) -> Sweep {
    let Some((_, experiment)) = sweep.experiment.as_deref().and_then(experiment) else { return sweep };
    let Some(first) = sweep.lines.first().filter(|_| experiment.every_adapter) else { return sweep };
    let sizes: Vec<Shape> = first.shapes.iter().map(|shape| experiment.size_of(*shape)).collect();
    experiment.sweep(&sizes, &crate::gpu::adapters_by_backend(), sweep.settings)
}
