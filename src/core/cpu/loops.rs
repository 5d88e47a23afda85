//! The three nested loops over the butterflies of a stage, in either order.
//!
//! Addresses are worked out once for an innermost loop, which then consists of loads, sums and stores;
//! stages with twiddles or many taps run butterfly by butterfly.

use super::lane::{Between, InPlace, LaneAccess, LaneRanges, LaneSink, SharedLanes};
use super::runs::{ButterflyRun, MOST_RESULTS, MOST_TAPS};
use super::steps::PairMatrix;
use super::tables::StageTables;
use super::{Lane, LoopOrder};
use crate::plan::{DirectSum, Loop, Operation, Ring, Stage};
use crate::threads;
use std::ops::Range;

/// Butterflies that one thread takes at a time.
const CHUNK: usize = 1 << 14;
/// Fewest neighbours that run in chunks.
const SHORTEST_RUN: usize = 32;

/// A stage with its weights, ready to run.
pub(super) struct StageLoops<'a, L: Lane> {
    stage: &'a Stage,
    numbers: LoopArithmetic<L>,
    /// The matrix of a short sum, row by row; empty for all other operations.
    weights: Vec<Vec<L::Weight>>,
    /// Whether no tap lies past an end.
    is_plain: bool,
    /// Whether results go to bit-reversed or otherwise scattered lanes.
    scatters: bool,
}

/// The arithmetic of a butterfly.
enum LoopArithmetic<L: Lane> {
    /// A 2×2 matrix.
    Pairs(PairMatrix<L::Weight>),
    /// Sums of one to four taps, with a row of weights for each result.
    One(Vec<[L::Weight; 1]>),
    Two(Vec<[L::Weight; 2]>),
    Three(Vec<[L::Weight; 3]>),
    Four(Vec<[L::Weight; 4]>),
    /// Everything else.
    Tables(StageTables<L>),
}

impl<L: Lane> LoopArithmetic<L> {
    fn of(ring: Ring, stage: &Stage) -> Self {
        fn weights<L: Lane, const TAPS: usize>(ring: Ring, stage: &Stage) -> Vec<[L::Weight; TAPS]> {
            let matrix = stage.matrix();
            (0..matrix.rows).map(|j| std::array::from_fn(|k| L::weight(ring.element(matrix.at(j, k))))).collect()
        }
        match &stage.operation {
            Operation::Linear(matrix) if stage.twiddle.is_none() && matrix.rows <= MOST_RESULTS => match (matrix.taps, matrix.rows) {
                (2, 2) => Self::Pairs(PairMatrix::of::<L>(ring, matrix)),
                (1, _) => Self::One(weights::<L, 1>(ring, stage)),
                (2, _) => Self::Two(weights::<L, 2>(ring, stage)),
                (3, _) => Self::Three(weights::<L, 3>(ring, stage)),
                (4, _) => Self::Four(weights::<L, 4>(ring, stage)),
                _ => Self::Tables(StageTables::new(ring, stage)),
            },
            _ => Self::Tables(StageTables::new(ring, stage)),
        }
    }
}

/// An innermost loop: `n` butterflies from index `place` on; the index `along` grows (0: position, 1: group, 2: outer repetition).
#[derive(Debug, Clone, Copy)]
pub(super) struct InnerLoop {
    pub(super) place: [usize; 3],
    pub(super) along: usize,
    pub(super) n: usize,
}

impl InnerLoop {
    pub(super) fn places(self) -> impl Iterator<Item = [usize; 3]> {
        (0..self.n).map(move |turn| self.at(turn))
    }

    fn at(self, turn: usize) -> [usize; 3] {
        let mut place = self.place;
        place[self.along] += turn;
        place
    }

    /// A range of its iterations.
    fn part(self, turns: Range<usize>) -> Self {
        Self { place: self.at(turns.start), n: turns.len(), ..self }
    }
}

