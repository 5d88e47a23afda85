//! Fourier butterflies of residues: radix 2 in registers for powers of two, sums for all other numbers of taps.
//!
//! P. L. Montgomery, Modular multiplication without trial division (1985): a factor w is stored as w·2^32, so that a product needs no division.
//! It takes any word, so a difference in front of a product is not reduced; other sums wait as long as the bounds of the plan allow.

use super::rows::WIDEST;
use crate::cpu::fourier_rows::{FourierRows, TileTwiddles, TwiddleProducts, TwiddleRows};
use crate::plan::{LazyBound, PrimeField};
use fearless_simd::{Simd, SimdBase, SimdFrom, SimdInt, u32x8};

/// A factor of Montgomery's products, and that times the inverse of the modulus.
type Factor<W = u32> = [W; 2];

/// Computes the butterflies.
///
/// # Panics
/// If the rows have no field.
pub(crate) fn residues<S: Simd>(simd: S, rows: &FourierRows<'_, u32>, held: &mut [u32]) {
    let is_strict = rows.bound.0 == LazyBound::STRICT;
    let butterflies = match (rows.taps.len(), is_strict) {
        (1, _) => butterflies::<S, 1, false>,
        (2, _) => butterflies::<S, 2, false>,
        (4, false) => butterflies::<S, 4, false>,
        (4, true) => butterflies::<S, 4, true>,
        (8, false) => butterflies::<S, 8, false>,
        (8, true) => butterflies::<S, 8, true>,
        (16, false) => butterflies::<S, 16, false>,
        (16, true) => butterflies::<S, 16, true>,
        (_, false) => butterflies::<S, WIDEST, false>,
        (_, true) => butterflies::<S, WIDEST, true>,
    };
    butterflies(simd, rows, held);
}

/// The constants of arithmetic in a field, and the residues of neighbouring columns that it computes.
#[derive(Clone, Copy)]
struct Field<S: Simd> {
    simd: S,
    modulus: u32,
    inverse: u32,
    /// 1 as a factor.
    one: Factor,
}

impl<S: Simd> Field<S> {
    fn new(simd: S, field: PrimeField) -> Self {
        let (inverse, one) = (field.inverse_of_modulus(), field.factor(1));
        Self { simd, modulus: field.modulus(), inverse, one: [one, one.wrapping_mul(inverse)] }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn splat(self, number: u32) -> u32x8<S> {
        u32x8::splat(self.simd, number)
    }

    /// Words below 2q as residues: a word below q wraps to a number above it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn reduced(self, words: u32x8<S>) -> u32x8<S> {
        words.min(words - self.splat(self.modulus))
    }

    /// Products of any words and a factor, below 2q.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lazy_product(self, words: u32x8<S>, [factor, with_inverse]: Factor<u32x8<S>>) -> u32x8<S> {
        let modulus = self.splat(self.modulus);
        #[cfg(target_arch = "x86_64")]
        if let fearless_simd::Level::Avx2(level) = self.simd.level() {
            let (avx2, modulus_of_half) = (level.avx2, modulus.into());
            let even = [words.into(), factor.into(), with_inverse.into()];
            // A shift would cost a port of the products, and a splat is its own shuffle. No closures: what they call would not be inlined, as they have no vectors.
            let mut odd = even;
            for word in &mut odd {
                *word = avx2._mm256_shuffle_epi32::<0b1111_0101>(*word);
            }
            let mut halves = [even[0]; 2];
            for (half, [word, factor, with_inverse]) in halves.iter_mut().zip([even, odd]) {
                let multiple = avx2._mm256_mul_epu32(avx2._mm256_mul_epu32(word, with_inverse), modulus_of_half);
                // The lower words are equal.
                *half = avx2._mm256_sub_epi64(avx2._mm256_mul_epu32(word, factor), multiple);
            }
            let upper = avx2._mm256_shuffle_epi32::<0b1111_0101>(halves[0]);
            return u32x8::simd_from(self.simd, avx2._mm256_blend_epi32::<0b1010_1010>(upper, halves[1])) + modulus;
        }
        let mut words = words;
        for (i, word) in words.as_mut_slice().iter_mut().enumerate() {
            let upper = |a: u32, b: u32| ((u64::from(a) * u64::from(b)) >> 32) as u32;
            *word = upper(*word, factor[i]).wrapping_sub(upper(word.wrapping_mul(with_inverse[i]), self.modulus));
        }
        words + modulus
    }

    /// Products of any words and one factor, as residues.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn times(self, words: u32x8<S>, factor: Factor) -> u32x8<S> {
        self.reduced(self.lazy_product(words, [self.splat(factor[0]), self.splat(factor[1])]))
    }

    /// The product of two factors, as a factor.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn joined(self, a: Factor, b: Factor) -> Factor {
        let [product, multiple] = [u64::from(a[0]) * u64::from(b[0]), u64::from(a[0].wrapping_mul(b[1])) * u64::from(self.modulus)];
        let product = ((product >> 32) as u32).wrapping_sub((multiple >> 32) as u32);
        let product = product.min(product.wrapping_add(self.modulus));
        [product, product.wrapping_mul(self.inverse)]
    }
}

