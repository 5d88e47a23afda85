//! The algorithms that an automatic choice compares.

use super::Cut;
use crate::gpu::Limits;
use crate::transforms::{Parameters, Shape};

/// An algorithm that can compute a job, and its speed.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// Name of the algorithm.
    pub algorithm: &'static str,
    /// How its plan is cut.
    pub cut: Cut,
    /// Its speed.
    pub speed: Speed,
}

/// The speed of a candidate, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Speed {
    /// Time of one run in µs, at the nearest size that was measured on this device.
    Measured(f64),
    /// Estimated time, relative to the best candidate.
    Estimated(f64),
    /// Neither measured nor estimated.
    Unknown,
}

/// The properties of a job that decide its candidates: transform, limits of the device if it is a GPU, shape, parameters, cut. Samples do not.
pub(super) type CandidatesKey = (&'static str, Option<Limits>, Shape, Parameters, Cut);

/// The newest candidates. Jobs that follow on other samples, as while a hand drags, take them again: to find them is to build the plans of all algorithms.
#[derive(Default)]
pub(super) struct KnownCandidates(Option<(CandidatesKey, Vec<Candidate>)>);

impl KnownCandidates {
    /// The candidates of a key. `find` finds them, unless they are known.
    pub(super) fn of(&mut self, key: CandidatesKey, find: impl FnOnce() -> Vec<Candidate>) -> Vec<Candidate> {
        if self.0.as_ref().is_none_or(|(known, _)| *known != key) {
            self.0 = Some((key, find()));
        }
        self.0.as_ref().map(|(_, candidates)| candidates.clone()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_are_found_once_for_jobs_that_follow_one_another() {
        let (mut known, mut n_found) = (KnownCandidates::default(), 0);
        let mut of = |columns: usize, limits: Option<Limits>| {
            let found = known.of(("dft", limits, Shape::line(columns), Parameters::default(), Cut::Tiles), || {
                n_found += 1;
                vec![Candidate { algorithm: "stockham", cut: Cut::Tiles, speed: Speed::Estimated(columns as f64) }]
            });
            (found[0].speed, n_found)
        };
        assert_eq!(of(8, None), (Speed::Estimated(8.0), 1));
        assert_eq!(of(8, None), (Speed::Estimated(8.0), 1));
        assert_eq!(of(16, None), (Speed::Estimated(16.0), 2));
        assert_eq!(of(16, Some(Limits::DESKTOP)), (Speed::Estimated(16.0), 3));
        assert_eq!(of(8, None), (Speed::Estimated(8.0), 4));
    }
}
