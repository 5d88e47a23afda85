//! What multiplies the results of butterflies: roots of unity by a rule, or the numbers of a table.

use super::Direction;
use num_complex::Complex64;
use std::sync::{Arc, OnceLock};

/// What multiplies the results of a butterfly, one after the other.
#[derive(Debug, Clone, PartialEq)]
pub enum Twiddle {
    /// A root of unity, for result j of position p in group q: ω to the power `(j·row[0] + p·row[1] + row[2])·(p·column[0] + q·column[1] + column[2])`, ω = exp(∓2πi/modulus).
    ///
    /// One product of two affine forms covers decimation in frequency and in time, constant geometry, Stockham, the four-step diagonal, the chirp and the quarter-sample shift of the cosine transform.
    Root {
        /// The order of the root.
        modulus: usize,
        /// Factors of j and p, and the constant.
        row: [usize; 3],
        /// Factors of p and q, and the constant.
        column: [usize; 3],
        /// Sign of the angle.
        direction: Direction,
    },
    /// Numbers without a short name, one a position that results go to, counted inside one turn of the outer loop: every turn takes the same.
    Table(Arc<TwiddleTable>),
}

impl Twiddle {
    /// The power of the root, reduced modulo its order; 0 for a table, which has none.
    #[inline]
    pub fn exponent(&self, p: usize, q: usize, j: usize) -> usize {
        match *self {
            Self::Root { modulus, row, column, .. } => {
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

/// Makes the numbers of a table from its parameters.
pub type TwiddleRule = fn(&[usize]) -> Vec<Complex64>;

/// The numbers of a table, which a rule makes when they are first asked for: a plan that is only looked at, or compared with another, does not pay for them.
#[derive(Clone)]
pub struct TwiddleTable {
    name: &'static str,
    parameters: Vec<usize>,
    n: usize,
    rule: TwiddleRule,
    factors: OnceLock<Vec<Complex64>>,
}

impl TwiddleTable {
    /// The table of `n` numbers that `rule` makes of `parameters`; the name stands for the rule, and no two rules share one.
    pub fn new(name: &'static str, parameters: &[usize], n: usize, rule: TwiddleRule) -> Self {
        Self { name, parameters: parameters.to_vec(), n, rule, factors: OnceLock::new() }
    }

    /// How many numbers there are.
    pub fn n(&self) -> usize {
        self.n
    }

    /// The numbers, in double precision.
    ///
    /// # Panics
    /// When the rule makes another number of them than it was said to.
    pub fn factors(&self) -> &[Complex64] {
        let factors = self.factors.get_or_init(|| (self.rule)(&self.parameters));
        assert_eq!(factors.len(), self.n, "the table '{}' has another length", self.name);
        factors
    }
}

impl PartialEq for TwiddleTable {
    /// The same rule with the same parameters makes the same numbers.
    fn eq(&self, other: &Self) -> bool {
        (self.name, &self.parameters, self.n) == (other.name, &other.parameters, other.n)
    }
}

impl std::fmt::Debug for TwiddleTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} numbers of {}{:?}", self.n, self.name, self.parameters)
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
        assert_eq!(format!("{table:?}"), "3 numbers of multiples[3, 5]");
    }
}
