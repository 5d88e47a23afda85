//! Several lanes that are computed together: in one register where the processor has such lanes, in an array elsewhere.

use super::Lane;
use fearless_simd::{Simd, SimdBase};

/// A few neighbouring lanes.
pub trait Vector<S: Simd, L: Lane>: Copy {
    /// How many, a power of two.
    const N: usize;

    /// Reads `N` lanes.
    fn load(simd: S, lanes: &[L]) -> Self;

    /// Writes `N` lanes.
    fn store(self, lanes: &mut [L]);

    /// Sums.
    fn plus(self, other: Self) -> Self;

    /// Differences.
    fn minus(self, other: Self) -> Self;

    /// Products with one coefficient.
    fn times(self, weight: L::Weight) -> Self;

    /// The first lanes of both, the second lanes of both, and so on.
    fn interleaved(self, other: Self) -> [Self; 2];
}

/// Lanes that no register holds as such: the compiler does what it can.
impl<S: Simd, L: Lane> Vector<S, L> for [L; 4] {
    const N: usize = 4;

    #[inline(always)]
    fn load(_: S, lanes: &[L]) -> Self {
        std::array::from_fn(|i| lanes[i])
    }

    #[inline(always)]
    fn store(self, lanes: &mut [L]) {
        lanes.copy_from_slice(&self);
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        std::array::from_fn(|i| self[i].plus(other[i]))
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        std::array::from_fn(|i| self[i].minus(other[i]))
    }

    #[inline(always)]
    fn times(self, weight: L::Weight) -> Self {
        self.map(|lane| lane.times(weight))
    }

    #[inline(always)]
    fn interleaved(self, [e, f, g, h]: Self) -> [Self; 2] {
        let [a, b, c, d] = self;
        [[a, e, b, f], [c, g, d, h]]
    }
}

/// Implements [`Vector`] for the registers of a type.
macro_rules! vector {
    ($lane:ty, $width:literal, $vector:ident, $times:expr, $interleaved:ident) => {
        impl<S: Simd> Vector<S, $lane> for fearless_simd::$vector<S> {
            const N: usize = $width;

            #[inline(always)]
            fn load(simd: S, lanes: &[$lane]) -> Self {
                Self::from_slice(simd, lanes)
            }

            #[inline(always)]
            fn store(self, lanes: &mut [$lane]) {
                self.store_slice(lanes);
            }

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self + other
            }

            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self - other
            }

            #[inline(always)]
            fn times(self, weight: <$lane as Lane>::Weight) -> Self {
                $times(self, weight)
            }

            #[inline(always)]
            fn interleaved(self, other: Self) -> [Self; 2] {
                self.witness().$interleaved(self, other).into()
            }
        }
    };
}

vector!(f32, 8, f32x8, |vector: Self, weight| vector * weight, interleave_f32x8);
vector!(f64, 4, f64x4, |vector: Self, weight| vector * weight, interleave_f64x4);
vector!(i32, 8, i32x8, |vector: Self, weight| Self::from_fn(vector.witness(), |i| Lane::times(vector[i], weight)), interleave_i32x8);
