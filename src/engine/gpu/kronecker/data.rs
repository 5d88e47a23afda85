//! The data that fill `shaders/kronecker.wgsl`: which registers hold what, from phase to phase.

use super::phases::{Phase, phases};
use super::shape::KroneckerShape;
use crate::plan::Ring;
use serde::Serialize;

/// The work of a workgroup.
#[derive(Serialize)]
pub(super) struct KroneckerData {
    threads: usize,
    workgroup_values: usize,
    /// Tiles that share a block of 2^`block` lanes, and the bits of the lines of each.
    across: usize,
    lines: usize,
    block: usize,
    /// Rows of the matrix, and the factor of every result; of bits only what is odd counts.
    base: [[f64; 2]; 2],
    scale: f64,
    /// Whether a lane is a bit-packed word of 32 values, whose own stages come after the others.
    within: bool,
    /// The distance to the lane that multiplies a lane when it is read.
    factor: Option<usize>,
    /// Whether the last tile is not full.
    partial: bool,
    /// Threads of a subgroup, where some exchanges are shuffles.
    subgroup: Option<usize>,
    registers: usize,
    /// Bits of a tile index in a vector of 16 bytes, and whether the buffers hold vectors.
    vector: usize,
    loads_vectors: bool,
    stores_vectors: bool,
    load: Pieces,
    store: Pieces,
    phases: Vec<PhaseData>,
}

/// The lanes that a thread loads or stores.
#[derive(Serialize)]
struct Pieces {
    /// Where the bits of a thread's number go.
    thread: Vec<BitRun>,
    /// Whether a piece is a vector.
    vectors: bool,
    /// Lanes behind the thread's first, and the registers of a piece.
    pieces: Vec<(usize, Vec<usize>)>,
}

/// Some adjacent bits of a thread's number, and where they go.
#[derive(Serialize)]
struct BitRun {
    first: usize,
    mask: u32,
    to: usize,
}

/// An exchange, and the stages after it.
#[derive(Serialize)]
struct PhaseData {
    /// Exchanges by shuffles: the bit of the threads, and the registers that every two threads exchange.
    shuffles: Vec<(u32, Vec<[usize; 2]>)>,
    /// The exchange through workgroup memory.
    exchange: Option<Exchange>,
    /// Pairs of registers to which each stage applies the matrix.
    stages: Vec<Vec<[usize; 2]>>,
}

/// An exchange through workgroup memory: where threads write and read.
#[derive(Serialize)]
struct Exchange {
    home: Vec<BitRun>,
    away: Vec<BitRun>,
    rounds: Vec<Round>,
}

/// A round of an exchange: registers, and where they go or come from.
#[derive(Serialize, Default)]
struct Round {
    writes: Vec<(usize, usize)>,
    reads: Vec<(usize, usize)>,
}

impl KroneckerData {
    pub(super) fn new(shape: &KroneckerShape) -> Self {
        let vector = usize::ilog2(16 / shape.ring.bytes_per_lane()) as usize;
        let phases = phases(shape, vector);
        let holds_vectors = |phase: &Phase| shape.is_consecutive() && (0..vector).all(|bit| phase.held.contains(&bit));
        let (first, last) = (&phases[0], &phases[phases.len() - 1]);
        let stores_vectors = holds_vectors(last);
        let loads_vectors = if shape.in_place { stores_vectors } else { holds_vectors(first) };
        // The register that holds index i of the phase.
        let mut names: Vec<usize> = (0..1 << shape.values).collect();
        let load = pieces(shape, first, &names, if loads_vectors && holds_vectors(first) { vector } else { 0 });
        let mut before: Option<&Phase> = None;
        let mut steps = Vec::new();
        for phase in &phases {
            let (mut shuffles, mut through_memory) = (Vec::new(), None);
            match before {
                Some(old) if phase.swaps.is_empty() => through_memory = Some(exchange(shape, old, phase, &mut names)),
                Some(old) => shuffles = exchange_lanes(old, phase, &mut names),
                None => {}
            }
            let stages = phase.steps.iter().map(|&bit| stage(phase, bit, &names)).collect();
            steps.push(PhaseData { shuffles, exchange: through_memory, stages });
            before = Some(phase);
        }
        let reduced = |value: f64| if shape.ring == Ring::Gf2 { value.rem_euclid(2.0) } else { value };
        let [a, b, c, d] = shape.base.map(reduced);
        let shuffles = steps.iter().any(|step| !step.shuffles.is_empty());
        Self {
            threads: shape.threads(),
            workgroup_values: shape.workgroup_values(),
            across: 1 << (shape.lowest - shape.lines),
            lines: shape.lines,
            block: if shape.is_consecutive() { shape.tile() } else { shape.lowest + shape.bits },
            base: [[a, b], [c, d]],
            scale: reduced(shape.scale),
            within: false,
            factor: shape.factor,
            partial: shape.guarded,
            subgroup: shuffles.then_some(1 << shape.subgroup),
            registers: names.len(),
            vector,
            loads_vectors,
            stores_vectors,
            load,
            store: pieces(shape, last, &names, if stores_vectors { vector } else { 0 }),
            phases: steps,
        }
    }
}

