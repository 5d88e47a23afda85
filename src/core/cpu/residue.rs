//! Lanes of a prime field: a residue with its modulus, and in memory the residue alone.

use super::lane::{Arrays, Atomic, Lane};
use crate::plan::{PrimeField, Ring};
use fearless_simd::Simd;
use num_complex::Complex64;
use std::sync::atomic::{AtomicU32, Ordering};

/// A residue from 0 to q − 1. The neutral element of + may have no modulus; sums take that of the other lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Residue {
    value: u32,
    modulus: u32,
}

impl Residue {
    /// The residue of an integer.
    pub fn of(field: PrimeField, value: i64) -> Self {
        Self { value: field.reduced(value.into()), modulus: field.modulus() }
    }
}

impl From<Residue> for i64 {
    fn from(residue: Residue) -> Self {
        residue.value.into()
    }
}

impl Atomic for Residue {
    type Cell = [AtomicU32; 2];

    fn cell(self) -> Self::Cell {
        [self.value, self.modulus].map(AtomicU32::new)
    }

    #[inline]
    fn store(self, [value, modulus]: &Self::Cell) {
        value.store(self.value, Ordering::Relaxed);
        modulus.store(self.modulus, Ordering::Relaxed);
    }

    fn held([value, modulus]: Self::Cell) -> Self {
        Self { value: value.into_inner(), modulus: modulus.into_inner() }
    }
}

impl Lane for Residue {
    type Part = u32;
    type Stored = u32;
    /// A residue, or −1.
    type Weight = i64;
    type Vector<S: Simd> = [Self; 4];
    const ZERO: Self = Self { value: 0, modulus: 0 };
    const UNWRITTEN: Self = Self { value: u32::MAX, modulus: 0 };

    fn supports(ring: Ring) -> bool {
        ring.field().is_some()
    }

    fn weight(coef: Complex64) -> i64 {
        coef.re as i64
    }

    #[inline]
    fn part(self, _: usize) -> u32 {
        self.value
    }

    #[inline]
    fn of_parts([value, _]: [u32; 2]) -> Self {
        Self { value, modulus: 0 }
    }

    #[inline]
    fn stored(self) -> u32 {
        self.value
    }

    #[inline]
    fn of_stored(value: u32, modulus: u32) -> Self {
        Self { value, modulus }
    }

    fn opened<T>(stored: &mut Arrays<u32>, modulus: u32, work: impl FnOnce(&mut Arrays<Self>) -> T) -> T {
        let mut arrays = Arrays::default();
        arrays.hold(stored.lanes().len(), stored.lanes().iter().map(|&value| Self::of_stored(value, modulus)));
        let result = work(&mut arrays);
        stored.hold(arrays.lanes().len(), arrays.lanes().iter().map(|residue| residue.stored()));
        result
    }

    #[inline]
    fn plus(self, other: Self) -> Self {
        let (sum, modulus) = (self.value.wrapping_add(other.value), self.modulus | other.modulus);
        // A sum below q wraps to a number above it.
        Self { value: sum.min(sum.wrapping_sub(modulus)), modulus }
    }

    #[inline]
    fn minus(self, other: Self) -> Self {
        let (difference, modulus) = (self.value.wrapping_sub(other.value), self.modulus | other.modulus);
        Self { value: difference.min(difference.wrapping_add(modulus)), modulus }
    }

    #[inline]
    fn times(self, weight: i64) -> Self {
        match weight {
            -1 => Self::ZERO.minus(self),
            0 | 1 => Self { value: self.value * weight as u32, ..self },
            _ => self.product(Self { value: weight as u32, ..self }),
        }
    }

    #[inline]
    fn product(self, other: Self) -> Self {
        let modulus = self.modulus | other.modulus;
        Self { value: (u64::from(self.value) * u64::from(other.value) % u64::from(modulus.max(1))) as u32, modulus }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_compute_as_wide_integers() {
        for q in [3_u64, 3329, 2_013_265_921, (1 << 31) - 1] {
            let field = PrimeField::new(q, 1, None).unwrap();
            let of = |value: i128| Residue { value: value.rem_euclid(q.into()) as u32, modulus: q as u32 };
            for i in 0..500_i128 {
                let [a, b] = [i * 0x9e37_79b9_7f4a_7c15, i * 0xbf58_476d_1ce4_e5b9 + 1].map(|x| x % i128::from(q));
                let [x, y] = [of(a), of(b)];
                assert_eq!([x.plus(y), x.minus(y), x.product(y), x.times(b as i64)], [of(a + b), of(a - b), of(a * b), of(a * b)]);
                assert_eq!([x.times(-1), x.times(0), Residue::ZERO.plus(x), x.plus(Residue::ZERO)], [of(-a), of(0), x, x]);
                assert_eq!(Residue::of(field, a as i64 - 7), of(a - 7));
            }
        }
    }
}
