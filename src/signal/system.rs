//! Tridiagonal systems of equations: read from a signal, and how well a solution satisfies them.

use super::{Channel, Kind, Samples, Signal, View};
use crate::remedy::{Remedies, Remedy};
use rayon::prelude::*;

/// A tridiagonal system: row i, (a, b, c, d), says a·x\[i−1\] + b·x\[i\] + c·x\[i+1\] = d.
#[derive(Debug, Clone, PartialEq)]
pub struct System {
    /// File name or description, for titles.
    pub name: String,
    /// The rows (a, b, c, d), at least one, of finite numbers; the first a and the last c are zero.
    pub rows: Vec<[f64; 4]>,
}

/// Why a signal is no system.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SystemError {
    /// Another number of columns, or complex numbers.
    #[error("{name} is no tridiagonal system: it has {has}, and N rows of four real numbers a, b, c, d are needed")]
    Shape {
        /// Name of the signal.
        name: String,
        /// What it has.
        has: String,
    },
    /// Right-hand sides of another number, or complex ones.
    #[error("{name} holds no right-hand sides: it has {has}, and one line or column of {needed} real numbers is needed")]
    Right {
        /// Name of the signal.
        name: String,
        /// What it has.
        has: String,
        /// How many equations there are.
        needed: usize,
    },
    /// An infinite number, or what is none.
    #[error("{name}: {column} of row {row} is {value}, and a system needs finite numbers")]
    NotFinite {
        /// Name of the signal.
        name: String,
        /// a, b, c or d.
        column: char,
        /// Which row, counted from 1.
        row: usize,
        /// What stands there.
        value: String,
    },
}

impl Remedies for SystemError {
    fn remedies(&self) -> Vec<Remedy> {
        match self {
            Self::Shape { .. } => vec![Remedy::RightSide],
            Self::Right { .. } | Self::NotFinite { .. } => Vec::new(),
        }
    }
}

/// How well a solution satisfies its equations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Residual {
    /// The largest |a·x\[i−1\] + b·x\[i\] + c·x\[i+1\] − d|.
    pub largest: f64,
    /// The largest of the same over |a·x\[i−1\]| + |b·x\[i\]| + |c·x\[i+1\]| + |d|: by how much coefficients would have to be changed, relatively, for the solution to be exact (W. Oettli, W. Prager 1964).
    pub relative: f64,
}

impl System {
    /// The system of that name; what multiplies unknowns past the ends is taken as zero.
    ///
    /// # Errors
    /// When a number that counts is not finite, or there are no rows.
    pub fn new(name: impl Into<String>, mut rows: Vec<[f64; 4]>) -> Result<Self, SystemError> {
        let name = name.into();
        if rows.is_empty() {
            return Err(SystemError::Shape { name, has: "no rows".into() });
        }
        let last = rows.len() - 1;
        (rows[0][0], rows[last][2]) = (0.0, 0.0);
        let wrong = rows.par_iter().position_first(|row| row.iter().any(|value| !value.is_finite()));
        if let Some((index, column)) = wrong.and_then(|index| Some((index, rows[index].iter().position(|value| !value.is_finite())?))) {
            let value = rows[index][column].to_string();
            return Err(SystemError::NotFinite { name, column: ['a', 'b', 'c', 'd'][column], row: index + 1, value });
        }
        Ok(Self { name, rows })
    }

    /// Whether a signal has the shape of a system: rows of four real numbers.
    pub fn may_be_in(signal: &Signal) -> bool {
        signal.columns == 4 && !signal.is_complex()
    }

    /// The system in the rows of a signal with four columns.
    ///
    /// # Errors
    /// When the signal has another shape, complex numbers, or numbers that are not finite.
    pub fn of(signal: &Signal) -> Result<Self, SystemError> {
        let shape = |has: String| SystemError::Shape { name: signal.name.clone(), has };
        if signal.is_complex() {
            return Err(shape("complex numbers".into()));
        }
        if signal.columns != 4 {
            return Err(shape(format!("{} × {} values", signal.rows, signal.columns)));
        }
        let values = signal.plane64(View::Luma).map_err(|error| shape(error.to_string()))?;
        Self::new(signal.name.clone(), values.as_chunks().0.to_vec())
    }

    /// The system of a signal with the columns a, b and c, or d too, and of another one with what stands in place of d.
    ///
    /// # Errors
    /// When a signal has another shape, complex numbers, or numbers that are not finite.
    pub fn with_right(signal: &Signal, right: &Signal) -> Result<Self, SystemError> {
        let values = |signal: &Signal| (!signal.is_complex()).then(|| signal.plane64(View::Luma).ok()).flatten();
        let has = |signal: &Signal| {
            if signal.is_complex() { "complex numbers".into() } else { format!("{} × {} values", signal.rows, signal.columns) }
        };
        let coefficients = values(signal).filter(|_| matches!(signal.columns, 3 | 4));
        let coefficients = coefficients.ok_or_else(|| SystemError::Shape { name: signal.name.clone(), has: has(signal) })?;
        let is_line = right.rows.min(right.columns) == 1 && right.rows.max(right.columns) == signal.rows;
        let sides = values(right).filter(|_| is_line);
        let sides = sides.ok_or_else(|| SystemError::Right { name: right.name.clone(), has: has(right), needed: signal.rows })?;
        let rows = coefficients.chunks_exact(signal.columns).zip(sides).map(|(row, d)| [row[0], row[1], row[2], d]);
        Self::new(signal.name.clone(), rows.collect())
    }

    /// The signal that [`System::of`] reads.
    pub fn signal(&self) -> Signal {
        let channel = Channel::new("value", Samples::F64(self.rows.as_flattened().to_vec()));
        Signal::from_channels(self.name.clone(), Kind::Lines, (self.rows.len(), 4), vec![channel])
    }

    /// How well `x` satisfies the equations; not a number where `x` holds such, infinite where it holds infinities.
    ///
    /// # Panics
    /// When `x` has not one value for every row.
    pub fn residual(&self, x: &[f64]) -> Residual {
        assert_eq!(x.len(), self.rows.len(), "a solution has one value for every equation");
        let at = |i: Option<usize>| i.and_then(|i| x.get(i)).copied().unwrap_or(0.0);
        let of_row = |(i, [a, b, c, d]): (usize, &[f64; 4])| {
            let terms = [a * at(i.checked_sub(1)), b * x[i], c * at(Some(i + 1)), -d];
            let (sum, size) = terms.iter().fold((0.0, 0.0), |(sum, size), term| (sum + term, size + term.abs()));
            Residual { largest: sum.abs(), relative: if sum == 0.0 { 0.0 } else { sum.abs() / size } }
        };
        // Unlike f64::max this keeps what is not a number.
        let larger = |a: f64, b: f64| if a >= b || a.is_nan() { a } else { b };
        let zero = || Residual { largest: 0.0, relative: 0.0 };
        self.rows
            .par_iter()
            .enumerate()
            .map(of_row)
            .reduce(zero, |a, b| Residual { largest: larger(a.largest, b.largest), relative: larger(a.relative, b.relative) })
    }
}
