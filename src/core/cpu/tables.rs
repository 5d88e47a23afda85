//! The weights and twiddles of a stage, computed in double precision and rounded once.

use super::Lane;
use super::lane::LaneAccess;
use crate::plan::{Coef, DirectSum, Direction, Doubling, Matrix, Operation, Ring, Stage, Twiddle, reverse_bits};
use num_complex::Complex64;

/// Most taps or results of a butterfly.
const WIDEST: usize = 32;

/// The weights of a stage and its twiddles.
pub(super) struct StageTables<L: Lane> {
    arithmetic: Arithmetic<L>,
    factors: Factors<L>,
}

/// How a butterfly's matrix is applied.
enum Arithmetic<L: Lane> {
    /// Row by row.
    Dense(Vec<L::Weight>),
    /// A Fourier matrix of a power-of-two length: the powers of its root, for a small FFT.
    Fourier(Vec<L::Weight>),
    /// A Fourier matrix of another length: the real parts of the powers, and i times the imaginary parts.
    FourierByPairs([Vec<L::Weight>; 2]),
    /// Tap 0 times tap 1, conjugated or not.
    Product(bool),
    /// Two matrices row by row: the first and second sums.
    TwiddledSums([Vec<L::Weight>; 2]),
    /// Tap 1 without its neighbours.
    Eliminate,
    /// A step of recursive doubling.
    Doubling(Doubling),
    /// A sum over all lanes of a line, with the table of its factors.
    Direct(Vec<L::Weight>),
}

/// The twiddles of the results.
enum Factors<L: Lane> {
    /// No twiddles.
    One,
    /// Roots of unity.
    Roots(Roots),
    /// One factor a lane.
    Table(Vec<L::Weight>),
}

/// Roots of unity from two short tables that fit the caches: ω^(c·FINE + f) = coarse\[c\]·fine\[f\].
pub(super) struct Roots {
    ring: Ring,
    order: usize,
    coarse: Vec<Complex64>,
    fine: Vec<Complex64>,
}

const FINE: usize = 4096;

impl Roots {
    pub(super) fn new(ring: Ring, order: usize, direction: Direction) -> Self {
        let root = |exponent: usize| ring.element(Coef::root(exponent as u64, order as u64, direction));
        Self {
            ring,
            order,
            coarse: (0..order.div_ceil(FINE)).map(|c| root(c * FINE)).collect(),
            fine: (0..order.min(FINE)).map(root).collect(),
        }
    }

    /// The number of roots.
    pub(super) fn order(&self) -> usize {
        self.order
    }

    pub(super) fn at(&self, exponent: usize) -> Complex64 {
        let fine = self.fine[exponent % FINE];
        if exponent < FINE { fine } else { self.ring.product(self.coarse[exponent / FINE], fine) }
    }
}

impl<L: Lane> StageTables<L> {
    pub(super) fn new(ring: Ring, stage: &Stage) -> Self {
        let matrix = stage.matrix();
        assert!(stage.direct_sum().is_some() || matrix.taps.max(matrix.rows) <= WIDEST, "no butterfly is wider than {WIDEST} lanes");
        let factors = match &stage.twiddle {
            None => Factors::One,
            Some(Twiddle::Root { modulus, direction, .. }) => Factors::Roots(Roots::new(ring, *modulus, *direction)),
            Some(Twiddle::Table(table)) => Factors::Table(table.factors().iter().map(|number| L::weight(*number)).collect()),
        };
        Self { arithmetic: Arithmetic::of(ring, stage), factors }
    }

