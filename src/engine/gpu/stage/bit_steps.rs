//! The butterflies of a stage between the registers of a thread, with their twiddles. Sums of residues wait for their reduction as far as the plan's bounds prove.

use super::bit_layout::BitLayout;
use super::bits::Writer;
use super::lookups::Lookups;
use super::steps::{ButterflyText, Pair, StepText, halves, tap_names};
use crate::plan::{Coef, LazyBound, reverse_bits};

impl Writer<'_> {
    /// The butterflies of a stage, with its twiddles unless they wait. Those of taps come before the sums, all others behind.
    pub(super) fn step(&self, stage: usize, layout: &BitLayout, is_twiddled: bool, lookups: &mut Lookups) -> StepText {
        let mixed = self.mixed(stage);
        let held: Vec<usize> = mixed.iter().filter_map(|bit| layout.registers.iter().position(|other| other == bit)).collect();
        let mut step = StepText { label: self.stages[stage].label.clone(), ..StepText::default() };
        let matrix = self.stages[stage].matrix();
        let bound = self.bound(stage);
        let is_copy = matrix.coefs == [Coef::ONE] && self.weights[stage].is_none() && bound.after >= bound.before;
        if is_copy {
            return step;
        }
        let tap = |base: usize, k: usize| base | held.iter().enumerate().map(|(i, at)| (k >> i & 1) << at).sum::<usize>();
        let taps = tap_names(matrix.taps);
        let twiddles_taps = self.stages[stage].twiddles_taps();
        let halves = halves(self.register, matrix);
        let of_taps: Vec<u64> = (0..matrix.taps).map(|k| self.stages[stage].bound_of_tap(k, bound.before)).collect();
        for base in (0..1 << layout.registers.len()).filter(|base: &usize| held.iter().all(|at| base >> at & 1 == 0)) {
            let mut loaded = |k: usize| {
                let register = tap(base, k);
                let value = format!("x{register}");
                if !twiddles_taps {
                    return [taps[k].clone(), value];
                }
                let (value, has) = self.weighted(stage, (layout, register), value, bound.before, lookups);
                [taps[k].clone(), self.register.reduced(value, has, of_taps[k])]
            };
            let named: Vec<[String; 2]> = (0..matrix.taps).map(&mut loaded).collect();
            // A residue of a longer transform is what pairs of registers leave, in bit-reversed order.
            let named = match &halves {
                None => named,
                Some(pairs) => self.by_pairs(stage, pairs, named, |k| format!("x{}", tap(base, k)), &mut step),
            };
            let mut result = |j: usize| {
                let sum = match &halves {
                    Some(_) => taps[j].clone(),
                    None if bound == LazyBound::STRICT => self.register.sum((0..matrix.taps).map(|k| matrix.at(j, k)), &taps),
                    None => self.register.lazy_sum((0..matrix.taps).map(|k| matrix.at(j, k)), &taps, &of_taps),
                };
                let register = tap(base, j);
                let is_weighted = is_twiddled && !twiddles_taps;
                let (value, has) = match is_weighted {
                    true => self.weighted(stage, (layout, register), sum, self.bound_of_sums(stage), lookups),
                    false => (sum, self.bound_of_sums(stage)),
                };
                // Twiddles that wait take any words.
                let most = if is_twiddled { bound.after } else { has };
                [format!("x{register}"), self.register.reduced(value, has, most)]
            };
            let results = (0..matrix.rows).map(&mut result).collect();
            step.butterflies.push(ButterflyText { taps: named, results });
        }
        step
    }

    /// Adds the pairs that make a longer butterfly of twiddled taps; gives the names of its results and the registers that hold them.
    fn by_pairs(
        &self,
        stage: usize,
        pairs: &[Pair],
        taps: Vec<[String; 2]>,
        at: impl Fn(usize) -> String,
        step: &mut StepText,
    ) -> Vec<[String; 2]> {
        let (bound, n) = (self.bound(stage), taps.len());
        let names: Vec<String> = taps.iter().map(|[name, _]| name.clone()).collect();
        if self.stages[stage].twiddles_taps() {
            let twiddled = |(k, [_, value]): (usize, [String; 2])| ButterflyText { taps: Vec::new(), results: vec![[at(k), value]] };
            step.butterflies.extend(taps.into_iter().enumerate().map(twiddled));
        }
        let mut bounds: Vec<u64> = (0..n).map(|k| self.stages[stage].bound_of_tap(k, bound.before)).collect();
        step.butterflies.extend(pairs.iter().map(|pair| pair.butterfly(self.register, &at, &mut bounds, bound == LazyBound::STRICT)));
        names.into_iter().enumerate().map(|(j, name)| [name, at(reverse_bits(j, n.ilog2()))]).collect()
    }

    /// The twiddles of a stage alone.
    pub(super) fn twiddles(&self, stage: usize, layout: &BitLayout, lookups: &mut Lookups) -> StepText {
        let mut step = StepText { label: format!("{}, twiddles", self.stages[stage].label), ..StepText::default() };
        for register in 0..1 << layout.registers.len() {
            let name = format!("x{register}");
            let (value, has) = self.weighted(stage, (layout, register), name.clone(), self.bound_of_sums(stage), lookups);
            let value = self.register.reduced(value, has, self.bound(stage).after);
            if value != name {
                step.butterflies.push(ButterflyText { taps: Vec::new(), results: vec![[name, value]] });
            }
        }
        step
    }

    /// How large residues become in a stage; other rings have no bounds.
    fn bound(&self, stage: usize) -> LazyBound {
        self.bounds.get(stage).copied().unwrap_or(LazyBound::STRICT)
    }

    /// The bound of the sums of a stage, which reduces them one by one where words do not hold them.
    fn bound_of_sums(&self, stage: usize) -> u64 {
        let bound = self.bound(stage);
        if bound == LazyBound::STRICT { 1 } else { bound.sums }
    }

    /// The value of a register below a multiple of q, times its twiddle, and the multiple that it is below then.
    fn weighted(
        &self,
        stage: usize,
        (layout, register): (&BitLayout, usize),
        value: String,
        bound: u64,
        lookups: &mut Lookups,
    ) -> (String, u64) {
        let Some(weights) = self.weights[stage].as_ref().filter(|_| !self.register.is_bits()) else { return (value, bound) };
        let factor = weights.factor(layout, register);
        let is_one = factor.constant == Coef::ONE;
        let (is_product, may_stay) = (factor.lookup.is_some() || !is_one, weights.are_signs());
        let value = if may_stay { self.register.reduced(value, bound, 1) } else { value };
        let is_residue = self.register.ring.field().is_some();
        let name = factor.lookup.map(|lookup| lookups.name(lookup, if is_residue { factor.products } else { Vec::new() }));
        let value = match name {
            // Values share the product of a root and a constant.
            Some(name) if is_residue && !may_stay && !is_one => {
                let product = self.register.times(&name, factor.constant);
                let chosen = factor.condition.map_or(product.clone(), |condition| format!("select({name}, {product}, {condition})"));
                return (self.register.weighted(&value, &lookups.derived(chosen)), 1);
            }
            None => value,
            Some(name) if weights.are_signs() => format!("select({value}, {}, {name})", self.register.negated(&value)),
            Some(name) => self.register.weighted(&value, &name),
        };
        let value = match factor.condition {
            Some(condition) if !is_one => self.register.times_where(&value, factor.constant, &condition),
            _ => self.register.times(&value, factor.constant),
        };
        (value, if is_product || may_stay { 1 } else { bound })
    }
}
