//! Which launches the Kronecker kernel supports, and what a workgroup takes.

use super::BUSY_GROUPS;
use crate::gpu::limits::Limits;
use crate::plan::shapes::{KroneckerStage, ProductStage, ScalingStage};
use crate::plan::{Coef, Operation, Plan, Precision, Ring, Stage};
use crate::schedule::{Launch, Tile};
use std::ops::Range;

/// Bits that number the threads of a workgroup: 256 threads, which every adapter has.
const THREAD_BITS: usize = 8;
/// The same for a run of consecutive lanes that is one bit longer, on adapters that allow 512 threads. It saves rows of that length a second launch, and longer rows a third.
const MORE_THREAD_BITS: usize = 9;
/// Lanes from which a run may take more threads, and registers, to be one launch.
const LARGE: usize = 1 << 20;
/// Bytes that a thread holds: the least, and the most.
const BYTES_OF_A_THREAD: [usize; 2] = [32, 256];
/// Bytes of workgroup memory of 256 threads: three such workgroups fit in the 48 KiB that drivers leave to a processor.
const EXCHANGE_BYTES: usize = 17 << 10;

/// A run of Kronecker stages, as found in a plan.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct KroneckerRun {
    pub(super) ring: Ring,
    /// The matrix of every stage, row after row.
    pub(super) base: [f64; 4],
    /// The normalisation: a factor of every result.
    pub(super) scale: f64,
    /// Number of bits of the run, and the lowest of them.
    pub(super) bits: usize,
    pub(super) lowest: usize,
    /// The run takes lanes 0 to here.
    pub(crate) lanes: usize,
    /// Bits that number the threads of a workgroup.
    pub(super) thread_bits: usize,
    /// The distance to the lane that multiplies a lane before the first stage.
    pub(super) factor: Option<usize>,
}

/// The constants of one kernel: what a workgroup does.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct KroneckerShape {
    /// The type of a lane.
    pub(crate) ring: Ring,
    /// The matrix, row after row.
    pub(super) base: [f64; 4],
    /// The factor of every result at the end.
    pub(super) scale: f64,
    /// Bits of the run.
    pub(super) bits: usize,
    /// The lowest bit of the run.
    pub(super) lowest: usize,
    /// Bits of a tile index below those of the run: neighbouring lines.
    pub(super) lines: usize,
    /// Bits of a tile index above those of the run: neighbouring blocks of consecutive lanes.
    pub(super) blocks: usize,
    /// Bits that number the registers of a thread.
    pub(super) values: usize,
    /// Bits that number the rounds of an exchange.
    pub(super) rounds: usize,
    /// Whether the last tile is not full.
    pub(super) guarded: bool,
    /// Whether results go where the lanes came from.
    pub(crate) in_place: bool,
    /// The distance to the lane that multiplies a lane when it is read.
    pub(super) factor: Option<usize>,
    /// Bits of a thread's number that give its index in its subgroup; 0 where threads only exchange through workgroup memory.
    pub(super) subgroup: usize,
}

