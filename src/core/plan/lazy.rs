//! Lazy reduction: how large the values of a plan over a prime field grow where sums are not reduced at once, and whether words hold them.
//!
//! D. Harvey, Faster arithmetic for number-theoretic transforms (2014); P. L. Montgomery (1985), whose product takes any word and gives a residue.

use super::{Operation, Plan, PrimeField, Stage, Twiddle};

/// How long the sums of a plan over a prime field wait for their reduction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Laziness {
    /// Stages from one reduction to the next: 1 reduces after every stage. The last stage always reduces.
    pub stages: usize,
    /// Bits of the words that hold the values, at most 64.
    pub bits: u32,
}

/// Bounds of the values of a stage, in multiples of q.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LazyBound {
    /// In front of the stage.
    pub before: u64,
    /// The sums of its butterflies.
    pub sums: u64,
    /// Behind the stage.
    pub after: u64,
}

impl LazyBound {
    /// Lanes that are residues, and sums that are reduced one by one.
    pub const STRICT: Self = Self { before: 1, sums: u64::MAX, after: 1 };
}

/// A stage whose sums might not fit a word.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("too lazy: behind '{label}', stage {}, sums may reach {bound}·{modulus}, and words of {bits} bits hold {}·{modulus}", stage + 1, held(*bits, *modulus))]
pub struct TooLazy {
    /// The stage.
    pub stage: usize,
    /// Its name.
    pub label: String,
    /// The bound of its sums in multiples of the modulus.
    pub bound: u64,
    /// The modulus.
    pub modulus: u32,
    /// Bits of a word.
    pub bits: u32,
}

/// The multiples of q that a word holds.
fn held(bits: u32, modulus: u32) -> u64 {
    ((1_u128 << bits) / u128::from(modulus)) as u64
}

/// The words of the lanes behind a stage, and which of them have wrapped in it.
pub type LazyLanes = (Vec<u64>, Vec<bool>);

impl Plan {
    /// The bounds of every stage.
    ///
    /// # Errors
    /// [`TooLazy`] at the first stage whose sums might overflow a word.
    ///
    /// # Panics
    /// If the plan is not over a prime field.
    pub fn lazy_bounds(&self, laziness: Laziness) -> Result<Vec<LazyBound>, TooLazy> {
        let modulus = self.ring.field().expect("only residues are reduced").modulus();
        self.bounds_of_sums(laziness)
            .enumerate()
            .map(|(stage, bound)| match bound.sums > held(laziness.bits, modulus) {
                true => {
                    let label = self.stages[stage].label.clone();
                    Err(TooLazy { stage, label, bound: bound.sums, modulus, bits: laziness.bits })
                }
                false => Ok(bound),
            })
            .collect()
    }

    /// The most stages between reductions that words of this length hold, up to all of them; at least 1.
    ///
    /// # Panics
    /// If the plan is not over a prime field.
    pub fn laziest(&self, bits: u32) -> usize {
        let n = self.stages.len().max(1);
        (1..=n).rev().find(|&stages| self.lazy_bounds(Laziness { stages, bits }).is_ok()).unwrap_or(1)
    }

    /// The bounds of every stage, whether a word holds them or not.
    fn bounds_of_sums(&self, laziness: Laziness) -> impl Iterator<Item = LazyBound> {
        let stages = self.stages.iter().enumerate().map(|(index, stage)| (stage, self.carries(index)));
        bounds_of_sums(stages, move |stage, _| self.reduces_behind(stage, laziness))
    }

    fn reduces_behind(&self, stage: usize, laziness: Laziness) -> bool {
        (stage + 1).is_multiple_of(laziness.stages.max(1)) || stage + 1 == self.stages.len()
    }

