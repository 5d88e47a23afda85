//! A butterfly as the lines of a kernel: indices, loads, sums and stores. The template `butterfly.wgsl` writes them.

use super::direct::DirectLines;
use super::form::{Form, Number, Numbers, quotient, remainder};
use super::helpers::extended;
use super::sides::Access;
use super::sums::Register;
use super::weights::{Place, ResultIndex, Weights};
use crate::gpu::doubling::doubling;
use crate::gpu::residues;
use crate::plan::{Extension, Matrix, Operation, Stage};
use serde::Serialize;

/// Matrices with more entries are not unrolled: their coefficients are in a table.
const MOST_UNROLLED: usize = 64;
const LOOPS: [&str; 3] = ["p", "q", "b"];

/// A name and its value.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Line {
    pub(super) name: String,
    pub(super) value: String,
}

impl Line {
    pub(super) fn new(name: &str, value: String) -> Self {
        Self { name: name.to_owned(), value }
    }
}

/// A tap, or two taps in one vector.
#[derive(Debug, Clone, Serialize)]
struct Load {
    name: String,
    index: String,
    /// The coordinate before and after boundary extension, and whether the tap may be zero there.
    coordinate: Option<Line>,
    may_be_zero: bool,
    /// The taps in a vector.
    parts: Vec<Line>,
}

/// One butterfly of a thread.
#[derive(Debug, Clone, Serialize)]
pub(super) struct ButterflyLines {
    /// Position, group, repetition, and the first index of each side.
    indices: Vec<Line>,
    loads: Vec<Load>,
    /// Sums that have names because several stores need their parts.
    sums: Vec<Line>,
    /// Indices and values.
    stores: Vec<Line>,
    /// Results in a loop over `j`: how many.
    rolled: Option<usize>,
    /// The loop over the terms of a direct sum.
    direct: Option<DirectLines>,
}

impl ButterflyLines {
    /// All expressions, to see which helpers they call.
    pub(super) fn expressions(&self) -> impl Iterator<Item = &str> {
        let loads = self.loads.iter().flat_map(|load| [load.index.as_str(), load.coordinate.as_ref().map_or("", |line| &line.value)]);
        let lines = self.indices.iter().chain(&self.sums).chain(&self.stores);
        let direct = self.direct.iter().flat_map(DirectLines::expressions);
        loads.chain(lines.flat_map(|line| [line.name.as_str(), line.value.as_str()])).chain(direct)
    }
}

/// Where a side of a stage lies: a first index before all strides.
#[derive(Debug, Clone, Default)]
pub(super) struct Placed {
    /// The offset of every index.
    pub(super) start: Form,
    /// Whether stores go to lanes of the whole array, which the stage may permute.
    pub(super) permutes: bool,
}

/// Writes the butterflies of one stage.
pub(super) struct Writer<'a> {
    pub(super) stage: &'a Stage,
    pub(super) access: Access,
    pub(super) weights: &'a Weights<'a>,
    /// The order of the loops, the innermost first.
    pub(super) order: Vec<usize>,
    /// Where the coefficients of a matrix that is not unrolled begin.
    pub(super) coefs: u32,
    pub(super) sides: [Placed; 2],
    /// Whether `p`, `q` and `b` are known before.
    pub(super) knows_place: bool,
}

/// Whether the results of a stage are a loop whose coefficients are in a table.
pub(super) fn is_rolled(stage: &Stage) -> bool {
    matches!(stage.operation, Operation::Linear(_)) && stage.matrix().coefs.len() > MOST_UNROLLED
}

