//! Stages of short sums, as lifting steps, short filters and permutations are: no twiddles, few taps, few results.
//!
//! What differs from butterfly to butterfly is worked out once a line, so that the rest is loads, products and sums.

use super::Lane;
use super::lane::Shared;
use crate::plan::{Operation, Stage};
use rayon::prelude::*;

/// Sums that one thread takes at a time.
const CHUNK: usize = 1 << 14;
/// Results of the widest butterfly.
const MOST_RESULTS: usize = 2;

/// The lanes after a stage of short sums; `None` for other stages.
pub(super) fn run<L: Lane>(stage: &Stage, before: &[L]) -> Option<Vec<L>> {
    let Operation::Linear(matrix) = &stage.operation else { return None };
    if stage.twiddle.is_some() || matrix.rows > MOST_RESULTS {
        return None;
    }
    match matrix.taps {
        1 => Some(Sums::<L, 1>::of(stage, before).run()),
        2 => Some(Sums::<L, 2>::of(stage, before).run()),
        3 => Some(Sums::<L, 3>::of(stage, before).run()),
        4 => Some(Sums::<L, 4>::of(stage, before).run()),
        _ => None,
    }
}

struct Sums<'a, L: Lane, const TAPS: usize> {
    stage: &'a Stage,
    before: &'a [L],
    weights: Vec<[L::Weight; TAPS]>,
    after: Shared<L>,
}

impl<'a, L: Lane, const TAPS: usize> Sums<'a, L, TAPS> {
    fn of(stage: &'a Stage, before: &'a [L]) -> Self {
        let matrix = stage.matrix();
        let weights = (0..matrix.rows).map(|j| std::array::from_fn(|k| L::weight(matrix.at(j, k).value()))).collect();
        Self { stage, before, weights, after: Shared::new(before) }
    }

    /// Neighbouring lanes are taken one after the other: those of a line, or the same sample of all lines.
    fn run(self) -> Vec<L> {
        let Stage { group, positions, read, .. } = *self.stage;
        let across = group.n > 1 && group.read < read.advance * read.step && !self.stage.write.scatters();
        let inner = if across { group.n } else { positions };
        let n_lines = self.stage.n_butterflies() / inner;
        // Long lines are shared among threads as well.
        let parts = inner.div_ceil(CHUNK);
        let lines_at_once = (CHUNK / inner).max(1);
        (0..n_lines.div_ceil(lines_at_once)).into_par_iter().for_each(|chunk| {
            let lines = chunk * lines_at_once..n_lines.min((chunk + 1) * lines_at_once);
            (0..parts).into_par_iter().for_each(|part| {
                let range = part * CHUNK..inner.min((part + 1) * CHUNK);
                for line in lines.clone() {
                    if across {
                        self.across([line % positions, line / positions], range.clone());
                    } else {
                        self.along([line % group.n, line / group.n], range.clone());
                    }
                }
            });
        });
        self.after.into_lanes()
    }

    /// The taps of one butterfly times a row of weights.
    #[inline]
    fn sum(taps: [L; TAPS], weights: &[L::Weight; TAPS]) -> L {
        let mut sum = taps[0].times(weights[0]);
        for k in 1..TAPS {
            sum = sum.plus(taps[k].times(weights[k]));
        }
        sum
    }

    /// Position p of all groups given, in outer turn b.
    fn across(&self, [p, b]: [usize; 2], groups: std::ops::Range<usize>) {
        let Stage { group, write, .. } = self.stage;
        let from: [Option<usize>; TAPS] = std::array::from_fn(|k| self.stage.read_lane(p, 0, b, k));
        let to = write.first + p * write.advance + b * self.stage.outer.write;
        for q in groups {
            let taps = from.map(|lane| lane.map_or(L::ZERO, |lane| self.before[lane + q * group.read]));
            for (j, weights) in self.weights.iter().enumerate() {
                self.after.store(to + j * write.hop + q * group.write, Self::sum(taps, weights));
            }
        }
    }

    /// The positions given of group q, in outer turn b.
    fn along(&self, [q, b]: [usize; 2], positions: std::ops::Range<usize>) {
        let Stage { group, outer, read, write, .. } = self.stage;
        let base = q * group.read + b * outer.read;
        let to = write.first + q * group.write + b * outer.write;
        let reach = ((TAPS - 1) * read.hop) as i64;
        for p in positions {
            let first = read.first + (p * read.advance) as i64;
            let taps: [L; TAPS] = if first >= 0 && first + reach < read.len as i64 {
                let lane = base + first as usize * read.step;
                std::array::from_fn(|k| self.before[lane + k * read.hop * read.step])
            } else {
                std::array::from_fn(|k| self.stage.read_lane(p, q, b, k).map_or(L::ZERO, |lane| self.before[lane]))
            };
            for (j, weights) in self.weights.iter().enumerate() {
                let lane = if write.scatters() { self.stage.write_lane(p, q, b, j) } else { to + p * write.advance + j * write.hop };
                self.after.store(lane, Self::sum(taps, weights));
            }
        }
    }
}
