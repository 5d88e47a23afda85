//! Sequential tridiagonal solvers in double precision: references for the plans, and estimates of the accuracy of a solution.
//!
//! Rows are (a, b, c, d), a·x\[i−1\] + b·x\[i\] + c·x\[i+1\] = d; the first a and the last c are not read.

/// Solves by Gaussian elimination without pivoting (L. H. Thomas 1949); the result is not finite if a pivot is zero.
pub fn thomas(rows: &[[f64; 4]]) -> Vec<f64> {
    // Row i after elimination of the unknown before: x[i] = d − c·x[i+1].
    let mut reduced: Vec<[f64; 2]> = Vec::with_capacity(rows.len());
    for &[a, b, c, d] in rows {
        let pivot = |before: &[f64; 2]| (b - a * before[0], d - a * before[1]);
        let (b, d) = reduced.last().map_or((b, d), pivot);
        reduced.push([c / b, d / b]);
    }
    let mut x = vec![0.0; rows.len()];
    let mut behind = None;
    for (x, [c, d]) in x.iter_mut().zip(&reduced).rev() {
        *x = behind.map_or(*d, |behind| d - c * behind);
        behind = Some(*x);
    }
    x
}

/// An LU factorisation of a tridiagonal matrix with row exchanges (LAPACK's dgttrf).
pub struct FactoredMatrix {
    /// Multiples of each row that were subtracted from the row below.
    lower: Vec<f64>,
    /// The upper triangle: the diagonal and the two above.
    upper: Vec<[f64; 3]>,
    /// Whether a row was exchanged with the one below.
    exchanged: Vec<bool>,
    /// Powers of two: each unknown was multiplied by its `columns`, then each equation divided by its `scales`, so that coefficients are about 1.
    columns: Vec<f64>,
    scales: Vec<f64>,
    /// The 1-norm of the scaled matrix.
    norm: f64,
}

/// Why a matrix is singular.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SingularMatrix {
    /// All coefficients of this equation, counted from 0, are zero.
    #[error("all coefficients of the equation of x[{0}] are zero")]
    NoCoefficient(usize),
    /// No pivot is left for this unknown, counted from 0.
    #[error("no pivot is left for x[{0}]")]
    NoPivot(usize),
}

impl FactoredMatrix {
    /// Factors the matrix of a system.
    ///
    /// # Errors
    /// When it is singular.
    pub fn new(rows: &[[f64; 4]]) -> Result<Self, SingularMatrix> {
        Self::with_columns(rows, vec![1.0; rows.len()])
    }

    /// As [`Self::new`], with unknowns scaled so that the largest coefficient of each column is about 1 (A. van der Sluis 1969).
    ///
    /// # Errors
    /// When the matrix is singular.
    pub fn in_balanced_units(rows: &[[f64; 4]]) -> Result<Self, SingularMatrix> {
        let of = |i: Option<usize>, part: usize| i.filter(|&i| i < rows.len()).map_or(0.0, |i| coefficients(rows, i)[part]);
        let column = |j: usize| scale(&[of(j.checked_sub(1), 2), of(Some(j), 1), of(Some(j + 1), 0)]);
        Self::with_columns(rows, (0..rows.len()).map(column).collect())
    }

