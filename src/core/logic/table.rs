//! Reads truth tables from text: bits, hex digits and lists of minterms.

use super::error::{LogicError, quoted};
use super::{BooleanFunction, check_variables, variables_of_table};

/// The end of a written table where f(0) is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum First {
    /// f(0) f(1) f(2) …, like a vector.
    #[default]
    Left,
    /// … f(2) f(1) f(0), like a binary number.
    Right,
}

/// Whether a text is a table of bits: two or more digits 0 and 1, perhaps with separators.
pub(super) fn looks_like_bits(text: &str) -> bool {
    text.starts_with("0b")
        || text.chars().all(|c| matches!(c, '0' | '1' | ',' | '_' | '[' | ']') || c.is_whitespace())
            && text.chars().filter(char::is_ascii_digit).count() > 1
}

/// Checks a table of bits or hex digits, and returns its number of variables.
pub(super) fn check(text: &str) -> Result<u32, LogicError> {
    let (digits, bits_a_digit) = digits(text)?;
    variables_of_table(digits.len() * bits_a_digit)
}

/// The function of a table of bits or hex digits.
pub(super) fn function(text: &str, first: First) -> Result<BooleanFunction, LogicError> {
    let n = check(text)?;
    let (digits, bits_a_digit) = digits(text)?;
    let last = (1 << n) - 1;
    Ok(BooleanFunction::from_fn(n, |index| {
        let at = if first == First::Left { index } else { last - index };
        digits[at / bits_a_digit] >> (bits_a_digit - 1 - at % bits_a_digit) & 1 == 1
    }))
}

/// The digits of a table, and the number of values that each has.
fn digits(text: &str) -> Result<(Vec<u8>, usize), LogicError> {
    let (skipped, radix, what) = match text.get(..2) {
        Some("0x" | "0X") => (2, 16, "a hex digit"),
        Some("0b" | "0B") => (2, 2, "0 or 1"),
        _ => (0, 2, "0 or 1"),
    };
    let mut digits = Vec::with_capacity(text.len());
    for (index, c) in text.chars().enumerate().skip(skipped) {
        match c.to_digit(radix) {
            Some(digit) => digits.push(digit as u8),
            None if c.is_whitespace() || matches!(c, ',' | '_' | '[' | ']') => {}
            None => return Err(LogicError::column(index + 1, format!("{} is not {what}", quoted(&c.to_string())))),
        }
    }
    Ok((digits, if radix == 16 { 4 } else { 1 }))
}

/// A list of indices such as `1, 3, 5..7`: those of the ones or of the zeros.
#[derive(Debug, Clone)]
pub(super) struct Minterms {
    ranges: Vec<(u64, u64)>,
    ones: bool,
    /// The smallest number of variables that has all indices.
    pub variables: u32,
}

impl Minterms {
    /// Reads `m(…)`, the indices of the ones, or `M(…)`, those of the zeros; `None` where the text is not such a list.
    pub(super) fn parse(text: &str) -> Option<Result<Self, LogicError>> {
        let bare = text.trim_start_matches(['Σ', '∑', 'Π', '∏']).trim_start();
        let ones = match bare.chars().next() {
            Some('m') => true,
            Some('M') => false,
            _ => return None,
        };
        let inside = bare[1..].trim_start().strip_prefix('(')?;
        let skipped = text.chars().count() - inside.chars().count();
        Some(match inside.trim_end().strip_suffix(')') {
            Some(list) => ranges(list, skipped).and_then(|ranges| {
                let highest = ranges.iter().map(|range| range.1).max().unwrap_or(0);
                let needed = u64::from(u64::BITS - highest.leading_zeros());
                let variables = check_variables(needed, &format!("minterm {highest} needs"))?;
                Ok(Self { ranges, ones, variables })
            }),
            None => Err(LogicError::column(text.trim_end().chars().count() + 1, "“)” is missing at the end of the list")),
        })
    }

