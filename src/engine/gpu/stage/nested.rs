//! A run of stages in place whose butterflies nest, such as the steps of a Haar transform: a thread takes several stages of a few lanes in registers.

use super::banks::{RESIDUES, places};
use super::kernel_of;
use super::sides::Side;
use super::steps::{ButterflyText, StepText};
use super::sums::Register;
use crate::gpu::kernel::Kernel;
use crate::gpu::limits::Limits;
use crate::plan::shapes::LevelOrderStage;
use crate::plan::{Coef, Direction, Operation, Plan, Ring, Stage};
use serde::Serialize;
use std::collections::BTreeSet;

/// Threads of a workgroup.
const THREADS: usize = 256;
/// The most lanes that a thread holds, and their most bytes.
const MOST_HELD: usize = 16;
const MOST_BYTES: usize = 128;
/// The fewest lanes of a tile. In smaller ones most threads would idle, and a step after the other is easier to read.
const LEAST_TILE: usize = 1024;

/// The variables of `nested.wgsl`.
#[derive(Serialize)]
struct NestedText {
    complex: bool,
    real: &'static str,
    register: String,
    threads: usize,
    tile: usize,
    spacing: usize,
    places: usize,
    residues: u32,
    n_guarded: Option<usize>,
    rounds: Vec<Round>,
    /// The inverse of the permutation that comes last: bits of a lane, and what follows their reversal.
    order: Option<(u32, &'static str)>,
}

/// The stages that threads take before they wait for each other.
#[derive(Serialize)]
struct Round {
    /// Threads that take part.
    n: usize,
    /// Neighbouring lanes of the tile that belong to a thread.
    unit: usize,
    /// Which of these it holds.
    held: Vec<usize>,
    steps: Vec<StepText>,
}

/// A stage with one butterfly in each block of lanes.
struct Nest<'a> {
    stage: &'a Stage,
    block: usize,
    taps: Vec<usize>,
}

/// The kernel of stages on every `spacing`-th lane of a plan, in tiles of `tile` lanes; `None` where their butterflies do not nest.
pub(super) fn nested(plan: &Plan, run: &[Stage], [tile, spacing]: [usize; 2], limits: Limits) -> Option<Kernel> {
    let register = Register { ring: plan.ring, precision: limits.precision, width: 1 };
    let lanes = plan.lanes / spacing;
    let (steps, order) = match run {
        [steps @ .., last] if last.write.scatters() => (steps, Some(inverse_order(last, tile)?)),
        steps => (steps, None),
    };
    let nests: Vec<Nest<'_>> = steps.iter().map(|stage| Nest::of(stage, lanes)).collect::<Option<_>>()?;
    let n_tiles = lanes / tile;
    let text = NestedText {
        complex: register.is_complex(),
        real: register.real(),
        register: register.name(),
        threads: THREADS.min(limits.max_invocations).min(tile),
        tile,
        spacing,
        places: places(tile, RESIDUES),
        residues: RESIDUES,
        n_guarded: (n_tiles > limits.max_groups).then_some(n_tiles),
        rounds: rounds(&nests, tile, register),
        order,
    };
    let suits = tile.is_power_of_two()
        && tile >= LEAST_TILE
        && plan.ring != Ring::Equation
        && plan.ring.field().is_none()
        && !text.rounds.is_empty();
    suits.then(|| kernel_of("nested.wgsl", plan, limits, text))
}

/// The inverse of a permutation of rows, if a tile holds rows: bits of a lane, and what follows their reversal.
fn inverse_order(stage: &Stage, tile: usize) -> Option<(u32, &'static str)> {
    let LevelOrderStage { n_bits, direction, .. } = LevelOrderStage::of(stage)?;
    let inverse = if direction == Direction::Forward { "above" } else { "below" };
    tile.is_multiple_of(1 << n_bits).then_some((n_bits, inverse))
}

impl<'a> Nest<'a> {
    /// A stage in place with a single butterfly in each block, without twiddles and with real coefficients.
    fn of(stage: &'a Stage, lanes: usize) -> Option<Self> {
        let matrix = stage.matrix();
        let is_plain = matches!(stage.operation, Operation::Linear(_)) && stage.twiddle.is_none() && matrix.taps <= MOST_HELD;
        let is_alone = stage.positions == 1 && stage.group.n == 1 && stage.writes_its_taps();
        let is_real = |coef: &Coef| coef.value().im == 0.0;
        if !is_plain || !is_alone || !matrix.coefs.iter().all(is_real) {
            return None;
        }
        let side = Side::of_taps(stage);
        let taps = (0..matrix.taps).map(|k| (side.origin + k as i64 * side.hop) as usize).collect();
        Some(Self { stage, block: stage.block(lanes)?, taps })
    }

    /// The lanes of its butterflies among `unit` lanes.
    fn butterflies(&self, unit: usize) -> impl Iterator<Item = Vec<usize>> {
        (0..unit / self.block).map(|index| self.taps.iter().map(|tap| index * self.block + tap).collect())
    }
}

/// The stages whose lanes a thread can hold, then those behind them.
fn rounds(nests: &[Nest<'_>], tile: usize, register: Register) -> Vec<Round> {
    let most = MOST_HELD.min(MOST_BYTES / register.bytes());
    let mut rounds = Vec::new();
    let mut rest = nests;
    while !rest.is_empty() {
        let fits = |n: &usize| round(&rest[..*n], tile, register).is_some_and(|round| round.held.len() <= most);
        let n = (2..=rest.len()).take_while(fits).last().unwrap_or(1);
        rounds.extend(round(&rest[..n], tile, register));
        rest = &rest[n..];
    }
    rounds
}

/// Stages whose blocks divide each other, on the lanes of the largest block; `None` where they do not.
fn round(nests: &[Nest<'_>], tile: usize, register: Register) -> Option<Round> {
    let unit = nests.iter().map(|nest| nest.block).max()?;
    if nests.iter().any(|nest| !unit.is_multiple_of(nest.block)) {
        return None;
    }
    let held: BTreeSet<usize> = nests.iter().flat_map(|nest| nest.butterflies(unit)).flatten().collect();
    let held: Vec<usize> = held.into_iter().collect();
    let at = |lane: &usize| held.partition_point(|other| other < lane);
    let step = |nest: &Nest<'_>| {
        let butterfly = |taps: Vec<usize>| ButterflyText::linear(nest.stage.matrix(), register, &taps.iter().map(at).collect::<Vec<_>>());
        StepText { label: nest.stage.label.clone(), butterflies: nest.butterflies(unit).map(butterfly).collect() }
    };
    let steps = nests.iter().map(step).collect();
    Some(Round { n: tile / unit, unit, held, steps })
}
