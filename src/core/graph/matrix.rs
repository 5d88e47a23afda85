//! A plan as matrices: the sparse factor of every stage with its formula, the product of the stages that have run, and the definition beside it.
//!
//! Everything follows from the stages; a formula is shown only if its matrix equals that of the stage entry by entry.

mod color;
mod entries;
mod export;
mod formula;
mod recognise;
mod sparse;
mod system;

pub use color::{entry_rgb, is_bright};
pub use entries::{entry_tex, entry_text};
pub use export::{MatrixFile, MatrixFileError, MatrixFormat};
pub use formula::{Formula, product_name};
pub use recognise::recognise;
pub use sparse::{MatrixEntry, SparseMatrix};
pub use system::{SystemMatrix, system_matrix};

use crate::plan::{Coef, Operation, Plan};
use crate::transforms::{Axes, Parameters, Shape, Transform};
use std::ops::Range;

/// The most lanes of a plan whose matrices are shown: one pixel for each entry still tells something.
pub const MAX_MATRIX_LANES: usize = 256;

/// Which matrix of a plan is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub enum ShownMatrix {
    /// The factor of the stage that ran last.
    #[default]
    Stage,
    /// The product of the stages that have run.
    Product,
    /// The product of all stages beside the definition.
    Whole,
}

/// Why a stage, or a plan, has no matrix to show.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoMatrix {
    /// A stage multiplies values.
    #[error("the stage '{stage}' multiplies two values, so it is not linear and has no matrix")]
    Product {
        /// The label of the stage.
        stage: String,
    },
    /// A stage conjugates values.
    #[error("the stage '{stage}' conjugates values: it is linear over the real numbers only, so no complex matrix describes it")]
    Conjugates {
        /// The label of the stage.
        stage: String,
    },
    /// A stage eliminates unknowns.
    #[error("the stage '{stage}' eliminates unknowns; its coefficients depend on the system")]
    Elimination {
        /// The label of the stage.
        stage: String,
    },
    /// The plan is too large.
    #[error("matrices are shown for up to {MAX_MATRIX_LANES} lanes, and this plan has {lanes}")]
    Lanes {
        /// Lanes of the plan.
        lanes: usize,
    },
}

/// The factor of a stage: its matrix, and the formula that equals it.
#[derive(Debug, Clone, PartialEq)]
pub struct Factor {
    /// The matrix, lanes × lanes. A lane that the stage carries has a 1; a lane that holds nothing has an empty row or column.
    pub matrix: SparseMatrix,
    /// The formula, where one shorter than the matrix was found.
    pub formula: Option<Formula>,
}

/// How far two matrices are apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MatrixDifference {
    /// The largest absolute difference of two entries.
    pub largest: f64,
    /// Row and column of that entry.
    pub at: [usize; 2],
}

/// Why these stages have no matrix; `Ok` where all are linear over the complex numbers and few enough lanes are there.
///
/// # Errors
/// The reason of the first stage without a matrix.
pub fn check(plan: &Plan, stages: Range<usize>) -> Result<(), NoMatrix> {
    if plan.lanes > MAX_MATRIX_LANES {
        return Err(NoMatrix::Lanes { lanes: plan.lanes });
    }
    let Some(stage) = plan.stages[stages].iter().find(|stage| !stage.has_matrix()) else { return Ok(()) };
    let label = stage.label.clone();
    Err(match stage.operation {
        Operation::Product { .. } | Operation::Direct(_) => NoMatrix::Product { stage: label },
        Operation::Eliminate | Operation::Doubling(_) => NoMatrix::Elimination { stage: label },
        Operation::Linear(_) | Operation::TwiddledTaps(_) | Operation::TwiddledSums(_) => NoMatrix::Conjugates { stage: label },
    })
}

/// The factor of stage `index`.
///
/// # Errors
/// When the stage has no matrix, or the plan is too large.
pub fn factor(plan: &Plan, index: usize) -> Result<Factor, NoMatrix> {
    check(plan, index..index + 1)?;
    let (stage, live) = (&plan.stages[index], plan.live());
    let mut is_written = vec![false; plan.lanes];
    stage.written_lanes().for_each(|lane| is_written[lane] = true);
    let edges = stage.edges().into_iter().map(|edge| MatrixEntry { row: edge.to, column: edge.from, weight: edge.weight });
    let is_carried = |lane: &usize| !is_written[*lane] && live[index][*lane] && live[index + 1][*lane];
    let carried = (0..plan.lanes).filter(is_carried).map(|lane| MatrixEntry { row: lane, column: lane, weight: Coef::ONE });
    let matrix = SparseMatrix::summed(plan.lanes, plan.lanes, edges.chain(carried), plan.ring);
    let formula = recognise(stage, &matrix, plan.ring);
    // Over a prime field the entries are residues.
    let matrix = if plan.ring.field().is_some() { matrix.map(|weight| Coef::of(plan.ring.element(weight))) } else { matrix };
    Ok(Factor { matrix, formula })
}

/// The product of the first `n_stages` stages, lanes × inputs. Lanes that hold nothing have an empty row.
///
/// # Errors
/// When a stage has no matrix, or the plan is too large.
pub fn product(plan: &Plan, n_stages: usize) -> Result<SparseMatrix, NoMatrix> {
    check(plan, 0..n_stages)?;
    Ok(SparseMatrix::of_rows(&plan.matrix_after(n_stages), plan.inputs).tidied(plan.inputs))
}

/// The product of all stages as it is computed, outputs × inputs, rows in the order of the results; [`SparseMatrix::tidied`] takes the rounding away.
///
/// # Errors
/// When a stage has no matrix, or the plan is too large.
pub fn whole(plan: &Plan) -> Result<SparseMatrix, NoMatrix> {
    check(plan, 0..plan.stages.len())?;
    Ok(SparseMatrix::of_rows(&plan.matrix(), plan.inputs))
}

/// The matrix of the transform by its definition, of all rows or columns of the shape; `None` without a definition, or if it is larger than `inputs` columns.
pub fn definition(transform: &Transform, shape: Shape, parameters: Parameters, inputs: usize) -> Option<SparseMatrix> {
    if inputs > MAX_MATRIX_LANES {
        return None;
    }
    let build = transform.definition?;
    let of_line = |line: Shape| {
        let rows = build(line, parameters);
        let columns = rows.first().map_or(0, Vec::len);
        Formula::Block("".into(), SparseMatrix::of_rows(&rows, columns))
    };
    let formula = match transform.axes(parameters) {
        Axes::Both => of_line(shape),
        Axes::Rows => Formula::Kronecker(vec![Formula::Identity(shape.rows), of_line(Shape::line(shape.columns))]),
        Axes::Columns => Formula::Kronecker(vec![of_line(Shape::line(shape.rows)), Formula::Identity(shape.columns)]),
    };
    Some(formula.matrix()).filter(|matrix| matrix.columns == inputs)
}

/// How far two matrices of the same size are apart; `None` for different sizes.
pub fn difference(a: &SparseMatrix, b: &SparseMatrix) -> Option<MatrixDifference> {
    if [a.rows, a.columns] != [b.rows, b.columns] {
        return None;
    }
    let (a, b) = (a.dense(), b.dense());
    let mut found = MatrixDifference { largest: 0.0, at: [0, 0] };
    for (row, (x, y)) in a.iter().zip(&b).enumerate() {
        for (column, (x, y)) in x.iter().zip(y).enumerate() {
            let largest = (x - y).norm();
            if largest > found.largest {
                found = MatrixDifference { largest, at: [row, column] };
            }
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests;
