//! Twiddles of a stage in a pass, as separate real and imaginary parts in the order of their use.
//!
//! Most exponents are an index of the result or of the group times a sum over the digits of positions.
//! They need short tables only: a twiddle is the product of one factor for the butterfly, one for the tile and one for the column.

use super::digits::{Digit, GROUP, POSITION, TAP};
use super::shape::{TileShape, sums};
use crate::cpu::fourier_rows::{TileTwiddles, TwiddleProducts, TwiddleRows};
use crate::cpu::tables::Roots;
use crate::plan::{Direction, Ring, Stage, Twiddle};
use num_complex::Complex64;

/// The twiddles of a stage, and how they depend on the tile.
pub(super) struct StageTwiddles<P> {
    pub(super) rows: TwiddleRows<P>,
    /// The number that each digit of the tile's number adds to the group or to the index in a table.
    firsts: Vec<usize>,
    /// The number that each digit of the tile's number adds to the sum over positions.
    positions: Vec<usize>,
    /// The roots of products, and the factor of the sum over positions for each result or group.
    roots: Option<(Roots, Vec<usize>)>,
    conjugated: bool,
}

/// The exponent of a product: the factors of result j and of group q, and of each digit in the sum.
pub(super) struct Exponents {
    order: usize,
    direction: Direction,
    result: usize,
    constant: usize,
    position: usize,
    sum: [usize; 3],
    by_group: bool,
}

impl Exponents {
    /// The exponents of a stage's twiddles; `None` if they are not products, or if columns number groups.
    fn of(stage: &Stage, index: usize, shape: &TileShape) -> Option<Self> {
        let &Some(Twiddle::Root { modulus: order, row, column: sum, direction, reversed: 0 }) = &stage.twiddle else { return None };
        let [result, position, constant] = row;
        let columns_are_groups = shape.columns.iter().any(|digit| digit.indices[index][GROUP] > 0);
        let by_group = position > 0;
        (!by_group || sum[0] == 0 && !columns_are_groups).then_some(Self { order, direction, result, constant, position, sum, by_group })
    }

    /// The step of the sum from one value of a digit to the next.
    fn of_digit(&self, digit: &Digit, index: usize) -> usize {
        let [p, q, _] = self.sum;
        let [position, group, _] = digit.indices[index];
        if self.by_group { position * self.position } else { position * p + group * q }
    }

    /// The factor of the sum for result j.
    fn of_result(&self, j: usize) -> usize {
        j * self.result + self.constant
    }
}

/// The stages of a pass whose factors of columns the last of them multiplies, all by one product: nothing between takes their results apart.
/// For residues, whose products cost more than reading a factor; a single stage has nothing to join.
pub(super) fn joined(ring: Ring, stages: &[Stage], shape: &TileShape) -> Vec<(usize, Exponents)> {
    let order = order_of_field(ring);
    let exponents = |(index, stage): (usize, &Stage)| {
        let exponents = Exponents::of(stage, index, shape).filter(|_| !stage.twiddles_taps())?;
        let depends = shape.columns.iter().any(|digit| exponents.of_digit(digit, index) > 0);
        (depends && !exponents.by_group && order.is_multiple_of(exponents.order)).then_some((index, exponents))
    };
    let mut joined: Vec<_> = stages.iter().enumerate().filter(|_| ring.field().is_some()).filter_map(exponents).collect();
    let Some((last, direction)) = joined.last().map(|(index, exponents)| (*index, exponents.direction)) else { return joined };
    let stays = |index: usize| {
        let mut results = shape.rows.iter().filter(|row| row.indices[index][TAP] > 0);
        results.all(|row| (index + 1..=last).all(|later| row.indices[later][TAP] == 0))
    };
    joined.retain(|(index, exponents)| exponents.direction == direction && stays(*index));
    if joined.len() > 1 { joined } else { Vec::new() }
}

/// The order of the root of residues; 0 for other lanes.
fn order_of_field(ring: Ring) -> usize {
    ring.field().map_or(0, |field| field.order() as usize)
}

