//! The butterflies of a stage on the rows of a tile.

use super::digits::Digit;
use super::shape::TileShape;
use super::tables::{Exponents, StageTwiddles};
use crate::cpu::fourier_rows::{FourierRows, TileTwiddles};
use crate::cpu::lane::{Lane, Vector};
use crate::cpu::steps::PairMatrix;
use crate::cpu::steps::butterfly::{Add, Any, Subtract, VectorButterfly, Walsh};
use crate::plan::shapes::dft_direction;
use crate::plan::{Coef, Direction, LazyBound, Operation, PrimeField, Ring, Stage};
use fearless_simd::Simd;
use num_complex::Complex64;
use std::ops::Range;

/// Most taps of a butterfly.
pub(super) const WIDEST: usize = 32;

/// A stage on the rows of a tile.
pub(super) struct RowStage<P: Lane> {
    ring: Ring,
    operation: RowOperation<P>,
    /// The distance of every tap from the first row of a butterfly, in numbers.
    taps: Vec<usize>,
    /// The first row of every butterfly.
    butterflies: Vec<usize>,
    /// Parts of a lane.
    parts: usize,
    bound: (LazyBound, u64),
    twiddles: Option<StageTwiddles<P::Weight>>,
    twiddles_first: bool,
}

enum RowOperation<P: Lane> {
    /// The taps themselves.
    Keep,
    /// A real 2×2 matrix.
    Pairs(PairMatrix<P::Weight>),
    /// Any real matrix, row-major.
    Real(Vec<P::Weight>),
    /// A Fourier transform in a direction, with the powers of its root.
    Fourier(Direction, Vec<[P::Weight; 2]>),
}

/// Whether the stage runs on rows. Complex lanes have two parts; residues have roots, but no arithmetic without their field.
pub(super) fn supports<L: Lane>(stage: &Stage) -> bool {
    let (Operation::Linear(matrix) | Operation::TwiddledTaps(matrix)) = &stage.operation else { return false };
    let is_fourier = matrix.taps > 1 && dft_direction(matrix).is_some();
    let is_real = matrix.coefs.iter().all(|coef| coef.real().is_some()) && (L::PARTS == 2 || !L::HAS_ROOTS);
    matrix.taps <= WIDEST
        && (is_real || L::HAS_ROOTS && (is_fourier || matrix.taps == 1))
        && (stage.twiddle.is_none() || L::HAS_ROOTS)
        && (is_fourier || !stage.twiddles_taps())
}

/// The parts of a number as weights. A residue is the factor of Montgomery's products; the second part is that times the inverse of the modulus.
fn parts_of<P: Lane>(ring: Ring, value: Complex64) -> [P::Weight; 2] {
    let factor = |field: PrimeField| {
        let factor = field.factor(value.re as u32);
        [factor, factor.wrapping_mul(field.inverse_of_modulus())].map(f64::from)
    };
    ring.field().map_or([value.re, value.im], factor).map(|part| P::weight(part.into()))
}

impl<P: Lane> RowStage<P> {
    /// Stage `index` of a pass: places of its taps and its butterflies, the digits that number its butterflies, and the stages with joined factors.
    pub(super) fn of(
        (ring, stage, bound): (Ring, &Stage, LazyBound),
        index: usize,
        shape: &TileShape,
        [taps, butterflies]: [Vec<usize>; 2],
        (others, joined): (&[&Digit], &[(usize, Exponents)]),
        parts: usize,
    ) -> Self {
        let matrix = stage.matrix();
        let number = |value: Complex64| parts_of::<P>(ring, value);
        let real = || matrix.coefs.iter().map(|coef| P::weight(ring.element(*coef))).collect();
        let is_prime = ring.field().is_some();
        let operation = match dft_direction(matrix).filter(|_| (parts == 2 || is_prime) && matrix.taps > 1) {
            Some(direction) => {
                let root = |power: usize| {
                    // Complex numbers exchange their parts for the inverse.
                    let direction = if is_prime { direction } else { Direction::Forward };
                    number(ring.element(Coef::root(power as u64, matrix.taps as u64, direction)))
                };
                RowOperation::Fourier(direction, (0..matrix.taps).map(root).collect())
            }
            None if matrix.taps == 1 && matrix.coefs[0].integer() == Some(1) => RowOperation::Keep,
            None if is_prime => RowOperation::Fourier(Direction::Forward, vec![number(ring.element(matrix.coefs[0]))]),
            None if matrix.taps == 2 => RowOperation::Pairs(PairMatrix::of::<P>(ring, matrix)),
            None => RowOperation::Real(real()),
        };
        let is_inverse = matches!(operation, RowOperation::Fourier(Direction::Inverse, _)) && !is_prime;
        let twiddles = StageTwiddles::of((ring, stage), index, (shape, others, joined), is_inverse, number);
        let bound = (bound, stage.bound_of_tap(matrix.taps - 1, bound.before));
        Self { ring, operation, taps, butterflies, parts, bound, twiddles, twiddles_first: stage.twiddles_taps() }
    }

