//! The text of a function: one of several forms, with options behind it.
//!
//! The text describes a function completely, flipped values and the coding too. The window edits it, the command line takes it, sessions keep it.

use super::error::{LogicError, quoted};
use super::expression::Expression;
use super::known::{self, Named};
use super::table::{self, First, Minterms};
use super::{BooleanFunction, MOST_VARIABLES, SBox, check_variables};
use std::fmt::Write as _;

/// The forms of a text, each with an example at the left.
pub const HELP: &str = "\
x1 & !x3 ^ x2          an expression: ! ~ ' not, & * and, ^ xor, | + or;
                       NOT binds before AND, AND before XOR, XOR before OR
x1x2 ⊕ x3 ⊕ 1          a polynomial: what stands side by side is multiplied
01101001               a truth table, f(0) first; f0=right where it is last
0x96                   a truth table in hex digits
m(1,3,5..7) n=4        the indices of the ones; M(…) those of the zeros
majority(5)            a well-known function
sbox(c 5 6 b …) mask=3 the XOR of the output bits that the mask picks, of an S-box in decimal or hex
aes mask=0x01          a well-known S-box
options behind it      n=5 variables, flip=3,7 flips these values, signs codes 0 and 1 as 1 and −1";

/// How the values of a function are coded as samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Coding {
    /// 0 and 1.
    #[default]
    Bits,
    /// (−1)^f: 1 for 0, −1 for 1.
    Signs,
}

impl Coding {
    /// The sample of a value.
    pub fn sample(self, value: bool) -> i32 {
        match (self, value) {
            (Self::Bits, value) => value.into(),
            (Self::Signs, false) => 1,
            (Self::Signs, true) => -1,
        }
    }

    /// The label of an axis.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bits => "(0, 1) coding",
            Self::Signs => "(1, −1) coding",
        }
    }
}

/// The function that a text describes.
#[derive(Debug, Clone, PartialEq)]
pub struct ParsedFunction {
    /// The function.
    pub function: BooleanFunction,
    /// The S-box that it is a component of, and the mask.
    pub sbox: Option<(SBox, u64)>,
    /// The coding of its samples.
    pub coding: Coding,
}

/// The options behind the function in a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FunctionOptions {
    /// Number of variables.
    pub n: Option<u32>,
    /// Whether a table ends with f(0).
    pub reversed: bool,
    /// Output bits of an S-box.
    pub mask: Option<u64>,
    /// Indices of the values that are flipped, in ascending order.
    pub flips: Vec<usize>,
    /// The coding of the samples.
    pub coding: Coding,
}

impl FunctionOptions {
    /// Splits a text into the function and its options.
    ///
    /// # Errors
    /// When an option is unknown or its value makes no sense.
    pub fn split(text: &str) -> Result<(&str, Self), LogicError> {
        let (body, rest) = text.split_at(begin(text));
        let mut options = Self::default();
        let mut words: Vec<String> = Vec::new();
        let spaced = rest.replace('=', " = ");
        let mut glue = false;
        for word in spaced.split_whitespace() {
            // A key, its equals sign and a list with blanks form one word.
            match words.last_mut() {
                Some(last) if word == "=" || glue || word.starts_with(|c: char| c.is_ascii_digit() || c == ',') => last.push_str(word),
                _ => words.push(word.to_owned()),
            }
            glue = word == "=" || word.ends_with(',');
        }
        for word in words {
            options.take(&word)?;
        }
        Ok((body.trim_end(), options))
    }

