//! Boolean functions and S-boxes: read from the notations that people use, analysed, and printed again.
//!
//! Index i of a table has the bits x1 x2 … xn; x1 is the most significant.
//! This module knows numbers and text, but no files, plans, devices or windows. Plans compute the spectra; they are only read here.

mod analysis;
mod error;
mod explain;
mod expression;
mod known;
mod pla;
mod print;
mod sbox;
mod table;
mod tables;
mod text;

pub use analysis::{Extreme, FunctionAnalysis, FunctionSpectra};
pub use error::{LogicError, TextPosition};
pub use explain::{LogicProperty, affine_text};
pub use known::{KNOWN, KnownFunction};
pub use pla::Pla;
pub use print::{anf_text, box_text, hex_text, minterm_text, polynomial_text, product_text};
pub use sbox::SBox;
pub use tables::SBoxTables;
pub use text::{Coding, FunctionOptions, HELP, ParsedFunction, check, parse};

/// The largest number of variables: the table then takes 8 MiB.
pub const MOST_VARIABLES: u32 = 26;

/// A Boolean function of n variables as the table of its 2^n values, bit-packed 64 to a word.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BooleanFunction {
    n: u32,
    /// Value i is bit i mod 64 of word i div 64; bits past the end are 0.
    words: Vec<u64>,
}

impl BooleanFunction {
    /// The constant `value` of `n` variables.
    ///
    /// # Panics
    /// When `n` is more than [`MOST_VARIABLES`]; input from outside is checked before.
    pub fn constant(n: u32, value: bool) -> Self {
        assert!(n <= MOST_VARIABLES, "{n} variables");
        let mut words = vec![if value { u64::MAX } else { 0 }; (1_usize << n).div_ceil(64)];
        words[0] &= used_bits(n);
        Self { n, words }
    }

    /// The variable x`j` of x1 … x`n`.
    pub fn variable(n: u32, j: u32) -> Self {
        assert!((1..=n).contains(&j), "x{j} of {n} variables");
        /// Bit i of entry p is bit p of the number i.
        const BIT_OF_INDEX: [u64; 6] = [
            0xaaaa_aaaa_aaaa_aaaa,
            0xcccc_cccc_cccc_cccc,
            0xf0f0_f0f0_f0f0_f0f0,
            0xff00_ff00_ff00_ff00,
            0xffff_0000_ffff_0000,
            0xffff_ffff_0000_0000,
        ];
        let bit = n - j;
        let mut function = Self::constant(n, false);
        for (index, word) in function.words.iter_mut().enumerate() {
            *word = match BIT_OF_INDEX.get(bit as usize) {
                Some(pattern) => pattern & used_bits(n),
                None if index >> (bit - 6) & 1 == 1 => u64::MAX,
                None => 0,
            };
        }
        function
    }

    /// The function with the value `value(i)` at index i.
    pub fn from_fn(n: u32, value: impl Fn(usize) -> bool) -> Self {
        let mut function = Self::constant(n, false);
        for (index, word) in function.words.iter_mut().enumerate() {
            let first = 64 * index;
            let bits = 64.min((1 << n) - first);
            *word = (0..bits).fold(0, |word, bit| word | u64::from(value(first + bit)) << bit);
        }
        function
    }

    /// The function whose table is `samples`, and their coding: 0 and 1, or 1 and −1.
    ///
    /// `None` if there are other values, or their number is not a power of two up to 2^[`MOST_VARIABLES`].
    pub fn from_samples(samples: &[i64]) -> Option<(Self, Coding)> {
        if !samples.len().is_power_of_two() || samples.len().ilog2() > MOST_VARIABLES {
            return None;
        }
        let n = samples.len().ilog2();
        if samples.iter().all(|sample| matches!(sample, 0 | 1)) && samples.contains(&0) {
            return Some((Self::from_fn(n, |index| samples[index] == 1), Coding::Bits));
        }
        // A table of ones fits both codings; it is read as the constant 1 in the usual one.
        if samples.iter().all(|&sample| sample == 1) {
            return Some((Self::constant(n, true), Coding::Bits));
        }
        let signs = samples.iter().all(|sample| matches!(sample, 1 | -1));
        signs.then(|| (Self::from_fn(n, |index| samples[index] == -1), Coding::Signs))
    }

    /// Number of variables n.
    pub fn n(&self) -> u32 {
        self.n
    }

    /// Number of values, 2^n.
    #[allow(clippy::len_without_is_empty, reason = "a function has at least one value")]
    pub fn len(&self) -> usize {
        1 << self.n
    }

