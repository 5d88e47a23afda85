//! From a plan and a schedule to commands, as plain data: which kernel with which constants and uniforms, how many workgroups, which buffers.
//!
//! Nothing here touches a device, so that everything can be tested without one.
//! The fast kernels are chosen here, by the shape of a launch's stages; [`KernelChoice::Generic`] forbids them.

use super::command::{Command, Lowered, Slot, folded_groups, uniforms};
use super::error::LowerError;
use super::fft::FftLaunches;
use super::kernel::Kernel;
use super::limits::Limits;
use super::tables::{StageRecord, Tables, rounded_coef};
use super::{filter_bank, haar, kronecker, lifting, lifting2d, split_merge, tridiagonal};
use crate::plan::shapes::TranspositionStage;
use crate::plan::{BitPackedPlan, Plan, Precision, Ring, Stage};
use crate::schedule::{Launch, Schedule, SectionKind, Tile, parts_along_axes};

/// Threads of a workgroup of the generic kernels.
const THREADS: usize = 256;
/// Small tiles share a workgroup until it has this many lanes.
const SHARED_TILE_LANES: usize = 1024;
/// Side of the squares that the transposition moves through workgroup memory.
const SQUARE: usize = 32;

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
    let last = lowered.commands.last_mut().map(|command| &mut command.kernel);
    let Some(Kernel::Kronecker(shape)) = last else {
        return Err(LowerError::Schedule { launch: schedule.launches.len().saturating_sub(1) });
    };
    *shape = shape.clone().and_within_words();
    Ok(lowered)
}

/// Turns a plan and its schedule into commands.
///
/// # Errors
/// When a stage reaches outside the lanes, or a tile does not fit the device.
pub fn lower(plan: &Plan, schedule: &Schedule, limits: Limits, kernels: KernelChoice) -> Result<Lowered, LowerError> {
    let precision = if plan.ring.is_exact() { Precision::Single } else { limits.precision };
    let limits = limits.in_precision(precision);
    if kernels == KernelChoice::Fast
        && let Some(launches) = tridiagonal::launches(plan, schedule, limits)
    {
        let commands = launches.into_iter().map(|launch| tridiagonal_command(launch, limits)).collect();
        let Tables { coefs, roots, .. } = Tables::default();
        let (ring, lanes, result) = (plan.ring, plan.lanes, Slot::Ping);
        return Ok(Lowered { ring, precision, lanes, commands, stages: Vec::new(), coefs, roots, result, result_ring: Ring::Real });
    }
    let mut lowering = Lowering { plan, schedule, limits, kernels, tables: Tables::new(plan), stages: Vec::new() };
    let (mut commands, mut source, mut next) = (Vec::new(), Slot::Input, 0);
    for (index, launch) in schedule.launches.iter().enumerate() {
        // A merge has stages of the split before it.
        let merges = matches!(launch.tile, Tile::Section { section: SectionKind::Merge, .. });
        let follows = if merges { launch.stages.end <= next } else { launch.stages.start == next };
        if !follows || launch.stages.is_empty() || launch.stages.end > plan.stages.len() {
            return Err(LowerError::Schedule { launch: index });
        }
        next = next.max(launch.stages.end);
        let command = lowering.command(index, launch, source)?;
        source = command.sink;
        commands.push(command);
    }
    if next != plan.stages.len() {
        return Err(LowerError::Schedule { launch: commands.len() });
    }
    let Lowering { tables, stages, .. } = lowering;
    let (Tables { coefs, roots, .. }, ring) = (tables, plan.ring);
    let lanes = plan.lanes + lifting::scratch_lanes(plan, schedule, limits) + filter_bank::scratch_lanes(plan, schedule, limits);
    Ok(Lowered { ring, precision, lanes, commands, stages, coefs, roots, result: source, result_ring: ring })
}

struct Lowering<'a> {
    plan: &'a Plan,
    schedule: &'a Schedule,
    limits: Limits,
    kernels: KernelChoice,
    tables: Tables,
    stages: Vec<StageRecord>,
}

