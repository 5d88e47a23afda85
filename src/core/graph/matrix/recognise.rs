//! Recognises the formula of a stage: candidates follow from its butterflies, and the one that is returned evaluates to the matrix of the stage.

use super::entries::entry_text;
use super::formula::{Formula, block_name, stride};
use super::sparse::{MatrixEntry, SparseMatrix, is_same};
use crate::plan::{Coef, Direction, Operation, Ring, Stage, reverse_bits};

/// The formula of a stage with this matrix; `None` where none shorter than the matrix is found.
pub fn recognise(stage: &Stage, matrix: &SparseMatrix, ring: Ring) -> Option<Formula> {
    let (butterflies, operation) = (butterflies(stage), operation(stage));
    let core = Core { matrix: matrix.clone(), butterflies, operation, twiddles_first: stage.twiddles_taps() };
    let formula = core.formula(ring)?;
    // A formula is a claim until its matrix is that of the stage.
    formula.matrix().is_like(matrix).then_some(formula)
}

/// The lanes of a butterfly, and the factors of its results or of its taps.
#[derive(Clone)]
struct CoreButterfly {
    reads: Vec<usize>,
    writes: Vec<usize>,
    factors: Vec<Coef>,
}

/// A matrix to recognise, with the butterflies that it consists of.
struct Core {
    matrix: SparseMatrix,
    /// Empty where the butterflies have boundary extensions.
    butterflies: Vec<CoreButterfly>,
    /// The matrix of all butterflies; `None` where it differs between them.
    operation: Option<SparseMatrix>,
    /// Whether the factors multiply taps.
    twiddles_first: bool,
}

fn butterflies(stage: &Stage) -> Vec<CoreButterfly> {
    let one = |index: usize| {
        let [p, q, b] = stage.indices(index);
        let reads: Option<Vec<usize>> = (0..stage.matrix().taps).map(|k| stage.read_lane(p, q, b, k)).collect();
        let rows = 0..stage.matrix().rows;
        let writes = rows.clone().map(|j| stage.write_lane(p, q, b, j)).collect();
        Some(CoreButterfly { reads: reads?, writes, factors: rows.map(|j| stage.twiddle_of(p, q, j)).collect() })
    };
    (0..stage.n_butterflies()).map(one).collect::<Option<_>>().unwrap_or_default()
}

fn operation(stage: &Stage) -> Option<SparseMatrix> {
    let (Operation::Linear(matrix) | Operation::TwiddledTaps(matrix)) = &stage.operation else { return None };
    let entries =
        (0..matrix.rows * matrix.taps).map(|i| MatrixEntry { row: i / matrix.taps, column: i % matrix.taps, weight: matrix.coefs[i] });
    let square = matrix.rows == matrix.taps;
    square.then(|| SparseMatrix::summed(matrix.rows, matrix.taps, entries, Ring::Complex))
}

impl Core {
    fn formula(self, ring: Ring) -> Option<Formula> {
        let n = self.matrix.rows;
        if n != self.matrix.columns || n == 0 {
            return None;
        }
        if self.matrix.is_like(&Formula::Identity(n).matrix()) {
            return Some(Formula::Identity(n));
        }
        if let Some(named) = self.permutation().filter(|permutation| !matches!(permutation, Formula::Permutation(_))) {
            return Some(named);
        }
        for copies in divisors(n).rev().filter(|&copies| copies > 1) {
            if let Some(core) = self.block(copies, n / copies, 1) {
                return Some(kronecker(vec![
                    Formula::Identity(copies),
                    core.formula(ring).unwrap_or_else(|| named(self.matrix.corner(n / copies, n / copies), "B", ring)),
                ]));
            }
        }
        for apart in divisors(n).rev().filter(|&apart| apart > 1) {
            if let Some(core) = self.block(1, n / apart, apart) {
                let inner = core.matrix.clone();
                let formula = core.formula(ring).unwrap_or_else(|| named(inner, "B", ring));
                return Some(kronecker(vec![formula, Formula::Identity(apart)]));
            }
        }
        self.direct_sum(ring)
            .or_else(|| self.diagonal())
            .or_else(|| self.permutation())
            .or_else(|| self.of_butterflies(ring))
            .or_else(|| self.lifting())
            .or_else(|| self.filters())
            .or_else(|| Some(Formula::Transposed(Box::new(self.transposed().filters()?))))
    }

