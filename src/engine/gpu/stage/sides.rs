//! The two sides of a stage, reads and writes, as strides; the order in which threads take butterflies, and the vectors in which they load and store.

use super::sums::Register;
use crate::gpu::costs::SECTOR_BYTES;
use crate::plan::{Extension, Ring, Stage};

/// Neighbouring threads whose loads and stores are counted.
const NEIGHBOURS: usize = 128;
/// The most groups of a shared butterfly: a thread has few results.
const MOST_SHARED: usize = 4;
/// Bytes of the widest load and store.
const VECTOR_BYTES: usize = 16;

/// Strides of one side of a stage, in registers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Side {
    /// The first lane.
    pub(super) origin: i64,
    /// Distances along positions, groups and repetitions.
    pub(super) strides: [i64; 3],
    /// The distance from one tap or result to the next.
    pub(super) hop: i64,
}

impl Side {
    /// The side of the taps, where no boundary extension applies.
    pub(super) fn of_taps(stage: &Stage) -> Self {
        let step = stage.read.step as i64;
        Self {
            origin: stage.read.base as i64 + stage.read.first * step,
            strides: [stage.read.advance * step, stage.group.read as i64, stage.outer.read as i64],
            hop: stage.read.hop * step,
        }
    }

    /// The side of the results, before permutations.
    pub(super) fn of_results(stage: &Stage) -> Self {
        let strides = [stage.write.advance, stage.group.write, stage.outer.write].map(|stride| stride as i64);
        Self { origin: stage.write.first as i64, strides, hop: stage.write.hop as i64 }
    }

    /// The same in units of `n` lanes; the stride along `along` stays.
    fn in_units(self, n: i64, along: Option<usize>) -> Self {
        let strides = [0, 1, 2].map(|index| if Some(index) == along { self.strides[index] } else { self.strides[index] / n });
        Self { origin: self.origin / n, strides, hop: self.hop / n }
    }

    /// Whether the first lane and all strides but that along `along` are multiples of `n`.
    fn divides(&self, counts: [usize; 3], n: i64, along: Option<usize>) -> bool {
        let strides = (0..3).filter(|&index| counts[index] > 1 && Some(index) != along).map(|index| self.strides[index]);
        strides.chain([self.origin]).all(|number| number % n == 0)
    }
}

/// How a thread loads taps and stores results.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Access {
    pub(super) register: Register,
    /// Trip counts of positions, groups and repetitions, in registers.
    pub(super) counts: [usize; 3],
    pub(super) sides: [Side; 2],
    /// Whether the two taps, or the two results, are one vector.
    pub(super) pairs: [bool; 2],
    /// Whether a register holds two neighbouring butterflies whose pairs are one vector.
    pub(super) twins: bool,
    /// Groups whose results one butterfly stores, as they have the same taps: it loads them once.
    pub(super) groups: usize,
}

impl Access {
    /// One lane at a time.
    pub(super) fn plain(stage: &Stage, register: Register) -> Self {
        let counts = [stage.positions, stage.group.n, stage.outer.n];
        let sides = [Side::of_taps(stage), Side::of_results(stage)];
        Self { register, counts, sides, pairs: [false; 2], twins: false, groups: 1 }
    }

    /// One lane at a time, and a butterfly for all groups, where these are a few with the same taps and the same results; `None` elsewhere.
    pub(super) fn shared(stage: &Stage, register: Register) -> Option<Self> {
        let is_shared = stage.group.read == 0 && (2..=MOST_SHARED).contains(&stage.group.n) && stage.twiddle.is_none();
        let plain = Self::plain(stage, register);
        let counts = [stage.positions, 1, stage.outer.n];
        is_shared.then_some(Self { counts, groups: stage.group.n, ..plain })
    }

    /// The widest vectors that the strides allow.
    pub(super) fn of(stage: &Stage, register: Register, is_large: bool) -> Self {
        let plain = Self::plain(stage, register);
        let is_affine = stage.read.extension == Extension::None && !stage.write.scatters() && !stage.operation.is_on_equations();
        if !is_affine {
            return plain;
        }
        let may_widen = is_large
            && register.bytes() == 4
            && register.ring != Ring::Complex
            && register.ring.field().is_none()
            && stage.twiddle.is_none();
        let wide = if may_widen { [4, 2].into_iter().find_map(|width| plain.widened(width)) } else { None };
        wide.unwrap_or(plain).paired(stage, may_widen)
    }

