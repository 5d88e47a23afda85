//! The runs so far: the last few hundred of one transform by one plan on one device, oldest first.

use crate::bench::quartiles;
use crate::engine::{Outcome, Times};
use crate::numerals::integer;
use crate::plan::Precision;
use crate::transforms::Shape;
use std::collections::VecDeque;

/// Runs that are remembered.
pub(super) const N_RUNS: usize = 300;

/// What runs have in common that can be compared.
#[derive(Debug, Clone, PartialEq)]
struct Kind {
    transform: &'static str,
    algorithm: &'static str,
    shape: Shape,
    device: String,
    precision: Precision,
    n_launches: usize,
}

/// How well the time of a run stands for the work alone, the best last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Quality {
    /// The first of its kind, or one for which kernels and buffers were made: what drivers and memory put off until then makes it slow.
    WarmsUp,
    /// It was asked for, and the window was painted meanwhile, which takes from the device or the processor where both are one.
    Asked,
    /// Done again while nothing else was to do.
    AtRest,
}

/// A run that is remembered.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Run {
    /// Where its time went.
    pub times: Times,
    /// How well that stands for the work alone.
    pub quality: Quality,
}

/// The runs of one kind so far, oldest first: others would need another scale.
#[derive(Debug, Default)]
pub(in crate::ui) struct History {
    of: Option<Kind>,
    runs: VecDeque<Run>,
    n_seen: usize,
    /// The first run, which was paid once.
    first: Times,
    /// The runs of the newest outcome that are known already.
    known: Vec<Times>,
}

/// Median and quartiles of several runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Summary {
    /// The middle.
    pub median: f64,
    /// A quarter of the runs is below the first, and a quarter above the second.
    pub quartiles: [f64; 2],
    /// How many runs.
    pub n: usize,
}

impl History {
    /// Remembers the runs of an outcome that are not remembered yet.
    pub(in crate::ui) fn push(&mut self, transform: &'static str, outcome: &Outcome) {
        if self.known.first() != Some(&outcome.times) {
            self.known.clear();
        }
        let asked = std::iter::once((&outcome.times, Quality::Asked));
        let at_rest = outcome.again.iter().map(|times| (times, Quality::AtRest));
        for (times, quality) in asked.chain(at_rest).skip(self.known.len()) {
            let kind = Kind {
                transform,
                algorithm: outcome.algorithm,
                shape: outcome.shape,
                device: outcome.device.clone(),
                precision: outcome.precision,
                n_launches: times.launch_micros.len(),
            };
            self.known.push(times.clone());
            self.take(kind, times, quality);
        }
    }

    fn take(&mut self, kind: Kind, times: &Times, quality: Quality) {
        let is_first = self.of.as_ref() != Some(&kind);
        if is_first {
            let known = std::mem::take(&mut self.known);
            *self = Self { of: Some(kind), first: times.clone(), known, ..Self::default() };
        }
        let quality = if is_first || times.warms_up { Quality::WarmsUp } else { quality };
        self.runs.push_back(Run { times: times.clone(), quality });
        self.n_seen += 1;
        if self.runs.len() > N_RUNS {
            self.runs.pop_front();
        }
    }

    /// The runs, oldest first.
    pub(super) fn runs(&self) -> &VecDeque<Run> {
        &self.runs
    }

    /// The newest run.
    pub(super) fn newest(&self) -> Option<&Times> {
        self.runs.back().map(|run| &run.times)
    }

    /// How many runs came before the first that is remembered.
    pub(super) fn n_forgotten(&self) -> usize {
        self.n_seen - self.runs.len()
    }

    /// Launches of a run.
    pub(super) fn n_launches(&self) -> usize {
        self.of.as_ref().map_or(0, |kind| kind.n_launches)
    }

    /// Which runs are remembered, and what they are of.
    pub(super) fn label(&self) -> String {
        let runs = match (self.n_forgotten() + 1, self.n_seen) {
            (first, last) if first == last => format!("run {first}"),
            (first, last) => format!("runs {first} to {last}"),
        };
        match &self.of {
            None => runs,
            Some(Kind { transform, shape, .. }) if shape.rows == 1 => format!("{runs} of {transform} at {}", integer(shape.columns)),
            Some(Kind { transform, shape, .. }) => format!("{runs} of {transform} at {} × {}", integer(shape.rows), integer(shape.columns)),
        }
    }

    /// The first run, which paid for plan, kernels and buffers, and touched the memory first.
    pub(super) fn first(&self) -> &Times {
        &self.first
    }

    /// The quality of the runs that count: the best that there is.
    pub(super) fn quality(&self) -> Quality {
        self.runs.iter().map(|run| run.quality).max().unwrap_or(Quality::WarmsUp)
    }

    /// The runs that count.
    pub(super) fn counted(&self) -> impl Iterator<Item = &Times> {
        let best = self.quality();
        self.runs.iter().filter(move |run| run.quality == best).map(|run| &run.times)
    }

    /// What one part of the runs that count comes to.
    pub(super) fn summary(&self, part: impl Fn(&Times) -> f64) -> Option<Summary> {
        let values: Vec<f64> = self.counted().map(part).collect();
        let [low, median, high] = quartiles(&values)?;
        Some(Summary { median, quartiles: [low, high], n: values.len() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(columns: usize) -> Kind {
        Kind {
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
    fn the_history_forgets_what_is_old_and_counts_on() {
        let mut history = History::default();
        for run in 0..100 * N_RUNS {
            history.take(kind(8), &times(run), Quality::Asked);
        }
        assert_eq!((history.runs.len(), history.n_seen, history.n_forgotten()), (N_RUNS, 100 * N_RUNS, 99 * N_RUNS));
        assert!(history.runs.capacity() <= 2 * N_RUNS, "memory stays bounded");
        history.take(kind(16), &Times::default(), Quality::Asked);
        assert_eq!((history.runs.len(), history.n_seen), (1, 1));
    }

    #[test]
    fn summaries_are_of_the_best_runs() {
        let mut history = History::default();
        for total in [1000, 10, 20, 30, 40, 50] {
            history.take(kind(8), &times(total), Quality::Asked);
        }
        // Another plan of the same kind: its kernels are compiled for it.
        history.take(kind(8), &Times { warms_up: true, ..times(2000) }, Quality::Asked);
        let summary = history.summary(|times| times.total_micros);
        assert_eq!(summary, Some(Summary { median: 30.0, quartiles: [20.0, 40.0], n: 5 }));
        assert_eq!(history.summary(Times::kernel_micros).map(|summary| summary.median), Some(15.0));
        assert_eq!((history.first().total_micros, history.newest().map(|run| run.total_micros)), (1000.0, Some(2000.0)));
        assert_eq!(History::default().summary(Times::kernel_micros), None);
        let mut single = History::default();
        single.take(kind(8), &times(7), Quality::Asked);
        assert_eq!(single.summary(Times::kernel_micros).map(|summary| summary.n), Some(1), "the only run is better than none");
        history.take(kind(8), &times(5), Quality::AtRest);
        history.take(kind(8), &times(60), Quality::Asked);
        assert_eq!(history.summary(|times| times.total_micros).map(|summary| (summary.median, summary.n)), Some((5.0, 1)));
    }
}