    /// The value at `index`.
    pub fn value(&self, index: usize) -> bool {
        assert!(index < self.len(), "index {index} of a function of {} variables", self.n);
        self.words[index / 64] >> (index % 64) & 1 == 1
    }

    /// Changes the value at `index`.
    pub fn flip(&mut self, index: usize) {
        assert!(index < self.len(), "index {index} of a function of {} variables", self.n);
        self.words[index / 64] ^= 1 << (index % 64);
    }

    /// Number of values that are 1.
    pub fn weight(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The indices whose value is 1, in order.
    pub fn ones(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            let rest = std::iter::successors((word != 0).then_some(word), |word| Some(word & (word - 1)).filter(|&rest| rest != 0));
            rest.map(move |word| 64 * index + word.trailing_zeros() as usize)
        })
    }

    /// All values, in order.
    pub fn values(&self) -> impl Iterator<Item = bool> + '_ {
        (0..self.len()).map(|index| self.value(index))
    }

    /// The values as samples: 0 and 1, or 1 and −1.
    pub fn samples(&self, coding: Coding) -> Vec<i32> {
        self.values().map(|value| coding.sample(value)).collect()
    }

    /// The table, bit-packed 64 values to a word, index 0 in the lowest bit.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Combines the words of two functions of equally many variables.
    fn combine(mut self, other: &Self, operation: fn(u64, u64) -> u64) -> Self {
        assert_eq!(self.n, other.n, "functions of different numbers of variables");
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word = operation(*word, *other);
        }
        self
    }

    /// The complement.
    fn complement(self) -> Self {
        let ones = Self::constant(self.n, true);
        self.combine(&ones, |a, b| a ^ b)
    }
}

/// The mask of the bits in the first word that hold values.
fn used_bits(n: u32) -> u64 {
    if n >= 6 { u64::MAX } else { (1 << (1_u64 << n)) - 1 }
}

/// Refuses more than [`MOST_VARIABLES`]; `what` begins the message.
fn check_variables(n: u64, what: &str) -> Result<u32, LogicError> {
    match u32::try_from(n) {
        Ok(n) if n <= MOST_VARIABLES => Ok(n),
        _ => Err(LogicError::whole(format!(
            "{what} {n} variables, whose table has 2^{n} values: at most {MOST_VARIABLES} variables are taken"
        ))),
    }
}

/// The number of variables of a table of this length, which must be a power of two.
fn variables_of_table(length: usize) -> Result<u32, LogicError> {
    if length.is_power_of_two() {
        return check_variables(length.ilog2().into(), "the table is of");
    }
    let more = length.checked_next_power_of_two().unwrap_or(usize::MAX);
    let around = if length == 0 { "1".to_owned() } else { format!("{} or {more}", more / 2) };
    Err(LogicError::whole(format!("the table has {length} values, and a function of n variables has 2^n: give {around}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn x1_is_the_most_significant_bit() {
        for n in 0..9 {
            for j in 1..=n {
                let by_words = BooleanFunction::variable(n, j);
                assert_eq!(by_words, BooleanFunction::from_fn(n, |index| index >> (n - j) & 1 == 1), "x{j} of {n}");
                assert_eq!(by_words.weight(), 1 << (n - 1));
            }
            assert_eq!(BooleanFunction::constant(n, true).weight(), 1 << n);
            assert_eq!(BooleanFunction::constant(n, false).complement(), BooleanFunction::constant(n, true));
        }
    }

    #[test]
    fn ones_are_the_indices_with_the_value_one() {
        let function = BooleanFunction::from_fn(8, |index| index % 7 == 3);
        assert_eq!(function.ones().collect::<Vec<_>>(), (0..256).filter(|index| index % 7 == 3).collect::<Vec<_>>());
        let mut other = function.clone();
        other.flip(3);
        assert!(function.value(3) && !other.value(3) && function.weight() == other.weight() + 1);
    }

    #[test]
    fn samples_and_functions_are_the_same_thing() {
        for coding in [Coding::Bits, Coding::Signs] {
            let function = BooleanFunction::from_fn(5, |index| index % 3 == 0);
            let samples: Vec<i64> = function.samples(coding).into_iter().map(i64::from).collect();
            assert_eq!(BooleanFunction::from_samples(&samples), Some((function, coding)));
        }
        assert_eq!(BooleanFunction::from_samples(&[1, 1]), Some((BooleanFunction::constant(1, true), Coding::Bits)));
        for bad in [&[0, 2][..], &[0, 1, 1], &[0, -1], &[]] {
            assert_eq!(BooleanFunction::from_samples(bad), None);
        }
    }
}
