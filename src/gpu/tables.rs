//! The tables that kernels read: strides of stages, coefficients and roots of unity.

use super::error::LowerError;
use crate::plan::{BitOrder, Coef, Direction, Extension, Operation, Plan, PyramidLayout, Stage, Twiddle};
use num_complex::Complex64;

/// Roots in the fine table: a table of order L holds the powers 0..4096 of the root, then every 4096th.
pub(super) const FINE: usize = 4096;

/// `Stage` of `shaders/stage.wgsl`, field by field.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct StageRecord {
    pub positions: u32,
    pub group_n: u32,
    pub group_read: u32,
    pub group_write: u32,
    pub outer_read: u32,
    pub outer_write: u32,
    pub taps: u32,
    pub results: u32,
    pub read_first: i32,
    pub read_advance: i32,
    pub read_hop: i32,
    pub read_base: u32,
    pub read_step: u32,
    pub read_len: u32,
    pub extension: u32,
    pub write_first: u32,
    pub write_advance: u32,
    pub write_hop: u32,
    pub reversed_bits: u32,
    pub coefs: u32,
    pub carries: u32,
    pub modulus: u32,
    pub row_j: u32,
    pub row_p: u32,
    pub row_constant: u32,
    pub column_p: u32,
    pub column_q: u32,
    pub column_constant: u32,
    pub table: u32,
    pub wide: u32,
    pub fine: u32,
    pub coarse: u32,
    pub root_stride: u32,
    pub n_butterflies: u32,
    pub bit_order: u32,
    pub operation: u32,
    pub conjugated: u32,
    pub pyramid: [u32; 5],
}

/// The powers of one root in the table of roots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Roots {
    order: usize,
    direction: Direction,
    /// Where the fine powers begin.
    pub(super) fine: u32,
    /// Where every 4096th power begins.
    pub(super) coarse: u32,
    /// The power of this root that is the root that was asked for.
    pub(super) stride: u32,
}

/// Coefficients and roots of all stages of a plan.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Tables {
    /// Matrices, row after row.
    pub(super) coefs: Vec<[f64; 2]>,
    /// Powers of roots; the first entry is 1.
    pub(super) roots: Vec<[f64; 2]>,
    index: Vec<Roots>,
}

impl Tables {
    /// The roots of every twiddle of the plan; one table supports all orders that divide its own.
    pub(super) fn new(plan: &Plan) -> Self {
        let mut tables = Self { roots: vec![[1.0, 0.0]], ..Self::default() };
        let mut orders: Vec<_> = plan.stages.iter().filter_map(|stage| stage.twiddle.as_ref()?.root()).collect();
        orders.sort_by_key(|&(order, _)| std::cmp::Reverse(order));
        for (order, direction) in orders {
            if tables.roots_of(order, direction).is_none() {
                tables.add(order, direction);
            }
        }
        tables
    }

    /// A table that holds all powers of the root of `order`.
    pub(super) fn roots_of(&self, order: usize, direction: Direction) -> Option<Roots> {
        let found = self.index.iter().find(|roots| roots.direction == direction && roots.order % order == 0)?;
        Some(Roots { stride: (found.order / order) as u32, ..*found })
    }

    /// A table that holds all powers of the root of `order`, in its fine part alone where that is long enough.
    pub(super) fn shortest(&mut self, order: usize, direction: Direction) -> Roots {
        let suits = |roots: &Roots| roots.direction == direction && roots.order == order;
        let found = if order > FINE { self.roots_of(order, direction) } else { self.index.iter().copied().find(suits) };
        found.unwrap_or_else(|| self.add(order, direction))
    }

    fn add(&mut self, order: usize, direction: Direction) -> Roots {
        let power = |i: usize| parts(Coef::root(i as u64, order as u64, direction).value());
        let fine = self.roots.len() as u32;
        self.roots.extend((0..order.min(FINE)).map(power));
        let coarse = self.roots.len() as u32;
        self.roots.extend((0..order.div_ceil(FINE)).map(|i| power(i * FINE)));
        let roots = Roots { order, direction, fine, coarse, stride: 1 };
        self.index.push(roots);
        roots
    }