    /// Butterflies that neighbour each other on both sides become one on vectors.
    fn widened(self, width: usize) -> Option<Self> {
        let n = width as i64;
        let fits = |along: usize| {
            let is_unit = |side: &Side| side.strides[along] == 1 && side.hop % n == 0 && side.divides(self.counts, n, Some(along));
            self.counts[along].is_multiple_of(width) && self.sides.iter().all(is_unit)
        };
        let along = (0..3).find(|&along| fits(along))?;
        let mut counts = self.counts;
        counts[along] /= width;
        let sides = self.sides.map(|side| side.in_units(n, Some(along)));
        Some(Self { register: Register { width, ..self.register }, counts, sides, ..self })
    }

    /// Two taps side by side become one load, two results one store.
    fn paired(self, stage: &Stage, may_twin: bool) -> Self {
        let n = [stage.matrix().taps, stage.matrix().rows];
        let is_pair = |side: usize| {
            n[side] == 2
                && self.sides[side].hop == 1
                && self.sides[side].divides(self.counts, 2, None)
                && 2 * self.register.bytes() <= VECTOR_BYTES
        };
        let pairs = [is_pair(0), is_pair(1)];
        let twins = if may_twin && self.register.width == 1 && pairs != [false; 2] { self.twins(pairs) } else { None };
        twins.unwrap_or_else(|| {
            let unit = |side: usize| if pairs[side] { self.sides[side].in_units(2, None) } else { self.sides[side] };
            Self { pairs, sides: [unit(0), unit(1)], ..self }
        })
    }

    /// Two neighbouring butterflies whose pairs are one vector of four.
    fn twins(self, pairs: [bool; 2]) -> Option<Self> {
        let fits = |along: usize| {
            let suits = |side: usize| {
                let (this, unit) = (&self.sides[side], if pairs[side] { 2 } else { 1 });
                let hops = pairs[side] || this.hop % 2 == 0;
                this.strides[along] == unit && hops && this.divides(self.counts, 2 * unit, Some(along))
            };
            self.counts[along].is_multiple_of(2) && suits(0) && suits(1)
        };
        let along = (0..3).find(|&along| fits(along))?;
        let mut counts = self.counts;
        counts[along] /= 2;
        let side = |side: usize| {
            let unit = if pairs[side] { 4 } else { 2 };
            let mut found = self.sides[side].in_units(unit, Some(along));
            found.strides[along] = 1;
            found
        };
        let register = Register { width: 2, ..self.register };
        Some(Self { register, counts, sides: [side(0), side(1)], pairs, twins: true, ..self })
    }

    /// Number of butterflies, in registers.
    pub(super) fn n_butterflies(&self) -> usize {
        self.counts.iter().product()
    }

    /// The loops that run more than once, the innermost first: the order in which neighbouring threads touch the fewest sectors of memory.
    pub(super) fn order(&self, stage: &Stage) -> Vec<usize> {
        // The threads of a direct sum read the same lanes at the same time, and neighbours write neighbours.
        if stage.direct_sum().is_some() {
            return [1, 0, 2].into_iter().filter(|&index| self.counts[index] > 1).collect();
        }
        const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [1, 0, 2], [0, 2, 1], [2, 0, 1], [1, 2, 0], [2, 1, 0]];
        let kept = |order: [usize; 3]| order.into_iter().filter(|&index| self.counts[index] > 1).collect::<Vec<_>>();
        let mut orders = Vec::new();
        for order in ORDERS.map(kept) {
            if !orders.contains(&order) {
                orders.push(order);
            }
        }
        orders.into_iter().min_by_key(|order| if order.len() < 2 { 0 } else { self.sectors(stage, order) }).unwrap_or_default()
    }

    /// Sectors that neighbouring threads touch on both sides, with one loop inside the other.
    fn sectors(&self, stage: &Stage, order: &[usize]) -> usize {
        let lane_bytes = self.register.bytes() / self.register.width;
        let mut sectors = [Vec::new(), Vec::new()];
        for thread in 0..NEIGHBOURS.min(self.n_butterflies()) {
            let (mut rest, mut place) = (thread, [0; 3]);
            for &index in order {
                // The first of the butterflies that a register holds.
                let each = [stage.positions, stage.group.n, stage.outer.n][index] / self.counts[index];
                place[index] = rest % self.counts[index] * each;
                rest /= self.counts[index];
            }
            let [p, q, b] = place;
            let reads = (0..stage.matrix().taps).filter_map(|k| stage.read_lane(p, q, b, k));
            sectors[0].extend(reads.map(|lane| lane * lane_bytes / SECTOR_BYTES));
            let writes = (0..stage.matrix().rows).map(|j| stage.write_lane(p, q, b, j));
            sectors[1].extend(writes.map(|lane| lane * lane_bytes / SECTOR_BYTES));
        }
        // Sorted numbers are counted sooner than hashed ones, and compiling a plan counts many.
        for side in &mut sectors {
            side.sort_unstable();
            side.dedup();
        }
        sectors.iter().map(Vec::len).sum()
    }
}