/// Recognises stages with one matrix on adjacent bits, from the highest down, perhaps with a product before them and a factor behind them.
pub(crate) fn recognise(plan: &Plan, range: Range<usize>, limits: Limits) -> Option<KroneckerRun> {
    let stages = &plan.stages[range.clone()];
    if matches!(plan.ring, Ring::Complex | Ring::Prime(_)) || range.clone().any(|stage| plan.carries(stage)) {
        return None;
    }
    let (factor, stages) = match stages.split_first()? {
        (first, rest) if !rest.is_empty() && matches!(first.operation, Operation::Product { .. }) => (Some(ProductStage::of(first)?), rest),
        _ => (None, stages),
    };
    let (steps, scaling) = match stages.split_last()? {
        (last, before) if !before.is_empty() && last.matrix().rows == 1 => (before, Some(ScalingStage::of(last)?)),
        _ => (stages, None),
    };
    let first = KroneckerStage::of(&steps[0])?;
    let (lanes, top) = (first.lanes, first.distance);
    let follows = |(index, stage): (usize, &Stage)| {
        KroneckerStage::of(stage).is_some_and(|step| (KroneckerStage { distance: step.distance << index, ..step }) == first)
    };
    // The scaling, and the products, must cover exactly the lanes of the stages.
    let is_product = |product: ProductStage| product == ProductStage { rows: 1, lanes, conjugated: false, ..product };
    let same_lanes = scaling.is_none_or(|scaling| scaling.lanes == lanes) && factor.is_none_or(is_product);
    if !same_lanes || !steps.iter().enumerate().all(follows) {
        return None;
    }
    let base = matrix(first.base, plan.ring)?;
    let scale = scaling.map_or(Some(1.0), |scaling| number(scaling.factor, plan.ring))?;
    let factor = factor.map(|product| product.distance);
    let lowest = top.ilog2() as usize + 1 - steps.len();
    let run = KroneckerRun { ring: plan.ring, base, scale, bits: steps.len(), lowest, lanes, factor, thread_bits: THREAD_BITS };
    let longer = lanes >= LARGE && lowest == 0 && run.bits == MORE_THREAD_BITS + run.values();
    let thread_bits = if longer && limits.max_invocations >= 1 << MORE_THREAD_BITS { MORE_THREAD_BITS } else { THREAD_BITS };
    Some(KroneckerRun { thread_bits, ..run })
}

/// The kernel of a launch and its uniforms (workgroups, lanes that the launch takes, 0); `None` where the launch is unsupported.
pub(crate) fn kernel_of(plan: &Plan, launch: &Launch, in_place: bool, limits: Limits) -> Option<(KroneckerShape, [u32; 3])> {
    let run = recognise(plan, launch.stages.clone(), limits)?;
    let serves = match launch.tile {
        Tile::Block { .. } => run.is_consecutive(),
        Tile::Strided { points, stride, lines, mirrored: false } => {
            run.points_and_stride() == [points, stride] && run.lines() == Some(lines)
        }
        _ => false,
    };
    let shape = run.shape(in_place, limits).filter(|_| serves)?;
    let n_groups = run.lanes.div_ceil(shape.lanes());
    Some((shape, [n_groups as u32, run.lanes as u32, 0]))
}

fn matrix(base: [Coef; 4], ring: Ring) -> Option<[f64; 4]> {
    let numbers: Vec<f64> = base.iter().map(|&coef| number(coef, ring)).collect::<Option<_>>()?;
    numbers.try_into().ok().filter(|base: &[f64; 4]| ring == Ring::Real || base.iter().all(|x| x.fract() == 0.0))
}

/// A coefficient that kernels represent exactly enough: single precision holds it, and over exact rings it is an integer or the reciprocal of one.
fn number(coef: Coef, ring: Ring) -> Option<f64> {
    let value = coef.real()?;
    let normal = value == 0.0 || (value as f32).is_normal();
    let kept =
        !ring.is_exact() || f64::from(value as f32) == value && (coef.integer().is_some() || coef.divisor().is_some()) && value.abs() < 2e9;
    (normal && kept).then_some(value)
}

impl KroneckerRun {
    /// Points of a line, and how far apart they are.
    pub(crate) fn points_and_stride(&self) -> [usize; 2] {
        [1 << self.bits, 1 << self.lowest]
    }

    /// Bits of a tile index.
    pub(super) fn tile_bits(&self) -> usize {
        let most = self.thread_bits + self.values();
        most.min(self.lanes.next_power_of_two().ilog2() as usize)
    }