    /// Number of butterflies.
    pub(super) fn n_butterflies(&self) -> usize {
        self.butterflies.len()
    }

    /// The change of the twiddles in the tile whose number has these digits.
    pub(super) fn of_tile(&self, digits: &[usize]) -> Option<TileTwiddles<P::Weight>> {
        self.twiddles.as_ref().map(|twiddles| twiddles.of_tile(digits, |value| parts_of::<P>(self.ring, value)))
    }

    /// Runs some butterflies of the stage on rows of `columns` columns.
    pub(super) fn run<S: Simd>(
        &self,
        simd: S,
        held: &mut [P],
        columns: usize,
        range: Range<usize>,
        tile: Option<&TileTwiddles<P::Weight>>,
    ) {
        let butterflies = &self.butterflies[range.clone()];
        let twiddles = self.twiddles.as_ref().map(|twiddles| &twiddles.rows).zip(tile);
        let fourier = FourierRows {
            taps: &self.taps,
            butterflies: &self.butterflies,
            range,
            columns,
            is_inverse: false,
            roots: &[],
            field: self.ring.field(),
            bound: self.bound,
            twiddles,
            twiddles_first: self.twiddles_first,
        };
        match &self.operation {
            RowOperation::Fourier(direction, roots) => {
                return P::fourier(simd, &FourierRows { is_inverse: *direction == Direction::Inverse, roots, ..fourier }, held);
            }
            RowOperation::Keep => {}
            RowOperation::Pairs(matrix) => match *matrix {
                PairMatrix::Walsh => self.pairs(simd, held, columns, butterflies, Walsh),
                PairMatrix::Add => self.pairs(simd, held, columns, butterflies, Add),
                PairMatrix::Subtract => self.pairs(simd, held, columns, butterflies, Subtract),
                PairMatrix::Any(weights) => self.pairs(simd, held, columns, butterflies, Any(weights)),
            },
            RowOperation::Real(weights) => self.real(simd, held, columns, butterflies, weights),
        }
        // A stage that keeps its lanes may have to reduce them.
        let reduces = self.bound.0.after < self.bound.0.before;
        if fourier.twiddles.is_some() || reduces {
            P::fourier(simd, &fourier, held);
        }
    }

    fn pairs<S: Simd>(
        &self,
        simd: S,
        held: &mut [P],
        columns: usize,
        butterflies: &[usize],
        butterfly: impl VectorButterfly<S, P, P::Vector<S>>,
    ) {
        let (n, numbers) = (P::Vector::<S>::N, self.parts * columns);
        simd.vectorize(
            #[inline(always)]
            || {
                for &first in butterflies {
                    let [low, high] = [self.taps[0], self.taps[1]].map(|tap| first + tap);
                    for column in (0..numbers).step_by(n) {
                        let load = |row: usize| P::Vector::<S>::load(simd, &held[row + column..][..n]);
                        let (a, b) = butterfly.between(load(low), load(high));
                        a.store(&mut held[low + column..][..n]);
                        b.store(&mut held[high + column..][..n]);
                    }
                }
            },
        );
    }

    fn real<S: Simd>(&self, simd: S, held: &mut [P], columns: usize, butterflies: &[usize], weights: &[P::Weight]) {
        let (n, numbers) = (P::Vector::<S>::N, self.parts * columns);
        simd.vectorize(
            #[inline(always)]
            || {
                for &first in butterflies {
                    for column in (0..numbers).step_by(n) {
                        let mut taps = [P::Vector::<S>::load(simd, &held[first + column..][..n]); WIDEST];
                        for (value, tap) in taps.iter_mut().zip(&self.taps).skip(1) {
                            *value = P::Vector::<S>::load(simd, &held[first + tap + column..][..n]);
                        }
                        for (row, result) in weights.chunks_exact(self.taps.len()).zip(&self.taps) {
                            let mut sum = taps[0].times(row[0]);
                            for (value, weight) in taps.iter().zip(row).skip(1) {
                                sum = sum.plus(value.times(*weight));
                            }
                            sum.store(&mut held[first + result + column..][..n]);
                        }
                    }
                }
            },
        );
    }
}
