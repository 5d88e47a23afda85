//! Several Kronecker steps at once in vector registers of the processor's width.
//!
//! Inlining is forced in release builds only: there it carries AVX2 into every function, and elsewhere it would cost minutes of compilation.

use super::PairMatrix;
use super::butterfly::{Add, Any, Subtract, VectorButterfly, Walsh};
use crate::cpu::lane::{Lane, Vector};
use fearless_simd::{Fallback, Level, Simd};

const WIDEST: usize = 8;
/// Lanes that stay in the L1 cache.
const INNER_TILE: usize = 4096;

/// Steps of one matrix at halving distances.
#[derive(Debug, Clone, Copy)]
pub(super) struct StepRun<W> {
    pub(super) matrix: PairMatrix<W>,
    /// Distance of the lanes of a pair in the first step.
    pub(super) step: usize,
    pub(super) n: usize,
}

/// The lanes that take steps at once.
pub(super) enum StepLanes<'a, L> {
    /// All steps of whole blocks.
    Blocks(&'a mut [L]),
    /// The first step, on some columns of the two halves of a block.
    Halves([&'a mut [L]; 2]),
    /// The first three steps, on some columns of the eight rows of a block.
    Eighths([&'a mut [L]; 8]),
}

/// Runs the steps with AVX2 or Neon.
///
/// Other processors share one version for all matrices: more versions would double the compile time of the crate.
pub(super) fn take<L: Lane>(work: StepLanes<'_, L>, run: StepRun<L::Weight>) {
    match Level::new() {
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        Level::Avx2(simd) => by_matrix(simd, work, run),
        #[cfg(target_arch = "aarch64")]
        Level::Neon(simd) => by_matrix(simd, work, run),
        _ => with(Fallback::new(), work, run, Any(run.matrix.coefficients::<L>())),
    }
}

fn by_matrix<S: Simd, L: Lane>(simd: S, work: StepLanes<'_, L>, run: StepRun<L::Weight>) {
    match run.matrix {
        PairMatrix::Walsh => with(simd, work, run, Walsh),
        PairMatrix::Add => with(simd, work, run, Add),
        PairMatrix::Subtract => with(simd, work, run, Subtract),
        PairMatrix::Any(matrix) => with(simd, work, run, Any(matrix)),
    }
}

fn with<S: Simd, L: Lane>(simd: S, work: StepLanes<'_, L>, run: StepRun<L::Weight>, butterfly: impl VectorButterfly<S, L, L::Vector<S>>) {
    match work {
        StepLanes::Blocks(lanes) => blocks(simd, lanes, run.step, run.n, butterfly),
        StepLanes::Halves(rows) => simd.vectorize(
            #[inline(always)]
            || two_rows(simd, rows, butterfly),
        ),
        StepLanes::Eighths(rows) => eight_rows(simd, rows, butterfly),
    }
}

/// Runs `n` steps, the first at distance `step`; what fits the L1 cache is finished there.
fn blocks<S: Simd, L: Lane, V: Vector<S, L>>(
    simd: S,
    lanes: &mut [L],
    mut step: usize,
    mut n: usize,
    butterfly: impl VectorButterfly<S, L, V>,
) {
    while n > 2 && 2 * step > INNER_TILE {
        rows(simd, lanes, step, butterfly);
        (step, n) = (step / 8, n - 3);
    }
    // The steps within vectors run together if none is missing.
    let short = if step >> n == 0 { (8 * V::N).ilog2() as usize } else { 0 };
    for tile in lanes.chunks_mut(INNER_TILE.max(2 * step)) {
        let (mut step, mut n) = (step, n);
        while n > 0 {
            let taken = match n {
                _ if n == short => shortest(simd, tile, butterfly),
                _ if step >= 4 * V::N && n >= short + 3 => rows(simd, tile, step, butterfly),
                _ if step >= V::N => one(simd, tile, step, butterfly),
                _ => match step {
                    1 => inside::<S, L, V, 1>(simd, tile, butterfly),
                    2 => inside::<S, L, V, 2>(simd, tile, butterfly),
                    _ => inside::<S, L, V, 4>(simd, tile, butterfly),
                },
            };
            (step, n) = (step >> taken, n - taken);
        }
    }
}

/// Three steps at once.
fn rows<S: Simd, L: Lane, V: Vector<S, L>>(simd: S, lanes: &mut [L], step: usize, butterfly: impl VectorButterfly<S, L, V>) -> usize {
    for block in lanes.chunks_exact_mut(2 * step) {
        let mut rows = block.chunks_exact_mut(step / 4);
        eight_rows(simd, std::array::from_fn(|_| rows.next().unwrap_or_default()), butterfly);
    }
    3
}

/// The three steps between eight rows.
fn eight_rows<S: Simd, L: Lane, V: Vector<S, L>>(simd: S, rows: [&mut [L]; 8], butterfly: impl VectorButterfly<S, L, V>) {
    simd.vectorize(
        #[inline(always)]
        || {
            let [a, b, c, d, e, f, g, h] = rows;
            macro_rules! columns {
                ($first:ident, $($row:ident),*) => { $first.chunks_exact_mut(V::N)$(.zip($row.chunks_exact_mut(V::N)))* };
            }
            for (((((((a, b), c), d), e), f), g), h) in columns!(a, b, c, d, e, f, g, h) {
                let load = |lanes: &[L]| V::load(simd, lanes);
                let results = three([load(a), load(b), load(c), load(d), load(e), load(f), load(g), load(h)], butterfly);
                for (row, vector) in [a, b, c, d, e, f, g, h].into_iter().zip(results) {
                    vector.store(row);
                }
            }
        },
    );
}

/// Three steps between eight vectors.
#[cfg_attr(not(debug_assertions), inline(always))]
fn three<S: Simd, L: Lane, V: Vector<S, L>>([a, b, c, d, e, f, g, h]: [V; 8], butterfly: impl VectorButterfly<S, L, V>) -> [V; 8] {
    let ((a, e), (b, f), (c, g), (d, h)) =
        (butterfly.between(a, e), butterfly.between(b, f), butterfly.between(c, g), butterfly.between(d, h));
    let ((a, c), (b, d), (e, g), (f, h)) =
        (butterfly.between(a, c), butterfly.between(b, d), butterfly.between(e, g), butterfly.between(f, h));
    let ((a, b), (c, d), (e, f), (g, h)) =
        (butterfly.between(a, b), butterfly.between(c, d), butterfly.between(e, f), butterfly.between(g, h));
    [a, b, c, d, e, f, g, h]
}

/// One step between vectors.
fn one<S: Simd, L: Lane, V: Vector<S, L>>(simd: S, lanes: &mut [L], step: usize, butterfly: impl VectorButterfly<S, L, V>) -> usize {
    simd.vectorize(
        #[inline(always)]
        || {
            for block in lanes.chunks_exact_mut(2 * step) {
                two_rows(simd, block.split_at_mut(step).into(), butterfly);
            }
        },
    );
    1
}

/// The step between two rows.
#[cfg_attr(not(debug_assertions), inline(always))]
fn two_rows<S: Simd, L: Lane, V: Vector<S, L>>(simd: S, [low, high]: [&mut [L]; 2], butterfly: impl VectorButterfly<S, L, V>) {
    for (low, high) in low.chunks_exact_mut(V::N).zip(high.chunks_exact_mut(V::N)) {
        let (a, b) = butterfly.between(V::load(simd, low), V::load(simd, high));
        a.store(low);
        b.store(high);
    }
}

/// The last steps of eight vectors: three between them, and all within each.
fn shortest<S: Simd, L: Lane, V: Vector<S, L>>(simd: S, lanes: &mut [L], butterfly: impl VectorButterfly<S, L, V>) -> usize {
    simd.vectorize(
        #[inline(always)]
        || {
            for block in lanes.chunks_exact_mut(8 * V::N) {
                let load = |i: usize| V::load(simd, &block[i * V::N..(i + 1) * V::N]);
                let [a, b, c, d, e, f, g, h] = three([load(0), load(1), load(2), load(3), load(4), load(5), load(6), load(7)], butterfly);
                // Written out, since a loop would spill the vectors to memory.
                macro_rules! whole {
                    ($($vector:ident),*) => { [$(all_within($vector, butterfly)),*] };
                }
                for (lanes, vector) in block.chunks_exact_mut(V::N).zip(whole!(a, b, c, d, e, f, g, h)) {
                    vector.store(lanes);
                }
            }
        },
    );
    (8 * V::N).ilog2() as usize
}

/// All steps within a vector.
#[cfg_attr(not(debug_assertions), inline(always))]
fn all_within<S: Simd, L: Lane, V: Vector<S, L>>(mut vector: V, butterfly: impl VectorButterfly<S, L, V>) -> V {
    for step in (0..V::N.ilog2()).rev() {
        vector = butterfly.within(vector, 1 << step);
    }
    vector
}

/// One step within vectors; the last one may be partly filled. A constant step becomes one exchange.
fn inside<S: Simd, L: Lane, V: Vector<S, L>, const STEP: usize>(
    simd: S,
    lanes: &mut [L],
    butterfly: impl VectorButterfly<S, L, V>,
) -> usize {
    simd.vectorize(
        #[inline(always)]
        || {
            let mut vectors = lanes.chunks_exact_mut(V::N);
            for lanes in &mut vectors {
                butterfly.within(V::load(simd, lanes), STEP).store(lanes);
            }
            let lanes = vectors.into_remainder();
            let mut held = [L::ZERO; WIDEST];
            held[..lanes.len()].copy_from_slice(lanes);
            butterfly.within(V::load(simd, &held[..V::N]), STEP).store(&mut held[..V::N]);
            lanes.copy_from_slice(&held[..lanes.len()]);
        },
    );
    1
}
