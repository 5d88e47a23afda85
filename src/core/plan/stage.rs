//! A stage: three nested loops with strides (like FFTW's iodim) around one small operation.

use super::{BitOrder, Butterfly, Coef, DirectSum, Edge, Extension, Matrix, Operation, PyramidLayout, Ring, Twiddle};

/// A loop with its strides in lanes.
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
    /// The loop of one repetition.
    pub const ONCE: Self = Self { n: 1, read: 0, write: 0 };

    /// `n` repetitions with the same stride on both sides.
    pub fn new(n: usize, stride: usize) -> Self {
        Self { n, read: stride, write: stride }
    }

    /// The loop over `rows` copies of this one, `read` lanes apart on the read side and `write` on the write side.
    ///
    /// # Panics
    /// When the copies do not continue the strides of the loop.
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

/// The lanes of taps. Tap k of position p has coordinate `first + p·advance + k·hop`, extended outside `0..len`.
/// Coordinate c is lane `base + c·step`, plus the strides of the loops.
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
    /// Lanes per coordinate.
    pub step: usize,
    /// Number of coordinates.
    pub len: usize,
    /// The boundary extension.
    pub extension: Extension,
}

impl ReadPattern {
    /// Tap k of position p is lane p + k < `len`.
    pub fn in_order(len: usize) -> Self {
        Self { base: 0, first: 0, advance: 1, hop: 1, step: 1, len, extension: Extension::None }
    }

    /// The coordinate of tap k at position p before boundary extension.
    #[inline]
    pub fn coordinate(&self, p: usize, k: usize) -> i64 {
        self.first + p as i64 * self.advance + k as i64 * self.hop
    }
}

/// The lanes of results. Result j of position p starts from lane `first + p·advance + j·hop`, plus the strides of the loops.
/// Then the lowest `reversed_bits` bits of the lane are permuted by `bit_order`, and `pyramid` permutes the lane last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WritePattern {
    /// Lane of result 0 at position 0.
    pub first: usize,
    /// Lanes from one position to the next.
    pub advance: usize,
    /// Lanes from one result to the next.
    pub hop: usize,
    /// Number of bits to reverse; 0 for none.
    pub reversed_bits: u32,
    /// The change of these bits after their reversal.
    pub bit_order: BitOrder,
    /// The change of layout, if any.
    pub pyramid: Option<PyramidLayout>,
}

impl WritePattern {
    /// Result j of position p goes to lane p + j, without permutation.
    pub const IN_ORDER: Self = Self { first: 0, advance: 1, hop: 1, reversed_bits: 0, bit_order: BitOrder::Kept, pyramid: None };

    /// Whether a permutation follows the strides.
    pub fn scatters(&self) -> bool {
        self.reversed_bits > 0 || self.pyramid.is_some()
    }
}

/// One column of the flow graph, a sparse factor of the matrix.
///
/// Butterfly (p, q, b) has position p < `positions` in group q < `group.n` of repetition b < `outer.n`.
/// Lanes that no butterfly writes keep their values.
#[derive(Debug, Clone, PartialEq)]
pub struct Stage {
    /// The name on the screen.
    pub label: String,
    /// The loop over repetitions b.
    pub outer: Loop,
    /// The loop over groups q.
    pub group: Loop,
    /// Number of positions p.
    pub positions: usize,
    /// The lanes of taps.
    pub read: ReadPattern,
    /// The lanes of results.
    pub write: WritePattern,
    /// The operation of each butterfly.
    pub operation: Operation,
    /// The factors of the results, or of the taps where these are twiddled.
    pub twiddle: Option<Twiddle>,
}

impl Stage {
    /// See [`Operation::matrix`].
    #[inline]
    pub fn matrix(&self) -> &Matrix {
        self.operation.matrix()
    }

    /// Whether its name says how far apart the lanes of a butterfly are.
    pub fn tells_distance(&self) -> bool {
        self.label.starts_with("distance ")
    }

    /// Whether the results are weighted sums of taps or their conjugates.
    pub fn is_linear(&self) -> bool {
        match &self.operation {
            Operation::Linear(_) | Operation::TwiddledTaps(_) | Operation::TwiddledSums(_) => true,
            Operation::Product { .. } | Operation::Eliminate | Operation::Doubling(_) => false,
            Operation::Direct(sum) => sum.is_linear(),
        }
    }

    /// The sum that every butterfly of a dense stage computes; `None` for other stages.
    pub fn direct_sum(&self) -> Option<&DirectSum> {
        if let Operation::Direct(sum) = &self.operation { Some(sum) } else { None }
    }

