//! The memory in which the CPU runs plans, kept from run to run.

use crate::cpu::{Bit, LaneArrays, Residue, Word};
use crate::plan::{Plan, ReducedEquation};
use num_complex::{Complex32, Complex64};

/// The CPU keeps at most this number of bytes for its next run.
const MOST_KEPT_BYTES: usize = 1 << 30;
/// It keeps this number of bytes whatever the last run needed, and otherwise at most `MOST_TIMES` what that needed: a window holds a dozen services,
/// and each would keep what its largest run ever needed.
const KEPT_BYTES: usize = 1 << 23;
const MOST_TIMES: usize = 4;

/// Where the CPU runs plans: arrays of every type of lanes, kept from run to run.
#[derive(Default)]
pub(super) struct LaneMemory {
    pub(super) single: LaneArrays<f32>,
    pub(super) double: LaneArrays<f64>,
    pub(super) complex32: LaneArrays<Complex32>,
    pub(super) complex64: LaneArrays<Complex64>,
    pub(super) narrow: LaneArrays<i32>,
    pub(super) wide: LaneArrays<i64>,
    pub(super) bits: LaneArrays<Bit>,
    pub(super) residues: LaneArrays<Residue>,
    pub(super) narrow_rows: LaneArrays<ReducedEquation<f32>>,
    pub(super) wide_rows: LaneArrays<ReducedEquation<f64>>,
    pub(super) words: LaneArrays<Word>,
}

impl LaneMemory {
    /// Whether nothing was copied here yet.
    pub(super) fn is_empty(&self) -> bool {
        self.bytes() == 0
    }

    /// Frees the memory after the run of a plan, if it is larger than what is kept.
    pub(super) fn trim(&mut self, plan: &Plan) {
        let needed = 2 * plan.lanes * size_of::<Complex64>();
        if self.bytes() > (MOST_TIMES * needed).clamp(KEPT_BYTES, MOST_KEPT_BYTES) {
            *self = Self::default();
        }
    }

    fn bytes(&self) -> usize {
        let lanes = [self.single.bytes(), self.double.bytes(), self.complex32.bytes(), self.complex64.bytes()];
        let exact = [self.narrow.bytes(), self.wide.bytes(), self.bits.bytes(), self.residues.bytes(), self.words.bytes()];
        let rows = [self.narrow_rows.bytes(), self.wide_rows.bytes()];
        lanes.into_iter().chain(exact).chain(rows).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::lanes::Lanes;
    use crate::transforms::{Parameters, Shape, transform};

    #[test]
    fn memory_for_a_long_run_is_freed_after_a_short_one() {
        let plan = |n: usize| {
            let algorithm = transform("walsh").and_then(|walsh| walsh.algorithm("cooley-tukey")).expect("it is in the table");
            algorithm.plan_fn().expect("it is a plan")(Shape::line(n), Parameters::default()).expect("a power of two")
        };
        let (long, short, mut memory) = (plan(1 << 24), plan(16), LaneMemory::default());
        Lanes::Double(vec![0.0; long.inputs]).bring(&mut memory, &long);
        memory.trim(&long);
        assert!(memory.bytes() > KEPT_BYTES, "the next run of the same length needs no new memory");
        Lanes::Double(vec![0.0; short.inputs]).bring(&mut memory, &short);
        memory.trim(&short);
        assert!(memory.is_empty());
    }
}
