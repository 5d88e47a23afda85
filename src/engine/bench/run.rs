//! Runs a sweep in rounds over all cases, each in another order. A slow drift then affects all lines alike and widens the intervals.

use super::case::{CaseMaker, benchmark_case};
use super::measure::{self, KnownResults, RoundGoal, rotated_bytes};
use super::record::{CaseFailure, Record, SweepEnd};
use super::{Sweep, yardstick};
use crate::engine::{Backend, CaseRunner, Devices, EngineError};
use crate::fault::caught;
use crate::random::Random;
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

/// Runs a sweep. Calls `watch` with the record so far before every visit of a case. A cancelled sweep keeps its measurements.
pub fn run(sweep: &Sweep, devices: &mut Devices, watch: &mut dyn FnMut(&Record, &SweepProgress), cancel: &AtomicBool) -> Record {
    run_with(&benchmark_case, sweep, devices, watch, cancel)
}

/// Runs a sweep with benchmark cases from `make`.
pub fn run_with(
    make: &CaseMaker<'_>,
    sweep: &Sweep,
    devices: &mut Devices,
    watch: &mut dyn FnMut(&Record, &SweepProgress),
    cancel: &AtomicBool,
) -> Record {
    let Some(secs) = sweep.settings.budget_secs else { return rounds(make, sweep, devices, watch, [cancel, cancel]) };
    // A visit that has begun when the time is up may end late, but not for long.
    let late = Instant::now() + Duration::from_secs_f64(2.0 * secs.clamp(LEAST_DELAY_SECS, 1e9));
    let (stop, done) = (AtomicBool::new(false), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                stop.fetch_or(cancel.load(Ordering::Relaxed) || Instant::now() >= late, Ordering::Relaxed);
                std::thread::sleep(LOOKS_EVERY);
            }
        });
        let _done = OnDrop(&done);
        rounds(make, sweep, devices, watch, [cancel, &stop])
    })
}

/// Raises a flag at the end of its life, also where a panic ends it.
struct OnDrop<'a>(&'a AtomicBool);

impl Drop for OnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The rounds of a sweep; `stop` is raised by a cancellation, and where a visit outlasts the budget.
fn rounds(
    make: &CaseMaker<'_>,
    sweep: &Sweep,
    devices: &mut Devices,
    watch: &mut dyn FnMut(&Record, &SweepProgress),
    [cancel, stop]: [&AtomicBool; 2],
) -> Record {
    let taken_at = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let mut record = Record::begun(taken_at, sweep.clone());
    let mut cases = cases(sweep, devices);
    let repeat = sweep.settings.repeat.max(1);
    let n_rounds = ROUNDS.min(repeat);
    let deadline = sweep.settings.budget_secs.map(|secs| Instant::now() + Duration::from_secs_f64(secs.clamp(0.0, 1e9)));
    let mut runner = Runner { make, sweep, devices, cancel: stop, known: KnownResults::default(), kept: None };
    let (mut random, n_all) = (Random::new(sweep.settings.seed), n_rounds * cases.len());
    let mut n_done = 0;
    for round in 0..n_rounds {
        random.shuffle(&mut cases);
        if round == 0 && deadline.is_some() {
            // A short budget leaves out few cases if the small ones come first.
            cases.sort_by_key(|(_, shape)| shape.len());
        }
        for &(line, shape) in &cases {
            record.yardstick_micros.push(yardstick::micros());
            watch(&record, &SweepProgress { label: label(sweep, line, shape), n_done, n_all });
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                record.end = SweepEnd::OutOfTime;
                return record;
            }
            let n = repeat / n_rounds + usize::from(round < repeat % n_rounds);
            let share =
                deadline.map(|deadline| Instant::now() + deadline.saturating_duration_since(Instant::now()) / (n_all - n_done) as u32);
            runner.take(&mut record, (line, shape), RoundGoal { n, until: share });
            n_done += 1;
            let is_cancelled = cancel.load(Ordering::Relaxed);
            if is_cancelled || stop.load(Ordering::Relaxed) {
                record.end = if is_cancelled { SweepEnd::Cancelled } else { SweepEnd::OutOfTime };
                return record;
            }
        }
    }
    record.end = SweepEnd::Complete;
    watch(&record, &SweepProgress { label: String::new(), n_done, n_all });
    record
}

/// Every line at every shape. Equal cases of two lines are measured once, for example if the CPU replaces a missing GPU.
fn cases(sweep: &Sweep, devices: &mut Devices) -> Vec<(usize, Shape)> {
    let mut seen = Vec::new();
    let mut cases = Vec::new();
    for (index, line) in sweep.lines.iter().enumerate() {
        // A missing device becomes a failure of its cases.
        let device = devices.backend(&line.device).map_or_else(|_| line.device.to_string(), |(backend, _)| named(&backend));
        for &shape in &line.shapes {
            let what = (&line.label, &line.transform, &line.algorithm, line.parameters, line.cut, line.precision, device.clone(), shape);
            if !seen.contains(&what) {
                seen.push(what);
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
    fn take(&mut self, record: &mut Record, (index, shape): (usize, Shape), goal: RoundGoal) {
        if record.failures.iter().any(|failure| (failure.line, failure.shape) == (index, shape)) {
            return;
        }
        let before = record.measurements.iter().position(|known| (known.line, known.shape) == (index, shape));
        let visited = caught(|| self.visit(record, (index, shape), goal)).unwrap_or_else(|fault| Err(EngineError::Fault { fault }));
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

    fn visit(&mut self, record: &mut Record, (index, shape): (usize, Shape), goal: RoundGoal) -> Result<super::Measurement, EngineError> {
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
