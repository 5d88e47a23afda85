//! Lanes of GF(2): one element, or 64 bit-packed elements.

use super::lane::{Arrays, Atomic, Lane, stored_as_it_is};
use crate::plan::Ring;
use fearless_simd::Simd;
use num_complex::Complex64;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// An element of GF(2), 0 or 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bit(u8);

impl Bit {
    /// The remainder of an integer modulo 2.
    pub fn of(value: i64) -> Self {
        Self((value & 1) as u8)
    }
}

/// 64 bit-packed elements of GF(2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub struct Word(u64);

impl Word {
    /// Elements of a word.
    pub const BITS: usize = 64;

    /// The Reed-Muller steps within a word: each element whose index has a 0 bit is added to the one with a 1 there.
    pub fn within(self) -> Self {
        // Index bits 5 to 0; the mask selects the elements whose bit is 0.
        let steps = [
            (32, 0x0000_0000_ffff_ffff),
            (16, 0x0000_ffff_0000_ffff),
            (8, 0x00ff_00ff_00ff_00ff),
            (4, 0x0f0f_0f0f_0f0f_0f0f),
            (2, 0x3333_3333_3333_3333),
            (1, 0x5555_5555_5555_5555),
        ];
        Self(steps.iter().fold(self.0, |word, (distance, low)| word ^ (word & low) << distance))
    }
}

impl From<Bit> for i64 {
    fn from(bit: Bit) -> Self {
        bit.0.into()
    }
}

/// Implements [`Lane`] for one or several bits of an unsigned integer.
macro_rules! binary {
    ($lane:ident, $all:expr, $cell:ty) => {
        impl Atomic for $lane {
            type Cell = $cell;

            fn cell(self) -> $cell {
                <$cell>::new(self.0)
            }

            #[inline]
            fn store(self, cell: &$cell) {
                cell.store(self.0, Ordering::Relaxed);
            }

            fn held(cell: $cell) -> Self {
                Self(cell.into_inner())
            }
        }

        impl Lane for $lane {
            stored_as_it_is!();
            type Part = Self;
            type Weight = Self;
            type Vector<S: Simd> = [Self; 4];
            const ZERO: Self = Self(0);
            const UNWRITTEN: Self = Self($all);

            fn supports(ring: Ring) -> bool {
                ring == Ring::Gf2
            }

            fn weight(coef: Complex64) -> Self {
                Self(if coef.re as i64 & 1 == 1 { $all } else { 0 })
            }

            fn part(self, _: usize) -> Self {
                self
            }

            fn of_parts([part, _]: [Self; 2]) -> Self {
                part
            }

            #[inline]
            fn plus(self, other: Self) -> Self {
                Self(self.0 ^ other.0)
            }

            #[inline]
            fn minus(self, other: Self) -> Self {
                self.plus(other)
            }

            #[inline]
            fn times(self, weight: Self) -> Self {
                self.product(weight)
            }

            #[inline]
            fn product(self, other: Self) -> Self {
                Self(self.0 & other.0)
            }
        }
    };
}

binary!(Bit, 1, AtomicU8);
binary!(Word, u64::MAX, AtomicU64);
