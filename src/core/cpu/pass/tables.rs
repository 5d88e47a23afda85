//! Twiddles of a stage in a pass, as separate real and imaginary parts in the order of their use.
//!
//! Most exponents are an index of the result or of the group times a sum over the digits of positions.
//! They need short tables only: a twiddle is the product of one factor for the butterfly, one for the tile and one for the column.

use super::digits::{Digit, GROUP, POSITION};
use super::shape::{TileShape, sums};
use crate::cpu::fourier_rows::{TileTwiddles, TwiddleProducts, TwiddleRows};
use crate::cpu::tables::Roots;
use crate::plan::{Ring, Stage, Twiddle};
use num_complex::Complex64;

/// The twiddles of a stage, and how they depend on the tile.
pub(super) struct StageTwiddles<P> {
    pub(super) rows: TwiddleRows<P>,
    /// What each digit of the tile's number adds to the group or to the index in a table.
    firsts: Vec<usize>,
    /// What each digit of the tile's number adds to the sum over positions.
    positions: Vec<usize>,
    /// The roots of products, and the factor of the sum over positions for each result or group.
    roots: Option<(Roots, Vec<usize>)>,
    conjugated: bool,
}

/// What the exponent of a product is: factor of result j and of group q, and of each digit in the sum.
struct Exponents {
    result: usize,
    constant: usize,
    position: usize,
    sum: [usize; 3],
    by_group: bool,
}

impl Exponents {
    /// The exponents of a twiddle; `None` if they are not products, or if columns number groups.
    fn of([result, position, constant]: [usize; 3], [p, q, first]: [usize; 3], columns_are_groups: bool) -> Option<Self> {
        match (position, p) {
            (0, _) => Some(Self { result, constant, position, sum: [p, q, first], by_group: false }),
            (_, 0) if !columns_are_groups => Some(Self { result, constant, position, sum: [p, q, first], by_group: true }),
            _ => None,
        }
    }
}

impl<P: Copy> StageTwiddles<P> {
    /// The twiddles of stage `index` of a pass for butterflies over the digits `others`; conjugated on request.
    pub(super) fn of(
        (ring, stage): (Ring, &Stage),
        index: usize,
        shape: &TileShape,
        others: &[&Digit],
        conjugated: bool,
        parts: impl Fn(Complex64) -> [P; 2],
    ) -> Option<Self> {
        let parts = |value: Complex64| parts(if conjugated { value.conj() } else { value });
        let twiddle = stage.twiddle.as_ref()?;
        let columns_are_groups = shape.columns.iter().any(|digit| digit.indices[index][GROUP] > 0);
        if let Twiddle::Root { modulus, row, column, direction, reversed: 0 } = *twiddle
            && let Some(exponents) = Exponents::of(row, column, columns_are_groups)
        {
            let twiddles = Self::products(stage, index, (shape, others), &exponents, Roots::new(ring, modulus, direction), parts);
            return Some(Self { conjugated, ..twiddles });
        }
        Some(Self { conjugated, ..Self::table((ring, stage), index, (shape, others), parts) })
    }

