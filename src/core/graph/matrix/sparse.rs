//! A matrix as the list of its entries other than zero.

use crate::plan::{Coef, Direction, Ring};
use num_complex::Complex64;
use std::collections::BTreeMap;
use std::f64::consts::TAU;

/// Two weights are equal within this, relative to the larger one.
const TOLERANCE: f64 = 1e-13;

/// An entry other than zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MatrixEntry {
    /// Its row.
    pub row: usize,
    /// Its column.
    pub column: usize,
    /// Its value, exact where it is known so.
    pub weight: Coef,
}

/// A matrix of `rows` × `columns`; the entries are sorted by row and then by column, and no two share a place.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SparseMatrix {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// The entries other than zero.
    pub entries: Vec<MatrixEntry>,
}

impl SparseMatrix {
    /// The matrix of these entries; those that share a place are added.
    pub fn summed(rows: usize, columns: usize, entries: impl IntoIterator<Item = MatrixEntry>, ring: Ring) -> Self {
        let mut sums: BTreeMap<(usize, usize), Coef> = BTreeMap::new();
        for MatrixEntry { row, column, weight } in entries {
            let sum = |old: &mut Coef| *old = Coef::of(old.value() + weight.value());
            sums.entry((row, column)).and_modify(sum).or_insert(weight);
        }
        let reduced = |weight: Coef| if ring == Ring::Gf2 { Coef::of(ring.reduced(weight.value())) } else { weight };
        let entries = sums.into_iter().map(|((row, column), weight)| MatrixEntry { row, column, weight: reduced(weight) });
        Self { rows, columns, entries: entries.filter(|entry| entry.weight != Coef::Real(0.0)).collect() }
    }

    /// The matrix of these rows; what is not finite is left out.
    pub fn of_rows(rows: &[Vec<Complex64>], columns: usize) -> Self {
        let mut entries = Vec::new();
        for (row, values) in rows.iter().enumerate() {
            for (column, value) in values.iter().enumerate() {
                if value.is_finite() && *value != Complex64::default() {
                    entries.push(MatrixEntry { row, column, weight: Coef::of(*value) });
                }
            }
        }
        Self { rows: rows.len(), columns, entries }
    }

    /// The same matrix without the rounding of sums: half integers, and roots of unity up to the order `most`, are exact.
    pub fn tidied(self, most: usize) -> Self {
        let weight = |weight: Coef| {
            let Complex64 { re, im } = weight.value();
            Coef::of(Complex64::new(tidy(re), tidy(im)))
        };
        let mut tidied = self.map(weight);
        tidied.entries.retain(|entry| entry.weight != Coef::Real(0.0));
        tidied.with_roots(most)
    }

    /// The same matrix with roots of unity as such, if every entry is 1, −1 or a power of the root of an order up to `most`.
    fn with_roots(self, most: usize) -> Self {
        let root = |weight: Coef| {
            let value = weight.value();
            let turns = (-value.arg() / TAU).rem_euclid(1.0);
            let of = |order: usize| Coef::root((turns * order as f64).round() as u64, order as u64, Direction::Forward);
            let order = (1..=most).find(|&order| (of(order).value() - value).norm() < 1e-12)?;
            Some((order, value))
        };
        let Some(roots) = self.entries.iter().map(|entry| root(entry.weight)).collect::<Option<Vec<_>>>() else { return self };
        // One order for all, as textbooks write them.
        let order = roots.iter().fold(1, |all, (order, _)| (1..=most).map(|k| k * all).find(|common| common % order == 0).unwrap_or(all));
        let power = |value: Complex64| ((-value.arg() / TAU).rem_euclid(1.0) * order as f64).round() as u64;
        let entries = self.entries.iter().zip(roots);
        let entries =
            entries.map(|(entry, (_, value))| MatrixEntry { weight: Coef::root(power(value), order as u64, Direction::Forward), ..*entry });
        Self { entries: entries.collect(), ..self }
    }

    /// The square matrix with these entries on its diagonal.
    pub fn diagonal(weights: &[Coef]) -> Self {
        let entries = weights.iter().enumerate().map(|(i, &weight)| MatrixEntry { row: i, column: i, weight });
        Self { rows: weights.len(), columns: weights.len(), entries: entries.filter(|entry| entry.weight != Coef::Real(0.0)).collect() }
    }

    /// The permutation whose row i takes column `from[i]`.
    pub fn permutation(from: &[usize]) -> Self {
        let entries = from.iter().enumerate().map(|(row, &column)| MatrixEntry { row, column, weight: Coef::ONE }).collect();
        Self { rows: from.len(), columns: from.len(), entries }
    }

