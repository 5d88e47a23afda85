//! Runs a sweep in rounds over all cases, each in another order. A slow drift then affects all lines alike and widens the intervals.

use super::case::{CaseMaker, benchmark_case};
use super::measure::{self, KnownResults, RoundGoal, rotated_bytes};
use super::record::{CaseFailure, Record, SweepEnd};
use super::{Sweep, SweepLine, yardstick};
use crate::engine::{Backend, CaseRunner, Devices, EngineError, TimingLock, TimingReason};
use crate::fault::caught;
use crate::random::Random;
use crate::threads;
use crate::transforms::Shape;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Rounds over which the runs of a case are spread. Fewer rounds cannot give a 95 % interval: with three, all lie on one side of the true median every fourth time.
const ROUNDS: usize = 6;

/// A budget below this ends after twice this time at the latest, in seconds, and every other one after twice the budget.
const LEAST_DELAY_SECS: f64 = 2.0;
/// How often the end of the budget is looked for.
const LOOKS_EVERY: Duration = Duration::from_millis(20);

/// The progress of a sweep.
#[derive(Debug, Clone, PartialEq)]
pub struct SweepProgress {
    /// The current case, as "dft of 1 × 1024 on gpu".
    pub label: String,
    /// Number of finished visits; every round visits each case once.
    pub n_done: usize,
    /// Number of all visits.
    pub n_all: usize,
}

/// Runs a sweep for one who does nothing else meanwhile. Calls `watch` with the record so far before every visit of a case. A cancelled sweep keeps its measurements.
pub fn run(sweep: &Sweep, devices: &mut Devices, watch: &mut dyn FnMut(&Record, &SweepProgress), cancel: &AtomicBool) -> Record {
    run_with(&benchmark_case, sweep, devices, watch, (&TimingLock::default(), cancel))
}

/// Runs a sweep with benchmark cases from `make`, which hold the timing lock. A case that is measured while somebody else needs the lock or computes
/// is given up, and measured again afterwards.
pub fn run_with(
    make: &CaseMaker<'_>,
    sweep: &Sweep,
    devices: &mut Devices,
    watch: &mut dyn FnMut(&Record, &SweepProgress),
    (timing_lock, cancel): (&TimingLock, &AtomicBool),
) -> Record {
    // A visit that has begun when the time is up may end late, but not for long.
    let late = sweep.settings.budget_secs.map(|secs| Instant::now() + Duration::from_secs_f64(2.0 * secs.clamp(LEAST_DELAY_SECS, 1e9)));
    let (stop, done) = (AtomicBool::new(false), AtomicBool::new(false));
    let interruption = Interruption { timing_lock, cancel, late, stop: &stop };
    std::thread::scope(|scope| {
        let interrupt = || {
            while !done.load(Ordering::Relaxed) {
                stop.fetch_or(interruption.ends() || timing_lock.is_wanted(), Ordering::Relaxed);
                std::thread::sleep(LOOKS_EVERY);
            }
        };
        std::thread::Builder::new().name("sweep clock".into()).spawn_scoped(scope, interrupt).expect("the system starts a thread");
        let _done = OnDrop(&done);
        rounds(make, sweep, devices, watch, &interruption)
    })
}

/// The reasons to interrupt a sweep.
struct Interruption<'a> {
    timing_lock: &'a TimingLock,
    cancel: &'a AtomicBool,
    /// When a visit outlasts the budget.
    late: Option<Instant>,
    /// Raised for the visit that runs.
    stop: &'a AtomicBool,
}

impl Interruption<'_> {
    /// Whether the sweep ends here.
    fn ends(&self) -> bool {
        self.cancel.load(Ordering::Relaxed) || self.late.is_some_and(|late| Instant::now() >= late)
    }

    /// Visits a case as soon as nobody else needs the machine, and again where it was disturbed. Returns how the sweep ends here, if it does.
    fn visit(&self, mut visit: impl FnMut()) -> Option<SweepEnd> {
        loop {
            let locked = self.timing_lock.lock(TimingReason::Sweep, self.cancel);
            self.stop.store(self.ends(), Ordering::Relaxed);
            visit();
            drop(locked);
            if self.ends() {
                return Some(if self.cancel.load(Ordering::Relaxed) { SweepEnd::Cancelled } else { SweepEnd::OutOfTime });
            }
            if !self.stop.load(Ordering::Relaxed) {
                return None;
            }
        }
    }
}

/// Raises a flag at the end of its life, also where a panic ends it.
struct OnDrop<'a>(&'a AtomicBool);

