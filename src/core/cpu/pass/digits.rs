//! The lanes of a run of stages as digits: which of them the stages transform, and where each lies before and after the run.
//!
//! The loops of a stage and its taps are digits of the lane that it reads, and its results are digits of the lane that it writes.
//! A run of stages has the common refinement of their digits. A tile holds all values of the transformed digits, so it needs no other tile.

use crate::plan::{BitOrder, Extension, Operation, Stage};

/// Indices of a butterfly that depend on a digit.
pub(super) const POSITION: usize = 0;
pub(super) const GROUP: usize = 1;
pub(super) const TAP: usize = 2;

/// A factor of the lane index.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Digit {
    /// Number of values.
    pub(super) n: usize,
    /// Lanes from one value to the next where the run reads.
    pub(super) from: usize,
    /// Lanes from one value to the next after the last stage.
    pub(super) to: usize,
    /// The numbers that a value adds to position, group and tap of each stage.
    pub(super) indices: Vec<[usize; 3]>,
}

impl Digit {
    /// Keeps the lowest `n` values as a digit, and returns the digit above.
    pub(super) fn split(&mut self, n: usize) -> Self {
        let scaled = |indices: &[usize; 3]| indices.map(|index| index * n);
        let above = Self { n: self.n / n, from: self.from * n, to: self.to * n, indices: self.indices.iter().map(scaled).collect() };
        self.n = n;
        above
    }

    /// Whether a stage transforms the digit.
    pub(super) fn is_transformed(&self) -> bool {
        self.indices.iter().any(|indices| indices[TAP] > 0)
    }

    /// Whether `above` continues the strides of this digit.
    fn continues_in(&self, above: &Self) -> bool {
        let mut whole = Self { n: self.n * above.n, ..self.clone() };
        whole.split(self.n) == *above
    }
}

/// The digits of all lanes of a run of stages.
#[derive(Debug, Clone)]
pub(super) struct Digits {
    /// Number of lanes.
    pub(super) lanes: usize,
    /// The digits in the order of `to`.
    pub(super) digits: Vec<Digit>,
}

impl Digits {
    /// Before the first of the stages; `None` if it does not read and write the first lanes without a gap.
    pub(super) fn before(stage: &Stage) -> Option<Self> {
        let lanes = digits_of(stage)?.iter().map(|digit| digit.n).product();
        Some(Self { lanes, digits: vec![Digit { n: lanes, from: 1, to: 1, indices: Vec::new() }] })
    }

    /// After one more stage; `None` if it has no common digits with the stages before.
    pub(super) fn then(&self, stage: &Stage) -> Option<Self> {
        let mut read = digits_of(stage)?;
        if read.iter().map(|digit| digit.n).product::<usize>() != self.lanes {
            return None;
        }
        let mut held = self.digits.clone();
        read.reverse();
        held.reverse();
        let mut digits = Vec::new();
        while let (Some(mut digit), Some(mut next)) = (held.pop(), read.pop()) {
            let n = digit.n.min(next.n);
            if digit.n % n + next.n % n > 0 {
                return None;
            }
            held.extend((digit.n > n).then(|| digit.split(n)));
            read.extend((next.n > n).then(|| next.split(n)));
            digit.to = next.to;
            digit.indices.extend(next.indices);
            digits.push(digit);
        }
        digits.sort_by_key(|digit| digit.to);
        let digits = reversed(digits, stage.write.reversed_bits)?;
        Some(Self { lanes: self.lanes, digits })
    }

    /// Values of the transformed digits.
    pub(super) fn transformed(&self) -> usize {
        self.digits.iter().filter(|digit| digit.is_transformed()).map(|digit| digit.n).product()
    }

    /// The fewest digits that describe the same lanes, in the order of `from`.
    pub(super) fn merged(mut self) -> Vec<Digit> {
        self.digits.sort_by_key(|digit| digit.from);
        let mut merged: Vec<Digit> = Vec::new();
        for digit in self.digits {
            match merged.last_mut() {
                Some(below) if below.continues_in(&digit) => below.n *= digit.n,
                _ => merged.push(digit),
            }
        }
        merged
    }
}

/// The digits of a stage in the order of its reads, with its strides as `from` and `to`.
fn digits_of(stage: &Stage) -> Option<Vec<Digit>> {
    let Stage { outer, group, read, write, .. } = stage;
    let (Operation::Linear(matrix) | Operation::TwiddledTaps(matrix), Extension::None, None, BitOrder::Kept) =
        (&stage.operation, read.extension, write.pyramid, write.bit_order)
    else {
        return None;
    };
    let [advance, hop] = [read.advance, read.hop].map(|coordinates| usize::try_from(coordinates).ok().map(|n| n * read.step));
    let digit =
        |n, from, to, index: Option<usize>| Digit { n, from, to, indices: vec![std::array::from_fn(|i| usize::from(index == Some(i)))] };
    let mut digits = vec![
        digit(stage.positions, advance?, write.advance, Some(POSITION)),
        digit(group.n, group.read, group.write, Some(GROUP)),
        digit(outer.n, outer.read, outer.write, None),
        digit(matrix.taps, hop?, write.hop, Some(TAP)),
    ];
    digits.retain(|digit| digit.n > 1);
    let fills = |digits: &[Digit], stride: fn(&Digit) -> usize| {
        let next = |lanes: usize, digit: &Digit| (stride(digit) == lanes).then_some(lanes * digit.n);
        digits.iter().try_fold(1, next).is_some()
    };
    digits.sort_by_key(|digit| digit.to);
    let writes_all = fills(&digits, |digit| digit.to);
    digits.sort_by_key(|digit| digit.from);
    let reads_all = fills(&digits, |digit| digit.from);
    let starts = read.base == 0 && read.first == 0 && write.first == 0;
    (matrix.taps == matrix.rows && starts && reads_all && writes_all).then_some(digits)
}

/// The digits where the lowest `n_bits` bits of `to` are reversed.
fn reversed(mut digits: Vec<Digit>, n_bits: u32) -> Option<Vec<Digit>> {
    if n_bits == 0 {
        return Some(digits);
    }
    let (mut bits, mut above) = (Vec::new(), Vec::new());
    digits.reverse();
    while let Some(mut digit) = digits.pop() {
        if digit.to >> n_bits > 0 {
            above.push(digit);
        } else if digit.n.is_multiple_of(2) && digit.to.is_power_of_two() {
            digits.extend((digit.n > 2).then(|| digit.split(2)));
            digit.to = (1 << (n_bits - 1)) / digit.to;
            bits.push(digit);
        } else {
            return None;
        }
    }
    bits.reverse();
    Some([bits, above].concat())
}