    /// All values, `[row][column]`.
    pub fn dense(&self) -> Vec<Vec<Complex64>> {
        let mut rows = vec![vec![Complex64::default(); self.columns]; self.rows];
        for entry in &self.entries {
            rows[entry.row][entry.column] = entry.weight.value();
        }
        rows
    }

    /// The entry at a place, if it is not zero.
    pub fn at(&self, row: usize, column: usize) -> Option<&MatrixEntry> {
        self.entries.binary_search_by_key(&(row, column), |entry| (entry.row, entry.column)).ok().map(|index| &self.entries[index])
    }

    /// The largest absolute value.
    pub fn largest(&self) -> f64 {
        self.entries.iter().map(|entry| entry.weight.value().norm()).fold(0.0, f64::max)
    }

    /// Whether an entry is not real.
    pub fn is_complex(&self) -> bool {
        self.entries.iter().any(|entry| entry.weight.value().im != 0.0)
    }

    /// The same entries with other weights.
    pub fn map(&self, weight: impl Fn(Coef) -> Coef) -> Self {
        let entries = self.entries.iter().map(|entry| MatrixEntry { weight: weight(entry.weight), ..*entry }).collect();
        Self { entries, ..*self }
    }

    /// The entries of the rows and columns below these numbers, as a matrix of that size.
    pub fn corner(&self, rows: usize, columns: usize) -> Self {
        let entries = self.entries.iter().copied().filter(|entry| entry.row < rows && entry.column < columns).collect();
        Self { rows, columns, entries }
    }

    /// Rows and columns exchanged.
    pub fn transposed(&self) -> Self {
        let mut entries: Vec<_> = self.entries.iter().map(|e| MatrixEntry { row: e.column, column: e.row, weight: e.weight }).collect();
        entries.sort_by_key(|entry| (entry.row, entry.column));
        Self { rows: self.columns, columns: self.rows, entries }
    }

    /// The matrix product.
    pub fn times(&self, right: &Self) -> Self {
        let starts: Vec<usize> = (0..=right.rows).map(|row| right.entries.partition_point(|entry| entry.row < row)).collect();
        let products = self.entries.iter().flat_map(|a| {
            let row = &right.entries[starts[a.column]..starts[a.column + 1]];
            row.iter().map(|b| MatrixEntry { row: a.row, column: b.column, weight: a.weight.times(b.weight) })
        });
        Self::summed(self.rows, right.columns, products, Ring::Complex)
    }

    /// The Kronecker product.
    pub fn kronecker(&self, right: &Self) -> Self {
        let products = self.entries.iter().flat_map(|a| {
            let place = |b: &MatrixEntry| (a.row * right.rows + b.row, a.column * right.columns + b.column);
            right.entries.iter().map(move |b| {
                let (row, column) = place(b);
                MatrixEntry { row, column, weight: a.weight.times(b.weight) }
            })
        });
        Self::summed(self.rows * right.rows, self.columns * right.columns, products, Ring::Complex)
    }

    /// This matrix with another one `down` rows below and `across` columns right of its first entry.
    pub fn joined(&self, other: &Self, [down, across]: [usize; 2]) -> Self {
        let moved = other.entries.iter().map(|e| MatrixEntry { row: e.row + down, column: e.column + across, weight: e.weight });
        let (rows, columns) = (self.rows.max(down + other.rows), self.columns.max(across + other.columns));
        Self::summed(rows, columns, self.entries.iter().copied().chain(moved), Ring::Complex)
    }

    /// Whether both have the same entries, apart from rounding.
    pub fn is_like(&self, other: &Self) -> bool {
        let same = |(a, b): (&MatrixEntry, &MatrixEntry)| (a.row, a.column) == (b.row, b.column) && is_same(a.weight, b.weight);
        let sizes = |m: &Self| [m.rows, m.columns, m.entries.len()];
        sizes(self) == sizes(other) && self.entries.iter().zip(&other.entries).all(same)
    }
}

/// Whether two weights are equal apart from rounding.
pub(super) fn is_same(a: Coef, b: Coef) -> bool {
    let (a, b) = (a.value(), b.value());
    (a - b).norm() <= TOLERANCE * a.norm().max(b.norm()).max(f64::MIN_POSITIVE)
}

/// A sum without the rounding that keeps it from a half integer.
fn tidy(x: f64) -> f64 {
    let near = (2.0 * x).round() / 2.0;
    // Adding 0 turns −0 into 0.
    if (x - near).abs() < 1e-13 { near + 0.0 } else { x }
}
