//! From a plan and a schedule to commands, as plain data: which kernel, its constants and parameters, how many workgroups, which buffers.
//!
//! Nothing here touches a device, so that everything can be tested without one.
//! The fast kernels are chosen here, by the shape of a launch's stages; [`Kernels::Generic`] forbids them.

mod lines;

use super::Limits;
use super::numbers::{StageNumbers, Tables, rounded_coef};
use super::rows;
use super::shaders::Kernel;
use super::{filters, kronecker, lifting, sections};
use crate::plan::shapes::TranspositionStage;
use crate::plan::{Plan, Precision, Ring, Stage, Words};
use crate::schedule::{Launch, Schedule, Section, Tile};
use std::ops::Range;

/// Threads of a workgroup of the generic kernels.
const THREADS: usize = 256;
/// Small tiles share a workgroup until it has this many lanes.
const SHARED_TILE_LANES: usize = 1024;
/// Side of the squares that the transposition moves through workgroup memory.
const SQUARE: usize = 32;

/// Which kernels may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Kernels {
    /// A fast kernel where one serves the launch, else the generic one.
    #[default]
    Fast,
    /// The generic kernel everywhere: every butterfly as it is drawn.
    Generic,
}

/// One of the three buffers of a prepared plan. The input is only ever read, so that a run can be repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// What was uploaded.
    Input,
    /// The first of two buffers that take turns.
    Even,
    /// The second of them.
    Odd,
}

/// One launch, ready to be encoded.
#[derive(Debug, Clone, PartialEq)]
pub struct Command {
    /// The stages that it runs.
    pub stages: Range<usize>,
    /// The kernel, with its constants.
    pub kernel: Kernel,
    /// What the kernel finds in its uniform buffer.
    pub parameters: [u32; 24],
    /// Workgroups in two dimensions; there may be a few more than are needed.
    pub groups: [u32; 2],
    /// Whether all lanes are copied first, because some keep their value.
    pub carries: bool,
    /// Where it reads.
    pub source: Slot,
    /// Where it writes.
    pub sink: Slot,
    /// Bytes that it moves through global memory.
    pub bytes: u64,
}

/// A plan, lowered: commands and the tables that they read.
#[derive(Debug, Clone, PartialEq)]
pub struct Lowered {
    /// What a lane holds.
    pub ring: Ring,
    /// How lanes and tables hold real and complex numbers; single where lanes are exact.
    pub precision: Precision,
    /// Number of lanes, with those beside the plan's that launches need between them.
    pub lanes: usize,
    /// One command a launch, in the order in which they run.
    pub commands: Vec<Command>,
    /// The numbers of all stages that generic kernels run.
    pub stages: Vec<StageNumbers>,
    /// Coefficients, real and imaginary part, before they are rounded to the precision.
    pub coefs: Vec<[f64; 2]>,
    /// Roots of unity, real and imaginary part, before they are rounded to the precision.
    pub roots: Vec<[f64; 2]>,
    /// Where the result stands at the end.
    pub result: Slot,
    /// What a lane of the result holds: of solved equations perhaps the unknowns alone.
    pub result_ring: Ring,
}

/// Why the kernels cannot run a plan as scheduled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LowerError {
    /// A butterfly reaches outside the lanes, or a number does not fit 32 bits.
    #[error("stage '{stage}' reaches outside its {lanes} lanes or outside 32-bit arithmetic")]
    Outside {
        /// Label of the stage.
        stage: String,
        /// Lanes of the plan.
        lanes: usize,
    },
    /// A coefficient of an exact plan that single precision, in which kernels have them, would round.
    #[error("stage '{stage}' multiplies by {coef}, which kernels would round")]
    Rounded {
        /// Label of the stage.
        stage: String,
        /// The coefficient.
        coef: String,
    },
    /// A tile that does not fit.
    #[error("launch {launch} needs tiles of {lanes} lanes, and the workgroup memory holds {fits}: take smaller ones")]
    Tile {
        /// Which launch.
        launch: usize,
        /// Lanes of its tiles.
        lanes: usize,
        /// Lanes that would fit.
        fits: usize,
    },
    /// A stage that leaves the tiles of its launch, or stages out of order.
    #[error("launch {launch} is no run of stages that stay in their tiles")]
    Cut {
        /// Which launch.
        launch: usize,
    },
}

/// The most lanes of a tile of the generic kernel: two halves fill the workgroup memory.
pub fn tile_lanes(ring: Ring, limits: Limits) -> usize {
    1 << (limits.workgroup_bytes / (2 * limits.precision.bytes_per_lane(ring))).max(1).ilog2()
}

/// Whether single precision, in which kernels have the coefficients, keeps all of them.
pub fn keeps_coefficients(plan: &Plan) -> bool {
    plan.stages.iter().all(|stage| rounded_coef(stage).is_none())
}