/// The loops over positions, groups and outer repetitions, the outermost first.
pub(super) fn nest(stage: &Stage, order: LoopOrder) -> [usize; 3] {
    let counts = counts(stage);
    let strides = [stage.read.advance.unsigned_abs() as usize * stage.read.step, stage.group.read, stage.outer.read];
    let mut loops = [0, 1, 2];
    // A loop of one iteration belongs outside.
    loops.sort_by_key(|&index| if counts[index] == 1 { usize::MAX } else { strides[index] });
    if order == LoopOrder::Local {
        loops.reverse();
    } else {
        let turning = counts.iter().filter(|&&n| n > 1).count();
        // The longest stride is innermost.
        loops.rotate_left(turning);
    }
    loops
}

fn counts(stage: &Stage) -> [usize; 3] {
    [stage.positions, stage.group.n, stage.outer.n]
}

pub(super) fn for_each_inner_loop(stage: &Stage, order: LoopOrder, mut visit: impl FnMut(InnerLoop)) {
    let [outmost, middle, along] = nest(stage, order);
    let counts = counts(stage);
    let mut place = [0; 3];
    for a in 0..counts[outmost] {
        place[outmost] = a;
        for b in 0..counts[middle] {
            place[middle] = b;
            visit(InnerLoop { place, along, n: counts[along] });
        }
    }
}

/// One of the innermost loops, by its number.
fn line_of(stage: &Stage, [outmost, middle, along]: [usize; 3], index: usize) -> InnerLoop {
    let (counts, mut place) = (counts(stage), [0; 3]);
    (place[outmost], place[middle]) = (index / counts[middle], index % counts[middle]);
    InnerLoop { place, along, n: counts[along] }
}

/// The butterflies of a stage (position, group, repetition) in the order in which one thread takes them.
pub fn butterflies_in_order(stage: &Stage, order: LoopOrder) -> impl Iterator<Item = [usize; 3]> {
    let (loops, counts) = (nest(stage, order), counts(stage));
    (0..stage.n_butterflies()).map(move |index| {
        let ([outmost, middle, along], mut place) = (loops, [0; 3]);
        place[along] = index % counts[along];
        place[middle] = index / counts[along] % counts[middle];
        place[outmost] = index / (counts[along] * counts[middle]);
        place
    })
}

impl<'a, L: Lane> StageLoops<'a, L> {
    pub(super) fn of(ring: Ring, stage: &'a Stage) -> Self {
        let numbers = LoopArithmetic::of(ring, stage);
        let matrix = stage.matrix();
        let row = |j: usize| (0..matrix.taps).map(|k| L::weight(ring.element(matrix.at(j, k)))).collect();
        let weights = if matches!(numbers, LoopArithmetic::Tables(_)) { Vec::new() } else { (0..matrix.rows).map(row).collect() };
        let lines = Self { stage, numbers, weights, is_plain: false, scatters: stage.write.scatters() };
        let positions = InnerLoop { place: [0; 3], along: 0, n: stage.positions };
        Self { is_plain: lines.inside(positions) == (0..stage.positions), ..lines }
    }

    /// Runs the stage on one thread, from one array to another.
    pub(super) fn apart(&self, order: LoopOrder, before: &[L], after: &mut [L]) {
        for_each_inner_loop(self.stage, order, |line| match order {
            LoopOrder::Local => self.run(line, before, &mut &mut *after),
            LoopOrder::Strided => self.take(line, Between { before, after: &mut &mut *after }),
        });
    }

    /// Runs an innermost loop over neighbours: the positions without boundary extension chunk by chunk.
    fn run(&self, line: InnerLoop, before: &[L], after: &mut impl LaneSink<L>) {
        let inside = if self.is_plain { 0..line.n } else { self.inside(line) };
        let (from, to) = self.strides(line.along);
        if self.weights.is_empty() || self.scatters || from < 1 || inside.len() < SHORTEST_RUN {
            return self.take(line, Between { before, after });
        }
        for ends in [0..inside.start, inside.end..line.n] {
            self.take(line.part(ends), Between { before, after: &mut *after });
        }
        let ([p, q, b], [n_results, n_taps]) = (line.at(inside.start), [self.weights.len(), self.weights[0].len()]);
        let (mut reads, mut writes) = ([0; MOST_TAPS], [0; MOST_RESULTS]);
        (0..n_taps).for_each(|k| reads[k] = self.stage.read_lane(p, q, b, k).unwrap_or_default());
        (0..n_results).for_each(|j| writes[j] = self.stage.write_lane(p, q, b, j));
        let run = ButterflyRun { reads: (reads, from.unsigned_abs()), writes: (writes, to), n: inside.len(), weights: &self.weights };
        run.compute(before, after);
    }

