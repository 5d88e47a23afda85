//! Runs of Kronecker steps, blocked for the caches: few passes over memory, loops over slices that the compiler turns into vector instructions.
//!
//! [`Stage::step`] recognises a step: every lane is in one pair, `step` lanes apart in blocks of 2·`step`, and the 2×2 matrix works in place.

use super::Lane;
use crate::plan::{Coef, Plan, Stage};
use crate::schedule::{Launch, Schedule, Tile};
use rayon::prelude::*;

/// Lanes that stay in the second level cache while all short steps are taken.
const TILE: usize = 1 << 16;
/// Lanes that stay in the first level cache.
const INNER_TILE: usize = 4096;
/// Long steps that one pass over memory takes: 2^8 rows.
const STEPS_OF_PASS: usize = 8;
/// Lanes that a pass gathers at a time: as many neighbouring columns of all rows.
const GATHERED: usize = 1 << 14;
/// Lanes that the compiler holds in one vector register, where they are 32 bits wide.
const VECTOR: usize = 4;
/// The most steps that are taken at once.
const STEPS_AT_ONCE: usize = 4;

/// One step.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step<W> {
    /// The matrix on every pair of lanes so far apart.
    Pairs(usize, Matrix<W>),
    /// Every lane times a number.
    Scale(W),
}

/// The matrix of a step, with those told apart that need no product.
#[derive(Debug, Clone, Copy, PartialEq)]
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

/// How far apart the lanes of a pair stand, 0 where every lane is on its own; `None` where the stage is no step on all lanes.
fn distance(stage: &Stage, lanes: usize) -> Option<usize> {
    stage.step().filter(|step| step.lanes == lanes).map(|step| step.distance)
}

/// Takes all steps: long ones six at a time on strips of columns, short ones tile by tile.
pub(super) fn run<L: Lane>(lanes: &mut [L], steps: &[Step<L::Weight>]) {
    let is_short = |step: &Step<L::Weight>| !matches!(step, Step::Pairs(step, _) if 2 * step > TILE);
    for run in steps.chunk_by(|a, b| is_short(a) == is_short(b)) {
        if is_short(&run[0]) {
            // Tiles are whole blocks of the steps, whatever the number of rows.
            let tile = lanes.len().min(TILE);
            lanes.par_chunks_mut(tile).for_each(|tile| {
                let n_outer = run.iter().take_while(|step| 2 * length(step) > INNER_TILE).count();
                take(tile, &run[..n_outer], 1);
                tile.chunks_mut(INNER_TILE).for_each(|inner| take(inner, &run[n_outer..], 1));
            });
        } else {
            let halving = run.chunk_by(|a, b| length(a) == 2 * length(b));
            halving.flat_map(|run| run.chunks(STEPS_OF_PASS)).for_each(|pass| pass_over(lanes, pass));
        }
    }
}

/// How far apart the lanes of a pair stand.
fn length<W>(step: &Step<W>) -> usize {
    match step {
        Step::Pairs(step, _) => *step,
        Step::Scale(_) => 0,
    }
}

/// Takes steps of halving length, which only reach along columns: strips of columns are gathered, transformed, and put back.
fn pass_over<L: Lane>(lanes: &mut [L], pass: &[Step<L::Weight>]) {
    let (longest, columns) = (length(&pass[0]), length(&pass[pass.len() - 1]));
    let rows = 2 * longest / columns;
    let width = (GATHERED / rows).min(columns);
    let mut strips: Vec<Vec<&mut [L]>> = Vec::new();
    for block in lanes.chunks_mut(2 * longest) {
        let first = strips.len();
        strips.resize_with(first + columns.div_ceil(width), || Vec::with_capacity(rows));
        for row in block.chunks_mut(columns) {
            for (strip, part) in strips[first..].iter_mut().zip(row.chunks_mut(width)) {
                strip.push(part);
            }
        }
    }
    strips.into_par_iter().for_each_init(Vec::new, |held: &mut Vec<L>, mut strip| {
        held.clear();
        strip.iter().for_each(|part| held.extend_from_slice(part));
        take(held, pass, columns / width);
        for (part, values) in strip.iter_mut().zip(held.chunks(width)) {
            part.copy_from_slice(values);
        }
    });
}

