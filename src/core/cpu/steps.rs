//! Runs of Kronecker steps, blocked for the caches, with vector instructions.
//!
//! [`Stage::kronecker_step`](crate::plan::Stage::kronecker_step) recognises a step: every lane is in one pair, `step` lanes apart in blocks of 2·`step`, and the 2×2 matrix works in place.

pub(super) mod butterfly;
mod vectors;

use super::Lane;
use crate::plan::{self, Plan, Ring, Stage};
use crate::schedule::{Launch, Schedule, Tile};
use crate::threads;
use vectors::{StepLanes, StepRun, take};

/// Bytes of a tile: the short steps stay in the L2 cache.
const TILE_BYTES: usize = 1 << 18;
/// Bytes of a row that a thread takes at a time: eight rows stay in the L1 cache.
const COLUMN_BYTES: usize = 1 << 12;

/// A Kronecker step.
#[derive(Debug, Clone, Copy)]
pub(super) enum WeightedKroneckerStep<W> {
    /// A 2×2 matrix on every pair of lanes at a distance.
    Pairs(usize, PairMatrix<W>),
    /// A weight for every lane.
    Scale(W),
}

/// The 2×2 matrix of a step, with the cases that need no product.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum PairMatrix<W> {
    /// [[1, 1], [1, −1]].
    Walsh,
    /// [[1, 0], [1, 1]].
    Add,
    /// [[1, 0], [−1, 1]].
    Subtract,
    /// Any other, row-major.
    Any([W; 4]),
}

impl<W> PairMatrix<W> {
    /// A 2×2 matrix of the plan as weights.
    pub(super) fn of<L: Lane<Weight = W>>(ring: Ring, matrix: &plan::Matrix) -> Self {
        let coefs: Vec<Option<f64>> = matrix.coefs.iter().map(|coef| coef.real()).collect();
        match coefs[..] {
            [Some(1.0), Some(1.0), Some(1.0), Some(-1.0)] => Self::Walsh,
            [Some(1.0), Some(0.0), Some(1.0), Some(1.0)] => Self::Add,
            [Some(1.0), Some(0.0), Some(-1.0), Some(1.0)] => Self::Subtract,
            _ => Self::Any([0, 1, 2, 3].map(|i| L::weight(ring.element(matrix.coefs[i])))),
        }
    }

    /// The four coefficients, row-major.
    fn coefficients<L: Lane<Weight = W>>(self) -> [W; 4] {
        let real = |values: [f64; 4]| values.map(|value| L::weight(value.into()));
        match self {
            Self::Walsh => real([1.0, 1.0, 1.0, -1.0]),
            Self::Add => real([1.0, 0.0, 1.0, 1.0]),
            Self::Subtract => real([1.0, 0.0, -1.0, 1.0]),
            Self::Any(coefficients) => coefficients,
        }
    }
}

/// A schedule of few launches for the CPU: Kronecker steps on the same lanes are one launch, and other stages form the fewest blocks.
pub fn fast_schedule(plan: &Plan) -> Schedule {
    let mut launches: Vec<Launch> = Vec::new();
    let mut first = 0;
    let steps_on = |stage: &Stage| lanes_of(plan.ring, stage);
    for run in plan.stages.chunk_by(|a, b| steps_on(a) == steps_on(b)) {
        let end = first + run.len();
        if steps_on(&run[0]).is_some() {
            launches.push(Launch { stages: first..end, tile: Tile::Block { lanes: plan.lanes } });
        } else {
            // The caches of a CPU keep any stages together.
            let part = Plan { stages: run.to_vec(), n_apart: 0, ..plan.clone() };
            let moved = Schedule::tiled(&part, plan.lanes).launches.into_iter();
            launches.extend(moved.map(|launch| Launch { stages: first + launch.stages.start..first + launch.stages.end, ..launch }));
        }
        first = end;
    }
    Schedule { launches }
}

