//! Lifting steps in place along one line: a sweep runs all steps of a launch on a chunk of lanes before it goes on to the next chunk.
//!
//! Each step keeps behind the step before, so that its taps are ready and no later step has changed them.
//! Threads sweep parts of the line, and then run together what is left at the borders of the parts.

use super::lane::{Lane, LaneSink, SharedLanes};
use super::vector::with_vectors;
use crate::plan::{BitOrder, Direction, Extension, LiftingStep, Operation, Stage, WritePattern};
use crate::threads;
use std::ops::Range;
use std::sync::OnceLock;

/// Bytes of a chunk, which stays in the L1 cache.
const CHUNK_BYTES: usize = 1 << 14;
/// Lanes that are sorted at a time.
const SORTED: usize = 1 << 12;
/// Fewest lanes of a part of a line, in lanes that a sweep leaves at a border.
const SHORTEST_PART: usize = 8;

/// A lifting step with its weights.
pub(super) struct WeightedLiftingStep<W> {
    step: LiftingStep,
    positions: usize,
    /// Distances of the taps in samples, and their factors.
    taps: Vec<(i64, W)>,
}

impl<W: Copy> WeightedLiftingStep<W> {
    /// The step of a stage on one line.
    pub(super) fn of<L: Lane<Weight = W>>(stage: &Stage) -> Option<Self> {
        if !matches!(stage.operation, Operation::Linear(_)) || stage.group.n * stage.outer.n > 1 {
            return None;
        }
        let step = stage.lifting_step().filter(|step| step.is_linear && step.first == 0)?;
        let taps = step.taps().map(|(offset, coef)| (offset, L::weight(coef.into()))).collect();
        Some(Self { step, positions: stage.positions, taps })
    }

    fn offsets(&self) -> [i64; 2] {
        [self.taps[0].0.min(0), self.taps[self.taps.len() - 1].0.max(0)]
    }

    /// Lanes by which the next step keeps behind.
    fn margin(&self) -> usize {
        let [first, last] = self.offsets();
        (last - first + 1) as usize * self.step.spacing
    }

    /// The position after the last one whose taps all lie before lane `bound`.
    fn before(&self, bound: usize) -> usize {
        let samples = bound.div_ceil(self.step.spacing) as i64 - self.offsets()[1] - self.step.parity as i64;
        ((samples.max(0) as usize).div_ceil(2)).min(self.positions)
    }

    /// The first position whose taps all lie at lane `bound` or behind.
    fn behind(&self, bound: usize) -> usize {
        let samples = bound.div_ceil(self.step.spacing) as i64 - self.offsets()[0] - self.step.parity as i64;
        ((samples.max(0) as usize).div_ceil(2)).min(self.positions)
    }

