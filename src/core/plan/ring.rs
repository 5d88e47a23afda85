//! The rings of plans: the values of a lane and their arithmetic.

use super::{Coef, PrimeField, Stage, Twiddle};
use num_complex::Complex64;

/// The values of a lane and the meaning of + and ×.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ring {
    /// Real numbers.
    Real,
    /// Complex numbers.
    Complex,
    /// Exact integers. They never wrap, because [`super::Plan::bound`] is checked before a run.
    Integer(IntegerWidth),
    /// The field of two elements: + is XOR, × is AND.
    Gf2,
    /// The integers modulo an odd prime q, from 0 to q − 1; roots of unity are powers of a residue.
    Prime(PrimeField),
    /// Equations of a tridiagonal system, not a ring: each lane holds a [`super::ReducedEquation`].
    Equation,
}

/// The width of an integer lane on a backend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IntegerWidth {
    /// 32 bits.
    Bits32,
    /// 64 bits.
    Bits64,
}

crate::choice! {
    /// The precision of real and complex numbers on a backend.
    #[serde(rename_all = "lowercase")]
    pub enum Precision {
        /// Real numbers of 32 bits, 7 digits.
        #[default]
        Single = "Single", "single";
        /// Real numbers of 64 bits, 16 digits: twice the bytes, and far slower on many GPUs.
        Double = "Double", "double";
    }
}

impl Precision {
    /// Bytes per lane.
    pub fn bytes_per_lane(self, ring: Ring) -> usize {
        self.widening(ring) * ring.bytes_per_lane()
    }

    /// 2 for inexact lanes in double precision, otherwise 1.
    pub fn widening(self, ring: Ring) -> usize {
        if self == Self::Double && !ring.is_exact() { 2 } else { 1 }
    }
}

impl Ring {
    /// The smallest ring that holds the coefficients of the stages: integers, real or complex numbers.
    pub fn of(stages: &[Stage]) -> Self {
        let mut ring = Self::Integer(IntegerWidth::Bits64);
        for stage in stages {
            let has_complex_twiddle = stage.twiddle.as_ref().is_some_and(|twiddle| !matches!(twiddle, Twiddle::Root { modulus: ..=2, .. }));
            if has_complex_twiddle || stage.operation.coefs().any(|coef| matches!(coef, Coef::Root { .. } | Coef::Complex { .. })) {
                return Self::Complex;
            }
            if stage.operation.coefs().any(|coef| coef.integer().is_none()) {
                ring = Self::Real;
            }
        }
        ring
    }

    /// Bytes per lane in single precision.
    pub fn bytes_per_lane(self) -> usize {
        match self {
            Self::Real | Self::Integer(IntegerWidth::Bits32) | Self::Gf2 | Self::Prime(_) => 4,
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
            Self::Prime(_) => "prime",
            Self::Equation => "row",
        }
    }

    /// The type of a lane in kernels.
    pub fn lane_type(self, precision: Precision) -> &'static str {
        match (self, precision) {
            (Self::Real, Precision::Single) => "f32",
            (Self::Real, Precision::Double) => "f64",
            (Self::Complex, Precision::Single) => "complex f32",
            (Self::Complex, Precision::Double) => "complex f64",
            (Self::Integer(IntegerWidth::Bits32), _) => "i32",
            (Self::Integer(IntegerWidth::Bits64), _) => "i64",
            (Self::Gf2, _) => "u32 modulo 2",
            (Self::Prime(_), _) => "u32 modulo q",
            (Self::Equation, Precision::Single) => "4 × f32",
            (Self::Equation, Precision::Double) => "4 × f64",
        }
    }

    /// Whether every lane holds an integer.
    pub fn is_exact(self) -> bool {
        matches!(self, Self::Integer(_) | Self::Gf2 | Self::Prime(_))
    }

    /// The value modulo 2 over GF(2) or modulo q over a prime field, the value itself in other rings.
    pub fn reduced(self, value: Complex64) -> Complex64 {
        match self {
            Self::Gf2 => value.re.rem_euclid(2.0).into(),
            Self::Prime(field) => value.re.rem_euclid(field.modulus().into()).into(),
            _ => value,
        }
    }

    /// The element that a coefficient is: a residue over a prime field, the number itself in other rings.
    pub fn element(self, coef: Coef) -> Complex64 {
        match self {
            Self::Prime(field) => f64::from(field.element(coef)).into(),
            _ => coef.value(),
        }
    }

    /// The product of two elements.
    pub fn product(self, a: Complex64, b: Complex64) -> Complex64 {
        match self {
            // Residues are exact in double precision, their products are not.
            Self::Prime(field) if a.is_finite() && b.is_finite() => {
                let [a, b] = [a, b].map(|value| field.reduced(value.re as i128));
                f64::from(field.product(a, b)).into()
            }
            _ => self.reduced(a * b),
        }
    }

    /// The number that residues are taken modulo, if the lanes are residues.
    pub fn modulus(self) -> Option<u32> {
        self.field().map(PrimeField::modulus)
    }

    /// Whether lanes are exact numbers or bits, and no residues.
    pub fn is_exact_without_modulus(self) -> bool {
        self.is_exact() && self.field().is_none()
    }

    /// The prime field of the lanes, if they are residues.
    pub fn field(self) -> Option<PrimeField> {
        if let Self::Prime(field) = self { Some(field) } else { None }
    }
}
