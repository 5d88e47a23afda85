//! The fast kernel of cyclic reduction: a workgroup reduces a block of rows, and launches leave only a row a block in global memory.
//!
//! After k levels a row depends on the rows of its own block of 2^k and of the next one, and the two parts add up. So blocks reduce on their own (H. H. Wang, A parallel method for tridiagonal equations, 1981).
//! The rows in between are not kept: the substitution reads the block again.

use super::family::{Family, KernelDispatch, LaunchQuery};
use super::kernel::Kernel;
use super::limits::Limits;
use super::tables::Tables;
use crate::plan::shapes::cyclic_reduction;
use crate::plan::{Plan, Precision, Ring};
use crate::schedule::{Launch, Schedule, Tile};
use serde::Serialize;
use serde_json::json;
use std::ops::Range;

/// Threads of a workgroup that is one of many.
const THREADS: usize = 128;
/// Rows of a thread of such a workgroup, which fill its registers. With more rows a thread, threads have fewer reduced equations to join.
const ROWS: usize = 16;
/// Rows of such a workgroup.
const BLOCK: usize = THREADS * ROWS;
/// The most rows of a thread of a single workgroup.
const MOST_ROWS: usize = 16;
/// The most threads of a single workgroup.
const MOST_THREADS: usize = 1024;

/// Rows that are read twice and a quarter of them written, beside a copy.
const ROWS_TWICE: f64 = 1.3;

/// Levels of cyclic reduction, in blocks.
pub(super) struct Tridiagonal;

impl Family for Tridiagonal {
    fn dispatch(&self, query: LaunchQuery<'_>, _: &mut Tables) -> Option<KernelDispatch> {
        let launch = launches(query.plan, query.schedule, query.limits)?.into_iter().nth(query.index)?;
        let precision = query.limits.precision;
        let TridiagonalShape { phase, reduced, threads, rows, .. } = launch.shape;
        let (held, exchanges, levels) = (launch.shape.held(), launch.shape.exchanges(), threads.ilog2());
        let data = json!({
            "phase": phase, "reduced": reduced, "threads": threads, "rows": rows, "levels": levels, "held": held, "exchanges": exchanges,
        });
        let kernel = Kernel::new("tridiagonal", "tridiagonal.wgsl", Ring::Equation, data);
        // The unknowns come out, one real number a lane.
        let (bytes, leaves) = (Some(launch.bytes), Some(Ring::Real));
        Some(KernelDispatch { bytes, leaves, ..KernelDispatch::of(Kernel { precision, reads_input: true, ..kernel }, launch.uniforms) })
    }

    fn schedule(&self, plan: &Plan, limits: Limits) -> Option<(Schedule, f64)> {
        schedule(plan, limits).map(|schedule| (schedule, ROWS_TWICE))
    }
}

/// The constants of one kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
struct TridiagonalShape {
    /// How numbers are held.
    precision: Precision,
    phase: Phase,
    /// Whether the system is the result of a reduction, and not the rows of the input.
    reduced: bool,
    threads: usize,
    rows: usize,
}

/// The task of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
enum Phase {
    /// Blocks leave a row each.
    Reduce,
    /// A single workgroup solves the reduced system.
    Whole,
    /// Blocks find the unknowns between their last rows.
    Substitute,
}

/// One launch: its kernel, the system in which it works, and its stages.
struct PlannedLaunch {
    shape: TridiagonalShape,
    /// How often blocks have reduced the system that it reads.
    depth: usize,
    stages: Range<usize>,
}

/// The number of rows, if the plan is the cyclic reduction of one system.
fn recognise(plan: &Plan) -> Option<usize> {
    let n = plan.lanes;
    let is_whole = plan.ring == Ring::Equation && (plan.inputs, plan.outputs) == (n, n) && plan.output.is_natural();
    // A single row needs no reduction.
    (n > 1 && is_whole && plan.stages == cyclic_reduction(n)).then_some(n)
}

/// The launches of a plan of `n` rows; `None` where the device does not run them.
fn planned(n: usize, n_stages: usize, limits: Limits) -> Option<Vec<PlannedLaunch>> {
    let precision = limits.precision;
    let most_threads = MOST_THREADS.min(1 << limits.max_invocations.checked_ilog2()?);
    let sizes: Vec<usize> = std::iter::successors(Some(n), |&n| (n > MOST_ROWS * most_threads).then(|| n.div_ceil(BLOCK))).collect();
    let (depth, left) = (sizes.len() - 1, sizes[sizes.len() - 1]);
    // All threads of a workgroup have work before any of them takes more rows.
    let threads = left.div_ceil(4).next_power_of_two().min(most_threads);
    let rows = left.div_ceil(threads).next_power_of_two().max(4);
    let levels = BLOCK.ilog2() as usize;
    let many = |phase, depth: usize| TridiagonalShape { precision, phase, reduced: depth > 0, threads: THREADS, rows: ROWS };
    let mut planned: Vec<PlannedLaunch> = (0..depth)
        .map(|depth| PlannedLaunch { shape: many(Phase::Reduce, depth), depth, stages: levels * depth..levels * (depth + 1) })
        .collect();
    let whole = TridiagonalShape { precision, phase: Phase::Whole, reduced: depth > 0, threads, rows };
    planned.push(PlannedLaunch { shape: whole, depth, stages: levels * depth..n_stages - levels * depth });
    planned.extend((0..depth).rev().map(|depth| PlannedLaunch {
        shape: many(Phase::Substitute, depth),
        depth,
        stages: n_stages - levels * (depth + 1)..n_stages - levels * depth,
    }));
    let fits = |shape: &TridiagonalShape| shape.threads <= limits.max_invocations && shape.workgroup_bytes() <= limits.workgroup_bytes;
    planned.iter().all(|step| fits(&step.shape)).then_some(planned)
}