    /// The core of I ⊗ core ⊗ I: `copies` blocks of `size` rows, `apart` lanes from each other.
    fn block(&self, copies: usize, size: usize, apart: usize) -> Option<Self> {
        let whole = size * apart;
        let inside = |lane: usize| (lane < whole && lane.is_multiple_of(apart)).then_some(lane / apart);
        let entries = self
            .matrix
            .entries
            .iter()
            .filter_map(|entry| Some(MatrixEntry { row: inside(entry.row)?, column: inside(entry.column)?, weight: entry.weight }));
        let matrix = SparseMatrix { rows: size, columns: size, entries: entries.collect() };
        if matrix.entries.len() * copies * apart != self.matrix.entries.len() {
            return None;
        }
        let spread =
            Formula::Kronecker(vec![Formula::Identity(copies), Formula::Block("".into(), matrix.clone()), Formula::Identity(apart)]);
        if !spread.matrix().is_like(&self.matrix) {
            return None;
        }
        let moved = |lanes: &[usize]| lanes.iter().map(|&lane| inside(lane)).collect::<Option<Vec<_>>>();
        let butterflies = self.butterflies.iter().filter_map(|butterfly| {
            Some(CoreButterfly { reads: moved(&butterfly.reads)?, writes: moved(&butterfly.writes)?, factors: butterfly.factors.clone() })
        });
        Some(Self { butterflies: butterflies.collect(), matrix, operation: self.operation.clone(), twiddles_first: self.twiddles_first })
    }

    /// A block followed by lanes that stay as they are, or by lanes that hold nothing.
    fn direct_sum(&self, ring: Ring) -> Option<Formula> {
        let n = self.matrix.rows;
        let is_empty = |lane: usize| !self.matrix.entries.iter().any(|entry| entry.row == lane || entry.column == lane);
        let stays = |lane: usize| {
            let is_one = |entry: &MatrixEntry| entry.row == lane && entry.column == lane && is_same(entry.weight, Coef::ONE);
            self.matrix.entries.iter().filter(|entry| entry.row == lane || entry.column == lane).all(is_one)
                && self.matrix.at(lane, lane).is_some()
        };
        let count = |is: &dyn Fn(usize) -> bool| (0..n).rev().take_while(|&lane| is(lane)).count();
        let (rest, tail) = match count(&stays) {
            0 => (count(&is_empty), Formula::Zero as fn(usize) -> Formula),
            rest => (rest, Formula::Identity as fn(usize) -> Formula),
        };
        if rest == 0 || rest == n {
            return None;
        }
        let head = self.matrix.corner(n - rest, n - rest);
        let butterflies = self.butterflies.iter().filter(|b| b.reads.iter().chain(&b.writes).all(|&lane| lane < n - rest)).cloned();
        let (operation, butterflies) = (self.operation.clone(), butterflies.collect());
        let core = Self { matrix: head.clone(), butterflies, operation, twiddles_first: self.twiddles_first };
        let formula = core.formula(ring).unwrap_or_else(|| named(head, "B", ring));
        Some(Formula::DirectSum(vec![formula, tail(rest)]))
    }

    fn diagonal(&self) -> Option<Formula> {
        let n = self.matrix.rows;
        let weights: Vec<Coef> = self.matrix.entries.iter().filter(|entry| entry.row == entry.column).map(|entry| entry.weight).collect();
        (weights.len() == n && self.matrix.entries.len() == n).then(|| diagonal(weights))
    }

    fn permutation(&self) -> Option<Formula> {
        let is_one = self.matrix.entries.iter().all(|entry| is_same(entry.weight, Coef::ONE));
        let from: Vec<usize> = self.matrix.entries.iter().map(|entry| entry.column).collect();
        let in_rows = self.matrix.entries.iter().enumerate().all(|(row, entry)| entry.row == row);
        (is_one && in_rows && from.len() == self.matrix.rows && is_permutation(&from)).then(|| permutation(from))
    }

