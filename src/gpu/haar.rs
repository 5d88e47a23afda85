//! The fast kernel of Haar pyramids: which runs of stages it serves, and its text, `shaders/haar.wgsl` with the levels written out.
//!
//! A level of the algorithm with constant geometry reads neighbours among the first lanes of a row, and writes their sums to the first half of these and their differences to the second.
//! What a block of 2^k neighbours becomes in k levels depends on nothing else, so that one workgroup can take them all.

use super::fft::Body;
use super::{Kernel, Limits};
use crate::plan::{Coef, Fold, Loop, Matrix, Operation, Plan, Precision, Read, Ring, Stage, Width, Write};
use std::ops::Range;

const KERNEL: &str = include_str!("../../shaders/haar.wgsl");
/// Threads of a workgroup at most.
const MOST_THREADS: usize = 256;
/// Binary digits that number the lanes of a block: four vectors of four for each of 256 threads.
const MOST_DIGITS: usize = 12;

/// The constants of one kernel.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PyramidShape {
    /// What a lane holds.
    pub ring: Ring,
    /// Bits of what every sum and every difference is multiplied by.
    factor: u64,
    /// Digits that number the lanes of a block.
    digits: usize,
    /// Levels, at most as many.
    levels: usize,
    /// Whether results go where the lanes came from.
    in_place: bool,
}

/// A run of levels, as found in a plan.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Run {
    pub(super) shape: PyramidShape,
    /// Lanes of a row, and those that the first level reads.
    pub(super) row: usize,
    pub(super) active: usize,
    /// Workgroups of all rows.
    pub(super) n_groups: usize,
}

/// A level: the lanes of a row, those that it reads, and the factor.
fn level(stage: &Stage, lanes: usize) -> Option<(usize, usize, f64)> {
    let [Coef::Real(factor), ..] = stage.matrix().coefs[..] else { return None };
    let (half, rows) = (stage.positions, stage.outer.n);
    let row = lanes / rows;
    let expected = Stage {
        label: stage.label.clone(),
        outer: if rows == 1 { Loop::ONCE } else { Loop::new(rows, row) },
        group: Loop::ONCE,
        positions: half,
        read: Read { first: 0, advance: 2, hop: 1, step: 1, len: 2 * half, fold: Fold::None },
        write: Write { hop: half, ..Write::IN_ORDER },
        operation: Operation::Linear(Matrix::from_fn(2, 2, |j, k| Coef::Real(if j * k == 1 { -factor } else { factor }))),
        twiddle: None,
    };
    let fits = half.is_power_of_two() && 2 * half <= row && row * rows == lanes;
    (fits && *stage == expected && (factor as f32).is_normal()).then_some((row, 2 * half, factor))
}

/// What a run of stages is, if it consists of levels that follow one another and a workgroup can take all of them of its block.
///
/// The first launch reads the input and writes every lane elsewhere; later ones take what is left of a row in a single block, and write where they read.
pub(super) fn recognise(plan: &Plan, stages: Range<usize>, in_place: bool, limits: Limits) -> Option<Run> {
    let single = limits.precision == Precision::Single;
    if !single || !matches!(plan.ring, Ring::Real | Ring::Integer(Width::Bits32)) || (plan.inputs, plan.outputs) != (plan.lanes, plan.lanes)
    {
        return None;
    }
    let (row, active, factor) = level(&plan.stages[stages.start], plan.lanes)?;
    let follow =
        plan.stages[stages.clone()].iter().enumerate().all(|(i, stage)| level(stage, plan.lanes) == Some((row, active >> i, factor)));
    let (levels, digits) = (stages.len(), MOST_DIGITS.min(active.ilog2() as usize));
    if digits < 2 || levels > digits || (plan.ring, limits.precision) == (Ring::Real, Precision::Double) {
        return None;
    }
    let alone = active == 1 << digits;
    // In place only the single block of a row does not write what another one reads; elsewhere no lane may be left out.
    let separate = if in_place { alone } else { active == row };
    let exact = plan.ring == Ring::Real || factor == 1.0;
    let n_groups = plan.lanes / row * (active >> digits);
    let shape = PyramidShape { ring: plan.ring, factor: factor.to_bits(), digits, levels, in_place };
    let fits = shape.threads() <= limits.max_invocations && shape.workgroup_bytes() <= limits.workgroup_bytes;
    (follow && separate && exact && fits).then_some(Run { shape, row, active, n_groups })
}

