//! S-boxes: functions from n bits to m bits. Every mask of output bits other than 0 picks a Boolean function, a component.

use super::error::{LogicError, quoted};
use super::{BooleanFunction, variables_of_table};

/// The largest number of bits of the input and of the output.
const MOST_BITS: u32 = 16;

/// A function from n bits to m bits as the table of its 2^n values.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SBox {
    n: u32,
    m: u32,
    values: Vec<u16>,
}

impl SBox {
    /// The S-box with these values; m, at least 1, is the smallest number of bits that holds them all.
    ///
    /// # Errors
    /// When the number of values is not a power of two, or a value or an index has more than 16 bits.
    pub fn new(values: &[u64]) -> Result<Self, LogicError> {
        let n = variables_of_table(values.len())?;
        if n > MOST_BITS {
            return Err(LogicError::whole(format!("an S-box of {n} bits is too large: at most {MOST_BITS} bits are taken")));
        }
        let highest = values.iter().copied().max().unwrap_or(0);
        let m = (u64::BITS - highest.leading_zeros()).max(1);
        if m > MOST_BITS {
            return Err(LogicError::whole(format!("the value {highest} of the S-box has {m} bits: at most {MOST_BITS} are taken")));
        }
        Ok(Self { n, m, values: values.iter().map(|&value| value as u16).collect() })
    }

    /// Reads values: numbers separated by commas or blanks, or hex digits in one word.
    ///
    /// Numbers are decimal, or all hex where one has a letter or 0x. In one word, a value has one digit for up to 16 values, and two otherwise.
    /// `skipped` is the number of characters before the list.
    pub(super) fn parse(list: &str, skipped: usize) -> Result<Self, LogicError> {
        let words: Vec<(usize, &str)> = words(list).collect();
        if let [(column, word)] = words[..] {
            return packed(word, column + skipped);
        }
        let is_hex = |word: &str| word.starts_with("0x") || word.chars().any(|c| c.is_ascii_hexdigit() && !c.is_ascii_digit());
        let radix = if words.iter().any(|(_, word)| is_hex(word)) { 16 } else { 10 };
        let value = |&(column, word): &(usize, &str)| {
            let digits = word.strip_prefix("0x").unwrap_or(word);
            let what = if radix == 16 { "hex" } else { "whole" };
            u64::from_str_radix(digits, radix)
                .map_err(|_| LogicError::column(column + skipped, format!("{} is no {what} number", quoted(word))))
        };
        Self::new(&words.iter().map(value).collect::<Result<Vec<_>, _>>()?)
    }

    /// The S-box whose values are `samples`: 2^n integers from 0 to 2^16 − 1, not all of them 0 and 1; `None` for others.
    pub fn from_samples(samples: &[i64]) -> Option<Self> {
        let values: Vec<u64> = samples.iter().map(|&sample| u64::try_from(sample).ok()).collect::<Option<_>>()?;
        Self::new(&values).ok().filter(|sbox| sbox.m > 1)
    }

    /// Number of bits of the input.
    pub fn n(&self) -> u32 {
        self.n
    }

    /// Number of bits of the output.
    pub fn m(&self) -> u32 {
        self.m
    }

    /// The values, one for every input.
    pub fn values(&self) -> &[u16] {
        &self.values
    }

    /// Whether every output occurs equally often.
    pub fn balanced(&self) -> bool {
        if self.m > self.n {
            return false;
        }
        let mut counts = vec![0_usize; 1 << self.m];
        for &value in &self.values {
            counts[usize::from(value)] += 1;
        }
        counts.iter().all(|&count| count == 1 << (self.n - self.m))
    }

    /// The component function: the XOR of the output bits that `mask` picks.
    ///
    /// # Errors
    /// When the mask is 0 or picks a bit beyond the output.
    pub fn component(&self, mask: u64) -> Result<BooleanFunction, LogicError> {
        let most = (1_u64 << self.m) - 1;
        if !(1..=most).contains(&mask) {
            return Err(LogicError::whole(format!("there is no output mask {mask:#x} of {} bits: take 0x1 to {most:#x}", self.m)));
        }
        Ok(BooleanFunction::from_fn(self.n, |index| (u64::from(self.values[index]) & mask).count_ones() % 2 == 1))
    }
}

/// The words of a list, each with the column in which it begins.
fn words(list: &str) -> impl Iterator<Item = (usize, &str)> {
    let divides = |c: char| c == ',' || c.is_whitespace();
    let mut column = 1;
    list.split(divides).filter_map(move |word| {
        let here = column;
        column += word.chars().count() + 1;
        (!word.is_empty()).then_some((here, word))
    })
}

fn packed(word: &str, column: usize) -> Result<SBox, LogicError> {
    let digits = word.strip_prefix("0x").unwrap_or(word);
    let skipped = word.len() - digits.len();
    let mut values = Vec::with_capacity(digits.len());
    for (index, c) in digits.chars().enumerate() {
        let wrong = || LogicError::column(column + skipped + index, format!("{} is not a hex digit", quoted(&c.to_string())));
        values.push(u64::from(c.to_digit(16).ok_or_else(wrong)?));
    }
    if values.len() > 16 {
        if !values.len().is_multiple_of(2) {
            return Err(LogicError::whole(format!("{} hex digits are no whole bytes", values.len())));
        }
        values = values.chunks(2).map(|pair| 16 * pair[0] + pair[1]).collect();
    }
    SBox::new(&values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_in_every_form() {
        let present = SBox::parse("C56B90AD3EF84712", 0).expect("sixteen digits");
        assert_eq!((present.n(), present.m(), present.values()[..4].to_vec()), (4, 4, vec![12, 5, 6, 11]));
        for text in ["12, 5, 6, 11, 9 0 10 13 3 14 15 8 4 7 1 2", "c 5 6 b 9 0 a d 3 e f 8 4 7 1 2", "0xc 5 6 b 9 0 a d 3 e f 8 4 7 1 2"] {
            assert_eq!(SBox::parse(text, 0).as_ref(), Ok(&present), "{text}");
        }
        assert!(present.balanced());
        let bytes: String = (0..32).map(|value| format!("{:02x}", 31 - value)).collect();
        let reversed = SBox::parse(&bytes, 0).expect("64 digits are 32 bytes");
        assert_eq!((reversed.n(), reversed.m(), reversed.values()[1]), (5, 5, 30));
    }

    #[test]
    fn a_component_is_the_sum_of_the_chosen_bits() {
        let present = SBox::parse("C56B90AD3EF84712", 0).expect("sixteen digits");
        let first = present.component(1).expect("a bit");
        assert_eq!(first.values().take(6).collect::<Vec<_>>(), [false, true, false, true, true, false]);
        for mask in 1..16 {
            assert_eq!(present.component(mask).expect("a mask").weight(), 8, "every component of a permutation is balanced");
        }
        assert!(present.component(0).is_err() && present.component(16).is_err());
    }

    #[test]
    fn bad_boxes_are_refused_in_a_line() {
        for (text, part) in [
            ("1 2 3", "3 values"),
            ("1 2 3 x", "column 7: “x” is no whole number"),
            ("0 1 a zz", "column 7: “zz” is no hex"),
            ("C56B90AD3EF8471Z", "column 16"),
            ("0 99999999", "has 27 bits"),
            ("", "0 values"),
        ] {
            let error = SBox::parse(text, 0).expect_err(text).to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
