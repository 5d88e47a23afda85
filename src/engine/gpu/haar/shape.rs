//! Which launches the Haar kernel supports, and what a workgroup takes.

use crate::gpu::limits::Limits;
use crate::plan::shapes::HaarStage;
use crate::plan::{Direction, IntegerWidth, Plan, Precision, Ring, Stage};
use crate::schedule::{Launch, Tile};
use serde::Serialize;
use std::ops::Range;

/// The most threads of a workgroup.
const MOST_THREADS: usize = 256;
/// Bits that number the lanes of a block: four vectors of four for each of 256 threads.
const MOST_BITS: usize = 12;

/// The constants of one kernel.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct HaarShape {
    /// The type of a lane.
    #[serde(skip)]
    pub(crate) ring: Ring,
    /// To sums and differences, or back.
    pub(crate) direction: Direction,
    /// The factor of every sum and every difference.
    pub(super) factor: f64,
    /// Bits that number the lanes of a block.
    pub(super) bits: usize,
    /// Levels within a block, at most one for each bit.
    pub(super) levels: usize,
    /// Whether results go where the lanes came from.
    pub(crate) in_place: bool,
}

/// A shape with what follows from it.
#[derive(Serialize)]
pub(super) struct HaarData<'a> {
    #[serde(flatten)]
    shape: &'a HaarShape,
    threads: usize,
    /// Vectors of four lanes that a thread takes of a block.
    vectors: usize,
    exchanged: usize,
}

impl<'a> HaarData<'a> {
    pub(super) fn new(shape: &'a HaarShape) -> Self {
        let threads = shape.threads();
        Self { shape, threads, vectors: (1 << (shape.bits - 2)) / threads, exchanged: shape.exchanged() }
    }
}

/// A run of levels, as found in a plan.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct HaarRun {
    pub(crate) shape: HaarShape,
    /// Lanes of a row, and lanes that the first level reads.
    pub(crate) row: usize,
    pub(crate) active: usize,
    /// Workgroups of all rows.
    pub(crate) n_groups: usize,
}

/// The parameters of a level whose pairs are a power of two, and whose factor single precision holds.
fn level(stage: &Stage, lanes: usize, direction: Direction) -> Option<HaarStage> {
    let is_regular = |level: &HaarStage| level.pairs.is_power_of_two() && (level.factor as f32).is_normal();
    HaarStage::of(stage, lanes, direction).filter(is_regular)
}

/// Recognises levels that follow one another, all of which a workgroup can take of its block.
///
/// Forward, the first launch reads the input and writes every lane to the output. Later launches take the remaining sums of a row in a single block, and write where they read.
/// In the inverse, one launch takes all levels, and writes every lane to the output.
pub(crate) fn recognise(plan: &Plan, stages: Range<usize>, in_place: bool, limits: Limits) -> Option<HaarRun> {
    let single = limits.precision == Precision::Single;
    if !single
        || !matches!(plan.ring, Ring::Real | Ring::Integer(IntegerWidth::Bits32))
        || (plan.inputs, plan.outputs) != (plan.lanes, plan.lanes)
    {
        return None;
    }
    let run = &plan.stages[stages];
    let forward = level(&run[0], plan.lanes, Direction::Forward).is_some();
    let direction = if forward { Direction::Forward } else { Direction::Inverse };
    let begin @ HaarStage { row, pairs, factor, .. } = level(&run[0], plan.lanes, direction)?;
    let first = 2 * pairs;
    let follows = |(i, stage): (usize, &Stage)| {
        let pairs = if forward { pairs >> i } else { pairs << i };
        level(stage, plan.lanes, direction) == Some(HaarStage { pairs, ..begin })
    };
    let active = if forward { first } else { row };
    let bits = MOST_BITS.min(active.ilog2() as usize);
    let levels = run.len().min(bits);
    let alone = active == 1 << bits;
    let separate = match direction {
        // In place, only the single block of a row overwrites nothing that another block reads; elsewhere every lane must be written.
        Direction::Forward => run.len() == levels && if in_place { alone } else { active == row },
        Direction::Inverse => run.len() == row.ilog2() as usize && first == 2,
    };
    let exact = plan.ring == Ring::Real || factor == 1.0;
    let n_groups = plan.lanes / row * (active >> bits);
    let in_place = in_place && forward;
    let shape = HaarShape { ring: plan.ring, direction, factor, bits, levels, in_place };
    let fits = bits >= 2 && shape.threads() <= limits.max_invocations && shape.workgroup_bytes() <= limits.workgroup_bytes;
    (run.iter().enumerate().all(follows) && separate && exact && fits).then_some(HaarRun { shape, row, active, n_groups })
}

/// The kernel of a launch and its uniforms (workgroups, lanes of a row, active lanes of it); `None` where the launch is unsupported.
pub(crate) fn kernel_of(plan: &Plan, launch: &Launch, in_place: bool, limits: Limits) -> Option<(HaarShape, [u32; 3])> {
    let run = recognise(plan, launch.stages.clone(), in_place, limits).filter(|run| run.tile() == launch.tile)?;
    Some((run.shape, [run.n_groups, run.row, run.active].map(|n| n as u32)))
}

impl HaarRun {
    /// A block, or the whole row with the lanes that keep their value.
    pub(crate) fn tile(&self) -> Tile {
        let lanes = if self.shape.in_place { self.row } else { 1 << self.shape.bits };
        match self.shape.direction {
            Direction::Forward => Tile::Spread { lanes },
            Direction::Inverse => Tile::Cone { lanes },
        }
    }
}

impl HaarShape {
    pub(super) fn threads(&self) -> usize {
        (1 << (self.bits - 2)).min(MOST_THREADS)
    }

    /// Elements of one of the two areas of workgroup memory: vectors of four sums forward, single sums in the inverse.
    pub(super) fn exchanged(&self) -> usize {
        match self.direction {
            Direction::Forward => ((1 << self.bits) / 16).max(1),
            // A single level leaves two.
            Direction::Inverse => ((1 << self.bits) / 4).max(2),
        }
    }

    pub(super) fn workgroup_bytes(&self) -> usize {
        match self.direction {
            Direction::Forward => 2 * 16 * self.exchanged(),
            // Beside the areas are the differences above the block.
            Direction::Inverse => 4 * (2 * self.exchanged() + u32::BITS as usize),
        }
    }
}
