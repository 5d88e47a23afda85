//! The value types of lanes for each ring and precision, and arrays that several threads write.

use super::bits::{Bit, Word};
use super::vector::Vector;
use crate::plan::{IntegerWidth, Real, ReducedEquation, Ring};
use fearless_simd::{Simd, f32x8, f64x4, i32x8};
use num_complex::{Complex, Complex64};
use std::convert::identity;
use std::sync::atomic::{AtomicI32, AtomicI64, AtomicU8, AtomicU32, AtomicU64, Ordering};

/// Single or double precision.
pub trait Float: rustfft::FftNum + Atomic {
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// NaN.
    const NOT_A_NUMBER: Self;

    /// The nearest value to a double.
    fn rounded(value: f64) -> Self;
}

/// Implements [`Float`] for a number type.
macro_rules! float {
    ($float:ty) => {
        impl Float for $float {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const NOT_A_NUMBER: Self = Self::NAN;

            fn rounded(value: f64) -> Self {
                value as Self
            }
        }
    };
}

float!(f32);
float!(f64);

/// A number that threads can write concurrently.
/// Every lane has one writer; relaxed atomics cost nothing and avoid unsafe code.
pub trait Atomic: Copy + Send + Sync + 'static {
    /// The shared cell of the number.
    type Cell: Send + Sync;

    /// Makes a cell of the number.
    #[must_use]
    fn cell(self) -> Self::Cell;

    /// Writes the number.
    fn store(self, cell: &Self::Cell);

    /// The number in a cell.
    fn held(cell: Self::Cell) -> Self;
}

/// Implements [`Atomic`] with an atomic type of the same size.
macro_rules! atomic {
    ($number:ty, $cell:ty, $bits:expr, $number_of:expr) => {
        impl Atomic for $number {
            type Cell = $cell;

            fn cell(self) -> $cell {
                <$cell>::new($bits(self))
            }

            #[inline]
            fn store(self, cell: &$cell) {
                cell.store($bits(self), Ordering::Relaxed);
            }

            fn held(cell: $cell) -> Self {
                $number_of(cell.into_inner())
            }
        }
    };
}

atomic!(f32, AtomicU32, f32::to_bits, f32::from_bits);
atomic!(f64, AtomicU64, f64::to_bits, f64::from_bits);
atomic!(i32, AtomicI32, identity, identity);
atomic!(i64, AtomicI64, identity, identity);
atomic!(Bit, AtomicU8, |bit: Bit| bit.0, Bit);
atomic!(Word, AtomicU64, |word: Word| word.0, Word);

impl<T: Float> Atomic for Complex<T> {
    type Cell = [T::Cell; 2];

    fn cell(self) -> Self::Cell {
        [self.re.cell(), self.im.cell()]
    }

    #[inline]
    fn store(self, cell: &Self::Cell) {
        self.re.store(&cell[0]);
        self.im.store(&cell[1]);
    }

    fn held([re, im]: Self::Cell) -> Self {
        Self::new(T::held(re), T::held(im))
    }
}

impl<T: Atomic> Atomic for ReducedEquation<T> {
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

/// The value of a lane and its arithmetic.
pub trait Lane: Atomic + PartialEq + std::fmt::Debug {
    /// The type of coefficients.
    type Weight: Copy + PartialEq + Send + Sync;

    /// The vector of lanes that are computed together.
    type Vector<S: Simd>: Vector<S, Self>;

    /// The neutral element of +, and the value past an end. For equations only the latter.
    const ZERO: Self;

    /// The value of an unwritten lane: NaN if the type has one.
    const UNWRITTEN: Self;

    /// Whether these lanes support plans over the ring.
    fn supports(ring: Ring) -> bool;

    /// The weight nearest to a coefficient.
    fn weight(coef: Complex64) -> Self::Weight;

    /// Sum.
    fn plus(self, other: Self) -> Self;

    /// Difference.
    fn minus(self, other: Self) -> Self;

    /// Product with a coefficient.
    fn times(self, weight: Self::Weight) -> Self;

    /// Product of two lanes.
    fn product(self, other: Self) -> Self;

    /// The conjugate.
    fn conjugated(self) -> Self {
        self
    }

