//! The text of the kernel for one shape: `shaders/kronecker.wgsl` with its steps and exchanges written out.

use super::shape::KroneckerShape;
use crate::gpu::wgsl::WgslBody;
use crate::plan::{Precision, Ring};

const KERNEL: &str = include_str!("../../../shaders/kronecker.wgsl");
const EXCHANGE: &str = include_str!("../../../shaders/exchange.wgsl");
/// How a thread learns its number; and how it does where it must know its index in its subgroup, since no rule says which threads a subgroup takes.
const THREAD: &str = "@builtin(local_invocation_index) thread: u32";
const THREAD_OF_SUBGROUP: &str = "@builtin(subgroup_id) subgroup: u32, @builtin(subgroup_invocation_id) lane: u32";

/// The whole text but for the file of the lane, which stands before it.
pub(in crate::gpu) fn source(shape: &KroneckerShape) -> String {
    let writer = Writer::new(shape);
    let kind = |vectors| if vectors { format!("vec{}<Lane>", 1 << writer.vector) } else { "Lane".to_owned() };
    let block = if shape.is_consecutive() { shape.tile() } else { shape.lowest + shape.bits };
    let constants = format!(
        "alias Source = {};\nalias Sink = {};\nconst THREADS = {}u;\nconst WORKGROUP_VALUES = {}u;\nconst ACROSS = {}u;\nconst LINES = {}u;\nconst BLOCK = {block}u;\n",
        kind(writer.loads_vectors),
        kind(writer.stores_vectors),
        shape.threads(),
        shape.workgroup_values(),
        1 << (shape.lowest - shape.lines),
        shape.lines,
    );
    let base = shape.base.map(f64::from_bits);
    let row = |name: &str, a, b| format!("fn {name}(a: Lane, b: Lane) -> Lane {{\n    return {};\n}}\n", sum(shape.ring, a, b));
    let matrix = [row("first", base[0], base[1]), row("second", base[2], base[3])].concat();
    let (shuffles, subgroup) = (writer.phases.iter().any(|phase| !phase.swaps.is_empty()), 1 << shape.subgroup);
    let mut text = [constants, matrix, KERNEL.replace("    //@ steps\n", &writer.text())].join("\n");
    if shuffles {
        let thread = format!("let thread = subgroup * {subgroup}u + lane;\n    let tile");
        text = text.replace(THREAD, THREAD_OF_SUBGROUP).replacen("let tile", &thread, 1) + EXCHANGE;
    }
    // In place, the one buffer is bound as the sink.
    if shape.in_place { text.replace("input[", "output[") } else { text }
}

/// a·p + b·q in the ring.
fn sum(ring: Ring, p: f64, q: f64) -> String {
    let term = |name: &str, factor: f64| match (ring, factor) {
        (Ring::Gf2, _) => (factor.rem_euclid(2.0) == 1.0).then(|| name.to_owned()),
        (_, 0.0) => None,
        (_, 1.0) => Some(name.to_owned()),
        (_, -1.0) => Some(format!("-{name}")),
        (Ring::Integer(_), _) => Some(format!("Lane({factor:.0}) * {name}")),
        _ => Some(format!("{:?}f * {name}", factor as f32)),
    };
    let between = if ring == Ring::Gf2 { " ^ " } else { " + " };
    match [term("a", p), term("b", q)] {
        [Some(a), Some(b)] if b == "-b" => format!("{a} - b"),
        [Some(a), Some(b)] => format!("{a}{between}{b}"),
        [Some(one), None] | [None, Some(one)] => one,
        [None, None] => "Lane(0)".into(),
    }
}

/// Which bits of a tile index say which register holds it; the other bits say which thread.
struct Phase {
    /// Bits of variables, upwards.
    held: Vec<usize>,
    /// Bits of threads, in the order of the bits of their number.
    threads: Vec<usize>,
    /// The bits on which steps are taken, in their order.
    steps: Vec<usize>,
    /// The bits that are exchanged by shuffles: pairs of a bit of neighbouring threads and a bit of registers. Empty where all threads exchange through workgroup memory.
    swaps: Vec<[usize; 2]>,
}

/// The most bits that threads of a subgroup exchange by shuffles. Each takes half as many shuffles as a thread has registers; an exchange through memory writes and reads all of them.
const MOST_SHUFFLED: usize = 2;

impl Phase {
    fn new(mut held: Vec<usize>, steps: Vec<usize>, tile: usize) -> Self {
        held.sort_unstable();
        // The first 32 threads fall into different banks: bit d of a tile index moves it by bank 2^(d mod 5).
        let mut banks = 0_u32;
        let free = (0..tile).filter(|digit| !held.contains(digit));
        let (mut threads, mut others) = (Vec::new(), Vec::new());
        for digit in free {
            let bank = 1 << (digit % 5);
            if banks & bank == 0 {
                threads.push(digit)
            } else {
                others.push(digit)
            }
            banks |= bank;
        }
        threads.extend(others);
        Self { held, threads, steps, swaps: Vec::new() }
    }