fn butterflies<S: Simd, const R: usize, const STRICT: bool>(simd: S, rows: &FourierRows<'_, u32>, held: &mut [u32]) {
    let field = Field::new(simd, rows.field.expect("residues have a field"));
    simd.vectorize(
        #[inline(always)]
        || {
            // Only the widest butterfly takes fewer taps, so that the loops of all others are unrolled.
            let n = if R < WIDEST { R } else { rows.taps.len() };
            let mut taps = [0; R];
            taps[..n].copy_from_slice(rows.taps);
            let (bound, of_last_tap) = rows.bound;
            // The rows that no product reduces behind the sums, and how.
            let has_products = rows.twiddles.is_some() && !rows.twiddles_first;
            let sums = if STRICT || R == 1 && !rows.roots.is_empty() { 1 } else { bound.sums };
            let n_reduced = match &rows.twiddles {
                _ if bound.after >= sums => 0,
                Some((TwiddleRows::Products(TwiddleProducts { are_joined: true, .. }), _)) if has_products => 0,
                Some((TwiddleRows::Products(TwiddleProducts { first_is_one, .. }) | TwiddleRows::Table { first_is_one, .. }, _))
                    if has_products =>
                {
                    usize::from(*first_is_one)
                }
                _ => n,
            };
            for index in rows.range.clone() {
                let (first, factors) = (rows.butterflies[index], of_butterfly::<S, R>(field, rows, index));
                for column in (0..rows.columns).step_by(8) {
                    let mut values = [field.splat(0); R];
                    for k in 0..n {
                        values[k] = u32x8::from_slice(simd, &held[first + taps[k] + column..][..8]);
                    }
                    if rows.twiddles_first {
                        with_factors(field, rows, &mut values, &factors, [index, column]);
                    }
                    match R {
                        1 if !rows.roots.is_empty() => values[0] = field.times(values[0], rows.roots[0]),
                        1 => {}
                        _ if n == R => by_halves::<S, R, STRICT>(field, &mut values, rows.roots, of_last_tap as u32),
                        _ => by_sums::<S, STRICT>(field, &mut values[..n], rows.roots),
                    }
                    for (j, value) in values.iter_mut().enumerate() {
                        if j < n_reduced {
                            *value = if sums == 2 { field.reduced(*value) } else { field.times(*value, field.one) };
                        }
                    }
                    if has_products {
                        with_factors(field, rows, &mut values, &factors, [index, column]);
                    }
                    for k in 0..n {
                        values[k].store_slice(&mut held[first + taps[k] + column..][..8]);
                    }
                }
            }
        },
    );
}

/// The Fourier transform of R values below a multiple of q, a power of two, decimated in frequency.
#[cfg_attr(not(debug_assertions), inline(always))]
fn by_halves<S: Simd, const R: usize, const STRICT: bool>(field: Field<S>, values: &mut [u32x8<S>; R], roots: &[Factor], bound: u32) {
    // A difference has a multiple of q that is not below what it loses.
    let (mut length, mut multiple) = (R, bound.wrapping_mul(field.modulus));
    while length > 1 {
        let half = length / 2;
        for i in 0..R / 2 {
            let (block, j) = (i / half * length, i % half);
            let [a, b] = [values[block + j], values[block + j + half]];
            let (sum, difference) = (a + b, a - b + field.splat(multiple));
            values[block + j] = if STRICT { field.reduced(sum) } else { sum };
            values[block + j + half] = match j {
                // A difference of residues that is below 0 wraps to a number above q.
                0 if STRICT => (a - b).min(difference),
                0 => difference,
                _ => field.times(difference, roots[j * (R / length)]),
            };
        }
        (length, multiple) = (half, if STRICT { multiple } else { multiple.wrapping_mul(2) });
    }
    let reversed = |k: usize| if R > 1 { k.reverse_bits() >> (usize::BITS - R.ilog2()) } else { 0 };
    for k in 0..R {
        if k < reversed(k) {
            values.swap(k, reversed(k));
        }
    }
}

