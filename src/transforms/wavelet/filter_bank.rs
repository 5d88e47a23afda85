//! The D4 filters as a bank: every butterfly computes one low-pass and one high-pass value of four samples; not in place.
//!
//! I. Daubechies, Orthonormal bases of compactly supported wavelets (1988); F. Argüello et al. 2012, equations 11 and 12, Figures 5 and 7.

use super::super::{PacketOrder, Shape};
use crate::plan::{Direction, FilterStep, Stage, half_exchange, halved};
use std::f64::consts::SQRT_2;

/// √3.
pub(super) const SQRT_3: f64 = 1.732_050_807_568_877_2;

/// The low-pass taps.
const TAPS: [f64; 4] =
    [(1.0 + SQRT_3) / (4.0 * SQRT_2), (3.0 + SQRT_3) / (4.0 * SQRT_2), (3.0 - SQRT_3) / (4.0 * SQRT_2), (1.0 - SQRT_3) / (4.0 * SQRT_2)];

/// Lines of an even number of samples, `stride` lanes apart, that are halved.
#[derive(Debug, Clone, Copy)]
struct Lines {
    samples: usize,
    stride: usize,
    n_lines: usize,
    line_stride: usize,
}

/// All levels of a line or a picture: each halves what is low-pass along x, and then along y; the inverse goes back.
pub(super) fn pyramid(picture: Shape, levels: u32, direction: Direction) -> Vec<Stage> {
    let is_picture = picture.rows > 1 && picture.columns > 1;
    let mut halvings = Vec::new();
    for level in 0..levels {
        let [rows, columns] = [picture.rows, picture.columns].map(|n| halved(n, level));
        let along_x = Lines { samples: columns, stride: 1, n_lines: rows, line_stride: picture.columns };
        let along_y = Lines { samples: rows, stride: picture.columns, n_lines: columns, line_stride: 1 };
        for (axis, lines) in [(" x", along_x), (" y", along_y)].into_iter().filter(|(_, lines)| lines.samples > 1) {
            halvings.push(lines.halving(&format!("level {}{}", level + 1, if is_picture { axis } else { "" }), direction));
        }
    }
    in_direction(halvings, direction)
}

/// The full tree of packets: every level halves every block. In the order of frequencies, the halves of every second block then change places.
pub(super) fn packets(n: usize, levels: u32, order: PacketOrder, direction: Direction) -> Vec<Stage> {
    let mut steps = Vec::new();
    for level in 0..levels {
        let samples = n >> level;
        let lines = Lines { samples, stride: 1, n_lines: 1 << level, line_stride: samples };
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

impl Lines {
    /// Every line to its low half and, behind it, its high half; or these back to the line.
    fn halving(self, label: &str, direction: Direction) -> Vec<Stage> {
        let Self { samples, stride: spacing, n_lines, line_stride } = self;
        let (first, coefs) = match direction {
            Direction::Forward => (0, analysis()),
            Direction::Inverse => (-2, synthesis()),
        };
        let step = FilterStep { direction, samples, spacing, first, coefs: coefs.map(Vec::from), n_lines, line_stride };
        match direction {
            Direction::Forward => vec![step.stage(label.into())],
            // Interleaved first, the halves are neighbours, and the taps stand one behind the other.
            Direction::Inverse => vec![step.interleaving(format!("{label}, halves together")), step.stage(label.into())],
        }
    }
}

/// Low-pass h, and high-pass: h backwards with every second sign changed.
fn analysis() -> [[f64; 4]; 2] {
    [TAPS, std::array::from_fn(mirrored)]
}

/// What undoes the analysis: its transpose. Taps are low and high of the position before, and of the position.
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