    /// The phase after this one that takes these steps, if their bits are those of threads of one subgroup: the lowest bits of variables go there instead, but for those of a vector.
    fn swapped(&self, steps: Vec<usize>, subgroup: usize, vector: usize) -> Option<Self> {
        let mut incoming = steps.clone();
        incoming.sort_unstable();
        let near = incoming.iter().all(|digit| self.threads[..subgroup].contains(digit));
        let outgoing = self.held.iter().copied().filter(|&digit| digit >= vector);
        let swaps: Vec<[usize; 2]> = incoming.into_iter().zip(outgoing).map(|(near, own)| [near, own]).collect();
        let changed = |digit: &usize| swaps.iter().find(|swap| swap.contains(digit)).map_or(*digit, |[near, own]| near + own - digit);
        let mut held: Vec<usize> = self.held.iter().map(changed).collect();
        held.sort_unstable();
        let threads = self.threads.iter().map(changed).collect();
        (near && swaps.len() == steps.len()).then_some(Self { held, threads, steps, swaps })
    }

    /// The tile index that a register holds, as far as registers decide it.
    fn place(&self, variable: usize) -> usize {
        self.held.iter().enumerate().map(|(i, digit)| (variable >> i & 1) << digit).sum()
    }
}

struct Writer<'a> {
    shape: &'a KroneckerShape,
    phases: Vec<Phase>,
    /// Bits of a tile index in a vector of 16 bytes.
    vector: usize,
    loads_vectors: bool,
    stores_vectors: bool,
    /// The register that holds index i of the phase.
    names: Vec<usize>,
    body: WgslBody,
}

impl<'a> Writer<'a> {
    fn new(shape: &'a KroneckerShape) -> Self {
        let vector = usize::ilog2(16 / shape.ring.bytes_per_lane()) as usize;
        let phases = phases(shape, vector);
        let holds_vectors = |phase: &Phase| shape.is_consecutive() && (0..vector).all(|digit| phase.held.contains(&digit));
        let (first, last) = (&phases[0], &phases[phases.len() - 1]);
        let stores_vectors = holds_vectors(last);
        let loads_vectors = if shape.in_place { stores_vectors } else { holds_vectors(first) };
        Self {
            shape,
            vector,
            loads_vectors,
            stores_vectors,
            names: (0..1 << shape.values).collect(),
            body: WgslBody::new(Precision::Single),
            phases,
        }
    }

    fn text(mut self) -> String {
        let phases = std::mem::take(&mut self.phases);
        for variable in 0..1 << self.shape.values {
            self.body.line(format_args!("var x{variable} = Lane(0);"));
        }
        for (index, phase) in phases.iter().enumerate() {
            match index.checked_sub(1) {
                None => self.load(phase),
                Some(before) if phase.swaps.is_empty() => self.exchange(before, &phases[before], phase),
                Some(before) => self.exchange_lanes(&phases[before], phase),
            }
            phase.steps.iter().for_each(|&digit| self.step(phase, digit));
        }
        self.store(&phases[phases.len() - 1]);
        self.body.into_text()
    }

    /// How far an index of the tile is from the first lane.
    fn lane(&self, digit: usize) -> usize {
        if digit < self.shape.lines { digit } else { digit - self.shape.lines + self.shape.lowest }
    }

    /// Every lane of the tile, or every vector of them, that a phase holds: its first variable, and how far it stands behind the thread's first.
    fn pieces(&self, phase: &Phase, vectors: bool) -> Vec<(usize, usize)> {
        let step = if vectors { 1 << self.vector } else { 1 };
        let offset = |i: usize| phase.held.iter().enumerate().map(|(m, &digit)| (i >> m & 1) << self.lane(digit)).sum();
        (0..1 << self.shape.values).step_by(step).map(|i| (i, offset(i))).collect()
    }

    fn load(&mut self, phase: &Phase) {
        let own: Vec<usize> = phase.threads.iter().map(|&digit| self.lane(digit)).collect();
        self.body.line(format_args!("let source = start + {};", spread(&own)));
        let vectors = self.loads_vectors && (0..self.vector).all(|digit| phase.held.contains(&digit));
        for (i, offset) in self.pieces(phase, vectors) {
            self.guard(format_args!("source + {offset}u"));
            let read = |behind: usize| self.read(offset + behind, vectors);
            let value = match self.shape.factor {
                None => read(0),
                Some(behind) => format!("{} * {}", read(0), read(behind)),
            };
            if vectors {
                self.body.line(format_args!("let v{i} = {value};"));
                for k in 0..1 << self.vector {
                    self.body.line(format_args!("x{} = v{i}[{k}];", self.names[i + k]));
                }
            } else {
                self.body.line(format_args!("x{} = {value};", self.names[i]));
            }
            self.unguard();
        }
    }