/// The part of a command that differs from kernel to kernel.
struct KernelDispatch {
    kernel: Kernel,
    uniforms: [u32; 24],
    n_groups: usize,
    carries: bool,
}

impl KernelDispatch {
    /// A kernel and its uniforms, the first of which is the number of workgroups.
    fn of<const N: usize>((shape, first): (impl Into<Kernel>, [u32; N])) -> Self {
        Self { kernel: shape.into(), uniforms: uniforms(first), n_groups: first[0] as usize, carries: false }
    }
}

/// The command of a launch of cyclic reduction.
fn tridiagonal_command(launch: tridiagonal::TridiagonalLaunch, limits: Limits) -> Command {
    Command {
        stages: launch.stages,
        kernel: launch.shape.into(),
        uniforms: uniforms(launch.uniforms),
        groups: folded_groups(launch.uniforms[0] as usize, limits.max_groups),
        carries: false,
        source: Slot::Input,
        sink: Slot::Ping,
        bytes: launch.bytes,
    }
}

impl Lowering<'_> {
    fn command(&mut self, index: usize, launch: &Launch, source: Slot) -> Result<Command, LowerError> {
        let fast = if self.kernels == KernelChoice::Fast { self.fast(index, launch, source) } else { None };
        let dispatch = match (fast, launch.stages.len(), launch.tile) {
            (Some(dispatch), ..) => dispatch,
            (None, 1, tile) if !matches!(tile, Tile::Section { .. } | Tile::Overlapped { .. }) => {
                self.each(index, launch.stages.start, tile)?
            }
            (None, _, Tile::Block { lanes }) => self.tiled(index, launch, lanes)?,
            (None, _, _) => {
                let unsupported = || split_merge::unsupported(self.plan, (index, launch), source != Slot::Input, self.limits);
                return Err(filter_bank::unsupported(self.plan, self.schedule, index, self.limits).unwrap_or_else(unsupported));
            }
        };
        let (in_place, again) = (dispatch.kernel.in_place(), dispatch.kernel.reads_input());
        let sink = match source {
            // One buffer more of a large array may not fit the caches.
            _ if in_place => source,
            _ if again => Slot::Ping,
            Slot::Ping => Slot::Pong,
            _ => Slot::Ping,
        };
        let source = if again { Slot::Input } else { source };
        let Limits { precision, .. } = self.limits;
        let carried = if dispatch.carries { 2 * (self.plan.lanes * precision.bytes_per_lane(self.plan.ring)) as u64 } else { 0 };
        Ok(Command {
            stages: launch.stages.clone(),
            kernel: dispatch.kernel,
            uniforms: dispatch.uniforms,
            groups: folded_groups(dispatch.n_groups, self.limits.max_groups),
            carries: dispatch.carries,
            source,
            sink,
            bytes: launch.bytes_moved(self.plan) * precision.widening(self.plan.ring) as u64 + carried,
        })
    }

    /// The fast kernel that supports the launch, if there is one.
    fn fast(&mut self, index: usize, launch: &Launch, source: Slot) -> Option<KernelDispatch> {
        let (plan, schedule, limits) = (self.plan, self.schedule, self.limits);
        if plan.lanes >= 1 << 31 {
            return None;
        }
        // The first launch spares the input.
        let in_place = source != Slot::Input;
        match launch.tile {
            Tile::Section { .. } => filters(plan, schedule, launch, limits).or_else(|| sections(plan, launch, in_place, limits)),
            Tile::Overlapped { .. } => filters(plan, schedule, launch, limits).or_else(|| lifted(plan, schedule, launch, limits)),
            Tile::Spread { .. } | Tile::Cone { .. } => haar::kernel_of(plan, launch, in_place, limits).map(KernelDispatch::of),
            Tile::Each if let Some(transposition) = self.transposition(launch) => Some(transposition),
            _ if plan.ring != Ring::Complex => kronecker::kernel_of(plan, launch, in_place, limits).map(KernelDispatch::of),
            _ => {
                let launches = FftLaunches { plan, schedule, limits };
                let (shape, n_groups) = launches.kernel_of(index, launch, in_place, &mut self.tables)?;
                Some(KernelDispatch { kernel: shape.into(), uniforms: uniforms([]), n_groups, carries: false })
            }
        }
    }

    /// The kernel that transposes an image in squares, if that is what the launch does.
    fn transposition(&self, launch: &Launch) -> Option<KernelDispatch> {
        let (plan, precision) = (self.plan, self.limits.precision);
        let [stage] = &plan.stages[launch.stages.clone()] else { return None };
        let TranspositionStage { rows, columns } = TranspositionStage::of(stage)?;
        let bytes = SQUARE * (SQUARE + 1) * precision.bytes_per_lane(plan.ring);
        let fits = rows * columns <= plan.lanes && bytes <= self.limits.workgroup_bytes && !plan.carries(launch.stages.start);
        let across = columns.div_ceil(SQUARE);
        let kernel = Kernel::Transpose(plan.ring, precision);
        let uniforms = uniforms([rows, columns, across].map(|number| number as u32));
        fits.then(|| KernelDispatch { kernel, uniforms, n_groups: rows.div_ceil(SQUARE) * across, carries: false })
    }

    /// One stage, butterfly by butterfly, in the order of their numbers or in patches.
    fn each(&mut self, launch: usize, index: usize, tile: Tile) -> Result<KernelDispatch, LowerError> {
        let stage = &self.plan.stages[index];
        let first = self.stages.len() as u32;
        self.stages.push(self.tables.stage(self.plan, index, stage.n_butterflies())?);
        let matrix = stage.matrix();
        let (ring, precision) = (self.plan.ring, self.limits.precision);
        let kernel = Kernel::Stage { ring, precision, taps: matrix.taps, results: matrix.rows, mixed: false, tile: None };
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
        Ok(KernelDispatch {
            kernel,
            uniforms: uniforms([first, 1, 0, positions, lines, position_pitch, line_pitch]),
            n_groups,
            carries: self.plan.carries(index),
        })
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
        Ok(KernelDispatch {
            kernel: Kernel::Stage { ring: plan.ring, precision: self.limits.precision, taps, results, mixed, tile: Some(joined) },
            uniforms: uniforms([first, stages.len() as u32, n_groups as u32]),
            n_groups,
            carries: false,
        })
    }
}

