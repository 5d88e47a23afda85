//! Lifting steps, built and recognised in one place: what transforms, sections, fast code and drawings have in common.

use super::shapes::EliminationStage;
use super::{Coef, Extension, Loop, Matrix, Operation, ReadPattern, Stage, WritePattern};

/// How far from a sample the neighbours stand that a lifting step may read.
const REACH: usize = 3;

/// A stage that updates every other sample of some lines, in place: each from itself and from neighbours that it does not update.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LiftingStep {
    /// Which samples are updated: 0 the even ones, 1 the odd ones.
    pub parity: usize,
    /// Samples of a line.
    pub samples: usize,
    /// Lanes from one sample to the next: 2^l at level l of a line of consecutive lanes.
    pub spacing: usize,
    /// Lane of the first sample of a line: 0 where every other sample from the first one on goes to the next level, and `spacing` − 1 where it is from the second one on, as in cyclic reduction.
    pub first: usize,
    /// What the neighbours and, in the middle, the sample itself are multiplied by, or 1 where that is no number; 0 for those that are not read.
    pub coefs: [f64; 2 * REACH + 1],
    /// Whether the result is the sum of these products.
    pub is_linear: bool,
    /// What stands for a neighbour past the end.
    pub extension: Extension,
    /// The loops over lines.
    pub lines: [Loop; 2],
}

impl LiftingStep {
    /// Coefficients of samples that stand `hop` apart, the first of them `first` samples from the updated one; `None` where one is out of reach.
    pub fn coefs(first: i64, hop: usize, weights: impl IntoIterator<Item = f64>) -> Option<[f64; 2 * REACH + 1]> {
        let mut coefs = [0.0; 2 * REACH + 1];
        for (tap, weight) in weights.into_iter().enumerate() {
            *coefs.get_mut(usize::try_from(first + (tap * hop) as i64 + REACH as i64).ok()?)? = weight;
        }
        Some(coefs)
    }

    /// The stage of a step that takes sums of products.
    pub fn stage(&self, label: String) -> Stage {
        let taps: Vec<(i64, f64)> = self.taps().collect();
        let first = taps.first().map_or(0, |(offset, _)| *offset);
        let hop = taps.get(1).map_or(1, |(offset, _)| offset - first);
        let Self { parity, samples, spacing, extension, lines: [group, outer], .. } = *self;
        Stage {
            label,
            outer,
            group,
            positions: (samples + 1).saturating_sub(parity) / 2,
            read: ReadPattern { first: parity as i64 + first, advance: 2, hop, step: spacing, extension, ..ReadPattern::in_order(samples) },
            write: WritePattern { first: parity * spacing, advance: 2 * spacing, ..WritePattern::IN_ORDER },
            operation: Operation::Linear(Matrix::from_fn(1, taps.len(), |_, tap| Coef::Real(taps[tap].1))),
            twiddle: None,
        }
    }

    /// A stage that takes sums of products, as [`LiftingStep::stage`] builds it.
    fn linear(stage: &Stage) -> Option<Self> {
        let (read, spacing) = (&stage.read, stage.read.step.max(1));
        let parity = stage.write.first / spacing;
        let weights: Vec<f64> = stage.matrix().coefs.iter().map(|coef| coef.real()).collect::<Option<_>>()?;
        let coefs = Self::coefs(read.first - parity as i64, usize::try_from(read.hop).ok()?, weights)?;
        let lines = [stage.group, stage.outer];
        let step = Self { parity, samples: read.len, spacing, first: 0, coefs, is_linear: true, extension: read.extension, lines };
        let mut expected = step.stage(String::new());
        // A single result takes no step.
        expected.write.hop = stage.write.hop;
        expected.is_like(stage).then_some(step)
    }

    /// A stage that takes away the two neighbours of every second sample. Its samples need not begin at the first lane.
    fn elimination(stage: &Stage) -> Option<Self> {
        let EliminationStage { n, distance, first, advance } = EliminationStage::of(stage)?;
        let (parity, first) = (first / distance, first % distance);
        let samples = (n - first).div_ceil(distance);
        let (coefs, lines) = (Self::coefs(-1, 1, [1.0; 3])?, [stage.group, stage.outer]);
        let step = Self { parity, samples, spacing: distance, first, coefs, is_linear: false, extension: Extension::Zero, lines };
        (advance == 2 * distance).then_some(step)
    }

    /// The samples that are read, counted from the updated one, and what they are multiplied by.
    pub fn taps(&self) -> impl Iterator<Item = (i64, f64)> + '_ {
        self.coefs.iter().zip(-(REACH as i64)..).filter(|(coef, _)| **coef != 0.0).map(|(&coef, offset)| (offset, coef))
    }

    /// Whether a mirrored end asks for nothing that the other side of a sample does not: neighbours on both sides count alike, or none stands past an end.
    /// Then samples past the ends may be updated as those that they stand for, and a border near an end leaves no more than any other.
    pub fn mirrors_evenly(&self) -> bool {
        let is_symmetric = self.coefs.iter().eq(self.coefs.iter().rev());
        self.extension != Extension::Symmetric || is_symmetric || self.stays_inside()
    }

    /// Whether no sample of a line needs one past its ends.
    fn stays_inside(&self) -> bool {
        let (first, last) = (self.parity as i64, self.samples as i64 - 1);
        let last = last - (last - first).rem_euclid(2);
        self.taps().all(|(offset, _)| first + offset >= 0 && last + offset < self.samples as i64)
    }

    /// Lanes from one line to the next; `None` where there is only one line.
    pub fn line_stride(&self) -> Option<usize> {
        self.lines.iter().filter(|lines| lines.n > 1).map(|lines| lines.read).min()
    }

    /// Number of lines.
    pub fn n_lines(&self) -> usize {
        self.lines.iter().map(|lines| lines.n).product()
    }

    /// Whether lines stand beside one another, as the columns of a picture do, and not one behind the other.
    pub fn is_across(&self) -> bool {
        self.line_stride().is_some_and(|stride| stride < self.spacing)
    }

    /// Which samples are those of the next level: 0 the even ones, 1 the odd ones.
    pub fn survivors(&self, next: &Self) -> usize {
        (next.first - self.first) / self.spacing
    }
}

impl Stage {
    /// Whether groups stand beside one another, as the columns of a picture do, and not one behind the other.
    pub fn is_across(&self) -> bool {
        self.group.n > 1 && self.group.read < self.read.step
    }

    /// The stage as a lifting step, if it is one.
    pub fn lifting_step(&self) -> Option<LiftingStep> {
        let step = LiftingStep::linear(self).or_else(|| LiftingStep::elimination(self))?;
        let in_place = step.lines.iter().all(|lines| lines.n == 1 || lines.read == lines.write);
        // Past the ends even samples must stand for even ones.
        let keeps_parity = match step.extension {
            Extension::Symmetric | Extension::PeriodicHalves | Extension::Zero | Extension::None => true,
            Extension::Periodic => step.samples.is_multiple_of(2),
            Extension::HalfSymmetric | Extension::Negative => false,
        };
        let reads_the_other_half = step.taps().all(|(offset, _)| offset == 0 || offset % 2 != 0);
        (in_place && keeps_parity && step.parity < 2 && reads_the_other_half).then_some(step)
    }
}
