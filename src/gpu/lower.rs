//! From a plan and a schedule to commands, as plain data: which kernel with which constants and uniforms, how many workgroups, which buffers.
//!
//! Nothing here touches a device, so that everything can be tested without one.
//! The fast kernels are chosen here, by the shape of a launch's stages; [`KernelChoice::Generic`] forbids them.

use super::command::{Command, Lowered, Slot, folded_groups};
use super::error::LowerError;
use super::families::FAMILIES;
use super::family::{KernelDispatch, LaunchQuery};
use super::kernel::Kernel;
use super::kronecker;
use super::limits::Limits;
use super::tables::{StageRecord, Tables, rounded_coef};
use crate::plan::{BitPackedPlan, Plan, Precision, Ring, Stage};
use crate::schedule::{Launch, Schedule, SectionKind, Tile};
use serde_json::json;

/// Threads of a workgroup of the generic kernels.
const THREADS: usize = 256;
/// Small tiles share a workgroup until it has this many lanes.
const SHARED_TILE_LANES: usize = 1024;

/// Which kernels may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum KernelChoice {
    /// A fast kernel where one supports the launch, else the generic one.
    #[default]
    Fast,
    /// The generic kernel everywhere: every butterfly as it is drawn.
    Generic,
}

/// The most lanes of a tile of the generic kernel: two halves fill the workgroup memory.
pub fn tile_lanes(ring: Ring, limits: Limits) -> usize {
    1 << (limits.workgroup_bytes / (2 * limits.precision.bytes_per_lane(ring))).max(1).ilog2()
}

/// Whether single precision, in which kernels hold coefficients, keeps all of them.
pub fn keeps_coefficients(plan: &Plan) -> bool {
    plan.stages.iter().all(|stage| rounded_coef(stage).is_none())
}

/// Turns a plan on words of 32 values and its schedule into commands.
///
/// # Errors
/// As [`lower`], and where the last launch is not supported by the kernel that takes steps within words.
pub fn lower_words(words: &BitPackedPlan, schedule: &Schedule, limits: Limits) -> Result<Lowered, LowerError> {
    let mut lowered = lower(&words.plan, schedule, limits, KernelChoice::Fast)?;
    let within = lowered.commands.last_mut().map(|command| kronecker::takes_steps_within_words(&mut command.kernel));
    if within != Some(true) {
        return Err(LowerError::Schedule { launch: schedule.launches.len().saturating_sub(1) });
    }
    Ok(lowered)
}

/// Turns a plan and its schedule into commands.
///
/// # Errors
/// When a stage reaches outside the lanes, or a tile does not fit the device.
pub fn lower(plan: &Plan, schedule: &Schedule, limits: Limits, kernels: KernelChoice) -> Result<Lowered, LowerError> {
    let precision = if plan.ring.is_exact() { Precision::Single } else { limits.precision };
    let limits = limits.in_precision(precision);
    let mut lowering = Lowering { plan, schedule, limits, kernels, tables: Tables::new(plan), stages: Vec::new() };
    let (mut commands, mut source, mut next, mut result_ring) = (Vec::new(), Slot::Input, 0, plan.ring);
    for (index, launch) in schedule.launches.iter().enumerate() {
        // A merge has stages of the split before it.
        let merges = matches!(launch.tile, Tile::Section { section: SectionKind::Merge, .. });
        let follows = if merges { launch.stages.end <= next } else { launch.stages.start == next };
        if !follows || launch.stages.is_empty() || launch.stages.end > plan.stages.len() {
            return Err(LowerError::Schedule { launch: index });
        }
        next = next.max(launch.stages.end);
        let (command, leaves) = lowering.command(index, launch, source)?;
        (source, result_ring) = (command.sink, leaves);
        commands.push(command);
    }
    if next != plan.stages.len() {
        return Err(LowerError::Schedule { launch: commands.len() });
    }
    let Lowering { tables, stages, .. } = lowering;
    let (Tables { coefs, roots, .. }, ring) = (tables, plan.ring);
    let lanes = plan.lanes + FAMILIES.iter().map(|family| family.scratch_lanes(plan, schedule, limits)).sum::<usize>();
    Ok(Lowered { ring, precision, lanes, commands, stages, coefs, roots, result: source, result_ring })
}

struct Lowering<'a> {
    plan: &'a Plan,
    schedule: &'a Schedule,
    limits: Limits,
    kernels: KernelChoice,
    tables: Tables,
    stages: Vec<StageRecord>,
}

