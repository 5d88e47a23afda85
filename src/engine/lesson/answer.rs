//! Answers as text, and when two of them agree.

use crate::graph::{number, value_text};
use crate::plan::LaneValue;
use crate::signal::generate::typed_numbers;
use num_complex::Complex64;

/// Significant digits of an answer.
const DIGITS: usize = 6;
/// The largest relative difference of numbers that agree: an answer is rounded.
const AGREE: f64 = 1e-5;
/// The largest relative difference of values that a check accepts.
const EXACT: f64 = 1e-9;

/// An answer, with what is easily taken for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    /// The answer.
    pub answer: String,
    /// Other values of the plan, and what each is; none of them is the answer, or names it.
    pub others: Vec<(String, String)>,
}

impl Answered {
    /// The quantity of the plan whose value a wrong prediction is.
    pub(super) fn taken_for(&self, given: &str) -> Option<&str> {
        self.others.iter().find(|(value, _)| agree(given, value)).map(|(_, is)| is.as_str())
    }
}

/// A value as an answer: `−1`, `0.5 + 2i`, or the four numbers of an equation.
pub fn answer_text(value: LaneValue) -> String {
    match value {
        // Adding 0 turns −0 into 0.
        LaneValue::Number(value) => complex_text(value + Complex64::default()),
        LaneValue::Equation(_) => value.numbers().into_iter().map(|x| number(x, DIGITS)).collect::<Vec<_>>().join(", "),
    }
}

fn complex_text(value: Complex64) -> String {
    // A zero that rounding has changed still counts as zero.
    let [re, im] = [value.re, value.im].map(|x| if x.abs() <= 1e-12 * value.norm() { 0.0 } else { x });
    value_text(Complex64::new(re, im), DIGITS)
}

/// The numbers of an answer; `None` for words.
pub(super) fn numbers_of(text: &str) -> Option<Vec<Complex64>> {
    // An answer has blanks around the sign of its imaginary part.
    let text = text.replace(" + ", "+").replace(" − ", "-").replace(" - ", "-");
    typed_numbers(&text.replace(" and ", " ")).ok().filter(|numbers| !numbers.is_empty())
}

/// Whether what a reader chose or typed is the answer: the same numbers, or the same words.
pub fn agree(given: &str, answer: &str) -> bool {
    match (numbers_of(given), numbers_of(answer)) {
        (Some(numbers), Some(answer)) => are_close(&numbers, &answer, AGREE) || are_rounded(given, &numbers, &answer),
        _ => {
            let words = |text: &str| text.replace('−', "-").to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
            words(given) == words(answer)
        }
    }
}

/// Whether numbers that were written with decimals are an answer rounded to as many.
fn are_rounded(text: &str, numbers: &[Complex64], answer: &[Complex64]) -> bool {
    let decimals =
        text.split(|c: char| !c.is_ascii_digit() && c != '.').filter_map(|word| word.split_once('.')).map(|(_, after)| after.len());
    let Some(decimals) = decimals.min().filter(|_| !text.contains(['e', 'E', '/'])) else { return false };
    let half = 0.5001 * 10_f64.powi(-(decimals as i32));
    let is_near = |(a, b): (&Complex64, &Complex64)| (a.re - b.re).abs() <= half && (a.im - b.im).abs() <= half;
    numbers.len() == answer.len() && numbers.iter().zip(answer).all(is_near)
}

/// A value of many, where what rounding leaves of a zero is zero.
pub(super) fn clean(value: Complex64, of: impl Iterator<Item = Complex64>) -> Complex64 {
    const ROUNDING: f64 = 1e-13;
    let largest = of.map(|value| value.norm()).filter(|size| size.is_finite()).fold(0.0, f64::max);
    let part = |x: f64| if x.abs() <= ROUNDING * largest { 0.0 } else { x };
    Complex64::new(part(value.re), part(value.im))
}

/// Whether values are those that a check expects.
pub(super) fn are_equal(found: &[Complex64], expected: &[Complex64]) -> bool {
    are_close(found, expected, EXACT)
}

/// Whether every difference is at most this part of the largest value.
fn are_close(found: &[Complex64], expected: &[Complex64], part: f64) -> bool {
    let largest = expected.iter().map(|value| value.norm()).fold(0.0, f64::max);
    found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| (a - b).norm() <= part * largest.max(f64::MIN_POSITIVE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_agree_in_their_numbers_or_words() {
        assert!(
            agree("4, 5", "4 5") && agree("4 and 5", "4, 5") && agree("-1", "−1") && agree("0.333333", "1/3") && agree("1+2i", "1 + 2i")
        );
        assert!(agree("Stockham", "stockham") && agree("-2.83", "−2.82843") && agree("0.71+1.41i", "0.707107 + 1.41421i"));
        assert!(!agree("-2.8", "−2.9") && !agree("3", "2.82843"));
        assert!(!agree("1", "2") && !agree("1 2", "1") && !agree("", "1") && !agree("constant-geometry", "stockham"));
    }

    #[test]
    fn values_are_written_as_people_read_them() {
        let text = |re, im| answer_text(LaneValue::Number(Complex64::new(re, im)));
        assert_eq!([text(-1.0, 0.0), text(1.0, -2.5), text(1e-17, 1.0), text(-0.0, 0.0)], ["−1", "1 − 2.5i", "i", "0"]);
    }
}
