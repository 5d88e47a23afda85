//! Fourier butterflies of residues: radix 2 in registers for powers of two, sums for all other numbers of taps.
//!
//! P. L. Montgomery, Modular multiplication without trial division (1985): a factor w stands as w·2^32, so that a product needs no division.

use super::rows::WIDEST;
use crate::cpu::fourier_rows::{FourierRows, TileTwiddles, TwiddleRows};
use crate::plan::PrimeField;
use fearless_simd::Simd;

/// Residues of neighbouring columns.
type Columns = [u32; 8];

/// Computes the butterflies.
///
/// # Panics
/// If the rows have no field.
pub(crate) fn residues<S: Simd>(simd: S, rows: &FourierRows<'_, u32>, held: &mut [u32]) {
    let butterflies = match rows.taps.len() {
        1 => butterflies::<S, 1>,
        2 => butterflies::<S, 2>,
        4 => butterflies::<S, 4>,
        8 => butterflies::<S, 8>,
        16 => butterflies::<S, 16>,
        _ => butterflies::<S, WIDEST>,
    };
    butterflies(simd, Modulus::of(rows.field.expect("residues have a field")), rows, held);
}

/// The constants of arithmetic in a field.
#[derive(Clone, Copy)]
struct Modulus {
    modulus: u32,
    inverse: u32,
}