    /// The lane, or the vector of lanes, so far behind the thread's first.
    fn read(&self, offset: usize, vectors: bool) -> String {
        match (vectors, self.loads_vectors) {
            (true, _) => format!("input[(source + {offset}u) >> {}u]", self.vector),
            (false, true) => {
                let mask = (1 << self.vector) - 1;
                format!("input[(source + {offset}u) >> {}u][(source + {offset}u) & {mask}u]", self.vector)
            }
            (false, false) => format!("input[source + {offset}u]"),
        }
    }

    fn store(&mut self, phase: &Phase) {
        let own: Vec<usize> = phase.threads.iter().map(|&digit| self.lane(digit)).collect();
        self.body.line(format_args!("let sink = start + {};", spread(&own)));
        for (i, offset) in self.pieces(phase, self.stores_vectors) {
            self.guard(format_args!("sink + {offset}u"));
            if self.stores_vectors {
                let values: Vec<String> = (0..1 << self.vector).map(|k| self.result(i + k)).collect();
                self.body.line(format_args!("output[(sink + {offset}u) >> {}u] = Sink({});", self.vector, values.join(", ")));
            } else {
                let value = self.result(i);
                self.body.line(format_args!("output[sink + {offset}u] = {value};"));
            }
            self.unguard();
        }
    }

    fn guard(&mut self, lane: std::fmt::Arguments<'_>) {
        if self.shape.guarded {
            self.body.line(format_args!("if {lane} < launch.n_lanes {{"));
        }
    }

    fn unguard(&mut self) {
        if self.shape.guarded {
            self.body.line(format_args!("}}"));
        }
    }

    /// A result, times the factor at the end; integers are divided where that is the reciprocal of one.
    fn result(&self, i: usize) -> String {
        let (x, scale) = (format!("x{}", self.names[i]), f64::from_bits(self.shape.scale));
        match self.shape.ring {
            _ if self.shape.within => format!("within({x})"),
            _ if scale == 1.0 => x,
            Ring::Gf2 => {
                if scale.abs() as u32 % 2 == 1 {
                    x
                } else {
                    "Lane(0)".into()
                }
            }
            Ring::Integer(_) if scale != 0.0 && scale.abs() < 1.0 => format!("{x} / Lane({:.0})", 1.0 / scale),
            Ring::Integer(_) => format!("{x} * Lane({scale:.0})"),
            _ => format!("{x} * {:?}f", scale as f32),
        }
    }

    /// The matrix on every pair of variables that differ in this bit.
    fn step(&mut self, phase: &Phase, digit: usize) {
        let bit = 1 << phase.held.iter().position(|&held| held == digit).expect("a phase holds the digits of its steps");
        for i in (0..1 << self.shape.values).filter(|i| i & bit == 0) {
            let (a, b) = (self.names[i], self.names[i | bit]);
            self.body.line(format_args!("{{ let a = x{a}; x{a} = first(a, x{b}); x{b} = second(a, x{b}); }}"));
        }
    }

    /// Threads of a subgroup exchange half of their lanes for every pair of bits: those lanes whose two bits differ.
    fn exchange_lanes(&mut self, old: &Phase, new: &Phase) {
        let mut held = old.held.clone();
        for &[near, own] in &new.swaps {
            let position = |digits: &[usize], wanted: usize| digits.iter().position(|&digit| digit == wanted).expect("digits of the phase");
            let (lane, variable) = (position(&old.threads, near), position(&held, own));
            let mask = 1_u32 << lane;
            self.body.line(format_args!("let upper{near}_{own} = (thread & {mask}u) != 0u;"));
            for i in (0..self.names.len()).filter(|i| i >> variable & 1 == 0) {
                let (a, b) = (self.names[i], self.names[i | 1 << variable]);
                self.body.line(format_args!("exchange_lanes(&x{a}, &x{b}, upper{near}_{own}, {mask}u);"));
            }
            held[variable] = near;
        }
        let place = |i: usize| {
            new.held.iter().zip(0..).fold(0, |place, (digit, bit)| {
                let before = held.iter().position(|other| other == digit).expect("the same digits");
                place | (i >> bit & 1) << before
            })
        };
        self.names = (0..self.names.len()).map(|i| self.names[place(i)]).collect();
    }

