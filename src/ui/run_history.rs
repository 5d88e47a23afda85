//! The last few hundred comparable runs: one transform by one algorithm at one size on one device.

use crate::engine::{Outcome, Times};
use crate::numerals::integer;
use crate::plan::Precision;
use crate::statistics::quartiles;
use crate::transforms::Shape;
use std::collections::VecDeque;

/// The most runs that are remembered.
pub(super) const N_RUNS: usize = 300;

/// Runs of the same kind can be compared.
#[derive(Debug, Clone, PartialEq)]
struct RunKind {
    transform: &'static str,
    algorithm: &'static str,
    shape: Shape,
    device: String,
    precision: Precision,
    n_launches: usize,
}

/// How undisturbed a run was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RunQuality {
    /// The first run of its kind, or a run that had to make kernels and buffers: drivers and memory make it slow.
    WarmUp,
    /// The user requested it, so the window was painted meanwhile, on the same device or processor.
    Requested,
    /// A repetition while the program was idle.
    Idle,
}

/// The times of a run.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TimedRun {
    /// The times of its parts.
    pub times: Times,
    /// How undisturbed it was.
    pub quality: RunQuality,
}

/// The runs of one kind, oldest first; a run of another kind starts a new history.
#[derive(Debug, Default)]
pub(super) struct RunHistory {
    kind: Option<RunKind>,
    runs: VecDeque<TimedRun>,
    /// Number of runs of this kind, including those that are forgotten.
    n_seen: usize,
    /// The first run, which also made plan, kernels and buffers.
    first: Times,
    /// The runs of the newest outcome that are already in the history.
    known: Vec<Times>,
}

/// Median and quartiles of several runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RunSummary {
    /// The median.
    pub median: f64,
    /// The lower and the upper quartile.
    pub quartiles: [f64; 2],
    /// Number of runs.
    pub n: usize,
}

impl RunHistory {
    /// Adds the runs of an outcome that are not in the history yet.
    pub(super) fn push(&mut self, transform: &'static str, outcome: &Outcome) {
        if self.known.first() != Some(&outcome.times) {
            self.known.clear();
        }
        let requested = std::iter::once((&outcome.times, RunQuality::Requested));
        let idle = outcome.again.iter().map(|times| (times, RunQuality::Idle));
        for (times, quality) in requested.chain(idle).skip(self.known.len()) {
            let kind = RunKind {
                transform,
                algorithm: outcome.algorithm,
                shape: outcome.shape,
                device: outcome.device.clone(),
                precision: outcome.precision,
                n_launches: times.launch_micros.len(),
            };
            self.known.push(times.clone());
            self.add(kind, times, quality);
        }
    }

    fn add(&mut self, kind: RunKind, times: &Times, quality: RunQuality) {
        let is_first = self.kind.as_ref() != Some(&kind);
        if is_first {
            let known = std::mem::take(&mut self.known);
            *self = Self { kind: Some(kind), first: times.clone(), known, ..Self::default() };
        }
        let quality = if is_first || times.warms_up { RunQuality::WarmUp } else { quality };
        self.runs.push_back(TimedRun { times: times.clone(), quality });
        self.n_seen += 1;
        if self.runs.len() > N_RUNS {
            self.runs.pop_front();
        }
    }

    /// The runs, oldest first.
    pub(super) fn runs(&self) -> &VecDeque<TimedRun> {
        &self.runs
    }

    /// The newest run.
    pub(super) fn newest(&self) -> Option<&Times> {
        self.runs.back().map(|run| &run.times)
    }

    /// Number of runs that are forgotten.
    pub(super) fn n_forgotten(&self) -> usize {
        self.n_seen - self.runs.len()
    }

    /// Number of launches of a run.
    pub(super) fn n_launches(&self) -> usize {
        self.kind.as_ref().map_or(0, |kind| kind.n_launches)
    }

    /// The remembered runs as text, such as `runs 1 to 20 of dft at 1024`.
    pub(super) fn label(&self) -> String {
        let runs = match (self.n_forgotten() + 1, self.n_seen) {
            (first, last) if first == last => format!("run {first}"),
            (first, last) => format!("runs {first} to {last}"),
        };
        match &self.kind {
            None => runs,
            Some(RunKind { transform, shape, .. }) if shape.rows == 1 => format!("{runs} of {transform} at {}", integer(shape.columns)),
            Some(RunKind { transform, shape, .. }) => {
                format!("{runs} of {transform} at {} × {}", integer(shape.rows), integer(shape.columns))
            }
        }
    }

