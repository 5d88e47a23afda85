//! Exact convolutions of integers of any size, by number-theoretic transforms modulo as many primes as the results need.
//!
//! J. M. Pollard, The fast Fourier transform in a finite field (1971); H. L. Garner, The residue number system (1959), from residues to integers.

use super::EngineError;
use crate::cpu::{self, CpuBackend, Lane as _, Residue};
use crate::plan::{Direction, PrimeField, is_prime};
use crate::threads;
use crate::transforms::{Parameters, Scheme, Shape, Unsupported, transform};
use num_bigint::{BigInt, Sign};
use num_complex::Complex64;
use std::sync::atomic::AtomicBool;

crate::choice! {
    /// How products beyond the last value wrap.
    pub enum Wrapping {
        /// The result has as many values as both signals together, less one.
        #[default]
        Linear = "Linear", "linear";
        /// Modulo x^n − 1: they are added to the first values.
        Cyclic = "Cyclic", "cyclic";
        /// Modulo x^n + 1: they are subtracted from the first values.
        Negacyclic = "Negacyclic", "negacyclic";
    }
}

/// An exact convolution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExactConvolution {
    /// The results.
    pub values: Vec<BigInt>,
    /// The primes whose residues determine them.
    pub primes: Vec<u32>,
    /// The length of the transforms.
    pub length: usize,
}

impl ExactConvolution {
    /// Convolves two rows of integers; of a cyclic or negacyclic convolution, of the same length.
    ///
    /// # Errors
    /// When there are too few primes for a convolution of this length, or `cancel` is raised.
    pub fn of(f: &[BigInt], g: &[BigInt], wrapping: Wrapping, cancel: &AtomicBool) -> Result<Self, EngineError> {
        if f.is_empty() || g.is_empty() {
            return Ok(Self { values: Vec::new(), primes: Vec::new(), length: 0 });
        }
        let n = f.len() + g.len() - 1;
        let length = n.next_power_of_two();
        let bits = |values: &[BigInt]| values.iter().map(BigInt::bits).max().unwrap_or(0);
        // Both signs, and the sums of wrapped products.
        let needed = bits(f) + bits(g) + u64::from(n.ilog2()) + 3;
        let primes = primes(length, needed)?;
        let residues = primes.iter().map(|&q| product_modulo(q, [f, g], length, cancel)).collect::<Result<Vec<_>, _>>()?;
        let mut values = joined(&primes, &residues, n);
        if wrapping != Wrapping::Linear {
            let behind = values.split_off(f.len().min(n));
            for (value, wrapped) in values.iter_mut().zip(behind) {
                if wrapping == Wrapping::Cyclic { *value += wrapped } else { *value -= wrapped }
            }
        }
        Ok(Self { values, primes, length })
    }

    /// How many results a Fourier transform in double precision gets wrong, and by how much at most.
    ///
    /// # Errors
    /// When `cancel` is raised.
    pub fn float_error(&self, f: &[BigInt], g: &[BigInt], wrapping: Wrapping, cancel: &AtomicBool) -> Result<(usize, f64), EngineError> {
        let run = |direction, input: &[Complex64]| {
            let plan = transform("dft")?.plan(Shape::line(self.length), Parameters { direction, ..Parameters::default() })?;
            Ok::<_, EngineError>(cpu::run(&plan, &cpu::fast_schedule(&plan), input, CpuBackend::Parallel, cancel)?.0)
        };
        let padded = |values: &[BigInt]| {
            let mut lanes: Vec<Complex64> = values.iter().map(|value| nearest(value).into()).collect();
            lanes.resize(self.length, Complex64::default());
            lanes
        };
        let [first, second] = [run(Direction::Forward, &padded(f))?, run(Direction::Forward, &padded(g))?];
        let products: Vec<Complex64> = first.iter().zip(&second).map(|(a, b)| a * b).collect();
        let linear = run(Direction::Inverse, &products)?;
        let sign = if wrapping == Wrapping::Negacyclic { -1.0 } else { 1.0 };
        let behind =
            |k: usize| if wrapping == Wrapping::Linear { 0.0 } else { linear.get(k + f.len()).map_or(0.0, |value| sign * value.re) };
        let error = |(k, value): (usize, &BigInt)| {
            let found: Option<BigInt> = format!("{:.0}", (linear[k].re + behind(k)).round()).parse().ok();
            found.map_or(f64::INFINITY, |found| nearest(&(found - value)).abs())
        };
        let errors = self.values.iter().enumerate().map(error);
        Ok(errors.fold((0, 0.0), |(n, most), error| (n + usize::from(error > 0.0), f64::max(most, error))))
    }
}

