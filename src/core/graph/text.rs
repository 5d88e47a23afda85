//! Numbers and sums as Unicode text.

/// A part of a coefficient below this is a rounding error of its cosine or sine.
pub(super) const ROUNDING: f64 = 1e-12;

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
    } else if !((1e-3..1e5).contains(&size) || x.fract() == 0.0 && size < 10_f64.powi(n_digits as i32)) {
        format!("{x:.*e}", n_digits.saturating_sub(2))
    } else {
        let decimals = (n_digits as i32 - 1 - size.log10().floor() as i32).clamp(0, 7) as usize;
        let fixed = crate::numerals::fixed(x, decimals);
        if fixed.contains('.') { fixed.trim_end_matches('0').trim_end_matches('.').into() } else { fixed }
    };
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let texts = [0.0, 1.0, -0.5, std::f64::consts::FRAC_1_SQRT_2, 12345.678, -3e-9, 123456.0].map(|x| number(x, 4));
        assert_eq!(texts, ["0", "1", "−0.5", "0.7071", "12346", "−3.00e−9", "1.23e5"]);
        // Integers are whole if all digits have room.
        assert_eq!([8_380_416.0, 83_804_160.0].map(|x| number(x, 7)), ["8380416", "8.38042e7"]);
    }
}
