//! Reads the properties of a Boolean function from its spectra: weight, degree, nonlinearity, bentness, immunity, propagation.
//!
//! Plans compute the spectra. Terms and criteria follow C. Carlet, Boolean Functions for Cryptography and Coding Theory (2021).

use super::BooleanFunction;

/// The spectra of a function f of n variables, all in natural order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionSpectra {
    /// Walsh spectrum of (−1)^f without normalisation: 2^n integers from −2^n to 2^n.
    pub walsh: Vec<i64>,
    /// Reed-Muller spectrum of f: coefficient i belongs to the product of the variables whose bit in i is 1.
    pub reed_muller: BooleanFunction,
    /// Arithmetic spectrum of f: the coefficients of its polynomial over the integers.
    pub arithmetic: Vec<i64>,
    /// Haar spectrum of f, not normalised, in sequency order.
    pub haar: Vec<i64>,
    /// Dyadic autocorrelation of (−1)^f: Σ_x (−1)^(f(x) ⊕ f(x ⊕ t)).
    pub autocorrelation: Vec<i64>,
}

impl FunctionSpectra {
    /// Walsh spectrum of f in the (0, 1) coding. It follows from that of (−1)^f = 1 − 2·f, where all terms are even.
    pub fn walsh_of_bits(&self) -> Vec<i64> {
        let length = self.walsh.len() as i64;
        let constant = std::iter::once(length).chain(std::iter::repeat(0));
        self.walsh.iter().zip(constant).map(|(value, constant)| (constant - value) / 2).collect()
    }
}

/// The properties of a function, as numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionAnalysis {
    /// Number of variables.
    pub n: u32,
    /// Number of values that are 1.
    pub weight: usize,
    /// The highest degree of a product in the polynomial over GF(2); `None` for the constant 0, which has none.
    pub degree: Option<u32>,
    /// A product of that degree.
    pub leading: usize,
    /// The largest magnitude in the Walsh spectrum, and the first index that has it.
    pub peak: Extreme,
    /// Every magnitude in the Walsh spectrum with its count, the smallest first.
    pub magnitudes: Vec<(u64, usize)>,
    /// The order m of correlation immunity: the Walsh spectrum is 0 at all indices with 1 to m bits set.
    pub correlation_immunity: u32,
    /// The value that prevents a higher order: the first that is not 0 at an index with m + 1 bits set.
    pub correlated: Option<Extreme>,
    /// The order m of the propagation criterion: the autocorrelation is 0 at all shifts with 1 to m bits set.
    pub propagation: u32,
    /// The value that prevents a higher order.
    pub unpropagated: Option<Extreme>,
    /// The largest magnitude of the autocorrelation at a shift other than 0; `None` without another shift.
    pub absolute_indicator: Option<Extreme>,
    /// The sum of the squares of the autocorrelation.
    pub sum_of_squares: u128,
    /// Number of shifts other than 0 that change no value, or all values.
    pub linear_structures: usize,
}

/// A value of a spectrum and its index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extreme {
    /// The index.
    pub index: usize,
    /// The value, with its sign.
    pub value: i64,
}

impl FunctionAnalysis {
    /// Reads the spectra.
    ///
    /// # Panics
    /// When the spectra are not of one function.
    pub fn new(function: &BooleanFunction, spectra: &FunctionSpectra) -> Self {
        let length = function.len();
        assert!(
            [&spectra.walsh, &spectra.autocorrelation].iter().all(|spectrum| spectrum.len() == length)
                && spectra.reed_muller.len() == length,
            "spectra of a function of {} variables",
            function.n()
        );
        let leading = spectra.reed_muller.ones().max_by_key(|term| (term.count_ones(), *term));
        let [walsh, shifts] = [&spectra.walsh, &spectra.autocorrelation];
        let (correlation_immunity, correlated) = vanishing(walsh, function.n());
        let (propagation, unpropagated) = vanishing(shifts, function.n());
        Self {
            n: function.n(),
            weight: function.weight(),
            degree: leading.map(usize::count_ones),
            leading: leading.unwrap_or(0),
            peak: largest(walsh, 0).expect("a spectrum has a value"),
            magnitudes: magnitudes(walsh),
            correlation_immunity,
            correlated,
            propagation,
            unpropagated,
            absolute_indicator: largest(shifts, 1),
            sum_of_squares: shifts.iter().map(|&value| u128::from(value.unsigned_abs()).pow(2)).sum(),
            linear_structures: shifts[1..].iter().filter(|value| value.unsigned_abs() == length as u64).count(),
        }
    }

    /// Whether 0 and 1 occur equally often.
    pub fn balanced(&self) -> bool {
        2 * self.weight == 1 << self.n
    }