/// The product of two polynomials in the ring of a scheme, by its layers and base multiplication, and a few words on how.
///
/// # Errors
/// When the scheme has polynomials of another length, or `cancel` is raised.
pub fn product_in(scheme: Scheme, f: &[BigInt], g: &[BigInt], cancel: &AtomicBool) -> Result<(Vec<BigInt>, String), EngineError> {
    let plan = transform("negacyclic-convolution")?.plan(Shape::line(f.len()), Parameters { scheme, ..Parameters::default() })?;
    let field = plan.ring.field().unwrap_or(PrimeField::USUAL);
    let q = field.modulus();
    let lanes: Vec<Residue> = f.iter().chain(g).map(|value| Residue::of(field, remainder(value, q))).collect();
    let (lanes, _) = cpu::run(&plan, &cpu::fast_schedule(&plan), &lanes, CpuBackend::Parallel, cancel)?;
    let how = format!("modulo {q} and x^{} + 1, with the root {} of order {}", f.len(), field.root(), field.order());
    Ok((lanes.into_iter().map(|residue| BigInt::from(i64::from(residue))).collect(), how))
}

/// The nearest number in double precision; infinite beyond its range.
fn nearest(value: &BigInt) -> f64 {
    value.to_string().parse().unwrap_or(f64::INFINITY)
}

/// The largest primes below 2^31 with roots of unity of order `length`, whose product has more than `bits` bits.
fn primes(length: usize, bits: u64) -> Result<Vec<u32>, EngineError> {
    let (mut primes, mut found) = (Vec::new(), 0.0);
    let candidates = (1..(1_u64 << 31) / length as u64).rev().map(|k| k * length as u64 + 1);
    for prime in candidates.filter(|&q| q > 2 && is_prime(q)) {
        if found > bits as f64 {
            break;
        }
        found += (prime as f64).log2();
        primes.push(prime as u32);
    }
    if found > bits as f64 { Ok(primes) } else { Err(EngineError::TooFewPrimes { length, bits }) }
}

/// The residues of the product of two polynomials, by transforms of `length` values.
fn product_modulo(q: u32, factors: [&[BigInt]; 2], length: usize, cancel: &AtomicBool) -> Result<Vec<u32>, EngineError> {
    let plan = |direction| {
        let parameters = Parameters { direction, modulus: Some(q as usize), ..Parameters::default() };
        transform("ntt")?.plan(Shape::line(length), parameters)
    };
    let (forward, back) = (plan(Direction::Forward)?, plan(Direction::Inverse)?);
    let field = PrimeField::new(q.into(), 1, None).map_err(Unsupported::Field)?;
    let spectrum = |values: &[BigInt]| {
        let mut lanes = threads::convert(&values.iter().collect::<Vec<_>>(), |value| Residue::of(field, remainder(value, q)));
        lanes.resize(length, Residue::of(field, 0));
        cpu::run(&forward, &cpu::fast_schedule(&forward), &lanes, CpuBackend::Parallel, cancel)
    };
    let [(first, _), (second, _)] = [spectrum(factors[0])?, spectrum(factors[1])?];
    let products: Vec<Residue> = first.iter().zip(&second).map(|(a, b)| a.product(*b)).collect();
    let (lanes, _) = cpu::run(&back, &cpu::fast_schedule(&back), &products, CpuBackend::Parallel, cancel)?;
    Ok(lanes.into_iter().map(|residue| i64::from(residue) as u32).collect())
}

/// An integer modulo q; of a negative one, the negative remainder.
fn remainder(value: &BigInt, q: u32) -> i64 {
    let size = value.iter_u32_digits().rev().fold(0, |rest: u64, digit| ((rest << 32) | u64::from(digit)) % u64::from(q)) as i64;
    if value.sign() == Sign::Minus { -size } else { size }
}