    /// Lanes from one iteration to the next, on the read side and on the write side.
    fn strides(&self, along: usize) -> (isize, usize) {
        let Stage { group, outer, read, write, .. } = self.stage;
        let of_positions = (read.advance as isize * read.step as isize, write.advance);
        let of_loop = |turns: &Loop| (turns.read as isize, turns.write);
        [of_positions, of_loop(group), of_loop(outer)][along]
    }

    /// Runs the stage on one thread in place: no butterfly reads a lane that another one writes.
    pub(super) fn in_place(&self, order: LoopOrder, lanes: &mut [L]) {
        for_each_inner_loop(self.stage, order, |line| self.take(line, InPlace { lanes: &mut *lanes, first: 0 }));
    }

    /// The outermost loop of a stage in place and its stride, if each of its iterations has a block of lanes of its own, and every thread gets some of them.
    pub(super) fn blocks(&self) -> Option<(usize, usize)> {
        let counts = counts(self.stage);
        let stride = |index: usize| self.strides(index).1;
        let index = (0..3).filter(|&index| counts[index] > 1).max_by_key(|&index| stride(index))?;
        let mut last = counts.map(|n| n - 1);
        last[index] = 0;
        let [p, q, b] = last;
        let end = self.stage.write_lane(p, q, b, self.stage.matrix().rows - 1) + 1;
        let n_parts = counts[index].div_ceil(self.blocks_at_once(index));
        let has_own_blocks = self.stage.writes_its_taps() && end <= stride(index);
        (has_own_blocks && n_parts >= rayon::current_num_threads()).then_some((index, stride(index)))
    }

    /// Iterations of the outermost loop of a stage in place that a thread takes at once.
    fn blocks_at_once(&self, index: usize) -> usize {
        let counts = counts(self.stage);
        (CHUNK * counts[index] / counts.iter().product::<usize>()).max(1)
    }

    /// Runs a stage in place on all threads: every thread has its own part of the blocks.
    pub(super) fn in_blocks(&self, index: usize, stride: usize, lanes: &mut [L]) {
        let (loops, counts) = (nest(self.stage, LoopOrder::Local), counts(self.stage));
        let along = loops[2];
        let (n_lines, n_blocks) = (counts[loops[0]] * counts[loops[1]], self.blocks_at_once(index));
        threads::for_each_chunk(lanes, n_blocks * stride, &|part, lanes| {
            let blocks = part * n_blocks..counts[index].min((part + 1) * n_blocks);
            let first = blocks.start * stride;
            let mut take = |line: InnerLoop| self.take(line, InPlace { lanes: &mut *lanes, first });
            if index == along {
                return take(InnerLoop { place: [0; 3], along, n: counts[along] }.part(blocks));
            }
            let lines_at_once = n_lines / counts[index];
            (blocks.start * lines_at_once..blocks.end * lines_at_once).for_each(|line| take(line_of(self.stage, loops, line)));
        });
    }

    /// Whether an innermost loop reads and writes neighbouring numbers, as wavelets do; it then needs no tile.
    pub(super) fn runs_along_lines(&self) -> bool {
        let [_, _, along] = nest(self.stage, LoopOrder::Local);
        let (from, to) = self.strides(along);
        let is_dense = (1..=2).contains(&from) && (1..=2).contains(&to) && counts(self.stage)[along] >= SHORTEST_RUN;
        L::PARTS == 1 && is_dense && !self.weights.is_empty() && !self.scatters && !self.stage.writes_its_taps()
    }