/// The kernel that serves a launch with tiles of so many lanes, and its numbers: workgroups, lanes of a row, and those that are active.
pub(super) fn serving(plan: &Plan, stages: Range<usize>, tile: usize, in_place: bool, limits: Limits) -> Option<(Kernel, [u32; 3])> {
    let run = recognise(plan, stages, in_place, limits).filter(|run| run.tile_lanes() == tile)?;
    Some((Kernel::Pyramid(run.shape), [run.n_groups, run.row, run.active].map(|n| n as u32)))
}

impl Run {
    /// Lanes of a tile: a block, or the whole row with those that keep their value.
    pub(super) fn tile_lanes(&self) -> usize {
        if self.shape.in_place { self.row } else { 1 << self.shape.digits }
    }
}

impl PyramidShape {
    fn threads(&self) -> usize {
        (1 << (self.digits - 2)).min(MOST_THREADS)
    }

    /// Vectors of four sums in one area of workgroup memory.
    fn traded(&self) -> usize {
        ((1 << self.digits) / 16).max(1)
    }

    fn workgroup_bytes(&self) -> usize {
        2 * 16 * self.traded()
    }

    /// Whether results go where the lanes came from.
    pub fn in_place(&self) -> bool {
        self.in_place
    }
}

/// The whole text but for the file of the lane, which stands before it.
pub(super) fn source(shape: &PyramidShape) -> String {
    let factor = f64::from_bits(shape.factor);
    let constants = format!(
        "const FACTOR = Lane({factor:?});\nconst BLOCK = {}u;\nconst LEVELS = {}u;\nconst THREADS = {}u;\nconst TRADED = {}u;\n",
        shape.digits,
        shape.levels,
        shape.threads(),
        shape.traded(),
    );
    [constants, KERNEL.replace("    //@ levels\n", &levels(shape))].join("\n")
}

/// The levels, two at a time.
fn levels(shape: &PyramidShape) -> String {
    let (mut body, threads) = (Body::new(Precision::Single), shape.threads());
    let n_vectors = (1 << (shape.digits - 2)) / threads;
    for i in 0..n_vectors {
        let v = format!("(start >> 2u) + thread + {}u", i * threads);
        if shape.in_place {
            body.line(format_args!("let x{i} = vec4<Lane>(after[2u * ({v})], after[2u * ({v}) + 1u]);"));
        } else {
            body.line(format_args!("let x{i} = before[{v}];"));
        }
    }
    if shape.in_place {
        body.line(format_args!("storageBarrier();"));
    }
    for i in 0..n_vectors {
        two_levels(&mut body, shape, 0, &format!("thread + {}u", i * threads), &format!("x{i}"));
    }
    for level in (2..shape.levels).step_by(2) {
        body.line(format_args!("workgroupBarrier();"));
        let area = (level / 2 + 1) % 2;
        let left = (1 << (shape.digits - level)) / 4;
        body.line(format_args!("if thread < {}u {{", left.max(1)));
        if left == 0 {
            body.line(format_args!("    last(tile, {level}u, sums[{area}][0].xy);"));
        } else {
            two_levels(&mut body, shape, level, "thread", &format!("sums[{area}][thread]"));
        }
        body.line(format_args!("}}"));
    }
    body.into_text()
}

/// Two levels, or the last one, of vector `v` of the block; its sum goes to whoever takes the next level, or where it stays.
fn two_levels(body: &mut Body, shape: &PyramidShape, level: usize, v: &str, x: &str) {
    let area = level / 2 % 2;
    match shape.levels - level {
        1 => body.line(format_args!("once(tile, {level}u, {v}, {x});")),
        2 => body.line(format_args!("store(rest(tile) + {v}, twice(tile, {level}u, {v}, {x}));")),
        _ => body.line(format_args!("sums[{area}][({v}) >> 2u][({v}) & 3u] = twice(tile, {level}u, {v}, {x});")),
    }
}
