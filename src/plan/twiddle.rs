//! What multiplies the results of butterflies: roots of unity by a rule, or the numbers of a table.

use super::Direction;
use num_complex::Complex64;
use std::sync::Arc;

/// What multiplies the results of a butterfly, one after the other.
#[derive(Debug, Clone, PartialEq)]
pub enum Twiddle {
    /// A root of unity, for result j of position p in group q: ω to the power `(j·row[0] + p·row[1])·(p·column[0] + q·column[1])`, ω = exp(∓2πi/modulus).
    ///
    /// One bilinear form covers decimation in frequency and in time, constant geometry, Stockham, the four-step diagonal and the chirp.
    Root {
        /// The order of the root.
        modulus: usize,
        /// Factors of j and p.
        row: [usize; 2],
        /// Factors of p and q.
        column: [usize; 2],
        /// Sign of the angle.
        direction: Direction,
    },
    /// Numbers without a short name, one a lane that results go to, counted inside one turn of the outer loop: every turn takes the same.
    Table(Arc<[Complex64]>),
}

impl Twiddle {
    /// The power of the root, reduced modulo its order; 0 for a table, which has none.
    #[inline]
    pub fn exponent(&self, p: usize, q: usize, j: usize) -> usize {
        match *self {
            Self::Root { modulus, row, column, .. } => (j * row[0] + p * row[1]) * (p * column[0] + q * column[1]) % modulus,
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

    /// The numbers of a table; `None` for a root.
    pub fn table(&self) -> Option<&[Complex64]> {
        match self {
            Self::Root { .. } => None,
            Self::Table(numbers) => Some(numbers),
        }
    }
}
