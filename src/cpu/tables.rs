//! The numbers of one stage, made in double precision and rounded once.

use super::Float;
use crate::plan::{Coef, Direction, Matrix, Stage, Twiddle, reverse_bits};
use num_complex::{Complex, Complex64};

/// Taps and results of the widest butterfly of any plan.
const WIDEST: usize = 16;

/// The operation of a stage and its roots of unity.
pub(super) struct Tables<T> {
    arithmetic: Arithmetic<T>,
    factors: Factors<T>,
}

/// How a butterfly's matrix is applied.
enum Arithmetic<T> {
    /// Row by row.
    Dense(Vec<Complex<T>>),
    /// The matrix is a Fourier matrix: the powers of its root, for a small transform with far fewer products.
    Fourier(Vec<Complex<T>>),
}

/// What multiplies the results.
enum Factors<T> {
    /// Nothing.
    One,
    /// Roots of unity.
    Roots(Roots),
    /// A number a lane.
    Table(Vec<Complex<T>>),
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

impl<T: Float> Tables<T> {
    pub(super) fn new(stage: &Stage) -> Self {
        let matrix = stage.matrix();
        assert!(matrix.taps.max(matrix.rows) <= WIDEST, "no butterfly is wider than {WIDEST} lanes");
        let factors = match &stage.twiddle {
            None => Factors::One,
            Some(Twiddle::Root { modulus, direction, .. }) => Factors::Roots(Roots::new(*modulus, *direction)),
            Some(Twiddle::Table(table)) => Factors::Table(table.numbers().iter().map(|number| rounded(*number)).collect()),
        };
        Self { arithmetic: Arithmetic::of(matrix), factors }
    }

    /// Computes butterfly `place` from the lanes `before` and hands every result to `store`.
    #[inline]
    pub(super) fn butterfly(&self, stage: &Stage, place: [usize; 3], before: &[Complex<T>], store: impl FnMut(usize, Complex<T>)) {
        self.butterfly_from(stage, place, before, place, store);
    }

    /// As [`Self::butterfly`], reading at one place and writing at another: a tile reads its own lanes and writes global ones.
    #[inline]
    pub(super) fn butterfly_from(
        &self,
        stage: &Stage,
        [p, q, b]: [usize; 3],
        before: &[Complex<T>],
        write: [usize; 3],
        mut store: impl FnMut(usize, Complex<T>),
    ) {
        let n_taps = stage.matrix().taps;
        let mut values = [Complex::new(T::zero(), T::zero()); WIDEST];
        for (k, value) in values[..n_taps].iter_mut().enumerate() {
            if let Some(lane) = stage.read_lane(p, q, b, k) {
                *value = before[lane];
            }
        }
        let results = self.arithmetic.apply(values, n_taps);
        for (j, result) in results[..stage.matrix().rows].iter().enumerate() {
            let turned = match (&self.factors, &stage.twiddle) {
                (Factors::Roots(roots), Some(twiddle)) => match twiddle.exponent(p, q, j) {
                    0 => *result,
                    exponent => *result * rounded(roots.at(exponent)),
                },
                (Factors::Table(numbers), _) => *result * numbers[stage.lane_in_turn(p, q, j)],
                _ => *result,
            };
            store(stage.write_lane(write[0], write[1], write[2], j), turned);
        }
    }
}

impl<T: Float> Arithmetic<T> {
    fn of(matrix: &Matrix) -> Self {
        let n = matrix.taps;
        // In a Fourier matrix entry (j, k) is entry (1, j·k mod n).
        let is_fourier = n > 1 && matrix.rows == n && { (0..n * n).all(|i| matrix.coefs[i] == matrix.at(1, i / n * (i % n) % n)) };
        let coefs = if is_fourier { &matrix.coefs[n..2 * n] } else { &matrix.coefs[..] };
        let numbers = coefs.iter().map(|coef| rounded(coef.value())).collect();
        if is_fourier { Self::Fourier(numbers) } else { Self::Dense(numbers) }
    }

    #[inline]
    fn apply(&self, taps: [Complex<T>; WIDEST], n_taps: usize) -> [Complex<T>; WIDEST] {
        match self {
            Self::Fourier(roots) => match n_taps {
                2 => by_halves::<T, 2>(taps, roots),
                4 => by_halves::<T, 4>(taps, roots),
                8 => by_halves::<T, 8>(taps, roots),
                16 => by_halves::<T, 16>(taps, roots),
                _ => by_pairs(taps, roots),
            },
            Self::Dense(matrix) => {
                let mut results = [Complex::new(T::zero(), T::zero()); WIDEST];
                for (result, row) in results.iter_mut().zip(matrix.chunks(n_taps)) {
                    for (weight, tap) in row.iter().zip(&taps) {
                        *result = *result + *weight * *tap;
                    }
                }
                results
            }
        }
    }
}

/// The transform of the first `N` values, a power of two, by halves: sums go to the even results, turned differences to the odd ones.
#[inline]
fn by_halves<T: Float, const N: usize>(mut values: [Complex<T>; WIDEST], roots: &[Complex<T>]) -> [Complex<T>; WIDEST] {
    let mut half = N / 2;
    while half > 0 {
        for first in (0..N).step_by(2 * half) {
            for i in 0..half {
                let (a, b) = (values[first + i], values[first + i + half]);
                values[first + i] = a + b;
                values[first + i + half] = if i == 0 { a - b } else { (a - b) * roots[i * (N / 2 / half)] };
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

/// The transform of as many values as there are roots, by pairs: taps k and n − k have conjugate roots, and so have results j and n − j.
/// A quarter of the products of the whole matrix is left, and these are with real numbers.
#[inline]
fn by_pairs<T: Float>(taps: [Complex<T>; WIDEST], roots: &[Complex<T>]) -> [Complex<T>; WIDEST] {
    let n = roots.len();
    let (mut sums, mut differences) = (taps, taps);
    for k in 1..n.div_ceil(2) {
        (sums[k], differences[k]) = (taps[k] + taps[n - k], taps[k] - taps[n - k]);
    }
    let mut results = taps;
    for j in 0..=n / 2 {
        let (mut even, mut odd) = (taps[0], Complex::new(T::zero(), T::zero()));
        for k in 1..n.div_ceil(2) {
            let root = roots[j * k % n];
            even = even + sums[k] * root.re;
            odd = odd + differences[k] * root.im;
        }
        if n.is_multiple_of(2) {
            even = if j.is_multiple_of(2) { even + taps[n / 2] } else { even - taps[n / 2] };
        }
        // The odd part times i.
        let turned = Complex::new(-odd.im, odd.re);
        results[j] = even + turned;
        results[(n - j) % n] = even - turned;
    }
    results
}

fn rounded<T: Float>(value: Complex64) -> Complex<T> {
    Complex::new(T::rounded(value.re), T::rounded(value.im))
}
