//! Weighted sums of neighbouring positions, computed chunk by chunk in short arrays that the compiler turns into vectors.

use super::lane::{Lane, LaneSink};
use super::vector::with_vectors;

/// Positions of a chunk.
const CHUNK: usize = 256;
/// Most taps and most results.
pub(super) const MOST_TAPS: usize = 4;
pub(super) const MOST_RESULTS: usize = 2;

/// Butterflies at neighbouring positions without boundary extension.
pub(super) struct ButterflyRun<'a, W> {
    /// The lane of every tap at the first position, and lanes from one position to the next.
    pub(super) reads: ([usize; MOST_TAPS], usize),
    /// The same for results.
    pub(super) writes: ([usize; MOST_RESULTS], usize),
    /// Number of positions.
    pub(super) n: usize,
    /// The matrix, one row for each result.
    pub(super) weights: &'a [Vec<W>],
}

impl<W: Copy> ButterflyRun<'_, W> {
    /// Computes the butterflies with the vector instructions of the processor.
    pub(super) fn compute<L: Lane<Weight = W>>(&self, before: &[L], after: &mut impl LaneSink<L>) {
        with_vectors(
            #[inline(always)]
            || self.chunks(before, after),
        );
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn chunks<L: Lane<Weight = W>>(&self, before: &[L], after: &mut impl LaneSink<L>) {
        match self.weights[0].len() {
            1 => self.sums::<L, 1>(before, after),
            2 => self.sums::<L, 2>(before, after),
            3 => self.sums::<L, 3>(before, after),
            _ => self.sums::<L, 4>(before, after),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn sums<L: Lane<Weight = W>, const TAPS: usize>(&self, before: &[L], after: &mut impl LaneSink<L>) {
        let ((reads, advance), (writes, to)) = (self.reads, self.writes);
        let mut taps = [[L::ZERO; CHUNK]; TAPS];
        let mut results = [[L::ZERO; CHUNK]; MOST_RESULTS];
        for start in (0..self.n).step_by(CHUNK) {
            let n = CHUNK.min(self.n - start);
            let is_paired = advance == 2 && TAPS.is_multiple_of(2) && (1..TAPS).all(|k| reads[k] == reads[0] + k);
            for (pair, first) in taps.chunks_exact_mut(2).zip(reads.into_iter().step_by(2)).filter(|_| is_paired) {
                let lanes = before[first + 2 * start..][..2 * n].chunks_exact(2);
                let (even, odd) = pair.split_at_mut(1);
                for ((even, odd), lanes) in even[0].iter_mut().zip(&mut odd[0]).zip(lanes) {
                    (*even, *odd) = (lanes[0], lanes[1]);
                }
            }
            for (tap, first) in taps.iter_mut().zip(reads).filter(|_| !is_paired) {
                let lanes = &before[first + start * advance..][..(n - 1) * advance + 1];
                match advance {
                    1 => tap[..n].copy_from_slice(lanes),
                    2 => tap.iter_mut().zip(lanes.chunks(2)).for_each(|(value, pair)| *value = pair[0]),
                    _ => tap.iter_mut().zip(lanes.iter().step_by(advance)).for_each(|(value, lane)| *value = *lane),
                }
            }
            for (result, row) in results.iter_mut().zip(self.weights) {
                let mut weights = [row[0]; TAPS];
                weights.copy_from_slice(row);
                for (i, value) in result.iter_mut().enumerate() {
                    let mut sum = taps[0][i].times(weights[0]);
                    for k in 1..TAPS {
                        sum = sum.plus(taps[k][i].times(weights[k]));
                    }
                    *value = sum;
                }
            }
            let first = writes.map(|lane| lane + start * to);
            let [even, odd] = &results;
            match (self.weights.len(), to) {
                (2, 2) if writes[1] == writes[0] + 1 => {
                    let mut pairs = [L::ZERO; 2 * CHUNK];
                    for (pair, (a, b)) in pairs.chunks_exact_mut(2).zip(even.iter().zip(odd)) {
                        (pair[0], pair[1]) = (*a, *b);
                    }
                    after.store_run(first[0], pairs[..2 * n].iter().copied());
                }
                (n_results, 1) => (0..n_results).for_each(|j| after.store_run(first[j], results[j][..n].iter().copied())),
                (n_results, _) => {
                    for (j, result) in results.iter().enumerate().take(n_results) {
                        result[..n].iter().enumerate().for_each(|(i, value)| after.store_run(first[j] + i * to, [*value].into_iter()));
                    }
                }
            }
        }
    }
}
