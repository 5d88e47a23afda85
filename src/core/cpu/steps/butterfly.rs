//! Kronecker butterflies between two vectors, and within one.

use crate::cpu::lane::{Lane, Vector};
use fearless_simd::Simd;

/// A 2×2 matrix on vectors.
pub(crate) trait VectorButterfly<S: Simd, L: Lane, V: Vector<S, L>>: Copy {
    /// The results for two vectors of taps.
    fn between(self, a: V, b: V) -> (V, V);

    /// The results for a vector whose pairs lie `distance` lanes apart.
    fn within(self, a: V, distance: usize) -> V;
}

/// [[1, 1], [1, −1]].
#[derive(Clone, Copy)]
pub(crate) struct Walsh;

/// [[1, 0], [1, 1]].
#[derive(Clone, Copy)]
pub(crate) struct Add;

/// [[1, 0], [−1, 1]].
#[derive(Clone, Copy)]
pub(crate) struct Subtract;

/// Any matrix, row-major.
#[derive(Clone, Copy)]
pub(crate) struct Any<W>(pub(crate) [W; 4]);

/// Values as weights of a lane type.
#[cfg_attr(not(debug_assertions), inline(always))]
fn weights<L: Lane, const N: usize>(values: [f64; N]) -> [L::Weight; N] {
    values.map(|value| L::weight(value.into()))
}

impl<S: Simd, L: Lane, V: Vector<S, L>> VectorButterfly<S, L, V> for Walsh {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn between(self, a: V, b: V) -> (V, V) {
        (a.plus(b), a.minus(b))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn within(self, a: V, distance: usize) -> V {
        a.times_in_turn(distance, weights::<L, 2>([1.0, -1.0])).plus(a.exchanged(distance))
    }
}

impl<S: Simd, L: Lane, V: Vector<S, L>> VectorButterfly<S, L, V> for Add {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn between(self, a: V, b: V) -> (V, V) {
        (a, a.plus(b))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn within(self, a: V, distance: usize) -> V {
        a.plus(a.exchanged(distance).times_in_turn(distance, weights::<L, 2>([0.0, 1.0])))
    }
}

impl<S: Simd, L: Lane, V: Vector<S, L>> VectorButterfly<S, L, V> for Subtract {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn between(self, a: V, b: V) -> (V, V) {
        (a, b.minus(a))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn within(self, a: V, distance: usize) -> V {
        a.minus(a.exchanged(distance).times_in_turn(distance, weights::<L, 2>([0.0, 1.0])))
    }
}

impl<S: Simd, L: Lane, V: Vector<S, L>> VectorButterfly<S, L, V> for Any<L::Weight> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn between(self, a: V, b: V) -> (V, V) {
        let Self([p, q, r, s]) = self;
        (a.times(p).plus(b.times(q)), a.times(r).plus(b.times(s)))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn within(self, a: V, distance: usize) -> V {
        let Self([p, q, r, s]) = self;
        a.times_in_turn(distance, [p, s]).plus(a.exchanged(distance).times_in_turn(distance, [q, r]))
    }
}
