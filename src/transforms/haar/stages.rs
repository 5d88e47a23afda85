//! The stages of the Haar algorithms: sum and difference of two lanes, half as many pairs in every further step; the inverse goes back.

use super::super::Parameters;
use super::super::fourier::stages::every_lane;
use crate::plan::{Coef, Digits, Direction, Fold, Loop, Matrix, Operation, Read, Stage, Write};
use std::f64::consts::FRAC_1_SQRT_2;

/// Pairs of one step, and how far apart its lanes stand.
struct Pairs {
    n: usize,
    read: Spacing,
    write: Spacing,
}

/// Lanes from one pair to the next, and between the two of a pair.
#[derive(Clone, Copy)]
struct Spacing {
    advance: usize,
    hop: usize,
}

/// In place, the standard spectrum: neighbours, then every second lane, …; the permutation sorts by scale.
pub(super) fn pyramid(n: usize, parameters: Parameters) -> Vec<Stage> {
    let stages = steps(n).map(|step| {
        let pairs = n / (2 * step);
        let spacing = Spacing { advance: 2 * step, hop: step };
        stage(format!("step {step}"), parameters, Pairs { n: pairs, read: spacing, write: spacing })
    });
    let mut stages: Vec<Stage> = stages.collect();
    match parameters.direction {
        Direction::Forward => stages.extend(permutation(n, "coarsest first", Digits::BelowLeading)),
        Direction::Inverse => {
            stages.extend(permutation(n, "pyramid in place", Digits::AboveTrailing));
            stages.reverse();
        }
    }
    stages
}

/// Constant geometry as printed: step after step reads 2t and 2t + 1 and writes t and t + step; the inverse reads what it wrote.
pub(super) fn constant_geometry(n: usize, parameters: Parameters) -> Vec<Stage> {
    let neighbours = Spacing { advance: 2, hop: 1 };
    let stages = steps(n).rev().map(|step| {
        let halves = Spacing { advance: 1, hop: step };
        let [read, write] = match parameters.direction {
            Direction::Forward => [neighbours, halves],
            Direction::Inverse => [halves, neighbours],
        };
        stage(format!("constant geometry, step {step}"), parameters, Pairs { n: step, read, write })
    });
    directed(stages.collect(), parameters.direction)
}

/// In place as printed: pairs N/2 lanes apart, then N/4 in the first half, …
pub(super) fn printed(n: usize, parameters: Parameters) -> Vec<Stage> {
    let stages = steps(n).rev().map(|step| {
        let spacing = Spacing { advance: 1, hop: step };
        stage(format!("step {step}"), parameters, Pairs { n: step, read: spacing, write: spacing })
    });
    directed(stages.collect(), parameters.direction)
}

/// 1, 2, … N/2.
fn steps(n: usize) -> impl DoubleEndedIterator<Item = usize> {
    (0..n.ilog2()).map(|k| 1 << k)
}

fn directed(mut stages: Vec<Stage>, direction: Direction) -> Vec<Stage> {
    if direction == Direction::Inverse {
        stages.reverse();
    }
    stages
}

/// Sum and difference of every pair; orthonormal ones are divided by √2, and those of the inverse by what makes up for the forward ones.
fn stage(label: String, parameters: Parameters, Pairs { n, read, write }: Pairs) -> Stage {
    let factor = match (parameters.normalized, parameters.direction) {
        (true, _) => FRAC_1_SQRT_2,
        (false, Direction::Forward) => 1.0,
        (false, Direction::Inverse) => 0.5,
    };
    Stage {
        label,
        outer: Loop::ONCE,
        group: Loop::ONCE,
        positions: n,
        read: Read {
            first: 0,
            advance: read.advance,
            hop: read.hop,
            step: 1,
            len: (n - 1) * read.advance + read.hop + 1,
            fold: Fold::None,
        },
        write: Write { advance: write.advance, hop: write.hop, ..Write::IN_ORDER },
        operation: Operation::Linear(Matrix::from_fn(2, 2, |j, k| Coef::Real(if j * k == 1 { -factor } else { factor }))),
        twiddle: None,
    }
}

/// The permutation between a pyramid in place and coarsest first, where it moves anything.
fn permutation(n: usize, label: &str, digits: Digits) -> Option<Stage> {
    (n > 2).then(|| Stage { label: label.into(), write: Write { reversed_bits: n.ilog2(), digits, ..Write::IN_ORDER }, ..every_lane(n) })
}
