//! What inputs and outputs are called: x and X, and of convolutions f, g and z.

use crate::plan::{Operation, Plan};

/// The letter and the index of what an input lane holds.
pub(super) fn input(plan: &Plan, lane: usize) -> (char, usize) {
    match product(plan) {
        None => ('x', lane),
        Some((_, 0)) => ('f', lane),
        // In every row the second signal stands behind the first.
        Some((n, _)) => (if (lane / n).is_multiple_of(2) { 'f' } else { 'g' }, lane / (2 * n) * n + lane % n),
    }
}

/// The letter of the results.
pub(super) fn output(plan: &Plan) -> char {
    if product(plan).is_some() { 'z' } else { 'X' }
}

/// Lanes of a row that are multiplied, and how far apart they stand.
fn product(plan: &Plan) -> Option<(usize, usize)> {
    let product = plan.stages.iter().find(|stage| matches!(stage.operation, Operation::Product { .. }))?;
    Some((product.positions, product.read.hop))
}