    /// P·D·(I ⊗ M ⊗ I)·Q, or P·(I ⊗ M ⊗ I)·D·Q where taps are twiddled, with as few of P, D and Q as the butterflies need.
    fn of_butterflies(&self, ring: Ring) -> Option<Formula> {
        let (n, m) = (self.matrix.rows, self.operation.as_ref()?.rows);
        let (list, all) = (&self.butterflies, self.butterflies.len() * m);
        let lanes = |side: fn(&CoreButterfly) -> &Vec<usize>| list.iter().flat_map(move |butterfly| side(butterfly).iter().copied());
        let [reads, writes]: [Vec<usize>; 2] = [lanes(|b| &b.reads).collect(), lanes(|b| &b.writes).collect()];
        if all != n || !is_permutation(&reads) || !is_permutation(&writes) {
            return None;
        }
        let factors: Vec<Coef> = list.iter().flat_map(|butterfly| butterfly.factors.iter().copied()).collect();
        // Where the middle factor has every value: in the order of the reads, or in that of the writes, if these lie evenly.
        let even = |side: fn(&CoreButterfly) -> &Vec<usize>| {
            let apart = if m > 1 { side(&list[0])[1].checked_sub(side(&list[0])[0])? } else { 1 };
            let starts = |butterfly: &CoreButterfly| {
                let lanes = side(butterfly);
                lanes[0] % (m * apart.max(1)) < apart && lanes.iter().enumerate().all(|(k, lane)| *lane == lanes[0] + k * apart)
            };
            (apart > 0 && list.iter().all(starts)).then_some(apart)
        };
        let (by_reads, by_writes) = (even(|b| &b.reads), even(|b| &b.writes));
        let candidate = |places: &[usize], apart: usize| -> (Formula, bool) {
            let mut after = vec![0; n];
            let mut before = vec![0; n];
            let mut weights = vec![Coef::ONE; n];
            for (i, &place) in places.iter().enumerate() {
                (after[writes[i]], before[place], weights[place]) = (place, reads[i], factors[i]);
            }
            let names = [permutation(after), permutation(before)];
            let is_named = names.iter().all(|name| !matches!(name, Formula::Permutation(_)));
            let [after, before] = names;
            let middle = kronecker(vec![Formula::Identity(n / (m * apart)), self.middle(ring), Formula::Identity(apart)]);
            let [left, right] = if self.twiddles_first { [middle, diagonal(weights)] } else { [diagonal(weights), middle] };
            let parts = [after, left, right, before].into_iter().filter(|part| !matches!(part, Formula::Identity(_)));
            let parts: Vec<Formula> = parts.collect();
            (if parts.len() == 1 { parts[0].clone() } else { Formula::Product(parts) }, is_named)
        };
        let candidates: Vec<(Formula, bool)> = [
            by_reads.map(|apart| candidate(&reads, apart)),
            by_writes.map(|apart| candidate(&writes, apart)),
            Some(candidate(&(0..n).collect::<Vec<_>>(), 1)),
        ]
        .into_iter()
        .flatten()
        .collect();
        let named = candidates.iter().find(|(_, is_named)| *is_named).or(candidates.first());
        named.map(|(formula, _)| formula.clone())
    }

    /// The small matrix of the butterflies under its name, with a common factor in front.
    fn middle(&self, ring: Ring) -> Formula {
        let matrix = self.operation.clone().unwrap_or_default();
        if matrix.rows == 1 {
            return match matrix.entries.first().map(|entry| entry.weight) {
                Some(Coef::ONE) => Formula::Identity(1),
                Some(factor) => Formula::Scale(factor, Box::new(Formula::Identity(1))),
                None => Formula::Block("0".into(), matrix),
            };
        }
        named(matrix, "M", ring)
    }

