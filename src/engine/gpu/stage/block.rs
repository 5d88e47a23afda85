//! A run of stages in tiles of consecutive lanes, or of lanes at equal distances: the first stage reads global memory, the last writes it, and lanes wait in workgroup memory between them.

use super::butterfly::{ButterflyLines, Placed, Writer, is_rolled};
use super::form::{Form, Number, Numbers};
use super::helpers::Helpers;
use super::kernel_of;
use super::nested::nested;
use super::sides::Access;
use super::sums::Register;
use super::weights::{NamedRoots, Weights, name_roots};
use crate::gpu::kernel::Kernel;
use crate::gpu::limits::Limits;
use crate::gpu::tables::Tables;
use crate::plan::{Loop, Plan, Stage};
use crate::schedule::KernelVariant;
use serde::Serialize;
use std::ops::Range;

/// Threads of a workgroup.
const THREADS: usize = 256;

/// The work of a workgroup between two barriers.
#[derive(Debug, Clone, Serialize)]
struct Phase {
    from: &'static str,
    to: &'static str,
    /// Butterflies, or lanes of a copy.
    n: usize,
    /// The butterfly, or the indices of a lane of a copy on both sides.
    butterfly: Option<ButterflyLines>,
    copy: Option<[String; 2]>,
}

/// Where the lanes of a tile are.
#[derive(Debug, Clone, Copy, PartialEq)]
enum BlockMemory {
    Global,
    /// One of two halves of workgroup memory.
    Half(usize),
}

/// The variables of `block.wgsl`.
#[derive(Serialize)]
struct BlockText<'a> {
    helpers: Helpers,
    register: String,
    zero: String,
    threads: usize,
    tile: usize,
    places: usize,
    n_guarded: Option<usize>,
    phases: &'a [Phase],
}

struct Block<'a> {
    /// Distance between neighbouring lanes of the tile in global memory.
    spacing: usize,
    weights: Vec<Weights<'a>>,
    roots: Vec<NamedRoots>,
    coefs: Vec<u32>,
    stages: Vec<Stage>,
    register: Register,
    tile: usize,
    threads: usize,
    phases: Vec<Phase>,
    halves: usize,
}

/// The kernel of a run of stages in tiles of `tile` lanes, which hold the blocks of all stages, in this variant.
pub(crate) fn block(plan: &Plan, stages: Range<usize>, tile: usize, variant: KernelVariant, tables: &mut Tables, limits: Limits) -> Kernel {
    let carries: Vec<bool> = stages.clone().map(|stage| plan.carries(stage)).collect();
    kernel(plan, &plan.stages[stages], ([tile, 1], variant), &carries, tables, limits)
}

/// The kernel of a run of stages in tiles of `tile` lanes, `spacing` lanes apart, in place: the stages touch no others, and keep those that they do not write.
///
/// # Panics
/// When a stage touches others.
pub(crate) fn spaced(plan: &Plan, stages: Range<usize>, [tile, spacing]: [usize; 2], tables: &mut Tables, limits: Limits) -> Kernel {
    let on_spaced = |stage: &Stage| stage.on_every(spacing).expect("the tile was checked");
    let run: Vec<Stage> = plan.stages[stages].iter().map(on_spaced).collect();
    kernel(plan, &run, ([tile, spacing], KernelVariant::default()), &vec![true; run.len()], tables, limits)
}

/// The kernel of stages on every `spacing`-th lane of a plan; `carries` says which of them keep lanes that they do not write.
fn kernel(
    plan: &Plan,
    run: &[Stage],
    ([tile, spacing], variant): ([usize; 2], KernelVariant),
    carries: &[bool],
    tables: &mut Tables,
    limits: Limits,
) -> Kernel {
    let is_free = variant == KernelVariant::default();
    if let Some(kernel) = nested(plan, run, [tile, spacing], limits).filter(|_| is_free) {
        return kernel;
    }
    let register = Register { ring: plan.ring, precision: limits.precision, width: 1 };
    let lanes = plan.lanes / spacing;
    let turns = |stage: &Stage| tile / stage.block(lanes).unwrap_or(tile).max(1);
    let local = |stage: &Stage| Stage { outer: Loop { n: turns(stage), ..stage.outer }, ..stage.clone() };
    let mut weights: Vec<Weights<'_>> = run.iter().map(|stage| Weights::new(stage, register, tables, variant.twiddles)).collect();
    let mut block = Block {
        spacing,
        roots: name_roots(&mut weights),
        weights,
        coefs: run.iter().map(|stage| if is_rolled(stage) { tables.coefficients(stage) } else { 0 }).collect(),
        stages: run.iter().map(local).collect(),
        register,
        tile,
        threads: variant.threads.unwrap_or(THREADS).min(limits.max_invocations),
        phases: Vec::new(),
        halves: 1,
    };
    block.fill(carries);
    kernel_of("block.wgsl", plan, limits, block.text(lanes / tile, limits))
}