    /// Where the factors of the first `len` lanes of a stage that only multiplies begin.
    pub(super) fn weights(&mut self, stage: &Stage, len: usize) -> u32 {
        let first = self.coefs.len() as u32;
        match stage.twiddle.as_ref().and_then(Twiddle::table) {
            Some(table) => self.coefs.extend(table.factors()[..len].iter().map(|number| parts(*number))),
            None => self.coefs.extend((0..len).map(|p| parts(stage.factor(p, 0, 0).value()))),
        }
        first
    }

    /// The record of stage `index`. A tile, or the whole stage where there are no tiles, has `n_butterflies`. Its matrix goes into the table of coefficients.
    pub(super) fn stage(&mut self, plan: &Plan, index: usize, n_butterflies: usize) -> Result<StageRecord, LowerError> {
        let stage = &plan.stages[index];
        check_reach(stage, plan.lanes)?;
        let is_wide = needs_wide_product(stage)?;
        if let Some(coef) = rounded_coef(stage).filter(|_| plan.ring.is_exact()) {
            return Err(LowerError::Rounded { stage: stage.label.clone(), coef: coef.text() });
        }
        let (matrix, coefs) = (stage.matrix(), self.coefs.len() as u32);
        self.coefs.extend(stage.operation.coefs().map(|coef| parts(coef.value())));
        let table = stage.twiddle.as_ref().and_then(Twiddle::table);
        // One past the first entry, as 0 says that there is no table.
        let table = table.map_or(0, |table| {
            let first = self.coefs.len() as u32;
            self.coefs.extend(table.factors().iter().map(|number| parts(*number)));
            first + 1
        });
        let (modulus, row, column, roots) = match stage.twiddle {
            Some(Twiddle::Root { modulus, row, column, direction }) => (modulus, row, column, self.roots_of(modulus, direction)),
            _ => (0, [0; 3], [0; 3], None),
        };
        let [[row_j, row_p, row_constant], [column_p, column_q, column_constant]] = [row, column].map(|form| form.map(|x| x as u32));
        Ok(StageRecord {
            positions: stage.positions as u32,
            group_n: stage.group.n as u32,
            group_read: stage.group.read as u32,
            group_write: stage.group.write as u32,
            outer_read: stage.outer.read as u32,
            outer_write: stage.outer.write as u32,
            taps: matrix.taps as u32,
            results: matrix.rows as u32,
            read_first: stage.read.first as i32,
            read_advance: stage.read.advance as i32,
            read_hop: stage.read.hop as i32,
            read_base: stage.read.base as u32,
            read_step: stage.read.step as u32,
            read_len: stage.read.len as u32,
            extension: extension_number(stage.read.extension),
            write_first: stage.write.first as u32,
            write_advance: stage.write.advance as u32,
            write_hop: stage.write.hop as u32,
            reversed_bits: stage.write.reversed_bits,
            bit_order: BitOrder::ALL.iter().position(|&bit_order| bit_order == stage.write.bit_order).unwrap_or(0) as u32,
            operation: operation_number(&stage.operation),
            conjugated: (0..matrix.taps).map(|k| u32::from(stage.conjugates(k)) << k).sum(),
            coefs,
            carries: u32::from(plan.carries(index)),
            modulus: modulus as u32,
            row_j,
            row_p,
            row_constant,
            column_p,
            column_q,
            column_constant,
            table,
            wide: u32::from(is_wide),
            fine: roots.map_or(0, |roots| roots.fine),
            coarse: roots.map_or(0, |roots| roots.coarse),
            root_stride: roots.map_or(0, |roots| roots.stride),
            n_butterflies: n_butterflies as u32,
            pyramid: stage.write.pyramid.map_or([0; 5], pyramid_numbers),
        })
    }
}

/// `Pyramid` of `shaders/bits.wgsl`.
fn pyramid_numbers(pyramid: PyramidLayout) -> [u32; 5] {
    let way = if pyramid.direction == Direction::Forward { 1 } else { 2 };
    [way, pyramid.rows as u32, pyramid.columns as u32, pyramid.levels, pyramid.rotation as u32]
}

/// The number of an extension in kernels.
fn extension_number(extension: Extension) -> u32 {
    match extension {
        Extension::None => 0,
        Extension::Periodic => 1,
        Extension::Symmetric => 2,
        Extension::Zero => 3,
        Extension::Negative => 4,
        Extension::PeriodicHalves => 5,
        Extension::HalfSymmetric => 6,
    }
}

