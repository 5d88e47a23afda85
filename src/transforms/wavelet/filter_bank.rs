//! The D4 filters as a bank: every butterfly computes one low-pass and one high-pass value of four samples; not in place.
//!
//! I. Daubechies, Orthonormal bases of compactly supported wavelets (1988); F. Argüello et al. 2012, equations 11 and 12, Figures 5 and 7.

use super::super::{PacketOrder, Shape};
use crate::plan::{Coef, Direction, Fold, Loop, Matrix, Operation, Read, Stage, Write, halved};
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
    lines: Loop,
}

/// All levels of a line or a picture: each halves what is low-pass along x, and then along y; the inverse goes back.
pub(super) fn pyramid(picture: Shape, levels: u32, direction: Direction) -> Vec<Stage> {
    let is_picture = picture.rows > 1 && picture.columns > 1;
    let mut halvings = Vec::new();
    for level in 0..levels {
        let [rows, columns] = [picture.rows, picture.columns].map(|n| halved(n, level));
        let along_x = Lines { samples: columns, stride: 1, lines: over(rows, picture.columns) };
        let along_y = Lines { samples: rows, stride: picture.columns, lines: over(columns, 1) };
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
        steps.push(Lines { samples, stride: 1, lines: over(1 << level, samples) }.halving(&format!("level {}", level + 1), direction));
        if order == PacketOrder::Frequency && level > 0 {
            steps.push(vec![exchange(samples, 1 << (level - 1))]);
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

/// `n` lines, where there are several.
pub(super) fn over(n: usize, stride: usize) -> Loop {
    if n == 1 { Loop::ONCE } else { Loop::new(n, stride) }
}

impl Lines {
    /// Every line to its low half and, behind it, its high half; or these back to the line.
    fn halving(self, label: &str, direction: Direction) -> Vec<Stage> {
        let Self { samples, stride, lines } = self;
        let stage = |label: String, read: Read, write: Write, matrix: Matrix| Stage {
            label,
            outer: Loop::ONCE,
            group: lines,
            positions: samples / 2,
            read: Read { step: stride, len: samples, ..read },
            write: Write { first: 0, advance: write.advance * stride, hop: write.hop * stride, ..Write::IN_ORDER },
            operation: Operation::Linear(matrix),
            twiddle: None,
        };
        let neighbours = Read { first: 0, advance: 2, hop: 1, step: 1, len: samples, fold: Fold::Wrap };
        let [apart, together] = [(1, samples / 2), (2, 1)].map(|(advance, hop)| Write { advance, hop, ..Write::IN_ORDER });
        match direction {
            Direction::Forward => vec![stage(label.into(), neighbours, apart, analysis())],
            // Brought together first, the halves are neighbours, and the taps stand one behind the other.
            Direction::Inverse => vec![
                stage(
                    format!("{label}, halves together"),
                    Read { advance: 1, hop: samples / 2, fold: Fold::None, ..neighbours },
                    together,
                    unit(),
                ),
                stage(label.into(), Read { first: -2, ..neighbours }, together, synthesis()),
            ],
        }
    }
}

/// Low-pass h, and high-pass: h backwards with every second sign turned.
fn analysis() -> Matrix {
    Matrix::from_fn(2, 4, |j, k| Coef::Real(if j == 0 { TAPS[k] } else { mirrored(k) }))
}

/// What undoes the analysis: its transpose. Taps are low and high of the position before, and of the position.
fn synthesis() -> Matrix {
    Matrix::from_fn(2, 4, |j, k| {
        let sample = if k < 2 { j + 2 } else { j };
        Coef::Real(if k.is_multiple_of(2) { TAPS[sample] } else { mirrored(sample) })
    })
}

/// Tap k of the high-pass filter.
fn mirrored(k: usize) -> f64 {
    if k.is_multiple_of(2) { TAPS[3 - k] } else { -TAPS[3 - k] }
}

/// Two taps to two results.
fn unit() -> Matrix {
    Matrix::from_fn(2, 2, |j, k| Coef::Real(f64::from(u8::from(j == k))))
}

/// The two halves of every second one of `2·pairs` blocks of so many samples change places.
fn exchange(samples: usize, pairs: usize) -> Stage {
    let half = samples / 2;
    Stage {
        label: "by frequency".into(),
        outer: Loop::ONCE,
        group: over(pairs, 2 * samples),
        positions: half,
        read: Read { first: samples as i64, advance: 1, hop: half, step: 1, len: 2 * samples, fold: Fold::None },
        write: Write { first: samples, advance: 1, hop: half, ..Write::IN_ORDER },
        operation: Operation::Linear(Matrix::from_fn(2, 2, |j, k| Coef::Real(f64::from(u8::from(j != k))))),
        twiddle: None,
    }
}