    /// Runs the step at some positions; the slice begins at lane `first`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<L: Lane<Weight = W>>(&self, lanes: &mut [L], first: usize, positions: Range<usize>) {
        let LiftingStep { parity, samples, spacing, extension, .. } = self.step;
        let [lowest, highest] = self.offsets();
        let inside = |p: usize| 2 * p as i64 + parity as i64 + lowest >= 0 && 2 * p as i64 + parity as i64 + highest < samples as i64;
        let start = positions.clone().find(|&p| inside(p)).unwrap_or(positions.end);
        let end = positions.clone().rev().find(|&p| inside(p)).map_or(start, |p| p + 1).max(start);
        for p in (positions.start..start).chain(end..positions.end) {
            let sample = 2 * p + parity;
            let tap =
                |offset: i64| extension.apply(sample as i64 + offset, samples).map_or(L::ZERO, |sample| lanes[sample * spacing - first]);
            let mut terms = self.taps.iter().map(|(offset, weight)| tap(*offset).times(*weight));
            let sum = terms.next().map_or(L::ZERO, |term| terms.fold(term, L::plus));
            lanes[sample * spacing - first] = sum;
        }
        let at = |p: usize| (2 * p + parity) * spacing - first;
        match spacing {
            _ if start == end => {}
            // The compiler makes vectors of a constant distance.
            1 => self.run_inside(lanes, at(start)..at(end - 1) + 1, 1),
            _ => self.run_inside(lanes, at(start)..at(end - 1) + 1, spacing),
        }
    }

    /// Updates the first lane of a range and every second sample behind it; no tap lies past an end.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run_inside<L: Lane<Weight = W>>(&self, lanes: &mut [L], Range { start, end }: Range<usize>, spacing: usize) {
        match self.taps[..] {
            [(-1, a), (0, b), (1, c)] => {
                let mut left = lanes[start - spacing];
                for pair in lanes[start..end + spacing].chunks_mut(2 * spacing) {
                    let right = pair[spacing];
                    pair[0] = left.times(a).plus(pair[0].times(b)).plus(right.times(c));
                    left = right;
                }
            }
            [(0, a), (1, b)] => {
                for pair in lanes[start..end + spacing].chunks_mut(2 * spacing) {
                    pair[0] = pair[0].times(a).plus(pair[spacing].times(b));
                }
            }
            [(-1, a), (0, b)] => {
                for pair in lanes[start - spacing..end].chunks_mut(2 * spacing) {
                    pair[spacing] = pair[0].times(a).plus(pair[spacing].times(b));
                }
            }
            [(-3, a), (0, b)] => {
                let mut left = lanes[start - 3 * spacing];
                for pair in lanes[start - spacing..end].chunks_mut(2 * spacing) {
                    pair[spacing] = left.times(a).plus(pair[spacing].times(b));
                    left = pair[0];
                }
            }
            [(0, a), (3, b)] => {
                let mut right = lanes[end - 1 + 3 * spacing];
                for own in (start..end).step_by(2 * spacing).rev() {
                    lanes[own] = lanes[own].times(a).plus(right.times(b));
                    right = lanes[own + spacing];
                }
            }
            _ => {
                for own in (start..end).step_by(2 * spacing) {
                    let tap = |offset: i64| lanes[own.wrapping_add_signed(offset as isize * spacing as isize)];
                    let mut terms = self.taps.iter().map(|(offset, weight)| tap(*offset).times(*weight));
                    lanes[own] = terms.next().map_or(L::ZERO, |term| terms.fold(term, L::plus));
                }
            }
        }
    }
}

/// Runs lifting steps in place, on one thread or on all.
pub(super) fn sweep<L: Lane>(lanes: &mut [L], steps: &[WeightedLiftingStep<L::Weight>], is_parallel: bool) {
    let n = steps.iter().map(|step| (step.step.samples - 1) * step.step.spacing + 1).max().unwrap_or(0);
    // Symmetric ends read their own neighbourhood only.
    let is_open = steps.iter().any(|step| !matches!(step.step.extension, Extension::Symmetric | Extension::Zero | Extension::None));
    let margin: usize = steps.iter().map(WeightedLiftingStep::margin).sum();
    let n_parts = if is_parallel { (n / (SHORTEST_PART * margin)).clamp(1, rayon::current_num_threads()) } else { 1 };
    let length = n.div_ceil(n_parts);
    let part = |part: usize, lanes: &mut [L]| {
        let first = part * length;
        let borders = [first > 0 || is_open, first + lanes.len() < n || is_open];
        with_vectors(
            #[inline(always)]
            || part_of(lanes, first, steps, borders),
        )
    };
    let done: Vec<OnceLock<Vec<Range<usize>>>> = vec![OnceLock::new(); n_parts];
    let take = |index: usize, lanes: &mut [L]| {
        done[index].get_or_init(|| part(index, lanes));
    };
    match n_parts {
        1 => take(0, &mut lanes[..n]),
        _ => threads::for_each_chunk(&mut lanes[..n], length, &take),
    }
    let mut done = done.into_iter().filter_map(OnceLock::into_inner);
    // The samples between two parts, and between the last part and the first, have not been updated yet.
    let rest = done.next().expect("there is a part");
    let mut ends = rest.clone();
    for part in done {
        for (step, (before, next)) in steps.iter().zip(ends.iter_mut().zip(part)) {
            step.run(lanes, 0, before.end..next.start);
            before.end = next.end;
        }
    }
    for (step, (end, begin)) in steps.iter().zip(ends.iter().zip(rest)) {
        step.run(lanes, 0, end.end..step.positions);
        step.run(lanes, 0, 0..begin.start.min(end.end));
    }
}

