//! One stage: a regular family of butterflies, three nested loops with strides (as FFTW's iodim) around one small operation.

use super::{BitOrder, Coef, Extension, Matrix, Operation, OperationCounts, PyramidLayout, Ring, Twiddle};

/// A loop: its trip count, and how far a turn moves on the read side and on the write side, in lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Loop {
    /// Trip count.
    pub n: usize,
    /// Stride on the read side.
    pub read: usize,
    /// Stride on the write side.
    pub write: usize,
}

impl Loop {
    /// The loop that turns once.
    pub const ONCE: Self = Self { n: 1, read: 0, write: 0 };

    /// `n` turns with the same stride on both sides.
    pub fn new(n: usize, stride: usize) -> Self {
        Self { n, read: stride, write: stride }
    }

    /// The loop over `rows` copies of this one, which stand `read` lanes apart on the read side and `write` on the write side.
    ///
    /// # Panics
    /// When the copies do not continue the loop's own strides, so that no single loop covers them.
    pub(super) fn repeated(self, rows: usize, read: usize, write: usize) -> Self {
        if self.n == 1 {
            return Self { n: rows, read, write };
        }
        assert!(
            self.n * self.read == read && self.n * self.write == write,
            "a loop of {self:?} does not continue into rows of {read} and {write} lanes"
        );
        Self { n: self.n * rows, ..self }
    }
}

/// Where taps come from: tap k of position p stands at coordinate `first + p·advance + k·hop`, extended past `0..len`;
/// coordinate c is lane `base + c·step` (plus the loops' strides).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadPattern {
    /// Lane of coordinate 0.
    pub base: usize,
    /// Coordinate of tap 0 at position 0.
    pub first: i64,
    /// Coordinates from one position to the next; negative to read backwards.
    pub advance: i64,
    /// Coordinates from one tap to the next; negative to read backwards.
    pub hop: i64,
    /// Lanes a coordinate.
    pub step: usize,
    /// Number of coordinates.
    pub len: usize,
    /// What a tap outside reads.
    pub extension: Extension,
}

impl ReadPattern {
    /// Tap k of position p is lane p + k of the first `len`.
    pub fn in_order(len: usize) -> Self {
        Self { base: 0, first: 0, advance: 1, hop: 1, step: 1, len, extension: Extension::None }
    }

    /// The coordinate of tap k at position p, before it is extended.
    #[inline]
    pub fn coordinate(&self, p: usize, k: usize) -> i64 {
        self.first + p as i64 * self.advance + k as i64 * self.hop
    }
}

/// Where results go: result j of position p goes to lane `first + p·advance + j·hop` (plus the loops' strides), whose lowest `reversed_bits` binary digits are then reversed, and changed as `digits` says; at last the lane is moved as `pyramid` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WritePattern {
    /// Lane of result 0 at position 0.
    pub first: usize,
    /// Lanes from one position to the next.
    pub advance: usize,
    /// Lanes from one result to the next.
    pub hop: usize,
    /// Digits of the lane that are reversed at the end; 0 for none.
    pub reversed_bits: u32,
    /// What becomes of these digits after that.
    pub bit_order: BitOrder,
    /// The layout between whose two sides the lane is moved, if any.
    pub pyramid: Option<PyramidLayout>,
}

impl WritePattern {
    /// Position after position, result after result, into the lane that the loops say.
    pub const IN_ORDER: Self = Self { first: 0, advance: 1, hop: 1, reversed_bits: 0, bit_order: BitOrder::Kept, pyramid: None };

    /// Whether results go to other lanes than the strides say.
    pub fn scatters(&self) -> bool {
        self.reversed_bits > 0 || self.pyramid.is_some()
    }
}

/// One column of the flow graph. In matrix words: one sparse factor.
///
/// Butterfly (p, q, b) stands at position p < `positions`, in group q < `group.n`, in the outer turn b < `outer.n`.
/// A lane that no butterfly writes keeps its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Stage {
    /// What the column is called on the screen.
    pub label: String,
    /// The loop over b.
    pub outer: Loop,
    /// The loop over q.
    pub group: Loop,
    /// The number of positions p.
    pub positions: usize,
    /// Where taps come from.
    pub read: ReadPattern,
    /// Where results go.
    pub write: WritePattern,
    /// What is computed.
    pub operation: Operation,
    /// What multiplies the results.
    pub twiddle: Option<Twiddle>,
}

