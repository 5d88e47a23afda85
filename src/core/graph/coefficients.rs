//! Coefficients as a drawing writes them: −1 and −i as such, α to δ by name, and a legend that defines the letters.

use super::drawing::{DrawnEdge, EdgeStyle, GraphDrawing};
use super::text::number;
use crate::figure::subscript;
use crate::plan::Coef;
use crate::transforms::wavelet::{FilterTap, filter_tap, filter_taps, lifting_name, lifting_values};

/// A coefficient as text: `−1`, `−i`, `ω³₁₆`, `γ/K`, `0.5`.
pub fn coefficient_text(coef: Coef) -> String {
    match coef {
        Coef::Root { numerator, denominator } if 4 * numerator == denominator => "−i".into(),
        Coef::Root { numerator, denominator } if 4 * numerator == 3 * denominator => "i".into(),
        Coef::Real(x) => lifting_name(x).unwrap_or_else(|| coef.text()),
        _ => coef.text(),
    }
}

/// Whether the coefficient has a name that a legend defines, so that a stage writes it once.
pub(super) fn is_named(coef: Coef) -> bool {
    coef.real().is_some_and(|x| lifting_name(x).is_some())
}

/// Line styles of the coefficients of filters.
const STYLES: usize = 4;

/// The line style of an edge that has a coefficient of a filter: its number; coefficients far from the centre share the last one.
pub(super) fn tap_of(edge: &DrawnEdge) -> Option<usize> {
    edge.weight.real().filter(|_| !edge.conjugated).and_then(filter_tap).map(|tap| tap.number.min(STYLES - 1))
}

impl GraphDrawing {
    /// The filter coefficients that edges of each line style have: `times h₀ or, for high-pass values, −h₀,  h₀ = 0.4830`.
    pub fn taps(&self) -> Vec<(usize, String)> {
        let mut signs: Vec<(FilterTap, [bool; 2])> = filter_taps().map(|tap| (tap, [false; 2])).collect();
        for weight in self.edges.iter().filter(|edge| matches!(edge.style(), EdgeStyle::Filter(_))).filter_map(|edge| edge.weight.real()) {
            if let Some((tap, has)) = signs.iter_mut().find(|(tap, _)| filter_tap(weight) == Some(*tap)) {
                has[usize::from((weight < 0.0) != (tap.value < 0.0))] = true;
            }
        }
        let text = |(FilterTap { letter, number: k, value }, has): &(FilterTap, [bool; 2])| {
            let name = format!("{letter}{}", subscript(*k));
            let times = match has {
                [false, false] => return None,
                [true, false] => format!("times {name}"),
                [false, true] => format!("times −{name}"),
                [true, true] => format!("times {name} or, for high-pass values, −{name}"),
            };
            Some(((*k).min(STYLES - 1), format!("{times},  {name} = {}", number(*value, 4))))
        };
        let mut taps: Vec<(usize, String)> = Vec::new();
        for (style, text) in signs.iter().filter_map(text) {
            match taps.iter_mut().find(|(other, _)| *other == style) {
                Some((_, texts)) => *texts += &format!("; {text}"),
                None => taps.push((style, text)),
            }
        }
        taps
    }

    /// The definitions of the letters that the drawing writes: ω_N, i, α to δ and K.
    pub fn definitions(&self) -> Vec<String> {
        let texts = || self.labels.iter().filter(|label| label.is_coefficient()).map(|label| label.text.as_str());
        let mut lines = Vec::new();
        let roots = || self.edges.iter().map(|edge| edge.weight).chain(self.results.iter().map(|result| result.factor));
        let has_i = texts().any(|text| text == "i" || text == "−i" || text.ends_with("i conj"));
        if has_i || roots().any(|coef| matches!(coef, Coef::Root { .. })) {
            let i = if has_i { ",  −i = ω¹₄" } else { "" };
            lines.push(match self.request.plan.ring.field() {
                Some(field) => format!("ω_N = {}^({}/N) modulo {}{i}", field.root(), field.order(), field.modulus()),
                None => format!("ω_N = e^(−2πi/N){i}"),
            });
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
