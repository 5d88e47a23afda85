//! Lanes that are numbers or reduced equations, for each ring and precision.

use super::fourier_rows::FourierRows;
use super::lane::{Arrays, Atomic, Float, Lane, stored_as_it_is};
use super::pairs::Pairs;
use super::pass::{fourier, residues};
use crate::plan::{Doubling, IntegerWidth, ReducedEquation, Ring};
use fearless_simd::{Simd, f32x8, f64x4, i32x8};
use num_complex::{Complex, Complex64};
use realfft::{ComplexToReal, RealFftPlanner, RealToComplex};
use rustfft::{Fft, FftDirection, FftPlanner};
use std::convert::identity;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, AtomicI64, AtomicU32, AtomicU64, Ordering};

/// Implements [`Float`] for a number type.
macro_rules! float {
    ($float:ty) => {
        impl Float for $float {
            const ZERO: Self = 0.0;
            const NOT_A_NUMBER: Self = Self::NAN;

            fn rounded(value: f64) -> Self {
                value as Self
            }

            fn fft(n: usize, direction: FftDirection) -> Arc<dyn Fft<Self>> {
                FftPlanner::new().plan_fft(n, direction)
            }

            fn fft_of_reals(n: usize) -> Arc<dyn RealToComplex<Self>> {
                RealFftPlanner::new().plan_fft_forward(n)
            }

            fn fft_of_frames(n: usize) -> Arc<dyn RealToComplex<Self>> {
                if n > 0 && n.is_multiple_of(2) { Arc::new(Pairs::new(n)) } else { Self::fft_of_reals(n) }
            }

            fn fft_to_reals(n: usize) -> Arc<dyn ComplexToReal<Self>> {
                RealFftPlanner::new().plan_fft_inverse(n)
            }
        }
    };
}

float!(f32);
float!(f64);

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
atomic!(u32, AtomicU32, identity, identity);
atomic!(i32, AtomicI32, identity, identity);
atomic!(i64, AtomicI64, identity, identity);

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

/// Implements [`Lane`] with the operators of a number type.
macro_rules! lane {
    ($lane:ty, $weight:ty, $vector:ty, $zero:expr, $unwritten:expr, $supports:pat, $round:expr, { $($parts:tt)* }) => {
        impl Lane for $lane {
            stored_as_it_is!();
            $($parts)*
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
        }
    };
}

/// The parts of a lane that is a single number; floating-point numbers also have Fourier butterflies.
macro_rules! number {
    ($lane:ty, $weight:ty, $vector:ty, $zero:expr, $unwritten:expr, $supports:pat, $round:expr $(, { $($fourier:tt)* })?) => {
        lane!($lane, $weight, $vector, $zero, $unwritten, $supports, $round, {
            type Part = Self;

            fn part(self, _: usize) -> Self {
                self
            }

            fn of_parts([part, _]: [Self; 2]) -> Self {
                part
            }

            $($($fourier)*)?
        });
    };
}

/// A floating-point number and the complex number of two of them.
macro_rules! floats {
    ($float:ty, $vector:ident) => {
        number!($float, $float, $vector<S>, 0.0, Self::NAN, Ring::Real, |coef: Complex64| coef.re as $float, {
            fn fourier<S: Simd>(simd: S, rows: &FourierRows<'_, Self>, held: &mut [Self]) {
                fourier::<S, $vector<S>>(simd, rows, held);
            }
        });
        lane!(
            Complex<$float>,
            Self,
            [Self; 4],
            Complex::new(0.0, 0.0),
            Complex::new(<$float>::NAN, <$float>::NAN),
            Ring::Real | Ring::Complex | Ring::Integer(_),
            |coef: Complex64| Complex::new(coef.re as $float, coef.im as $float),
            {
                type Part = $float;
                const PARTS: usize = 2;

                fn conjugated(self) -> Self {
                    self.conj()
                }

                #[inline]
                fn part(self, index: usize) -> $float {
                    if index == 0 { self.re } else { self.im }
                }

                #[inline]
                fn of_parts([re, im]: [$float; 2]) -> Self {
                    Self::new(re, im)
                }
            }
        );
    };
}

floats!(f32, f32x8);
floats!(f64, f64x4);
number!(i32, Ratio<i32>, i32x8<S>, 0, Self::MIN, Ring::Integer(IntegerWidth::Bits32), Ratio::<i32>::of);
// Residues in memory and in the rows of a pass, whose weights are factors of Montgomery's products.
number!(u32, u32, [Self; 4], 0, Self::MAX, Ring::Prime(_), |coef: Complex64| coef.re as u32, {
    const HAS_ROOTS: bool = true;

    fn fourier<S: Simd>(simd: S, rows: &FourierRows<'_, Self>, held: &mut [Self]) {
        residues(simd, rows, held);
    }
});
number!(i64, Ratio<i64>, [Self; 4], 0, Self::MIN, Ring::Integer(_), Ratio::<i64>::of);

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

/// Implements [`Lane`] for equations with coefficients of a number type.
macro_rules! equation {
    ($float:ty) => {
        impl Lane for ReducedEquation<$float> {
            stored_as_it_is!();
            type Part = Self;
            type Weight = $float;
            type Vector<S: Simd> = [Self; 4];
            const ZERO: Self = Self { a: 0.0, b: 1.0, c: 0.0, d: 0.0 };
            const UNWRITTEN: Self = Self { a: <$float>::NAN, b: <$float>::NAN, c: <$float>::NAN, d: <$float>::NAN };

            fn supports(ring: Ring) -> bool {
                ring == Ring::Equation
            }

            fn weight(coef: Complex64) -> $float {
                coef.re as $float
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
            fn times(self, weight: $float) -> Self {
                Self { a: self.a * weight, b: self.b * weight, c: self.c * weight, d: self.d * weight }
            }

            fn part(self, _: usize) -> Self {
                self
            }

            fn of_parts([part, _]: [Self; 2]) -> Self {
                part
            }

            fn product(self, _: Self) -> Self {
                panic!("equations are not multiplied with each other: {self:?}")
            }

            #[inline]
            fn without(self, before: Self, behind: Self) -> Self {
                ReducedEquation::without(self, before, behind)
            }

            #[inline]
            fn doubled(step: Doubling, taps: [Self; 2]) -> [Self; 2] {
                step.apply(taps)
            }
        }
    };
}

equation!(f32);
equation!(f64);