    /// Whether the twiddles multiply taps, before the butterflies.
    pub fn twiddles_taps(&self) -> bool {
        matches!(self.operation, Operation::TwiddledTaps(_))
    }

    /// Whether the stage is linear over the complex numbers: weighted sums without conjugates.
    pub fn has_matrix(&self) -> bool {
        self.is_linear() && (0..self.matrix().taps).all(|k| !self.conjugates(k))
    }

    /// Whether tap k is conjugated first.
    pub fn conjugates(&self, k: usize) -> bool {
        match &self.operation {
            Operation::Linear(_) | Operation::TwiddledTaps(_) | Operation::Eliminate | Operation::Doubling(_) | Operation::Direct(_) => {
                false
            }
            Operation::Product { conjugated } => *conjugated && k == 1,
            Operation::TwiddledSums(sums) => sums.conjugated[k],
        }
    }

    /// Number of butterflies.
    pub fn n_butterflies(&self) -> usize {
        self.positions * self.group.n * self.outer.n
    }

    /// The lane that tap k of butterfly (p, q, b) reads; `None` for a zero of the extension.
    #[inline]
    pub fn read_lane(&self, p: usize, q: usize, b: usize, k: usize) -> Option<usize> {
        let inside = self.read.extension.apply(self.read.coordinate(p, k), self.read.len)?;
        Some(self.read.base + inside * self.read.step + q * self.group.read + b * self.outer.read)
    }

    /// The lane of result j of butterfly (p, q, b).
    #[inline]
    pub fn write_lane(&self, p: usize, q: usize, b: usize, j: usize) -> usize {
        let lane = self.write.bit_order.apply(self.lane_in_repetition(p, q, j) + b * self.outer.write, self.write.reversed_bits);
        self.write.pyramid.map_or(lane, |pyramid| pyramid.apply(lane))
    }

    /// The lane of result j of butterfly (p, q) within its repetition of the outer loop, before permutations.
    #[inline]
    pub fn lane_in_repetition(&self, p: usize, q: usize, j: usize) -> usize {
        let write = &self.write;
        write.first + p * write.advance + j * write.hop + q * self.group.write
    }

    /// The index into a twiddle table for result j of butterfly (p, q), independent of the distance of lanes.
    #[inline]
    pub fn table_index(&self, p: usize, q: usize, j: usize) -> usize {
        self.lane_in_repetition(p, q, j) / self.write.advance
    }

    /// Position, group and outer repetition of butterfly `index`; the position runs fastest.
    pub fn indices(&self, index: usize) -> [usize; 3] {
        [index % self.positions, index / self.positions % self.group.n, index / (self.positions * self.group.n)]
    }

    /// Butterfly `index` with all its lanes and weights.
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

