//! Steps of filter banks, recognised by the numbers of a stage: what sections, fast code and drawings have in common.

use super::{Coef, Direction, Fold, Loop, Operation, Read, Stage, Write};

/// A stage that halves some lines, which are circles: of neighbouring samples it makes a low-pass and a high-pass value, and puts all low-pass values before all high-pass ones.
/// Or one that makes lines of their halves again, where low-pass and high-pass values stand in turn.
#[derive(Debug, Clone, PartialEq)]
pub struct FilterStep {
    /// Whether lines are halved, or made of halves.
    pub direction: Direction,
    /// Samples of a line, an even number.
    pub samples: usize,
    /// Lanes from one sample to the next.
    pub spacing: usize,
    /// The first sample that butterfly p reads, counted from sample 2p.
    pub first: i64,
    /// What the samples from there on are multiplied by: for the first result, low-pass value p or on the way back sample 2p, and as many for the second one.
    pub coefs: [Vec<f64>; 2],
    /// Number of lines.
    pub n_lines: usize,
    /// Lanes from one line to the next.
    pub line_stride: usize,
}

impl FilterStep {
    /// The last sample that butterfly p reads, counted from sample 2p.
    pub fn last(&self) -> i64 {
        self.first + self.coefs[0].len() as i64 - 1
    }

    /// Whether lines stand beside one another, as the columns of a picture do, and not one behind the other.
    pub fn is_across(&self) -> bool {
        self.line_stride < self.spacing
    }
}

impl Stage {
    /// The stage as a step of a filter bank, if it is one.
    pub fn filter_step(&self) -> Option<FilterStep> {
        let (matrix, spacing, half) = (self.matrix(), self.read.step, self.positions);
        let samples = 2 * half;
        let read = Read { advance: 2, hop: 1, len: samples, fold: Fold::Wrap, ..self.read };
        let is_linear = matches!(self.operation, Operation::Linear(_)) && self.twiddle.is_none();
        // Low-pass and high-pass values are taken in pairs.
        let takes_pairs = self.read.first.rem_euclid(2) == 0 && matrix.taps.is_multiple_of(2);
        let direction = match () {
            () if !is_linear || matrix.rows != 2 || self.read != read => return None,
            () if self.write == apart(samples, spacing) => Direction::Forward,
            () if self.write == in_turn(spacing) && takes_pairs => Direction::Inverse,
            () => return None,
        };
        let [n_lines, line_stride] = lines([self.group, self.outer])?;
        let row = |j: usize| (0..matrix.taps).map(|tap| matrix.at(j, tap).real()).collect::<Option<Vec<f64>>>();
        let line_stride = if n_lines == 1 { samples * spacing } else { line_stride };
        Some(FilterStep { direction, samples, spacing, first: self.read.first, coefs: [row(0)?, row(1)?], n_lines, line_stride })
    }

    /// Whether the stage makes the halves of lines stand in turn, for a step back on the same lines.
    pub fn brings_together(&self, step: &FilterStep) -> bool {
        let FilterStep { samples, spacing, n_lines, line_stride, .. } = *step;
        let half = samples / 2;
        let read = Read { first: 0, advance: 1, hop: half, step: spacing, len: samples, fold: Fold::None };
        let covers = lines([self.group, self.outer]).is_some_and(|[n, stride]| n == n_lines && (n == 1 || stride == line_stride));
        let reads_halves = self.positions == half && (self.read, self.write) == (read, in_turn(spacing));
        self.is_matrix([1.0, 0.0, 0.0, 1.0]) && covers && reads_halves
    }

    /// Whether the stage makes the halves of every second line of so many samples change places, where lines stand one behind the other.
    pub fn exchanges_halves(&self, samples: usize) -> bool {
        let half = samples / 2;
        let first = samples as i64;
        let read = Read { first, advance: 1, hop: half, step: 1, len: 2 * samples, fold: Fold::None };
        let write = Write { first: samples, advance: 1, hop: half, ..Write::IN_ORDER };
        let covers = lines([self.group, self.outer]).is_some_and(|[n, stride]| n == 1 || stride == 2 * samples);
        self.is_matrix([0.0, 1.0, 1.0, 0.0]) && covers && self.positions == half && (self.read, self.write) == (read, write)
    }

    /// Whether every butterfly multiplies by this 2×2 matrix.
    fn is_matrix(&self, matrix: [f64; 4]) -> bool {
        matches!(self.operation, Operation::Linear(_)) && self.twiddle.is_none() && self.matrix().coefs == matrix.map(Coef::Real)
    }
}

/// The first results of all butterflies, and behind them the second ones.
fn apart(samples: usize, spacing: usize) -> Write {
    Write { advance: spacing, hop: samples / 2 * spacing, ..Write::IN_ORDER }
}

/// Both results of a butterfly side by side.
fn in_turn(spacing: usize) -> Write {
    Write { advance: 2 * spacing, hop: spacing, ..Write::IN_ORDER }
}

/// Two loops over lines as one: the number of lines, and the lanes from one to the next; `None` where they are no single loop, or do not stay in place.
fn lines([inner, outer]: [Loop; 2]) -> Option<[usize; 2]> {
    let stays = |lines: Loop| lines.n == 1 || lines.read == lines.write;
    let is_one = inner.n == 1 || outer.n == 1 || outer.read == inner.n * inner.read;
    let stride = if inner.n > 1 { inner.read } else { outer.read };
    (stays(inner) && stays(outer) && is_one).then_some([inner.n * outer.n, stride])
}