impl Modulus {
    fn of(field: PrimeField) -> Self {
        Self { modulus: field.modulus(), inverse: field.inverse_of_modulus() }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn plus(self, a: Columns, b: Columns) -> Columns {
        let mut sums = [0; 8];
        for i in 0..8 {
            // A sum below q wraps to a number above it.
            let sum = a[i].wrapping_add(b[i]);
            sums[i] = sum.min(sum.wrapping_sub(self.modulus));
        }
        sums
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn minus(self, a: Columns, b: Columns) -> Columns {
        let mut differences = [0; 8];
        for i in 0..8 {
            let difference = a[i].wrapping_sub(b[i]);
            differences[i] = difference.min(difference.wrapping_add(self.modulus));
        }
        differences
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn times(self, a: Columns, factors: Columns) -> Columns {
        let mut products = [0; 8];
        for i in 0..8 {
            products[i] = self.product(a[i], factors[i]);
        }
        products
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn product(self, a: u32, factor: u32) -> u32 {
        let product = u64::from(a) * u64::from(factor);
        let multiple = u64::from((product as u32).wrapping_mul(self.inverse)) * u64::from(self.modulus);
        let difference = ((product >> 32) as u32).wrapping_sub((multiple >> 32) as u32);
        difference.min(difference.wrapping_add(self.modulus))
    }
}

fn butterflies<S: Simd, const R: usize>(simd: S, field: Modulus, rows: &FourierRows<'_, u32>, held: &mut [u32]) {
    simd.vectorize(
        #[inline(always)]
        || {
            let n = rows.taps.len().min(R);
            for index in rows.range.clone() {
                let (first, factors) = (rows.butterflies[index], of_butterfly::<R>(field, rows, index));
                for column in (0..rows.columns).step_by(8) {
                    let mut values = [[0; 8]; R];
                    for (value, tap) in values.iter_mut().zip(rows.taps) {
                        value.copy_from_slice(&held[first + tap + column..][..8]);
                    }
                    if rows.twiddles_first {
                        with_factors(field, rows, &mut values, &factors, [index, column]);
                    }
                    match R {
                        1 if !rows.roots.is_empty() => values[0] = field.times(values[0], [rows.roots[0][0]; 8]),
                        _ if n == R => by_halves(field, &mut values, rows.roots),
                        _ => by_sums(field, &mut values[..n], rows.roots),
                    }
                    if !rows.twiddles_first {
                        with_factors(field, rows, &mut values, &factors, [index, column]);
                    }
                    for (value, tap) in values.iter().zip(rows.taps) {
                        held[first + tap + column..][..8].copy_from_slice(value);
                    }
                }
            }
        },
    );
}

/// The Fourier transform of R values, a power of two, decimated in frequency.
#[cfg_attr(not(debug_assertions), inline(always))]
fn by_halves<const R: usize>(field: Modulus, values: &mut [Columns; R], roots: &[[u32; 2]]) {
    let mut length = R;
    while length > 1 {
        let half = length / 2;
        for i in 0..R / 2 {
            let (block, j) = (i / half * length, i % half);
            let [a, b] = [values[block + j], values[block + j + half]];
            values[block + j] = field.plus(a, b);
            let difference = field.minus(a, b);
            values[block + j + half] = if j == 0 { difference } else { field.times(difference, [roots[j * (R / length)][0]; 8]) };
        }
        length = half;
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
fn by_sums(field: Modulus, values: &mut [Columns], roots: &[[u32; 2]]) {
    let n = values.len();
    let mut results = [[0; 8]; WIDEST];
    for (j, result) in results[..n].iter_mut().enumerate() {
        *result = values[0];
        for (k, value) in values.iter().enumerate().skip(1) {
            *result = field.plus(*result, field.times(*value, [roots[j * k % n][0]; 8]));
        }
    }
    values.copy_from_slice(&results[..n]);
}

/// The factors of butterfly and tile for every result.
#[cfg_attr(not(debug_assertions), inline(always))]
fn of_butterfly<const R: usize>(field: Modulus, rows: &FourierRows<'_, u32>, index: usize) -> [u32; R] {
    let mut factors = [0; R];
    let Some((TwiddleRows::Products(products), tile)) = &rows.twiddles else { return factors };
    let (group, run) = group_of(&products.groups, tile, index);
    for (j, of_result) in factors.iter_mut().enumerate().take(rows.taps.len()) {
        let factor = products.butterflies[0][(j * products.n_groups + group) * rows.butterflies.len() + index];
        *of_result = tile.factors.get(run.unwrap_or(j)).map_or(factor, |of_tile| field.product(of_tile[0], factor));
    }
    factors
}

/// The group of a butterfly, and its run of factors where groups have them.
fn group_of(groups: &[usize], tile: &TileTwiddles<u32>, index: usize) -> (usize, Option<usize>) {
    groups.get(index).map_or((0, None), |group| (group + tile.first, Some(group + tile.first)))
}

/// The values times their twiddles.
#[cfg_attr(not(debug_assertions), inline(always))]
fn with_factors<const R: usize>(
    field: Modulus,
    rows: &FourierRows<'_, u32>,
    values: &mut [Columns; R],
    factors: &[u32; R],
    [index, column]: [usize; 2],
) {
    match &rows.twiddles {
        None => {}
        Some((TwiddleRows::Products(products), tile)) => {
            let (_, run) = group_of(&products.groups, tile, index);
            let of_columns = &products.columns[0];
            for j in 0..R {
                // A loop of fixed length is unrolled.
                if j < rows.taps.len() && (j > 0 || !products.first_is_one) {
                    values[j] = field.times(values[j], [factors[j]; 8]);
                    if !of_columns.is_empty() {
                        let mut of_column = [0; 8];
                        of_column.copy_from_slice(&of_columns[run.unwrap_or(j) * rows.columns + column..][..8]);
                        values[j] = field.times(values[j], of_column);
                    }
                }
            }
        }
        Some((TwiddleRows::Table { parts: [table, _], n, butterflies, columns }, tile)) => {
            for (j, value) in values.iter_mut().enumerate().take(rows.taps.len()) {
                let first = j * n + butterflies[index] + tile.first;
                let mut of_column = [table[first]; 8];
                for (factor, distance) in of_column.iter_mut().zip(columns.iter().skip(column)) {
                    // Columns behind the last of the last tile have no twiddles.
                    *factor = table[(first + distance).min(table.len() - 1)];
                }
                *value = field.times(*value, of_column);
            }
        }
    }
}