/// The number of an operation in kernels.
fn operation_number(operation: &Operation) -> u32 {
    match operation {
        Operation::Linear(_) => 0,
        Operation::Product { conjugated } => 1 + u32::from(*conjugated),
        Operation::TwiddledSums(_) => 3,
        Operation::Eliminate => 4,
    }
}

/// A coefficient of the stage that single precision rounds.
pub(super) fn rounded_coef(stage: &Stage) -> Option<Coef> {
    stage.matrix().coefs.iter().copied().find(|coef| !coef.real().is_some_and(|value| f64::from(value as f32) == value))
}

/// The proof on which unchecked shader modules rest: no butterfly reads or writes outside `0..lanes`, in 32-bit arithmetic.
///
/// Coordinates grow or shrink evenly, so the outermost ones belong to the first and last position and tap. Strides of lanes are never negative.
fn check_reach(stage: &Stage, lanes: usize) -> Result<(), LowerError> {
    let outside = || LowerError::Outside { stage: stage.label.clone(), lanes };
    let (matrix, read) = (stage.matrix(), &stage.read);
    let whole = match &stage.operation {
        Operation::TwiddledSums(sums) => (sums.second.rows, sums.second.taps) == (matrix.rows, matrix.taps),
        _ => true,
    };
    if !whole || [stage.positions, stage.group.n, stage.outer.n, read.len, matrix.taps, matrix.rows].contains(&0) {
        return Err(outside());
    }
    let corners = [0, stage.positions - 1].map(|p| [0, matrix.taps - 1].map(|k| read.coordinate(p, k)));
    let [lowest, highest] = [i64::min, i64::max].map(|outer| corners.into_iter().flatten().fold(read.first, outer));
    let extends = read.extension != Extension::None || (lowest >= 0 && highest < read.len as i64);
    let reversed_bits = stage.write.reversed_bits;
    let sorts = stage.write.pyramid.is_none_or(|pyramid| lanes.is_multiple_of(pyramid.lanes()) && pyramid.levels < 31);
    let reverses = reversed_bits < 32 && lanes.is_multiple_of(1 << reversed_bits) && sorts;
    let small = lanes < 1 << 31 && highest < 1 << 31 && lowest > -(1 << 31);
    if !extends || !reverses || !small || stage.read_reach() > lanes || stage.write_reach() > lanes {
        return Err(outside());
    }
    Ok(())
}

/// Whether the product of a twiddle's two factors, each reduced modulo the order, may leave 32 bits, so that it must be reduced on the way;
/// an error where a factor itself does, or where a table is too short.
///
/// Where the order is a power of two products may wrap, as 2³² is a multiple of it.
fn needs_wide_product(stage: &Stage) -> Result<bool, LowerError> {
    let outside = || LowerError::Outside { stage: stage.label.clone(), lanes: stage.write_reach() };
    let (modulus, row, column) = match &stage.twiddle {
        Some(Twiddle::Root { modulus, row, column, .. }) => (*modulus, row, column),
        Some(Twiddle::Table(table)) if table.n() <= (stage.repetition_reach() - 1) / stage.write.advance => return Err(outside()),
        _ => return Ok(false),
    };
    let last_result = match &stage.operation {
        Operation::TwiddledSums(sums) => sums.second_index(sums.first.rows - 1),
        operation => operation.matrix().rows - 1,
    };
    let (p, q, j) = ((stage.positions - 1) as u128, (stage.group.n - 1) as u128, last_result as u128);
    let [[row_j, row_p, row_constant], [column_p, column_q, column_constant]] = [row, column].map(|form| form.map(|x| x as u128));
    let factors = [j * row_j + p * row_p + row_constant, p * column_p + q * column_q + column_constant];
    if factors.iter().any(|&factor| factor >= 1 << 32) || modulus >= 1 << 31 {
        return Err(outside());
    }
    let [a, b] = factors.map(|factor| factor.min(modulus as u128 - 1));
    Ok(!modulus.is_power_of_two() && a * b >= 1 << 32)
}

fn parts(value: Complex64) -> [f64; 2] {
    [value.re, value.im]
}
