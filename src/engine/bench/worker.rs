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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::{CaseMaker, SweepEnd, SweepLine, SweepSettings};
    use crate::engine::{DeviceChoice, TimingReason, locked};
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    #[test]
    fn a_sweep_that_is_given_up_keeps_what_it_has() {
        let (send, heard) = std::sync::mpsc::channel();
        let send = Mutex::new(send);
        let bench = SweepWorker::start(TimingLock::default(), move || {
            let _ = locked(&send).send(());
        });
        let shapes = (3..9).map(|k| Shape::line(1 << k)).collect();
        let settings = SweepSettings { repeat: 3000, ..SweepSettings::default() };
        let sweep =
            Sweep { name: "long".into(), experiment: None, lines: vec![SweepLine::new("walsh", DeviceChoice::Cpu, shapes)], settings };
        bench.run(sweep.clone(), Measured::default());
        let deadline = Instant::now() + Duration::from_secs(60);
        while bench.latest().is_none_or(|record| record.measurements.is_empty()) && Instant::now() < deadline {
            let _ = heard.recv_timeout(Duration::from_millis(100));
        }
        assert!(bench.is_busy() && bench.progress().is_some_and(|progress| progress.n_done > 0 && progress.n_all == 36));
        bench.run(sweep, Measured::default());
        bench.cancel();
        while bench.is_busy() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(5));
        }
        let record = bench.latest().expect("there is a record");
        assert_eq!(record.end, SweepEnd::Cancelled);
        assert!(!record.measurements.is_empty() && record.measurements.iter().all(|case| case.is_right() && case.kernel().n >= 1));
    }

    /// A sweep over one case that takes a while.
    fn sweep(repeat: usize) -> Sweep {
        let lines = vec![SweepLine::new("walsh", DeviceChoice::Cpu, vec![Shape::line(1 << 14)])];
        Sweep { name: "test".into(), experiment: None, lines, settings: SweepSettings { repeat, ..SweepSettings::default() } }
    }

    #[test]
    fn a_sweep_gives_way_to_work_and_to_other_measurements() {
        let (timing_lock, go_on) = (TimingLock::default(), AtomicBool::new(false));
        let bench = SweepWorker::start(timing_lock.clone(), || {});
        bench.run(sweep(1_000_000), Measured::default());
        let deadline = Instant::now() + Duration::from_secs(60);
        while !timing_lock.is_asked() {
            assert!(Instant::now() < deadline, "the sweep does not begin");
            std::thread::sleep(Duration::from_millis(1));
        }
        // A visit of this case takes minutes; it ends at once, and the lock is free.
        let begin = Instant::now();
        let guard = timing_lock.lock(TimingReason::Asked, &go_on).expect("nobody gives up");
        let work = timing_lock.at_work();
        drop(guard);
        assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", begin.elapsed());
        std::thread::sleep(Duration::from_millis(200));
        assert!(bench.is_busy() && !timing_lock.is_asked(), "it pauses while somebody works");
        drop(work);
        while !timing_lock.is_asked() {
            assert!(Instant::now() < deadline, "the sweep does not go on");
            std::thread::sleep(Duration::from_millis(1));
        }
        bench.cancel();
    }

    #[test]
    fn a_case_that_was_disturbed_is_measured_again() {
        let timing_lock = TimingLock::default();
        let n_visits = AtomicUsize::new(0);
        let make: &CaseMaker<'_> = &|line, shape, data, rotated, devices, cancel| {
            // The first visit is disturbed until it is given up.
            let work = (n_visits.fetch_add(1, Ordering::Relaxed) == 0).then(|| timing_lock.at_work());
            while work.is_some() && !cancel.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(1));
            }
            benchmark_case(line, shape, data, rotated, devices, cancel)
        };
        let go_on = AtomicBool::new(false);
        let record = run_with(make, &sweep(1), &mut Devices::default(), &mut |_, _| {}, (&timing_lock, &go_on));
        assert_eq!((record.end, record.measurements.len(), n_visits.into_inner()), (SweepEnd::Complete, 1, 2));
        assert!(record.failures.is_empty(), "{:?}", record.failures);
    }
}