impl<P: Copy> StageTwiddles<P> {
    /// The twiddles of stage `index` of a pass for butterflies over the digits `others`; conjugated on request.
    pub(super) fn of(
        (ring, stage): (Ring, &Stage),
        index: usize,
        (shape, others, joined): (&TileShape, &[&Digit], &[(usize, Exponents)]),
        conjugated: bool,
        parts: impl Fn(Complex64) -> [P; 2],
    ) -> Option<Self> {
        let parts = |value: Complex64| parts(if conjugated { value.conj() } else { value });
        stage.twiddle.as_ref()?;
        let Some(exponents) = Exponents::of(stage, index, shape) else {
            return Some(Self { conjugated, ..Self::table(ring, stage, index, shape, others, parts) });
        };
        let mut twiddles = Self::products((ring, stage), index, (shape, others), &exponents, parts);
        if let (TwiddleRows::Products(products), true) = (&mut twiddles.rows, joined.iter().any(|(of, _)| *of == index)) {
            let is_last = joined.last().is_some_and(|(last, _)| *last == index);
            products.are_joined = is_last;
            products.columns = if is_last { joined_columns(ring, shape, others, joined, parts) } else { Default::default() };
        }
        Some(Self { conjugated, ..twiddles })
    }

    fn products(
        (ring, stage): (Ring, &Stage),
        index: usize,
        (shape, others): (&TileShape, &[&Digit]),
        exponents: &Exponents,
        parts: impl Fn(Complex64) -> [P; 2],
    ) -> Self {
        let &Exponents { constant, sum: [_, q, first], by_group, .. } = exponents;
        let roots = Roots::new(ring, exponents.order, exponents.direction);
        let table = |exponents: &mut dyn Iterator<Item = usize>| -> [Vec<P>; 2] {
            exponents.map(|exponent| parts(roots.at(exponent % roots.order())).into()).unzip::<P, P, Vec<P>, Vec<P>>().into()
        };
        let group = |digit: &Digit| digit.indices[index][GROUP];
        let sum = |digit: &Digit| exponents.of_digit(digit, index);
        let butterflies = sums(others.iter().copied(), sum);
        let columns = sums(&shape.columns, sum);
        let (results, n_groups) = (0..stage.matrix().rows, if by_group { stage.group.n } else { 1 });
        // The factor of the sum over positions.
        let factors: Vec<usize> = if by_group {
            (0..n_groups).map(|group| group * q + first).collect()
        } else {
            results.clone().map(|j| exponents.of_result(j)).collect()
        };
        let of_butterfly = |j: usize, group: usize, butterfly: usize| match by_group {
            true => factors[group] * (exponents.of_result(j) + butterfly),
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
            are_joined: false,
        });
        let firsts = shape.tiles.iter().map(|digit| if by_group { group(digit) } else { 0 }).collect();
        let positions = shape.tiles.iter().map(sum).collect();
        Self { rows, firsts, positions, roots: Some((roots, factors)), conjugated: false }
    }

    /// All twiddles in one table.
    fn table(ring: Ring, stage: &Stage, index: usize, shape: &TileShape, others: &[&Digit], parts: impl Fn(Complex64) -> [P; 2]) -> Self {
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

/// The factors of columns of all joined stages for the results of the last, `[result][butterfly][column]`.
fn joined_columns<P: Copy>(
    ring: Ring,
    shape: &TileShape,
    others: &[&Digit],
    joined: &[(usize, Exponents)],
    parts: impl Fn(Complex64) -> [P; 2],
) -> [Vec<P>; 2] {
    let (last, order) = (joined.len() - 1, order_of_field(ring));
    let roots = Roots::new(ring, order, joined[last].1.direction);
    let taps = |index: usize| shape.rows.iter().filter(move |row| row.indices[index][TAP] > 0).map(|row| row.n).product::<usize>();
    // The results of each stage that the butterflies of the last hold, and what the columns add to its sum.
    let of_stages: Vec<[Vec<usize>; 2]> = joined
        .iter()
        .map(|(index, exponents)| {
            let scale = order / exponents.order;
            let mut columns = sums(&shape.columns, |digit| scale * exponents.of_digit(digit, *index));
            columns.resize(columns.len().next_multiple_of(8), 0);
            [sums(others.iter().copied(), |digit| digit.indices[*index][TAP]), columns]
        })
        .collect();
    let (n_butterflies, n_columns) = (of_stages[0][0].len(), of_stages[0][1].len());
    let exponent = |[j, butterfly, column]: [usize; 3]| {
        let of_stage = |stage: usize| {
            let [results, columns] = &of_stages[stage];
            joined[stage].1.of_result(if stage == last { j } else { results[butterfly] }) * columns[column] % order
        };
        (0..=last).map(of_stage).sum::<usize>() % order
    };
    let rows = (0..taps(joined[last].0)).flat_map(|j| (0..n_butterflies).map(move |butterfly| [j, butterfly]));
    let places = rows.flat_map(|[j, butterfly]| (0..n_columns).map(move |column| [j, butterfly, column]));
    places.map(|place| parts(roots.at(exponent(place))).into()).unzip::<P, P, Vec<P>, Vec<P>>().into()
}

#[cfg(test)]
mod tests {
    use super::super::digits::Digits;
    use super::super::{Pass, passes};
    use super::*;
    use crate::cpu::{self, CpuBackend, LoopOrder, Residue};
    use crate::schedule::Schedule;
    use crate::transforms::{Parameters, Shape, transform};
    use std::sync::atomic::AtomicBool;

    /// The number of joined stages in each pass.
    fn joined_stages(plan: &crate::plan::Plan) -> Vec<usize> {
        let of_pass = |(range, _): &(std::ops::Range<usize>, bool)| {
            let stages = &plan.stages[range.clone()];
            let digits = stages.iter().try_fold(Digits::before(&stages[0]).unwrap(), |digits, stage| digits.then(stage));
            joined(plan.ring, stages, &TileShape::of(digits.unwrap())).len()
        };
        passes(&plan.stages, Pass::<u32>::supports).iter().map(of_pass).collect()
    }

    #[test]
    fn joined_factors_give_what_every_stage_alone_gives() {
        for (name, algorithm, n, modulus) in [
            ("ntt", "stockham-4", 1 << 12, 12_289),
            ("ntt", "stockham-2", 1 << 12, 2_013_265_921),
            ("ntt", "stockham", 3 << 11, 2_013_265_921),
            ("ntt", "gentleman-sande", 1 << 12, 998_244_353),
            ("ntt-negacyclic", "stockham-4", 1 << 12, 998_244_353),
        ] {
            for direction in [Direction::Forward, Direction::Inverse] {
                let parameters = Parameters { modulus: Some(modulus), direction, ..Parameters::default() };
                let build = transform(name).unwrap().algorithm(algorithm).unwrap().plan_fn().unwrap();
                let plan = build(Shape::line(n), parameters).unwrap();
                assert!(joined_stages(&plan).iter().any(|&n| n > 1), "{name} by {algorithm}: {:?}", joined_stages(&plan));
                let lanes: Vec<Residue> = (0..n as i64).map(|i| Residue::of(plan.ring.field().unwrap(), i * i * 0x9e37_79b9 + 7)).collect();
                let run = |schedule: &Schedule, way| cpu::run(&plan, schedule, &lanes, way, &AtomicBool::new(false)).unwrap().0;
                let expected = run(&Schedule::by_stage(&plan), CpuBackend::ByStage(LoopOrder::Strided));
                for way in [CpuBackend::OneThread, CpuBackend::Parallel] {
                    assert!(run(&cpu::fast_schedule(&plan), way) == expected, "{name} by {algorithm}, {direction:?}, {way:?}");
                }
            }
        }
    }
}
