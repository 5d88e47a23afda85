//! Lifting steps: builds their stages and recognises them.

use super::shapes::EliminationStage;
use super::{Coef, Extension, Loop, Matrix, Operation, ReadPattern, Stage, WritePattern};

/// The largest distance of a neighbour that a lifting step may read, in samples.
const REACH: usize = 3;

/// A stage that updates every other sample of its lines in place, from the sample itself and from neighbours that are not updated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LiftingStep {
    /// Parity of the updated samples: 0 for even, 1 for odd.
    pub parity: usize,
    /// Samples per line.
    pub samples: usize,
    /// Lanes from one sample to the next: 2^l at level l of a line of consecutive lanes.
    pub spacing: usize,
    /// Lane of the first sample of a line: 0 if the even samples go to the next level, `spacing` − 1 if the odd ones do, as in cyclic reduction.
    pub first: usize,
    /// Factors of the neighbours and, in the middle, of the sample itself; 0 if not read, 1 in an elimination.
    pub coefs: [f64; 2 * REACH + 1],
    /// Whether the result is a weighted sum; otherwise the step is an elimination.
    pub is_linear: bool,
    /// The boundary extension.
    pub extension: Extension,
    /// The loops over lines.
    pub lines: [Loop; 2],
}

impl LiftingStep {
    /// Coefficients of samples `hop` apart, starting `first` samples from the updated one; `None` if one is out of reach.
    pub fn coefs(first: i64, hop: usize, weights: impl IntoIterator<Item = f64>) -> Option<[f64; 2 * REACH + 1]> {
        let mut coefs = [0.0; 2 * REACH + 1];
        for (tap, weight) in weights.into_iter().enumerate() {
            *coefs.get_mut(usize::try_from(first + (tap * hop) as i64 + REACH as i64).ok()?)? = weight;
        }
        Some(coefs)
    }

    /// The stage of a linear step.
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

    /// Recognises a linear step, as [`LiftingStep::stage`] builds it.
    fn linear(stage: &Stage) -> Option<Self> {
        let (read, spacing) = (&stage.read, stage.read.step.max(1));
        let parity = stage.write.first / spacing;
        let weights: Vec<f64> = stage.matrix().coefs.iter().map(|coef| coef.real()).collect::<Option<_>>()?;
        let coefs = Self::coefs(read.first - parity as i64, usize::try_from(read.hop).ok()?, weights)?;
        let lines = [stage.group, stage.outer];
        let step = Self { parity, samples: read.len, spacing, first: 0, coefs, is_linear: true, extension: read.extension, lines };
        let mut expected = step.stage(String::new());
        // A single result never uses this stride.
        expected.write.hop = stage.write.hop;
        expected.is_like(stage).then_some(step)
    }

    /// Recognises a stage that eliminates both neighbours from every second equation; its samples need not begin at lane 0.
    fn elimination(stage: &Stage) -> Option<Self> {
        let EliminationStage { n, distance, first, advance } = EliminationStage::of(stage)?;
        let (parity, first) = (first / distance, first % distance);
        let samples = (n - first).div_ceil(distance);
        let (coefs, lines) = (Self::coefs(-1, 1, [1.0; 3])?, [stage.group, stage.outer]);
        let step = Self { parity, samples, spacing: distance, first, coefs, is_linear: false, extension: Extension::Zero, lines };
        (advance == 2 * distance).then_some(step)
    }

    /// Offsets of the samples that are read, from the updated one, with their coefficients.
    pub fn taps(&self) -> impl Iterator<Item = (i64, f64)> + '_ {
        self.coefs.iter().zip(-(REACH as i64)..).filter(|(coef, _)| **coef != 0.0).map(|(&coef, offset)| (offset, coef))
    }

    /// Whether samples past a symmetric end can be updated like the samples that they mirror.
    /// This holds if the coefficients are symmetric or no tap lies past an end. A boundary near an end then keeps no more values than any other.
    pub fn mirrors_evenly(&self) -> bool {
        let is_symmetric = self.coefs.iter().eq(self.coefs.iter().rev());
        self.extension != Extension::Symmetric || is_symmetric || self.stays_inside()
    }

    /// Whether no tap lies past the ends of a line.
    fn stays_inside(&self) -> bool {
        let (first, last) = (self.parity as i64, self.samples as i64 - 1);
        let last = last - (last - first).rem_euclid(2);
        self.taps().all(|(offset, _)| first + offset >= 0 && last + offset < self.samples as i64)
    }

    /// Lanes from one line to the next; `None` for a single line.
    pub fn line_stride(&self) -> Option<usize> {
        self.lines.iter().filter(|lines| lines.n > 1).map(|lines| lines.read).min()
    }

    /// Number of lines.
    pub fn n_lines(&self) -> usize {
        self.lines.iter().map(|lines| lines.n).product()
    }

    /// Whether lines are interleaved, like the columns of an image.
    pub fn is_across(&self) -> bool {
        self.line_stride().is_some_and(|stride| stride < self.spacing)
    }

    /// Parity of the samples that form the next level: 0 for even, 1 for odd.
    pub fn survivors(&self, next: &Self) -> usize {
        (next.first - self.first) / self.spacing
    }
}

impl Stage {
    /// Whether groups are interleaved, like the columns of an image.
    pub fn is_across(&self) -> bool {
        self.group.n > 1 && self.group.read < self.read.step
    }

    /// The stage as a lifting step, if it is one.
    pub fn lifting_step(&self) -> Option<LiftingStep> {
        let step = LiftingStep::linear(self).or_else(|| LiftingStep::elimination(self))?;
        let in_place = step.lines.iter().all(|lines| lines.n == 1 || lines.read == lines.write);
        // The extension must replace even samples by even ones.
        let keeps_parity = match step.extension {
            Extension::Symmetric | Extension::PeriodicHalves | Extension::Zero | Extension::None => true,
            Extension::Periodic => step.samples.is_multiple_of(2),
            Extension::HalfSymmetric | Extension::Negative => false,
        };
        let reads_the_other_half = step.taps().all(|(offset, _)| offset == 0 || offset % 2 != 0);
        (in_place && keeps_parity && step.parity < 2 && reads_the_other_half).then_some(step)
    }
}
