//! The numbers of one stage, made in double precision and rounded once.

use super::Float;
use crate::plan::{Coef, Direction, Stage};
use num_complex::{Complex, Complex64};

/// Taps and results of the widest butterfly of any plan.
const WIDEST: usize = 16;

/// The matrix of a stage and its roots of unity.
pub(super) struct Tables<T> {
    matrix: Vec<Complex<T>>,
    roots: Option<Roots>,
}

/// Roots of unity from two short tables: ω^(c·FINE + f) = coarse\[c\]·fine\[f\]; a table of all of them would not fit the caches.
struct Roots {
    coarse: Vec<Complex64>,
    fine: Vec<Complex64>,
}

const FINE: usize = 1024;

impl Roots {
    fn new(order: usize, direction: Direction) -> Self {
        let root = |exponent: usize| Coef::root(exponent as u64, order as u64, direction).value();
        Self { coarse: (0..order.div_ceil(FINE)).map(|c| root(c * FINE)).collect(), fine: (0..order.min(FINE)).map(root).collect() }
    }

    fn at(&self, exponent: usize) -> Complex64 {
        self.coarse[exponent / FINE] * self.fine[exponent % FINE]
    }
}

impl<T: Float> Tables<T> {
    pub(super) fn new(stage: &Stage) -> Self {
        let matrix = stage.matrix();
        assert!(matrix.taps.max(matrix.rows) <= WIDEST, "no butterfly is wider than {WIDEST} lanes");
        Self {
            matrix: matrix.coefs.iter().map(|coef| rounded(coef.value())).collect(),
            roots: stage.twiddle.map(|twiddle| Roots::new(twiddle.modulus, twiddle.direction)),
        }
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
        let matrix = stage.matrix();
        let mut taps = [Complex::new(T::zero(), T::zero()); WIDEST];
        for (k, tap) in taps[..matrix.taps].iter_mut().enumerate() {
            *tap = stage.read_lane(p, q, b, k).map_or(Complex::new(T::zero(), T::zero()), |lane| before[lane]);
        }
        for (j, row) in self.matrix.chunks(matrix.taps).enumerate() {
            let mut sum = Complex::new(T::zero(), T::zero());
            for (weight, tap) in row.iter().zip(&taps) {
                sum = sum + *weight * *tap;
            }
            if let (Some(roots), Some(twiddle)) = (&self.roots, stage.twiddle) {
                sum = sum * rounded(roots.at(twiddle.exponent(p, q, j)));
            }
            store(stage.write_lane(write[0], write[1], write[2], j), sum);
        }
    }
}

fn rounded<T: Float>(value: Complex64) -> Complex<T> {
    Complex::new(T::rounded(value.re), T::rounded(value.im))
}
