//! A run of stages in tiles of bits: threads hold their lanes in registers, and exchange them through workgroup memory where stages mix other bits.

use super::banks::{padded, places};
use super::bit_layout::{BitLayout, THREAD_BITS};
use super::bit_registers::{most_bit_lanes, most_registers, parts, residues};
use super::bit_weights::BitWeights;
use super::kernel_of;
use super::lookups::Lookups;
use super::steps::StepText;
use super::sums::Register;
use super::weights::{NamedRoots, Weights, name_roots};
use crate::gpu::kernel::Kernel;
use crate::gpu::limits::Limits;
use crate::gpu::tables::Tables;
use crate::plan::{BitOrder, LazyBound, Plan, Ring, Stage, kernel_bounds, reverse_bits};
use crate::schedule::{BitRun, TwiddleSource};
use serde::Serialize;
use std::ops::Range;

/// Lanes that neighbouring threads should touch side by side.
const NEIGHBOUR_BITS: usize = 4;

/// Stages that one assignment of bits to registers takes.
struct PhaseStages {
    layout: BitLayout,
    stages: Range<usize>,
}

#[derive(Serialize)]
struct Exchange {
    /// The first element that a thread writes, and that it reads then.
    here: String,
    there: String,
    put: Vec<usize>,
    take: Vec<usize>,
    /// Whether others may still read what an exchange before left.
    waits: bool,
}

#[derive(Serialize)]
struct Phase {
    exchange: Option<Exchange>,
    /// Names and values of the roots that its steps are the first to need.
    roots: Vec<[String; 2]>,
    steps: Vec<StepText>,
}

#[derive(Serialize)]
struct BitsText {
    complex: bool,
    /// Whether lanes are residues.
    prime: bool,
    times: bool,
    times_i: bool,
    real: &'static str,
    roots: Vec<NamedRoots>,
    reversal: Option<(u32, &'static str)>,
    register: String,
    /// The type of an element of workgroup memory, and the parts of a register that are exchanged in turn.
    element: String,
    parts: &'static [&'static str],
    threads: usize,
    n_guarded: Option<usize>,
    places: usize,
    residues: u32,
    /// Names and values of the roots that threads look up before they load their lanes.
    first_roots: Vec<[String; 2]>,
    first: String,
    loads: Vec<[String; 2]>,
    phases: Vec<Phase>,
    last: String,
    stores: Vec<[String; 2]>,
}

/// Writes a kernel of one run.
pub(super) struct Writer<'a> {
    pub(super) register: Register,
    bits: usize,
    rows: usize,
    run: BitRun,
    pub(super) stages: &'a [Stage],
    /// The bit at every place before each stage.
    names: Vec<Vec<u32>>,
    pub(super) weights: Vec<Option<BitWeights>>,
    /// How large residues become in each stage.
    pub(super) bounds: Vec<LazyBound>,
}

/// The kernel of some stages in tiles of these bits, and its number of workgroups; `None` where it is unsupported.
pub(crate) fn bits(plan: &Plan, range: Range<usize>, bits: usize, tables: &mut Tables, limits: Limits) -> Option<(Kernel, usize)> {
    let register = Register { ring: plan.ring, precision: limits.precision, width: 1 };
    let run = BitRun::of(plan, range.clone())?;
    let stages = &plan.stages[range];
    let bounds = plan.ring.field().map_or_else(Vec::new, |field| kernel_bounds(field, stages, u32::BITS));
    let n_tile_bits = bits.count_ones() as usize;
    let has_linear_weights =
        |stage: &Stage| stage.twiddle.is_none() || stage.positions.is_power_of_two() && stage.group.n.is_power_of_two();
    let fits = 1 << n_tile_bits <= most_bit_lanes(plan.ring, limits) && run.mixed & !bits == 0 && plan.ring != Ring::Equation;
    if !fits || !stages.iter().all(has_linear_weights) {
        return None;
    }
    let mut tables_of: Vec<Weights<'_>> = stages.iter().map(|stage| Weights::new(stage, register, tables, TwiddleSource::Table)).collect();
    let roots = name_roots(&mut tables_of);
    let names = names(&run);
    let weights = stages.iter().zip(&run.stages).zip(&names).zip(&tables_of);
    let weights = weights.map(|(((stage, bits), names), weights)| BitWeights::new(stage.twiddle.as_ref(), bits, names, weights).ok());
    let weights = weights.collect::<Option<_>>()?;
    let writer = Writer { register, bits, rows: plan.lanes >> run.n_bits, weights, run, stages, names, bounds };
    let n_tiles = plan.lanes >> n_tile_bits;
    let text = writer.text(roots, (n_tiles > limits.max_groups).then_some(n_tiles))?;
    Some((kernel_of("bits.wgsl", plan, limits, text), n_tiles))
}

