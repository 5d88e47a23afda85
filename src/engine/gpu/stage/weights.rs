//! The twiddles of a kernel: none where they are 1, signs where the root is −1, else the index of a root in its table.

use super::form::{Form, Numbers};
use super::sums::Register;
use crate::gpu::tables::Tables;
use crate::plan::{Coef, Direction, Operation, Precision, Ring, Stage, Twiddle};
use crate::schedule::TwiddleSource;

/// The variables that hold the position and the group of a butterfly; `None` where the loop runs once.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) position: Option<String>,
    pub(super) group: Option<String>,
}

/// Which result of a butterfly: a constant, or the variable `j` of a loop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum ResultIndex {
    Constant(usize),
    Variable,
}

/// The roots that the twiddles of a stage take.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub(super) struct RootTable {
    /// Where the powers 0 to 4095 begin.
    fine: u32,
    /// Where every 4096th power begins.
    coarse: u32,
    /// The order of the root of power 1.
    pub(super) order: usize,
    /// Whether both parts are needed.
    pub(super) is_long: bool,
    /// Where the powers come from; of cosines, `fine` is the first.
    source: TwiddleSource,
    /// The sign of the angle.
    sign: i8,
    /// Half and a quarter of the order.
    half: usize,
    quarter: usize,
}

impl NamedRoots {
    /// Whether the function reads a table.
    pub(super) fn is_read(&self) -> bool {
        self.table.source != TwiddleSource::Computed
    }
}

/// The source that a root of this order can have: only a multiple of four has quarters, and no sine has double precision.
fn source_of(asked: TwiddleSource, order: usize, precision: Precision) -> TwiddleSource {
    match asked {
        TwiddleSource::QuarterTable if !order.is_multiple_of(4) => TwiddleSource::Table,
        TwiddleSource::Computed if precision == Precision::Double => TwiddleSource::Table,
        asked => asked,
    }
}

/// Names the functions that read the tables of roots, one a table.
pub(super) fn name_roots(weights: &mut [Weights<'_>]) -> Vec<NamedRoots> {
    let mut tables: Vec<NamedRoots> = Vec::new();
    for weights in weights {
        let Some((table, _)) = weights.roots else { continue };
        if !tables.iter().any(|known| known.table == table) {
            let name = if tables.is_empty() { "root".into() } else { format!("root_{}", tables.len() + 1) };
            tables.push(NamedRoots { name, table });
        }
        weights.root = tables.iter().find(|known| known.table == table).map_or_else(String::new, |known| known.name.clone());
    }
    tables
}

/// A table of roots and the function that reads it.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub(super) struct NamedRoots {
    pub(super) name: String,
    pub(super) table: RootTable,
}

/// The twiddles of one stage.
pub(super) struct Weights<'a> {
    stage: &'a Stage,
    register: Register,
    /// Where a table of factors begins.
    pub(super) factors: u32,
    /// The table of roots, and the power of its root that is the root of the stage.
    pub(super) roots: Option<(RootTable, u32)>,
    /// The function that reads it.
    pub(super) root: String,
}

impl<'a> Weights<'a> {
    pub(super) fn new(stage: &'a Stage, register: Register, tables: &mut Tables, source: TwiddleSource) -> Self {
        let roots = stage.twiddle.as_ref().and_then(Twiddle::root).filter(|&(modulus, _)| modulus > 2);
        let roots = roots.and_then(|(modulus, direction)| {
            let found = tables.roots_of(modulus, direction)?;
            let order = modulus * found.stride as usize;
            let source = if register.ring.field().is_some() { TwiddleSource::Table } else { source_of(source, order, register.precision) };
            let [fine, coarse] = match source {
                TwiddleSource::QuarterTable => [tables.cosines(order), 0],
                TwiddleSource::Computed => [0, 0],
                TwiddleSource::Table => [found.fine, found.coarse],
            };
            let is_long = found.is_long() && source == TwiddleSource::Table;
            let sign = if direction == Direction::Forward { -1 } else { 1 };
            Some((RootTable { fine, coarse, order, is_long, source, sign, half: order / 2, quarter: order / 4 }, found.stride))
        });
        let factors = stage.twiddle.as_ref().and_then(Twiddle::table).map_or(0, |table| tables.weights(stage, table.n()));
        Self { stage, register, factors, roots, root: "root".into() }
    }

