//! From a plan and a schedule to commands, as plain data: which kernel with which constants and uniforms, how many workgroups, which buffers.
//!
//! Nothing here touches a device, so that everything can be tested without one.
//! The fast kernels are chosen here, by the shape of a launch's stages; [`KernelChoice::Generic`] forbids them.

mod copies;
pub mod trace;

use super::command::{BufferSlot, LaunchCommand, Lowered, folded_groups};
use super::error::LowerError;
use super::families::FAMILIES;
use super::family::{KernelDispatch, LaunchQuery};
use super::kernel::Kernel;
use super::kronecker;
use super::limits::Limits;
use super::stage::{self, SingleStage};
use super::tables::{Tables, rounded_coef};
use crate::numerals::number;
use crate::plan::{BitPackedPlan, Plan, Precision, Ring};
use crate::schedule::{KernelVariant, Launch, Schedule, SectionKind, Tile, spaced_tile};
use std::ops::Range;

/// Threads of a patch.
const THREADS: usize = 256;
/// Small tiles share a workgroup until it has this many lanes.
const SHARED_TILE_LANES: usize = 1024;

/// Which kernels may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum KernelChoice {
    /// A fast kernel where one supports the launch, else one made for its stages.
    #[default]
    Fast,
    /// Kernels made for the stages everywhere: every butterfly as it is drawn.
    Generic,
}

/// The most lanes of a block: two halves fill the workgroup memory.
pub fn tile_lanes(ring: Ring, limits: Limits) -> usize {
    1 << (limits.workgroup_bytes / (2 * limits.precision.bytes_per_lane(ring))).max(1).ilog2()
}

