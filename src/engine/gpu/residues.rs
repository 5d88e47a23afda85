//! Residues in words of 32 bits, as kernels hold and multiply them.

use crate::plan::{Coef, PrimeField};
use serde::Serialize;

/// The constants of the products of P. L. Montgomery, Modular multiplication without trial division (1985), for `shaders/residues.wgsl`.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Residues {
    modulus: u32,
    /// The inverse of the modulus modulo 2^32.
    inverse: u32,
    /// Its negative, where products of 64 bits are added.
    negated: u32,
    /// 2^64 modulo q: a factor that takes 2^-32 away again, twice.
    square: u32,
}

impl Residues {
    pub(super) fn of(field: PrimeField) -> Self {
        let inverse = field.inverse_of_modulus();
        Self { modulus: field.modulus(), inverse, negated: inverse.wrapping_neg(), square: field.reduced(1 << 64) }
    }
}

/// A coefficient as a factor of such a product: its element times 2^32 modulo q.
pub(super) fn factor(field: PrimeField, coef: Coef) -> u32 {
    field.factor(field.element(coef))
}

/// The text of the product of two lanes.
pub(super) fn product(field: PrimeField, a: &str, b: &str) -> String {
    format!("multiplied(multiplied({a}, {b}), {}u)", Residues::of(field).square)
}

/// A coefficient as such a factor in two numbers that single precision holds: its upper and its lower 16 bits.
pub(super) fn factor_in_parts(field: PrimeField, coef: Coef) -> [f64; 2] {
    let word = factor(field, coef);
    [word >> 16, word & 0xffff].map(f64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_need_no_division() {
        for q in [3, 3329, 8_380_417, 2_013_265_921, (1 << 31) - 1] {
            let field = PrimeField::new(q, 1, None).expect("a prime");
            let Residues { modulus, inverse, negated, square } = Residues::of(field);
            let multiplied = |a: u32, b: u32| {
                let product = u64::from(a) * u64::from(b);
                let upper = (u64::from((product as u32).wrapping_mul(inverse)) * u64::from(modulus)) >> 32;
                let difference = ((product >> 32) as u32).wrapping_sub(upper as u32);
                let residue = difference.min(difference.wrapping_add(modulus));
                // The same by a sum of products, as devices with words of 64 bits compute it.
                let sum = ((product + u64::from((product as u32).wrapping_mul(negated)) * u64::from(modulus)) >> 32) as u32;
                assert_eq!(sum.min(sum.wrapping_sub(modulus)), residue);
                residue
            };
            for i in 0..300_u64 {
                let [a, b] = [i * 0x9e37_79b9, i * 0xbf58_476d + 5].map(|x| (x % q) as u32);
                let right = field.product(a, b);
                assert_eq!(multiplied(a, factor(field, Coef::Real(b.into()))), right, "{a}·{b} modulo {q}");
                assert_eq!(multiplied(multiplied(a, b), square), right, "{a}·{b} modulo {q}");
                let word = u32::MAX - a;
                let reduced = field.product(field.reduced(word.into()), b);
                assert_eq!(multiplied(word, factor(field, Coef::Real(b.into()))), reduced, "the word {word} times {b} modulo {q}");
            }
        }
    }
}
