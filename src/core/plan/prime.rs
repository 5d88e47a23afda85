//! Prime fields with a root of unity: the ring of number-theoretic transforms.
//!
//! J. M. Pollard, The fast Fourier transform in a finite field (1971);
//! G. L. Miller 1976 and M. O. Rabin 1980, the test for primes, without chance below 2^64 for the bases that J. Sorenson, J. Webster (2015) found.

use super::Coef;

/// The integers modulo an odd prime q < 2^31, and a root of unity ω of a known order in them.
///
/// A plan of the Fourier transform is a plan over this field, too: its root exp(−2πi/N) is the power of ω that has order N.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PrimeField {
    modulus: u32,
    root: u32,
    order: u32,
}

/// Why there is no such field, or no such root in it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FieldError {
    /// A modulus that is even, below 3 or from 2^31 on.
    #[error("the modulus {modulus} is no odd number from 3 to 2^31 − 1")]
    Range {
        /// The modulus.
        modulus: u64,
    },
    /// A modulus with a divisor.
    #[error("the modulus {modulus} is no prime: it is {factor} × {}", modulus / factor)]
    Composite {
        /// The modulus.
        modulus: u64,
        /// Its smallest prime factor.
        factor: u64,
    },
    /// An order that does not divide q − 1.
    #[error("modulo {modulus} no root of unity has order {order}, as {order} does not divide {} = {}", modulus - 1, factored(u64::from(*modulus) - 1))]
    Order {
        /// The modulus.
        modulus: u32,
        /// The order that was asked for.
        order: u64,
    },
    /// A number whose powers do not have this order.
    #[error("modulo {modulus} the root {root} has order {has}, and not {order}: {instead} has that order")]
    Root {
        /// The modulus.
        modulus: u32,
        /// The number.
        root: u64,
        /// Its order.
        has: u64,
        /// The order that was asked for.
        order: u64,
        /// A root of that order.
        instead: u32,
    },
}

impl PrimeField {
    /// The field of 998244353 = 119·2^23 + 1 elements, with the root 1.
    pub const USUAL: Self = Self { modulus: 998_244_353, root: 1, order: 1 };

    /// The field of `modulus` elements with a root of unity of this order: the given one, or a power of the smallest generator.
    ///
    /// # Errors
    /// When the modulus is not an odd prime below 2^31, the order does not divide q − 1, or the given root has another order.
    pub fn new(modulus: u64, order: u64, root: Option<u64>) -> Result<Self, FieldError> {
        let small = u32::try_from(modulus).ok().filter(|&q| q % 2 == 1 && (3..1 << 31).contains(&q));
        let q = small.ok_or(FieldError::Range { modulus })?;
        if !is_prime(modulus) {
            return Err(FieldError::Composite { modulus, factor: factors(modulus)[0].0 });
        }
        if order == 0 || !(modulus - 1).is_multiple_of(order) {
            return Err(FieldError::Order { modulus: q, order });
        }
        let usual = power(generator(modulus), (modulus - 1) / order, modulus) as u32;
        let of = |root: u32| Self { modulus: q, root, order: order as u32 };
        match root {
            Some(root) if root % modulus == 0 || order_of(root % modulus, modulus) != order => {
                let has = if root % modulus == 0 { 0 } else { order_of(root % modulus, modulus) };
                Err(FieldError::Root { modulus: q, root, has, order, instead: usual })
            }
            Some(root) => Ok(of((root % modulus) as u32)),
            None => Ok(of(usual)),
        }
    }

    /// The prime q.
    pub fn modulus(self) -> u32 {
        self.modulus
    }

    /// The root of unity ω.
    pub fn root(self) -> u32 {
        self.root
    }

    /// The order of ω: the smallest power that is 1.
    pub fn order(self) -> u32 {
        self.order
    }

    /// The residue of an integer, from 0 to q − 1.
    pub fn reduced(self, value: i128) -> u32 {
        value.rem_euclid(self.modulus.into()) as u32
    }

    /// The residue from −(q − 1)/2 to (q − 1)/2.
    pub fn signed(self, residue: i64) -> i64 {
        if residue > i64::from(self.modulus / 2) { residue - i64::from(self.modulus) } else { residue }
    }

    /// The product of two residues.
    pub fn product(self, a: u32, b: u32) -> u32 {
        (u64::from(a) * u64::from(b) % u64::from(self.modulus)) as u32
    }

