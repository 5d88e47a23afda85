//! The runs so far: the last few hundred of one transform by one plan on one device, oldest first.

use crate::bench::quartiles;
use crate::engine::{Outcome, Times};
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
    n_launches: usize,
}

/// The runs of one kind so far, oldest first: others would need another scale.
#[derive(Debug, Default)]
pub(in crate::ui) struct History {
    of: Option<Kind>,
    runs: VecDeque<Times>,
    n_seen: usize,
    /// Preparation and total of the first run.
    first: (f64, f64),
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
    /// Remembers a run, unless it is the one that was remembered last.
    pub(in crate::ui) fn push(&mut self, transform: &'static str, outcome: &Outcome) {
        let kind = Kind {
            transform,
            algorithm: outcome.algorithm,
            shape: outcome.shape,
            device: outcome.device.clone(),
            n_launches: outcome.times.launch_micros.len(),
        };
        self.take(kind, &outcome.times);
    }

    fn take(&mut self, kind: Kind, times: &Times) {
        if self.of.as_ref() != Some(&kind) {
            *self = Self { of: Some(kind), first: (times.prepare_micros, times.total_micros), ..Self::default() };
        }
        if self.runs.back() == Some(times) {
            return;
        }
        self.runs.push_back(times.clone());
        self.n_seen += 1;
        if self.runs.len() > N_RUNS {
            self.runs.pop_front();
        }
    }

    /// The runs, oldest first.
    pub(super) fn runs(&self) -> &VecDeque<Times> {
        &self.runs
    }

    /// How many runs came before the first that is remembered.
    pub(super) fn n_forgotten(&self) -> usize {
        self.n_seen - self.runs.len()
    }

    /// Launches of a run.
    pub(super) fn n_launches(&self) -> usize {
        self.of.as_ref().map_or(0, |kind| kind.n_launches)
    }

    /// What the runs are of.
    pub(super) fn label(&self) -> String {
        self.of.as_ref().map_or("run".into(), |kind| {
            let size = if kind.shape.rows == 1 {
                kind.shape.columns.to_string()
            } else {
                format!("{} × {}", kind.shape.rows, kind.shape.columns)
            };
            format!("run of {} at {size}", kind.transform)
        })
    }

    /// What the first run took: plan, kernels and buffers, and then the run itself, which touches the memory first.
    pub(super) fn first(&self) -> (f64, f64) {
        self.first
    }

    /// How many of the remembered runs warm up: the first of a kind, where there are others.
    pub(super) fn n_warming(&self) -> usize {
        usize::from(self.runs.len() > 1 && self.n_forgotten() == 0)
    }

    /// What one part of the runs comes to; the first run of a kind warms up and does not count where there are others.
    pub(super) fn summary(&self, part: impl Fn(&Times) -> f64) -> Option<Summary> {
        let values: Vec<f64> = self.runs.iter().skip(self.n_warming()).map(part).collect();
        let [low, median, high] = quartiles(&values)?;
        Some(Summary { median, quartiles: [low, high], n: values.len() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(columns: usize) -> Kind {
        Kind { transform: "dft", algorithm: "stockham", shape: Shape::line(columns), device: "CPU".into(), n_launches: 1 }
    }

    fn times(total: usize) -> Times {
        Times { total_micros: total as f64, launch_micros: vec![total as f64 / 2.0], ..Times::default() }
    }

    #[test]
    fn the_history_forgets_what_is_old_and_counts_on() {
        let mut history = History::default();
        for run in 0..100 * N_RUNS {
            history.take(kind(8), &times(run));
            history.take(kind(8), &times(run));
        }
        assert_eq!((history.runs.len(), history.n_seen, history.n_forgotten()), (N_RUNS, 100 * N_RUNS, 99 * N_RUNS));
        assert!(history.runs.capacity() <= 2 * N_RUNS, "memory stays bounded");
        history.take(kind(16), &Times::default());
        assert_eq!((history.runs.len(), history.n_seen), (1, 1));
    }

    #[test]
    fn summaries_leave_out_the_run_that_warms_up() {
        let mut history = History::default();
        for total in [1000, 10, 20, 30, 40, 50] {
            history.take(kind(8), &times(total));
        }
        let summary = history.summary(|times| times.total_micros);
        assert_eq!(summary, Some(Summary { median: 30.0, quartiles: [20.0, 40.0], n: 5 }));
        assert_eq!(history.summary(Times::kernel_micros).map(|summary| summary.median), Some(15.0));
        assert_eq!(History::default().summary(Times::kernel_micros), None);
    }
}
