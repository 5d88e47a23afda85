//! Coefficients as a drawing writes them: −1 and −j as such, α to δ by name, and a legend that defines the letters.

use super::drawing::{Drawing, DrawnEdge, EdgeStyle};
use super::text::{number, subscript};
use crate::plan::Coef;
use crate::transforms::wavelet::{filter_tap, filter_values, lifting_name, lifting_values};

/// A coefficient as text: `−1`, `−j`, `ω³₁₆`, `γ/K`, `0.5`.
pub fn coefficient_text(coef: Coef) -> String {
    match coef {
        Coef::Root { numerator, denominator } if 4 * numerator == denominator => "−j".into(),
        Coef::Root { numerator, denominator } if 4 * numerator == 3 * denominator => "j".into(),
        Coef::Real(x) => lifting_name(x).unwrap_or_else(|| coef.text()),
        _ => coef.text(),
    }
}

/// Whether the coefficient has a name that a legend defines, so that a stage writes it once.
pub(super) fn is_named(coef: Coef) -> bool {
    coef.real().is_some_and(|x| lifting_name(x).is_some())
}

/// Which of the filter coefficients h₀ to h₃ an edge has; each has a line style.
pub(super) fn tap_of(edge: &DrawnEdge) -> Option<usize> {
    edge.weight.real().filter(|_| !edge.conjugated).and_then(filter_tap)
}

impl Drawing {
    /// The filter coefficients that edges have, by their number: `h₀ = 0.4830, −h₀ in the high-pass filter`.
    pub fn taps(&self) -> Vec<(usize, String)> {
        let has = |k: usize, is_negative: bool| {
            let value = |edge: &DrawnEdge| edge.weight.real().is_some_and(|x| (x < 0.0) == is_negative);
            self.edges.iter().any(|edge| edge.style() == EdgeStyle::Filter(k) && value(edge))
        };
        let text = |(k, value): (usize, f64)| {
            let name = format!("h{}", subscript(k));
            let times = match (has(k, value < 0.0), has(k, value >= 0.0)) {
                (false, false) => return None,
                (true, false) => format!("times {name}"),
                (false, true) => format!("times −{name}"),
                (true, true) => format!("times {name} or, for high-pass values, −{name}"),
            };
            Some((k, format!("{times},  {name} = {}", number(value, 4))))
        };
        filter_values().into_iter().enumerate().filter_map(text).collect()
    }

    /// The definitions of the letters that the drawing writes: ω_N, j, α to δ and K.
    pub fn definitions(&self) -> Vec<String> {
        let texts = || self.labels.iter().filter(|label| label.is_coefficient()).map(|label| label.text.as_str());
        let mut lines = Vec::new();
        let roots = || self.edges.iter().map(|edge| edge.weight).chain(self.results.iter().map(|result| result.factor));
        let has_j = texts().any(|text| text == "j" || text == "−j" || text.ends_with("j conj"));
        if has_j || roots().any(|coef| matches!(coef, Coef::Root { .. })) {
            let j = if has_j { ",  −j = ω¹₄" } else { "" };
            lines.push(format!("ω_N = e^(−2πi/N){j}"));
        }
        let values: Vec<_> = lifting_values()
            .filter(|(name, _)| texts().any(|text| text.contains(name)))
            .map(|(name, value)| format!("{name} = {}", number(value, 5)))
            .collect();
        if !values.is_empty() {
            lines.push(values.join(",  "));
        }
        lines
    }
}