    pub(super) fn function(&self, n: u32) -> BooleanFunction {
        let mut function = BooleanFunction::constant(n, !self.ones);
        for index in self.ranges.iter().flat_map(|&(first, last)| first as usize..=last as usize) {
            if function.value(index) != self.ones {
                function.flip(index);
            }
        }
        function
    }
}

/// Numbers and ranges `a..b` (b included), separated by commas or blanks. `skipped` is the number of characters before the list.
pub(super) fn ranges(list: &str, skipped: usize) -> Result<Vec<(u64, u64)>, LogicError> {
    let mut ranges = Vec::new();
    let mut column = skipped + 1;
    for part in list.split([',', ' ', '\t']) {
        let (here, width) = (column, part.chars().count());
        column += width + 1;
        if part.is_empty() {
            continue;
        }
        let (first, last) = part.split_once("..").unwrap_or((part, part));
        let last = last.strip_prefix('=').unwrap_or(last);
        match (first.parse::<u64>(), last.parse::<u64>()) {
            (Ok(first), Ok(last)) if first <= last => ranges.push((first, last)),
            (Ok(_), Ok(_)) => return Err(LogicError::column(here, format!("{} runs backwards", quoted(part)))),
            _ => return Err(LogicError::column(here, format!("{} is neither an index nor a range as 5..7", quoted(part)))),
        }
    }
    Ok(ranges)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_and_hex_are_read_from_either_end() {
        let table = |text: &str, first| function(text, first).unwrap_or_else(|error| panic!("{text}: {error}"));
        let ones = |function: &BooleanFunction| function.ones().collect::<Vec<_>>();
        assert_eq!(ones(&table("1011", First::Left)), [0, 2, 3]);
        assert_eq!(ones(&table("[1, 0, 1, 1]", First::Left)), [0, 2, 3]);
        assert_eq!(ones(&table("0b1011", First::Right)), [0, 1, 3]);
        assert_eq!(ones(&table("0xE8", First::Right)), [3, 5, 6, 7], "majority, as logic synthesis writes it");
        assert_eq!(ones(&table("0x17", First::Left)), [3, 5, 6, 7], "majority, as a vector is written");
        assert_eq!(ones(&table("0x8000_0001", First::Left)), [0, 31]);
    }

    #[test]
    fn bad_tables_are_refused_in_a_line() {
        for (text, part) in [
            ("101010101010", "12 values, and a function of n variables has 2^n: give 8 or 16"),
            ("0xABC", "12 values"),
            ("10110", "give 4 or 8"),
            ("0x", "0 values"),
            ("0xG1", "column 3: “G”"),
            ("0b12", "column 4: “2”"),
        ] {
            let error = check(text).expect_err(text).to_string();
            assert!(error.contains(part) && error.lines().count() == 1, "{text}: {error}");
        }
    }

    #[test]
    fn minterms_are_ones_and_maxterms_zeros() {
        let read = |text: &str| Minterms::parse(text).expect("it is a list").unwrap_or_else(|error| panic!("{text}: {error}"));
        let list = read("m(1,3, 5..7)");
        assert_eq!(list.variables, 3);
        assert_eq!(list.function(4).ones().collect::<Vec<_>>(), [1, 3, 5, 6, 7]);
        assert_eq!(read("Σm(1 3 5..=7)").function(4), list.function(4));
        assert_eq!(read("ΠM(0,2,4)").function(3), list.function(3));
        assert_eq!(read("m()").function(2).weight(), 0);
        assert!(Minterms::parse("majority(3)").is_none() && Minterms::parse("x1").is_none());
        for (text, part) in [
            ("m(1,three)", "column 5: “three”"),
            ("m(7..5)", "column 3: “7..5” runs backwards"),
            ("m(1", "column 4: “)” is missing"),
            ("m(99999999999)", "at most 26"),
        ] {
            let error = Minterms::parse(text).expect("it is a list").expect_err(text).to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
