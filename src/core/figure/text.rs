//! Texts: the width of a text in the fonts of the program, and the runs of characters on one baseline in it.

use super::{Anchor, Position};
use crate::numerals::SPACE;
use ab_glyph::{Font as _, FontRef, GlyphId};
use std::sync::LazyLock;

/// Font size of raised and lowered characters, relative to the text.
const SCRIPT_SIZE: f32 = 0.72;
/// Distance of the baseline below the middle of the capital letters, in ems.
const BASELINE: f32 = 0.35;
/// How far characters are raised and lowered, in ems.
const RAISED: f32 = 0.38;
const LOWERED: f32 = 0.22;
/// Width of a thin space, in ems.
const THIN: f32 = 0.18;
/// The characters before this one have their widths in a table, as layouts measure some texts many times.
const FIRST_UNCOMMON: u32 = 0x2300;

/// A font of the program.
pub(super) struct ProgramFont {
    pub(super) name: &'static str,
    pub(super) data: &'static [u8],
    pub(super) face: FontRef<'static>,
}

/// The fonts of the window in the order in which they are searched for a character; the second one has the mathematical signs that the first one lacks.
pub(super) static FONTS: LazyLock<[ProgramFont; 2]> = LazyLock::new(|| {
    let font = |name, data| {
        let face = FontRef::try_from_slice(data).expect("the font in the program is well-formed");
        ProgramFont { name, data, face }
    };
    [font("Ubuntu-Light", epaint_default_fonts::UBUNTU_LIGHT), font("Hack-Regular", epaint_default_fonts::HACK_REGULAR)]
});

/// The widths of common characters, in ems.
static COMMON: LazyLock<Vec<f32>> = LazyLock::new(|| (0..FIRST_UNCOMMON).map(|c| char::from_u32(c).map_or(0.0, measured)).collect());

impl ProgramFont {
    /// The width of a glyph in ems.
    pub(super) fn ems(&self, glyph: GlyphId) -> f32 {
        self.face.h_advance_unscaled(glyph) / self.units()
    }

    /// Units of the font in an em.
    pub(super) fn units(&self) -> f32 {
        self.face.units_per_em().unwrap_or(1000.0)
    }
}

/// The font that has a character, or the first.
pub(super) fn font_of(c: char) -> usize {
    FONTS.iter().position(|font| font.face.glyph_id(c) != GlyphId(0)).unwrap_or(0)
}

fn measured(c: char) -> f32 {
    // The font that has it gives all characters one width.
    if c == SPACE {
        return THIN;
    }
    let font = &FONTS[font_of(c)];
    font.ems(font.face.glyph_id(c))
}

/// The width of characters on one baseline, in the unit of `size`.
pub(super) fn width_of_run(text: &str, size: f32) -> f32 {
    text.chars().map(|c| COMMON.get(c as usize).copied().unwrap_or_else(|| measured(c))).sum::<f32>() * size
}

/// The width of a text with its raised and lowered parts, in the unit of `size`.
pub fn text_width(text: &str, size: f32) -> f32 {
    // Layouts measure many short texts, most of which have no such parts.
    let is_plain = text.bytes().all(|byte| byte.is_ascii() && byte != b'^' && byte != b'_');
    if is_plain { width_of_run(text, size) } else { runs_from_left(text, size).1 }
}

/// The text, shortened to `room` in the unit of `size`.
pub fn fitted(text: &str, size: f32, room: f32) -> String {
    if text_width(text, size) <= room {
        return text.to_owned();
    }
    let ends = text.char_indices().map(|(end, _)| end).rev();
    let mut shorter = ends.map(|end| format!("{}…", text[..end].trim_end()));
    shorter.find(|text| text_width(text, size) <= room).unwrap_or_else(|| "…".into())
}

/// A text in lines of at most `room`, broken at spaces; a longer word has a line of its own.
pub fn wrapped(text: &str, size: f32, room: f32) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is a first line");
        let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
        if line.is_empty() || text_width(&longer, size) <= room { *line = longer } else { lines.push(word.to_owned()) }
    }
    lines
}

/// The vertical position of a run of characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Script {
    /// On the baseline of the text.
    Baseline,
    /// Raised.
    Super,
    /// Lowered.
    Sub,
}

const SUBSCRIPTS: [char; 10] = ['₀', '₁', '₂', '₃', '₄', '₅', '₆', '₇', '₈', '₉'];
const SUPERSCRIPTS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

