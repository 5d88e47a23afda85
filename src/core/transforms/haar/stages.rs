//! The stages of the Haar algorithms: sum and difference of two lanes, with half the pairs in every further stage; the inverse goes back.

use super::super::{Parameters, Unsupported, direct};
use crate::plan::shapes::{HaarStage, LevelOrderStage, ScalingStage, copies, every_lane, sum_and_difference};
use crate::plan::{DirectSum, DirectTerms, Direction, Loop, ReadPattern, Stage, WritePattern};
use std::f64::consts::FRAC_1_SQRT_2;

/// In place, the standard spectrum: neighbours, then every second lane, …; the permutation sorts by scale.
pub(super) fn pyramid(n: usize, parameters: Parameters) -> Vec<Stage> {
    // Every pair is a block of its own, so that a tile takes all steps of its lanes.
    let blocks = |step: usize| Stage { outer: copies(n / (2 * step), 2 * step, 2 * step), ..stage(step, parameters, 1, [1, step]) };
    let stages = steps(n).map(blocks);
    let mut stages: Vec<Stage> = stages.collect();
    stages.extend(permutation(n, parameters.direction));
    directed(stages, parameters.direction)
}

/// Constant geometry as printed: step after step reads 2t and 2t + 1 and writes t and t + step; the inverse reads what it wrote.
pub(super) fn constant_geometry(n: usize, parameters: Parameters) -> Vec<Stage> {
    let Parameters { direction, .. } = parameters;
    let stages = steps(n).rev().map(|pairs| HaarStage { rows: 1, row: n, pairs, factor: factor(parameters), direction }.stage());
    directed(stages.collect(), parameters.direction)
}

/// Constant geometry with the three buffers of the paper, N lanes each: buffer 3 first, which collects the spectrum, then buffers 1 and 2, which exchange
/// their roles from step to step. The samples are transferred to both; every step writes its results to the sink and to buffer 3.
pub(super) fn three_buffers(n: usize, parameters: Parameters) -> Vec<Stage> {
    let transfer = Stage {
        label: "transfer to buffers 1 and 2".into(),
        group: Loop { n: 2, read: 0, write: n },
        write: WritePattern { first: n, ..WritePattern::IN_ORDER },
        ..every_lane(n)
    };
    let step = |stage: Stage| {
        let number = stage.positions.ilog2();
        let [source, sink] = if number.is_multiple_of(2) { [1, 2] } else { [2, 1] };
        Stage {
            label: format!("step {number}: {source} to {sink} and 3"),
            group: Loop { n: 2, read: 0, write: sink * n },
            read: ReadPattern { base: source * n, ..stage.read },
            ..stage
        }
    };
    std::iter::once(transfer).chain(constant_geometry(n, parameters).into_iter().map(step)).collect()
}

/// In place as printed: pairs N/2 lanes apart, then N/4 in the first half, …
pub(super) fn printed(n: usize, parameters: Parameters) -> Vec<Stage> {
    let stages = steps(n).rev().map(|step| stage(step, parameters, step, [1, step]));
    directed(stages.collect(), parameters.direction)
}

/// The definition: one dense stage. The inverse is the transpose with each row divided by its squared norm N/2^s: times 2^s, and all divided by N, so that
/// integers stay exact.
pub(super) fn dense(n: usize, Parameters { direction, normalized, .. }: Parameters) -> Result<Vec<Stage>, Unsupported> {
    direct::check_line(n)?;
    let transposed = direction == Direction::Inverse;
    let weight = |scale: u32| match (normalized, transposed) {
        (true, _) => (f64::from(scale).exp2() / n as f64).sqrt(),
        (false, true) => f64::from(scale).exp2(),
        (false, false) => 1.0,
    };
    let weights = (0..n.ilog2().max(1)).map(weight).collect();
    let mut stages = vec![DirectSum::stage(n, DirectTerms::Haar { weights, transposed })];
    stages.extend((transposed && !normalized && n > 1).then(|| ScalingStage::by_reciprocal(n, n)));
    Ok(stages)
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

/// The factors of sums and differences: orthonormal ones are divided by √2, and the inverse makes up for those that the forward direction left out.
fn factor(parameters: Parameters) -> f64 {
    match (parameters.normalized, parameters.direction) {
        (true, _) => FRAC_1_SQRT_2,
        (false, Direction::Forward) => 1.0,
        (false, Direction::Inverse) => 0.5,
    }
}

/// Sum and difference, in place, of `n` pairs whose lanes are `hop` apart, one pair `advance` lanes behind the other.
fn stage(step: usize, parameters: Parameters, n: usize, [advance, hop]: [usize; 2]) -> Stage {
    Stage {
        label: format!("distance {step}"),
        read: ReadPattern { advance: advance as i64, hop: hop as i64, ..ReadPattern::in_order((n - 1) * advance + hop + 1) },
        write: WritePattern { advance, hop, ..WritePattern::IN_ORDER },
        operation: sum_and_difference(factor(parameters)),
        ..every_lane(n)
    }
}

/// The permutation between a pyramid in place and coarsest first, where it moves anything.
fn permutation(n: usize, direction: Direction) -> Option<Stage> {
    (n > 2).then(|| LevelOrderStage { rows: 1, n_bits: n.ilog2(), direction }.stage())
}
