//! The entries of matrices as text and as TeX: exact roots, small integers, and letters where the drawing has them.

use crate::figure::{Script, script_runs, subscript};
use crate::graph::coefficients::coefficient_text;
use crate::graph::text::number;
use crate::plan::Coef;
use crate::transforms::wavelet::filter_tap;

/// Significant digits of an entry that is not exact.
const DIGITS: usize = 4;

/// An entry as text: `1`, `−1`, `½`, `ω³₁₆`, `−i`, `α`, `0.7071`, `0.7071−0.7071i`.
pub fn entry_text(weight: Coef) -> String {
    match weight {
        Coef::Complex { re, im } => complex(re, im),
        Coef::Real(x) if is_named(weight) || x == 0.5 || x == -0.5 => match x {
            0.5 => "½".into(),
            -0.5 => "−½".into(),
            _ => coefficient_text(weight),
        },
        Coef::Real(x) => match filter_tap(x) {
            Some(tap) => format!("{}{}{}", if (tap.value < 0.0) == (x < 0.0) { "" } else { "−" }, tap.letter, subscript(tap.number)),
            None => number(x, DIGITS),
        },
        Coef::Root { .. } => coefficient_text(weight),
    }
}

fn complex(re: f64, im: f64) -> String {
    let real = if re == 0.0 { String::new() } else { number(re, DIGITS) };
    let sign = match (re == 0.0, im < 0.0) {
        (_, true) => "−",
        (true, false) => "",
        (false, false) => "+",
    };
    let size = if im.abs() == 1.0 { String::new() } else { number(im.abs(), DIGITS) };
    if im == 0.0 { number(re, DIGITS) } else { format!("{real}{sign}{size}i") }
}

/// Whether the weight has a letter such as α.
fn is_named(weight: Coef) -> bool {
    matches!(weight, Coef::Real(_)) && coefficient_text(weight) != weight.text()
}

/// An entry for TeX's mathematics.
pub fn entry_tex(weight: Coef) -> String {
    tex(&entry_text(weight))
}

/// A short text for TeX's mathematics: letters, signs, superscripts and subscripts.
pub(super) fn tex(text: &str) -> String {
    let mut tex = String::new();
    for (script, run) in script_runs(text) {
        let plain: String = run.chars().map(letter).collect();
        match script {
            Script::Baseline => tex.push_str(&plain),
            Script::Super => tex.push_str(&format!("^{{{}}}", plain.trim_end())),
            Script::Sub => tex.push_str(&format!("_{{{}}}", plain.trim_end())),
        }
    }
    tex.trim_end().to_owned()
}

fn letter(letter: char) -> String {
    match letter {
        '−' => "-".into(),
        '½' => "\\tfrac12 ".into(),
        'α' => "\\alpha ".into(),
        'β' => "\\beta ".into(),
        'γ' => "\\gamma ".into(),
        'δ' => "\\delta ".into(),
        'ζ' => "\\zeta ".into(),
        'ψ' => "\\psi ".into(),
        'ω' => "\\omega ".into(),
        '·' => "\\cdot ".into(),
        '⊗' => "\\otimes ".into(),
        '⊕' => "\\oplus ".into(),
        other => other.into(),
    }
}
