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
pub struct SweepRequest {
    /// The sweep.
    pub sweep: Sweep,
    /// The times.
    pub measured: Measured,
}

impl Ask for SweepRequest {}

/// Runs sweeps; a new one takes the place of the one that runs. Dropping it cancels the sweep and joins the thread.
pub type SweepWorker = Worker<SweepRequest, Record, SweepProgress>;

/// Starts the thread. It holds the timing lock while it measures a case, lets all others go first, and calls `notify` at most four times per second.
pub fn start_sweeps(timing_lock: TimingLock, notify: impl Fn() + Send + Sync + 'static) -> SweepWorker {
    Worker::start("bench", move |request: SweepRequest, mailbox: &Mailbox<_, _, _>| measure(request, &timing_lock, mailbox), notify)
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
    let sizes: Vec<Shape> = first.shapes.iter().map(|shape| experiment.size_of(first, *shape)).collect();
    experiment.sweep(&sizes, &crate::gpu::adapters_by_backend(), sweep.settings)
}