    /// Eliminates the neighbours of an equation.
    ///
    /// # Panics
    /// If the lanes are not equations.
    fn without(self, _before: Self, _behind: Self) -> Self {
        panic!("only equations are eliminated, not {self:?}")
    }
}

/// Implements [`Lane`] with the operators of a number type.
macro_rules! lane {
    ($lane:ty, $weight:ty, $vector:ty, $zero:expr, $unwritten:expr, $supports:pat, $round:expr, $conjugated:expr) => {
        impl Lane for $lane {
            type Weight = $weight;
            type Vector<S: Simd> = $vector;
            const ZERO: Self = $zero;
            const UNWRITTEN: Self = $unwritten;

            fn supports(ring: Ring) -> bool {
                matches!(ring, $supports)
            }

            fn weight(coef: Complex64) -> $weight {
                $round(coef)
            }

            #[inline]
            fn plus(self, other: Self) -> Self {
                self + other
            }

            #[inline]
            fn minus(self, other: Self) -> Self {
                self - other
            }

            #[inline]
            fn times(self, weight: $weight) -> Self {
                self * weight
            }

            #[inline]
            fn product(self, other: Self) -> Self {
                self * other
            }

            fn conjugated(self) -> Self {
                $conjugated(self)
            }
        }
    };
}

lane!(f32, f32, f32x8<S>, 0.0, Self::NAN, Ring::Real, |coef: Complex64| coef.re as f32, identity);
lane!(f64, f64, f64x4<S>, 0.0, Self::NAN, Ring::Real, |coef: Complex64| coef.re, identity);
lane!(i32, Ratio<i32>, i32x8<S>, 0, Self::MIN, Ring::Integer(IntegerWidth::Bits32), Ratio::<i32>::of, identity);
lane!(i64, Ratio<i64>, [Self; 4], 0, Self::MIN, Ring::Integer(_), Ratio::<i64>::of, identity);
lane!(
    Complex<f32>,
    Complex<f32>,
    [Self; 4],
    Complex::new(0.0, 0.0),
    Complex::new(f32::NAN, f32::NAN),
    Ring::Real | Ring::Complex | Ring::Integer(_),
    |coef: Complex64| { Complex::new(coef.re as f32, coef.im as f32) },
    |lane: Self| lane.conj()
);
lane!(
    Complex<f64>,
    Complex<f64>,
    [Self; 4],
    Complex::new(0.0, 0.0),
    Complex::new(f64::NAN, f64::NAN),
    Ring::Real | Ring::Complex | Ring::Integer(_),
    identity,
    |lane: Self| lane.conj()
);

/// A coefficient of integer lanes: an integer, or the reciprocal of a divisor of every lane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ratio<T> {
    factor: T,
    divisor: T,
}

impl<T: PartialEq + From<bool>> Ratio<T> {
    /// The integer; `None` for a reciprocal.
    #[inline(always)]
    pub(super) fn integer(self) -> Option<T> {
        (self.divisor == T::from(true)).then_some(self.factor)
    }
}

/// Implements [`Ratio`] for an integer type.
macro_rules! ratio {
    ($number:ty) => {
        impl Ratio<$number> {
            fn of(coef: Complex64) -> Self {
                let divides = coef.re != 0.0 && coef.re.abs() < 1.0;
                if divides {
                    Self { factor: 1, divisor: (1.0 / coef.re) as $number }
                } else {
                    Self { factor: coef.re as $number, divisor: 1 }
                }
            }
        }

        impl std::ops::Mul<Ratio<$number>> for $number {
            type Output = Self;

            #[inline]
            fn mul(self, ratio: Ratio<$number>) -> Self {
                if ratio.divisor == 1 { self * ratio.factor } else { self / ratio.divisor }
            }
        }
    };
}

ratio!(i32);
ratio!(i64);

impl<T: Float + Real> Lane for ReducedEquation<T> {
    type Weight = T;
    type Vector<S: Simd> = [Self; 4];
    const ZERO: Self = Self { a: T::ZERO, b: T::ONE, c: T::ZERO, d: T::ZERO };
    const UNWRITTEN: Self = Self { a: T::NOT_A_NUMBER, b: T::NOT_A_NUMBER, c: T::NOT_A_NUMBER, d: T::NOT_A_NUMBER };

    fn supports(ring: Ring) -> bool {
        ring == Ring::Equation
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
        panic!("equations are not multiplied with each other: {self:?}")
    }

    #[inline]
    fn without(self, before: Self, behind: Self) -> Self {
        ReducedEquation::without(self, before, behind)
    }
}

/// Lanes that threads write concurrently.
pub(super) struct SharedLanes<L: Lane> {
    cells: Vec<L::Cell>,
    first: usize,
}

impl<L: Lane> SharedLanes<L> {
    /// The lanes from `first` on; unwritten lanes keep their values. Cells have the layout of their numbers, so nothing moves.
    pub(super) fn of(lanes: Vec<L>, first: usize) -> Self {
        Self { cells: lanes.into_iter().map(L::cell).collect(), first }
    }

    #[inline]
    pub(super) fn store(&self, lane: usize, value: L) {
        value.store(&self.cells[self.first + lane]);
    }

    pub(super) fn into_lanes(self) -> Vec<L> {
        self.cells.into_iter().map(L::held).collect()
    }
}
