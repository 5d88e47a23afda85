//! The table of well-known functions and S-boxes, by name.

use super::error::LogicError;
use super::{BooleanFunction, SBox, check_variables};

/// One row of the table of well-known functions.
pub struct KnownFunction {
    /// The name in a text.
    pub name: &'static str,
    /// Its description, a sentence.
    pub about: &'static str,
    /// A text that describes one of them.
    pub example: &'static str,
    make: Make,
}

#[derive(Clone, Copy)]
enum Make {
    /// From numbers in parentheses: the number of variables, and the value at an index.
    Function { arguments: &'static [Argument], variables: fn(&[u64]) -> u64, value: fn(&[u64], u32, usize) -> bool },
    /// An S-box; a mask picks a component.
    Box(fn() -> Vec<u64>),
}

/// A number in the parentheses of a function.
struct Argument {
    name: &'static str,
    least: u64,
    even: bool,
}

const VARIABLES: Argument = Argument { name: "n", least: 1, even: false };
const HALVES: Argument = Argument { name: "n", least: 2, even: true };

/// All well-known functions, the simplest first.
pub static KNOWN: &[KnownFunction] = &[
    KnownFunction {
        name: "parity",
        about: "1 where an odd number of variables is 1: the XOR of all, a single peak in the Walsh spectrum.",
        example: "parity(4)",
        make: Make::Function { arguments: &[VARIABLES], variables: first, value: |_, _, index| index.count_ones() % 2 == 1 },
    },
    KnownFunction {
        name: "majority",
        about: "1 where more than half of the variables are 1.",
        example: "majority(5)",
        make: Make::Function { arguments: &[VARIABLES], variables: first, value: |_, n, index| 2 * index.count_ones() > n },
    },
    KnownFunction {
        name: "threshold",
        about: "1 where at least k of n variables are 1: threshold(n, k).",
        example: "threshold(5, 2)",
        make: Make::Function {
            arguments: &[VARIABLES, Argument { name: "k", least: 0, even: false }],
            variables: first,
            value: |arguments, _, index| u64::from(index.count_ones()) >= arguments[1],
        },
    },
    KnownFunction {
        name: "bent",
        about: "x1x2 ⊕ x3x4 ⊕ …: the simplest bent function, as far from all affine functions as possible.",
        example: "bent(4)",
        make: Make::Function {
            arguments: &[HALVES],
            variables: first,
            value: |_, _, index| (index & index >> 1 & 0x5555_5555).count_ones() % 2 == 1,
        },
    },
    KnownFunction {
        name: "maiorana",
        about: "A bent function of Maiorana and McFarland: u·v ⊕ v1v2…vk, where u and v are the two halves of the variables.",
        example: "maiorana(6)",
        make: Make::Function {
            arguments: &[HALVES],
            variables: first,
            value: |_, n, index| {
                let half = (1 << (n / 2)) - 1;
                let (u, v) = (index >> (n / 2), index & half);
                ((u & v).count_ones() % 2 == 1) ^ (v == half)
            },
        },
    },
    KnownFunction {
        name: "weighted",
        about: "Hidden weighted bit: the variable whose number is the count of variables that are 1, and 0 where none is.",
        example: "weighted(6)",
        make: Make::Function {
            arguments: &[VARIABLES],
            variables: first,
            value: |_, n, index| index != 0 && index >> (n - index.count_ones()) & 1 == 1,
        },
    },
    KnownFunction {
        name: "multiplexer",
        about: "The first k variables select one of 2^k further variables, which is the value.",
        example: "multiplexer(2)",
        make: Make::Function {
            arguments: &[Argument { name: "k", least: 1, even: false }],
            variables: |arguments| arguments[0].saturating_add(1_u64.checked_shl(arguments[0].min(63) as u32).unwrap_or(u64::MAX)),
            value: |arguments, n, index| {
                let address = index >> (n - arguments[0] as u32);
                index >> ((1 << arguments[0]) - 1 - address) & 1 == 1
            },
        },
    },
    KnownFunction {
        name: "carry",
        about: "The carry out of an adder of two numbers of k bits, the first k variables and the others.",
        example: "carry(3)",
        make: Make::Function {
            arguments: &[Argument { name: "k", least: 1, even: false }],
            variables: |arguments| arguments[0].saturating_mul(2),
            value: |_, n, index| {
                let half = n / 2;
                ((index >> half) + (index & ((1 << half) - 1))) >> half == 1
            },
        },
    },
    KnownFunction { name: "aes", about: "The S-box of AES (FIPS 197), 8 bits.", example: "aes mask=0x01", make: Make::Box(aes) },
    KnownFunction {
        name: "present",
        about: "The S-box of PRESENT (Bogdanov and others, CHES 2007), 4 bits.",
        example: "present mask=0x1",
        make: Make::Box(|| vec![12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2]),
    },
    KnownFunction {
        name: "keccak",
        about: "The map χ of Keccak (FIPS 202) on a row of 5 bits.",
        example: "keccak mask=0x01",
        make: Make::Box(|| (0..32).map(chi).collect()),
    },
];

/// The function or S-box that a name stands for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Named {
    /// A function that is not yet computed: row of the table, numbers in parentheses, number of variables.
    Function { row: usize, arguments: Vec<u64>, n: u32 },
    /// An S-box.
    Box(SBox),
}

