//! From the plan of one line of 2^n samples to plans of batches and images.

use super::{Shape, Unsupported};
use crate::plan::shapes::TranspositionStage;
use crate::plan::{Plan, ResultOrder, Ring, Stage};

/// The stages of one line of 2^n lanes, in natural order at the end.
pub(super) trait RowStages: Fn(usize) -> Result<Vec<Stage>, Unsupported> {}

impl<F: Fn(usize) -> Result<Vec<Stage>, Unsupported>> RowStages for F {}

/// Every row on its own.
pub(super) fn along_rows(transform: &'static str, shape: Shape, line: impl RowStages) -> Result<Plan, Unsupported> {
    let n = shape.columns;
    if !n.is_power_of_two() {
        return Err(Unsupported::NoPower { transform, length: n });
    }
    let stages = line(n)?;
    Ok(Plan::new(Ring::of(&stages), n, stages, ResultOrder::Natural).batched(shape.rows))
}

/// Rows and columns as one line whose index has the bits of both. The stages must treat all bits alike and keep their order.
pub(super) fn at_once(transform: &'static str, shape: Shape, line: impl RowStages) -> Result<Plan, Unsupported> {
    match [shape.columns, shape.rows].into_iter().find(|n| !n.is_power_of_two()) {
        Some(length) => Err(Unsupported::NoPower { transform, length }),
        None => along_rows(transform, Shape::line(shape.len()), line),
    }
}

/// Every row, then every column. A transposition between them keeps lines contiguous.
pub(super) fn along_both(transform: &'static str, shape: Shape, line: impl RowStages) -> Result<Plan, Unsupported> {
    let Shape { rows, columns } = shape;
    let along_x = along_rows(transform, shape, &line)?;
    let along_y = along_rows(transform, Shape { rows: columns, columns: rows }, &line)?;
    let is_image = rows > 1 && columns > 1;
    let mut stages = along_x.stages;
    stages.extend(is_image.then(|| TranspositionStage { rows, columns }.stage()));
    stages.extend(along_y.stages);
    stages.extend(is_image.then(|| TranspositionStage { rows: columns, columns: rows }.stage()));
    Ok(Plan::new(Ring::of(&stages), shape.len(), stages, ResultOrder::Natural))
}