    /// The lanes of a butterfly's taps that have a nonzero weight in some result.
    pub fn needs(&self, [p, q, b]: [usize; 3]) -> impl Iterator<Item = usize> + '_ {
        // Products of nonzero factors are nonzero.
        let is_zero = |coef: Coef| coef == Coef::Real(0.0);
        let is_lost = move |j: usize| self.twiddle.is_some() && is_zero(self.factor(p, q, j));
        let counts = move |k: usize| (0..self.matrix().rows).any(|j| !is_zero(self.weight(p, q, j, k)) && !is_lost(j));
        (0..self.matrix().taps).filter(move |&k| counts(k)).filter_map(move |k| self.read_lane(p, q, b, k))
    }

    /// The lanes that a butterfly writes.
    pub fn writes(&self, [p, q, b]: [usize; 3]) -> impl Iterator<Item = usize> + '_ {
        (0..self.matrix().rows).map(move |j| self.write_lane(p, q, b, j))
    }

    /// All lines of the drawing; zero weights draw none.
    pub fn edges(&self) -> Vec<Edge> {
        self.butterflies().flat_map(|butterfly| butterfly.edges()).collect()
    }

    /// The lanes that some butterfly writes.
    pub fn written_lanes(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.n_butterflies()).flat_map(move |index| self.writes(self.indices(index)))
    }

    /// The last lane that the stage may read, plus 1.
    pub fn read_reach(&self) -> usize {
        let Self { read, group, outer, .. } = self;
        let last = |n: usize, stride: usize| n.saturating_sub(1) * stride;
        read.base + last(read.len, read.step) + last(group.n, group.read) + last(outer.n, outer.read) + 1
    }

    /// The last lane that the stage writes, before permutations, plus 1.
    pub fn write_reach(&self) -> usize {
        self.repetition_reach() + self.outer.n.saturating_sub(1) * self.outer.write
    }

    /// The last lane of the first outer repetition, before permutations, plus 1.
    pub fn repetition_reach(&self) -> usize {
        let last = |n: usize| n.saturating_sub(1);
        self.lane_in_repetition(last(self.positions), last(self.group.n), last(self.matrix().rows)) + 1
    }

    /// Runs the stage over a ring: `sum` adds terms (weight, tap, whether to conjugate it), `product` multiplies two taps, the second conjugated on request.
    pub(super) fn run<V: Copy>(
        &self,
        before: &[V],
        ring: Ring,
        sum: impl Fn(&mut dyn Iterator<Item = (Coef, V, bool)>) -> V,
        product: impl Fn(V, V, bool) -> V,
    ) -> Vec<V> {
        let mut after = before.to_vec();
        if let Some(direct) = self.direct_sum() {
            // One result after the other, so that no N × N factors are in memory; a root becomes its value once.
            let factors: Vec<Coef> =
                direct.entries().map(|entry| entry.real().map_or_else(|| Coef::of(ring.element(entry)), Coef::Real)).collect();
            for [p, q, b] in (0..self.n_butterflies()).map(|index| self.indices(index)) {
                let tap = |k: usize| self.read_lane(p, q, b, k).map(|lane| before[lane]);
                let mut indices = Vec::with_capacity(direct.n_terms());
                direct.for_each_index(p, |_, index| indices.push(index));
                let linear = |(k, index): (usize, usize)| Some((factors[index], tap(k)?, false));
                let pair = |k: usize| {
                    let [first, second] = direct.pair(p, k)?;
                    Some((Coef::ONE, product(tap(first)?, tap(second)?, direct.conjugates()), false))
                };
                after[self.write_lane(p, q, b, 0)] = match direct.is_linear() {
                    true => sum(&mut indices.into_iter().enumerate().filter_map(linear)),
                    false => sum(&mut (0..direct.n_terms()).filter_map(pair)),
                };
            }
            return after;
        }
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
        // All results of a direct sum read all lanes.
        if self.direct_sum().is_some() {
            return false;
        }
        // Strides that show it save the search.
        if self.writes_its_taps() {
            return true;
        }
        const NOBODY: usize = usize::MAX;
        let mut writer = vec![NOBODY; self.write_reach()];
        for index in 0..self.n_butterflies() {
            for lane in self.writes(self.indices(index)) {
                // A permutation may lead beyond the reach.
                writer.resize(writer.len().max(lane + 1), NOBODY);
                writer[lane] = index;
            }
        }
        let is_own = |index: usize, lane: usize| writer.get(lane).is_none_or(|&other| other == index || other == NOBODY);
        (0..self.n_butterflies()).all(|index| {
            let [p, q, b] = self.indices(index);
            (0..self.matrix().taps).filter_map(|k| self.read_lane(p, q, b, k)).all(|lane| is_own(index, lane))
        })
    }

    /// The weight of tap k in result j of position p in group q, before [`Self::factor`].
    pub fn weight(&self, p: usize, q: usize, j: usize, k: usize) -> Coef {
        match &self.operation {
            Operation::TwiddledSums(sums) => {
                let [first, second] = [sums.first.at(j, k).value(), sums.second.at(j, k).value()];
                Coef::of(first * self.twiddle_of(p, q, j).value() + second * self.twiddle_of(p, q, sums.second_index(j)).value())
            }
            Operation::TwiddledTaps(matrix) => matrix.at(j, k).times(self.twiddle_of(p, q, k)),
            Operation::Direct(sum) => sum.factor(p, k),
            operation => operation.matrix().at(j, k),
        }
    }

    /// The twiddle that multiplies result j of position p in group q.
    pub fn factor(&self, p: usize, q: usize, j: usize) -> Coef {
        // The weights of TwiddledSums and TwiddledTaps include the twiddles.
        if matches!(self.operation, Operation::TwiddledSums(_)) || self.twiddles_taps() { Coef::ONE } else { self.twiddle_of(p, q, j) }
    }

    /// The order of the roots that are twiddles; `None` where these are signs or are in a table, or there are none.
    pub fn root_order(&self) -> Option<usize> {
        self.twiddle.as_ref()?.root().map(|(order, _)| order).filter(|&order| order > 2)
    }

    /// The twiddle of result j of position p in group q, or of tap j where taps are twiddled.
    pub fn twiddle_of(&self, p: usize, q: usize, j: usize) -> Coef {
        match &self.twiddle {
            None => Coef::ONE,
            Some(twiddle @ Twiddle::Root { modulus, direction, .. }) => {
                Coef::root(twiddle.exponent(p, q, j) as u64, *modulus as u64, *direction)
            }
            Some(Twiddle::Table(table)) => Coef::complex(table.factors()[self.table_index(p, q, j)]),
        }
    }
}