/// The digits of a number, lowered.
pub fn subscript(number: usize) -> String {
    number.to_string().bytes().map(|digit| SUBSCRIPTS[usize::from(digit - b'0')]).collect()
}

/// The digits of a number, raised.
pub fn superscript(number: usize) -> String {
    number.to_string().bytes().map(|digit| SUPERSCRIPTS[usize::from(digit - b'0')]).collect()
}

/// The text, split into runs of the same vertical position; raised and lowered digits become plain digits.
/// The N of `_N` is lowered where no letter follows, and `^(…)` and the number of `^10` are raised.
pub fn script_runs(text: &str) -> Vec<(Script, String)> {
    let mut runs: Vec<(Script, String)> = Vec::new();
    let mut push = |script, part: &str| match runs.last_mut() {
        Some((last, run)) if *last == script => run.push_str(part),
        _ => runs.push((script, part.into())),
    };
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        let digit = |digits: &[char; 10]| digits.iter().position(|&d| d == c).map(|value| value.to_string());
        rest = after;
        if let Some(plain) = digit(&SUPERSCRIPTS) {
            push(Script::Super, &plain);
        } else if let Some(plain) = digit(&SUBSCRIPTS) {
            push(Script::Sub, &plain);
        } else if let Some(behind) = after.strip_prefix('N').filter(|behind| c == '_' && !behind.starts_with(char::is_alphanumeric)) {
            push(Script::Sub, "N");
            rest = behind;
        } else if let Some((raised, behind)) = after.strip_prefix('(').filter(|_| c == '^').and_then(|inner| inner.split_once(')')) {
            push(Script::Super, raised);
            rest = behind;
        } else if let Some(n_bytes) = (c == '^').then(|| length_of_number(after)).filter(|n_bytes| *n_bytes > 0) {
            push(Script::Super, &after[..n_bytes]);
            rest = &after[n_bytes..];
        } else if c == 'ᵀ' {
            // The fonts have no raised letter.
            push(Script::Super, "T");
        } else {
            push(Script::Baseline, c.encode_utf8(&mut [0; 4]));
        }
    }
    runs
}

/// The bytes of the number that a text begins with.
fn length_of_number(text: &str) -> usize {
    let unsigned = text.strip_prefix(['−', '-']).unwrap_or(text);
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let (whole, sign) = (digits(unsigned), text.len() - unsigned.len());
    match unsigned[whole..].strip_prefix('.').map(digits) {
        _ if whole == 0 => 0,
        Some(fraction) if fraction > 0 => sign + whole + 1 + fraction,
        _ => sign + whole,
    }
}

/// Characters on one baseline.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedRun {
    /// The left end of the baseline.
    pub at: Position,
    /// The font size.
    pub size: f32,
    /// The width.
    pub width: f32,
    /// The characters.
    pub text: String,
}

/// The runs of a text whose anchor is at `at`, and which may run upwards.
pub fn placed_runs(text: &str, size: f32, at: Position, anchor: Anchor, upwards: bool) -> Vec<PlacedRun> {
    let [x, y] = baseline(at, size, upwards);
    let (mut runs, width) = runs_from_left(text, size);
    for run in &mut runs {
        let [along, across] = [run.at[0] - anchor.part() * width, run.at[1]];
        run.at = if upwards { [x + across, y - along] } else { [x + along, y + across] };
    }
    runs
}

/// The anchor of a text, moved to its baseline.
pub(super) fn baseline([x, y]: Position, size: f32, upwards: bool) -> Position {
    if upwards { [x + BASELINE * size, y] } else { [x, y + BASELINE * size] }
}

/// The runs of a text whose baseline begins at the origin, and its width.
fn runs_from_left(text: &str, size: f32) -> (Vec<PlacedRun>, f32) {
    let (mut runs, mut widest, mut raised_from) = (Vec::new(), 0.0_f32, None);
    for (script, text) in with_own_letters(script_runs(text)) {
        // A subscript is below the superscript before it.
        let x = raised_from.filter(|_| script == Script::Sub).unwrap_or(widest);
        let (shift, small) = match script {
            Script::Baseline => (0.0, size),
            Script::Super => (-RAISED * size, SCRIPT_SIZE * size),
            Script::Sub => (LOWERED * size, SCRIPT_SIZE * size),
        };
        raised_from = (script == Script::Super).then_some(x);
        let width = width_of_run(&text, small);
        runs.push(PlacedRun { at: [x, shift], size: small, width, text });
        widest = widest.max(x + width);
    }
    (runs, widest)
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
