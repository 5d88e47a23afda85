//! Several Kronecker steps at once on vectors that stay in registers, as wide as the processor has them.

use super::Matrix;
use crate::cpu::Lane;
use crate::cpu::vector::Vector;
use fearless_simd::{Level, Simd, dispatch};

/// Lanes of the widest vectors.
const WIDEST: usize = 8;
/// Lanes that stay in the first level cache.
const INNER_TILE: usize = 4096;

/// Steps of one matrix, each half as long as the one before.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run<W> {
    /// The matrix.
    pub(super) matrix: Matrix<W>,
    /// How far apart the lanes of a pair stand in the first step.
    pub(super) step: usize,
    /// How many steps.
    pub(super) n: usize,
}

/// What is to be done at once.
pub(super) enum Work<'a, L> {
    /// All steps of whole blocks.
    Blocks(&'a mut [L]),
    /// The first step, on some columns of the two halves of a block.
    Halves([&'a mut [L]; 2]),
    /// The first three steps, on some columns of the eight rows of a block.
    Eighths([&'a mut [L]; 8]),
}

/// Does the work with the widest vectors that the processor has.
pub(super) fn take<L: Lane>(work: Work<'_, L>, run: Run<L::Weight>) {
    dispatch!(Level::new(), simd => by_matrix(simd, work, run));
}

#[inline(always)]
fn by_matrix<S: Simd, L: Lane>(simd: S, work: Work<'_, L>, run: Run<L::Weight>) {
    macro_rules! by {
        ($butterfly:expr) => {
            match work {
                Work::Blocks(lanes) => blocks(simd, lanes, run.step, run.n, $butterfly),
                Work::Halves(rows) => two_rows(simd, rows, $butterfly),
                Work::Eighths(rows) => eight_rows(simd, rows, $butterfly),
            }
        };
    }
    match run.matrix {
        Matrix::Walsh => by!(|a: L::Vector<S>, b: L::Vector<S>| (a.plus(b), a.minus(b))),
        Matrix::Add => by!(|a: L::Vector<S>, b: L::Vector<S>| (a, a.plus(b))),
        Matrix::Subtract => by!(|a: L::Vector<S>, b: L::Vector<S>| (a, b.minus(a))),
        Matrix::Any([p, q, r, s]) => by!(|a: L::Vector<S>, b: L::Vector<S>| (a.times(p).plus(b.times(q)), a.times(r).plus(b.times(s)))),
    }
}

/// Takes `n` steps, the first `step` lanes long; what fits the first level cache is taken to its end there.
#[inline(always)]
fn blocks<S: Simd, L: Lane, V: Vector<S, L>>(
    simd: S,
    lanes: &mut [L],
    mut step: usize,
    mut n: usize,
    butterfly: impl Fn(V, V) -> (V, V) + Copy,
) {
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
                _ => lane_by_lane(simd, tile, step, butterfly),
            };
            (step, n) = (step >> taken, n - taken);
        }
    }
}

/// Three steps at once.
#[inline(always)]
fn rows<S: Simd, L: Lane, V: Vector<S, L>>(simd: S, lanes: &mut [L], step: usize, butterfly: impl Fn(V, V) -> (V, V) + Copy) -> usize {
    for block in lanes.chunks_exact_mut(2 * step) {
        let mut rows = block.chunks_exact_mut(step / 4);
        eight_rows(simd, std::array::from_fn(|_| rows.next().unwrap_or_default()), butterfly);
    }
    3
}

/// The three steps between eight rows.
#[inline(always)]
fn eight_rows<S: Simd, L: Lane, V: Vector<S, L>>(simd: S, rows: [&mut [L]; 8], butterfly: impl Fn(V, V) -> (V, V) + Copy) {
    let [a, b, c, d, e, f, g, h] = rows;
    macro_rules! columns {
        ($first:ident, $($row:ident),*) => { $first.chunks_exact_mut(V::N)$(.zip($row.chunks_exact_mut(V::N)))* };
    }
    for (((((((a, b), c), d), e), f), g), h) in columns!(a, b, c, d, e, f, g, h) {
        let between = |a: &[L], b: &[L]| butterfly(V::load(simd, a), V::load(simd, b));
        let ((i, m), (j, n), (k, o), (l, p)) = (between(a, e), between(b, f), between(c, g), between(d, h));
        let ((i, k), (j, l), (m, o), (n, p)) = (butterfly(i, k), butterfly(j, l), butterfly(m, o), butterfly(n, p));
        for (low, high, (x, y)) in [(a, b, butterfly(i, j)), (c, d, butterfly(k, l)), (e, f, butterfly(m, n)), (g, h, butterfly(o, p))] {
            x.store(low);
            y.store(high);
        }
    }
}

/// One step between vectors.
#[inline(always)]
fn one<S: Simd, L: Lane, V: Vector<S, L>>(simd: S, lanes: &mut [L], step: usize, butterfly: impl Fn(V, V) -> (V, V) + Copy) -> usize {
    for block in lanes.chunks_exact_mut(2 * step) {
        two_rows(simd, block.split_at_mut(step).into(), butterfly);
    }
    1
}

/// The step between two rows.
#[inline(always)]
fn two_rows<S: Simd, L: Lane, V: Vector<S, L>>(simd: S, [low, high]: [&mut [L]; 2], butterfly: impl Fn(V, V) -> (V, V)) {
    for (low, high) in low.chunks_exact_mut(V::N).zip(high.chunks_exact_mut(V::N)) {
        let (a, b) = butterfly(V::load(simd, low), V::load(simd, high));
        a.store(low);
        b.store(high);
    }
}

/// The last steps, those of eight vectors, by constant geometry: every step takes two halves and gives neighbours, and after all of them every lane is back in its place.
#[inline(always)]
fn shortest<S: Simd, L: Lane, V: Vector<S, L>>(simd: S, lanes: &mut [L], butterfly: impl Fn(V, V) -> (V, V)) -> usize {
    let n = (8 * V::N).ilog2() as usize;
    for block in lanes.chunks_exact_mut(8 * V::N) {
        let mut vectors = block.chunks_exact(V::N).map(|lanes| V::load(simd, lanes));
        let mut held: [V; 8] = std::array::from_fn(|_| vectors.next().expect("a block has as many"));
        for _ in 0..n {
            let [a, b, c, d, e, f, g, h] = held;
            let between = |a, b| {
                let (a, b) = butterfly(a, b);
                a.interleaved(b)
            };
            let ([a, b], [c, d], [e, f], [g, h]) = (between(a, e), between(b, f), between(c, g), between(d, h));
            held = [a, b, c, d, e, f, g, h];
        }
        for (lanes, vector) in block.chunks_exact_mut(V::N).zip(held) {
            vector.store(lanes);
        }
    }
    n
}

/// One step inside of vectors, where not all of them are taken.
#[inline(always)]
fn lane_by_lane<S: Simd, L: Lane, V: Vector<S, L>>(simd: S, lanes: &mut [L], step: usize, butterfly: impl Fn(V, V) -> (V, V)) -> usize {
    for block in lanes.chunks_exact_mut(2 * step) {
        let (low, high) = block.split_at_mut(step);
        let held = |half: &[L]| {
            let mut held = [L::ZERO; WIDEST];
            held[..step].copy_from_slice(half);
            V::load(simd, &held[..V::N])
        };
        let (a, b) = butterfly(held(low), held(high));
        for (half, vector) in [(low, a), (high, b)] {
            let mut held = [L::ZERO; WIDEST];
            vector.store(&mut held[..V::N]);
            half.copy_from_slice(&held[..step]);
        }
    }
    1
}
