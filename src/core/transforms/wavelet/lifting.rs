//! Lifting: a level is a short list of steps in place, each of which adds multiples of neighbours in one half of the samples to the other half.
//!
//! I. Daubechies, W. Sweldens, Factoring wavelet transforms into lifting steps (1998).
//! A step that reads only the half that it does not write is undone by the same step with opposite signs, under every boundary extension.

use super::super::{Boundary, Shape};
use super::axes::{self, AxisLines, Columns};
use super::filter_bank::SQRT_3;
use crate::plan::shapes::{copies, every_lane};
use crate::plan::{Direction, Extension, LiftingStep, Loop, PyramidLayout, Stage, WritePattern};
use std::f64::consts::{FRAC_1_SQRT_2, SQRT_2};

/// Which samples of a level a step changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Half {
    Even,
    Odd,
}

/// One step: a sample becomes the sum of its taps times `weights`.
#[derive(Debug)]
pub(super) struct StepRecipe {
    name: &'static str,
    half: Half,
    /// Where tap 0 is, counted from the sample.
    first: i64,
    /// From one tap to the next.
    hop: usize,
    weights: &'static [f64],
}

/// The steps of a level, in the order of the forward direction, and what is past the ends.
#[derive(Debug)]
pub(super) struct Scheme {
    /// The steps.
    pub(super) steps: &'static [StepRecipe],
    /// The boundary extension.
    pub(super) boundary: Boundary,
    /// By how many places the high half comes out late; see [`PyramidLayout::rotation`].
    pub(super) rotation: usize,
}

// Every digit that double precision holds: with 15 places after the point, β is right to 14 digits only.
pub(super) const ALPHA: f64 = -1.586_134_342_059_923_6;
pub(super) const BETA: f64 = -0.052_980_118_572_961_415;
pub(super) const GAMMA: f64 = 0.882_911_075_530_933_3;
pub(super) const DELTA: f64 = 0.443_506_852_043_971_15;
pub(super) const K: f64 = 1.149_604_398_860_241_2;

/// The 9/7 filters; the last step of each half scales it, by 1/K the odd one and by K the even one.
pub(super) static CDF97_STEPS: [StepRecipe; 4] = [
    StepRecipe { name: "α", half: Half::Odd, first: -1, hop: 1, weights: &[ALPHA, 1.0, ALPHA] },
    StepRecipe { name: "β", half: Half::Even, first: -1, hop: 1, weights: &[BETA, 1.0, BETA] },
    StepRecipe { name: "γ", half: Half::Odd, first: -1, hop: 1, weights: &[GAMMA / K, 1.0 / K, GAMMA / K] },
    StepRecipe { name: "δ", half: Half::Even, first: -1, hop: 1, weights: &[K * K * DELTA, K, K * K * DELTA] },
];

/// The filters of Haar; the low half comes first, so that past the end of an odd line is a sample and not a coefficient.
pub(super) static D2_STEPS: [StepRecipe; 2] = [
    StepRecipe { name: "mean", half: Half::Even, first: 0, hop: 1, weights: &[FRAC_1_SQRT_2, FRAC_1_SQRT_2] },
    StepRecipe { name: "difference", half: Half::Odd, first: -1, hop: 1, weights: &[1.0, -SQRT_2] },
];

/// The D4 filters; the second step of the odd half reads a neighbour three samples away, so it stands apart from the first.
/// High-pass value i is in odd sample i + 1, which is inherent: the filters' polyphase matrix has determinant −z.
pub(super) static D4_STEPS: [StepRecipe; 4] = [
    StepRecipe { name: "s", half: Half::Even, first: 0, hop: 1, weights: &[1.0, SQRT_3] },
    StepRecipe { name: "d", half: Half::Odd, first: -1, hop: 1, weights: &[-SQRT_3 / 4.0, 1.0] },
    StepRecipe { name: "d′", half: Half::Odd, first: -3, hop: 3, weights: &[D4_HIGH * (2.0 - SQRT_3) / 4.0, D4_HIGH] },
    StepRecipe { name: "s′", half: Half::Even, first: 0, hop: 3, weights: &[D4_LOW, -D4_LOW / D4_HIGH] },
];

