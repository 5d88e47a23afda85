//! The names of the coefficients of wavelets in the literature: lifting has α, β, γ, δ and the scale K, the filters of D4 have h₀ to h₃, those of the CDF 9/7 h₀ to h₄ and g₀ to g₃.

use super::filter_bank::{CDF97_HIGH, CDF97_LOW, TAPS};
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

/// A coefficient of a filter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FilterTap {
    /// `h` for a low-pass and `g` for a high-pass filter; the high-pass filter of D4 has the coefficients of the low-pass filter.
    pub letter: char,
    /// Its number; of symmetric filters the distance from the centre.
    pub number: usize,
    /// Its value.
    pub value: f64,
}

/// The coefficient of a filter that this is, disregarding its sign.
pub fn filter_tap(coefficient: f64) -> Option<FilterTap> {
    filter_taps().find(|tap| (coefficient.abs() - tap.value.abs()).abs() <= ROUNDING)
}

/// The coefficients of all filters that have names: of D4, then of the CDF 9/7.
pub fn filter_taps() -> impl Iterator<Item = FilterTap> {
    let of = |letter, values: &'static [f64]| values.iter().zip(0..).map(move |(&value, number)| FilterTap { letter, number, value });
    of('h', &TAPS).chain(of('h', &CDF97_LOW)).chain(of('g', &CDF97_HIGH))
}

/// The lifting factors and the scale with their values, as a legend gives them.
pub fn lifting_values() -> impl Iterator<Item = (&'static str, f64)> {
    FACTORS.into_iter().chain([("K", K)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coefficients_have_the_names_of_the_literature() {
        let names = [ALPHA, -BETA, GAMMA / K, 1.0 / K, K * K * DELTA, K, -GAMMA].map(|x| lifting_name(x).unwrap());
        assert_eq!(names, ["α", "−β", "γ/K", "1/K", "K²δ", "K", "−γ"]);
        assert_eq!([1.0, 0.5, 0.0].map(lifting_name), [None, None, None]);
        let taps =
            [TAPS[0], -TAPS[3], TAPS[3], CDF97_LOW[4], -CDF97_HIGH[1], 1.0].map(|x| filter_tap(x).map(|tap| (tap.letter, tap.number)));
        assert_eq!(taps, [Some(('h', 0)), Some(('h', 3)), Some(('h', 3)), Some(('h', 4)), Some(('g', 1)), None]);
    }
}