    /// A residue times 2^32: the factor of a product by P. L. Montgomery's method, which takes 2^32 away again.
    pub fn factor(self, residue: u32) -> u32 {
        self.reduced(i128::from(residue) << 32)
    }

    /// The inverse of the modulus modulo 2^32, for such products.
    pub fn inverse_of_modulus(self) -> u32 {
        // Each step doubles the number of correct bits, of which an odd number has three as its own inverse.
        (0..4).fold(self.modulus, |x, _| x.wrapping_mul(2_u32.wrapping_sub(self.modulus.wrapping_mul(x))))
    }

    /// A residue to a power.
    pub fn power(self, base: u32, mut exponent: u64) -> u32 {
        let (mut result, mut square) = (1, base);
        while exponent > 0 {
            if exponent % 2 == 1 {
                result = self.product(result, square);
            }
            square = self.product(square, square);
            exponent /= 2;
        }
        result
    }

    /// The inverse of a residue other than 0.
    pub fn inverse(self, residue: u32) -> u32 {
        self.power(residue, u64::from(self.modulus) - 2)
    }

    /// The element that a coefficient is: an integer, the reciprocal of one, or a power of ω.
    ///
    /// A root whose order does not divide that of ω is one of the field, as miniatures draw; 0 stands for what the field has not.
    pub fn element(self, coef: Coef) -> u32 {
        match coef {
            Coef::Root { numerator, denominator } => self.root_of(numerator, denominator),
            _ => match (coef.integer(), coef.divisor()) {
                (Some(integer), _) => self.reduced(integer.into()),
                (None, Some(divisor)) => self.inverse(self.reduced(divisor.into())),
                (None, None) => 0,
            },
        }
    }

    /// The power `numerator` of the root of order `denominator`. Twice an odd order is that of −ω.
    fn root_of(self, numerator: u64, denominator: u64) -> u32 {
        let order = u64::from(self.order);
        if order.is_multiple_of(denominator) {
            return self.power(self.root, numerator * (order / denominator) % order);
        }
        let half = denominator / 2;
        if denominator % 2 == 1 || half.is_multiple_of(2) || !order.is_multiple_of(half) {
            return Self::new(self.modulus.into(), denominator, None).map_or(0, |other| other.power(other.root, numerator));
        }
        // −1 to the power k, times ω to the power k·(half + 1)/2, has order 2·half.
        let value = self.root_of(numerator % half * half.div_ceil(2) % half, half);
        if numerator % 2 == 1 { self.reduced(-i128::from(value)) } else { value }
    }
}

/// Whether a number is prime.
pub fn is_prime(n: u64) -> bool {
    const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if n < 2 || BASES.iter().any(|&base| n != base && n.is_multiple_of(base)) {
        return false;
    }
    let (twos, odd) = ((n - 1).trailing_zeros(), (n - 1) >> (n - 1).trailing_zeros());
    let passes = |base: u64| {
        let first = power(base, odd, n);
        first <= 1 || std::iter::successors(Some(first), |x| Some(multiplied(*x, *x, n))).take(twos as usize).any(|x| x == n - 1)
    };
    BASES.iter().all(|&base| n == base || passes(base))
}

/// The prime factors of a number and their powers, in ascending order.
fn factors(mut n: u64) -> Vec<(u64, u32)> {
    let mut found = Vec::new();
    let mut factor = 2;
    while factor * factor <= n {
        let mut times = 0;
        while n.is_multiple_of(factor) {
            (n, times) = (n / factor, times + 1);
        }
        if times > 0 {
            found.push((factor, times));
        }
        factor += 1 + factor % 2;
    }
    if n > 1 {
        found.push((n, 1));
    }
    found
}

/// A number as a product of powers of primes: `2^12·3`.
pub fn factored(n: u64) -> String {
    let text = |(factor, times): (u64, u32)| if times == 1 { factor.to_string() } else { format!("{factor}^{times}") };
    factors(n).into_iter().map(text).collect::<Vec<_>>().join("·")
}

/// The smallest number whose powers are all residues except 0.
fn generator(q: u64) -> u64 {
    let factors = factors(q - 1);
    (2..q).find(|&g| factors.iter().all(|(factor, _)| power(g, (q - 1) / factor, q) != 1)).unwrap_or(1)
}

/// The smallest power of a residue that is 1.
fn order_of(residue: u64, q: u64) -> u64 {
    let mut order = q - 1;
    for (factor, times) in factors(q - 1) {
        for _ in 0..times {
            if power(residue, order / factor, q) == 1 {
                order /= factor;
            }
        }
    }
    order
}