    /// Whether the stage is one loop whose results fill one range of lanes each, in ascending order.
    pub(super) fn has_ranges(&self) -> bool {
        let [_, _, along] = nest(self.stage, LoopOrder::Local);
        let n = counts(self.stage)[along];
        let is_single = counts(self.stage).iter().product::<usize>() == n && self.strides(along).1 == 1 && !self.scatters;
        let begins = self.begins();
        is_single && !begins.is_empty() && begins.windows(2).all(|pair| pair[0] + n <= pair[1])
    }

    /// The first lane of each result.
    fn begins(&self) -> Vec<usize> {
        (0..self.weights.len()).map(|j| self.stage.write_lane(0, 0, 0, j)).collect()
    }

    /// Runs a stage that has ranges: every thread has its own part of them.
    pub(super) fn ranges(&self, before: &[L], after: &mut [L]) {
        let [_, _, along] = nest(self.stage, LoopOrder::Local);
        let n = counts(self.stage)[along];
        let (mut rest, mut end, mut parts) = (after, 0, Vec::new());
        for begin in self.begins() {
            let (range, others) = std::mem::take(&mut rest)[begin - end..].split_at_mut(n);
            parts.push(range.chunks_mut(CHUNK));
            (rest, end) = (others, begin + n);
        }
        let part = |_| parts.iter_mut().map(|chunks| chunks.next().unwrap_or_default()).collect();
        let parts: Vec<Vec<&mut [L]>> = (0..n.div_ceil(CHUNK)).map(part).collect();
        threads::for_each_item(parts, &|part, lanes| {
            let first = part * CHUNK;
            let line = InnerLoop { place: [0; 3], along, n }.part(first..n.min(first + CHUNK));
            let begins = self.begins().into_iter().map(|begin| begin + first).collect();
            self.run(line, before, &mut LaneRanges { begins, lanes });
        });
    }

    /// Runs the stage on all threads; long innermost loops are divided too.
    pub(super) fn shared(&self, before: &[L], after: &SharedLanes<L>) {
        let (loops, counts) = (nest(self.stage, LoopOrder::Local), counts(self.stage));
        let (n_lines, n) = (counts[loops[0]] * counts[loops[1]], counts[loops[2]]);
        // A butterfly of a direct sum is a loop of its own.
        let most = (CHUNK / self.stage.direct_sum().map_or(1, DirectSum::n_terms)).max(1);
        let parts = n.div_ceil(most);
        let lines_at_once = (most / n).max(1);
        threads::for_each(n_lines.div_ceil(lines_at_once), &|chunk| {
            let lines = chunk * lines_at_once..n_lines.min((chunk + 1) * lines_at_once);
            threads::for_each(parts, &|part| {
                for index in lines.clone() {
                    let line = line_of(self.stage, loops, index).part(part * most..n.min((part + 1) * most));
                    self.run(line, before, &mut &*after);
                }
            });
        });
    }

    fn take(&self, line: InnerLoop, mut lanes: impl LaneAccess<L>) {
        macro_rules! pairs {
            ($sum:expr) => {
                self.sums(line, 2, lanes, $sum)
            };
        }
        macro_rules! rows {
            ($rows:expr) => {
                self.sums(line, $rows.len(), lanes, |taps, j| sum(taps, &$rows[j]))
            };
        }
        match &self.numbers {
            LoopArithmetic::Pairs(PairMatrix::Walsh) => pairs!(|[a, b]: [L; 2], j| if j == 0 { a.plus(b) } else { a.minus(b) }),
            LoopArithmetic::Pairs(PairMatrix::Add) => pairs!(|[a, b]: [L; 2], j| if j == 0 { a } else { a.plus(b) }),
            LoopArithmetic::Pairs(PairMatrix::Subtract) => pairs!(|[a, b]: [L; 2], j| if j == 0 { a } else { b.minus(a) }),
            LoopArithmetic::Pairs(PairMatrix::Any([p, q, r, s])) => {
                pairs!(|[a, b]: [L; 2], j| if j == 0 { a.times(*p).plus(b.times(*q)) } else { a.times(*r).plus(b.times(*s)) })
            }
            LoopArithmetic::One(rows) => rows!(rows),
            LoopArithmetic::Two(rows) => rows!(rows),
            LoopArithmetic::Three(rows) => rows!(rows),
            LoopArithmetic::Four(rows) => rows!(rows),
            LoopArithmetic::Tables(tables) => {
                for place in line.places() {
                    tables.butterfly(self.stage, place, &mut lanes);
                }
            }
        }
    }

