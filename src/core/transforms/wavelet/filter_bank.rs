//! Filter banks, not in place: every butterfly computes one low-pass and one high-pass value from neighbouring samples.
//!
//! I. Daubechies, Orthonormal bases of compactly supported wavelets (1988); A. Cohen, I. Daubechies, J.-C. Feauveau, Biorthogonal bases of compactly supported
//! wavelets (1992); F. Argüello et al. 2012, equations 11 and 12, Figures 5 and 7, Table 5.

use super::super::{PacketOrder, Shape};
use super::axes::{self, AxisLines, Columns};
use crate::plan::{Direction, Extension, FilterStep, Stage, half_exchange};
use std::f64::consts::SQRT_2;

/// √3.
pub(super) const SQRT_3: f64 = 1.732_050_807_568_877_2;

/// The low-pass taps of D4.
pub(super) const TAPS: [f64; 4] =
    [(1.0 + SQRT_3) / (4.0 * SQRT_2), (3.0 + SQRT_3) / (4.0 * SQRT_2), (3.0 - SQRT_3) / (4.0 * SQRT_2), (1.0 - SQRT_3) / (4.0 * SQRT_2)];

/// The symmetric low-pass taps h₀ to h₄ of the 9/7 filters, from the centre outwards. They equal the lifting steps, with sum √2.
pub(super) const CDF97_LOW: [f64; 5] =
    [0.852_698_679_009_403_4, 0.377_402_855_612_653_74, -0.110_624_404_418_423_4, -0.023_849_465_019_38, 0.037_828_455_506_995_46];
/// The symmetric high-pass taps g₀ to g₃ of the 9/7 filters, from the centre outwards.
pub(super) const CDF97_HIGH: [f64; 4] =
    [0.788_485_616_405_664_4, -0.418_092_273_222_212_2, -0.040_689_417_609_558_44, 0.064_538_882_628_938_43];

/// The two filters of a level.
#[derive(Debug, Clone, Copy)]
pub(super) enum Filters {
    /// The orthonormal filters of 4 taps, periodic.
    D4,
    /// The biorthogonal filters of 9 and 7 taps, with this boundary extension.
    Cdf97(Extension),
}

/// All levels of a line or an image: each halves the low-pass part along x and along y. The inverse runs them in reverse.
pub(super) fn pyramid(image: Shape, filters: Filters, levels: u32, columns: Columns, direction: Direction) -> Vec<Stage> {
    let halvings = axes::levels(image, levels, columns, direction, |level, axis, lines| {
        vec![lines.halving(filters, format!("level {} {axis}", level + 1).trim_end(), direction)]
    });
    axes::in_direction(halvings, direction)
}

/// The full tree of D4 packets: every level halves every block. For frequency order, a stage then swaps the halves of every second block.
pub(super) fn packets(n: usize, levels: u32, order: PacketOrder, direction: Direction) -> Vec<Stage> {
    let mut steps = Vec::new();
    for level in 0..levels {
        let samples = n >> level;
        let lines = AxisLines { samples, stride: 1, n_lines: 1 << level, line_stride: samples };
        steps.push(lines.halving(Filters::D4, &format!("level {}", level + 1), direction));
        if order == PacketOrder::Frequency && level > 0 {
            steps.push(vec![half_exchange(samples, 1 << (level - 1))]);
        }
    }
    axes::in_direction(steps, direction)
}

impl AxisLines {
    /// From every line of an even number of samples to its low half and, behind it, its high half; or back.
    fn halving(self, filters: Filters, label: &str, direction: Direction) -> Vec<Stage> {
        let Self { samples, stride: spacing, n_lines, line_stride } = self;
        let (first, coefs) = match direction {
            Direction::Forward => filters.analysis(),
            Direction::Inverse => filters.synthesis(),
        };
        let extension = if let Filters::Cdf97(extension) = filters { extension } else { Extension::Periodic };
        let step = FilterStep { direction, samples, spacing, first, extension, coefs, n_lines, line_stride };
        match direction {
            Direction::Forward => vec![step.stage(label.into())],
            // A stage interleaves the halves first, so that the taps are contiguous.
            Direction::Inverse => vec![step.interleaving(format!("{label}, halves together")), step.stage(label.into())],
        }
    }
}

impl Filters {
    /// The first tap, counted from sample 2p, and the low-pass and the high-pass filter.
    fn analysis(self) -> (i64, [Vec<f64>; 2]) {
        match self {
            // The high-pass filter is h reversed with alternating signs.
            Self::D4 => (0, [TAPS.to_vec(), (0..4).map(mirrored).collect()]),
            Self::Cdf97(_) => (-4, [0, 1].map(|centre| (-4..=4).map(|k| cdf97_tap(centre == 0, k - centre)).collect())),
        }
    }

    /// The first tap, counted from sample 2p, and what makes samples 2p and 2p + 1 of low-pass and high-pass values that alternate.
    fn synthesis(self) -> (i64, [Vec<f64>; 2]) {
        match self {
            // The transpose of the analysis: the taps are low and high of the previous position, then of this one.
            Self::D4 => {
                let tap = |sample: usize, k: usize| if k.is_multiple_of(2) { TAPS[sample] } else { mirrored(sample) };
                (-2, [0, 1].map(|j| (0..4).map(|k| tap(if k < 2 { j + 2 } else { j }, k)).collect()))
            }
            // Low-pass values meet the high-pass filter of the analysis and the other way round, with alternating signs.
            Self::Cdf97(_) => {
                let sign = |distance: i64| if distance % 2 == 0 { 1.0 } else { -1.0 };
                (-3, [0, 1].map(|j| (-3..=5).map(|k| sign(k - j) * cdf97_tap(k % 2 != 0, k - j)).collect()))
            }
        }
    }
}

/// A tap of the 9/7 filters at this distance from the centre.
fn cdf97_tap(is_low: bool, distance: i64) -> f64 {
    let taps: &[f64] = if is_low { &CDF97_LOW } else { &CDF97_HIGH };
    taps.get(distance.unsigned_abs() as usize).copied().unwrap_or(0.0)
}

/// Tap k of the high-pass filter of D4.
fn mirrored(k: usize) -> f64 {
    if k.is_multiple_of(2) { TAPS[3 - k] } else { -TAPS[3 - k] }
}
