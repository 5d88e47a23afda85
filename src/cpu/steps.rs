//! Runs of Kronecker steps, blocked for the caches: few passes over memory, loops over slices that the compiler turns into vector instructions.
//!
//! A step is recognised by the numbers of its [`Stage`]: every lane is in one pair, `step` lanes apart in blocks of 2·`step`, and the 2×2 matrix works in place.

use super::Lane;
use crate::plan::{Coef, Fold, Operation, Plan, Stage, Write};
use crate::schedule::{Launch, Schedule, Tile};
use rayon::prelude::*;

/// Lanes that stay in the first level cache while all short steps are taken.
const TILE: usize = 4096;
/// Long steps that one pass over memory takes: 2^6 rows.
const STEPS_OF_PASS: usize = 6;
/// Neighbouring columns that a pass takes together: with 64 rows of them, a second level cache is not full.
const STRIP: usize = 256;

/// One step.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step<W> {
    /// The matrix on every pair of lanes so far apart.
    Pairs(usize, Matrix<W>),
    /// Every lane times a number.
    Scale(W),
}

/// The matrix of a step, with those told apart that need no product.
#[derive(Debug, Clone, Copy)]
pub(super) enum Matrix<W> {
    /// [[1, 1], [1, −1]].
    Walsh,
    /// [[1, 0], [1, 1]].
    Add,
    /// [[1, 0], [−1, 1]].
    Subtract,
    /// Any other, row after row.
    Any([W; 4]),
}

/// Few launches for the CPU: a run of steps is one launch over all lanes, everything else is cut into tiles of at most `tile` lanes.
pub fn fastest(plan: &Plan, tile: usize) -> Schedule {
    let mut launches: Vec<Launch> = Vec::new();
    let is_step = |stage: &Stage| distance(stage, plan.lanes).is_some();
    let mut first = 0;
    for run in plan.stages.chunk_by(|a, b| is_step(a) == is_step(b)) {
        let end = first + run.len();
        if is_step(&run[0]) {
            launches.push(Launch { stages: first..end, tile: Tile::Block { lanes: plan.lanes } });
        } else {
            let part = Plan { stages: run.to_vec(), ..plan.clone() };
            let moved = Schedule::tiled(&part, tile).launches.into_iter();
            launches.extend(moved.map(|launch| Launch { stages: first + launch.stages.start..first + launch.stages.end, ..launch }));
        }
        first = end;
    }
    Schedule { launches }
}

/// All stages as steps, if they are that.
pub(super) fn steps<L: Lane>(stages: &[Stage], lanes: usize) -> Option<Vec<Step<L::Weight>>> {
    let weight = |coef: Coef| L::weight(coef.value());
    let step = |stage: &Stage| {
        let coefs = &stage.matrix().coefs;
        Some(match (distance(stage, lanes)?, coefs.iter().map(|coef| coef.real()).collect::<Option<Vec<f64>>>().as_deref()) {
            (0, _) => Step::Scale(weight(coefs[0])),
            (step, Some([1.0, 1.0, 1.0, -1.0])) => Step::Pairs(step, Matrix::Walsh),
            (step, Some([1.0, 0.0, 1.0, 1.0])) => Step::Pairs(step, Matrix::Add),
            (step, Some([1.0, 0.0, -1.0, 1.0])) => Step::Pairs(step, Matrix::Subtract),
            (step, _) => Step::Pairs(step, Matrix::Any([0, 1, 2, 3].map(|i| weight(coefs[i])))),
        })
    };
    stages.iter().map(step).collect()
}

/// How far apart the lanes of a pair stand, 0 where every lane is on its own; `None` where the stage is no step.
fn distance(stage: &Stage, lanes: usize) -> Option<usize> {
    let Operation::Linear(matrix) = &stage.operation else { return None };
    let (read, step) = (&stage.read, stage.positions);
    let n_lanes = stage.n_butterflies() * matrix.rows;
    let plain = stage.twiddle.is_none() && stage.group.n == 1 && n_lanes == lanes && matrix.taps == matrix.rows;
    let blocks = stage.outer.n == 1 || (stage.outer.read, stage.outer.write) == (matrix.rows * step, matrix.rows * step);
    let reads = (read.first, read.advance, read.step, read.fold) == (0, 1, 1, Fold::None);
    let hop = if matrix.rows == 1 { stage.write.hop } else { step };
    let in_place = stage.write == Write { hop, ..Write::IN_ORDER } && (matrix.rows == 1 || read.hop == step);
    match matrix.rows {
        1 if plain && blocks && reads && in_place => Some(0),
        2 if plain && blocks && reads && in_place && step.is_power_of_two() => Some(step),
        _ => None,
    }
}

/// Takes all steps: long ones six at a time on strips of columns, short ones tile by tile.
pub(super) fn run<L: Lane>(lanes: &mut [L], steps: &[Step<L::Weight>]) {
    let is_short = |step: &Step<L::Weight>| !matches!(step, Step::Pairs(step, _) if 2 * step > TILE);
    for run in steps.chunk_by(|a, b| is_short(a) == is_short(b)) {
        if is_short(&run[0]) {
            let tile = lanes.len().min(TILE);
            // Tiles are whole blocks of the steps, whatever the number of rows.
            lanes.par_chunks_mut(tile).for_each(|tile| take(tile, run, 1));
        } else {
            run.chunks(STEPS_OF_PASS).for_each(|pass| pass_over(lanes, pass));
        }
    }
}