    fn with_columns(rows: &[[f64; 4]], columns: Vec<f64>) -> Result<Self, SingularMatrix> {
        let n = rows.len();
        let unit = |i: Option<usize>| i.and_then(|i| columns.get(i)).copied().unwrap_or(1.0);
        let in_units = |i: usize| {
            let [a, b, c] = coefficients(rows, i);
            [a / unit(i.checked_sub(1)), b / unit(Some(i)), c / unit(Some(i + 1))]
        };
        if let Some(empty) = (0..n).find(|&i| coefficients(rows, i) == [0.0; 3]) {
            return Err(SingularMatrix::NoCoefficient(empty));
        }
        let scales: Vec<f64> = (0..n).map(|i| scale(&in_units(i))).collect();
        let scaled = |i: usize| in_units(i).map(|value| value / scales[i]);
        let mut norm = 0.0_f64;
        let (mut lower, mut upper, mut exchanged) = (vec![0.0; n], vec![[0.0; 3]; n], vec![false; n]);
        // The current row: its diagonal and the two coefficients behind.
        let mut row = [0.0; 3];
        for i in 0..n {
            if i == 0 {
                let [_, b, c] = scaled(0);
                row = [b, c, 0.0];
            }
            let column = [i.checked_sub(1).map(|i| scaled(i)[2]), Some(scaled(i)[1]), (i + 1 < n).then(|| scaled(i + 1)[0])];
            norm = norm.max(column.into_iter().flatten().map(f64::abs).sum());
            if i + 1 < n {
                let [a, b, c] = scaled(i + 1);
                let mut below = [a, b, c];
                if row[0].abs() < a.abs() {
                    std::mem::swap(&mut row, &mut below);
                    exchanged[i] = true;
                }
                lower[i] = if row[0] == 0.0 { 0.0 } else { below[0] / row[0] };
                upper[i] = row;
                row = [below[1] - lower[i] * row[1], below[2] - lower[i] * row[2], 0.0];
            } else {
                upper[i] = row;
            }
            if upper[i][0] == 0.0 {
                return Err(SingularMatrix::NoPivot(i));
            }
        }
        Ok(Self { lower, upper, exchanged, columns, scales, norm })
    }

    /// The solution for the right-hand sides of `rows`.
    pub fn solve(&self, rows: &[[f64; 4]]) -> Vec<f64> {
        let y = self.solved(rows.iter().zip(&self.scales).map(|(row, scale)| row[3] / scale).collect());
        y.into_iter().zip(&self.columns).map(|(y, unit)| y / unit).collect()
    }

    /// One step of iterative refinement (R. D. Skeel 1980): adds the solution for the residual.
    pub fn refined(&self, rows: &[[f64; 4]], mut x: Vec<f64>) -> Vec<f64> {
        let at = |i: Option<usize>| i.and_then(|i| x.get(i)).copied().unwrap_or(0.0);
        let left = |(i, row): (usize, &[f64; 4])| {
            let [a, b, c] = coefficients(rows, i);
            (row[3] - (a * at(i.checked_sub(1)) + b * x[i] + c * at(Some(i + 1)))) / self.scales[i]
        };
        let correction = self.solved(rows.iter().enumerate().map(left).collect());
        x.iter_mut().zip(correction).zip(&self.columns).for_each(|((x, correction), unit)| *x += correction / unit);
        x
    }

    /// An estimate of the 1-norm condition number of the scaled equations (W. W. Hager 1984, N. J. Higham 1988): at most the true one, seldom below a third of it.
    pub fn condition(&self) -> f64 {
        /// Most iterations; two or three usually suffice.
        const MOST_TRIALS: usize = 5;
        let n = self.lower.len();
        let sum = |values: &[f64]| values.iter().map(|value| value.abs()).sum::<f64>();
        let mut x = vec![1.0 / n as f64; n];
        let mut largest = 0.0_f64;
        for _ in 0..MOST_TRIALS {
            let y = self.solved(x.clone());
            largest = largest.max(sum(&y));
            let z = self.solved_transposed(y.iter().map(|value| value.signum()).collect());
            let product: f64 = z.iter().zip(&x).map(|(z, x)| z * x).sum();
            let steepest = (0..n).max_by(|&i, &j| z[i].abs().total_cmp(&z[j].abs())).unwrap_or(0);
            if z[steepest].abs() <= product.abs() {
                break;
            }
            x.fill(0.0);
            x[steepest] = 1.0;
        }
        let alternating = |i: usize| (1.0 + i as f64 / (n.max(2) - 1) as f64) * if i.is_multiple_of(2) { 1.0 } else { -1.0 };
        let other = 2.0 * sum(&self.solved((0..n).map(alternating).collect())) / (3.0 * n as f64);
        self.norm * largest.max(other)
    }

    fn solved(&self, mut x: Vec<f64>) -> Vec<f64> {
        let n = x.len();
        for i in 1..n {
            if self.exchanged[i - 1] {
                x.swap(i - 1, i);
            }
            x[i] -= self.lower[i - 1] * x[i - 1];
        }
        let at = |x: &[f64], i: usize| x.get(i).copied().unwrap_or(0.0);
        for i in (0..n).rev() {
            let [b, c, e] = self.upper[i];
            x[i] = (x[i] - c * at(&x, i + 1) - e * at(&x, i + 2)) / b;
        }
        x
    }

