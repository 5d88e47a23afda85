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

    /// The values of all parts of a column, integers only where all are; true where integers are rounded by it.
    pub(crate) fn joined(mut parts: Vec<Self>) -> Result<(Self, bool), Cause> {
        // A single part need not be copied.
        if parts.len() == 1 {
            return Ok((parts.swap_remove(0), false));
        }
        let n = parts.iter().map(Self::len).sum();
        if parts.iter().all(|part| matches!(part, Self::Integer(_))) {
            let mut all = Vec::new();
            memory::reserve(&mut all, n)?;
            for part in parts {
                if let Self::Integer(part) = part {
                    all.extend(part);
                }
            }
            return Ok((Self::Integer(all), false));
        }
        let (mut all, mut is_rounded) = (Vec::new(), false);
        memory::reserve(&mut all, n)?;
        for part in parts {
            is_rounded |= part.is_rounded_to_reals();
            all.extend(part.into_reals());
        }
        Ok((Self::Real(all), is_rounded))
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