impl Block<'_> {
    /// All phases.
    fn fill(&mut self, carries: &[bool]) {
        let (mut held, last) = (BlockMemory::Global, carries.len() - 1);
        for (index, &carries) in carries.iter().enumerate() {
            if carries && held == BlockMemory::Global {
                held = self.copied(held, BlockMemory::Half(0));
            }
            let stays = self.stages[index].writes_its_taps();
            let to = match held {
                // Carried lanes are stored from workgroup memory.
                _ if index == last && !carries => BlockMemory::Global,
                BlockMemory::Half(half) if stays => BlockMemory::Half(half),
                BlockMemory::Half(half) => BlockMemory::Half(1 - half),
                BlockMemory::Global => BlockMemory::Half(0),
            };
            if carries && to != held {
                self.copied(held, to);
            }
            self.push_stage(index, held, to);
            held = to;
            if carries && index == last {
                self.copied(held, BlockMemory::Global);
            }
        }
    }

    fn copied(&mut self, from: BlockMemory, to: BlockMemory) -> BlockMemory {
        let copy = [from, to].map(|memory| self.start(memory).plus(Number::Constant(self.apart(memory)), "t").to_string());
        self.phases.push(Phase { from: self.name(from, true), to: self.name(to, false), n: self.tile, butterfly: None, copy: Some(copy) });
        to
    }

    /// Elements from one lane of the tile to the next.
    fn apart(&self, memory: BlockMemory) -> i64 {
        if memory == BlockMemory::Global { self.spacing as i64 } else { 1 }
    }

    /// The array of a kernel.
    fn name(&self, memory: BlockMemory, is_read: bool) -> &'static str {
        match memory {
            BlockMemory::Half(_) => "tile",
            BlockMemory::Global if is_read && self.spacing == 1 => "input",
            BlockMemory::Global => "output",
        }
    }

    fn start(&mut self, memory: BlockMemory) -> Form {
        match memory {
            BlockMemory::Global => Form::default().plus(Number::Constant(self.spacing as i64), "start"),
            BlockMemory::Half(half) => {
                self.halves = self.halves.max(half + 1);
                Form::default().plus_constant((half * self.tile) as i64)
            }
        }
    }

    fn push_stage(&mut self, index: usize, from: BlockMemory, to: BlockMemory) {
        let sides = [from, to].map(|memory| self.start(memory));
        let stage = &self.stages[index];
        let access = Access::plain(stage, self.register);
        let [read, write] = sides.map(|start| Placed { start, permutes: to == BlockMemory::Global && stage.write.scatters() });
        let order = access.order(stage);
        let writer = Writer {
            stage,
            access,
            weights: &self.weights[index],
            order,
            coefs: self.coefs[index],
            sides: [read, write],
            knows_place: false,
        };
        let butterfly = writer.butterfly("t", "", &mut Numbers::with_uniforms(Vec::new()));
        let phase = Phase {
            from: self.name(from, true),
            to: self.name(to, false),
            n: access.n_butterflies(),
            butterfly: Some(butterfly),
            copy: None,
        };
        self.phases.push(phase);
    }

    fn text(&self, n_tiles: usize, limits: Limits) -> BlockText<'_> {
        let lines = self.phases.iter().filter_map(|phase| phase.butterfly.as_ref());
        let stages: Vec<&Stage> = self.stages.iter().collect();
        let helpers = Helpers::of(lines, &stages, &self.roots, self.register);
        BlockText {
            helpers,
            register: self.register.name(),
            zero: self.register.nothing(),
            threads: self.threads,
            tile: self.tile,
            places: self.halves * self.tile,
            n_guarded: (n_tiles > limits.max_groups).then_some(n_tiles),
            phases: &self.phases,
        }
    }
}
