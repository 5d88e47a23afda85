//! The runs of a text with their positions: a file that gives every run its own position looks the same in all renderers.

use super::geometry::{Anchor, Point};
use super::text::{Script, script_runs};

/// Font size of superscripts and subscripts, relative to the text.
const SCRIPT_SIZE: f32 = 0.72;
/// Distance of the baseline below the middle of the capital letters, in ems.
const BASELINE: f32 = 0.35;
/// Widths of the printable ASCII characters in Helvetica and the fonts that have its metrics, in thousandths of an em.
const HELVETICA: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278,
    278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722,
    667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556,
    556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/// A run of characters on one baseline.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PlacedRun {
    /// The left end of the baseline.
    pub(super) at: Point,
    /// The font size.
    pub(super) size: f32,
    /// The characters.
    pub(super) text: String,
}

/// The runs of a text whose anchor is at `at`; `ems` gives the width of a character.
pub(super) fn placed_runs(text: &str, size: f32, at: Point, anchor: Anchor, ems: impl Fn(char) -> f32) -> Vec<PlacedRun> {
    let baseline = at.y + BASELINE * size;
    let (mut runs, mut widest, mut raised_from) = (Vec::new(), 0.0_f32, None);
    for (script, text) in with_own_letters(script_runs(text)) {
        // A subscript stands below the superscript before it.
        let x = raised_from.filter(|_| script == Script::Sub).unwrap_or(widest);
        let (shift, small) = match script {
            Script::Baseline => (0.0, size),
            Script::Super => (-0.38 * size, SCRIPT_SIZE * size),
            Script::Sub => (0.22 * size, SCRIPT_SIZE * size),
        };
        raised_from = (script == Script::Super).then_some(x);
        let width = text.chars().map(&ems).sum::<f32>() * small;
        runs.push(PlacedRun { at: Point::new(x, baseline + shift), size: small, text });
        widest = widest.max(x + width);
    }
    let left = anchor.bounds(at, widest, size).min.x;
    for run in &mut runs {
        run.at.x += left;
    }
    runs
}

/// Splits the letter that carries a script off the run before it, so that the two stay together in a font of other widths.
fn with_own_letters(runs: Vec<(Script, String)>) -> Vec<(Script, String)> {
    let carries = |index: usize| runs.get(index + 1).is_some_and(|(script, _)| *script != Script::Baseline);
    let split = |(index, (script, text)): (usize, &(Script, String))| match text.char_indices().next_back() {
        Some((last, _)) if last > 0 && *script == Script::Baseline && carries(index) => {
            vec![(*script, text[..last].to_owned()), (*script, text[last..].to_owned())]
        }
        _ => vec![(*script, text.clone())],
    };
    runs.iter().enumerate().flat_map(split).collect()
}

/// The width of a character in Helvetica, in ems.
pub(super) fn helvetica(c: char) -> f32 {
    let thousandths = match c {
        ' '..='~' => HELVETICA[c as usize - ' ' as usize],
        '−' | '×' => 584,
        'ω' => 781,
        'π' => 690,
        '·' | '′' => 278,
        'γ' => 500,
        'α' | 'β' | 'δ' | '–' => 556,
        '…' => 1000,
        _ => 600,
    };
    f32::from(thousandths) / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subscript_stands_below_the_superscript() {
        let runs = placed_runs("ω³₁₆", 10.0, Point::new(100.0, 50.0), Anchor::Centre, helvetica);
        assert_eq!(runs.iter().map(|run| run.text.as_str()).collect::<Vec<_>>(), ["ω", "3", "16"]);
        assert_eq!(runs[1].at.x, runs[2].at.x);
        assert!(runs[1].at.y < runs[0].at.y && runs[0].at.y < runs[2].at.y);
        let width = 7.81 + 2.0 * 0.556 * 7.2;
        assert!((runs[0].at.x - (100.0 - width / 2.0)).abs() < 1e-3, "{runs:?}");
        let texts = |text: &str| {
            placed_runs(text, 10.0, Point::default(), Anchor::Left, helvetica).into_iter().map(|run| run.text).collect::<Vec<_>>()
        };
        assert_eq!(texts("−i = ω¹₄"), ["−i = ", "ω", "1", "4"]);
        let right = placed_runs("x₃", 10.0, Point::new(0.0, 0.0), Anchor::Right, helvetica);
        assert!((right[1].at.x + 0.556 * 7.2).abs() < 1e-3 && (right[0].at.x + 0.556 * 7.2 + 5.0).abs() < 1e-3);
    }
}