    /// Whether the twiddle of result j is 1 in every butterfly.
    fn is_one(&self, j: ResultIndex) -> bool {
        match (&self.stage.twiddle, j) {
            (None, _) => true,
            (Some(Twiddle::Table(_)), _) => false,
            (Some(Twiddle::Root { modulus, row, column, .. }), j) => {
                let [n_positions, n_groups] = [self.stage.positions, self.stage.group.n];
                let zero = |factor: usize, n: usize| factor == 0 || n == 1;
                let row_is_zero = match j {
                    ResultIndex::Constant(j) => j * row[0] + row[2] == 0,
                    ResultIndex::Variable => row[0] == 0 && row[2] == 0,
                };
                let column_is_zero = zero(column[0], n_positions) && zero(column[1], n_groups) && column[2] == 0;
                *modulus == 1 || row_is_zero && zero(row[1], n_positions) || column_is_zero
            }
        }
    }

    /// The twiddle of result j, if all butterflies have the same.
    fn constant(&self, j: ResultIndex) -> Option<Coef> {
        let (Some(twiddle @ Twiddle::Root { modulus, row, column, direction, .. }), ResultIndex::Constant(j)) = (&self.stage.twiddle, j)
        else {
            return None;
        };
        let varies = self.stage.positions > 1 && (row[1] > 0 || column[0] > 0) || self.stage.group.n > 1 && column[1] > 0;
        (!varies).then(|| Coef::root(twiddle.exponent(0, 0, j) as u64, *modulus as u64, *direction))
    }

    /// A result times its twiddle.
    pub(super) fn times(&self, sum: String, j: ResultIndex, place: &Place, numbers: &mut Numbers) -> String {
        match self.stage.twiddle {
            _ if self.is_one(j) => sum,
            Some(Twiddle::Root { .. }) if self.register.ring == Ring::Gf2 => sum,
            Some(Twiddle::Root { .. }) if let Some(factor) = self.constant(j) => self.register.times(&sum, factor),
            Some(Twiddle::Root { modulus: 2, .. }) => {
                let exponent = self.exponent(j, place, numbers);
                format!("select({sum}, {}, ({exponent}) == 1u)", self.register.negated(&sum))
            }
            Some(Twiddle::Root { .. }) => {
                let exponent = self.exponent(j, place, numbers);
                self.register.weighted(&sum, &format!("{}({exponent})", self.root))
            }
            Some(Twiddle::Table(_)) => {
                let index = self.table_index(j, place, numbers);
                self.register.weighted(&sum, &format!("coefs[{index}]"))
            }
            None => sum,
        }
    }

    /// The entry of the table of factors for result j: [`Stage::table_index`].
    fn table_index(&self, j: ResultIndex, place: &Place, numbers: &mut Numbers) -> String {
        let (write, group) = (&self.stage.write, &self.stage.group);
        let divides = [write.first, write.hop, group.write].iter().all(|stride| stride.is_multiple_of(write.advance));
        let unit = if divides { write.advance } else { 1 };
        let mut form = with_result(Form::default(), j, (write.hop / unit) as i64, (write.first / unit) as i64);
        for (variable, stride) in [(&place.position, write.advance / unit), (&place.group, group.write / unit)] {
            form = with(form, variable.as_ref(), numbers, "", stride as i64);
        }
        let first = self.factors;
        if divides { form.plus_constant(first.into()).to_string() } else { format!("{first}u + {} / {}u", form.grouped(), write.advance) }
    }

