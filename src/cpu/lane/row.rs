//! Rows of tridiagonal systems as lanes: sums and multiples of equations, and elimination.

use super::{Atomic, Float, Lane};
use crate::plan::{Real, Ring, Row};
use fearless_simd::Simd;
use num_complex::Complex64;

impl<T: Atomic> Atomic for Row<T> {
    type Cell = [T::Cell; 4];

    fn cell(self) -> Self::Cell {
        [self.a, self.b, self.c, self.d].map(T::cell)
    }

    #[inline]
    fn store(self, cell: &Self::Cell) {
        for (part, cell) in [self.a, self.b, self.c, self.d].into_iter().zip(cell) {
            part.store(cell);
        }
    }

    fn held(cell: Self::Cell) -> Self {
        let [a, b, c, d] = cell.map(T::held);
        Self { a, b, c, d }
    }
}

impl<T: Float + Real> Lane for Row<T> {
    type Weight = T;
    type Vector<S: Simd> = [Self; 4];
    const ZERO: Self = Self { a: T::ZERO, b: T::ONE, c: T::ZERO, d: T::ZERO };
    const UNWRITTEN: Self = Self { a: T::NOT_A_NUMBER, b: T::NOT_A_NUMBER, c: T::NOT_A_NUMBER, d: T::NOT_A_NUMBER };

    fn serves(ring: Ring) -> bool {
        ring == Ring::Row
    }

    fn weight(coef: Complex64) -> T {
        T::rounded(coef.re)
    }

    #[inline]
    fn plus(self, other: Self) -> Self {
        Self { a: self.a + other.a, b: self.b + other.b, c: self.c + other.c, d: self.d + other.d }
    }

    #[inline]
    fn minus(self, other: Self) -> Self {
        Self { a: self.a - other.a, b: self.b - other.b, c: self.c - other.c, d: self.d - other.d }
    }

    #[inline]
    fn times(self, weight: T) -> Self {
        Self { a: self.a * weight, b: self.b * weight, c: self.c * weight, d: self.d * weight }
    }

    fn product(self, _: Self) -> Self {
        panic!("equations are not multiplied with one another, as {self:?} was to be")
    }

    #[inline]
    fn without(self, before: Self, behind: Self) -> Self {
        Row::without(self, before, behind)
    }
}
