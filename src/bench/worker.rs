//! The thread that runs sweeps for a window: one at a time, with results that stream in, and a way to give up that keeps them.

use super::{Progress, Record, Sweep, run};
use crate::engine::{Devices, Measured, Reason, Stopwatch};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The window is told of news at most this often, so that its painting does not disturb what is measured.
const PAUSE: Duration = Duration::from_millis(250);

#[derive(Default)]
struct Desk {
    wish: Option<Sweep>,
    is_running: bool,
    progress: Option<Progress>,
    latest: Option<Arc<Record>>,
    measured: Measured,
    closed: bool,
}

struct Shared {
    desk: Mutex<Desk>,
    wake: Condvar,
    cancel: AtomicBool,
    stopwatch: Stopwatch,
    notify: Box<dyn Fn() + Send + Sync>,
}

/// A handle on the thread; dropping it gives up the running sweep, ends the thread and waits for it.
pub struct Bench {
    shared: Arc<Shared>,
    worker: Option<JoinHandle<()>>,
}

impl Bench {
    /// Starts the thread; it has the stopwatch for as long as a sweep runs, and `notify` is called from it when there is something new to see, at most four times a second.
    pub fn start(stopwatch: Stopwatch, notify: impl Fn() + Send + Sync + 'static) -> Self {
        let shared = Arc::new(Shared {
            desk: Mutex::default(),
            wake: Condvar::new(),
            cancel: AtomicBool::new(false),
            stopwatch,
            notify: Box::new(notify),
        });
        let theirs = shared.clone();
        let worker = std::thread::Builder::new().name("bench".into()).spawn(move || work(&theirs)).expect("the system starts a thread");
        Self { shared, worker: Some(worker) }
    }

    /// Runs a sweep, with automatic choices guided by what was measured before; nothing happens while another one runs.
    pub fn run(&self, sweep: Sweep, measured: Measured) {
        let mut desk = locked(&self.shared.desk);
        if desk.is_running || desk.wish.is_some() {
            return;
        }
        self.shared.cancel.store(false, Ordering::Relaxed);
        (desk.wish, desk.measured, desk.latest) = (Some(sweep), measured, None);
        self.shared.wake.notify_one();
    }

    /// What the newest sweep has come to so far.
    pub fn latest(&self) -> Option<Arc<Record>> {
        locked(&self.shared.desk).latest.clone()
    }

    /// How far the running sweep is.
    pub fn progress(&self) -> Option<Progress> {
        locked(&self.shared.desk).progress.clone()
    }

    /// Whether a sweep runs or is about to.
    pub fn is_busy(&self) -> bool {
        let desk = locked(&self.shared.desk);
        desk.is_running || desk.wish.is_some()
    }

    /// Gives up the running sweep; what it has measured is kept.
    pub fn cancel(&self) {
        self.shared.cancel.store(true, Ordering::Relaxed);
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        locked(&self.shared.desk).closed = true;
        self.cancel();
        self.shared.wake.notify_one();
        if let Some(worker) = self.worker.take()
            && worker.join().is_err()
        {
            log::error!("the bench ended in a panic");
        }
    }
}

fn work(shared: &Shared) {
    loop {
        let mut desk = locked(&shared.desk);
        let (sweep, measured) = loop {
            if desk.closed {
                return;
            }
            match desk.wish.take() {
                Some(sweep) => break (sweep, desk.measured.clone()),
                None => desk = shared.wake.wait(desk).unwrap_or_else(PoisonError::into_inner),
            }
        };
        desk.is_running = true;
        drop(desk);
        // A sweep that is given up before it begins still says so in its record.
        let taken = shared.stopwatch.take(Reason::Asked, &shared.cancel);
        let mut told = Instant::now();
        // The devices are this sweep's own, and closed after it: their memory is wanted elsewhere.
        let record = run(
            &sweep,
            &mut Devices::knowing(measured),
            &mut |record, progress| {
                let mut desk = locked(&shared.desk);
                desk.progress = Some(progress.clone());
                if told.elapsed() >= PAUSE || desk.latest.is_none() {
                    told = Instant::now();
                    desk.latest = Some(Arc::new(record.clone()));
                    drop(desk);
                    (shared.notify)();
                }
            },
            &shared.cancel,
        );
        drop(taken);
        let mut desk = locked(&shared.desk);
        (desk.is_running, desk.progress, desk.latest) = (false, None, Some(Arc::new(record)));
        drop(desk);
        (shared.notify)();
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::{End, Line, Settings};
    use crate::engine::DeviceChoice;
    use crate::transforms::Shape;

    #[test]
    fn a_sweep_that_is_given_up_keeps_what_it_has() {
        let (send, heard) = std::sync::mpsc::channel();
        let send = Mutex::new(send);
        let bench = Bench::start(Stopwatch::default(), move || {
            let _ = locked(&send).send(());
        });
        let shapes = (3..9).map(|k| Shape::line(1 << k)).collect();
        let settings = Settings { repeat: 3000, ..Settings::default() };
        let sweep = Sweep { name: "long".into(), experiment: None, lines: vec![Line::new("walsh", DeviceChoice::Cpu, shapes)], settings };
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
        assert_eq!(record.end, End::Cancelled);
        assert!(!record.measurements.is_empty() && record.measurements.iter().all(|case| case.is_right() && case.kernel().n >= 1));
    }
}