    /// The index of the root of result j: the exponent of [`Twiddle::exponent`] in powers of the table's root.
    fn exponent(&self, j: ResultIndex, place: &Place, numbers: &mut Numbers) -> String {
        let Some(Twiddle::Root { modulus, row, column, reversed, .. }) = self.stage.twiddle else { return "0u".into() };
        let reversed_group = |group: &String| format!("(reverseBits({group}) >> {}u)", u32::BITS - reversed);
        let group = if reversed == 0 { place.group.clone() } else { place.group.as_ref().map(reversed_group) };
        let (order, stride) = self.roots.map_or((modulus, 1), |(table, stride)| (table.order, stride as usize));
        let (n_positions, n_groups) = (self.stage.positions - 1, self.stage.group.n - 1);
        let column_most = n_positions * column[0] + n_groups * column[1] + column[2];
        let column_form = |numbers: &mut Numbers, scale: usize| {
            // Every result has its own multiples.
            let name = |name: &str| match j {
                ResultIndex::Constant(j) => format!("{name}_{j}"),
                _ => name.to_owned(),
            };
            let scaled = |number: usize| (number * scale % order.max(1)) as i64;
            let form = with(Form::default(), place.position.as_ref(), numbers, &name("angle_p"), scaled(column[0]));
            let form = with(form, group.as_ref(), numbers, &name("angle_q"), scaled(column[1]));
            let constant = scaled(column[2]);
            if constant == 0 { form } else { form.plus_times(numbers.number(&name("angle"), constant), 1) }
        };
        if let (ResultIndex::Constant(j), false) = (j, row[1] > 0 && n_positions > 0) {
            let scale = (j * row[0] + row[2]) * stride;
            // Larger factors are reduced modulo the order, so that products do not grow.
            let most = if scale * column_most < order { scale * column_most } else { order * (n_positions + n_groups + 1) };
            if most < 1 << 32 || order.is_power_of_two() {
                let form = column_form(numbers, scale);
                return if most < order { form.to_string() } else { reduced(&form.grouped(), order) };
            }
        }
        let (most_j, row_form) = match j {
            ResultIndex::Constant(j) => {
                (j, Form::default().plus_times(numbers.number(&format!("row_{j}"), (j * row[0] + row[2]) as i64), 1))
            }
            ResultIndex::Variable => (self.n_results() - 1, with_result(Form::default(), j, row[0] as i64, row[2] as i64)),
        };
        let row_form = with(row_form, place.position.as_ref(), numbers, "row_p", row[1] as i64);
        let row_most = most_j * row[0] + n_positions * row[1] + row[2];
        let column_form = column_form(numbers, 1);
        let most = row_most as u128 * column_most as u128;
        let product = match (row_form.grouped(), column_form.grouped()) {
            (row, column) if modulus.is_power_of_two() => {
                let mask = Form::default().plus_times(numbers.number("mask", modulus as i64 - 1), 1);
                format!("({row} * {column}) & {mask}")
            }
            (row, column) if most < 1 << 32 => format!("{row} * {column} % {modulus}u"),
            (row, column) => format!("product_modulo({row} % {modulus}u, {column} % {modulus}u, {modulus}u)"),
        };
        if stride == 1 {
            return product;
        }
        let stride = Form::default().plus_times(numbers.number("stride", stride as i64), 1);
        format!("({product}) * {stride}")
    }

    fn n_results(&self) -> usize {
        let rows = self.stage.matrix().rows;
        if let Operation::TwiddledSums(_) = self.stage.operation { 2 * rows } else { rows }
    }
}

/// A number in parentheses modulo `order`.
fn reduced(number: &str, order: usize) -> String {
    if order.is_power_of_two() { format!("{number} & {}u", order - 1) } else { format!("{number} % {order}u") }
}

fn with(form: Form, variable: Option<&String>, numbers: &mut Numbers, name: &str, stride: i64) -> Form {
    match variable {
        Some(variable) if stride != 0 && name.is_empty() => form.plus(super::form::Number::Constant(stride), variable),
        Some(variable) if stride != 0 => form.plus(numbers.number(name, stride), variable),
        _ => form,
    }
}

fn with_result(form: Form, j: ResultIndex, hop: i64, first: i64) -> Form {
    match j {
        ResultIndex::Constant(j) => form.plus_constant(first + j as i64 * hop),
        ResultIndex::Variable => form.plus(super::form::Number::Constant(hop), "j").plus_constant(first),
    }
}