impl Drop for OnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The rounds of a sweep.
fn rounds(
    make: &CaseMaker<'_>,
    sweep: &Sweep,
    devices: &mut Devices,
    watch: &mut dyn FnMut(&Record, &SweepProgress),
    interruption: &Interruption<'_>,
) -> Record {
    let taken_at = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let mut record = Record::begun(taken_at, sweep.clone());
    let mut cases = cases(sweep, devices);
    let repeat = sweep.settings.repeat.max(1);
    let n_rounds = ROUNDS.min(repeat);
    let deadline = sweep.settings.budget_secs.map(|secs| Instant::now() + Duration::from_secs_f64(secs.clamp(0.0, 1e9)));
    let mut runner = Runner { make, sweep, devices, cancel: interruption.stop, known: KnownResults::default(), kept: None };
    let (mut random, n_all) = (Random::new(sweep.settings.seed), n_rounds * cases.len());
    let mut n_done = 0;
    for round in 0..n_rounds {
        random.shuffle(&mut cases);
        if round == 0 && deadline.is_some() {
            // A short budget leaves out few cases if the small ones come first.
            cases.sort_by_key(|(_, shape)| shape.len());
        }
        for &(line, shape) in &cases {
            watch(&record, &SweepProgress { label: label(sweep, line, shape), n_done, n_all });
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                record.end = SweepEnd::OutOfTime;
                return record;
            }
            let n = repeat / n_rounds + usize::from(round < repeat % n_rounds);
            let share =
                deadline.map(|deadline| Instant::now() + deadline.saturating_duration_since(Instant::now()) / (n_all - n_done) as u32);
            let visit = || {
                record.yardstick_micros.push(yardstick::micros());
                runner.take(&mut record, line, shape, RoundGoal { n, until: share });
            };
            if let Some(end) = interruption.visit(visit) {
                record.end = end;
                return record;
            }
            n_done += 1;
        }
    }
    record.end = SweepEnd::Complete;
    watch(&record, &SweepProgress { label: String::new(), n_done, n_all });
    record
}

/// Every line at every shape. Equal cases of two lines are measured once, for example if the CPU replaces a missing GPU.
fn cases(sweep: &Sweep, devices: &mut Devices) -> Vec<(usize, Shape)> {
    let mut seen: Vec<(&SweepLine, String, Shape)> = Vec::new();
    let mut cases = Vec::new();
    for (index, line) in sweep.lines.iter().enumerate() {
        // A missing device becomes a failure of its cases.
        let device = devices.backend(&line.device).map_or_else(|_| line.device.to_string(), |(backend, _)| named(&backend));
        for &shape in &line.shapes {
            if !seen.iter().any(|(known, at, of)| (at, *of) == (&device, shape) && known.asks_as(line)) {
                seen.push((line, device.clone(), shape));
                cases.push((index, shape));
            }
        }
    }
    cases
}

fn named(place: &Backend) -> String {
    place.name()
}

fn label(sweep: &Sweep, line: usize, shape: Shape) -> String {
    let line = &sweep.lines[line];
    format!("{} of {} × {} on {}", line.transform, shape.rows, shape.columns, line.device)
}

struct Runner<'a> {
    make: &'a CaseMaker<'a>,
    sweep: &'a Sweep,
    devices: &'a mut Devices,
    cancel: &'a AtomicBool,
    known: KnownResults,
    /// The last case, kept because a sweep of one case visits it again.
    kept: Option<((usize, Shape), Box<dyn CaseRunner>)>,
}

impl Runner<'_> {
    /// Visits a case and adds its times to the record. A case that failed once is skipped.
    fn take(&mut self, record: &mut Record, index: usize, shape: Shape, goal: RoundGoal) {
        if record.failures.iter().any(|failure| (failure.line, failure.shape) == (index, shape)) {
            return;
        }
        let before = record.measurements.iter().position(|known| (known.line, known.shape) == (index, shape));
        let visited = caught(|| threads::on(self.sweep.lines[index].cpu_threads, || self.visit(record, index, shape, goal)))
            .unwrap_or_else(|fault| Err(EngineError::Fault { fault }));
        match visited {
            Ok(round) => match before {
                Some(place) => measure::join(&mut record.measurements[place], round),
                None => {
                    let order = |line: usize, shape: Shape| (line, shape.len(), shape.rows);
                    let key = order(index, shape);
                    let place = record.measurements.partition_point(|known| order(known.line, known.shape) < key);
                    record.measurements.insert(place, round);
                }
            },
            // An unchecked result does not count.
            Err(EngineError::Cancelled) => {}
            Err(error) => record.failures.push(CaseFailure { line: index, shape, reason: error.to_string() }),
        }
    }

    fn visit(&mut self, record: &mut Record, index: usize, shape: Shape, goal: RoundGoal) -> Result<super::Measurement, EngineError> {
        let (line, settings) = (&self.sweep.lines[index], &self.sweep.settings);
        // Another case is dropped before the new one allocates memory.
        let kept = self.kept.take().filter(|(case, _)| *case == (index, shape));
        let mut case = match kept {
            Some((_, case)) => case,
            None => (self.make)(line, shape, settings.data, rotated_bytes(line, settings), self.devices, self.cancel)?,
        };
        let adapters = &mut record.machine.adapters;
        adapters.extend(case.adapter().filter(|adapter| !adapters.contains(adapter)));
        let measured = measure::visit((index, line, shape), &mut *case, settings, goal, &mut self.known, self.devices, self.cancel)?;
        self.kept = Some(((index, shape), case));
        Ok(measured)
    }
}