    /// The smallest number of values in which the function differs from an affine one.
    pub fn nonlinearity(&self) -> u64 {
        ((1 << self.n) - self.peak.value.unsigned_abs()) / 2
    }

    /// Whether the magnitude of the Walsh spectrum is 2^(n/2) everywhere.
    pub fn bent(&self) -> bool {
        self.n >= 2 && self.magnitudes.len() == 1
    }

    /// The magnitude other than 0 in the Walsh spectrum, if there is only one.
    pub fn plateau(&self) -> Option<u64> {
        match self.magnitudes[..] {
            [(one, _)] | [(0, _), (one, _)] => Some(one),
            _ => None,
        }
    }

    /// The order of resiliency: the order of correlation immunity, for a balanced function only.
    pub fn resiliency(&self) -> Option<u32> {
        self.balanced().then_some(self.correlation_immunity)
    }

    /// Whether a change of any one variable changes half of the values.
    pub fn strict_avalanche(&self) -> bool {
        self.n > 0 && self.propagation >= 1
    }
}

/// The value of the largest magnitude from index `from` on, and its first index.
fn largest(spectrum: &[i64], from: usize) -> Option<Extreme> {
    let values = spectrum.iter().enumerate().skip(from);
    values
        .map(|(index, &value)| Extreme { index, value })
        .reduce(|best, here| if here.value.unsigned_abs() > best.value.unsigned_abs() { here } else { best })
}

/// The largest m for which the spectrum is 0 at all indices with 1 to m bits set, and the first value that prevents m + 1.
fn vanishing(spectrum: &[i64], n: u32) -> (u32, Option<Extreme>) {
    let not_zero = spectrum.iter().enumerate().skip(1).filter(|(_, value)| **value != 0);
    match not_zero.min_by_key(|(index, _)| (index.count_ones(), *index)) {
        Some((index, &value)) => (index.count_ones() - 1, Some(Extreme { index, value })),
        None => (n, None),
    }
}