    /// Runs the butterflies of an innermost loop; `result` computes each result from the taps.
    #[inline]
    fn sums<const TAPS: usize>(
        &self,
        line: InnerLoop,
        n_results: usize,
        mut lanes: impl LaneAccess<L>,
        result: impl Fn([L; TAPS], usize) -> L,
    ) {
        let scatters = self.scatters;
        let (from, to) = self.strides(line.along);
        let inside = if self.is_plain { 0..line.n } else { self.inside(line) };
        for turns in [0..inside.start, inside.end..line.n] {
            for [p, q, b] in line.part(turns).places() {
                let taps = std::array::from_fn(|k| self.stage.read_lane(p, q, b, k).map_or(L::ZERO, |lane| lanes.load(lane)));
                (0..n_results).for_each(|j| lanes.store(self.stage.write_lane(p, q, b, j), result(taps, j)));
            }
        }
        if inside.is_empty() {
            return;
        }
        let [p, q, b] = line.at(inside.start);
        let first: [usize; TAPS] = std::array::from_fn(|k| self.stage.read_lane(p, q, b, k).unwrap_or_default());
        let mut first_result = [0; MOST_RESULTS];
        (0..n_results).for_each(|j| first_result[j] = self.stage.write_lane(p, q, b, j));
        for turn in 0..inside.len() {
            let taps = std::array::from_fn(|k| lanes.load(first[k].wrapping_add_signed(turn as isize * from)));
            if scatters {
                let [p, q, b] = line.at(inside.start + turn);
                (0..n_results).for_each(|j| lanes.store(self.stage.write_lane(p, q, b, j), result(taps, j)));
            } else {
                (0..n_results).for_each(|j| lanes.store(first_result[j] + turn * to, result(taps, j)));
            }
        }
    }

    /// The iterations whose taps all lie inside the line of samples, at constant distances.
    fn inside(&self, line: InnerLoop) -> Range<usize> {
        let read = &self.stage.read;
        let [p, ..] = line.place;
        let taps = [0, self.stage.matrix().taps - 1].map(|k| read.coordinate(p, k));
        let (lowest, highest) = (taps[0].min(taps[1]), taps[0].max(taps[1]));
        // How far the taps may move down and up before one leaves the line.
        let (below, above) = (lowest, read.len as i64 - 1 - highest);
        let advance = if line.along == 0 { read.advance } else { 0 };
        let (behind, ahead) = if advance < 0 { (above, below) } else { (below, above) };
        if advance == 0 {
            // Groups and outer repetitions do not move the taps.
            return 0..if behind >= 0 && ahead >= 0 { line.n } else { 0 };
        }
        // Iterations t with behind + t·|advance| ≥ 0 and ahead − t·|advance| ≥ 0.
        let turns = |coordinates: i64| (coordinates.max(0) as usize).div_ceil(advance.unsigned_abs() as usize).min(line.n);
        let start = turns(-behind);
        start..turns(ahead + 1).max(start)
    }
}

/// The taps of one butterfly times a row of weights.
#[inline]
fn sum<L: Lane, const TAPS: usize>(taps: [L; TAPS], weights: &[L::Weight; TAPS]) -> L {
    let mut sum = taps[0].times(weights[0]);
    for k in 1..TAPS {
        sum = sum.plus(taps[k].times(weights[k]));
    }
    sum
}