    /// Threads exchange lanes between two phases, one round for each value of some bits that both hold.
    fn exchange(&mut self, index: usize, old: &Phase, new: &Phase) {
        let mut shared: Vec<usize> = old.held.iter().copied().filter(|digit| new.held.contains(digit)).collect();
        shared.drain(..shared.len() - self.shape.rounds);
        // Where a bit goes in the memory of one round.
        let below = |digit: usize| shared.iter().filter(|&&other| other < digit).count();
        let home = |threads: &[usize]| spread(&threads.iter().map(|&digit| digit - below(digit)).collect::<Vec<_>>());
        self.body.line(format_args!("let home{index} = {};", home(&old.threads)));
        self.body.line(format_args!("let write{index} = home{index} + (home{index} >> 5u);"));
        self.body.line(format_args!("let away{index} = {};", home(&new.threads)));
        self.body.line(format_args!("let read{index} = away{index} + (away{index} >> 5u);"));
        let round_of = |place: usize| shared.iter().map(|&digit| place >> digit & 1).fold(0, |round, bit| 2 * round + bit);
        let offset = |phase: &Phase, i: usize| {
            let digits = phase.held.iter().enumerate().filter(|(_, digit)| !shared.contains(digit));
            let place: usize = digits.map(|(m, &digit)| (i >> m & 1) << (digit - below(digit))).sum();
            place + place / 32
        };
        let n = 1 << self.shape.values;
        let mut names = vec![0; n];
        for round in 0..1 << self.shape.rounds {
            if index > 0 || round > 0 {
                self.body.line(format_args!("workgroupBarrier();"));
            }
            let given: Vec<usize> = (0..n).filter(|&i| round_of(old.place(i)) == round).collect();
            let taken: Vec<usize> = (0..n).filter(|&i| round_of(new.place(i)) == round).collect();
            for &i in &given {
                self.body.line(format_args!("exchanged[write{index} + {}u] = x{};", offset(old, i), self.names[i]));
            }
            self.body.line(format_args!("workgroupBarrier();"));
            // Registers that were written to memory are free for what is read.
            for (&i, &freed) in taken.iter().zip(&given) {
                names[i] = self.names[freed];
                self.body.line(format_args!("x{} = exchanged[read{index} + {}u];", names[i], offset(new, i)));
            }
        }
        self.names = names;
    }
}

/// The bits that variables hold, phase after phase: those of the next steps, and the highest beside them.
fn phases(shape: &KroneckerShape, vector: usize) -> Vec<Phase> {
    let (tile, values) = (shape.tile(), shape.values);
    let mut left: Vec<usize> = (shape.lines..shape.lines + shape.bits).collect();
    let mut held: Vec<usize> = (0..tile).collect();
    let mut phases = Vec::new();
    while let Some(most) = (!left.is_empty()).then(|| if phases.is_empty() { values } else { values - shape.rounds }) {
        let next: Vec<usize> = left.iter().rev().take(MOST_SHUFFLED).copied().collect();
        if let Some(phase) = phases.last().and_then(|last: &Phase| last.swapped(next, shape.subgroup, vector)) {
            left.truncate(left.len() - phase.steps.len());
            held.clone_from(&phase.held);
            phases.push(phase);
            continue;
        }
        let steps: Vec<usize> = (0..most).map_while(|_| left.pop()).collect();
        held = filled(steps.clone(), &held, values);
        phases.push(Phase::new(held.clone(), steps, tile));
    }
    // Low bits above those of a vector would tear apart what neighbouring threads store.
    if shape.is_consecutive() && held.contains(&vector) && tile > values {
        let low = (0..vector).filter(|digit| held.contains(digit)).collect();
        let kept: Vec<usize> = filled(low, &held, vector + shape.rounds);
        let all: Vec<usize> = (0..tile).collect();
        phases.push(Phase::new(filled(kept, &all, values), vec![], tile));
    }
    phases
}

/// `bits`, and the highest of `others` beside them until they are `n`.
fn filled(mut digits: Vec<usize>, others: &[usize], n: usize) -> Vec<usize> {
    let mut others = others.to_vec();
    others.sort_unstable();
    while digits.len() < n {
        let Some(highest) = others.pop() else { break };
        if !digits.contains(&highest) {
            digits.push(highest);
        }
    }
    digits
}

/// The number of a thread with its bits moved to these positions.
fn spread(places: &[usize]) -> String {
    let mut terms = Vec::new();
    let mut first = 0;
    for run in places.chunk_by(|a, b| a + 1 == *b) {
        terms.push(format!("(((thread >> {first}u) & {}u) << {}u)", (1_u32 << run.len()) - 1, run[0]));
        first += run.len();
    }
    if terms.is_empty() { "0u".into() } else { terms.join(" + ") }
}
