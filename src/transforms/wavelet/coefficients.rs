//! The names of the coefficients of wavelets in the literature: lifting has α, β, γ, δ and the scale K, the filters of D4 have h₀ to h₃.

use super::filter_bank::TAPS;
use super::lifting::{ALPHA, BETA, DELTA, GAMMA, K};

/// A difference of rounding, relative to the coefficient.
const ROUNDING: f64 = 1e-12;
/// The factors of the CDF 9/7 and their names.
const FACTORS: [(&str, f64); 4] = [("α", ALPHA), ("β", BETA), ("γ", GAMMA), ("δ", DELTA)];
/// The scales that the last step of each half carries, after the name of a factor; the second is the scale alone.
const SCALES: [(&str, &str, f64); 4] = [("/K", "1/K", 1.0 / K), ("K", "K", K), ("/K²", "1/K²", 1.0 / K / K), ("K²", "K²", K * K)];

/// The name of a coefficient of a lifting step, such as `α` or `−γ/K`.
pub fn lifting_name(coefficient: f64) -> Option<String> {
    let is = |value: f64| (coefficient.abs() - value.abs()).abs() <= ROUNDING * value.abs();
    let signed = |value: f64, name: String| if (coefficient < 0.0) == (value < 0.0) { name } else { format!("−{name}") };
    for (name, value) in FACTORS {
        if is(value) {
            return Some(signed(value, name.into()));
        }
        if let Some((scale, ..)) = SCALES.iter().find(|(.., scale)| is(value * scale)) {
            let both = if scale.starts_with('/') { format!("{name}{scale}") } else { format!("{scale}{name}") };
            return Some(signed(value, both));
        }
    }
    SCALES.iter().find(|(.., scale)| is(*scale)).map(|(_, alone, scale)| signed(*scale, (*alone).into()))
}

/// Which of the filter coefficients h₀ to h₃ this is, disregarding its sign.
pub fn filter_tap(coefficient: f64) -> Option<usize> {
    TAPS.iter().position(|tap| (coefficient.abs() - tap.abs()).abs() <= ROUNDING)
}

/// The lifting factors and the scale with their values, as a legend gives them.
pub fn lifting_values() -> impl Iterator<Item = (&'static str, f64)> {
    FACTORS.into_iter().chain([("K", K)])
}

/// The filter coefficients h₀ to h₃.
pub fn filter_values() -> [f64; 4] {
    TAPS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coefficients_have_the_names_of_the_literature() {
        let names = [ALPHA, -BETA, GAMMA / K, 1.0 / K, K * K * DELTA, K, -GAMMA].map(|x| lifting_name(x).unwrap());
        assert_eq!(names, ["α", "−β", "γ/K", "1/K", "K²δ", "K", "−γ"]);
        assert_eq!([1.0, 0.5, 0.0].map(lifting_name), [None, None, None]);
        assert_eq!([TAPS[0], -TAPS[3], TAPS[3], 1.0].map(filter_tap), [Some(0), Some(3), Some(3), None]);
    }
}