/// Reads `name`, `name(…)`; `None` where the text begins with no name of the table.
pub(super) fn parse(text: &str) -> Option<Result<Named, LogicError>> {
    let name: String = text.chars().take_while(char::is_ascii_alphabetic).collect();
    let row = KNOWN.iter().position(|known| known.name == name.to_lowercase())?;
    let rest = text[name.len()..].trim();
    Some(match KNOWN[row].make {
        Make::Box(_) if !rest.is_empty() && rest != "()" => {
            Err(LogicError::column(name.len() + 1, format!("{name} takes no numbers: write {}", KNOWN[row].example)))
        }
        Make::Box(values) => SBox::new(&values()).map(Named::Box),
        Make::Function { arguments, variables, .. } => numbers(rest, row, arguments).and_then(|arguments| {
            let n = check_variables(variables(&arguments), &format!("{} is a function of", text.trim()))?;
            Ok(Named::Function { row, arguments, n })
        }),
    })
}

/// The function of a row of the table.
pub(super) fn function(row: usize, arguments: &[u64], n: u32) -> BooleanFunction {
    match KNOWN[row].make {
        Make::Function { value, .. } => BooleanFunction::from_fn(n, |index| value(arguments, n, index)),
        Make::Box(_) => unreachable!("a box is made when its name is read"),
    }
}

/// The numbers in parentheses.
fn numbers(rest: &str, row: usize, arguments: &[Argument]) -> Result<Vec<u64>, LogicError> {
    let KnownFunction { name, example, .. } = &KNOWN[row];
    let names = arguments.iter().map(|argument| argument.name).collect::<Vec<_>>().join(", ");
    let wrong = || LogicError::column(name.len() + 1, format!("write {name}({names}), as {example}"));
    let inside = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).ok_or_else(wrong)?;
    let numbers = inside.split(',').map(|number| number.trim().parse().ok()).collect::<Option<Vec<u64>>>().ok_or_else(wrong)?;
    if numbers.len() != arguments.len() {
        return Err(wrong());
    }
    for (argument, &number) in arguments.iter().zip(&numbers) {
        if number < argument.least || argument.even && number % 2 == 1 {
            let what = if argument.even { "even and at least" } else { "at least" };
            return Err(LogicError::column(name.len() + 2, format!("{} of {name} is {what} {}", argument.name, argument.least)));
        }
    }
    Ok(numbers)
}

fn first(arguments: &[u64]) -> u64 {
    arguments[0]
}

