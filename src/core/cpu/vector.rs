//! Several lanes computed together: in a vector register if the type has one, else in an array.

use super::lane::{Lane, Vector};
use super::numbers::Ratio;
use fearless_simd::{Level, Simd, SimdBase, SimdFrom, SimdInto};

/// Runs `work` with the vector instructions of the processor.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn with_vectors<T>(work: impl FnOnce() -> T) -> T {
    match Level::new() {
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        Level::Avx2(simd) => simd.vectorize(work),
        _ => work(),
    }
}

/// Lanes without a vector type: the compiler vectorises them if it can.
impl<S: Simd, L: Lane> Vector<S, L> for [L; 4] {
    const N: usize = 4;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn load(_: S, lanes: &[L]) -> Self {
        [lanes[0], lanes[1], lanes[2], lanes[3]]
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn store(self, lanes: &mut [L]) {
        lanes.copy_from_slice(&self);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn plus(self, other: Self) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self, other);
        [a.plus(e), b.plus(f), c.plus(g), d.plus(h)]
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn minus(self, other: Self) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self, other);
        [a.minus(e), b.minus(f), c.minus(g), d.minus(h)]
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn times(self, weight: L::Weight) -> Self {
        let [a, b, c, d] = self;
        [a.times(weight), b.times(weight), c.times(weight), d.times(weight)]
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn times_in_turn(self, lanes: usize, [even, odd]: [L::Weight; 2]) -> Self {
        let [a, b, c, d] = self;
        if lanes == 2 {
            [a.times(even), b.times(even), c.times(odd), d.times(odd)]
        } else {
            [a.times(even), b.times(odd), c.times(even), d.times(odd)]
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn exchanged(self, distance: usize) -> Self {
        let [a, b, c, d] = self;
        if distance == 2 { [c, d, a, b] } else { [b, a, d, c] }
    }
}

/// Alternates two numbers: each fills `lanes` neighbouring lanes.
#[cfg_attr(not(debug_assertions), inline(always))]
fn in_turn<T: Copy, const N: usize>(lanes: usize, numbers: [T; 2]) -> [T; N] {
    let mut all = [numbers[0]; N];
    for (i, number) in all.iter_mut().enumerate() {
        *number = numbers[i / lanes % 2];
    }
    all
}

/// Implements [`Vector`] for a register type; the table gives, for each distance, the source lanes of an exchange.
macro_rules! vector {
    ($lane:ty, $width:literal, $vector:ident, $times:expr, $in_turn:expr, { $($distance:literal => [$($from:literal),*]),* }) => {
        impl<S: Simd> Vector<S, $lane> for fearless_simd::$vector<S> {
            const N: usize = $width;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn load(simd: S, lanes: &[$lane]) -> Self {
                Self::from_slice(simd, lanes)
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn store(self, lanes: &mut [$lane]) {
                self.store_slice(lanes);
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn plus(self, other: Self) -> Self {
                self + other
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn minus(self, other: Self) -> Self {
                self - other
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn times(self, weight: <$lane as Lane>::Weight) -> Self {
                $times(self, weight)
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn times_in_turn(self, lanes: usize, weights: [<$lane as Lane>::Weight; 2]) -> Self {
                $in_turn(self, lanes, weights)
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn exchanged(self, distance: usize) -> Self {
                let lanes: [$lane; $width] = self.into();
                // Constant tables, so that each compiles to one instruction.
                match distance {
                    $($distance => [$(lanes[$from]),*].simd_into(self.witness()),)*
                    _ => unreachable!("vectors have no lanes {distance} apart"),
                }
            }
        }
    };
}

vector!(
    f32,
    8,
    f32x8,
    |vector: Self, weight| vector * weight,
    |vector: Self, lanes, weights| vector * Self::simd_from(vector.witness(), in_turn::<f32, 8>(lanes, weights)),
    { 4 => [4, 5, 6, 7, 0, 1, 2, 3], 2 => [2, 3, 0, 1, 6, 7, 4, 5], 1 => [1, 0, 3, 2, 5, 4, 7, 6] }
);
vector!(
    f64,
    4,
    f64x4,
    |vector: Self, weight| vector * weight,
    |vector: Self, lanes, weights| vector * Self::simd_from(vector.witness(), in_turn::<f64, 4>(lanes, weights)),
    { 2 => [2, 3, 0, 1], 1 => [1, 0, 3, 2] }
);
vector!(
    i32,
    8,
    i32x8,
    |vector: Self, weight| Self::from_fn(vector.witness(), |i| Lane::times(vector[i], weight)),
    |vector: Self, lanes, weights: [Ratio<i32>; 2]| match weights.map(Ratio::integer) {
        [Some(a), Some(b)] => vector * Self::simd_from(vector.witness(), in_turn::<i32, 8>(lanes, [a, b])),
        _ => Self::from_fn(vector.witness(), |i| Lane::times(vector[i], weights[i / lanes % 2])),
    },
    { 4 => [4, 5, 6, 7, 0, 1, 2, 3], 2 => [2, 3, 0, 1, 6, 7, 4, 5], 1 => [1, 0, 3, 2, 5, 4, 7, 6] }
);