/// Whether single precision, in which kernels hold coefficients, keeps all of them.
pub fn keeps_coefficients(plan: &Plan) -> bool {
    plan.ring.field().is_some() || plan.stages.iter().all(|stage| rounded_coef(stage).is_none())
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
/// When a stage reaches outside the lanes, a tile does not fit the device, or a coefficient does not fit the precision.
pub fn lower(plan: &Plan, schedule: &Schedule, limits: Limits, kernels: KernelChoice) -> Result<Lowered, LowerError> {
    let precision = if plan.ring.is_exact() { Precision::Single } else { limits.precision };
    let limits = limits.in_precision(precision);
    if precision == Precision::Single
        && let Some(coef) = plan.coef_beyond_single()
    {
        return Err(LowerError::Range { coef: number(coef, 6) });
    }
    let (tables, singles, carrying) = (Tables::new(plan), Vec::new(), Vec::new());
    let mut lowering = Lowering { plan, schedule, limits, kernels, tables, singles, carrying, written: Vec::new() };
    let (mut commands, mut source, mut next, mut result_ring) = (Vec::new(), BufferSlot::Input, schedule.uploaded_stages(plan), plan.ring);
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
    let Lowering { tables, singles, carrying, .. } = lowering;
    let (launches, singles): (Vec<usize>, Vec<SingleStage<'_>>) = singles.into_iter().unzip();
    for (&index, (kernel, uniforms)) in launches.iter().zip(stage::kernels(&singles)) {
        let reads_input = commands[index].kernel.reads_input;
        (commands[index].kernel, commands[index].uniforms) = (Kernel { reads_input, ..kernel }, uniforms);
    }
    let (Tables { coefs, roots, .. }, ring) = (tables, plan.ring);
    let lanes = plan.lanes + FAMILIES.iter().map(|family| family.scratch_lanes(plan, schedule, limits)).sum::<usize>();
    let whole: Vec<Range<usize>> = carrying.into_iter().map(|index| index..lanes).collect();
    let result = copies::place(plan, &mut commands, &launches, &whole);
    for command in &mut commands {
        command.bytes += 2 * (command.copied_lanes() * precision.bytes_per_lane(ring)) as u64;
    }
    Ok(Lowered { ring, precision, lanes, commands, coefs, roots, result, result_ring })
}

struct Lowering<'a> {
    plan: &'a Plan,
    schedule: &'a Schedule,
    limits: Limits,
    kernels: KernelChoice,
    tables: Tables,
    /// Launches of single stages: their kernels are written when all are known, since they share texts.
    singles: Vec<(usize, SingleStage<'a>)>,
    /// Other launches that need all lanes in their sink before they run.
    carrying: Vec<usize>,
    /// Lanes that launches so far have written.
    written: Vec<Range<usize>>,
}

impl Lowering<'_> {
    /// The command of a launch, and what a lane holds after it.
    fn command(&mut self, index: usize, launch: &Launch, source: BufferSlot) -> Result<(LaunchCommand, Ring), LowerError> {
        let (plan, schedule, limits) = (self.plan, self.schedule, self.limits);
        let query = LaunchQuery { plan, schedule, index, launch, in_place: source != BufferSlot::Input, limits };
        let mut families = FAMILIES.iter().filter(|family| self.kernels == KernelChoice::Fast && plan.lanes <= family.most_lanes());
        let dispatch = match (families.find_map(|family| family.dispatch(query, &mut self.tables)), launch.stages.len(), launch.tile) {
            (Some(dispatch), ..) => dispatch,
            _ if plan.lanes > i32::MAX as usize => {
                let stage = plan.stages[launch.stages.start].label.clone();
                return Err(LowerError::Outside { stage, lanes: plan.lanes });
            }
            (None, _, Tile::Bits { bits }) => self.bits(index, launch, bits)?,
            (None, _, Tile::Spaced { lanes, spacing }) => self.spaced(query, [lanes, spacing])?,
            (None, 1, tile) if !matches!(tile, Tile::Section { .. } | Tile::Overlapped { .. }) => {
                self.single(query, launch.stages.start)?
            }
            (None, _, Tile::Block { lanes }) => self.tiled(index, launch, lanes, KernelVariant::default())?,
            (None, _, Tile::BlockBy { lanes, variant }) => self.tiled(index, launch, lanes, variant)?,
            (None, _, _) => {
                let reason = FAMILIES.iter().find_map(|family| family.unsupported(query));
                return Err(reason.unwrap_or(LowerError::Schedule { launch: index }));
            }
        };
        let Kernel { in_place, reads_input, .. } = dispatch.kernel;
        let sink = match source {
            // One buffer more of a large array may not fit the caches.
            _ if in_place => source,
            _ if reads_input => BufferSlot::Ping,
            BufferSlot::Ping => BufferSlot::Pong,
            _ => BufferSlot::Ping,
        };
        let Limits { precision, .. } = limits;
        let bytes = dispatch.bytes.unwrap_or_else(|| launch.bytes_moved(plan, precision.bytes_per_lane(plan.ring)));
        if dispatch.carries {
            self.carrying.push(index);
        }
        let whole = Range { start: 0, end: plan.lanes };
        let written = if launch.stages.len() == 1 { plan.stages[launch.stages.start].written_ranges() } else { None };
        self.written.extend(written.unwrap_or_else(|| vec![whole]));
        let command = LaunchCommand {
            stages: launch.stages.clone(),
            kernel: dispatch.kernel,
            uniforms: dispatch.uniforms,
            groups: folded_groups(dispatch.n_groups, limits.max_groups),
            copies: Vec::new(),
            copies_after: Vec::new(),
            source: if reads_input { BufferSlot::Input } else { source },
            sink,
            bytes,
        };
        Ok((command, dispatch.leaves.unwrap_or(plan.ring)))
    }

    /// One stage without tiles. A stage that keeps other lanes works in place where no butterfly reads what another writes, or where threads can wait
    /// for all loads, so that nothing is copied.
    fn single(&mut self, query: LaunchQuery<'_>, index: usize) -> Result<KernelDispatch, LowerError> {
        let LaunchQuery { launch, index: number, .. } = query;
        if matches!(launch.tile, Tile::Patch { positions, lines } if positions * lines != THREADS) {
            return Err(LowerError::Schedule { launch: number });
        }
        if let Tile::Variant(variant) = launch.tile {
            self.check_threads(number, variant)?;
        }
        stage::check(self.plan, index)?;
        let carries = self.plan.carries(index);
        let stage = &self.plan.stages[index];
        let may_overlap = launch.tile == Tile::Each && stage::fits_a_workgroup(stage);
        // Values that no launch has written are still in the input, and need no copy.
        let read = stage.read_range();
        let reads_input = query.in_place
            && self.written.iter().all(|lanes| lanes.end <= read.start || read.end <= lanes.start)
            && self.singles.len() == number;
        // The global kernel of a schedule of blocks has one buffer for its input and output.
        let has_one_buffer = launch.tile.workgroup().is_some() && stage.writes_its_taps();
        let is_safe = || stage.writes_its_taps() || stage.lifting_step().is_some() || stage.reads_apart() || may_overlap;
        let in_place = !reads_input && query.in_place && (has_one_buffer || carries && is_safe());
        let single = SingleStage::new(self.plan, index, launch.tile, in_place, &mut self.tables, self.limits);
        let n_groups = single.n_groups;
        self.singles.push((number, single));
        // The kernel is written when all launches are known.
        let kernel = Kernel { in_place, reads_input, ..Kernel::new("stage", "stage.wgsl", self.plan.ring, ()) };
        Ok(KernelDispatch { n_groups, ..KernelDispatch::of(kernel, []) })
    }

    /// A run of stages in tiles of bits.
    fn bits(&mut self, launch: usize, Launch { stages, .. }: &Launch, bits: usize) -> Result<KernelDispatch, LowerError> {
        stages.clone().try_for_each(|stage| stage::check(self.plan, stage))?;
        let found = stage::bits(self.plan, stages.clone(), bits, &mut self.tables, self.limits);
        let (kernel, n_groups) = found.ok_or(LowerError::Schedule { launch })?;
        Ok(KernelDispatch { n_groups, ..KernelDispatch::of(kernel, []) })
    }

    /// A run of stages in tiles of spaced lanes, in place.
    fn spaced(&mut self, query: LaunchQuery<'_>, [lanes, spacing]: [usize; 2]) -> Result<KernelDispatch, LowerError> {
        let LaunchQuery { plan, launch: Launch { stages, tile }, index: launch, in_place, .. } = query;
        let fits = tile_lanes(plan.ring, self.limits);
        if lanes > fits {
            return Err(LowerError::Tile { launch, lanes, fits });
        }
        if spaced_tile(plan, stages.clone(), lanes) != Some(*tile) {
            return Err(LowerError::Schedule { launch });
        }
        stages.clone().try_for_each(|stage| stage::check(plan, stage))?;
        let kernel = stage::spaced(plan, stages.clone(), [lanes, spacing], &mut self.tables, self.limits);
        // Elsewhere the lanes between come first.
        let dispatch = KernelDispatch::of(Kernel { in_place, ..kernel }, []);
        Ok(KernelDispatch { n_groups: query.launch.n_tiles(plan), carries: !in_place, ..dispatch })
    }

    /// Refuses more threads than a workgroup of the device has.
    fn check_threads(&self, launch: usize, variant: KernelVariant) -> Result<(), LowerError> {
        let most = self.limits.max_invocations;
        match variant.threads.filter(|&threads| threads > most) {
            Some(threads) => Err(LowerError::Threads { launch, threads, most }),
            None => Ok(()),
        }
    }

    /// A run of stages in tiles, which are joined while they are small, unless the variant says the threads of each.
    fn tiled(
        &mut self,
        launch: usize,
        Launch { stages, .. }: &Launch,
        tile: usize,
        variant: KernelVariant,
    ) -> Result<KernelDispatch, LowerError> {
        self.check_threads(launch, variant)?;
        let (plan, fits) = (self.plan, tile_lanes(self.plan.ring, self.limits));
        let is_free = variant == KernelVariant::default();
        let mut joined = tile.max(1);
        while is_free && 2 * joined <= SHARED_TILE_LANES.min(fits) && plan.lanes.is_multiple_of(2 * joined) {
            joined *= 2;
        }
        if joined > fits {
            return Err(LowerError::Tile { launch, lanes: joined, fits });
        }
        for index in stages.clone() {
            let stage = &plan.stages[index];
            stage::check(plan, index)?;
            let inside = stage.block(plan.lanes).is_some_and(|block| joined.is_multiple_of(block)) && plan.lanes.is_multiple_of(joined);
            let may_scatter = index + 1 == stages.end && !plan.carries(index);
            if !inside || (stage.write.scatters() && !may_scatter) {
                return Err(LowerError::Schedule { launch });
            }
        }
        let mut of_bits = || stage::bits(plan, stages.clone(), joined - 1, &mut self.tables, self.limits);
        let in_registers = if is_free && joined.is_power_of_two() { of_bits() } else { None };
        let kernel = match in_registers {
            Some((kernel, _)) => kernel,
            None => stage::block(plan, stages.clone(), joined, variant, &mut self.tables, self.limits),
        };
        Ok(KernelDispatch { n_groups: plan.lanes / joined, ..KernelDispatch::of(kernel, []) })
    }
}

#[cfg(test)]
mod tests;