/// The schedule of a plan for this kernel, if it supports it.
fn schedule(plan: &Plan, limits: Limits) -> Option<Schedule> {
    let n = recognise(plan)?;
    let tile = |shape: &TridiagonalShape| match shape.phase {
        Phase::Whole => Tile::Block { lanes: n },
        Phase::Reduce | Phase::Substitute => Tile::Partition { lanes: BLOCK },
    };
    let launches = planned(n, plan.stages.len(), limits)?;
    Some(Schedule {
        launches: launches.into_iter().map(|step| Launch { tile: tile_at(&step, tile(&step.shape)), stages: step.stages }).collect(),
    })
}

/// The tile in rows of the plan: after every reduction a row stands for a block of rows.
fn tile_at(step: &PlannedLaunch, tile: Tile) -> Tile {
    match tile {
        Tile::Partition { lanes } => Tile::Partition { lanes: lanes.pow(step.depth as u32 + 1) },
        other => other,
    }
}

/// One launch of the kernel, as lowering needs it.
struct TridiagonalLaunch {
    /// The kernel.
    shape: TridiagonalShape,
    /// Number of workgroups, and the other uniforms.
    uniforms: [u32; 6],
    /// Bytes that it moves through global memory.
    bytes: u64,
}

/// The launches of a plan that is scheduled for this kernel. They read the input, and the result is one real number a lane.
fn launches(plan: &Plan, schedule: &Schedule, limits: Limits) -> Option<Vec<TridiagonalLaunch>> {
    if self::schedule(plan, limits).as_ref() != Some(schedule) {
        return None;
    }
    let n = plan.lanes;
    let planned = planned(n, plan.stages.len(), limits)?;
    let offsets = SystemOffsets::new(n, &planned);
    let bytes = limits.precision.widening(Ring::Real) as u64;
    let launch = |PlannedLaunch { shape, depth, .. }: PlannedLaunch| {
        let size = offsets.sizes[depth];
        let n_groups = size.div_ceil(shape.threads * shape.rows);
        let [source, reduced, solved] = [offsets.equations[depth], offsets.equations_of(depth + 1), offsets.unknowns_of(depth + 1)];
        let read = if depth == 0 { 16 * size } else { 32 * size };
        let written = if shape.phase == Phase::Reduce { 32 * n_groups } else { 4 * size };
        let uniforms = [n_groups, size, source, reduced, solved, offsets.unknowns[depth]].map(|number| number as u32);
        TridiagonalLaunch { shape, uniforms, bytes: bytes * (read + written) as u64 }
    };
    Some(planned.into_iter().map(launch).collect())
}

/// Where the systems are in the output, in vectors of four numbers: the unknowns of the plan first, then each reduced system and its unknowns.
struct SystemOffsets {
    sizes: Vec<usize>,
    equations: Vec<usize>,
    unknowns: Vec<usize>,
}

impl SystemOffsets {
    fn new(n: usize, planned: &[PlannedLaunch]) -> Self {
        let depth = planned.iter().map(|step| step.depth).max().unwrap_or(0);
        let sizes: Vec<usize> = std::iter::successors(Some(n), |&n| Some(n.div_ceil(BLOCK))).take(depth + 1).collect();
        let (mut equations, mut unknowns, mut end) = (vec![0], vec![0], n.div_ceil(4));
        for size in &sizes[1..] {
            equations.push(end);
            unknowns.push(end + 2 * size);
            end += 2 * size + size.div_ceil(4);
        }
        Self { sizes, equations, unknowns }
    }

    fn equations_of(&self, depth: usize) -> usize {
        self.equations.get(depth).copied().unwrap_or(0)
    }

    fn unknowns_of(&self, depth: usize) -> usize {
        self.unknowns.get(depth).copied().unwrap_or(0)
    }
}

impl TridiagonalShape {
    /// One reduced equation of four numbers for every thread; in the end an unknown takes the fourth number's memory.
    fn workgroup_bytes(&self) -> usize {
        4 * self.held() * self.precision.widening(Ring::Real)
    }

    /// Values in workgroup memory: a reduced equation a thread, or one number of every row, padded against bank conflicts.
    fn held(&self) -> usize {
        (4 * self.threads).max(if self.exchanges() { self.threads * (self.rows + 1) } else { 0 })
    }

    /// Whether rows and unknowns are loaded and stored in long runs, and exchanged through workgroup memory. A single workgroup, whose rows are in a cache, is faster without.
    fn exchanges(&self) -> bool {
        self.phase != Phase::Whole
    }
}