    /// D·(I + w·N): some lanes get w times the sum of others, and are scaled.
    fn lifting(&self) -> Option<Formula> {
        let n = self.matrix.rows;
        let own: Vec<Coef> = (0..n).map(|lane| self.matrix.at(lane, lane).map(|entry| entry.weight)).collect::<Option<_>>()?;
        let mut others: Vec<MatrixEntry> = self.matrix.entries.iter().copied().filter(|entry| entry.row != entry.column).collect();
        for entry in others.iter_mut().filter(|entry| own[entry.row] != Coef::ONE) {
            entry.weight = Coef::of(entry.weight.value() / own[entry.row].value());
        }
        // A mirrored neighbour counts twice, so the factor is the smallest weight, or half of it where that has a name.
        let size = |entry: &MatrixEntry| entry.weight.value().norm();
        let smallest = others.iter().copied().min_by(|a, b| size(a).total_cmp(&size(b)))?.weight;
        let half = Coef::of(smallest.value() / 2.0);
        let has_letter = |weight: Coef| entry_text(weight).chars().any(char::is_alphabetic);
        let weight = if has_letter(half) && !has_letter(smallest) { half } else { smallest };
        let counts = SparseMatrix { rows: n, columns: n, entries: others };
        let counts = counts.map(|other| Coef::of(whole_if_near(other.value() / weight.value())));
        if !counts.entries.iter().all(|entry| entry.weight.integer().is_some_and(|count| (1..=2).contains(&count))) {
            return None;
        }
        let sum = Formula::Block("N".into(), counts);
        let sum = if weight == Coef::ONE { sum } else { Formula::Scale(weight, Box::new(sum)) };
        let step = Formula::Sum(vec![Formula::Identity(n), sum]);
        Some(match diagonal(own) {
            Formula::Identity(_) => step,
            scales => Formula::Product(vec![scales, step]),
        })
    }

    /// [H; G]: the rows of each half are the row above, moved two lanes to the right around the end.
    fn filters(&self) -> Option<Formula> {
        let n = self.matrix.rows;
        if !n.is_multiple_of(2) || n < 4 {
            return None;
        }
        let half = |first: usize| {
            let entries = self.matrix.entries.iter().filter(|entry| (first..first + n / 2).contains(&entry.row));
            let entries = entries.map(|entry| MatrixEntry { row: entry.row - first, ..*entry }).collect();
            SparseMatrix { rows: n / 2, columns: n, entries }
        };
        let slides = |half: &SparseMatrix| {
            let first: Vec<&MatrixEntry> = half.entries.iter().filter(|entry| entry.row == 0).collect();
            let moved = (0..half.rows).flat_map(|row| {
                first.iter().map(move |e| MatrixEntry { row, column: (e.column + 2 * row) % half.columns, weight: e.weight })
            });
            SparseMatrix::summed(half.rows, half.columns, moved, Ring::Complex).is_like(half)
        };
        let [low, high] = [half(0), half(n / 2)];
        let slide = slides(&low) && slides(&high);
        slide.then(|| Formula::Stack(vec![Formula::Block("H".into(), low), Formula::Block("G".into(), high)]))
    }

    fn transposed(&self) -> Self {
        Self { matrix: self.matrix.transposed(), butterflies: Vec::new(), operation: None, twiddles_first: false }
    }
}

/// A small matrix under its own name, perhaps with a factor in front, or under `other`.
fn named(matrix: SparseMatrix, other: &'static str, ring: Ring) -> Formula {
    if let Some(name) = block_name(&matrix, ring) {
        return Formula::Block(name.into(), matrix);
    }
    let first = matrix.at(0, 0).map_or(Coef::ONE, |entry| entry.weight);
    let scaled = matrix.map(|weight| Coef::of(whole_if_near(weight.value() / first.value())));
    match block_name(&scaled, ring) {
        Some(name) => Formula::Scale(first, Box::new(Formula::Block(name.into(), scaled))),
        None => Formula::Block(other.into(), matrix),
    }
}

/// A quotient without its rounding.
fn whole_if_near(value: num_complex::Complex64) -> num_complex::Complex64 {
    let tidy = |x: f64| if (x - x.round()).abs() < 1e-12 { x.round() } else { x };
    num_complex::Complex64::new(tidy(value.re), tidy(value.im))
}