    fn solved_transposed(&self, mut x: Vec<f64>) -> Vec<f64> {
        let n = x.len();
        for i in 0..n {
            let before = |back: usize| i.checked_sub(back).map_or(0.0, |j| self.upper[j][back] * x[j]);
            x[i] = (x[i] - before(1) - before(2)) / self.upper[i][0];
        }
        for i in (1..n).rev() {
            x[i - 1] -= self.lower[i - 1] * x[i];
            if self.exchanged[i - 1] {
                x.swap(i - 1, i);
            }
        }
        x
    }
}

/// a, b and c of a row, zero past the ends.
fn coefficients(rows: &[[f64; 4]], i: usize) -> [f64; 3] {
    let [a, b, c, _] = rows[i];
    [if i == 0 { 0.0 } else { a }, b, if i + 1 == rows.len() { 0.0 } else { c }]
}

/// The power of two below the largest magnitude; 1 if all are zero.
fn scale(coefficients: &[f64; 3]) -> f64 {
    let largest = coefficients.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    if largest > 0.0 && largest.is_finite() { largest.log2().floor().exp2() } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(rows: &[[f64; 4]], i: usize, j: usize) -> f64 {
        (j + 1).checked_sub(i).and_then(|k| coefficients(rows, i).get(k).copied()).unwrap_or(0.0)
    }

    /// The inverse of a small tridiagonal matrix, column after column, by Cramer's rule.
    fn inverse(rows: &[[f64; 4]]) -> Vec<Vec<f64>> {
        let n = rows.len();
        let matrix: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| entry(rows, i, j)).collect()).collect();
        fn determinant(matrix: &[Vec<f64>]) -> f64 {
            if matrix.is_empty() {
                return 1.0;
            }
            (0..matrix.len())
                .map(|j| {
                    let minor: Vec<Vec<f64>> = matrix[1..].iter().map(|row| [&row[..j], &row[j + 1..]].concat()).collect();
                    matrix[0][j] * determinant(&minor) * if j % 2 == 0 { 1.0 } else { -1.0 }
                })
                .sum()
        }
        let whole = determinant(&matrix);
        let replaced = |column: usize, unit: usize| {
            let mut other = matrix.clone();
            (0..n).for_each(|i| other[i][column] = f64::from(u8::from(i == unit)));
            determinant(&other) / whole
        };
        (0..n).map(|unit| (0..n).map(|column| replaced(column, unit)).collect()).collect()
    }

    const NEEDS_EXCHANGES: [[f64; 4]; 5] =
        [[0.0, 0.0, 2.0, 3.0], [4.0, 1.0, -1.0, 2.0], [5.0, 0.5, 3.0, -1.0], [-2.0, 0.0, 1.0, 4.0], [7.0, 1.0, 0.0, 1.0]];

    #[test]
    fn exchanges_make_up_for_zero_pivots() {
        let factored = FactoredMatrix::new(&NEEDS_EXCHANGES).unwrap_or_else(|error| panic!("{error:?}"));
        let x = factored.solve(&NEEDS_EXCHANGES);
        let expected: Vec<f64> = {
            let columns = inverse(&NEEDS_EXCHANGES);
            (0..5).map(|i| (0..5).map(|j| columns[j][i] * NEEDS_EXCHANGES[j][3]).sum()).collect()
        };
        assert!(x.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-12 * b.abs().max(1.0)), "{x:?}, {expected:?}");
        assert!(thomas(&NEEDS_EXCHANGES).iter().any(|value| !value.is_finite()));
    }

    #[test]
    fn both_references_agree_where_no_pivot_is_small() {
        let rows: Vec<[f64; 4]> = (0..100).map(|i| [1.0, -3.0 - f64::from(i % 5), 1.5, f64::from(i % 7)]).collect();
        let exchanging = FactoredMatrix::new(&rows).map(|factored| factored.solve(&rows));
        let same = |x: &Vec<f64>| x.iter().zip(thomas(&rows)).all(|(a, b)| (a - b).abs() < 1e-15);
        assert!(exchanging.is_ok_and(|x| same(&x)));
        assert_eq!(thomas(&[[9.0, 4.0, 9.0, 2.0]]), [0.5]);
    }

    #[test]
    fn conditions_are_those_of_the_inverse() {
        let poisson = |n: usize| vec![[-1.0, 2.0, -1.0, 1.0]; n];
        for rows in [NEEDS_EXCHANGES.to_vec(), poisson(6), poisson(1), vec![[1e200, 1e200, 3e200, 1.0], [1e-200, 4e-200, 0.0, 1.0]]] {
            let scaled: Vec<[f64; 4]> = (0..rows.len()).map(|i| rows[i].map(|value| value / scale(&coefficients(&rows, i)))).collect();
            let column = |j: usize| (0..rows.len()).map(|i| entry(&scaled, i, j).abs()).sum::<f64>();
            let norm = (0..rows.len()).map(column).fold(0.0, f64::max);
            let inverse_norm = inverse(&scaled).iter().map(|column| column.iter().map(|x| x.abs()).sum::<f64>()).fold(0.0, f64::max);
            let found = FactoredMatrix::new(&rows).map(|factored| factored.condition());
            let expected = norm * inverse_norm;
            assert!(found.is_ok_and(|found| found > 0.33 * expected && found < 1.001 * expected), "{found:?}, {expected}");
        }
    }

    #[test]
    fn units_of_unknowns_make_nothing_singular() {
        let units = [1.0, 1e-12, 1e12, 1e3, 1e-9, 1e11, 1e-12, 1.0];
        let unit = |i: usize| units.get(i).copied().unwrap_or(1.0);
        let row = |i: usize| [if i > 0 { -unit(i - 1) } else { 0.0 }, 3.0 * unit(i), -unit(i + 1), (i % 3) as f64 + 1.0];
        let rows: Vec<[f64; 4]> = (0..units.len()).map(row).collect();
        let plain: Vec<[f64; 4]> = rows.iter().map(|row| [-1.0, 3.0, -1.0, row[3]]).collect();
        let condition = |factored: Result<FactoredMatrix, SingularMatrix>| factored.map_or(f64::INFINITY, |factored| factored.condition());
        assert!(condition(FactoredMatrix::new(&rows)) > 1e15);
        assert!(condition(FactoredMatrix::in_balanced_units(&rows)) < 10.0);
        let solved = FactoredMatrix::in_balanced_units(&rows).map(|factored| factored.solve(&rows)).unwrap_or_default();
        assert_eq!(solved.len(), units.len());
        for ((x, y), unit) in solved.iter().zip(thomas(&plain)).zip(units) {
            assert!((x * unit - y).abs() < 1e-14 * y.abs(), "{x} in units of {unit}, {y}");
        }
    }

    #[test]
    fn tiny_units_of_equations_make_nothing_singular() {
        // Powers of two, down to the least numbers that keep their digits here.
        for unit in [1.0, 2.0_f64.powi(-1000), 2.0_f64.powi(-1040), 2.0_f64.powi(-1070)] {
            let row = |i: usize| [if i > 0 { unit } else { 0.0 }, 4.0 * unit, unit, (i + 1) as f64 * unit];
            let factored = FactoredMatrix::new(&(0..8).map(row).collect::<Vec<_>>()).expect("nothing is singular");
            assert!((2.0..4.0).contains(&factored.condition()), "{} in units of {unit:e}", factored.condition());
            let x = factored.solve(&(0..8).map(row).collect::<Vec<_>>());
            assert!((x[7] - 1.735_257_121_716_611).abs() < 1e-14, "{} in units of {unit:e}", x[7]);
        }
    }

    #[test]
    fn singular_matrices_are_reported() {
        let loose = |n: usize| (0..n).map(|i| [-1.0, if i == 0 || i + 1 == n { 1.0 } else { 2.0 }, -1.0, 0.0]).collect::<Vec<_>>();
        assert_eq!(FactoredMatrix::new(&loose(50)).err(), Some(SingularMatrix::NoPivot(49)));
        assert_eq!(FactoredMatrix::new(&[[0.0; 4]]).err(), Some(SingularMatrix::NoCoefficient(0)));
        assert_eq!(
            FactoredMatrix::new(&[[0.0, 1.0, 0.0, 1.0], [0.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 1.0]]).err(),
            Some(SingularMatrix::NoCoefficient(1))
        );
    }
}