impl Lowering<'_> {
    /// The command of a launch, and what a lane holds after it.
    fn command(&mut self, index: usize, launch: &Launch, source: Slot) -> Result<(Command, Ring), LowerError> {
        let (plan, schedule, limits) = (self.plan, self.schedule, self.limits);
        let query = LaunchQuery { plan, schedule, index, launch, in_place: source != Slot::Input, limits };
        let is_small = self.kernels == KernelChoice::Fast && plan.lanes < 1 << 31;
        let fast = is_small.then(|| FAMILIES.iter().find_map(|family| family.dispatch(query, &mut self.tables))).flatten();
        let dispatch = match (fast, launch.stages.len(), launch.tile) {
            (Some(dispatch), ..) => dispatch,
            (None, 1, tile) if !matches!(tile, Tile::Section { .. } | Tile::Overlapped { .. }) => {
                self.each(index, launch.stages.start, tile)?
            }
            (None, _, Tile::Block { lanes }) => self.tiled(index, launch, lanes)?,
            (None, _, _) => {
                let reason = FAMILIES.iter().find_map(|family| family.unsupported(query));
                return Err(reason.unwrap_or(LowerError::Schedule { launch: index }));
            }
        };
        let Kernel { in_place, reads_input, .. } = dispatch.kernel;
        let sink = match source {
            // One buffer more of a large array may not fit the caches.
            _ if in_place => source,
            _ if reads_input => Slot::Ping,
            Slot::Ping => Slot::Pong,
            _ => Slot::Ping,
        };
        let Limits { precision, .. } = limits;
        let carried = if dispatch.carries { 2 * (plan.lanes * precision.bytes_per_lane(plan.ring)) as u64 } else { 0 };
        let bytes = dispatch.bytes.unwrap_or_else(|| launch.bytes_moved(plan) * precision.widening(plan.ring) as u64 + carried);
        let command = Command {
            stages: launch.stages.clone(),
            kernel: dispatch.kernel,
            uniforms: dispatch.uniforms,
            groups: folded_groups(dispatch.n_groups, limits.max_groups),
            carries: dispatch.carries,
            source: if reads_input { Slot::Input } else { source },
            sink,
            bytes,
        };
        Ok((command, dispatch.leaves.unwrap_or(plan.ring)))
    }

    /// One stage, butterfly by butterfly, in the order of their numbers or in patches.
    fn each(&mut self, launch: usize, index: usize, tile: Tile) -> Result<KernelDispatch, LowerError> {
        let stage = &self.plan.stages[index];
        let first = self.stages.len() as u32;
        self.stages.push(self.tables.stage(self.plan, index, stage.n_butterflies())?);
        let matrix = stage.matrix();
        let kernel = self.generic("each", [matrix.taps, matrix.rows], false, 1);
        let (numbers, n_groups) = match tile {
            Tile::Patch { positions, lines } if positions * lines != THREADS => return Err(LowerError::Schedule { launch }),
            Tile::Patch { positions, lines } => {
                // Neighbouring threads take what stands closer together.
                let [position_pitch, line_pitch] = if stage.is_across() { [lines, 1] } else { [1, positions] };
                let n_groups = stage.positions.div_ceil(positions) * stage.group.n.div_ceil(lines) * stage.outer.n;
                ([positions, lines, position_pitch, line_pitch], n_groups)
            }
            _ => ([0; 4], stage.n_butterflies().div_ceil(THREADS)),
        };
        let [positions, lines, position_pitch, line_pitch] = numbers.map(|number| number as u32);
        let dispatch = KernelDispatch::of(kernel, [first, 1, 0, positions, lines, position_pitch, line_pitch]);
        Ok(KernelDispatch { n_groups, carries: self.plan.carries(index), ..dispatch })
    }

    /// The generic kernel for the most taps and results of a stage; `mixed` where stages differ in them. Where there are no tiles, `tile` is 1.
    fn generic(&self, entry_point: &'static str, [taps, results]: [usize; 2], mixed: bool, tile: usize) -> Kernel {
        let data = json!({ "taps": taps, "results": results, "mixed": mixed, "tile": tile });
        Kernel { precision: self.limits.precision, entry_point, ..Kernel::new("stage", "stage_launch.wgsl", self.plan.ring, data) }
    }

    /// A run of stages in tiles, which are joined while they are small.
    fn tiled(&mut self, launch: usize, Launch { stages, .. }: &Launch, tile: usize) -> Result<KernelDispatch, LowerError> {
        let (plan, fits) = (self.plan, tile_lanes(self.plan.ring, self.limits));
        let mut joined = tile.max(1);
        while 2 * joined <= SHARED_TILE_LANES.min(fits) && plan.lanes.is_multiple_of(2 * joined) {
            joined *= 2;
        }
        if joined > fits {
            return Err(LowerError::Tile { launch, lanes: joined, fits });
        }
        let first = self.stages.len() as u32;
        for index in stages.clone() {
            let stage = &plan.stages[index];
            let inside = stage.block(plan.lanes).is_some_and(|block| joined.is_multiple_of(block)) && plan.lanes.is_multiple_of(joined);
            let may_scatter = index + 1 == stages.end && !plan.carries(index);
            if !inside || (stage.write.scatters() && !may_scatter) {
                return Err(LowerError::Schedule { launch });
            }
            let n_butterflies = stage.n_butterflies() * joined / plan.lanes;
            self.stages.push(self.tables.stage(plan, index, n_butterflies)?);
        }
        let matrices = || plan.stages[stages.clone()].iter().map(Stage::matrix);
        let most = |size: fn(&crate::plan::Matrix) -> usize| matrices().map(size).max().unwrap_or(1);
        let (taps, results) = (most(|matrix| matrix.taps), most(|matrix| matrix.rows));
        let mixed = matrices().any(|matrix| (matrix.taps, matrix.rows) != (taps, results));
        let n_groups = plan.lanes / joined;
        let kernel = self.generic("tiled", [taps, results], mixed, joined);
        let dispatch = KernelDispatch::of(kernel, [first, stages.len() as u32, n_groups as u32]);
        Ok(KernelDispatch { n_groups, ..dispatch })
    }
}

#[cfg(test)]
mod tests;
