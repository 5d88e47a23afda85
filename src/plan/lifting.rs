//! Lifting steps, recognised by the numbers of a stage: what sections, fast code and drawings have in common.

use super::{Coef, Fold, Loop, Operation, Stage, Write};

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
    pub fold: Fold,
    /// The loops over lines.
    pub lines: [Loop; 2],
}

impl LiftingStep {
    /// The samples that are read, counted from the updated one, and what they are multiplied by.
    pub fn taps(&self) -> impl Iterator<Item = (i64, f64)> + '_ {
        self.coefs.iter().zip(-(REACH as i64)..).filter(|(coef, _)| **coef != 0.0).map(|(&coef, offset)| (offset, coef))
    }

    /// Whether a mirrored end asks for nothing that the other side of a sample does not: neighbours on both sides count alike, or none stands past an end.
    /// Then samples past the ends may be updated as those that they stand for, and a border near an end leaves no more than any other.
    pub fn mirrors_evenly(&self) -> bool {
        let is_symmetric = self.coefs.iter().eq(self.coefs.iter().rev());
        self.fold != Fold::Mirror || is_symmetric || self.stays_inside()
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
        let (matrix, read) = (self.matrix(), &self.read);
        let is_linear = matches!(self.operation, Operation::Linear(_));
        // Eliminations count all lanes, as their samples do not begin at the first one.
        let unit = if matches!(self.operation, Operation::Eliminate) { read.hop.max(1) } else { 1 };
        let step = read.step.max(1);
        let spacing = step * unit;
        let (parity, first) = (self.write.first / spacing, self.write.first % spacing);
        let samples = read.len.saturating_sub(first).div_ceil(unit);
        let write = Write { first: self.write.first, advance: 2 * spacing, hop: self.write.hop, ..Write::IN_ORDER };
        let lines = [self.group, self.outer];
        let in_place = self.write == write && lines.iter().all(|lines| lines.n == 1 || lines.read == lines.write);
        let every_other = (matrix.rows, read.advance, self.positions) == (1, 2 * unit, (samples + 1).saturating_sub(parity) / 2);
        let is_regular = parity < 2 && (first == 0 || unit > 1 && step == 1);
        // Past the ends even samples must stand for even ones.
        let keeps_parity = match read.fold {
            Fold::Mirror | Fold::WrapHalves | Fold::Zero | Fold::None => true,
            Fold::Wrap => read.len.is_multiple_of(2),
            Fold::Negative => false,
        };
        if !in_place || !every_other || !is_regular || !keeps_parity || self.twiddle.is_some() {
            return None;
        }
        let mut coefs = [0.0; 2 * REACH + 1];
        for tap in 0..matrix.taps {
            let distance = read.first + (tap * read.hop) as i64 - (self.write.first / step) as i64;
            if distance % unit as i64 != 0 {
                return None;
            }
            let offset = distance / unit as i64;
            let coef = if is_linear { matrix.at(0, tap) } else { Coef::ONE }.real()?;
            if coef != 0.0 && offset != 0 && offset % 2 == 0 {
                return None;
            }
            if coef != 0.0 {
                *coefs.get_mut(usize::try_from(offset + REACH as i64).ok()?)? = coef;
            }
        }
        Some(LiftingStep { parity, samples, spacing, first, coefs, is_linear, fold: read.fold, lines })
    }
}