/// The bit at every place before each stage of a run and after the last.
fn names(run: &BitRun) -> Vec<Vec<u32>> {
    let mut names = vec![(0..run.n_bits).collect::<Vec<u32>>()];
    for stage in &run.stages {
        let before = &names[names.len() - 1];
        let mut after = before.clone();
        for [from, to] in stage.places.iter().flatten().chain(&stage.active) {
            after[*to as usize] = before[*from as usize];
        }
        names.push(after);
    }
    names
}

impl Writer<'_> {
    /// The bits that stage `index` mixes, by their places before the run.
    pub(super) fn mixed(&self, index: usize) -> Vec<u32> {
        self.run.stages[index].active.iter().map(|moved| self.names[index][moved[0] as usize]).collect()
    }

    /// Where a bit is after the run. Gray decoding changes lanes within the aligned groups that these bits number.
    fn place_after(&self, bit: u32) -> u32 {
        self.run.places_after[bit as usize]
    }

    /// Where a bit is in the index that the kernel gives to `rearranged`, which reverses the bits.
    fn place_stored(&self, bit: u32) -> u32 {
        let place = self.place_after(bit);
        match self.stages.last() {
            Some(last) if self.rearranges() => reverse_bits(1 << place, last.write.reversed_bits).ilog2(),
            _ => place,
        }
    }

    /// Whether the last stage changes the order of bits beyond moving them.
    fn rearranges(&self) -> bool {
        self.stages.last().is_some_and(|last| last.write.reversed_bits > 0 && last.write.bit_order == BitOrder::GrayDecoded)
    }

    /// The number of a bit in workgroup memory.
    fn rank(&self, bit: u32) -> u32 {
        (self.bits & ((1 << bit) - 1)).count_ones()
    }

    /// Assignments of bits to registers and the stages that each takes. Threads load and store neighbouring lanes.
    fn phases(&self) -> Option<Vec<PhaseStages>> {
        let n_tile_bits = self.bits.count_ones() as usize;
        let most = most_registers(self.register).min(n_tile_bits);
        let widest = (0..self.stages.len()).map(|index| self.mixed(index).len()).max().unwrap_or(0);
        let n_registers = n_tile_bits.saturating_sub(THREAD_BITS).max(widest).max(most.min(3));
        if n_registers > most || n_tile_bits - n_registers > THREAD_BITS {
            return None;
        }
        let mut groups: Vec<(Range<usize>, Vec<u32>)> = Vec::new();
        let mut first = 0;
        while first < self.stages.len() {
            let (mut held, mut end) = (Vec::new(), first);
            while end < self.stages.len() {
                let more: Vec<u32> = self.mixed(end).into_iter().filter(|bit| !held.contains(bit)).collect();
                if held.len() + more.len() > n_registers {
                    break;
                }
                held.extend(more);
                end += 1;
            }
            groups.push((first..end, held));
            first = end;
        }
        // A few threads read little in any order.
        let is_low = |place: u32| n_tile_bits >= THREAD_BITS && (place as usize) < NEIGHBOUR_BITS;
        if groups[0].1.iter().any(|&bit| is_low(bit)) {
            groups.insert(0, (0..0, Vec::new()));
        }
        let n = self.stages.len();
        // One assignment cannot both load and store neighbours where other bits number these.
        let moves_low = |bit: u32| self.bits >> bit & 1 == 1 && !is_low(bit) && is_low(self.place_after(bit));
        let stores_others = groups.len() == 1 && (0..self.run.n_bits).any(moves_low);
        if stores_others || groups[groups.len() - 1].1.iter().any(|&bit| is_low(self.place_after(bit))) {
            groups.push((n..n, Vec::new()));
        }
        let n_groups = groups.len();
        Some(
            groups
                .into_iter()
                .enumerate()
                .map(|(index, (stages, held))| PhaseStages { layout: self.layout(held, n_registers, index, n_groups), stages })
                .collect(),
        )
    }

    /// The layout of one of `n_groups`: the held bits and others number the registers, those that are highest in memory.
    fn layout(&self, mut held: Vec<u32>, n_registers: usize, group: usize, n_groups: usize) -> BitLayout {
        let (loads, stores) = (group == 0, group + 1 == n_groups);
        let mut others: Vec<u32> = (0..self.run.n_bits).filter(|bit| self.bits >> bit & 1 == 1 && !held.contains(bit)).collect();
        // Where a launch has one phase, both sides count.
        others.sort_by_key(|&bit| match (loads, stores) {
            (true, true) => bit.min(self.place_after(bit)),
            (false, true) => self.place_after(bit),
            _ => bit,
        });
        while held.len() < n_registers {
            held.extend(others.pop());
        }
        let key = |bit: u32| if stores && !loads { self.place_after(bit) } else { bit };
        let layout = BitLayout::new(self.bits, self.run.n_bits, held, key);
        if loads || stores { layout } else { layout.across_banks(residues(self.register), |bit| self.rank(bit)) }
    }

    fn text(&self, roots: Vec<NamedRoots>, n_guarded: Option<usize>) -> Option<BitsText> {
        let phases = self.phases()?;
        let (first, last) = (&phases[0].layout, &phases[phases.len() - 1].layout);
        let n = 1 << first.registers.len();
        let name = |register: usize| format!("x{register}");
        let load = |register: usize| [name(register), first.of_register(register, |bit| 1 << bit).to_string()];
        let store = |register: usize| [name(register), last.of_register(register, |bit| 1 << self.place_stored(bit)).to_string()];
        let residues = residues(self.register);
        let mut lookups = Lookups::default();
        let mut written = self.written(&phases, &mut lookups);
        let (first_roots, of_phases) = lookups.definitions();
        written.iter_mut().zip(of_phases).for_each(|(phase, roots)| phase.roots = roots);
        let n_threads = 1 << first.threads.len();
        // Rows above the bits stay where they are.
        let rows = if self.rows > 1 { Some(format!("((tile >> {}u) << {}u)", first.tiles.len(), self.run.n_bits)) } else { None };
        let all_lanes = |place: &dyn Fn(u32) -> u32, layout: &BitLayout| {
            let terms: Vec<String> = layout.index(|bit| Some(place(bit))).into_iter().chain(rows.clone()).collect();
            if terms.is_empty() { "0u".to_owned() } else { terms.join(" + ") }
        };
        let calls = |function: &str| {
            let steps = written.iter().flat_map(|phase: &Phase| &phase.steps);
            let lines = steps.flat_map(|step| &step.butterflies).flat_map(|butterfly| butterfly.taps.iter().chain(&butterfly.results));
            lines.into_iter().any(|[_, value]| value.contains(function))
        };
        let text = BitsText {
            complex: self.register.ring == Ring::Complex || !roots.is_empty(),
            prime: self.register.ring.field().is_some(),
            times: calls("times(") || self.register.ring.field().is_none() && roots.iter().any(|roots| roots.table.is_long),
            times_i: calls("times_i("),
            real: self.register.real(),
            roots,
            reversal: self.rearranges().then(|| (self.stages[self.stages.len() - 1].write.reversed_bits, "gray")),
            register: self.register.name(),
            element: if self.register.ring == Ring::Complex { self.register.real().into() } else { self.register.name() },
            parts: parts(self.register),
            threads: n_threads,
            n_guarded,
            places: if phases.len() > 1 { places(1 << self.bits.count_ones(), residues) } else { 0 },
            residues,
            first_roots,
            first: all_lanes(&|bit| bit, first),
            loads: (0..n).map(load).collect(),
            phases: written,
            last: all_lanes(&|bit| self.place_stored(bit), last),
            stores: (0..n).map(store).collect(),
        };
        Some(text)
    }

    /// The steps of each phase between its exchanges, without the roots that it looks up.
    fn written(&self, phases: &[PhaseStages], lookups: &mut Lookups) -> Vec<Phase> {
        let mut written = Vec::new();
        let mut pending: Option<usize> = None;
        for (index, phase) in phases.iter().enumerate() {
            let exchange = index.checked_sub(1).map(|before| self.exchange(&phases[before].layout, &phase.layout, before > 0));
            let mut steps = Vec::new();
            lookups.begin_phase();
            if let Some(stage) = pending.take() {
                steps.push(self.twiddles(stage, &phase.layout, lookups));
            }
            for stage in phase.stages.clone() {
                let weights = self.weights[stage].as_ref();
                let is_last = stage + 1 == self.stages.len() && index + 1 == phases.len();
                // A factor that is simpler in the next phase waits for it.
                let is_simpler_later = weights.is_some_and(|weights| !weights.suits(&phase.layout)) && !self.stages[stage].twiddles_taps();
                let waits = is_simpler_later && stage + 1 == phase.stages.end && !is_last;
                steps.push(self.step(stage, &phase.layout, !waits, lookups));
                pending = waits.then_some(stage);
            }
            written.push(Phase { exchange, roots: Vec::new(), steps });
        }
        written
    }

    fn exchange(&self, before: &BitLayout, after: &BitLayout, waits: bool) -> Exchange {
        let residues = residues(self.register);
        let start = |layout: &BitLayout| {
            let in_tile = |bit: u32| (self.bits >> bit & 1 == 1).then(|| self.rank(bit));
            layout.index(in_tile).unwrap_or_else(|| "0u".into())
        };
        let element = |layout: &BitLayout, register: usize| padded(layout.of_register(register, |bit| 1 << self.rank(bit)), residues);
        let n = 1 << before.registers.len();
        Exchange {
            here: start(before),
            there: start(after),
            put: (0..n).map(|register| element(before, register)).collect(),
            take: (0..n).map(|register| element(after, register)).collect(),
            waits,
        }
    }
}