/// A Kronecker product without factors of one row; inner products and neighbouring identities are joined.
fn kronecker(parts: Vec<Formula>) -> Formula {
    let mut joined: Vec<Formula> = Vec::new();
    let mut scale = Coef::ONE;
    for part in parts {
        let part = match part {
            Formula::Scale(factor, of) => {
                scale = scale.times(factor);
                *of
            }
            part => part,
        };
        let inner = if let Formula::Kronecker(inner) = part { inner } else { vec![part] };
        for part in inner {
            match (joined.last_mut(), part) {
                (_, Formula::Identity(1)) => {}
                (Some(Formula::Identity(n)), Formula::Identity(m)) => *n *= m,
                (_, part) => joined.push(part),
            }
        }
    }
    let product = match joined.len() {
        0 => Formula::Identity(1),
        1 => joined.remove(0),
        _ => Formula::Kronecker(joined),
    };
    if scale == Coef::ONE { product } else { Formula::Scale(scale, Box::new(product)) }
}

/// A diagonal: the identity, a multiple of it, twiddles, or any other.
fn diagonal(weights: Vec<Coef>) -> Formula {
    let n = weights.len();
    if weights.iter().all(|&weight| is_same(weight, weights[0])) {
        return if is_same(weights[0], Coef::ONE) {
            Formula::Identity(n)
        } else {
            Formula::Scale(weights[0], Box::new(Formula::Identity(n)))
        };
    }
    for copies in divisors(n).rev() {
        for apart in divisors(n / copies).rev() {
            let core = n / copies / apart;
            for m in divisors(core).filter(|&m| m > 1 && m < core) {
                let is_twiddle = |direction| {
                    weights
                        .iter()
                        .enumerate()
                        .all(|(i, &weight)| is_same(weight, twiddle(m, core / m, direction, i % (core * apart) / apart)))
                };
                if let Some(direction) = [Direction::Forward, Direction::Inverse].into_iter().find(|&direction| is_twiddle(direction)) {
                    return kronecker(vec![Formula::Identity(copies), twiddles(m, core / m, direction), Formula::Identity(apart)]);
                }
            }
        }
    }
    Formula::Diagonal(weights)
}

/// Entry `i` of T(m, n).
fn twiddle(m: usize, n: usize, direction: Direction, i: usize) -> Coef {
    Coef::root(((i / n) * (i % n)) as u64, (m * n) as u64, direction)
}

/// T(m, n), or its conjugate.
fn twiddles(m: usize, n: usize, direction: Direction) -> Formula {
    let weights = (0..m * n).map(|i| twiddle(m, n, direction, i)).collect();
    Formula::Twiddles { m, n, weights, conjugated: direction == Direction::Inverse }
}

/// A permutation under its name: the identity, a stride permutation or a bit reversal, perhaps between identities.
fn permutation(from: Vec<usize>) -> Formula {
    let n = from.len();
    if from.iter().enumerate().all(|(row, column)| row == *column) {
        return Formula::Identity(n);
    }
    for copies in divisors(n).rev() {
        for apart in divisors(n / copies).rev() {
            let core = n / copies / apart;
            let is = |of: &dyn Fn(usize) -> usize| {
                from.iter().enumerate().all(|(row, &column)| {
                    let block = row / (core * apart) * (core * apart);
                    column == block + of(row % (core * apart) / apart) * apart + row % apart
                })
            };
            let wrapped = |formula: Formula| kronecker(vec![Formula::Identity(copies), formula, Formula::Identity(apart)]);
            for s in divisors(core).filter(|&s| s > 1 && s < core) {
                let lanes = stride(core, s);
                if is(&|row| lanes[row]) {
                    return wrapped(Formula::Stride { n: core, s });
                }
            }
            if core.is_power_of_two() && core > 4 && is(&|row| reverse_bits(row, core.ilog2())) {
                return wrapped(Formula::Reversal(core.ilog2()));
            }
        }
    }
    Formula::Permutation(from)
}

fn is_permutation(lanes: &[usize]) -> bool {
    let mut seen = vec![false; lanes.len()];
    lanes.iter().all(|&lane| lane < seen.len() && !std::mem::replace(&mut seen[lane], true))
}

/// The divisors of a number, smallest first.
fn divisors(n: usize) -> impl DoubleEndedIterator<Item = usize> {
    (1..=n).filter(move |divisor| n.is_multiple_of(*divisor))
}
