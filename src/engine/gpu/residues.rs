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

/// The text of a value times a coefficient, with the quotient that V. Shoup's NTL precomputes: it takes fewer instructions than a product of any two residues.
pub(super) fn times_constant(field: PrimeField, value: &str, coef: Coef) -> String {
    let [factor, quotient] = constant(field, coef);
    format!("times_constant({value}, {factor}u, {quotient}u)")
}

/// The element of a coefficient, and the whole part of that times 2^32 divided by q.
fn constant(field: PrimeField, coef: Coef) -> [u32; 2] {
    let factor = field.element(coef);
    [factor, ((u64::from(factor) << 32) / u64::from(field.modulus())) as u32]
}

/// A coefficient as a factor of a product of Montgomery: its element times 2^32 modulo q.
fn factor(field: PrimeField, coef: Coef) -> u32 {
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
                let by_constant = |a: u32, b: u32| {
                    let [factor, quotient] = constant(field, Coef::Real(b.into()));
                    let upper = ((u64::from(a) * u64::from(quotient)) >> 32) as u32;
                    let rest = a.wrapping_mul(factor).wrapping_sub(upper.wrapping_mul(modulus));
                    rest.min(rest.wrapping_sub(modulus))
                };
                assert_eq!(by_constant(a, b), right, "{a}·{b} modulo {q}");
                for product in [multiplied(word, factor(field, Coef::Real(b.into()))), by_constant(word, b)] {
                    assert_eq!(product, reduced, "the word {word} times {b} modulo {q}");
                }
            }
        }
    }
}
