//! The matrix of a tridiagonal system after some stages of its reduction: which unknowns its equations still contain.

use super::sparse::{MatrixEntry, SparseMatrix};
use crate::plan::{Coef, Plan, ReducedEquation, Ring};

/// A system after some stages: A·x = d.
#[derive(Debug, Clone, PartialEq)]
pub struct SystemMatrix {
    /// The coefficients, one row for each equation.
    pub matrix: SparseMatrix,
    /// The right-hand sides.
    pub right: Vec<f64>,
    /// The equations that the last of these stages changed.
    pub changed: Vec<bool>,
}

impl SystemMatrix {
    /// The number of equations that contain one unknown only.
    pub fn n_solved(&self) -> usize {
        let n_entries = |row: usize| self.matrix.entries.iter().filter(|entry| entry.row == row).count();
        (0..self.matrix.rows).filter(|&row| n_entries(row) == 1).count()
    }
}

/// The system whose equations are `rows` after the first `n_stages` stages of a plan; the distance of the unknowns follows from the stages.
///
/// # Panics
/// When there is not one equation for each lane.
pub fn system_matrix(plan: &Plan, n_stages: usize, rows: &[ReducedEquation<f64>]) -> SystemMatrix {
    assert_eq!(rows.len(), plan.lanes, "the system has another number of equations");
    // The unknowns before and behind the own one, by equation.
    let n = plan.lanes;
    let mut neighbours: Vec<[Option<usize>; 2]> = (0..n).map(|i| [i.checked_sub(1), (i + 1 < n).then_some(i + 1)]).collect();
    let mut changed = vec![false; n];
    for stage in &plan.stages[..n_stages] {
        let before = neighbours.clone();
        changed = vec![false; n];
        for butterfly in stage.butterflies() {
            let beyond = |tap: usize, side: usize| butterfly.reads[tap].and_then(|lane| before[lane][side]);
            neighbours[butterfly.writes[0]] = [beyond(0, 0), beyond(2, 1)];
            changed[butterfly.writes[0]] = true;
        }
    }
    let mut entries = Vec::new();
    for (row, (equation, [before, behind])) in rows.iter().zip(&neighbours).enumerate() {
        let terms = [(*before, equation.a), (Some(row), equation.b), (*behind, equation.c)];
        entries.extend(terms.into_iter().filter_map(|(column, x)| Some(MatrixEntry { row, column: column?, weight: Coef::Real(x) })));
    }
    let matrix = SparseMatrix::summed(n, n, entries, Ring::Real);
    SystemMatrix { matrix, right: rows.iter().map(|row| row.d).collect(), changed }
}
