//! Indices and numbers as Unicode text, and the runs of superscripts and subscripts in it, which files write in their own way.

const SUBSCRIPTS: [char; 10] = ['₀', '₁', '₂', '₃', '₄', '₅', '₆', '₇', '₈', '₉'];
const SUPERSCRIPTS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

/// A part of a coefficient below this is a rounding error of its cosine or sine.
pub(super) const ROUNDING: f64 = 1e-12;

/// The number in subscript digits.
pub fn subscript(number: usize) -> String {
    number.to_string().bytes().map(|digit| SUBSCRIPTS[usize::from(digit - b'0')]).collect()
}

/// The number in superscript digits.
pub(super) fn superscript(number: usize) -> String {
    number.to_string().bytes().map(|digit| SUPERSCRIPTS[usize::from(digit - b'0')]).collect()
}

/// Weights and names as a sum with signs, such as `−x + 2·y`; a weight of 1 is not written.
pub fn signed_sum(terms: &[(f64, String)], n_digits: usize) -> String {
    let mut text = String::new();
    for (weight, name) in terms {
        let sign = match (text.is_empty(), *weight < 0.0) {
            (true, true) => "−",
            (true, false) => "",
            (false, true) => " − ",
            (false, false) => " + ",
        };
        let size = if (weight.abs() - 1.0).abs() > ROUNDING { format!("{}·", number(weight.abs(), n_digits)) } else { String::new() };
        text.push_str(&format!("{sign}{size}{name}"));
    }
    if text.is_empty() { "0".into() } else { text }
}

/// A number with at most `n_digits` significant digits and the character − for minus.
pub fn number(x: f64, n_digits: usize) -> String {
    let size = x.abs();
    let text = if x == 0.0 {
        "0".into()
    } else if !(1e-3..1e5).contains(&size) {
        format!("{x:.*e}", n_digits.saturating_sub(2))
    } else {
        let decimals = (n_digits as i32 - 1 - size.log10().floor() as i32).clamp(0, 7) as usize;
        let fixed = format!("{x:.decimals$}");
        if fixed.contains('.') { fixed.trim_end_matches('0').trim_end_matches('.').into() } else { fixed }
    };
    text.replace('-', "−")
}

/// The vertical position of a run of characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Script {
    Baseline,
    Super,
    Sub,
}

/// The text, split into runs of the same vertical position; superscript and subscript digits become plain digits.
/// `_N` is a subscript too, and `^(…)` is a superscript without its brackets.
pub(super) fn script_runs(text: &str) -> Vec<(Script, String)> {
    let mut runs: Vec<(Script, String)> = Vec::new();
    let (mut characters, mut is_raised) = (text.chars().peekable(), false);
    while let Some(c) = characters.next() {
        let digit = |digits: &[char; 10]| digits.iter().position(|&d| d == c).map(|value| char::from(b'0' + value as u8));
        let (script, plain) = match (digit(&SUPERSCRIPTS), digit(&SUBSCRIPTS)) {
            (Some(plain), _) => (Script::Super, plain),
            (_, Some(plain)) => (Script::Sub, plain),
            _ if c == '_' && characters.next_if_eq(&'N').is_some() => (Script::Sub, 'N'),
            _ if c == '^' && characters.next_if_eq(&'(').is_some() => {
                is_raised = true;
                continue;
            }
            _ if c == ')' && is_raised => {
                is_raised = false;
                continue;
            }
            _ if is_raised => (Script::Super, c),
            _ => (Script::Baseline, c),
        };
        match runs.last_mut() {
            Some((last, run)) if *last == script => run.push(plain),
            _ => runs.push((script, plain.into())),
        }
    }
    runs
}

/// An upper bound of the width of a text in common sans-serif fonts, in the unit of `size`.
pub(super) fn width(text: &str, size: f32) -> f32 {
    let ems = |(script, run): &(Script, String)| if *script == Script::Baseline { 0.6 } else { 0.45 } * run.chars().count() as f32;
    script_runs(text).iter().map(ems).sum::<f32>() * size
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let texts = [0.0, 1.0, -0.5, std::f64::consts::FRAC_1_SQRT_2, 12345.678, -3e-9, 123456.0].map(|x| number(x, 4));
        assert_eq!(texts, ["0", "1", "−0.5", "0.7071", "12346", "−3.00e−9", "1.23e5"]);
        assert_eq!(subscript(16), "₁₆");
        let power =
            [(Script::Baseline, "e".into()), (Script::Super, "−2πi/N".into()), (Script::Baseline, ", x".into()), (Script::Sub, "N".into())];
        assert_eq!(script_runs("e^(−2πi/N), x_N"), power);
        assert_eq!(script_runs("ω³₁₆"), [(Script::Baseline, "ω".into()), (Script::Super, "3".into()), (Script::Sub, "16".into())]);
    }
}
