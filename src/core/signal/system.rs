//! Tridiagonal systems of equations: reading them from a signal, and the residual of a solution.

use super::{Channel, ChannelChoice, Samples, Signal, SignalKind};
use crate::remedy::{Remedies, Remedy};
use crate::threads;

/// A tridiagonal system. Row i, (a, b, c, d), is the equation a·x\[i−1\] + b·x\[i\] + c·x\[i+1\] = d.
#[derive(Debug, Clone, PartialEq)]
pub struct System {
    /// File name or description, for titles.
    pub name: String,
    /// The rows (a, b, c, d): at least one, all numbers finite, the first a and the last c zero.
    pub rows: Vec<[f64; 4]>,
    /// The values in the places of the first a and the last c. In a cyclic system they multiply the last unknown and the first one.
    pub corners: [f64; 2],
}

/// The reason why a signal is not a system.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SystemError {
    /// A panic on the way, which is a mistake of the program.
    #[error("the program failed at this system ({fault}): please report it")]
    Fault {
        /// The message of the panic.
        fault: String,
    },
    /// The signal has another number of columns, or complex numbers.
    #[error("{name} is no tridiagonal system: it has {has}, and N rows of four real numbers a, b, c, d are needed")]
    Shape {
        /// Name of the signal.
        name: String,
        /// The numbers that it has.
        has: String,
    },
    /// The right-hand side has another length, or complex numbers.
    #[error("{name} holds no right-hand side: it has {has}, and one row or column of {needed} real numbers is needed")]
    Right {
        /// Name of the signal.
        name: String,
        /// The numbers that it has.
        has: String,
        /// Number of equations.
        needed: usize,
    },
    /// Too few equations for neighbours across the ends.
    #[error("{name} has {n} equations, and a cyclic system has three or more")]
    Short {
        /// Name of the signal.
        name: String,
        /// Number of equations.
        n: usize,
    },
    /// A number is infinite or NaN.
    #[error("{name}: {column} of row {row} is {value}, and a system needs finite numbers")]
    NotFinite {
        /// Name of the signal.
        name: String,
        /// a, b, c or d.
        column: char,
        /// The row, counted from 1.
        row: usize,
        /// The number, as text.
        value: String,
    },
}

impl Remedies for SystemError {
    fn remedies(&self) -> Vec<Remedy> {
        match self {
            Self::Shape { .. } => vec![Remedy::RightSide],
            Self::Fault { .. } | Self::Right { .. } | Self::Short { .. } | Self::NotFinite { .. } => Vec::new(),
        }
    }
}

/// The residual of a solution: how well it satisfies its equations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Residual {
    /// The largest |a·x\[i−1\] + b·x\[i\] + c·x\[i+1\] − d|.
    pub largest: f64,
    /// The largest quotient of the same and |a·x\[i−1\]| + |b·x\[i\]| + |c·x\[i+1\]| + |d|: the relative change of the coefficients that makes the solution exact (W. Oettli, W. Prager 1964).
    pub relative: f64,
}

impl System {
    /// The system of that name. Coefficients of unknowns past the ends are set to zero.
    ///
    /// # Errors
    /// When any other number is not finite, or the system has no rows.
    pub fn new(name: impl Into<String>, mut rows: Vec<[f64; 4]>) -> Result<Self, SystemError> {
        let name = name.into();
        if rows.is_empty() {
            return Err(SystemError::Shape { name, has: "no rows".into() });
        }
        let last = rows.len() - 1;
        let corners = [rows[0][0], rows[last][2]].map(|corner| if corner.is_finite() { corner } else { 0.0 });
        (rows[0][0], rows[last][2]) = (0.0, 0.0);
        let is_finite = |row: &[f64; 4]| row.iter().all(|value| value.is_finite());
        let wrong = if threads::all(&rows, is_finite) { None } else { rows.iter().position(|row| !is_finite(row)) };
        if let Some((index, column)) = wrong.and_then(|index| Some((index, rows[index].iter().position(|value| !value.is_finite())?))) {
            let value = rows[index][column].to_string();
            return Err(SystemError::NotFinite { name, column: ['a', 'b', 'c', 'd'][column], row: index + 1, value });
        }
        Ok(Self { name, rows, corners })
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
        let values = signal.samples_f64(ChannelChoice::Luma).map_err(|error| shape(error.to_string()))?;
        Self::new(signal.name.clone(), values.as_chunks().0.to_vec())
    }