/// The S-box of AES: every byte is inverted in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1, then mapped affinely (FIPS 197, section 5.1.1).
fn aes() -> Vec<u64> {
    /// The product in the field.
    fn times(mut a: u16, mut b: u16) -> u16 {
        let mut product = 0;
        while b != 0 {
            product ^= a * (b & 1);
            a <<= 1;
            a ^= 0x11b * (a >> 8);
            b >>= 1;
        }
        product
    }
    let inverse = |a: u16| (0..254).fold(1, |power, _| times(power, a)) * u16::from(a != 0);
    let affine = |b: u8| b ^ b.rotate_left(1) ^ b.rotate_left(2) ^ b.rotate_left(3) ^ b.rotate_left(4) ^ 0x63;
    (0..256).map(|byte| affine(inverse(byte) as u8).into()).collect()
}

/// y_i = x_i ⊕ (x_{i+1} ⊕ 1)·x_{i+2}, indices modulo 5, x_0 the lowest bit.
fn chi(x: u64) -> u64 {
    let bit = |i: u64| x >> (i % 5) & 1;
    (0..5).map(|i| (bit(i) ^ (1 ^ bit(i + 1)) & bit(i + 2)) << i).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(text: &str) -> BooleanFunction {
        match parse(text).expect("a name").unwrap_or_else(|error| panic!("{text}: {error}")) {
            Named::Function { row, arguments, n } => function(row, &arguments, n),
            Named::Box(_) => panic!("{text} is a box"),
        }
    }

    #[test]
    fn published_values_are_reproduced() {
        let aes = aes();
        let published = [0x63, 0x7c, 0x77, 0x7b, 0xf2, 0x6b, 0x6f, 0xc5, 0x30, 0x01, 0x67, 0x2b, 0xfe, 0xd7, 0xab, 0x76];
        assert_eq!(aes[..16], published, "the first row of figure 7 of FIPS 197");
        assert_eq!((aes[0x53], aes[0xff]), (0xed, 0x16));
        assert!(SBox::new(&aes).expect("a box").balanced());
        assert_eq!((0..32).map(chi).take(8).collect::<Vec<_>>(), [0, 9, 18, 11, 5, 12, 22, 15], "y0 = x0 ⊕ ¬x1·x2 and so on");
    }

    #[test]
    fn functions_do_what_their_names_say() {
        assert_eq!(made("majority(3)").ones().collect::<Vec<_>>(), [3, 5, 6, 7]);
        assert_eq!(made("parity(2)").ones().collect::<Vec<_>>(), [1, 2]);
        assert_eq!(made("threshold(3, 1)").weight(), 7);
        assert_eq!(made("threshold(3,4)").weight(), 0);
        assert_eq!(made("bent(4)").ones().collect::<Vec<_>>(), [3, 7, 11, 12, 13, 14], "x1x2 ⊕ x3x4");
        assert_eq!(made("maiorana(4)").weight(), 6);
        assert_eq!(made("weighted(3)").ones().collect::<Vec<_>>(), [3, 4, 6, 7], "x1 of 100, x2 of 011 and 110, x3 of 111");
        let multiplexer = made("multiplexer(1)");
        assert_eq!(multiplexer.ones().collect::<Vec<_>>(), [2, 3, 5, 7], "x1 chooses between x2 and x3");
        assert_eq!(made("carry(1)").ones().collect::<Vec<_>>(), [3]);
        assert_eq!(made("carry(2)").ones().collect::<Vec<_>>(), [7, 10, 11, 13, 14, 15]);
    }

    #[test]
    fn every_example_works_and_names_differ() {
        for (row, known) in KNOWN.iter().enumerate() {
            let body = known.example.split(" mask").next().expect("a body");
            assert!(parse(body).expect(known.name).is_ok(), "{}", known.example);
            assert_eq!(KNOWN.iter().position(|other| other.name == known.name), Some(row));
        }
    }

    #[test]
    fn bad_numbers_are_refused_in_a_line() {
        for (text, part) in [
            ("majority", "write majority(n), as majority(5)"),
            ("majority(x)", "write majority(n)"),
            ("threshold(3)", "write threshold(n, k)"),
            ("bent(5)", "even"),
            ("bent(0)", "even and at least 2"),
            ("parity(40)", "at most 26"),
            ("multiplexer(60)", "at most 26"),
            ("multiplexer(99999999)", "at most 26"),
            ("aes(3)", "takes no numbers"),
        ] {
            let error = parse(text).expect("a name").expect_err(text).to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
