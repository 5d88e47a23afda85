//! Several Kronecker steps at once on vectors that stay in registers, as wide as the processor has them.

use super::PairMatrix;
use super::butterfly::{Add, Any, Butterfly, Subtract, Walsh};
use crate::cpu::Lane;
use crate::cpu::vector::Vector;
use fearless_simd::{Fallback, Level, Simd};

/// Lanes of the widest vectors.
const WIDEST: usize = 8;
/// Lanes that stay in the first level cache.
const INNER_TILE: usize = 4096;

/// Steps of one matrix, each half as long as the one before.
#[derive(Debug, Clone, Copy)]
pub(super) struct StepRun<W> {
    /// The matrix.
    pub(super) matrix: PairMatrix<W>,
    /// How far apart the lanes of a pair stand in the first step.
    pub(super) step: usize,
    /// How many steps.
    pub(super) n: usize,
}

/// What is to be done at once.
pub(super) enum StepLanes<'a, L> {
    /// All steps of whole blocks.
    Blocks(&'a mut [L]),
    /// The first step, on some columns of the two halves of a block.
    Halves([&'a mut [L]; 2]),
    /// The first three steps, on some columns of the eight rows of a block.
    Eighths([&'a mut [L]; 8]),
}

/// Does the work with the vectors of AVX2 or Neon.
///
/// Older processors multiply by all four coefficients of every matrix: a version of each matrix for them would double the time that the crate takes to compile.
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

fn with<S: Simd, L: Lane>(simd: S, work: StepLanes<'_, L>, run: StepRun<L::Weight>, butterfly: impl Butterfly<S, L, L::Vector<S>>) {
    match work {
        StepLanes::Blocks(lanes) => blocks(simd, lanes, run.step, run.n, butterfly),
        StepLanes::Halves(rows) => simd.vectorize(
            #[inline(always)]
            || two_rows(simd, rows, butterfly),
        ),
        StepLanes::Eighths(rows) => eight_rows(simd, rows, butterfly),
    }
}

/// Takes `n` steps, the first `step` lanes long; what fits the first level cache is taken to its end there.
fn blocks<S: Simd, L: Lane, V: Vector<S, L>>(simd: S, lanes: &mut [L], mut step: usize, mut n: usize, butterfly: impl Butterfly<S, L, V>) {
    while n > 2 && 2 * step > INNER_TILE {
        rows(simd, lanes, step, butterfly);
        (step, n) = (step / 8, n - 3);
    }
    // The steps inside of vectors are taken together where all of them are there.
    let short = if step >> n == 0 { (8 * V::N).ilog2() as usize } else { 0 };
    for tile in lanes.chunks_mut(INNER_TILE.max(2 * step)) {
        let (mut step, mut n) = (step, n);
        while n > 0 {
            let taken = match n {
                _ if n == short => shortest(simd, tile, butterfly),
                _ if step >= 4 * V::N && n >= short + 3 => rows(simd, tile, step, butterfly),
                _ if step >= V::N => one(simd, tile, step, butterfly),
                _ => inside(simd, tile, step, butterfly),
            };
            (step, n) = (step >> taken, n - taken);
        }
    }
}

/// Three steps at once.
fn rows<S: Simd, L: Lane, V: Vector<S, L>>(simd: S, lanes: &mut [L], step: usize, butterfly: impl Butterfly<S, L, V>) -> usize {
    for block in lanes.chunks_exact_mut(2 * step) {
        let mut rows = block.chunks_exact_mut(step / 4);
        eight_rows(simd, std::array::from_fn(|_| rows.next().unwrap_or_default()), butterfly);
    }
    3
}

/// The three steps between eight rows.
fn eight_rows<S: Simd, L: Lane, V: Vector<S, L>>(simd: S, rows: [&mut [L]; 8], butterfly: impl Butterfly<S, L, V>) {
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
#[inline(always)]
fn three<S: Simd, L: Lane, V: Vector<S, L>>([a, b, c, d, e, f, g, h]: [V; 8], butterfly: impl Butterfly<S, L, V>) -> [V; 8] {
    let ((a, e), (b, f), (c, g), (d, h)) =
        (butterfly.between(a, e), butterfly.between(b, f), butterfly.between(c, g), butterfly.between(d, h));
    let ((a, c), (b, d), (e, g), (f, h)) =
        (butterfly.between(a, c), butterfly.between(b, d), butterfly.between(e, g), butterfly.between(f, h));
    let ((a, b), (c, d), (e, f), (g, h)) =
        (butterfly.between(a, b), butterfly.between(c, d), butterfly.between(e, f), butterfly.between(g, h));
    [a, b, c, d, e, f, g, h]
}

/// One step between vectors.
fn one<S: Simd, L: Lane, V: Vector<S, L>>(simd: S, lanes: &mut [L], step: usize, butterfly: impl Butterfly<S, L, V>) -> usize {
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
#[inline(always)]
fn two_rows<S: Simd, L: Lane, V: Vector<S, L>>(simd: S, [low, high]: [&mut [L]; 2], butterfly: impl Butterfly<S, L, V>) {
    for (low, high) in low.chunks_exact_mut(V::N).zip(high.chunks_exact_mut(V::N)) {
        let (a, b) = butterfly.between(V::load(simd, low), V::load(simd, high));
        a.store(low);
        b.store(high);
    }
}

/// The last steps, those of eight vectors: three between them, and the rest inside of each.
fn shortest<S: Simd, L: Lane, V: Vector<S, L>>(simd: S, lanes: &mut [L], butterfly: impl Butterfly<S, L, V>) -> usize {
    simd.vectorize(
        #[inline(always)]
        || {
            for block in lanes.chunks_exact_mut(8 * V::N) {
                let load = |i: usize| V::load(simd, &block[i * V::N..(i + 1) * V::N]);
                let [a, b, c, d, e, f, g, h] = three([load(0), load(1), load(2), load(3), load(4), load(5), load(6), load(7)], butterfly);
                // One after the other, as a loop over them would put them into memory.
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

/// All steps inside of a vector.
#[inline(always)]
fn all_within<S: Simd, L: Lane, V: Vector<S, L>>(mut vector: V, butterfly: impl Butterfly<S, L, V>) -> V {
    for step in (0..V::N.ilog2()).rev() {
        vector = butterfly.within(vector, 1 << step);
    }
    vector
}

/// One step inside of vectors, where not all of them are taken; the last lanes need not fill one.
fn inside<S: Simd, L: Lane, V: Vector<S, L>>(simd: S, lanes: &mut [L], step: usize, butterfly: impl Butterfly<S, L, V>) -> usize {
    simd.vectorize(
        #[inline(always)]
        || {
            for lanes in lanes.chunks_mut(V::N) {
                let mut held = [L::ZERO; WIDEST];
                held[..lanes.len()].copy_from_slice(lanes);
                butterfly.within(V::load(simd, &held[..V::N]), step).store(&mut held[..V::N]);
                lanes.copy_from_slice(&held[..lanes.len()]);
            }
        },
    );
    1
}
