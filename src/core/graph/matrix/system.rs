//! The matrix of a tridiagonal system after some stages of its solution: which unknowns its equations still contain.

use super::sparse::{MatrixEntry, SparseMatrix};
use crate::plan::{Coef, Doubling, Operation, Plan, ReducedEquation, Ring};

/// A system after some stages: A·x = d.
#[derive(Debug, Clone, PartialEq)]
pub struct SystemMatrix {
    /// The coefficients, one row for each equation.
    pub matrix: SparseMatrix,
    /// The right-hand sides.
    pub right: Vec<f64>,
    /// The equations that the last of these stages changed.
    pub changed: Vec<bool>,
    /// The lane of the first equation.
    pub first_lane: usize,
}

impl SystemMatrix {
    /// The number of equations that contain one unknown only.
    pub fn n_solved(&self) -> usize {
        let n_entries = |row: usize| self.matrix.entries.iter().filter(|entry| entry.row == row).count();
        (0..self.matrix.rows).filter(|&row| n_entries(row) == 1).count()
    }
}

/// The system whose equations are among `rows` after the first `n_stages` stages of a plan; the distance of the unknowns follows from the stages.
///
/// Between the division by pivots and the end of recursive doubling, A is the product of both triangular factors.
///
/// # Panics
/// When `rows` does not have one value for each lane that is live then.
pub fn system_matrix(plan: &Plan, n_stages: usize, rows: &[ReducedEquation<f64>]) -> SystemMatrix {
    let (n, first_lane) = (plan.inputs, plan.first_equation(n_stages));
    assert!([plan.lanes, n].contains(&rows.len()) && first_lane + n <= rows.len(), "the system has another number of equations");
    let rows = &rows[first_lane..first_lane + n];
    // The unknowns before and behind the own one, by equation.
    let mut neighbours: Vec<[Option<usize>; 2]> = (0..n).map(|i| [i.checked_sub(1), (i + 1 < n).then_some(i + 1)]).collect();
    let (mut changed, mut has_factors) = (vec![false; n], false);
    for stage in &plan.stages[..n_stages] {
        let before = neighbours.clone();
        changed = vec![false; n];
        let sides = match stage.operation {
            Operation::Doubling(Doubling::PivotMap | Doubling::Compose) => continue,
            Operation::Doubling(Doubling::Divide) => {
                (changed, has_factors) = (vec![true; n], true);
                continue;
            }
            Operation::Doubling(Doubling::Forward) => [Some(0), None],
            Operation::Doubling(Doubling::Backward) => [None, Some(1)],
            _ => [Some(0), Some(2)],
        };
        for butterfly in stage.butterflies() {
            let row = butterfly.writes[0];
            for (side, tap) in sides.into_iter().enumerate() {
                if let Some(tap) = tap {
                    neighbours[row][side] = butterfly.reads[tap].and_then(|lane| before[lane][side]);
                }
            }
            changed[row] = true;
        }
    }
    let mut entries = Vec::new();
    for (row, (equation, [before, behind])) in rows.iter().zip(&neighbours).enumerate() {
        let mut add = |column: Option<usize>, x: f64| {
            entries.extend(column.map(|column| MatrixEntry { row, column, weight: Coef::Real(x) }));
        };
        add(*before, equation.a);
        add(Some(row), equation.b);
        add(*behind, equation.c);
        // The row of L meets the row of U of the unknown before.
        if let (true, Some(before)) = (has_factors, *before) {
            add(neighbours[before][1], equation.a * rows[before].c);
        }
    }
    let matrix = SparseMatrix::summed(n, n, entries, Ring::Real);
    SystemMatrix { matrix, right: rows.iter().map(|row| row.d).collect(), changed, first_lane }
}