    /// The words of all lanes before the first stage and behind every stage, where sums wait for their reduction and wrap at the length of a word.
    ///
    /// # Panics
    /// If the plan is not over a prime field, or `input` does not have `inputs` values.
    pub fn run_lazily(&self, input: &[i64], laziness: Laziness) -> Vec<LazyLanes> {
        let field = self.ring.field().expect("only residues are reduced");
        assert_eq!(input.len(), self.inputs, "the input has the wrong length");
        let mut lanes: Vec<u64> = input.iter().map(|&value| field.reduced(value.into()).into()).collect();
        lanes.resize(self.lanes, 0);
        let mut columns = vec![(lanes, vec![false; self.lanes])];
        for (index, (stage, bound)) in self.stages.iter().zip(self.bounds_of_sums(laziness)).enumerate() {
            let before = &columns[index].0;
            // Lanes that a stage neither writes nor carries along mean nothing behind it.
            let mut after = if self.carries(index) { before.clone() } else { vec![0; self.lanes] };
            let mut wrapped = vec![false; self.lanes];
            for butterfly in stage.butterflies() {
                let taps: Vec<u64> = butterfly.reads.iter().map(|lane| lane.map_or(0, |lane| before[lane])).collect();
                for (j, &to) in butterfly.writes.iter().enumerate() {
                    let sum = stage.lazy_sum(field, butterfly.indices, j, &taps, bound.before);
                    let word = (sum % (1 << laziness.bits)) as u64;
                    wrapped[to] = sum >> laziness.bits > 0;
                    after[to] = stage.weighted(field, butterfly.indices, j, stage.twiddles_taps(), word);
                    if self.reduces_behind(index, laziness) {
                        after[to] %= u64::from(field.modulus());
                    }
                }
            }
            columns.push((after, wrapped));
        }
        columns
    }
}

/// The bounds of the stages of a kernel, which write all lanes, take residues and give residues: sums wait for their reduction as long as words of `bits` bits hold those of the next stage.
/// A stage whose sums do not fit takes residues and reduces one sum after the other; its bound is [`LazyBound::STRICT`].
pub fn kernel_bounds(field: PrimeField, stages: &[Stage], bits: u32) -> Vec<LazyBound> {
    let held = held(bits, field.modulus());
    // Wide butterflies have one bound for all their taps.
    let has_one_bound = |stage: &Stage, before: u64| before == 1 || !stage.twiddles_taps() || stage.matrix().taps == 2;
    let fits = |stage: &Stage, before: u64| stage.bound_of_sums(before) <= held && has_one_bound(stage, before);
    let reduces = |index: usize, after: u64| !fits(&stages[index], 1) || stages.get(index + 1).is_none_or(|next| !fits(next, after));
    let bounds = bounds_of_sums(stages.iter().map(|stage| (stage, false)), reduces);
    bounds.map(|bound| if bound.sums <= held { bound } else { LazyBound::STRICT }).collect()
}

/// The bounds of stages whose lanes are residues before, with whether each leaves some alone. Some reduce the lanes behind them, as their number and the bound say.
fn bounds_of_sums<'a>(
    stages: impl Iterator<Item = (&'a Stage, bool)>,
    reduces: impl Fn(usize, u64) -> bool,
) -> impl Iterator<Item = LazyBound> {
    stages.enumerate().scan(1, move |before, (index, (stage, carries))| {
        let sums = stage.bound_of_sums(*before);
        // A lane that the stage leaves alone keeps its value.
        let kept = if carries { *before } else { 1 };
        let most = stage.bound_of_results(*before).max(kept);
        let after = if reduces(index, most) { kept } else { most };
        let bound = LazyBound { before: *before, sums, after };
        *before = after;
        Some(bound)
    })
}

impl Stage {
    /// Whether tap or result `k` is multiplied by a twiddle, which may be 1.
    fn is_multiplied(&self, k: usize) -> bool {
        match &self.twiddle {
            None => false,
            Some(Twiddle::Root { row, .. }) => row[1] > 0 || k * row[0] + row[2] > 0,
            Some(Twiddle::Table(_)) => true,
        }
    }

    /// The bound of tap k in front of the sums: a product is a residue.
    pub fn bound_of_tap(&self, k: usize, before: u64) -> u64 {
        if self.twiddles_taps() && self.is_multiplied(k) { 1 } else { before }
    }

