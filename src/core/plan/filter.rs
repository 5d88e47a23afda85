//! Filter bank steps: builds their stages and recognises them.

use super::shapes::{copies, every_lane};
use super::{Coef, Direction, Extension, Loop, Matrix, Operation, ReadPattern, Stage, WritePattern};

/// One level of a two-channel filter bank on periodic or symmetric lines: forward to low-pass values followed by high-pass values.
/// The inverse restores the samples from interleaved low-pass and high-pass values.
#[derive(Debug, Clone, PartialEq)]
pub struct FilterStep {
    /// Analysis (forward) or synthesis (inverse).
    pub direction: Direction,
    /// Samples per line, an even number.
    pub samples: usize,
    /// Lanes from one sample to the next.
    pub spacing: usize,
    /// The first sample that butterfly p reads, counted from sample 2p.
    pub first: i64,
    /// The boundary extension: periodic or symmetric. An inverse applies it to low-pass and high-pass values that alternate.
    pub extension: Extension,
    /// Filter coefficients of both results: low-pass and high-pass value p, or samples 2p and 2p + 1 on the way back.
    pub coefs: [Vec<f64>; 2],
    /// Number of lines.
    pub n_lines: usize,
    /// Lanes from one line to the next.
    pub line_stride: usize,
}

impl FilterStep {
    /// The stage of the step.
    pub fn stage(&self, label: String) -> Stage {
        let read = ReadPattern {
            first: self.first,
            advance: 2,
            step: self.spacing,
            extension: self.extension,
            ..ReadPattern::in_order(self.samples)
        };
        let write = match self.direction {
            Direction::Forward => WritePattern { advance: self.spacing, hop: self.samples / 2 * self.spacing, ..WritePattern::IN_ORDER },
            Direction::Inverse => self.interleaved(),
        };
        let matrix = Matrix::from_fn(2, self.coefs[0].len(), |j, k| Coef::Real(self.coefs[j][k]));
        self.on_lines(label, read, write, matrix)
    }

    /// The stage before an inverse step, which interleaves the two halves of every line.
    pub fn interleaving(&self, label: String) -> Stage {
        let half = self.samples / 2;
        let read = ReadPattern { hop: half as i64, step: self.spacing, ..ReadPattern::in_order(self.samples) };
        self.on_lines(label, read, self.interleaved(), Matrix::from_fn(2, 2, |j, k| Coef::Real(f64::from(u8::from(j == k)))))
    }

    /// The two results of a butterfly become neighbouring samples.
    fn interleaved(&self) -> WritePattern {
        WritePattern { advance: 2 * self.spacing, hop: self.spacing, ..WritePattern::IN_ORDER }
    }

    fn on_lines(&self, label: String, read: ReadPattern, write: WritePattern, matrix: Matrix) -> Stage {
        let group = copies(self.n_lines, self.line_stride, self.line_stride);
        Stage { label, group, read, write, operation: Operation::Linear(matrix), ..every_lane(self.samples / 2) }
    }

    /// The last sample that butterfly p reads, counted from sample 2p.
    pub fn last(&self) -> i64 {
        self.first + self.coefs[0].len() as i64 - 1
    }

    /// Whether lines are interleaved, like the columns of an image.
    pub fn is_across(&self) -> bool {
        self.line_stride < self.spacing
    }
}

impl Stage {
    /// The stage as a filter bank step, if it is one.
    pub fn filter_step(&self) -> Option<FilterStep> {
        let (matrix, spacing, samples) = (self.matrix(), self.read.step, 2 * self.positions);
        let row = |j: usize| (0..matrix.taps).map(|tap| matrix.at(j, tap).real()).collect::<Option<Vec<f64>>>();
        let extension = self.read.extension;
        let [n_lines, line_stride] =
            lines([self.group, self.outer]).filter(|_| matches!(extension, Extension::Periodic | Extension::Symmetric))?;
        let line_stride = if n_lines == 1 { samples * spacing } else { line_stride };
        let coefs = if matrix.rows == 2 { [row(0)?, row(1)?] } else { return None };
        [Direction::Forward, Direction::Inverse].into_iter().find_map(|direction| {
            let step =
                FilterStep { direction, samples, spacing, first: self.read.first, extension, coefs: coefs.clone(), n_lines, line_stride };
            self.is_on_lines_like(step.stage(String::new())).then_some(step)
        })
    }

    /// Whether the stage interleaves the halves of the lines of an inverse `step`.
    pub fn interleaves_halves(&self, step: &FilterStep) -> bool {
        let covers = lines([self.group, self.outer]).is_some_and(|[n, stride]| n == step.n_lines && (n == 1 || stride == step.line_stride));
        covers && self.is_on_lines_like(step.interleaving(String::new()))
    }

    /// Whether the stage exchanges the halves of every second line of `samples` contiguous samples.
    pub fn exchanges_halves(&self, samples: usize) -> bool {
        let covers = lines([self.group, self.outer]).is_some_and(|[n, stride]| n == 1 || stride == 2 * samples);
        covers && self.is_on_lines_like(half_exchange(samples, 1))
    }

    /// Whether the stages differ at most in their labels and their loops over lines.
    fn is_on_lines_like(&self, other: Self) -> bool {
        Self { outer: self.outer, group: self.group, ..other }.is_like(self)
    }
}

/// Exchanges the halves of every second of 2·`pairs` contiguous lines of `samples` samples.
pub fn half_exchange(samples: usize, pairs: usize) -> Stage {
    let half = samples / 2;
    Stage {
        label: "by frequency".into(),
        group: copies(pairs, 2 * samples, 2 * samples),
        read: ReadPattern { base: samples, hop: half as i64, ..ReadPattern::in_order(samples) },
        write: WritePattern { first: samples, advance: 1, hop: half, ..WritePattern::IN_ORDER },
        operation: Operation::Linear(Matrix::from_fn(2, 2, |j, k| Coef::Real(f64::from(u8::from(j != k))))),
        ..every_lane(half)
    }
}

/// Merges two loops over lines: their number and their distance in lanes. `None` if one loop cannot cover them, or reads and writes differ.
fn lines([inner, outer]: [Loop; 2]) -> Option<[usize; 2]> {
    let stays = |lines: Loop| lines.n == 1 || lines.read == lines.write;
    let is_one = inner.n == 1 || outer.n == 1 || outer.read == inner.n * inner.read;
    let stride = if inner.n > 1 { inner.read } else { outer.read };
    (stays(inner) && stays(outer) && is_one).then_some([inner.n * outer.n, stride])
}
