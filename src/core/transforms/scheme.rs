//! Named number-theoretic transforms: the moduli, lengths and roots of published schemes.

use crate::plan::{FieldError, PrimeField};

crate::choice! {
    /// A published scheme whose modulus, root, length and order of results are taken.
    pub enum Scheme {
        /// The modulus and the root that are given, or 998244353.
        #[default]
        None = "None", "none";
        /// FIPS 203: modulo 3329 and x^256 + 1, in seven layers that leave pairs; ζ = 17.
        MlKem = "ML-KEM", "ml-kem";
        /// FIPS 204: modulo 8380417 and x^256 + 1, in eight layers; ζ = 1753.
        MlDsa = "ML-DSA", "ml-dsa";
        /// Falcon: modulo 12289 and x^512 + 1; ψ = 49.
        Falcon512 = "Falcon-512", "falcon-512";
        /// Falcon: modulo 12289 and x^1024 + 1; ψ = 7.
        Falcon1024 = "Falcon-1024", "falcon-1024";
        /// Modulo 2013265921 = 15·2^27 + 1, of zero-knowledge proofs; any length, roots are powers of 31.
        BabyBear = "BabyBear", "babybear";
        /// Modulo 998244353 = 119·2^23 + 1, of exact convolutions; any length, roots are powers of 3.
        P998244353 = "998244353", "998244353";
    }
}

/// The ring of polynomials in which a scheme computes: modulo x^`length` + 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ideal {
    /// Coefficients of a polynomial.
    pub(super) length: usize,
    /// Layers of butterflies.
    pub(super) layers: u32,
    /// The root of unity, of order 2^(layers + 1).
    pub(super) root: u64,
}

impl Scheme {
    /// The modulus; `None` without a scheme.
    pub fn modulus(self) -> Option<u64> {
        Some(match self {
            Self::None => return None,
            Self::MlKem => 3329,
            Self::MlDsa => 8_380_417,
            Self::Falcon512 | Self::Falcon1024 => 12_289,
            Self::BabyBear => 2_013_265_921,
            Self::P998244353 => 998_244_353,
        })
    }

    /// The ring of polynomials; `None` where any length is taken.
    pub(super) fn ideal(self) -> Option<Ideal> {
        let (length, layers, root) = match self {
            Self::MlKem => (256, 7, 17),
            Self::MlDsa => (256, 8, 1753),
            Self::Falcon512 => (512, 9, 49),
            Self::Falcon1024 => (1024, 10, 7),
            Self::None | Self::BabyBear | Self::P998244353 => return None,
        };
        Some(Ideal { length, layers, root })
    }

    /// The number of coefficients that the scheme transforms; `None` where any length is taken.
    pub fn length(self) -> Option<usize> {
        self.ideal().map(|ideal| ideal.length)
    }
}

/// The field of a transform with a root of this order.
pub(super) fn field(modulus: Option<usize>, scheme: Scheme, order: u64, root: Option<usize>) -> Result<PrimeField, FieldError> {
    let of_scheme = scheme.ideal().filter(|ideal| order == 2 << ideal.layers).map(|ideal| ideal.root);
    let modulus = modulus.map(|q| q as u64).or(scheme.modulus()).unwrap_or(PrimeField::USUAL.modulus().into());
    PrimeField::new(modulus, order, root.map(|root| root as u64).or(of_scheme))
}
