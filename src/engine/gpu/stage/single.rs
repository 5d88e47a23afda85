//! One stage from global memory to global memory. A thread takes a few butterflies: it loads all taps before it stores the first result.

use super::butterfly::{ButterflyLines, Placed, Writer, is_rolled};
use super::form::{Form, Numbers};
use super::helpers::Helpers;
use super::kernel_of;
use super::sides::Access;
use super::sums::Register;
use super::weights::{NamedRoots, Weights, name_roots};
use crate::gpu::kernel::Kernel;
use crate::gpu::limits::Limits;
use crate::gpu::tables::Tables;
use crate::plan::{Plan, Stage};
use crate::schedule::{KernelVariant, ThreadsPerSample, Tile};
use serde::Serialize;

/// Threads of a workgroup.
const THREADS: usize = 256;
/// Threads of a workgroup of direct sums, which are long, so that more processors have one.
const DIRECT_THREADS: usize = 64;
/// Bytes that a thread loads before it stores, so that memory is busy.
const BYTES_IN_FLIGHT: usize = 64;
/// The most butterflies of a thread.
const MOST_BUTTERFLIES: usize = 8;
/// Workgroups that fill a large device; fewer butterflies a thread pay where there would be fewer workgroups.
const FULL_GROUPS: usize = 1024;
/// Numbers that the uniforms of a launch hold.
const MOST_UNIFORMS: usize = 24;

/// Whether a workgroup takes all butterflies of a stage, one in each thread, so that it can load everything before it stores anything.
pub(crate) fn fits_a_workgroup(stage: &Stage) -> bool {
    let most = if stage.direct_sum().is_some() { DIRECT_THREADS } else { THREADS };
    !stage.write.scatters() && (1..=most).contains(&stage.n_butterflies())
}

/// A launch of one stage without tiles, before its text is written.
pub(crate) struct SingleStage<'a> {
    plan: &'a Plan,
    stage: &'a Stage,
    limits: Limits,
    access: Access,
    order: Vec<usize>,
    weights: Weights<'a>,
    roots: Vec<NamedRoots>,
    coefs: u32,
    in_place: bool,
    threads: usize,
    /// Butterflies of a thread.
    each: usize,
    /// Whether every second thread idles.
    idles: bool,
    is_folded: bool,
    variant: KernelVariant,
    /// Positions and lines of a patch, and the threads from one to the next.
    patch: Option<[usize; 4]>,
    pub(crate) n_groups: usize,
}

/// The variables of `stage.wgsl`.
#[derive(Serialize)]
struct SingleText {
    helpers: Helpers,
    tap_type: String,
    result_type: String,
    threads: usize,
    each: usize,
    idles: bool,
    is_folded: bool,
    n_guarded: Option<String>,
    patch: Option<PatchText>,
    butterflies: Vec<ButterflyLines>,
    /// Whether butterflies may read what others write, in place: all load before any stores.
    waits: bool,
    zero: String,
    uniforms: Vec<String>,
}

/// The butterflies of a workgroup, where these are a patch.
#[derive(Serialize)]
struct PatchText {
    positions: usize,
    lines: usize,
    position_pitch: usize,
    line_pitch: usize,
    /// Patches along a line, and across the lines.
    along: usize,
    across: usize,
    /// Positions, groups and repetitions of the stage.
    counts: [usize; 3],
}

/// The positions and lines of a patch, and how far apart the threads of neighbouring ones are.
fn patch(stage: &Stage, tile: Tile) -> Option<[usize; 4]> {
    let Tile::Patch { positions, lines } = tile else { return None };
    // Neighbouring threads take what is closer together.
    let [position_pitch, line_pitch] = if stage.is_across() { [lines, 1] } else { [1, positions] };
    Some([positions, lines, position_pitch, line_pitch])
}

impl<'a> SingleStage<'a> {
    /// The launch of stage `index`, whose addresses were checked.
    pub(crate) fn new(plan: &'a Plan, index: usize, tile: Tile, in_place: bool, tables: &mut Tables, limits: Limits) -> Self {
        let stage = &plan.stages[index];
        let register = Register { ring: plan.ring, precision: limits.precision, width: 1 };
        let n_butterflies = stage.n_butterflies();
        let patch = patch(stage, tile);
        let samples = if let Tile::Samples(threads) = tile { Some(threads) } else { None };
        let variant = if let Tile::Variant(variant) = tile { variant } else { KernelVariant::default() };
        let direct = stage.direct_sum();
        let is_told = variant.threads.is_some() || variant.butterflies.is_some();
        let is_plain = patch.is_some() || samples.is_some() || is_told;
        // A workgroup whose butterflies were counted takes these, and no groups of them.
        let shares = patch.is_none() && samples.is_none() && variant.threads.is_none() && direct.is_none() && !is_rolled(stage);
        let shared = Access::shared(stage, register).filter(|_| shares);
        let access = match shared {
            Some(shared) => shared,
            None if is_plain || direct.is_some() => Access::plain(stage, register),
            None => Access::of(stage, register, n_butterflies > THREADS),
        };
        // A single buffer has one type.
        let access = if in_place && access.pairs[0] != access.pairs[1] { Access::plain(stage, register) } else { access };
        let n = access.n_butterflies();
        let tap_bytes = stage.matrix().taps * access.register.bytes();
        let most = variant.butterflies.unwrap_or(if is_plain { 1 } else { (BYTES_IN_FLIGHT / tap_bytes).clamp(1, MOST_BUTTERFLIES) });
        let mut each = if is_rolled(stage) || direct.is_some() { 1 } else { 1 << most.max(1).ilog2() };
        let most_threads = if direct.is_some() { DIRECT_THREADS } else { THREADS };
        let threads = match variant.threads {
            Some(threads) => threads.min(n / each).max(1),
            None if is_plain && !is_told => THREADS,
            None => (n / if is_told { each } else { 1 }).clamp(1, most_threads),
        };
        while each > 1 && (!n.is_multiple_of(threads * each) || !is_told && n / (threads * each) < FULL_GROUPS) {
            each /= 2;
        }
        let n_groups = match patch {
            Some([positions, lines, ..]) => stage.positions.div_ceil(positions) * stage.group.n.div_ceil(lines) * stage.outer.n,
            None if samples == Some(ThreadsPerSample::One) => (2 * n).div_ceil(threads),
            None => n.div_ceil(threads * each),
        };
        let coefs = match direct {
            Some(direct) => tables.direct(direct),
            None if is_rolled(stage) => tables.coefficients(stage),
            None => 0,
        };
        let mut weights = Weights::new(stage, access.register, tables, variant.twiddles);
        Self {
            order: access.order(stage),
            roots: name_roots(std::slice::from_mut(&mut weights)),
            weights,
            is_folded: n_groups > limits.max_groups,
            plan,
            stage,
            limits,
            access,
            coefs,
            in_place,
            threads,
            each,
            idles: samples == Some(ThreadsPerSample::One),
            variant,
            patch,
            n_groups,
        }
    }

