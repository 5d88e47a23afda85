//! The steps of a level on some neighbouring samples in registers.

use crate::plan::LiftingStep;
use serde::Serialize;
use std::collections::BTreeSet;

/// Samples of an item.
pub(super) const ITEM: usize = 8;
/// Samples that an item reads on either side; the registers of the item itself begin behind them.
pub(super) const SIDE: usize = 4;

/// A step: the registers that it changes, the factor of each, and what it adds.
#[derive(Serialize)]
pub(super) struct RegisterStep {
    at: Vec<usize>,
    own: f64,
    terms: Vec<StepTerm>,
}

/// A neighbour, or both neighbours at a distance, and their factor.
#[derive(Serialize)]
struct StepTerm {
    coef: f64,
    offset: i64,
    both: bool,
}

/// A step on columns 4 to 7 of a row: the registers of neighbouring threads that it reads, and the step.
#[derive(Serialize)]
pub(super) struct RowStep {
    beyond: Vec<usize>,
    step: RegisterStep,
}

/// The steps of a level on `item` neighbouring samples, each taken as far as later ones need it; `None` where one is not a weighted sum or reads too far away.
pub(super) fn register_steps(steps: &[LiftingStep], item: usize) -> Option<Vec<RegisterStep>> {
    let mut needed: BTreeSet<i64> = (0..item as i64).collect();
    let mut taken = Vec::with_capacity(steps.len());
    for step in steps.iter().rev().filter(|step| step.is_linear) {
        let at: Vec<i64> = needed.iter().copied().filter(|sample| sample.rem_euclid(2) == step.parity as i64).collect();
        needed.extend(at.iter().flat_map(|sample| step.taps().map(move |(offset, _)| sample + offset)));
        taken.push((at, step));
    }
    let side = SIDE as i64;
    let fits = taken.len() == steps.len() && needed.iter().all(|sample| (-side..item as i64 + side).contains(sample));
    let in_registers = |(at, step): (Vec<i64>, &LiftingStep)| {
        let coef = |at: i64| step.taps().find(|(offset, _)| *offset == at).map_or(0.0, |(_, coef)| coef);
        let terms = step.taps().map(|(offset, own)| StepTerm { coef: own, offset, both: coef(-offset) == own });
        // The left one of both stands for both.
        let terms = terms.filter(|term| term.offset != 0 && !(term.both && term.offset > 0)).collect();
        RegisterStep { at: at.into_iter().map(|sample| (sample + side) as usize).collect(), own: coef(0), terms }
    };
    fits.then(|| taken.into_iter().rev().map(in_registers).collect())
}

/// The steps of a level on four columns of a row.
pub(super) fn row_steps(steps: &[LiftingStep]) -> Option<Vec<RowStep>> {
    let row_step = |step: &LiftingStep| {
        let step = register_steps(std::slice::from_ref(step), 4)?.pop()?;
        let around = |term: &StepTerm| if term.both { vec![term.offset, -term.offset] } else { vec![term.offset] };
        let offsets: Vec<i64> = step.terms.iter().flat_map(around).collect();
        let read: BTreeSet<usize> =
            step.at.iter().flat_map(|&k| offsets.iter().filter_map(move |&offset| k.checked_add_signed(offset as isize))).collect();
        Some(RowStep { beyond: read.into_iter().filter(|k| !(4..8).contains(k)).collect(), step })
    };
    steps.iter().map(row_step).collect()
}