/// Every lane of the tile, or every vector of 2^`vector` of them, that a phase holds.
fn pieces(shape: &KroneckerShape, phase: &Phase, names: &[usize], vector: usize) -> Pieces {
    let lane = |bit: usize| if bit < shape.lines { bit } else { bit - shape.lines + shape.lowest };
    let offset = |i: usize| phase.held.iter().enumerate().map(|(m, &bit)| (i >> m & 1) << lane(bit)).sum();
    let pieces = names.chunks(1 << vector).enumerate().map(|(i, names)| (offset(i << vector), names.to_vec()));
    Pieces { thread: bit_runs(phase.threads.iter().map(|&bit| lane(bit))), vectors: vector > 0, pieces: pieces.collect() }
}

/// The pairs of registers that differ in this bit.
fn stage(phase: &Phase, bit: usize, names: &[usize]) -> Vec<[usize; 2]> {
    let bit = 1 << position(&phase.held, bit);
    (0..names.len()).filter(|i| i & bit == 0).map(|i| [names[i], names[i | bit]]).collect()
}

/// Threads of a subgroup exchange half of their lanes for every pair of bits: those lanes whose two bits differ.
fn exchange_lanes(old: &Phase, new: &Phase, names: &mut Vec<usize>) -> Vec<(u32, Vec<[usize; 2]>)> {
    let mut held = old.held.clone();
    let mut shuffles = Vec::new();
    for &[near, own] in &new.swaps {
        let (lane, register) = (position(&old.threads, near), position(&held, own));
        let pairs = (0..names.len()).filter(|i| i >> register & 1 == 0).map(|i| [names[i], names[i | 1 << register]]);
        shuffles.push((1 << lane, pairs.collect()));
        held[register] = near;
    }
    let place = |i: usize| new.held.iter().zip(0..).fold(0, |place, (&bit, to)| place | (i >> to & 1) << position(&held, bit));
    *names = (0..names.len()).map(|i| names[place(i)]).collect();
    shuffles
}

/// Threads exchange lanes between two phases, one round for each value of some bits that both hold.
fn exchange(shape: &KroneckerShape, old: &Phase, new: &Phase, names: &mut [usize]) -> Exchange {
    let mut shared: Vec<usize> = old.held.iter().copied().filter(|bit| new.held.contains(bit)).collect();
    shared.drain(..shared.len() - shape.rounds);
    // Where a bit goes in the memory of one round.
    let moved = |bit: usize| bit - shared.iter().filter(|&&other| other < bit).count();
    let round_of = |place: usize| shared.iter().map(|&bit| place >> bit & 1).fold(0, |round, bit| 2 * round + bit);
    let offset = |phase: &Phase, i: usize| {
        let bits = phase.held.iter().enumerate().filter(|(_, bit)| !shared.contains(bit));
        let place: usize = bits.map(|(m, &bit)| (i >> m & 1) << moved(bit)).sum();
        place + place / 32
    };
    let before = names.to_vec();
    let rounds = (0..1 << shape.rounds).map(|round| {
        let of_round = |phase: &Phase| (0..before.len()).filter(|&i| round_of(phase.place(i)) == round).collect::<Vec<_>>();
        let (given, taken) = (of_round(old), of_round(new));
        // Registers that were written to memory are free for what is read.
        taken.iter().zip(&given).for_each(|(&i, &freed)| names[i] = before[freed]);
        Round {
            writes: given.iter().map(|&i| (before[i], offset(old, i))).collect(),
            reads: taken.iter().map(|&i| (names[i], offset(new, i))).collect(),
        }
    });
    let rounds = rounds.collect();
    let [home, away] = [old, new].map(|phase| bit_runs(phase.threads.iter().map(|&bit| moved(bit))));
    Exchange { home, away, rounds }
}

/// The bits of a thread's number, lowest first, as runs that stay together when each goes to its place.
fn bit_runs(places: impl Iterator<Item = usize>) -> Vec<BitRun> {
    let places: Vec<usize> = places.collect();
    let mut first = 0;
    let runs = places.chunk_by(|a, b| a + 1 == *b).map(|run| {
        first += run.len();
        BitRun { first: first - run.len(), mask: (1 << run.len()) - 1, to: run[0] }
    });
    runs.collect()
}

fn position(bits: &[usize], wanted: usize) -> usize {
    bits.iter().position(|&bit| bit == wanted).expect("the bits of a phase are known")
}