    /// Bits that number the registers of a thread. More registers save launches; fewer let [`BUSY_GROUPS`] workgroups share a small array.
    /// A run of consecutive lanes is as long as one launch allows. A small array takes at most half of them, because its two launches are faster
    /// than one workgroup: on an NVIDIA H200, 2^14 words of bits take 6.2 µs in one workgroup and 5.0 µs in two launches.
    fn values(&self) -> usize {
        let [least, most] = BYTES_OF_A_THREAD.map(|bytes| (bytes / self.ring.bytes_per_lane()).ilog2() as usize);
        let shared = (self.lanes / (BUSY_GROUPS << self.thread_bits)).max(1).ilog2() as usize;
        let needed = if self.lowest == 0 { self.bits.saturating_sub(self.thread_bits) } else { 0 };
        let needed = if self.lanes < LARGE { needed.min(most - 1) } else { needed };
        shared.max(needed).clamp(least, most)
    }

    /// The workgroups that keep a device busy, over those that there are; at least 1.
    pub(crate) fn idle(&self) -> f64 {
        (BUSY_GROUPS as f64 * (1_u64 << self.tile_bits()) as f64 / self.lanes as f64).max(1.0)
    }

    /// Whether a workgroup has more threads than others.
    pub(crate) fn is_wide(&self) -> bool {
        self.thread_bits > THREAD_BITS
    }

    /// The most lines that a tile holds; `None` where it cannot hold one.
    pub(super) fn lines(&self) -> Option<usize> {
        Some(1 << self.tile_bits().checked_sub(self.bits)?)
    }

    /// Whether a tile is a run of consecutive lanes.
    pub(crate) fn is_consecutive(&self) -> bool {
        self.bits + self.lowest <= self.tile_bits()
    }

    /// The kernel whose tiles are as large as they can be; `None` where the device cannot run it.
    pub(crate) fn shape(&self, in_place: bool, limits: Limits) -> Option<KroneckerShape> {
        if (self.ring, limits.precision) == (Ring::Real, Precision::Double) {
            return None;
        }
        let free = self.tile_bits().checked_sub(self.bits)?;
        let lines = free.min(self.lowest);
        let mut shape = KroneckerShape {
            ring: self.ring,
            base: self.base,
            scale: self.scale,
            bits: self.bits,
            lowest: self.lowest,
            lines,
            blocks: free - lines,
            values: self.values().min(self.tile_bits()),
            rounds: 0,
            guarded: !self.lanes.is_multiple_of(1 << self.tile_bits()),
            in_place,
            factor: self.factor,
            subgroup: 0,
        };
        // Shuffles move 4 bytes, and only whole subgroups are numbered as their threads are.
        if self.ring.bytes_per_lane() == 4 && shape.threads().is_multiple_of(limits.subgroup) {
            shape.subgroup = limits.subgroup.ilog2() as usize;
        }
        let budget = (EXCHANGE_BYTES << (self.thread_bits - THREAD_BITS)).min(limits.workgroup_bytes);
        while shape.workgroup_bytes() > budget && shape.rounds + 1 < shape.values {
            shape.rounds += 1;
        }
        let fits = shape.threads() <= limits.max_invocations && shape.workgroup_bytes() <= limits.workgroup_bytes;
        // A tile that is not consecutive must be full: its lines fill the blocks between two points.
        (fits && (shape.is_consecutive() || !shape.guarded && shape.blocks == 0)).then_some(shape)
    }
}

impl KroneckerShape {
    /// Bits of a tile index.
    pub(super) fn tile(&self) -> usize {
        self.lines + self.bits + self.blocks
    }

    pub(super) fn is_consecutive(&self) -> bool {
        self.lines == self.lowest
    }

    /// Lanes of a tile.
    pub(crate) fn lanes(&self) -> usize {
        1 << self.tile()
    }

    /// Threads of a workgroup.
    pub(crate) fn threads(&self) -> usize {
        1 << (self.tile() - self.values)
    }

    /// Elements in workgroup memory: one round of an exchange.
    pub(super) fn workgroup_values(&self) -> usize {
        let round = 1 << (self.tile() - self.rounds);
        round + round / 32
    }

    /// Workgroup memory, in bytes.
    pub(crate) fn workgroup_bytes(&self) -> usize {
        self.workgroup_values() * self.ring.bytes_per_lane()
    }
}