fn multiplied(a: u64, b: u64, n: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(n)) as u64
}

fn power(base: u64, mut exponent: u64, n: u64) -> u64 {
    let (mut result, mut square) = (1 % n, base % n);
    while exponent > 0 {
        if exponent % 2 == 1 {
            result = multiplied(result, square, n);
        }
        square = multiplied(square, square, n);
        exponent /= 2;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Direction;

    #[test]
    fn primes_are_those_without_divisors() {
        let by_trial = |n: u64| n > 1 && (2..n).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d));
        assert!((0..5000).all(|n| is_prime(n) == by_trial(n)));
        for prime in [3329, 8_380_417, 12_289, 998_244_353, 2_013_265_921, (1 << 31) - 1, u64::MAX - 58] {
            assert!(is_prime(prime), "{prime}");
        }
        // Carmichael numbers, and products of two primes that pass the test for several bases.
        for composite in [561, 1_373_653, 3_215_031_751, 3_825_123_056_546_413_051, u64::MAX] {
            assert!(!is_prime(composite), "{composite}");
        }
        assert_eq!([12_288, 97, 1].map(factored), ["2^12·3", "97", ""]);
    }

    #[test]
    fn arithmetic_equals_that_of_wide_integers() {
        for q in [3_u64, 17, 3329, 8_380_417, 2_013_265_921, (1 << 31) - 1] {
            let field = PrimeField::new(q, 1, None).unwrap();
            for i in 0..200_u64 {
                let [a, b] =
                    [i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20, i.wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 17].map(|x| (x % q) as u32);
                assert_eq!(u128::from(field.product(a, b)), u128::from(a) * u128::from(b) % u128::from(q));
                assert!(a == 0 || field.product(a, field.inverse(a)) == 1);
                assert_eq!(field.reduced(-i128::from(a)), ((q - u64::from(a)) % q) as u32);
                let signed = field.signed(a.into());
                assert!(2 * signed.unsigned_abs() < q && field.reduced(signed.into()) == a);
            }
        }
    }

    #[test]
    fn roots_have_their_order() {
        for (q, order) in [(17, 16), (17, 1), (97, 96), (3329, 256), (12_289, 1024), (12_289, 3), (998_244_353, 1 << 23), (7, 3)] {
            let field = PrimeField::new(q, order, None).unwrap();
            let powers = |n: u64| field.power(field.root(), n);
            assert!(powers(order) == 1 && factors(order).iter().all(|(factor, _)| powers(order / factor) != 1), "{q} {order}");
            for numerator in 0..order.min(64) {
                assert_eq!(field.element(Coef::root(numerator, order, Direction::Forward)), powers(numerator));
                assert_eq!(field.product(field.element(Coef::root(numerator, order, Direction::Inverse)), powers(numerator)), 1);
            }
        }
        // The square root of a root of odd order is its negative: −ω has order 6.
        let field = PrimeField::new(7, 3, Some(2)).unwrap();
        let sixth = |k| field.element(Coef::Root { numerator: k, denominator: 6 });
        assert_eq!([0, 1, 2, 3, 4, 5].map(sixth), [1, 3, 2, 6, 4, 5]);
        assert_eq!(field.element(Coef::Real(0.25)), 2);
        assert_eq!([Coef::Real(0.3), Coef::Root { numerator: 1, denominator: 5 }].map(|coef| field.element(coef)), [0; 2]);
    }

    #[test]
    fn refusals_say_what_exists() {
        let refused = |q, order, root| PrimeField::new(q, order, root).unwrap_err().to_string();
        assert_eq!(refused(12_287, 8, None), "the modulus 12287 is no prime: it is 11 × 1117");
        assert_eq!(refused(2, 1, None), "the modulus 2 is no odd number from 3 to 2^31 − 1");
        assert_eq!(refused(1 << 31, 1, None), "the modulus 2147483648 is no odd number from 3 to 2^31 − 1");
        assert_eq!(refused(3329, 512, None), "modulo 3329 no root of unity has order 512, as 512 does not divide 3328 = 2^8·13");
        assert_eq!(refused(12_289, 1024, Some(3)), "modulo 12289 the root 3 has order 512, and not 1024: 10302 has that order");
        assert_eq!(PrimeField::new(12_289, 1024, Some(49)).map(PrimeField::root), Ok(49));
    }
}