    /// Computes a butterfly: position, group and repetition.
    #[inline]
    pub(super) fn butterfly(&self, stage: &Stage, [p, q, b]: [usize; 3], lanes: &mut impl LaneAccess<L>) {
        if let (Arithmetic::Direct(factors), Some(direct), Some(first)) =
            (&self.arithmetic, stage.direct_sum(), stage.read_lane(p, q, b, 0))
        {
            let result = total(direct, factors, p, |tap| lanes.load(first + tap * stage.read.step));
            return lanes.store(stage.write_lane(p, q, b, 0), result);
        }
        let n_taps = stage.matrix().taps;
        let mut values = [L::ZERO; WIDEST];
        for (k, value) in values[..n_taps].iter_mut().enumerate() {
            if let Some(lane) = stage.read_lane(p, q, b, k) {
                *value = lanes.load(lane);
            }
        }
        if stage.twiddles_taps() {
            for (k, value) in values[..n_taps].iter_mut().enumerate() {
                *value = self.twiddled(stage, [p, q], k, *value);
            }
        }
        if let (Arithmetic::TwiddledSums([first, second]), Operation::TwiddledSums(sums)) = (&self.arithmetic, &stage.operation) {
            for (value, _) in values.iter_mut().zip(&sums.conjugated).filter(|(_, conjugated)| **conjugated) {
                *value = value.conjugated();
            }
            let (first, second) = (by_rows(first, &values, n_taps), by_rows(second, &values, n_taps));
            for j in 0..stage.matrix().rows {
                let first = self.twiddled(stage, [p, q], j, first[j]);
                let result = first.plus(self.twiddled(stage, [p, q], sums.second_index(j), second[j]));
                lanes.store(stage.write_lane(p, q, b, j), result);
            }
            return;
        }
        let results = self.arithmetic.apply(values, n_taps);
        for (j, result) in results[..stage.matrix().rows].iter().enumerate() {
            let result = if stage.twiddles_taps() { *result } else { self.twiddled(stage, [p, q], j, *result) };
            lanes.store(stage.write_lane(p, q, b, j), result);
        }
    }

    /// A result times the twiddle of result j.
    #[inline]
    fn twiddled(&self, stage: &Stage, [p, q]: [usize; 2], j: usize, result: L) -> L {
        match (&self.factors, &stage.twiddle) {
            (Factors::Roots(roots), Some(twiddle)) => match twiddle.exponent(p, q, j) {
                0 => result,
                exponent => result.times(L::weight(roots.at(exponent))),
            },
            (Factors::Table(numbers), _) => result.times(numbers[stage.table_index(p, q, j)]),
            _ => result,
        }
    }
}

impl<L: Lane> Arithmetic<L> {
    fn of(ring: Ring, stage: &Stage) -> Self {
        if let Operation::Product { conjugated } = stage.operation {
            return Self::Product(conjugated);
        }
        if stage.operation == Operation::Eliminate {
            return Self::Eliminate;
        }
        if let Operation::Doubling(step) = stage.operation {
            return Self::Doubling(step);
        }
        if let Operation::Direct(sum) = &stage.operation {
            return Self::Direct(sum.entries().map(|entry| L::weight(ring.element(entry))).collect());
        }
        if let Operation::TwiddledSums(sums) = &stage.operation {
            let numbers = |matrix: &Matrix| matrix.coefs.iter().map(|coef| L::weight(coef.value())).collect();
            return Self::TwiddledSums([numbers(&sums.first), numbers(&sums.second)]);
        }
        let matrix = stage.matrix();
        let n = matrix.taps;
        let is_fourier = n > 1 && matrix.rows == n && {
            let roots = |direction| (0..n * n).all(|i| matrix.coefs[i] == Coef::root((i / n * (i % n)) as u64, n as u64, direction));
            roots(Direction::Forward) || roots(Direction::Inverse)
        };
        if is_fourier && !n.is_power_of_two() && ring.field().is_none() {
            let powers: Vec<Complex64> = matrix.coefs[n..2 * n].iter().map(|coef| coef.value()).collect();
            let weights = |part: fn(&Complex64) -> Complex64| powers.iter().map(|power| L::weight(part(power))).collect();
            return Self::FourierByPairs([weights(|power| power.re.into()), weights(|power| Complex64::new(0.0, power.im))]);
        }
        // Conjugate roots have no common parts in a prime field.
        let is_fourier = is_fourier && n.is_power_of_two();
        let coefs = if is_fourier { &matrix.coefs[n..2 * n] } else { &matrix.coefs[..] };
        let numbers = coefs.iter().map(|coef| L::weight(ring.element(*coef))).collect();
        if is_fourier { Self::Fourier(numbers) } else { Self::Dense(numbers) }
    }

