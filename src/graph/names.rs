//! The names of inputs and outputs: x and X, and f, g and z for convolutions.

use crate::plan::{Operation, Plan};

/// The letter and the index of the value on an input lane.
pub(super) fn input(plan: &Plan, lane: usize) -> (char, usize) {
    match product(plan) {
        None => ('x', lane),
        Some((_, 0)) => ('f', lane),
        // In every row the second signal follows the first.
        Some((n, _)) => (if (lane / n).is_multiple_of(2) { 'f' } else { 'g' }, lane / (2 * n) * n + lane % n),
    }
}

/// The letter of the outputs.
pub(super) fn output(plan: &Plan) -> char {
    if product(plan).is_some() { 'z' } else { 'X' }
}

/// The number of pairs of lanes that the product stage multiplies in a row, and the distance within a pair.
fn product(plan: &Plan) -> Option<(usize, usize)> {
    let product = plan.stages.iter().find(|stage| matches!(stage.operation, Operation::Product { .. }))?;
    Some((product.positions, product.read.hop.unsigned_abs() as usize))
}