/// One butterfly, spelled out.
#[derive(Debug, Clone, PartialEq)]
pub struct Butterfly {
    /// Position, group and outer turn.
    pub indices: [usize; 3],
    /// The lane of every tap; `None` where the extension is zero.
    pub reads: Vec<Option<usize>>,
    /// The lane of every result.
    pub writes: Vec<usize>,
    /// `weights[j][k]`: what result j takes of tap k, twiddle included.
    pub weights: Vec<Vec<Coef>>,
    /// Whether a tap is conjugated before.
    pub conjugated: Vec<bool>,
}

/// A line of the flow graph, within one stage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge {
    /// Lane before the stage.
    pub from: usize,
    /// Lane after the stage.
    pub to: usize,
    /// What the edge multiplies by.
    pub weight: Coef,
    /// Whether it multiplies the conjugate of what it comes from.
    pub conjugated: bool,
}

impl Stage {
    /// The matrix of the operation, see [`Operation::matrix`].
    #[inline]
    pub fn matrix(&self) -> &Matrix {
        self.operation.matrix()
    }

    /// Whether the results are sums of taps, some of them perhaps conjugated, times coefficients.
    pub fn is_linear(&self) -> bool {
        matches!(self.operation, Operation::Linear(_) | Operation::TwiddledSums(_))
    }

    /// Whether the stage is a matrix over the complex numbers: linear, and no tap is conjugated.
    pub fn has_matrix(&self) -> bool {
        self.is_linear() && (0..self.matrix().taps).all(|k| !self.conjugates(k))
    }

    /// Whether tap k is conjugated before anything is computed of it.
    pub fn conjugates(&self, k: usize) -> bool {
        match &self.operation {
            Operation::Linear(_) | Operation::Eliminate => false,
            Operation::Product { conjugated } => *conjugated && k == 1,
            Operation::TwiddledSums(sums) => sums.conjugated[k],
        }
    }

    /// Number of butterflies.
    pub fn n_butterflies(&self) -> usize {
        self.positions * self.group.n * self.outer.n
    }

    /// The lane that tap k of butterfly (p, q, b) reads; `None` where the extension is zero.
    #[inline]
    pub fn read_lane(&self, p: usize, q: usize, b: usize, k: usize) -> Option<usize> {
        let inside = self.read.extension.apply(self.read.coordinate(p, k), self.read.len)?;
        Some(self.read.base + inside * self.read.step + q * self.group.read + b * self.outer.read)
    }

    /// The lane that result j of butterfly (p, q, b) goes to.
    #[inline]
    pub fn write_lane(&self, p: usize, q: usize, b: usize, j: usize) -> usize {
        let lane = self.write.bit_order.apply(self.lane_in_repetition(p, q, j) + b * self.outer.write, self.write.reversed_bits);
        self.write.pyramid.map_or(lane, |pyramid| pyramid.apply(lane))
    }

    /// The lane that result j of butterfly (p, q) goes to, counted inside its outer turn, before digits are reversed.
    #[inline]
    pub fn lane_in_repetition(&self, p: usize, q: usize, j: usize) -> usize {
        let write = &self.write;
        write.first + p * write.advance + j * write.hop + q * self.group.write
    }

    /// Which number of a table multiplies result j of butterfly (p, q): one a position, however far apart the lanes of a line stand.
    #[inline]
    pub fn table_index(&self, p: usize, q: usize, j: usize) -> usize {
        self.lane_in_repetition(p, q, j) / self.write.advance
    }

    /// Position, group and outer turn of butterfly `index`; the position runs fastest.
    pub fn indices(&self, index: usize) -> [usize; 3] {
        [index % self.positions, index / self.positions % self.group.n, index / (self.positions * self.group.n)]
    }

    /// Butterfly `index`, spelled out.
    pub fn butterfly(&self, index: usize) -> Butterfly {
        let indices @ [p, q, b] = self.indices(index);
        let matrix = self.matrix();
        Butterfly {
            indices,
            reads: (0..matrix.taps).map(|k| self.read_lane(p, q, b, k)).collect(),
            writes: (0..matrix.rows).map(|j| self.write_lane(p, q, b, j)).collect(),
            weights: (0..matrix.rows)
                .map(|j| (0..matrix.taps).map(|k| self.weight(p, q, j, k).times(self.factor(p, q, j))).collect())
                .collect(),
            conjugated: (0..matrix.taps).map(|k| self.conjugates(k)).collect(),
        }
    }

