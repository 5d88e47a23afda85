//! Twiddles of stages on bits: the exponent is a product of two sums of bits. The part that registers give is a constant.

use super::bit_layout::BitLayout;
use super::weights::Weights;
use crate::plan::{Coef, Twiddle};
use crate::schedule::BitStage;

/// A sum of weighted bits, named by their places before the launch.
#[derive(Debug, Clone, PartialEq)]
struct BitSum {
    bits: Vec<(u32, usize)>,
    constant: usize,
}

impl BitSum {
    /// Whether threads or tiles give a part of it.
    fn varies(&self, layout: &BitLayout) -> bool {
        self.bits.iter().any(|&(bit, _)| !layout.holds(bit))
    }

    /// The part of a register, with the constant.
    fn of_register(&self, layout: &BitLayout, register: usize) -> usize {
        let weight = |bit: u32| self.bits.iter().filter(|(other, _)| *other == bit).map(|(_, weight)| weight).sum();
        self.constant + layout.of_register(register, weight)
    }

    /// The weight of the only bit that threads or tiles give; `None` where they give more.
    fn only_bit(&self, layout: &BitLayout) -> Option<usize> {
        let mut varying = self.bits.iter().filter(|&&(bit, _)| !layout.holds(bit));
        let (_, weight) = varying.next()?;
        varying.next().is_none().then_some(*weight)
    }

    /// The part of threads and tiles, and its maximum.
    fn index(&self, layout: &BitLayout) -> Option<(String, usize)> {
        let varying = || self.bits.iter().filter(|&&(bit, _)| !layout.holds(bit));
        let place = |bit: u32| varying().find(|(other, _)| *other == bit).map(|(_, weight)| weight.ilog2());
        Some((layout.index(place)?, varying().map(|(_, weight)| weight).sum()))
    }
}

/// The factor of a value: a root that threads look up, times a constant.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Factor {
    /// The text that looks the root up; for roots that are signs, the text that says whether it is −1.
    pub(super) lookup: Option<String>,
    /// The texts that look up two roots whose product this root is, in several ways.
    pub(super) products: Vec<[String; 2]>,
    pub(super) constant: Coef,
    /// The text that says whether the constant applies; without a constant it always does.
    pub(super) condition: Option<String>,
}

/// The twiddles of one stage.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct BitWeights {
    forms: [BitSum; 2],
    twiddle: Twiddle,
    modulus: usize,
    /// The order of the table, and the power of its root that is the root of the stage.
    order: usize,
    stride: usize,
    /// The function that reads the table.
    root: String,
}

impl BitWeights {
    /// The twiddles of a stage, whose tap bits and loop bits are these; `Err` where they are of another shape, `None` without any.
    pub(super) fn new(twiddle: Option<&Twiddle>, stage: &BitStage, names: &[u32], weights: &Weights<'_>) -> Result<Option<Self>, ()> {
        let Some(twiddle) = twiddle else { return Ok(None) };
        let &Twiddle::Root { modulus, row, column, reversed, .. } = twiddle else { return Err(()) };
        let [positions, groups, _] = &stage.places;
        let weighted = |moved: &[[u32; 2]], factor: usize| {
            let name = |place: u32| names[place as usize];
            moved.iter().enumerate().map(|(i, moved)| (name(moved[0]), factor << i)).filter(|(_, weight)| *weight > 0).collect::<Vec<_>>()
        };
        let groups: Vec<[u32; 2]> = match reversed as usize {
            0 => groups.clone(),
            n if n == groups.len() => groups.iter().rev().copied().collect(),
            _ => return Err(()),
        };
        let forms = [
            BitSum { bits: [weighted(&stage.active, row[0]), weighted(positions, row[1])].concat(), constant: row[2] },
            BitSum { bits: [weighted(positions, column[0]), weighted(&groups, column[1])].concat(), constant: column[2] },
        ];
        let (order, stride) = weights.roots.map_or((modulus, 1), |(table, stride)| (table.order, stride as usize));
        let is_binary = forms.iter().flat_map(|form| &form.bits).all(|(_, weight)| weight.is_power_of_two());
        let fits = is_binary && modulus.is_power_of_two();
        let found = Self { forms, twiddle: twiddle.clone(), modulus, order, stride, root: weights.root.clone() };
        if fits { Ok(Some(found)) } else { Err(()) }
    }

