//! The numbers of a column: integers until the first fraction.

use crate::signal::{Cause, Samples, memory};

/// Numbers of one column, or of all where rows are signals: integers until the first fraction.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Values {
    Integer(Vec<i64>),
    Real(Vec<f64>),
}

impl Default for Values {
    fn default() -> Self {
        Self::Integer(Vec::new())
    }
}

impl Values {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Integer(v) => v.len(),
            Self::Real(v) => v.len(),
        }
    }

    /// Memory for more values.
    pub(crate) fn reserve(&mut self, n: usize) -> Result<(), Cause> {
        match self {
            Self::Integer(v) => memory::reserve(v, n),
            Self::Real(v) => memory::reserve(v, n),
        }
    }

    pub(crate) fn at(&self, index: usize) -> f64 {
        match self {
            Self::Integer(v) => v[index] as f64,
            Self::Real(v) => v[index],
        }
    }

    /// All numbers in double precision.
    pub(crate) fn into_reals(self) -> Vec<f64> {
        match self {
            Self::Integer(v) => reals(v),
            Self::Real(v) => v,
        }
    }

    /// Whether the values are integers that double precision rounds.
    pub(crate) fn is_rounded_to_reals(&self) -> bool {
        matches!(self, Self::Integer(v) if v.iter().any(|&integer| is_rounded(integer.into())))
    }

    /// Turns integers into reals; true where some are rounded.
    pub(crate) fn widen(&mut self) -> bool {
        let is_rounded = self.is_rounded_to_reals();
        if let Self::Integer(v) = self {
            *self = Self::Real(reals(std::mem::take(v)));
        }
        is_rounded
    }

    /// Appends a missing value; true where integers are rounded by it.
    pub(crate) fn push_missing(&mut self) -> bool {
        self.push_real(f64::NAN)
    }

    /// Appends a real number; true where integers are rounded by it.
    pub(crate) fn push_real(&mut self, number: f64) -> bool {
        let is_rounded = self.widen();
        if let Self::Real(v) = self {
            v.push(number);
        }
        is_rounded
    }

    /// Appends the values of the next part of the same column; true where integers are rounded by it.
    pub(crate) fn append(&mut self, next: Self) -> Result<bool, Cause> {
        let mut is_rounded = false;
        if let (Self::Integer(all), Self::Integer(next)) = (&mut *self, &next) {
            memory::reserve(all, next.len())?;
            all.extend(next);
            return Ok(false);
        }
        is_rounded |= self.widen();
        is_rounded |= next.is_rounded_to_reals();
        if let Self::Real(all) = self {
            memory::reserve(all, next.len())?;
            all.extend(next.into_reals());
        }
        Ok(is_rounded)
    }

    pub(crate) fn samples(self) -> Samples {
        match self {
            Self::Integer(v) => Samples::I64(v),
            Self::Real(v) => Samples::F64(v),
        }
    }

    /// The values at these rows.
    pub(crate) fn picked(&self, rows: &[u32]) -> Result<Self, Cause> {
        Ok(match self {
            Self::Integer(v) => Self::Integer(memory::collected(rows.len(), rows.iter().map(|&row| v[row as usize]))?),
            Self::Real(v) => Self::Real(memory::collected(rows.len(), rows.iter().map(|&row| v[row as usize]))?),
        })
    }
}

/// Integers as reals, in the memory of the integers.
fn reals(integers: Vec<i64>) -> Vec<f64> {
    integers.into_iter().map(|integer| integer as f64).collect()
}

/// Whether double precision keeps fewer digits than an integer has.
pub(crate) fn is_rounded(integer: i128) -> bool {
    integer as f64 as i128 != integer
}