    /// The bound of the sum of result j: a product is below q, and −x is stored as a multiple of q less x.
    fn bound_of_sum(&self, j: usize, before: u64) -> u64 {
        match &self.operation {
            Operation::Linear(matrix) | Operation::TwiddledTaps(matrix) => (0..matrix.taps).fold(0, |sum: u64, k| {
                sum.saturating_add(match matrix.at(j, k).integer() {
                    Some(0) => 0,
                    Some(1 | -1) => self.bound_of_tap(k, before),
                    _ => 1,
                })
            }),
            // The factors of a product of two lanes share the room of one.
            Operation::Product { .. } => before.saturating_mul(before),
            _ => 1,
        }
    }

    /// The bound of all sums.
    fn bound_of_sums(&self, before: u64) -> u64 {
        (0..self.matrix().rows).map(|j| self.bound_of_sum(j, before)).max().unwrap_or(1)
    }

    /// The bound of all results, of which products are below q.
    fn bound_of_results(&self, before: u64) -> u64 {
        let is_product = |j: usize| !self.is_linear() || !self.twiddles_taps() && self.is_multiplied(j);
        (0..self.matrix().rows).map(|j| if is_product(j) { 1 } else { self.bound_of_sum(j, before) }).max().unwrap_or(1)
    }

    /// A word times the twiddle of tap or result `k`, where it has one here.
    fn weighted(&self, field: PrimeField, [p, q, _]: [usize; 3], k: usize, is_elsewhere: bool, word: u64) -> u64 {
        match self.is_multiplied(k) && !is_elsewhere {
            true => field.product(field.reduced(word.into()), field.element(self.twiddle_of(p, q, k))).into(),
            false => word,
        }
    }