/// Sweeps a part of a line that begins at lane `first`, away from its open borders. Returns the positions that each step has run.
#[cfg_attr(not(debug_assertions), inline(always))]
fn part_of<L: Lane>(
    lanes: &mut [L],
    first: usize,
    steps: &[WeightedLiftingStep<L::Weight>],
    [is_open, opens]: [bool; 2],
) -> Vec<Range<usize>> {
    let mut start = first;
    let mut done: Vec<Range<usize>> = Vec::new();
    for step in steps {
        let begin = if is_open { step.behind(start) } else { 0 };
        done.push(begin..begin);
        start += step.margin();
    }
    let (n, chunk) = (lanes.len(), CHUNK_BYTES / size_of::<L>());
    for end in (chunk..n).step_by(chunk).chain([n]) {
        let mut bound = first + end;
        for (step, done) in steps.iter().zip(&mut done) {
            let to = if end == n && !opens { step.positions } else { step.before(bound) };
            if to > done.end {
                step.run(lanes, first, done.end..to);
                done.end = to;
            }
            bound = bound.saturating_sub(step.margin());
        }
    }
    done
}

/// Whether the stage only moves the coefficients of a line between the lanes of a pyramid in place and the Mallat layout, coarsest first.
pub(super) fn sorts(stage: &Stage) -> bool {
    let moved = Stage { label: String::new(), write: stage.write, ..crate::plan::shapes::every_lane(stage.positions) };
    sorted_levels(stage).is_some() && Stage { label: String::new(), ..stage.clone() } == moved
}

/// The number of levels, and the direction: forward to the Mallat layout. The Haar transform halves all lanes but one.
fn sorted_levels(stage: &Stage) -> Option<(u32, Direction)> {
    let WritePattern { pyramid, bit_order, reversed_bits, .. } = stage.write;
    match (pyramid, bit_order) {
        (Some(pyramid), _) => {
            (pyramid.rows == 1 && pyramid.direction == Direction::Forward).then_some((pyramid.levels, Direction::Forward))
        }
        _ if stage.positions != 1 << reversed_bits => None,
        (None, BitOrder::BelowLeading) => Some((reversed_bits, Direction::Forward)),
        (None, BitOrder::AboveTrailing) => Some((reversed_bits, Direction::Inverse)),
        (None, BitOrder::Kept | BitOrder::GrayDecoded) => None,
    }
}

/// Moves the coefficients of every level of some lanes of a pyramid in place to the Mallat layout, or from there.
fn sort_part<L: Lane>(stage: &Stage, before: &[L], part: Range<usize>, after: &mut impl LaneSink<L>) {
    let (levels, direction) = sorted_levels(stage).unwrap_or_default();
    for level in 0..=levels {
        let (offset, stride) = if level == levels { (0, 1 << level) } else { (1 << level, 2 << level) };
        let lanes = (part.start.saturating_sub(offset).next_multiple_of(stride) + offset..part.end).step_by(stride);
        let [Some(first), Some(last)] = [lanes.clone().next(), lanes.clone().next_back()] else { continue };
        if direction == Direction::Inverse {
            let begin = BitOrder::BelowLeading.apply(first, levels);
            lanes.zip(&before[begin..]).for_each(|(lane, value)| after.store_run(lane, [*value].into_iter()));
            continue;
        }
        let [begin, end] = [first, last].map(|lane| stage.write_lane(lane, 0, 0, 0));
        if end >= begin && end - begin == lanes.len() - 1 {
            after.store_run(begin, before[first..=last].iter().step_by(stride).copied());
        } else {
            lanes.for_each(|lane| after.store_run(stage.write_lane(lane, 0, 0, 0), [before[lane]].into_iter()));
        }
    }
}

/// Sorts a line on one thread.
pub(super) fn sort<L: Lane>(stage: &Stage, before: &[L], mut after: &mut [L]) {
    let n = stage.positions;
    (0..n).step_by(SORTED).for_each(|first| sort_part(stage, before, first..n.min(first + SORTED), &mut after));
}

/// Sorts a line on all threads.
pub(super) fn sort_shared<L: Lane>(stage: &Stage, before: &[L], after: &SharedLanes<L>) {
    let n = stage.positions;
    let part = |index: usize| index * SORTED..n.min((index + 1) * SORTED);
    threads::for_each(n.div_ceil(SORTED), &|index| sort_part(stage, before, part(index), &mut &*after));
}