impl Writer<'_> {
    /// Butterfly `index` of a thread; names end in `suffix`.
    pub(super) fn butterfly(&self, index: &str, suffix: &str, numbers: &mut Numbers) -> ButterflyLines {
        let (mut indices, variables) = self.indices(index, suffix, numbers);
        if let Some(direct) = self.stage.direct_sum() {
            let origin = self.origin(0, &variables, numbers);
            let direct = self.direct(direct, variables[0].as_deref(), &origin, &mut indices);
            let (sums, stores) = self.stores(vec!["sum".into()], &variables, suffix, &mut indices, numbers);
            return ButterflyLines { indices, loads: Vec::new(), sums, stores, rolled: None, direct: Some(direct) };
        }
        let place = Place { position: variables[0].clone(), group: variables[1].clone() };
        let taps: Vec<String> = (0..self.stage.matrix().taps).map(|k| tap_name(k, self.stage.matrix().taps, suffix)).collect();
        let loads = self.loads(&variables, &taps, suffix, &mut indices, numbers);
        let (twiddled, taps) = self.twiddled_taps(taps, &place, numbers);
        let rolled = is_rolled(self.stage);
        let results: Vec<String> = if rolled {
            vec![self.rolled_result(&taps, &place, numbers)]
        } else {
            (0..self.stage.matrix().rows).map(|j| self.result(j, &taps, &place, numbers)).collect()
        };
        let (mut sums, stores) = self.stores(results, &variables, suffix, &mut indices, numbers);
        sums.splice(..0, twiddled);
        ButterflyLines { indices, loads, sums, stores, rolled: rolled.then_some(self.stage.matrix().rows), direct: None }
    }

    /// Position, group and repetition from the number of a butterfly; a loop that runs once has none.
    fn indices(&self, index: &str, suffix: &str, numbers: &mut Numbers) -> (Vec<Line>, [Option<String>; 3]) {
        let (mut lines, mut variables, mut inner) = (Vec::new(), [None, None, None], 1_usize);
        if self.knows_place {
            return (lines, [0, 1, 2].map(|which| (self.access.counts[which] > 1).then(|| LOOPS[which].to_owned())));
        }
        for (level, &which) in self.order.iter().enumerate() {
            let is_last = level + 1 == self.order.len();
            if self.order.len() == 1 {
                variables[which] = Some(index.to_owned());
                continue;
            }
            let (name, n) = (format!("{}{suffix}", LOOPS[which]), self.access.counts[which]);
            let over = if inner == 1 { index.to_owned() } else { quotient(index, inner, LOOPS[which], numbers) };
            let value = if is_last { over } else { remainder(&over, n, LOOPS[which], numbers) };
            lines.push(Line { name: name.clone(), value });
            variables[which] = Some(name);
            inner *= n;
        }
        (lines, variables)
    }

    /// The index of the first tap or result.
    fn origin(&self, side: usize, variables: &[Option<String>; 3], numbers: &mut Numbers) -> Form {
        let (which, lanes) = (["read", "write"][side], &self.access.sides[side]);
        let mut form = self.sides[side].start.clone();
        for (index, variable) in variables.iter().enumerate() {
            if let (Some(variable), false) = (variable, lanes.strides[index] == 0) {
                form = form.plus(numbers.number(&format!("{which}_{}", LOOPS[index]), lanes.strides[index]), variable);
            }
        }
        if lanes.origin == 0 { form } else { form.plus_constant(lanes.origin) }
    }

    /// The index of tap or result k, `origin` after its first one.
    fn at(&self, side: usize, k: usize, origin: &Form, numbers: &mut Numbers) -> Form {
        let hop = self.access.sides[side].hop;
        if k == 0 || hop == 0 {
            return origin.clone();
        }
        let name = format!("{}_hop", ["read", "write"][side]);
        // A negative distance has no multiples among uniforms.
        let hop = if hop < 0 { Number::Constant(hop) } else { numbers.number(&name, hop) };
        origin.clone().plus_times(hop, k as i64)
    }

    /// A name for an index that several lines use, if it is long.
    fn named(origin: Form, name: &str, suffix: &str, n: usize, lines: &mut Vec<Line>) -> Form {
        if n < 2 || origin.is_short() {
            return origin;
        }
        let name = format!("{name}{suffix}");
        lines.push(Line { name: name.clone(), value: origin.to_string() });
        Form::default().plus(Number::Constant(1), &name)
    }

    fn loads(
        &self,
        variables: &[Option<String>; 3],
        taps: &[String],
        suffix: &str,
        lines: &mut Vec<Line>,
        numbers: &mut Numbers,
    ) -> Vec<Load> {
        let mut origin = self.origin(0, variables, numbers);
        if self.access.pairs[0] {
            let name = format!("pair{suffix}");
            let parts = self.parts().into_iter().zip(taps).map(|(part, tap)| Line { name: tap.clone(), value: format!("{name}.{part}") });
            return vec![Load { parts: parts.collect(), index: origin.to_string(), name, coordinate: None, may_be_zero: false }];
        }
        let n_inside = (0..taps.len()).filter(|&k| !self.may_leave(k)).count();
        if n_inside > 0 {
            origin = Self::named(origin, "first", suffix, n_inside, lines);
        }
        let tap = |(k, name): (usize, &String)| {
            if self.may_leave(k) {
                return self.extended(k, name, variables, numbers);
            }
            let index = self.at(0, k, &origin, numbers).to_string();
            Load { name: name.clone(), index, coordinate: None, may_be_zero: false, parts: Vec::new() }
        };
        taps.iter().enumerate().map(tap).collect()
    }

    /// Whether tap k of some position lies outside the coordinates.
    fn may_leave(&self, k: usize) -> bool {
        let read = &self.stage.read;
        let is_inside = |p: usize| (0..read.len as i64).contains(&read.coordinate(p, k));
        read.extension != Extension::None && !(is_inside(0) && is_inside(self.stage.positions - 1))
    }

    /// Whether tap k lies at most one line outside the coordinates at all positions, so that its coordinate follows without a division.
    fn is_near(&self, k: usize) -> bool {
        let read = &self.stage.read;
        let len = read.len as i64;
        let is_near = |p: usize| (1 - len..=2 * (len - 1)).contains(&read.coordinate(p, k));
        is_near(0) && is_near(self.stage.positions - 1)
    }

    /// A tap with boundary extension.
    fn extended(&self, k: usize, name: &str, variables: &[Option<String>; 3], numbers: &mut Numbers) -> Load {
        let read = &self.stage.read;
        let mut form = Form::default();
        if let (Some(p), false) = (&variables[0], read.advance == 0) {
            form = form.plus(numbers.number("advance", read.advance), p);
        }
        form = form.plus_constant(read.first + k as i64 * read.hop);
        let len = Form::default().plus_times(numbers.number("len", read.len as i64), 1);
        let value = format!("{}({}, i32({len}))", extended(read.extension, self.is_near(k)), form.signed());
        let coordinate = Line { name: format!("at_{name}"), value };
        let mut index = self.sides[0].start.clone().plus(numbers.number("step", read.step as i64), &format!("u32({})", coordinate.name));
        for (which, stride) in [(1, self.stage.group.read), (2, self.stage.outer.read)] {
            if let (Some(variable), false) = (&variables[which], stride == 0) {
                index = index.plus(numbers.number(&format!("read_{}", LOOPS[which]), stride as i64), variable);
            }
        }
        let index = if read.base == 0 { index } else { index.plus_constant(read.base as i64) };
        let may_be_zero = read.extension == Extension::Zero;
        Load { name: name.to_owned(), index: index.to_string(), coordinate: Some(coordinate), may_be_zero, parts: Vec::new() }
    }

    /// Result j, twiddle included.
    fn result(&self, j: usize, taps: &[String], place: &Place, numbers: &mut Numbers) -> String {
        let register = self.access.register;
        let row = |matrix: &Matrix, taps: &[String]| register.sum((0..matrix.taps).map(|k| matrix.at(j, k)), taps);
        match &self.stage.operation {
            Operation::Linear(matrix) => self.weights.times(row(matrix, taps), ResultIndex::Constant(j), place, numbers),
            Operation::TwiddledTaps(matrix) => row(matrix, taps),
            Operation::Product { conjugated } => {
                self.weights.times(product(register, taps, *conjugated), ResultIndex::Constant(j), place, numbers)
            }
            // A loop computes it.
            Operation::Direct(_) => "sum".into(),
            Operation::Eliminate => format!("without({}, {}, {})", taps[1], taps[0], taps[2]),
            Operation::Doubling(_) if j == 1 => taps[1].clone(),
            Operation::Doubling(step) => format!("{}({})", doubling(*step), taps.join(", ")),
            Operation::TwiddledSums(sums) => {
                let bar = |(tap, &conjugated): (&String, &bool)| {
                    if conjugated && register.is_complex() { format!("conjugate({tap})") } else { tap.clone() }
                };
                let taps: Vec<String> = taps.iter().zip(&sums.conjugated).map(bar).collect();
                let [first, second] = [(&sums.first, j), (&sums.second, sums.second_index(j))].map(|(matrix, twiddle)| {
                    let is_zero = (0..matrix.taps).all(|k| matrix.at(j, k).value() == 0.0.into());
                    (!is_zero).then(|| self.weights.times(row(matrix, &taps), ResultIndex::Constant(twiddle), place, numbers))
                });
                match [first, second] {
                    [Some(first), Some(second)] => format!("{first} + ({second})"),
                    [Some(one), None] | [None, Some(one)] => one,
                    [None, None] => format!("{}()", register.name()),
                }
            }
        }
    }

    /// Result `j` of a loop, whose coefficients are in a table.
    fn rolled_result(&self, taps: &[String], place: &Place, numbers: &mut Numbers) -> String {
        let n = taps.len();
        let term =
            |(k, tap): (usize, &String)| self.access.register.weighted(tap, &format!("coefs[{}u + {n}u * j]", self.coefs as usize + k));
        let terms: Vec<String> = taps.iter().enumerate().map(term).collect();
        let sum = terms.into_iter().reduce(|sum, term| self.access.register.added(&sum, &term)).unwrap_or_default();
        self.weights.times(sum, ResultIndex::Variable, place, numbers)
    }

    /// The taps times their twiddles, where the stage twiddles taps, and the names that they have then.
    fn twiddled_taps(&self, taps: Vec<String>, place: &Place, numbers: &mut Numbers) -> (Vec<Line>, Vec<String>) {
        let mut lines = Vec::new();
        let twiddled = |(k, tap): (usize, String)| {
            let value = if self.stage.twiddles_taps() {
                self.weights.times(tap.clone(), ResultIndex::Constant(k), place, numbers)
            } else {
                tap.clone()
            };
            if value == tap {
                return tap;
            }
            let name = format!("twiddled_{tap}");
            lines.push(Line { name: name.clone(), value });
            name
        };
        let names = taps.into_iter().enumerate().map(twiddled).collect();
        (lines, names)
    }

    /// The parts of a vector of two taps or results.
    fn parts(&self) -> [&'static str; 2] {
        match (self.access.twins, self.access.register.is_complex() || self.access.register.width == 2) {
            (true, _) => ["xz", "yw"],
            (false, true) => ["xy", "zw"],
            (false, false) => ["x", "y"],
        }
    }

    fn stores(
        &self,
        results: Vec<String>,
        variables: &[Option<String>; 3],
        suffix: &str,
        lines: &mut Vec<Line>,
        numbers: &mut Numbers,
    ) -> (Vec<Line>, Vec<Line>) {
        let origin = self.origin(1, variables, numbers);
        if self.access.pairs[1] {
            let vector = self.access.register.pair();
            let (sums, value) = if self.access.twins {
                let [s, d] = ["sum", "difference"].map(|name| format!("{name}{suffix}"));
                let value = format!("{vector}({s}.x, {d}.x, {s}.y, {d}.y)");
                (results.into_iter().zip([s, d]).map(|(value, name)| Line { name, value }).collect(), value)
            } else {
                (Vec::new(), format!("{vector}({})", results.join(", ")))
            };
            return (sums, vec![Line { name: origin.to_string(), value }]);
        }
        let is_same = self.access.sides[0] == self.access.sides[1] && lines.iter().any(|line| line.name == format!("first{suffix}"));
        let is_same = is_same && self.sides[0].start == self.sides[1].start;
        let origin = match (is_rolled(self.stage), is_same) {
            (true, _) => origin.plus(numbers.number("write_hop", self.access.sides[1].hop), "j"),
            (false, true) => Form::default().plus(Number::Constant(1), &format!("first{suffix}")),
            (false, false) => Self::named(origin, "to", suffix, self.access.groups * results.len(), lines),
        };
        let mut store = |q: usize, j: usize, value: &String| {
            let lane = self.at(1, j, &origin, numbers);
            let stride = || self.access.sides[1].strides[1];
            let lane = if q > 0 { lane.plus_times(numbers.number("write_q", stride()), q as i64) } else { lane }.to_string();
            Line { name: if self.sides[1].permutes { self.permuted(&lane) } else { lane }, value: value.clone() }
        };
        let (mut sums, mut values) = (Vec::new(), results);
        if self.access.groups > 1 {
            // Every group stores the same results, so that they have names.
            for (j, value) in values.iter_mut().enumerate().filter(|(_, value)| value.contains(' ')) {
                let name = format!("y{j}{suffix}");
                sums.push(Line { name: name.clone(), value: std::mem::replace(value, name) });
            }
        }
        let each = (0..self.access.groups).flat_map(|q| values.iter().enumerate().map(move |(j, value)| (q, j, value)));
        (sums, each.map(|(q, j, value)| store(q, j, value)).collect())
    }

    /// The lane after the permutations of the stage.
    fn permuted(&self, lane: &str) -> String {
        let write = &self.stage.write;
        let lane = if write.reversed_bits > 0 { format!("rearranged({lane})") } else { lane.to_owned() };
        if write.pyramid.is_some() { format!("sorted_lane({lane})") } else { lane }
    }
}

/// u and v, as papers have them, or x0, x1, …
fn tap_name(k: usize, n: usize, suffix: &str) -> String {
    match (n, suffix.is_empty()) {
        (..=2, _) => format!("{}{suffix}", ["u", "v"][k]),
        (_, true) => format!("x{k}"),
        (_, false) => format!("x{k}_{suffix}"),
    }
}

pub(super) fn product(register: Register, taps: &[String], conjugated: bool) -> String {
    match (register.is_complex(), conjugated) {
        (false, _) if register.is_bits() => format!("{} & {}", taps[0], taps[1]),
        (false, _) if let Some(field) = register.ring.field() => residues::product(field, &taps[0], &taps[1]),
        (false, _) => format!("{} * {}", taps[0], taps[1]),
        (true, false) => format!("times({}, {})", taps[0], taps[1]),
        (true, true) => format!("times({}, conjugate({}))", taps[0], taps[1]),
    }
}