/// The stages as Kronecker steps on lanes 0 to n, and n; `None` for other stages.
pub(super) fn steps<L: Lane>(ring: Ring, stages: &[Stage]) -> Option<(usize, Vec<WeightedKroneckerStep<L::Weight>>)> {
    let lanes = lanes_of(ring, stages.first()?)?;
    let step = |stage: &Stage| {
        Some(match stage.kronecker_step().filter(|step| step.lanes == lanes)?.distance {
            0 => WeightedKroneckerStep::Scale(L::weight(ring.element(stage.matrix().coefs[0]))),
            step => WeightedKroneckerStep::Pairs(step, PairMatrix::of::<L>(ring, stage.matrix())),
        })
    };
    Some((lanes, stages.iter().map(step).collect::<Option<_>>()?))
}

/// The number of lanes of a Kronecker step. Residues have none: passes multiply them faster than steps do, which do not know their field.
fn lanes_of(ring: Ring, stage: &Stage) -> Option<usize> {
    stage.kronecker_step().filter(|_| ring.field().is_none()).map(|step| step.lanes)
}

/// Runs steps in place, on one thread or on all.
pub(super) fn run<L: Lane>(lanes: &mut [L], steps: &[WeightedKroneckerStep<L::Weight>], is_parallel: bool) {
    let goes_on = |a: &WeightedKroneckerStep<_>, b: &WeightedKroneckerStep<_>| matches!((a, b), (WeightedKroneckerStep::Pairs(a, m), WeightedKroneckerStep::Pairs(b, n)) if *a == 2 * b && m == n);
    for steps in steps.chunk_by(goes_on) {
        match steps[0] {
            // A step alone reads all lanes in their order.
            WeightedKroneckerStep::Pairs(step, matrix) if !is_parallel && steps.len() == 1 => {
                take(StepLanes::Blocks(&mut *lanes), StepRun { matrix, step, n: 1 })
            }
            WeightedKroneckerStep::Pairs(step, matrix) => halving(lanes, StepRun { matrix, step, n: steps.len() }, is_parallel),
            WeightedKroneckerStep::Scale(weight) => chunks(lanes, COLUMN_BYTES / size_of::<L>(), is_parallel, &|lanes| {
                lanes.iter_mut().for_each(|lane| *lane = lane.times(weight));
            }),
        }
    }
}

/// Runs steps of halving distance block by block, so that a block stays cached for its shorter steps:
/// three long steps at a time, then all steps of an L2 tile at once.
fn halving<L: Lane>(lanes: &mut [L], run: StepRun<L::Weight>, is_parallel: bool) {
    let (block, tile) = (2 * run.step, TILE_BYTES / size_of::<L>());
    if run.n == 0 {
        return;
    }
    if block <= tile {
        return chunks(lanes, tile, is_parallel, &|tile| take(StepLanes::Blocks(tile), run));
    }
    let taken = if run.n < 3 {
        strips(lanes, block, is_parallel, |rows| take(StepLanes::Halves(rows), run));
        1
    } else {
        strips(lanes, block, is_parallel, |rows| take(StepLanes::Eighths(rows), run));
        3
    };
    let next = StepRun { step: run.step >> taken, n: run.n - taken, ..run };
    chunks(lanes, block >> taken, is_parallel, &|block| halving(block, next, is_parallel));
}

/// Does the work of every chunk of `size` lanes, on one thread or on all.
fn chunks<L: Lane>(lanes: &mut [L], size: usize, is_parallel: bool, work: &(dyn Fn(&mut [L]) + Sync)) {
    match is_parallel {
        true => threads::for_each_chunk(lanes, size, &|_, lanes| work(lanes)),
        false => lanes.chunks_mut(size).for_each(work),
    }
}

/// Divides every block into rows, and these into strips of columns, which one thread or all take.
fn strips<L: Lane, const ROWS: usize>(lanes: &mut [L], block: usize, is_parallel: bool, work: impl Fn([&mut [L]; ROWS]) + Sync) {
    let (columns, width) = (block / ROWS, COLUMN_BYTES / size_of::<L>());
    chunks(lanes, block, is_parallel, &|lanes| {
        let mut rows: Vec<_> = lanes.chunks_mut(columns).map(|row| row.chunks_mut(width)).collect();
        let strip = |_| std::array::from_fn(|row| rows[row].next().unwrap_or_default());
        let strips = (0..columns.div_ceil(width)).map(strip);
        match is_parallel {
            true => threads::for_each_item(strips.collect(), &|_, strip| work(strip)),
            false => strips.for_each(&work),
        }
    });
}