    fn take(&mut self, word: &str) -> Result<(), LogicError> {
        let wrong = |what: &str| LogicError::whole(format!("{} is wrong: {what}", quoted(word)));
        match word.split_once('=') {
            None if word == "signs" => self.coding = Coding::Signs,
            Some(("n", number)) => {
                let n: u64 = number.parse().map_err(|_| wrong("n= takes a number of variables"))?;
                self.n = Some(check_variables(n, "n= asks for")?);
            }
            Some(("f0", "left")) => self.reversed = false,
            Some(("f0", "right")) => self.reversed = true,
            Some(("f0", _)) => return Err(wrong("f0= is left or right")),
            Some(("mask", mask)) => {
                let mask = mask.strip_prefix("0x").map_or_else(|| mask.parse(), |digits| u64::from_str_radix(digits, 16));
                self.mask = Some(mask.map_err(|_| wrong("mask= takes a number, as 3 or 0x1f"))?);
            }
            Some(("flip", list)) => {
                for (first, last) in table::ranges(list, 0).map_err(|error| wrong(&error.problem))? {
                    if last >> MOST_VARIABLES != 0 {
                        return Err(wrong("there is no such index"));
                    }
                    self.flips.extend(first as usize..=last as usize);
                }
                self.flips.sort_unstable();
                self.flips.dedup();
            }
            _ => return Err(wrong("the options are n=, f0=left, f0=right, mask=, flip= and signs")),
        }
        Ok(())
    }

    /// Flips a value, or flips it back.
    pub fn toggle(&mut self, index: usize) {
        match self.flips.binary_search(&index) {
            Ok(at) => drop(self.flips.remove(at)),
            Err(at) => self.flips.insert(at, index),
        }
    }

    /// The text of a function with these options.
    pub fn text(&self, body: &str) -> String {
        let mut text = body.to_owned();
        let mut add = |option: std::fmt::Arguments<'_>| text.write_fmt(option).expect("writing to a string does not fail");
        if let Some(n) = self.n {
            add(format_args!(" n={n}"));
        }
        if self.reversed {
            add(format_args!(" f0=right"));
        }
        if let Some(mask) = self.mask {
            add(format_args!(" mask={mask:#x}"));
        }
        if !self.flips.is_empty() {
            let list: Vec<String> = self.flips.iter().map(usize::to_string).collect();
            add(format_args!(" flip={}", list.join(",")));
        }
        if self.coding == Coding::Signs {
            add(format_args!(" signs"));
        }
        text
    }
}

/// The offset in bytes where the options begin: at the word before the first `=`, or at the last word `signs`.
fn begin(text: &str) -> usize {
    let trimmed = text.trim_end();
    // The `=` of a range `5..=7` begins no option.
    let sign = text.match_indices('=').map(|(sign, _)| sign).find(|&sign| !text[..sign].ends_with('.'));
    let by_sign = sign.map(|sign| {
        let before = text[..sign].trim_end();
        before.rfind(|c: char| !c.is_ascii_alphanumeric()).map_or(0, |end| end + before[end..].chars().next().map_or(0, char::len_utf8))
    });
    let mut begin = by_sign.unwrap_or(trimmed.len());
    let before = text[..begin].trim_end();
    if before.strip_suffix("signs").is_some_and(|rest| !rest.ends_with(char::is_alphanumeric)) {
        begin = before.len() - "signs".len();
    }
    begin
}

/// A text that is checked. No table is made before the function is asked for.
enum Form<'a> {
    Expression(Expression),
    Table(&'a str),
    Minterms(Minterms),
    Known { row: usize, arguments: Vec<u64> },
    Box(SBox),
}

/// Checks a text without making its table, and returns the number of variables.
///
/// # Errors
/// When the text describes no function; the message is one line and points at the position.
pub fn check(text: &str) -> Result<u32, LogicError> {
    read(text).map(|(_, n, _)| n)
}

