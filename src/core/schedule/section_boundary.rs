//! The samples that a run of lifting steps leaves to the merge at a section boundary, in closed form.

use crate::plan::LiftingStep;

/// The samples strictly between `before` and `after` are left to the merge. They are counted at the step's level; the boundary lies before sample 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SectionBoundary {
    /// The last sample before the boundary that the split computes.
    pub before: i64,
    /// The first sample after the boundary that the split computes.
    pub after: i64,
}

/// The even and odd samples around a boundary.
#[derive(Debug, Clone, Copy)]
struct ParityBoundaries {
    /// Samples that the split knows.
    known: [SectionBoundary; 2],
    /// Samples that the split may overwrite because the merge has read them already or never reads them.
    free: [SectionBoundary; 2],
}

/// The step with the smallest spacing; tiles are counted in its samples.
pub(super) fn finest(steps: &[LiftingStep]) -> Option<&LiftingStep> {
    steps.iter().min_by_key(|step| step.spacing)
}

/// The section boundary after each step of a run; `margin` samples of the finest level on each side are left to the merge.
///
/// The split omits every sample that depends on an omitted sample.
/// It also omits every sample whose old value the merge has yet to read: an inverse updates samples on a finer level that a coarser level has read.
pub fn section_boundaries(steps: &[LiftingStep], margin: usize) -> Vec<SectionBoundary> {
    let Some((first, finest)) = steps.first().zip(finest(steps)) else { return Vec::new() };
    let given = |step: &LiftingStep| SectionBoundary::of_margin(margin as i64, (step.spacing / finest.spacing) as i64);
    let mut halves = ParityBoundaries::new(given(first));
    let (mut boundaries, mut last) = (Vec::with_capacity(steps.len()), first);
    for step in steps {
        if step.spacing > last.spacing {
            halves = halves.of_coarser(last.survivors(step));
        } else if step.spacing < last.spacing {
            halves = halves.of_finer(given(step));
        }
        boundaries.push(halves.advance(step));
        last = step;
    }
    boundaries
}

impl SectionBoundary {
    /// The first known samples of a level with this spacing, in samples of the finest level.
    fn of_margin(margin: i64, spacing: i64) -> Self {
        Self { before: (-1 - margin).div_euclid(spacing), after: -(-margin).div_euclid(spacing) }
    }

    /// The known samples of one parity.
    fn of_parity(self, parity: usize) -> Self {
        let is_other = |sample: i64| (sample + parity as i64).rem_euclid(2);
        Self { before: self.before - is_other(self.before), after: self.after + is_other(self.after) }
    }

    /// The samples around which both parities are complete.
    fn joined([even, odd]: [Self; 2]) -> Self {
        Self { before: even.before.min(odd.before) + 1, after: even.after.max(odd.after) - 1 }
    }

    /// The union of two omitted ranges.
    fn widest(self, other: Self) -> Self {
        Self { before: self.before.min(other.before), after: self.after.max(other.after) }
    }
}

impl ParityBoundaries {
    fn new(given: SectionBoundary) -> Self {
        let known = [0, 1].map(|parity| given.of_parity(parity));
        Self { known, free: known }
    }

    /// The state on the next level, which consists of the even or of the odd samples.
    fn of_coarser(self, survivors: usize) -> Self {
        let halved = |sample: i64| (sample - survivors as i64) / 2;
        let level = |SectionBoundary { before, after }: SectionBoundary| SectionBoundary { before: halved(before), after: halved(after) };
        let [known, free] = [self.known, self.free].map(|halves| Self::new(level(halves[survivors])).known);
        Self { known, free }
    }

    /// The state on the finer level whose even samples these are; `given` holds its odd samples.
    fn of_finer(self, given: SectionBoundary) -> Self {
        let odd = given.of_parity(1);
        let level = |halves: [SectionBoundary; 2]| {
            let SectionBoundary { before, after } = SectionBoundary::joined(halves);
            [SectionBoundary { before: 2 * before, after: 2 * after }, odd]
        };
        Self { known: level(self.known), free: level(self.free) }
    }

    /// Advances by a step; returns the boundary that it leaves.
    fn advance(&mut self, step: &LiftingStep) -> SectionBoundary {
        let (own, other) = (step.parity, 1 - step.parity);
        let taps = || step.taps().map(|(offset, _)| offset).filter(|offset| *offset != 0);
        let needs = |known: SectionBoundary, offset: i64| {
            known.widest(SectionBoundary { before: self.known[other].before - offset, after: self.known[other].after - offset })
        };
        let boundary = taps().fold(self.known[own].widest(self.free[own]), needs).of_parity(own);
        (self.known[own], self.free[own]) = (boundary, boundary);
        // The merge updates samples two beyond those of the split.
        if boundary.before + 2 < boundary.after {
            for offset in taps() {
                let read = SectionBoundary { before: boundary.before + offset, after: boundary.after + offset };
                self.free[other] = self.free[other].widest(read);
            }
        }
        boundary
    }
}
