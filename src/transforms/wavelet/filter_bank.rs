//! The D4 filters as a filter bank, not in place: every butterfly computes one low-pass and one high-pass value from four samples.
//!
//! I. Daubechies, Orthonormal bases of compactly supported wavelets (1988); F. Argüello et al. 2012, equations 11 and 12, Figures 5 and 7.

use super::super::{PacketOrder, Shape};
use crate::plan::{Direction, FilterStep, Stage, half_exchange, halved};
use std::f64::consts::SQRT_2;

/// √3.
pub(super) const SQRT_3: f64 = 1.732_050_807_568_877_2;

/// The low-pass taps.
pub(super) const TAPS: [f64; 4] =
    [(1.0 + SQRT_3) / (4.0 * SQRT_2), (3.0 + SQRT_3) / (4.0 * SQRT_2), (3.0 - SQRT_3) / (4.0 * SQRT_2), (1.0 - SQRT_3) / (4.0 * SQRT_2)];

/// Signals with an even number of samples, `stride` lanes apart, that a level halves.
#[derive(Debug, Clone, Copy)]
struct StridedSignals {
    samples: usize,
    stride: usize,
    n_lines: usize,
    line_stride: usize,
}

/// All levels of a line or an image: each halves the low-pass part along x and then along y. The inverse runs them in reverse.
pub(super) fn pyramid(image: Shape, levels: u32, direction: Direction) -> Vec<Stage> {
    let is_image = image.rows > 1 && image.columns > 1;
    let mut halvings = Vec::new();
    for level in 0..levels {
        let [rows, columns] = [image.rows, image.columns].map(|n| halved(n, level));
        let along_x = StridedSignals { samples: columns, stride: 1, n_lines: rows, line_stride: image.columns };
        let along_y = StridedSignals { samples: rows, stride: image.columns, n_lines: columns, line_stride: 1 };
        for (axis, lines) in [(" x", along_x), (" y", along_y)].into_iter().filter(|(_, lines)| lines.samples > 1) {
            halvings.push(lines.halving(&format!("level {}{}", level + 1, if is_image { axis } else { "" }), direction));
        }
    }
    in_direction(halvings, direction)
}

/// The full tree of packets: every level halves every block. For frequency order, a stage then swaps the halves of every second block.
pub(super) fn packets(n: usize, levels: u32, order: PacketOrder, direction: Direction) -> Vec<Stage> {
    let mut steps = Vec::new();
    for level in 0..levels {
        let samples = n >> level;
        let lines = StridedSignals { samples, stride: 1, n_lines: 1 << level, line_stride: samples };
        steps.push(lines.halving(&format!("level {}", level + 1), direction));
        if order == PacketOrder::Frequency && level > 0 {
            steps.push(vec![half_exchange(samples, 1 << (level - 1))]);
        }
    }
    in_direction(steps, direction)
}

fn in_direction(mut steps: Vec<Vec<Stage>>, direction: Direction) -> Vec<Stage> {
    if direction == Direction::Inverse {
        steps.reverse();
    }
    steps.concat()
}

impl StridedSignals {
    /// From every line to its low half and, behind it, its high half; or back.
    fn halving(self, label: &str, direction: Direction) -> Vec<Stage> {
        let Self { samples, stride: spacing, n_lines, line_stride } = self;
        let (first, coefs) = match direction {
            Direction::Forward => (0, analysis()),
            Direction::Inverse => (-2, synthesis()),
        };
        let step = FilterStep { direction, samples, spacing, first, coefs: coefs.map(Vec::from), n_lines, line_stride };
        match direction {
            Direction::Forward => vec![step.stage(label.into())],
            // A stage interleaves the halves first, so that the taps are contiguous.
            Direction::Inverse => vec![step.interleaving(format!("{label}, halves together")), step.stage(label.into())],
        }
    }
}

/// The low-pass filter h, and the high-pass filter: h reversed with alternating signs.
fn analysis() -> [[f64; 4]; 2] {
    [TAPS, std::array::from_fn(mirrored)]
}

/// The synthesis filters, the transpose of the analysis. The taps are low and high of the previous position, then of this one.
fn synthesis() -> [[f64; 4]; 2] {
    std::array::from_fn(|j| {
        std::array::from_fn(|k| {
            let sample = if k < 2 { j + 2 } else { j };
            if k.is_multiple_of(2) { TAPS[sample] } else { mirrored(sample) }
        })
    })
}

/// Tap k of the high-pass filter.
fn mirrored(k: usize) -> f64 {
    if k.is_multiple_of(2) { TAPS[3 - k] } else { -TAPS[3 - k] }
}
