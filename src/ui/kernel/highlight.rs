//! The parts of a line of a kernel that have a colour of their own, in WGSL and in the languages that it is translated to.

use std::ops::Range;

/// The kind of a part of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    Keyword,
    Type,
    Number,
    Attribute,
    Comment,
    Other,
}

/// Of WGSL first, then of the others.
const KEYWORDS: [&str; 36] = [
    "alias",
    "break",
    "case",
    "const",
    "continue",
    "default",
    "else",
    "enable",
    "false",
    "fn",
    "for",
    "if",
    "let",
    "loop",
    "override",
    "return",
    "struct",
    "switch",
    "true",
    "var",
    "while",
    "discard",
    "requires",
    "continuing",
    "buffer",
    "constant",
    "device",
    "groupshared",
    "inline",
    "kernel",
    "layout",
    "shared",
    "static",
    "threadgroup",
    "uniform",
    "void",
];

/// The numbers of GLSL, HLSL and MSL, of which vectors have 2 to 4.
const NUMBERS: [&str; 7] = ["int", "uint", "long", "ulong", "float", "double", "bool"];

/// The parts of a line, without gaps.
pub(super) fn tokens(line: &str) -> Vec<(Range<usize>, TokenKind)> {
    let mut tokens: Vec<(Range<usize>, TokenKind)> = Vec::new();
    let mut at = 0;
    while at < line.len() {
        let rest = &line[at..];
        let first = rest.chars().next().unwrap_or(' ');
        let word = |is: fn(char) -> bool| rest.char_indices().find(|(_, letter)| !is(*letter)).map_or(rest.len(), |(end, _)| end);
        let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let (length, kind) = match first {
            '/' if rest.starts_with("//") => (rest.len(), TokenKind::Comment),
            // A line for the preprocessor, and the first line of a listing of SPIR-V.
            '#' | ';' if at == 0 => (rest.len(), TokenKind::Comment),
            '@' => (1 + rest[1..].find(|letter| !is_name(letter)).unwrap_or(rest.len() - 1), TokenKind::Attribute),
            '0'..='9' => (word(|letter| letter.is_ascii_alphanumeric() || letter == '.'), TokenKind::Number),
            letter if is_name(letter) => {
                let end = word(|letter| letter.is_ascii_alphanumeric() || letter == '_');
                (end, kind_of(&rest[..end]))
            }
            letter => (letter.len_utf8(), TokenKind::Other),
        };
        match tokens.last_mut() {
            Some((range, last)) if *last == kind => range.end += length,
            _ => tokens.push((at..at + length, kind)),
        }
        at += length;
    }
    tokens
}

fn kind_of(word: &str) -> TokenKind {
    let is_vector = |rest: &str| rest.starts_with(['2', '3', '4']);
    match word {
        _ if KEYWORDS.contains(&word) => TokenKind::Keyword,
        "f16" | "f32" | "f64" | "i32" | "i64" | "u32" | "u64" | "bool" | "array" | "atomic" | "ptr" | "Complex" => TokenKind::Type,
        _ if NUMBERS.iter().any(|number| word.strip_prefix(number).is_some_and(|rest| rest.is_empty() || is_vector(rest))) => {
            TokenKind::Type
        }
        "uvec2" | "uvec3" | "uvec4" => TokenKind::Type,
        _ if word.strip_prefix("vec").or(word.strip_prefix("mat")).is_some_and(is_vector) => TokenKind::Type,
        _ => TokenKind::Other,
    }
}

/// A line of a comparison of two texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Compared {
    /// A line of both, by its index in the first text.
    Both(usize),
    /// A line of the first text only.
    First(usize),
    /// A line of the second text only.
    Second(String),
}

/// Two texts line by line, with as many common lines as possible.
pub(super) fn compared(first: &str, second: &str) -> Vec<Compared> {
    let (a, b): (Vec<&str>, Vec<&str>) = (first.lines().collect(), second.lines().collect());
    // common[i][j]: the most common lines of a[i..] and b[j..].
    let mut common = vec![vec![0_u32; b.len() + 1]; a.len() + 1];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            common[i][j] = if a[i] == b[j] { common[i + 1][j + 1] + 1 } else { common[i + 1][j].max(common[i][j + 1]) };
        }
    }
    let (mut i, mut j, mut lines) = (0, 0, Vec::new());
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && a[i] == b[j] {
            lines.push(Compared::Both(i));
            (i, j) = (i + 1, j + 1);
        } else if j == b.len() || i < a.len() && common[i + 1][j] >= common[i][j + 1] {
            lines.push(Compared::First(i));
            i += 1;
        } else {
            lines.push(Compared::Second(b[j].to_owned()));
            j += 1;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_falls_into_words_numbers_and_comments() {
        let line = "@group(0) let v = input[2u * t]; // ½";
        let found: Vec<_> = tokens(line).into_iter().filter(|(_, kind)| *kind != TokenKind::Other).collect();
        let texts: Vec<_> = found.iter().map(|(range, kind)| (&line[range.clone()], *kind)).collect();
        assert_eq!(
            texts,
            [
                ("@group", TokenKind::Attribute),
                ("0", TokenKind::Number),
                ("let", TokenKind::Keyword),
                ("2u", TokenKind::Number),
                ("// ½", TokenKind::Comment)
            ]
        );
        let joined: String = tokens(line).into_iter().map(|(range, _)| line[range].to_owned()).collect();
        assert_eq!(joined, line, "nothing is lost");
        assert_eq!(tokens("vec4<f32>")[0], (0..4, TokenKind::Type));
        for (line, first) in [
            ("#version 430 core", TokenKind::Comment),
            ("void main() {", TokenKind::Keyword),
            ("float2 u = input;", TokenKind::Type),
            ("kernel void stage(", TokenKind::Keyword),
            ("; SPIR-V 1.3, 14 words", TokenKind::Comment),
        ] {
            assert_eq!(tokens(line)[0].1, first, "{line}");
        }
    }

    #[test]
    fn compared_texts_keep_their_common_lines() {
        let found = compared("a\nb\nc", "a\nx\nc\nd");
        let expected =
            [Compared::Both(0), Compared::First(1), Compared::Second("x".into()), Compared::Both(2), Compared::Second("d".into())];
        assert_eq!(found, expected);
    }
}
