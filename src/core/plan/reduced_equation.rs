//! Equations of tridiagonal systems, and the one operation of plans that solve them.
//!
//! Equation i, (a, b, c, d), is a·x\[i−1\] + b·x\[i\] + c·x\[i+1\] = d. Past the ends x = 0; the first a and the last c are zero.

use super::{Butterfly, Operation, Stage};
use std::ops::{Add, Div, Mul, Sub};

/// Equation a·x\[i−s\] + b·x\[i\] + c·x\[i+s\] = d of a tridiagonal system; the distance s is 1 before reductions.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ReducedEquation<T> {
    /// Coefficient of the unknown before.
    pub a: T,
    /// Coefficient of the equation's own unknown.
    pub b: T,
    /// Coefficient of the unknown behind.
    pub c: T,
    /// The right-hand side.
    pub d: T,
}

impl<T> From<[T; 4]> for ReducedEquation<T> {
    fn from([a, b, c, d]: [T; 4]) -> Self {
        Self { a, b, c, d }
    }
}

impl<T> From<ReducedEquation<T>> for [T; 4] {
    fn from(ReducedEquation { a, b, c, d }: ReducedEquation<T>) -> Self {
        [a, b, c, d]
    }
}

/// The real numbers of equations, in either precision.
pub trait Real: Copy + PartialOrd + From<i8> + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> {
    /// The absolute value.
    #[must_use]
    fn magnitude(self) -> Self;

    /// The largest power of two that is not above a positive normal number; other numbers stay as they are.
    #[must_use]
    fn binade(self) -> Self;
}

/// Implements [`Real`] for a type with these bits of exponent.
macro_rules! real {
    ($real:ty, $exponent:expr) => {
        impl Real for $real {
            fn magnitude(self) -> Self {
                self.abs()
            }

            #[inline]
            fn binade(self) -> Self {
                if self.is_normal() { Self::from_bits(self.to_bits() & $exponent) } else { self }
            }
        }
    };
}

real!(f32, 0xff << 23);
real!(f64, 0x7ff << 52);

impl<T: Real> ReducedEquation<T> {
    /// The equation x = `value`.
    pub fn solved(value: T) -> Self {
        Self { a: 0.into(), b: 1.into(), c: 0.into(), d: value }
    }

    /// Whether the equation has the form x = d.
    pub fn is_solved(&self) -> bool {
        let [zero, one] = [0, 1].map(T::from);
        self.a == zero && self.b == one && self.c == zero
    }

    /// Subtracts multiples of both neighbours to eliminate their unknowns, and divides by b. The result contains the unknowns beyond the neighbours.
    /// Solved neighbours solve the equation, so the same operation reduces and substitutes back.
    /// A zero b gives infinities or NaN, which never become finite again.
    #[inline]
    #[must_use]
    pub fn without(self, before: Self, behind: Self) -> Self {
        let (alpha, gamma) = (self.a / before.b, self.c / behind.b);
        let zero = T::from(0);
        let b = self.b - alpha * before.c - gamma * behind.a;
        Self {
            a: (zero - alpha * before.a) / b,
            b: 1.into(),
            c: (zero - gamma * behind.c) / b,
            d: (self.d - alpha * before.d - gamma * behind.d) / b,
        }
    }
}

impl Stage {
    /// Runs the stage, butterfly by butterfly.
    pub(super) fn eliminate(&self, before: &[ReducedEquation<f64>]) -> Vec<ReducedEquation<f64>> {
        let mut after = before.to_vec();
        for Butterfly { reads, writes, .. } in self.butterflies() {
            let row = |tap: usize| reads[tap].map_or(ReducedEquation::solved(0.0), |lane| before[lane]);
            if let Operation::Doubling(step) = self.operation {
                writes.into_iter().zip(step.apply([row(0), row(1)])).for_each(|(lane, result)| after[lane] = result);
                continue;
            }
            assert_eq!((reads.len(), writes.len()), (3, 1), "stage '{}' does not eliminate", self.label);
            after[writes[0]] = row(1).without(row(0), row(2));
        }
        after
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: ReducedEquation<f64> = ReducedEquation { a: 2.0, b: 8.0, c: 4.0, d: 6.0 };

    #[test]
    fn neighbours_are_eliminated() {
        let (before, behind) = (ReducedEquation { a: 1.0, b: 4.0, c: 2.0, d: 8.0 }, ReducedEquation { a: 1.0, b: 2.0, c: 3.0, d: 4.0 });
        // α = 1/2, γ = 2: b = 8 − 1 − 2, a = −1/2, c = −6, d = 6 − 4 − 8.
        assert_eq!(ROW.without(before, behind), ReducedEquation { a: -0.1, b: 1.0, c: -1.2, d: -1.2 });
    }

    #[test]
    fn solved_neighbours_solve_a_row() {
        let row = ROW.without(ReducedEquation::solved(1.0), ReducedEquation::solved(-1.0));
        assert_eq!(row, ReducedEquation::solved(1.0));
        // Unknowns past the ends are zero, whatever their coefficients.
        assert_eq!(ROW.without(ReducedEquation::solved(0.0), ReducedEquation::solved(0.0)), ReducedEquation::solved(0.75));
    }

    #[test]
    fn a_zero_pivot_never_gives_a_finite_row() {
        let zero = ReducedEquation { b: 0.0, ..ROW };
        assert!(!ROW.without(zero, ReducedEquation::solved(0.0)).d.is_finite());
        assert!(!zero.without(ReducedEquation::solved(0.0), ReducedEquation::solved(0.0)).d.is_finite());
    }
}
