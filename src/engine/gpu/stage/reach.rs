//! The checks on which unchecked shader modules rest: addresses stay within the lanes, and arithmetic within 32 bits.

use crate::gpu::error::LowerError;
use crate::gpu::tables::rounded_coef;
use crate::plan::{Extension, Operation, Plan, Stage, Twiddle};

/// Checks stage `index` of a plan.
///
/// # Errors
/// When the stage reaches outside the lanes, or an exact plan has a coefficient that single precision rounds.
pub(crate) fn check(plan: &Plan, index: usize) -> Result<(), LowerError> {
    let stage = &plan.stages[index];
    check_reach(stage, plan.lanes)?;
    check_twiddle(stage)?;
    match rounded_coef(stage).filter(|_| plan.ring.is_exact_without_modulus()) {
        Some(coef) => Err(LowerError::Rounded { stage: stage.label.clone(), coef: coef.text() }),
        None => Ok(()),
    }
}

/// The proof on which unchecked shader modules rest: no butterfly reads or writes outside `0..lanes`, in 32-bit arithmetic.
///
/// Coordinates grow or shrink evenly, so the outermost ones belong to the first and last position and tap. Strides of lanes are never negative.
fn check_reach(stage: &Stage, lanes: usize) -> Result<(), LowerError> {
    let outside = || LowerError::Outside { stage: stage.label.clone(), lanes };
    let (matrix, read) = (stage.matrix(), &stage.read);
    let whole = match &stage.operation {
        Operation::TwiddledSums(sums) => (sums.second.rows, sums.second.taps) == (matrix.rows, matrix.taps),
        _ => true,
    };
    if !whole || [stage.positions, stage.group.n, stage.outer.n, read.len, matrix.taps, matrix.rows].contains(&0) {
        return Err(outside());
    }
    let corners = [0, stage.positions - 1].map(|p| [0, matrix.taps - 1].map(|k| read.coordinate(p, k)));
    let [lowest, highest] = [i64::min, i64::max].map(|outer| corners.into_iter().flatten().fold(read.first, outer));
    let extends = read.extension != Extension::None || (lowest >= 0 && highest < read.len as i64);
    let reversed_bits = stage.write.reversed_bits;
    let sorts = stage.write.pyramid.is_none_or(|pyramid| lanes.is_multiple_of(pyramid.lanes()) && pyramid.levels < 31);
    let reverses = reversed_bits < 32 && lanes.is_multiple_of(1 << reversed_bits) && sorts;
    let small = lanes < 1 << 31 && highest < 1 << 31 && lowest > -(1 << 31);
    if !extends || !reverses || !small || stage.read_reach() > lanes || stage.write_reach() > lanes {
        return Err(outside());
    }
    Ok(())
}

/// Checks that the factors of a twiddle's exponent stay in 32 bits, and that its table is long enough.
fn check_twiddle(stage: &Stage) -> Result<(), LowerError> {
    let outside = || LowerError::Outside { stage: stage.label.clone(), lanes: stage.write_reach() };
    let (modulus, row, column) = match &stage.twiddle {
        Some(Twiddle::Root { modulus, row, column, .. }) => (*modulus, row, column),
        Some(Twiddle::Table(table)) if table.n() <= (stage.repetition_reach() - 1) / stage.write.advance => return Err(outside()),
        _ => return Ok(()),
    };
    let last_result = match &stage.operation {
        Operation::TwiddledSums(sums) => sums.second_index(sums.first.rows - 1),
        Operation::TwiddledTaps(matrix) => matrix.taps - 1,
        operation => operation.matrix().rows - 1,
    };
    let (p, q, j) = ((stage.positions - 1) as u128, (stage.group.n - 1) as u128, last_result as u128);
    let [[row_j, row_p, row_constant], [column_p, column_q, column_constant]] = [row, column].map(|form| form.map(|x| x as u128));
    let factors = [j * row_j + p * row_p + row_constant, p * column_p + q * column_q + column_constant];
    if factors.iter().any(|&factor| factor >= 1 << 32) || modulus >= 1 << 31 {
        return Err(outside());
    }
    Ok(())
}