/// The Fourier transform of any number of values by its definition.
#[cfg_attr(not(debug_assertions), inline(always))]
fn by_sums<S: Simd, const STRICT: bool>(field: Field<S>, values: &mut [u32x8<S>], roots: &[Factor]) {
    let n = values.len();
    let mut results = [field.splat(0); WIDEST];
    for (j, result) in results[..n].iter_mut().enumerate() {
        *result = values[0];
        for (k, value) in values.iter().enumerate().skip(1) {
            let sum = *result + field.times(*value, roots[j * k % n]);
            *result = if STRICT { field.reduced(sum) } else { sum };
        }
    }
    values.copy_from_slice(&results[..n]);
}

/// The factors of butterfly and tile for every result.
#[cfg_attr(not(debug_assertions), inline(always))]
fn of_butterfly<S: Simd, const R: usize>(field: Field<S>, rows: &FourierRows<'_, u32>, index: usize) -> [Factor; R] {
    let mut factors = [[0; 2]; R];
    let Some((TwiddleRows::Products(products), tile)) = &rows.twiddles else { return factors };
    let (group, run) = group_of(&products.groups, tile, index);
    for (j, of_result) in factors.iter_mut().enumerate().take(rows.taps.len()) {
        let at = (j * products.n_groups + group) * rows.butterflies.len() + index;
        let factor = [products.butterflies[0][at], products.butterflies[1][at]];
        *of_result = match tile.factors.get(run.unwrap_or(j)) {
            Some(of_tile) => field.joined(factor, *of_tile),
            None => factor,
        };
    }
    factors
}

/// The group of a butterfly, and its run of factors where groups have them.
fn group_of(groups: &[usize], tile: &TileTwiddles<u32>, index: usize) -> (usize, Option<usize>) {
    groups.get(index).map_or((0, None), |group| (group + tile.first, Some(group + tile.first)))
}

/// The values times their twiddles.
#[cfg_attr(not(debug_assertions), inline(always))]
fn with_factors<S: Simd, const R: usize>(
    field: Field<S>,
    rows: &FourierRows<'_, u32>,
    values: &mut [u32x8<S>; R],
    factors: &[Factor; R],
    [index, column]: [usize; 2],
) {
    let n = if R < WIDEST { R } else { rows.taps.len() };
    match &rows.twiddles {
        None => {}
        Some((TwiddleRows::Products(products), tile)) => {
            let (_, run) = group_of(&products.groups, tile, index);
            let [of_columns, with_inverse] = &products.columns;
            for j in 0..n {
                let has_factor = j > 0 || !products.first_is_one;
                if has_factor || products.are_joined {
                    let mut product = values[j];
                    if has_factor {
                        product = field.lazy_product(product, [field.splat(factors[j][0]), field.splat(factors[j][1])]);
                    }
                    if !of_columns.is_empty() {
                        let of_column = if products.are_joined { j * rows.butterflies.len() + index } else { run.unwrap_or(j) };
                        let at = of_column * rows.columns + column;
                        let factor = u32x8::from_slice(field.simd, &of_columns[at..at + 8]);
                        product = field.lazy_product(product, [factor, u32x8::from_slice(field.simd, &with_inverse[at..at + 8])]);
                    }
                    values[j] = field.reduced(product);
                }
            }
        }
        Some((TwiddleRows::Table { parts, n: n_twiddles, butterflies, columns, first_is_one }, tile)) => {
            for (j, value) in values.iter_mut().enumerate() {
                if j >= n || j == 0 && *first_is_one {
                    continue;
                }
                let first = j * n_twiddles + butterflies[index] + tile.first;
                let mut of_columns = [field.splat(parts[0][first]), field.splat(parts[1][first])];
                for (part, of_column) in parts.iter().zip(&mut of_columns) {
                    for (i, distance) in columns.iter().skip(column).take(8).enumerate() {
                        // Columns behind the last of the last tile have no twiddles.
                        of_column[i] = part[(first + distance).min(part.len() - 1)];
                    }
                }
                *value = field.reduced(field.lazy_product(*value, of_columns));
            }
        }
    }
}