    fn products(
        stage: &Stage,
        index: usize,
        (shape, others): (&TileShape, &[&Digit]),
        exponents: &Exponents,
        roots: Roots,
        parts: impl Fn(Complex64) -> [P; 2],
    ) -> Self {
        let &Exponents { result, constant, position, sum: [p, q, first], by_group } = exponents;
        let table = |exponents: &mut dyn Iterator<Item = usize>| -> [Vec<P>; 2] {
            exponents.map(|exponent| parts(roots.at(exponent % roots.order())).into()).unzip::<P, P, Vec<P>, Vec<P>>().into()
        };
        let group = |digit: &Digit| digit.indices[index][GROUP];
        let sum = |digit: &Digit| {
            digit.indices[index][POSITION] * if by_group { position } else { p } + if by_group { 0 } else { group(digit) * q }
        };
        let butterflies = sums(others.iter().copied(), sum);
        let columns = sums(&shape.columns, sum);
        let (results, n_groups) = (0..stage.matrix().rows, if by_group { stage.group.n } else { 1 });
        // The factor of the sum over positions.
        let factors: Vec<usize> = if by_group {
            (0..n_groups).map(|group| group * q + first).collect()
        } else {
            results.clone().map(|j| j * result + constant).collect()
        };
        let of_butterfly = |j: usize, group: usize, butterfly: usize| match by_group {
            true => factors[group] * (j * result + constant + butterfly),
            false => factors[j] * (butterfly + first),
        };
        let runs: Vec<[usize; 2]> = results.flat_map(|j| (0..n_groups).map(move |group| [j, group])).collect();
        let run = |&[j, group]: &[usize; 2]| butterflies.iter().map(move |&butterfly| (j, group, butterfly));
        let of_butterflies = table(&mut runs.iter().flat_map(run).map(|(j, group, butterfly)| of_butterfly(j, group, butterfly)));
        let n_columns = columns.len().next_multiple_of(8);
        let of_column = |factor: usize, column: usize| factor * columns.get(column).copied().unwrap_or(0);
        let of_columns = match columns.iter().all(|&column| column == 0) {
            true => [Vec::new(), Vec::new()],
            false => table(
                &mut factors.iter().flat_map(|&factor| (0..n_columns).map(move |column| (factor, column))).map(|(f, c)| of_column(f, c)),
            ),
        };
        let rows = TwiddleRows::Products(TwiddleProducts {
            butterflies: of_butterflies,
            groups: if by_group { sums(others.iter().copied(), group) } else { Vec::new() },
            n_groups,
            first_is_one: !by_group && constant == 0,
            columns: of_columns,
        });
        let firsts = shape.tiles.iter().map(|digit| if by_group { group(digit) } else { 0 }).collect();
        let positions = shape.tiles.iter().map(sum).collect();
        Self { rows, firsts, positions, roots: Some((roots, factors)), conjugated: false }
    }

    /// All twiddles in one table.
    fn table(
        (ring, stage): (Ring, &Stage),
        index: usize,
        (shape, others): (&TileShape, &[&Digit]),
        parts: impl Fn(Complex64) -> [P; 2],
    ) -> Self {
        // All positions may share the twiddles of their group.
        let is_shared = matches!(stage.twiddle, Some(Twiddle::Root { row: [_, 0, _], column: [0, ..], .. }));
        let (positions, groups) = (if is_shared { 1 } else { stage.positions }, stage.group.n);
        let stride = |digit: &Digit| {
            let [position, group] = [POSITION, GROUP].map(|of| digit.indices[index][of]);
            if is_shared { group } else { position * groups + group }
        };
        let all = (0..stage.matrix().rows).flat_map(|j| (0..positions).flat_map(move |p| (0..groups).map(move |q| [p, q, j])));
        let value = |[p, q, j]: [usize; 3]| match stage.twiddle.as_ref() {
            Some(Twiddle::Table(table)) => table.factors()[stage.table_index(p, q, j)],
            _ => ring.element(stage.twiddle_of(p, q, j)),
        };
        let parts = all.map(|place| parts(value(place)).into()).unzip::<P, P, Vec<P>, Vec<P>>().into();
        let (butterflies, mut columns) = (sums(others.iter().copied(), stride), sums(&shape.columns, stride));
        if columns.iter().all(|&distance| distance == 0) {
            columns.clear();
        }
        let first_is_one = matches!(stage.twiddle, Some(Twiddle::Root { row: [_, 0, 0], .. }));
        let rows = TwiddleRows::Table { parts, n: positions * groups, butterflies, columns, first_is_one };
        let firsts = shape.tiles.iter().map(stride).collect();
        Self { rows, firsts, positions: Vec::new(), roots: None, conjugated: false }
    }

    /// The twiddles of the tile whose number has these digits.
    pub(super) fn of_tile(&self, digits: &[usize], parts: impl Fn(Complex64) -> [P; 2]) -> TileTwiddles<P> {
        let sum = |strides: &[usize]| std::iter::zip(strides, digits).map(|(stride, value)| stride * value).sum::<usize>();
        let (first, position) = (sum(&self.firsts), sum(&self.positions));
        let factors = match &self.roots {
            Some((roots, factors)) if self.positions.iter().any(|&stride| stride > 0) => {
                let value = |factor: &usize| roots.at(factor * position % roots.order());
                let conjugated = |value: Complex64| if self.conjugated { value.conj() } else { value };
                factors.iter().map(|factor| parts(conjugated(value(factor)))).collect()
            }
            _ => Vec::new(),
        };
        TileTwiddles { first, factors }
    }
}