    /// The first run, which made plan, kernels and buffers and touched the memory first.
    pub(super) fn first(&self) -> &Times {
        &self.first
    }

    /// Whether the run at this place counts: only [`Outcome::counted_runs`] of the newest outcome do, so that every place in the window names the same median.
    pub(super) fn counts(&self, index: usize) -> bool {
        // The first run of an outcome counts until there are runs at rest, which come after it.
        index + self.known.len().saturating_sub(1).max(1) >= self.runs.len()
    }

    /// Whether the runs that count were made at rest.
    pub(super) fn is_at_rest(&self) -> bool {
        self.known.len() > 1
    }

    /// The runs that count.
    pub(super) fn counted(&self) -> impl Iterator<Item = &Times> {
        self.runs.iter().enumerate().filter(|(index, _)| self.counts(*index)).map(|(_, run)| &run.times)
    }

    /// Median and quartiles of one part of the runs that count, in µs.
    pub(super) fn summary(&self, part: impl Fn(&Times) -> f64) -> Option<RunSummary> {
        let values: Vec<f64> = self.counted().map(part).collect();
        let n = values.len();
        let [low, median, high] = quartiles(values)?;
        Some(RunSummary { median, quartiles: [low, high], n })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Contents;
    use crate::transforms::Axes;

    fn kind(columns: usize) -> RunKind {
        RunKind {
            transform: "dft",
            algorithm: "stockham",
            shape: Shape::line(columns),
            device: "CPU".into(),
            precision: Precision::Single,
            n_launches: 1,
        }
    }

    fn times(total: usize) -> Times {
        Times { total_micros: total as f64, launch_micros: vec![total as f64 / 2.0], ..Times::default() }
    }

    #[test]
    fn the_history_forgets_old_runs_and_still_counts_them() {
        let mut history = RunHistory::default();
        for run in 0..100 * N_RUNS {
            history.add(kind(8), &times(run), RunQuality::Requested);
        }
        assert_eq!((history.runs.len(), history.n_seen, history.n_forgotten()), (N_RUNS, 100 * N_RUNS, 99 * N_RUNS));
        assert!(history.runs.capacity() <= 2 * N_RUNS, "memory stays bounded");
        history.add(kind(16), &Times::default(), RunQuality::Requested);
        assert_eq!((history.runs.len(), history.n_seen), (1, 1));
    }

    #[test]
    fn the_medians_are_those_of_the_newest_outcome() {
        let outcome = |first: usize, again: &[usize]| Outcome {
            times: times(first),
            again: again.iter().map(|&total| times(total)).collect(),
            ..Outcome::new("stockham", Shape::line(8), Axes::Rows, Contents::Values)
        };
        let mut history = RunHistory::default();
        assert_eq!(history.summary(Times::kernel_micros), None);
        // A result shows its first run, then those at rest; the next result begins anew, and a long one replaces all that is remembered.
        let longest: Vec<usize> = (0..2 * N_RUNS).collect();
        for (first, again, n) in
            [(1000, &[][..], 1), (1000, &[10, 20], 2), (1000, &[10, 20, 60], 3), (70, &[], 1), (70, &[5], 1), (80, &longest, N_RUNS)]
        {
            let outcome = outcome(first, again);
            history.push("dft", &outcome);
            let summary = |part: fn(&Times) -> f64| history.summary(part).map(|summary| (summary.median, summary.n));
            if n < N_RUNS {
                assert_eq!(summary(Times::kernel_micros), Some((outcome.kernel_median(), n)));
                assert_eq!(summary(|times| times.total_micros), Some((outcome.total_median(), n)));
            }
            assert_eq!((history.is_at_rest(), history.counted().count()), (!again.is_empty(), n));
            assert_eq!(history.newest().map(|times| times.total_micros), Some(again.last().map_or(first, |last| *last) as f64));
        }
        assert_eq!(history.first().total_micros, 1000.0);
    }
}
