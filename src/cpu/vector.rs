//! Several lanes that are computed together: in one register where the processor has such lanes, in an array elsewhere.

use super::Lane;
use super::lane::Ratio;
use fearless_simd::{Simd, SimdBase, SimdFrom, SimdInto};

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

    /// Products with two coefficients in turn: with the first in so many lanes, with the second in as many, and so on.
    fn times_in_turn(self, lanes: usize, weights: [L::Weight; 2]) -> Self;

    /// Every lane exchanged for the one `distance` lanes away, in blocks of twice that; a power of two below `N`.
    fn exchanged(self, distance: usize) -> Self;
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
    fn times_in_turn(self, lanes: usize, weights: [L::Weight; 2]) -> Self {
        std::array::from_fn(|i| self[i].times(weights[i / lanes % 2]))
    }

    #[inline(always)]
    fn exchanged(self, distance: usize) -> Self {
        let [a, b, c, d] = self;
        if distance == 2 { [c, d, a, b] } else { [b, a, d, c] }
    }
}

/// Implements [`Vector`] for the registers of a type; `$exchanged` lists for every distance where the lanes come from.
macro_rules! vector {
    ($lane:ty, $width:literal, $vector:ident, $times:expr, $in_turn:expr, { $($distance:literal => [$($from:literal),*]),* }) => {
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
            fn times_in_turn(self, lanes: usize, weights: [<$lane as Lane>::Weight; 2]) -> Self {
                let mut all = [weights[0]; $width];
                for (i, weight) in all.iter_mut().enumerate() {
                    *weight = weights[i / lanes % 2];
                }
                $in_turn(self, all)
            }

            #[inline(always)]
            fn exchanged(self, distance: usize) -> Self {
                let lanes: [$lane; $width] = self.into();
                // Written out, so that each is one instruction.
                match distance {
                    $($distance => [$(lanes[$from]),*].simd_into(self.witness()),)*
                    _ => unreachable!("vectors have no lanes {distance} apart"),
                }
            }
        }
    };
}

vector!(f32, 8, f32x8, |vector: Self, weight| vector * weight, |vector: Self, weights: [f32; 8]| vector * Self::simd_from(vector.witness(), weights), {
    4 => [4, 5, 6, 7, 0, 1, 2, 3], 2 => [2, 3, 0, 1, 6, 7, 4, 5], 1 => [1, 0, 3, 2, 5, 4, 7, 6]
});
vector!(f64, 4, f64x4, |vector: Self, weight| vector * weight, |vector: Self, weights: [f64; 4]| vector * Self::simd_from(vector.witness(), weights), {
    2 => [2, 3, 0, 1], 1 => [1, 0, 3, 2]
});
vector!(
    i32,
    8,
    i32x8,
    |vector: Self, weight| Self::from_fn(vector.witness(), |i| Lane::times(vector[i], weight)),
    |vector: Self, weights: [Ratio<i32>; 8]| {
        let mut factors = [0; 8];
        for (factor, weight) in factors.iter_mut().zip(weights) {
            match weight.integer() {
                Some(integer) => *factor = integer,
                None => return Self::from_fn(vector.witness(), |i| Lane::times(vector[i], weights[i])),
            }
        }
        vector * Self::simd_from(vector.witness(), factors)
    },
    { 4 => [4, 5, 6, 7, 0, 1, 2, 3], 2 => [2, 3, 0, 1, 6, 7, 4, 5], 1 => [1, 0, 3, 2, 5, 4, 7, 6] }
);
