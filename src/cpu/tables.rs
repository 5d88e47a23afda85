//! The numbers of one stage, made in double precision and rounded once.

use super::Lane;
use crate::plan::{Coef, Direction, Operation, Stage, reverse_bits};
use num_complex::Complex64;

/// Taps and results of the widest butterfly of any plan.
const WIDEST: usize = 16;

/// The operation of a stage and its roots of unity.
pub(super) struct Tables<L: Lane> {
    arithmetic: Arithmetic<L>,
    roots: Option<Roots>,
}

/// How a butterfly's matrix is applied.
enum Arithmetic<L: Lane> {
    /// Row by row.
    Dense(Vec<L::Weight>),
    /// The matrix is a Fourier matrix: the powers of its root, for a small transform in place, with far fewer products.
    Fourier(Vec<L::Weight>),
    /// Tap 0 times tap 1, conjugated or not.
    Product(bool),
}

/// Roots of unity from two short tables: ω^(c·FINE + f) = coarse\[c\]·fine\[f\]; a table of all of them would not fit the caches.
struct Roots {
    coarse: Vec<Complex64>,
    fine: Vec<Complex64>,
}

const FINE: usize = 4096;

impl Roots {
    fn new(order: usize, direction: Direction) -> Self {
        let root = |exponent: usize| Coef::root(exponent as u64, order as u64, direction).value();
        Self { coarse: (0..order.div_ceil(FINE)).map(|c| root(c * FINE)).collect(), fine: (0..order.min(FINE)).map(root).collect() }
    }

    fn at(&self, exponent: usize) -> Complex64 {
        let fine = self.fine[exponent % FINE];
        if exponent < FINE { fine } else { self.coarse[exponent / FINE] * fine }
    }
}

impl<L: Lane> Tables<L> {
    pub(super) fn new(stage: &Stage) -> Self {
        let matrix = stage.matrix();
        assert!(matrix.taps.max(matrix.rows) <= WIDEST, "no butterfly is wider than {WIDEST} lanes");
        Self { arithmetic: Arithmetic::of(stage), roots: stage.twiddle.map(|twiddle| Roots::new(twiddle.modulus, twiddle.direction)) }
    }

    /// Computes butterfly `place` from the lanes `before` and hands every result to `store`.
    #[inline]
    pub(super) fn butterfly(&self, stage: &Stage, place: [usize; 3], before: &[L], store: impl FnMut(usize, L)) {
        self.butterfly_from(stage, place, before, place, store);
    }

    /// As [`Self::butterfly`], reading at one place and writing at another: a tile reads its own lanes and writes global ones.
    #[inline]
    pub(super) fn butterfly_from(
        &self,
        stage: &Stage,
        [p, q, b]: [usize; 3],
        before: &[L],
        write: [usize; 3],
        mut store: impl FnMut(usize, L),
    ) {
        let n_taps = stage.matrix().taps;
        let mut values = [L::ZERO; WIDEST];
        for (k, value) in values[..n_taps].iter_mut().enumerate() {
            if let Some(lane) = stage.read_lane(p, q, b, k) {
                *value = before[lane];
            }
        }
        let results = self.arithmetic.apply(values, n_taps);
        for (j, result) in results[..stage.matrix().rows].iter().enumerate() {
            let turned = match (&self.roots, stage.twiddle) {
                (Some(roots), Some(twiddle)) => match twiddle.exponent(p, q, j) {
                    0 => *result,
                    exponent => result.times(L::weight(roots.at(exponent))),
                },
                _ => *result,
            };
            store(stage.write_lane(write[0], write[1], write[2], j), turned);
        }
    }
}

impl<L: Lane> Arithmetic<L> {
    fn of(stage: &Stage) -> Self {
        if let Operation::Product { conjugated } = stage.operation {
            return Self::Product(conjugated);
        }
        let matrix = stage.matrix();
        let n = matrix.taps;
        let is_fourier = n > 1 && n.is_power_of_two() && matrix.rows == n && {
            let roots = |direction| (0..n * n).all(|i| matrix.coefs[i] == Coef::root((i / n * (i % n)) as u64, n as u64, direction));
            roots(Direction::Forward) || roots(Direction::Inverse)
        };
        let coefs = if is_fourier { &matrix.coefs[n..2 * n] } else { &matrix.coefs[..] };
        let numbers = coefs.iter().map(|coef| L::weight(coef.value())).collect();
        if is_fourier { Self::Fourier(numbers) } else { Self::Dense(numbers) }
    }

    #[inline]
    fn apply(&self, taps: [L; WIDEST], n_taps: usize) -> [L; WIDEST] {
        match self {
            Self::Fourier(roots) => match n_taps {
                2 => fourier::<L, 2>(taps, roots),
                4 => fourier::<L, 4>(taps, roots),
                8 => fourier::<L, 8>(taps, roots),
                _ => fourier::<L, 16>(taps, roots),
            },
            Self::Product(conjugated) => {
                let mut results = [L::ZERO; WIDEST];
                results[0] = taps[0].product(if *conjugated { taps[1].conjugated() } else { taps[1] });
                results
            }
            Self::Dense(matrix) => {
                let mut results = [L::ZERO; WIDEST];
                for (result, row) in results.iter_mut().zip(matrix.chunks(n_taps)) {
                    for (weight, tap) in row.iter().zip(&taps) {
                        *result = result.plus(tap.times(*weight));
                    }
                }
                results
            }
        }
    }
}

/// The transform of the first `N` values, a power of two, by halves: sums go to the even results, turned differences to the odd ones.
#[inline]
fn fourier<L: Lane, const N: usize>(mut values: [L; WIDEST], roots: &[L::Weight]) -> [L; WIDEST] {
    let mut half = N / 2;
    while half > 0 {
        for first in (0..N).step_by(2 * half) {
            for i in 0..half {
                let (a, b) = (values[first + i], values[first + i + half]);
                values[first + i] = a.plus(b);
                values[first + i + half] = if i == 0 { a.minus(b) } else { a.minus(b).times(roots[i * (N / 2 / half)]) };
            }
        }
        half /= 2;
    }
    let mut results = values;
    for (j, result) in results[..N].iter_mut().enumerate() {
        *result = values[reverse_bits(j, N.ilog2())];
    }
    results
}