fn magnitudes(spectrum: &[i64]) -> Vec<(u64, usize)> {
    let mut counts = std::collections::BTreeMap::new();
    for value in spectrum {
        *counts.entry(value.unsigned_abs()).or_insert(0) += 1;
    }
    counts.into_iter().collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::{Coding, parse};
    use super::*;

    /// The spectra by their definitions, in double loops.
    pub(crate) fn by_definition(f: &BooleanFunction) -> FunctionSpectra {
        let length = f.len();
        let signs: Vec<i64> = f.samples(Coding::Signs).into_iter().map(i64::from).collect();
        let bits: Vec<i64> = f.samples(Coding::Bits).into_iter().map(i64::from).collect();
        let sum = |term: &dyn Fn(usize) -> i64| (0..length).map(term).sum::<i64>();
        let below = |i: usize, x: usize| x & i == x;
        let parity = |x: usize| if x.count_ones() % 2 == 1 { -1 } else { 1 };
        let haar = |row: usize| {
            sum(&|x| match row.checked_ilog2() {
                None => bits[x],
                Some(level) => {
                    let width = length >> level;
                    let inside = x / width == row - (1 << level);
                    i64::from(inside) * bits[x] * if x % width < width / 2 { 1 } else { -1 }
                }
            })
        };
        FunctionSpectra {
            walsh: (0..length).map(|w| sum(&|x| signs[x] * parity(x & w))).collect(),
            reed_muller: BooleanFunction::from_fn(f.n(), |i| sum(&|x| i64::from(below(i, x)) * bits[x]) % 2 == 1),
            arithmetic: (0..length).map(|i| sum(&|x| i64::from(below(i, x)) * bits[x] * parity(x ^ i))).collect(),
            haar: (0..length).map(haar).collect(),
            autocorrelation: (0..length).map(|t| sum(&|x| signs[x] * signs[x ^ t])).collect(),
        }
    }

    pub(crate) fn analysed(text: &str) -> (BooleanFunction, FunctionSpectra, FunctionAnalysis) {
        let function = parse(text).unwrap_or_else(|error| panic!("{text}: {error}")).function;
        let spectra = by_definition(&function);
        let analysis = FunctionAnalysis::new(&function, &spectra);
        (function, spectra, analysis)
    }

    /// How many values differ from the affine function w·x ⊕ c.
    fn distance(f: &BooleanFunction, w: usize, c: bool) -> u64 {
        (0..f.len()).filter(|&x| f.value(x) != (((x & w).count_ones() % 2 == 1) ^ c)).count() as u64
    }

    /// Whether fixing any `order` variables, in any way, leaves the share of ones as it is.
    fn immune(f: &BooleanFunction, order: u32) -> bool {
        (0..f.len()).filter(|mask| mask.count_ones() == order).all(|mask| {
            (0..f.len()).filter(|fixed| fixed & !mask == 0).all(|fixed| {
                let ones = (0..f.len()).filter(|&x| x & mask == fixed && f.value(x)).count();
                ones << order == f.weight()
            })
        })
    }

    /// Whether changing any 1 to `order` variables changes half of the values.
    fn propagates(f: &BooleanFunction, order: u32) -> bool {
        (1..f.len()).filter(|shift| shift.count_ones() <= order).all(|shift| {
            let changed = (0..f.len()).filter(|&x| f.value(x) != f.value(x ^ shift)).count();
            2 * changed == f.len()
        })
    }

    #[test]
    fn all_functions_of_up_to_three_variables_are_as_their_definitions_say() {
        for n in 0..=3_u32 {
            for table in 0..1_u32 << (1 << n) {
                let f = BooleanFunction::from_fn(n, |index| table >> index & 1 == 1);
                let analysis = FunctionAnalysis::new(&f, &by_definition(&f));
                let distances = (0..f.len()).flat_map(|w| [distance(&f, w, false), distance(&f, w, true)]);
                assert_eq!(Some(analysis.nonlinearity()), distances.min(), "nonlinearity of {table:#x} of {n}");
                let order = (0..=n).rev().find(|&order| (0..=order).all(|order| immune(&f, order)));
                assert_eq!(Some(analysis.correlation_immunity), order, "immunity of {table:#x} of {n}");
                let order = (0..=n).rev().find(|&order| propagates(&f, order));
                assert_eq!(Some(analysis.propagation), order, "propagation of {table:#x} of {n}");
                assert_eq!(analysis.strict_avalanche(), n > 0 && propagates(&f, 1));
                assert_eq!(analysis.balanced(), f.len() == 2 * f.weight());
                assert_eq!(analysis.resiliency().is_some(), analysis.balanced());
            }
        }
    }

    #[test]
    fn there_are_as_many_bent_functions_as_are_known() {
        let count = |n: u32| {
            let all = 0..1_u32 << (1 << n);
            all.filter(|table| {
                let f = BooleanFunction::from_fn(n, |index| table >> index & 1 == 1);
                FunctionAnalysis::new(&f, &by_definition(&f)).bent()
            })
            .count()
        };
        assert_eq!([1, 2, 3].map(count), [0, 8, 0]);
    }

    #[test]
    fn well_known_functions_have_their_published_numbers() {
        let (_, spectra, majority) = analysed("majority(3)");
        assert_eq!(spectra.walsh, [0, 4, 4, 0, 4, 0, 0, -4]);
        assert_eq!(spectra.arithmetic, [0, 0, 0, 1, 0, 1, 1, -2]);
        assert_eq!((majority.degree, majority.nonlinearity(), majority.resiliency(), majority.plateau()), (Some(2), 2, Some(0), Some(4)));
        let (_, _, bent) = analysed("maiorana(6)");
        assert!(bent.bent() && !bent.balanced() && bent.resiliency().is_none());
        assert_eq!((bent.nonlinearity(), bent.degree, bent.propagation, bent.magnitudes.clone()), (28, Some(3), 6, vec![(8, 64)]));
        assert_eq!(bent.absolute_indicator.map(|extreme| extreme.value), Some(0));
        assert_eq!(bent.sum_of_squares, 1 << 12);
        let (_, _, flipped) = analysed("maiorana(6) flip=5");
        assert!(!flipped.bent() && flipped.nonlinearity() == 27 && flipped.degree == Some(6));
        let bits: Vec<i64> =
            (0..8).map(|w: usize| [3, 5, 6, 7].iter().map(|x| if (w & x).count_ones() % 2 == 1 { -1 } else { 1 }).sum()).collect();
        assert_eq!(spectra.walsh_of_bits(), bits);
        let (_, _, parity) = analysed("parity(5)");
        assert_eq!((parity.nonlinearity(), parity.degree, parity.resiliency(), parity.linear_structures), (0, Some(1), Some(4), 31));
        assert_eq!(parity.peak, Extreme { index: 31, value: 32 });
        let (_, _, zero) = analysed("0 n=4");
        assert_eq!((zero.degree, zero.correlation_immunity, zero.nonlinearity()), (None, 4, 0));
        let (_, _, aes) = analysed("aes mask=0x9d");
        assert_eq!((aes.nonlinearity(), aes.degree, aes.balanced()), (112, Some(7), true), "as published of the AES S-box");
        assert_eq!(aes.absolute_indicator.map(|extreme| extreme.value.abs()), Some(32), "as published of the AES S-box");
    }
}