    /// All butterflies.
    pub fn butterflies(&self) -> impl Iterator<Item = Butterfly> + '_ {
        (0..self.n_butterflies()).map(|index| self.butterfly(index))
    }

    /// The lanes on which some result of a butterfly depends: those of taps whose coefficients are not all zero.
    pub fn needs(&self, [p, q, b]: [usize; 3]) -> impl Iterator<Item = usize> + '_ {
        // No product of numbers other than zero is zero.
        let is_zero = |coef: Coef| coef == Coef::Real(0.0);
        let is_lost = move |j: usize| self.twiddle.is_some() && is_zero(self.factor(p, q, j));
        let counts = move |k: usize| (0..self.matrix().rows).any(|j| !is_zero(self.weight(p, q, j, k)) && !is_lost(j));
        (0..self.matrix().taps).filter(move |&k| counts(k)).filter_map(move |k| self.read_lane(p, q, b, k))
    }

    /// The lanes that a butterfly writes.
    pub fn writes(&self, [p, q, b]: [usize; 3]) -> impl Iterator<Item = usize> + '_ {
        (0..self.matrix().rows).map(move |j| self.write_lane(p, q, b, j))
    }

    /// All lines of the drawing; coefficients that are zero draw none.
    pub fn edges(&self) -> Vec<Edge> {
        self.butterflies().flat_map(|butterfly| butterfly.edges()).collect()
    }

    /// The lanes that some butterfly writes.
    pub fn written_lanes(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.n_butterflies()).flat_map(move |index| {
            let [p, q, b] = self.indices(index);
            (0..self.matrix().rows).map(move |j| self.write_lane(p, q, b, j))
        })
    }

    /// One past the last lane that the stage may read.
    pub fn read_reach(&self) -> usize {
        let last = |n: usize| n.saturating_sub(1);
        self.read.base
            + last(self.read.len) * self.read.step
            + last(self.group.n) * self.group.read
            + last(self.outer.n) * self.outer.read
            + 1
    }

    /// One past the last lane that the stage writes, before digits are reversed.
    pub fn write_reach(&self) -> usize {
        self.repetition_reach() + self.outer.n.saturating_sub(1) * self.outer.write
    }

    /// One past the last lane that the first outer turn writes, before digits are reversed: how long a table must be.
    pub fn repetition_reach(&self) -> usize {
        let last = |n: usize| n.saturating_sub(1);
        self.lane_in_repetition(last(self.positions), last(self.group.n), last(self.matrix().rows)) + 1
    }

    /// One stage, butterfly by butterfly; `sum` makes a result of the taps, what each is multiplied by and whether it is conjugated before, `product` one of two taps, the second conjugated or not.
    pub(super) fn run<V: Copy>(
        &self,
        before: &[V],
        sum: impl Fn(&mut dyn Iterator<Item = (Coef, V, bool)>) -> V,
        product: impl Fn(V, V, bool) -> V,
    ) -> Vec<V> {
        let mut after = before.to_vec();
        for butterfly in self.butterflies() {
            if let (Operation::Product { conjugated }, [Some(a), Some(b)]) = (&self.operation, &butterfly.reads[..]) {
                after[butterfly.writes[0]] = product(before[*a], before[*b], *conjugated);
                continue;
            }
            for (&lane, weights) in butterfly.writes.iter().zip(&butterfly.weights) {
                let taps = butterfly.reads.iter().zip(weights).zip(&butterfly.conjugated);
                after[lane] = sum(&mut taps.filter_map(|((read, &weight), &conjugated)| Some((weight, before[(*read)?], conjugated))));
            }
        }
        after
    }

    /// Whether the stage can run on a single array: no butterfly reads a lane that another one writes.
    pub fn in_place(&self) -> bool {
        let mut writer = std::collections::HashMap::new();
        for (index, butterfly) in self.butterflies().enumerate() {
            writer.extend(butterfly.writes.iter().map(|&lane| (lane, index)));
        }
        self.butterflies()
            .enumerate()
            .all(|(index, butterfly)| butterfly.reads.iter().flatten().all(|lane| writer.get(lane).is_none_or(|&other| other == index)))
    }

    /// What the stage costs, as drawn.
    pub fn operations(&self) -> OperationCounts {
        if matches!(self.operation, Operation::Product { .. }) {
            return OperationCounts { additions: 0, multiplications: self.n_butterflies() as u64 };
        }
        if self.operation == Operation::Eliminate {
            // Of each neighbour its multiple, three products and two differences; then a, c and d over b.
            let neighbours = self.read_lanes().count() as u64 - self.n_butterflies() as u64;
            return OperationCounts { additions: 2 * neighbours, multiplications: 4 * neighbours + 3 * self.n_butterflies() as u64 };
        }
        // Turns of the outer loop differ in their lanes only; groups do so where no twiddle depends on them, and positions where no tap is past an end.
        let is_plain = self.twiddle.is_none() && !matches!(self.operation, Operation::TwiddledSums(_));
        let (n_groups, alike) = if is_plain { (1, self.group.n) } else { (self.group.n, 1) };
        let (n_positions, alike) =
            if is_plain && self.read.extension == Extension::None { (1, alike * self.positions) } else { (self.positions, alike) };
        let mut sum = OperationCounts::default();
        for p in 0..n_positions {
            for q in 0..n_groups {
                let of = self.operations_at(p, q);
                sum.additions += of.additions;
                sum.multiplications += of.multiplications;
            }
        }
        let alike = (alike * self.outer.n) as u64;
        OperationCounts { additions: alike * sum.additions, multiplications: alike * sum.multiplications }
    }

    /// What the butterfly at position p of group q costs.
    fn operations_at(&self, p: usize, q: usize) -> OperationCounts {
        let (matrix, mut sum) = (self.matrix(), OperationCounts::default());
        for j in 0..matrix.rows {
            let weight = |k: usize| self.weight(p, q, j, k);
            let live = || (0..matrix.taps).filter(|&k| weight(k) != Coef::Real(0.0) && self.read_lane(p, q, 0, k).is_some());
            sum.additions += (live().count() as u64).saturating_sub(1);
            sum.multiplications += live().filter(|&k| !weight(k).is_sign()).count() as u64;
            sum.multiplications += u64::from(live().count() > 0 && !self.factor(p, q, j).is_sign());
        }
        sum
    }

    /// What result j of position p in group q takes of tap k, before [`Self::factor`].
    pub fn weight(&self, p: usize, q: usize, j: usize, k: usize) -> Coef {
        match &self.operation {
            Operation::TwiddledSums(sums) => {
                let [first, second] = [sums.first.at(j, k).value(), sums.second.at(j, k).value()];
                Coef::of(first * self.twiddle_of(p, q, j).value() + second * self.twiddle_of(p, q, sums.second_index(j)).value())
            }
            operation => operation.matrix().at(j, k),
        }
    }

    /// What multiplies all that result j of position p in group q takes.
    pub fn factor(&self, p: usize, q: usize, j: usize) -> Coef {
        // In a TwiddledSums stage the twiddle is part of the weights.
        if matches!(self.operation, Operation::TwiddledSums(_)) { Coef::ONE } else { self.twiddle_of(p, q, j) }
    }

    fn twiddle_of(&self, p: usize, q: usize, j: usize) -> Coef {
        match &self.twiddle {
            None => Coef::ONE,
            Some(twiddle @ Twiddle::Root { modulus, direction, .. }) => {
                Coef::root(twiddle.exponent(p, q, j) as u64, *modulus as u64, *direction)
            }
            Some(Twiddle::Table(table)) => Coef::complex(table.factors()[self.table_index(p, q, j)]),
        }
    }

    /// Bytes that the stage reads and writes in single precision, every touched lane once.
    pub fn bytes_moved(&self, ring: Ring) -> u64 {
        let lanes = self.n_butterflies() * (self.matrix().taps.min(self.read.len) + self.matrix().rows);
        (lanes * ring.bytes_per_lane()) as u64
    }
}

impl Butterfly {
    /// The lines of this butterfly; coefficients that are zero draw none.
    pub fn edges(&self) -> Vec<Edge> {
        let mut edges = Vec::new();
        for (&to, weights) in self.writes.iter().zip(&self.weights) {
            for ((read, &weight), &conjugated) in self.reads.iter().zip(weights).zip(&self.conjugated) {
                if let Some(from) = *read
                    && weight != Coef::Real(0.0)
                {
                    edges.push(Edge { from, to, weight, conjugated });
                }
            }
        }
        edges
    }
}
