//! Plans of random affine stages: every number of a stage takes part, backwards reads, base lanes and constants of twiddles too.

use papillon::plan::{
    Coef, Direction, Extension, Loop, Matrix, Operation, Plan, ReadPattern, ResultOrder, Ring, Stage, Twiddle, TwiddledSums, WritePattern,
};

const EXTENSIONS: [Extension; 7] = [
    Extension::None,
    Extension::Periodic,
    Extension::Symmetric,
    Extension::HalfSymmetric,
    Extension::Zero,
    Extension::Negative,
    Extension::PeriodicHalves,
];
const LANES: usize = 48;

/// Random numbers that are the same every time.
struct Dice(u64);

impl Dice {
    /// A number from 0 to `n` − 1.
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }

    /// A number from −`n` to `n`.
    fn around(&mut self, n: i64) -> i64 {
        self.below(2 * n as usize + 1) as i64 - n
    }

    fn matrix(&mut self, rows: usize, taps: usize) -> Matrix {
        let coefs: Vec<Coef> = (0..rows * taps).map(|_| Coef::Real(self.around(4) as f64 / 4.0)).collect();
        Matrix { rows, taps, coefs }
    }
}

/// Complex plans of one to three stages on 48 lanes; every third works in place, and every second is a batch of three lines.
pub(crate) fn plans(n: usize) -> Vec<Plan> {
    let mut dice = Dice(7);
    let plan = |index: usize| {
        let layout = Layout { in_place: index.is_multiple_of(3), in_batch: index.is_multiple_of(2) };
        let stages = (0..1 + dice.below(3)).map(|_| stage(&mut dice, layout)).collect();
        Plan::new(Ring::Complex, LANES, stages, ResultOrder::Natural).batched(if layout.in_batch { 3 } else { 1 })
    };
    (0..n).map(plan).collect()
}

/// The properties of a random plan.
#[derive(Clone, Copy)]
struct Layout {
    in_place: bool,
    in_batch: bool,
}

fn stage(dice: &mut Dice, Layout { in_place, in_batch }: Layout) -> Stage {
    let [rows, positions, groups] = [1 + dice.below(3), 1 + dice.below(3), 1 + dice.below(2)];
    let turns = if in_batch { 1 } else { 1 + dice.below(2) };
    let taps = if in_place { rows } else { 1 + dice.below(3) };
    // The strides of the results in any order, so that no two results meet.
    let mut order = [0, 1, 2, 3];
    (1..4).for_each(|i| order.swap(i, dice.below(i + 1)));
    let (mut strides, mut n_results) = ([0; 4], 1);
    for dimension in order {
        strides[dimension] = n_results;
        n_results *= [rows, positions, groups, turns][dimension];
    }
    let [hop, advance, group, outer] = strides;
    let first = dice.below(LANES - n_results + 1);
    let write = WritePattern { first, advance, hop, ..WritePattern::IN_ORDER };
    let (read, group_read, outer_read) = if in_place {
        // Every butterfly reads what it writes, the last result first.
        let last = (rows - 1) * hop;
        let read = ReadPattern {
            base: first,
            first: last as i64,
            advance: advance as i64,
            hop: -(hop as i64),
            ..ReadPattern::in_order(last + (positions - 1) * advance + 1)
        };
        (read, group, outer)
    } else {
        (read(dice, positions, taps), dice.below(4), dice.below(4))
    };
    let form = |dice: &mut Dice| [0; 3].map(|_: usize| dice.below(5));
    let twiddle = Twiddle::Root {
        modulus: 1 + dice.below(12),
        row: form(dice),
        column: form(dice),
        direction: if dice.below(2) == 0 { Direction::Forward } else { Direction::Inverse },
        reversed: 0,
    };
    let operation = match dice.below(3) {
        0 => Operation::TwiddledSums(TwiddledSums {
            first: dice.matrix(rows, taps),
            second: dice.matrix(rows, taps),
            conjugated: (0..taps).map(|_| dice.below(2) == 0).collect(),
        }),
        1 => Operation::TwiddledTaps(dice.matrix(rows, taps)),
        _ => Operation::Linear(dice.matrix(rows, taps)),
    };
    Stage {
        label: "random".into(),
        outer: if turns == 1 { Loop::ONCE } else { Loop { n: turns, read: outer_read, write: outer } },
        group: Loop { n: groups, read: group_read, write: group },
        positions,
        read,
        write,
        operation,
        twiddle: (dice.below(3) > 0).then_some(twiddle),
    }
}

/// Any read that stays inside the lanes, in either direction.
fn read(dice: &mut Dice, positions: usize, taps: usize) -> ReadPattern {
    let [base, step, extension] = [dice.below(8), 1 + dice.below(2), dice.below(EXTENSIONS.len())];
    let (advance, hop, extension) = (dice.around(3), dice.around(3), EXTENSIONS[extension]);
    let ends = [0, advance * (positions as i64 - 1), hop * (taps as i64 - 1)];
    let lowest: i64 = ends.iter().map(|end| (*end).min(0)).sum();
    let highest: i64 = ends.iter().map(|end| (*end).max(0)).sum();
    let (first, len) = match extension {
        Extension::None => (-lowest, (highest - lowest + 1) as usize),
        // A line of one sample has no odd ones.
        Extension::PeriodicHalves => (dice.around(20), 2 + dice.below(15)),
        _ => (dice.around(20), 1 + dice.below(16)),
    };
    ReadPattern { base, first, advance, hop, step, len, extension }
}