    /// The sum of result j, which may not fit a word.
    fn lazy_sum(&self, field: PrimeField, indices: [usize; 3], j: usize, taps: &[u64], before: u64) -> u128 {
        if let Operation::Product { .. } = self.operation {
            return field.product(field.reduced(taps[0].into()), field.reduced(taps[1].into())).into();
        }
        let term = |(k, &tap): (usize, &u64)| {
            let value = self.weighted(field, indices, k, !self.twiddles_taps(), tap);
            let multiple = u128::from(self.bound_of_tap(k, before)) * u128::from(field.modulus());
            match self.matrix().at(j, k) {
                coef if coef.integer() == Some(0) => 0,
                coef if coef.integer() == Some(1) => value.into(),
                // A word that has wrapped before may be larger than its bound says.
                coef if coef.integer() == Some(-1) => multiple.max(value.into()) - u128::from(value),
                coef => field.product(field.reduced(value.into()), field.element(coef)).into(),
            }
        };
        taps.iter().enumerate().map(term).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transforms::{Parameters, Scheme, Shape, transform};

    fn plan(name: &str, algorithm: &str, n: usize, parameters: Parameters) -> Plan {
        transform(name).and_then(|row| row.algorithm(algorithm)).unwrap().plan_fn().unwrap()(Shape::line(n), parameters).unwrap()
    }

    #[test]
    fn layers_grow_by_one_multiple_each_and_sums_double() {
        let kem = plan("ntt", "layers", 256, Parameters { scheme: Scheme::MlKem, ..Parameters::default() });
        let bounds = |plan: &Plan, stages, bits| {
            let bounds = plan.lazy_bounds(Laziness { stages, bits });
            bounds.map(|bounds| bounds.iter().map(|bound| bound.sums).collect::<Vec<_>>())
        };
        assert_eq!(bounds(&kem, 7, 32), Ok(vec![2, 3, 4, 5, 6, 7, 8]));
        assert_eq!(bounds(&kem, 7, 16), Ok(vec![2, 3, 4, 5, 6, 7, 8]));
        assert_eq!(bounds(&kem, 2, 32), Ok(vec![2, 3, 2, 3, 2, 3, 2]));
        // Products are behind these butterflies, but sums without one double.
        let falcon = plan("ntt", "gentleman-sande", 1024, Parameters { modulus: Some(12_289), ..Parameters::default() });
        assert_eq!(bounds(&falcon, 10, 32), Ok((1..=10).map(|stage| 1 << stage).collect()));
    }

    #[test]
    fn kernels_reduce_as_late_as_words_allow() {
        let bounds = |name: &str, algorithm: &str, n, scheme, bits| {
            let plan = plan(name, algorithm, n, Parameters { scheme, ..Parameters::default() });
            let bounds = kernel_bounds(plan.ring.field().unwrap(), &plan.stages, bits);
            bounds.iter().map(|bound| (bound.before, bound.sums.min(99), bound.after)).collect::<Vec<_>>()
        };
        let grows = |n: u64| (1..=n).map(|i| (i, i + 1, if i < n { i + 1 } else { 1 })).collect::<Vec<_>>();
        assert_eq!(bounds("ntt", "layers", 256, Scheme::MlKem, 32), grows(7));
        // Words of 14 bits hold 4q.
        assert_eq!(bounds("ntt", "layers", 256, Scheme::MlKem, 14), [grows(3), grows(3), grows(1)].concat());
        assert_eq!(bounds("ntt", "gentleman-sande", 8, Scheme::BabyBear, 32), [(1, 2, 1); 3]);
        // Sums of four residues of 31 bits have no room.
        assert_eq!(bounds("ntt", "stockham-4", 16, Scheme::BabyBear, 32), [(1, 99, 1); 2]);
    }

    #[test]
    fn a_plan_that_is_too_lazy_is_refused() {
        let babybear = Parameters { scheme: Scheme::BabyBear, ..Parameters::default() };
        let plan = plan("ntt", "gentleman-sande", 64, babybear);
        assert_eq!((plan.laziest(32), plan.laziest(64)), (1, 6));
        let error = plan.lazy_bounds(Laziness { stages: 2, bits: 32 }).unwrap_err();
        assert_eq!((error.stage, error.bound), (1, 4));
        let text = error.to_string();
        assert!(text.contains("stage 2, sums may reach 4·2013265921, and words of 32 bits hold 2·2013265921"), "{text}");
    }

    #[test]
    fn words_within_their_bounds_give_the_residues_and_others_do_not() {
        for (name, algorithm, n, scheme) in [
            ("ntt", "layers", 256, Scheme::MlKem),
            ("ntt-negacyclic", "layers", 64, Scheme::BabyBear),
            ("ntt", "stockham-4", 64, Scheme::P998244353),
            ("ntt", "gentleman-sande", 64, Scheme::BabyBear),
            ("negacyclic-convolution", "convolution-theorem", 256, Scheme::MlKem),
        ] {
            let plan = plan(name, algorithm, n, Parameters { scheme, ..Parameters::default() });
            let q = u64::from(plan.ring.field().unwrap().modulus());
            let input: Vec<i64> = (0..plan.inputs as u64).map(|i| (q - 1 - i * i % q.min(7)) as i64).collect();
            let exact = plan.run_exact(&input).unwrap();
            for stages in 1..=plan.stages.len() {
                let laziness = Laziness { stages, bits: 32 };
                let columns = plan.run_lazily(&input, laziness);
                let last: Vec<i64> = columns[plan.stages.len()].0[..plan.outputs].iter().map(|&word| word as i64).collect();
                let has_wrapped = columns.iter().any(|(_, wrapped)| wrapped.contains(&true));
                match plan.lazy_bounds(laziness) {
                    Ok(bounds) => {
                        assert!(last == exact && !has_wrapped, "{name} by {algorithm}, {stages} stages");
                        let fits = |(bound, column): (&LazyBound, &LazyLanes)| column.0.iter().all(|&word| word < bound.after * q);
                        assert!(bounds.iter().zip(&columns[1..]).all(fits), "{name} by {algorithm}, {stages} stages");
                    }
                    // Large inputs show it.
                    Err(_) => assert!(has_wrapped && last != exact, "{name} by {algorithm}, {stages} stages"),
                }
            }
        }
    }
}
