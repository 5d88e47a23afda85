//! The tables that kernels read: strides of stages, coefficients and roots of unity.

use super::residues::factor_in_parts;
use crate::plan::{Coef, DirectSum, Direction, Plan, PrimeField, Stage, Twiddle};
use num_complex::Complex64;

/// Roots in the fine table: a table of order L holds the powers 0..4096 of the root, then every 4096th.
pub(super) const FINE: usize = 4096;

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

impl Roots {
    /// Whether powers need both parts of the table.
    pub(super) fn is_long(&self) -> bool {
        self.order > FINE
    }
}

/// Coefficients and roots of all stages of a plan.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Tables {
    /// The field of the lanes, if these are residues: its factors are in two parts.
    field: Option<PrimeField>,
    /// Matrices, row after row.
    pub(super) coefs: Vec<[f64; 2]>,
    /// Powers of roots; the first entry is 1.
    pub(super) roots: Vec<[f64; 2]>,
    index: Vec<Roots>,
    /// Orders of roots of which half a circle of cosines is in the table, and where they begin.
    cosines: Vec<(usize, u32)>,
}

impl Tables {
    /// The roots of every twiddle of the plan; one table supports all orders that divide its own.
    pub(super) fn new(plan: &Plan) -> Self {
        let mut tables = Self { field: plan.ring.field(), roots: vec![[1.0, 0.0]], ..Self::default() };
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

    /// Where the cosines of the first half of a circle of `order` parts, two in an entry, begin. The order is a multiple of four.
    pub(super) fn cosines(&mut self, order: usize) -> u32 {
        if let Some((_, first)) = self.cosines.iter().find(|(known, _)| *known == order) {
            return *first;
        }
        let cosine = |i: usize| Coef::root(i as u64, order as u64, Direction::Forward).value().re;
        let first = self.roots.len() as u32;
        self.roots.extend((0..order / 4).map(|i| [cosine(2 * i), cosine(2 * i + 1)]));
        self.cosines.push((order, first));
        first
    }

    fn add(&mut self, order: usize, direction: Direction) -> Roots {
        let power = |i: usize| self.factor(Coef::root(i as u64, order as u64, direction));
        let short: Vec<_> = (0..order.min(FINE)).map(power).collect();
        let long: Vec<_> = (0..order.div_ceil(FINE)).map(|i| power(i * FINE)).collect();
        let fine = self.roots.len() as u32;
        self.roots.extend(short);
        let coarse = self.roots.len() as u32;
        self.roots.extend(long);
        let roots = Roots { order, direction, fine, coarse, stride: 1 };
        self.index.push(roots);
        roots
    }

    /// Where the factors of the first `len` lanes of a stage that only multiplies begin.
    pub(super) fn weights(&mut self, stage: &Stage, len: usize) -> u32 {
        let first = self.coefs.len() as u32;
        match stage.twiddle.as_ref().and_then(Twiddle::table) {
            Some(table) => self.coefs.extend(table.factors()[..len].iter().map(|number| parts(*number))),
            None => {
                let factors: Vec<_> = (0..len).map(|p| self.factor(stage.factor(p, 0, 0))).collect();
                self.coefs.extend(factors);
            }
        }
        first
    }

    /// Where the factors of a direct sum begin.
    pub(super) fn direct(&mut self, sum: &DirectSum) -> u32 {
        let first = self.coefs.len() as u32;
        if !sum.is_of_signs() {
            let factors: Vec<_> = sum.entries().map(|entry| self.factor(entry)).collect();
            self.coefs.extend(factors);
        }
        first
    }

    /// Where the matrix of a stage begins, row after row.
    pub(super) fn coefficients(&mut self, stage: &Stage) -> u32 {
        let first = self.coefs.len() as u32;
        let factors: Vec<_> = stage.matrix().coefs.iter().map(|coef| self.factor(*coef)).collect();
        self.coefs.extend(factors);
        first
    }

    /// A coefficient as kernels read it.
    fn factor(&self, coef: Coef) -> [f64; 2] {
        self.field.map_or_else(|| parts(coef.value()), |field| factor_in_parts(field, coef))
    }
}

/// A coefficient of the stage that single precision rounds.
pub(super) fn rounded_coef(stage: &Stage) -> Option<Coef> {
    stage.operation.coefs().find(|coef| !coef.real().is_some_and(|value| f64::from(value as f32) == value))
}

fn parts(value: Complex64) -> [f64; 2] {
    [value.re, value.im]
}
