//! The rings: what a lane holds, and what + and × mean there.

use super::{Coef, Stage, Twiddle};
use num_complex::Complex64;

/// What a lane holds, and what + and × mean there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ring {
    /// Real numbers.
    Real,
    /// Complex numbers.
    Complex,
    /// Integers, exact; they never wrap, because [`crate::plan::Plan::bound`] is asked before a run.
    Integer(IntegerWidth),
    /// The field of two elements: + is exclusive or, × is and.
    Gf2,
    /// Equations of a tridiagonal system, four real numbers each; no ring, but a [`super::ReducedEquation`] is what a lane holds.
    Equation,
}

/// How wide an integer lane is where a plan runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IntegerWidth {
    /// 32 bits.
    Bits32,
    /// 64 bits.
    Bits64,
}

/// How real and complex numbers are held where a plan runs: significands of 24 or of 53 bits.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize, strum::EnumString, strum::VariantNames,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Precision {
    /// 4 bytes a real number.
    #[default]
    Single,
    /// 8 bytes a real number.
    Double,
}

impl Precision {
    /// Bytes of one lane.
    pub fn bytes_per_lane(self, ring: Ring) -> usize {
        self.widening(ring) * ring.bytes_per_lane()
    }

    /// How many times as wide as in single precision a lane is; exact lanes stay as they are.
    pub fn widening(self, ring: Ring) -> usize {
        if self == Self::Double && !ring.is_exact() { 2 } else { 1 }
    }

    /// The name in sentences and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Single => "single",
            Self::Double => "double",
        }
    }
}

impl Ring {
    /// The smallest ring that holds the coefficients of the stages: the integers, or the real or complex numbers.
    pub fn of(stages: &[Stage]) -> Self {
        let mut ring = Self::Integer(IntegerWidth::Bits64);
        for stage in stages {
            let turns = stage.twiddle.as_ref().is_some_and(|twiddle| !matches!(twiddle, Twiddle::Root { modulus: ..=2, .. }));
            let coefs = &stage.matrix().coefs;
            if turns || coefs.iter().any(|coef| matches!(coef, Coef::Root { .. } | Coef::Complex { .. })) {
                return Self::Complex;
            }
            if coefs.iter().any(|coef| coef.integer().is_none()) {
                ring = Self::Real;
            }
        }
        ring
    }

    /// Bytes of one lane, in single precision where there is a choice.
    pub fn bytes_per_lane(self) -> usize {
        match self {
            Self::Real | Self::Integer(IntegerWidth::Bits32) | Self::Gf2 => 4,
            Self::Complex | Self::Integer(IntegerWidth::Bits64) => 8,
            Self::Equation => 16,
        }
    }

    /// The name in files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Real => "real",
            Self::Complex => "complex",
            Self::Integer(_) => "integer",
            Self::Gf2 => "gf2",
            Self::Equation => "row",
        }
    }

    /// Whether every lane holds an integer.
    pub fn is_exact(self) -> bool {
        matches!(self, Self::Integer(_) | Self::Gf2)
    }

    /// The element that a sum stands for: its remainder modulo 2 over GF(2), itself elsewhere.
    pub fn reduced(self, value: Complex64) -> Complex64 {
        match self {
            Self::Gf2 => value.re.rem_euclid(2.0).into(),
            _ => value,
        }
    }
}
