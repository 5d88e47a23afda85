//! Bit-packed plans over GF(2): a lane is a word with one value per bit, and word operations process all values at once.

use super::{Coef, Loop, Plan, ReadPattern, Ring, Stage, WritePattern};

/// A plan of Reed-Muller steps on bit-packed words.
#[derive(Debug, Clone, PartialEq)]
pub struct BitPackedPlan {
    /// The steps between words, with a word per lane.
    pub plan: Plan,
    /// Values per word, a power of two, the first at bit 0. The steps within words follow the plan.
    pub bits: usize,
}

impl Plan {
    /// The same plan for words of `bits` values.
    /// `None` unless the plan consists of Reed-Muller steps on all lanes, first some between words and then those within words.
    pub fn bit_packed(&self, bits: usize) -> Option<BitPackedPlan> {
        let n_within = bits.ilog2() as usize;
        let n_between = self.stages.len().checked_sub(n_within).filter(|&n| n > 0)?;
        let is_whole = self.ring == Ring::Gf2 && (self.inputs, self.outputs) == (self.lanes, self.lanes) && self.lanes.is_multiple_of(bits);
        let distance = |stage: &Stage| {
            stage.kronecker_step().filter(|step| step.lanes == self.lanes && is_reed_muller(stage)).map(|step| step.distance)
        };
        let (between, within) = self.stages.split_at(n_between);
        let fits = is_whole
            && between.iter().all(|stage| distance(stage).is_some_and(|distance| distance >= bits))
            && within.iter().enumerate().all(|(index, stage)| distance(stage) == Some((bits / 2) >> index));
        let plan = || Plan {
            lanes: self.lanes / bits,
            inputs: self.inputs / bits,
            outputs: self.outputs / bits,
            stages: between.iter().map(|stage| on_words(stage, bits)).collect(),
            ..self.clone()
        };
        fits.then(|| BitPackedPlan { plan: plan(), bits })
    }
}

fn is_reed_muller(stage: &Stage) -> bool {
    stage.matrix().coefs == [1.0, 0.0, 1.0, 1.0].map(Coef::Real)
}

/// The same step between words instead of values.
fn on_words(stage: &Stage, bits: usize) -> Stage {
    Stage {
        outer: Loop { n: stage.outer.n, read: stage.outer.read / bits, write: stage.outer.write / bits },
        positions: stage.positions / bits,
        read: ReadPattern { hop: stage.read.hop / bits as i64, len: stage.read.len / bits, ..stage.read },
        write: WritePattern { hop: stage.write.hop / bits, ..stage.write },
        ..stage.clone()
    }
}