/// Turns a plan on words of 32 values and its schedule into commands.
///
/// # Errors
/// As [`lower`], and where the last launch is not served by the kernel that takes steps within words.
pub fn lower_words(words: &Words, schedule: &Schedule, limits: Limits) -> Result<Lowered, LowerError> {
    let mut lowered = lower(&words.plan, schedule, limits, Kernels::Fast)?;
    let last = lowered.commands.last_mut().map(|command| &mut command.kernel);
    let Some(Kernel::Steps(shape)) = last else { return Err(LowerError::Cut { launch: schedule.launches.len().saturating_sub(1) }) };
    *shape = shape.clone().and_within_words();
    Ok(lowered)
}

/// Turns a plan and its schedule into commands.
///
/// # Errors
/// When a stage reaches outside the lanes, or a tile does not fit the device.
pub fn lower(plan: &Plan, schedule: &Schedule, limits: Limits, kernels: Kernels) -> Result<Lowered, LowerError> {
    let precision = if plan.ring.is_exact() { Precision::Single } else { limits.precision };
    let limits = limits.in_precision(precision);
    if kernels == Kernels::Fast
        && let Some(commands) = rows::commands(plan, schedule, limits)
    {
        let Tables { coefs, roots, .. } = Tables::default();
        let (ring, lanes, result) = (plan.ring, plan.lanes, Slot::Even);
        return Ok(Lowered { ring, precision, lanes, commands, stages: Vec::new(), coefs, roots, result, result_ring: Ring::Real });
    }
    let mut lowering = Lowering { plan, schedule, limits, kernels, tables: Tables::new(plan), stages: Vec::new() };
    let (mut commands, mut source, mut next) = (Vec::new(), Slot::Input, 0);
    for (index, launch) in schedule.launches.iter().enumerate() {
        // A merge has stages of the split before it.
        let merges = matches!(launch.tile, Tile::Section { section: Section::Merge, .. });
        let follows = if merges { launch.stages.end <= next } else { launch.stages.start == next };
        if !follows || launch.stages.is_empty() || launch.stages.end > plan.stages.len() {
            return Err(LowerError::Cut { launch: index });
        }
        next = next.max(launch.stages.end);
        let command = lowering.command(index, launch, source)?;
        source = command.sink;
        commands.push(command);
    }
    if next != plan.stages.len() {
        return Err(LowerError::Cut { launch: commands.len() });
    }
    let Lowering { tables, stages, .. } = lowering;
    let (Tables { coefs, roots, .. }, ring) = (tables, plan.ring);
    let lanes = plan.lanes + lifting::lanes_beside(plan, schedule, limits) + filters::lanes_beside(plan, schedule, limits);
    Ok(Lowered { ring, precision, lanes, commands, stages, coefs, roots, result: source, result_ring: ring })
}

struct Lowering<'a> {
    plan: &'a Plan,
    schedule: &'a Schedule,
    limits: Limits,
    kernels: Kernels,
    tables: Tables,
    stages: Vec<StageNumbers>,
}

/// What differs from kernel to kernel.
struct Dispatch {
    kernel: Kernel,
    parameters: [u32; 24],
    n_groups: usize,
    carries: bool,
}

impl Dispatch {
    /// A kernel and its numbers, the first of which is that of its workgroups.
    fn of<const N: usize>((kernel, numbers): (Kernel, [u32; N])) -> Self {
        Self { kernel, parameters: parameters(numbers), n_groups: numbers[0] as usize, carries: false }
    }
}