const D4_LOW: f64 = (SQRT_3 - 1.0) * FRAC_1_SQRT_2;
const D4_HIGH: f64 = -(SQRT_3 + 1.0) * FRAC_1_SQRT_2;

/// The part of an image that one level works on, along the axis that is halved: samples of a line, lanes between two of them, and the lines.
#[derive(Debug, Clone, Copy)]
struct StridedSignals {
    samples: usize,
    stride: usize,
    lines: Loop,
}

/// All levels in place, each along x and along y, and the permutation to the Mallat layout; the inverse goes back.
pub(super) fn stages(image: Shape, scheme: &Scheme, pyramid: PyramidLayout, columns: Columns) -> Vec<Stage> {
    let mut stages = axes::levels(image, pyramid.levels, columns, pyramid.direction, |level, axis, lines| {
        let AxisLines { samples, stride, n_lines, line_stride } = lines;
        // A level finds its samples where the one before has left them.
        let [stride, line_stride] = [stride, line_stride].map(|lanes| lanes << level);
        let lines = StridedSignals { samples, stride, lines: copies(n_lines, line_stride, line_stride) };
        let step = |step: &StepRecipe| {
            let label = [&format!("level {}", level + 1), step.name, axis].join(" ").trim_end().into();
            vec![step.on(lines, scheme.boundary, pyramid.direction).stage(label)]
        };
        scheme.steps.iter().map(step).collect()
    });
    let label = if pyramid.direction == Direction::Forward { "coarsest first" } else { "pyramid in place" };
    // The permutation of two samples, or of none, moves nothing.
    let moves = pyramid.levels > 0 && image.len() > 2;
    let permutation = || Stage {
        label: label.into(),
        write: WritePattern { pyramid: Some(pyramid), ..WritePattern::IN_ORDER },
        ..every_lane(image.len())
    };
    stages.extend(moves.then(|| vec![permutation()]));
    axes::in_direction(stages, pyramid.direction)
}

impl StepRecipe {
    /// The step on all lines, or what undoes it.
    fn on(&self, StridedSignals { samples, stride, lines }: StridedSignals, boundary: Boundary, direction: Direction) -> LiftingStep {
        let own = (-self.first) as usize / self.hop;
        let weight = |k: usize| match direction {
            Direction::Forward => self.weights[k],
            Direction::Inverse if k == own => 1.0 / self.weights[own],
            Direction::Inverse => -self.weights[k] / self.weights[own],
        };
        let coefs = LiftingStep::coefs(self.first, self.hop, (0..self.weights.len()).map(weight));
        LiftingStep {
            parity: if self.half == Half::Even { 0 } else { 1 },
            samples,
            spacing: stride,
            first: 0,
            coefs: coefs.expect("no scheme reaches further than a step may"),
            is_linear: true,
            extension: match boundary {
                Boundary::Symmetric => Extension::Symmetric,
                Boundary::Periodic if samples.is_multiple_of(2) => Extension::Periodic,
                Boundary::Periodic => Extension::PeriodicHalves,
            },
            lines: [lines, Loop::ONCE],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_digit_of_the_97_steps_is_right() {
        // With the real zero y of 1 + 4y + 10y² + 20y³ the low-pass filter is √2·(1 − y')²·(1 − y·(10 + 20y)·y' − 20y·y'²) in y' = (2 − z − 1/z)/4;
        // its taps from the centre outwards are h0 … h4; α is h4/h3, and the other factors follow by division with remainder, here in 60 digits.
        let exact = [
            (ALPHA, "-1.586134342059923558428315451337"),
            (BETA, "-0.052980118572961414624129567503"),
            (GAMMA, "0.882911075530933295919790099003"),
            (DELTA, "0.443506852043971152115604215169"),
            (K, "1.149604398860241159795075642191"),
            (SQRT_3, "1.732050807568877293527446341506"),
        ];
        for (number, digits) in exact {
            assert_eq!(Ok(number), digits.parse(), "{digits} is nearest to another number");
        }
    }
}