/// The integers nearest to 0 with these residues, `residues[prime][value]`, digit after digit of mixed radix.
fn joined(primes: &[u32], residues: &[Vec<u32>], n: usize) -> Vec<BigInt> {
    let fields: Vec<PrimeField> = primes.iter().filter_map(|&q| PrimeField::new(q.into(), 1, None).ok()).collect();
    // The inverse of the product of all earlier primes, modulo each prime.
    let product_of = |field: PrimeField, first: &[u32]| first.iter().fold(1, |product, &q| field.product(product, field.reduced(q.into())));
    let inverses: Vec<u32> = fields.iter().enumerate().map(|(i, &field)| field.inverse(product_of(field, &primes[..i]))).collect();
    let product: BigInt = primes.iter().map(|&q| BigInt::from(q)).product();
    let half = &product / 2;
    let value = |k: usize| {
        let mut digits: Vec<u32> = Vec::with_capacity(primes.len());
        for (i, &field) in fields.iter().enumerate() {
            // The digits so far modulo this prime, by Horner's rule.
            let known = digits.iter().zip(primes).rev().fold(0, |sum: u32, (&digit, &q)| {
                field.reduced(i128::from(field.product(sum, field.reduced(q.into()))) + i128::from(digit))
            });
            let rest = field.reduced(i128::from(residues[i][k]) - i128::from(known));
            digits.push(field.product(rest, inverses[i]));
        }
        let whole = digits.iter().zip(primes).rev().fold(BigInt::ZERO, |sum, (&digit, &q)| sum * q + digit);
        if whole > half { whole - &product } else { whole }
    };
    threads::map(n, &value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_definition(f: &[BigInt], g: &[BigInt], wrapping: Wrapping) -> Vec<BigInt> {
        let n = if wrapping == Wrapping::Linear { f.len() + g.len() - 1 } else { f.len() };
        let mut sums = vec![BigInt::ZERO; n];
        for (i, j) in (0..f.len()).flat_map(|i| (0..g.len()).map(move |j| (i, j))) {
            let product = &f[i] * &g[j];
            let is_negative = wrapping == Wrapping::Negacyclic && i + j >= n;
            sums[(i + j) % n] += if is_negative { -product } else { product };
        }
        sums
    }

    #[test]
    fn results_of_any_size_are_exact() {
        let go = AtomicBool::new(false);
        let noise = |n: usize, digits: usize, seed: u64| -> Vec<BigInt> {
            let mut state = seed;
            let mut digit = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) as u32
            };
            let sign = |odd: bool| if odd { Sign::Minus } else { Sign::Plus };
            (0..n).map(|i| BigInt::from_slice(sign(i % 3 == 1), &(0..digits).map(|_| digit()).collect::<Vec<_>>())).collect()
        };
        for (n, m, digits) in [(1, 1, 1), (7, 5, 1), (16, 16, 2), (33, 8, 11), (100, 100, 4)] {
            let (f, g) = (noise(n, digits, 5), noise(m, digits, 9));
            let found = ExactConvolution::of(&f, &g, Wrapping::Linear, &go).expect("there are primes enough");
            assert_eq!(found.values, by_definition(&f, &g, Wrapping::Linear), "{n} and {m} values");
            for wrapping in [Wrapping::Cyclic, Wrapping::Negacyclic] {
                let g = noise(n, digits, 9);
                let found = ExactConvolution::of(&f, &g, wrapping, &go).expect("there are primes enough");
                assert_eq!(found.values, by_definition(&f, &g, wrapping), "{n} values, {}", wrapping.name());
            }
        }
    }

    #[test]
    fn floats_are_right_for_small_integers_and_wrong_for_large_ones() {
        let go = AtomicBool::new(false);
        let error = |size: i64| {
            let values: Vec<BigInt> = (0..64_i64).map(|i| BigInt::from((i * i * 31 + 7 * i) % 97 * size + i)).collect();
            let exact = ExactConvolution::of(&values, &values, Wrapping::Cyclic, &go).expect("there are primes enough");
            exact.float_error(&values, &values, Wrapping::Cyclic, &go).expect("nobody cancels")
        };
        assert_eq!(error(1), (0, 0.0));
        assert!(error(1 << 40).1 > 1e6);
    }
}
