//! Which bits of a tile index number the registers of a thread, and which number the threads, from phase to phase.

use super::shape::KroneckerShape;

/// Which bits of a tile index say which register holds it; the other bits say which thread.
pub(super) struct Phase {
    /// Bits of variables, upwards.
    pub(super) held: Vec<usize>,
    /// Bits of threads, in the order of the bits of their number.
    pub(super) threads: Vec<usize>,
    /// The bits on which steps are taken, in their order.
    pub(super) steps: Vec<usize>,
    /// The bits that are exchanged by shuffles: pairs of a bit of neighbouring threads and a bit of registers. Empty where all threads exchange through workgroup memory.
    pub(super) swaps: Vec<[usize; 2]>,
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

    /// The next phase, if the bits of these steps number the threads of one subgroup. There the lowest bits of the variables change places with them; those of a vector stay.
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
    pub(super) fn place(&self, variable: usize) -> usize {
        self.held.iter().enumerate().map(|(i, digit)| (variable >> i & 1) << digit).sum()
    }
}

/// The bits that variables hold, phase after phase: those of the next steps, and the highest beside them.
pub(super) fn phases(shape: &KroneckerShape, vector: usize) -> Vec<Phase> {
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