    #[inline]
    fn apply(&self, taps: [L; WIDEST], n_taps: usize) -> [L; WIDEST] {
        match self {
            Self::Fourier(roots) => match n_taps {
                2 => by_halves::<L, 2>(taps, roots),
                4 => by_halves::<L, 4>(taps, roots),
                8 => by_halves::<L, 8>(taps, roots),
                16 => by_halves::<L, 16>(taps, roots),
                _ => by_halves::<L, 32>(taps, roots),
            },
            Self::FourierByPairs(weights) => by_pairs(taps, weights),
            Self::Product(conjugated) => {
                let mut results = [L::ZERO; WIDEST];
                results[0] = taps[0].product(if *conjugated { taps[1].conjugated() } else { taps[1] });
                results
            }
            Self::Eliminate => {
                let mut results = [L::ZERO; WIDEST];
                results[0] = taps[1].without(taps[0], taps[2]);
                results
            }
            Self::Doubling(step) => {
                let mut results = [L::ZERO; WIDEST];
                results[..2].copy_from_slice(&L::doubled(*step, [taps[0], taps[1]]));
                results
            }
            // The taps of a direct sum have no array.
            Self::Direct(_) => taps,
            Self::Dense(matrix) | Self::TwiddledSums([matrix, _]) => by_rows(matrix, &taps, n_taps),
        }
    }
}

/// Result `p` of a direct sum of taps that `load` reads.
#[inline]
fn total<L: Lane>(direct: &DirectSum, factors: &[L::Weight], p: usize, load: impl Fn(usize) -> L) -> L {
    let mut sum = L::ZERO;
    if direct.is_linear() {
        direct.for_each_index(p, |k, index| sum = sum.plus(load(k).times(factors[index])));
        return sum;
    }
    for [a, b] in (0..direct.n_terms()).filter_map(|k| direct.pair(p, k)) {
        let second = if direct.conjugates() { load(b).conjugated() } else { load(b) };
        sum = sum.plus(load(a).product(second));
    }
    sum
}

/// A row-major matrix times the taps.
#[inline]
fn by_rows<L: Lane>(matrix: &[L::Weight], taps: &[L; WIDEST], n_taps: usize) -> [L; WIDEST] {
    let mut results = [L::ZERO; WIDEST];
    for (result, row) in results.iter_mut().zip(matrix.chunks(n_taps)) {
        for (weight, tap) in row.iter().zip(taps) {
            *result = result.plus(tap.times(*weight));
        }
    }
    results
}

/// A decimation-in-frequency FFT of the first `N` values, a power of two.
#[inline]
fn by_halves<L: Lane, const N: usize>(mut values: [L; WIDEST], roots: &[L::Weight]) -> [L; WIDEST] {
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

/// A Fourier transform of any length by pairs: taps k and n − k have conjugate roots, and so have results j and n − j.
/// It takes a quarter of the products of the matrix.
#[inline]
fn by_pairs<L: Lane>(taps: [L; WIDEST], [real, imaginary]: &[Vec<L::Weight>; 2]) -> [L; WIDEST] {
    let n = real.len();
    let (mut sums, mut differences) = (taps, taps);
    for k in 1..n.div_ceil(2) {
        (sums[k], differences[k]) = (taps[k].plus(taps[n - k]), taps[k].minus(taps[n - k]));
    }
    let mut results = taps;
    for j in 0..=n / 2 {
        let (mut even, mut odd) = (taps[0], L::ZERO);
        for k in 1..n.div_ceil(2) {
            even = even.plus(sums[k].times(real[j * k % n]));
            odd = odd.plus(differences[k].times(imaginary[j * k % n]));
        }
        if n.is_multiple_of(2) {
            even = if j.is_multiple_of(2) { even.plus(taps[n / 2]) } else { even.minus(taps[n / 2]) };
        }
        results[j] = even.plus(odd);
        results[(n - j) % n] = even.minus(odd);
    }
    results
}
