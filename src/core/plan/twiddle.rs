//! Twiddles: the factors of the results of butterflies, roots of unity or entries of a table.

use super::{Direction, reverse_bits};
use num_complex::Complex64;
use std::sync::{Arc, OnceLock};

/// The factors of the results of a butterfly.
#[derive(Debug, Clone, PartialEq)]
pub enum Twiddle {
    /// Result j of position p in group q gets ω to the power `(j·row[0] + p·row[1] + row[2])·(p·column[0] + q·column[1] + column[2])`, ω = exp(∓2πi/modulus).
    ///
    /// This form covers decimation in frequency and in time, constant geometry, Stockham, the four-step diagonal, the chirp and the shift of the cosine transform.
    Root {
        /// The order of the root.
        modulus: usize,
        /// Factors of j and p, and the constant.
        row: [usize; 3],
        /// Factors of p and q, and the constant.
        column: [usize; 3],
        /// Sign of the angle.
        direction: Direction,
        /// The number of bits of q that are reversed first; 0 for none.
        reversed: u32,
    },
    /// One factor for each result of a repetition of the outer loop; all repetitions share the table.
    Table(Arc<TwiddleTable>),
}

impl Twiddle {
    /// The exponent of the root modulo its order; 0 for a table.
    #[inline]
    pub fn exponent(&self, p: usize, q: usize, j: usize) -> usize {
        match *self {
            Self::Root { modulus, row, column, reversed, .. } => {
                let q = reverse_bits(q, reversed);
                (j * row[0] + p * row[1] + row[2]) * (p * column[0] + q * column[1] + column[2]) % modulus
            }
            Self::Table(_) => 0,
        }
    }

    /// The order of the root and the sign of its angle; `None` for a table.
    pub fn root(&self) -> Option<(usize, Direction)> {
        match *self {
            Self::Root { modulus, direction, .. } => Some((modulus, direction)),
            Self::Table(_) => None,
        }
    }

    /// The table; `None` for a root.
    pub fn table(&self) -> Option<&TwiddleTable> {
        match self {
            Self::Root { .. } => None,
            Self::Table(table) => Some(table),
        }
    }
}

/// Computes the factors of a table from its parameters.
pub type TwiddleRule = fn(&[usize]) -> Vec<Complex64>;

/// A table of factors, computed at first use: drawing or comparing a plan does not need them.
#[derive(Clone)]
pub struct TwiddleTable {
    name: &'static str,
    parameters: Vec<usize>,
    n: usize,
    rule: TwiddleRule,
    factors: OnceLock<Vec<Complex64>>,
}

impl TwiddleTable {
    /// The table of `n` factors that `rule` computes from `parameters`. The name identifies the rule.
    pub fn new(name: &'static str, parameters: &[usize], n: usize, rule: TwiddleRule) -> Self {
        Self { name, parameters: parameters.to_vec(), n, rule, factors: OnceLock::new() }
    }

    /// Number of factors.
    pub fn n(&self) -> usize {
        self.n
    }

    /// The factors in double precision.
    ///
    /// # Panics
    /// When the rule does not compute `n` factors.
    pub fn factors(&self) -> &[Complex64] {
        let factors = self.factors.get_or_init(|| (self.rule)(&self.parameters));
        assert_eq!(factors.len(), self.n, "the table '{}' has another length", self.name);
        factors
    }
}

impl PartialEq for TwiddleTable {
    /// The same rule with the same parameters computes the same factors.
    fn eq(&self, other: &Self) -> bool {
        (self.name, &self.parameters, self.n) == (other.name, &other.parameters, other.n)
    }
}

impl std::fmt::Debug for TwiddleTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} factors of {}{:?}", self.n, self.name, self.parameters)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_their_rules() {
        let rule: TwiddleRule = |parameters| (0..parameters[0]).map(|i| Complex64::from((i * parameters[1]) as f64)).collect();
        let table = TwiddleTable::new("multiples", &[3, 5], 3, rule);
        assert_eq!(table.factors(), [0.0, 5.0, 10.0].map(Complex64::from));
        assert_eq!(table, TwiddleTable::new("multiples", &[3, 5], 3, rule));
        assert_ne!(table, TwiddleTable::new("multiples", &[3, 7], 3, rule));
        assert_eq!(format!("{table:?}"), "3 factors of multiples[3, 5]");
    }
}