/// The function that a text describes, in one of the forms of [`HELP`].
///
/// # Errors
/// When it describes none; the message is one line and points at the position.
pub fn parse(text: &str) -> Result<ParsedFunction, LogicError> {
    let (form, n, options) = read(text)?;
    let mut sbox = None;
    let mut function = match form {
        Form::Expression(expression) => expression.function(n)?,
        Form::Table(body) => table::function(body, if options.reversed { First::Right } else { First::Left })?,
        Form::Minterms(minterms) => minterms.function(n),
        Form::Known { row, arguments } => known::function(row, &arguments, n),
        Form::Box(found) => {
            let mask = options.mask.unwrap_or(1);
            let component = found.component(mask)?;
            sbox = Some((found, mask));
            component
        }
    };
    for &index in &options.flips {
        function.flip(index);
    }
    Ok(ParsedFunction { function, sbox, coding: options.coding })
}

fn read(text: &str) -> Result<(Form<'_>, u32, FunctionOptions), LogicError> {
    let (body, options) = FunctionOptions::split(text)?;
    let bare = body.trim_start();
    if bare.is_empty() {
        return Err(LogicError::whole("write a function, as x1 & x2, 0110, m(1,2) or majority(3)"));
    }
    // Columns count from the beginning of the text.
    let (form, n, is_open) = form(bare).map_err(|error| error.shifted(body.chars().count() - bare.chars().count()))?;
    let n = match options.n {
        Some(wanted) if wanted < n || wanted > n && !is_open => {
            return Err(LogicError::whole(format!("n={wanted} does not fit: it is a function of {n} variables")));
        }
        wanted => wanted.unwrap_or(n),
    };
    match (&form, options.mask) {
        (Form::Box(sbox), mask) => drop(sbox.component(mask.unwrap_or(1))?),
        (_, Some(_)) => return Err(LogicError::whole("mask= picks output bits of an S-box, and this is none")),
        _ => {}
    }
    if options.reversed && !matches!(form, Form::Table(_)) {
        return Err(LogicError::whole("f0=right is for truth tables, and this is none"));
    }
    if let Some(index) = options.flips.iter().find(|&&index| index >> n != 0) {
        return Err(LogicError::whole(format!("there is no index {index} to flip: {n} variables have 0 to {}", (1_u64 << n) - 1)));
    }
    Ok((form, n, options))
}

/// The form of a text, its number of variables, and whether it can be read as a function of more variables.
fn form(text: &str) -> Result<(Form<'_>, u32, bool), LogicError> {
    if text.starts_with("0x") || text.starts_with("0X") || table::looks_like_bits(text) {
        return Ok((Form::Table(text), table::check(text)?, false));
    }
    if let Some(minterms) = Minterms::parse(text) {
        let minterms = minterms?;
        let n = minterms.variables;
        return Ok((Form::Minterms(minterms), n, true));
    }
    if let Some(rest) = text.strip_prefix("sbox").map(str::trim_start).and_then(|rest| rest.strip_prefix('(')) {
        let skipped = text.chars().count() - rest.chars().count();
        let missing = || LogicError::column(text.trim_end().chars().count() + 1, "“)” is missing at the end of the S-box");
        let sbox = SBox::parse(rest.trim_end().strip_suffix(')').ok_or_else(missing)?, skipped)?;
        let n = sbox.n();
        return Ok((Form::Box(sbox), n, false));
    }
    if let Some(named) = known::parse(text) {
        return Ok(match named? {
            Named::Function { row, arguments, n } => (Form::Known { row, arguments }, n, false),
            Named::Box(sbox) => {
                let n = sbox.n();
                (Form::Box(sbox), n, false)
            }
        });
    }
    let expression = Expression::parse(text)?;
    let n = expression.variables;
    Ok((Form::Expression(expression), n, true))
}

#[cfg(test)]
mod tests {
    use super::super::{anf_text, box_text, hex_text, minterm_text};
    use super::*;

    fn function(text: &str) -> BooleanFunction {
        parse(text).unwrap_or_else(|error| panic!("{text}: {error}")).function
    }