/// The kernel of a launch of a filter bank.
fn filters(plan: &Plan, schedule: &Schedule, launch: &Launch, limits: Limits) -> Option<KernelDispatch> {
    if let Some(image) = filter_bank::kernel_of_image(plan, schedule, launch, limits) {
        return Some(KernelDispatch::of(image));
    }
    let (shape, uniforms, carries) = filter_bank::kernel_of(plan, schedule, launch, limits)?;
    Some(KernelDispatch { carries, ..KernelDispatch::of((shape, uniforms)) })
}

/// The kernel of a launch of lifting steps in overlapped tiles.
fn lifted(plan: &Plan, schedule: &Schedule, launch: &Launch, limits: Limits) -> Option<KernelDispatch> {
    let lines = lifting::kernel_of(plan, schedule, launch, limits).map(KernelDispatch::of);
    let level = || lifting::level_kernel_of(plan, schedule, launch, limits).map(KernelDispatch::of);
    lines.or_else(level).or_else(|| lifting::image_kernel_of(plan, schedule, launch, limits).map(KernelDispatch::of))
}

/// The kernel of a split or a merge, along one axis or, for a split, along both.
fn sections(plan: &Plan, launch: &Launch, in_place: bool, limits: Limits) -> Option<KernelDispatch> {
    match parts_along_axes(plan, launch.stages.clone()).len() {
        ..=1 => split_merge::kernel_of(plan, launch, in_place, limits).map(KernelDispatch::of),
        _ => lifting2d::kernel_of(plan, launch, in_place, limits).map(KernelDispatch::of),
    }
}

#[cfg(test)]
mod tests;
