//! Runs of Kronecker steps, blocked for the caches: few passes over memory, loops over slices that the compiler turns into vector instructions.
//!
//! [`Stage::step`] recognises a step: every lane is in one pair, `step` lanes apart in blocks of 2·`step`, and the 2×2 matrix works in place.

mod vectors;

use super::Lane;
use crate::plan::{Coef, Plan, Stage};
use crate::schedule::{Launch, Schedule, Tile};
use rayon::prelude::*;
use vectors::{Run, Work, take};

/// Bytes that stay in the second level cache while all short steps are taken.
const TILE_BYTES: usize = 1 << 18;
/// Columns of a few rows that a thread takes at a time.
const COLUMNS: usize = 1 << 11;

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

/// Takes all steps.
pub(super) fn run<L: Lane>(lanes: &mut [L], steps: &[Step<L::Weight>]) {
    let goes_on = |a: &Step<_>, b: &Step<_>| matches!((a, b), (Step::Pairs(a, m), Step::Pairs(b, n)) if *a == 2 * b && m == n);
    for steps in steps.chunk_by(goes_on) {
        match steps[0] {
            Step::Pairs(step, matrix) => halving(lanes, Run { matrix, step, n: steps.len() }),
            Step::Scale(weight) => lanes.par_iter_mut().with_min_len(COLUMNS).for_each(|lane| *lane = lane.times(weight)),
        }
    }
}

/// Takes steps of halving length block by block, so that what a block leaves in the caches is there when its shorter steps are taken:
/// three long ones at a time, all that fit the second level cache at once.
fn halving<L: Lane>(lanes: &mut [L], run: Run<L::Weight>) {
    let (block, tile) = (2 * run.step, TILE_BYTES / size_of::<L>());
    if run.n == 0 {
        return;
    }
    if block <= tile {
        return lanes.par_chunks_mut(tile).for_each(|tile| take(Work::Blocks(tile), run));
    }
    for block in lanes.chunks_mut(block) {
        let taken = if run.n < 3 {
            let (low, high) = block.split_at_mut(run.step);
            low.par_chunks_mut(COLUMNS).zip(high.par_chunks_mut(COLUMNS)).for_each(|(low, high)| take(Work::Halves([low, high]), run));
            1
        } else {
            strips(block).into_par_iter().for_each(|strip| take(Work::Eighths(strip), run));
            3
        };
        halving(block, Run { step: run.step >> taken, n: run.n - taken, ..run });
    }
}

/// The eight rows of a block, cut into strips of columns.
fn strips<L>(block: &mut [L]) -> Vec<[&mut [L]; 8]> {
    let columns = block.len() / 8;
    let mut rows: Vec<_> = block.chunks_mut(columns).map(|row| row.chunks_mut(COLUMNS)).collect();
    (0..columns.div_ceil(COLUMNS)).map(|_| std::array::from_fn(|row| rows[row].next().unwrap_or_default())).collect()
}