    #[test]
    fn one_function_has_many_forms() {
        let majority = function("majority(3)");
        for text in [
            "00010111",
            "0x17",
            "0xE8 f0=right",
            "11101000 f0 = right",
            "m(3,5..7)",
            "M(0..2, 4)",
            "m(3, 5..=7) n=3",
            "x1x2 | x1x3 | x2x3",
            "x1x2 ⊕ x1x3 ⊕ x2x3",
            "threshold(3,2)",
            "  majority(3) n=3",
            "00000111 flip=3",
            "m(5..7) flip=3",
            "1 flip=0, 1,2,4 n=3",
            "x1 & x2 + x1 & x3 + x2 & x3 signs",
        ] {
            assert_eq!(function(text), majority, "{text}");
        }
        assert_eq!(function("x2 n=3").n(), 3);
        assert_eq!(function("m(1) n=5").n(), 5);
        assert_eq!(function("1").n(), 0);
    }

    #[test]
    fn what_is_printed_is_read_back() {
        for n in 0..6 {
            for step in 1..20 {
                let function = BooleanFunction::from_fn(n, |index| (index * step + step * step) % 5 < 2);
                let coefficients = &function;
                for text in [hex_text(&function), minterm_text(&function)] {
                    assert_eq!(parse(&text).map(|logic| logic.function), Ok(function.clone()), "{text}");
                }
                let text = format!("{} n={n}", anf_text(coefficients, usize::MAX));
                let by_terms = coefficients.ones().fold(BooleanFunction::constant(n, false), |sum, term| {
                    sum.combine(&BooleanFunction::from_fn(n, |index| index & term == term), |a, b| a ^ b)
                });
                assert_eq!(parse(&text).map(|logic| logic.function), Ok(by_terms), "{text}");
            }
        }
    }

    #[test]
    fn options_are_split_and_written_back() {
        for text in ["x1 & x2 n=4 flip=3,7 signs", "0x17 f0=right", "aes mask=0x1f", "x1"] {
            let (body, options) = FunctionOptions::split(text).expect(text);
            assert_eq!(options.text(body), text);
            let mut twice = options.clone();
            twice.toggle(5);
            assert_ne!(twice, options);
            twice.toggle(5);
            assert_eq!(twice, options);
        }
        assert_eq!(parse("x1 signs").expect("a function").coding, Coding::Signs);
        let (sbox, mask) = parse("present mask=3").expect("a box").sbox.expect("a box");
        assert_eq!((sbox.n(), mask), (4, 3));
        assert_eq!(parse(&box_text(&sbox, mask)).expect("a box").sbox, Some((sbox, mask)));
        let by_hand = function("sbox(0,1,2,3) mask=2");
        assert_eq!(by_hand, function("x1 n=2"));
    }

    #[test]
    fn bad_texts_are_refused_in_one_line() {
        for (text, part) in [
            ("101010101010", "12 values"),
            ("  x1 & & x2", "column 8"),
            ("x1 ^ n=3", "column 5"),
            ("x1 & x40", "2^40"),
            ("x1 n=40", "at most 26 variables"),
            ("x5 n=3", "n=3 does not fit: it is a function of 5 variables"),
            ("0110 n=3", "does not fit"),
            ("x1 k=3", "the options are"),
            ("x1 mask=3", "none"),
            ("x1 f0=right", "none"),
            ("x1 f0=up", "left or right"),
            ("x1 flip=9", "no index 9"),
            ("x1 flip=99999999999", "no such index"),
            ("aes mask=0", "no output mask"),
            ("aes mask=0x100", "no output mask"),
            ("sbox(1 2", "missing"),
            ("sbox(1 2 z 4)", "column 10: “z”"),
            ("majorety(3)", "column 1: “majorety”"),
            ("", "write a function"),
            ("n=3", "write a function"),
        ] {
            let error = parse(text).expect_err(text).to_string();
            assert!(error.contains(part) && error.lines().count() == 1, "{text}: {error}");
            assert_eq!(check(text).expect_err(text).to_string(), error);
        }
    }
}
