//! Polynomials with random coefficients, for number-theoretic transforms.

use super::MAX_SAMPLES;
use crate::choice::Named;
use crate::plan::PrimeField;
use crate::random::random_bits;
use crate::signal::{Samples, Signal};
use crate::transforms::Scheme;
use serde::{Deserialize, Serialize};

/// Residues from 0 to q − 1, all equally likely.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Polynomial {
    /// The scheme, whose modulus q and length are taken; without one, 998244353 and `length`.
    pub scheme: Scheme,
    /// Number of coefficients where the scheme takes any.
    pub length: usize,
    /// Seed of the random numbers.
    pub seed: u64,
}

impl Default for Polynomial {
    fn default() -> Self {
        Self { scheme: Scheme::MlKem, length: 256, seed: 1 }
    }
}

impl Polynomial {
    /// A polynomial of each published scheme.
    pub fn of_schemes() -> impl Iterator<Item = Self> {
        Scheme::ALL.iter().filter(|scheme| **scheme != Scheme::None).map(|&scheme| Self { scheme, ..Self::default() })
    }

    pub(super) fn signal(&self) -> Signal {
        let q = self.scheme.modulus().unwrap_or(PrimeField::USUAL.modulus().into());
        let length = self.scheme.length().unwrap_or(self.length).clamp(1, MAX_SAMPLES) as u64;
        let first = random_bits(self.seed);
        // The remainder of 64 bits favours no residue by more than 2^-33.
        let residue = |i: u64| (random_bits(first.wrapping_add(i)) % q) as i64;
        Signal::row("Polynomial", Samples::I64((0..length).map(residue).collect()))
    }
}
