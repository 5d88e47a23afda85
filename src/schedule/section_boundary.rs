//! What a run of lifting steps leaves to the merge at a border, in closed form: the kernels have these numbers, and a test compares them with the derived sections.

use crate::plan::LiftingStep;

/// What a run leaves to the merge at a border: the samples between `before` and `after`, counted in samples of the step's level; the border stands before sample 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SectionBoundary {
    /// The last sample before the border that the split has.
    pub before: i64,
    /// The first sample after it that the split has.
    pub after: i64,
}

/// The even and the odd samples around a border.
#[derive(Debug, Clone, Copy)]
struct Halves {
    /// Those that the split has.
    known: [SectionBoundary; 2],
    /// Those that it may overwrite: the merge has read them already, or never reads them.
    free: [SectionBoundary; 2],
}

/// The step on the nearest samples, of which tiles are made.
pub(super) fn finest(steps: &[LiftingStep]) -> Option<&LiftingStep> {
    steps.iter().min_by_key(|step| step.spacing)
}

/// The borders of a run of steps, step by step; `margin` samples of the finest level on each side are left to the merge.
///
/// A step leaves what depends on something that the split does not have.
/// It also leaves what would overwrite a sample that the merge has yet to read: on the way back the finer level updates samples that the coarser one has read.
pub fn section_boundaries(steps: &[LiftingStep], margin: usize) -> Vec<SectionBoundary> {
    let Some((first, finest)) = steps.first().zip(finest(steps)) else { return Vec::new() };
    let given = |step: &LiftingStep| SectionBoundary::of_margin(margin as i64, (step.spacing / finest.spacing) as i64);
    let mut halves = Halves::new(given(first));
    let (mut borders, mut last) = (Vec::with_capacity(steps.len()), first);
    for step in steps {
        if step.spacing > last.spacing {
            halves = halves.of_coarser(last.survivors(step));
        } else if step.spacing < last.spacing {
            halves = halves.of_finer(given(step));
        }
        borders.push(halves.take(step));
        last = step;
    }
    borders
}

impl SectionBoundary {
    /// What the split has at first of samples that stand `spacing` samples of the finest level apart.
    fn of_margin(margin: i64, spacing: i64) -> Self {
        Self { before: (-1 - margin).div_euclid(spacing), after: -(-margin).div_euclid(spacing) }
    }

    /// The samples of one parity among them.
    fn of_parity(self, parity: usize) -> Self {
        let is_other = |sample: i64| (sample + parity as i64).rem_euclid(2);
        Self { before: self.before - is_other(self.before), after: self.after + is_other(self.after) }
    }

    /// Both parities together, as far as no sample is missing.
    fn joined([even, odd]: [Self; 2]) -> Self {
        Self { before: even.before.min(odd.before) + 1, after: even.after.max(odd.after) - 1 }
    }

    /// What both leave.
    fn widest(self, other: Self) -> Self {
        Self { before: self.before.min(other.before), after: self.after.max(other.after) }
    }
}

impl Halves {
    /// Nothing was read yet.
    fn new(given: SectionBoundary) -> Self {
        let known = [0, 1].map(|parity| given.of_parity(parity));
        Self { known, free: known }
    }

    /// The samples of the next level, which are the even ones, or the odd ones.
    fn of_coarser(self, survivors: usize) -> Self {
        let halved = |sample: i64| (sample - survivors as i64) / 2;
        let level = |SectionBoundary { before, after }: SectionBoundary| SectionBoundary { before: halved(before), after: halved(after) };
        let [known, free] = [self.known, self.free].map(|halves| Self::new(level(halves[survivors])).known);
        Self { known, free }
    }

    /// The samples of the level of which these are the even ones; `given` are the odd ones.
    fn of_finer(self, given: SectionBoundary) -> Self {
        let odd = given.of_parity(1);
        let level = |halves: [SectionBoundary; 2]| {
            let SectionBoundary { before, after } = SectionBoundary::joined(halves);
            [SectionBoundary { before: 2 * before, after: 2 * after }, odd]
        };
        Self { known: level(self.known), free: level(self.free) }
    }

    /// What a step leaves to the merge.
    fn take(&mut self, step: &LiftingStep) -> SectionBoundary {
        let (own, other) = (step.parity, 1 - step.parity);
        let taps = || step.taps().map(|(offset, _)| offset).filter(|offset| *offset != 0);
        let needs = |known: SectionBoundary, offset: i64| {
            known.widest(SectionBoundary { before: self.known[other].before - offset, after: self.known[other].after - offset })
        };
        let border = taps().fold(self.known[own].widest(self.free[own]), needs).of_parity(own);
        (self.known[own], self.free[own]) = (border, border);
        // The first and the last sample that the merge updates stand two behind what the split has.
        if border.before + 2 < border.after {
            for offset in taps() {
                let read = SectionBoundary { before: border.before + offset, after: border.after + offset };
                self.free[other] = self.free[other].widest(read);
            }
        }
        border
    }
}