    /// Whether registers give one of the two sums alone, so that the root that threads look up is the same for many values.
    pub(super) fn suits(&self, layout: &BitLayout) -> bool {
        !self.forms.iter().all(|form| form.varies(layout))
    }

    /// Whether all roots are signs.
    pub(super) fn are_signs(&self) -> bool {
        self.modulus == 2
    }

    /// The factor of the value in a register.
    pub(super) fn factor(&self, layout: &BitLayout, register: usize) -> Factor {
        let [a, b] = self.forms.each_ref().map(|form| form.of_register(layout, register));
        let [x, y] = self.forms.each_ref().map(|form| form.index(layout));
        let products = match (&x, &y) {
            (Some((index, most)), None) => self.products(index, *most, b),
            (None, Some((index, most))) => self.products(index, *most, a),
            _ => Vec::new(),
        };
        let (lookup, constant, condition) = match (x, y) {
            (None, None) => (None, a * b, None),
            (Some((index, most)), None) => (self.power(&index, most, b), a * b, None),
            (None, Some((index, most))) => (self.power(&index, most, a), a * b, None),
            (Some((x, _)), Some((y, _))) => match self.forms.each_ref().map(|form| form.only_bit(layout).filter(|_| !self.are_signs())) {
                [_, Some(weight)] if b == 0 => (Some(self.product([&x, &y], [0; 2])), a * weight, Some(format!("({y}) != 0u"))),
                [Some(weight), _] if a == 0 => (Some(self.product([&x, &y], [0; 2])), b * weight, Some(format!("({x}) != 0u"))),
                _ => (Some(self.product([&x, &y], [a, b])), 0, None),
            },
        };
        let direction = self.twiddle.root().map(|(_, direction)| direction).unwrap_or_default();
        Factor { lookup, products, constant: Coef::root((constant % self.modulus) as u64, self.modulus as u64, direction), condition }
    }

    /// The root whose power is a product of two sums, of an index and a constant each.
    fn product(&self, indices: [&str; 2], constants: [usize; 2]) -> String {
        let sum = |(index, constant): (&str, usize)| if constant == 0 { format!("({index})") } else { format!("({index} + {constant}u)") };
        let [x, y] = [(indices[0], constants[0]), (indices[1], constants[1])].map(sum);
        self.lookup(&self.scaled(&format!("({x} * {y})")))
    }

    /// The power `factor`·index of the root of the stage, as one of the table's root.
    fn power(&self, index: &str, most: usize, factor: usize) -> Option<String> {
        let factor = factor % self.modulus;
        let scale = factor * self.stride;
        match factor {
            0 => None,
            _ if scale * most < self.order => Some(self.multiple(index, scale)),
            _ => Some(self.lookup(&self.scaled(&format!("({factor}u * ({index}))")))),
        }
    }

    /// Pairs of roots whose product [`Self::power`] is: two of half its power, and one of a power less with the first.
    fn products(&self, index: &str, most: usize, factor: usize) -> Vec<[String; 2]> {
        let scale = factor % self.modulus * self.stride;
        if scale == 0 || scale * most >= self.order || self.are_signs() {
            return Vec::new();
        }
        let of = |scale: usize| self.multiple(index, scale);
        let halves = scale.is_multiple_of(2).then(|| [of(scale / 2), of(scale / 2)]);
        let others = (scale > self.stride).then(|| [of(scale - self.stride), of(self.stride)]);
        halves.into_iter().chain(others).collect()
    }

    /// The root whose power is a multiple of an index.
    fn multiple(&self, index: &str, scale: usize) -> String {
        if scale == 1 { self.lookup(index) } else { self.lookup(&format!("{scale}u * ({index})")) }
    }

    fn lookup(&self, power: &str) -> String {
        if self.are_signs() { format!("({power}) == 1u") } else { format!("{}({power})", self.root) }
    }

    /// A power of the root of the stage as one of the table's root.
    fn scaled(&self, power: &str) -> String {
        let reduced = format!("{power} & {}u", self.modulus - 1);
        if self.stride == 1 { reduced } else { format!("({reduced}) * {}u", self.stride) }
    }
}