/// Takes steps of halving length, which only reach along columns: strips of columns are gathered, transformed, and put back.
fn pass_over<L: Lane>(lanes: &mut [L], pass: &[Step<L::Weight>]) {
    let length = |step: &Step<L::Weight>| if let Step::Pairs(step, _) = step { *step } else { 0 };
    let (longest, columns) = (length(&pass[0]), length(&pass[pass.len() - 1]));
    let rows = 2 * longest / columns;
    let mut strips: Vec<Vec<&mut [L]>> = Vec::new();
    for block in lanes.chunks_mut(2 * longest) {
        let first = strips.len();
        strips.resize_with(first + columns.div_ceil(STRIP), || Vec::with_capacity(rows));
        for row in block.chunks_mut(columns) {
            for (strip, part) in strips[first..].iter_mut().zip(row.chunks_mut(STRIP)) {
                strip.push(part);
            }
        }
    }
    strips.into_par_iter().for_each_init(Vec::new, |held: &mut Vec<L>, mut strip| {
        let width = strip[0].len();
        held.clear();
        strip.iter().for_each(|part| held.extend_from_slice(part));
        take(held, pass, columns / width);
        for (part, values) in strip.iter_mut().zip(held.chunks(width)) {
            part.copy_from_slice(values);
        }
    });
}

/// Takes steps one after the other, two at once where the second is half as long; lengths count in units of `unit` lanes.
fn take<L: Lane>(lanes: &mut [L], steps: &[Step<L::Weight>], unit: usize) {
    let mut rest = steps;
    while let Some((first, after)) = rest.split_first() {
        rest = match (first, after) {
            (Step::Pairs(long, Matrix::Walsh), [Step::Pairs(short, Matrix::Walsh), others @ ..]) if *long == 2 * short => {
                walsh_twice(lanes, short / unit);
                others
            }
            (Step::Pairs(step, matrix), _) => {
                pairs(lanes, step / unit, *matrix);
                after
            }
            (Step::Scale(weight), _) => {
                lanes.iter_mut().for_each(|lane| *lane = lane.times(*weight));
                after
            }
        };
    }
}

/// One step.
fn pairs<L: Lane>(lanes: &mut [L], step: usize, matrix: Matrix<L::Weight>) {
    match matrix {
        Matrix::Walsh => each_pair(lanes, step, |a, b| (a.plus(b), a.minus(b))),
        Matrix::Add => each_pair(lanes, step, |a, b| (a, a.plus(b))),
        Matrix::Subtract => each_pair(lanes, step, |a, b| (a, b.minus(a))),
        Matrix::Any([p, q, r, s]) => each_pair(lanes, step, |a, b| (a.times(p).plus(b.times(q)), a.times(r).plus(b.times(s)))),
    }
}

#[inline]
fn each_pair<L: Lane>(lanes: &mut [L], step: usize, butterfly: impl Fn(L, L) -> (L, L)) {
    // A length that the compiler knows lets it keep the neighbours in registers.
    match step {
        1 => in_blocks::<L, 1>(lanes, butterfly),
        2 => in_blocks::<L, 2>(lanes, butterfly),
        4 => in_blocks::<L, 4>(lanes, butterfly),
        _ => {
            for block in lanes.chunks_exact_mut(2 * step) {
                let (low, high) = block.split_at_mut(step);
                for (a, b) in low.iter_mut().zip(high) {
                    (*a, *b) = butterfly(*a, *b);
                }
            }
        }
    }
}

#[inline]
fn in_blocks<L: Lane, const STEP: usize>(lanes: &mut [L], butterfly: impl Fn(L, L) -> (L, L)) {
    for block in lanes.chunks_exact_mut(2 * STEP) {
        for i in 0..STEP {
            (block[i], block[i + STEP]) = butterfly(block[i], block[i + STEP]);
        }
    }
}

/// Two steps of the Walsh matrix at once, `2·short` and `short` lanes long: half the traffic between registers and cache.
fn walsh_twice<L: Lane>(lanes: &mut [L], short: usize) {
    #[inline]
    fn four<L: Lane>([a, b, c, d]: [L; 4]) -> [L; 4] {
        let (e, f, g, h) = (a.plus(c), b.plus(d), a.minus(c), b.minus(d));
        [e.plus(f), e.minus(f), g.plus(h), g.minus(h)]
    }
    if short == 1 {
        for block in lanes.chunks_exact_mut(4) {
            let results = four([block[0], block[1], block[2], block[3]]);
            block.copy_from_slice(&results);
        }
        return;
    }
    for block in lanes.chunks_exact_mut(4 * short) {
        let (front, back) = block.split_at_mut(2 * short);
        let ((first, second), (third, fourth)) = (front.split_at_mut(short), back.split_at_mut(short));
        for (((a, b), c), d) in first.iter_mut().zip(second).zip(third).zip(fourth) {
            [*a, *b, *c, *d] = four([*a, *b, *c, *d]);
        }
    }
}
