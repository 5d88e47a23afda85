//! Prints functions as text that can be typed again.

use super::{BooleanFunction, SBox};
use std::fmt::Write as _;

/// The polynomial over GF(2) with these coefficients, such as `x1x2 ⊕ x3 ⊕ 1`: the highest degree first, and within a degree x1 before x2.
///
/// Coefficient i belongs to the product of the variables whose bit in i is 1. After `most` terms, the text gives the number of the others.
pub fn anf_text(coefficients: &BooleanFunction, most: usize) -> String {
    let n = coefficients.n();
    let mut terms: Vec<usize> = coefficients.ones().collect();
    if terms.is_empty() {
        return "0".to_owned();
    }
    terms.sort_unstable_by_key(|term| std::cmp::Reverse((term.count_ones(), *term)));
    let mut texts: Vec<String> = terms.iter().take(most).map(|&term| product_text(term, n)).collect();
    if terms.len() > most {
        texts.push(format!("… and {} more", terms.len() - most));
    }
    texts.join(" ⊕ ")
}

/// The product of the variables whose bit in `term` is 1, such as `x1x3`; `1` without one.
pub fn product_text(term: usize, n: u32) -> String {
    if term == 0 {
        return "1".to_owned();
    }
    (1..=n).filter(|j| term >> (n - j) & 1 == 1).fold(String::new(), |mut text, j| {
        write!(text, "x{j}").expect("writing to a string does not fail");
        text
    })
}

/// The polynomial over the integers with these coefficients of the products, such as `x1 + x2 − 2·x1x2`: the lowest degree first.
pub fn polynomial_text(coefficients: &[i64], most: usize) -> String {
    let n = coefficients.len().ilog2();
    let mut terms: Vec<(usize, i64)> = coefficients.iter().copied().enumerate().filter(|(_, value)| *value != 0).collect();
    terms.sort_unstable_by_key(|(term, _)| (term.count_ones(), std::cmp::Reverse(*term)));
    let mut text = String::new();
    for &(term, value) in terms.iter().take(most) {
        let sign = match (text.is_empty(), value < 0) {
            (true, true) => "−",
            (true, false) => "",
            (false, true) => " − ",
            (false, false) => " + ",
        };
        let product = match (value.unsigned_abs(), term) {
            (size, 0) => size.to_string(),
            (1, _) => product_text(term, n),
            (size, _) => format!("{size}·{}", product_text(term, n)),
        };
        text.push_str(sign);
        text.push_str(&product);
    }
    match terms.len().checked_sub(most) {
        _ if terms.is_empty() => "0".to_owned(),
        Some(left @ 1..) => format!("{text} … and {left} more"),
        _ => text,
    }
}

/// The indices of the ones, such as `m(1,3,5..7) n=4`.
pub fn minterm_text(function: &BooleanFunction) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for index in function.ones() {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == index => *last = index,
            _ => runs.push((index, index)),
        }
    }
    let texts = runs.into_iter().flat_map(|(first, last)| match last - first {
        0 => vec![first.to_string()],
        1 => vec![first.to_string(), last.to_string()],
        _ => vec![format!("{first}..{last}")],
    });
    format!("m({}) n={}", texts.collect::<Vec<_>>().join(","), function.n())
}

/// The component of an S-box that `mask` picks, such as `sbox(0xc 5 6 …) mask=0x3`.
pub fn box_text(sbox: &SBox, mask: u64) -> String {
    let values: Vec<String> = sbox.values().iter().map(|value| format!("{value:x}")).collect();
    format!("sbox(0x{}) mask={mask:#x}", values.join(" "))
}

/// The truth table in hex digits, f(0) first, such as `0x17`; in bits for less than two variables.
pub fn hex_text(function: &BooleanFunction) -> String {
    match function.n() {
        0 => u8::from(function.value(0)).to_string(),
        1 => function.values().map(|value| if value { '1' } else { '0' }).collect(),
        _ => {
            let digit = |first: usize| (0..4).fold(0, |digit, k| 2 * digit + u32::from(function.value(first + k)));
            let digits = (0..function.len()).step_by(4).map(|first| char::from_digit(digit(first), 16).unwrap_or('0'));
            std::iter::once("0x".to_owned()).chain(digits.map(String::from)).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_printed_as_people_write_them() {
        let function = BooleanFunction::from_fn(3, |index| [0, 1, 6].contains(&index));
        assert_eq!(anf_text(&function, 9), "x1x2 ⊕ x3 ⊕ 1");
        assert_eq!(anf_text(&function, 1), "x1x2 ⊕ … and 2 more");
        assert_eq!(anf_text(&BooleanFunction::constant(3, false), 9), "0");
        assert_eq!(minterm_text(&function), "m(0,1,6) n=3");
        assert_eq!(minterm_text(&BooleanFunction::from_fn(3, |index| index > 4)), "m(5..7) n=3");
        assert_eq!(hex_text(&function), "0xc2");
        assert_eq!(polynomial_text(&[0, 1, 1, -2], 9), "x1 + x2 − 2·x1x2");
        assert_eq!(polynomial_text(&[-3, 0, 0, 0], 9), "−3");
        assert_eq!(polynomial_text(&[0, 0], 9), "0");
        assert_eq!(polynomial_text(&[1, -1], 1), "1 … and 1 more");
    }
}