    /// The variables of the text.
    fn text(&self, numbers: &mut Numbers) -> SingleText {
        let permutes = self.stage.write.scatters();
        let writer = Writer {
            stage: self.stage,
            access: self.access,
            weights: &self.weights,
            order: self.order.clone(),
            coefs: self.coefs,
            sides: [Placed::default(), Placed { permutes, ..Placed::default() }],
            knows_place: self.patch.is_some(),
        };
        let suffix = |index: usize| if self.each == 1 { String::new() } else { index.to_string() };
        let name = |index: usize| if self.patch.is_some() { String::new() } else { format!("t{}", suffix(index)) };
        let butterflies: Vec<ButterflyLines> =
            (0..self.each).map(|index| writer.butterfly(&name(index), &suffix(index), numbers)).collect();
        let n = self.access.n_butterflies();
        let per_group = if self.idles { self.threads / 2 } else { self.threads * self.each };
        let is_guarded = self.patch.is_none() && (self.is_folded || !n.is_multiple_of(per_group));
        let n_guarded = is_guarded.then(|| Form::default().plus_times(numbers.number("n_butterflies", n as i64), 1).to_string());
        let helpers = Helpers::of(&butterflies, &[self.stage], &self.roots, self.access.register);
        let types = [0, 1].map(|side| if self.access.pairs[side] { self.access.register.pair() } else { self.access.register.name() });
        let patch = self.patch.map(|[positions, lines, position_pitch, line_pitch]| PatchText {
            positions,
            lines,
            position_pitch,
            line_pitch,
            along: self.stage.positions.div_ceil(positions),
            across: self.stage.group.n.div_ceil(lines),
            counts: self.access.counts,
        });
        let [tap_type, result_type] = types;
        let uniforms = numbers.uniforms().into_iter().map(|(name, _)| name).collect();
        let Self { threads, each, idles, is_folded, .. } = *self;
        let zero = self.access.register.nothing();
        let waits = self.in_place && !self.stage.writes_its_taps() && fits_a_workgroup(self.stage);
        SingleText { helpers, tap_type, result_type, threads, each, idles, is_folded, n_guarded, patch, butterflies, waits, zero, uniforms }
    }

    fn kernel(&self, numbers: &mut Numbers) -> Kernel {
        Kernel { in_place: self.in_place, ..kernel_of("stage.wgsl", self.plan, self.limits, self.text(numbers)) }
    }
}

/// The kernels of the launches and their uniforms: launches share a kernel where only numbers differ, and these are uniforms.
pub(crate) fn kernels(launches: &[SingleStage<'_>]) -> Vec<(Kernel, [u32; MOST_UNIFORMS])> {
    let general: Vec<(Kernel, Numbers)> = launches
        .iter()
        .map(|launch| {
            let mut numbers = Numbers { index: launch.variant.index, ..Numbers::default() };
            (launch.kernel(&mut numbers), numbers)
        })
        .collect();
    let kernel = |(launch, (kernel, numbers)): (&SingleStage<'_>, &(Kernel, Numbers))| {
        let alike = || general.iter().filter(|(other, _)| other == kernel);
        let differs = |(name, value): &&(String, u32)| alike().any(|(_, other)| !other.values.contains(&(name.clone(), *value)));
        let mut names: Vec<String> = numbers.values.iter().filter(differs).map(|(name, _)| name.clone()).collect();
        if names.len() > MOST_UNIFORMS {
            names.clear();
        }
        let mut numbers = Numbers { index: launch.variant.index, ..Numbers::with_uniforms(names) };
        let kernel = launch.kernel(&mut numbers);
        let mut uniforms = [0; MOST_UNIFORMS];
        uniforms.iter_mut().zip(numbers.uniforms()).for_each(|(uniform, (_, value))| *uniform = value);
        (kernel, uniforms)
    };
    launches.iter().zip(&general).map(kernel).collect()
}