    /// The system of a signal with the columns a, b and c, perhaps d, and of a second signal that replaces d.
    ///
    /// # Errors
    /// When a signal has another shape, complex numbers, or numbers that are not finite.
    pub fn with_right(signal: &Signal, right: &Signal) -> Result<Self, SystemError> {
        let values = |signal: &Signal| (!signal.is_complex()).then(|| signal.samples_f64(ChannelChoice::Luma).ok()).flatten();
        let has = |signal: &Signal| {
            if signal.is_complex() { "complex numbers".into() } else { format!("{} × {} values", signal.rows, signal.columns) }
        };
        let coefficients = values(signal).filter(|_| matches!(signal.columns, 3 | 4));
        let coefficients = coefficients.ok_or_else(|| SystemError::Shape { name: signal.name.clone(), has: has(signal) })?;
        let is_vector = right.rows.min(right.columns) == 1 && right.rows.max(right.columns) == signal.rows;
        let sides = values(right).filter(|_| is_vector);
        let sides = sides.ok_or_else(|| SystemError::Right { name: right.name.clone(), has: has(right), needed: signal.rows })?;
        let rows = coefficients.chunks_exact(signal.columns).zip(sides).map(|(row, d)| [row[0], row[1], row[2], d]);
        Self::new(signal.name.clone(), rows.collect())
    }

    /// The signal that [`System::of`] reads.
    pub fn signal(&self) -> Signal {
        let mut values = self.rows.as_flattened().to_vec();
        let last_c = values.len() - 2;
        (values[0], values[last_c]) = (self.corners[0], self.corners[1]);
        let channel = Channel::new("value", Samples::F64(values));
        Signal::from_channels(self.name.clone(), SignalKind::Rows, (self.rows.len(), 4), vec![channel])
    }

    /// How well `x` satisfies the equations. The residual is NaN where `x` has NaN, and infinite where it has infinities.
    ///
    /// # Panics
    /// When `x` does not have one value for every row.
    pub fn residual(&self, x: &[f64]) -> Residual {
        let of_row = |i: usize| {
            let (sum, size) = self.lack(i, x);
            let largest = (sum / self.enlargement(i)).abs();
            Residual { largest, relative: if sum == 0.0 { 0.0 } else { sum.abs() / size } }
        };
        // Unlike `f64::max`, this keeps NaN.
        let larger = |a: f64, b: f64| if a >= b || a.is_nan() { a } else { b };
        let zero = || Residual { largest: 0.0, relative: 0.0 };
        assert_eq!(x.len(), self.rows.len(), "a solution has one value for every equation");
        let join = |a: Residual, b: Residual| Residual { largest: larger(a.largest, b.largest), relative: larger(a.relative, b.relative) };
        threads::map_blocks(x.len(), &|block| block.map(of_row).fold(zero(), join)).into_iter().fold(zero(), join)
    }

    /// The residual of equation `i`: a·x\[i−1\] + b·x\[i\] + c·x\[i+1\] − d.
    pub fn residual_of(&self, i: usize, x: &[f64]) -> f64 {
        self.lack(i, x).0 / self.enlargement(i)
    }

    /// The residual of the enlarged equation `i`, and the sum of the magnitudes of its terms.
    fn lack(&self, i: usize, x: &[f64]) -> (f64, f64) {
        let [a, b, c, d] = self.rows[i].map(|value| value * self.enlargement(i));
        let at = |i: Option<usize>| i.and_then(|i| x.get(i)).copied().unwrap_or(0.0);
        let terms = [a * at(i.checked_sub(1)), b * x[i], c * at(Some(i + 1)), -d];
        terms.iter().fold((0.0, 0.0), |(sum, size), term| (sum + term, size + term.abs()))
    }

    /// A power of two that equation `i` is multiplied by, so that products of tiny numbers keep their digits.
    fn enlargement(&self, i: usize) -> f64 {
        const TINY: f64 = 1e-240;
        const ENLARGEMENT: f64 = (1_u128 << 127) as f64;
        if self.rows[i].iter().all(|value| value.abs() < TINY) { ENLARGEMENT * ENLARGEMENT } else { 1.0 }
    }
}
