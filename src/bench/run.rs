//! Runs a sweep: rounds over all cases, each in another order, so that what changes in the meantime changes every line alike and widens the intervals.

use super::measure::{self, Goal, Known, rotated_bytes};
use super::record::{End, Failure, Record};
use super::subject::{Maker, subject};
use super::{Sweep, yardstick};
use crate::engine::{Backend, CaseRunner, Devices, EngineError};
use crate::random::Random;
use crate::transforms::Shape;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Rounds that the runs of a case are spread over: where rounds differ, fewer of them cannot hold the true median in 95 of 100 intervals, as three lie on one side of it every fourth time.
const ROUNDS: usize = 6;

/// How far a sweep is.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// What is measured now: "dft of 1 × 1024 on gpu".
    pub label: String,
    /// Visits that are done; a case is visited once a round.
    pub n_done: usize,
    /// Visits in all.
    pub n_all: usize,
}

/// Measures everything, and calls `watch` with what there is before every visit of a case; a sweep that is cancelled keeps what it has.
pub fn run(sweep: &Sweep, devices: &mut Devices, watch: &mut dyn FnMut(&Record, &Progress), cancel: &AtomicBool) -> Record {
    run_with(&subject, sweep, devices, watch, cancel)
}

/// The same with other subjects than the engine's.
pub fn run_with(
    make: &Maker<'_>,
    sweep: &Sweep,
    devices: &mut Devices,
    watch: &mut dyn FnMut(&Record, &Progress),
    cancel: &AtomicBool,
) -> Record {
    let taken_at = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let mut record = Record::begun(taken_at, sweep.clone());
    let mut cases = cases(sweep, devices);
    let repeat = sweep.settings.repeat.max(1);
    let n_rounds = ROUNDS.min(repeat);
    let deadline = sweep.settings.budget_secs.map(|secs| Instant::now() + Duration::from_secs_f64(secs.clamp(0.0, 1e9)));
    let mut runner = Runner { make, sweep, devices, cancel, known: Known::default(), kept: None };
    let (mut random, n_all) = (Random::new(sweep.settings.seed), n_rounds * cases.len());
    let mut n_done = 0;
    for round in 0..n_rounds {
        random.shuffle(&mut cases);
        for &(line, shape) in &cases {
            record.yardstick_micros.push(yardstick::micros());
            watch(&record, &Progress { label: label(sweep, line, shape), n_done, n_all });
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                record.end = End::OutOfTime;
                return record;
            }
            let n = repeat / n_rounds + usize::from(round < repeat % n_rounds);
            let share =
                deadline.map(|deadline| Instant::now() + deadline.saturating_duration_since(Instant::now()) / (n_all - n_done) as u32);
            runner.take(&mut record, (line, shape), Goal { n, until: share });
            n_done += 1;
            if cancel.load(Ordering::Relaxed) {
                record.end = End::Cancelled;
                return record;
            }
        }
    }
    record.end = End::Complete;
    watch(&record, &Progress { label: String::new(), n_done, n_all });
    record
}

/// Every line at every shape; what two lines would measure alike is measured once, as the CPU where it stands in for a GPU that is not there.
fn cases(sweep: &Sweep, devices: &mut Devices) -> Vec<(usize, Shape)> {
    let mut seen = Vec::new();
    let mut cases = Vec::new();
    for (index, line) in sweep.lines.iter().enumerate() {
        // A device that is not there says so when its turn comes.
        let device = devices.place(&line.device).map_or_else(|_| line.device.to_string(), |(place, _)| named(&place));
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
    make: &'a Maker<'a>,
    sweep: &'a Sweep,
    devices: &'a mut Devices,
    cancel: &'a AtomicBool,
    known: Known,
    /// What was visited last: a sweep of one case makes it once.
    kept: Option<((usize, Shape), Box<dyn CaseRunner>)>,
}

impl Runner<'_> {
    /// Visits a case, and adds what it took to the record; a case that failed once is left alone.
    fn take(&mut self, record: &mut Record, (index, shape): (usize, Shape), goal: Goal) {
        if record.failures.iter().any(|failure| (failure.line, failure.shape) == (index, shape)) {
            return;
        }
        let before = record.measurements.iter().position(|known| (known.line, known.shape) == (index, shape));
        match self.visit(record, (index, shape), goal) {
            Ok(round) => match before {
                Some(place) => measure::join(&mut record.measurements[place], round),
                None => {
                    let order = |line: usize, shape: Shape| (line, shape.len(), shape.rows);
                    let key = order(index, shape);
                    let place = record.measurements.partition_point(|known| order(known.line, known.shape) < key);
                    record.measurements.insert(place, round);
                }
            },
            // What was not judged does not count.
            Err(EngineError::Cancelled) => {}
            Err(error) => record.failures.push(Failure { line: index, shape, reason: error.to_string() }),
        }
    }

    fn visit(&mut self, record: &mut Record, (index, shape): (usize, Shape), goal: Goal) -> Result<super::Measurement, EngineError> {
        let (line, settings) = (&self.sweep.lines[index], &self.sweep.settings);
        // What is not wanted again is gone before the next one takes its memory.
        let kept = self.kept.take().filter(|(case, _)| *case == (index, shape));
        let mut subject = match kept {
            Some((_, subject)) => subject,
            None => (self.make)(line, shape, settings.data, rotated_bytes(line, settings), self.devices, self.cancel)?,
        };
        let adapters = &mut record.machine.adapters;
        adapters.extend(subject.adapter().filter(|adapter| !adapters.contains(adapter)));
        let measured = measure::visit((index, line, shape), &mut *subject, settings, goal, &mut self.known, self.devices, self.cancel)?;
        self.kept = Some(((index, shape), subject));
        Ok(measured)
    }
}