impl Lowering<'_> {
    fn command(&mut self, index: usize, launch: &Launch, source: Slot) -> Result<Command, LowerError> {
        let fast = if self.kernels == Kernels::Fast { self.fast(index, launch, source) } else { None };
        let dispatch = match (fast, launch.stages.len(), launch.tile) {
            (Some(dispatch), ..) => dispatch,
            (None, 1, tile) if !matches!(tile, Tile::Section { .. } | Tile::Overlapped { .. }) => {
                self.each(index, launch.stages.start, tile)?
            }
            (None, _, Tile::Block { lanes }) => self.tiled(index, launch, lanes)?,
            (None, _, _) => {
                let misfit = || sections::misfit(self.plan, (index, launch), source != Slot::Input, self.limits);
                return Err(filters::misfit(self.plan, self.schedule, index, self.limits).unwrap_or_else(misfit));
            }
        };
        let (in_place, again) = (dispatch.kernel.in_place(), dispatch.kernel.reads_input());
        let sink = match source {
            // One buffer more of a large array may not fit the caches.
            _ if in_place => source,
            _ if again => Slot::Even,
            Slot::Even => Slot::Odd,
            _ => Slot::Even,
        };
        let source = if again { Slot::Input } else { source };
        let Limits { precision, .. } = self.limits;
        let carried = if dispatch.carries { 2 * (self.plan.lanes * precision.bytes_per_lane(self.plan.ring)) as u64 } else { 0 };
        Ok(Command {
            stages: launch.stages.clone(),
            kernel: dispatch.kernel,
            parameters: dispatch.parameters,
            groups: folded_groups(dispatch.n_groups, self.limits.max_groups),
            carries: dispatch.carries,
            source,
            sink,
            bytes: launch.bytes_moved(self.plan) * precision.widening(self.plan.ring) as u64 + carried,
        })
    }

    /// The fast kernel that serves the shape of the launch, if there is one.
    fn fast(&mut self, index: usize, launch: &Launch, source: Slot) -> Option<Dispatch> {
        let (stages, lanes, precision) = (&self.plan.stages[launch.stages.clone()], self.plan.lanes, self.limits.precision);
        if lanes >= 1 << 31 {
            return None;
        }
        if let Some((kernel, numbers, carries)) = filters::serving(self.plan, self.schedule, launch, self.limits) {
            return Some(Dispatch { carries, ..Dispatch::of((kernel, numbers)) });
        }
        // The first launch spares the input.
        let in_place = source != Slot::Input;
        match launch.tile {
            Tile::Overlapped { .. } => return lifting::serving(self.plan, self.schedule, launch, self.limits).map(Dispatch::of),
            Tile::Section { .. } => return sections::serving(self.plan, launch, in_place, self.limits).map(Dispatch::of),
            _ => {}
        }
        if let (Tile::Each, [stage]) = (launch.tile, stages)
            && let Some(TranspositionStage { rows, columns }) = TranspositionStage::of(stage)
            && rows * columns <= lanes
            && !self.plan.carries(launch.stages.start)
            && SQUARE * (SQUARE + 1) * precision.bytes_per_lane(self.plan.ring) <= self.limits.workgroup_bytes
        {
            let n_groups = rows.div_ceil(SQUARE) * columns.div_ceil(SQUARE);
            return Some(Dispatch {
                kernel: Kernel::Transpose(self.plan.ring, precision),
                parameters: parameters([rows as u32, columns as u32, columns.div_ceil(SQUARE) as u32]),
                n_groups,
                carries: false,
            });
        }
        if self.plan.ring != Ring::Complex {
            return kronecker::serving(self.plan, launch, in_place, self.limits).map(Dispatch::of);
        }
        self.lines(index, launch, in_place)
    }

    /// One stage, butterfly by butterfly, in the order of their numbers or in patches.
    fn each(&mut self, launch: usize, index: usize, tile: Tile) -> Result<Dispatch, LowerError> {
        let stage = &self.plan.stages[index];
        let first = self.stages.len() as u32;
        self.stages.push(self.tables.stage(self.plan, index, stage.n_butterflies())?);
        let matrix = stage.matrix();
        let (ring, precision) = (self.plan.ring, self.limits.precision);
        let kernel = Kernel::Stage { ring, precision, taps: matrix.taps, results: matrix.rows, mixed: false, tile: None };
        let (numbers, n_groups) = match tile {
            Tile::Patch { positions, lines } if positions * lines != THREADS => return Err(LowerError::Cut { launch }),
            Tile::Patch { positions, lines } => {
                // Neighbouring threads take what stands closer together.
                let [position_pitch, line_pitch] = if stage.is_across() { [lines, 1] } else { [1, positions] };
                let n_groups = stage.positions.div_ceil(positions) * stage.group.n.div_ceil(lines) * stage.outer.n;
                ([positions, lines, position_pitch, line_pitch], n_groups)
            }
            _ => ([0; 4], stage.n_butterflies().div_ceil(THREADS)),
        };
        let [positions, lines, position_pitch, line_pitch] = numbers.map(|number| number as u32);
        Ok(Dispatch {
            kernel,
            parameters: parameters([first, 1, 0, positions, lines, position_pitch, line_pitch]),
            n_groups,
            carries: self.plan.carries(index),
        })
    }

    /// A run of stages in tiles, which are joined while they are small.
    fn tiled(&mut self, launch: usize, Launch { stages, .. }: &Launch, tile: usize) -> Result<Dispatch, LowerError> {
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
                return Err(LowerError::Cut { launch });
            }
            let n_butterflies = stage.n_butterflies() * joined / plan.lanes;
            self.stages.push(self.tables.stage(plan, index, n_butterflies)?);
        }
        let matrices = || plan.stages[stages.clone()].iter().map(Stage::matrix);
        let most = |size: fn(&crate::plan::Matrix) -> usize| matrices().map(size).max().unwrap_or(1);
        let (taps, results) = (most(|matrix| matrix.taps), most(|matrix| matrix.rows));
        let mixed = matrices().any(|matrix| (matrix.taps, matrix.rows) != (taps, results));
        let n_groups = plan.lanes / joined;
        Ok(Dispatch {
            kernel: Kernel::Stage { ring: plan.ring, precision: self.limits.precision, taps, results, mixed, tile: Some(joined) },
            parameters: parameters([first, stages.len() as u32, n_groups as u32]),
            n_groups,
            carries: false,
        })
    }
}

pub(super) fn parameters<const N: usize>(first: [u32; N]) -> [u32; 24] {
    let mut all = [0; 24];
    all[..N].copy_from_slice(&first);
    all
}

/// `n_groups` workgroups in two dimensions, as a dimension takes at most `max_groups`; kernels number them x + y·(number along x).
pub(super) fn folded_groups(n_groups: usize, max_groups: usize) -> [u32; 2] {
    let y = n_groups.div_ceil(max_groups).max(1);
    [n_groups.div_ceil(y).max(1) as u32, y as u32]
}

#[cfg(test)]
mod tests;
