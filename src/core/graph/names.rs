//! The names of inputs and outputs: x and X, f, g and z for convolutions, d and x for systems of equations.

use crate::plan::{Operation, Plan, Ring};

/// The letter and the index of the value on an input lane.
pub(super) fn input(plan: &Plan, lane: usize) -> (char, usize) {
    match product(plan) {
        None => ('x', lane),
        Some((_, 0)) => ('f', lane),
        // In every row the second signal follows the first.
        Some((n, _)) => (if (lane / n).is_multiple_of(2) { 'f' } else { 'g' }, lane / (2 * n) * n + lane % n),
    }
}

/// The same in a drawing, where a row of a system has the name of its right-hand side.
pub(super) fn drawn_input(plan: &Plan, lane: usize) -> (char, usize) {
    if plan.ring == Ring::Equation { ('d', lane) } else { input(plan, lane) }
}

/// The letter and the index of a row of a system after `column` stages: m for the map of a pivot, d for an equation.
pub(super) fn of_row(plan: &Plan, column: usize, lane: usize) -> (char, usize) {
    match plan.first_equation(column) {
        0 => ('d', lane),
        // In every system of several the equations follow the maps.
        n => (if (lane / n).is_multiple_of(2) { 'm' } else { 'd' }, lane / (2 * n) * n + lane % n),
    }
}

/// The letter of the outputs: a solved row of a system has the name of its unknown.
pub(super) fn output(plan: &Plan) -> char {
    match plan.ring {
        Ring::Equation => 'x',
        _ if product(plan).is_some() => 'z',
        _ => 'X',
    }
}

/// The number of pairs of lanes that the product stage multiplies in a row, and the distance within a pair.
fn product(plan: &Plan) -> Option<(usize, usize)> {
    let product = plan.stages.iter().find(|stage| matches!(stage.operation, Operation::Product { .. }))?;
    Some((product.positions, product.read.hop.unsigned_abs() as usize))
}