/// Takes steps one after the other, as many at once as halve their length and stay in registers; lengths count in units of `unit` lanes.
fn take<L: Lane>(lanes: &mut [L], steps: &[Step<L::Weight>], unit: usize) {
    let mut rest = steps;
    while let Some(first) = rest.first() {
        let n = match *first {
            Step::Scale(weight) => {
                lanes.iter_mut().for_each(|lane| *lane = lane.times(weight));
                1
            }
            Step::Pairs(step, matrix) => {
                let goes_on = |n: usize| matches!(rest.get(n), Some(Step::Pairs(next, other)) if next << n == step && *other == matrix);
                let n = (1..STEPS_AT_ONCE).take_while(|&n| goes_on(n)).count() + 1;
                match matrix {
                    Matrix::Walsh => several(lanes, step / unit, n, |a: L, b| (a.plus(b), a.minus(b))),
                    Matrix::Add => several(lanes, step / unit, n, |a: L, b| (a, a.plus(b))),
                    Matrix::Subtract => several(lanes, step / unit, n, |a: L, b| (a, b.minus(a))),
                    Matrix::Any([p, q, r, s]) => {
                        several(lanes, step / unit, n, |a: L, b| (a.times(p).plus(b.times(q)), a.times(r).plus(b.times(s))))
                    }
                }
            }
        };
        rest = &rest[n..];
    }
}

/// Takes up to `n` steps, the first `step` lanes long and each further one half as long; says how many it took.
#[inline]
fn several<L: Lane>(lanes: &mut [L], step: usize, n: usize, butterfly: impl Fn(L, L) -> (L, L) + Copy) -> usize {
    match n {
        4 if step == 2 * VECTOR => squares(lanes, butterfly),
        2.. if step > 2 * VECTOR => two(lanes, step, butterfly),
        _ => {
            for block in lanes.chunks_exact_mut(2 * step) {
                let (low, high) = block.split_at_mut(step);
                for (a, b) in low.iter_mut().zip(high) {
                    (*a, *b) = butterfly(*a, *b);
                }
            }
            1
        }
    }
}

/// Two steps at once: half the traffic between registers and cache.
#[inline]
fn two<L: Lane>(lanes: &mut [L], step: usize, butterfly: impl Fn(L, L) -> (L, L) + Copy) -> usize {
    for block in lanes.chunks_exact_mut(2 * step) {
        let (front, back) = block.split_at_mut(step);
        let ((first, second), (third, fourth)) = (front.split_at_mut(step / 2), back.split_at_mut(step / 2));
        for (((a, b), c), d) in first.iter_mut().zip(second).zip(third).zip(fourth) {
            let ((e, g), (f, h)) = (butterfly(*a, *c), butterfly(*b, *d));
            ((*a, *b), (*c, *d)) = (butterfly(e, f), butterfly(g, h));
        }
    }
    2
}

/// The last four steps, 8, 4, 2 and 1 lanes long: a square of four vectors, transposed between the two longer and the two shorter ones.
#[inline]
fn squares<L: Lane>(lanes: &mut [L], butterfly: impl Fn(L, L) -> (L, L) + Copy) -> usize {
    let transposed = |square: [[L; VECTOR]; VECTOR]| std::array::from_fn(|i| std::array::from_fn(|j| square[j][i]));
    let between = |square: &mut [[L; VECTOR]; VECTOR]| {
        for (i, j) in [(0, 2), (1, 3), (0, 1), (2, 3)] {
            let results: [(L, L); VECTOR] = std::array::from_fn(|column| butterfly(square[i][column], square[j][column]));
            (square[i], square[j]) = (results.map(|(a, _)| a), results.map(|(_, b)| b));
        }
    };
    for block in lanes.chunks_exact_mut(VECTOR * VECTOR) {
        let mut square: [[L; VECTOR]; VECTOR] = std::array::from_fn(|i| std::array::from_fn(|j| block[i * VECTOR + j]));
        between(&mut square);
        square = transposed(square);
        between(&mut square);
        square = transposed(square);
        block.copy_from_slice(square.as_flattened());
    }
    4
}
